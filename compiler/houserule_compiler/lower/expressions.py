"""Typed expressions, types and reads as the JSON of docs/artifact.md."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction as Exact
from typing import TypeAlias

from ..typed import Operand, Read, Typed
from ..types import Boolean, Choice, Dice, Fraction, HitDice, Integer, Set, Text, Type

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"


def expression(item: Typed) -> Json:
    """The EXPR of a typed expression."""
    if item.operator in ("literal", "text"):
        return _operand(item.operands[0])
    return [item.operator, *(_operand(each) for each in item.operands)]


def optional(item: Typed | None) -> Json:
    """The EXPR of an expression that may be absent; absent stays None, to be left out."""
    return expression(item) if item is not None else None


def _operand(operand: Operand) -> Json:
    if isinstance(operand, Typed):
        return expression(operand)
    if isinstance(operand, list):
        return [_operand(each) for each in operand]
    if isinstance(operand, dict):
        return dict(operand)
    return operand


def kind(declared: Type) -> Json:
    """The TYPE object."""
    match declared:
        case Integer(low, high):
            return {"type": "integer", "low": low, "high": high}
        case Boolean():
            return {"type": "boolean"}
        case Choice(id):
            return {"type": "choice", "choice": id}
        case Set(id):
            return {"type": "set", "choice": id}
        case HitDice(low, high):
            return {"type": "hit_dice", "low": low, "high": high}
        case Dice(one_of=one_of) if one_of:
            codes: list[Json] = [*sorted(_dice(each) for each in one_of)]
            return {"type": "dice", "one_of": codes}
        case Dice(up_to=up_to) if up_to:
            return {"type": "dice", "up_to": _dice(up_to)}
        case Fraction(low, high):
            return {"type": "fraction", "low": fraction(low), "high": fraction(high)}
        case Text():
            return {"type": "text"}
    raise AssertionError(declared)


def _dice(stated: tuple[int, int]) -> int:
    return stated[0] * 1024 + stated[1]


def fraction(value: Exact) -> Json:
    """A fraction as a value."""
    return ["frac", value.numerator, value.denominator]


def reads(found: Iterable[Read]) -> Json:
    """A list of READs."""
    return [list(each) for each in sorted(found)]


def present(**members: Json) -> dict[str, Json]:
    """A JSON object without the members that are None, empty text, or empty lists."""
    return {key: value for key, value in members.items() if value not in (None, "", [])}
