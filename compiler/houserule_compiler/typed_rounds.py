"""Typed events, actions, triggers and sequences: what `typecheck` makes of `rounds`."""

from __future__ import annotations

from dataclasses import dataclass

from . import rounds
from .typed import AnyEffect, Typed, TypedCallAdjust, TypedDie, TypedField, TypedValue
from .types import Type


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedEvent:
    """An event; an argument is of a type, or somebody of an entity."""

    declared: rounds.Event
    arguments: tuple[tuple[str, Type | str], ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedRequirement:
    """One requirement of an action."""

    declared: rounds.Requirement
    when: Typed


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedAction:
    """An action."""

    declared: rounds.Action
    requires: tuple[TypedRequirement, ...]
    adjusts: tuple[TypedCallAdjust, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedTrigger:
    """A trigger."""

    declared: rounds.Trigger
    when: Typed
    adjusts: tuple[TypedCallAdjust, ...]
    effects: tuple[AnyEffect, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedInitiative:
    """Who rolls what."""

    declared: rounds.Initiative
    roll: tuple[TypedDie, ...]
    score: tuple[Typed, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedLeadsTo:
    """Another sequence that may follow."""

    declared: rounds.LeadsTo
    when: Typed | None
    facts: tuple[tuple[str, Typed], ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedSequenceStep:
    """One step of a sequence; `segments` are the first and last that it counts."""

    declared: rounds.SequenceStep
    when: Typed | None
    leads_to: TypedLeadsTo | None
    initiative: TypedInitiative | None
    segments: tuple[int, int] | None
    limit: int | None
    steps: tuple[TypedSequenceStep, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedMomentCase:
    """Where a moment falls in one case."""

    declared: rounds.MomentCase
    when: Typed | None
    step: Typed | None
    segment: Typed | None
    rounds: Typed | None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedMoment:
    """One moment of an action."""

    declared: rounds.Moment
    times: Typed | None
    when: Typed | None
    cases: tuple[TypedMomentCase, ...]
    spoiling: tuple[AnyEffect, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedPlace:
    """The moments of one action."""

    declared: rounds.Place
    moments: tuple[TypedMoment, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedSequence:
    """A sequence; `step_ids` are its steps, depth first: the words of the choice `sequence.step`."""

    declared: rounds.Sequence
    step_ids: tuple[str, ...]
    when: Typed | None
    initiative: TypedInitiative | None
    steps: tuple[TypedSequenceStep, ...]
    start: Typed | None
    who: Typed | None
    facts: tuple[TypedField, ...]
    values: tuple[TypedValue, ...]
    holding: Typed | None
    places: tuple[TypedPlace, ...]
