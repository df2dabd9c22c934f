"""Forms of rules as columns that the shipped rulesets have not, each held against the reference evaluator."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import houserule
from artifacts import load
from houserule.batch import Coded
from houserule.values import UNKNOWN
from test_batch import compare

N = {"type": "integer", "low": -9, "high": 40}
PARTED = {"type": "fraction", "low": ["frac", 0, 1], "high": ["frac", 2, 1]}


@pytest.mark.parametrize("how", ["floor", "ceil", "nearest", "toward_zero"])
@pytest.mark.parametrize("low", [-3, 0, 1])
def test_divisors_by_row(how: str, low: int) -> None:
    """Also below 0 and 0, which is refused, and unknown, which is no 0."""
    divisor = {"id": "d", "type": {"type": "integer", "low": low, "high": 5}, "optional": True}
    base = [how, ["/", ["fact", "n"], ["fact", "d"]]]
    rules = load({"facts": [{"id": "n", "type": N}, divisor], "numbers": [{"id": "k", "base": base}]})
    compare(rules, [{"n": n, "d": d} for n in range(-9, 41, 7) for d in (UNKNOWN, *range(low, 6))])


@pytest.mark.parametrize("words", [5, 20, 31])
def test_sets(words: int) -> None:
    """Words of a set that are counted, asked for, and of which each counts."""
    entry = {"modifier": "m", "op": "add", "each": ["fact", "s"], "grades": [[1, 3, 7], [4, None, -2]]}
    rules = load(
        {
            "choices": [{"id": "c", "words": [{"id": f"w{at}"} for at in range(words)], "attributes": []}],
            "facts": [{"id": "s", "type": {"type": "set", "choice": "c"}, "optional": True}],
            "modifiers": [{"id": "m"}],
            "numbers": [
                {
                    "id": "k",
                    "base": ["if", ["has", ["fact", "s"], words - 1], ["count", ["fact", "s"]], 50],
                    "entries": [entry],
                }
            ],
        }
    )
    masks = [0, 1, 1 << words - 1, (1 << words) - 1, *(Random(words).getrandbits(words) for _ in range(20))]
    columns = {"s": [[f"w{at}" for at in range(words) if mask >> at & 1] for mask in masks]}
    shown = list(rules.batch.number("k", {"s": [*columns["s"], UNKNOWN]}))
    assert shown == [*(rules.number("k").value({"s": each}) for each in columns["s"]), UNKNOWN]


def test_tables_of_two_wide_keys_and_of_cells_from_keys() -> None:
    """Bands over keys of a thousand each: more combinations than are unfolded, fewer classes."""
    wide = {"type": "integer", "low": 0, "high": 999}
    bands = {"starts": [None, 100, 555], "ends": None, "then": [0, 1, 2]}
    outer = {"starts": [None, 10], "ends": None, "then": [bands, {"from": 0, "then": [at % 3 for at in range(1000)]}]}
    table = {"keys": [{"id": each, "type": wide} for each in "ab"], "columns": [{"id": "x", "type": wide}]}
    own = {
        "keys": [{"id": "a", "type": wide}],
        "columns": [{"id": "x", "type": wide}],
        "rows": [[{"expr": ["+", ["key", 0], 3]}]],
    }
    rules = load(
        {
            "facts": [{"id": each, "type": wide} for each in "ab"],
            "tables": [
                {"id": "t", **table, "index": outer, "rows": [[5], [7], [900]]},
                {"id": "u", **own, "index": {"starts": [None], "ends": None, "then": [0]}},
            ],
            "numbers": [
                {
                    "id": "k",
                    "base": [
                        "+",
                        ["table", "t", "x", [["fact", "a"], ["fact", "b"]]],
                        ["table", "u", "x", [["fact", "a"]]],
                    ],
                }
            ],
        }
    )
    random = Random(4)
    compare(rules, [{"a": random.choice([0, 9, 10, 999]), "b": random.randint(0, 999)} for _ in range(200)])


def dice_rules() -> houserule.Rules:
    """A check that rolls dice which are a fact, tells an event, and needs what may be unknown."""
    dice = {"type": "dice", "up_to": 3 * 1024 + 8}
    return load(
        {
            "entities": [{"id": "creature", "fields": [{"id": "u", "type": N, "optional": True}]}],
            "roles": [{"id": "it", "entity": "creature"}],
            "facts": [
                {"id": "arms", "type": dice},
                {"id": "f", "type": PARTED, "default": ["frac", 1, 2]},
                {"id": "t", "type": {"type": "text"}, "default": "x"},
            ],
            "events": [{"id": "felled", "arguments": [{"id": "who", "entity": "creature"}, {"id": "by", "type": N}]}],
            "impossible": [{"id": "never", "when": ["==", ["fact", "f"], ["frac", 3, 2]]}],
            "numbers": [{"id": "k", "base": ["floor", ["*", ["fact", "f"], 10]]}],
            "checks": [
                {
                    "id": "c",
                    "outcomes": ["yes", "no"],
                    "roll": [{"id": "die", "dice": ["+", ["fact", "arms"], -1], "low": 0, "high": 23}],
                    "effects": [
                        {
                            "event": "felled",
                            "arguments": {"who": {"role": "it"}, "by": ["local", "die"]},
                            "when": [">", ["local", "die"], 5],
                        }
                    ],
                    "cases": [
                        {"id": "y", "when": [">=", ["local", "die"], ["field", "it", "u"]], "outcome": 0},
                        {"id": "n", "outcome": 1},
                    ],
                }
            ],
        }
    )


def test_dice_that_are_facts() -> None:
    rules = dice_rules()
    columns = {"arms": ["1d6", "3d8", "2d4", "1d6"], "it.u": [3, 20, 1, UNKNOWN]}
    found = rules.batch.check("c", columns, {"die": [4, 20, 8, 1]}, values="die", effects=True)
    assert [found[row] for row in range(4)] == ["yes", "no", "yes", UNKNOWN]
    assert list(found.values["die"])[:3] == [3, 19, 7]
    (felled,) = found.effects or ()
    assert (repr(felled), felled.op) == ("EffectColumn('felled', 'event', 2 of 4 rows)", "event")
    assert (felled.who, list(felled.values["by"])) == ({"who": "it"}, [UNKNOWN, 19, 7, UNKNOWN])
    same = rules.batch.check("c", {**columns, "arms": "1d6"}, {"die": 4})
    assert [same[row] for row in range(4)] == ["yes", "no", "yes", UNKNOWN]
    for die, low, high in ((7, 1, 6), (2, 3, 24)):
        with pytest.raises(houserule.DiceError, match=f"gives {low} to {high}"):
            rules.batch.check("c", columns, {"die": [die, die, 2, 2]})
    odds = rules.batch.odds("c", columns)
    single = rules.check("c")
    for row in range(3):
        given = {path: each[row] for path, each in columns.items()}
        assert odds[row] == dict(single.odds(given).items())
    assert odds[3] is UNKNOWN


def test_fractions_and_texts_by_codes_of_ones_own() -> None:
    rules = dice_rules()
    codes = Coded(np.array([0, 1, 0]), ["1/2", Fraction(7, 4)])
    assert list(rules.batch.number("k", {"f": codes, "t": Coded([0, 0, 1], ["a", "b"])})) == [5, 17, 5]
    with pytest.raises(houserule.FactsError, match="`f`, row 1: expected a fraction from 0 to 2, found 9"):
        rules.batch.number("k", {"f": Coded(np.array([0, 1, 0]), ["1/2", "9"])})
    with pytest.raises(houserule.FactsError, match="row 2 is impossible: never"):
        rules.batch.number("k", {"f": ["1/2", "1", "3/2"]})
    with pytest.raises(houserule.FactsError, match="`it` has no field `x`"):
        rules.batch.number("k", {"it.x": [1]})


def test_odds_of_many_different_situations() -> None:
    """More kinds than an array tells apart."""
    wide = {"type": "integer", "low": 0, "high": 100_000}
    die = {"id": "die", "dice": ["dice", 1, 20], "low": 1, "high": 20}
    case = {"id": "y", "when": [">=", ["*", ["local", "die"], ["fact", "a"]], ["+", ["fact", "b"], ["local", "die"]]]}
    rules = load(
        {
            "facts": [{"id": each, "type": wide} for each in "ab"],
            "checks": [
                {
                    "id": "c",
                    "outcomes": ["yes", "no"],
                    "roll": [die],
                    "cases": [{**case, "outcome": 0}, {"id": "n", "outcome": 1}],
                }
            ],
        }
    )
    random = Random(8)
    columns = {each: [random.choice([0, 1, 5, 99_999, random.randint(0, 60)]) for _ in range(120)] for each in "ab"}
    found = rules.batch.odds("c", columns)
    for row in range(120):
        given = {path: each[row] for path, each in columns.items()}
        assert found[row] == dict(rules.check("c").odds(given).items())


def test_what_is_shown_of_answers() -> None:
    rules = dice_rules()
    columns = {"arms": ["1d6", "3d8"], "it.u": [3, UNKNOWN]}
    check = rules.batch.check("c", columns, {"die": [4, 20]}, values="die", effects=True)
    assert repr(check) == "CheckColumn('c', 2 rows)"
    assert repr(check.values["die"]) == "ValueColumn(2 rows, int8)"
    assert repr(rules.batch.odds("c", columns)) == "OddsColumn('c', 2 rows, of 2)"
    assert check.counts() == {"yes": 1, "no": 0}
    known = rules.batch.facts({"arms": ["1d6"]})
    assert rules.batch.check("c", known, {"die": 4})[0] is UNKNOWN
    with pytest.raises(houserule.FactsError, match="`arms` is missing"):
        rules.batch.check("c", rules.batch.facts({"it.u": [1]}), {"die": 4})


def test_what_nests_deep() -> None:
    """Conditions that each read two of the one before, and numbers that read the one before."""
    conditions = [{"id": "c0", "when": [">", ["fact", "n"], 0]}]
    for at in range(1, 13):
        before = ["condition", f"c{at - 1}"]
        conditions.append({"id": f"c{at}", "when": ["or", ["and", before, ["==", ["fact", "n"], at]], ["not", before]]})
    numbers: list[dict[str, object]] = [{"id": "n0", "base": ["fact", "n"]}]
    numbers += [{"id": f"n{at}", "base": ["+", ["number", f"n{at - 1}", {}], 1]} for at in range(1, 45)]
    numbers.append({"id": "k", "base": ["if", ["condition", "c12"], ["number", "n44", {}], 0]})
    rules = load({"facts": [{"id": "n", "type": N}], "conditions": conditions, "numbers": numbers})
    compare(rules, [{"n": n} for n in (-9, 3, 12, 40)])
