"""The conformance suite as data: its files, its cases, and the rules of each case."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILES = sorted((Path(__file__).parent / "conformance").glob("*.json"))


@cache
def read(file: Path) -> dict[str, Any]:
    """One file of the suite."""
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def rules_of(file: Path, case: dict[str, Any]) -> dict[str, Any]:
    """The sections of a case: those of its file, and its own."""
    rules = dict(read(file)["rules"])
    for key, value in case.get("with", {}).items():
        rules[key] = value if isinstance(value, dict) else [*rules.get(key, []), *value]
    if "number" in case:
        rules["numbers"] = [*rules.get("numbers", []), {"id": "asked", **case["number"]}]
    return rules


CASES = [(file, case) for file in FILES for case in read(file)["cases"]]
