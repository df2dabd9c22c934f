"""The odds of whole maneuvers against enumerations in plain Python, written from the document and not the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest

import houserule
from shipped_rules import built

D20 = [(face, Fraction(1, 20)) for face in range(1, 21)]
Odds = dict[str, Fraction]


@cache
def rules() -> houserule.Rules:
    artifact = built("swords-wizardry").artifact
    assert artifact is not None
    return houserule.load(artifact)


def odds(check: str, facts: dict[str, Any], **options: object) -> Odds:
    """What the rules say, outcomes without a chance left out."""
    found = rules() if not options else houserule.load(built("swords-wizardry").artifact or b"", options=options)
    return {str(word): chance for word, chance in found.check(check).odds(facts).items() if chance}


def summed(found: Iterator[tuple[str, Fraction]]) -> Odds:
    """The chances of equal outcomes together."""
    total: Odds = {}
    for word, chance in found:
        total[word] = total.get(word, Fraction(0)) + chance
    assert sum(total.values()) == 1
    return {word: chance for word, chance in total.items() if chance}


def merged(found: Iterable[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """The chances of equal numbers together."""
    total: dict[int, Fraction] = {}
    for number, chance in found:
        total[number] = total.get(number, Fraction(0)) + chance
    return list(total.items())


def rolls(*dice: tuple[int, int]) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every fall of some pools of dice, as their sums, with its chance: `rolls((2, 12), (2, 12))`."""
    pools = [Counter(map(sum, product(range(1, size + 1), repeat=count))) for count, size in dice]
    of = prod(pool.total() for pool in pools)
    return [
        (tuple(total for total, _ in fall), Fraction(prod(ways for _, ways in fall), of))
        for fall in product(*(pool.items() for pool in pools))
    ]


# ---------------------------------------------------------------- disarm: P11


def disarming(needed: int, own_save: int, foes_save: int, is_small: bool) -> Iterator[tuple[str, Fraction]]:
    for strike, one in D20:
        if strike == 20:
            yield "disarmed", one
        elif strike - (3 if is_small else 2) < needed:
            yield "failed", one
        else:
            penalty = 0 if strike in (18, 19) else 3
            for wrest, two in D20:
                if wrest == 20:
                    yield "disarmed", one * two
                elif wrest - penalty < own_save:
                    yield "failed", one * two
                else:
                    holds = Fraction(sum(hold >= foes_save for hold, _ in D20), 20)
                    yield "failed", one * two * holds
                    yield "disarmed", one * two * (1 - holds)


@pytest.mark.parametrize(
    ("thac0", "armor", "own", "foes", "is_small"),
    [
        (19, 5, 14, 14, False),
        (19, 5, 14, 14, True),
        (15, 2, 8, 17, False),
        (19, -3, 20, 2, True),
        (10, 9, 2, 20, False),
    ],
)
def test_disarm(thac0: int, armor: int, own: int, foes: int, is_small: bool) -> None:
    facts = {
        "attacker": {"thac0": thac0, "save_target": own},
        "target": {"armor_class": armor, "save_target": foes, "weapon_is_small": is_small},
    }
    assert odds("disarm", facts) == summed(disarming(thac0 - armor, own, foes, is_small))


# ---------------------------------------------------------------- push and shield bash: P12, P13


def knocked(who: str, save: int) -> Iterator[tuple[str, Fraction]]:
    """A save; failed by more than 4, prone; failed by less, knocked back."""
    for die, chance in D20:
        by = save - die
        yield (f"{who}_stands" if by <= 0 else f"{who}_prone" if by > 4 else f"{who}_knocked_back"), chance


def contested(
    leads: list[tuple[int, Fraction]], saves: tuple[int, int], pushes_back: bool, otherwise: str
) -> Iterator[tuple[str, Fraction]]:
    """Who is the stronger, by how much the pusher leads; `saves` are those of attacker and target."""
    for lead, one in leads:
        if lead > 0:
            yield from ((word, one * two) for word, two in knocked("target", saves[1]))
        elif lead < 0 and pushes_back:
            yield from ((word, one * two) for word, two in knocked("attacker", saves[0]))
        else:
            yield otherwise, one


@pytest.mark.parametrize(
    ("mine", "foes", "uses", "saves"),
    [
        (0, 0, "strength", (14, 14)),
        (3, 1, "strength", (12, 9)),
        (2, 4, "dexterity", (16, 11)),
        (-1, 6, "strength", (20, 2)),
    ],
)
def test_push(mine: int, foes: int, uses: str, saves: tuple[int, int]) -> None:
    facts = {
        "attacker": {"thac0": 17, "strength_bonus": mine, "save_target": saves[0]},
        "target": {"armor_class": 6, "push_with": uses, f"{uses}_bonus": foes, "save_target": saves[1]},
    }
    falls = rolls((2, 12), (2, 12))
    leads = merged((push - hold + mine - foes, chance) for (push, hold), chance in falls)

    def pushed() -> Iterator[tuple[str, Fraction]]:
        yield "missed", Fraction(sum(die < 17 - 6 for die, _ in D20), 20)
        hits = Fraction(sum(die >= 17 - 6 for die, _ in D20), 20)
        after = contested(leads, saves, uses == "strength", "stalemate")
        yield from ((word, hits * chance) for word, chance in after)

    assert odds("push", facts) == summed(pushed())


@pytest.mark.parametrize(
    ("strength", "magic", "foes", "braced", "saves"),
    [(0, 0, 0, True, (14, 14)), (2, 1, 1, True, (12, 9)), (1, 0, 3, False, (16, 11))],
)
def test_shield_bash(strength: int, magic: int, foes: int, braced: bool, saves: tuple[int, int]) -> None:
    facts = {
        "attacker": {
            "thac0": 17,
            "has_shield": True,
            "strength_damage": strength,
            "shield_magic": magic,
            "save_target": saves[0],
        },
        "target": {"armor_class": 6, "strength_to_hit": foes, "has_shield": braced, "save_target": saves[1]},
    }
    falls = rolls((1, 4), (2, 6), (2, 6))
    leads = merged(
        (push + -(-(points + strength + magic) // 2) - hold - foes, chance) for (points, push, hold), chance in falls
    )

    def bashed() -> Iterator[tuple[str, Fraction]]:
        # +1 to hit: 10 on the die where 11 is needed.
        yield "missed", Fraction(9, 20)
        yield from ((word, Fraction(11, 20) * chance) for word, chance in contested(leads, saves, braced, "hit"))

    assert odds("shield_bash", facts) == summed(bashed())


# ---------------------------------------------------------------- trip: P14


@pytest.mark.parametrize(("own", "foes", "thac0", "armor"), [(14, 14, 19, 5), (8, 17, 15, 2), (2, 3, 12, 9)])
def test_trip(own: int, foes: int, thac0: int, armor: int) -> None:
    def tripping() -> Iterator[tuple[str, Fraction]]:
        for (set_up, strike, harm, stand), chance in rolls((1, 20), (1, 20), (1, 4), (1, 20)):
            falls = set_up >= own and strike >= thac0 - armor and stand - harm < foes
            yield ("tripped" if falls else "failed"), chance

    facts = {
        "attacker": {"thac0": thac0, "save_target": own},
        "target": {"armor_class": armor, "save_target": foes},
    }
    assert odds("trip", facts) == summed(tripping())


# ---------------------------------------------------------------- a charge against a set spear: M01


@pytest.mark.parametrize("hit_points", [4, 9, 13])
def test_charge_against_a_set_spear(hit_points: int) -> None:
    """The spear strikes first, at an armor class worse by 1 and without Dexterity, for double damage."""
    charger = {"thac0": 17, "armor_class": 4, "dexterity_defense": 2, "stances": ["charging"], "hit_points": hit_points}
    spearman = {
        "thac0": 18,
        "armor_class": 7,
        "weapon": "spear",
        "stances": ["set_against_charge"],
        "weapon_damage": "1d6",
    }

    def charging() -> Iterator[tuple[str, Fraction]]:
        for (spear, damage, strike), chance in rolls((1, 20), (1, 6), (1, 20)):
            is_felled = spear >= 18 - (4 + 1) and 2 * damage >= hit_points
            yield ("felled" if is_felled else "hit" if strike + 2 >= 17 - 7 else "miss"), chance

    assert odds("charge", {"attacker": charger, "target": spearman}) == summed(charging())


# ---------------------------------------------------------------- a shot into melee: M08


@pytest.mark.parametrize(("is_studied", "penalty", "cover"), [(False, 4, 4), (True, 2, 2)])
@pytest.mark.parametrize(("thac0", "armor"), [(18, 6), (19, 2), (10, 9)])
def test_shot_into_melee(is_studied: bool, penalty: int, cover: int, thac0: int, armor: int) -> None:
    def shooting() -> Iterator[tuple[str, Fraction]]:
        for die, chance in D20:
            missed_by = thac0 - armor - (die - penalty)
            yield ("hit" if missed_by <= 0 else "hits_ally" if missed_by <= cover else "miss"), chance

    stances = ["studying"] if is_studied else []
    facts = {
        "attacker": {"thac0": thac0, "stances": stances},
        "target.armor_class": armor,
        "into_melee": True,
    }
    assert odds("shot", facts) == summed(shooting())


def test_an_explained_roll_tells_the_whole_maneuver() -> None:
    """In the order of play, with what was rolled, what it came to, and where it led."""
    facts = {
        "attacker": {"thac0": 19, "save_target": 14},
        "target": {"armor_class": 5, "save_target": 14, "weapon_is_small": True},
    }
    found = rules().check("disarm").resolve(facts, {"strike.d20": 18, "wrest.d20": 16, "hold.d20": 3})
    told = [line.strip() for line in str(found.trace).splitlines()]
    parts = [
        "Disarm: disarmed (sw P11)",
        "The attack roll, which does no damage",
        "d20 18 (1d20)",
        "Bonuses to the attack roll -3 = base 0 -3 from strike (sw P11)",
        "Number needed to hit 14 = base 14 (Number needed to hit armor class 0 19, Armor class 5) (sw P11)",
        "hit: yes",
        "The attacker's save",
        "d20 16 (1d20)",
        "saved: yes",
        "The defender's save",
        "d20 3 (1d20)",
        "held: no",
        "lost: yes",
    ]
    places = [told.index(each) for each in parts]
    assert places == sorted(places)
