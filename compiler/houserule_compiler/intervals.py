"""What an expression can come to when its reads lie in intervals: exact where every read is a single value.

A range is `(low, high, may be unknown)`, both ends included, with 0 and 1 for false and true; None is surely unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

from .types import PIPS

Quantity: TypeAlias = int | Fraction
Range: TypeAlias = tuple[Quantity, Quantity, bool]
Value: TypeAlias = Range | None

FALSE: Range = (0, 0, False)
TRUE: Range = (1, 1, False)
EITHER: Range = (0, 1, False)


def point(value: Quantity) -> Range:
    """The range of a single value."""
    return value, value, False


def hull(ranges: Sequence[Value]) -> Value:
    """The least range around several, one of which is taken."""
    known = [each for each in ranges if each is not None]
    if not known:
        return None
    low, high = _ends([end for each in known for end in each[:2]])
    return low, high, len(known) < len(ranges) or any(each[2] for each in known)


def conjunction(terms: Sequence[Callable[[], Value]]) -> Value:
    """`and`, from left to right, stopping when settled: what stands behind a false term is never read."""
    low, high, maybe = TRUE
    for term in terms:
        if not high and not maybe:
            break
        found = term()
        if found is None:
            return None if low and not maybe else (0, 0, True)
        low, high, maybe = min(low, found[0]), min(high, found[1]), maybe or found[2]
    return low, high, maybe


def negation(value: Value) -> Value:
    """`not`."""
    return None if value is None else (1 - value[1], 1 - value[0], value[2])


def conditional(condition: Value, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
    """`if`: one branch where the condition is settled, else what either can be."""
    if condition is None:
        return None
    low, high, maybe = condition
    branches = ([yes()] if high else []) + ([] if low else [no()])
    found = hull(branches)
    return found if found is None or not maybe else (found[0], found[1], True)


def comparison(operator: str, left: Range, right: Range) -> Range:
    """A comparison of two ranges."""
    a, b, _ = left
    c, d, _ = right
    match operator:
        case "<":
            settled = (b < c, a < d)
        case "<=":
            settled = (b <= c, a <= d)
        case ">":
            settled = (a > d, b > c)
        case ">=":
            settled = (a >= d, b >= c)
        case "==":
            settled = (a == b == c == d, a <= d and c <= b)
        case _:
            settled = (b < c or d < a, not a == b == c == d)
    return int(settled[0]), int(settled[1]), left[2] or right[2]


def within(item: Range, bands: Sequence[tuple[Quantity | None, Quantity | None]]) -> Range:
    """`in` closed bands, None being an open end."""
    low, high, maybe = item
    surely = any((a is None or a <= low) and (b is None or high <= b) for a, b in bands)
    possibly = any((a is None or a <= high) and (b is None or low <= b) for a, b in bands)
    return int(surely), int(possibly), maybe


def arithmetic(operator: str, ranges: Sequence[Range]) -> Range | None:
    """A sum, difference, product, quotient, rounding or extreme; None where it is not bounded, as over zero."""
    maybe = any(each[2] for each in ranges)
    found = _monotone(operator, ranges) if operator in _MONOTONE else _folded(operator, ranges)
    return None if found is None else (*found, maybe)


def _folded(operator: str, ranges: Sequence[Range]) -> tuple[Quantity, Quantity] | None:
    a, b, _ = ranges[0]
    for c, d, _ in ranges[1:]:
        match operator:
            case "+":
                a, b = a + c, b + d
            case "-":
                a, b = a - d, b - c
            case "min":
                a, b = min(a, c), min(b, d)
            case "max":
                a, b = max(a, c), max(b, d)
            case "*":
                a, b = _ends([a * c, a * d, b * c, b * d])
            case "/" if c > 0 or d < 0:
                a, b = _ends([Fraction(x) / y for x in (a, b) for y in (c, d)])
            case _:
                return None
    return a, b


def _ends(values: Sequence[Quantity]) -> tuple[Quantity, Quantity]:
    return min(values), max(values)


_MONOTONE: dict[str, Callable[[Quantity], Quantity]] = {
    "floor": floor,
    "ceil": ceil,
    "nearest": lambda value: floor(value + Fraction(1, 2)),
    "toward_zero": int,
    "dice_part": lambda code: Fraction(1, 2) if code // (2 * PIPS + 1) == 1 else max(code // (2 * PIPS + 1) - 1, 0),
}


def _monotone(operator: str, ranges: Sequence[Range]) -> tuple[Quantity, Quantity]:
    apply = _MONOTONE[operator]
    return apply(ranges[0][0]), apply(ranges[0][1])


def absolute(item: Range) -> Range:
    """The magnitude."""
    low, high, maybe = item
    near, far = _ends([-low if low < 0 else low, -high if high < 0 else high])
    return 0 if low <= 0 <= high else near, far, maybe


def remainder(item: Range, modulus: int, shift: int = 0) -> Range:
    """`mod` by a positive literal, plus `shift`; with 19 and -9 it gives the pips of a code of hit dice."""
    low, high, maybe = item
    if low // modulus == high // modulus:
        return low % modulus + shift, high % modulus + shift, maybe
    return shift, modulus - 1 + shift, maybe
