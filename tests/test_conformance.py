"""The conformance suite, by the reference evaluator, by generated code, and as columns: tests/conformance/README.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import conformance_batch
import conformance_fast
import conformance_made
import conformance_runner
import conformance_table
from conformance_cases import CASES, FILES, read

ROOT = Path(__file__).parent.parent
POLICIES = ("all", "largest", "smallest", "once", "first")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_reference_evaluator(file: Path) -> None:
    wrong = {}
    for case in read(file)["cases"]:
        found = conformance_runner.answer(file, case)
        if found != case["expect"]:
            wrong[case["title"]] = found, case["expect"]
    assert not wrong


@pytest.mark.parametrize("way", [conformance_fast, conformance_batch], ids=["generated", "columns"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_other_ways(file: Path, way: Any) -> None:
    wrong = {}
    for case in read(file)["cases"]:
        found, expect = way.answer(file, case), way.expected(case)
        if found is not None and any(found.get(key) != each for key, each in expect.items()):
            wrong[case["title"]] = found, expect
    assert not wrong


def test_the_made_cases_are_those_of_the_model() -> None:
    """Run `python tests/conformance_made.py` after a change of the model or of the families."""
    made = conformance_made.files()
    assert {f"made-{file.stem.removeprefix('made-')}.json" for file in FILES if "made-" in file.name} == made.keys()
    for name, text in made.items():
        assert (conformance_made.FOLDER / name).read_text("utf-8") == text, name


@pytest.mark.parametrize("module", sorted(Path(__file__).parent.glob("*made*.py")))
def test_the_model_and_its_families_import_nothing_of_the_product(module: Path) -> None:
    assert "houserule" not in re.sub(r'""".*?"""', "", module.read_text("utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("module", ["conformance_model", "conformance_model_checks", "random_checks"])
def test_the_model_imports_nothing_of_the_product(module: str) -> None:
    text = (Path(__file__).parent / f"{module}.py").read_text("utf-8")
    assert not re.search(r"^\s*(from|import) (houserule|artifacts)", text, flags=re.MULTILINE)


def test_the_page_of_results_is_true() -> None:
    """Run `python tests/conformance_table.py` to write it anew."""
    assert (ROOT / "docs" / "conformance.md").read_text("utf-8") == conformance_table.page()


def test_the_suite_has_enough_cases_and_enough_that_fail() -> None:
    failing = [case for _, case in CASES if conformance_table.fails(case)]
    assert len(CASES) >= 2_000
    assert len(failing) * 10 >= len(CASES) * 4
    assert len({(file, case["title"]) for file, case in CASES}) == len(CASES)


def heads(node: Any) -> Iterator[str]:
    """The first members of all lists: the operators, and some names."""
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list):
        if node and isinstance(node[0], str):
            yield node[0]
        for each in node:
            yield from heads(each)


def test_every_operator_adjustment_policy_and_type_is_tried() -> None:
    page = (ROOT / "docs" / "artifact.md").read_text("utf-8")
    table = page.partition("\n## EXPR\n")[2].partition("\n## ")[0]
    operators = set(re.findall(r'\["([^"]+)"', table)) | {"!=", "<", "<=", ">", ">="}
    used = set(heads([read(file) for file in FILES]))
    assert operators > {"nearest", "dice_part", "declares", "+"}
    assert operators <= used
    whole = json.dumps([read(file) for file in FILES])
    for op in ("add", "set", "multiply", "at_least", "at_most"):
        assert f'"op": "{op}"' in whole
    for kind in ("bonuses", "penalties", "all", "multiply"):
        assert all(f'"{kind}": "{policy}"' in whole for policy in POLICIES)
    for type in ("integer", "boolean", "choice", "set", "hit_dice", "dice", "fraction", "text", "side"):
        assert f'"type": "{type}"' in whole
    codes = "unknown-name computed-fact given-twice wrong-type out-of-range missing-fact unknown-fact impossible"
    for code in f"{codes} missing-die unknown-die unneeded-die".split():
        assert f'["{code}"' in whole
