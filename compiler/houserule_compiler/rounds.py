"""What the YAML declares of play in rounds: events, actions, triggers and sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .declarations import (
    Adjust,
    Condition,
    Definition,
    Die,
    Effect,
    EventEffect,
    Field,
    Rebind,
    Reference,
    Value,
)
from .source import Span
from .syntax import Expression, TypeExpression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Argument(Definition):
    """One argument of an event: the name of an entity, or a type."""

    type: TypeExpression


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Event(Definition):
    """Something that can happen."""

    arguments: tuple[Argument, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Requirement(Definition):
    """One named condition of an action."""

    when: Condition


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Action(Definition):
    """Something that somebody can do: `by` is the role of who acts, `against` the role of the foe."""

    by: Reference | None
    against: Reference | None
    requires: tuple[Requirement, ...]
    check: Reference | None
    rebinds: tuple[Rebind, ...]
    adjusts: tuple[Adjust, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Trigger(Definition):
    """A change that calls for a check."""

    when: Condition
    check: Reference | None
    rebinds: tuple[Rebind, ...]
    adjusts: tuple[Adjust, ...]
    effects: tuple[Effect | EventEffect, ...]
    every: Reference | None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Initiative:
    """Who rolls what, and which scores come first."""

    by: Literal["side", "actor"]
    roll: tuple[Die, ...]
    score: tuple[Expression, ...]
    first: Literal["highest", "lowest"]
    ties: Literal["together", "reroll"]
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LeadsTo:
    """Another sequence that follows from a step; it is reported, not run."""

    sequence: Reference
    when: Condition | None
    facts: tuple[tuple[Reference, Expression], ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SequenceStep(Definition):
    """One step of a round. `each` is `turn`, or the band of segments that it counts."""

    when: Condition | None = None
    check: Reference | None = None
    rebinds: tuple[Rebind, ...] = ()
    leads_to: LeadsTo | None = None
    initiative: Initiative | None = None
    each: Literal["turn", "segment", ""] = ""
    segments: TypeExpression | None = None
    limit: Expression | None = None
    steps: tuple[SequenceStep, ...] = ()


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class MomentCase(Definition):
    """Where a moment falls in one case."""

    when: Condition | None = None
    step: Expression | None = None
    segment: Expression | None = None
    rounds: Expression | None = None
    turn_of: Reference | None = None
    after: Reference | None = None
    past_end: Reference | None = None
    meanwhile: tuple[Reference, ...] | None = None
    left_out: str = ""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Spoiled:
    """What makes a moment fail between an earlier moment and itself."""

    since: Reference | None
    by: tuple[Reference, ...]
    effects: tuple[Effect | EventEffect, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Moment(Definition):
    """One moment of an action: how often it comes, when, and where it falls."""

    times: Expression | None
    when: Condition | None
    cases: tuple[MomentCase, ...]
    threat: tuple[Reference, ...]
    spoiled: Spoiled | None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Place(Definition):
    """The moments of one action; the id is the action's."""

    moments: tuple[Moment, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Holding:
    """Who may hold, and to which steps, or to any later segment."""

    when: Condition | None
    to: tuple[Reference, ...]
    to_segment: bool
    span: Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Sequence(Definition):
    """A round, or another order of play."""

    when: Condition | None
    initiative: Initiative | None
    steps: tuple[SequenceStep, ...]
    start: Expression | None
    actor: Reference | None
    action: Reference | None
    side: Reference | None
    who: Condition | None
    facts: tuple[Field, ...]
    values: tuple[Value, ...]
    holding: Holding | None
    places: tuple[Place, ...]
