"""The artifact is a value: the same rules give the same bytes, whatever hash seed, folder and order of files."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from houserule_compiler.emit import canonical, content_hash, emit
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import compile_ruleset
from layering import shipped
from literate import schema

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules" / "odnd-morale"


def built(folder: Path, seed: str, to: Path) -> bytes:
    """What the command `build` writes for a folder, in a process with that hash seed."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "compiler"), str(ROOT / "runtime")]),
    }
    environment.pop("CI", None)
    command = [sys.executable, "-m", "houserule_compiler", "build", str(folder), "-o", str(to)]
    subprocess.run(command, env=environment, check=True, cwd=folder.parent, capture_output=True)
    return to.read_bytes()


def compiled(files: list[tuple[str, bytes]]) -> bytes:
    """The artifact of some files, in this process."""
    own = Files("odnd-morale", tuple(files))
    found = compile_ruleset(own.name, lambda name: own if name == own.name else shipped(name), schema(), Limits())
    assert found.artifact is not None, found.diagnostics
    return found.artifact


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, bytes]]:
    return [(each.name, each.read_bytes()) for each in sorted(RULES.glob("*.yaml"))]


def test_hash_seed_and_folder_change_nothing(tmp_path: Path) -> None:
    one, other = tmp_path / "one" / "odnd-morale", tmp_path / "other" / "deeper" / "odnd-morale"
    for folder in (one, other):
        shutil.copytree(RULES, folder)
    first = built(one, "0", tmp_path / "first.rules.json")
    again = built(other, "4242", tmp_path / "again.rules.json")
    assert first == again


def test_order_of_files_changes_nothing(texts: list[tuple[str, bytes]]) -> None:
    first = compiled(texts)
    for seed in range(3):
        shuffled = random.Random(seed).sample(texts, len(texts))
        assert compiled(shuffled) == first


def test_line_endings_change_nothing(texts: list[tuple[str, bytes]]) -> None:
    assert compiled([(name, text.replace(b"\n", b"\r\n")) for name, text in texts]) == compiled(texts)


def test_hash_is_of_all_but_itself_and_where_rules_stand(texts: list[tuple[str, bytes]]) -> None:
    program = json.loads(compiled(texts))
    stated = program.pop("content_hash")
    program.pop("origins")
    assert stated == f"sha256:{sha256(canonical(program)).hexdigest()}" == content_hash(program)


def test_the_hash_is_of_what_rules_mean(texts: list[tuple[str, bytes]]) -> None:
    """A remark and an empty line move every line below and change no meaning; one figure changes it."""
    first = json.loads(compiled(texts))
    moved = json.loads(compiled([(name, b"# A remark.\n\n" + text) for name, text in texts]))
    assert moved["content_hash"] == first["content_hash"]
    assert {key for key in first if first[key] != moved[key]} == {"origins"}
    other = json.loads(compiled([(name, text.replace(b"{morale: +3}", b"{morale: +2}")) for name, text in texts]))
    assert other["content_hash"] != first["content_hash"]


def test_no_place_of_the_machine(tmp_path: Path) -> None:
    """Files are named by their path within the ruleset, also those of folders in it."""
    folder = tmp_path / "friday"
    (folder / "deep").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text("ruleset: friday\nlanguage: 1\nnumbers: {a: {base: 1}}\n")
    (folder / "deep" / "more.yaml").write_text("numbers: {b: {base: 2}}\n")
    data = built(folder, "1", tmp_path / "out.rules.json")
    files = [(each["layer"], each["file"]) for each in json.loads(data)["origins"]["files"]]
    assert files == [("friday", "deep/more.yaml"), ("friday", "ruleset.yaml")]
    assert str(tmp_path).encode() not in data


def test_canonical_form() -> None:
    assert canonical({"b": [1, True, None], "a": "é"}) == '{"a":"é","b":[1,true,null]}'.encode()
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def test_bytes_end_in_one_line_break() -> None:
    assert emit({"numbers": []}).endswith(b"}\n")
    assert emit({"numbers": []}).count(b"\n") == 1
    assert emit({"a": 1, "b": 2}) == emit({"b": 2, "a": 1})
