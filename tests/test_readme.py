"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from houserule_compiler.cli import main

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")
LINK = re.compile(r"\]\(([^)#]+)\)")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def block(language: str, after: str) -> str:
    """The first block of a language after some text."""
    return TEXT.split(after, 1)[1].split(f"```{language}\n", 1)[1].split("```", 1)[0]


def test_the_slip_is_told_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ROOT / "rules" / "odnd-morale", here / "odnd-morale")
    file = here / "odnd-morale" / "morale.yaml"
    file.write_text(file.read_text("utf-8").replace("by: its.loyalty_rating", "by: its.loyalty_ratting"), "utf-8")
    assert main(["validate", "./odnd-morale"]) == 1
    assert capsys.readouterr().out == block("text", "A slip is told")


def test_a_fork_is_made_as_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One point of a d20 less than the 50% of the ruleset below, where 7 and 3 make 10."""
    for line in block("sh", "**Write your own rules.**").splitlines():
        words = shlex.split(line, comments=True)
        if words[0] == "echo":
            with (here / words[3]).open("a", encoding="utf-8") as file:
                file.write(f"{words[1]}\n")
        else:
            # There is a difference, and the exit code says so.
            assert main(words[1:]) == (words[1] == "diff")
    assert "stands    9/20  45%\n" in capsys.readouterr().out


def test_the_rules_shown_are_the_rules() -> None:
    rules = (ROOT / "rules" / "odnd-morale" / "morale.yaml").read_text("utf-8")
    lines = [line for line in block("yaml", "## A rule, and its answer").splitlines() if line.strip()]
    assert [line for line in lines if line not in rules.splitlines()] == []


def test_the_program_says_what_its_remarks_say(here: Path) -> None:
    assert main(["build", "odnd-morale"]) == 0
    names: dict[str, object] = {}
    code = block("python", "**Put them into a program.**")
    for line in code.splitlines():
        exec(line, names)
        expression, _, remark = line.partition("  #")
        if re.match(r"\d|Fraction", remark.strip()):
            assert repr(eval(expression, names)) == remark.strip()


def test_what_a_round_carries_goes_into_the_next(here: Path) -> None:
    """A spell of 12 segments begun in the 2nd ends in the 14th: of rounds of 10, the 4th of the second."""
    assert main(["build", "osric"]) == 0
    names: dict[str, Any] = {}
    code = block("python", "A round is put in order")
    exec("import houserule\n" + code, names)
    assert [(each["actor"], each["segment"], each["rounds"]) for each in names["order"].carried] == [("mage", 4, 0)]
    last = code.split("[str(each) for each in later.moments()]", 1)[1].split("\n", 1)[0]
    shown = [str(each) for each in names["later"].moments()]
    assert f"[:2]      # {shown[:2]}".replace("'", '"') == last
    assert names["later"].carried == ()


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/guide.md"])
def test_links_lead_somewhere(page: str) -> None:
    targets = [each for each in LINK.findall((ROOT / page).read_text("utf-8")) if "://" not in each]
    assert [each for each in targets if not ((ROOT / page).parent / each).exists()] == []
