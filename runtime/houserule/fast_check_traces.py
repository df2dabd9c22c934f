"""The trace of a check by generated code: which of its entries there are, each found or put together.

What a die, a value, an effect or a case has to say follows from the few facts and dice that it reads, so it is told
once by the reference evaluator for each combination of these. Entries with numbers inside are put together anew from
the parts of the numbers. The rest (numbers that read dice, or that are read only now and then; calls that adjust
numbers) is told by the reference evaluator each time.
"""

from __future__ import annotations

import ast
from functools import partial

from . import fast_syntax as syntax
from .assigned import Assigned, prefixed
from .errors import UnknownReadError
from .evaluate import Frame
from .expression import Attribute, ConditionRead, Has, NumberRead, Operation, Within
from .expression import parts as parts_of
from .facts import path_of
from .fast_checks import CheckFunction
from .fast_expressions import FACTS, Function, Place
from .fast_pieces import Numbers, Piece, Replayed, is_silent
from .procedure import Procedure
from .program import Effect, Step
from .reads import reads_locals, seat
from .trace import Entry, told_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .evaluate import Facts
    from .expression import Binding, Expr
    from .fast_pieces import Faces, Held, Tell
    from .fast_traces import Traces
    from .program import Case, Check, Die, Label, Value
    from .rounds import EventEffect


FOUND, FACES = "found", "faces"
_INLINED = 2
"""So many numbers are put together in place, and all others by their own functions."""


class CheckTrace:
    """What the traces of one check have in common: with its seats, and where it is called from."""

    def __init__(self, traces: Traces, check: Check, binding: Binding, runs_then: bool, prefix: str) -> None:
        self.traces = traces
        self.check = check
        self.binding = binding
        self.runs_then = runs_then
        self.prefix = prefix
        self.words = [word.id for word in check.outcomes]
        function = Function(traces.fast)
        function.inlines = _INLINED
        told = _Told(self, function)
        self.paths = tuple(told.variables)
        told.emit()
        self.function = traces.fast.namespace[traces.fast.add(function, (FOUND, FACES))]

    def root(self, left: tuple[Any, ...]) -> Entry:
        """The entry of the check, of its facts, what its function gave, and the faces of its dice."""
        facts, found, faces = left
        try:
            parts = self.function(facts, found, faces)
        except (KeyError, UnknownReadError):
            # A fact is not there that may not be read in the end, or a piece was forgotten just now.
            return self._replayed(facts, found, faces)
        label = self.check.label
        word, path = self.words[found[0]], f"checks.{label.id}"
        return Entry("check", label.id, word, "kept", label.title, "", (), label.source, path, parts)

    def _replayed(self, facts: Facts, found: tuple[Any, ...], faces: Faces) -> Entry:
        """The same by the reference evaluator."""
        values = dict(zip(self.paths, found[1:], strict=True))
        procedure = Procedure(self.traces.evaluator(facts), Replayed(values, faces))
        return procedure.check(self.check, Frame(self.binding), self.runs_then)[1]

    def procedure(self, facts: Facts, held: Held, faces: Faces) -> tuple[Procedure, Frame]:
        """What the reference evaluator tells pieces with, where `held` are the dice and values so far."""
        dice = Replayed({self.prefix + path: value for path, value in held.items()}, faces)
        return Procedure(self.traces.evaluator(facts), dice), Frame(self.binding, (), dict(held), self.prefix)


class _Told(CheckFunction):
    """The function that gives the entries of one check under construction."""

    def __init__(self, plan: CheckTrace, function: Function) -> None:
        super().__init__(function, plan.check, Place(plan.binding), plan.runs_then, False)
        self.plan = plan
        self.traces = plan.traces
        self.told: dict[tuple[str, Binding], tuple[str, str]] = {}
        self.numbers = Numbers(plan.traces.fast.program)
        self.assigned = Assigned(plan.traces.fast.program)
        self.entries = self.function.variable("e")
        self.after = self.function.variable("t")
        self.rule, self.values = f"checks.{plan.check.label.id}", ""
        function.told_before = self._told_before

    def emit(self) -> None:
        """The statements of the whole check."""
        body = self.function.body
        body.append(syntax.unpack([self.outcome, *self.variables.values()], syntax.name(FOUND)))
        body.append(syntax.assign(self.entries, ast.List([], ast.Load())))
        if len(self.steps) > 1:
            body.append(syntax.assign(self.at, syntax.literal(self.steps.index(self.check.start))))
        for at, id in enumerate(self.steps):
            inside = self._under(partial(self._named, self.check.steps[id], f".steps.{id}" if id else ""))
            is_here = syntax.compared(syntax.name(self.at), ("==", syntax.literal(at)))
            body += inside if len(self.steps) == 1 else syntax.when(is_here, inside)
        if self.runs_then:
            self._then()
        body.append(syntax.give(syntax.joined([syntax.name(self.entries)])))

    def _step(self, step: Step) -> None:
        """What follows an outcome."""
        word = next(word for word, each in self.check.then.items() if each is step)
        self._named(step, f".then.{word}")

    def _named(self, step: Step, at: str) -> None:
        """A step, whose entries stand in one of its own where it has a name."""
        outer, told, rule = self.entries, dict(self.told), f"checks.{self.check.label.id}"
        self.rule = rule + at
        has_after = any(case.outcome is not None and not is_silent(case.outcome) for case in step.cases)
        if has_after:
            self.function.body.append(syntax.assign(self.after, self.fast.constant(())))
        if step.label.id:
            self.entries = self.function.variable("e")
            self.function.body.append(syntax.assign(self.entries, ast.List([], ast.Load())))
        super()._step(step)
        inside, self.entries, self.told = self.entries, outer, told
        if step.label.id:
            parts = syntax.joined([syntax.name(inside)])
            self._append(self._entry("step", step.label, None, parts, rule + at))
        if has_after:
            self._append(ast.Starred(syntax.name(self.after), ast.Load()))

    def _under(self, emit: Callable[[], object], entry: ast.expr | None = None) -> list[ast.stmt]:
        """The statements that `emit` adds, apart, and before them one that adds an entry."""

        def both() -> None:
            if entry:
                self._append(entry)
            emit()

        return super()._under(both)

    def _append(self, entry: ast.expr) -> None:
        """A statement that adds an entry, or all of a tuple."""
        if isinstance(entry, ast.Starred):
            self.function.body.append(syntax.add_to(self.entries, entry.value))
            return
        append = syntax.attribute(syntax.name(self.entries), "append")
        self.function.body.append(syntax.evaluate(ast.Call(append, [entry], [])))

    def _entry(
        self,
        kind: str,
        label: Label,
        value: ast.expr | None,
        parts: ast.expr | None,
        path: str,
        status: str = "kept",
    ) -> ast.expr:
        """An entry that is made anew; one of nothing that varies is made now."""
        value, none = value or syntax.literal(None), self.fast.constant(())
        if parts is None:
            assert isinstance(value, ast.Constant)
            known: Any = (kind, label.id, value.value, status, label.title, "", (), label.source, path)
            return self.fast.constant(Entry(*known))
        texts = [syntax.literal(each) for each in (label.title, "")]
        lead = [syntax.literal(kind), syntax.literal(label.id), value, syntax.literal(status)]
        made = [*lead, *texts, none, syntax.literal(label.source), syntax.literal(path), parts]
        return ast.Call(self.fast.constant(Entry), made, [])

    def _cases(self, step: Step, cases: tuple[Case, ...]) -> None:
        """The first case that holds, after those that were tried."""
        case, rest = cases[0], cases[1:]
        path = f"{self.rule}.cases.{case.label.id}"
        if not rest:
            if case.label.id:
                self._append(self._entry("case", case.label, None, None, path))
            self._case(step, case)
            return
        assert case.when is not None
        place = self._place()
        condition, entries = self._tried(case, case.when, place, path)
        before, told = self.unsure, dict(self.told)
        guarded = {path for path in before if path in self._guarded(case.when, place)}
        self.unsure = before - guarded
        holds = self._under(lambda: self._case(step, case), entries[0])
        self.unsure, self.told = before, dict(told)
        fails = self._under(lambda: self._cases(step, rest), entries[1])
        self.told = told
        self.function.body += syntax.when(condition, holds, fails)

    def _guarded(self, when: Expr, place: Place) -> set[str]:
        known = set(self.function.guards(when, place))
        return {path for path in self.variables if f"local {path}" in known}

    def _tried(self, case: Case, when: Expr, place: Place, path: str) -> tuple[ast.expr, tuple[ast.expr, ast.expr]]:
        """The condition of a case, and its entry where it holds and where not."""
        at = self.rule
        states = ("kept", "does_not_apply")
        if is_silent(when):
            found = [self._entry("case", case.label, None, None, path, status) for status in states]
            return self.function.value(when, place), (found[0], found[1])
        notes = self._notes_with_numbers(when, place)
        if notes is not None:
            parts = self._kept(notes)
            found = [self._entry("case", case.label, None, parts, path, status) for status in states]
            return self.function.value(when, place), (found[0], found[1])
        pair = self._kept(self._piece([when], self._teller(lambda procedure, frame: procedure.tried(case, frame, at))))
        entry = syntax.element(pair, syntax.literal(1))
        return syntax.element(pair, syntax.literal(0)), (entry, entry)

    def _case(self, step: Step, case: Case) -> None:
        outer = self.rule
        if case.label.id:
            self.rule = f"{outer}.cases.{case.label.id}"
        super()._case(step, case)
        self.rule = outer

    def _end(self, case: Case) -> None:
        assert case.outcome is not None
        if not is_silent(case.outcome):
            tell = self._teller(lambda procedure, frame: procedure.outcome(self.check, case, frame)[1])
            self.function.body.append(syntax.assign(self.after, self._piece([case.outcome], tell)))
        if len(self.steps) > 1:
            self.function.body.append(syntax.assign(self.at, syntax.literal(-1)))

    def _die(self, die: Die, path: str) -> None:
        rule = f"{self.rule}.roll.{die.label.id}"
        full = self.plan.prefix + path

        def tell(facts: Facts, held: Held, value: Any, shown: tuple[int, ...] | None) -> Entry:
            known = {**held, path: value}
            procedure, frame = self.plan.procedure(facts, known, None if shown is None else {full: shown})
            return procedure.die(die, path, frame, rule)

        exprs = [each for each in (die.dice, die.when) if each is not None]
        value, faces = syntax.name(self.variables[path]), syntax.name(FACES)
        is_told = syntax.compared(faces, ("is", syntax.literal(None)))
        if die.when is not None:
            is_out = syntax.compared(value, ("is", syntax.name("UNKNOWN")))
            is_told = syntax.either([is_told, is_out])
        shown = syntax.chosen(is_told, syntax.literal(None), syntax.element(faces, syntax.literal(full)))
        self._append(self._piece(exprs, tell, [value, shown]))
        if die.when is None:
            self.unsure -= {path}

    def _value(self, value: Value, path: str) -> None:
        rule, place = f"{self.rule}.{self.values}.{value.label.id}", self._place()
        notes = self._notes_with_numbers(value.value, place)
        if notes is None:
            self._append(
                self._piece([value.value], self._teller(lambda each, frame: each.value(value, path, frame, rule)))
            )
        else:
            shown: ast.expr = syntax.name(self.variables[path])
            if value.type.kind not in ("integer", "boolean"):
                asking, type = self.traces.asking, value.type
                shown = ast.Call(self.fast.constant(lambda each: asking.shown(each, type)), [shown], [])
            self._append(self._entry("value", value.label, shown, notes, rule))
        self.unsure -= {path}

    def _effect(self, effect: Effect | EventEffect) -> None:
        rule = self.rule
        values = [effect.value] if isinstance(effect, Effect) else [value for _, value in effect.values]
        exprs = [each for each in (effect.when, *values) if each is not None]
        tell = self._teller(lambda procedure, frame: procedure.effect(effect, frame, rule))
        self._append(ast.Starred(self._piece(exprs, tell), ast.Load()))

    def _part(self, part: Step | Case, step: str) -> None:
        self.values = "values" if isinstance(part, Step) else "give"
        super()._part(part, step)

    def _call(self, step: Step) -> None:
        assert step.call
        lead, path = f"{step.label.id}." if step.label.id else "", prefixed(step.label.id, "outcome")
        self.unsure -= {path}
        called = self.fast.program.checks[step.call.check]
        if step.call.adjusts:
            tell = self._teller(lambda procedure, frame: procedure.call(step, frame))
            self._append(self._told_anew(tell, [syntax.name(FACES)]))
            return
        binding = seat(self.binding, step.call.seats)
        plan = self.traces.check(called, binding, step.call.runs_then, self.plan.prefix + lead)
        found = syntax.sequence(
            syntax.name(self.variables[each])
            for each in (path, *(prefixed(step.label.id, inner) for inner in plan.paths))
        )
        parts = ast.Call(self.fast.constant(plan.function), [syntax.name(FACTS), found, syntax.name(FACES)], [])
        word = syntax.element(self.fast.constant(tuple(plan.words)), syntax.name(self.variables[path]))
        self._append(self._entry("call", called.label, word, parts, f"checks.{called.label.id}"))

    def _piece(self, exprs: list[Expr], tell: Tell, more: list[ast.expr] | None = None) -> ast.expr:
        """What is told once for each combination of what some expressions read, and of something more."""
        if self.numbers.read_by(exprs, self.binding):
            return self._told_anew(tell, more)
        paths = sorted(set(map(path_of, self.traces.reader.of(exprs, self.binding))))
        locals = sorted(self.assigned.read_by(exprs))
        more = [self._kept(each) for each in more or []]
        held = [(each, syntax.name(self.variables[each])) for each in locals]
        reads = [*map(self.function.fact, paths), *(variable for _, variable in held), *more]
        key = reads[0] if len(reads) == 1 else self._kept(syntax.sequence(reads))
        piece = Piece(tell)
        memo = self.fast.constant(piece.memo)
        made = ast.Call(self.fast.constant(piece), [key, syntax.name(FACTS), syntax.mapping(held), *more], [])
        return syntax.chosen(syntax.compared(key, ("in", memo)), syntax.element(memo, key), made)

    def _told_anew(self, tell: Tell, more: list[ast.expr] | None) -> ast.expr:
        held = syntax.mapping((path, syntax.name(variable)) for path, variable in self.variables.items())
        return ast.Call(self.fast.constant(tell), [syntax.name(FACTS), held, *(more or [])], [])

    def _kept(self, value: ast.expr) -> ast.expr:
        """A value that can stand more than once."""
        if isinstance(value, ast.Name | ast.Constant):
            return value
        kept = self.function.variable("q")
        self.function.body.append(syntax.assign(kept, value))
        return syntax.name(kept)

    def _notes_with_numbers(self, expr: Expr, place: Place) -> ast.expr | None:
        """The entries of what an expression reads, numbers among it, in order; None where it reads none, or where
        which it reads depends on what it reads."""
        if not self.numbers.read_by([expr], self.binding):
            return None
        told, body = dict(self.told), list(self.function.body)
        notes = self._notes(expr, place)
        if notes is None:
            self.told, self.function.body[:] = told, body
            return None
        found = syntax.sequence(notes)
        return found if len(notes) == 1 else ast.Call(self.fast.constant(told_apart), [found], [])

    def _notes(self, expr: Expr, place: Place) -> list[ast.expr] | None:
        if is_silent(expr):
            return []
        if not self.numbers.read_by([expr], self.binding):
            tell = self._teller(lambda procedure, frame: procedure.evaluator.noted(expr, frame)[1])
            return [ast.Starred(self._piece([expr], tell), ast.Load())]
        match expr:
            case NumberRead():
                return self._number(expr, place)
            case Operation("and" | "or" | "if", _):
                return None
            case Operation() | Within() | Has() | Attribute():
                each = [self._notes(part, place) for part in parts_of(expr)]
                return None if None in each else [note for some in each for note in some or ()]
            case ConditionRead(id):
                condition = self.fast.program.conditions[id]
                parts = self._notes_with_numbers(condition.when, place)
                if parts is None:
                    return None
                holds = syntax.inverted(syntax.inverted(self.function.value(condition.when, place)))
                return [self._entry("condition", condition.label, holds, parts, f"conditions.{id}")]
        return None

    def _teller(self, ask: Callable[[Procedure, Frame], Any]) -> Tell:
        """What asks the reference evaluator, in a situation with the dice and values so far."""
        return lambda facts, held, faces=None: ask(*self.plan.procedure(facts, held, faces))

    def _number(self, expr: NumberRead, place: Place) -> list[ast.expr] | None:
        declared = self.fast.program.numbers[expr.id]
        if declared.within or reads_locals(self.fast.program, expr.id):
            return None
        key = expr.id, place.seated(expr.roles).seated(declared.seats).binding
        if key not in self.told:
            plan = self.traces.of(*key)
            value, parts, entry = (self.function.variable("n") for _ in range(3))
            if self.function.inlines:
                self.function.inlines -= 1
                for variable, found in zip((value, parts), plan.found(self.function), strict=True):
                    self.function.body.append(syntax.assign(variable, found))
            else:
                found = ast.Call(self.fast.constant(plan.function), [syntax.name(FACTS)], [])
                self.function.body.append(syntax.unpack([value, parts], found))
            shown = plan.shown(syntax.name(value))
            made = self._entry("number", declared.label, shown, syntax.name(parts), plan.path)
            self.function.body.append(syntax.assign(entry, made))
            self.told[key] = value, entry
        return [syntax.name(self.told[key][1])]

    def _told_before(self, expr: NumberRead, place: Place) -> ast.expr | None:
        """The variable of a number that was told."""
        seats = self.fast.program.numbers[expr.id].seats
        found = self.told.get((expr.id, place.seated(expr.roles).seated(seats).binding))
        return None if found is None else syntax.name(found[0])
