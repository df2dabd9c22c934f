"""Artifacts from the few parts that a test is about: the completion that tests/conformance/README.md describes."""

from __future__ import annotations

import copy
from typing import Any

import houserule

SECTIONS = ("choices", "entities", "roles", "facts", "options", "conditions", "impossible", "tables", "numbers")
SECTIONS += ("modifiers", "stacking", "checks", "events", "actions", "triggers", "sequences", "rulings")
WIDE = {"type": "integer", "low": -1_000_000, "high": 1_000_000}
PART = {"roll": [], "values": [], "effects": []}


def complete(rules: dict[str, Any], requires: list[str] | None = None) -> dict[str, Any]:
    """A whole artifact: absent sections are empty, required parts that are absent are filled in, the hash is right."""
    rules = copy.deepcopy(rules)
    origins = {"origins": rules.pop("origins")} if "origins" in rules else {}
    sections = {key: sorted(rules.pop(key, []), key=lambda each: each["id"]) for key in SECTIONS}
    assert not rules, rules
    for number in sections["numbers"]:
        _default(number, type=WIDE, entries=[], needs=[], cost=1)
        for entry in number["entries"]:
            _default(entry, needs=[])
        number["entries"].sort(key=lambda each: each["modifier"])
    for check in sections["checks"]:
        _default(check, then=[], reads=[], cost=1)
        steps = check.setdefault(
            "steps", [{"id": "", **{key: check.pop(key) for key in (*PART, "cases") if key in check}}]
        )
        check.setdefault("start", steps[0]["id"])
        check["outcomes"] = [word if isinstance(word, dict) else {"id": word} for word in check["outcomes"]]
        for step in (*steps, *(each["step"] for each in check["then"])):
            _step(step)
    for each in sections["conditions"]:
        _default(each, text=each["id"])
    for each in sections["impossible"]:
        _default(each, text=each["id"], needs=[])
    for each in sections["choices"]:
        _default(each, attributes=[], ordered=False)
        each["words"] = [word if isinstance(word, dict) else {"id": word} for word in each["words"]]
    return sealed(
        {
            "format": "houserule",
            "format_version": 1,
            "requires": requires or [],
            "ruleset": {"id": "tests", "title": "", "version": "1", "license": "", "layers": [], "sources": {}},
            **sections,
            **origins,
        }
    )


def sealed(root: dict[str, Any]) -> dict[str, Any]:
    """The artifact with the hash of its content."""
    return copy.deepcopy({**root, "content_hash": houserule.content_hash(root)})


def load(rules: dict[str, Any], **options: object) -> houserule.Rules:
    """The rules of a completed artifact."""
    return houserule.load(complete(rules), options=options)


def _default(node: dict[str, Any], **parts: Any) -> None:
    for key, value in parts.items():
        node.setdefault(key, copy.deepcopy(value))


def _step(step: dict[str, Any]) -> None:
    _default(step, **PART)
    _default(step, cases=[{"id": ""}])
    if "call" in step:
        _default(step["call"], **{"as": {}, "adjust": [], "then": False})
    for part in (step, *step["cases"]):
        _default(part, id="", **PART)
        part["values"] = [{"type": WIDE, **value} for value in part["values"]]
        for die in part["roll"]:
            _default(die, low=-1_000_000, high=1_000_000)
