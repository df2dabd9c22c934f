"""The faults that slip through other tools in silence: all in one folder, all told in one run, each with its fix."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from houserule_compiler.cli import main

FOLDER = Path(__file__).parent / "faults"
# What was planted, the words under which the finding must stand, its code, and what the help must say.
PLANTED = {
    "an unknown key in the manifest": ("ruleset.yaml", "tittle", "unknown-key", "`title`"),
    "an override whose target is gone": ("ruleset.yaml", "mery", "near-name", "`merry`"),
    "a removal whose target is gone": ("ruleset.yaml", "lates", "missing-target", "`late`"),
    "an unknown key in a table": ("tables.yaml", "otherwize", "unknown-key", "`otherwise`"),
    "overlapping rows": ("tables.yaml", "5..8: 2}\n  # A missing", "overlapping-rows", "start the second row at 7"),
    "a missing row": ("tables.yaml", "1..3: 0, 5", "row-gap", "add a row for `4`"),
    "an inverted range": ("tables.yaml", "4..1", "inverted-band", "`1..4`"),
    "a range with a hyphen": ("tables.yaml", "3-6", "not-a-constant", "write `3..6`"),
    "two files with one id": ("tables.yaml", "price", "duplicate-definition", "rename one of them"),
    "dice `2q6`": ("checks.yaml", "2q6", "missing-operator", "write `2d6` if these are dice"),
    "a step of unknown kind": ("checks.yaml", "rol:", "unknown-key", "`roll`"),
    "a jump to a missing step": ("checks.yaml", "doorr", "unknown-name", "`door`"),
    "a number which does not exist": ("modifiers.yaml", "curage", "unknown-name", "`courage`"),
    "a mistyped word in a condition": ("modifiers.yaml", "hihg", "unknown-word", "`high`"),
    "a modifier in the wrong direction": ("modifiers.yaml", "+2}}\nnumbers", "wrong-direction", "`better 2`"),
    "a cycle of references": ("modifiers.yaml", "round_price + 1", "reference-cycle", "break the circle"),
    "two packs in conflict": ("../brave.yaml", "+2", "conflict", "modifiers.late.adjust.courage: ..."),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """Everything that one run finds, printed as JSON."""
    folder = tmp_path_factory.mktemp("faults")
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        printed: list[str] = []
        patch.setattr("sys.stdout.write", printed.append)
        code = main(["validate", "friday", "--format", "json"])
    assert code == 1
    return [json.loads(line) for line in "".join(printed).splitlines()]


@pytest.mark.parametrize("fault", PLANTED)
def test_named_at_its_place_with_a_fix(found: list[dict[str, str]], fault: str) -> None:
    file, words, code, fix = PLANTED[fault]
    text = (FOLDER / "friday" / file).read_text("utf-8")
    at = text.index(words)
    place = (text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)
    path = f"friday/{file}" if "/" not in file else file.removeprefix("../")
    here = [each for each in found if (each["path"], each["line"], each["column"]) == (path, *place)]
    assert [each["code"] for each in here] == [code]
    assert fix in here[0]["help"]


def test_nothing_else_is_told(found: list[dict[str, str]]) -> None:
    assert len(found) == len(PLANTED)
