"""Runs a case of the conformance suite with generated code: numbers, and checks whose dice are sound."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import houserule
from conformance_runner import loaded, traced
from houserule.dice import Given, Pool, Seeded
from houserule.errors import ArtifactError, ProblemsError, UnknownReadError
from houserule.evaluate import Evaluator, Frame
from houserule.facts import checked, unknown_problems
from houserule.fast import Fast
from houserule.questions import places
from houserule.reads import reads_locals
from houserule.values import UNKNOWN, plain


def answer(file: Path, case: dict[str, Any]) -> dict[str, Any] | None:
    """What generated code says, as far as it says it; None for what it is not asked.

    It is not asked for the odds of values, nor for tables and rounds; and facts and dice are checked before it runs.
    """
    wrong_dice = "dice" in case and "problems" in case["expect"]
    ask = {"number": _number, "check": _check, "odds": _odds}.get(case["ask"])
    if ask is None or wrong_dice or case.get("of"):
        return None
    try:
        found = ask(file, case)
    except ArtifactError:
        found = {"refused": True}
    except UnknownReadError as error:
        found = {"problems": [["unknown-fact", error.path]]}
    except ProblemsError as error:
        found = {"problems": sorted([each.code, each.path] for each in error.problems)}
    return found


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """What is expected of it: of effects their number alone."""
    expect = dict(case["expect"])
    if "problems" in expect:
        expect["problems"] = sorted(expect["problems"])
    if "effects" in expect:
        expect["effects"] = len(expect["effects"])
    return expect


@cache
def _fast(rules: houserule.Rules) -> Fast:
    return Fast(rules.program, rules.chosen_options)


def _number(file: Path, case: dict[str, Any]) -> dict[str, Any] | None:
    rules, id = loaded(file, case), case.get("id", "asked")
    if reads_locals(rules.program, id):
        return None
    facts = checked(rules.program, case.get("facts", {}), rules.reads_of_number(id), rules.chosen_options)
    number = rules.program.numbers[id]
    evaluator = Evaluator(rules.program, facts, rules.chosen_options, None)
    lacking = evaluator.unknown(number.needs, Frame().seated(number.seats))
    if lacking:
        raise unknown_problems(lacking)
    value = _fast(rules).number(id)(facts)
    plan = _fast(rules).traces.of(id, Frame().seated(number.seats).binding)
    trace = houserule.Trace(plan.root(plan.function(facts)), rules.program.origins)
    return {"value": plain(value), "trace": traced(trace, case)}


def _odds(file: Path, case: dict[str, Any]) -> dict[str, Any]:
    check = loaded(file, case).check(case["id"])
    return {"odds": check._weighing()(case.get("facts", {})).to_dict()}


def _check(file: Path, case: dict[str, Any]) -> dict[str, Any]:
    rules, id = loaded(file, case), case["id"]
    facts = checked(rules.program, case.get("facts", {}), rules.reads_of_check(id), rules.chosen_options)
    given = case.get("dice", {})
    rules.check(id)._known_dice(given)
    roller = Seeded(case["seed"]) if "seed" in case else Given(given)
    dice: dict[str, int] = {}
    faces: dict[str, tuple[int, ...] | None] = {}

    def roll(path: str, value: Pool | int) -> int:
        fallen = roller.roll(path, value if isinstance(value, Pool) else Pool((), int(value)))
        dice[path], faces[path] = fallen.value, fallen.faces
        roller.settle()
        return dice[path]

    function, paths = _fast(rules).check(id)
    effects: list[object] = []
    outcome, *left = function(facts, roll, effects.append, "")
    if isinstance(roller, Given):
        roller.finish()
    held = {path: value for path, value in zip(paths, left, strict=True) if value is not UNKNOWN}
    types, shown = dict(places(rules.program, rules.program.checks[id])), Evaluator(rules.program, {}, {}, None).shown
    values = {path: plain(shown(value, type)) for path, value in held.items() if (type := types.get(path))}
    entry = _fast(rules).traces.check(rules.program.checks[id]).root((facts, [outcome, *left], faces))
    return {
        "outcome": rules.check(id).outcomes[outcome],
        "dice": dice,
        "effects": len(effects),
        "values": values,
        "trace": traced(houserule.Trace(entry, rules.program.origins), case),
    }
