"""Between which numbers an expression lies, from the ranges of facts and the cells of tables; never too narrow.

An end is None where nothing bounds it. Whatever may be a fraction is unbounded, so that an interval with both ends is
one of integers. What the fast evaluator need not test, it knows from here: a key that is always in its table, a sum
that never leaves the safe range.
"""

from __future__ import annotations

from .expression import (
    Attribute,
    ConditionRead,
    FactRead,
    FieldRead,
    ItsRead,
    Key,
    Local,
    Lookup,
    NumberRead,
    Operation,
    OptionRead,
)
from .limits import LARGEST
from .program import Cell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from fractions import Fraction
    from typing import TypeAlias

    from .evaluate import Value
    from .expression import Expr
    from .program import Entry, Field, Number, Program, Type

    End: TypeAlias = int | Fraction | None
    Interval: TypeAlias = tuple[End, End]

ANY: Interval = (None, None)
TRUTH: Interval = (0, 1)


def is_safe(interval: Interval) -> bool:
    """Whether nothing in it lies beyond ±(2^53 - 1)."""
    low, high = interval
    return low is not None and high is not None and low >= -LARGEST and high <= LARGEST


def union(intervals: Iterable[Interval]) -> Interval:
    """The least interval that holds all of some; of none, everything."""
    found = list(intervals)
    lows, highs = [low for low, _ in found], [high for _, high in found]
    return _least(lows), _most(highs)


def _least(ends: list[End]) -> End:
    return None if not ends or None in ends else min(end for end in ends if end is not None)


def _most(ends: list[End]) -> End:
    return None if not ends or None in ends else max(end for end in ends if end is not None)


def plus(one: Interval, other: Interval) -> Interval:
    """The sums."""
    low = None if one[0] is None or other[0] is None else one[0] + other[0]
    return low, None if one[1] is None or other[1] is None else one[1] + other[1]


def negative(interval: Interval) -> Interval:
    """The same with the other sign."""
    low, high = interval
    return None if high is None else -high, None if low is None else -low


def times(one: Interval, other: Interval) -> Interval:
    """The products."""
    ends = [a * b for a in one for b in other if a is not None and b is not None]
    return (min(ends), max(ends)) if len(ends) == 4 else ANY


class Intervals:
    """Works out intervals for one program with its options chosen; dice and values of checks are unbounded here."""

    def __init__(self, program: Program, options: Mapping[str, Value]) -> None:
        self.program = program
        self.options = options
        self.numbers: dict[str, Interval] = {}
        self.columns: dict[tuple[str, str], Interval] = {}

    def of(self, expr: Expr, owner: str = "") -> Interval:
        """The interval of an expression; `owner` is the entity whose computed field it stands in."""
        if isinstance(expr, int):
            return int(expr), int(expr)
        match expr:
            case FieldRead(role, field):
                return self._field(self.program.roles[role].entity, field)
            case ItsRead(field):
                return self._field(owner, field)
            case FactRead(id):
                return self._given(self.program.facts[id], "")
            case OptionRead(id):
                value = self.options[id]
                return (value, value) if isinstance(value, int) else ANY
            case NumberRead(id):
                return self.number(id)
            case Lookup(table, column):
                return self._column(table, column)
            case Attribute(choice, attribute):
                _, values = self.program.choices[choice].attributes[attribute]
                return union((each, each) for each in values if isinstance(each, int)) if values else ANY
            case Operation(operator, operands):
                return self._operation(operator, operands, owner)
            case Key() | Local():
                return ANY
        return TRUTH if isinstance(expr, ConditionRead) else ANY

    def _field(self, entity: str, field: str) -> Interval:
        return self._given(self.program.entities[entity].fields[field], entity)

    def _given(self, field: Field, owner: str) -> Interval:
        if field.computed is not None:
            return self.of(field.computed, owner)
        return self.of_type(field.type)

    def of_type(self, type: Type) -> Interval:
        """The codes of a type."""
        if type.kind == "boolean":
            return TRUTH
        if type.kind == "choice":
            return type.low or 0, len(self.program.words(type.choice)) - 1 if type.high is None else type.high
        if type.kind == "set":
            return 0, (1 << len(self.program.words(type.choice))) - 1
        return (type.low, type.high) if type.kind in ("integer", "hit_dice") else ANY

    def _column(self, table: str, column: str) -> Interval:
        key = table, column
        if key not in self.columns:
            declared = self.program.tables[table]
            cells = [row[declared.positions[column]] for row in declared.rows]
            is_plain = all(isinstance(cell, int) for cell in cells)
            self.columns[key] = union((cell, cell) for cell in cells if isinstance(cell, int)) if is_plain else ANY
            if any(isinstance(cell, Cell) for cell in cells):
                self.columns[key] = ANY
        return self.columns[key]

    def _operation(self, operator: str, operands: tuple[Expr, ...], owner: str) -> Interval:
        if operator in _TRUTHS:
            return TRUTH
        inner = [self.of(each, owner) for each in operands]
        if operator == "if":
            return union(inner[1:])
        if operator in _ROUNDINGS and (divided := self._divided(operands[0], owner)):
            return divided
        rule = _RULES.get(operator)
        return rule(inner) if rule else ANY

    def _divided(self, expr: Expr, owner: str) -> Interval | None:
        """The interval of an integer divided by a literal, before it is rounded."""
        if not isinstance(expr, Operation) or expr.operator != "/":
            return None
        low, high = self.of(expr.operands[0], owner)
        least, most = self.of(expr.operands[1], owner)
        if least is None or most is None or least < 1 or low is None or high is None:
            return None
        return min(low // least, low // most), max(-(-high // least), -(-high // most))

    def number(self, id: str) -> Interval:
        """The interval of a number without what callers adjust."""
        if id not in self.numbers:
            declared = self.program.numbers[id]
            self.numbers[id] = self.adjusted(declared, self.of(declared.base))
        return self.numbers[id]

    def adjusted(self, declared: Number, base: Interval) -> Interval:
        """The interval of a number's value, from that of its base and what its entries do."""
        found = union([base, *(self.amount(each) for each in declared.entries if each.op == "set")])
        for entry in declared.entries:
            if entry.op == "add":
                found = plus(found, self.added(entry))
        for entry in declared.entries:
            if entry.op == "multiply":
                found = times(found, union([(1, 1), self.amount(entry)])) if not entry.each else ANY
        if any(entry.op == "multiply" for entry in declared.entries):
            found = _widened([found]) if declared.type.kind == "integer" else ANY
        for entry in declared.entries:
            low, high = self.amount(entry)
            if entry.op == "at_least":
                found = found[0], _most([found[1], high])
            if entry.op == "at_most":
                found = _least([found[0], low]), found[1]
        return found

    def added(self, entry: Entry) -> Interval:
        """The interval of what an entry adds, whether it applies or not; of the words of a set all may count."""
        if entry.each is None:
            return union([(0, 0), self.amount(entry)])
        found: Interval = 0, 0
        for grade in entry.grades:
            amount = union([(0, 0), self.of(grade.value)])
            words = range(grade.low or 0, 31 if grade.high is None else min(grade.high, 30) + 1)
            found = plus(found, times(amount, (0, len(words))))
        return found if entry.times is None else times(found, self.of(entry.times))

    def amount(self, entry: Entry) -> Interval:
        """The interval of what an entry comes to where it applies."""
        values = (entry.value,) if entry.value is not None else tuple(each.value for each in entry.grades)
        found = union(self.of(each) for each in values)
        return found if entry.times is None else times(found, self.of(entry.times))


class Inside(Intervals):
    """The same inside a check: where its dice and values lie, and with numbers that callers may have adjusted."""

    def __init__(self, outside: Intervals, locals: Mapping[str, Interval], is_adjusted: bool) -> None:
        super().__init__(outside.program, outside.options)
        self.columns = outside.columns
        self.outside = outside
        self.locals = locals
        self.is_adjusted = is_adjusted

    def of(self, expr: Expr, owner: str = "") -> Interval:
        """The interval of an expression."""
        return self.locals.get(expr.path, ANY) if isinstance(expr, Local) else super().of(expr, owner)

    def number(self, id: str) -> Interval:
        """The interval of a number; of one that may be adjusted only that it is whole and not too large."""
        if not self.is_adjusted:
            return self.outside.number(id)
        return (-LARGEST, LARGEST) if self.program.numbers[id].type.kind == "integer" else ANY


def _widened(inner: list[Interval]) -> Interval:
    """The interval of what is rounded, whichever way."""
    low, high = inner[0]
    down = None if low is None else low.numerator // low.denominator
    return down, None if high is None else -(-high.numerator // high.denominator)


def _magnitude(inner: list[Interval]) -> Interval:
    (low, high), (least, most) = inner[0], negative(inner[0])
    return 0, _most([low, high, least, most])


def _least_of(inner: list[Interval]) -> Interval:
    highs = [high for _, high in inner if high is not None]
    return _least([low for low, _ in inner]), min(highs) if highs else None


def _most_of(inner: list[Interval]) -> Interval:
    lows = [low for low, _ in inner if low is not None]
    return max(lows) if lows else None, _most([high for _, high in inner])


def _folded(step: Callable[[Interval, Interval], Interval]) -> Callable[[list[Interval]], Interval]:
    def rule(inner: list[Interval]) -> Interval:
        found = inner[0]
        for each in inner[1:]:
            found = step(found, each)
        return found

    return rule


_ROUNDINGS = frozenset({"floor", "ceil", "nearest", "toward_zero"})
_TRUTHS = frozenset({"and", "or", "not", "==", "!=", "<", "<=", ">", ">="})
_RULES: dict[str, Callable[[list[Interval]], Interval]] = {
    "+": _folded(plus),
    "*": _folded(times),
    "-": lambda inner: plus(inner[0], negative(inner[1])),
    "neg": lambda inner: negative(inner[0]),
    "abs": _magnitude,
    "min": _least_of,
    "max": _most_of,
    "floor": _widened,
    "ceil": _widened,
    "nearest": _widened,
    "toward_zero": _widened,
    "count": lambda inner: (0, 64),
}
