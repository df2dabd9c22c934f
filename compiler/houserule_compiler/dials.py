"""What can vary in a round with a given cast: facts of those who act, of sides and actions, loose ones, options.

Each is a dial with the values that can make a difference, the plainest first. A setting has a position of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.expression import Local, Operation, Within
from houserule.facts import field_of
from houserule.program import Field

from .casts import SIDES
from .one_sided import OneSided
from .reached import Declared, Use
from .representatives import declared_path, knows, values_of

if TYPE_CHECKING:
    from houserule.expression import Read

    from .casts import Cast, Player
    from .reached import Reached
    from .round_played import SequenceSide

Setting: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[str, ...]
"""Where something is given in an encounter, key by key."""
_WHOLE = 6
_ROUND = "round"


@dataclass(frozen=True, slots=True)
class Dial:
    """One thing that can vary: what is given for each position (None for nothing), and which side knows it.

    `declared` is what it is of; it is `near` where the change reads it.
    """

    place: Place
    values: tuple[object, ...]
    known: tuple[bool, bool]
    is_complete: bool
    is_near: bool
    declared: str
    only: OneSided | None = None


class Dials:
    """Finds the dials of a cast. `near` are the facts that the change reads, as they are declared."""

    def __init__(
        self, sides: tuple[SequenceSide, SequenceSide], reached: tuple[Reached, Reached], near: set[Declared]
    ) -> None:
        self.sides = sides
        self.reached = reached
        self.near = near
        self.memo: dict[object, Dial | None] = {}

    def of(self, cast: Cast) -> tuple[Dial, ...]:
        """What can vary with a cast, what is near the change first."""
        found: dict[Place, Dial | None] = {}
        for at, side in enumerate(self.sides):
            for place, read in _reads(side, cast):
                if place not in found:
                    found[place] = self._dial(place, read, at)
        for player in cast:
            found |= {each.place: each for action in player.does for each in self._holding(player, action)}
        found |= {each.place: each for each in self._options(cast)}
        kept = [each for each in found.values() if each is not None and each.values]
        return tuple(sorted(kept, key=lambda each: (not each.is_near, each.place[0] == "options")))

    def _dial(self, place: Place, read: Read, at: int) -> Dial | None:
        key = place, read
        if key not in self.memo:
            self.memo[key] = self._round(place) if place == (_ROUND,) else self._fact(place, read, at)
        return self.memo[key]

    def _fact(self, place: Place, read: Read, at: int) -> Dial | None:
        fields = [_declared(side, read) for side in self.sides]
        first = fields[at]
        assert first is not None
        path = first[0]
        if first[1].type.kind == "side":
            known = tuple(each is not None for each in fields)
            return Dial(place, SIDES, (known[0], known[1]), True, path in self.near, path)
        found = [
            (side.program, each[1], reached.uses.get(each[0], Use(is_whole=not each[0])))
            for side, reached, each in zip(self.sides, self.reached, fields, strict=True)
            if each is not None
        ]
        made = values_of(".".join(place), found, _WHOLE)
        known = tuple(each is not None for each in fields)
        given = [_plain(each, first[1]) for each in made.given]
        if not made.is_complete:
            given = _with_next(given, [field for _, field, _ in found])
        declared = path or place[-1]
        return Dial(place, tuple(given), (known[0], known[1]), made.is_complete, path in self.near, declared, made.only)

    def _round(self, place: Place) -> Dial:
        """The first round, and those that a condition tells from others."""
        found = {1, *(count for side in self.sides for count in _rounds(side) if count > 0)}
        return Dial(place, (None, *sorted(found - {1})), (True, True), True, False, _ROUND)

    def _holding(self, player: Player, action: str) -> Iterator[Dial]:
        """Whether it is held back, and to which step or segment that both know."""
        held = [_held(side) for side in self.sides]
        shared = [each for each in held[0] or held[1] if all(not one or each in one for one in held)]
        if shared:
            place = "actors", player.id, "does", action, "hold"
            yield Dial(place, (None, *shared), (bool(held[0]), bool(held[1])), len(shared) < _WHOLE, False, "hold")

    def _options(self, cast: Cast) -> Iterator[Dial]:
        """The options that both have and that either comes upon with this cast."""
        one, other = (side.program for side in self.sides)
        names = set[str]().union(*(side.shared_names for side in self.sides))
        names.update(*(side.names(action) for side in self.sides for player in cast for action in player.does))
        for id in one.options:
            path = f"options.{id}"
            if id in other.options and path in names:
                found = [(program, program.options[id], Use()) for program in (one, other)]
                made = values_of(path, found, _WHOLE)
                rest = [_plain(each, one.options[id]) for each in made.given if each is not None]
                yield Dial(("options", id), (None, *rest), (True, True), made.is_complete, False, path)


def encounter(cast: Cast, dials: Sequence[Dial], setting: Setting, has_sides: bool, at: int | None) -> dict[str, Any]:
    """The encounter of one side: what is given of the facts that it knows; without a side all."""
    made: dict[str, Any] = {"sides": {each.side: {} for each in cast}} if has_sides else {}
    made["actors"] = {}
    for player in cast:
        does = {action: {"foe": player.foe} if action in player.against else {} for action in player.does}
        side = {"side": player.side} if has_sides else {}
        made["actors"][player.id] = {**side, **({"does": does} if does else {})}
    for dial, position in zip(dials, setting, strict=True):
        value = dial.values[position]
        if value is not None and (at is None or dial.known[at]):
            inner = made
            for key in dial.place[:-1]:
                inner = inner.setdefault(key, {})
            inner[dial.place[-1]] = value
    return made


def _reads(side: SequenceSide, cast: Cast) -> Iterator[tuple[Place, Read]]:
    """What is read with a cast, and where it is given."""
    people = {player.id: player for player in cast}
    yield from _placed(side, side.reads_always, cast[0], cast[1] if len(cast) > 1 else cast[0], "", cast)
    for player in cast:
        if player.does:
            yield from _placed(side, side.reads_rolling, player, player, "", cast)
        for action in player.does:
            foe = people.get(player.foe, player)
            yield from _placed(side, side.reads_of(action), player, foe, action, cast)


def _placed(
    side: SequenceSide, reads: Iterable[Read], actor: Player, foe: Player, action: str, cast: Cast
) -> Iterator[tuple[Place, Read]]:
    players = side.sequence.players()
    for read in sorted(reads):
        if read[0] == "local":
            if read[1] == _ROUND or read[1] in side.sequence.facts:
                yield ((_ROUND,) if read[1] == _ROUND else ("facts", read[1])), read
        elif read[0] == "fact":
            yield ("given", read[1]), read
        elif read[1] == "side":
            yield from ((("sides", each, read[2]), read) for each in dict.fromkeys(one.side for one in cast))
        elif read[1] in players:
            who = foe if read[1].startswith("foe") else actor
            if read[1].endswith(".side"):
                yield ("sides", who.side, read[2]), read
            elif read[1] != "action":
                yield ("actors", who.id, read[2]), read
            elif action:
                yield ("actors", actor.id, "does", action, read[2]), read
        else:
            yield ("given", ".".join(read[1:])), read


def _declared(side: SequenceSide, read: Read) -> tuple[Declared, Field] | None:
    """Where something that is read is declared on a side, and how; None where it is not, or is worked out."""
    program, sequence = side.program, side.sequence
    if read[0] == "local":
        return ("", sequence.facts[read[1]]) if read[1] in sequence.facts else None
    entities = {**sequence.players(), **({"side": sequence.side} if sequence.side else {})}
    if read[0] == "field" and read[1] in entities:
        fields = program.entities[entities[read[1]]].fields
        if read[2] not in fields or fields[read[2]].computed is not None:
            return None
        return f"entities.{entities[read[1]]}.{read[2]}", fields[read[2]]
    return (declared_path(program, read), field_of(program, read)) if knows(program, read) else None


def _plain(given: str | None, field: Field) -> object:
    """A value as an author writes it: a truth value, a whole number, a list of words, else a text."""
    if given is None:
        return None
    match field.type.kind:
        case "boolean":
            return given == "true"
        case "integer":
            return int(given)
        case "set":
            return [each for each in given.split("|") if each]
    return given


def _with_next(given: list[object], fields: Sequence[Field]) -> list[object]:
    """With the whole number above the plainest: two are easier to picture than as many as can be."""
    first = fields[0].default if given and given[0] is None else given[0] if given else None
    highs = [int(each.type.high or 0) for each in fields]
    if fields[0].type.kind != "integer" or not isinstance(first, int) or first >= min(highs) or first + 1 in given:
        return given
    return [given[0], first + 1, *given[1:]]


def _held(side: SequenceSide) -> tuple[object, ...]:
    holding = side.sequence.holding
    if holding is None:
        return ()
    low, high = side.sequence.segments() or (1, 1)
    return tuple(range(low, high + 1)) if holding.to_segment else holding.steps


def _rounds(side: SequenceSide) -> Iterator[int]:
    """The rounds that a condition compares with: each constant, and the next."""
    if side.reads(_ROUND):
        yield 2
    for expr in side.exprs:
        if isinstance(expr, Operation) and Local(_ROUND) in expr.operands:
            for each in expr.operands:
                yield from (each, each + 1) if isinstance(each, int) and not isinstance(each, bool) else ()
        if isinstance(expr, Within) and expr.item == Local(_ROUND):
            yield from (end for band in expr.bands for end in band if end is not None)
