"""A million situations at once, beside numpy by hand."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import hand
import hand_numpy
import numpy as np

import houserule
from houserule.batch import Coded

ROWS, ROUNDS = 1_000_000, 9


def attack_given(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns as houserule takes them."""
    of_target = ("armor_class", "prone", "stunned", "cover")
    attacker = {key: each for key, each in columns.items() if key not in of_target}
    return {"attacker": attacker, "target": {key: columns[key] for key in of_target}}


def morale_given(columns: dict[str, Any]) -> dict[str, Any]:
    """The same for morale; words and hit dice are codes of lists."""
    texts = [f"{dice}{pips:+d}" if pips else str(dice) for dice, pips in hand_numpy.HIT_DICE]
    words = {"resolve": list(hand.RESOLVE), "training": list(hand.TRAINING)}
    creature = {key: Coded(columns[key], each) for key, each in words.items()}
    creature |= {key: columns[key] for key in ("rallied", "shaken", "advantage", "disadvantage", "lawful", "fearless")}
    creature |= {"hit_dice": Coded(columns["hit_dice"], texts), "loyalty_rating": masked(columns, "loyalty")}
    creature |= {"periods_cared_for": columns["cared_for"], "periods_neglected": columns["neglected"]}
    return {
        "creature": creature,
        "leader": {"charisma": masked(columns, "charisma"), "state": Coded(columns["leader_state"], list(hand.LEADER))},
        "paladin_present": columns["paladin"],
        "setting": Coded(columns["setting"], hand_numpy.SETTINGS),
    }


def masked(columns: dict[str, Any], key: str) -> Any:
    """A column in which what is not known is masked."""
    return np.ma.MaskedArray(columns[key], ~columns[f"{key}_known"])


def jobs(bench: houserule.Rules, odnd: houserule.Rules) -> list[Any]:
    """What is timed: a title, ours, the hand-written one, once for the types of numpy and once for small ones."""
    random, found = np.random.default_rng(1), list[Any]()
    attack, morale = hand_numpy.attack_columns(random, ROWS), hand_numpy.morale_columns(random, ROWS)
    dice = {each: random.integers(1, 21, ROWS) for each in ("first", "second")}
    for title, change in (("64 bits", dict), ("8 bits", hand_numpy.small)):
        found += _jobs(title, bench, odnd, change(attack), change(morale), change(dice))
    return found


def _jobs(title: str, bench: houserule.Rules, odnd: houserule.Rules, attack: Any, morale: Any, dice: Any) -> list[Any]:
    given, more = attack_given(attack), morale_given(morale)
    totals = {f"{key}.die": each for key, each in dice.items()}
    known, morale_known = bench.batch.facts(given), odnd.batch.facts(more)
    hit = lambda: hand_numpy.to_hit(attack)  # noqa: E731
    theirs = lambda: hand_numpy.morale_check(morale, dice["first"], dice["second"])  # noqa: E731
    return [
        (f"to-hit, {title}", lambda: bench.batch.number("to_hit", given).values, hit),
        (
            f"to-hit, {title}, checked before",
            lambda: bench.batch.number("to_hit", known).values,
            lambda: hand_numpy.to_hit(attack),
        ),
        (f"morale, {title}", lambda: odnd.batch.check("morale", more, totals).codes, theirs),
        (f"morale, {title}, checked before", lambda: odnd.batch.check("morale", morale_known, totals).codes, theirs),
    ]


def gate(found: list[Any]) -> None:
    """Compares all answers."""
    for title, ours, theirs in found:
        assert np.array_equal(ours(), theirs()), title


def seconds(job: Callable[[], object]) -> float:
    """Seconds for one call."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def report(bench: houserule.Rules, odnd: houserule.Rules) -> None:
    """Prints the table: medians of interleaved rounds, the ratio of each round's, and the room that is taken."""
    found = jobs(bench, odnd)
    gate(found)
    print("\na million situations; answers agree in all of them\n")
    print(f"{'':38}{'ours':>12}{'by hand':>12}{'ratio':>8}{'room':>9}")
    for title, ours, theirs in found:
        rounds = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
        one, other = (statistics.median(each) * 1e3 for each in zip(*rounds, strict=True))
        ratio = statistics.median(mine / yours for mine, yours in rounds)
        print(f"{title:38}{one:10.1f}ms{other:10.1f}ms{ratio:8.2f}{memory(ours):7.1f}MB")


def memory(job: Any) -> float:
    """The most that a job takes beside what was there, in megabytes."""
    tracemalloc.start()
    job()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6
