"""The moments of actions, with types: how often they come, at which steps and segments they can fall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .. import syntax
from ..declarations import Condition, Reference
from ..messages import names as name_messages
from ..messages import rounds as messages
from ..rounds import Moment, MomentCase, Place, Sequence, SequenceStep
from ..typed import Typed, TypedTable
from ..typed_rounds import TypedMoment, TypedMomentCase
from ..types import Integer, Unknown
from .effects import Effects
from .expressions import Expressions
from .names import Environment, Local
from .vocabulary import Vocabulary
from .written import Written

MOST_TIMES = 1_000
Loops = Mapping[str, "tuple[int, int] | None"]


class Moments:
    """Types the moments of one sequence."""

    def __init__(
        self,
        sequence: Sequence,
        loops: Loops,
        expressions: Expressions,
        written: Written,
        vocabulary: Vocabulary,
        tables: Mapping[str, TypedTable],
    ) -> None:
        self._sequence = sequence
        self._loops = loops
        self._expressions = expressions
        self._names = expressions.names
        self._written = written
        self._vocabulary = vocabulary
        self._effects = Effects(expressions, vocabulary)
        self._tables = tables
        self._steps = {each.id: each for each in _all(sequence.steps)}
        self._moment_ids = {moment.id for place in sequence.places for moment in place.moments}

    def all(self, place: Place, acting: Environment, once: Environment) -> tuple[TypedMoment, ...]:
        """The moments of one action; `once` is what can be read where no moment is counted."""
        return tuple(self._moment(each, place, acting, once) for each in place.moments)

    def _moment(self, moment: Moment, place: Place, environment: Environment, once: Environment) -> TypedMoment:
        times = self._whole(moment.times, "how often a moment comes", once)
        most = times.type.high if times is not None and isinstance(times.type, Integer) else 1
        environment = _counting(environment, max(1, min(most, MOST_TIMES)))
        when = self._condition(moment.when, environment)
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        spoiled = moment.spoiled
        self._check_events((*moment.threat, *(spoiled.by if spoiled else ())))
        earlier = [each.id for each in place.moments[: place.moments.index(moment)]]
        self._check_moment(spoiled.since if spoiled else None, "earlier moment", earlier)
        return TypedMoment(
            declared=moment,
            times=times,
            when=when,
            cases=tuple(self._cases(moment, environment)),
            spoiling=self._effects.all(spoiled.effects, environment) if spoiled else (),
        )

    def _condition(self, condition: Condition | None, environment: Environment) -> Typed | None:
        return self._effects.guarded(self._vocabulary.condition(condition, environment)) if condition else None

    def _whole(self, expression: syntax.Expression | None, what: str, environment: Environment) -> Typed | None:
        if expression is None:
            return None
        return self._written.whole(self._effects.guarded(self._expressions.number(expression, environment)), what)

    def _check_events(self, events: Iterable[Reference]) -> None:
        known = self._names.ruleset.events
        for each in events:
            if each.id not in known:
                self._expressions.report(name_messages.unknown_name("event", each.id, each.span, known))

    def _check_moment(self, named: Reference | None, what: str, known: Iterable[str]) -> None:
        if named and named.id not in known:
            self._expressions.report(name_messages.unknown_name(what, named.id, named.span, known))

    def _cases(self, moment: Moment, environment: Environment) -> Iterator[TypedMomentCase]:
        for index, case in enumerate(moment.cases):
            is_last = index == len(moment.cases) - 1
            if case.id and is_last != (case.when is None):
                self._expressions.report(messages.moment_case_order(case.id, case.place, is_last))
            typed = self._case(case, moment, environment)
            yield typed
            if typed.when is not None:
                narrowing = environment.narrowing.assuming(typed.when, False)
                environment = replace(environment, narrowing=narrowing)

    def _case(self, case: MomentCase, moment: Moment, environment: Environment) -> TypedMomentCase:
        when = self._condition(case.when, environment)
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        self._check_moment(case.after, "moment", sorted(self._moment_ids))
        self._check_meanwhile(case.meanwhile or ())
        if case.step is None and case.after is None and not case.left_out:
            self._expressions.report(messages.nowhere(case.id or moment.id, case.place))
        steps = self._names.choice(f"{self._sequence.id}.step")
        step = self._expressions.expect(case.step, environment, steps) if case.step else None
        step = self._effects.guarded(step) if step else None
        segment = self._whole(case.segment, "a segment", environment)
        if step is not None and not isinstance(step.type, Unknown):
            self._check_steps(step, segment, case)
        rounds = self._whole(case.rounds, "rounds", environment)
        return TypedMomentCase(declared=case, when=when, step=step, segment=segment, rounds=rounds)

    def _check_meanwhile(self, actions: Iterable[Reference]) -> None:
        """Only what has places can be done meanwhile; the word `nothing` names no action."""
        placed = [each.id for each in self._sequence.places]
        for each in actions:
            if each.id not in (*placed, "nothing"):
                self._expressions.report(messages.unknown_action(each.id, each.span, placed))

    def _check_steps(self, step: Typed, segment: Typed | None, case: MomentCase) -> None:
        """Each step where the moment can fall takes moments, and its segments if it counts any."""
        ids = list(self._steps)
        for code in sorted(self._possible(step)):
            found = self._steps[ids[code]]
            loop = self._loops[found.id]
            if found.steps and not found.each:
                self._expressions.report(messages.step_with_steps(found.id, step.span, found.place))
            elif loop and segment is None:
                self._expressions.report(messages.segment_due(found.id, step.span, loop))
            elif segment is not None and loop is None:
                self._expressions.report(messages.no_segments(found.id, segment.span))
            elif segment is not None and loop is not None:
                self._check_segment(segment, loop, case)

    def _possible(self, step: Typed) -> set[int]:
        """The codes of the steps that an expression can give: those written in it, or in the table that it reads."""
        if step.literal is not None:
            return {int(step.literal)}
        if step.operator == "if":
            _, yes, no = step.parts
            return self._possible(yes) | self._possible(no)
        if step.operator == "table":
            table = self._tables[str(step.operands[0])]
            column = [each.id for each in table.declared.columns].index(str(step.operands[1]))
            cells = [row.cells[column] for row in table.rows]
            return {code for cell in cells if cell is not None for code in self._possible(cell)}
        # Where a step is worked out in another way, only the runtime can tell.
        return set()

    def _check_segment(self, segment: Typed, loop: tuple[int, int], case: MomentCase) -> None:
        match segment.type:
            case Integer(low, high) if low < loop[0] or (high > loop[1] and case.past_end is None):
                self._expressions.report(messages.segment_out_of_range(segment.span, (low, high), loop))


def _counting(environment: Environment, most: int) -> Environment:
    """The environment in which `nth` counts up to `most`."""
    nth: Local = replace(environment.locals["nth"], type=Integer(1, most))
    return replace(environment, locals={**environment.locals, "nth": nth})


def _all(steps: Iterable[SequenceStep]) -> Iterator[SequenceStep]:
    for each in steps:
        yield each
        yield from _all(each.steps)
