"""The command line: what each command prints, every way of using it wrongly, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import houserule
from houserule_compiler.cli import main
from houserule_compiler.overview import COMMANDS

ROOT = Path(__file__).parent.parent
RULES = """\
ruleset: friday
title: Friday's rules
version: "2"
language: 1
choices:
  size: {words: {small: {title: Small}, large: {title: Large, note: Trolls and worse.}}}
entities:
  guard: {level: 1..3, size: size = small, tired: boolean = false, oath: 1..9?}
roles: {guard: guard}
options: {harsh: boolean = false}
tables:
  watch:
    title: How well a guard watches
    by: {size: size, level: 1..3}
    gives: integer
    rows: {small: [3, 4, 5], large: [1, 2, 4]}
  pay: {by: {level: 1..3}, gives: {coins: 0..99, meals: 0..3}, rows: {1: [5, 1], 2..3: [9, 2]}}
numbers:
  vigilance: {title: Vigilance, of: guard, better: higher, base: "watch(its.size, its.level)"}
modifiers:
  weary: {title: Weary, when: its.tired, adjust: {vigilance: -1}}
  sworn: {by: its.oath, adjust: {vigilance: {1..3: +1, 4..9: +2}}}
  cold: {when: harsh, adjust: {vigilance: -1}}
checks:
  notice:
    outcomes: [noticed, missed]
    roll: {die: 1d6}
    cases:
      noticed: {when: die <= vigilance, outcome: noticed}
      missed: {outcome: missed}
examples:
  small: {number: vigilance, given: {guard.level: 2}, expect: {value: 4}}
"""
FACTS = ["guard.level=2", "guard.size=large"]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which every command of this module runs; `friday.yaml` is there."""
    for name in ("CI", "HOUSERULE_PATH", "HOUSERULE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.yaml").write_text(RULES)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def ran(*words: str) -> Ran:
        capsys.readouterr()
        code = main(list(words))
        return Ran(code, *capsys.readouterr())

    return ran


Run = Callable[..., Ran]


def change(here: Path, old: str, new: str) -> None:
    text = (here / "friday.yaml").read_text()
    assert old in text
    (here / "friday.yaml").write_text(text.replace(old, new))


class TestStart:
    @pytest.mark.parametrize("word", ["--version", "-V"])
    def test_version(self, run: Run, word: str) -> None:
        assert run(word) == Ran(0, f"houserule {houserule.__version__}\n", "")

    @pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
    def test_help_lists_every_command(self, run: Run, words: tuple[str, ...]) -> None:
        found = run(*words)
        assert found.code == 0
        assert re.findall(r"^  (\w+) ", found.out, re.MULTILINE) == list(COMMANDS)

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_explains_itself(self, run: Run, name: str) -> None:
        found = run(name, "--help")
        assert found.code == 0
        assert found.out.startswith(f"Usage: houserule {name} ")
        assert (ROOT / "compiler" / "houserule_compiler" / "commands" / f"{name}.py").exists()


class TestWrongUse:
    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("vaildate",), "no command `vaildate`; did you mean `validate`?"),
            (("fight",), "no command `fight`; `houserule --help` lists them"),
            (("--nothing",), "no option `--nothing`; `houserule --help` lists them"),
            (("roll",), "missing argument `RULESET`; `houserule roll --help` tells what it takes"),
            (("roll", "friday", "notice", "--sed", "1"), "no option `--sed`; did you mean `--seed`?"),
            (("validate", "friday", "--format", "xml"), "is not one of `full`, `concise`, `json`"),
            (("validate", "fridya"), "no ruleset named `fridya`; did you mean `friday`?"),
            (("validate", "friday", "--limit", "files"), "expected NAME=VALUE after `--limit`, found `files`"),
            (("validate", "friday", "--limit", "fils=3"), "no limit `fils`; did you mean `files`"),
            (
                ("validate", "friday", "--limit", "files=0"),
                "the limit `files` is a whole number of at least 1, not `0`",
            ),
            (("validate", "friday", "--path", "nowhere"), "there is no `nowhere`"),
            (("show", "friday", "vigilence"), "`friday` has no definition `vigilence`; did you mean `vigilance`?"),
            (("eval", "friday", "wacth", "small", "1"), "no number or table `wacth`; did you mean `watch`?"),
            (("eval", "friday", "vigilance", "small"), "takes FACT=VALUE, not `small`; it reads `guard.level`"),
            (("eval", "friday", "pay.coin", "1"), "no column in `pay` named `coin`; did you mean `coins`?"),
            (("eval", "friday", "watch", "small"), "table `watch` is read by 2 keys: size, level"),
            (("eval", "friday", "vigilance", "guard.level=2", "guard.level=3"), "`guard.level` is given twice"),
            (("eval", "friday", "vigilance", "--option", "hash=true"), "no option `hash`; did you mean `harsh`?"),
            (("eval", "friday", "vigilance", "--facts", "none.yaml"), "there is no `none.yaml`"),
            (("roll", "friday", "notise"), "`friday` has no check `notise`; did you mean `notice`?"),
            (("roll", "friday", "notice", *FACTS, "--dice", "dye=3"), "rolls no die `dye`; did you mean `die`?"),
            (("roll", "friday", "notice", *FACTS, "--dice", "die=x"), "`die` is a number, or faces as in `3,5`"),
            (("roll", "friday", "notice", *FACTS, "--dice", "die=7"), "`die` is 7, and 1d6 gives 1 to 6"),
            (("roll", "friday", "notice", "--dice", "die=3", "--seed", "1"), "give `--seed` or `--dice`, not both"),
            (("odds", "friday", "notice", *FACTS, "--of", "dye"), "no die or value `dye`; did you mean `die`?"),
            (("diagnostic", "unknown-nme"), "no message `unknown-nme`; did you mean `unknown-name`"),
            (("completion", "tcsh"), "is not one of `bash`, `zsh`, `fish`"),
        ],
    )
    def test_one_line_says_what_to_do(self, run: Run, words: tuple[str, ...], message: str) -> None:
        found = run(*words)
        assert found.code == 2
        assert found.out == ""
        assert found.err.startswith("houserule: ")
        assert message in found.err
        assert found.err.count("\n") == 1

    def test_all_that_is_wrong_with_facts_is_told_at_once(self, run: Run) -> None:
        found = run("eval", "friday", "vigilance", "guard.size=lagre", "guard.tierd=true", "guard.oath=12")
        assert found.code == 2
        assert found.err.splitlines() == [
            "houserule: `guard.size`: expected one of small, large, found `lagre`; did you mean `large`?",
            "houserule: `guard` has no field `tierd`; did you mean `tired`?",
            "houserule: `guard.oath`: expected a whole number from 1 to 9, found 12",
            "houserule: `guard.level` is missing: a whole number from 1 to 3; give `guard.level`",
        ]

    def test_the_same_as_json(self, run: Run) -> None:
        found = run("eval", "friday", "vigilance", "guard.size=lagre", "--json")
        assert found.code == 2
        problems = json.loads(found.out)["problems"]
        assert [(each["code"], each["path"]) for each in problems] == [
            ("wrong-type", "guard.size"),
            ("missing-fact", "guard.level"),
        ]


class TestValidate:
    def test_clean(self, run: Run) -> None:
        assert run("validate", "friday") == Ran(0, "friday: no faults found\n", "")

    def test_all_under_this_folder(self, run: Run, here: Path) -> None:
        (here / "monday.yaml").write_text(RULES.replace("ruleset: friday", "ruleset: monday"))
        assert run("validate").out == "friday: no faults found\nmonday: no faults found\n"

    def test_none_under_this_folder(self, run: Run, here: Path) -> None:
        (here / "friday.yaml").unlink()
        found = run("validate")
        assert found == Ran(
            2, "", "houserule: no ruleset under this folder; name one, or go to the folder that holds it\n"
        )

    def test_findings(self, run: Run, here: Path) -> None:
        change(here, "its.tired", "its.tierd")
        found = run("validate", "friday")
        assert found.code == 1
        assert found.err == ""
        assert " --> friday.yaml:21:" in found.out
        assert "did you mean `tired`?" in found.out
        assert found.out.endswith("\nfriday: 1 error\n")

    def test_findings_in_one_line_each(self, run: Run, here: Path) -> None:
        change(here, "its.tired", "its.tierd")
        found = run("validate", "friday", "--format", "concise")
        assert found.code == 1
        assert re.fullmatch(r"friday\.yaml:21:\d+: error\[[a-z-]+\]: .*`tierd`.*\n", found.out)

    @pytest.mark.parametrize("words", [("--json",), ("--format", "json")])
    def test_findings_as_json(self, run: Run, here: Path, words: tuple[str, ...]) -> None:
        change(here, "its.tired", "its.tierd")
        (found,) = [json.loads(line) for line in run("validate", "friday", *words).out.splitlines()]
        assert (found["severity"], found["path"], found["line"]) == ("error", "friday.yaml", 21)

    def test_other_suffix_is_noted(self, run: Run, here: Path) -> None:
        (here / "monday").mkdir()
        (here / "friday.yaml").rename(here / "monday" / "ruleset.yaml")
        change_name = (here / "monday" / "ruleset.yaml").read_text().replace("ruleset: friday", "ruleset: monday")
        (here / "monday" / "ruleset.yaml").write_text(change_name)
        (here / "monday" / "more.yml").touch()
        found = run("validate", "monday")
        assert found.code == 0
        assert found.err == "note: `monday/more.yml` is not read; files of rules end in `.yaml`\n"

    def test_a_lowered_limit_is_held(self, run: Run) -> None:
        found = run("validate", "friday", "--limit", "file-bytes=100")
        assert found.code == 1
        assert "100" in found.out

    def test_a_raised_limit_is_refused_for_untrusted_rules(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        words = ("validate", "friday", "--limit", "file-bytes=2000000")
        assert run(*words).code == 0
        refused = "the limit `file-bytes` stays at 1048576 for untrusted rules"
        assert refused in run(*words, "--untrusted").err
        monkeypatch.setenv("CI", "true")
        assert refused in run(*words).err
        assert run(*words, "--trusted").code == 0

    def test_an_artifact(self, run: Run, here: Path) -> None:
        run("build", "friday")
        assert run("validate", "friday.rules.json").out.startswith("friday: a sound artifact, sha256:")
        text = (here / "friday.rules.json").read_text()
        (here / "friday.rules.json").write_text(text.replace("Vigilance", "Vigilante"))
        found = run("validate", "friday.rules.json")
        assert found.code == 1
        assert found.err.startswith("houserule: ")

    def test_shipped_rules(self, run: Run) -> None:
        assert run("validate", "adnd2e", "odnd-morale").code == 0


class TestTest:
    def test_passed(self, run: Run) -> None:
        assert run("test", "friday") == Ran(0, "friday: 1 example passed\n", "")

    def test_failed(self, run: Run, here: Path) -> None:
        change(here, "value: 4", "value: 5")
        found = run("test", "friday")
        assert found.code == 1
        assert "friday.yaml:32:" in found.out
        assert found.out.endswith("friday: 1 of 1 examples failed: 1 error\n")

    def test_each_as_json(self, run: Run) -> None:
        found = run("test", "friday", "--json")
        assert json.loads(found.out) == {"ruleset": "friday", "example": "small", "passed": True}

    def test_rules_with_errors_are_not_tried(self, run: Run, here: Path) -> None:
        change(here, "its.tired", "its.tierd")
        found = run("test", "friday")
        assert found.code == 1
        assert found.out.endswith("friday: 1 error\n")

    def test_an_artifact_has_no_examples(self, run: Run) -> None:
        run("build", "friday")
        assert "is built already" in run("test", "friday.rules.json").err


class TestBuild:
    def test_writes_beside_and_moves(self, run: Run, here: Path) -> None:
        found = run("build", "friday")
        assert found.code == 0
        assert sorted(each.name for each in here.iterdir()) == ["friday.rules.json", "friday.yaml"]
        assert houserule.load("friday.rules.json").id == "friday"
        assert found.out == f"friday: wrote friday.rules.json, {(here / 'friday.rules.json').stat().st_size} bytes\n"

    def test_the_same_bytes_again_elsewhere(self, run: Run, here: Path) -> None:
        run("build", "friday")
        (here / "deep").mkdir()
        (here / "friday.yaml").rename(here / "deep" / "friday.yaml")
        run("build", "deep/friday.yaml", "-o", "again.json")
        assert (here / "again.json").read_bytes() == (here / "friday.rules.json").read_bytes()

    def test_printed(self, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        assert main(["build", "friday", "-o", "-"]) == 0
        assert houserule.load(capfdbinary.readouterr().out).id == "friday"

    def test_untrusted_rules_write_nothing(self, run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CI", "1")
        found = run("build", "friday", "-o", "out.json")
        assert found.code == 2
        assert "`out.json` is not written for untrusted rules; add `--trusted`" in found.err
        assert not (here / "out.json").exists()
        assert run("build", "friday", "-o", "out.json", "--trusted").code == 0

    def test_rules_with_errors_write_nothing(self, run: Run, here: Path) -> None:
        change(here, "its.tired", "its.tierd")
        found = run("build", "friday")
        assert (found.code, found.out) == (1, "")
        assert "tierd" in found.err
        assert not (here / "friday.rules.json").exists()

    def test_a_place_that_cannot_be_written(self, run: Run, here: Path) -> None:
        assert run("build", "friday", "-o", "no/such/out.json").err.startswith(
            "houserule: `no/such/out.json` cannot be"
        )
        (here / "folder").mkdir()
        assert run("build", "friday", "-o", "folder").code == 2
        assert sorted(each.name for each in here.iterdir()) == ["folder", "friday.yaml"]


class TestShow:
    def test_contents(self, run: Run) -> None:
        found = run("show", "friday")
        assert found.out.startswith("friday 2\nFriday's rules\n\ntables\n  pay\n  watch  How well a guard watches\n")

    def test_a_table_of_two_keys(self, run: Run) -> None:
        assert run("show", "friday", "watch").out == (
            "table watch: How well a guard watches\n"
            "  size down, level across\n"
            "         1  2  3\n"
            "  small  3  4  5\n"
            "  large  1  2  4\n"
        )

    def test_a_table_of_several_columns(self, run: Run) -> None:
        assert run("show", "friday", "pay").out == (
            "table pay\n  level  coins  meals\n  1          5      1\n  2..3       9      2\n"
        )

    def test_a_number(self, run: Run) -> None:
        assert run("show", "friday", "vigilance").out == (
            "number vigilance: Vigilance\n"
            "  of guard, higher is better, gives -1..7\n"
            "\n"
            "  base: watch(guard.size, guard.level)\n"
            "\n"
            "  adjusts by  modifier  when             stacks in\n"
            "  -1          cold      harsh\n"
            "  +1          sworn     guard.oath 1..3\n"
            "  +2          sworn     guard.oath 4..9\n"
            "  -1          Weary     guard.tired\n"
            "\n"
            "  reads\n"
            "    guard.level  a whole number from 1 to 3  required\n"
            "    guard.oath   a whole number from 1 to 9  may be unknown\n"
            "    guard.size   one of small, large         small by default\n"
            "    guard.tired  true or false               false by default\n"
        )

    def test_a_check(self, run: Run) -> None:
        found = run("show", "friday", "notice").out
        assert "  roll die: 1d6\n  if die <= vigilance: noticed\n  otherwise: missed\n" in found

    def test_a_choice(self, run: Run) -> None:
        assert run("show", "friday", "size").out == ("choice size\n  small  Small\n  large  Large  Trolls and worse.\n")

    def test_everything_shipped_can_be_shown(self, run: Run) -> None:
        for name in ("adnd2e", "odnd-morale"):
            contents = run("show", name).out
            ids = re.findall(r"^  (\w+)", contents, re.MULTILINE)
            assert ids
            for id in dict.fromkeys(ids):
                found = run("show", name, id)
                assert found.code == 0, id
                assert "999999999" not in found.out, id

    def test_what_an_artifact_says_cannot_move_the_cursor(self, run: Run, here: Path) -> None:
        run("build", "friday")
        data = json.loads((here / "friday.rules.json").read_bytes())
        data["ruleset"]["title"] = "Friday\x1b[2J\u202e"
        del data["content_hash"]
        data["content_hash"] = houserule.content_hash(data)
        (here / "evil.rules.json").write_text(json.dumps(data))
        assert "Friday\\u{1b}[2J\\u{202e}\n" in run("show", "evil.rules.json").out


class TestEval:
    def test_a_number(self, run: Run) -> None:
        assert run("eval", "friday", "vigilance", *FACTS) == Ran(0, "2\n", "")

    def test_a_number_explained(self, run: Run) -> None:
        found = run("eval", "friday", "vigilance", *FACTS, "guard.tired=true", "guard.oath=4", "--explain").out
        assert "Vigilance 3" in found
        assert "-1 Weary" in found
        assert "+2 sworn" in found

    def test_a_number_as_json(self, run: Run) -> None:
        assert json.loads(run("eval", "friday", "vigilance", *FACTS, "--json").out) == {
            "number": "vigilance",
            "value": 2,
        }
        traced = json.loads(run("eval", "friday", "vigilance", *FACTS, "--json", "--explain").out)
        assert traced["trace"]["root"]["name"] == "vigilance"

    def test_an_option(self, run: Run) -> None:
        assert run("eval", "friday", "vigilance", *FACTS, "--option", "harsh=true").out == "1\n"

    def test_a_table(self, run: Run) -> None:
        assert run("eval", "friday", "watch", "large", "3").out == "4\n"
        assert run("eval", "friday", "pay", "2").out == "coins: 9\nmeals: 2\n"
        assert run("eval", "friday", "pay.meals", "2").out == "2\n"
        assert json.loads(run("eval", "friday", "pay", "2", "--json").out) == {
            "table": "pay",
            "keys": ["2"],
            "coins": 9,
            "meals": 2,
        }

    def test_an_artifact(self, run: Run) -> None:
        run("build", "friday")
        assert run("eval", "friday.rules.json", "vigilance", *FACTS).out == "2\n"

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("facts.yaml", "guard: {level: 3, size: large}\nguard.tired: true\n"),
            ("facts.json", '{"guard": {"level": 3, "size": "large", "tired": true}}'),
        ],
    )
    def test_a_file_of_facts(self, run: Run, here: Path, name: str, text: str) -> None:
        (here / name).write_text(text)
        assert run("eval", "friday", "vigilance", "--facts", name).out == "3\n"
        # What is typed stands in the place of what the file says.
        assert run("eval", "friday", "vigilance", "guard.tired=false", "--facts", name).out == "4\n"

    @pytest.mark.parametrize("text", ["[1, 2]", "{", '{"a": 1, "a": 2}', "[" * 100_000, "\xff"])
    def test_a_file_that_is_no_facts(self, run: Run, here: Path, text: str) -> None:
        (here / "facts.json").write_text(text, "latin-1")
        found = run("eval", "friday", "vigilance", "--facts", "facts.json")
        assert found.code == 2
        assert found.err.startswith("houserule: `facts.json` ")

    def test_a_yaml_file_of_facts_that_cannot_be_read(self, run: Run, here: Path) -> None:
        (here / "facts.yaml").write_text("guard: &a {level: 3}\n")
        found = run("eval", "friday", "vigilance", "--facts", "facts.yaml")
        assert found.code == 2
        assert " --> facts.yaml:1:8" in found.err


class TestRollAndOdds:
    def test_given_dice(self, run: Run) -> None:
        assert run("roll", "friday", "notice", *FACTS, "--dice", "die=2").out == "noticed (die 2)\n"
        assert run("roll", "friday", "notice", *FACTS, "--dice", "die=3").out == "missed (die 3)\n"

    def test_a_seed_rolls_the_same_again(self, run: Run) -> None:
        first = run("roll", "friday", "notice", *FACTS)
        seed = first.out.splitlines()[-1].removeprefix("seed ")
        assert run("roll", "friday", "notice", *FACTS, "--seed", seed) == first

    def test_as_json(self, run: Run) -> None:
        found = json.loads(run("roll", "friday", "notice", *FACTS, "--seed", "7", "--json").out)
        again = json.loads(run("roll", "friday", "notice", *FACTS, "--seed", "7", "--json", "--explain").out)
        assert found["seed"] == "7"
        assert again.pop("trace")["root"]["name"] == "notice"
        assert again == found

    def test_explained(self, run: Run) -> None:
        found = run("roll", "friday", "notice", *FACTS, "guard.tired=true", "--dice", "die=2", "--explain").out
        assert found.startswith("notice: missed\n")
        assert "-1 Weary" in found

    def test_odds(self, run: Run) -> None:
        assert run("odds", "friday", "notice", *FACTS).out == "noticed  1/3  ~33.333333%\nmissed   2/3  ~66.666667%\n"
        assert json.loads(run("odds", "friday", "notice", *FACTS, "--json").out) == {
            "check": "notice",
            "odds": {"noticed": "1/3", "missed": "2/3"},
        }

    def test_odds_explained(self, run: Run) -> None:
        found = run("odds", "friday", "notice", *FACTS, "guard.tired=true", "--explain").out
        assert "noticed  1/6" in found
        assert "\nVigilance 1" in found

    def test_odds_of_a_die(self, run: Run) -> None:
        assert run("odds", "friday", "notice", *FACTS, "--of", "die").out.splitlines()[0] == "1  1/6  ~16.666667%"


class TestDiagnostic:
    def test_a_page(self, run: Run) -> None:
        found = run("diagnostic", "unknown-key")
        assert found.out.startswith("# unknown-key\n")
        assert "<!--" not in found.out
        assert run("diagnostic", "[unknown-key]") == found

    def test_all_codes(self, run: Run) -> None:
        lines = run("diagnostic").out.splitlines()
        assert len(lines) == len(list((ROOT / "docs" / "diagnostics").glob("*.md"))) - 1
        assert json.loads(run("diagnostic", "--json").out).keys() == {line.split()[0] for line in lines}


def process(here: Path, *words: str, before: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own, after some code."""
    code = f"import sys\n{before}\nfrom houserule_compiler.cli import main\nsys.exit(main({list(words)!r}))"
    paths = os.pathsep.join(
        [*filter(None, [os.environ.get("PYTHONPATH")]), *map(str, (ROOT / "compiler", ROOT / "runtime"))]
    )
    inherited = {key: value for key, value in os.environ.items() if key != "CI"}
    return subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
        env={**inherited, "PYTHONPATH": paths, **env},
    )


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_script(self, run: Run, shell: str) -> None:
        found = run("completion", shell)
        assert found.code == 0
        assert f"_HOUSERULE_COMPLETE={shell}_complete" in found.out

    @pytest.mark.parametrize(
        ("line", "wanted"),
        [
            ("houserule va", {"validate"}),
            ("houserule validate adn", {"adnd2e"}),
            ("houserule validate fri", {"friday"}),
            ("houserule show friday vi", {"vigilance"}),
            ("houserule eval friday wa", {"watch"}),
            ("houserule roll friday no", {"notice"}),
            ("houserule eval friday vigilance guard.t", {"guard.tired="}),
            ("houserule roll friday notice guard.size=", {"guard.size=small", "guard.size=large"}),
            ("houserule diagnostic unknown-k", {"unknown-key"}),
        ],
    )
    def test_words(self, here: Path, line: str, wanted: set[str]) -> None:
        env = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_HOUSERULE_COMPLETE": "bash_complete"}
        found = process(here, **env)
        words = {each.split(",", 1)[1] for each in found.stdout.splitlines() if each.startswith("plain,")}
        assert words == wanted, found.stderr

    def test_says_nothing_about_rules_with_errors(self, here: Path) -> None:
        change(here, "its.tired", "its.tierd")
        env = {"COMP_WORDS": "houserule show friday ", "COMP_CWORD": "3", "_HOUSERULE_COMPLETE": "bash_complete"}
        found = process(here, **env)
        assert (found.stdout.strip(), found.stderr) == ("", "")


class TestEnding:
    def test_a_fault_of_ours_says_so(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr("houserule_compiler.resolve.order", broken, raising=False)
        monkeypatch.setattr("houserule_compiler.pipeline.resolve", broken)
        found = run("validate", "friday")
        assert found.code == 3
        assert found.out == ""
        assert found.err.startswith("houserule: a fault of ours, and not of your rules, in `pipeline`")
        assert "Traceback" not in found.err
        monkeypatch.setenv("HOUSERULE_TRACEBACK", "1")
        with pytest.raises(ZeroDivisionError):
            run("validate", "friday")

    def test_a_fault_names_the_pass_and_the_file(self, here: Path) -> None:
        before = (
            "import houserule_compiler.declare.reading as at\n"
            "for name in dir(at):\n"
            "    if callable(getattr(at, name)) and getattr(getattr(at, name), '__module__', '') == at.__name__:\n"
            "        setattr(at, name, None)\n"
        )
        found = process(here, "validate", "friday", before=before)
        assert found.returncode == 3
        assert "in `declare" in found.stderr

    def test_whoever_reads_may_stop_reading(self, here: Path) -> None:
        words = ["show", "adnd2e", "no_best_thac0"]
        code = f"from houserule_compiler.cli import main; import sys; sys.exit(main({words!r}))"
        paths = [*filter(None, [os.environ.get("PYTHONPATH")]), *map(str, (ROOT / "compiler", ROOT / "runtime"))]
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        ) as started:
            assert started.stdout
            assert started.stderr
            started.stdout.close()
            assert started.stderr.read() == b""
            assert started.wait() == 0

    def test_what_a_terminal_cannot_show_is_escaped(self, here: Path) -> None:
        change(here, "Vigilance", "Wachsamkeit für Zwölfe")
        found = process(here, "show", "friday", "vigilance", PYTHONIOENCODING="ascii")
        assert found.returncode == 0
        assert "Wachsamkeit f\\xfcr Zw\\xf6lfe" in found.stdout


def test_validating_reads_only_what_it_must_and_writes_nothing(here: Path) -> None:
    """Recorded by an audit hook: no file outside the rules and the installed code, no write, no network, no process."""
    before = (
        "import os\n"
        "seen = []\n"
        "def hook(event, args):\n"
        "    if event == 'open': seen.append((str(args[0]), str(args[1]), args[2]))\n"
        "    elif event.split('.')[0] in ('socket', 'subprocess', 'ctypes', 'urllib') or event in ('os.system', "
        "'os.exec', 'os.posix_spawn', 'os.remove', 'os.rename', 'os.mkdir'): seen.append((event, '!', 0))\n"
        "sys.addaudithook(hook)\n"
        "import atexit; atexit.register(lambda: [print('OPENED', *each, sep='|') for each in seen])"
    )
    found = process(here, "validate", "friday", before=before)
    assert found.returncode == 0, found.stderr
    opened = [line.split("|") for line in found.stdout.splitlines() if line.startswith("OPENED|")]
    assert any(path == "friday.yaml" for _, path, _, _ in opened)
    assert [line for line in opened if line[2] == "!"] == []
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND
    assert [line for line in opened if int(line[3]) & writing] == []
    code = tuple(map(str, (ROOT, here, sys.prefix, sys.base_prefix, os.path.dirname(os.__file__))))
    outside = [path for _, path, _, _ in opened if os.path.isabs(path) and not path.startswith(code)]
    assert [path for path in outside if path != "/"] == []
