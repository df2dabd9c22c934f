"""Columns say what the reference evaluator says of each row, and what is wrong with them is told with its row."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pytest

import houserule
import oracle
from houserule.dice import Pool, Seeded
from houserule.errors import UnknownReadError
from houserule.facts import checked, field_of, path_of
from houserule.reads import reads_locals
from houserule.values import UNKNOWN, shown
from shipped_rules import built

SHIPPED = ("adnd2e", "odnd-morale", "osric", "swords-wizardry")


def loaded(name: str) -> houserule.Rules:
    artifact = built(name).artifact
    assert artifact
    return houserule.load(artifact)


def situations(rules: houserule.Rules, reads: frozenset[Any], random: Random, count: int) -> list[oracle.Held]:
    """Random situations, of at most so many those that are not impossible."""
    found: list[oracle.Held] = []
    for _ in range(count):
        held = oracle.situation(rules, reads, random)
        given = {path: each[0] for path, each in columns_of(rules, reads, [held]).items()}
        with suppress(houserule.FactsError):
            checked(rules.program, given, reads, rules.chosen_options)
            found.append(held)
    return found


def columns_of(rules: houserule.Rules, reads: frozenset[Any], rows: list[oracle.Held]) -> dict[str, list[Any]]:
    """Columns of values as people give them."""
    found: dict[str, list[Any]] = {}
    for read in reads:
        type, path = field_of(rules.program, read).type, path_of(read)
        words = rules.program.words(type.choice) if type.choice else ()
        found[path] = [row[path] if isinstance(row[path], Pool) else shown(row[path], type, words) for row in rows]
        found[path] = [str(each) if isinstance(each, Pool) else each for each in found[path]]
    return found


def told(answer: Any) -> Any:
    """What the oracle says, as a batch shows it: a value, or that it is unknown."""
    return UNKNOWN if answer == "unknown" else answer[1]


@pytest.mark.parametrize("name", SHIPPED)
def test_checks_of_shipped_rules(name: str) -> None:
    rules, random = loaded(name), Random(6)
    for id in rules.program.checks:
        reads = rules.reads_of_check(id)
        rows = situations(rules, reads, random, 40)
        if not rows:
            continue
        seeds = [random.randrange(10**6) for _ in rows]
        expected = [oracle.check(rules, id, row, seed) for row, seed in zip(rows, seeds, strict=True)]
        dice = dice_of(rules, id, rows, seeds)
        found = rules.batch.check(id, columns_of(rules, reads, rows), dice, values="all", effects=True)
        for row, (answer, effects) in enumerate(expected):
            assert left(found, row) == (told(answer), 0 if answer == "unknown" else effects), (id, row)


class Falls:
    """Dice from a seed, with what their faces showed."""

    def __init__(self, seed: int) -> None:
        self.seeded = Seeded(seed)
        self.shown: dict[str, int] = {}

    def roll(self, path: str, value: Pool | int) -> int:
        pool = value if isinstance(value, Pool) else Pool((), int(value))
        total = self.seeded.roll(path, pool).value
        if pool.terms:
            self.shown[path] = total - pool.constant
        return total


def dice_of(rules: houserule.Rules, id: str, rows: list[oracle.Held], seeds: list[int]) -> dict[str, Any]:
    """The totals that dice show in each row by its seed; what a row does not roll is masked."""
    columns: dict[str, list[int | None]] = {path: [None] * len(rows) for path in rules.check(id).dice}
    function, _ = rules.fast.check(id)
    for at, (facts, seed) in enumerate(zip(rows, seeds, strict=True)):
        falls = Falls(seed)
        with suppress(UnknownReadError):
            function(facts, falls.roll, lambda _: None, "")
        for path, total in falls.shown.items():
            columns[path][at] = total
    return {
        path: np.ma.MaskedArray([each or 0 for each in column], [each is None for each in column])
        for path, column in columns.items()
    }


def left(found: Any, row: int) -> Any:
    """What a batch says of one row, in the form of the oracle."""
    if found[row] is UNKNOWN:
        return UNKNOWN, 0
    values = {
        path: column.values[row] for path, column in found.values.items() if column.known is None or column.known[row]
    }
    return (int(found.codes[row]), values), sum(bool(each.where[row]) for each in found.effects)


@pytest.mark.parametrize("name", SHIPPED)
def test_numbers_of_shipped_rules(name: str) -> None:
    rules, random = loaded(name), Random(5)
    for id in rules.program.numbers:
        if reads_locals(rules.program, id):
            continue
        reads = rules.reads_of_number(id)
        rows = situations(rules, reads, random, 60)
        if not rows:
            continue
        columns = columns_of(rules, reads, rows)
        found = rules.batch.number(id, columns)
        expected = [told(oracle.number(rules, id, row)) for row in rows]
        assert list(found) == expected[: len(found)], id


@pytest.mark.parametrize("name", SHIPPED)
def test_odds_of_shipped_rules(name: str) -> None:
    rules, random = loaded(name), Random(7)
    for id in rules.program.checks:
        reads = rules.reads_of_check(id)
        rows = situations(rules, reads, random, 5)
        if not rows:
            continue
        found = rules.batch.odds(id, columns_of(rules, reads, rows))
        for at, row in enumerate(rows):
            given = {path: each[0] for path, each in columns_of(rules, reads, [row]).items()}
            assert found[at] == dict(rules.check(id).odds(given).items()), (id, at)
