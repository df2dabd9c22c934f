"""Sequences, with types: whose fields each part can read, who rolls what, and how steps loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..arithmetic import joined
from ..declarations import Condition, Die, Field, Value
from ..messages import names as name_messages
from ..messages import rounds as messages
from ..messages import types as type_messages
from ..rounds import Initiative, LeadsTo, Place, Sequence, SequenceStep
from ..source import Span
from ..typed import Typed, TypedDie, TypedField, TypedTable, TypedValue
from ..typed_rounds import TypedInitiative, TypedLeadsTo, TypedPlace, TypedSequence, TypedSequenceStep
from ..types import Dice, Integer, Side, Type
from .effects import Effects
from .expressions import Expressions
from .moments import MOST_TIMES, Moments
from .names import Environment, Local
from .vocabulary import Vocabulary
from .written import Written

ROUND = Integer(1, 999_999_999)


class Sequences:
    """Types the sequences of a ruleset."""

    def __init__(self, expressions: Expressions, written: Written, vocabulary: Vocabulary) -> None:
        self._expressions = expressions
        self._written = written
        self._vocabulary = vocabulary

    def sequence(self, sequence: Sequence, tables: Mapping[str, TypedTable]) -> TypedSequence:
        """One sequence. `tables` tell at which steps a table can place a moment."""
        return _Typing(sequence, self._expressions, self._written, self._vocabulary).whole(tables)


class _Typing:
    """Types one sequence."""

    def __init__(self, sequence: Sequence, expressions: Expressions, written: Written, vocabulary: Vocabulary) -> None:
        self._sequence = sequence
        self._expressions = expressions
        self._names = expressions.names
        self._written = written
        self._vocabulary = vocabulary
        self._effects = Effects(expressions, vocabulary)
        self._loops = dict(self._looped(sequence.steps, None))
        self._locals: dict[str, Local] = {}
        self._counted: set[str] = {"nth"}

    def _looped(
        self, steps: tuple[SequenceStep, ...], outer: tuple[int, int] | None
    ) -> Iterator[tuple[str, tuple[int, int] | None]]:
        for step in steps:
            inner = self._segments(step) or outer
            yield step.id, inner
            yield from self._looped(step.steps, inner)

    def _segments(self, step: SequenceStep) -> tuple[int, int] | None:
        kind = self._written.type(step.segments) if step.segments else None
        return (kind.low, kind.high) if isinstance(kind, Integer) else None

    def whole(self, tables: Mapping[str, TypedTable]) -> TypedSequence:
        """All parts, in the order in which they can be read."""
        sequence, place = self._sequence, self._sequence.place
        self._define("round", ROUND, place)
        self._check_entities()
        facts = tuple(self._fact(each) for each in sequence.facts)
        plain = self._environment()
        initiative = self._initiative(sequence.initiative, plain)
        steps = tuple(self._step(each, plain) for each in sequence.steps)
        self._define_acting(initiative)
        start = self._start()
        self._define("nth", Integer(1, MOST_TIMES), place)
        values = tuple(self._value(each) for each in sequence.values)
        acting = self._environment(("actor", "foe", "action"))
        once = replace(acting, locals={key: each for key, each in self._locals.items() if key not in self._counted})
        return TypedSequence(
            declared=sequence,
            step_ids=tuple(each.id for each in all_steps(sequence.steps)),
            when=self._condition(sequence.when, plain),
            initiative=initiative,
            steps=steps,
            start=start,
            who=self._condition(sequence.who, once),
            facts=facts,
            values=values,
            holding=self._condition(sequence.holding.when, once) if sequence.holding else None,
            places=self._places(acting, once, tables),
        )

    def _environment(self, players: tuple[str, ...] = ()) -> Environment:
        """What can be read with these taking part; only an actor and its foe have a side."""
        sequence = self._sequence
        entities = {"actor": sequence.actor, "foe": sequence.actor, "action": sequence.action}
        playing = {each: entity.id for each in players if (entity := entities[each])}
        side = sequence.side.id if sequence.side else ""
        if side:
            playing |= {f"{each}.side": side for each in ("actor", "foe") if each in players}
        return Environment(players=playing, locals=self._locals, sequence=sequence.id, side=side)

    def _define(self, name: str, kind: Type, place: Span, may_be_unknown: bool = False) -> None:
        self._locals = {**self._locals, name: Local(name, kind, place, may_be_unknown)}

    def _define_acting(self, initiative: TypedInitiative | None) -> None:
        """What can be read of a declared action besides fields."""
        place = self._sequence.place
        self._define("score", initiative.score[0].type if initiative and initiative.score else Integer(0, 0), place)
        for each in ("actor.side", "foe.side"):
            self._define(each, Side(), place)

    def _check_entities(self) -> None:
        entities = self._names.ruleset.entities
        for entity in (self._sequence.actor, self._sequence.action, self._sequence.side):
            if entity and entity.id not in entities:
                self._expressions.report(name_messages.unknown_name("entity", entity.id, entity.span, entities))

    def _condition(self, condition: Condition | None, environment: Environment) -> Typed | None:
        return self._effects.guarded(self._vocabulary.condition(condition, environment)) if condition else None

    def _fact(self, fact: Field) -> TypedField:
        if fact.computed is not None:
            self._expressions.report(messages.computed_fact(fact.id, fact.place))
        name = fact.type.name.text if fact.type and fact.type.name else ""
        if self._sequence.side and name == self._sequence.side.id:
            typed = TypedField(declared=fact, type=Side(), default=None, computed=None)
        else:
            typed = self._vocabulary.field(fact, self._environment())
        self._define(fact.id, typed.type, fact.place, fact.may_be_unknown)
        return typed

    def _initiative(self, initiative: Initiative | None, environment: Environment) -> TypedInitiative | None:
        if initiative is None:
            return None
        if initiative.by == "actor":
            environment = replace(environment, players=self._environment(("actor",)).players)
        elif environment.side:
            environment = replace(environment, players={"side": environment.side})
        roll, locals = self._roll(initiative.roll, environment)
        inner = replace(environment, locals=locals)
        score = tuple(self._effects.guarded(self._expressions.number(each, inner)) for each in initiative.score)
        return TypedInitiative(declared=initiative, roll=roll, score=score)

    def _roll(self, roll: tuple[Die, ...], environment: Environment) -> tuple[tuple[TypedDie, ...], dict[str, Local]]:
        locals = dict(environment.locals)
        made: list[TypedDie] = []
        for die in roll:
            thrown = self._expressions.expect(die.dice, replace(environment, dice=True), Dice(0, 0))
            dice, when = self._effects.guarded(thrown), self._condition(die.when, environment)
            total = Integer(dice.type.low, dice.type.high) if isinstance(dice.type, Dice | Integer) else dice.type
            locals[die.id] = Local(die.id, total, die.place, may_be_unknown=when is not None)
            made.append(TypedDie(declared=die, dice=dice, when=when))
        return tuple(made), locals

    def _start(self) -> Typed | None:
        """The segment where an action begins; holding can move it to any other."""
        if self._sequence.start is None:
            return None
        environment = self._environment(("actor", "foe", "action"))
        start = self._effects.guarded(self._expressions.number(self._sequence.start, environment))
        start = self._written.whole(start, "the segment where an action begins")
        kind = start.type
        if self._sequence.holding and self._sequence.holding.to_segment:
            for loop in self._loops.values():
                kind = (joined(kind, Integer(*loop)) or kind) if loop else kind
        self._define("start", kind, self._sequence.start.span)
        return start

    def _value(self, value: Value) -> TypedValue:
        environment = self._environment(("actor", "foe", "action"))
        typed = self._effects.guarded(self._expressions.typed(value.value, environment))
        self._define(value.id, typed.type, value.place)
        if any(each.operator == "local" and each.operands[0] in self._counted for each in typed.walk()):
            self._counted.add(value.id)
        return TypedValue(declared=value, value=typed)

    def _step(self, step: SequenceStep, plain: Environment) -> TypedSequenceStep:
        limit = self._expressions.typed(step.limit, Environment()) if step.limit else None
        if limit is not None and (limit.literal is None or limit.literal < 1):
            self._expressions.report(type_messages.not_a_constant(limit.span, Integer()))
        return TypedSequenceStep(
            declared=step,
            when=self._condition(step.when, plain),
            leads_to=self._leads_to(step.leads_to, plain) if step.leads_to else None,
            initiative=self._initiative(step.initiative, plain),
            segments=self._segments(step),
            limit=int(limit.literal) if limit is not None and limit.literal is not None else None,
            steps=tuple(self._step(each, plain) for each in step.steps),
        )

    def _leads_to(self, leads_to: LeadsTo, environment: Environment) -> TypedLeadsTo:
        following = self._names.ruleset.sequences.get(leads_to.sequence.id)
        wanted = {each.id: each for each in following.facts} if following else {}
        facts: list[tuple[str, Typed]] = []
        for name, value in leads_to.facts:
            declared = wanted.get(name.id)
            if following and declared is None:
                self._expressions.report(name_messages.unknown_name("fact", name.id, name.span, wanted))
            kind = self._written.type(declared.type) if declared and declared.type else None
            typed = (
                self._expressions.expect(value, environment, kind)
                if kind
                else self._expressions.typed(value, environment)
            )
            facts.append((name.id, self._effects.guarded(typed)))
        return TypedLeadsTo(declared=leads_to, when=self._condition(leads_to.when, environment), facts=tuple(facts))

    def _places(
        self, acting: Environment, once: Environment, tables: Mapping[str, TypedTable]
    ) -> tuple[TypedPlace, ...]:
        """The places of each action; moments that several actions share are typed once."""
        moments = Moments(self._sequence, self._loops, self._expressions, self._written, self._vocabulary, tables)
        known: dict[int, TypedPlace] = {}
        for place in self._sequence.places:
            self._check_players(place)
            shared = known.get(id(place.moments))
            typed = shared.moments if shared else moments.all(place, acting, once)
            known.setdefault(id(place.moments), TypedPlace(declared=place, moments=typed))
            known[id(place)] = TypedPlace(declared=place, moments=typed)
        return tuple(known[id(each)] for each in self._sequence.places)

    def _check_players(self, place: Place) -> None:
        """The roles that an action's requirements speak of must be played by what the sequence has as actors."""
        action, actor = self._names.ruleset.actions.get(place.id), self._sequence.actor
        for role in (action.by, action.against) if action and actor else ():
            entity = self._names.entity_of(role.id) if role else ""
            if role and actor and entity and entity != actor.id:
                self._expressions.report(messages.another_actor(place.id, place.place, role, entity, actor))


def all_steps(steps: Iterable[SequenceStep]) -> Iterator[SequenceStep]:
    """The steps of a sequence, depth first."""
    for each in steps:
        yield each
        yield from all_steps(each.steps)
