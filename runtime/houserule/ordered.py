"""The order of a round as callers see it: who acts when, what is left out and why, what comes over to the next."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from dataclasses import dataclass

    from .procedure import Effect, Happening
    from .trace import Trace
    from .values import Shown
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class PlacedMoment:
    """One moment in its place. `segment` is None where the step counts none, `foe` empty where there is none.

    `key` is its position: sorting is the order, equal is simultaneous. `may_be_spoiled_by` names the moments that can
    make it fail, `spoiled_by` those that did, each with its event; `effects` follow from that.
    """

    step: str
    segment: int | None
    actor: str
    action: str
    moment: str
    nth: int
    foe: str
    title: str
    key: tuple[int, ...]
    is_held: bool
    is_carried: bool
    may_be_spoiled_by: tuple[str, ...]
    spoiled_by: tuple[tuple[str, str], ...]
    effects: tuple[Effect | Happening, ...]

    @property
    def name(self) -> str:
        """What authors call it: `archer shoot 2`."""
        return f"{self.actor} {self.moment}" + (f" {self.nth}" if self.nth > 1 else "")

    @property
    def is_spoiled(self) -> bool:
        """Whether it fails."""
        return bool(self.spoiled_by)

    def __str__(self) -> str:
        return self.name + (" spoiled" if self.is_spoiled else "")

    def to_dict(self) -> dict[str, object]:
        """The moment as plain JSON data."""
        found: dict[str, object] = {
            "actor": self.actor,
            "action": self.action,
            "moment": self.moment,
            "nth": self.nth,
            "step": self.step,
            "key": list(self.key),
        }
        more: dict[str, object] = {
            "segment": self.segment,
            "foe": self.foe,
            "held": self.is_held,
            "carried": self.is_carried,
            "may_be_spoiled_by": list(self.may_be_spoiled_by),
            "spoiled_by": [list(each) for each in self.spoiled_by],
            "effects": [each.to_dict() for each in self.effects],
        }
        return found | {key: value for key, value in more.items() if value not in (None, "", False, [])}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something declared that finds no place: a whole action, where `moment` is empty, or one moment of it.

    `reason` is `who`, `holding`, `requires.NAME`, `no_moment`, `busy`, `limit`, `when`, or the id of a case; `title` is
    the reason in words, where the rules have them.
    """

    actor: str
    action: str
    moment: str
    reason: str
    title: str

    @property
    def name(self) -> str:
        """What authors call it: `squire melee strike`, `mage move`."""
        return " ".join(filter(None, [self.actor, self.action, self.moment]))

    def __str__(self) -> str:
        from .explain_order import REASONS

        return f"{self.name}: {REASONS.get(self.reason, self.reason)}" + (f" ({self.title})" if self.title else "")

    def to_dict(self) -> dict[str, object]:
        """The same as plain JSON data."""
        found: dict[str, object] = {"actor": self.actor, "action": self.action, "reason": self.reason}
        return found | {key: each for key, each in (("moment", self.moment), ("title", self.title)) if each}


@dataclass(frozen=True, slots=True)
class StepEntry:
    """What a step of the round calls for: a check to be rolled, or another sequence to be entered; neither is run.

    `seats` say who plays which role in the check, `facts` are given to the sequence; those that are not known yet are
    not among them.
    """

    step: str
    check: str
    seats: Mapping[str, str]
    sequence: str
    facts: Mapping[str, Shown]

    def to_dict(self) -> dict[str, object]:
        """The same as plain JSON data."""
        from .values import plain

        found: dict[str, object] = {"step": self.step}
        if self.check:
            found |= {"check": self.check, "as": dict(self.seats)}
        if self.sequence:
            found |= {"sequence": self.sequence, "facts": {id: plain(each) for id, each in self.facts.items()}}
        return found


@dataclass(frozen=True, slots=True)
class Line:
    """One step of the printed round: its title, how deep it stands, and whether it is visited."""

    step: str
    title: str
    depth: int
    is_visited: bool


@dataclass(frozen=True, slots=True)
class Order:
    """The whole order of a round.

    `groups` are its moments, those that happen at once together; `carried` is what the next round's encounter takes as
    `carried`; `lost` are moments of later rounds that were spoiled in this one. `dice` are the rolls of initiative by
    who rolled, `scores` what they came to, `ties` those who share a place. `entries` are the checks and sequences that
    steps call for. `effects` follow from all that was spoiled, in order.
    """

    sequence: str
    title: str
    round: int
    groups: tuple[tuple[PlacedMoment, ...], ...]
    left_out: tuple[LeftOut, ...]
    carried: tuple[Mapping[str, object], ...]
    coming: tuple[PlacedMoment, ...]
    lost: tuple[PlacedMoment, ...]
    dice: Mapping[str, int]
    faces: Mapping[str, tuple[int, ...]]
    scores: Mapping[str, Shown]
    ties: tuple[tuple[str, ...], ...]
    entries: tuple[StepEntry, ...]
    lines: tuple[Line, ...]
    trace: Trace

    def moments(self) -> Iterator[PlacedMoment]:
        """All moments of this round, in order."""
        for group in self.groups:
            yield from group

    @property
    def effects(self) -> tuple[Effect | Happening, ...]:
        """What follows from the moments that were spoiled."""
        return tuple(effect for each in (*self.moments(), *self.lost) for effect in each.effects)

    def __iter__(self) -> Iterator[tuple[PlacedMoment, ...]]:
        return iter(self.groups)

    def __str__(self) -> str:
        from .explain_order import summary

        return summary(self)

    def to_dict(self) -> dict[str, object]:
        """The order as plain JSON data, without the trace."""
        from .values import plain

        return {
            "sequence": self.sequence,
            "round": self.round,
            "order": [[each.to_dict() for each in group] for group in self.groups],
            "left_out": [each.to_dict() for each in self.left_out],
            "carried": [dict(each) for each in self.carried],
            "lost": [each.to_dict() for each in self.lost],
            "dice": dict(self.dice),
            "scores": {who: plain(score) for who, score in self.scores.items()},
            "ties": [list(each) for each in self.ties],
            "entries": [each.to_dict() for each in self.entries],
            "effects": [each.to_dict() for each in self.effects],
        }
