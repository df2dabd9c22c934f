"""Diagnostics as a SARIF 2.1.0 log, the form in which code scanning services take findings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from .characters import visible
from .diagnostics import Diagnostic, Label, Severity

MOST_RESULTS = 5_000
"""A service refuses a log with very many results, or keeps the first; those that weigh most stand first here."""
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(
    diagnostics: Sequence[Diagnostic],
    version: str,
    about: Callable[[str], str],
    folder: str = "",
    is_whole: bool = True,
) -> str:
    """The log of one run, as JSON. `about` gives what a code means in a sentence; `folder` is where the user stands,
    from the top of the checkout; `is_whole` is false where something could not be examined."""
    ordered = [each for severity in Severity for each in diagnostics if each.severity is severity]
    shown = ordered[:MOST_RESULTS]
    codes = sorted({each.code for each in shown})
    driver = {"name": "houserule", "version": version, "rules": [_rule(each, about(each)) for each in codes]}
    notices = [_left_out(len(ordered))] if len(ordered) > len(shown) else []
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": is_whole, "toolExecutionNotifications": notices}],
        "results": [_result(each, codes.index(each.code), folder) for each in shown],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=1) + "\n"


def _rule(code: str, about: str) -> dict[str, Any]:
    described = {"shortDescription": {"text": about}} if about else {}
    return {"id": code, **described, "help": {"text": f"houserule diagnostic {code}"}}


def _left_out(number: int) -> dict[str, Any]:
    text = f"{number - MOST_RESULTS} of {number} findings are left out; `--format json` prints them all"
    return {"level": "warning", "message": {"text": text}}


def _result(found: Diagnostic, rule: int, folder: str) -> dict[str, Any]:
    others = [_location(each, folder, number) for number, each in enumerate(found.labels[1:], 1)]
    remarks = [*(f"note: {each}" for each in found.notes), *([f"help: {found.help}"] if found.help else [])]
    lines = [line for each in remarks for line in each.split("\n")]
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": found.severity.value,
        "message": {"text": "\n".join(map(visible, [found.headline, *lines]))},
        "locations": [_location(found.labels[0], folder)],
        **({"relatedLocations": others} if others else {}),
    }


def _location(label: Label, folder: str, id: int | None = None) -> dict[str, Any]:
    file = label.span.file
    line, column = file.position(label.span.start)
    end_line, end_column = file.position(label.span.end)
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    place = {"artifactLocation": _file(folder + file.name), "region": region}
    return {
        **({"id": id} if id is not None else {}),
        "physicalLocation": place,
        **({"message": {"text": visible(label.text)}} if label.text else {}),
    }


def _file(path: str) -> dict[str, str]:
    return {"uri": quote(path, safe="/", errors="surrogateescape")}
