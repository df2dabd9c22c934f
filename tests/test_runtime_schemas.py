"""The schemas of artifacts and facts: they accept what the runtime accepts, and every field is explained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from artifacts import complete
from conformance_cases import FILES, rules_of
from rounds import clash, rules

SCHEMAS = Path(__file__).parents[1] / "schemas"
ARTIFACT = json.loads((SCHEMAS / "artifact.schema.json").read_text("utf-8"))
FACTS = json.loads((SCHEMAS / "facts.schema.json").read_text("utf-8"))
ENCOUNTER = json.loads((SCHEMAS / "encounter.schema.json").read_text("utf-8"))


def described(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property, definition and pattern of a schema, which must explain itself."""
    if not isinstance(schema, dict):
        return
    for key in ("properties", "$defs", "patternProperties"):
        for name, part in schema.get(key, {}).items():
            yield f"{path}/{key}/{name}", part
            yield from described(part, f"{path}/{key}/{name}")


@pytest.mark.parametrize("schema", [ARTIFACT, FACTS, ENCOUNTER], ids=["artifact", "facts", "encounter"])
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
    seen = set()
    for case in json.loads(file.read_text("utf-8"))["cases"]:
        own = json.dumps([case.get("with"), case.get("number")])
        if case["ask"] != "load" and "refused" not in case["expect"] and own not in seen:
            seen.add(own)
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


def encounter_faults(found: object, part: str = "") -> list[str]:
    """What the schema of encounters, or one of its parts, has against something."""
    resources = [(each["$id"], Resource.from_contents(each)) for each in (FACTS, ENCOUNTER)]
    schema = {"$ref": f"encounter.schema.json{part}"}
    validator = Draft202012Validator(schema, registry=Registry().with_resources(resources))
    return [each.message for each in validator.iter_errors(found)]


def test_examples_of_the_encounter_schema_fit_it() -> None:
    def each(node: object, path: str) -> Iterator[tuple[str, object]]:
        if isinstance(node, dict):
            examples = node.get("examples", []) if isinstance(node.get("examples", []), list) else []
            yield from ((path, example) for example in examples)
            for key, value in node.items():
                if key not in ("examples", "default", "const"):
                    yield from each(value, f"{path}/{key}")

    found = [(path, example) for path, example in each(ENCOUNTER, "#")]
    assert len(found) > 30
    assert [(path, example) for path, example in found if encounter_faults(example, path)] == []


@pytest.mark.parametrize(
    ("encounter", "fits"),
    [
        ({}, True),
        (clash(a1={"does": {"strike": {"foe": "b1", "hold": "late"}}}), True),
        ({"carried": [{"actor": "a", "action": "b", "moment": "c", "step": "d", "meanwhile": ["nothing"]}]}, True),
        ({"rolls": {"acts": {"a": [1, 2]}}, "happened": {"a b 2": ["hurt"]}, "given": {"a.b": 1, "c": {"d": 2}}}, True),
        ({"actor": {}}, False),
        ({"actors": []}, False),
        ({"actors": {"a b": {}}}, False),
        ({"actors": {"a": {"does": ["strike"]}}}, False),
        ({"actors": {"a": {"does": {"strike": None}}}}, False),
        ({"actors": {"a": {"does": {"strike": {"foe": 3}}}}}, False),
        ({"actors": {"a": {"does": {"strike": {"hold": True}}}}}, False),
        ({"round": 0}, False),
        ({"rolls": {"a": True}}, False),
        ({"happened": {"a b": 3}}, False),
        ({"carried": [{"actor": "a"}]}, False),
        ({"carried": {}}, False),
    ],
)
def test_encounters(encounter: object, fits: bool) -> None:
    assert (not encounter_faults(encounter)) is fits


def test_what_an_order_carries_fits_the_encounter_schema() -> None:
    order = rules().sequence("clash").order(clash(a1={"does": {"cast": {"level": 9, "foe": "b1"}}}, b1={}))
    assert order.carried
    assert encounter_faults({"carried": json.loads(json.dumps(order.carried))}) == []
