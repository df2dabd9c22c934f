"""Origins of an artifact: what is damaged is refused, what is strange does no harm, and nothing is laid out unasked."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houserule
from artifacts import complete, sealed
from conformance_cases import FILES, read
from houserule import ArtifactError, explain
from houserule.origins import above, definition_of, origins
from test_runtime_artifact import places

FILE = next(each for each in FILES if each.stem == "origins")
WHOLE = complete(read(FILE)["rules"])


def asked(rules: houserule.Rules) -> str:
    """Every explanation of the rules, as text, Markdown and JSON."""
    traces = [rules.number("n").explain({"level": level}) for level in (1, 2, 5, 20)]
    traces += [rules.check("c").resolve({}, {"die": face}).trace for face in (1, 2)]
    return "".join(f"{each}{explain.markdown(each)}{json.dumps(each.to_dict())}" for each in traces)


def test_text_tells_of_layers_above_the_ground() -> None:
    lines = str(houserule.load(WHOLE).number("n").explain({"level": 3})).splitlines()
    assert lines[1:] == [
        "  t[3].gold 9: friday, ruleset.yaml:7, over base 5",
        "  graded +3: friday, ruleset.yaml:6, over base +1",
        "  own +5: friday, ruleset.yaml:5",
        "  hard, default true: friday, ruleset.yaml:9, over base false",
        "  up +2: friday, ruleset.yaml:3, over base +1",
        "  up, when level > 1: friday, ruleset.yaml:4",
    ]


def test_without_origins_it_answers_the_same_without_a_place() -> None:
    bare = {key: value for key, value in WHOLE.items() if key != "origins"}
    rules = houserule.load(bare)
    assert rules.content_hash == WHOLE["content_hash"]
    assert rules.number("n").value({"level": 3}) == houserule.load(WHOLE).number("n").value({"level": 3})
    assert "friday" not in asked(rules)


def test_of_layers_that_are_all_ground_nothing_is_told() -> None:
    quiet = {**WHOLE, "origins": {**WHOLE["origins"], "ground": ["base", "friday"]}}
    trace = houserule.load(quiet).number("n").explain({"level": 3})
    assert "friday" not in str(trace)
    assert "friday" in json.dumps(trace.to_dict())


def test_they_are_laid_out_when_they_are_first_asked_for() -> None:
    rules = houserule.load(WHOLE)
    rules.check("c").resolve({}, {"die": 1})
    assert rules.origins._places is None
    assert rules.origins.place("checks.c.cases.one.when") == ("base", "deep/rules.yaml", 23)
    assert rules.origins.place("numbers.m") is None
    assert [each.text for each in rules.origins.history("modifiers.up.adjust.n")] == ["+1", "+2"]
    assert rules.origins.history("modifiers.up") == ()


@pytest.mark.parametrize(
    ("path", "upper"),
    [
        ("tables.t.rows[2..3].gold", "tables.t.rows[2..3]"),
        ("tables.t.rows[2..3]", "tables.t.rows"),
        ("tables.t", "tables"),
        ("tables", ""),
        ("]", ""),
        ("", ""),
    ],
)
def test_above(path: str, upper: str) -> None:
    assert above(path) == upper
    assert definition_of(path) in ("tables.t", path)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9))
def test_tampered_origins_are_refused_or_harmless(seed: int) -> None:
    chance = Random(seed)
    root: dict[str, Any] = json.loads(json.dumps(WHOLE))
    for _ in range(chance.randint(1, 3)):
        tamper(root, chance)
    try:
        rules = houserule.load(root)
    except ArtifactError:
        return
    assert asked(rules)


def tamper(root: dict[str, Any], chance: Random) -> None:
    *steps, last = chance.choice([each for each in places(root["origins"]) if each])
    node: Any = root["origins"]
    for step in steps:
        node = node[step]
    if isinstance(node, dict) and chance.random() < 0.3:
        node[chance.choice(["numbers.n", "numbers.n.base", "", "[", "]", "..", "modifiers.up.adjust.n[", "x"])] = node[
            last
        ]
    elif chance.random() < 0.2:
        del node[last]
    else:
        node[last] = chance.choice(
            [None, True, 0, -1, 1, 10**18, 1.5, "", "set", "\ud800", [], {}, [[0, 1, "set", ""]]]
        )


def deep(depth: int) -> Any:
    node: Any = []
    for _ in range(depth):
        node = [node]
    return node


@pytest.mark.parametrize(
    "node",
    [
        {"ground": [], "files": [], "keys": {}, "history": {"a.b": deep(5000)}},
        {"ground": deep(5000), "files": [], "keys": {}, "history": {}},
        {"ground": [], "files": [{"layer": "a", "file": "b", "lines": {1: 1}}], "keys": {}, "history": {}},
        {"ground": [], "files": [{"layer": "a", "file": "b", "lines": {"a.b": 10**400}}], "keys": {}, "history": {}},
        {"ground": [], "files": [], "keys": {"tables.t": [[10**400, "rows[1]"]]}, "history": {}},
        {"ground": (), "files": [], "keys": {}, "history": {}},
    ],
    ids=["deep history", "deep ground", "number as path", "absurd line", "absurd row", "a tuple"],
)
def test_absurd_origins_are_refused(node: Any) -> None:
    with pytest.raises(ArtifactError, match=r"^this artifact is damaged: origins"):
        origins(node)


@pytest.mark.parametrize("text", ['{"origins":' + "[" * 100_000, '{"origins":{"ground":[],"ground":[]}}'])
def test_text_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ArtifactError):
        houserule.load(text.encode())


def test_the_seal_is_of_the_rest(tmp_path: Path) -> None:
    assert sealed({**WHOLE, "origins": {}})["content_hash"] == WHOLE["content_hash"]
    assert sealed({**WHOLE, "requires": ["tables"]})["content_hash"] != WHOLE["content_hash"]
