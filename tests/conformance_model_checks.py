"""What docs/artifact.md says of checks, dice, seeds and odds, once more: see tests/conformance_model.py."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from conformance_model import UNKNOWN, Frame, Model

Roll = Callable[[str, "Pool"], int]


@dataclass
class Pool:
    """Dice as `(count, faces, which are kept, how many)`, and a constant."""

    terms: list[tuple[int, int, str, int]]
    constant: int = 0

    def total(self, faces: list[int]) -> int:
        """What these faces, term by term, show: those that are kept, before the constant."""
        total, at = 0, 0
        for count, _, which, kept in self.terms:
            shown = sorted(faces[at : at + count], reverse=which == "highest")
            total, at = total + sum(shown[:kept]), at + count
        return total

    def bounds(self) -> tuple[int, int]:
        return sum(kept for *_, kept in self.terms), sum(kept * faces for _, faces, _, kept in self.terms)

    def faces(self) -> list[int]:
        return [faces for count, faces, *_ in self.terms for _ in range(count)]


@dataclass
class Found:
    """What a check left behind."""

    outcome: str = ""
    dice: dict[str, int] = field(default_factory=dict)
    rolls: list[list[tuple[str, Pool]]] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    effects: list[list[Any]] = field(default_factory=list)
    trace: dict[str, Any] = field(default_factory=dict)


def rolled(model: Model, id: str, roll: Roll) -> Found:
    """A check rolled itself, from its start to its outcome and what follows."""
    found = Found()
    run(model, id, Frame(), "", True, roll, found, id)
    found.outcome = found.values.pop("outcome")
    return found


def run(
    model: Model, id: str, at: Frame, prefix: str, follows: bool, roll: Roll, found: Found, name: str
) -> tuple[int, dict[str, Any]]:
    """The code of the outcome, and the locals of the frame."""
    check = model.rules["checks"][id]
    steps = {step["id"]: step for step in check["steps"]}
    at = Frame(at.seats, {}, at.adjusted)
    step = steps[check["start"]]
    while True:
        taken = stepped(model, step, at, prefix, roll, found, name)
        if "go" not in taken:
            break
        step = steps[taken["go"]]
    code = int(model.value(taken["outcome"], at))
    word = check["outcomes"][code]["id"]
    at.locals["outcome"] = code
    found.values[f"{prefix}outcome"] = word
    for then in check["then"] if follows else []:
        if check["outcomes"][code]["id"] == then["outcome"]:
            stepped(model, then["step"], at, prefix, roll, found, name)
    return code, at.locals


def stepped(
    model: Model, step: dict[str, Any], at: Frame, prefix: str, roll: Roll, found: Found, name: str
) -> dict[str, Any]:
    """One step; the case that it takes."""
    own = f"{step['id']}." if step["id"] else ""
    name = f"{name}/{step['id']}" if step["id"] else name
    part(model, step, at, (prefix, own), roll, found, name)
    for case in step["cases"]:
        if "when" not in case or model.value(case["when"], at):
            if case["id"]:
                found.trace[f"{name}/{case['id']}"] = {"kind": "case", "status": "kept"}
            part(model, case, at, (prefix, own), roll, found, name)
            return dict(case)
        if case["id"]:
            found.trace[f"{name}/{case['id']}"] = {"kind": "case", "status": "does_not_apply"}
    raise AssertionError(step)


def part(
    model: Model, node: dict[str, Any], at: Frame, names: tuple[str, str], roll: Roll, found: Found, name: str
) -> None:
    """The dice or the call, the values and the effects of a step or of a case."""
    prefix, own = names
    falls(model, node["roll"], at, names, roll, found, name)
    if "call" in node:
        call = node["call"]
        amounts = [(each["number"], each["op"], model.value(each["value"], at), None) for each in call["adjust"]]
        inner = Frame(at.seats, {}, [*at.adjusted, *amounts]).seated(call["as"])
        inner.adjusted = [*at.adjusted, *amounts]
        before = dict(found.trace)
        code, left = run(model, call["check"], inner, prefix + own, call["then"], roll, found, name)
        found.trace = before
        at.locals.update({own + path: value for path, value in left.items() if value is not UNKNOWN})
        at.locals[f"{own}outcome"] = code
    for each in node["values"]:
        at.locals[own + each["id"]] = model.value(each["value"], at)
        found.values[prefix + own + each["id"]] = at.locals[own + each["id"]]
    for each in node["effects"]:
        if "when" not in each or model.value(each["when"], at):
            role = at.seats.get(each["role"], each["role"])
            found.effects.append([f"{role}.{each['field']}", each["op"], model.value(each["value"], at)])


def falls(
    model: Model, dice: list[Any], at: Frame, names: tuple[str, str], roll: Roll, found: Found, name: str
) -> None:
    """The dice of one roll, in order."""
    prefix, own = names
    together: list[tuple[str, Pool]] = []
    for die in dice:
        path = prefix + own + die["id"]
        if "when" in die and not model.value(die["when"], at):
            at.locals[own + die["id"]] = UNKNOWN
            found.trace[f"{name}/{die['id']}"] = {"kind": "die", "status": "does_not_apply"}
            continue
        pool = pool_of(model, die["dice"], at)
        total = (roll(path, pool) if pool.terms else 0) + pool.constant
        if pool.terms:
            together.append((path, pool))
        at.locals[own + die["id"]] = found.dice[path] = total
        found.trace[f"{name}/{die['id']}"] = {"kind": "die", "value": total}
    if together:
        found.rolls.append(together)


def pool_of(model: Model, expr: Any, at: Frame) -> Pool:
    """The dice that an expression gives."""
    match expr:
        case ["+", *parts]:
            pools = [pool_of(model, each, at) for each in parts]
            return Pool([term for pool in pools for term in pool.terms], sum(pool.constant for pool in pools))
        case ["if", condition, one, other]:
            return pool_of(model, one if model.value(condition, at) else other, at)
        case ["dice", count, faces]:
            return Pool([(count, faces, "highest", count)])
        case ["dice", count, faces, which, kept]:
            return Pool([(count, faces, which, kept)])
        case ["field", *_] | ["fact", *_]:
            code = int(model.value(expr, at))
            return Pool([(code // 1024, code % 1024, "highest", code // 1024)])
    return Pool([], int(expr))


def drawn(seed: object, path: str, faces: int, face: int) -> int:
    """Face k of a die with a seed."""
    tried = 0
    while True:
        digest = hashlib.sha256(f"{seed}|{path}|{face}|{tried}".encode()).digest()
        value = int.from_bytes(digest[:8], "big")
        if value < 2**64 // faces * faces:
            return value % faces + 1
        tried += 1


def seeded(seed: object, shown: dict[str, list[int]]) -> Roll:
    """Rolls by a seed; `shown` gets the faces of each die."""

    def roll(path: str, pool: Pool) -> int:
        shown[path] = [drawn(seed, path, faces, at) for at, faces in enumerate(pool.faces())]
        return pool.total(shown[path])

    return roll


def totals(pool: Pool) -> dict[int, Fraction]:
    """The chance of each total: every fall counted once."""
    counted = Counter(pool.total(list(faces)) for faces in product(*(range(1, each + 1) for each in pool.faces())))
    return {total: Fraction(many, counted.total()) for total, many in counted.items()}


class _MoreError(Exception):
    def __init__(self, pool: Pool) -> None:
        self.pool = pool


def odds(model: Model, id: str, fallen: tuple[int, ...] = ()) -> dict[str, Fraction]:
    """The chance of each outcome that can come, by trying every total of every die."""
    left = list(fallen)

    def roll(path: str, pool: Pool) -> int:
        if not left:
            raise _MoreError(pool)
        return left.pop(0)

    try:
        return {rolled(model, id, roll).outcome: Fraction(1)}
    except _MoreError as more:
        found: dict[str, Fraction] = {}
        for total, chance in totals(more.pool).items():
            for outcome, part_of in odds(model, id, (*fallen, total)).items():
                found[outcome] = found.get(outcome, Fraction(0)) + chance * part_of
        return found
