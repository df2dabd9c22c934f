"""`accept`, and what `validate` tells of what has changed below: at both lines, with was, is and yours."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from friday import Ran, Run

BASE = """\
ruleset: base
version: "1"
language: 1
facts: {fog: boolean = false}
numbers: {light: {base: 30}}
modifiers:
  in_fog: {when: fog, adjust: {light: -10}}
"""
FORK = """\
ruleset: monday
extends: base
modifiers.in_fog.adjust.light: -15
numbers.light.title: Light
"""
TOLD = """\
warning[drift]: `modifiers.in_fog.adjust.light` has changed below `monday`
 --> monday/ruleset.yaml:3:32
  |
3 | modifiers.in_fog.adjust.light: -15
  |                                ^^^
 ::: base/ruleset.yaml:7:39
  |
7 |   in_fog: {when: fog, adjust: {light: -20}}
  |                                       --- changed here
  = note: was `-10`, is `-20`, yours is `-15`
  = help: if yours still holds, `houserule accept monday modifiers.in_fog.adjust.light`

monday: 1 warning
"""
RECORDED = """\
monday: recorded in monday/houserule.lock
  modifiers.in_fog.adjust.light over `-10`
  numbers.light.title over nothing
"""
LOCK = Path("monday", "houserule.lock")


@pytest.fixture
def monday(friday_folder: Path) -> Path:
    """The folder in which commands run, with a base and a fork of it."""
    for name, text in (("base", BASE), ("monday", FORK)):
        (friday_folder / name).mkdir()
        (friday_folder / name / "ruleset.yaml").write_text(text)
    return friday_folder


def move(folder: Path, old: str, new: str, name: str = "base") -> None:
    file = folder / name / "ruleset.yaml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


class TestDrift:
    def test_a_base_edited_under_a_fork(self, monday: Path, run: Run) -> None:
        assert run("accept", "monday") == Ran(0, RECORDED, "")
        assert run("validate", "monday", "--locked") == Ran(0, "monday: no faults found\n", "")
        move(monday, "light: -10", "light: -20")
        assert run("validate", "monday") == Ran(1, TOLD, "")
        assert run("accept", "monday").out.endswith("\n  modifiers.in_fog.adjust.light over `-20`\n")
        assert run("validate", "monday").code == 0

    def test_what_the_fork_does_not_touch(self, monday: Path, run: Run) -> None:
        run("accept", "monday")
        move(monday, "base: 30", "base: 40")
        move(monday, "  in_fog: {when: fog", "  # Thicker.\n  in_fog: {when: not fog")
        assert run("validate", "monday", "--locked") == Ran(0, "monday: no faults found\n", "")
        # The layer is another all the same, which a new lock says.
        before = LOCK.read_text()
        assert run("accept", "monday").out.endswith("\n  nothing that it changes has changed below\n")
        assert LOCK.read_text() != before

    def test_locked_weighs_drift_as_an_error(self, monday: Path, run: Run) -> None:
        run("accept", "monday")
        move(monday, "light: -10", "light: -20")
        line = "monday/ruleset.yaml:3:32: {}[drift]: `modifiers.in_fog.adjust.light` has changed below `monday`\n"
        assert run("validate", "monday", "--format", "concise").out == line.format("warning")
        assert run("validate", "monday", "--locked", "--format", "concise").out == line.format("error")

    def test_without_a_lock_there_is_one_note(self, monday: Path, run: Run) -> None:
        found = run("validate", "monday", "--format", "concise")
        line = "monday/ruleset.yaml:2:10: {}[no-lock]: `monday` has no lock that would tell what changes below it\n"
        assert found == Ran(0, line.format("note"), "")
        assert run("validate", "monday", "--locked", "--format", "concise") == Ran(1, line.format("error"), "")

    def test_what_stands_on_nothing_needs_no_lock(self, monday: Path, run: Run) -> None:
        assert run("validate", "base", "friday", "--locked").code == 0
        assert run("accept", "base") == Ran(0, "base: stands on no other ruleset, so there is nothing to record\n", "")
        assert names(monday / "base") == ["ruleset.yaml"]

    def test_a_change_that_came_after_the_lock(self, monday: Path, run: Run) -> None:
        run("accept", "monday")
        move(monday, "title: Light", "title: Light\nnumbers.light.base: 35", "monday")
        assert "note[not-recorded]: the lock of `monday` lacks `numbers.light.base`" in run("validate", "monday").out
        assert run("validate", "monday", "--locked").code == 1

    def test_only_validate_reads_the_lock(self, monday: Path, run: Run) -> None:
        LOCK.write_text("{")
        assert run("eval", "monday", "light") == Ran(0, "30\n", "")
        assert "error[damaged-lock]: this lock cannot be read: this is no JSON" in run("validate", "monday").out


class TestAccept:
    def test_twice_is_once(self, monday: Path, run: Run) -> None:
        run("accept", "monday")
        before, changed = LOCK.read_bytes(), LOCK.stat().st_mtime_ns
        assert run("accept", "monday") == Ran(0, "monday: monday/houserule.lock is up to date\n", "")
        assert (LOCK.read_bytes(), LOCK.stat().st_mtime_ns) == (before, changed)
        LOCK.unlink()
        run("accept", "monday")
        assert LOCK.read_bytes() == before

    def test_only_some_paths(self, monday: Path, run: Run) -> None:
        run("accept", "monday")
        before = json.loads(LOCK.read_text())
        move(monday, "light: -10", "light: -20")
        move(monday, "base: 30", "base: 30, title: Lamp light")
        assert run("accept", "monday", "modifiers.in_fog").code == 0
        after = json.loads(LOCK.read_text())
        assert after["edits"].pop("modifiers.in_fog.adjust.light") == {"below": "-20"}
        assert after["edits"] == {"numbers.light.title": {"below": None}}
        assert after["layers"] == before["layers"]
        assert "numbers.light.title" in run("validate", "monday").out

    def test_of_one_file(self, monday: Path, run: Run) -> None:
        (monday / "tuesday.yaml").write_text(FORK.replace("monday", "tuesday"))
        assert run("accept", "tuesday.yaml").out.startswith("tuesday: recorded in tuesday.lock\n")
        assert run("validate", "tuesday", "--locked").code == 0

    @pytest.mark.parametrize("words", [("--untrusted",), ("modifiers", "--untrusted")])
    def test_untrusted_rules_write_nothing(self, monday: Path, run: Run, words: tuple[str, ...]) -> None:
        found = run("accept", "monday", *words)
        assert found.code == 2
        assert "`monday/houserule.lock` is not written for untrusted rules" in found.err
        assert names(monday / "monday") == ["ruleset.yaml"]

    def test_nothing_is_written_of_rules_with_errors(self, monday: Path, run: Run) -> None:
        move(monday, "-15", "fogg", "monday")
        found = run("accept", "monday")
        assert (found.code, found.out) == (1, "")
        assert "error[unknown-name]" in found.err
        assert "no-lock" not in found.err
        assert names(monday / "monday") == ["ruleset.yaml"]

    def test_never_half_of_it(self, monday: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        run("accept", "monday")
        before = LOCK.read_bytes()
        move(monday, "light: -10", "light: -20")

        def fails(*_: object) -> None:
            raise OSError

        monkeypatch.setattr(os, "replace", fails)
        assert run("accept", "monday").err.startswith("houserule: `monday/houserule.lock` cannot be written")
        assert LOCK.read_bytes() == before
        assert names(monday / "monday") == ["houserule.lock", "ruleset.yaml"]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("accept", "monday", "modifiers.in_fgo"), "`monday` changes nothing at `modifiers.in_fgo`"),
            (("accept", "monday", "light"), "`houserule accept monday` records all that it changes"),
            (("accept", "mondy"), "did you mean `monday`?"),
            (("accept", "built.rules.json"), "`accept` takes the rules that it was built from"),
        ],
    )
    def test_wrong_use(self, monday: Path, run: Run, words: tuple[str, ...], message: str) -> None:
        (monday / "built.rules.json").write_text("{}")
        found = run(*words)
        assert (found.code, found.out) == (2, "")
        assert message in found.err

    def test_a_damaged_lock_is_written_anew_but_not_in_part(self, monday: Path, run: Run) -> None:
        LOCK.write_text('{"format": "houserule-lock", "lock_version": 9}')
        found = run("accept", "monday", "modifiers.in_fog")
        assert (found.code, found.out) == (1, "")
        assert (
            "error[lock-version]: expected a lock of version 1, found another\n --> monday/houserule.lock:1"
            in found.err
        )
        assert run("accept", "monday") == Ran(0, RECORDED, "")

    def test_a_lock_that_is_a_link_is_not_followed(self, monday: Path, run: Run) -> None:
        secret = monday / "secret"
        secret.write_text("password")
        LOCK.symlink_to(secret)
        for words in (("validate", "monday"), ("accept", "monday")):
            found = run(*words)
            assert found.code == 2
            assert "`monday/houserule.lock` is a link" in found.err
            assert "password" not in found.out + found.err
        assert secret.read_text() == "password"
