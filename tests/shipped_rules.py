"""The shipped rulesets, each compiled and tried once for all tests that look at them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import Compiled, ExampleReport, compile_ruleset, try_examples

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules"
FOLDERS = {each.parent.name: each.parent for each in sorted(RULES.rglob("ruleset.yaml"))}


def files(name: str) -> Files | None:
    """The files of a shipped ruleset."""
    if name not in FOLDERS:
        return None
    paths = sorted(FOLDERS[name].glob("*.yaml"))
    return Files(name, tuple((f"rules/{name}/{each.name}", each.read_bytes()) for each in paths))


@cache
def built(name: str) -> Compiled:
    """What came of compiling a shipped ruleset."""
    schema = json.loads((ROOT / "schemas" / "rules.schema.json").read_text("utf-8"))
    return compile_ruleset(name, files, schema, Limits(), FOLDERS.keys)


@cache
def tried(name: str) -> ExampleReport:
    """What came of its examples."""
    return try_examples(built(name))


def concrete() -> list[str]:
    """The rulesets that can be played: those whose manifest does not say `abstract`."""
    return [each for each in FOLDERS if "\nabstract: true" not in (FOLDERS[each] / "ruleset.yaml").read_text("utf-8")]


def read_yaml(path: Path) -> Any:
    """A YAML file as plain data."""
    return YAML(typ="safe", pure=True).load(path.read_text("utf-8"))


@cache
def sections(name: str) -> dict[str, Any]:
    """Every definition of a ruleset and of those below it, as written, by section and id: `tables.charisma`."""
    found: dict[str, Any] = {}
    for folder in [*map(FOLDERS.get, below(name)), FOLDERS[name]]:
        assert folder is not None
        for path in sorted(folder.glob("*.yaml")):
            found = definitions(read_yaml(path), found)
    return found


def below(name: str) -> list[str]:
    """The rulesets that one stands on, the lowest first."""
    manifest = read_yaml(FOLDERS[name] / "ruleset.yaml")
    named = [manifest[key] for key in ("extends",) if key in manifest] + list(manifest.get("with", []))
    return [each for one in named for each in (*below(one), one)]


def definitions(file: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The definitions of one more file; a long path at the margin only adds to one that stands elsewhere."""
    whole = {
        f"{key}.{id}": each for key, value in file.items() if isinstance(value, dict) for id, each in value.items()
    }
    return before | {id: each for id, each in whole.items() if id.count(".") == 1}
