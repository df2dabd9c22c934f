"""Traceability: each item of the documents is realised by definitions and examples, each open question by a ruling."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shipped_rules import ROOT, read_yaml, sections

INVENTORY: dict[str, dict[str, Any]] = read_yaml(ROOT / "tests" / "inventory.yaml")
# How many items of each kind a document has: rules, formulas, procedures, tables, modifier lists, worked examples.
ITEMS = {
    "000": {"R": 9, "F": 12, "P": 7, "T": 5, "M": 12, "X": 7},
    "002": {"R": 7, "F": 2, "P": 3, "T": 1, "M": 3, "X": 2},
    "003": {"R": 7, "F": 1, "P": 14, "T": 3, "M": 11},
    "004": {"R": 6, "F": 1, "P": 6, "T": 4, "X": 3},
}
QUESTIONS = {"000": 26, "002": 15, "003": 26, "004": 13}
# Told, and not played: the definition's note is all that can be made of them.
WITHOUT_FIGURES = {"000-R01", "000-R08", "000-R09", "002-R01", "002-X01", "002-X02", "004-P04", "004-R05", "004-R06"}

RULESETS = [(document, found["ruleset"]) for document, found in INVENTORY.items()]
EACH_ITEM = [(document, id, item) for document, found in INVENTORY.items() for id, item in found["items"].items()]
EACH_QUESTION = [
    (document, id, question) for document, found in INVENTORY.items() for id, question in found["questions"].items()
]


def numbered(kinds: dict[str, int]) -> set[str]:
    return {f"{kind}{at:02}" for kind, count in kinds.items() for at in range(1, count + 1)}


def test_every_item_and_question_is_there() -> None:
    assert {document: set(found["items"]) for document, found in INVENTORY.items()} == {
        document: numbered(kinds) for document, kinds in ITEMS.items()
    }
    assert {document: set(found["questions"]) for document, found in INVENTORY.items()} == {
        document: numbered({"A": count}) for document, count in QUESTIONS.items()
    }
    assert (len(EACH_ITEM), len(EACH_QUESTION)) == (126, 80)
    assert all(each["heading"] for _, _, each in [*EACH_ITEM, *EACH_QUESTION])


@pytest.mark.parametrize(("document", "ruleset"), RULESETS)
def test_the_ruleset_lists_the_same_items(document: str, ruleset: str) -> None:
    """So that a citation, `osric M02`, can be looked up by whoever reads the rules alone."""
    (source,) = read_yaml(ROOT / "rules" / ruleset / "ruleset.yaml")["sources"].values()
    assert set(source["items"]) == {*INVENTORY[document]["items"], *INVENTORY[document]["questions"]}


@pytest.mark.parametrize(("document", "ruleset"), RULESETS)
def test_items_name_what_exists(document: str, ruleset: str) -> None:
    known = sections(ruleset)
    missing = []
    for id, item in INVENTORY[document]["items"].items():
        assert item.keys() <= {"heading", "definitions", "examples", "no_figures"}, id
        assert item["definitions"], id
        named = [*item["definitions"], *(f"examples.{each}" for each in item.get("examples", []))]
        missing += [f"{id}: {each}" for each in named if each not in known]
        assert len(named) == len(set(named)), id
    assert missing == []


def test_what_has_no_figures_has_a_note() -> None:
    assert {f"{document}-{id}" for document, id, item in EACH_ITEM if item.get("no_figures")} == WITHOUT_FIGURES
    for document, id, item in EACH_ITEM:
        if f"{document}-{id}" in WITHOUT_FIGURES:
            told = [sections(INVENTORY[document]["ruleset"])[each] for each in item["definitions"]]
            assert all(has_note(each) for each in told), id
            assert "examples" not in item, id
        else:
            assert item.get("examples"), f"{document}-{id}"


def has_note(definition: Any) -> bool:
    if not isinstance(definition, dict):
        return False
    return bool(definition.get("note")) or any(has_note(each) for each in definition.values())


@pytest.mark.parametrize(("document", "ruleset"), RULESETS)
def test_every_question_has_a_ruling(document: str, ruleset: str) -> None:
    known = sections(ruleset)
    for id, question in INVENTORY[document]["questions"].items():
        assert question["rulings"], id
        for each in question["rulings"]:
            ruling = known[f"rulings.{each}"]
            assert ruling["question"], each
            assert ruling["ruling"], each
            assert ruling["because"], each
            assert ruling["source"].endswith(f" {id}"), each
            assert bool(ruling.get("editorial")) != bool(ruling.get("examples")), f"{each} decides figures, or does not"


@pytest.mark.parametrize(("document", "ruleset"), RULESETS)
def test_an_option_has_examples_of_both_readings(document: str, ruleset: str) -> None:
    known = sections(ruleset)
    for name, ruling in known.items():
        if not name.startswith("rulings.") or "option" not in ruling:
            continue
        option = ruling["option"]
        set_to = [known[f"examples.{each}"].get("options", {}).get(option) for each in ruling["examples"]]
        assert None in set_to, f"{name}: no example as it is ruled"
        assert len(set(set_to)) > 1, f"{name}: no example by the option"


def test_the_page_shows_every_item() -> None:
    page = (ROOT / "docs" / "coverage.md").read_text("utf-8")
    assert re.findall(r"^\| (\d{3}-[A-Z]\d\d) \|", page, re.MULTILINE) == [
        f"{document}-{id}"
        for document, found in INVENTORY.items()
        for section in ("items", "questions")
        for id in found[section]
    ]
