"""Warm builds: what is kept is as if worked out anew, is never stale, and is never believed where it may be wrong."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from friday import RULES, Ran, Run
from houserule_compiler import cache as cache_module
from houserule_compiler import pipeline, tool
from houserule_compiler.cache import SUFFIX, Cache, cache_folder

FORK = "ruleset: monday\nextends: friday\nwith: [slack]\nmodifiers.weary.adjust.vigilance: -2\n"
PACK = "ruleset: slack\nextends: friday\nmodifiers:\n  slack: {when: its.tired, adjust: {vigilance: -1}}\n"
# One entry of a folder: the bytes of the file, changed.
Spoil: TypeAlias = Callable[[bytes], bytes]


@pytest.fixture
def folder(friday_folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the cache lies, beside nothing else; commands run beside a fork with a pack."""
    (friday_folder / "monday.yaml").write_text(FORK)
    (friday_folder / "slack.yaml").write_text(PACK)
    made = tmp_path_factory.mktemp("cached") / "houserule"
    monkeypatch.setenv("HOUSERULE_CACHE", str(made))
    return made


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rulesets that were compiled, in order."""
    made: list[str] = []
    whole = pipeline.compile_ruleset

    def counted(name: str, *rest: Any) -> Any:
        made.append(name)
        return whole(name, *rest)

    monkeypatch.setattr(pipeline, "compile_ruleset", counted)
    return made


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


def cold(run: Run, *words: str) -> Ran:
    return run(*words, "--no-cache")


@pytest.mark.parametrize(
    "words",
    [
        ("validate", "monday"),
        *(("validate", "monday", "--format", each) for each in ("concise", "json", "github", "sarif", "junit")),
        ("validate", "monday", "--locked"),
        ("validate", "friday", "slack", "--fail-on", "note"),
        ("build", "monday", "-o", "-"),
        ("eval", "monday", "vigilance", "creature.tired=true", "--explain"),
    ],
)
def test_an_unchanged_ruleset_is_told_as_before(folder: Path, run: Run, builds: list[str], words: Any) -> None:
    first, again, anew = run(*words), run(*words), cold(run, *words)
    assert first == again == anew
    assert len(builds) == 2 * len(set(builds))
    assert entries(folder)


def test_faults_are_told_as_before(folder: Path, run: Run, friday_folder: Path, builds: list[str]) -> None:
    text = RULES.replace("its.tired", "its.tierd") + "# houserule: allow nothing\n"
    (friday_folder / "friday.yaml").write_text(text, "utf-8")
    first, again, anew = (run("validate", "monday"), run("validate", "monday"), cold(run, "validate", "monday"))
    assert first == again == anew
    assert first.code == 1
    assert "its.tierd" in first.out
    assert builds == ["monday", "monday"]


def write(name: str, text: str) -> Callable[[Path], object]:
    def change(here: Path) -> None:
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)

    return change


CHANGES: dict[str, Callable[[Path], object]] = {
    "its own file": write("monday.yaml", FORK.replace("-2", "-9")),
    "its own file, wrong": write("monday.yaml", FORK.replace("weary", "waery")),
    "the ruleset below": write("friday.yaml", RULES.replace("its.tired", "its.tierd")),
    "a comment below": write("friday.yaml", f"# Hello.\n{RULES}"),
    "a pack": write("slack.yaml", PACK.replace("-1", "0.5")),
    "a pack that is gone": lambda here: (here / "slack.yaml").unlink(),
    "a pack that is gone, and one named alike": lambda here: (here / "slack.yaml").rename(here / "slick.yaml"),
    "a second pack of the name": write("slack/ruleset.yaml", PACK),
    "another of the name on the search path": write("more/slack.yaml", PACK),
    "a file that cannot be read": lambda here: (here / "slack.yaml").unlink() or (here / "slack.yaml").mkdir(),
    "a lock": write("monday.lock", "{}"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_never_missed(
    folder: Path, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    (friday_folder / "more").mkdir()
    monkeypatch.setenv("HOUSERULE_PATH", "more")
    questions = [("validate", "monday"), ("build", "monday", "-o", "-")]
    before = [run(*words) for words in questions]
    CHANGES[what](friday_folder)
    after = [run(*words) for words in questions]
    assert after == [cold(run, *words) for words in questions]
    assert after != before


def test_a_name_that_comes_up_is_found(folder: Path, run: Run, friday_folder: Path) -> None:
    """What was not there, and the names that were suggested in its place, are part of the answer."""
    (friday_folder / "slack.yaml").rename(friday_folder / "slank.yaml")
    assert "did you mean `slank`?" in run("validate", "monday").out
    (friday_folder / "slank.yaml").rename(friday_folder / "slaca.yaml")
    assert "did you mean `slaca`?" in run("validate", "monday").out
    (friday_folder / "slaca.yaml").rename(friday_folder / "slack.yaml")
    assert run("validate", "monday") == cold(run, "validate", "monday")


def test_a_new_file_of_a_folder(folder: Path, run: Run, friday_folder: Path, builds: list[str]) -> None:
    write("tuesday/ruleset.yaml", "ruleset: tuesday\nextends: friday\n")(friday_folder)
    assert run("validate", "tuesday").code == 0
    write("tuesday/more.yaml", "modifiers.waery.adjust.vigilance: -2\n")(friday_folder)
    assert run("validate", "tuesday").code == 1
    (friday_folder / "tuesday" / "more.yaml").unlink()
    assert run("validate", "tuesday").code == 0
    assert len(builds) == 3 or builds == ["tuesday"] * 2


def test_limits_and_versions_have_answers_of_their_own(
    folder: Path, run: Run, builds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("validate", "monday").code == 0
    assert run("validate", "monday", "--limit", "key=5").code == 1
    assert run("validate", "monday").code == 0
    assert len(builds) == 2
    monkeypatch.setattr(tool, "__version__", "0.1.1")
    assert run("validate", "monday").code == 0
    assert len(builds) == 3


def test_only_what_stands_in_files_counts(folder: Path, run: Run, friday_folder: Path, builds: list[str]) -> None:
    run("validate", "monday")
    for each in ("monday.yaml", "friday.yaml"):
        os.utime(friday_folder / each, ns=(1, 1))
    run("validate", "monday")
    assert builds == ["monday"]


def test_the_same_text_elsewhere_is_told_at_its_place(folder: Path, run: Run, friday_folder: Path) -> None:
    text = RULES.replace("its.tired", "its.tierd")
    for each in ("here/friday.yaml", "there/friday.yaml"):
        write(each, text)(friday_folder)
        (friday_folder / "friday.yaml").unlink(missing_ok=True)
        assert f"--> {each}:" in run("validate", each).out


def sealed(body: bytes) -> bytes:
    """A body under the seal that it would have."""
    return b"houserule-build 1 " + sha256(body).hexdigest().encode() + b"\n" + body


def retold(change: Callable[[dict[str, Any]], object]) -> Spoil:
    """Changes the head of an entry, and seals it again."""

    def spoil(data: bytes) -> bytes:
        head, _, artifact = data.partition(b"\n")[2].partition(b"\n")
        told = json.loads(head)
        change(told)
        return sealed(json.dumps(told).encode() + b"\n" + artifact)

    return spoil


SPOILED: dict[str, Spoil] = {
    "empty": lambda data: b"",
    "cut off in its seal": lambda data: data[:20],
    "cut off": lambda data: data[:-1],
    "longer": lambda data: data + b" ",
    "one byte changed": lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
    "of another form": lambda data: data.replace(b"build 1", b"build 2", 1),
    "no JSON": lambda data: sealed(b"{\n"),
    "a list": lambda data: sealed(b"[]\n"),
    "deep": lambda data: sealed(b"[" * 100_000 + b"\n"),
    "a pickle": lambda data: sealed(b"cos\nsystem\n(S'touch hacked'\ntR."),
    "another key": retold(lambda head: head.update(key="0" * 64)),
    "without a part": retold(lambda head: head.pop("asked")),
    "a place outside": retold(lambda head: head["diagnostics"][0][3][0].__setitem__(2, 10**6)),
    "a place of no file": retold(lambda head: head["diagnostics"][0][3][0].__setitem__(0, -1)),
    "a finding without place": retold(lambda head: head["diagnostics"][0].__setitem__(3, [])),
    "a finding of no weight": retold(lambda head: head["diagnostics"][0].__setitem__(1, "fatal")),
    "a finding without words": retold(lambda head: head["diagnostics"][0].__setitem__(2, None)),
    "a text that is none": retold(lambda head: head["files"][0].__setitem__(1, 7)),
    "an answer that is none": retold(lambda head: head["asked"][0].__setitem__(2, None)),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_entry_is_worked_out_anew(
    folder: Path, run: Run, friday_folder: Path, builds: list[str], how: str
) -> None:
    (friday_folder / "friday.yaml").write_text(RULES.replace("its.tired", "its.tierd"))
    whole = run("validate", "friday")
    (entry,) = entries(folder)
    sound = entry.read_bytes()
    entry.write_bytes(SPOILED[how](sound))
    assert run("validate", "friday") == whole
    assert builds == ["friday", "friday"]
    assert entry.read_bytes() == sound
    assert not (friday_folder / "hacked").exists()


def test_an_entry_of_other_rules_is_not_believed(folder: Path, run: Run, builds: list[str]) -> None:
    run("validate", "friday")
    (one,) = entries(folder)
    run("validate", "monday")
    (other,) = set(entries(folder)) - {one}
    other.write_bytes(one.read_bytes())
    assert run("validate", "monday").out.endswith("\nmonday: 1 note\n")
    assert builds == ["friday", "monday", "monday"]


def as_link(entry: Path) -> None:
    entry.rename(entry.with_suffix(".moved"))
    entry.symlink_to(entry.with_suffix(".moved"))


def as_folder(entry: Path) -> None:
    entry.unlink()
    entry.mkdir()


def as_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


@pytest.mark.skipif(sys.platform == "win32", reason="no links without rights, and no pipes")
@pytest.mark.parametrize("become", [as_link, as_folder, as_pipe])
def test_an_entry_that_is_no_file(folder: Path, run: Run, builds: list[str], become: Callable[[Path], None]) -> None:
    whole = run("validate", "monday")
    (entry,) = entries(folder)
    become(entry)
    assert run("validate", "monday") == run("validate", "monday") == whole
    assert builds[:2] == ["monday", "monday"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_into(folder: Path, run: Run, builds: list[str], mode: int) -> None:
    run("validate", "monday")
    folder.chmod(mode)
    before = {each: each.stat().st_mtime_ns for each in folder.iterdir()}
    assert run("validate", "monday").code == 0
    assert builds == ["monday", "monday"]
    assert {each: each.stat().st_mtime_ns for each in folder.iterdir()} == before


@pytest.mark.parametrize("failing", ["makedirs", "open", "replace", "scandir"])
def test_a_cache_that_cannot_be_written(
    folder: Path, run: Run, builds: list[str], monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """A full disk, a folder that is read only: the answer is the same, and nothing is left lying about."""
    whole = getattr(os, failing)

    def fail(path: Any, *rest: Any, **more: Any) -> Any:
        if str(path).startswith(str(folder)) and not (failing == "open" and not rest[0] & os.O_CREAT):
            raise OSError(28, "No space left on device")
        return whole(path, *rest, **more)

    monkeypatch.setattr(cache_module.os, failing, fail)
    assert run("validate", "friday") == Ran(0, "friday: no faults found\n", "")
    assert run("validate", "friday").code == 0
    assert builds == ["friday"] * (1 if failing == "scandir" else 2)
    monkeypatch.undo()
    assert [each.name for each in folder.glob(".*")] == []


def test_a_file_in_the_place_of_the_folder(folder: Path, run: Run) -> None:
    folder.write_text("mine")
    assert run("validate", "friday") == Ran(0, "friday: no faults found\n", "")
    assert folder.read_text() == "mine"


@pytest.mark.parametrize("words", [("--no-cache",), ("--untrusted",)])
def test_a_cache_that_is_not_wanted(folder: Path, run: Run, builds: list[str], words: tuple[str, ...]) -> None:
    assert run("validate", "monday", *words).code == 0
    assert not folder.exists()
    run("validate", "monday")
    before = entries(folder)
    assert run("validate", "monday", *words).code == 0
    assert entries(folder) == before
    assert len(builds) == 3


def test_where_ci_is_set_nothing_is_kept(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert run("validate", "monday").code == 0
    assert not folder.exists()


@pytest.mark.parametrize("value", ["off", "./here", "0"])
def test_a_folder_that_is_no_absolute_path_turns_it_off(
    folder: Path, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("HOUSERULE_CACHE", value)
    before = sorted(friday_folder.rglob("*"))
    assert run("validate", "monday").code == 0
    assert sorted(friday_folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("environment", "platform", "place"),
    [
        ({"HOUSERULE_CACHE": "/c", "XDG_CACHE_HOME": "/x"}, "linux", "/c"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/x/houserule"),
        ({"HOUSERULE_CACHE": "", "HOME": "/h"}, "linux", "/h/.cache/houserule"),
        ({"XDG_CACHE_HOME": "x", "HOME": "/h"}, "freebsd14", "/h/.cache/houserule"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "darwin", "/h/Library/Caches/houserule"),
        ({"HOUSERULE_CACHE": "off", "HOME": "/h"}, "linux", None),
        ({"HOME": "h"}, "linux", None),
        ({}, "linux", None),
        ({"HOME": "/h"}, "win32", None),
    ],
)
def test_where_it_lies(environment: dict[str, str], platform: str, place: str | None) -> None:
    assert cache_folder(environment, platform) == place


def test_two_at_once(tmp_path: Path) -> None:
    """Whoever reads while others write finds one of the two whole, or nothing."""
    kept, found = Cache(str(tmp_path / "cache")), set()
    bodies = {bytes([each]) * 50_000 for each in b"ab"}

    def write(body: bytes) -> None:
        for _ in range(60):
            kept.put("k", body)

    writers = [threading.Thread(target=write, args=(each,)) for each in bodies]
    for each in writers:
        each.start()
    while any(each.is_alive() for each in writers):
        found.add(kept.get("k"))
    assert found - {None} <= bodies
    assert kept.get("k") in bodies
    assert [each.name for each in (tmp_path / "cache").iterdir()] == [f"k{SUFFIX}"]


def key(at: int) -> str:
    """A key, as a digest is one."""
    return f"{at:064x}"


def test_it_stays_small_and_leaves_what_is_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_BYTES", 1_000)
    monkeypatch.setattr(cache_module, "MOST_ENTRIES", 4)
    kept = Cache(str(tmp_path))
    left = tmp_path / f".{key(7)}.1.2"
    others = [tmp_path / name for name in (".bashrc", ".half.1.2", f".{key(7)}.1.2.old", "notes.build", "k.build")]
    for each in (left, *others):
        each.write_bytes(b"x" * 900)
        os.utime(each, (0, 0))
    for at, size in enumerate([10, 240, 240, 240, 240, 240, 251]):
        kept.put(key(at), b"x" * size)
        os.utime(tmp_path / f"{key(at)}{SUFFIX}", (at + 1, at + 1)) if size < 250 else None
    own = [each.stem for each in entries(tmp_path) if each not in others]
    assert own == [key(2), key(3), key(4), key(5)]
    assert not left.exists()
    for at in range(10, 15):
        kept.put(key(at), b"x")
    assert len(entries(tmp_path)) - 2 == 4
    assert all(each.read_bytes() == b"x" * 900 for each in others)
