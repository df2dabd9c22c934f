"""`houserule new`: what is made has no fault, nor has a line of it that is switched on; wrong use writes nothing."""

from __future__ import annotations

import os
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from friday import ROOT, Run, change
from houserule_compiler import pipeline
from houserule_compiler.commands import new
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import Compiled, compile_ruleset
from literate import schema

SHIPPED = ["adnd2e", "odnd-morale", "osric", "swords-wizardry"]
OFF = re.compile(r"^#(?=[^ #\n])", re.MULTILINE)
# The eight common changes; what a number is worked out from is one more.
CHANGES = [
    r"numbers\.\w+\.base: -?\d+$",
    r"numbers\.\w+\.base: inherited",
    r"options\.\w+: \w+$",
    r"modifiers\.\w+\.adjust\.\w+(\[.*\])?: ",
    r"modifiers\.\w+: \{",
    r"tables\.\w+\.rows\[.*\].*: ",
    r"modifiers\.\w+: remove$",
    r"checks\.\w+\.(steps\.\w+\.)?cases\.\w+: \{(after|before): \w+, when: ",
    r"prefer: ",
]


@cache
def base_files(name: str) -> Files:
    folder = ROOT / "rules" / name
    return Files(name, tuple((each.name, each.read_bytes()) for each in sorted(folder.glob("*.yaml"))))


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the base is most of the work of compiling a fork, and one reading serves for all of them."""
    read = pipeline._read
    kept: dict[str, object] = {}

    def read_once(name: str, *rest: Any) -> object:
        if name == "own":
            return read(name, *rest)
        if name not in kept:
            kept[name] = read(name, *rest)
        return kept[name]

    monkeypatch.setattr(pipeline, "_read", read_once)


def compiled(text: str) -> Compiled:
    def read(name: str) -> Files | None:
        shipped = name in SHIPPED or (ROOT / "rules" / name).is_dir()
        return base_files(name) if shipped else Files("own", (("own/ruleset.yaml", text.encode()),))

    return compile_ruleset("own", read, schema(), Limits())


def faults(outcome: Compiled) -> list[str]:
    return [f"{each.code}: {each.headline}" for each in outcome.diagnostics if each.severity.value != "note"]


def switched_on(text: str) -> dict[str, str]:
    """For each line that is switched off, the text with that one switched on."""
    places = [found.start() for found in OFF.finditer(text)]
    return {text[at + 1 :].partition("\n")[0]: text[:at] + text[at + 1 :] for at in places}


@pytest.mark.usefixtures("compiles")
@pytest.mark.parametrize("base", SHIPPED)
def test_a_fork_and_each_of_its_lines(run: Run, friday_folder: Path, base: str) -> None:
    made = run("new", "own", "--extends", base)
    assert (made.code, made.err) == (0, "")
    text = (friday_folder / "own" / "ruleset.yaml").read_text("utf-8")
    lines = switched_on(text)
    assert [each for each in CHANGES if not any(re.match(each, line) for line in lines)] == []
    assert {line: found for line, text in lines.items() if (found := faults(compiled(text)))} == {}
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("base", ["adnd2e", "odnd-morale"])
def test_what_is_printed_can_be_done(run: Run, friday_folder: Path, base: str) -> None:
    made = run("new", "own", "--extends", base)
    commands = [shlex.split(line) for line in made.out.splitlines() if line.startswith("  houserule ")]
    assert [words[1] for words in commands] == ["validate", "test", "roll"]
    validated, tested, rolled = (run(*words[1:]) for words in commands)
    assert validated.out == "own: no faults found\n"
    assert re.fullmatch(r"own: 1 example passed; \d+ examples below, all as before\n", tested.out)
    assert (rolled.code, rolled.err) == (0, "")
    assert "own/rules.schema.json" not in made.out.split("\n")[0]


def test_a_ruleset_from_nothing_and_each_of_its_lines(run: Run, friday_folder: Path) -> None:
    made = run("new", "own")
    assert made.out.startswith("own: made own/ruleset.yaml, a ruleset of its own\n")
    assert run("validate", "own").out == "own: no faults found\n"
    assert run("test", "own").out == "own: 4 examples passed\n"
    lines = switched_on((friday_folder / "own" / "ruleset.yaml").read_text("utf-8"))
    assert len(lines) >= 5
    assert {line: found for line, text in lines.items() if (found := faults(compiled(text)))} == {}


def test_a_pack_and_a_fork_that_takes_it_along(run: Run, friday_folder: Path) -> None:
    """Of a base of one's own; what the base declares is in the lines of the pack."""
    assert run("new", "hills", "--pack", "--extends", "friday").code == 0
    pack = friday_folder / "hills" / "ruleset.yaml"
    lines = switched_on(pack.read_text("utf-8"))
    assert "modifiers.house_rule: {title: House rule, when: guard.tired, adjust: {vigilance: better 1}}" in lines
    assert not any(line.startswith("prefer") for line in lines)
    (changed,) = (text for line, text in lines.items() if line.startswith("modifiers.weary.adjust"))
    pack.write_text(changed, "utf-8")
    assert run("accept", "hills").code == 0
    assert run("validate", "hills").out == "hills: no faults found\n"
    assert run("new", "saturday", "--extends", "friday", "--with", "hills").code == 0
    fork = (friday_folder / "saturday" / "ruleset.yaml").read_text("utf-8")
    assert "\nwith: [hills]\n" in fork
    assert "prefer: {modifiers.weary: hills}" in switched_on(
        fork
    ) or "prefer: {modifiers.weary: friday}" in switched_on(fork)
    assert run("eval", "saturday", "vigilance", "guard.level=2", "guard.tired=true").out == "2\n"
    assert run("eval", "friday", "vigilance", "guard.level=2", "guard.tired=true").out == "3\n"


def test_packs_that_disagree_are_told_and_settled_in_one_line(run: Run, friday_folder: Path) -> None:
    for name, amount in (("hills", -2), ("shore", -3)):
        text = f"ruleset: {name}\nextends: friday\nmodifiers.weary.adjust.vigilance: {amount}\n"
        (friday_folder / f"{name}.yaml").write_text(text)
    made = run("new", "saturday", "--extends", "friday", "--with", "hills,shore")
    assert made.code == 1
    assert "error[conflict]: `hills` and `shore` disagree on `modifiers.weary.adjust.vigilance`" in made.out
    assert made.out.endswith("saturday: 1 error\n")
    fork = friday_folder / "saturday" / "ruleset.yaml"
    assert (
        "# - `hills` and `shore` disagree on `modifiers.weary.adjust.vigilance`\n#     say in `saturday` what holds: "
        in fork.read_text("utf-8")
    )
    fork.write_text(fork.read_text("utf-8") + "\nmodifiers.weary.adjust.vigilance: -1\n", "utf-8")
    assert run("accept", "saturday").code == 0
    assert run("validate", "saturday").out == "saturday: no faults found\n"


def test_two_packs_that_define_one_fact_differently_make_a_fork_that_says_how_to_choose(
    run: Run, friday_folder: Path
) -> None:
    moon = {"hills": ("choice", "moon == full"), "shore": ("0..28", "moon > 14")}
    for name, (kind, when) in moon.items():
        choice = "choices.phase: [dark, full]\n" if kind == "choice" else ""
        fact = "{type: phase, default: dark}" if choice else "{type: 0..28, default: 0}"
        modifier = f"modifiers.{name}: {{when: {when}, adjust: {{vigilance: better 1}}}}\n"
        text = f"ruleset: {name}\nextends: friday\n{choice}facts.moon: {fact}\n{modifier}"
        (friday_folder / f"{name}.yaml").write_text(text)
    made = run("new", "saturday", "--extends", "friday", "--with", "hills,shore")
    assert "error[both-define]" in made.out
    assert made.out.endswith("saturday: 1 error\n")
    fork = friday_folder / "saturday" / "ruleset.yaml"
    assert "`prefer: {facts.moon: hills}`" in fork.read_text("utf-8")


ABSTRACT = """\
ruleset: words
language: 1
abstract: true
entities: {guard: {tired: boolean = false}}
roles: {guard: guard}
numbers: {vigilance: {of: guard, better: higher}}
modifiers: {weary: {when: its.tired, adjust: {vigilance: -1}}}
"""


@pytest.mark.parametrize("words", [[], ["--pack"]])
def test_on_an_abstract_base_one_may_leave_parts_open_too(run: Run, friday_folder: Path, words: list[str]) -> None:
    (friday_folder / "words.yaml").write_text(ABSTRACT)
    made = run("new", "own", "--extends", "words", *words)
    assert (made.code, made.err) == (0, "")
    text = (friday_folder / "own" / "ruleset.yaml").read_text("utf-8")
    assert "\nabstract: true\n" in text
    assert "that is abstract, so look into its files" in " ".join(text.replace("\n# ", " ").split())
    assert "houserule show" not in text
    assert run("validate", "own").out == "own: no faults found\n"
    assert {
        line: found for line, text in switched_on(text).items() if (found := _found(run, friday_folder, text))
    } == {}
    assert "roll" not in made.out


def _found(run: Run, folder: Path, text: str) -> str:
    (folder / "own" / "ruleset.yaml").write_text(text, "utf-8")
    found = run("validate", "own")
    return found.out if found.code else ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["Friday Night"],
            "is no name for a ruleset: small letters and digits, words joined by `-`, as in `friday-night`",
        ),
        (["../own"], "`../own` is no name for a ruleset"),
        (["own_rules"], "as in `own-rules`"),
        (["7"], "as in `friday-night`"),
        (["own\x1b[2J"], "is no name for a ruleset"),
        (["a" * 65], "a ruleset's name has at most 64 characters"),
        (["osric"], "there is a ruleset `osric` already, in `"),
        (["friday"], "there is a ruleset `friday` already, in `friday.yaml`"),
        (["notes"], "`notes` is there already; choose another name, or move it away"),
        (["kept"], "`kept` is there already"),
        (["gone"], "`gone` is there already"),
        (["own", "--extends", "osrik"], "no ruleset named `osrik`; did you mean `osric`?"),
        (["own", "--extends", "fridya"], "no ruleset named `fridya`; did you mean `friday`?"),
        (["own", "--extends", "own"], "no ruleset named `own`"),
        (["own", "--extends", "./friday.yaml"], "give the name, and the folder that holds it with `--path`"),
        (["own", "--extends", "../../etc"], "`../../etc` is no name of a ruleset"),
        (["own", "--extends", "friday", "--with", "kobolds"], "no ruleset named `kobolds`"),
        (
            ["own", "--extends", "adnd2e", "--with", "hills"],
            "the pack `hills` was written for `friday`; extend",
        ),
        (["own", "--extends", "friday", "--untrusted"], "`own` is not made for untrusted rules"),
    ],
)
def test_wrong_use_writes_nothing(run: Run, friday_folder: Path, words: list[str], message: str) -> None:
    (friday_folder / "hills.yaml").write_text("ruleset: hills\nextends: friday\noptions.harsh: true\n")
    (friday_folder / "notes").mkdir()
    (friday_folder / "kept").write_text("")
    (friday_folder / "gone").symlink_to("nowhere")
    before = sorted(friday_folder.rglob("*"))
    found = run("new", *words)
    assert (found.code, found.out) == (2, "")
    assert message in found.err
    assert found.err.count("\n") == 1
    assert "\x1b" not in found.err
    assert sorted(friday_folder.rglob("*")) == before


def test_nothing_is_made_where_CI_is_set(run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert run("new", "own").code == 2
    assert not (friday_folder / "own").exists()
    assert run("new", "own", "--trusted").code == 0


def test_nothing_is_made_on_a_base_with_errors(run: Run, friday_folder: Path) -> None:
    change(friday_folder, "its.tired", "its.tierd")
    found = run("new", "own", "--extends", "friday")
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith("error[unknown-name]: `its` has no field `tierd`\n --> friday.yaml:")
    assert not (friday_folder / "own").exists()


@pytest.mark.parametrize("step", ["mkdir", "rename"])
def test_what_cannot_be_written_leaves_nothing(
    run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, step, refused)
    found = run("new", "own")
    assert found.code == 2
    assert found.err == "houserule: `own` cannot be written; look at its folder, and at who may write there\n"
    assert [each.name for each in friday_folder.iterdir()] == ["friday.yaml"]


def test_a_base_in_another_folder_stays_findable(run: Run, friday_folder: Path) -> None:
    (friday_folder / "my rules").mkdir()
    (friday_folder / "friday.yaml").rename(friday_folder / "my rules" / "friday.yaml")
    made = run("new", "own", "--extends", "friday", "--path", "my rules")
    assert "  houserule validate own --path 'my rules'\n" in made.out
    assert run("validate", "own", "--path", "my rules").code == 0
    taken = run("new", "friday", "--path", "my rules")
    assert "there is a ruleset `friday` already, in `my rules/friday.yaml`" in taken.err


def test_editors_find_the_schema(run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy goes along, except among the rules of a checkout, where one schema serves all."""
    run("new", "own")
    modeline = (friday_folder / "own" / "ruleset.yaml").read_text("utf-8").splitlines()[0]
    assert modeline == "# yaml-language-server: $schema=rules.schema.json"
    theirs = (ROOT / "schemas" / "rules.schema.json").read_bytes()
    assert (friday_folder / "own" / "rules.schema.json").read_bytes() == theirs
    (friday_folder / "schemas").mkdir()
    (friday_folder / "schemas" / "rules.schema.json").write_bytes(theirs)
    (friday_folder / "rules" / "forks").mkdir(parents=True)
    monkeypatch.setattr(new, "shipped", lambda kind: friday_folder / kind)
    monkeypatch.chdir(friday_folder / "rules" / "forks")
    run("new", "next")
    folder = Path("next")
    modeline = (folder / "ruleset.yaml").read_text("utf-8").splitlines()[0]
    assert [each.name for each in folder.iterdir()] == ["ruleset.yaml"]
    assert (folder / modeline.partition("$schema=")[2]).read_bytes() == theirs
