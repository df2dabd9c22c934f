"""Exact odds as one Python function a check: loops over how dice fall, whole numbers as weights, equal states merged.

What of a check must be followed is as in `odds`; so are states. How many ways there are in all is known before, and
weights are only added up. A called check is worked out once for each way it is called; a number that reads no dice is
worked out once.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .assigned import prefixed
from .dice import Pool, weights
from .errors import UnusualError
from .fast_expressions import FACTS, UNKNOWN, Function, Place, local_name
from .fast_ways import LOOSE, Counted, Falls, Target, Way, Whole, is_loose, whole_of
from .intervals import ANY, union
from .odds import Plans
from .questions import places
from .reads import seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from .expression import Binding, Expr
    from .fast import Fast
    from .intervals import Interval
    from .program import Case, Check, Die, Step, Value

    Then: TypeAlias = Callable[[Way], None]

_MOST = 1_000_000
"""So many ways are followed by generated code at most."""


class Chances:
    """Makes the functions for the odds of one program's checks."""

    def __init__(self, fast: Fast) -> None:
        self.fast = fast
        self.plans = Plans(fast.program)
        self.made: dict[object, Counted] = {}
        fast.namespace["pairs"] = _pairs
        fast.namespace |= {"counted": _counted, "falls_of": Falls().of, "whole_of": whole_of}
        self.loose: dict[tuple[int, Binding], str] = {}

    def function(self, check: Check, place: Place, wanted: frozenset[str], runs_then: bool) -> Counted:
        """The function of a check that is called. Raises `UnusualError` where generated code is not for it."""
        shape = tuple(each[:3] for each in place.adjusts)
        key = check.label.id, place.binding, shape, wanted, runs_then
        if key not in self.made:
            adjusts = tuple((*each, f"a{at}") for at, each in enumerate(shape))
            made = Walk(self, Function(self.fast), check, Place(place.binding, adjusts=adjusts), wanted, runs_then)
            end = made.emit()
            of = end.whole()
            pairs = "pairs" if end.names else "counted"
            made.function.body.append(syntax.give(syntax.call(pairs, syntax.name(end.variable))))
            name = self.fast.add(made.function, tuple(each[3] for each in adjusts))
            many = end.many if end.names else len(check.outcomes)
            raises = made.function.raises
            self.made[key] = Counted(name, end.names, of, many, made.work, raises, made.spans, made.loose)
        return self.made[key]

    def name(self, expr: Expr, binding: Binding) -> str:
        """The name of a loose die in all functions."""
        return self.loose.setdefault((id(expr), binding), f"n{len(self.loose)}")


class Walk:
    """The walk through one check under construction."""

    def __init__(
        self, chances: Chances, function: Function, check: Check, place: Place, wanted: frozenset[str], runs_then: bool
    ) -> None:
        self.chances = chances
        self.fast = chances.fast
        self.function = function
        self.check = check
        self.binding = place.binding
        self.adjusts = place.adjusts
        self.then = check.then if runs_then else {}
        self.plan = chances.plans.of(check, wanted, runs_then)
        self.wanted = wanted
        self.variables = {path: function.variable("d") for path, _ in places(self.fast.program, check, runs_then)}
        # The dice and values that are there, and whether each may be unknown.
        self.scope: dict[str, bool] = {}
        self.spans: dict[str, Interval] = {}
        self.work = 0
        self.starts: list[ast.stmt] = []
        self.loose: dict[str, tuple[Expr, Binding]] = {}
        function.remembered = {}
        self.end = self._target(self.plan.ending, is_end=True)
        self.targets = {name: self._target(self.plan.states[name]) for name in check.steps}

    def emit(self) -> Target:
        """The statements of the whole walk; where its ends are."""
        self._step(self.check.steps[self.check.start], Way("", Whole(), 1))
        for name, step in self.check.steps.items():
            target = self.targets[name]
            if target.sources:
                self._states(target, lambda way: self._step(step, way))  # noqa: B023
        if self.then:
            self._followed()
        for name, (expr, binding) in self.loose.items():
            self._start(name, self.function.value(expr, Place(binding)))
        remembered = (self.function.remembered or {}).values()
        self.function.body[:0] = [*self.starts, *(syntax.assign(each, syntax.literal(None)) for each in remembered)]
        return self.end

    def _start(self, name: str, pool: ast.expr) -> None:
        """The falls of a loose die; none where it is not known, and then it must not be rolled."""
        falls = f"falls_{name}"
        known = [
            syntax.assign(falls, syntax.call("falls_of", pool)),
            syntax.assign(name, syntax.call("whole_of", syntax.name(falls))),
        ]
        unknown = [syntax.assign(falls, syntax.literal(None)), syntax.assign(name, syntax.literal(1))]
        self.starts.append(syntax.attempt(known, ["UnknownReadError"], unknown))

    def _followed(self) -> None:
        """The ends after what follows each outcome."""
        before, self.end = self.end, self._target(self.wanted, is_end=True)
        code = self.function.variable("o")
        steps = {at: self.then.get(outcome.id) for at, outcome in enumerate(self.check.outcomes)}

        def goes_on(way: Way) -> None:
            chain: list[ast.stmt] = syntax.apart(self.function, lambda: self._add(self.end, way, syntax.name(code)))
            for at, step in steps.items():
                if step is not None:
                    inside = syntax.apart(self.function, lambda: self._step(step, way, at))  # noqa: B023
                    chain = syntax.when(syntax.compared(syntax.name(code), ("==", syntax.literal(at))), inside, chain)
            self.function.body += chain

        self._states(before, goes_on, code)

    def _target(self, names: Iterable[str], is_end: bool = False) -> Target:
        target = Target(self.function.variable("t"), names, is_end)
        start: ast.expr = syntax.mapping(()) if target.names else syntax.literal(0)
        if is_end and not target.names:
            start = ast.List([syntax.literal(0) for _ in self.check.outcomes], ast.Load())
        self.starts.append(syntax.assign(target.variable, start))
        return target

    def _states(self, target: Target, emit: Then, code: str = "") -> None:
        """Goes over the states of a target."""
        of = target.whole()
        if not target.is_end and not target.names:
            self.function.body += syntax.when(
                syntax.name(target.variable), syntax.apart(self.function, lambda: emit(Way(target.variable, of, 1)))
            )
            return
        weight = self.function.variable("w")
        key = [self.variables[path] for path in target.names]
        targets = [ast.Name(each, ast.Store()) for each in ([code] if code else []) + key]
        first: ast.expr = ast.Tuple(list(targets), ast.Store()) if target.names else targets[0]
        pairs = syntax.call("pairs" if target.names else "counted", syntax.name(target.variable))
        before, self.scope = self.scope, dict.fromkeys(target.names, True)
        inside = syntax.apart(self.function, lambda: emit(Way(weight, of, target.many)))
        self.scope = before
        self.function.body.append(syntax.each([first, ast.Name(weight, ast.Store())], pairs, inside))

    def _place(self) -> Place:
        locals = {path: (self.variables[path], may_be_unknown) for path, may_be_unknown in self.scope.items()}
        return Place(self.binding, "", (), locals, frozenset(), self.adjusts, self.spans)

    def _value(self, expr: Expr) -> ast.expr:
        return self.function.value(expr, self._place())

    def _lies(self, path: str, interval: Interval) -> None:
        """Notes where a die or value lies; it can come from several places."""
        self.spans[path] = union([self.spans.get(path, interval), interval])

    def _step(self, step: Step, way: Way, outcome: int | None = None) -> None:
        """A step; one that follows an outcome keeps it."""
        before = self.scope

        def cases(way: Way) -> None:
            self._values(step.values, step.label.id)
            self._cases(step, step.cases, way, outcome)

        def part(way: Way) -> None:
            self._dice(step.roll, step.label.id, way, cases)

        self._call(step, way, part) if step.call else part(way)
        self.scope = before

    def _values(self, values: tuple[Value, ...], step: str) -> None:
        for value in values:
            path = prefixed(step, value.label.id)
            if path in self.plan.relevant:
                self.function.body.append(syntax.assign(self.variables[path], self._value(value.value)))
                self._lies(path, self.function.interval(value.value, self._place()))
                self.scope = {**self.scope, path: False}

    def _dice(self, dice: tuple[Die, ...], step: str, way: Way, then: Then) -> None:
        """Loops over the falls of dice, one inside the other."""
        if not dice:
            then(way)
            return
        die, rest = dice[0], dice[1:]
        path = prefixed(step, die.label.id)
        if path not in self.plan.relevant:
            self._dice(rest, step, way, then)
            return
        ways = self._falls(die)
        self._lies(path, (min(ways), max(ways)) if ways else ANY)
        is_even = die.when is None and set(ways.values()) == {1}
        if ways:
            whole, most = Whole(sum(ways.values())), len(ways)
            falls = self.fast.constant(tuple(ways) if is_even else tuple(ways.items()))
        else:
            name = self.chances.name(die.dice, self.binding)
            self.loose[name] = die.dice, self.binding
            whole, most, falls = Whole(1, (name,)), LOOSE // 2, syntax.name(f"falls_{name}")
        if die.when is not None:
            none = syntax.sequence([syntax.sequence([syntax.name(UNKNOWN), whole.expression()])])
            falls = syntax.chosen(self._value(die.when), falls, none)
        of = way.of.times(whole)
        before, self.scope = self.scope, {**self.scope, path: die.when is not None}
        many = self.function.variable("y")
        weight = way.weight if is_even else self.function.variable("w") if way.weight else many
        inside = syntax.apart(
            self.function, lambda: self._dice(rest, step, Way(weight, of, way.many * (most + 1)), then)
        )
        if way.weight and not is_even:
            product = syntax.binary("*", syntax.name(way.weight), syntax.name(many))
            inside.insert(0, syntax.assign(weight, product))
        names: list[ast.expr] = [ast.Name(self.variables[path], ast.Store()), ast.Name(many, ast.Store())]
        self.function.body.append(syntax.each(names[:1] if is_even else names, falls, inside))
        self.scope = before

    def _falls(self, die: Die) -> dict[int, int]:
        """The ways of each total; none of a loose die."""
        pool = self.fast.value_of(self._value(die.dice))
        if not isinstance(pool, Pool | int):
            if is_loose(self.fast.program, die.dice):
                return {}
            raise UnusualError
        return weights(pool) if isinstance(pool, Pool) else {int(pool): 1}

    def _cases(self, step: Step, cases: tuple[Case, ...], way: Way, outcome: int | None) -> None:
        """The first case that holds; a case without a condition always does."""
        case, rest = cases[0], cases[1:]
        before = self.scope
        if not rest:
            self._case(step, case, way, outcome)
            self.scope = before
            return
        assert case.when is not None
        condition = self._value(case.when)
        guarded = set(self.function.guards(case.when, self._place()))
        self.scope = {path: each and local_name(path) not in guarded for path, each in before.items()}
        holds = syntax.apart(self.function, lambda: self._case(step, case, way, outcome))
        self.scope = before
        fails = syntax.apart(self.function, lambda: self._cases(step, rest, way, outcome))
        self.function.body += syntax.when(condition, holds, fails)

    def _case(self, step: Step, case: Case, way: Way, outcome: int | None) -> None:
        def ends(way: Way) -> None:
            self._values(case.values, step.label.id)
            if case.go:
                self._add(self.targets[case.go], way)
                return
            code = syntax.literal(outcome) if case.outcome is None else self._value(case.outcome)
            if not isinstance(code, ast.Constant) or code.value not in range(len(self.check.outcomes)):
                count, id = syntax.literal(len(self.check.outcomes)), syntax.literal(self.check.label.id)
                code = syntax.call("own_outcome", code, count, id)
            self._add(self.end, way, code)

        self._dice(case.roll, step.label.id, way, ends)

    def _add(self, target: Target, way: Way, code: ast.expr | None = None) -> None:
        """Adds the weight of a way to a state of what it leads to."""
        self.work += way.many
        if self.work > _MOST:
            raise UnusualError
        weight = target.add(way)
        if not target.names and code is None:
            self.function.body.append(syntax.add_to(target.variable, weight))
        elif not target.names:
            assert code is not None
            self.function.body.append(syntax.add_to_element(target.variable, code, weight))
        else:
            key = self.function.variable("q")
            there = (self.variables[path] if path in self.scope else UNKNOWN for path in target.names)
            parts = [*([code] if code is not None else []), *map(syntax.name, there)]
            here = syntax.element(syntax.name(target.variable), syntax.name(key))
            is_there = syntax.compared(syntax.name(key), ("in", syntax.name(target.variable)))
            total = syntax.binary("+", syntax.chosen(is_there, here, syntax.literal(0)), weight)
            self.function.body.append(syntax.assign(key, syntax.sequence(parts)))
            self.function.body.append(syntax.assign_element(target.variable, syntax.name(key), total))

    def _call(self, step: Step, way: Way, then: Then) -> None:
        """Loops over the ends of a called check."""
        assert step.call
        called = self.fast.program.checks[step.call.check]
        added: list[tuple[str, str, str, str]] = []
        for each in step.call.adjusts:
            variable = self.function.variable("a")
            self.function.body.append(syntax.assign(variable, self._value(each.value)))
            added.append((each.number, each.op, each.round, variable))
        adjusts = (*self.adjusts, *added)
        inner = Place(seat(self.binding, step.call.seats), adjusts=adjusts)
        wanted = self.chances.plans.inside(step, called, self.plan.relevant)
        made = self.chances.function(called, inner, wanted, step.call.runs_then)
        self.function.raises |= made.raises
        self.loose.update(made.loose)
        self.work += made.work * (way.many if added else 1)
        found = self._remembered(made, [each[3] for each in added], [each[3] for each in adjusts])
        lead = prefixed(step.label.id, "")
        paths = [f"{lead}outcome", *(lead + path for path in made.names)]
        for path in paths:
            self._lies(path, made.spans.get(path.removeprefix(lead), (0, len(called.outcomes) - 1)))
        names: list[ast.expr] = [ast.Name(self.variables[path], ast.Store()) for path in paths]
        many = self.function.variable("y")
        weight = self.function.variable("w") if way.weight else many
        before, self.scope = self.scope, {**self.scope, **dict.fromkeys(paths, True), paths[0]: False}
        inside = syntax.apart(self.function, lambda: then(Way(weight, way.of.times(made.of), way.many * made.many)))
        if way.weight:
            product = syntax.binary("*", syntax.name(way.weight), syntax.name(many))
            inside.insert(0, syntax.assign(weight, product))
        first = ast.Tuple(names, ast.Store()) if made.names else names[0]
        self.function.body.append(syntax.each([first, ast.Name(many, ast.Store())], found, inside))
        self.scope = before

    def _remembered(self, made: Counted, key: list[str], adjusts: list[str]) -> ast.expr:
        """The ends of a called check, which are kept for each way it is called."""
        memo, at = self.function.variable("m"), self.function.variable("q")
        self.starts.append(syntax.assign(memo, syntax.mapping(())))
        self.function.body.append(syntax.assign(at, syntax.sequence(map(syntax.name, key))))
        is_new = syntax.compared(syntax.name(at), ("not in", syntax.name(memo)))
        found = syntax.call(made.name, syntax.name(FACTS), *map(syntax.name, adjusts))
        self.function.body += syntax.when(is_new, [syntax.assign_element(memo, syntax.name(at), found)])
        return syntax.element(syntax.name(memo), syntax.name(at))


def _pairs(states: dict[object, int]) -> tuple[tuple[object, int], ...]:
    return tuple(states.items())


def _counted(ways: list[int]) -> tuple[tuple[int, int], ...]:
    return tuple((code, many) for code, many in enumerate(ways) if many)
