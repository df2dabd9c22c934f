"""The mean of a die or value of a check, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Mean:
    """How likely a value is there at all, and its mean where it is; None where it never is."""

    given: Fraction
    mean: Fraction | None


def mean(chances: Iterable[tuple[object, Fraction]]) -> Mean | None:
    """The mean of the numbers among the keys of odds; None where any is a word or another thing without a mean."""
    from houserule.values import UNKNOWN

    told = [(value, chance) for value, chance in chances if value is not UNKNOWN]
    numbers = [(Fraction(value), chance) for value, chance in told if type(value) is int or isinstance(value, Fraction)]
    if len(numbers) < len(told):
        return None
    given = sum((chance for _, chance in numbers), Fraction(0))
    weighed = sum((value * chance for value, chance in numbers), Fraction(0))
    return Mean(given, weighed / given if given else None)
