"""`validate --watch`: again after each change of a file that was read, also of one below, and of nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from friday import RULES, Run
from houserule_compiler.commands import watching

Watched: TypeAlias = Callable[..., tuple[int, str, list[str]]]
FORK = "ruleset: monday\nextends: friday\nmodifiers.weary.adjust.vigilance: -2\n"


@pytest.fixture
def watched(run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Runs `validate monday --watch` while something happens in each moment of waiting; then it is interrupted."""
    (friday_folder / "monday.yaml").write_text(FORK)
    assert run("accept", "monday").code == 0

    def ran(*moments: Callable[[], object] | None, words: Sequence[str] = ("monday",)) -> tuple[int, str, list[str]]:
        left: Iterator[Callable[[], object] | None] = iter([*moments, None, None])

        def wait(_: float) -> None:
            try:
                happens = next(left)
            except StopIteration:
                raise KeyboardInterrupt from None
            if happens:
                happens()

        monkeypatch.setattr(watching.time, "sleep", wait)
        found = run("validate", *words, "--watch")
        return found.code, found.out, [each for each in found.err.splitlines() if each]

    return ran


def writes(path: Path, text: str) -> Callable[[], object]:
    """Writes a file in a later moment than it was written in before."""

    def write() -> None:
        before = path.stat().st_mtime_ns if path.exists() else 0
        path.write_text(text)
        os.utime(path, ns=(before + 10**9, before + 10**9))

    return write


def test_nothing_changes(watched: Watched) -> None:
    assert watched() == (0, "monday: no faults found\n", ["watching 3 files; Ctrl-C ends"])


def test_a_fault_comes_and_goes(watched: Watched, friday_folder: Path) -> None:
    fork = friday_folder / "monday.yaml"
    code, out, err = watched(writes(fork, FORK.replace("weary", "waery")), None, writes(fork, FORK), None)
    assert code == 0
    assert out.startswith("monday: no faults found\nerror[")
    assert out.endswith("\nmonday: 1 error\nmonday: no faults found\n")
    assert err.count("changed: monday.yaml") == 2


def test_the_last_exit_code_counts(watched: Watched, friday_folder: Path) -> None:
    assert watched(writes(friday_folder / "monday.yaml", FORK.replace("weary", "waery")), None)[0] == 1


def test_the_ruleset_below_changes(watched: Watched, friday_folder: Path) -> None:
    code, _, err = watched(writes(friday_folder / "friday.yaml", RULES.replace("its.tired", "its.tierd")), None)
    assert code == 1
    assert "changed: friday.yaml" in err


def test_another_file_changes(watched: Watched, friday_folder: Path) -> None:
    _, out, _ = watched(writes(friday_folder / "sunday.yaml", RULES), None)
    assert out == "monday: no faults found\n"


def test_a_file_that_is_gone_for_a_moment(watched: Watched, friday_folder: Path) -> None:
    fork = friday_folder / "monday.yaml"
    code, out, err = watched(fork.unlink, None, writes(fork, FORK), None)
    assert code == 0
    assert out == "monday: no faults found\n" * 2
    assert any("no ruleset named `monday`" in each for each in err)


def test_it_waits_until_an_editor_is_done(watched: Watched, friday_folder: Path) -> None:
    """Gone in one moment and back in the next is one change, and nothing is said in between."""
    fork = friday_folder / "monday.yaml"
    _, out, err = watched(fork.unlink, writes(fork, FORK + "version: '2'\n"), None)
    assert out == "monday: no faults found\n" * 2
    assert not any("no ruleset" in each for each in err)


def test_the_lock_changes(watched: Watched, friday_folder: Path) -> None:
    lock = friday_folder / "monday.lock"
    text = lock.read_text()
    code, out, err = watched(writes(lock, "{}"), None, lock.unlink, None, writes(lock, text), None)
    assert code == 0
    assert out.count("monday: no faults found\n") == 2
    assert "monday: 1 note\n" in out
    assert err.count("changed: monday.lock") == 3


def test_a_ruleset_comes_and_goes(watched: Watched, friday_folder: Path) -> None:
    """Without a name all rulesets here are meant, those of tomorrow too."""
    sunday = friday_folder / "sunday.yaml"
    code, out, err = watched(writes(sunday, "ruleset: sunday\nextends: friday\n"), None, sunday.unlink, None, words=())
    assert code == 0
    assert [out.count(f"\n{each} rulesets: ") for each in (2, 3)] == [2, 1]
    assert err.count("changed: sunday.yaml") == 2


def test_a_ruleset_that_was_missed(watched: Watched, friday_folder: Path) -> None:
    slack = friday_folder / "slack.yaml"
    fork = friday_folder / "monday.yaml"
    text = "ruleset: slack\nextends: friday\n"
    use = writes(fork, FORK.replace("extends: friday", "extends: friday\nwith: [slack]"))
    code, out, err = watched(use, None, writes(slack, text), None)
    assert code == 0
    assert "error[unknown-ruleset]" in out
    assert "changed: slack.yaml" in err


def test_a_second_ruleset_of_a_name(watched: Watched, friday_folder: Path) -> None:
    twin = friday_folder / "friday"
    twin.mkdir()
    code, out, err = watched(writes(twin / "ruleset.yaml", RULES), None)
    assert code == 1
    assert "monday: 1 error" in out
    assert "changed: friday" in err


def test_no_ruleset_here_yet(run: Run, watched: Watched, friday_folder: Path) -> None:
    texts = {each: each.read_text() for each in friday_folder.glob("*.yaml")}
    for each in texts:
        each.unlink()
    first, second = (writes(each, text) for each, text in sorted(texts.items()))
    code, out, err = watched(first, None, second, None, words=())
    assert code == 0
    assert any("no ruleset under this folder" in each for each in err)
    assert out.endswith("2 rulesets: no faults found\n")


def test_what_is_remembered_is_as_if_read_anew(watched: Watched, friday_folder: Path, run: Run) -> None:
    """Round by round with what was kept of the files that stay, and once more without."""
    fork = friday_folder / "monday.yaml"
    told = []
    for text in (FORK, FORK.replace("weary", "waery"), FORK + "numbers: {vigilance: {base: its.level +}}\n"):
        fork.write_text(text)
        told.append(run("validate", "monday").out)
    fork.write_text(FORK)
    moments = [each for text in told_of(FORK) for each in (writes(fork, text), None)]
    assert watched(*moments)[1] == "".join(told)


def told_of(text: str) -> list[str]:
    """The texts of the rounds after the first."""
    return [text.replace("weary", "waery"), text + "numbers: {vigilance: {base: its.level +}}\n"]
