"""A number as Python statements: its base, what each modifier adds where it applies, stacking unrolled.

Where modifiers compete in a way that cannot be unrolled, the amounts are gathered and the reference's own stacking
decides.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .arithmetic import bounded
from .errors import ArtifactError
from .fast_expressions import Function, Place
from .intervals import is_safe, plus, union
from .numbers import combined
from .stack import Amount, stack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction
    from typing import Any, TypeAlias

    from .program import Entry, Grade, Number, Stacking

    Use: TypeAlias = Callable[[ast.expr], list[ast.stmt]]
    """What is done with an amount where it counts."""

_UNROLLED = frozenset({None, "all", "largest"})


def settled(
    base: int | Fraction, amounts: list[Amount], groups: Mapping[str, Stacking], better: str, is_integer: bool
) -> int | Fraction:
    """The value of a number from its base and all amounts that apply, as the reference evaluator settles it."""
    dropped = stack(amounts, groups, better)
    return combined(base, [each for at, each in enumerate(amounts) if at not in dropped], is_integer)


def whole(value: int | Fraction) -> int:
    """A value that is an integer in every compiled program."""
    bounded(value)
    if value.denominator != 1:
        raise ArtifactError("this artifact is damaged: a number that is an integer comes to a fraction")
    return value.numerator


def emit_number(function: Function, declared: Number, place: Place) -> ast.expr:
    """Adds the statements of a number to a function; the expression of its value."""
    mine = [each for each in place.adjusts if each[0] == declared.label.id]
    value, inlines = function.variable(), function.inlines
    function.inlines = 0
    function.body.append(syntax.assign(value, function.value(declared.base, place)))
    if is_unrolled(function, declared, mine):
        found = _Unrolled(function, declared, place, value).emit(mine)
    else:
        found = _gathered(function, declared, place, value, mine)
    function.inlines = inlines
    return found


def is_unrolled(function: Function, declared: Number, mine: list[Any]) -> bool:
    """Whether what modifiers do to a number can be written out."""
    groups = function.program.stacking
    for id in {each.group for each in declared.entries if each.group}:
        group = groups[id]
        members = [each for each in declared.entries if each.group == id]
        kinds = {each.op for each in members}
        if group.all not in (None, "all") and (kinds - {"add", "at_least", "at_most"} or _has_two(group)):
            return False
        if not {group.bonuses, group.penalties} <= _UNROLLED or group.all not in _UNROLLED:
            return False
        if group.multiply not in (None, "all") and sum(each.op == "multiply" for each in members) > 1:
            return False
    products = [each for each in declared.entries if each.op == "multiply"]
    return not mine or (all(each[1] == "add" for each in mine) and len(products) <= 1)


def _has_two(group: Stacking) -> bool:
    return group.bonuses not in (None, "all") or group.penalties not in (None, "all")


def _gathered(function: Function, declared: Number, place: Place, value: str, mine: list[Any]) -> ast.expr:
    """The amounts gathered in a list, and settled together."""
    amounts = function.variable("m")
    function.body.append(syntax.assign(amounts, ast.List([], ast.Load())))
    for entry in declared.entries:
        _entry(function, entry, place, lambda gain, entry=entry: [_append(amounts, _known(entry), gain)])  # type: ignore[misc]
    for _, op, round, variable in mine:
        function.body.append(_append(amounts, ("", op, "", round), syntax.name(variable)))
    function.fast.namespace["Amount"] = Amount
    integral = syntax.literal(declared.type.kind == "integer")
    better = syntax.literal(declared.better)
    return syntax.call("settled", syntax.name(value), syntax.name(amounts), syntax.name("stacking"), better, integral)


def _known(entry: Entry) -> tuple[str, str, str, str]:
    return entry.modifier, entry.op, entry.group, entry.round


def _append(amounts: str, known: tuple[str, str, str, str], gain: ast.expr) -> ast.stmt:
    modifier, op, group, round = map(syntax.literal, known)
    made = syntax.call("Amount", modifier, op, gain, group, round)
    return syntax.evaluate(ast.Call(ast.Attribute(syntax.name(amounts), "append", ast.Load()), [made], []))


def _entry(function: Function, entry: Entry, place: Place, use: Use) -> None:
    """Statements that hand each amount of an entry that applies to `use`, which gives statements."""
    outer_body, outer_raises = function.body, function.raises
    known = [function.is_known(read, place) for read in entry.needs]
    guard = syntax.both(known)
    place = place.knowing(*(function.known_path(read, place) for read in entry.needs))
    function.raises, function.body = False, []
    if entry.when is not None:
        place_then = place.knowing(*function.guards(entry.when, place))
        condition = function.value(entry.when, place)
    else:
        place_then, condition = place, syntax.literal(True)
    _amounts(function, entry, place_then, use)
    inner = syntax.when(condition, function.body)
    body = [syntax.attempt(inner, ["UnknownReadError"])] if function.raises and inner else inner
    function.body, function.raises = outer_body, outer_raises
    function.body += syntax.when(guard, body)


def _amounts(function: Function, entry: Entry, place: Place, use: Use) -> None:
    if entry.by is not None:
        _graded(function, entry, place, use)
    elif entry.each is not None:
        _of_each(function, entry, place, use)
    else:
        assert entry.value is not None
        function.body += use(_times(function, entry, function.value(entry.value, place), place))


def _times(function: Function, entry: Entry, amount: ast.expr, place: Place) -> ast.expr:
    if entry.times is None:
        return amount
    count = function.value(entry.times, place)
    if is_safe(function.fast.intervals.amount(entry)):
        return syntax.binary("*", amount, count)
    return syntax.call("bounded", syntax.call(function.fast.operator("*"), amount, count))


def _graded(function: Function, entry: Entry, place: Place, use: Use) -> None:
    """One amount by the band that a value falls in: from a tuple where all is known now, else by tests."""
    assert entry.by is not None
    by = function.value(entry.by, place)
    low, high = function.interval(entry.by, place)
    values = (
        None
        if low is None or high is None or high - low > 256
        else [_grade(entry, code) for code in range(low, high + 1)]
    )
    if values is not None and all(each is None or isinstance(each.value, int) for each in values):
        amounts = tuple(None if each is None else each.value for each in values)
        at = by if low == 0 else syntax.binary("-", by, syntax.literal(low))
        found = syntax.element(function.fast.constant(amounts), at)
        if None not in amounts:
            function.body += use(_times(function, entry, found, place))
            return
        variable = function.variable()
        function.body.append(syntax.assign(variable, found))
        is_there = syntax.compared(syntax.name(variable), ("is not", syntax.literal(None)))
        function.body += syntax.when(is_there, use(_times(function, entry, syntax.name(variable), place)))
        return
    code = function.variable()
    function.body.append(syntax.assign(code, by))
    chain: list[ast.stmt] = []
    for grade, least in reversed(list(zip(entry.grades, _leasts(entry.grades, low), strict=True))):
        amount = _times(function, entry, function.value(grade.value, place), place)
        chain = syntax.when(_in_grade(syntax.name(code), grade, least, high), use(amount), chain)
    function.body += chain


def _leasts(grades: tuple[Grade, ...], low: int | None) -> list[int | None]:
    """For each grade the least code that it can still meet; None where grades before it leave gaps."""
    found: list[int | None] = []
    for grade in grades:
        found.append(low)
        is_next = low is not None and (grade.low is None or grade.low <= low)
        low = grade.high + 1 if is_next and grade.high is not None else None
    return found


def _grade(entry: Entry, code: int) -> Grade | None:
    for grade in entry.grades:
        if (grade.low is None or grade.low <= code) and (grade.high is None or code <= grade.high):
            return grade
    return None


def _in_grade(code: ast.expr, grade: Grade, least: Any, most: Any) -> ast.expr:
    """Whether a code that is in no earlier grade, and lies from `least` to `most`, is in a grade."""
    tests = []
    if grade.low is not None and (least is None or least < grade.low):
        tests.append(syntax.compared(code, (">=", syntax.literal(grade.low))))
    if grade.high is not None and (most is None or most > grade.high):
        tests.append(syntax.compared(code, ("<=", syntax.literal(grade.high))))
    return syntax.both(tests)


def _of_each(function: Function, entry: Entry, place: Place, use: Use) -> None:
    """An amount for each word of a set; all are worked out before one counts, since one may be unknown."""
    assert entry.each is not None
    words = function.variable()
    function.body.append(syntax.assign(words, function.value(entry.each, place)))
    then: list[ast.stmt] = []
    for code in range(_size(function, entry)):
        grade = _grade(entry, code)
        if grade is None:
            continue
        amount = _times(function, entry, function.value(grade.value, place), place)
        has = syntax.has_bit(syntax.name(words), code)
        if not isinstance(amount, ast.Constant | ast.Name):
            kept = function.variable()
            function.body.append(syntax.assign(kept, syntax.chosen(has, amount, syntax.literal(0))))
            amount = syntax.name(kept)
        then += syntax.when(has, use(amount))
    function.body += then


def _size(function: Function, entry: Entry) -> int:
    _, high = function.fast.intervals.of(entry.each) if entry.each is not None else (0, 0)
    return int(high).bit_length() if high is not None else 31


class _Unrolled:
    """A number of which everything is written out."""

    def __init__(self, function: Function, declared: Number, place: Place, value: str) -> None:
        self.function = function
        self.declared = declared
        self.place = place
        self.value = value
        self.sign = -1 if declared.better == "lower" else 1
        intervals = function.fast.intervals
        self.interval = union(
            [intervals.of(declared.base), *(intervals.amount(each) for each in declared.entries if each.op == "set")]
        )

    def emit(self, mine: list[Any]) -> ast.expr:
        """The statements; the expression of the value."""
        for entry in self._of("set"):
            _entry(self.function, entry, self.place, lambda gain: [syntax.assign(self.value, gain)])
        self._adds(mine)
        self._products()
        for entry in self._of("at_least"):
            _entry(self.function, entry, self.place, lambda gain: self._bound(gain, ">"))
        for entry in self._of("at_most"):
            _entry(self.function, entry, self.place, lambda gain: self._bound(gain, "<"))
        if self.declared.type.kind != "integer":
            return syntax.call("exact", syntax.name(self.value))
        is_whole = None not in self.function.fast.intervals.number(self.declared.label.id) and not mine
        return syntax.name(self.value) if is_whole else syntax.call("whole", syntax.name(self.value))

    def _of(self, op: str) -> list[Entry]:
        return [each for each in self.declared.entries if each.op == op]

    def _bound(self, gain: ast.expr, sign: str) -> list[ast.stmt]:
        kept = self.function.variable()
        better = syntax.compared(syntax.name(kept), (sign, syntax.name(self.value)))
        return [syntax.assign(kept, gain), *syntax.when(better, [syntax.assign(self.value, syntax.name(kept))])]

    def _adds(self, mine: list[Any]) -> None:
        groups: dict[str, list[str]] = {}
        for entry in self._of("add"):
            self.interval = plus(self.interval, self.function.fast.intervals.added(entry))
            group = self.function.program.stacking[entry.group] if entry.group else None
            if group is None or self._is_plain(group):
                _entry(self.function, entry, self.place, lambda gain: [self._add(gain)])
            else:
                kept = groups[entry.group] = groups.get(entry.group) or self._accumulators()
                _entry(self.function, entry, self.place, lambda gain, g=group, k=kept: self._compete(gain, g, k))  # type: ignore[misc]
        for kept in groups.values():
            self.function.body += [self._add(syntax.name(each)) for each in kept]
        for _, _, _, variable in mine:
            self.interval = None, None
            self.function.body.append(self._add(syntax.name(variable)))

    def _is_plain(self, group: Stacking) -> bool:
        return all(each in (None, "all") for each in (group.bonuses, group.penalties, group.all))

    def _add(self, gain: ast.expr) -> ast.stmt:
        if is_safe(self.interval):
            return syntax.add_to(self.value, gain)
        return syntax.assign(self.value, syntax.call("bounded", syntax.binary("+", syntax.name(self.value), gain)))

    def _accumulators(self) -> list[str]:
        """The best bonus and the worst penalty of a group, or what holds of both."""
        kept = [self.function.variable("b"), self.function.variable("p")]
        self.function.body += [syntax.assign(each, syntax.literal(0)) for each in kept]
        return kept

    def _compete(self, gain: ast.expr, group: Stacking, kept: list[str]) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        if not isinstance(gain, ast.Name | ast.Constant) and not _is_negative_literal(gain):
            variable = self.function.variable()
            before, gain = [syntax.assign(variable, gain)], syntax.name(variable)
        if group.all == "largest":
            return [*before, *self._largest(gain, group, kept[0])]
        higher, lower = (kept[0], kept[1]) if self.sign > 0 else (kept[1], kept[0])
        policies = (group.bonuses, group.penalties) if self.sign > 0 else (group.penalties, group.bonuses)
        above = self._side(gain, ">", policies[0], higher)
        below = self._side(gain, "<", policies[1], lower)
        return [*before, *above, *below]

    def _side(self, gain: ast.expr, sign: str, policy: str | None, kept: str) -> list[ast.stmt]:
        if policy == "largest":
            return syntax.when(_compared(gain, sign, syntax.name(kept)), [syntax.assign(kept, gain)])
        return syntax.when(_compared(gain, sign, syntax.literal(0)), [syntax.add_to(kept, gain)])

    def _largest(self, gain: ast.expr, group: Stacking, kept: str) -> list[ast.stmt]:
        size = syntax.call("abs", gain)
        if isinstance(gain, ast.Constant) and isinstance(gain.value, int):
            size = syntax.literal(abs(gain.value))
        best = syntax.call("abs", syntax.name(kept))
        wins = syntax.compared(size, (">", best))
        if group.tie:
            sign = ">" if (group.tie == "bonus") == (self.sign > 0) else "<"
            tied = syntax.both([syntax.compared(size, ("==", best)), _compared(gain, sign, syntax.literal(0))])
            wins = syntax.either([wins, tied])
        return syntax.when(wins, [syntax.assign(kept, gain)])

    def _products(self) -> None:
        products = self._of("multiply")
        if not products:
            return
        factor, rounded = self.function.variable("x"), self.function.variable("r")
        self.function.body += [syntax.assign(factor, syntax.literal(1)), syntax.assign(rounded, syntax.literal(0))]
        roundings = sorted({each.round for each in products if each.round})
        for entry in products:
            code = syntax.literal(roundings.index(entry.round) + 1) if entry.round else None
            _entry(self.function, entry, self.place, self._multiplier(factor, rounded, code))
        value = syntax.name(self.value)
        product = syntax.call("bounded", syntax.binary("*", value, syntax.name(factor)))
        then: list[ast.stmt] = [syntax.assign(self.value, product)]
        for at, name in enumerate(roundings):
            is_it = syntax.compared(syntax.name(rounded), ("==", syntax.literal(at + 1)))
            then += syntax.when(is_it, [syntax.assign(self.value, syntax.call(f"round_{name}", value))])
        is_multiplied = syntax.compared(syntax.name(factor), ("!=", syntax.literal(1)))
        is_rounded = syntax.compared(syntax.name(rounded), ("!=", syntax.literal(0)))
        self.function.body += syntax.when(syntax.either([is_multiplied, is_rounded]), then)

    def _multiplier(self, factor: str, rounded: str, code: ast.expr | None) -> Use:
        return lambda gain: self._multiply(gain, factor, rounded, code)

    def _multiply(self, gain: ast.expr, factor: str, rounded: str, code: ast.expr | None) -> list[ast.stmt]:
        product = syntax.call("bounded", syntax.binary("*", syntax.name(factor), gain))
        steps = [syntax.assign(factor, product)]
        return steps if code is None else [*steps, syntax.assign(rounded, code)]


def _is_negative_literal(gain: ast.expr) -> bool:
    return isinstance(gain, ast.UnaryOp) and isinstance(gain.operand, ast.Constant)


def _compared(gain: ast.expr, sign: str, other: ast.expr) -> ast.expr:
    """A comparison, settled where one side is a literal of the other sign."""
    if isinstance(gain, ast.Constant) and isinstance(gain.value, int):
        is_above = gain.value > 0
        if gain.value == 0 or is_above != (sign == ">"):
            return syntax.literal(False)
        if isinstance(other, ast.Constant):
            return syntax.literal(True)
    return syntax.compared(gain, (sign, other))
