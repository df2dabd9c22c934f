"""Columns say what the reference evaluator says of each row, and what is wrong with them is told with its row."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houserule
import oracle
import random_checks
import random_rules
import test_fast
from artifacts import load
from conformance_batch import Falls
from houserule.dice import Pool
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
        rows = situations(rules, reads, random, 16)
        if not rows:
            continue
        seeds = [random.randrange(10**6) for _ in rows]
        expected = [oracle.check(rules, id, row, seed) for row, seed in zip(rows, seeds, strict=True)]
        dice = dice_of(rules, id, rows, seeds)
        found = rules.batch.check(id, columns_of(rules, reads, rows), dice, values="all", effects=True)
        for row, (answer, effects) in enumerate(expected):
            assert left(found, row) == (told(answer), 0 if answer == "unknown" else effects), (id, row)


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
        rows = situations(rules, reads, random, 40)
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
        rows = situations(rules, reads, random, 3)
        if not rows:
            continue
        found = rules.batch.odds(id, columns_of(rules, reads, rows))
        for at, row in enumerate(rows):
            given = {path: each[0] for path, each in columns_of(rules, reads, [row]).items()}
            assert found[at] == dict(rules.check(id).odds(given).items()), (id, at)


@pytest.mark.parametrize("number", test_fast.ODD.values(), ids=test_fast.ODD.keys())
def test_odd_numbers(number: dict[str, Any]) -> None:
    tables = [{"columns": [{"id": "x", "type": test_fast.N}], **each} for each in test_fast.TABLES]
    feet = {"id": "feet", "type": test_fast.N, "values": [3, 6]}
    rules = load(
        {
            "choices": [{"id": "size", "words": [{"id": "small"}, {"id": "large"}], "attributes": [feet]}],
            "facts": [{"id": "n", "type": test_fast.N}, {"id": "u", "type": test_fast.N, "optional": True}],
            "options": [{"id": "o", "type": test_fast.N, "default": 4}],
            "modifiers": [{"id": "m"}, {"id": "n"}],
            "tables": tables,
            "numbers": [{"id": "k", **number}],
        }
    )
    rows = [{"n": n, "u": u} for n in range(-9, 41) for u in (UNKNOWN, -9, 0, 17)]
    compare(rules, rows)


def compare(rules: houserule.Rules, rows: list[oracle.Held]) -> None:
    """The number `k` in rows of held facts; where one row alone is refused, so are all that hold it."""
    expected = [oracle.number(rules, "k", row) for row in rows]
    sound = [at for at, each in enumerate(expected) if each != "refused"]
    for part in (range(len(rows)), sound):
        columns = {path: [rows[at][path] for at in part] for path in rows[0]}
        if len(part) > len(sound):
            with pytest.raises(houserule.ArtifactError, match=r"\(row \d+\)"):
                rules.batch.number("k", columns)
        elif part:
            assert list(rules.batch.number("k", columns)) == [told(expected[at]) for at in part]


AMOUNTS: list[Any] = [-3, -1, 0, 1, 2, ["fact", "n"], ["neg", ["fact", "n"]], ["fact", "u"]]
FRACTIONS: list[Any] = [["frac", 1, 2], ["frac", -3, 4]]
OPS = ["add", "add", "add", "set", "multiply", "at_most", "at_least"]
POLICIES = [None, "all", "largest", "smallest", "once", "first"]


def competing(random: Random) -> dict[str, Any]:
    """Rules with a number whose modifiers compete in any way."""
    group = {key: random.choice(POLICIES) for key in ("bonuses", "penalties", "all", "multiply")}
    group = {key: policy for key, policy in group.items() if policy}
    group |= random.choice([{}, {"tie": "bonus"}, {"tie": "penalty"}])
    order = ["m0", "m1", "m2", "m3"]
    random.shuffle(order)
    entries, has_fractions = [], random.random() < 0.3
    for at in range(random.randint(1, 4)):
        entry: dict[str, Any] = {"modifier": f"m{at}", "op": random.choice(OPS)}
        entry |= random.choice([{}, {"group": "g"}, {"group": "g"}])
        entry |= {"when": [">", ["fact", "n"], random.randint(-2, 2)]} if random.random() < 0.5 else {}
        entry |= {"needs": [["fact", "u"]]} if random.random() < 0.2 else {}
        amounts = AMOUNTS + FRACTIONS if entry["op"] == "multiply" or has_fractions else AMOUNTS
        grades = [[word, word, random.choice(amounts)] for word in range(3) if random.random() < 0.7] or [[0, 0, 1]]
        form = random.random()
        if form < 0.2 and entry["op"] == "add":
            entry |= {"each": ["fact", "s"], "grades": grades}
        elif form < 0.4:
            entry |= {"by": ["fact", "n"], "grades": grades}
        else:
            entry["value"] = random.choice(amounts)
        if entry["op"] == "multiply":
            entry["round"] = random.choice(["down", "up", "nearest"])
        entries.append(entry)
    whole, parted = {"type": "integer", "low": -99, "high": 99}, {"type": "fraction", "low": ["frac", -99, 1]}
    kind = {**parted, "high": ["frac", 99, 1]} if has_fractions else whole
    number = {"id": "k", "base": 2, "entries": entries, "type": kind, **random.choice([{}, {"better": "lower"}])}
    return {
        "choices": [{"id": "mood", "words": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "attributes": []}],
        "facts": [
            {"id": "n", "type": {"type": "integer", "low": -3, "high": 3}},
            {"id": "u", "type": {"type": "integer", "low": -2, "high": 2}, "optional": True},
            {"id": "s", "type": {"type": "set", "choice": "mood"}, "default": 0},
        ],
        "modifiers": [{"id": f"m{at}"} for at in range(4)],
        "stacking": [{"id": "g", **group, "order": order}],
        "numbers": [number],
    }


@pytest.mark.parametrize("seed", range(4))
def test_stacking(seed: int) -> None:
    """Whatever competes: policies, ties, directions, grades, words of a set, unknown amounts, fractions."""
    random = Random(seed)
    rows = [{"n": n, "u": u, "s": s} for n in range(-3, 4) for u in (UNKNOWN, -2, 1) for s in range(8)]
    for _ in range(40):
        rules = load(competing(random))
        compare_held(rules, rows)


def compare_held(rules: houserule.Rules, rows: list[oracle.Held]) -> None:
    expected = [oracle.number(rules, "k", row) for row in rows]
    sound = [at for at, each in enumerate(expected) if each != "refused"]
    if sound:
        unknown = [rows[at]["u"] is UNKNOWN for at in sound]
        columns = {path: np.array([rows[at][path] for at in sound]) for path in ("n", "s")}
        given = np.ma.MaskedArray(
            [0 if hidden else rows[at]["u"] for at, hidden in zip(sound, unknown, strict=True)], unknown
        )
        assert list(rules.batch.number("k", {**columns, "u": given})) == [told(expected[at]) for at in sound]


@settings(max_examples=15)
@given(random_rules.rules(), st.integers(0, 999))
def test_random_numbers(text: str, seed: int) -> None:
    _, artifact, _ = random_rules.compiled(text)
    if artifact is None:
        return
    rules, random = houserule.load(artifact), Random(seed)
    for id in test_fast.numbers(rules):
        reads = rules.reads_of_number(id)
        rows = situations(rules, reads, random, 12)
        if rows and reads:
            expected = [told(oracle.number(rules, id, row)) for row in rows]
            assert list(rules.batch.number(id, columns_of(rules, reads, rows))) == expected


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_random_checks(seed: int, dice: int) -> None:
    rules, random = load(random_checks.rules(seed)), Random(dice)
    rows: list[oracle.Held] = [{"me.n": random.randint(-9, 9), "you.n": random.randint(-9, 9)} for _ in range(6)]
    columns = {path: [row[path] for row in rows] for path in rows[0]}
    seeds = [random.randrange(10**6) for _ in rows]
    for id in ("one", "two", "three"):
        expected = [oracle.check(rules, id, row, seed) for row, seed in zip(rows, seeds, strict=True)]
        found = rules.batch.check(id, columns, dice_of(rules, id, rows, seeds), values="all", effects=True)
        for row, (answer, effects) in enumerate(expected):
            assert left(found, row) == (told(answer), 0 if answer == "unknown" else effects), (id, row)
        odds = rules.batch.odds(id, columns)
        for row, held in enumerate(rows):
            assert odds[row] == dict(rules.check(id).odds(held).items())


def banded(random: Random, keys: int) -> dict[str, Any]:
    """An index of bands over wide keys, one level for each, with a gap at either end."""
    starts = sorted(random.sample(range(-90_000, 90_000), 12))
    rows = [random.randrange(9) for _ in starts] if keys == 1 else [banded(random, keys - 1) for _ in starts]
    return {"starts": starts, "ends": 95_000, "then": rows}


@pytest.mark.parametrize("keys", [1, 2])
def test_wide_tables(keys: int) -> None:
    """Keys that range too widely for an array, looked up by their bounds; outside there is no row."""
    random, wide = Random(keys), {"type": "integer", "low": -100_000, "high": 100_000}
    facts = [f"k{at}" for at in range(keys)]
    table = {"id": "t", "keys": [{"id": each, "type": wide} for each in facts], "columns": [{"id": "x", "type": wide}]}
    table |= {"index": banded(random, keys), "rows": [[at * 50 - 200] for at in range(9)]}
    rules = load(
        {
            "facts": [{"id": each, "type": wide} for each in facts],
            "tables": [table],
            "numbers": [{"id": "k", "base": ["table", "t", "x", [["fact", each] for each in facts]]}],
        }
    )
    compare(rules, [{each: random.randint(-99_000, 99_000) for each in facts} for _ in range(200)])


def test_rows_one_by_one() -> None:
    """What has no form as columns: given fractions, and what reads them, with modifiers that apply and effects."""
    parted = {"type": "fraction", "low": ["frac", 0, 1], "high": ["frac", 2, 1]}
    number = {"id": "k", "base": ["if", ["==", ["fact", "a"], ["fact", "b"]], 1, 2]}
    entry = {"modifier": "m", "op": "add", "value": 5, "when": ["==", ["fact", "a"], ["fact", "b"]]}
    effect = {
        "role": "it",
        "field": "n",
        "op": "add",
        "value": ["number", "k", {}],
        "when": ["==", ["fact", "a"], ["fact", "b"]],
    }
    rules = load(
        {
            "facts": [{"id": each, "type": parted} for each in "ab"],
            "entities": [{"id": "creature", "fields": [{"id": "n", "type": test_fast.N}]}],
            "roles": [{"id": "it", "entity": "creature"}],
            "modifiers": [{"id": "m"}],
            "numbers": [{**number, "entries": [entry]}],
            "checks": [
                {
                    "id": "c",
                    "outcomes": ["same", "other"],
                    "roll": [{"id": "die", "dice": ["dice", 1, 6], "low": 1, "high": 6}],
                    "values": [{"id": "sum", "value": ["+", ["local", "die"], ["number", "k", {}]]}],
                    "effects": [effect],
                    "cases": [
                        {"id": "same", "when": ["==", ["fact", "a"], ["fact", "b"]], "outcome": 0},
                        {"id": "o", "outcome": 1},
                    ],
                }
            ],
        }
    )
    columns = {"a": ["1/2", "1", Fraction(1, 3)], "b": np.array(["2/4", "1/2", "1/3"])}
    found = rules.batch.number("k", columns, applied=True)
    assert (list(found), found.applied and found.applied["m"].tolist()) == ([6, 2, 6], [True, False, True])
    check = rules.batch.check("c", columns, {"die": [1, 2, 3]}, values="all", effects=True)
    assert (check.codes.tolist(), list(check.values["sum"])) == ([0, 1, 0], [7, 4, 9])
    assert [(each.path, each.where.tolist(), list(each.values["value"])) for each in check.effects or ()] == [
        ("it.n", [True, False, True], [6, UNKNOWN, 6])
    ]
    assert rules.batch.odds("c", columns).ways["same"].tolist() == [1, 0, 1]
    with pytest.raises(houserule.DiceError, match="row 1: `die` is 7"):
        rules.batch.check("c", columns, {"die": [1, 7, 3]})
