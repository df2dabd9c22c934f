"""The command line: help, every way of using it wrongly, completion, and how a run ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import houserule
from friday import FACTS, ROOT, Ran, Run, change, process
from houserule_compiler.overview import COMMANDS


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
            (("eval", "friday", "pay", "-1"), "before a key below 0 stands `--`: `houserule eval ... -- KEY`"),
            (
                ("new", "tavern", "--extends"),
                "option `--extends` requires an argument; `houserule new --help` tells what it takes",
            ),
            (("roll", "friday", "notice", "--sed", "1"), "no option `--sed`; did you mean `--seed`?"),
            (
                ("validate", "friday", "--format", "xml"),
                "is not one of `full`, `concise`, `json`, `github`, `sarif`, `junit`",
            ),
            (("validate", "fridya"), "no ruleset named `fridya`; did you mean `friday`?"),
            (("validate", "friday", "--limit", "files"), "expected NAME=VALUE after `--limit`, found `files`"),
            (("validate", "friday", "--limit", "fils=3"), "no limit `fils`; did you mean `files`"),
            (
                ("validate", "friday", "--limit", "files=0"),
                "the limit `files` is a whole number of at least 1, not `0`",
            ),
            (("validate", "friday", "--path", "nowhere"), "there is no `nowhere`"),
            (("show", "friday", "vigilence"), "`friday` has no definition `vigilence`; did you mean `vigilance`?"),
            (("eval", "friday", "wacth", "small", "1"), "no number, table or action `wacth`; did you mean `watch`?"),
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
            ("houserule sweep friday checks.notice guard.ti", {"guard.tired="}),
            ("houserule diagnostic unknown-k", {"unknown-key"}),
        ],
    )
    def test_words(self, friday_folder: Path, line: str, wanted: set[str]) -> None:
        env = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_HOUSERULE_COMPLETE": "bash_complete"}
        found = process(friday_folder, **env)
        words = {each.split(",", 1)[1] for each in found.stdout.splitlines() if each.startswith("plain,")}
        assert words == wanted, found.stderr

    def test_says_nothing_about_rules_with_errors(self, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        env = {"COMP_WORDS": "houserule show friday ", "COMP_CWORD": "3", "_HOUSERULE_COMPLETE": "bash_complete"}
        found = process(friday_folder, **env)
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

    def test_a_fault_names_the_pass_and_the_file(self, friday_folder: Path) -> None:
        before = (
            "import houserule_compiler.declare.reading as at\n"
            "for name in dir(at):\n"
            "    if callable(getattr(at, name)) and getattr(getattr(at, name), '__module__', '') == at.__name__:\n"
            "        setattr(at, name, None)\n"
        )
        found = process(friday_folder, "validate", "friday", before=before)
        assert found.returncode == 3
        assert "in `declare" in found.stderr

    def test_whoever_reads_may_stop_reading(self, friday_folder: Path) -> None:
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

    def test_what_a_terminal_cannot_show_is_escaped(self, friday_folder: Path) -> None:
        change(friday_folder, "Vigilance", "Wachsamkeit für Zwölfe")
        found = process(friday_folder, "show", "friday", "vigilance", PYTHONIOENCODING="ascii")
        assert found.returncode == 0
        assert "Wachsamkeit f\\xfcr Zw\\xf6lfe" in found.stdout
