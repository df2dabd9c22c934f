"""A check as one Python function: its steps in order, dice asked for as they fall, cases as tests.

The function takes checked facts, what says how dice fall, and what takes effects; it gives the code of the outcome,
then each die, value and outcome of a step, UNKNOWN for those that are not there. Dice fall as a function says, or as a
dictionary of totals says, which are then tested.
"""

from __future__ import annotations

import ast
from functools import partial

from . import fast_syntax as syntax
from .assigned import prefixed
from .dice import Pool
from .fast_expressions import UNKNOWN, Function, Place, local_name
from .intervals import ANY, union
from .program import Effect
from .questions import places
from .reads import seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass

    from .expression import Binding
    from .intervals import Interval
    from .program import Case, Check, Die, Step, Value
    from .rounds import EventEffect
else:
    from .records import dataclass

ROLL, DICE, EFFECTS, PREFIX = "roll", "dice", "effects", "prefix"
_OVER = -1


@dataclass(frozen=True, slots=True)
class Made:
    """A function that was generated of a check: its name, the paths of what it gives, if it may read what is unknown.

    `pools` are the dice by path where totals are given; None where they are put together anew each time, or where one
    path has different dice, so that totals are not enough to tell what was rolled.
    """

    name: str
    paths: tuple[str, ...]
    raises: bool
    pools: Mapping[str, Pool] | None
    spans: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class Follows:
    """An effect as generated code reports it, with who sits in the chairs that it names, by chair."""

    effect: Effect | EventEffect
    players: Binding


class CheckFunction:
    """The function of one check under construction."""

    def __init__(
        self, function: Function, check: Check, place: Place, runs_then: bool, is_given: bool, prefix: str = PREFIX
    ) -> None:
        self.function = function
        self.fast = fast = function.fast
        self.is_given = is_given
        self.prefix = prefix
        self.pools: dict[str, Pool] | None = {}
        self.spans: dict[str, Interval] = {}
        self.check = check
        self.binding = place.binding
        self.adjusts = place.adjusts
        self.runs_then = runs_then
        self.outcome = self.function.variable("o")
        self.at = self.function.variable("s")
        self.steps = list(check.steps)
        self.variables = {path: self.function.variable("d") for path, _ in places(fast.program, check, runs_then)}
        self.unsure = frozenset(self.variables)

    def emit(self) -> None:
        """The statements of the whole check."""
        body = self.function.body
        body += [syntax.assign(each, syntax.name(UNKNOWN)) for each in self.variables.values()]
        body.append(syntax.assign(self.outcome, syntax.literal(0)))
        if len(self.steps) > 1:
            body.append(syntax.assign(self.at, syntax.literal(self.steps.index(self.check.start))))
        for at, step in enumerate(self.check.steps.values()):
            inside = self._under(partial(self._step, step))
            is_here = syntax.compared(syntax.name(self.at), ("==", syntax.literal(at)))
            body += inside if len(self.steps) == 1 else syntax.when(is_here, inside)
        if self.runs_then:
            self._then()

    def found(self) -> ast.expr:
        """The outcome and all that the check left."""
        return syntax.sequence(syntax.name(each) for each in (self.outcome, *self.variables.values()))

    def rolled(self) -> ast.expr:
        """How many dice were rolled at the end."""
        start = self.check.steps[self.check.start]
        always = {prefixed(start.label.id, die.label.id) for die in start.roll if die.when is None}
        count: ast.expr = syntax.literal(len(always))
        for path in sorted((self.pools or {}).keys() - always):
            is_rolled = syntax.compared(syntax.name(self.variables[path]), ("is not", syntax.name(UNKNOWN)))
            count = syntax.binary("+", count, is_rolled)
        return count

    def _then(self) -> None:
        """What follows each outcome."""
        for code, outcome in enumerate(self.check.outcomes):
            if outcome.id in self.check.then:
                step = self.check.then[outcome.id]
                inside = self._under(partial(self._step, step))
                is_it = syntax.compared(syntax.name(self.outcome), ("==", syntax.literal(code)))
                self.function.body += syntax.when(is_it, inside)

    def _under(self, emit: Callable[[], object]) -> list[ast.stmt]:
        """The statements that `emit` adds, apart."""
        return syntax.apart(self.function, emit)

    def _place(self) -> Place:
        locals = {path: (variable, True) for path, variable in self.variables.items()}
        known = frozenset(map(local_name, self.variables.keys() - self.unsure))
        return Place(self.binding, "", (), locals, known, self.adjusts, self.spans)

    def _lies(self, path: str, interval: Interval) -> None:
        """Notes where a die or value lies; it can come from several places."""
        self.spans[path] = union([self.spans.get(path, interval), interval])

    def _step(self, step: Step) -> None:
        before = self.unsure
        if step.call:
            self._call(step)
        self._part(step, step.label.id)
        self._cases(step, step.cases)
        self.unsure = before

    def _cases(self, step: Step, cases: tuple[Case, ...]) -> None:
        """The first case that holds; a case without a condition always does."""
        case, rest = cases[0], cases[1:]
        if not rest:
            self._case(step, case)
            return
        assert case.when is not None
        place = self._place()
        condition = self.function.value(case.when, place)
        before = self.unsure
        guarded = set(self.function.guards(case.when, place))
        self.unsure = frozenset(path for path in before if local_name(path) not in guarded)
        holds = self._under(lambda: self._case(step, case))
        self.unsure = before
        fails = self._under(lambda: self._cases(step, rest))
        self.function.body += syntax.when(condition, holds or [ast.Pass()], fails)

    def _case(self, step: Step, case: Case) -> None:
        before = self.unsure
        self._part(case, step.label.id)
        if case.go:
            self.function.body.append(syntax.assign(self.at, syntax.literal(self.steps.index(case.go))))
        elif case.outcome is not None:
            self._end(case)
        self.unsure = before

    def _end(self, case: Case) -> None:
        assert case.outcome is not None
        code = self.function.value(case.outcome, self._place())
        is_own = isinstance(code, ast.Constant) and code.value in range(len(self.check.outcomes))
        if not is_own:
            code = syntax.call("own_outcome", code, *self._named_outcomes())
        self.function.body.append(syntax.assign(self.outcome, code))
        if len(self.steps) > 1:
            self.function.body.append(syntax.assign(self.at, syntax.literal(_OVER)))

    def _named_outcomes(self) -> tuple[ast.expr, ast.expr]:
        return syntax.literal(len(self.check.outcomes)), syntax.literal(self.check.label.id)

    def _part(self, part: Step | Case, step: str) -> None:
        """Dice, values and effects of a step or of a case."""
        for die in part.roll:
            self._die(die, prefixed(step, die.label.id))
        for value in part.values:
            self._value(value, prefixed(step, value.label.id))
        for effect in part.effects:
            self._effect(effect)

    def _die(self, die: Die, path: str) -> None:
        place = self._place()
        pool = self.function.value(die.dice, place)
        dice = self.fast.value_of(pool)
        self._lies(path, (dice.low + dice.constant, dice.high + dice.constant) if isinstance(dice, Pool) else ANY)
        if self.is_given:
            roll = self._total(path, pool)
        else:
            roll = [syntax.assign(self.variables[path], syntax.call(ROLL, self._path(path), pool))]
        if die.when is None:
            self.function.body += roll
            self.unsure -= {path}
            return
        self.function.body += syntax.when(self.function.value(die.when, place), roll)

    def _total(self, path: str, pool: ast.expr) -> list[ast.stmt]:
        """A given total, tested."""
        dice = self.fast.value_of(pool)
        if not isinstance(dice, Pool) or not dice.terms or (self.pools or {}).get(path, dice) != dice:
            self.pools = None
            return []
        if self.pools is not None:
            self.pools[path] = dice
        variable = syntax.name(self.variables[path])
        ends = syntax.literal(dice.low), syntax.literal(dice.high)
        inside = syntax.compared(ends[0], ("<=", variable), ("<=", ends[1]))
        is_other = syntax.compared(syntax.call("type", variable), ("is not", syntax.name("int")))
        unusual = syntax.evaluate(syntax.call("unusual"))
        found = [syntax.assign(self.variables[path], syntax.element(syntax.name(DICE), self._path(path)))]
        found += syntax.when(syntax.either([is_other, syntax.inverted(inside)]), [unusual])
        more = [syntax.add_to(self.variables[path], syntax.literal(dice.constant))] if dice.constant else []
        return [*found, *more]

    def _path(self, path: str) -> ast.expr:
        return (
            syntax.binary("+", syntax.name(self.prefix), syntax.literal(path)) if self.prefix else syntax.literal(path)
        )

    def _value(self, value: Value, path: str) -> None:
        found = self.function.value(value.value, self._place())
        self.function.body.append(syntax.assign(self.variables[path], found))
        self._lies(path, self.function.interval(value.value, self._place()))
        self.unsure -= {path}

    def _effect(self, effect: Effect | EventEffect) -> None:
        place = self._place()
        if isinstance(effect, Effect):
            chairs: tuple[str, ...] = (effect.role,)
            values = [self.function.value(effect.value, self._knowing(effect, place))]
        else:
            chairs = tuple(chair for _, chair in effect.chairs)
            values = [self.function.value(value, self._knowing(effect, place)) for _, value in effect.values]
        follows = Follows(effect, tuple((chair, place.player(chair)) for chair in chairs))
        item = syntax.sequence([self.fast.constant(follows), syntax.sequence(values)])
        report = syntax.evaluate(syntax.call(EFFECTS, item))
        condition = syntax.literal(True) if effect.when is None else self.function.value(effect.when, place)
        self.function.body += syntax.when(condition, [report])

    def _knowing(self, effect: Effect | EventEffect, place: Place) -> Place:
        return place if effect.when is None else place.knowing(*self.function.guards(effect.when, place))

    def _call(self, step: Step) -> None:
        assert step.call
        place = self._place()
        called = self.fast.program.checks[step.call.check]
        added: list[tuple[str, str, str, str]] = []
        for each in step.call.adjusts:
            variable = self.function.variable("a")
            self.function.body.append(syntax.assign(variable, self.function.value(each.value, place)))
            added.append((each.number, each.op, each.round, variable))
        adjusts = (*self.adjusts, *added)
        inner = Place(seat(self.binding, step.call.seats), "", (), None, frozenset(), adjusts)
        made = self.fast.check_function(called, inner, step.call.runs_then, self.is_given)
        self.function.raises |= made.raises
        if made.pools is None or self.pools is None:
            self.pools = None
        else:
            self.pools |= {prefixed(step.label.id, path): pool for path, pool in made.pools.items()}
        lead = f"{step.label.id}." if step.label.id else ""
        falls = syntax.name(DICE if self.is_given else ROLL)
        arguments = [falls, syntax.name(EFFECTS), self._path(lead), *(syntax.name(each[3]) for each in adjusts)]
        targets = [prefixed(step.label.id, "outcome"), *(prefixed(step.label.id, path) for path in made.paths)]
        self._lies(targets[0], (0, len(called.outcomes) - 1))
        for path in made.paths:
            self._lies(prefixed(step.label.id, path), made.spans.get(path, ANY))
        names = [ast.Name(self.variables[path], ast.Store()) for path in targets]
        found = syntax.call(made.name, syntax.name("facts"), *arguments)
        self.function.body.append(ast.Assign([ast.Tuple(list(names), ast.Store())], found))
        self.unsure -= {targets[0]}
