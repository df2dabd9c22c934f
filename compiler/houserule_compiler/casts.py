"""Who takes part in the rounds in which two rulesets are compared: one or two who act, each on either side, and foes.

A cast says who is there and which actions are declared. Actions that both rulesets treat alike stand for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, TypeAlias

from houserule.expression import Declares

if TYPE_CHECKING:
    from houserule.rounds import Action

    from .round_played import SequenceSide

ACTIONS = 60
"""Of how many actions all pairs are looked at; those that changed are the first of them."""
SIDES = ("_ours", "_theirs")
FIRST, SECOND, FOE = "_one", "_two", "_foe"
"""Names that nobody else bears; those of the examples take their place where a round is told."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who takes part: on which side, what is declared, and which of it against a foe."""

    id: str
    side: str
    does: tuple[str, ...] = ()
    foe: str = ""
    against: tuple[str, ...] = ()


Cast: TypeAlias = tuple[Player, ...]


class Casting:
    """The casts for one sequence of two rulesets. `usual` says how often an action is declared in examples."""

    def __init__(
        self, sides: tuple[SequenceSide, SequenceSide], changed: frozenset[str], usual: Mapping[str, int]
    ) -> None:
        self.sides = sides
        self.changed = changed
        shared = [each for each in sides[0].sequence.places if each in sides[1].sequence.places]
        ordered = sorted(shared, key=lambda each: -usual.get(each, 0))
        self.is_complete = len(ordered) <= ACTIONS
        if not self.is_complete:
            ordered.sort(key=lambda each: not self._is_apart(each))
        self.shared = ordered[:ACTIONS]
        self.mentioned = {each for side in sides for each in _mentioned(side)}
        self.against: dict[str, bool] = {}
        self.actions = self._representatives()

    @property
    def has_sides(self) -> bool:
        """Whether either ruleset asks on which side somebody is."""
        return any(
            side.sequence.side or any(each.by == "side" for each in side.initiatives.values()) for side in self.sides
        )

    def casts(self, apart: Iterable[str]) -> list[Cast]:
        """Every cast in which one of these actions is declared, the smallest first."""
        wanted = set(apart)
        found = [*self._alone(), *self._against(), *self._beside()]
        kept = [each for each in found if any(not wanted.isdisjoint(player.does) for player in each)]
        return sorted(kept, key=lambda each: len({action for player in each for action in player.does}))

    def _alone(self) -> Iterator[Cast]:
        for does in (*((each,) for each in self.actions), *permutations(self.actions, 2)):
            yield self._player(FIRST, SIDES[0], does, FOE), Player(FOE, SIDES[1])

    def _pairs(self) -> Iterator[tuple[str, str]]:
        yield from ((each, each) for each in self.actions)
        yield from combinations(self.actions, 2)

    def _against(self) -> Iterator[Cast]:
        for one, two in self._pairs():
            yield self._player(FIRST, SIDES[0], (one,), SECOND), self._player(SECOND, SIDES[1], (two,), FIRST)

    def _beside(self) -> Iterator[Cast]:
        """Two of one side, where it can matter that each has a roll of its own."""
        if self.has_sides and any(each.by == "actor" for side in self.sides for each in side.initiatives.values()):
            for one, two in self._pairs():
                pair = self._player(FIRST, SIDES[0], (one,), FOE), self._player(SECOND, SIDES[0], (two,), FOE)
                yield (*pair, Player(FOE, SIDES[1]))

    def _player(self, id: str, side: str, does: tuple[str, ...], foe: str) -> Player:
        return Player(id, side, does, foe, tuple(each for each in does if self._is_against(each)))

    def _is_against(self, action: str) -> bool:
        """Whether it matters to whom it is done."""
        if action not in self.against:
            self.against[action] = self._matters_to(action)
        return self.against[action]

    def _matters_to(self, action: str) -> bool:
        for side in self.sides:
            declared = side.program.actions.get(action)
            reads = side.reads_of(action)
            if (declared and declared.against) or side.asked.borrows_turn(action):
                return True
            if any(read[0] == "field" and read[1].startswith("foe") for read in reads):
                return True
            if any(isinstance(each, Declares) and each.chair == "foe" for each in side.exprs_of(action)):
                return True
            if any(moment.threat for moment in side.sequence.places[action]):
                return True
        return False

    def _representatives(self) -> list[str]:
        """Of actions that both rulesets treat alike, the first."""
        found: dict[object, str] = {}
        for action in self.shared:
            places = tuple(side.sequence.places[action] for side in self.sides)
            rules = tuple(_rules(side.program.actions.get(action)) for side in self.sides)
            own = action if action in self.mentioned or f"actions.{action}" in self.changed else ""
            found.setdefault(_Key((places, rules, own)), action)
        return list(found.values())

    def apart(self) -> list[str]:
        """The actions that have another place, or are allowed otherwise."""
        return [each for each in self.actions if self._is_apart(each)]

    def _is_apart(self, action: str) -> bool:
        one, other = self.sides
        if f"actions.{action}" in self.changed or one.sequence.places[action] != other.sequence.places[action]:
            return True
        return any(not self.changed.isdisjoint(side.names(action)) for side in self.sides)


class _Key:
    """Rules as a key: they are equal where they say the same."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.value == other.value

    def __hash__(self) -> int:
        return 0


def _rules(action: Action | None) -> object:
    return None if action is None else (action.by, action.against, action.requires)


def _mentioned(side: SequenceSide) -> Iterator[str]:
    """The actions that a sequence names, apart from placing them."""
    yield from (each.action for each in side.exprs if isinstance(each, Declares))
    for place in side.sequence.places.values():
        for moment in place:
            for case in moment.cases:
                yield from case.meanwhile or ()
