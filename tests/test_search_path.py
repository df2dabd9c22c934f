"""A ruleset names others and nothing else: whatever it says, no file outside the search path is opened."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from friday import ROOT, process

RECORD = """
import atexit, os, sys
from houserule_compiler import confined
asked, opened = [], []
real = os.open
def recorded(*words, **named):
    handle = real(*words, **named)
    opened.append(os.path.realpath(f"/proc/self/fd/{handle}"))
    return handle
os.open = recorded
sys.addaudithook(lambda event, words: asked.append(str(words[0])) if event in ("open", "os.listdir") else None)
def tell():
    import json
    with open("opened.json", "w") as file: json.dump({"asked": asked, "opened": opened}, file)
atexit.register(tell)
"""


def write(folder: Path, text: str) -> None:
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(text)


@pytest.fixture
def here(friday_folder: Path) -> Path:
    """Where the user stands, with rulesets beside it that nobody may reach."""
    (friday_folder / "friday.yaml").unlink()
    standing = friday_folder / "here"
    write(standing / "keep", "ruleset: keep\nlanguage: 1\nnumbers: {torch: {base: 30}}\n")
    write(friday_folder / "outside", "ruleset: outside\nlanguage: 1\nnumbers: {torch: {base: 99}}\n")
    (friday_folder / "outside" / "secret.yaml").write_text("password: swordfish\n")
    return standing


def validated(here: Path, *words: str) -> tuple[list[dict[str, Any]], str, dict[str, list[str]]]:
    """The findings, the error stream, and what was opened."""
    found = process(here, "validate", "--format", "json", *words, before=RECORD)
    assert "Traceback" not in found.stderr
    opened = json.loads((here / "opened.json").read_text())
    return [json.loads(line) for line in found.stdout.splitlines()], found.stderr, opened


CASES = {
    "up": ("extends: ../outside", ["bad-ruleset-name"]),
    "up-twice": ("extends: keep\nwith: [../../outside, ../outside/ruleset.yaml]", ["bad-ruleset-name"] * 2),
    "absolute": ("extends: {outside}", ["bad-ruleset-name"]),
    "spellings": ('extends: keep\nwith: [.., "~", \'C:x\', "a\\\\b", "%2e%2e"]', ["bad-ruleset-name"] * 5),
    "address": ("extends: https://example.org/outside", ["bad-ruleset-name"]),
    "to-a-link": ("extends: linked", ["unreadable-ruleset"]),
    "to-a-link-within": ("extends: within", ["unreadable-ruleset"]),
    "to-a-linked-manifest": ("extends: manifest", ["unreadable-ruleset"]),
    "to-a-pipe": ("extends: pipe", ["unreadable-ruleset"]),
    "circle": ("extends: around", ["layer-circle"]),
    "nine-deep": ("extends: deep1", ["layers-too-deep"]),
    "eight-deep": ("extends: deep2", []),
    "too-many": (f"extends: keep\nwith: [{', '.join(f'pack{at}' for at in range(63))}]", ["too-many-layers"]),
    "many": (f"extends: keep\nwith: [{', '.join(f'pack{at}' for at in range(62))}]", []),
    "lost": ("extends: nowhere", ["unknown-ruleset"]),
    "itself": ("extends: itself", ["layer-circle"]),
}


def world(here: Path) -> None:
    """Everything that the cases name."""
    outside = here.parent / "outside"
    (here / "linked").symlink_to(outside)
    write(here / "within", "ruleset: within\nlanguage: 1\n")
    (here / "within" / "more.yaml").symlink_to(outside / "secret.yaml")
    (here / "manifest").mkdir()
    (here / "manifest" / "ruleset.yaml").symlink_to(outside / "ruleset.yaml")
    (here / "pipe").mkdir()
    os.mkfifo(here / "pipe" / "ruleset.yaml")
    write(here / "around", "ruleset: around\nextends: circle\n")
    for at in range(1, 9):
        write(here / f"deep{at}", f"ruleset: deep{at}\nextends: {f'deep{at + 1}' if at < 8 else 'keep'}\n")
    for at in range(63):
        write(here / f"pack{at}", f"ruleset: pack{at}\nlanguage: 1\n")
    for name, (text, _) in CASES.items():
        write(here / name, f"ruleset: {name}\n{text.replace('{outside}', str(outside))}\n")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="what a handle stands for is not known here")
def test_refused_at_its_place_and_nothing_outside_is_opened(here: Path) -> None:
    world(here)
    found, errors, opened = validated(here, *CASES)
    assert errors == ""
    for name, (_, codes) in CASES.items():
        place = "deep8/ruleset.yaml" if name == "nine-deep" else f"{name}/ruleset.yaml"
        assert [each["code"] for each in found if each["path"] == place] == codes, name
    assert len(found) == sum(len(codes) for _, codes in CASES.values())
    assert "swordfish" not in json.dumps(found)
    allowed = [str(ROOT / name) + os.sep for name in ("compiler", "runtime", "rules", "schemas")] + [str(here) + os.sep]
    assert [each for each in opened["opened"] if not (each + os.sep).startswith(tuple(allowed))] == []
    assert [each for each in opened["asked"] if "outside" in each or "secret" in each] == []


def test_two_of_one_name_are_told_where_one_is_named(here: Path) -> None:
    write(here / "friday", "ruleset: friday\nextends: keep\n")
    write(here.parent / "more" / "packs" / "keep", "ruleset: keep\nlanguage: 1\n")
    (found,) = validated(here, "friday", "--path", "../more")[0]
    assert (found["code"], found["line"], found["column"]) == ("ambiguous-ruleset", 2, 10)
    assert found["notes"] == ["they are `../more/packs/keep` and `keep`"]
