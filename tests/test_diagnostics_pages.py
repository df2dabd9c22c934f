"""Every message has a case; its failing example gives that code and no other, its mended one nothing at all."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import houserule_compiler
from houserule_compiler import pages
from houserule_compiler.cases import read_cases
from literate import diagnostics

FOLDER = Path(__file__).parent / "cases" / "diagnostics"
FILES = sorted(FOLDER.glob("*.md"))
# What an example cannot do without: too many errors are errors, and an error that is not allowed stays.
NEEDED = {
    "too-many-errors": {"empty-value"},
    "too-many-findings": {"empty-value"},
    "error-not-allowed": {"unknown-name"},
}
MESSAGES = Path(houserule_compiler.__file__).parent / "messages"
HEADINGS = ["Why it matters", "Fails", "Mended"]


def codes() -> dict[str, list[str]]:
    """Every code in the messages, with the functions that give it."""
    found: dict[str, list[str]] = {}
    for file in sorted(MESSAGES.glob("*.py")):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for code in _codes_in(function):
                    found.setdefault(code, []).append(f"{file.stem}.{function.name}")
    return found


def _codes_in(function: ast.FunctionDef) -> list[str]:
    calls = [each for each in ast.walk(function) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)]
    named = [each for each in calls if each.func.id in ("error", "warning", "note") and each.args]  # type: ignore[attr-defined]
    return [each.args[0].value for each in named if isinstance(each.args[0], ast.Constant)]  # type: ignore[misc]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_case_has_its_form(file: Path) -> None:
    case = read_cases(file.read_text("utf-8"))
    assert case.head.title == file.stem
    assert case.head.prose.endswith(".")
    assert [each.title for each in case.sections] == HEADINGS
    assert case.sections[0].prose
    assert all(each.has_rules for each in case.sections[1:])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_failing_example_gives_the_code(file: Path) -> None:
    section = read_cases(file.read_text("utf-8")).section("Fails")
    assert section
    found = diagnostics(section)
    assert {each.code for each in found} - NEEDED.get(file.stem, set()) == {file.stem}
    for each in found:
        assert len(each.headline) < 80
        assert not each.headline.endswith(".")
        assert each.headline[0] == each.headline[0].lower()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_mended_example_is_clean(file: Path) -> None:
    section = read_cases(file.read_text("utf-8")).section("Mended")
    assert section
    assert diagnostics(section) == []


def test_every_code_has_a_case() -> None:
    """And every case has a message; a code that is no longer given must not keep a page."""
    assert {file.stem for file in FILES} == set(codes())


@pytest.mark.parametrize("code", sorted(codes()))
def test_code_has_its_form(code: str) -> None:
    words = code.split("-")
    assert all(word.isascii() and word.isalnum() and word == word.lower() for word in words)
    assert len(words) <= 5


def test_generated_pages_are_up_to_date() -> None:
    assert pages.stale() == []
