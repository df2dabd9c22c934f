"""Runs a case of the conformance suite as columns of two equal rows: numbers, odds, checks whose dice are totals."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import houserule
from conformance_runner import loaded
from houserule.dice import Pool, Seeded
from houserule.errors import ArtifactError, FactsError, ProblemsError, UnknownReadError
from houserule.reads import reads_locals
from houserule.values import UNKNOWN, plain

ROWS = 2


def answer(file: Path, case: dict[str, Any]) -> dict[str, Any] | None:
    """What a batch says of both rows, as far as it says it; None for what it is not asked.

    Dice given as faces have no column, and a die that is not needed may hold anything.
    """
    if case["ask"] not in ("number", "check", "odds") or _has_faces(case) or "of" in case:
        return None
    try:
        rows = {"number": _number, "check": _check, "odds": _odds}[case["ask"]](file, case)
    except ArtifactError:
        return {"refused": True}
    except ProblemsError as error:
        return {"problems": sorted([each.code, each.path] for each in error.problems)}
    if rows is None:
        return None
    assert rows[0] == rows[1]
    return rows[0]


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """What is expected of it: no trace, and of what is unknown no name."""
    expect = {key: each for key, each in case["expect"].items() if key != "trace"}
    problems = sorted(expect.get("problems", []))
    if any(code != "impossible" for code, _ in problems):
        # What is impossible is looked for in columns that fit.
        problems = [each for each in problems if each[0] != "impossible"]
    if problems:
        expect["problems"] = problems
    if problems and {code for code, _ in problems} == {"unknown-fact"}:
        return {"unknown": True}
    return expect


def _has_faces(case: dict[str, Any]) -> bool:
    return any(not isinstance(each, int) for each in case.get("dice", {}).values()) or any(
        code == "unneeded-die" for code, _ in case["expect"].get("problems", [])
    )


def columns(facts: Any) -> Any:
    """Facts as columns: lists of each value; what is nested stays so."""
    if not isinstance(facts, Mapping):
        return facts
    return {name: columns(each) if isinstance(each, Mapping) else [each] * ROWS for name, each in facts.items()}


def _number(file: Path, case: dict[str, Any]) -> list[dict[str, Any]] | None:
    rules, id = loaded(file, case), case.get("id", "asked")
    if reads_locals(rules.program, id):
        return None
    found = rules.batch.number(id, _given(case))
    rows = [found[min(row, len(found) - 1)] for row in range(ROWS)]
    return [_said({"value": plain(each)}, each) for each in rows]


def _given(case: dict[str, Any]) -> Any:
    """Columns; where a case gives no facts, there is one row, so that a fact which is optional makes two."""
    return columns(case.get("facts", {}))


def _check(file: Path, case: dict[str, Any]) -> list[dict[str, Any]]:
    rules, id = loaded(file, case), case["id"]
    dice = {path: [each] * ROWS for path, each in _totals(rules, case).items()}
    if not case.get("facts"):
        dice = {path: each[:1] for path, each in dice.items()}
    found = rules.batch.check(id, _given(case), dice, values="all", effects=True)
    return [_left(rules, found, min(row, len(found) - 1)) for row in range(ROWS)]


def _left(rules: houserule.Rules, found: Any, row: int) -> dict[str, Any]:
    known = {path: each for path, each in found.values.items() if each.known is None or each.known[row]}
    dice = rules.check(found.check).dice
    effects = [[each.path, each.op, *_effect(each, row)] for each in found.effects if each.where[row]]
    left = {
        "outcome": found[row],
        "dice": {path: each[row] for path, each in known.items() if path in dice},
        "values": {path: plain(each[row]) for path, each in known.items() if path not in dice},
        "effects": effects,
    }
    return _said(left, found[row])


def _effect(effect: Any, row: int) -> list[Any]:
    return [plain(effect.values["value"][row])] if "value" in effect.values else [None]


def _totals(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, int]:
    """The totals of all dice; with a seed those that its dice show."""
    if "seed" not in case:
        return dict(case.get("dice", {}))
    falls = Falls(case["seed"])
    with suppress(UnknownReadError, ArtifactError, FactsError):
        facts = rules.checked(case.get("facts", {}), rules.reads_of_check(case["id"]))
        rules.fast.check(case["id"])[0](facts, falls.roll, lambda _: None, "")
    return falls.shown


class Falls:
    """Dice from a seed, with what their faces showed."""

    def __init__(self, seed: int) -> None:
        self.seeded = Seeded(seed)
        self.shown: dict[str, int] = {}

    def roll(self, path: str, value: Pool | int) -> int:
        pool = value if isinstance(value, Pool) else Pool((), int(value))
        total = self.seeded.roll(path, pool).value
        if pool.terms:
            self.shown[path] = total - pool.constant
        return total


def _odds(file: Path, case: dict[str, Any]) -> list[dict[str, Any]]:
    rules, id = loaded(file, case), case["id"]
    found = rules.batch.odds(id, _given(case))
    rows = [found[min(row, len(found) - 1)] for row in range(ROWS)]
    return [_said({"odds": _texts(each)}, each) for each in rows]


def _texts(chances: Any) -> Any:
    return chances if chances is UNKNOWN else {word: str(each) for word, each in chances.items()}


def _said(found: dict[str, Any], value: object) -> dict[str, Any]:
    return {"unknown": True} if value is UNKNOWN else found
