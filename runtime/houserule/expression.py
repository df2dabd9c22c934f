"""Expressions of a verified program. Integers and booleans are themselves, the rest are the small classes below."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from fractions import Fraction
    from typing import TypeAlias

    Binding: TypeAlias = tuple[tuple[str, str], ...]
    """Who sits in which chair: pairs of chair and player, sorted by chair."""
    Read: TypeAlias = tuple[str, ...]
    """Something that is read: `("field", role, field)`, `("its", field)`, `("fact", id)`, `("local", path)`."""
    Bound: TypeAlias = int | None
    Band: TypeAlias = tuple[Bound, Bound]
    Expr: TypeAlias = (
        "int | Constant | FieldRead | ItsRead | FactRead | OptionRead | ConditionRead | NumberRead | Local | Key | "
        "Lookup | Attribute | Operation | Within | Has | Known | DiceTerm | Declares | OverSides"
    )
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """An exact fraction."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class FieldRead:
    """A field of who sits in the chair `role`."""

    role: str
    field: str


@dataclass(frozen=True, slots=True)
class ItsRead:
    """A field of the entity that a computed field belongs to."""

    field: str


@dataclass(frozen=True, slots=True)
class FactRead:
    """A loose fact."""

    id: str


@dataclass(frozen=True, slots=True)
class OptionRead:
    """An option of the ruleset."""

    id: str


@dataclass(frozen=True, slots=True)
class ConditionRead:
    """A named condition."""

    id: str


@dataclass(frozen=True, slots=True)
class NumberRead:
    """A number, read with some chairs taken by others: pairs of chair and who sits in it."""

    id: str
    roles: Binding


@dataclass(frozen=True, slots=True)
class Local:
    """A die, a value, or the outcome of a step of the check under way."""

    path: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the table, in one of its cells."""

    position: int


@dataclass(frozen=True, slots=True)
class Lookup:
    """A cell of a table."""

    table: str
    column: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a word of a choice."""

    choice: str
    attribute: str
    word: Expr


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator on values: arithmetic, rounding, comparison, logic, `if`, parts of hit dice, ends of dice."""

    operator: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """Whether a value lies in one of some closed bands."""

    item: Expr
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Has:
    """Whether a word is in a set."""

    words: Expr
    word: int


@dataclass(frozen=True, slots=True)
class Known:
    """Whether something that may be unknown is known."""

    read: Read


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """Dice to be rolled: `keep` is empty, `highest` or `lowest`, with `kept` of them counted."""

    count: int
    faces: int
    keep: str
    kept: int


@dataclass(frozen=True, slots=True)
class Declares:
    """Whether the actor, or its foe, declares an action. Only in sequences."""

    chair: str
    action: str


@dataclass(frozen=True, slots=True)
class OverSides:
    """`any`, `all` or `count_of`: of how many sides, each in the chair `side` in turn, a condition holds."""

    operator: str
    condition: Expr


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression."""
    match expr:
        case Operation(_, operands) | Lookup(_, _, operands):
            return operands
        case Within(item, _) | Has(item, _) | Attribute(_, _, item) | OverSides(_, item):
            return (item,)
    return ()
