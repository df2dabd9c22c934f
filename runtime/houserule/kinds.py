"""The kind of every expression: that arithmetic meets numbers, conditions meet truth, and dice are only rolled.

This is what makes evaluation safe from an artifact that was tampered with; intervals are the compiler's work.
"""

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
from .item import refuse
from .nesting import found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass
    from typing import Literal, TypeAlias

    from .expression import Expr, Read
    from .program import Program, Type

    Kind: TypeAlias = Literal["whole", "fraction", "boolean", "dice", "text"]
else:
    from .records import dataclass

_KINDS: dict[str, Kind] = {"boolean": "boolean", "dice": "dice", "text": "text", "fraction": "fraction"}
_NAMES = {
    "whole": "a whole number",
    "fraction": "a fraction",
    "boolean": "true or false",
    "dice": "dice",
    "text": "a text",
}
_NUMBERS = ("whole", "fraction")
_TO_WHOLE = ("floor", "ceil", "nearest", "toward_zero")
_ARITHMETIC = ("+", "-", "*", "neg", "abs", "min", "max")
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")
_WHOLE_PARTS = ("mod", "count", "pips")


def kind_of_type(kind: Type) -> Kind:
    """The kind of a type: integers, words, sets and hit dice are all held as whole numbers."""
    return _KINDS.get(kind.kind, "whole")


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may read: its own entity's fields, the keys of a table, the locals of a check.

    `check` is the check whose numbers may be read; `rolls` is true in a die, where dice are allowed. In a sequence
    `players` are the entities of those who take part, and `side` that of a side; None outside sequences.
    """

    program: Program
    at: str
    entity: str = ""
    keys: tuple[Type, ...] = ()
    locals: Mapping[str, Kind] | None = None
    check: str = ""
    rolls: bool = False
    players: Mapping[str, str] | None = None
    side: str = ""


def kind(expr: Expr, scope: Scope) -> Kind:
    """The kind of an expression; an expression that is wrongly put together is refused."""
    if isinstance(expr, bool):
        return "boolean"
    if isinstance(expr, int):
        return "whole"
    if isinstance(expr, Operation):
        return _operation(expr, scope)
    if isinstance(expr, Declares | OverSides):
        return _in_sequence(expr, scope)
    match expr:
        case Constant():
            return "fraction"
        case Within(item, _):
            _one_of(kind(item, scope), ("whole", "fraction", "boolean"), "in", scope)
            return "boolean"
        case Has(words, _):
            _one_of(kind(words, scope), ("whole",), "has", scope)
            return "boolean"
        case Known(read):
            known_type(read, scope)
            return "boolean"
        case DiceTerm():
            return "dice" if scope.rolls else refuse(scope.at, "dice stand only in a roll")
    return _read(expr, scope)


def require(expr: Expr | None, scope: Scope, *allowed: Kind) -> None:
    """Refuse an expression that is not of one of the kinds."""
    if expr is not None:
        found_kind = kind(expr, scope)
        if found_kind not in allowed:
            refuse(scope.at, f"expected {_named(allowed)}, found {_NAMES[found_kind]}")


def assignable(kind: Kind) -> tuple[Kind, ...]:
    """The kinds that a place of this kind takes: a fraction takes whole numbers too."""
    return ("fraction", "whole") if kind == "fraction" else (kind,)


def entity_of(chair: str, scope: Scope) -> str:
    """The entity of who sits in a chair: of somebody who takes part in a sequence, or of a role."""
    if scope.players and chair in scope.players:
        return scope.players[chair]
    return found(scope.program.roles, chair, "role", scope.at).entity


def known_type(read: Read, scope: Scope) -> Kind:
    """The kind of what a `READ` names; it must exist."""
    if read[0] == "field":
        return _field(scope, entity_of(read[1], scope), read[2])
    if read[0] == "its":
        return _field(scope, scope.entity, read[1])
    if read[0] == "fact":
        return kind_of_type(found(scope.program.facts, read[1], "fact", scope.at).type)
    return _local(read[1], scope)


def _read(expr: Expr, scope: Scope) -> Kind:
    program = scope.program
    if scope.keys and not isinstance(expr, Key | OptionRead | Lookup | Attribute):
        refuse(scope.at, "a cell reads nothing but its keys, options, tables and attributes")
    match expr:
        case FieldRead(role, field):
            return _field(scope, entity_of(role, scope), field)
        case ItsRead(field):
            return _field(scope, scope.entity, field)
        case FactRead(id):
            return kind_of_type(found(program.facts, id, "fact", scope.at).type)
        case OptionRead(id):
            return kind_of_type(found(program.options, id, "option", scope.at).type)
        case ConditionRead(id):
            found(program.conditions, id, "condition", scope.at)
            return "boolean"
        case Local(path):
            return _local(path, scope)
        case Key(position):
            if not 0 <= position < len(scope.keys):
                refuse(scope.at, f"no key {position}")
            return kind_of_type(scope.keys[position])
    return _compound(expr, scope)


def _compound(expr: Expr, scope: Scope) -> Kind:
    program = scope.program
    match expr:
        case NumberRead(id, roles):
            number = found(program.numbers, id, "number", scope.at)
            if number.within not in ("", scope.check):
                refuse(scope.at, f"number `{id}` belongs to the check `{number.within}`")
            seated(roles, scope)
            return kind_of_type(number.type)
        case Lookup(id, column, keys):
            table = found(program.tables, id, "table", scope.at)
            if len(keys) != len(table.keys):
                refuse(scope.at, f"table `{id}` has {len(table.keys)} keys")
            for key in keys:
                _one_of(kind(key, scope), ("whole", "boolean"), "key", scope)
            position = found(table.positions, column, f"column of `{id}`", scope.at)
            return kind_of_type(table.columns[position].type)
        case Attribute(id, attribute, word):
            _one_of(kind(word, scope), ("whole",), "attribute", scope)
            return kind_of_type(
                found(found(program.choices, id, "choice", scope.at).attributes, attribute, "attribute", id)[0]
            )
    refuse(scope.at, "expected an expression")


def seated(seats: tuple[tuple[str, str], ...], scope: Scope) -> None:
    """Refuse chairs that do not exist, or that another kind of thing is to sit in."""
    roles = scope.program.roles
    for chair, player in seats:
        if found(roles, chair, "role", scope.at).entity != entity_of(player, scope):
            refuse(scope.at, f"`{player}` cannot sit in the chair of `{chair}`")


def _field(scope: Scope, owner: str, field: str) -> Kind:
    entity = found(scope.program.entities, owner, "entity", scope.at)
    return kind_of_type(found(entity.fields, field, f"field of `{owner}`", scope.at).type)


def _local(path: str, scope: Scope) -> Kind:
    if scope.locals is None:
        refuse(scope.at, "only a check and its numbers read dice and values")
    return found(scope.locals, path, "die, value or outcome", scope.at)


def _operation(expr: Operation, scope: Scope) -> Kind:
    operator, kinds = expr.operator, [kind(each, scope) for each in expr.operands]
    if operator in ("and", "or", "not"):
        return _all(kinds, ("boolean",), operator, "boolean", scope)
    if operator == "if":
        _one_of(kinds[0], ("boolean",), operator, scope)
        return _joined(kinds[1:], operator, scope)
    if operator in _COMPARED:
        if kinds != ["boolean", "boolean"]:
            _all(kinds, _NUMBERS, operator, "boolean", scope)
        return "boolean"
    if operator in ("highest", "lowest"):
        return _all(kinds, ("dice",), operator, "whole", scope)
    if operator in _WHOLE_PARTS or operator == "dice_part":
        allowed = _NUMBERS if operator == "mod" else ("whole",)
        return _all(
            kinds, allowed, operator, "fraction" if operator == "dice_part" or "fraction" in kinds else "whole", scope
        )
    if operator == "+" and "dice" in kinds and scope.rolls:
        return _all(kinds, ("dice", "whole"), operator, "dice", scope)
    _all(kinds, _NUMBERS, operator, "fraction", scope)
    if operator in _ARITHMETIC:
        return _joined(kinds, operator, scope)
    return "whole" if operator in _TO_WHOLE else "fraction"


def _in_sequence(expr: Declares | OverSides, scope: Scope) -> Kind:
    if scope.players is None:
        refuse(scope.at, "only a sequence asks what is declared, or goes over sides")
    if isinstance(expr, Declares):
        return "boolean"
    from .records import changed

    inside = {**scope.players, "side": scope.side} if scope.side else scope.players
    require(expr.condition, changed(scope, players=inside), "boolean")
    return "whole" if expr.operator == "count_of" else "boolean"


def _joined(kinds: list[Kind], operator: str, scope: Scope) -> Kind:
    """The kind of either of some values."""
    several = set(kinds)
    if len(several) == 1:
        return kinds[0]
    if several == {"whole", "fraction"}:
        return "fraction"
    if several == {"whole", "dice"} and scope.rolls:
        return "dice"
    refuse(scope.at, f"`{operator}` joins values of different kinds")


def _all(kinds: list[Kind], allowed: tuple[str, ...], operator: str, result: Kind, scope: Scope) -> Kind:
    for each in kinds:
        _one_of(each, allowed, operator, scope)
    return result


def _one_of(found_kind: Kind, allowed: tuple[str, ...], what: str, scope: Scope) -> None:
    if found_kind not in allowed:
        refuse(scope.at, f"`{what}` takes {_named(allowed)}, not {_NAMES[found_kind]}")


def _named(kinds: tuple[str, ...]) -> str:
    return " or ".join(_NAMES[each] for each in kinds)
