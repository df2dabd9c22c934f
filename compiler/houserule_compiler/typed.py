"""Typed rules: what `typecheck` makes of declarations, with expressions in the operators of the artifact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from . import declarations
from .source import Span
from .types import LARGEST, Type, span_of_codes

Read: TypeAlias = tuple[str, ...]
"""Something read from outside: `("field", role, field)`, `("fact", id)`, `("local", path)`."""

Operand: TypeAlias = "Typed | str | int | bool | dict[str, str] | list[Operand] | None"


@dataclass(frozen=True, eq=False, slots=True)
class Typed:
    """One typed expression.

    `operator` and `operands` are as in docs/artifact.md, with typed expressions for EXPR; a literal integer, code or
    boolean has the operator `literal` and one operand. `needs` are the reads that may be unknown and that nothing
    guards: if one of them is unknown, so is this.
    """

    operator: str
    operands: tuple[Operand, ...]
    type: Type
    span: Span
    needs: frozenset[Read] = frozenset()

    @property
    def parts(self) -> Iterator[Typed]:
        """The typed expressions directly inside this one."""
        yield from _typed(self.operands)

    def walk(self) -> Iterator[Typed]:
        """This expression and all inside it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def literal(self) -> int | bool | None:
        """The value of a literal, or None."""
        value = self.operands[0] if self.operator == "literal" else None
        return value if isinstance(value, int) else None

    @property
    def read(self) -> Read | None:
        """What this reads from outside, if it is itself a read of a field, fact, option, number or local."""
        if self.operator not in {"field", "fact", "option", "local", "number", "its", "key"}:
            return None
        return (self.operator, *(str(each) for each in self.operands))


def _typed(operands: tuple[Operand, ...] | list[Operand]) -> Iterator[Typed]:
    for each in operands:
        if isinstance(each, Typed):
            yield each
        elif isinstance(each, list):
            yield from _typed(each)


Band: TypeAlias = tuple[int, int]
"""A closed interval of codes."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedWord:
    """A word with its attribute values, in the order of the choice's attributes."""

    declared: declarations.Word
    values: tuple[Typed, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedChoice:
    """A choice; `attributes` are the types of its words' attributes."""

    declared: declarations.Choice
    words: tuple[TypedWord, ...]
    attributes: tuple[tuple[str, Type], ...]
    is_ordered: bool


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedField:
    """A field, fact or option: its type, the default where it has one, the expression where it is computed."""

    declared: declarations.Field
    type: Type
    default: Typed | None
    computed: Typed | None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedCondition:
    """A named condition or an impossible situation."""

    declared: declarations.NamedCondition
    when: Typed


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedRow:
    """One row: for each key the bands that it covers, or None where it takes what no sibling covers."""

    declared: declarations.Row
    bands: tuple[tuple[Band, ...] | None, ...]
    cells: tuple[Typed | None, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedTable:
    """A table: the type of each key (its interval is the reachable range) and column, and the rows."""

    declared: declarations.Table
    keys: tuple[Type, ...]
    columns: tuple[Type, ...]
    rows: tuple[TypedRow, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedGrade:
    """One grade of a graded adjustment: a band of codes and the amount."""

    band: Band
    value: Typed
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedEntry:
    """What one modifier does to one number; `op` and the rest as in docs/artifact.md."""

    modifier: declarations.Modifier
    adjust: declarations.Adjust
    op: str
    value: Typed | None
    grades: tuple[TypedGrade, ...]
    by: Typed | None
    is_each: bool
    when: Typed | None
    times: Typed | None
    round: str
    needs: frozenset[Read]

    @property
    def reached(self) -> list[TypedGrade]:
        """The grades as the artifact has them: ascending, without those that hold for no value there can be."""
        span = span_of_codes(self.by.type) if self.by is not None else None
        low, high = span or (-LARGEST, LARGEST)
        grades = [each for each in self.grades if each.band[0] <= high and low <= each.band[1]]
        return sorted(grades, key=lambda each: each.band)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedNumber:
    """A number: the type of its final value, its base, and all that modifiers do to it."""

    declared: declarations.Number
    type: Type
    base: Typed
    entries: tuple[TypedEntry, ...]
    needs: frozenset[Read]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedDie:
    """One die of a roll; the type of `dice` bounds its total."""

    declared: declarations.Die
    dice: Typed
    when: Typed | None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedValue:
    """One named value."""

    declared: declarations.Value
    value: Typed


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedEffect:
    """One reported change of a field."""

    declared: declarations.Effect
    op: str
    value: Typed
    when: Typed | None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedEventEffect:
    """An event that is reported; an argument is a value, or a role."""

    declared: declarations.EventEffect
    arguments: tuple[tuple[str, Typed | str], ...]
    when: Typed | None


AnyEffect: TypeAlias = TypedEffect | TypedEventEffect


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedCase:
    """One case; in `then` it may have neither `outcome` nor `go`."""

    declared: declarations.Case
    when: Typed | None
    roll: tuple[TypedDie, ...]
    give: tuple[TypedValue, ...]
    effects: tuple[AnyEffect, ...]
    outcome: Typed | None
    go: str


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedCallAdjust:
    """One adjustment that holds for all that a call evaluates."""

    number: str
    op: str
    value: Typed
    round: str


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedCall:
    """The call of another check."""

    declared: declarations.Call
    adjusts: tuple[TypedCallAdjust, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedStep:
    """One step of a check."""

    declared: declarations.Step
    roll: tuple[TypedDie, ...]
    call: TypedCall | None
    values: tuple[TypedValue, ...]
    effects: tuple[AnyEffect, ...]
    cases: tuple[TypedCase, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedCheck:
    """A check; steps are listed so that each comes after those that lead to it."""

    declared: declarations.Check
    outcomes: tuple[str, ...]
    start: str
    steps: tuple[TypedStep, ...]
    then: tuple[TypedStep, ...]


def expressions_of_effect(effect: AnyEffect) -> Iterator[Typed]:
    """All expressions of an effect."""
    given = [effect.value] if isinstance(effect, TypedEffect) else [each for _, each in effect.arguments]
    yield from (each for each in (*given, effect.when) if isinstance(each, Typed))
