"""Intervals of arithmetic: the type of a result from the types of what goes in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction as Exact
from math import ceil, floor

from .types import Boolean, Choice, Dice, Fraction, HitDice, Integer, Set, Side, Text, Type, Unknown, bounds

HALF = Exact(1, 2)


def interval(low: Exact, high: Exact, is_whole: bool) -> Type:
    """An integer or fraction type with these bounds."""
    return Integer(ceil(low), floor(high)) if is_whole else Fraction(low, high)


def _is_whole(kinds: Iterable[Type]) -> bool:
    return all(isinstance(each, Integer) for each in kinds)


def added(kinds: Sequence[Type]) -> Type:
    """The type of a sum."""
    ends = [bounds(each) for each in kinds]
    zero = Exact(0)
    return interval(sum((low for low, _ in ends), zero), sum((high for _, high in ends), zero), _is_whole(kinds))


def negated(kind: Type) -> Type:
    """The type of a number with its sign turned."""
    low, high = bounds(kind)
    return interval(-high, -low, _is_whole([kind]))


def multiplied(left: Type, right: Type) -> Type:
    """The type of a product."""
    ends = [a * b for a in bounds(left) for b in bounds(right)]
    return interval(min(ends), max(ends), _is_whole([left, right]))


def divided(left: Type, right: Type) -> Type | None:
    """The type of an exact quotient, or None where the divisor can be 0."""
    low, high = bounds(right)
    if low <= 0 <= high:
        return None
    ends = [a / b for a in bounds(left) for b in (low, high)]
    return Fraction(min(ends), max(ends))


def rounded(way: str, kind: Type) -> Type:
    """The type of a number rounded by `floor`, `ceil`, `nearest` or `toward_zero`."""
    low, high = bounds(kind)
    return Integer(round_one(way, low), round_one(way, high))


def round_one(way: str, value: Exact) -> int:
    """One number rounded; `nearest` sends halves up."""
    match way:
        case "floor" | "down":
            return floor(value)
        case "ceil" | "up":
            return ceil(value)
        case "nearest":
            return floor(value + HALF)
    return floor(value) if value >= 0 else ceil(value)


def absolute(kind: Type) -> Type:
    """The type of a magnitude."""
    low, high = bounds(kind)
    least = Exact(0) if low <= 0 <= high else min(abs(low), abs(high))
    return interval(least, max(abs(low), abs(high)), _is_whole([kind]))


def remainder(kind: Type, modulus: int) -> Type:
    """The type of a remainder by a positive number."""
    low, high = bounds(kind)
    if low // modulus == high // modulus:
        return Integer(int(low % modulus), int(high % modulus))
    return Integer(0, modulus - 1)


def extreme(way: str, kinds: Sequence[Type]) -> Type:
    """The type of the least (`min`) or greatest (`max`) of several numbers."""
    pick = min if way == "min" else max
    ends = [bounds(each) for each in kinds]
    return interval(pick(low for low, _ in ends), pick(high for _, high in ends), _is_whole(kinds))


def joined(one: Type, other: Type) -> Type | None:
    """The smallest type that holds the values of both, or None where they do not go together."""
    match one, other:
        case (Unknown(), _) | (_, Unknown()):
            return Unknown()
        case Integer(a, b), Integer(c, d):
            return Integer(min(a, c), max(b, d))
        case HitDice(a, b), HitDice(c, d):
            return HitDice(min(a, c), max(b, d))
        case Choice(id, a, b), Choice(other_id, c, d) if id == other_id:
            return Choice(id, min(a, c), max(b, d))
        case Boolean(a), Boolean(b):
            return Boolean(a if a == b else None)
        case Dice(a, b), Dice(c, d):
            return Dice(min(a, c), max(b, d))
        case (Set(id), Set(other_id)) if id == other_id:
            return one
        case (Text(), Text()) | (Side(), Side()):
            return one
        case (Integer() | Fraction(), Integer() | Fraction()):
            ours, theirs = bounds(one), bounds(other)
            return Fraction(min(ours[0], theirs[0]), max(ours[1], theirs[1]))
    return None


def joined_all(kinds: Sequence[Type]) -> Type | None:
    """The smallest type that holds the values of all, or None where they do not go together."""
    result: Type | None = kinds[0] if kinds else None
    for each in kinds[1:]:
        result = joined(result, each) if result else None
    return result
