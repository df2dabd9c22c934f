"""Artifacts that are damaged or hostile are refused in one sentence; nothing else ever comes out of loading one."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houserule
import random_checks
from artifacts import complete, sealed
from conformance_cases import FILES, read
from houserule import ArtifactError, HouseruleError

WHOLE = complete(random_checks.rules(3) | {"rulings": [{"id": "r", "question": "?", "ruling": "!", "because": "."}]})


def refused(root: Any) -> str:
    with pytest.raises(ArtifactError) as found:
        houserule.load(root)
    assert "\n" not in str(found.value)
    return str(found.value)


@pytest.mark.parametrize("key", sorted(WHOLE))
def test_each_top_level_key_is_needed(key: str) -> None:
    assert refused(
        sealed({name: value for name, value in WHOLE.items() if name != key})
        if key != "content_hash"
        else {name: value for name, value in WHOLE.items() if name != key}
    )


@pytest.mark.parametrize("value", [None, True, 7, "text", [7], ["x"], [None], {"a": 1}], ids=json.dumps)
@pytest.mark.parametrize("key", sorted(WHOLE))
def test_each_top_level_key_has_its_type(key: str, value: object) -> None:
    root = {**WHOLE, key: value}
    if key == "content_hash":
        refused(root)
        return
    if value == WHOLE[key]:
        pytest.skip("as it is")
    refused(sealed(root))


@pytest.mark.parametrize("key", sorted(set(WHOLE) - {"content_hash"}))
def test_each_top_level_key_is_under_the_hash(key: str) -> None:
    root = copy.deepcopy(WHOLE)
    root[key] = [*root[key], {}] if isinstance(root[key], list) else "other"
    refused(root)


def places(node: Any, path: tuple[int | str, ...] = ()) -> list[tuple[int | str, ...]]:
    """The paths of all parts of a JSON value."""
    below = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(place for key, value in below for place in places(value, (*path, key)))]


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([file.stem for file in FILES if "made-" not in file.stem]))
def test_a_tampered_artifact_is_refused_or_answers(seed: int, stem: str) -> None:
    chance = Random(seed)
    root = complete(next(read(file)["rules"] for file in FILES if file.stem == stem))
    for _ in range(chance.randint(1, 2)):
        tamper(root, chance)
    try:
        rules = houserule.load(sealed(root))
        for number in rules.numbers.values():
            number.explain({})
    except HouseruleError:
        return
    for check in rules.checks.values():
        for ask in (lambda c=check: c.roll({}, seed=seed), lambda c=check: c.odds({}, limit=2000)):
            try:
                ask()
            except HouseruleError:
                continue


def tamper(root: dict[str, Any], chance: Random) -> None:
    """Replace, remove or repeat some part."""
    path = chance.choice([place for place in places(root) if place and place[0] != "content_hash"])
    *steps, last = path
    node: Any = root
    for step in steps:
        node = node[step]
    values: list[Any] = [
        None,
        True,
        0,
        -1,
        3,
        2**53 - 1,
        "",
        "x",
        [],
        {},
        ["local", "d"],
        ["number", "a"],
    ]
    other: Any = root
    for step in chance.choice(places(root)):
        other = other[step]
    values.append(copy.deepcopy(other) if not isinstance(other, dict) else other.get("id"))
    if chance.random() < 0.2:
        del node[last]
    elif isinstance(node, list) and chance.random() < 0.2:
        node.insert(int(last), copy.deepcopy(node[int(last)]))
    else:
        node[last] = chance.choice(values)


def test_text_and_bytes_and_paths(tmp_path: Path) -> None:
    data = json.dumps(WHOLE).encode()
    file = tmp_path / "some.rules.json"
    file.write_bytes(data)
    for source in (data, file, str(file), WHOLE):
        assert houserule.load(source).content_hash == WHOLE["content_hash"]
    with pytest.raises(OSError, match="none"):
        houserule.load(tmp_path / "none.rules.json")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00",
        b'{"format": "\xff"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[" * 70 + b"]" * 70,
        b'{"format": ' + b"9" * 10_000 + b"}",
        b'{"format": 1e3}',
        b'{"format": 1.0}',
        b'{"format": Infinity}',
        b'{"format": -NaN}',
        b'{"a": 1, "a": 1}',
        b"{'a': 1}",
        b"null",
        b"",
        b"\x00",
    ],
)
def test_bytes_that_are_no_strict_json(data: bytes) -> None:
    refused(data)


def test_a_lone_surrogate_is_refused() -> None:
    refused({**WHOLE, "ruleset": {**WHOLE["ruleset"], "title": "\ud800"}})
    refused(json.dumps({**WHOLE, "ruleset": {**WHOLE["ruleset"], "title": "\ud800"}}).encode())


@pytest.mark.parametrize("value", [1.5, float("nan"), float("inf"), (1,), {1: 2}, b"x", {3}, 2**53])
def test_what_is_no_json_in_a_dictionary(value: object) -> None:
    refused({**WHOLE, "rulings": value})


def chain(length: int, reads: int) -> dict[str, Any]:
    """Numbers that each read the next, so many times."""
    numbers: list[dict[str, Any]] = [
        {"id": f"n{at:03}", "base": ["+", *[["number", f"n{at + 1:03}"]] * reads, 0]} for at in range(length)
    ]
    return complete({"numbers": [*numbers, {"id": f"n{length:03}", "base": 1}]})


def test_nesting_is_bounded_well_before_the_interpreter_gives_up() -> None:
    deepest = max(length for length in range(1, 100) if loads(chain(length, 1)))
    assert 40 <= deepest < 99
    assert "nested" in refused(chain(deepest + 1, 1))
    rules = houserule.load(chain(deepest, 1))
    limit = sys.getrecursionlimit()
    assert rules.number("n000").value({}) == 1
    assert str(rules.number("n000").explain({}))
    assert limit == sys.getrecursionlimit()


def loads(root: dict[str, Any]) -> bool:
    try:
        houserule.load(root)
    except ArtifactError:
        return False
    return True


def test_a_question_that_doubles_at_each_step_is_refused() -> None:
    assert loads(chain(16, 2))
    assert "1000000 steps" in refused(chain(30, 2))


def test_a_long_circle_is_found_without_recursion() -> None:
    numbers = [{"id": f"n{at:05}", "base": ["number", f"n{(at + 1) % 20_000:05}"]} for at in range(20_000)]
    assert "reads itself" in refused(complete({"numbers": numbers}))


def test_deep_expressions_answer() -> None:
    base: Any = 1
    for _ in range(58):
        base = ["neg", base]
    assert houserule.load(complete({"numbers": [{"id": "n", "base": base}]})).number("n").value({}) == 1
    for _ in range(8):
        base = ["neg", base]
    assert "deeper than 64" in refused(complete({"numbers": [{"id": "n", "base": base}]}))


def test_a_loaded_program_does_not_change_with_its_source() -> None:
    root = copy.deepcopy(WHOLE)
    rules = houserule.load(root)
    before = rules.check("three").odds({})
    root["checks"].clear()
    root["numbers"][0]["base"] = 9
    assert rules.check("three").odds({}) == before
    with pytest.raises(AttributeError):
        rules.program.requires = ()  # type: ignore[misc]
