"""Texts of the rules in every output: they reach no terminal, log, page or table as anything but text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import rounds
from artifacts import sealed
from friday import FACTS, RULES, Run
from houserule_compiler.characters import REFUSED

# What is visible and could be a command of a workflow, a cell, code, a tag, a link, a call to people, a formula.
VISIBLE = "::set-output name=a::b | `x` <script>alert(1)</script> <!-- @everyone [a](http://x) ##[error]c =1+1 \"q' \\"
# What no rules file may hold, but an artifact may.
HIDDEN = "\x1b[2J\x07\x9b31m\r\n::error::x\u202e\u2028\u200b\ufeff"
KINDS = ("title", "note", "text", "question", "ruling", "because")
ASKED = [
    ("show", "RULES"),
    ("show", "RULES", "--all"),
    ("show", "RULES", "--all", "--markdown"),
    ("show", "RULES", "vigilance"),
    ("show", "RULES", "watch", "--markdown"),
    ("eval", "RULES", "vigilance", *FACTS, "--explain"),
    ("eval", "RULES", "vigilance", "--explain"),
    ("eval", "RULES", "watch", "large", "2", "--explain"),
    ("roll", "RULES", "notice", *FACTS, "--seed", "1", "--explain"),
    ("odds", "RULES", "notice", *FACTS, "--explain"),
    ("eval", "RULES", "vigilance", "guard.level=99", "guard.size=x\x1b[2J"),
    ("eval", "RULES", "x\x1b[2J\u202e"),
]
REFUSED_QUESTIONS = [each for each in ASKED if each[-1] == "--explain" and len(each) == 4]
REFUSED_QUESTIONS += ASKED[-2:]
PLAY = [
    ("show", "RULES", "--all"),
    ("show", "RULES", "clash", "--markdown"),
    ("order", "RULES", "clash", "--facts", "round.yaml", "--seed", "1", "--explain"),
    ("due", "RULES", "hit.pinned=true", "hitter.nimble=0", "hit.nimble=0", "hitter.weak=false", "--explain"),
    ("eval", "RULES", "strike", "hitter.nimble=0", "hit.nimble=1", "--explain"),
]
ROUND = {
    "round": 1,
    "sides": {"s": {}, "t": {}},
    "actors": {
        "a": {"side": "s", "nimble": 0, "does": {"strike": {"foe": "b"}}},
        "b": {"side": "t", "nimble": 0, "does": {"cast": {}, "strike": {"foe": "a"}}},
    },
    "facts": {"keen": "s"},
    "given": {"mud": True},
}


def titled(text: str) -> str:
    """Rules whose titles and notes are all of this text."""
    quoted = json.dumps(text)
    found = re.sub(r"(title|note): [A-Z][^,}\n]*", lambda each: f"{each[1]}: {quoted}", RULES)
    assert found.count(quoted) >= 6
    return found


@pytest.fixture(params=["rules", "artifact"])
def words(request: pytest.FixtureRequest, run: Run, friday_folder: Path) -> tuple[str, str]:
    """Rules that carry such texts and can be asked: a ruleset with what is visible, an artifact with the rest."""
    (friday_folder / "friday.yaml").write_text(titled(VISIBLE))
    clash = re.sub(r"title: [A-Z][^,}\n]*", lambda _: f"title: {json.dumps(VISIBLE)}", rounds.RULES)
    (friday_folder / "clash.yaml").write_text(clash.replace("ruleset: sample", "ruleset: clash"))
    (friday_folder / "round.yaml").write_text(json.dumps(ROUND))
    if request.param == "rules":
        return "friday", "clash"
    for name in ("friday", "clash"):
        assert run("build", name).code == 0
        made = json.loads((friday_folder / f"{name}.rules.json").read_text())
        (friday_folder / f"{name}.rules.json").write_text(json.dumps(sealed(spoiled(made))))
    return "./friday.rules.json", "./clash.rules.json"


def spoiled(node: Any) -> Any:
    """An artifact with such texts wherever texts are for people."""
    if isinstance(node, dict):
        made = {
            key: HIDDEN + VISIBLE if key in KINDS and isinstance(each, str) else spoiled(each)
            for key, each in node.items()
        }
        return {**made, "title": HIDDEN + VISIBLE} if "id" in node and "title" in node else made
    return [spoiled(each) for each in node] if isinstance(node, list) else node


@pytest.mark.parametrize("asked", [*ASKED, *PLAY], ids=lambda asked: " ".join(asked[::2])[:40])
def test_nothing_steers_a_terminal_or_a_workflow(
    asked: tuple[str, ...], words: tuple[str, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = words[1] if asked in PLAY else words[0]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    found = run(*(rules if each == "RULES" else each for each in asked))
    assert found.code == (2 if asked in REFUSED_QUESTIONS else 0), found
    for text in (found.out, found.err):
        assert not [line for line in text.split("\n") if REFUSED.search(line)]
        assert not [line for line in text.split("\n") if line.lstrip().startswith("::") or "##[" in line]
    if "--markdown" in asked:
        shows_text_alone(found.out)


def test_what_is_no_workflow_shows_texts_as_they_are(words: tuple[str, str], run: Run) -> None:
    shown = run("show", words[0], "vigilance").out
    assert "::set-output name=a::b | `x` <script>" in shown


class Tags(HTMLParser):
    """The tags of a page; remarks without a text are our own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append(tag)

    def handle_comment(self, data: str) -> None:
        self.found += [data] if data.strip() else []


def shows_text_alone(markdown: str) -> None:
    """No tag, no remark, no link, no call, no cell more than the head of its table has."""
    bare = re.sub(r"\\.", "", re.sub(r"`[^`\n]*`", "", markdown))
    tags = Tags()
    tags.feed(bare)
    assert tags.found == []
    assert not re.search(r"@\w", bare)
    assert "](" not in bare
    for table in re.findall(r"(?:^\|.*\n?)+", markdown, re.MULTILINE):
        cells = {re.sub(r"\\.", "", line).count("|") for line in table.splitlines()}
        assert len(cells) == 1, table


@pytest.mark.parametrize("form", ["full", "concise", "json", "github", "sarif", "junit"])
def test_findings(form: str, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and texts that are wrong, quoted in findings and in the excerpts beside them."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    name = f"{'x' * 3}::error::y"
    quoted = json.dumps(VISIBLE)
    bad = f"# ##[error]c\n  ::stop-commands::z\n{quoted}: 1\nnumbers: {{{quoted}: {{base: 1}}}}\n"
    (friday_folder / "bad.yaml").write_text(f"ruleset: bad\nlanguage: 1\ntitle: {json.dumps(name)}\n" + bad)
    (friday_folder / "raw.yaml").write_bytes(f"ruleset: raw\nlanguage: 1\ntitle: {HIDDEN}\n".encode())
    found = run("validate", "bad", "raw", "--format", form)
    assert found.code == 1
    lines = found.out.split("\n")
    assert not [line for line in lines if REFUSED.search(line)]
    commands = [line for line in lines if line.lstrip().startswith("::")]
    assert all(re.match(r"::(error|warning|notice) file=(bad|raw)\.yaml,line=\d+,", each) for each in commands)
    assert bool(commands) == (form == "github")
    if form in ("full", "concise"):
        assert "##[" not in found.out
    if form == "json":
        assert all(json.loads(line)["code"] for line in lines if line)


def test_a_difference(words: tuple[str, str], run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (friday_folder / "other.yaml").write_text(
        RULES.replace("ruleset: friday", "ruleset: other").replace("vigilance: -1", "vigilance: -2")
    )
    for extra in ((), ("--markdown",), ("--json",)):
        found = run("diff", words[0], "other", *extra)
        assert found.code == 1
        assert not [line for line in found.out.split("\n") if REFUSED.search(line)]
        assert not [line for line in found.out.split("\n") if line.lstrip().startswith("::")]
        if extra == ("--markdown",):
            shows_text_alone(found.out)
        if extra == ("--json",):
            json.loads(found.out)
        else:
            assert "##[" not in found.out


@pytest.mark.parametrize(
    "line", ["::error::x", "  ::add-mask::y", "a ##[group]b", "##[error]c", "::::", "a\n\t::debug::z"]
)
def test_a_line_that_would_be_a_command(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from houserule_compiler.commands.output import logged

    assert logged(line) == line
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    made = logged(line)
    assert len(made) > len(line)
    assert not [each for each in made.split("\n") if each.lstrip().startswith("::") or "##[" in each]


@pytest.mark.parametrize("line", ["a ::b", "a::b", "#[x]", "# [x]", ": :x", "[##]", "`a`: `b`"])
def test_a_line_that_is_none(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from houserule_compiler.commands.output import logged

    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert logged(line) == line
