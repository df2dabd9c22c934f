"""A look-up in a table of many rows, beside a dictionary and a bisection: `python -m tests.bench rows`.

Half of the tables have a row for each key, half have bands of keys; each is asked by `rules.table(...)[...]`, and by a
number that reads it, with facts that were checked before.
"""

from __future__ import annotations

import statistics
import time
from bisect import bisect_right
from collections.abc import Callable
from random import Random
from typing import Any

import houserule

SIZES = (100, 1_000, 10_000)
MANY, ROUNDS = 200, 41


def text(size: int, is_one: bool = False) -> str:
    """A ruleset with a table of so many rows, one of so many bands, and a number on each; or with the bands alone."""
    random = Random(size)
    single = "".join(f"      {key}: {random.randint(0, 999)}\n" for key in range(1, size + 1))
    bands = "".join(f"      {3 * at + 1}..{3 * at + 3}: {random.randint(0, 999)}\n" for at in range(size))
    if is_one:
        return (
            f"ruleset: rows\nlanguage: 1\nfacts: {{place: 1..{3 * size}}}\ntables:\n"
            f"  banded:\n    by: {{place: 1..{3 * size}}}\n    gives: integer\n    rows:\n{bands}"
            "numbers: {of_banded: {base: banded(place)}}\n"
        )
    return (
        "ruleset: rows\nlanguage: 1\n"
        f"facts: {{key: 1..{size}, place: 1..{3 * size}}}\n"
        "tables:\n"
        f"  single:\n    by: {{key: 1..{size}}}\n    gives: integer\n    rows:\n{single}"
        f"  banded:\n    by: {{place: 1..{3 * size}}}\n    gives: integer\n    rows:\n{bands}"
        "numbers: {of_single: {base: single(key)}, of_banded: {base: banded(place)}}\n"
    )


def timed(ask: Callable[[Any], object], keys: list[Any]) -> float:
    """Seconds for one answer: the median over rounds."""
    found = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for key in keys:
            ask(key)
        found.append((time.perf_counter() - start) / len(keys))
    return statistics.median(found)


def report(load: Callable[[str], houserule.Rules]) -> None:
    """Prints a line for each size."""
    print(f"{'rows':>8}{'dict':>9}{'bisect':>9}{'table, keys':>14}{'bands':>9}{'number, keys':>14}{'bands':>9}")
    for size in SIZES:
        rules, random = load(text(size)), Random(1)
        keys = [random.randint(1, size) for _ in range(MANY)]
        places = [random.randint(1, 3 * size) for _ in range(MANY)]
        single, banded = rules.table("single"), rules.table("banded")
        plain = {key: single[key] for key in range(1, size + 1)}
        starts = list(range(1, 3 * size + 1, 3))
        cells = [banded[start] for start in starts]
        for key, place in zip(keys, places, strict=True):
            assert rules.number("of_single").value({"key": key}) == plain[key] == single[key]
            assert rules.number("of_banded").value({"place": place}) == cells[bisect_right(starts, place) - 1]
        by_key, by_band = (
            [rules.facts({"key": a, "place": b}) for a, b in zip(keys, places, strict=True)] for _ in "ab"
        )
        times = [
            timed(lambda key: plain[key], keys),  # noqa: B023
            timed(lambda place: cells[bisect_right(starts, place) - 1], places),  # noqa: B023
            timed(lambda key: single[key], keys),  # noqa: B023
            timed(lambda place: banded[place], places),  # noqa: B023
            timed(rules.number("of_single").value, by_key),
            timed(rules.number("of_banded").value, by_band),
        ]
        widths = (9, 9, 14, 9, 14, 9)
        print(
            f"{size:8}" + "".join(f"{each * 1e9:{width - 2}.0f}ns" for each, width in zip(times, widths, strict=True))
        )
