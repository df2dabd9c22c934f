"""Expressions, types and values of an artifact: from JSON to `program`. Only their form is tested here."""

from __future__ import annotations

from .expression import (
    Attribute,
    ConditionRead,
    Constant,
    Declares,
    DiceTerm,
    FactRead,
    FieldRead,
    Has,
    ItsRead,
    Key,
    Known,
    Local,
    Lookup,
    NumberRead,
    Operation,
    OptionRead,
    OverSides,
    Within,
)
from .item import Item, bound, identifier, integer, items, refuse, text
from .limits import DICE, LARGEST, WORDS_OF_SET
from .program import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import TypeAlias

    from .expression import Band, Binding, Expr, Read
    from .program import Stored

    Rest: TypeAlias = list[object]

ARITY: dict[str, tuple[int, int]] = {
    "+": (2, 1000),
    "*": (2, 1000),
    "-": (2, 2),
    "neg": (1, 1),
    "/": (2, 2),
    "floor": (1, 1),
    "ceil": (1, 1),
    "nearest": (1, 1),
    "toward_zero": (1, 1),
    "abs": (1, 1),
    "mod": (2, 2),
    "min": (1, 1000),
    "max": (1, 1000),
    "==": (2, 2),
    "!=": (2, 2),
    "<": (2, 2),
    "<=": (2, 2),
    ">": (2, 2),
    ">=": (2, 2),
    "count": (1, 1),
    "and": (1, 1000),
    "or": (1, 1000),
    "not": (1, 1),
    "if": (3, 3),
    "dice_part": (1, 1),
    "pips": (1, 1),
    "highest": (1, 1),
    "lowest": (1, 1),
}
"""The plain operators, each with the least and the greatest number of operands."""


def expression(node: object, at: str) -> Expr:
    """An `EXPR`: an integer or boolean, or a list whose first member is an operator."""
    if isinstance(node, bool):
        return node
    if isinstance(node, int):
        return integer(node, at)
    if not isinstance(node, list) or not node or not isinstance(node[0], str):
        refuse(at, "expected an expression")
    operator, rest = node[0], node[1:]
    arity = ARITY.get(operator)
    if arity is None:
        return _special(operator, rest, at)
    if not arity[0] <= len(rest) <= arity[1]:
        refuse(at, f"`{operator}` has {len(rest)} operands")
    operands = tuple([expression(each, at) for each in rest])
    if operator == "mod" and (type(operands[1]) is not int or operands[1] <= 0):
        refuse(at, "`mod` is by a positive integer")
    return Operation(operator, operands)


def _special(operator: str, rest: Rest, at: str) -> Expr:
    form = _FORMS.get(operator)
    if form is None:
        refuse(at, f"unknown operator `{operator[:40]}`")
    lengths, read = form
    if len(rest) not in lengths:
        refuse(at, f"`{operator}` has {len(rest)} operands")
    return read(rest, at)


def _names(count: int, make: Callable[..., Expr]) -> tuple[tuple[int, ...], Callable[[Rest, str], Expr]]:
    return (count,), lambda rest, at: make(*(identifier(each, at) for each in rest))


def _frac(rest: Rest, at: str) -> Expr:
    return Constant(fraction(["frac", *rest], at))


def _number(rest: Rest, at: str) -> Expr:
    return NumberRead(identifier(rest[0], at), seats(rest[1], at) if len(rest) == 2 else ())


def _lookup(rest: Rest, at: str) -> Expr:
    keys = tuple([expression(each, at) for each in items(rest[2], at)])
    return Lookup(identifier(rest[0], at), identifier(rest[1], at), keys)


def _attribute(rest: Rest, at: str) -> Expr:
    return Attribute(identifier(rest[0], at), identifier(rest[1], at), expression(rest[2], at))


def _within(rest: Rest, at: str) -> Expr:
    return Within(expression(rest[0], at), tuple([band(each, at) for each in items(rest[1], at)]))


def _has(rest: Rest, at: str) -> Expr:
    word = integer(rest[1], at)
    if not 0 <= word < WORDS_OF_SET:
        refuse(at, f"no set has a word {word}")
    return Has(expression(rest[0], at), word)


def _declares(rest: Rest, at: str) -> Expr:
    chair = text(rest[0], at)
    if chair not in ("actor", "foe"):
        refuse(at, "only an actor or its foe declares an action")
    return Declares(chair, identifier(rest[1], at))


def _over_sides(operator: str) -> tuple[tuple[int, ...], Callable[[Rest, str], Expr]]:
    return (1,), lambda rest, at: OverSides(operator, expression(rest[0], at))


def _dice(rest: Rest, at: str) -> Expr:
    count, faces = integer(rest[0], at), integer(rest[1], at)
    if not (1 <= count <= DICE and 1 <= faces <= DICE):
        refuse(at, f"dice are 1 to {DICE} dice of 1 to {DICE} faces")
    if len(rest) == 2:
        return DiceTerm(count, faces, "", count)
    keep, kept = text(rest[2], at), integer(rest[3], at)
    if keep not in ("highest", "lowest") or not 1 <= kept <= count:
        refuse(at, "dice keep the highest or lowest of them")
    return DiceTerm(count, faces, keep, kept)


_FORMS: dict[str, tuple[tuple[int, ...], Callable[[Rest, str], Expr]]] = {
    "frac": ((2,), _frac),
    "field": _names(2, FieldRead),
    "its": _names(1, ItsRead),
    "fact": _names(1, FactRead),
    "option": _names(1, OptionRead),
    "condition": _names(1, ConditionRead),
    "number": ((1, 2), _number),
    "local": _names(1, Local),
    "key": ((1,), lambda rest, at: Key(integer(rest[0], at))),
    "table": ((3,), _lookup),
    "attribute": ((3,), _attribute),
    "in": ((2,), _within),
    "has": ((2,), _has),
    "known": ((1,), lambda rest, at: Known(read(rest[0], at))),
    "dice": ((2, 4), _dice),
    "declares": ((2,), _declares),
    "any": _over_sides("any"),
    "all": _over_sides("all"),
    "count_of": _over_sides("count_of"),
}


def read(node: object, at: str) -> Read:
    """A `READ`: what is read from outside, as the operator that reads it."""
    found = tuple([text(each, at) for each in items(node, at)])
    if len(found) != {"field": 3, "its": 2, "fact": 2, "local": 2}.get(found[0] if found else ""):
        refuse(at, "expected a read of a field, a fact or a local")
    return found


def band(node: object, at: str) -> Band:
    """A closed band of codes, None where it is open."""
    ends = items(node, at)
    if len(ends) != 2:
        refuse(at, "expected a band of two ends")
    low, high = bound(ends[0], at), bound(ends[1], at)
    if low is not None and high is not None and low > high:
        refuse(at, "a band's low end is above its high end")
    return low, high


def seats(node: object, at: str) -> Binding:
    """Who sits in which chair: pairs of chair and player, by chair."""
    if not isinstance(node, dict):
        refuse(at, "expected an object of roles")
    return tuple(sorted((identifier(chair, at), identifier(player, at)) for chair, player in node.items()))


def fraction(node: object, at: str) -> Fraction:
    """`["frac", n, d]` in lowest terms."""
    from fractions import Fraction

    found = items(node, at)
    if len(found) != 3 or found[0] != "frac":
        refuse(at, "expected a fraction")
    above, below = integer(found[1], at), integer(found[2], at)
    if below <= 0 or Fraction(above, below).denominator != below:
        refuse(at, "expected a fraction in lowest terms, with a positive denominator")
    return Fraction(above, below)


def type_of(node: object, at: str) -> Type:
    """A `TYPE` object."""
    item = Item(node, at)
    kind = item.word("type", "integer", "boolean", "choice", "set", "hit_dice", "dice", "fraction", "text")
    found = _TYPES[kind](item)
    item.close()
    return found


def _ranged(kind: str, item: Item) -> Type:
    low, high = item.integer("low"), item.integer("high")
    if low > high:
        refuse(item.at, "`low` is above `high`")
    return Type(kind, low, high)  # type: ignore[arg-type]


def _fraction_type(item: Item) -> Type:
    low, high = fraction(item.take("low"), item.at), fraction(item.take("high"), item.at)
    if low > high:
        refuse(item.at, "`low` is above `high`")
    return Type("fraction", low, high)


def _choice_type(item: Item) -> Type:
    choice = identifier(item.take("choice"), item.at)
    low = item.integer("low") if item.has("low") else None
    high = item.integer("high") if item.has("high") else None
    return Type("choice", low, high, choice)


def _dice_type(item: Item) -> Type:
    if item.has("one_of"):
        return Type("dice", one_of=item.each("one_of", dice_code))
    return Type("dice", up_to=dice_code(item.take("up_to"), item.at))


_TYPES: dict[str, Callable[[Item], Type]] = {
    "integer": lambda item: _ranged("integer", item),
    "hit_dice": lambda item: _ranged("hit_dice", item),
    "boolean": lambda item: Type("boolean"),
    "text": lambda item: Type("text"),
    "choice": _choice_type,
    "set": lambda item: Type("set", choice=identifier(item.take("choice"), item.at)),
    "dice": _dice_type,
    "fraction": _fraction_type,
}


def dice_code(node: object, at: str) -> int:
    """Dice as `count * 1024 + faces`."""
    code = integer(node, at)
    if not (1 <= code // 1024 <= DICE and 1 <= code % 1024 <= DICE):
        refuse(at, f"dice are 1 to {DICE} dice of 1 to {DICE} faces")
    return code


def stored(node: object, kind: Type, words: int, at: str) -> Stored:
    """A value of the given type, tested against it; `words` is how many words its choice has."""
    if kind.kind == "boolean":
        if not isinstance(node, bool):
            refuse(at, "expected true or false")
        return node
    if kind.kind == "text":
        return text(node, at)
    if kind.kind == "fraction":
        value = fraction(node, at)
        return value if _lies(value, kind.low, kind.high) else refuse(at, "a value is out of range")
    code = dice_code(node, at) if kind.kind == "dice" else integer(node, at)
    if not is_code(code, kind, words):
        refuse(at, "a value is out of range")
    return code


def _lies(value: int | Fraction, low: int | Fraction | None, high: int | Fraction | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def is_code(code: int, kind: Type, words: int) -> bool:
    """Whether an integer is a code of this type."""
    if kind.kind == "choice":
        return 0 <= code < words and _lies(code, kind.low, kind.high)
    if kind.kind == "set":
        return 0 <= code < 1 << words
    if kind.kind == "dice":
        count, faces = code // 1024, code % 1024
        return code in kind.one_of if kind.one_of else count <= kind.up_to // 1024 and faces <= kind.up_to % 1024
    return _lies(code, kind.low, kind.high) and abs(code) <= LARGEST
