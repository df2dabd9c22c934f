"""Events, actions, triggers and sequences, with types: whose fields each place can read, and where moments fall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .. import syntax
from ..declarations import Adjust, Condition, Die, Effect, Field, Reference, Value
from ..messages import names as name_messages
from ..messages import rounds as messages
from ..messages import types as type_messages
from ..rounds import (
    Action,
    Event,
    EventEffect,
    Initiative,
    LeadsTo,
    Moment,
    MomentCase,
    Place,
    Sequence,
    SequenceStep,
    Trigger,
)
from ..source import Span
from ..typed import Typed, TypedCallAdjust, TypedDie, TypedField, TypedValue
from ..typed_rounds import (
    AnyEffect,
    TypedAction,
    TypedEvent,
    TypedEventEffect,
    TypedInitiative,
    TypedLeadsTo,
    TypedMoment,
    TypedMomentCase,
    TypedPlace,
    TypedRequirement,
    TypedSequence,
    TypedSequenceStep,
    TypedTrigger,
)
from ..types import Choice, Dice, Integer, Side, Type, Unknown
from .changes import Changes, target
from .effects import Effects
from .expressions import Expressions
from .names import Environment, Local
from .vocabulary import Vocabulary
from .written import Written

COUNT = Integer(0, 999_999_999)
ROUND = Integer(1, 999_999_999)


class Rounds:
    """Types what concerns rounds."""

    def __init__(self, expressions: Expressions, written: Written, vocabulary: Vocabulary) -> None:
        self._expressions = expressions
        self._names = expressions.names
        self._written = written
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)
        self._effects = Effects(expressions, vocabulary)

    def event(self, event: Event) -> TypedEvent:
        """An event and what its arguments are."""
        ruleset = self._names.ruleset
        arguments: list[tuple[str, Type | str]] = []
        for each in event.arguments:
            name = each.type.name.text if each.type.name else ""
            if each.type.kind == "choice" and name in ruleset.entities:
                arguments.append((each.id, name))
            else:
                arguments.append((each.id, self._written.type(each.type)))
        return TypedEvent(declared=event, arguments=tuple(arguments))

    def action(self, action: Action) -> TypedAction:
        """An action; in its requirements `its` is who plays the role that acts."""
        owner = action.by.id if action.by else ""
        environment = Environment(owner=owner, entity=self._names.entity_of(owner))
        requires = tuple(
            TypedRequirement(declared=each, when=self._vocabulary.condition(each.when, environment))
            for each in action.requires
        )
        return TypedAction(declared=action, requires=requires, adjusts=self._adjusts(action.adjusts, environment))

    def trigger(self, trigger: Trigger) -> TypedTrigger:
        """A trigger."""
        environment = Environment()
        when = self._vocabulary.condition(trigger.when, environment)
        environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        return TypedTrigger(
            declared=trigger,
            when=when,
            adjusts=self._adjusts(trigger.adjusts, environment),
            effects=self._any_effects(trigger.effects, environment),
        )

    def _adjusts(self, adjusts: Iterable[Adjust], environment: Environment) -> tuple[TypedCallAdjust, ...]:
        found = (self._adjust(each, environment) for each in adjusts)
        return tuple(each for each in found if each)

    def _adjust(self, adjust: Adjust, environment: Environment) -> TypedCallAdjust | None:
        number = self._names.ruleset.numbers.get(adjust.number.id)
        if number is None or adjust.change is None:
            return None
        op, value = self._changes.change(adjust.change, target(number), environment)
        value = self._effects.guarded(value)
        return TypedCallAdjust(number=number.id, op=op, value=value, round=adjust.change.round or "")

    def called_amounts(self, callers: Iterable[TypedAction | TypedTrigger]) -> list[tuple[str, str, Type]]:
        """What actions and triggers do to numbers in the checks that they call."""
        adjusts = [each for found in callers for each in found.adjusts]
        return [(each.number, each.op, each.value.type) for each in adjusts if not isinstance(each.value.type, Unknown)]

    def _any_effects(self, effects: Iterable[Effect | EventEffect], environment: Environment) -> tuple[AnyEffect, ...]:
        return tuple(
            self._effects.effect(each, environment) if isinstance(each, Effect) else self._event(each, environment)
            for each in effects
        )

    def _event(self, effect: EventEffect, environment: Environment) -> TypedEventEffect:
        when = self._vocabulary.condition(effect.when, environment) if effect.when else None
        event = self._names.ruleset.events.get(effect.id)
        if event is None:
            events = self._names.ruleset.events
            self._expressions.report(name_messages.unknown_name("event", effect.id, effect.place, events))
            return TypedEventEffect(declared=effect, arguments=(), when=when)
        typed = dict(self.event(event).arguments)
        arguments = tuple(
            (name.id, made)
            for name, value in effect.arguments
            if (made := self._argument(name, value, typed, environment)) is not None
        )
        for missing in typed.keys() - {name.id for name, _ in effect.arguments}:
            self._expressions.report(messages.missing_argument(effect.id, missing, effect.place))
        return TypedEventEffect(declared=effect, arguments=arguments, when=when)

    def _argument(
        self, name: Reference, value: syntax.Expression, typed: dict[str, Type | str], environment: Environment
    ) -> Typed | str | None:
        wanted = typed.get(name.id)
        if wanted is None:
            self._expressions.report(name_messages.unknown_name("argument", name.id, name.span, typed))
            return None
        if not isinstance(wanted, str):
            return self._expressions.expect(value, environment, wanted)
        if isinstance(value, syntax.Name) and value.text in (*self._names.ruleset.roles, *environment.players):
            return value.text
        self._expressions.report(messages.role_due(name.id, wanted, value.span))
        return None

    def sequence(self, sequence: Sequence) -> TypedSequence:
        """A sequence."""
        return _SequenceTyping(self, sequence, self._expressions, self._written, self._vocabulary).whole()

    def effects(self, effects: Iterable[Effect | EventEffect], environment: Environment) -> tuple[AnyEffect, ...]:
        """Effects of a moment that is spoiled."""
        return self._any_effects(effects, environment)


class _SequenceTyping:
    """Types one sequence."""

    def __init__(
        self,
        rounds: Rounds,
        sequence: Sequence,
        expressions: Expressions,
        written: Written,
        vocabulary: Vocabulary,
    ) -> None:
        self._rounds = rounds
        self._sequence = sequence
        self._expressions = expressions
        self._names = expressions.names
        self._written = written
        self._vocabulary = vocabulary
        self._locals: dict[str, Local] = {}
        self._segments: tuple[int, int] | None = None
        self.step_ids = tuple(each.id for each in all_steps(sequence.steps))
        self._loops = dict(self._looped(sequence.steps, None))

    def _looped(
        self, steps: tuple[SequenceStep, ...], outer: tuple[int, int] | None
    ) -> Iterator[tuple[str, tuple[int, int] | None]]:
        for step in steps:
            inner = self._step_segments(step) or outer
            yield step.id, inner
            yield from self._looped(step.steps, inner)

    def whole(self) -> TypedSequence:
        """All parts, in the order in which they can be read."""
        sequence, place = self._sequence, self._sequence.place
        self._define("round", ROUND, place)
        self._sides()
        facts = tuple(self._fact(each) for each in sequence.facts)
        plain = self._environment(())
        when = self._optional(sequence.when, plain)
        initiative = self._initiative(sequence.initiative, plain)
        self._define("score", _score_type(initiative), place)
        acting = self._environment(("actor", "foe", "action"))
        self._define_side_ids(place)
        start = self._start(acting)
        nth = replace(acting, locals=self._locals)
        self._define("nth", COUNT, place)
        values = tuple(self._value(each) for each in sequence.values)
        acting = replace(nth, locals=self._locals)
        return TypedSequence(
            declared=sequence,
            step_ids=self.step_ids,
            when=when,
            initiative=initiative,
            steps=tuple(self._step(each) for each in sequence.steps),
            start=start,
            who=self._optional(sequence.who, acting),
            facts=facts,
            values=values,
            holding=self._optional(sequence.holding.when, acting) if sequence.holding else None,
            places=tuple(self._place(each, acting) for each in sequence.places),
        )

    def _environment(self, players: tuple[str, ...]) -> Environment:
        sequence = self._sequence
        entities = {"actor": sequence.actor, "foe": sequence.actor, "action": sequence.action}
        playing = {each: entity.id for each in players if (entity := entities[each])}
        if sequence.side:
            playing |= {"side": sequence.side.id}
            playing |= {f"{each}.side": sequence.side.id for each in ("actor", "foe") if each in playing}
        return Environment(players=playing, locals=self._locals, sequence=sequence.id)

    def _define(self, name: str, kind: Type, place: Span) -> None:
        self._locals = {**self._locals, name: Local(name, kind, place)}

    def _sides(self) -> None:
        entities = self._names.ruleset.entities
        for entity in (self._sequence.actor, self._sequence.action, self._sequence.side):
            if entity and entity.id not in entities:
                self._expressions.report(name_messages.unknown_name("entity", entity.id, entity.span, entities))

    def _define_side_ids(self, place: Span) -> None:
        for each in ("actor.side", "foe.side"):
            self._define(each, Side(), place)

    def _optional(self, condition: Condition | None, environment: Environment) -> Typed | None:
        if condition is None:
            return None
        return self._rounds._effects.guarded(self._vocabulary.condition(condition, environment))

    def _fact(self, fact: Field) -> TypedField:
        name = fact.type.name.text if fact.type and fact.type.name else ""
        if self._sequence.side and name == self._sequence.side.id:
            typed = TypedField(declared=fact, type=Side(), default=None, computed=None)
        else:
            typed = self._vocabulary.field(fact, self._environment(()))
        self._define(fact.id, typed.type, fact.place)
        return typed

    def _initiative(self, initiative: Initiative | None, environment: Environment) -> TypedInitiative | None:
        if initiative is None:
            return None
        if initiative.by == "actor":
            environment = self._environment(("actor",))
        elif self._sequence.side:
            environment = replace(environment, players={**environment.players, "side": self._sequence.side.id})
        roll, locals = self._roll(initiative.roll, environment)
        inner = replace(environment, locals=locals)
        score = tuple(self._expressions.number(each, inner) for each in initiative.score)
        return TypedInitiative(declared=initiative, roll=roll, score=score)

    def _roll(self, roll: tuple[Die, ...], environment: Environment) -> tuple[tuple[TypedDie, ...], dict[str, Local]]:
        locals = dict(environment.locals)
        made: list[TypedDie] = []
        for die in roll:
            dice = self._expressions.expect(die.dice, replace(environment, dice=True), Dice(0, 0))
            total = Integer(dice.type.low, dice.type.high) if isinstance(dice.type, Dice) else Integer(0, 0)
            locals[die.id] = Local(die.id, total, die.place)
            made.append(TypedDie(declared=die, dice=dice, when=None))
        return tuple(made), locals

    def _start(self, environment: Environment) -> Typed | None:
        if self._sequence.start is None:
            return None
        inner = replace(environment, locals=self._locals)
        start = self._expressions.number(self._sequence.start, inner)
        self._define("start", start.type, self._sequence.start.span)
        return self._written.whole(start, "the segment where an action begins")

    def _value(self, value: Value) -> TypedValue:
        environment = replace(self._environment(("actor", "foe", "action")), locals=self._locals)
        typed = self._rounds._effects.guarded(self._expressions.typed(value.value, environment))
        self._define(value.id, typed.type, value.place)
        return TypedValue(declared=value, value=typed)

    def _step_segments(self, step: SequenceStep) -> tuple[int, int] | None:
        if step.segments is None:
            return None
        kind = self._written.type(step.segments)
        return (kind.low, kind.high) if isinstance(kind, Integer) else None

    def _step(self, step: SequenceStep) -> TypedSequenceStep:
        environment = replace(self._environment(()), locals={"round": self._locals["round"]})
        limit = self._expressions.typed(step.limit, Environment()) if step.limit else None
        if limit is not None and (limit.literal is None or limit.literal < 1):
            self._expressions.report(type_messages.not_a_constant(limit.span, Integer()))
        return TypedSequenceStep(
            declared=step,
            when=self._optional(step.when, environment),
            leads_to=self._leads_to(step.leads_to, environment) if step.leads_to else None,
            initiative=self._initiative(step.initiative, self._environment(())),
            segments=self._loops.get(step.id) if step.each == "segment" else None,
            limit=int(limit.literal) if limit is not None and limit.literal is not None else None,
            steps=tuple(self._step(each) for each in step.steps),
        )

    def _leads_to(self, leads_to: LeadsTo, environment: Environment) -> TypedLeadsTo:
        facts = tuple((name.id, self._expressions.typed(value, environment)) for name, value in leads_to.facts)
        return TypedLeadsTo(declared=leads_to, when=self._optional(leads_to.when, environment), facts=facts)

    def _place(self, place: Place, environment: Environment) -> TypedPlace:
        return TypedPlace(
            declared=place, moments=tuple(self._moment(each, place, environment) for each in place.moments)
        )

    def _moment(self, moment: Moment, place: Place, environment: Environment) -> TypedMoment:
        once = replace(environment, locals={key: each for key, each in environment.locals.items() if key != "nth"})
        times = self._expressions.number(moment.times, once) if moment.times else None
        when = self._optional(moment.when, environment)
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        self._check_events((*moment.threat, *(moment.spoiled.by if moment.spoiled else ())))
        spoiling = self._rounds.effects(moment.spoiled.effects, environment) if moment.spoiled else ()
        return TypedMoment(
            declared=moment,
            times=self._written.whole(times, "how often a moment comes") if times else None,
            when=when,
            cases=self._cases(moment, place, environment),
            spoiling=spoiling,
        )

    def _check_events(self, events: Iterable[Reference]) -> None:
        known = self._names.ruleset.events
        for each in events:
            if each.id not in known:
                self._expressions.report(name_messages.unknown_name("event", each.id, each.span, known))

    def _cases(self, moment: Moment, place: Place, environment: Environment) -> tuple[TypedMomentCase, ...]:
        made = []
        earlier = [each.id for each in place.moments[: place.moments.index(moment)]]
        self._check_moment(moment.spoiled.since if moment.spoiled else None, earlier)
        for index, case in enumerate(moment.cases):
            is_last = index == len(moment.cases) - 1
            if case.id and is_last != (case.when is None):
                self._expressions.report(messages.moment_case_order(case.id, case.place, is_last))
            typed = self._case(case, earlier, environment)
            made.append(typed)
            if typed.when is not None:
                narrowing = environment.narrowing.assuming(typed.when, False)
                environment = replace(environment, narrowing=narrowing)
        return tuple(made)

    def _check_moment(self, named: Reference | None, earlier: list[str]) -> None:
        if named and named.id not in earlier:
            self._expressions.report(name_messages.unknown_name("earlier moment", named.id, named.span, earlier))

    def _case(self, case: MomentCase, earlier: list[str], environment: Environment) -> TypedMomentCase:
        when = self._optional(case.when, environment)
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        self._check_moment(case.after, earlier)
        if case.step is None and case.after is None and not case.left_out:
            self._expressions.report(messages.nowhere(case.id or "this moment", case.place))
        steps = self._names.choice(f"{self._sequence.id}.step")
        step = self._expressions.expect(case.step, environment, steps) if case.step else None
        segment = self._whole(case.segment, "a segment", environment)
        if step is not None:
            self._check_step(step, segment, case)
        return TypedMomentCase(
            declared=case, when=when, step=step, segment=segment, rounds=self._whole(case.rounds, "rounds", environment)
        )

    def _whole(self, expression: syntax.Expression | None, what: str, environment: Environment) -> Typed | None:
        if expression is None:
            return None
        return self._written.whole(
            self._rounds._effects.guarded(self._expressions.number(expression, environment)), what
        )

    def _check_step(self, step: Typed, segment: Typed | None, case: MomentCase) -> None:
        if not isinstance(step.type, Choice):
            return
        ids = self.step_ids[step.type.low : step.type.high + 1]
        if step.literal is None:
            return
        by_id = {each.id: each for each in all_steps(self._sequence.steps)}
        for id in ids:
            loop = self._loops.get(id)
            if by_id[id].steps and by_id[id].each != "segment":
                self._expressions.report(messages.step_with_steps(id, step.span, by_id[id].place))
            elif loop and segment is None:
                self._expressions.report(messages.segment_due(id, step.span, loop))
            elif segment is not None and loop is None:
                self._expressions.report(messages.no_segments(id, segment.span))
            elif segment is not None and loop is not None:
                self._check_segment(segment, loop, case)

    def _check_segment(self, segment: Typed, loop: tuple[int, int], case: MomentCase) -> None:
        match segment.type:
            case Integer(low, high) if low < loop[0] or (high > loop[1] and case.past_end is None):
                self._expressions.report(messages.segment_out_of_range(segment.span, (low, high), loop))


def all_steps(steps: Iterable[SequenceStep]) -> Iterator[SequenceStep]:
    """The steps of a sequence, depth first."""
    for each in steps:
        yield each
        yield from all_steps(each.steps)


def _score_type(initiative: TypedInitiative | None) -> Type:
    return initiative.score[0].type if initiative and initiative.score else Integer(0, 0)
