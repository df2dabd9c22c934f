"""How the dice of a round can fall, as far as it makes a difference: once for all that put the same ones first.

The order of a round depends on dice by who stands before whom in each initiative, and by a score that is read itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.dice import weights
from houserule.values import exact

if TYPE_CHECKING:
    from houserule.dice import Pool
    from houserule.initiative import Score
    from houserule.rounds import Initiative

    from .round_played import Fallen, Roller, Round

Scored: TypeAlias = "dict[tuple[Score, ...], tuple[tuple[int, ...], Fraction]]"
_VECTORS, _COMBINATIONS, _FEW = 120, 1_600, 6
"""How many ways of one roller's dice, and of all rollers of one initiative, are looked at; else so few of each."""
FALLS = 16
"""In how many ways the dice of one round are told to fall where a score is read itself."""


@dataclass(frozen=True, slots=True)
class Fall:
    """One way in which dice fall, and the chance of all that come to the same."""

    dice: Mapping[Roller, tuple[int, ...]]
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Falls:
    """The ways in which the dice can fall; all that make a difference if they are `complete`."""

    ways: tuple[Fall, ...]
    is_complete: bool


def falls(rounds: Sequence[Round]) -> Falls:
    """The ways that make a difference to any of some rounds in which the same ones roll; faces that all dice have."""
    found: list[list[Fall]] = []
    is_complete = True
    for step in dict.fromkeys(step for step, _ in rounds[0].rolls):
        ways, all_there = _of_initiative(rounds, step)
        found.append(ways)
        is_complete &= all_there
    made = [_together(each) for each in product(*found)]
    return Falls(tuple(made), is_complete)


def is_alike(one: Round, other: Round) -> bool:
    """Whether the same ones roll on both sides, as many dice each."""
    return {who: len(dice) for who, dice in one.rolls.items()} == {who: len(dice) for who, dice in other.rolls.items()}


def has_same_dice(one: Round, other: Round) -> bool:
    """Whether they roll the same dice, too, and again where they tie."""
    ties = [{step: each.ties for step, each in side.at.initiatives.items()} for side in (one, other)]
    return ties[0] == ties[1] and {who: [pool for _, pool in dice] for who, dice in one.rolls.items()} == {
        who: [pool for _, pool in dice] for who, dice in other.rolls.items()
    }


def _together(ways: Iterable[Fall]) -> Fall:
    dice: dict[Roller, tuple[int, ...]] = {}
    chance = Fraction(1)
    for each in ways:
        dice |= each.dice
        chance *= each.chance
    return Fall(dice, chance)


def _of_initiative(rounds: Sequence[Round], step: str) -> tuple[list[Fall], bool]:
    rollers = [roller for roller in rounds[0].rolls if roller[0] == step]
    scored = [_scored(rounds, roller) for roller in rollers]
    reads_score = not step and any(each.at.reads("score") for each in rounds)
    is_complete = all(complete for _, complete in scored) and prod(len(each) for each, _ in scored) <= _COMBINATIONS
    groups: dict[object, list[Any]] = {}
    for chosen in product(*(list(each.items())[: None if is_complete else _FEW] for each, _ in scored)):
        scores = [score for score, _ in chosen]
        stand = [places(each.at.initiatives[step], [one[at] for one in scores]) for at, each in enumerate(rounds)]
        dice = {roller: values for roller, (_, (values, _)) in zip(rollers, chosen, strict=True)}
        group = groups.setdefault((tuple(stand), tuple(scores) if reads_score else ()), [dice, Fraction(0)])
        group[0] = min(group[0], dice, key=_plainness)
        group[1] += prod((chance for _, (_, chance) in chosen), start=Fraction(1))
    return [Fall(dice, chance) for dice, chance in groups.values()], is_complete


def thinned(ways: Sequence[Fall]) -> list[Fall]:
    """Some of many ways: those with the lowest and the highest faces, and others between them."""
    ordered = sorted(ways, key=lambda each: _plainness(each.dice))
    return [ordered[at * (len(ordered) - 1) // (FALLS - 1)] for at in range(FALLS)]


def without_ties(round: Round, ways: Iterable[Fall]) -> list[Fall]:
    """The ways as they end where those who tie roll again: of two, none in which they tie, each of the others more."""
    kept = [each for each in ways if not is_rolled_again(round, each.dice)]
    whole = sum((each.chance for each in kept), start=Fraction(0))
    return [Fall(each.dice, each.chance / whole) for each in kept] if whole else []


def is_rolled_again(round: Round, dice: Fallen) -> bool:
    """Whether some who tie roll again, so that these dice do not decide."""
    for step, initiative in round.at.initiatives.items():
        if initiative.ties == "reroll":
            scores = [round.score(roller, values) for roller, values in dice.items() if roller[0] == step]
            if len(set(places(initiative, scores))) < len(scores):
                return True
    return False


def _scored(rounds: Sequence[Round], roller: Roller) -> tuple[Scored, bool]:
    """What somebody's dice come to on each side: for each the lowest dice, and the chance."""
    dice = zip(*(each.rolls[roller] for each in rounds), strict=True)
    vectors, is_complete = _vectors([[pool for _, pool in one] for one in dice])
    found: Scored = {}
    for vector, chance in vectors:
        score = tuple(each.score(roller, vector) for each in rounds)
        first, before = found.get(score, (vector, Fraction(0)))
        found[score] = first, before + chance
    return found, is_complete


def _vectors(dice: list[list[Pool]]) -> tuple[list[tuple[tuple[int, ...], Fraction]], bool]:
    """The values of several dice, of each those that it can show on all sides, with their chances."""
    each = [_shown(pools) for pools in dice]
    is_complete = prod(map(len, each)) <= _VECTORS
    if not is_complete:
        each = [{value: chance for value, chance in one.items() if value in (min(one), max(one))} for one in each]
    made = [tuple(zip(*one, strict=True)) for one in product(*(one.items() for one in each))]
    return [(values, prod(chances, start=Fraction(1))) for values, chances in made], is_complete


def _shown(pools: list[Pool]) -> dict[int, Fraction]:
    ways = [weights(pool) for pool in pools]
    whole = sum(ways[0].values())
    return {value: Fraction(many, whole) for value, many in ways[0].items() if all(value in one for one in ways)}


def places(initiative: Initiative, scores: Iterable[Score]) -> tuple[int, ...]:
    """The place that each score gives, from 0; equal ones share one."""
    sign = -1 if initiative.first == "highest" else 1
    keys = [tuple(sign * exact(one) for one in score) for score in scores]
    ordered = sorted(set(keys))
    return tuple(ordered.index(key) for key in keys)


def _plainness(dice: Mapping[Roller, tuple[int, ...]]) -> tuple[int, ...]:
    values = [value for each in dice.values() for value in each]
    return (max(values, default=0), sum(values), *values)
