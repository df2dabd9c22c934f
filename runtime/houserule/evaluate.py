"""The plain reference evaluator: expressions and numbers, from a verified program and checked facts, with a trace.

It follows docs/artifact.md word for word and is the oracle of every faster one. An unknown fact that is read travels
up as `UnknownReadError` to the nearest modifier, which then does not apply.
"""

from __future__ import annotations

from .arithmetic import STRICT, bounded
from .dice import Pool, Term
from .errors import ArtifactError, UnknownReadError
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
from .numbers import number
from .origins import field_path
from .program import Bands, Cell, Dense
from .reads import seat
from .trace import Entry, labelled, told_apart
from .values import UNKNOWN, Unknown, shown, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass
    from fractions import Fraction
    from typing import Any, TypeAlias

    from .expression import Binding, Expr, Read
    from .program import Field, Index, Op, Program, Stored, Table, Type
    from .values import Shown

    Value: TypeAlias = Stored | Pool
    Facts: TypeAlias = Mapping[str, Value | Unknown]
    """Checked facts by path, as `facts` makes them: `attacker.level`, `situation`."""
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a calling step does to a number, worked out; `step` is the path of that step."""

    number: str
    op: Op
    value: int | Fraction
    round: str
    step: str


class Frame:
    """Where an expression stands: who sits in which chair, what callers adjust, the locals of the check under way."""

    __slots__ = ("adjusts", "binding", "keys", "locals", "owner", "prefix")

    def __init__(
        self,
        binding: Binding = (),
        adjusts: tuple[Adjustment, ...] = (),
        locals: dict[str, Value | Unknown] | None = None,
        prefix: str = "",
    ) -> None:
        self.binding = binding
        self.adjusts = adjusts
        self.locals = {} if locals is None else locals
        self.prefix = prefix
        self.owner = ""
        self.keys: tuple[Value, ...] = ()

    def player(self, chair: str) -> str:
        """The role, as the caller named it, that sits in a chair."""
        for taken, player in self.binding:
            if taken == chair:
                return player
        return chair

    def seated(self, seats: Binding) -> Frame:
        """The same place with other seats."""
        return Frame(seat(self.binding, seats), self.adjusts, self.locals, self.prefix) if seats else self

    def within(self, owner: str = "", keys: tuple[Value, ...] = ()) -> Frame:
        """The same place inside a computed field of `owner`, or inside a table's cell."""
        inner = Frame(self.binding, self.adjusts, self.locals, self.prefix)
        inner.owner, inner.keys = owner, keys
        return inner


class Evaluator:
    """Answers one question: it holds the facts, and remembers the numbers that it has worked out.

    `notes` gathers what is read while a trace is wanted; it is None otherwise.
    """

    def __init__(self, program: Program, facts: Facts, options: Mapping[str, Value], notes: list[Entry] | None) -> None:
        self.program = program
        self.facts = facts
        self.options = options
        self.notes = notes
        self.numbers: dict[tuple[str, Binding, tuple[Adjustment, ...]], tuple[int | Fraction, Entry | None]] = {}

    def value(self, expr: Expr, frame: Frame) -> Value:
        """The value of an expression. Raises `UnknownReadError` where it reads something unknown."""
        if isinstance(expr, int):
            return expr
        return _FORMS[type(expr)](self, expr, frame)

    def holds(self, expr: Expr | None, frame: Frame) -> bool:
        """Whether a condition holds; no condition always does."""
        return expr is None or bool(self.value(expr, frame))

    def amount(self, expr: Expr, frame: Frame) -> int | Fraction:
        """The value of an expression that is a number."""
        return self.value(expr, frame)  # type: ignore[return-value]

    def noted(self, expr: Expr, frame: Frame) -> tuple[Value, tuple[Entry, ...]]:
        """The value of an expression, and what was read for it."""
        if self.notes is None:
            return self.value(expr, frame), ()
        outer, self.notes = self.notes, []
        try:
            value, notes = self.value(expr, frame), self.notes
            return value, told_apart(notes) if len(notes) > 1 else tuple(notes)
        finally:
            self.notes = outer

    def note(self, entry: Entry) -> None:
        """Remember what was read, where a trace is wanted."""
        if self.notes is not None:
            self.notes.append(entry)

    def shown(self, value: Value | Unknown, type: Type) -> Shown:
        """A value as callers see it."""
        if isinstance(value, Pool):
            return str(value)
        return shown(value, type, self.program.words(type.choice) if type.choice else ())

    def unknown(self, needs: tuple[Read, ...], frame: Frame) -> tuple[str, ...]:
        """Those of some reads that are not known, as the caller names them."""
        found = (self.read(read, frame) for read in needs)
        return tuple(path for path, _, value in found if value is UNKNOWN)

    def number(self, id: str, frame: Frame) -> int | Fraction:
        """The value of a number."""
        declared = self.program.numbers[id]
        inner = frame.seated(declared.seats)
        if declared.within:
            value, entry = number(self, declared, inner)
        else:
            key = id, inner.binding, inner.adjusts
            if key not in self.numbers:
                self.numbers[key] = number(self, declared, inner)
            value, entry = self.numbers[key]
        if entry is not None:
            self.note(entry)
        return value

    def cell(self, table: Table, column: str, keys: tuple[Value, ...], frame: Frame) -> Value | None:
        """The cell of a table for some keys, or None where there is no row."""
        row = row_of(table.index, keys)
        return None if row is None else self.cell_of(table, column, row, keys, frame)

    def cell_of(self, table: Table, column: str, row: int, keys: tuple[Value, ...], frame: Frame) -> Value:
        """The cell of a row that holds for some keys."""
        position = table.positions[column]
        cell, type = table.rows[row][position], table.columns[position].type
        value = self.value(cell.expr, frame.within(keys=keys)) if isinstance(cell, Cell) else cell
        return pool_of(value) if type.kind == "dice" else value

    def read(self, read: Read, frame: Frame) -> tuple[str, Field | None, Value | Unknown]:
        """What a read finds: its path as the caller names it, what is declared of it, and its value."""
        if read[0] == "local":
            return read[1], None, self.local(read[1], frame)
        if read[0] == "field":
            return self.field(frame.player(read[1]), read[2], frame)
        if read[0] == "its":
            return self.field(frame.owner, read[1], frame)
        return self._found(read[1], self.program.facts[read[1]], "", frame)

    def field(self, role: str, field: str, frame: Frame) -> tuple[str, Field, Value | Unknown]:
        """The same for a field; `role` is named as the caller names it."""
        declared = self.program.entities[self.program.roles[role].entity].fields[field]
        return self._found(f"{role}.{field}", declared, role, frame)

    def name_of(self, player: str) -> str:
        """What the caller calls somebody."""
        return player

    def local(self, path: str, frame: Frame) -> Value | Unknown:
        """A die, a value or an outcome of what is under way."""
        return frame.locals.get(path, UNKNOWN)

    def declares(self, chair: str, action: str, frame: Frame) -> bool:
        """Whether who sits in a chair declares an action; only `playing` knows."""
        raise ArtifactError("this artifact is damaged: it asks what is declared outside a sequence")

    def over_sides(self, condition: Expr, frame: Frame) -> list[bool]:
        """Whether a condition holds for each side; only `playing` knows the sides."""
        raise ArtifactError("this artifact is damaged: it goes over sides outside a sequence")

    def _found(self, path: str, field: Field, owner: str, frame: Frame) -> tuple[str, Field, Value | Unknown]:
        if field.computed is None:
            return path, field, self.facts.get(path, UNKNOWN)
        return path, field, self.value(field.computed, frame.within(owner))


def row_of(index: Index, keys: tuple[Value, ...]) -> int | None:
    """The row that an index gives for some keys, or None."""
    from bisect import bisect_right

    for key in keys:
        assert isinstance(key, int)
        if isinstance(index, Dense):
            at = key - index.first
        elif isinstance(index, Bands):
            if index.end is not None and key > index.end:
                return None
            at = bisect_right(index.starts, key, index.starts[0] is None) - 1  # type: ignore[type-var]
        else:
            return None
        if not 0 <= at < len(index.then):
            return None
        index = index.then[at]
    return index if isinstance(index, int) else None


def pool_of(value: Value) -> Pool:
    """Dice as they are rolled: from a code, or as they are."""
    return value if isinstance(value, Pool) else Pool((Term(int(value) // 1024, int(value) % 1024),))


def _field(self: Evaluator, expr: FieldRead, frame: Frame) -> Value:
    return _given(self, *self.field(frame.player(expr.role), expr.field, frame))


def _its(self: Evaluator, expr: ItsRead, frame: Frame) -> Value:
    return _given(self, *self.field(frame.owner, expr.field, frame))


def _fact(self: Evaluator, expr: FactRead, frame: Frame) -> Value:
    return _given(self, *self.read(("fact", expr.id), frame))


def _given(self: Evaluator, path: str, field: Field | None, value: Value | Unknown) -> Value:
    if isinstance(value, Unknown):
        raise UnknownReadError(path)
    if self.notes is not None and field is not None:
        rule = "" if field.computed is None else field_path(self.program, field)
        self.notes.append(Entry("fact", path, self.shown(value, field.type), title=field.label.title, path=rule))
    return value


def _option(self: Evaluator, expr: OptionRead, frame: Frame) -> Value:
    value = self.options[expr.id]
    if self.notes is not None:
        option = self.program.options[expr.id]
        # What the caller chose is none of the rules' doing.
        path = f"options.{expr.id}" if value == option.default else ""
        self.notes.append(labelled("option", option.label, self.shown(value, option.type), (), path=path))
    return value


def _condition(self: Evaluator, expr: ConditionRead, frame: Frame) -> Value:
    condition = self.program.conditions[expr.id]
    value, parts = self.noted(condition.when, frame)
    self.note(labelled("condition", condition.label, bool(value), parts, path=f"conditions.{expr.id}"))
    return value


def _number(self: Evaluator, expr: NumberRead, frame: Frame) -> Value:
    return self.number(expr.id, frame.seated(expr.roles))


def _local(self: Evaluator, expr: Local, frame: Frame) -> Value:
    value = self.local(expr.path, frame)
    if isinstance(value, Unknown):
        raise UnknownReadError(expr.path, is_local=True)
    return value


def _key(self: Evaluator, expr: Key, frame: Frame) -> Value:
    return frame.keys[expr.position]


def _lookup(self: Evaluator, expr: Lookup, frame: Frame) -> Value:
    keys = tuple([self.value(key, frame) for key in expr.keys])
    table = self.program.tables[expr.table]
    row = row_of(table.index, keys)
    if row is None:
        raise ArtifactError(f"this artifact is damaged: table `{expr.table}` has no row for what is looked up in it")
    value = self.cell_of(table, expr.column, row, keys, frame)
    if self.notes is not None:
        self.notes.append(looked_up(self, table, expr.column, keys, row, value))
    return value


def looked_up(self: Evaluator, table: Table, column: str, keys: tuple[Value, ...], row: int, value: Value) -> Entry:
    """The entry of one cell that was read."""
    given = ", ".join(text_of(self.shown(key, known.type)) for key, known in zip(keys, table.keys, strict=True))
    inner = "" if len(table.columns) == 1 else f".{column}"
    name = f"{table.label.id}[{given}]{inner}"
    type = table.columns[table.positions[column]].type
    path = self.program.origins.keyed(f"tables.{table.label.id}", row, inner)
    label = table.label
    return Entry("table", name, self.shown(value, type), "kept", label.title, source=label.source, path=path, row=row)


def _attribute(self: Evaluator, expr: Attribute, frame: Frame) -> Value:
    type, values = self.program.choices[expr.choice].attributes[expr.attribute]
    word = self.value(expr.word, frame)
    if not 0 <= int(word) < len(values):  # type: ignore[arg-type]
        raise ArtifactError(f"this artifact is damaged: `{expr.choice}` has no word {word}")
    value = values[int(word)]  # type: ignore[arg-type]
    return pool_of(value) if type.kind == "dice" else value


def _constant(self: Evaluator, expr: Constant, frame: Frame) -> Value:
    return expr.value


def _operation(self: Evaluator, expr: Operation, frame: Frame) -> Value:
    operator, operands = expr.operator, expr.operands
    if operator == "and":
        return all(self.value(each, frame) for each in operands)
    if operator == "or":
        return any(self.value(each, frame) for each in operands)
    if operator == "if":
        return self.value(operands[1 if self.value(operands[0], frame) else 2], frame)
    values = [self.value(each, frame) for each in operands]
    result: Value = bounded(STRICT[operator](*values))
    return result


def _within(self: Evaluator, expr: Within, frame: Frame) -> Value:
    item = self.amount(expr.item, frame)
    return any((low is None or low <= item) and (high is None or item <= high) for low, high in expr.bands)


def _has(self: Evaluator, expr: Has, frame: Frame) -> Value:
    return bool(int(self.amount(expr.words, frame)) >> expr.word & 1)


def _known(self: Evaluator, expr: Known, frame: Frame) -> Value:
    path, _, value = self.read(expr.read, frame)
    self.note(Entry("fact", path, value is not UNKNOWN, op="known"))
    return value is not UNKNOWN


def _declares(self: Evaluator, expr: Declares, frame: Frame) -> Value:
    return self.declares(expr.chair, expr.action, frame)


def _over_sides(self: Evaluator, expr: OverSides, frame: Frame) -> Value:
    found = self.over_sides(expr.condition, frame)
    return any(found) if expr.operator == "any" else all(found) if expr.operator == "all" else sum(found)


def _dice(self: Evaluator, expr: DiceTerm, frame: Frame) -> Value:
    return Pool((Term(expr.count, expr.faces, expr.keep, expr.kept if expr.keep else 0),))


_FORMS: dict[type, Callable[[Evaluator, Any, Frame], Value]] = {
    FieldRead: _field,
    ItsRead: _its,
    FactRead: _fact,
    OptionRead: _option,
    ConditionRead: _condition,
    NumberRead: _number,
    Local: _local,
    Key: _key,
    Lookup: _lookup,
    Constant: _constant,
    Attribute: _attribute,
    Operation: _operation,
    Within: _within,
    Has: _has,
    Known: _known,
    DiceTerm: _dice,
    Declares: _declares,
    OverSides: _over_sides,
}
