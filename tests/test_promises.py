"""What `validate` and `test` promise about a stranger's rules, recorded by an audit hook in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from friday import ROOT, RULES

# Everything that opens, lists, sends, starts or changes something; what is imported shows by what is opened.
HOOK = """
import atexit, json, os, sys
seen = []
GROUPS = ("socket", "subprocess", "ctypes", "urllib", "http", "ftplib", "smtplib", "webbrowser", "shutil", "tempfile")
READING = {"os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr", "os.putenv", "os.unsetenv"}
def hook(event, args):
    if event == "open":
        path, mode, flags = args
        if not isinstance(path, int):
            seen.append(("open", os.fsdecode(path), flags or 0))
    elif event.split(".")[0] in GROUPS or (event.startswith("os.") and event not in READING):
        seen.append((event, str(args[:1]), 0))
sys.addaudithook(hook)
atexit.register(lambda: print("SEEN" + json.dumps(seen), file=sys.stderr))
from houserule_compiler.cli import main
sys.exit(main(sys.argv[1:]))
"""
# Code that would tell if it ever ran; its names are those of modules that the compiler imports.
TRAP = "raise SystemExit('code of the checked tree has run')\n"
TRAPS = ["click.py", "houserule.py", "ruamel.py", "lark.py", "conftest.py", "sitecustomize.py", "friday/__init__.py"]
OURS = [*(ROOT / each for each in ("compiler", "runtime", "rules", "schemas", "docs/diagnostics"))]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A fork on a ruleset beside it, with traps, in a folder with a secret beside it."""
    (tmp_path / "secret.yaml").write_text("ruleset: secret\npassword: opensesame\n")
    tree = tmp_path / "tree"
    (tree / "friday").mkdir(parents=True)
    (tree / "base.yaml").write_text(RULES.replace("ruleset: friday", "ruleset: base"))
    (tree / "friday" / "ruleset.yaml").write_text("ruleset: friday\nextends: base\n")
    (tree / "friday" / "more.yaml").write_text("modifiers:\n  cold: {adjust: {vigilance: -2}}\n")
    for each in TRAPS:
        (tree / each).write_text(TRAP)
    return tree


def recorded(tree: Path, *words: str, cache: str = "off") -> tuple[int, list[Any]]:
    """The exit code, and all that the hook saw. `-P`, as for the installed command, keeps the tree off Python's path;
    `-B` stands for its bytecode, which is there already."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("CI", "HOUSERULE_PATH")}
    found = subprocess.run(
        [sys.executable, "-P", "-B", "-c", HOOK, *words],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
        env={**inherited, "PYTHONPATH": os.pathsep.join(map(str, OURS[:2])), "HOUSERULE_CACHE": cache},
    )
    lines = [each for each in found.stderr.splitlines() if each.startswith("SEEN")]
    assert lines, found.stderr
    return found.returncode, json.loads(lines[0].removeprefix("SEEN"))


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        str(each): (each.stat().st_mtime_ns, each.stat().st_size, each.read_bytes() if each.is_file() else b"")
        for each in sorted([folder, *folder.rglob("*")])
    }


def outside(tree: Path, opened: list[str]) -> Iterator[str]:
    """What was opened and lies neither in the tree, nor in the package's own files, nor in Python itself.

    A path without a folder was opened below a handle of one; it is a name that the tree or the package has.
    """
    python = {sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)}
    allowed = tuple({str(tree), *map(str, OURS), *python, *map(os.path.realpath, python)})
    names = {each.name for folder in (tree, *OURS) for each in (folder, *folder.rglob("*"))}
    for each in opened:
        if os.path.isabs(each):
            if not (each.startswith(allowed) or tree.is_relative_to(each)):
                yield each
        elif each not in names:
            yield each


@pytest.mark.parametrize(
    "words",
    [
        ("validate", "--untrusted"),
        ("validate", "friday", "--format", "junit", "--trusted"),
        ("test", "friday", "--untrusted"),
        ("test", "--format", "sarif", "--trusted"),
    ],
)
def test_reads_only_what_it_must_and_changes_nothing(tree: Path, words: tuple[str, ...]) -> None:
    before = snapshot(tree.parent)
    code, seen = recorded(tree, *words)
    assert code == 0
    opened = [path for event, path, _ in seen if event == "open"]
    assert "more.yaml" in opened
    assert list(outside(tree, opened)) == []
    assert "secret.yaml" not in opened
    assert [each for each in seen if each[0] != "open"] == []
    assert [each for each in seen if each[2] & WRITING] == []
    assert snapshot(tree.parent) == before


def test_the_hook_sees_what_it_must(tree: Path) -> None:
    """A command that writes is seen to write, so that the silence above means something."""
    code, seen = recorded(tree, "build", "friday", "-o", "out.json", "--trusted")
    assert code == 0
    assert any(event == "open" and flags & WRITING for event, _, flags in seen)
    assert any(event == "os.rename" for event, _, _ in seen)


def test_a_name_never_leads_out_of_the_tree(tree: Path) -> None:
    """The ruleset beside the tree is no ruleset of it, and a path is no name."""
    (tree / "friday" / "ruleset.yaml").write_text(
        "ruleset: friday\nextends: ../secret\nwith: [secret, /etc/passwd, ../../secret.yaml]\n"
    )
    code, seen = recorded(tree, "validate", "friday", "--untrusted")
    assert code == 1
    opened = [path for event, path, _ in seen if event == "open"]
    assert list(outside(tree, opened)) == []
    assert "secret.yaml" not in opened


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with something in it."""
    made = tmp_path_factory.mktemp("cache") / "houserule"
    made.mkdir(mode=0o700)
    (made / f"{'0' * 64}.build").write_bytes(b"something")
    return made


def test_a_cache_is_all_that_is_written(tree: Path, cache: Path) -> None:
    """Where rules are trusted the user's cache is read and written, and nothing else is, in or beside the tree."""
    before = snapshot(tree.parent)
    code, seen = recorded(tree, "validate", "friday", "--trusted", cache=str(cache))
    assert code == 0
    written = [path for event, path, flags in seen if event == "open" and flags & WRITING]
    assert len(written) == 1
    assert written[0].startswith(f"{cache}{os.sep}.")
    assert {event for event, _, _ in seen} == {"open", "os.rename"} | ({"os.mkdir"} & {event for event, _, _ in seen})
    assert all(path.removeprefix("('").startswith(str(cache)) for event, path, _ in seen if event != "open")
    assert snapshot(tree.parent) == before


def test_strangers_rules_never_touch_the_cache(tree: Path, cache: Path) -> None:
    before = snapshot(cache)
    for words in (("validate", "--untrusted"), ("test", "friday", "--untrusted")):
        code, seen = recorded(tree, *words, cache=str(cache))
        assert code == 0
        assert [each for each in seen if str(cache) in each[1] or each[1].endswith(".build")] == []
    assert snapshot(cache) == before
