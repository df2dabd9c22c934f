"""Explanations of numbers, put together from parts that were told before.

What a trace says of the base, of one modifier, or of those that compete with each other follows from the few facts
that they read. So the reference evaluator tells each such part once for each combination of these facts, and
generated code finds it again. Parts are frozen; many traces share them.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .evaluate import Evaluator, Frame
from .expression import Known
from .facts import path_of
from .fast_entry import Head
from .fast_expressions import FACTS, Function, Place
from .fast_numbers import emit_number
from .fast_pieces import Piece
from .numbers import base_entry, entries_together
from .program import expressions_of_entry
from .reads import Reader
from .trace import Trace, labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from . import program
    from .evaluate import Facts, Value
    from .expression import Binding, Expr
    from .facts import GivenFacts
    from .fast import Fast
    from .fast_check_traces import CheckTrace
    from .fast_facts import Usual
    from .program import Check, Number
    from .trace import Entry

    Told: TypeAlias = tuple[tuple[Entry, ...], ...]
    """Of each entry of a number what the trace says."""


class Part(Piece):
    """A part of a number's trace: told once for each combination of the facts that it reads."""

    __slots__ = ("paths",)

    def __init__(self, paths: Iterable[str], tell: Callable[[Facts], Told]) -> None:
        super().__init__(tell)
        self.paths = tuple(sorted(paths))


class NumberTrace:
    """The trace of one number with the seats that it is read with: its parts, and the function that finds them."""

    def __init__(self, traces: Traces, declared: Number, binding: Binding) -> None:
        self.traces = traces
        self.declared = declared
        self.binding = binding
        groups: dict[str, list[program.Entry]] = {}
        order: list[tuple[int, int]] = []
        keys = _competing(declared)
        for key, entry in zip(keys, declared.entries, strict=True):
            groups.setdefault(key, []).append(entry)
            order.append((1 + list(groups).index(key), len(groups[key]) - 1))
        self.order = ((0, 0), *order)
        self.path = f"numbers.{declared.label.id}"
        self.parts = [self._part([declared.base], self._base)]
        for entries in groups.values():
            exprs = [expr for entry in entries for expr in expressions_of_entry(entry)]
            exprs += [Known(read) for entry in entries for read in entry.needs]
            self.parts.append(self._part(exprs, lambda facts, some=tuple(entries): self._entries(some, facts)))  # type: ignore[misc]
        self.function = self._generated()

    def root(self, left: tuple[Any, ...]) -> Entry:
        """The entry of the number, of its value and the parts that were found."""
        value, parts = left
        label, type = self.declared.label, self.declared.type
        shown = value if type.kind == "integer" else self.traces.asking.shown(value, type)
        return labelled("number", label, shown, parts, path=self.path)

    def shown(self, value: ast.expr) -> ast.expr:
        """The value as callers see it."""
        type, asking = self.declared.type, self.traces.asking
        if type.kind == "integer":
            return value
        return ast.Call(self.traces.fast.constant(lambda each: asking.shown(each, type)), [value], [])

    def emit(self, function: Function) -> ast.expr:
        """Statements that find the parts; the value and the entries."""
        return syntax.sequence(self.found(function))

    def found(self, function: Function) -> tuple[ast.expr, ast.expr]:
        """Statements that find the parts; the value, and the entries of all parts in their order."""
        value, found = emit_number(function, self.declared, Place(self.binding)), list[str]()
        for part in self.parts:
            reads = [function.fact(path) for path in part.paths]
            key: ast.expr = reads[0] if len(reads) == 1 else syntax.sequence(reads)
            if len(reads) != 1:
                kept = function.variable("q")
                function.body.append(syntax.assign(kept, key))
                key = syntax.name(kept)
            constant = self.traces.fast.constant
            memo = constant(part.memo)
            made = ast.Call(constant(part), [key, syntax.name(FACTS)], [])
            is_there = syntax.compared(key, ("in", memo))
            found.append(function.variable("e"))
            function.body.append(syntax.assign(found[-1], syntax.chosen(is_there, syntax.element(memo, key), made)))
        entries = [syntax.element(syntax.name(found[part]), syntax.literal(at)) for part, at in self.order]
        return value, syntax.joined(entries)

    def _generated(self) -> Callable[[Facts], tuple[Any, ...]]:
        function = Function(self.traces.fast)
        function.body.append(syntax.give(self.emit(function)))
        return self.traces.fast.namespace[self.traces.fast.add(function, ())]  # type: ignore[no-any-return]

    def _part(self, exprs: list[Expr], tell: Callable[[Facts], Told]) -> Part:
        return Part(map(path_of, self.traces.reader.of(exprs, self.binding)), tell)

    def _base(self, facts: Facts) -> Told:
        return ((base_entry(self.traces.evaluator(facts), self.declared, Frame(self.binding)),),)

    def _entries(self, entries: tuple[program.Entry, ...], facts: Facts) -> Told:
        return entries_together(self.traces.evaluator(facts), self.declared, entries, Frame(self.binding))


def _competing(declared: Number) -> list[str]:
    """For each entry what it has in common with those on which its part in the trace depends, and them on it."""
    with_sets = {each.group for each in declared.entries if each.op == "set" and each.group}
    return [
        "set" if each.op == "set" or each.group in with_sets else f"group {each.group}" if each.group else f"alone {at}"
        for at, each in enumerate(declared.entries)
    ]


class Traces:
    """The traces of one program's numbers, with its options chosen."""

    def __init__(self, fast: Fast) -> None:
        self.fast = fast
        self.reader = Reader(fast.program)
        self.asking = Evaluator(fast.program, {}, fast.options, None)
        self.numbers: dict[tuple[str, Binding], NumberTrace] = {}
        self.checks: dict[tuple[str, Binding, bool, str], CheckTrace] = {}

    def of(self, id: str, binding: Binding) -> NumberTrace:
        """The trace of a number; made at first use."""
        key = id, binding
        if key not in self.numbers:
            self.numbers[key] = NumberTrace(self, self.fast.program.numbers[id], binding)
        return self.numbers[key]

    def check(self, check: Check, binding: Binding = (), runs_then: bool = True, prefix: str = "") -> CheckTrace:
        """The trace of a check that is called with some seats, by the step at a path; made at first use."""
        from .fast_check_traces import CheckTrace

        key = check.label.id, binding, runs_then, prefix
        if key not in self.checks:
            self.checks[key] = CheckTrace(self, check, binding, runs_then, prefix)
        return self.checks[key]

    def evaluator(self, facts: Facts) -> Evaluator:
        """A reference evaluator that notes what it reads, and takes numbers from here."""
        return TracingEvaluator(self, facts, self.fast.options)

    def explaining(
        self, usual: Usual, declared: Number, reads: frozenset[Any], slow: Callable[[GivenFacts], Trace]
    ) -> Callable[[GivenFacts], Trace]:
        """The function that explains a number which is asked for itself."""
        head = Head(usual, reads)
        binding = Place().seated(declared.seats).binding
        self.fast.emit_needs(head.function, declared, Place(binding))
        plan = self.of(declared.label.id, binding)
        arguments = [plan, self.fast.program.origins]
        left = plan.emit(head.function)
        made = [syntax.literal(None), *map(self.fast.constant, reversed(arguments)), left]
        head.function.body.append(syntax.give(ast.Call(self.fast.constant(Trace), made, [])))
        return head.define((), head.function.body, slow)


class TracingEvaluator(Evaluator):
    """The reference evaluator, for which the numbers that read no dice are told by `Traces`."""

    def __init__(self, traces: Traces, facts: Facts, options: Mapping[str, Value]) -> None:
        super().__init__(traces.fast.program, facts, options, [])
        self.traces = traces

    def number(self, id: str, frame: Frame) -> Any:
        """The value of a number."""
        declared = self.program.numbers[id]
        inner = frame.seated(declared.seats)
        key = id, inner.binding, inner.adjusts
        if self.notes is not None and not declared.within and not inner.adjusts and key not in self.numbers:
            plan = self.traces.of(id, inner.binding)
            try:
                left = plan.function(self.facts)
            except KeyError:
                # A fact is not there that may not be read in the end, or a part was forgotten just now.
                return super().number(id, frame)
            self.numbers[key] = left[0], plan.root(left)
        return super().number(id, frame)
