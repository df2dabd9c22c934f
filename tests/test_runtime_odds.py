"""Exact odds against the enumeration of all dice with the reference evaluator, and against another library."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

import icepool
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import houserule
import random_checks
from artifacts import load
from houserule.dice import Pool, Rolled

# A random procedure whose checks call each other can go more ways than memory holds; those are left to others.
WAYS = 500


class Replay:
    """Dice that fall as a script says; where it ends they fall as low as they can, and are remembered."""

    def __init__(self, script: list[tuple[int, ...]]) -> None:
        self.script = script
        self.pools: list[Pool] = []

    def roll(self, path: str, pool: Pool) -> Rolled:
        at = len(self.pools)
        self.pools.append(pool)
        faces = self.script[at] if at < len(self.script) else tuple(1 for _ in pool.faces)
        return Rolled(pool.total(faces), faces)

    def settle(self) -> None:
        pass


def enumerated(
    check: houserule.Check, facts: dict[str, object], script: list[tuple[int, ...]]
) -> Iterator[tuple[houserule.Result, Fraction]]:
    """Every way that a check can go, with its chance: the first die beyond the script is tried in all its falls."""
    replay = Replay(script)
    result = check._run(facts, replay)
    if len(replay.pools) == len(script):
        yield result, Fraction(1)
        return
    pool = replay.pools[len(script)]
    falls = list(product(*(range(1, count + 1) for count in pool.faces)))
    for faces in falls:
        for found, chance in enumerated(check, facts, [*script, faces]):
            yield found, chance / len(falls)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(-2, 2))
def test_odds_are_what_enumeration_says(seed: int, n: int) -> None:
    check = load(random_checks.rules(seed)).check("three")
    facts: dict[str, object] = {"me": {"n": n}}
    ways = list(islice(enumerated(check, facts, []), WAYS + 1))
    assume(len(ways) <= WAYS)
    assert dict(check.odds(facts).items()) == {
        word: sum((chance for result, chance in ways if result.outcome == word), Fraction(0)) for word in check.outcomes
    }
    for path in (*check.dice, *check.values):
        expected: dict[Any, Fraction] = {}
        for result, chance in ways:
            value = result.dice.get(path, result.values.get(path, houserule.UNKNOWN))
            expected[value] = expected.get(value, Fraction(0)) + chance
        assert dict(check.odds(facts, of=path).items()) == expected, path


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 5), st.integers(2, 10), st.integers(1, 5), st.integers(2, 10))
def test_opposed_pools_are_what_another_library_says(count: int, faces: int, others: int, their_faces: int) -> None:
    roll = [{"id": "mine", "dice": ["dice", count, faces]}, {"id": "theirs", "dice": ["dice", others, their_faces]}]
    cases = [{"when": [">", ["local", "mine"], ["local", "theirs"]], "outcome": 0}, {"outcome": 1}]
    rules = load({"checks": [{"id": "c", "outcomes": ["won", "lost"], "roll": roll, "cases": cases}]})
    won = (count @ icepool.d(faces)) > (others @ icepool.d(their_faces))
    assert rules.check("c").odds({})["won"] == won.probability(True)


def test_states_merge_so_that_long_procedures_stay_cheap() -> None:
    steps: list[dict[str, Any]] = []
    for at in range(40):
        end: dict[str, Any] = {"go": f"s{at + 1}"} if at < 39 else {"outcome": 1}
        when = ["==", ["local", f"s{at}.d"], 20]
        steps.append(
            {
                "id": f"s{at}",
                "roll": [{"id": "d", "dice": ["dice", 1, 20]}],
                "cases": [{"when": when, "outcome": 0}, end],
            }
        )
    rules = load({"checks": [{"id": "c", "outcomes": ["done", "never"], "start": "s0", "steps": steps}]})
    assert rules.check("c").odds({})["never"] == Fraction(19, 20) ** 40


def test_dice_that_decide_nothing_are_not_followed() -> None:
    roll = [{"id": f"d{at}", "dice": ["dice", 10, 100]} for at in range(20)]
    rules = load({"checks": [{"id": "c", "outcomes": ["x"], "roll": roll, "cases": [{"outcome": 0}]}]})
    assert rules.check("c").odds({}, limit=1)["x"] == 1
    assert len(rules.check("c").odds({}, of="d3", limit=1000)) == 991


def test_the_limit() -> None:
    roll = [{"id": "d", "dice": ["dice", 1, 20]}]
    rules = load(
        {
            "checks": [
                {
                    "id": "c",
                    "outcomes": ["x", "y"],
                    "roll": roll,
                    "cases": [{"when": [">", ["local", "d"], 3], "outcome": 0}, {"outcome": 1}],
                }
            ]
        }
    )
    assert rules.check("c").odds({}, limit=20)["x"] == Fraction(17, 20)
    with pytest.raises(houserule.TooLargeError):
        rules.check("c").odds({}, limit=19)


def test_odds_read_as_a_mapping() -> None:
    rules = load(random_checks.rules(1))
    odds = rules.check("one").odds({})
    assert list(odds) == ["a", "b", "c"]
    assert len(odds) == 3
    assert "a" in odds
    assert "d" not in odds
    assert sum(chance for _, chance in odds.items()) == 1
    assert odds == dict(odds.items())
    assert str(odds) == ", ".join(f"{word} {chance}" for word, chance in odds.items())
    with pytest.raises(houserule.UnknownNameError, match="did you mean"):
        rules.check("one").odds({}, of="s.x")


def test_odds_end_in_time_whatever_the_rules() -> None:
    start = time.process_time()
    for seed in range(30):
        load(random_checks.rules(seed)).check("three").odds({})
    assert time.process_time() - start < 10
