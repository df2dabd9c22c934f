"""Exact odds of a whole procedure: states move forward from step to step, equal ones merge, weights are integers.

A state is what will still be read: the locals that later steps need. So a check of many dice costs what its
distinct states cost, not what its dice could show. A called check is worked out once for each way it is called.
"""

from __future__ import annotations

from .assigned import Assigned, prefixed
from .dice import weights
from .errors import TooLargeError
from .evaluate import Frame
from .nesting import dice_of
from .procedure import called_frame, outcome_of, pool_rolled
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from dataclasses import dataclass
    from typing import TypeAlias, TypeVar

    from .evaluate import Adjustment, Evaluator, Value
    from .expression import Binding, Expr
    from .program import Case, Check, Die, Program, Step
    from .program import Value as NamedValue
    from .values import Unknown

    Key = TypeVar("Key")
    Names: TypeAlias = frozenset[str]
    State: TypeAlias = tuple[tuple[str, Value | Unknown], ...]
    """Locals by path, in the order of paths."""
    End: TypeAlias = tuple[int, State]
    """The outcome of a check, and those of its locals that were asked for."""
    Chance: TypeAlias = tuple[int, int]
    """So many ways of so many, both integers."""
    CallKey: TypeAlias = tuple[str, Binding, tuple[Adjustment, ...], Names, bool]
else:
    from .records import dataclass

LIMIT = 20_000_000
"""How many falls of single dice are followed at most."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What of one check must be followed: the locals that count, and what the state of each step and the end holds."""

    relevant: Names
    states: dict[str, Names]
    ending: Names


class Plans:
    """The plans of one program's checks."""

    def __init__(self, program: Program) -> None:
        self.assigned = Assigned(program)
        self.plans: dict[tuple[str, Names, bool], Plan] = {}

    def of(self, check: Check, wanted: Names, runs_then: bool) -> Plan:
        """The plan of a check of which some locals are asked for, with or without what follows its outcome."""
        key = check.label.id, wanted, runs_then
        if key not in self.plans:
            self.plans[key] = self._planned(check, wanted, runs_then)
        return self.plans[key]

    def _planned(self, check: Check, wanted: Names, runs_then: bool) -> Plan:
        after = list(check.then.values()) if runs_then else []
        relevant = self._relevant([*check.steps.values(), *after], wanted)
        needed = wanted | frozenset().union(*(self._read(step, relevant) for step in after))
        ending = needed
        states: dict[str, Names] = {}
        for name in reversed(list(check.steps)):
            needed |= self._read(check.steps[name], relevant)
            states[name] = needed
        return Plan(relevant, states, ending)

    def _relevant(self, steps: list[Step], wanted: Names) -> Names:
        """The locals that outcomes or wanted locals follow from, whichever way; effects do not matter."""
        values = [(value, prefixed(step.label.id, value.label.id)) for step in steps for value in _values(step)]
        relevant = wanted | self.assigned.read_by(expr for step in steps for expr in _steering(step))
        before: Names = frozenset()
        while relevant != before:
            before = relevant
            relevant |= self.assigned.read_by(value.value for value, path in values if path in relevant)
        return relevant

    def _read(self, step: Step, relevant: Names) -> Names:
        """The locals that a step reads."""
        needed = [value.value for value in _values(step) if prefixed(step.label.id, value.label.id) in relevant]
        return self.assigned.read_by([*_steering(step), *needed])

    def inside(self, step: Step, check: Check, relevant: Names) -> Names:
        """Of what is relevant the locals of a check that a step calls, as that check names them."""
        lead = prefixed(step.label.id, "")
        wanted = frozenset(path.removeprefix(lead) for path in relevant if path.startswith(lead))
        return self.assigned.paths(check) & wanted


def odds(evaluator: Evaluator, check: Check, wanted: Names, runs_then: bool, limit: int = LIMIT) -> dict[End, Chance]:
    """The chance of every end of a check: its outcome, and the locals in `wanted` that are there.

    Raises `TooLargeError` where more than `limit` falls of dice would have to be followed.
    """
    return _Walk(evaluator, limit).check((check.label.id, (), (), wanted, runs_then))


class _Walk:
    def __init__(self, evaluator: Evaluator, limit: int) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.plans = Plans(evaluator.program)
        self.left = limit
        self.calls: dict[CallKey, dict[End, Chance]] = {}

    def check(self, key: CallKey) -> dict[End, Chance]:
        """The chances of a check's ends, worked out once for each way it is called."""
        if key not in self.calls:
            self.calls[key] = self._check(*key)
        return self.calls[key]

    def _check(
        self, id: str, binding: Binding, adjusts: tuple[Adjustment, ...], wanted: Names, runs_then: bool
    ) -> dict[End, Chance]:
        check = self.program.checks[id]
        plan = self.plans.of(check, wanted, runs_then)
        arriving: dict[str, dict[State, Chance]] = {check.start: {(): (1, 1)}}
        ended: dict[End, Chance] = {}
        for name, step in check.steps.items():
            for state, chance in arriving.pop(name, {}).items():
                frame = Frame(binding, adjusts, dict(state))
                for case, (many, of) in self._through(step, frame, plan.relevant, chance):
                    if case.go:
                        target = arriving.setdefault(case.go, {})
                        _add(target, _kept(frame, plan.states[case.go]), many, of)
                    else:
                        outcome = outcome_of(self.evaluator, check, case, frame)
                        _add(ended, (outcome, _kept(frame, plan.ending)), many, of)
        if not runs_then or not check.then:
            return ended
        return self._followed(check, Frame(binding, adjusts), plan, wanted, ended)

    def _followed(
        self, check: Check, frame: Frame, plan: Plan, wanted: Names, ended: dict[End, Chance]
    ) -> dict[End, Chance]:
        """The ends after what follows each outcome."""
        result: dict[End, Chance] = {}
        for (outcome, state), chance in ended.items():
            step = check.then.get(check.outcomes[outcome].id)
            frame.locals = dict(state)
            if step is None:
                _add(result, (outcome, _kept(frame, wanted)), *chance)
                continue
            for _, (many, of) in self._through(step, frame, plan.relevant, chance):
                _add(result, (outcome, _kept(frame, wanted)), many, of)
        return result

    def _through(self, step: Step, frame: Frame, relevant: Names, chance: Chance) -> Iterator[tuple[Case, Chance]]:
        """Every way through a step, with the case taken; the frame holds the locals of the way just given."""
        for after_call in self._call(step, frame, relevant, chance):
            for here in self._part(step, step.label.id, frame, relevant, after_call):
                case = next(each for each in step.cases if self.evaluator.holds(each.when, frame))
                for after in self._part(case, step.label.id, frame, relevant, here):
                    yield case, after

    def _call(self, step: Step, frame: Frame, relevant: Names, chance: Chance) -> Iterator[Chance]:
        if step.call is None:
            yield chance
            return
        inner, _ = called_frame(self.evaluator, step, frame)
        lead = prefixed(step.label.id, "")
        inside = self.plans.inside(step, self.program.checks[step.call.check], relevant)
        key = step.call.check, inner.binding, inner.adjusts, inside, step.call.runs_then
        before = dict(frame.locals)
        for (outcome, state), (many, of) in self.check(key).items():
            frame.locals = before | {lead + path: value for path, value in state}
            frame.locals[f"{lead}outcome"] = outcome
            yield chance[0] * many, chance[1] * of

    def _part(self, part: Step | Case, step: str, frame: Frame, relevant: Names, chance: Chance) -> Iterator[Chance]:
        """Every fall of the dice of a step or case, with its values worked out."""
        dice = [(die, prefixed(step, die.label.id)) for die in part.roll]
        for here in self._dice([each for each in dice if each[1] in relevant], frame, chance):
            for value in part.values:
                path = prefixed(step, value.label.id)
                if path in relevant:
                    frame.locals[path] = self.evaluator.value(value.value, frame)
            yield here

    def _dice(self, dice: list[tuple[Die, str]], frame: Frame, chance: Chance) -> Iterator[Chance]:
        if not dice:
            yield chance
            return
        (die, path), rest = dice[0], dice[1:]
        if not self.evaluator.holds(die.when, frame):
            frame.locals[path] = UNKNOWN
            yield from self._dice(rest, frame, chance)
            return
        ways = weights(pool_rolled(self.evaluator, die, frame))
        of = chance[1] * sum(ways.values())
        for value, many in ways.items():
            self._spend()
            frame.locals[path] = value
            yield from self._dice(rest, frame, (chance[0] * many, of))

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError("these odds need more falls of dice followed than the limit allows")


def _values(step: Step) -> Iterator[NamedValue]:
    yield from step.values
    for case in step.cases:
        yield from case.values


def _steering(step: Step) -> Iterator[Expr]:
    """The expressions of a step that decide which way it goes and how dice fall."""
    yield from dice_of(step)
    if step.call:
        yield from (adjust.value for adjust in step.call.adjusts)
    for case in step.cases:
        yield from dice_of(case)
        yield from (expr for expr in (case.when, case.outcome) if expr is not None)


def _kept(frame: Frame, names: Names) -> State:
    return tuple(sorted(((path, value) for path, value in frame.locals.items() if path in names), key=_by_path))


def _by_path(item: tuple[str, object]) -> str:
    return item[0]


def _add(chances: dict[Key, Chance], key: Key, many: int, of: int) -> None:
    """Add a chance to those of a state; chances of different wholes are brought to a common one."""
    from math import gcd

    found = chances.get(key)
    if found is None:
        chances[key] = many, of
    elif found[1] == of:
        chances[key] = found[0] + many, of
    else:
        shared = found[1] // gcd(found[1], of) * of
        chances[key] = found[0] * (shared // found[1]) + many * (shared // of), shared
