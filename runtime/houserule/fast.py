"""The fast evaluator: a function for each number and check, generated on first use from the verified program.

Generated as Python syntax trees from verified nodes, never as text, and run without any builtins. The functions take
checked facts by path and give what the reference evaluator gives, or raise what it raises.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .arithmetic import ROUNDING, STRICT, bounded
from .errors import ArtifactError, UnknownReadError, UnusualError
from .evaluate import Evaluator, Frame, pool_of, row_of
from .expression import Constant, Key, Operation, OptionRead, Within, parts
from .fast_expressions import STRICT_NAMES, Function, Place
from .fast_numbers import emit_number, settled, whole
from .intervals import Intervals
from .program import Cell
from .values import UNKNOWN, exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from .evaluate import Facts, Value
    from .expression import Expr, Lookup
    from .fast_chances import Chances
    from .fast_checks import Made
    from .fast_traces import Traces
    from .program import Check, Number, Program, Table

    Exact: TypeAlias = Any
    Generated: TypeAlias = Callable[..., Any]

_FOLDED = 65_536
"""How many combinations of keys a table is unfolded for at most."""


class Fast:
    """The generated functions of one program with its options chosen."""

    def __init__(self, program: Program, options: Mapping[str, Value]) -> None:
        self.program = program
        self.options = options
        self.intervals = Intervals(program, options)
        self.namespace: dict[str, Any] = {
            "UNKNOWN": UNKNOWN,
            "UnknownReadError": UnknownReadError,
            "bounded": bounded,
            "exact": exact,
            "min": min,
            "max": max,
            "abs": abs,
            "unread": _unread,
            "unread_local": _unread_local,
            "word_in": _word_in,
            "found_row": _found_row,
            "settled": settled,
            "whole": whole,
            "pool_of": pool_of,
            "own_outcome": _own_outcome,
            "unusual": _unusual,
            "stacking": program.stacking,
            **{f"round_{name}": rounding for name, rounding in ROUNDING.items()},
            **{STRICT_NAMES[operator]: function for operator, function in STRICT.items()},
        }
        self.count = 0
        self.asked: dict[str, Callable[[Facts], Exact]] = {}
        self.functions: dict[object, tuple[str, bool]] = {}
        self.checks: dict[object, Made] = {}
        self.constants: dict[int, tuple[object, str]] = {}
        self._chances: Chances | None = None
        self._traces: Traces | None = None
        self.known: dict[str, object] = {}
        self.folded_tables: dict[object, str | None] = {}

    def number(self, id: str) -> Callable[[Facts], Exact]:
        """The function of a number that is asked for itself: from checked facts to its value."""
        if id not in self.asked:
            self.asked[id] = self._asked(self.program.numbers[id])
        return self.asked[id]

    def _asked(self, declared: Number) -> Callable[[Facts], Exact]:
        """What a number needs is tested first, whether or not it is read in the end."""
        place = Place().seated(declared.seats)
        name, _ = self._number(declared.label.id, place)
        if declared.needs:
            function = Function(self)
            self.emit_needs(function, declared, place)
            function.body.append(syntax.give(syntax.call(name, syntax.name("facts"))))
            name = self.add(function, ())
        return self.namespace[name]  # type: ignore[no-any-return]

    def emit_needs(self, function: Function, declared: Number, place: Place) -> None:
        """Statements that test what a number needs."""
        for read in declared.needs:
            path = syntax.literal(function.known_path(read, place))
            missing = syntax.inverted(function.is_known(read, place))
            function.body += syntax.when(missing, [syntax.evaluate(syntax.call("unread", path))])

    def check(self, id: str) -> tuple[Generated, tuple[str, ...]]:
        """The function of a check that is rolled itself, and the paths of what it gives after the outcome."""
        made = self.check_function(self.program.checks[id], Place(), True)
        return self.namespace[made.name], made.paths

    def check_function(self, check: Check, place: Place, runs_then: bool, is_given: bool = False) -> Made:
        """The function of a check; `is_given` is one whose dice are given."""
        from .fast_checks import DICE, EFFECTS, PREFIX, ROLL, CheckFunction, Made

        shape = tuple(each[:3] for each in place.adjusts)
        key = check.label.id, place.binding, shape, runs_then, is_given
        if key not in self.checks:
            adjusts = tuple((*each, f"a{at}") for at, each in enumerate(shape))
            function = Function(self)
            made = CheckFunction(function, check, Place(place.binding, adjusts=adjusts), runs_then, is_given)
            made.emit()
            function.body.append(syntax.give(made.found()))
            parameters = (DICE if is_given else ROLL, EFFECTS, PREFIX, *(each[3] for each in adjusts))
            name = self.add(function, parameters)
            self.checks[key] = Made(name, tuple(made.variables), function.raises, made.pools, made.spans)
        return self.checks[key]

    @property
    def chances(self) -> Chances:
        """What makes the functions for odds."""
        from .fast_chances import Chances

        self._chances = self._chances or Chances(self)
        return self._chances

    @property
    def traces(self) -> Traces:
        """What puts traces together."""
        from .fast_traces import Traces

        self._traces = self._traces or Traces(self)
        return self._traces

    def situations(self) -> list[tuple[frozenset[str], frozenset[str], Callable[[Facts], bool]]]:
        """Of each impossible situation the facts and roles that it is about, and a function that tells if it holds."""
        from .facts import path_of
        from .reads import Reader

        found = []
        for situation in self.program.impossible.values():
            function, place = Function(self), Place()
            known = [function.is_known(read, place) for read in situation.needs]
            place = place.knowing(*(function.known_path(read, place) for read in situation.needs))
            holds = syntax.both([*known, function.value(situation.when, place)])
            body: list[ast.stmt] = [syntax.give(holds)]
            function.body = [syntax.attempt(body, ["UnknownReadError"])] if function.raises else body
            function.body.append(syntax.give(syntax.literal(False)))
            reads = Reader(self.program).of([situation.when])
            roles = frozenset(read[1] for read in reads if read[0] == "field")
            paths = frozenset(map(path_of, reads))
            found.append((paths, roles, self.namespace[self.add(function, ())]))
        return found

    def constant(self, value: object) -> ast.expr:
        """A value that is known now."""
        if isinstance(value, int | str):
            return syntax.literal(value)
        key = id(value)
        if key not in self.constants:
            name = f"k{len(self.constants)}"
            # The value is kept beside its identity, which stays its own only while it lives.
            self.constants[key] = value, name
            self.namespace[name] = self.known[name] = value
        return syntax.name(self.constants[key][1])

    def is_constant(self, value: object) -> bool:
        """Whether a value stands in the generated code: it lives as long, and its identity is its own."""
        return id(value) in self.constants

    def value_of(self, value: ast.expr) -> object:
        """The value of an expression that is known now; None of any other."""
        if isinstance(value, ast.Constant):
            return value.value
        return self.known.get(value.id) if isinstance(value, ast.Name) else None

    def operator(self, operator: str) -> str:
        """The name of the reference evaluator's own operator."""
        return operator if operator in ("min", "max", "abs") else STRICT_NAMES[operator]

    def folded(self, operator: str, values: list[Any]) -> object:
        """What an operator gives for values that are known now; None where a tampered artifact lets it give nothing,
        which is told where it is read, and only then."""
        try:
            return bounded(STRICT[operator](*values))
        except ArtifactError:
            return None

    def read_number(self, function: Function, id: str, place: Place) -> ast.expr:
        """A number that an expression reads: worked out in place where it has no entries, else by its own function."""
        declared = self.program.numbers[id]
        inner = place.seated(declared.seats).changed(owner="", keys=())
        mine = tuple(each for each in inner.adjusts if each[0] == id)
        is_once = function.remembered is not None and not self._locals(id, inner)
        if not declared.entries and not mine and declared.type.kind == "integer" and not is_once:
            found = function.value(declared.base, inner)
            is_sure = None not in self.intervals.of(declared.base)
            return found if is_sure or isinstance(found, ast.Constant) else syntax.call("whole", found)
        if function.inlines and not mine and not self._locals(id, inner):
            function.inlines -= 1
            return emit_number(function, declared, Place(inner.binding, adjusts=inner.adjusts))
        name, raises = self._number(id, inner)
        function.raises |= raises
        found = syntax.call(name, syntax.name("facts"), *self._passed(id, inner))
        return function.once((name, inner.adjusts), found) if is_once else found

    def _passed(self, id: str, place: Place) -> list[ast.expr]:
        """The variables that a number's function wants beside the facts: what callers adjust, and locals."""
        adjusts = [syntax.name(variable) for _, _, _, variable in place.adjusts]
        return [*adjusts, *(syntax.name(variable) for variable, _ in self._locals(id, place).values())]

    def _locals(self, id: str, place: Place) -> dict[str, tuple[str, bool]]:
        """The locals that a number may read, itself or through others."""
        if not place.locals:
            return {}
        from .assigned import Assigned

        wanted = Assigned(self.program).read_by_number(id)
        return {path: found for path, found in sorted(place.locals.items()) if path in wanted}

    def _number(self, id: str, place: Place) -> tuple[str, bool]:
        """The name of a number's function, and whether it may come upon something unknown."""
        declared = self.program.numbers[id]
        locals = self._locals(id, place)
        shape = tuple(each[:3] for each in place.adjusts)
        key = id, place.binding, shape, tuple((path, unknown) for path, (_, unknown) in locals.items())
        if key not in self.functions:
            adjusts = tuple((*each, f"a{at}") for at, each in enumerate(shape))
            inside = {path: (f"l{at}", unknown) for at, (path, (_, unknown)) in enumerate(locals.items())}
            function = Function(self)
            inner = Place(place.binding, "", (), inside, frozenset(), adjusts)
            function.body.append(syntax.give(emit_number(function, declared, inner)))
            parameters = (*(each[3] for each in adjusts), *(variable for variable, _ in inside.values()))
            self.functions[key] = self.add(function, parameters), function.raises
        return self.functions[key]

    def add(self, function: Function, parameters: tuple[str, ...]) -> str:
        """Compiles a function of facts; its name in the namespace."""
        return self._compiled(lambda name: function.define(name, parameters))

    def added(self, parameters: tuple[str, ...], body: list[ast.stmt]) -> Generated:
        """Compiles a function of the given statements."""
        return self.namespace[self._compiled(lambda name: syntax.function(name, parameters, body))]  # type: ignore[no-any-return]

    def _compiled(self, define: Callable[[str], ast.FunctionDef]) -> str:
        self.count += 1
        name = f"function_{self.count}"
        syntax.add_to_namespace(define(name), self.namespace)
        return name

    def look_up(self, function: Function, expr: Lookup, keys: list[ast.expr], place: Place) -> ast.expr:
        """A cell of a table."""
        table = self.program.tables[expr.table]
        ranges = [function.interval(key, place) for key in expr.keys]
        folded = self._unfolded(table, expr.column, ranges)
        if folded is not None:
            return _indexed(syntax.name(folded), keys, ranges)
        return self._searched(function, table, expr.column, keys, place)

    def _unfolded(self, table: Table, column: str, ranges: list[Any]) -> str | None:
        """The name of a tuple with a cell for each combination of keys, where they are few and all have one."""
        key = table.label.id, column, tuple(ranges)
        if key not in self.folded_tables:
            self.folded_tables[key] = self._unfold(table, column, ranges)
        return self.folded_tables[key]

    def _unfold(self, table: Table, column: str, ranges: list[Any]) -> str | None:
        from itertools import product
        from math import prod

        if any(None in each for each in ranges) or prod(high - low + 1 for low, high in ranges) > _FOLDED:
            return None
        position = table.positions[column]
        cells = [row[position] for row in table.rows]
        if not all(_is_of_keys(cell.expr) for cell in cells if isinstance(cell, Cell)):
            return None
        evaluator, frame = Evaluator(self.program, {}, self.options, None), Frame()
        every = product(*(range(low, high + 1) for low, high in ranges))
        found = tuple(evaluator.cell(table, column, keys, frame) for keys in every)
        return None if None in found else self._kept(found)

    def _kept(self, value: object) -> str:
        kept = self.constant(value)
        assert isinstance(kept, ast.Name)
        return kept.id

    def _cell(self, table: Table, position: int, cell: object) -> object:
        return pool_of(cell) if table.columns[position].type.kind == "dice" else cell  # type: ignore[arg-type]

    def _searched(self, function: Function, table: Table, column: str, keys: list[ast.expr], place: Place) -> ast.expr:
        """A cell that is searched for: the row first, then the cell, which may have to be worked out."""
        position = table.positions[column]
        cells = [row[position] for row in table.rows]
        row = self._row(function, table, keys)
        worked = {at: cell for at, cell in enumerate(cells) if isinstance(cell, Cell)}
        plain = self._kept(
            tuple(None if at in worked else self._cell(table, position, each) for at, each in enumerate(cells))
        )
        if not worked:
            return syntax.element(syntax.name(plain), row)
        kept = [function.variable() for _ in keys]
        inner = place.changed(owner="", keys=tuple(syntax.name(each) for each in kept))
        at = function.variable()
        bound = syntax.sequence(syntax.named(id, key) for id, key in zip(kept, keys, strict=True))
        found: ast.expr = syntax.element(syntax.name(plain), syntax.name(at))
        for number, cell in worked.items():
            value = function.value(cell.expr, inner)
            if table.columns[position].type.kind == "dice":
                value = syntax.call("pool_of", value)
            found = syntax.chosen(syntax.compared(syntax.name(at), ("==", syntax.literal(number))), value, found)
        row = self._row(function, table, [syntax.name(each) for each in kept])
        parts = syntax.sequence([bound, syntax.named(at, row), found])
        return syntax.element(parts, syntax.literal(2))

    def _row(self, function: Function, table: Table, keys: list[ast.expr]) -> ast.expr:
        index = self.constant(table.index) if not isinstance(table.index, int) else syntax.literal(table.index)
        return syntax.call("found_row", syntax.literal(table.label.id), index, syntax.sequence(keys))


def _is_of_keys(expr: Expr) -> bool:
    """Whether a cell follows from its keys alone."""
    is_plain = isinstance(expr, int | Constant | Key | Operation | Within | OptionRead)
    return is_plain and all(map(_is_of_keys, parts(expr)))


def _indexed(cells: ast.expr, keys: list[ast.expr], ranges: list[Any]) -> ast.expr:
    """The cell at some keys of a tuple that runs over all combinations, the last key fastest."""
    at: ast.expr | None = None
    for key, (low, high) in zip(keys, ranges, strict=True):
        here = key if low == 0 else syntax.binary("-", key, syntax.literal(low))
        at = here if at is None else syntax.binary("+", syntax.binary("*", at, syntax.literal(high - low + 1)), here)
    assert at is not None
    return syntax.element(cells, at)


def _unread(path: str) -> object:
    raise UnknownReadError(path)


def _unread_local(path: str) -> object:
    raise UnknownReadError(path, is_local=True)


def _unusual() -> object:
    raise UnusualError


def _word_in(cells: tuple[object, ...], word: int) -> object:
    if not 0 <= word < len(cells):
        raise ArtifactError(f"this artifact is damaged: a choice has no word {word}")
    return cells[word]


def _own_outcome(code: object, count: int, check: str) -> int:
    if not isinstance(code, int) or not 0 <= code < count:
        raise ArtifactError(f"this artifact is damaged: check `{check}` ends in no outcome of its own")
    return code


def _found_row(table: str, index: Any, keys: tuple[int, ...]) -> int:
    row = row_of(index, keys)
    if row is None:
        raise ArtifactError(f"this artifact is damaged: table `{table}` has no row for what is looked up in it")
    return row
