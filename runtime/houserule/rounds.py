"""Events, actions, triggers and sequences of a verified program. docs/artifact.md says what each part means."""

from __future__ import annotations

from .program import expressions_of_effects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from dataclasses import dataclass
    from typing import Literal

    from .expression import Binding, Expr, Read
    from .program import Adjust, Die, Effect, Field, Label, Type, Value
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of an event: somebody of an entity, or a value of a type."""

    id: str
    entity: str
    type: Type | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that can happen."""

    label: Label
    arguments: Mapping[str, Argument]


@dataclass(frozen=True, slots=True)
class EventEffect:
    """An event that is reported; for each argument a value, or the chair of somebody."""

    event: str
    values: tuple[tuple[str, Expr], ...]
    chairs: Binding
    when: Expr | None


@dataclass(frozen=True, slots=True)
class Requirement:
    """One named condition of an action; it is met only where all that it needs is known."""

    label: Label
    when: Expr
    text: str
    needs: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """Something that somebody can do: `by` is the chair of who acts, `against` that of the foe."""

    label: Label
    by: str
    against: str
    requires: tuple[Requirement, ...]
    check: str
    seats: Binding
    adjusts: tuple[Adjust, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """A change that calls for a check; it holds only where all that it needs is known."""

    label: Label
    when: Expr
    text: str
    needs: tuple[Read, ...]
    check: str
    seats: Binding
    adjusts: tuple[Adjust, ...]
    effects: tuple[Effect | EventEffect, ...]
    is_every_round: bool


@dataclass(frozen=True, slots=True)
class Initiative:
    """Who rolls what, and which scores come first."""

    by: Literal["side", "actor"]
    roll: tuple[Die, ...]
    score: tuple[Expr, ...]
    first: Literal["highest", "lowest"]
    ties: Literal["together", "reroll"]


@dataclass(frozen=True, slots=True)
class LeadsTo:
    """Another sequence that may follow, with the facts that it takes."""

    sequence: str
    when: Expr | None
    facts: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class SequenceStep:
    """One step of a sequence. `segments` are the first and the last that it counts, `limit` is 0 for none."""

    label: Label
    when: Expr | None
    check: str
    seats: Binding
    leads_to: LeadsTo | None
    initiative: Initiative | None
    takes_turns: bool
    segments: tuple[int, int] | None
    limit: int
    steps: tuple[SequenceStep, ...]


@dataclass(frozen=True, slots=True)
class MomentCase:
    """Where a moment falls in one case. `meanwhile` is None where the actor stays free."""

    label: Label
    when: Expr | None
    step: Expr | None
    segment: Expr | None
    rounds: Expr | None
    is_foes_turn: bool
    after: str
    passes_end: bool
    meanwhile: tuple[str, ...] | None
    left_out: str


@dataclass(frozen=True, slots=True)
class Spoiled:
    """What makes a moment fail between an earlier moment and itself."""

    since: str
    by: tuple[str, ...]
    effects: tuple[Effect | EventEffect, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of an action: how often it comes, when, and where it falls."""

    label: Label
    times: Expr | None
    when: Expr | None
    cases: tuple[MomentCase, ...]
    threat: tuple[str, ...]
    spoiled: Spoiled | None


@dataclass(frozen=True, slots=True)
class Holding:
    """Who may hold an action back, and to which steps, or to any later segment."""

    when: Expr | None
    steps: tuple[str, ...]
    to_segment: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """A round, or another order of play. `actor`, `action` and `side` are entities, empty where there is none."""

    label: Label
    actor: str
    action: str
    side: str
    when: Expr | None
    initiative: Initiative | None
    steps: tuple[SequenceStep, ...]
    start: Expr | None
    who: Expr | None
    facts: Mapping[str, Field]
    values: Mapping[str, Value]
    holding: Holding | None
    places: Mapping[str, tuple[Moment, ...]]

    def all_steps(self) -> Iterator[SequenceStep]:
        """The steps, depth first: the words of the choice `sequence.step`, in order."""
        yield from _all(self.steps)

    def players(self) -> dict[str, str]:
        """The entity of each chair that belongs to a declared action; those without an entity have no fields."""
        entities = {"actor": self.actor, "foe": self.actor, "action": self.action}
        entities |= {"actor.side": self.side, "foe.side": self.side}
        return {chair: entity for chair, entity in entities.items() if entity}

    def segments(self) -> tuple[int, int] | None:
        """The first and the last segment that any step counts, or None."""
        counted = [each.segments for each in self.all_steps() if each.segments]
        return (min(low for low, _ in counted), max(high for _, high in counted)) if counted else None


def _all(steps: tuple[SequenceStep, ...]) -> Iterator[SequenceStep]:
    for each in steps:
        yield each
        yield from _all(each.steps)


def expressions_of_moment(moment: Moment) -> Iterator[Expr]:
    """All expressions of a moment that place it; those of what follows from spoiling it apart."""
    for case in moment.cases:
        yield from _given(case.when, case.step, case.segment, case.rounds)
    yield from _given(moment.times, moment.when)


def expressions_of_initiative(initiative: Initiative | None) -> Iterator[Expr]:
    """All expressions of an initiative."""
    if initiative:
        for die in initiative.roll:
            yield from _given(die.dice, die.when)
        yield from initiative.score


def expressions_of_step(step: SequenceStep) -> Iterator[Expr]:
    """All expressions of a step, without those of its initiative and of the steps inside it."""
    yield from _given(step.when)
    if step.leads_to:
        yield from (value for _, value in step.leads_to.facts)
        yield from _given(step.leads_to.when)


def expressions_of_sequence(sequence: Sequence) -> Iterator[Expr]:
    """All expressions of a sequence."""
    holding = sequence.holding.when if sequence.holding else None
    yield from _given(sequence.when, sequence.start, sequence.who, holding)
    yield from expressions_of_initiative(sequence.initiative)
    yield from (each.value for each in sequence.values.values())
    for step in sequence.all_steps():
        yield from expressions_of_step(step)
        yield from expressions_of_initiative(step.initiative)
    for moment in (moment for place in sequence.places.values() for moment in place):
        yield from expressions_of_moment(moment)
        yield from expressions_of_effects(moment.spoiled.effects if moment.spoiled else ())


def _given(*exprs: Expr | None) -> Iterator[Expr]:
    yield from (each for each in exprs if each is not None)
