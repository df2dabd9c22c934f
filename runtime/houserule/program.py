"""A verified program: what an artifact becomes when it is loaded. docs/artifact.md says what each part means.

Ids stay strings, so that traces can name things. Nothing here can be changed after loading.
"""

from __future__ import annotations

from .expression import Attribute as Attribute
from .expression import ConditionRead as ConditionRead
from .expression import Constant as Constant
from .expression import DiceTerm as DiceTerm
from .expression import FactRead as FactRead
from .expression import FieldRead as FieldRead
from .expression import Has as Has
from .expression import ItsRead as ItsRead
from .expression import Key as Key
from .expression import Known as Known
from .expression import Local as Local
from .expression import Lookup as Lookup
from .expression import NumberRead as NumberRead
from .expression import Operation as Operation
from .expression import OptionRead as OptionRead
from .expression import Within as Within
from .expression import parts as parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from dataclasses import dataclass
    from fractions import Fraction
    from typing import Literal, TypeAlias

    from .expression import Binding, Bound, Read
    from .expression import Expr as Expr
    from .origins import Origins
    from .rounds import Action, Event, EventEffect, Sequence, Trigger

    Op: TypeAlias = Literal["add", "set", "multiply", "at_least", "at_most"]
    Policy: TypeAlias = Literal["all", "largest", "smallest", "once", "first"]
    Kind: TypeAlias = Literal["integer", "boolean", "choice", "set", "hit_dice", "dice", "fraction", "text", "side"]
    Stored: TypeAlias = int | Fraction | str
    """A value as the evaluator holds it: codes for words, sets, hit dice and dice."""
    Index: TypeAlias = "int | Dense | Bands"
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value. `low` and `high` are codes; `choice` names the words; dice have `up_to` or `one_of`."""

    kind: Kind
    low: int | Fraction | None = None
    high: int | Fraction | None = None
    choice: str = ""
    up_to: int = 0
    one_of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """What a definition carries for people: its id, title, note and source."""

    id: str
    title: str = ""
    note: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice: its words in order, and for each attribute its type and the value of each word."""

    label: Label
    words: tuple[Label, ...]
    codes: Mapping[str, int]
    attributes: Mapping[str, tuple[Type, tuple[Stored, ...]]]
    is_ordered: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A field, fact or option. `computed` is given for none that the caller may give."""

    label: Label
    type: Type
    default: Stored | None
    is_optional: bool
    computed: Expr | None
    decides: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A kind of thing, with its fields by id, in order."""

    label: Label
    fields: Mapping[str, Field]


@dataclass(frozen=True, slots=True)
class Role:
    """A chair that something of an entity sits in."""

    label: Label
    entity: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A named condition, or an impossible situation with what must be known for it to hold."""

    label: Label
    when: Expr
    text: str
    needs: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class Dense:
    """One level of a table's index: `then[i]` is for the key `first + i`."""

    first: int
    then: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class Bands:
    """One level of a table's index: `then[i]` is for keys from `starts[i]` up to the next start; None is open."""

    starts: tuple[Bound, ...]
    end: Bound
    then: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A key or a column of a table."""

    label: Label
    type: Type


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is worked out from the keys."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Table:
    """A table: exactly one row for each combination of keys, found by the index. `worked` are the expressions of cells
    that are worked out; tables of thousands of rows mostly have none, and need not be looked through for them."""

    label: Label
    keys: tuple[Column, ...]
    columns: tuple[Column, ...]
    positions: Mapping[str, int]
    index: Index
    rows: tuple[tuple[Stored | Cell, ...], ...]
    worked: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Grade:
    """The amount for a band of codes."""

    low: Bound
    high: Bound
    value: Expr


@dataclass(frozen=True, slots=True)
class Entry:
    """What one modifier does to one number. Either `value`, or `grades` of `by` or of each word in `each`."""

    modifier: str
    op: Op
    value: Expr | None
    grades: tuple[Grade, ...]
    by: Expr | None
    each: Expr | None
    when: Expr | None
    times: Expr | None
    group: str
    round: str
    needs: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity of the rules: its base, and all that modifiers do to it."""

    label: Label
    type: Type
    base: Expr
    better: str
    of: str
    within: str
    seats: Binding
    entries: tuple[Entry, ...]
    needs: tuple[Read, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Modifier:
    """The label of entries; `text` is the condition as its author wrote it."""

    label: Label
    text: str


@dataclass(frozen=True, slots=True)
class Stacking:
    """How the entries of one group compete."""

    label: Label
    bonuses: Policy | None
    penalties: Policy | None
    all: Policy | None
    multiply: Policy | None
    tie: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """One named roll; `low` and `high` bound its value."""

    label: Label
    dice: Expr
    when: Expr | None
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Value:
    """A named value of a step or a case."""

    label: Label
    type: Type
    value: Expr


@dataclass(frozen=True, slots=True)
class Effect:
    """A change of a field, reported and never performed."""

    role: str
    field: str
    op: Op
    value: Expr
    when: Expr | None
    round: str


@dataclass(frozen=True, slots=True)
class Case:
    """One of a step's ordered cases; it ends in an outcome, in the next step, or (after an outcome) in neither."""

    label: Label
    when: Expr | None
    roll: tuple[Die, ...]
    values: tuple[Value, ...]
    effects: tuple[Effect | EventEffect, ...]
    outcome: Expr | None
    go: str


@dataclass(frozen=True, slots=True)
class Adjust:
    """What a calling step does to a number for all that the call evaluates."""

    number: str
    op: Op
    value: Expr
    round: str


@dataclass(frozen=True, slots=True)
class Call:
    """A step's call of another check."""

    check: str
    seats: Binding
    adjusts: tuple[Adjust, ...]
    runs_then: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a check."""

    label: Label
    roll: tuple[Die, ...]
    call: Call | None
    values: tuple[Value, ...]
    effects: tuple[Effect | EventEffect, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A roll of the game. `then` are the steps that follow an outcome, by the outcome's id."""

    label: Label
    outcomes: tuple[Label, ...]
    choice: str
    start: str
    steps: Mapping[str, Step]
    then: Mapping[str, Step]
    reads: tuple[Read, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """A judgement call of the rules' editors."""

    label: Label
    question: str
    ruling: str
    because: str
    option: str
    is_editorial: bool


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Which rules these are."""

    id: str
    title: str
    version: str
    license: str
    layers: tuple[tuple[str, str], ...]
    sources: Mapping[str, tuple[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Program:
    """The whole ruleset; every map is by id, in the artifact's order."""

    ruleset: Ruleset
    content_hash: str
    requires: tuple[str, ...]
    choices: Mapping[str, Choice]
    entities: Mapping[str, Entity]
    roles: Mapping[str, Role]
    facts: Mapping[str, Field]
    options: Mapping[str, Field]
    conditions: Mapping[str, Condition]
    impossible: Mapping[str, Condition]
    tables: Mapping[str, Table]
    numbers: Mapping[str, Number]
    modifiers: Mapping[str, Modifier]
    stacking: Mapping[str, Stacking]
    checks: Mapping[str, Check]
    events: Mapping[str, Event]
    actions: Mapping[str, Action]
    triggers: Mapping[str, Trigger]
    sequences: Mapping[str, Sequence]
    rulings: Mapping[str, Ruling]
    origins: Origins

    def words(self, choice: str) -> tuple[Label, ...]:
        """The words of a choice; of `check.outcome` the outcomes, of `sequence.step` the steps, depth first."""
        if choice in self.choices:
            return self.choices[choice].words
        if choice.endswith(".step"):
            return tuple(step.label for step in self.sequences[choice.removesuffix(".step")].all_steps())
        return self.checks[choice.removesuffix(".outcome")].outcomes


def expressions_of_entry(entry: Entry) -> tuple[Expr, ...]:
    """All expressions of an entry."""
    single = (entry.when, entry.value, entry.by, entry.each, entry.times)
    return tuple(each for each in single if each is not None) + tuple(grade.value for grade in entry.grades)


def expressions_of_number(number: Number) -> tuple[Expr, ...]:
    """All expressions of a number: its base and those of its entries."""
    return (number.base, *(expr for entry in number.entries for expr in expressions_of_entry(entry)))


def expressions_of_effects(effects: Iterable[Effect | EventEffect]) -> Iterator[Expr]:
    """All expressions of some effects."""
    for each in effects:
        values = (each.value,) if isinstance(each, Effect) else tuple(value for _, value in each.values)
        yield from (expr for expr in (*values, each.when) if expr is not None)
