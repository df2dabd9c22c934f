"""Every rule of layers has its cases, in both directions where there are two: the table beside them says which."""

from __future__ import annotations

import re
from pathlib import Path

from houserule_compiler.cases import read_cases
from test_layer_rounds import CASES

FOLDER = Path(__file__).parent / "cases" / "layer"
CASE = re.compile(r"`([a-z]+): ([^`]+)`")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (FOLDER / "README.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| **", "| rule"))
]


def told() -> dict[tuple[str, str], bool]:
    """Whether something is told in each case, by file and title; a title stands without its backticks."""
    found = {("rounds", title): bool(case["codes"]) for title, case in CASES.items()}
    for file in sorted(FOLDER.glob("*.md")):
        for section in read_cases(file.read_text("utf-8")).sections:
            expected = section.block("diagnostics")
            found[file.stem, section.title.replace("`", "")] = bool(expected and expected.text)
    return found


def test_the_table_names_every_case_in_the_right_column() -> None:
    cases = told()
    named = [(cell, CASE.findall(text)) for row in ROWS for cell, text in enumerate(row[1:])]
    assert {case for _, found in named for case in found} == cases.keys()
    # A case may show something right beside what is wrong.
    both = {("values", "a whole new definition, and a half one")}
    for cell, found in named:
        assert [case for case in found if cases[case] != bool(cell) and case not in both] == []


def test_every_rule_has_a_case() -> None:
    assert len(ROWS) >= 60
    assert [row[0] for row in ROWS if len(row) != 3 or not any(row[1:])] == []
