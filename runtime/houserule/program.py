"""A verified program: what an artifact becomes when it is loaded. docs/artifact.md says what each part means.

Ids stay strings, so that traces can name things. Expressions are `Expr`: integers and booleans are themselves, the
rest are the small classes below. Nothing here can be changed after loading.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass
    from fractions import Fraction
    from typing import Literal, TypeAlias

    Binding: TypeAlias = tuple[tuple[str, str], ...]
    Read: TypeAlias = tuple[str, ...]
    Bound: TypeAlias = int | None
    Band: TypeAlias = tuple[Bound, Bound]
    Op: TypeAlias = Literal["add", "set", "multiply", "at_least", "at_most"]
    Policy: TypeAlias = Literal["all", "largest", "smallest", "once", "first"]
    Kind: TypeAlias = Literal["integer", "boolean", "choice", "set", "hit_dice", "dice", "fraction", "text"]
    Stored: TypeAlias = int | Fraction | str
    """A value as the evaluator holds it: codes for words, sets, hit dice and dice."""
    Expr: TypeAlias = (
        "int | Constant | FieldRead | ItsRead | FactRead | OptionRead | ConditionRead | NumberRead | Local | Key | "
        "Lookup | Attribute | Operation | Within | Has | Known | DiceTerm"
    )
    Index: TypeAlias = "int | Dense | Bands"
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
    """What a definition carries for people: its id, title, note, source, and where it was written."""

    id: str
    title: str = ""
    note: str = ""
    source: str = ""
    origin: tuple[str, str, int] | None = None


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
    """A table: exactly one row for each combination of keys, found by the index."""

    label: Label
    keys: tuple[Column, ...]
    columns: tuple[Column, ...]
    positions: Mapping[str, int]
    index: Index
    rows: tuple[tuple[Stored | Cell, ...], ...]


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
    origin: tuple[str, str, int] | None


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
    effects: tuple[Effect, ...]
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
    effects: tuple[Effect, ...]
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
    rulings: Mapping[str, Ruling]

    def words(self, choice: str) -> tuple[Label, ...]:
        """The words of a choice, or of the outcomes of a check where it is called `check.outcome`."""
        if choice in self.choices:
            return self.choices[choice].words
        return self.checks[choice.removesuffix(".outcome")].outcomes


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression."""
    match expr:
        case Operation(_, operands) | Lookup(_, _, operands):
            return operands
        case Within(item, _) | Has(item, _) | Attribute(_, _, item):
            return (item,)
    return ()


def expressions_of_entry(entry: Entry) -> tuple[Expr, ...]:
    """All expressions of an entry."""
    single = (entry.when, entry.value, entry.by, entry.each, entry.times)
    return tuple(each for each in single if each is not None) + tuple(grade.value for grade in entry.grades)


def expressions_of_number(number: Number) -> tuple[Expr, ...]:
    """All expressions of a number: its base and those of its entries."""
    return (number.base, *(expr for entry in number.entries for expr in expressions_of_entry(entry)))
