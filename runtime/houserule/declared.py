"""What takes part in a round, as it was given and checked: actors, what each declares, and what came over."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass
    from typing import TypeAlias

    from .evaluate import Facts, Value
    from .play import Seat
    from .values import Unknown

    Ident: TypeAlias = tuple[str, str, int]
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declared action. `hold` is the step or the segment that it is held to; `round` is that of declaring it."""

    actor: str
    action: str
    foe: str
    hold: str | int | None
    facts: Mapping[str, Value | Unknown]
    round: int

    @property
    def ident(self) -> Ident:
        """What tells it from all others, also from the same action of an earlier round."""
        return self.actor, self.action, self.round

    @property
    def path(self) -> str:
        """Where it stands in the encounter."""
        return f"actors.{self.actor}.does.{self.action}"


@dataclass(frozen=True, slots=True)
class Actor:
    """One actor: its side, empty where there is none, and what it declares, by action."""

    seat: Seat
    side: str
    does: Mapping[str, Declaration]


@dataclass(frozen=True, slots=True)
class Carried:
    """A moment that came over from an earlier round. `rounds` is 0 where it falls into this one."""

    declaration: Declaration
    moment: str
    nth: int
    step: str
    segment: int | None
    rounds: int
    is_foes_turn: bool
    meanwhile: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Encounter:
    """A whole round's input, checked. `own` are the sequence's facts, `given` those of roles and loose ones."""

    round: int
    sides: Mapping[str, Seat]
    actors: Mapping[str, Actor]
    own: Mapping[str, Value | Unknown]
    given: Facts
    rolls: Mapping[str, object]
    happened: Mapping[str, tuple[str, ...]]
    carried: tuple[Carried, ...]
    options: Mapping[str, Value]
