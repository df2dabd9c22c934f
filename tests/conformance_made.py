"""The cases of tests/conformance/made-*.json with the answers of the models. Run this file to write them anew.

Everything is chosen by hash, so that the files are the same on every system and version of Python. No module of the
product is imported.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import made_checks
import made_numbers
import made_refused
import made_sides

FOLDER = Path(__file__).parent / "conformance"
FAMILIES = {
    "operators": made_numbers.operators,
    "stacking": made_numbers.stacking,
    "adjustments": made_numbers.adjustments,
    "facts": made_numbers.facts,
    "checks": made_checks.checks,
    "dice": made_checks.dice,
    "tables": made_checks.tables,
    "sides": made_sides.sides,
    "kinds": made_refused.kinds,
    "entries": made_refused.entries,
    "artifacts": made_refused.artifacts,
    "limits": made_refused.limits,
}


def files() -> dict[str, str]:
    """The text of every made file, by name: one case a line."""
    return {f"made-{name}.json": text(*make()) for name, make in FAMILIES.items()}


def text(about: str, rules: dict[str, Any], cases: list[dict[str, Any]]) -> str:
    """A file of the suite."""
    numbered = [
        {"title": f"{at:03}: {case['title']}", **{k: v for k, v in case.items() if k != "title"}}
        for at, case in enumerate(cases)
    ]
    lines = ",\n  ".join(json.dumps(case, ensure_ascii=False) for case in numbered)
    sections = ",\n".join(f'  "{key}": {json.dumps(part)}' for key, part in rules.items())
    return f'{{\n"about": "{about}",\n"rules": {{\n{sections}\n}},\n"cases": [\n  {lines}\n]\n}}\n'


if __name__ == "__main__":
    for name, written in files().items():
        (FOLDER / name).write_text(written, "utf-8")
