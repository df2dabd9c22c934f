"""Chances in percent, by integer arithmetic."""

from __future__ import annotations

from fractions import Fraction

_PLACES = 6


def percent(chance: Fraction) -> str:
    """`99.75%` where the decimal ends within six places, else `~33.333333%`, cut to the nearest."""
    scaled = chance * 100 * 10**_PLACES
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    before, after = divmod(whole, 10**_PLACES)
    is_exact = scaled.denominator == 1
    decimals = f"{after:0{_PLACES}d}".rstrip("0") if is_exact else f"{after:0{_PLACES}d}"
    return ("" if is_exact else "~") + (f"{before}.{decimals}%" if decimals else f"{before}%")
