"""Chances in percent, and fractions as decimals, by integer arithmetic."""

from __future__ import annotations

from fractions import Fraction

_PLACES = 6


def percent(chance: Fraction, places: int = _PLACES) -> str:
    """`99.75%` where the decimal ends within so many places, else `~33.333333%`, cut to the nearest."""
    scaled = chance * 100 * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    before, after = divmod(whole, 10**places)
    is_exact = scaled.denominator == 1
    decimals = f"{after:0{places}d}".rstrip("0") if is_exact else f"{after:0{places}d}"
    return ("" if is_exact else "~") + (f"{before}.{decimals}%" if decimals else f"{before}%")


def percents(*chances: Fraction) -> list[str]:
    """Chances to a tenth of a percent; to more places where that would make two of them alike, or one sure or never."""
    texts = [percent(each, 1) for each in chances]
    is_apart = len(set(texts)) == len(set(chances)) and not {"~0.0%", "~100.0%"} & {*texts}
    return texts if is_apart else [percent(each) for each in chances]


def decimal(value: Fraction | int, places: int = _PLACES) -> str:
    """`99.75`: the decimal of so many places that is nearest, without zeros at its end."""
    scaled = abs(Fraction(value)) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    before, after = divmod(whole, 10**places)
    decimals = f"{after:0{places}d}".rstrip("0") if places else ""
    return ("-" if value < 0 and whole else "") + (f"{before}.{decimals}" if decimals else f"{before}")
