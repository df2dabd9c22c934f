"""The dice and values of a check: their kinds, and that none is read before it is there, on any path."""

from __future__ import annotations

from .expression import Known, Local, NumberRead, Operation
from .expression import parts as parts_of
from .item import refuse
from .kinds import kind_of_type
from .program import expressions_of_effects, expressions_of_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from .expression import Expr
    from .kinds import Kind
    from .program import Case, Check, Program, Step

    Names: TypeAlias = frozenset[str]

_NONE: Names = frozenset()


def prefixed(step: str, name: str) -> str:
    """The path of a die or value: its step in front, where the step has a name."""
    return f"{step}.{name}" if step else name


def locals_of(program: Program, check: Check, memo: dict[str, dict[str, Kind]]) -> dict[str, Kind]:
    """The kind of each die, value and outcome that a check can have, by path; calls form no circle."""
    if check.label.id not in memo:
        result: dict[str, Kind] = {}
        for step in (*check.steps.values(), *check.then.values()):
            for path, kind in _defined(program, step, memo):
                if result.setdefault(path, kind) != kind:
                    refuse(f"check `{check.label.id}`", f"`{path}` has two kinds")
        memo[check.label.id] = result
    return memo[check.label.id]


def _defined(program: Program, step: Step, memo: dict[str, dict[str, Kind]]) -> Iterator[tuple[str, Kind]]:
    id = step.label.id
    parts: tuple[Step | Case, ...] = (step, *step.cases)
    for part in parts:
        yield from ((prefixed(id, die.label.id), "whole") for die in part.roll)
        yield from ((prefixed(id, value.label.id), kind_of_type(value.type)) for value in part.values)
    if step.call:
        yield prefixed(id, "outcome"), "whole"
        for path, kind in locals_of(program, program.checks[step.call.check], memo).items():
            yield prefixed(id, path), kind


class Assigned:
    """For each check the locals that are there at its end whatever happened; reads that come too early are refused."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ends: dict[tuple[str, bool], Names] = {}
        self.numbers: dict[str, Names] = {}
        self.kinds: dict[str, dict[str, Kind]] = {}

    def read_by(self, exprs: Iterable[Expr]) -> Names:
        """The locals that expressions read, themselves or through numbers of the check."""
        result: set[str] = set()
        pending = list(exprs)
        while pending:
            expr = pending.pop()
            pending += parts_of(expr)
            match expr:
                case Local(path) | Known(("local", path)):
                    result.add(path)
                case NumberRead(id):
                    result |= self.read_by_number(id)
        return frozenset(result)

    def read_by_number(self, id: str) -> Names:
        """The locals that a number reads, itself or through others; numbers form no circle."""
        if id not in self.numbers:
            self.numbers[id] = self.read_by(expressions_of_number(self.program.numbers[id]))
        return self.numbers[id]

    def paths(self, check: Check) -> Names:
        """All locals that a check can have."""
        return frozenset(locals_of(self.program, check, self.kinds))

    def at_end(self, check: Check, runs_then: bool) -> Names:
        """The locals that are there when the check has ended, with or without what follows its outcome."""
        key = check.label.id, runs_then
        if key not in self.ends:
            ends = [have for have, _ in self._ends(check)]
            if runs_then:
                ends = [have for end in self._ends(check) for have in self._after(check, *end)]
            self.ends[key] = frozenset.intersection(*ends) if ends else _NONE
        return self.ends[key]

    def _ends(self, check: Check) -> Iterator[tuple[Names, Case]]:
        arriving: dict[str, list[Names]] = {check.start: [_NONE]}
        for id, step in check.steps.items():
            if id not in arriving:
                continue
            for case, have in self._through(check, step, frozenset.intersection(*arriving[id])):
                if case.go:
                    arriving.setdefault(case.go, []).append(have)
                else:
                    yield have, case

    def _after(self, check: Check, have: Names, case: Case) -> Iterator[Names]:
        for code in possible_outcomes(case.outcome, len(check.outcomes)):
            word = check.outcomes[code].id
            if word not in check.then:
                yield have
                continue
            yield from (after for _, after in self._through(check, check.then[word], have))

    def _through(self, check: Check, step: Step, have: Names) -> Iterator[tuple[Case, Names]]:
        """Each case of a step, with what is there at its end."""
        at = f"check `{check.label.id}`" + (f", step `{step.label.id}`" if step.label.id else "")
        if step.call:
            self._needs(at, [adjust.value for adjust in step.call.adjusts], have)
            called = self.at_end(self.program.checks[step.call.check], step.call.runs_then)
            have |= {prefixed(step.label.id, path) for path in (*called, "outcome")}
        have = self._part(at, step, step.label.id, have)
        for case in step.cases:
            self._needs(at, [case.when], have)
            inside = self._part(at, case, step.label.id, have)
            self._needs(at, [case.outcome], inside)
            yield case, inside

    def _part(self, at: str, part: Step | Case, step: str, have: Names) -> Names:
        for die in part.roll:
            self._needs(at, [die.dice, die.when], have)
            have = self._with(at, have, prefixed(step, die.label.id))
        for value in part.values:
            self._needs(at, [value.value], have)
            have = self._with(at, have, prefixed(step, value.label.id))
        self._needs(at, [*expressions_of_effects(part.effects)], have)
        return have

    def _with(self, at: str, have: Names, path: str) -> Names:
        if path in have:
            refuse(at, f"`{path}` is given twice")
        return have | {path}

    def _needs(self, at: str, exprs: list[Expr | None], have: Names) -> None:
        early = self.read_by(expr for expr in exprs if expr is not None) - have
        if early:
            refuse(at, f"`{min(early)}` is read where it may not be there yet")


def possible_outcomes(expr: Expr | None, count: int) -> tuple[int, ...]:
    """The outcomes that a case may end in: those that stand there, or all where it is worked out."""
    if type(expr) is int:
        return (expr,)
    if isinstance(expr, Operation) and expr.operator == "if":
        _, yes, no = expr.operands
        return tuple(sorted({*possible_outcomes(yes, count), *possible_outcomes(no, count)}))
    return tuple(range(count))
