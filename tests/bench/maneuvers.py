"""Exact odds of whole procedures: `python -m tests.bench maneuvers`. In random situations, each asked several times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

import houserule
import houserule.values
from houserule.dice import Pool
from houserule.facts import field_of, path_of

ASKED = (
    ("swords-wizardry", "disarm"),
    ("swords-wizardry", "shield_bash"),
    ("swords-wizardry", "push"),
    ("swords-wizardry", "charge"),
    ("osric", "morale"),
)
MANY, ROUNDS = 40, 5


def situations(loaded: houserule.Rules, id: str, situation: Callable[..., dict[str, Any]]) -> list[Any]:
    """Facts that are possible, as they are checked once."""
    random, reads = Random(5), sorted(loaded.reads_of_check(id))
    found = []
    for _ in range(MANY):
        held = situation(loaded, frozenset(reads), random)
        given = {}
        for read in reads:
            type, value = field_of(loaded.program, read).type, held[path_of(read)]
            words = loaded.program.words(type.choice) if type.choice else ()
            given[path_of(read)] = str(value) if isinstance(value, Pool) else houserule.values.shown(value, type, words)
        try:
            facts = loaded.facts(given)
            if loaded.check(id).odds(facts) == loaded.check(id).odds(facts, limit=10**9):
                found.append(facts)
        except houserule.FactsError:
            continue
    return found


def report(rules: Callable[[str], houserule.Rules], situation: Callable[..., dict[str, Any]]) -> None:
    """Prints a line for each procedure: the median and the worst of the situations."""
    for name, id in ASKED:
        loaded = rules(name)
        check, times = loaded.check(id), []
        for facts in situations(loaded, id, situation):
            rounds = []
            for _ in range(ROUNDS):
                start = time.perf_counter()
                check.odds(facts)
                rounds.append(time.perf_counter() - start)
            times.append(min(rounds))
        median, worst = statistics.median(times) * 1e6, max(times) * 1e6
        print(f"{name} {id:20}{len(times):4} situations, median {median:9.0f} us, worst {worst:9.0f} us")
