"""Whatever is given as facts, dice or keys: an answer, or problems as data; never anything else."""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import houserule
from artifacts import complete
from conformance_cases import read
from houserule import UNKNOWN, FactsError, HouseruleError, ProblemsError
from houserule.values import hit_dice_code, hit_dice_parts, hit_dice_text

RULES = houserule.load(complete(read(Path(__file__).parent / "conformance" / "facts.json")["rules"]))
TABLES = houserule.load(complete(read(Path(__file__).parent / "conformance" / "tables.json")["rules"]))
CHECKS = houserule.load(complete(read(Path(__file__).parent / "conformance" / "checks.json")["rules"]))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 30),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["1/2", "4+3", "2d6", "huge", "unknown", "1/0", "0d0", "+", "-1", UNKNOWN, b"x", "٣", "²"]),
    st.fractions(),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
)
FIELDS = st.sampled_from(
    ["level", "size", "mood", "pay", "brave", "sizes", "hd", "weapon", "rate", "name", "double", "", "x.y"]
)
FACTS = st.dictionaries(
    st.sampled_from(["npc", "liege", "round", "place", "npc.level", "npc.hd", "npc.", ".", "", "a.b.c", 3]),
    VALUES | st.dictionaries(FIELDS, VALUES, max_size=4),
    max_size=4,
)


def tell(error: ProblemsError) -> None:
    """Problems are data, each one line of text."""
    assert error.problems
    assert all(each.code and len(str(each).splitlines()) == 1 for each in error.problems)


@given(FACTS)
def test_any_facts(facts: dict[str, Any]) -> None:
    for number in RULES.numbers.values():
        try:
            number.explain(facts)
        except FactsError as error:
            tell(error)


@given(VALUES, VALUES)
@example(False, UNKNOWN)
def test_any_keys_of_tables(one: Any, other: Any) -> None:
    for table in TABLES.tables.values():
        for keys in (one, (one, other), (), ("rogue", one)):
            try:
                table[keys]
            except FactsError as error:
                tell(error)


@given(
    st.dictionaries(
        st.sampled_from(["contest.pusher", "contest.defender", "down.save.d20", "down.save.feet", "x", ""]), VALUES
    )
)
def test_any_dice(dice: dict[str, Any]) -> None:
    try:
        CHECKS.check("shove").resolve({}, dice)
    except ProblemsError as error:
        tell(error)


@pytest.mark.parametrize("dice", [None, [10], "d20=3", 3])
def test_dice_that_are_no_mapping(dice: Any) -> None:
    """By the reference evaluator at first, then by generated code."""
    for _ in range(4):
        with pytest.raises(houserule.DiceError, match="dice are a mapping"):
            CHECKS.check("attack").resolve({}, dice)


@pytest.mark.parametrize("facts", [None, [], "npc.level=3", 3])
def test_facts_that_are_no_mapping(facts: Any) -> None:
    with pytest.raises(FactsError):
        RULES.number("round").value(facts)


HUGE = {"more": 10**5000, "less": -(10**5000), "listed": [10**5000], "parts": Fraction(10**5000, 3), "text": "9" * 5000}


@pytest.mark.parametrize("form", list(HUGE))
@pytest.mark.parametrize("field", ["level", "size", "brave", "sizes", "hd", "weapon", "rate", "name"])
def test_huge_numbers(field: str, form: str) -> None:
    huge: Any = HUGE[form]
    try:
        RULES.number("round").value({f"npc.{field}": huge})
    except FactsError as error:
        tell(error)
    with pytest.raises(houserule.DiceError):
        CHECKS.check("attack").resolve({}, {"d20": huge})


def test_native_values() -> None:
    assert RULES.number("rate").value({"npc.rate": Fraction(3, 2)}) == Fraction(3, 2)
    assert RULES.number("count").value({"npc.sizes": frozenset({"huge", "small"})}) == 2
    assert RULES.number("count").value({"npc.sizes": ("huge", "huge")}) == 1
    assert RULES.number("mood").value({"npc.mood": UNKNOWN}) == 9
    with pytest.raises(HouseruleError):
        RULES.number("level").value({"npc.level": UNKNOWN})


def test_checked_facts_are_those_of_when_they_were_checked() -> None:
    sizes: Any = [["huge"], {"huge"}]
    for each in sizes:
        npc = {"level": 3, "sizes": each}
        checked = RULES.facts({"npc": npc, "round": 2})
        npc["level"] = "none"
        each.clear()
        for _ in range(4):
            assert [RULES.number(id).value(checked) for id in ("level", "count")] == [3, 1]
        assert str(RULES.number("level").explain(checked)) == str(RULES.number("level").explain({"npc.level": 3}))


def test_integers_of_the_callers_own_kind_become_plain_ones() -> None:
    """A number that is read from a fact as it is gave back the caller's own class, though only from the third on."""
    level = IntEnum("Level", {"VETERAN": 3}).VETERAN  # type: ignore[attr-defined]
    for facts in ({"npc.level": level}, RULES.facts({"npc.level": level})):
        assert [type(RULES.number("level").value(facts)) for _ in range(4)] == [int] * 4


def test_an_array_for_what_may_be_unknown_is_told() -> None:
    """To compare one with a word gives an array, which is neither true nor false."""
    numpy = pytest.importorskip("numpy")
    for mood in (numpy.array([1, 2]), numpy.array(["unknown", "unknown"])):
        with pytest.raises(FactsError, match=r"npc\.mood"):
            RULES.number("mood").value({"npc.mood": mood})


def test_given_facts_are_left_alone() -> None:
    facts = {"npc": {"level": 3, "sizes": ["huge"]}}
    RULES.number("level").value(facts)
    assert facts == {"npc": {"level": 3, "sizes": ["huge"]}}


@given(st.booleans(), st.integers(0, 30), st.integers(-9, 9))
def test_hit_dice_are_one_ordered_integer(half: bool, dice: int, pips: int) -> None:
    code = hit_dice_code(half, dice, pips)
    twice = 1 if half else 2 * dice
    assert hit_dice_parts(code) == (twice, pips)
    assert RULES.number("pips").value({"npc.hd": hit_dice_text(code)}) == pips if 9 <= code <= 598 else True


def test_hit_dice_of_the_page() -> None:
    codes = {"1/2": 28, "1-1": 46, "1": 47, "2": 66, "2+1": 67}
    assert {hit_dice_text(code): code for code in codes.values()} == codes
    ordered = sorted((twice, pips) for twice in (0, 1, 2, 4, 6) for pips in range(-9, 10))
    found = [hit_dice_code(twice == 1, twice // 2, pips) for twice, pips in ordered]
    assert found == list(range(0, len(ordered)))


def test_a_role_is_told_from_a_fact_that_is_not_there() -> None:
    with pytest.raises(FactsError) as told:
        RULES.facts({"npc": 5})
    (problem,) = told.value.problems
    assert (problem.code, problem.path) == ("unknown-name", "npc")
    assert str(problem).startswith("`npc` is a role, and takes its fields as an object; give `npc` as `{")
