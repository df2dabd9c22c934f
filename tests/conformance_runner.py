"""Runs a case of the conformance suite with this runtime, by its reference evaluator or by generated code."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import houserule
from artifacts import complete, sealed
from conformance_cases import rules_of
from houserule import ArtifactError, ProblemsError
from houserule.values import plain


def answer(file: Path, case: dict[str, Any]) -> dict[str, Any]:
    """What this runtime says, in the form of `expect` and with the parts that it names."""
    try:
        rules = loaded(file, case)
        found = ASKED[case["ask"]](rules, case)
    except ArtifactError as error:
        return {"refused": str(error).count("\n") == 0}
    except ProblemsError as error:
        wanted = case["expect"].get("problems", [])
        problems = [[each.code, each.path] for each in error.problems]
        return {"problems": wanted if sorted(wanted) == sorted(problems) else problems}
    return {key: found.get(key) for key in case["expect"]}


def loaded(file: Path, case: dict[str, Any]) -> houserule.Rules:
    """The rules of a case; many cases ask the same ones."""
    if {"text", "set", "remove", "options"} & case.keys():
        return houserule.load(artifact(file, case), options=case.get("options"))
    return _kept(file, json.dumps({key: case[key] for key in ("with", "number") if key in case}))


@cache
def _kept(file: Path, own: str) -> houserule.Rules:
    return houserule.load(artifact(file, json.loads(own)))


def artifact(file: Path, case: dict[str, Any]) -> dict[str, Any] | bytes:
    """The completed artifact of a case, with its changes."""
    if "text" in case:
        return str(case["text"]).encode()
    root = complete(rules_of(file, case))
    for path in case.get("remove", []):
        *steps, last = path.split("/")[1:]
        del reached(root, steps)[place(reached(root, steps), last)]
    for path, value in case.get("set", {}).items():
        *steps, last = path.split("/")[1:]
        reached(root, steps)[place(reached(root, steps), last)] = value
    return root if case.get("keep_hash") else sealed(copy.deepcopy(root))


def reached(node: Any, steps: list[str]) -> Any:
    for step in steps:
        node = node[place(node, step)]
    return node


def place(node: Any, step: str) -> int | str:
    return int(step) if isinstance(node, list) else step


def number(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    asked = rules.number(case.get("id", "asked"))
    facts = case.get("facts", {})
    trace = asked.explain(facts)
    return {"value": plain(asked.value(facts)), "trace": traced(trace, case)}


def check(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    asked = rules.check(case["id"])
    facts = case.get("facts", {})
    result = asked.roll(facts, seed=case["seed"]) if "seed" in case else asked.resolve(facts, case.get("dice", {}))
    return {
        "outcome": result.outcome,
        "dice": result.dice,
        "values": {path: plain(value) for path, value in result.values.items()},
        "effects": [[effect.path, effect.op, plain(effect.value)] for effect in result.effects],
        "trace": traced(result.trace, case),
    }


def traced(trace: houserule.Trace, case: dict[str, Any]) -> dict[str, Any]:
    """The named parts of the named entries; the whole trace must be JSON."""
    json.dumps(trace.to_dict())
    found = {}
    for id, parts in case["expect"].get("trace", {}).items():
        entry = trace.find(id)
        found[id] = None if entry is None else {key: entry.to_dict(id, trace.origins).get(key) for key in parts}
    return found


def odds(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    found = rules.check(case["id"]).odds(case.get("facts", {}), of=case.get("of", ""))
    assert sum(chance for _, chance in found.items()) == Fraction(1)
    return {"odds": found.to_dict()}


def table(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    found = rules.table(case["id"])[tuple(case["keys"])]
    if isinstance(found, houserule.Cells):
        return {"cells": {column: plain(value) for column, value in found.to_dict().items()}}
    return {"value": plain(found)}


def reads(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    return {"reads": sorted(each.path for each in rules.facts_for(case["id"]))}


def order(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    found = rules.sequence(case["id"]).order(case["encounter"], case.get("seed"))
    data = json.loads(json.dumps(found.to_dict()))
    moments = [*found.moments(), *found.coming, *found.lost]
    return {
        **data,
        "order": [line(group) for group in found.groups],
        "keys": [list(group[0].key) for group in found.groups],
        "left_out": {each.name: each.reason for each in found.left_out},
        "lost": [each.name for each in found.lost],
        "may_spoil": {each.name: list(each.may_be_spoiled_by) for each in moments if each.may_be_spoiled_by},
        "effects": [happened(each) for each in data["effects"]],
        "trace": traced(found.trace, case),
    }


def line(group: tuple[houserule.PlacedMoment, ...]) -> str:
    where = group[0].step + ("" if group[0].segment is None else f" {group[0].segment}")
    return f"{where}: {' + '.join(sorted(str(each) for each in group))}"


def happened(effect: dict[str, Any]) -> list[Any]:
    return (
        [effect["event"], effect["arguments"]] if "event" in effect else [effect["path"], effect["op"], effect["value"]]
    )


def action(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    found = rules.action(case["id"]).allowed(case["facts"])
    return {**found.to_dict(), "trace": traced(found.trace, case)}


def due(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    found = rules.due(case["facts"], before=case.get("before"))
    return {**found.to_dict(), "triggers": [each.trigger for each in found], "trace": traced(found.trace, case)}


def load(rules: houserule.Rules, case: dict[str, Any]) -> dict[str, Any]:
    return {"refused": False}


ASKED = {"number": number, "check": check, "odds": odds, "table": table, "reads": reads, "load": load}
ASKED |= {"order": order, "action": action, "due": due}
