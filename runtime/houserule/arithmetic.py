"""The operators that need all of their operands: exact arithmetic by formula, so that every language agrees."""

from __future__ import annotations

from .dice import Pool
from .errors import ArtifactError
from .limits import LARGEST
from .values import exact, hit_dice_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import Any, TypeAlias, TypeVar

    Exact: TypeAlias = int | Fraction
    T = TypeVar("T")


def floor(value: Exact) -> int:
    """The greatest integer that is not above a number."""
    return value.numerator // value.denominator


def ceil(value: Exact) -> int:
    """The least integer that is not below a number."""
    return -(-value.numerator // value.denominator)


def nearest(value: Exact) -> int:
    """The nearest integer; a half goes up: floor(value + 1/2)."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def toward_zero(value: Exact) -> int:
    """The integer without the fraction's part."""
    return floor(value) if value >= 0 else ceil(value)


ROUNDING: dict[str, Callable[[Exact], int]] = {"down": floor, "up": ceil, "nearest": nearest}
"""The roundings that an entry may name."""


def bounded(value: T) -> T:
    """The value itself; a number beyond ±(2^53 - 1) is refused, since no compiled program leads to one."""
    numerator = getattr(value, "numerator", 0)
    if abs(numerator) > LARGEST or getattr(value, "denominator", 1) > LARGEST:
        raise ArtifactError("this artifact is damaged: a number leaves the range of 2^53 - 1")
    return value


def _sum(*values: Any) -> Any:
    pools = [each for each in values if isinstance(each, Pool)]
    if not pools:
        return sum(values[1:], values[0])
    rest = sum(each for each in values if not isinstance(each, Pool))
    return Pool(tuple(term for pool in pools for term in pool.terms), sum((pool.constant for pool in pools), rest))


def _product(*values: Exact) -> Exact:
    result = values[0]
    for each in values[1:]:
        result = bounded(result * each)
    return result


def _quotient(above: Exact, below: Exact) -> Exact:
    if not below:
        raise ArtifactError("this artifact is damaged: it divides by zero")
    return exact(above) / below


def _dice_part(code: int) -> Fraction:
    return exact(hit_dice_parts(code)[0]) / 2


def _highest(dice: Pool | int) -> int:
    return dice.high + dice.constant if isinstance(dice, Pool) else dice


def _lowest(dice: Pool | int) -> int:
    return dice.low + dice.constant if isinstance(dice, Pool) else dice


STRICT: dict[str, Callable[..., Any]] = {
    "+": _sum,
    "*": _product,
    "-": lambda a, b: a - b,
    "neg": lambda a: -a,
    "/": _quotient,
    "floor": floor,
    "ceil": ceil,
    "nearest": nearest,
    "toward_zero": toward_zero,
    "abs": abs,
    "mod": lambda a, k: a - k * floor(exact(a) / k) if not isinstance(a, int) else a - k * (a // k),
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "count": lambda a: a.bit_count(),
    "not": lambda a: not a,
    "dice_part": _dice_part,
    "pips": lambda a: hit_dice_parts(a)[1],
    "highest": _highest,
    "lowest": _lowest,
}
"""Each strict operator, as a function of its operands."""
