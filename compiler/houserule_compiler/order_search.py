"""What a change does to the order of a round: encounters that two rulesets put in another order, the smallest of each.

All rounds of one or two who act are tried where they are few enough. Elsewhere the search goes along boundaries: every
cast with plain facts, then one fact otherwise at a time, then those that the change reads in every combination, against
plain and drawn backgrounds of the others; and the encounters of the examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.errors import FactsError, UnknownReadError

from .casts import Cast, Casting
from .dials import Dial, Dials, Setting, encounter
from .order_kinds import BETWEEN, KINDS, Odds, OrderKind, odds_kind, order_kind
from .round_dice import FALLS, Falls, falls, has_same_dice, is_alike, is_rolled_again, thinned, without_ties
from .round_played import Fallen, Played, Round, SequenceSide

if TYPE_CHECKING:
    from .playing_side import Side

Kind: TypeAlias = tuple[OrderKind, str]
Settings: TypeAlias = "Iterator[tuple[tuple[Dial, ...], Setting]]"
ORDERED = 1_000
"""How many rounds are put in order for one sequence, on both sides together."""
_NEAR, _BACKGROUNDS = 64, 4
_CHANCES = 120
_CLASSES = 6
_SEED = 1


@dataclass(frozen=True, slots=True)
class Met:
    """A round that differs: its cast, dials and setting, the dice, and what came of it on both sides.

    Where it is the chances that differ, `before` and `after` hold those; else one round each.
    """

    cast: Cast
    dials: tuple[Dial, ...]
    setting: Setting
    dice: Fallen
    kind: Kind
    before: Odds
    after: Odds
    happened: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> tuple[object, ...]:
        """How large it is: who acts, what is given, how far from plain."""
        acts = sum(len(each.does) for each in self.cast)
        given = sum(each.values[at] is not None for each, at in zip(self.dials, self.setting, strict=True))
        faces = [value for each in self.dice.values() for value in each]
        most = max(len(each.does) for each in self.cast)
        moments = sum(len(names) for odds in (self.before, self.after) for each in odds for _, names in each.groups)
        # Who acts first is a matter of two; one who acts twice comes after that.
        is_alone = self.kind[0] in BETWEEN and sum(bool(each.does) for each in self.cast) < 2
        return is_alone, acts, most, len(self.cast), given, moments, sum(self.setting), sum(faces)


class OrderSearch:
    """The comparison of one sequence of one ruleset with one of another."""

    def __init__(
        self, before: tuple[Side, str], after: tuple[Side, str], changed: frozenset[str], usual: Mapping[str, int]
    ) -> None:
        self.sides = SequenceSide(*before), SequenceSide(*after)
        self.changed = changed
        self.reached = before[0].reached("sequence", before[1]), after[0].reached("sequence", after[1])
        self.casting = Casting(self.sides, changed, usual)
        self.dials = Dials(self.sides, self.reached, self._near())
        self.met: dict[Kind, list[Met]] = {}
        self.falls: dict[object, Falls] = {}
        self.looked_at: list[tuple[Dial, ...]] = []
        self.tried = 0
        self.played = 0
        self.is_complete = True

    def may_differ(self) -> bool:
        """Whether anything that puts the round in order has changed."""
        if self._is_other or any(not self.changed.isdisjoint(each.names) for each in self.reached):
            return True
        return any(
            not self.changed.isdisjoint(side.names(each)) for side in self.sides for each in side.sequence.places
        )

    def run(self, limit: int = ORDERED) -> None:
        """Tries rounds until all are, or `limit` have been put in order."""
        casts = self.casting.casts(self.casting.actions if self._is_global else self.casting.apart())
        is_small = self._is_small(casts, limit)
        # Those with one kind of action tell most; some of the rounds are left for how actions mix.
        first = [each for each in casts if is_small or _kinds(each) == 1]
        rest = [each for each in casts if not is_small and _kinds(each) > 1]
        self.is_complete = is_small
        for some, share in ((first, limit if is_small else limit * 3 // 4), (rest, limit)):
            left, many = [(each, self._settings(each, is_small)) for each in some], 1
            while left and self.played < share:
                left = list(self._wave(left, many, share))
                many *= 4
            self.is_complete &= not left

    def _is_small(self, casts: Iterable[Cast], limit: int) -> bool:
        """Whether all settings of all casts can be tried."""
        if not self.casting.is_complete:
            return False
        count = 0
        for cast in casts:
            dials = self.dials.of(cast)
            count += prod(len(each.values) for each in dials)
            if count * 2 > limit or not all(each.is_complete for each in dials):
                return False
        return True

    def _settings(self, cast: Cast, is_small: bool) -> Settings:
        dials = self.dials.of(cast)
        self.looked_at.append(dials)
        yield from ((dials, each) for each in (self._every(dials) if is_small else self._directed(dials)))

    def _wave(self, waiting: Iterable[tuple[Cast, Settings]], many: int, limit: int) -> Iterator[tuple[Cast, Settings]]:
        """Some settings of each cast; those casts that have more are given back."""
        for cast, settings in waiting:
            count = 0
            while count < many and self.played < limit:
                found = next(settings, None)
                if found is None:
                    break
                self._try(cast, *found)
                count += 1
            else:
                yield cast, settings

    @property
    def is_exhaustive(self) -> bool:
        """Whether every round of one or two who act was tried."""
        return self.is_complete

    # What may differ.

    @cached_property
    def _is_other(self) -> bool:
        """Whether the two sequences are not the same."""
        one, other = (each.sequence for each in self.sides)
        return _global(one) != _global(other) or one.places != other.places

    @cached_property
    def _is_global(self) -> bool:
        """Whether something has changed that is not of single actions."""
        if _global(self.sides[0].sequence) != _global(self.sides[1].sequence):
            return True
        return any(not self.changed.isdisjoint(side.shared_names) for side in self.sides)

    def _near(self) -> set[str]:
        """The facts that what changed reads, as they are declared."""
        found: set[str] = set()
        for side, reached in zip(self.sides, self.reached, strict=True):
            found |= side.side.uses_of(self.changed & reached.names)
        one, other = self.sides
        for at, side in enumerate(self.sides):
            found |= side.uses_of_difference((other, one)[at])
        return found

    # Settings.

    def _every(self, dials: Sequence[Dial]) -> Iterator[Setting]:
        yield from product(*(range(len(each.values)) for each in dials))

    def _directed(self, dials: Sequence[Dial]) -> Iterator[Setting]:
        """Plain facts, one otherwise at a time, then all near the change together against drawn backgrounds."""
        if prod(len(each.values) for each in dials) <= _NEAR:
            yield from self._every(dials)
            return
        random = Random(_SEED)
        plain = [0] * len(dials)
        yield tuple(plain)
        for at, dial in enumerate(dials):
            yield from (_with(plain, {at: position}) for position in range(1, len(dial.values)))
        near = [at for at, dial in enumerate(dials) if dial.is_near]
        for turn in range(_BACKGROUNDS):
            background = _with(plain, _drawn(dials, range(len(dials)), random)) if turn else tuple(plain)
            yield from (_with(background, each) for each in _combined(dials, near, random))

    # One setting.

    def _try(self, cast: Cast, dials: tuple[Dial, ...], setting: Setting) -> None:
        for met in self.differences(cast, dials, setting):
            self.met.setdefault(met.kind, []).append(met)

    def differences(self, cast: Cast, dials: tuple[Dial, ...], setting: Setting) -> Iterator[Met]:
        """The ways of the dice in which a round differs."""
        try:
            rounds = self.rounds(cast, dials, setting)
        except FactsError:
            # What one side refuses by type or lacks is told as a change of the definitions.
            return
        if any(each.impossible for each in rounds):
            yield from self._with_one_refused(rounds, cast, dials, setting)
            return
        alike = is_alike(*rounds)
        if alike:
            yield from self._with_dice(rounds, cast, dials, setting)
        if not alike or not has_same_dice(*rounds):
            yield from self._with_odds(rounds, cast, dials, setting)

    def _with_one_refused(
        self, rounds: tuple[Round, Round], cast: Cast, dials: tuple[Dial, ...], setting: Setting
    ) -> Iterator[Met]:
        """A round that cannot be on one side, and can on the other."""
        possible = [each for each in rounds if not each.impossible]
        if not possible:
            return
        self.tried += 1
        dice = {who: tuple(pool.low + pool.constant for _, pool in each) for who, each in possible[0].rolls.items()}
        odds = [
            {Played(refused=each.impossible) if each.impossible else each.play(dice): Fraction(1)} for each in rounds
        ]
        yield Met(cast, dials, setting, dice, ("refused", ""), odds[0], odds[1])

    def rounds(
        self, cast: Cast, dials: Sequence[Dial], setting: Setting, happened: Iterable[tuple[str, str]] = ()
    ) -> tuple[Round, Round]:
        """A setting as a round on both sides. Raises `FactsError` where either refuses it."""
        one, other = (
            side.round(encounter(cast, dials, setting, self.casting.has_sides, at) | {"happened": dict(happened)})
            for at, side in enumerate(self.sides)
        )
        try:
            _ = one.impossible, other.impossible
        except UnknownReadError as error:
            raise FactsError([]) from error
        return one, other

    def _with_dice(
        self, rounds: tuple[Round, Round], cast: Cast, dials: tuple[Dial, ...], setting: Setting
    ) -> Iterator[Met]:
        found = self._falls(rounds)
        ways = list(found.ways)
        if len(ways) > FALLS:
            ways = thinned(ways)
        self.is_complete &= found.is_complete and len(ways) == len(found.ways)
        calls = self._asks_calls and len(cast) < 3 and sum(len(each.does) for each in cast) == 1
        for fall in ways:
            if any(is_rolled_again(each, fall.dice) for each in rounds):
                continue
            before, after = (each.play(fall.dice, calls) for each in rounds)
            self.played += 2
            if before.refused and after.refused:
                continue
            self.tried += 1
            kind = order_kind(before, after)
            sure = Fraction(1)
            if kind:
                yield Met(cast, dials, setting, fall.dice, kind, {before: sure}, {after: sure})
            elif self._spoils and before.may_spoil:
                yield from self._with_spoils(cast, dials, setting, fall.dice, before.may_spoil)

    def _with_spoils(
        self, cast: Cast, dials: tuple[Dial, ...], setting: Setting, dice: Fallen, may_spoil: Iterable[Any]
    ) -> Iterator[Met]:
        """The same round where something is spoiled by what may spoil it."""
        for event, spoiler in product(self._spoils, dict.fromkeys(one for _, each in may_spoil for one in each)):
            happened = ((spoiler, event),)
            try:
                before, after = (each.play(dice) for each in self.rounds(cast, dials, setting, happened))
            except FactsError:
                continue
            self.played += 2
            self.tried += 1
            kind = order_kind(before, after)
            if kind and kind[0] != "refused":
                yield Met(cast, dials, setting, dice, kind, {before: Fraction(1)}, {after: Fraction(1)}, happened)

    @cached_property
    def _spoils(self) -> tuple[str, ...]:
        """What spoils on both sides, where anything that spoiling does may differ."""
        moments = [
            [(moment.label.id, moment.spoiled) for place in side.sequence.places.values() for moment in place]
            for side in self.sides
        ]
        if moments[0] == moments[1]:
            return ()
        by = [{event for _, spoiled in each if spoiled for event in spoiled.by} for each in moments]
        return tuple(sorted(by[0] & by[1]))

    def _with_odds(
        self, rounds: tuple[Round, Round], cast: Cast, dials: tuple[Dial, ...], setting: Setting
    ) -> Iterator[Met]:
        odds = [self._odds(each) for each in rounds]
        if odds[0] is None or odds[1] is None:
            self.is_complete = False
            return
        self.tried += 1
        kind = odds_kind(odds[0], odds[1])
        if kind:
            yield Met(cast, dials, setting, {}, kind, odds[0], odds[1])

    def _falls(self, rounds: Sequence[Round]) -> Falls:
        key = tuple(each.dice_key for each in rounds)
        if key not in self.falls:
            self.falls[key] = falls(rounds)
        return self.falls[key]

    def _odds(self, round: Round) -> Odds | None:
        """How likely each order is; None where the dice can fall in too many ways, or are rolled again by several."""
        found = self._falls([round])
        rerolls = any(each.ties == "reroll" for each in round.at.initiatives.values())
        if not found.is_complete or len(found.ways) > _CHANCES or (rerolls and len(round.rolls) > 2):
            return None
        chances: dict[Played, Fraction] = {}
        for fall in without_ties(round, found.ways) if rerolls else found.ways:
            played = round.play(fall.dice)
            self.played += 1
            if played.refused:
                return None
            chances[played] = chances.get(played, Fraction(0)) + fall.chance
        return chances

    @cached_property
    def _asks_calls(self) -> bool:
        """Whether what steps call for may differ."""
        steps = [[(each.check, each.when, each.leads_to) for each in side.sequence.all_steps()] for side in self.sides]
        return steps[0] != steps[1] or any(not self.changed.isdisjoint(side.shared_names) for side in self.sides)

    # What is told.

    def told(self) -> list[tuple[int, Met]]:
        """The smallest round of each kind, with how many there are of it; kinds by moment where they are few."""
        groups: dict[Kind, list[Met]] = dict(self.met)
        if len(groups) > _CLASSES:
            groups = {}
            shown = self._shown_odds()
            for kind, members in self.met.items():
                groups.setdefault(kind if kind in shown else (kind[0], ""), []).extend(members)
        tried = self.tried
        found = [(len(members), self._shrunk(min(members, key=lambda each: each.size))) for members in groups.values()]
        # What is tried once more to make a witness smaller is no other round.
        self.tried = tried
        return sorted(found, key=lambda each: (KINDS.index(each[1].kind[0]), -each[0], each[1].kind))

    def _shown_odds(self) -> set[Kind]:
        """The moments whose odds are told apart: those met most often, as far as there is room beside other kinds."""
        odds = sorted((each for each in self.met if each[0] == "odds"), key=lambda each: (-len(self.met[each]), each))
        room = _CLASSES - len({kind for kind, _ in self.met if kind != "odds"})
        return {*(odds if len(odds) <= room else odds[: max(room - 1, 0)])}

    def _shrunk(self, met: Met) -> Met:
        """The round with as many facts as can be at plainer values, as long as it differs in the same way."""
        before = None
        while before is not met:
            before = met
            for at, position in enumerate(met.setting):
                for plainer in range(position):
                    tried = _with(met.setting, {at: plainer})
                    found = [each for each in self.differences(met.cast, met.dials, tried) if each.kind == met.kind]
                    if found:
                        met = min(found, key=lambda each: each.size)
                        break
        return met


def _kinds(cast: Cast) -> int:
    """How many different actions are declared."""
    return len({action for player in cast for action in player.does})


def _global(sequence: Any) -> tuple[object, ...]:
    """All of a sequence but its words and the places of its actions."""
    return (
        *(getattr(sequence, name) for name in ("actor", "action", "side", "when", "initiative", "start", "who")),
        *(sequence.holding, sequence.steps, {id: each.value for id, each in sequence.values.items()}),
        {id: (each.type, each.default, each.is_optional) for id, each in sequence.facts.items()},
    )


def _with(setting: Sequence[int], chosen: Mapping[int, int]) -> Setting:
    return tuple(chosen.get(at, position) for at, position in enumerate(setting))


def _combined(dials: Sequence[Dial], near: Sequence[int], random: Random) -> Iterator[dict[int, int]]:
    """The facts near the change in every combination; where those are too many every two of them, then drawn ones."""
    if prod(len(dials[at].values) for at in near) <= _NEAR:
        for chosen in product(*(range(len(dials[at].values)) for at in near)):
            yield dict(zip(near, chosen, strict=True))
        return
    for one, other in combinations(near, 2):
        pairs = product(range(1, len(dials[one].values)), range(1, len(dials[other].values)))
        yield from ({one: first, other: second} for first, second in pairs)
    yield from (_drawn(dials, near, random) for _ in range(_NEAR))


def _drawn(dials: Sequence[Dial], among: Iterable[int], random: Random) -> dict[int, int]:
    """Some facts otherwise than plain."""
    return {at: random.randrange(len(dials[at].values)) for at in among if random.randrange(2)}
