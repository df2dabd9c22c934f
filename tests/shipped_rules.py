"""The shipped rulesets, each compiled and tried once for all tests that look at them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

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
