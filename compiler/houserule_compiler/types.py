"""Types of the rules language, their intervals and their direction, and how they are named to people."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction as Exact
from typing import Literal, TypeAlias

LARGEST = 2**53 - 1
"""The largest integer that every runtime can hold exactly."""

PIPS = 9
"""Hit dice carry at most this many pips either way."""

Better: TypeAlias = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Integer:
    """Whole numbers from `low` to `high`, both included."""

    low: int = -LARGEST
    high: int = LARGEST


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false. `only` is set where just one of them is possible."""

    only: bool | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A word of a choice. `low` and `high` bound the word's index; `id` may be `check.outcome` or `sequence.step`."""

    id: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Set:
    """A set of words of a choice."""

    id: str


@dataclass(frozen=True, slots=True)
class HitDice:
    """Hit dice, as their dense codes: see `hit_dice_code`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice to be rolled; `low` and `high` bound the total, `spread` counts the totals that can come up.

    A dice fact is one of a closed list, `one_of`, or at most `up_to`: (dice, faces).
    """

    low: int
    high: int
    one_of: tuple[tuple[int, int], ...] = ()
    up_to: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Fraction:
    """Exact fractions from `low` to `high`, both included."""

    low: Exact
    high: Exact


@dataclass(frozen=True, slots=True)
class Text:
    """A label."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the sides of an encounter."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of what could not be typed. It fits everywhere, so that one cause gives one message."""


Type: TypeAlias = Integer | Boolean | Choice | Set | HitDice | Dice | Fraction | Text | Side | Unknown
Ordinal: TypeAlias = Integer | Boolean | Choice | HitDice


def hit_dice_code(half: bool, dice: int, pips: int) -> int:
    """The dense, ordered code of hit dice: 1/2 when `half`, else `dice` with `pips`."""
    step = 1 if half else 0 if dice == 0 else dice + 1
    return step * (2 * PIPS + 1) + pips + PIPS


def hit_dice_text(code: int) -> str:
    """Hit dice as people write them: `1/2`, `1-1`, `4+3`."""
    step, pips = code // (2 * PIPS + 1), code % (2 * PIPS + 1) - PIPS
    dice = "0" if step == 0 else "1/2" if step == 1 else str(step - 1)
    return f"{dice}{pips:+d}" if pips else dice


def span_of_codes(kind: Type) -> tuple[int, int] | None:
    """The lowest and highest code of a type whose values are ordered integers, or None for the others."""
    match kind:
        case Integer(low, high) | HitDice(low, high) | Choice(_, low, high):
            return low, high
        case Boolean(only):
            return (0, 1) if only is None else (int(only), int(only))
    return None


def narrowed(kind: Type, low: int, high: int) -> Type:
    """The same type with its codes cut to `low`..`high`; the type itself where nothing would be left."""
    span = span_of_codes(kind)
    if span is None:
        return kind
    low, high = max(low, span[0]), min(high, span[1])
    if low > high:
        return kind
    match kind:
        case Integer():
            return Integer(low, high)
        case HitDice():
            return HitDice(low, high)
        case Choice(id):
            return Choice(id, low, high)
        case Boolean():
            return Boolean(None if low != high else bool(low))
    return kind


def name(kind: Type) -> str:
    """What the type is called in a message."""
    match kind:
        case Integer():
            return "a whole number"
        case Boolean():
            return "true or false"
        case Choice(id):
            check, _, part = id.partition(".")
            return {"outcome": f"an outcome of `{check}`", "step": f"a step of `{check}`"}.get(
                part, f"a word of `{id}`"
            )
        case Set(id):
            return f"a set of `{id}`"
        case HitDice():
            return "hit dice"
        case Dice():
            return "dice"
        case Fraction():
            return "a fraction"
        case Text():
            return "a text"
        case Side():
            return "a side"
    return "something"


def is_number(kind: Type) -> bool:
    """Whether arithmetic works on it."""
    return isinstance(kind, Integer | Fraction | Unknown)


def bounds(kind: Type) -> tuple[Exact, Exact]:
    """The interval of a number as exact fractions."""
    match kind:
        case Integer(low, high) | Fraction(low, high):
            return Exact(low), Exact(high)
    return Exact(-LARGEST), Exact(LARGEST)
