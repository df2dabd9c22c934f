"""Random small checks, to try odds against enumeration: steps, calls, conditional dice, numbers, what follows."""

from __future__ import annotations

from random import Random
from typing import Any

OUTCOMES = ["a", "b", "c"]


def rules(seed: int) -> dict[str, Any]:
    """Rules with three checks; a later one may call an earlier one."""
    chance = Random(seed)
    checks: list[dict[str, Any]] = []
    for name in ("one", "two", "three"):
        checks.append(_check(chance, name, [each["id"] for each in checks], seed))
    return {
        "entities": [
            {"id": "e", "fields": [{"id": "n", "type": {"type": "integer", "low": -9, "high": 9}, "default": 1}]}
        ],
        "roles": [{"id": "me", "entity": "e"}, {"id": "you", "entity": "e"}],
        "modifiers": [{"id": "m"}],
        "numbers": [
            {
                "id": "k",
                "base": ["field", "me", "n"],
                "entries": [{"modifier": "m", "op": "add", "value": 1, "when": [">", ["field", "you", "n"], 0]}],
            }
        ],
        "checks": checks,
    }


def _check(chance: Random, id: str, earlier: list[str], seed: int) -> dict[str, Any]:
    names = ["s", "t", "u"][: chance.randint(1, 3)]
    steps = [_step(chance, name, names[at + 1 :], earlier) for at, name in enumerate(names)]
    check: dict[str, Any] = {"id": id, "outcomes": OUTCOMES, "start": "s", "steps": steps}
    if chance.random() < 0.5:
        step = {
            "id": "b",
            "roll": [{"id": "p", "dice": ["dice", 1, 3]}],
            "values": [{"id": "q", "value": ["*", 2, ["local", "b.p"]]}],
        }
        check["then"] = [{"outcome": "b", "step": step}]
    return check


def _step(chance: Random, id: str, later: list[str], earlier: list[str]) -> dict[str, Any]:
    step: dict[str, Any] = {"id": id}
    if earlier and chance.random() < 0.4:
        step["call"] = {
            "check": chance.choice(earlier),
            "as": {"me": "you", "you": "me"} if chance.random() < 0.5 else {},
            "adjust": [{"number": "k", "op": "add", "value": chance.randint(-2, 2)}],
            "then": chance.random() < 0.5,
        }
        local = ["local", f"{id}.outcome"]
    else:
        step["roll"] = [
            {"id": "d", "dice": _dice(chance)},
            {"id": "e", "dice": ["dice", 1, 2], "when": ["==", ["local", f"{id}.d"], 2]},
        ]
        step["values"] = [
            {
                "id": "v",
                "value": [
                    "+",
                    ["local", f"{id}.d"],
                    ["if", ["known", ["local", f"{id}.e"]], ["local", f"{id}.e"], 0],
                    ["number", "k"],
                ],
            }
        ]
        local = ["local", f"{id}.v"]
    step["cases"] = [_case(chance, local, later), _case(chance, local, later), _end(chance, later)]
    return step


def _case(chance: Random, local: list[str], later: list[str]) -> dict[str, Any]:
    when = [chance.choice(["<", "==", ">"]), local, chance.randint(0, 5)]
    return {"when": when, **_end(chance, later)}


def _end(chance: Random, later: list[str]) -> dict[str, Any]:
    return {"go": chance.choice(later)} if later and chance.random() < 0.6 else {"outcome": chance.randint(0, 2)}


def _dice(chance: Random) -> list[Any]:
    dice = ["dice", chance.randint(1, 2), chance.randint(2, 3)]
    return ["+", dice, chance.randint(-1, 1)] if chance.random() < 0.3 else dice
