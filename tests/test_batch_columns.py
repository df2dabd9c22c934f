"""What columns may hold, and what is told of those that do not fit: the column, the row and the value."""

from __future__ import annotations

import ast
import subprocess
import sys
import tracemalloc
from array import array
from collections import deque
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import houserule
from artifacts import load
from houserule.batch import Coded
from shipped_rules import built

U = houserule.UNKNOWN
N = {"type": "integer", "low": -9, "high": 40}


def rules() -> houserule.Rules:
    """A number that reads a fact of each kind, and a check with a die that not every row rolls."""
    size = {"id": "size", "words": [{"id": "small"}, {"id": "large"}, {"id": "huge"}], "attributes": []}
    fields = [
        {"id": "n", "type": N},
        {"id": "u", "type": N, "optional": True},
        {"id": "brave", "type": {"type": "boolean"}, "default": False},
        {"id": "size", "type": {"type": "choice", "choice": "size"}, "default": 0},
        {"id": "known_sizes", "type": {"type": "set", "choice": "size"}, "default": 0},
        {"id": "hd", "type": {"type": "hit_dice", "low": 0, "high": 199}, "default": 47},
        {
            "id": "rate",
            "type": {"type": "fraction", "low": ["frac", 0, 1], "high": ["frac", 2, 1]},
            "default": ["frac", 1, 1],
        },
        {"id": "arms", "type": {"type": "dice", "one_of": [1030, 2054]}, "default": 1030},
        {"id": "name", "type": {"type": "text"}, "default": "nobody"},
    ]
    return load(
        {
            "choices": [size],
            "entities": [{"id": "creature", "fields": fields}],
            "roles": [{"id": "it", "entity": "creature"}],
            "impossible": [
                {
                    "id": "huge_coward",
                    "when": ["and", ["==", ["field", "it", "size"], 2], ["not", ["field", "it", "brave"]]],
                }
            ],
            "modifiers": [{"id": "m"}, {"id": "large"}],
            "numbers": [
                {
                    "id": "k",
                    "base": ["field", "it", "n"],
                    "entries": [
                        {"modifier": "large", "op": "add", "value": 10, "when": ["==", ["field", "it", "size"], 1]},
                        {
                            "modifier": "m",
                            "op": "add",
                            "value": ["field", "it", "u"],
                            "needs": [["field", "it", "u"]],
                        },
                    ],
                },
                {"id": "words", "base": ["count", ["field", "it", "known_sizes"]]},
                {"id": "dice", "base": ["floor", ["*", ["dice_part", ["field", "it", "hd"]], 2]]},
                {"id": "often", "base": ["floor", ["*", ["field", "it", "rate"], 10]]},
                {"id": "bare", "base": ["field", "it", "u"]},
                {"id": "most", "base": ["highest", ["field", "it", "arms"]]},
            ],
            "checks": [
                {
                    "id": "c",
                    "outcomes": ["yes", "no"],
                    "start": "one",
                    "steps": [
                        {
                            "id": "one",
                            "roll": [{"id": "die", "dice": ["dice", 1, 6], "low": 1, "high": 6}],
                            "cases": [
                                {"id": "again", "when": ["==", ["local", "one.die"], 6], "go": "two"},
                                {"id": "no", "outcome": 1},
                            ],
                        },
                        {
                            "id": "two",
                            "roll": [{"id": "arm", "dice": ["+", ["field", "it", "arms"], 1], "low": 2, "high": 13}],
                            "values": [{"id": "sum", "value": ["+", ["local", "one.die"], ["local", "two.arm"]]}],
                            "effects": [
                                {"role": "it", "field": "n", "op": "add", "value": ["neg", ["local", "two.sum"]]}
                            ],
                            "cases": [{"id": "yes", "outcome": 0}],
                        },
                    ],
                }
            ],
        }
    )


RULES = rules()


def number(id: str, **columns: Any) -> list[Any]:
    return list(RULES.batch.number(id, {"it": {"n": [1, 2], **columns}}))


class Arrow:
    """What says by the array protocol that it is a column."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([3, 4])

    def __len__(self) -> int:
        return 2


class Categories:
    """Codes and what they stand for, as tables of data have them."""

    codes = np.array([1, 0], np.int8)
    categories = ("large", "small")

    def __len__(self) -> int:
        return 2


class Sized:
    """What has a length, and nothing that could be gone through."""

    def __len__(self) -> int:
        return 2

    def __repr__(self) -> str:
        return "Sized"


TAKEN: list[tuple[dict[str, Any], list[Any]]] = [
    ({}, [1, 2]),
    ({"n": np.array([3, 4], np.uint8)}, [3, 4]),
    ({"n": np.array([3.0, -4.0])}, [3, -4]),
    ({"n": np.array([3, 4], ">i8")}, [3, 4]),
    ({"n": np.array([3, 0, 4, 0])[::2]}, [3, 4]),
    ({"n": np.broadcast_to(np.array([3]), 2)}, [3, 3]),
    ({"n": ["3", "+4"]}, [3, 4]),
    ({"n": range(5, 7)}, [5, 6]),
    ({"n": memoryview(bytes([7, 8]))}, [7, 8]),
    ({"n": Arrow()}, [3, 4]),
    ({"n": array("b", [3, -4])}, [3, -4]),
    ({"n": [np.int64(3), 4]}, [3, 4]),
    ({"n": (np.int8(3), np.uint64(4))}, [3, 4]),
    ({"n": np.array([np.int64(3), 4], object)}, [3, 4]),
    ({"n": Coded([1, 0], [np.int64(3), 4])}, [4, 3]),
    ({"n": np.array(3), "size": ["small", "large"]}, [3, 13]),
    ({"brave": [np.bool_(True), False], "size": [np.str_("huge"), "small"]}, [1, 2]),
    ({"u": np.ma.masked}, [1, 2]),
    ({"n": deque(["3", 4])}, [3, 4]),
    ({"size": "large"}, [11, 12]),
    ({"size": ["small", "large"]}, [1, 12]),
    ({"size": np.array(["large", "small"])}, [11, 2]),
    ({"size": np.array([1, 0], np.int8)}, [11, 2]),
    ({"size": Coded([1, 0], ["large", "small"])}, [1, 12]),
    ({"size": Categories()}, [1, 12]),
    ({"u": [U, 5]}, [1, 7]),
    ({"u": ["unknown", 5]}, [1, 7]),
    ({"u": np.ma.MaskedArray([0, 5], [False, True])}, [1, 2]),
    ({"u": np.ma.MaskedArray([999, 5], [True, False])}, [1, 7]),
    ({"u": Coded([-1, 0], [5])}, [1, 7]),
    ({"u": Coded([1, 0], [5, U])}, [1, 7]),
    ({"u": U}, [1, 2]),
    ({"u": 0}, [1, 2]),
    ({"n": np.ma.MaskedArray([6, 7], [False, False])}, [6, 7]),
    ({"name": ["a", "b"], "rate": ["1/2", 1], "brave": np.array([True, False])}, [1, 2]),
]


@pytest.mark.parametrize(("columns", "expected"), TAKEN)
def test_columns_that_fit(columns: dict[str, Any], expected: list[Any]) -> None:
    assert number("k", **columns) == expected
    known = RULES.batch.facts({"it": {"n": [1, 2], **columns}})
    assert list(RULES.batch.number("k", known)) == expected


def test_kinds() -> None:
    assert number("words", known_sizes=[["small", "huge"], []]) == [2, 0]
    assert number("words", known_sizes=["small, huge", "large"]) == [2, 1]
    assert number("words", known_sizes=np.array([7, 2])) == [3, 1]
    assert number("dice", hd=["1/2", "4+3"]) == [1, 8]
    assert number("dice", hd=np.array([0, 5])) == [0, 10]
    assert number("often", rate=["1/3", Fraction(3, 2)]) == [3, 15]
    assert number("most", arms=["1d6", "2d6"]) == [6, 12]
    assert number("bare", u=[U, 3]) == [U, 3]


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"n": [1, 41]}, "out-of-range", "`it.n`, row 1: expected a whole number from -9 to 40, found 41"),
    (
        {"n": np.array([-10, 1], np.int8)},
        "out-of-range",
        "`it.n`, row 0: expected a whole number from -9 to 40, found -10",
    ),
    ({"n": np.array([1, 2**63], np.uint64)}, "out-of-range", "`it.n`, row 1: "),
    ({"n": np.array([1, 1 << 56], ">i8")}, "out-of-range", "`it.n`, row 1"),
    ({"size": np.array([1, 1 << 56], ">i8")}, "out-of-range", "`it.size`, row 1"),
    ({"size": np.array([0, -1])}, "out-of-range", "`it.size`, row 1: expected a code from 0 to 2, found -1"),
    ({"n": np.array([99, 98])}, "out-of-range", "found 99 (and one more row)"),
    ({"n": [1, np.int64(41)]}, "out-of-range", "`it.n`, row 1: expected a whole number from -9 to 40, found 41"),
    ({"n": [np.float64(1.0), 2]}, "wrong-type", "`it.n`, row 0: expected a whole number from -9 to 40, found `1.0`"),
    ({"n": [1, np.bool_(True)]}, "wrong-type", "`it.n`, row 1: expected a whole number from -9 to 40, found `true`"),
    ({"n": Sized()}, "wrong-type", "`it.n`: expected a whole number from -9 to 40, found `Sized"),
    ({"n": np.array([1.0, 2.5])}, "wrong-type", "`it.n`, row 1: expected a whole number from -9 to 40, found `2.5`"),
    ({"n": np.array([1.0, np.nan])}, "wrong-type", "`it.n`, row 1: expected a value, found NaN"),
    ({"n": np.array([1.0, np.inf])}, "wrong-type", "row 1"),
    ({"n": [1.0, 2.0]}, "wrong-type", "row 0"),
    ({"n": deque([True, 2])}, "wrong-type", "row 0"),
    ({"n": iter([1, 2])}, "wrong-type", "`it.n`: expected a whole number"),
    ({"n": {"of": [1, 2]}}, "wrong-type", "`it.n`: expected a whole number"),
    ({"n": None}, "wrong-type", "`it.n`: expected a whole number"),
    ({"n": [True, 2]}, "wrong-type", "`it.n`, row 0: expected a whole number from -9 to 40, found `true`"),
    ({"n": np.array([True, False])}, "wrong-type", "row 0"),
    ({"n": ["1", "two"]}, "wrong-type", "row 1: expected a whole number from -9 to 40, found `two`"),
    ({"n": [1, None]}, "wrong-type", "row 1"),
    ({"n": [1, U]}, "wrong-type", "`it.n`, row 1"),
    ({"n": np.ma.MaskedArray([1, 2], [False, True])}, "wrong-type", "`it.n`, row 1: it must be known, and is not"),
    ({"n": np.zeros((2, 2), int)}, "wrong-type", "2 dimensions"),
    ({"n": [1, 2, 3], "u": [1, 2]}, "wrong-length", "`it.u` has 2 rows, and `it.n` has 3"),
    ({"n": np.array(["2026-01-01", "2026-01-02"], "M8[D]")}, "wrong-type", "row 0"),
    ({"brave": np.array([0, 1])}, "wrong-type", "`it.brave`, row 0: expected true or false"),
    ({"brave": ["true", "maybe"]}, "wrong-type", "`it.brave`, row 1: expected true or false, found `maybe`"),
    (
        {"size": ["small", "larg"]},
        "wrong-type",
        "`it.size`, row 1: expected one of small, large, huge, found `larg`; did you mean `large`?",
    ),
    ({"size": np.array(["large", "Large"])}, "wrong-type", "row 1"),
    ({"size": np.array([0, 3])}, "out-of-range", "`it.size`, row 1: expected a code from 0 to 2, found 3"),
    ({"size": [0, 1]}, "wrong-type", "row 0"),
    (
        {"size": Coded([0, 2], ["small", "large"])},
        "out-of-range",
        "`it.size`, row 1: expected a code from 0 to 1, found 2",
    ),
    (
        {"size": Coded([0, 1], ["small", "gigantic"])},
        "wrong-type",
        "`it.size`, row 1: expected one of small, large, huge, found `gigantic`",
    ),
    ({"size": Coded([0.0, 1.0], ["small", "large"])}, "wrong-type", "codes that are no integers"),
    ({"size": Coded([-1, 0], ["small"])}, "wrong-type", "`it.size`, row 0: it must be known"),
    ({"known_sizes": [["small"], ["tiny"]]}, "wrong-type", "`it.known_sizes`, row 1"),
    ({"known_sizes": np.array([0, 8])}, "out-of-range", "row 1: expected a code from 0 to 7, found 8"),
    ({"hd": ["4", "4+"]}, "wrong-type", "`it.hd`, row 1"),
    ({"hd": np.array([1, 500])}, "out-of-range", "`it.hd`, row 1"),
    ({"rate": ["1/2", "5"]}, "out-of-range", "`it.rate`, row 1"),
    ({"arms": ["1d6", "1d8"]}, "out-of-range", "`it.arms`, row 1"),
    ({"name": ["a", 1]}, "wrong-type", "`it.name`, row 1"),
    ({"u": np.array([1.0, np.nan])}, "wrong-type", "give unknown values by a masked array"),
    ({"levle": [1, 2]}, "unknown-name", "`it` has no field `levle`"),
    ({"size": "huge", "brave": [True, False]}, "impossible", "row 1 is impossible: huge coward"),
]


@pytest.mark.parametrize(("columns", "code", "message"), WRONG)
def test_columns_that_do_not_fit(columns: dict[str, Any], code: str, message: str) -> None:
    asks = [lambda given: RULES.batch.number("k", given), lambda given: RULES.batch.number("most", given)]
    for ask in [*asks, *([RULES.batch.facts] if code != "impossible" else [])]:
        with pytest.raises(houserule.FactsError) as caught:
            ask({"it": {"n": [1, 2], **columns}})
        assert code in {each.code for each in caught.value.problems}
        assert message in str(caught.value)


def test_all_problems_at_once() -> None:
    given = {"it": {"u": np.array([1, 99]), "size": ["small", "x"], "oops": 1}, "it.brave": [1, 2]}
    with pytest.raises(houserule.FactsError) as caught:
        RULES.batch.number("k", given)
    found = sorted((each.code, each.path) for each in caught.value.problems)
    assert found == [
        ("missing-fact", "it.n"),
        ("unknown-name", "it.oops"),
        ("wrong-type", "it.brave"),
        ("wrong-type", "it.size"),
    ]


def test_what_is_given_twice_or_missing() -> None:
    for given, code in (
        ({"it": {"n": [1]}, "it.n": [1]}, "given-twice"),
        ({}, "missing-fact"),
        ({"it.size": ["small"]}, "missing-fact"),
    ):
        with pytest.raises(houserule.FactsError, match=r"`it\.n`") as caught:
            RULES.batch.number("k", given)
        assert [each.code for each in caught.value.problems] == [code]
    with pytest.raises(houserule.FactsError, match="columns are a mapping"):
        RULES.batch.number("k", [1, 2])
    with pytest.raises(houserule.UnknownNameError, match="no number `kk`"):
        RULES.batch.number("kk", {})


FACTS = {"it": {"n": [1, 2, 3], "arms": ["1d6", "2d6", "1d6"]}}


def test_a_check() -> None:
    found = RULES.batch.check("c", FACTS, {"one.die": [6, 6, 2], "two.arm": [4, 12, 99]}, values="all", effects=True)
    assert [found[row] for row in range(3)] == ["yes", "yes", "no"]
    assert found.counts() == {"yes": 2, "no": 1}
    assert list(found.values["two.sum"]) == [11, 19, U]
    assert list(found.values["two.arm"]) == [5, 13, U]
    (effect,) = found.effects
    assert (effect.path, effect.op) == ("it.n", "add")
    assert effect.where.tolist() == [True, True, False]
    assert list(effect.values["value"]) == [-11, -19, U]
    masked = np.ma.MaskedArray([4, 12, 0], [False, False, True])
    assert RULES.batch.check("c", FACTS, {"one.die": [6, 6, 2], "two.arm": masked}).counts() == {"yes": 2, "no": 1}


@pytest.mark.parametrize("six", [6, np.int8(6), np.array(6), [np.int64(6)] * 3, [6, np.int64(6), 6]])
def test_dice_of_numpys_own_integers(six: Any) -> None:
    assert RULES.batch.check("c", FACTS, {"one.die": six, "two.arm": [4, 12, 4]}).codes.tolist() == [0, 0, 0]
    assert RULES.batch.check("c", {"it": {"n": 1}}, {"one.die": six, "two.arm": 4})[0] == "yes"


def test_checked_columns_follow_nothing_that_becomes_of_arrays() -> None:
    """Arrays of the very type in which columns are held were held themselves."""
    hides = [True, False]
    given: dict[str, Any] = {
        "n": np.array([3, 4], np.int8),
        "u": np.ma.MaskedArray(np.array([7, 5], np.int8), [True, False]),
        "size": np.array([1, 0], np.int8),
        "brave": np.array(hides),
        "name": np.array(["a", "b"], object),
    }
    known = RULES.batch.facts({"it": given})
    for each in given.values():
        each[:] = 1
    assert list(RULES.batch.number("k", known)) == [13, 9]
    assert [list(known.columns["it.brave"].values), list(known.columns["it.name"].values)] == [hides, ["a", "b"]]
    for column in known.columns.values():
        for held in (column.values, column.unknown):
            if held is not None:
                with pytest.raises(ValueError, match="read-only"):
                    held[:] = held[0]


WRONG_DICE: list[tuple[Any, str, str]] = [
    ({}, "missing-die", "row 0: `one.die` (1d6) is missing"),
    ({"one.die": [6, 6, 2]}, "missing-die", "row 0: `two.arm` (1d6 + 1) is missing"),
    ({"one.die": [6, 6, 7], "two.arm": 1}, "out-of-range", "row 2: `one.die` is 7, and 1d6 gives 1 to 6"),
    ({"one.die": [0, 6, 2], "two.arm": 1}, "out-of-range", "row 0: `one.die` is 0"),
    ({"one.die": [6, 1, 1], "two.arm": [7, 1, 1]}, "out-of-range", "row 0: `two.arm` is 7, and 1d6 gives 1 to 6"),
    ({"one.die": [1, 6, 1], "two.arm": [1, 1, 1]}, "out-of-range", "row 1: `two.arm` is 1, and 2d6 gives 2 to 12"),
    (
        {"one.die": np.ma.MaskedArray([1, 1, 1], [False, True, False])},
        "missing-die",
        "row 1: `one.die` (1d6) is missing",
    ),
    ({"one.die": [1, 2]}, "wrong-length", "`one.die` has 2 rows, and the facts have 3"),
    ({"one.die": [1, 2, "3"]}, "wrong-type", "`one.die`, row 2: expected a whole number"),
    ({"one.die": [1, 2, True]}, "wrong-type", "`one.die`, row 2"),
    ({"one.die": [1.5, 2.0, 3.0]}, "wrong-type", "`one.die`, row 0"),
    ({"one.die": "6"}, "wrong-type", "`one.die` must be a column of whole numbers"),
    ({"one.die": np.array(6.0)}, "wrong-type", "`one.die` must be a column of whole numbers"),
    ({"one.die": {6: 1}}, "wrong-type", "`one.die` must be a column of whole numbers"),
    ({"one.die": Sized()}, "wrong-type", "`one.die` must be a column of whole numbers"),
    (np.array([6, 6]), "wrong-type", "dice are a mapping"),
    ([6, 6, 6], "wrong-type", "dice are a mapping"),
    ({"one.dye": 6}, "unknown-die", "did you mean `one.die`?"),
]


@pytest.mark.parametrize(("dice", "code", "message"), WRONG_DICE)
def test_dice_that_do_not_fit(dice: Any, code: str, message: str) -> None:
    with pytest.raises(houserule.DiceError) as caught:
        RULES.batch.check("c", FACTS, dice)
    assert [each.code for each in caught.value.problems] == [code]
    assert message in str(caught.value)


def test_a_value_that_the_check_does_not_have() -> None:
    with pytest.raises(
        houserule.UnknownNameError, match=r"`c` has no die or value `two.sums`; did you mean `two.sum`\?"
    ):
        RULES.batch.check("c", FACTS, {"one.die": 1}, values="two.sums")
    values: Any
    for values in (3, [3], [["two.sum"]], None):
        with pytest.raises(houserule.UnknownNameError, match="`c` has no die or value"):
            RULES.batch.check("c", FACTS, {"one.die": 1}, values=values)


def test_modifiers_that_apply() -> None:
    given = {"it": {"n": [1, 2, 3], "size": ["large", "small", "large"], "u": [U, 1, 2]}}
    found = RULES.batch.number("k", given, applied=True)
    assert found.applied is not None
    assert {id: mask.tolist() for id, mask in found.applied.items()} == {
        "large": [True, False, True],
        "m": [False, True, True],
    }


def test_rows_that_are_unknown_are_no_numbers() -> None:
    found = RULES.batch.number("bare", {"it.u": [U, 3]})
    assert found.known is not None
    assert found.known.tolist() == [False, True]
    assert found.masked().tolist() == [None, 3]
    with pytest.raises(houserule.HouseruleError, match="row 0 has no value"):
        np.asarray(found)
    assert np.asarray(RULES.batch.number("bare", {"it.u": [1, 3]})).tolist() == [1, 3]


def test_facts_that_are_the_same_in_all_rows() -> None:
    dice = {"one.die": [6, 5, 6], "two.arm": [1, 0, 6]}
    for facts in ({"it.n": 3}, RULES.batch.facts({"it.n": 3})):
        assert RULES.batch.check("c", facts, dice).codes.tolist() == [0, 1, 0]
        assert list(RULES.batch.number("k", facts)) == [3]
    with pytest.raises(houserule.DiceError, match=r"`two\.arm` has 2 rows, and the facts have 3"):
        RULES.batch.check("c", {"it.n": 3}, {**dice, "two.arm": [1, 2]})


def test_no_rows_and_many() -> None:
    assert list(RULES.batch.number("k", {"it.n": []})) == []
    assert len(RULES.batch.check("c", {"it.n": np.zeros(0, int)}, {"one.die": []})) == 0
    many = np.arange(200_000) % 50 - 9
    assert np.array_equal(RULES.batch.number("k", {"it.n": many}).values, many)
    with pytest.raises(houserule.FactsError, match="row 199999: "):
        RULES.batch.number("k", {"it.n": np.append(many[:-1], 41)})


def test_odds() -> None:
    found = RULES.batch.odds("c", {"it.n": [1, 2]})
    assert (found.of, found.ways["yes"].tolist(), found.ways["no"].tolist()) == (6, [1, 1], [5, 5])
    assert found[0] == {"yes": Fraction(1, 6), "no": Fraction(5, 6)}


def test_a_million_rows_take_little_room() -> None:
    columns = {"it.n": np.zeros(1_000_000, np.int64), "it.u": np.ones(1_000_000, np.int64)}
    tracemalloc.start()
    RULES.batch.number("k", columns)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40_000_000


def test_without_numpy_it_says_how_to_install_it() -> None:
    runtime = Path(__file__).parents[1] / "runtime"
    code = f"""
import sys; sys.path.insert(0, {str(runtime)!r})
sys.modules["numpy"] = None
import houserule
from houserule.rules import Rules
try:
    Rules.batch.fget(type("R", (), {{"_batch": None}})())
except houserule.HouseruleError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "batches need numpy: pip install 'houserule[batch]'\n"


def test_the_page_says_what_its_remarks_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artifact = built("odnd-morale").artifact
    assert artifact
    (tmp_path / "odnd-morale.rules.json").write_bytes(artifact)
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[1] / "docs" / "batch.md").read_text("utf-8")
    code, told = page.split("```python\n")[1].split("```")[0], {}
    names: dict[str, Any] = {}
    for node in ast.parse(code).body:
        text, line = ast.get_source_segment(code, node) or "", code.splitlines()[(node.end_lineno or 0) - 1]
        if isinstance(node, ast.Expr):
            told[text] = line.partition("#")[2].strip(), repr(eval(text, names))
        else:
            exec(text, names)
    assert len(told) == 8
    assert {text: shown for text, (shown, _) in told.items()} == {text: found for text, (_, found) in told.items()}
