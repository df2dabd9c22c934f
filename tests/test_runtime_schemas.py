"""The schemas of artifacts and facts: they accept what the runtime accepts, and every field is explained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from artifacts import complete
from conformance_cases import FILES, rules_of

SCHEMAS = Path(__file__).parents[1] / "schemas"
ARTIFACT = json.loads((SCHEMAS / "artifact.schema.json").read_text("utf-8"))
FACTS = json.loads((SCHEMAS / "facts.schema.json").read_text("utf-8"))


def described(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property, definition and pattern of a schema, which must explain itself."""
    if not isinstance(schema, dict):
        return
    for key in ("properties", "$defs", "patternProperties"):
        for name, part in schema.get(key, {}).items():
            yield f"{path}/{key}/{name}", part
            yield from described(part, f"{path}/{key}/{name}")


@pytest.mark.parametrize("schema", [ARTIFACT, FACTS], ids=["artifact", "facts"])
def test_every_field_has_a_description_and_an_example(schema: dict[str, Any]) -> None:
    bare = [path for path, part in described(schema) if not part.get("description") or not part.get("examples")]
    assert bare == []


@pytest.mark.parametrize("schema", [ARTIFACT, FACTS], ids=["artifact", "facts"])
def test_examples_fit_their_own_schema(schema: dict[str, Any]) -> None:
    for path, part in (("", schema), *described(schema)):
        validator = Draft202012Validator({**part, "$defs": schema["$defs"]} if path else schema)
        for example in part["examples"]:
            assert not list(validator.iter_errors(example)), (path, example)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_artifacts_of_the_conformance_suite_fit(file: Path) -> None:
    validator = Draft202012Validator(ARTIFACT)
    for case in json.loads(file.read_text("utf-8"))["cases"]:
        if case["ask"] != "load" and "refused" not in case["expect"]:
            problems = [error.message for error in validator.iter_errors(complete(rules_of(file, case)))]
            assert problems == [], case["title"]


@pytest.mark.parametrize(
    ("facts", "fits"),
    [
        ({"attacker": {"level": 5}, "target.armor": -3, "situation": "bribe"}, True),
        ({"attacker": {"stances": ["charging"], "pay": "unknown"}}, True),
        ({"attacker": {"level": 1.5}}, False),
        ({"attacker": {"level": None}}, False),
        ({"attacker": {"gear": {"weapon": "pike"}}}, False),
        ({"Attacker": {"level": 5}}, False),
        ({"a.b.c": 1}, False),
        ([], False),
    ],
)
def test_facts(facts: object, fits: bool) -> None:
    assert Draft202012Validator(FACTS).is_valid(facts) is fits
