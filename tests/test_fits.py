"""Whether a file fits the schema is told by jsonschema-rs; jsonschema, which words the faults, must say the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from houserule_compiler.fits import fitting
from houserule_compiler.keywords import checker
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.shape import plain
from houserule_compiler.shipped import shipped
from shipped_rules import ROOT

SCHEMA = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
FITS, CHECKER = fitting(SCHEMA), checker(SCHEMA)
# What may stand anywhere, and mostly should not.
STRAYS = [None, True, 7, -1, 0, "x", "", "0x1F", "1e3", "3d6", "remove", "If", "a b", "x" * 70, [], ["x", 0], {}]
STRAYS += [{"remove": True}, {"when": "x", "then": None}, {"": 1}, {"all": {"a": "b"}}, {"title": 3}, ".inf", "+2"]


def values(path: str) -> Any:
    document, _ = load(path, (ROOT / "rules" / path).read_bytes(), Limits())
    assert document is not None
    return plain(document.root)


def holders(value: Any) -> Iterator[Any]:
    """Every map and list within a value."""
    if isinstance(value, dict | list) and value:
        yield value
        for each in value.values() if isinstance(value, dict) else value:
            yield from holders(each)


def changed(value: Any, random: Random) -> Any:
    """A copy in which one value, or one key, is another."""
    value = copy.deepcopy(value)
    holder = random.choice(list(holders(value)))
    key = random.choice(list(holder)) if isinstance(holder, dict) else random.randrange(len(holder))
    if isinstance(holder, dict) and random.random() < 0.3:
        holder[random.choice(["title", "when", "remove", "rows", "No", "x.y", "is", "level"])] = holder.pop(key)
    else:
        holder[key] = copy.deepcopy(random.choice(STRAYS))
    return value


@pytest.mark.parametrize("path", ["odnd-morale/morale.yaml", "osric/ruleset.yaml", "swords-wizardry/round.yaml"])
def test_both_say_the_same(path: str) -> None:
    random, whole = Random(path), values(path)
    assert FITS(whole)
    told = []
    for _ in range(30):
        value = changed(whole, random)
        told.append(FITS(value))
        assert told[-1] == CHECKER.is_valid(value), value
    assert 0.3 < told.count(False) / len(told) < 1


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [1, 0], [True, "1", None]),
        ({"type": ["string", "boolean"]}, ["", False], [0, []]),
        ({"enum": [1, "a"]}, [1, "a"], [True, "b", [1]]),
        ({"const": False}, [False], [0, None]),
        ({"pattern": "^(a|b)$"}, ["a", 3], ["ab", "a\n"]),
        ({"minimum": 2}, [2, "1", True], [1]),
        ({"required": ["a"]}, [{"a": None}, []], [{}]),
        ({"dependentRequired": {"a": ["b"]}}, [{"a": 1, "b": 1}, {}], [{"a": 1}]),
        ({"patternProperties": {"^x": {"type": "string"}}}, [{"x": "", "y": 1}], [{"x1": 1}]),
        ({"propertyNames": {"pattern": "^[a-z]$"}}, [{"a": 1}, []], [{"Yes": 1}, {"a\n": 1}]),
        ({"x-kind": "rows"}, [{"a": [1, "b"]}, 3, True], [{"a": ["0x1"]}, [None]]),
        ({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "array"}}}, [[[]], {}], [[1]]),
        (
            {"dependentSchemas": {"a": {"if": {"required": ["b"]}, "else": {"required": ["c"]}}}},
            [{"a": 1, "c": 1}],
            [{"a": 1}],
        ),
        ({"properties": {"a": False}}, [{}], [{"a": 1}]),
    ],
)
def test_each_keyword(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    fits, told = fitting(schema), checker(schema)
    assert [fits(each) for each in good] == [told.is_valid(each) for each in good] == [True] * len(good)
    assert [fits(each) for each in bad] == [told.is_valid(each) for each in bad] == [False] * len(bad)


def test_a_key_that_the_schema_names_is_left_to_jsonschema() -> None:
    schema = {"properties": {"No": {}}, "propertyNames": {"pattern": "^[a-z]$"}}
    assert not fitting(schema)({"No": 1})
    assert checker(schema).is_valid({"No": 1})


def test_every_pattern_is_of_the_whole_text() -> None:
    found = list(patterns(SCHEMA))
    assert len(found) > 30
    assert [each for each in found if not (each.startswith("^") and each.endswith("$"))] == []


def patterns(part: Any) -> Iterator[str]:
    """Every pattern of values in a schema: jsonschema matches the whole text, jsonschema-rs a part of it."""
    for key, each in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if key == "pattern" and isinstance(each, str):
            yield each
        yield from patterns(each)


def test_another_schema_is_never_fetched() -> None:
    with pytest.raises(ValueError, match="another schema"):
        fitting({"$ref": "https://schemas.invalid/rules.json#/a"})
