"""What the YAML declares: one class for each kind of definition, whole, with places; names are not yet resolved.

Every `place` is the span of the id where it is defined. Maps are tuples in file order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from .document import Node
from .source import Span
from .syntax import Adjustment, Alternative, Expression, TypeExpression


@dataclass(frozen=True, eq=False, slots=True)
class Reference:
    """A name that must be the id of something, and where it stands."""

    id: str
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Citation:
    """The document of the sources, and the item in it, that a definition stands on."""

    document: str
    item: str
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Definition:
    """What every definition has: its id and the place of it, its labels, and what it stands on in the sources."""

    id: str
    place: Span
    title: str = ""
    note: str = ""
    source: Citation | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Part(Definition):
    """One named part of a condition."""

    when: Expression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Condition:
    """One expression, or several named ones of which `all` or `any` must hold. A plain one is a single part.

    `text` is what the author wrote, for explanations.
    """

    combine: Literal["all", "any"]
    parts: tuple[Part, ...]
    span: Span
    text: str


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Attribute(Definition):
    """A typed attribute of the words of a choice."""

    type: TypeExpression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Word(Definition):
    """A word of a choice, with the attributes that it gives."""

    values: tuple[tuple[Reference, Expression], ...] = ()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Choice(Definition):
    """A closed, ordered list of words."""

    words: tuple[Word, ...]
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Field(Definition):
    """A field of an entity, a loose fact, or an option: its type, or the expression that computes it."""

    type: TypeExpression | None
    default: Expression | None = None
    may_be_unknown: bool = False
    better: Literal["higher", "lower"] | None = None
    decides: Reference | None = None
    computed: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Entity(Definition):
    """A kind of thing that facts are about."""

    fields: tuple[Field, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Role(Definition):
    """A part that an entity plays."""

    entity: Reference


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class NamedCondition(Definition):
    """A condition used by its name, or a situation that cannot be."""

    when: Condition


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Key(Definition):
    """A key of a table."""

    type: TypeExpression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Column(Definition):
    """What a table gives; the single thing that it gives has the id `value`."""

    type: TypeExpression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Cell:
    """One cell: an expression, or an adjustment where the column holds those; in a column of texts its text alone."""

    value: Expression | Adjustment
    span: Span
    text: str = ""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Position:
    """The key's value at `index`, counted from its first: the place of a cell in a list."""

    index: int
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Row:
    """Cells for one combination of keys. A key that is None takes all values that no sibling row names."""

    keys: tuple[Alternative | Position | None, ...]
    cells: tuple[Cell | None, ...]
    span: Span
    whole: tuple[bool, ...] = ()
    """For each key, whether the row was written above that level and so holds for all of it, rather than as
    `otherwise`."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Table(Definition):
    """A table: keys, columns, and rows."""

    keys: tuple[Key, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Rebind:
    """`role: player`: who plays `player` also plays `role`."""

    role: Reference
    player: Reference


Operation: TypeAlias = Literal[
    "add", "better", "worse", "set", "multiply", "at_least", "at_most", "no_better_than", "no_worse_than"
]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Change:
    """One adjustment. `is_signed` says whether an `add` was written with its sign."""

    operation: Operation
    value: Expression
    span: Span
    is_signed: bool = False
    round: Literal["up", "down", "nearest"] | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Grade:
    """One row of a graded adjustment."""

    key: Alternative
    change: Change


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Adjust:
    """What a modifier, a trigger or a call does to one number: a change, or one for each grade."""

    number: Reference
    change: Change | None
    grades: tuple[Grade, ...] = ()
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Number(Definition):
    """A quantity of the rules."""

    base: Expression
    better: Literal["higher", "lower"] | None = None
    better_span: Span | None = None
    of: Reference | None = None
    within: Reference | None = None
    rebinds: tuple[Rebind, ...] = ()
    gives: Literal["integer", "fraction"] = "integer"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Modifier(Definition):
    """A conditional adjustment of numbers."""

    adjusts: tuple[Adjust, ...]
    when: Condition | None = None
    times: Expression | None = None
    by: Expression | None = None
    stack: Reference | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class StackingGroup(Definition):
    """How modifiers of one group compete."""

    policies: tuple[tuple[str, Reference], ...]
    """Pairs of `bonuses`, `penalties`, `all` or `multiply`, and the policy."""
    tie: Reference | None = None
    order: tuple[Reference, ...] = ()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Die(Definition):
    """One named roll."""

    dice: Expression
    when: Condition | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Value(Definition):
    """A named value of a step, or one that a case gives."""

    value: Expression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Effect(Definition):
    """A change of a field of a role, reported and never performed. The id is `role.field`."""

    role: Reference
    field: Reference
    change: Change
    when: Condition | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Case(Definition):
    """One of a step's ordered cases; the id is empty where a step has a plain `outcome` or `go`."""

    when: Condition | None = None
    roll: tuple[Die, ...] = ()
    give: tuple[Value, ...] = ()
    effects: tuple[Effect | EventEffect, ...] = ()
    outcome: Expression | None = None
    go: Reference | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Call:
    """A step's call of another check."""

    check: Reference
    rebinds: tuple[Rebind, ...] = ()
    adjusts: tuple[Adjust, ...] = ()
    runs_then: bool = False


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class EventEffect(Definition):
    """An event that is reported to follow, with its arguments. The id is the event's."""

    arguments: tuple[tuple[Reference, Expression], ...]
    when: Condition | None = None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Step(Definition):
    """A step of a check; a check without steps is one step with an empty id."""

    roll: tuple[Die, ...] = ()
    call: Call | None = None
    values: tuple[Value, ...] = ()
    effects: tuple[Effect | EventEffect, ...] = ()
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Check(Definition):
    """A roll of the game, with its outcomes."""

    outcomes: tuple[Word, ...]
    choice: Reference | None = None
    start: Reference | None = None
    steps: tuple[Step, ...]
    then: tuple[Step, ...] = ()
    """What follows an outcome; the id of each step is the outcome."""

    @property
    def is_single(self) -> bool:
        """Whether it is written without steps, so that its dice and values have bare names."""
        return len(self.steps) == 1 and not self.steps[0].id


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Ruling(Definition):
    """A judgement call on the sources."""

    question: str
    ruling: str
    because: str
    option: Reference | None = None
    examples: tuple[Reference, ...] = ()
    is_editorial: bool = False


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Given:
    """One given fact, option or die, or one expectation: a dotted path and the YAML value."""

    path: str
    place: Span
    value: Node


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Example(Definition):
    """An author's test. One of a sequence gives an encounter, and may come `after` that of the round before."""

    kind: str
    subject: Reference
    given: tuple[Given, ...] = ()
    options: tuple[Given, ...] = ()
    dice: tuple[Given, ...] = ()
    expect: tuple[Given, ...] = ()
    odds: tuple[Given, ...] = ()
    encounter: tuple[Given, ...] = ()
    after: Reference | None = None


def expressions_in_condition(condition: Condition | None) -> list[Expression]:
    """The expressions of all parts of a condition."""
    return [each.when for each in condition.parts] if condition else []


def expressions_in_modifier(modifier: Modifier) -> list[Expression]:
    """Every expression of a modifier."""
    found = expressions_in_condition(modifier.when)
    found += [each for each in (modifier.times, modifier.by) if each]
    for adjust in modifier.adjusts:
        found += [adjust.change.value] if adjust.change else []
        found += [grade.change.value for grade in adjust.grades]
    return found
