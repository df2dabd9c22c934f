"""`houserule diff` finds a difference exactly where a brute force over all situations does."""

from __future__ import annotations

import json
from itertools import combinations, product
from math import prod
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import houserule
import random_checks
import random_rules
from artifacts import complete
from houserule.errors import FactsError
from houserule.values import hit_dice_code, hit_dice_text
from houserule_compiler.compared import Compared
from houserule_compiler.difference import compared_number, difference
from houserule_compiler.setters import Setters

NUMBERS = ("main", "reader")
MOST = 600
WORDS = random_rules.VALUES["mood_now"]
VALUES = random_rules.VALUES | {
    "moods": [each for many in range(4) for each in combinations(WORDS, many)],
    "size": [hit_dice_text(code) for code in range(hit_dice_code(False, 0, -9), hit_dice_code(False, 2, 9) + 1)],
}
"""Every value of every fact."""


def compared(text: str) -> Compared | None:
    _, artifact, _ = random_rules.compiled(text)
    if artifact is None:
        return None
    rules = houserule.load(artifact)
    return Compared(json.loads(artifact), rules, Setters(rules.origins))


def answer(rules: houserule.Rules, id: str, facts: dict[str, Any]) -> object:
    try:
        return rules.number(id).value(facts)
    except FactsError:
        return "unknown"


def brute_force(one: Compared, other: Compared, id: str) -> int | None:
    """In how many situations two rulesets differ, asked one by one through the runtime's front door; None of many."""
    reads = {each.path for side in (one, other) for each in side.rules.number(id).facts}
    named = [name for name in VALUES if name in reads]
    if prod(len(VALUES[name]) for name in named) > MOST:
        return None
    differing = 0
    for combination in product(*(VALUES[name] for name in named)):
        facts = {name: value for name, value in zip(named, combination, strict=True) if value is not None}
        differing += answer(one.rules, id, facts) != answer(other.rules, id, facts)
    return differing


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Rules, and the same with one line taken out, exchanged for that of other rules, or a figure that is another."""
    text = draw(random_rules.rules())
    lines = text.splitlines()
    first = lines.index("numbers:") + 1
    at = draw(st.integers(first, len(lines) - 1))
    match draw(st.integers(0, 3)):
        case 0:
            other = draw(random_rules.rules())
            return text, other
        case 1 if lines[at].startswith("  m"):
            del lines[at]
            lines = [each for each in lines if each != "modifiers:" or any(one.startswith("  m0") for one in lines)]
            return text, "\n".join(lines) + "\n"
        case 2:
            return text, text.replace("rows: [5, -1", f"rows: [{draw(st.integers(4, 6))}, -1")
        case _:
            old, new = draw(st.sampled_from([("1", "2"), ("a", "b"), ("wild", "calm"), ("+", "-"), ("3", "0")]))
            name, colon, rest = lines[at].partition(": ")
            return text, "\n".join([*lines[:at], name + colon + rest.replace(old, new, 1), *lines[at + 1 :]]) + "\n"


@settings(max_examples=15)
@given(pairs())
def test_a_difference_is_found_exactly_where_there_is_one(texts: tuple[str, str]) -> None:
    one, other = map(compared, texts)
    assume(one is not None and other is not None)
    assert one is not None
    assert other is not None
    found = difference(one, other, ("one", "other"))
    searched = {each.after: each.effects for each in found.searched}
    for id in NUMBERS:
        differing = brute_force(one, other, id)
        if differing is None:
            continue
        proved = compared_number(one, other, (id, id))
        assert proved.is_exhaustive
        assert bool(proved.effects) == bool(searched.get(id)) == bool(differing), id
        assert found.differs or not differing
        for effects in (*proved.effects, *searched.get(id, ())):
            witness = effects.smallest
            assert witness.before != witness.after
            assert answer(one.rules, id, dict(witness.given)) == witness.before
            assert answer(other.rules, id, dict(witness.given)) == witness.after


def checks(seed: int, changed: int) -> Compared:
    """Random checks over two facts; the first condition of the case numbered `changed` is against another figure."""
    made = random_checks.rules(seed)
    made["entities"][0]["fields"][0]["type"] = {"type": "integer", "low": -2, "high": 2}
    cases = [case for check in made["checks"] for step in check["steps"] for case in step["cases"] if "when" in case]
    if changed >= 0:
        cases[changed % len(cases)]["when"][2] += 1
    artifact = complete(made)
    rules = houserule.load(json.dumps(artifact).encode())
    return Compared(artifact, rules, Setters(rules.origins))


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.integers(0, 8))
def test_odds_differ_exactly_where_they_do(seed: int, changed: int) -> None:
    one, other = checks(seed, -1), checks(seed, changed)
    every = difference(one, other, ("one", "other")).searched
    searched = {each.after: each for each in every if each.kind == "check"}
    for id in ("one", "two", "three"):
        differing = 0
        for me, you in product(range(-2, 3), repeat=2):
            before, after = (side.rules.check(id).odds({"me.n": me, "you.n": you}) for side in (one, other))
            differing += dict(before.items()) != dict(after.items())
        found = searched.get(id)
        assert found is None or found.is_exhaustive
        assert bool(found and found.effects) == bool(differing), id
        for effects in found.effects if found else ():
            facts = dict(effects.smallest.given)
            assert dict(effects.smallest.before) == dict(one.rules.check(id).odds(facts).items())  # type: ignore[arg-type]
            assert dict(effects.smallest.after) == dict(other.rules.check(id).odds(facts).items())  # type: ignore[arg-type]
