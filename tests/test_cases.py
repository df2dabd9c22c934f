"""Literate cases: the rules in each section give exactly the diagnostics, and the answers, that stand below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule_compiler.cases import Block, Section, read_cases
from houserule_compiler.render import full
from literate import accepted, answers, case_files, diagnostics

FOLDER = Path(__file__).parent / "cases"
SECTIONS = [
    pytest.param(file, at, id=f"{file.relative_to(FOLDER).with_suffix('')}:{section.title}")
    for file in case_files(FOLDER)
    for at, section in enumerate(read_cases(file.read_text("utf-8")).sections)
    if section.blocks
]


def outcomes(section: Section) -> list[tuple[Block, str]]:
    """The expected blocks of a section, and what truly comes of its rules."""
    found: list[tuple[Block, str]] = []
    expected, asked = section.block("diagnostics"), section.block("result")
    if expected:
        found.append((expected, full(diagnostics(section))))
    if asked:
        found.append((asked, answers(section, asked)))
    return found


@pytest.mark.parametrize(("file", "at"), SECTIONS)
def test_case(file: Path, at: int, accepts: bool) -> None:
    text = file.read_text("utf-8")
    section = read_cases(text).sections[at]
    assert section.has_rules, "a case has rules"
    found = outcomes(section)
    assert found, "a case expects something"
    if accepts:
        file.write_text(accepted(text, found), "utf-8")
        return
    for block, outcome in found:
        assert outcome == block.text


def test_many_cases_fail() -> None:
    """Rules that are right are the easy part: four cases in ten or more are rules that are wrong."""
    sections = [section for file in case_files(FOLDER) for section in read_cases(file.read_text("utf-8")).sections]
    failing = [each for each in sections if (block := each.block("diagnostics")) and block.text.strip()]
    assert len(sections) >= 100
    assert len(failing) * 10 >= len(sections) * 4
