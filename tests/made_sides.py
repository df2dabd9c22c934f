"""Made cases of what is asked of all sides of an encounter: see tests/conformance_made.py."""

from __future__ import annotations

from itertools import product
from typing import Any

from made_numbers import Made, whole

SURPRISED = ["field", "side", "surprised"]
STRONG = [">", ["field", "side", "heads"], 3]
ASKED: dict[str, Any] = {
    "any_surprised": ["any", SURPRISED],
    "all_surprised": ["all", SURPRISED],
    "none_surprised": ["not", ["any", SURPRISED]],
    "two_surprised": ["==", ["count_of", SURPRISED], 2],
    "most_strong": [">=", ["count_of", STRONG], 2],
    "strong_and_calm": ["any", ["and", STRONG, ["not", SURPRISED]]],
}
SIDES = [(False, 1), (True, 3), (False, 4), (True, 9)]


def holds(id: str, sides: tuple[tuple[bool, int], ...]) -> bool:
    """Whether what is asked holds of some sides, each surprised or not, of so many heads."""
    surprised, strong = [each for each, _ in sides], [heads > 3 for _, heads in sides]
    return {
        "any_surprised": True in surprised,
        "all_surprised": False not in surprised,
        "none_surprised": True not in surprised,
        "two_surprised": surprised.count(True) == 2,
        "most_strong": strong.count(True) >= 2,
        "strong_and_calm": any(b and not a for a, b in zip(surprised, strong, strict=True)),
    }[id]


def sequence(id: str, when: Any) -> dict[str, Any]:
    moment = {"id": "blow", "threat": [], "cases": [{"id": "", "step": 0}]}
    return {
        "id": id, "actor": "somebody", "side": "side", "when": when, "facts": [], "values": [],
        "steps": [{"id": "go", "as": {}, "steps": []}], "places": [{"action": "act", "moments": [moment]}],
    }  # fmt: skip


def sides() -> Made:
    """Encounters of one to three sides; whoever acts does so only where what is asked of all sides holds."""
    fields = [{"id": "surprised", "type": {"type": "boolean"}, "default": False}, {"id": "heads", "type": whole(1, 9)}]
    rules = {
        "entities": [{"id": "side", "fields": fields}, {"id": "somebody", "fields": []}],
        "sequences": [sequence(id, when) for id, when in sorted(ASKED.items())],
    }
    cases: list[dict[str, Any]] = []
    for id in ASKED:
        for many in (1, 2, 3):
            for at, drawn in enumerate(product(SIDES, repeat=many)):
                if at % (many**3):
                    continue
                expect = {"order": [], "left_out": {"a act": "when"}}
                expect = {"order": ["go: a blow"], "left_out": {}} if holds(id, drawn) else expect
                cases.append(
                    {
                        "title": f"{id}, {many} sides",
                        "ask": "order",
                        "id": id,
                        "encounter": met(drawn),
                        "expect": expect,
                    }
                )
        for title, wrong, problem in (
            ("no truth", {"surprised": 1, "heads": 1}, ["wrong-type", "sides.s0.surprised"]),
            ("too many heads", {"heads": 10}, ["out-of-range", "sides.s0.heads"]),
            ("no such field", {"heads": 1, "mood": 1}, ["unknown-name", "sides.s0.mood"]),
        ):
            encounter = {"actors": {"a": {"side": "s0", "does": {"act": {}}}}, "sides": {"s0": wrong}}
            cases.append({"title": f"{id}, {title}", "ask": "order", "id": id, "encounter": encounter,
                          "expect": {"problems": [problem]}})  # fmt: skip
    return "What is asked of all sides of an encounter: any, all, and how many.", rules, cases


def met(drawn: tuple[tuple[bool, int], ...]) -> dict[str, Any]:
    found = {f"s{at}": {"surprised": surprised, "heads": heads} for at, (surprised, heads) in enumerate(drawn)}
    return {"actors": {"a": {"side": "s0", "does": {"act": {}}}}, "sides": found}
