"""The JSON Schema of one ruleset: takes what is right, offers what is known, refuses misspelt words where it can."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from friday import ROOT, RULES, Run, change
from houserule_compiler.authoring import authoring_schema
from houserule_compiler.cases import SAMPLE
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import compile_ruleset
from layering import shipped
from literate import schema
from test_schemas import native

FORK = """\
ruleset: sample
extends: friday
choices: {duty: [gate, wall]}
facts: {post: duty = gate, mood: duty?}
options: {place: duty = gate}
stacking: {habits: {bonuses: largest}}
"""


@cache
def validator(name: str) -> Draft202012Validator:
    """The schema of a ruleset: a shipped one, or the fork above."""
    folder = ROOT / "rules" / name
    texts = {"sample": FORK, "friday": RULES}
    files = {each: Files(each, ((f"{each}.yaml", text.encode()),)) for each, text in texts.items()}
    if name != SAMPLE:
        files = {name: Files(name, tuple((each.name, each.read_bytes()) for each in sorted(folder.glob("*.yaml"))))}
    compiled = compile_ruleset(name, lambda each: files.get(each) or shipped(each), schema(), Limits())
    assert compiled.ruleset
    assert compiled.origins
    made = authoring_schema(schema(), compiled.ruleset, compiled.origins.tree, ["friday", "osric"])
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(made)


def faults(text: str, name: str = SAMPLE) -> list[str]:
    return [
        f"{'.'.join(map(str, each.absolute_path))}: {each.message}"
        for each in validator(name).iter_errors(native(text))
    ]


@pytest.mark.parametrize("name", ["adnd2e", "odnd-morale"])
def test_shipped_rules_fit_their_own_schema(name: str) -> None:
    wrong = {each.name: faults(each.read_text("utf-8"), name) for each in (ROOT / "rules" / name).glob("*.yaml")}
    assert {file: found for file, found in wrong.items() if found} == {}


@pytest.mark.parametrize("text", [FORK, RULES])
def test_the_fork_and_its_base_fit(text: str) -> None:
    assert faults(text) == []


EXAMPLE = "examples:\n  one: {number: vigilance, %s}\n"
CHECK = "examples:\n  one: {check: notice, %s}\n"


@pytest.mark.parametrize(
    "text",
    [
        "options.place: wlal\n",
        "options: {place: wlal}\n",
        "options.harsh: ture\n",
        EXAMPLE % "given: {guard.size: lagre}",
        EXAMPLE % "given: {guard: {size: lagre}}",
        EXAMPLE % "given: {guard.level: 4}",
        EXAMPLE % "given: {guard.tired: maybe}",
        EXAMPLE % "given: {post: gtae}",
        EXAMPLE % "given: {guard.size: unknown}",
        EXAMPLE % "options: {place: wlal}",
        CHECK % "expect: {outcome: notised}",
        CHECK % "odds: {notised: 1/2}",
        "modifiers:\n  one: {whne: harsh}\n",
        "numbers:\n  one: {better: hihger}\n",
        "modifierz.weary.adjust.vigilance: 2\n",
    ],
)
def test_misspelt_words_in_closed_places(text: str) -> None:
    assert faults(text) != []


@pytest.mark.parametrize(
    "text",
    [
        "options.place: wall\n",
        "options: {place: duty = wall, other: 1..3 = 2}\n",
        "options.harsh: true\n",
        EXAMPLE % "given: {guard.size: large, guard: {level: 3}, mood: unknown}",
        EXAMPLE % "given: {guard: {haste: 4}, weather: wet}",
        EXAMPLE % "given: {guard.size: lagre}, expect: {refused: guard.size}",
        "examples:\n  one: {table: watch, given: {size: small, level: 2}, expect: {value: 4}}\n",
        "examples.small.expect.value: 5\n",
        CHECK % "expect: {outcome: missed}, odds: {noticed: 1/2, missed: 1/2}, dice: {die: 3}",
        "modifiers:\n  brand_new: {when: some_new_fact, adjust: {some_new_number: +1}, stack: some_new_group}\n",
        "numbers:\n  another: {of: some_new_role, base: vigilance + 1}\n",
        "modifiers.brand_new.adjust.vigilance: 2\n",
        "modifiers.weary: remove\n",
    ],
)
def test_what_is_known_or_new_is_taken(text: str) -> None:
    assert faults(text) == []


def offered(*path: str) -> list[str]:
    """What is offered for completion at a place of the schema."""
    part: Any = validator(SAMPLE).schema
    for each in path:
        part = part[each]
    enum: list[str] = part["anyOf"][0]["enum"]
    return enum


class TestOffers:
    """An editor completes keys from `properties`, and values from `enum`."""

    @pytest.mark.parametrize(
        ("definition", "key", "wanted"),
        [
            ("number", "of", ["guard"]),
            ("modifier", "stack", ["habits"]),
            ("example", "number", ["vigilance"]),
            ("example", "table", ["watch", "pay"]),
            ("example", "check", ["notice"]),
        ],
    )
    def test_ids(self, definition: str, key: str, wanted: list[str]) -> None:
        assert offered("$defs", definition, "properties", key) == wanted

    def test_names_of_expressions(self) -> None:
        assert {"guard.level", "its.tired", "post", "place", "vigilance"} <= set(offered("$defs", "expression"))

    def test_types_and_rulesets(self) -> None:
        assert {"size", "set of duty", "boolean"} <= set(offered("$defs", "field"))
        assert offered("properties", "extends") == ["friday", "osric"]

    def test_keys(self) -> None:
        made = validator(SAMPLE).schema
        assert "vigilance" in made["$defs"]["adjustments"]["properties"]
        assert "guard.tired" in made["$defs"]["effects"]["properties"]
        assert made["properties"]["tables"]["properties"]["watch"]["description"] == "How well a guard watches"

    def test_paths_of_the_base_are_targets_of_the_fork(self) -> None:
        properties = validator(SAMPLE).schema["properties"]
        for each in ("modifiers.weary", "modifiers.weary.adjust.vigilance", "checks.notice.cases.noticed.when"):
            assert each in properties
        assert "options.harsh" in properties
        assert not any(each.startswith("examples.small.") for each in properties)

    def test_nothing_of_the_compiler_alone_is_left(self) -> None:
        assert '"x-' not in json.dumps(validator(SAMPLE).schema)


class TestCommand:
    def test_printed_and_written(self, run: Run, friday_folder: Path) -> None:
        printed = run("schema", "friday")
        assert printed.code == 0
        assert json.loads(printed.out)["title"] == "Rules files of friday"
        written = run("schema", "friday", "-o", "friday.schema.json")
        assert written.out.startswith("friday: wrote friday.schema.json, ")
        assert (friday_folder / "friday.schema.json").read_text() == printed.out

    def test_untrusted_rules_write_nothing(self, run: Run, friday_folder: Path) -> None:
        found = run("schema", "friday", "-o", "friday.schema.json", "--untrusted")
        assert found.code == 2
        assert "`friday.schema.json` is not written for untrusted rules" in found.err
        assert not (friday_folder / "friday.schema.json").exists()
        assert run("schema", "friday", "-o", "-", "--untrusted").code == 0

    def test_rules_with_errors_have_one_too(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        assert "weary" in json.loads(run("schema", "friday").out)["properties"]["modifiers"]["properties"]

    def test_rules_that_cannot_be_read_have_none(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "options: {harsh", "options: {{harsh")
        found = run("schema", "friday")
        assert (found.code, found.out) == (1, "")
        assert "friday.yaml:11:" in found.err

    def test_an_artifact_has_none(self, run: Run) -> None:
        run("build", "friday")
        assert "is built already, and `schema` takes the rules" in run("schema", "friday.rules.json").err
