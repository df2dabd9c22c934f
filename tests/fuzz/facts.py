"""Any JSON as the facts, the dice or the round of shipped rules: answered, or refused by name; by both evaluators."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import houserule
from houserule import Rules
from houserule.dice import Given
from shipped_rules import built

from .asking import _left, _some, _told, encountered, situation
from .draw import Draw

NAMES = ("swords-wizardry", "osric")
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 30, 10**6, 2**53, -(2**63), 10**400, 0.5, float("nan"), float("inf"), 1e308),
    *("", "1", "-1", "1/2", "1/0", "4+3", "2d6", "0d0", "unknown", "true", "no", " 3", "3 ", "٣", "²", "+", "x" * 300),
    *("\x1b[2J", "\ud800", "a\nb", "::error::x", [], {}, [[]], [1, 2], ["a", "a"], {"": 1}, {"a": {"b": 1}}, [None]),
)


def one_input(data: bytes) -> None:
    """Asks shipped rules with what stands there, or with what these choices make."""
    asked = question(data)
    if not isinstance(asked, dict):
        asked = {"facts": asked}
    rules = shipped(NAMES[asked.get("rules") in (1, "osric")])
    facts, chance = asked.get("facts", {}), Random(len(data))
    if isinstance(facts, dict):
        for id in _some(chance, rules.program.numbers)[:2]:
            _same(lambda id=id: rules.number(id).value(facts), lambda id=id: _reference(rules, id, facts))
        for id in _some(chance, rules.program.checks)[:1]:
            _same(*_rolled(rules, id, facts))
            if isinstance(dice := asked.get("dice"), dict):
                _same(*_resolved(rules, id, facts, dice))
        _told(lambda: rules.due(facts), False)
    if isinstance(keys := asked.get("keys"), list):
        for id in _some(chance, rules.program.tables)[:4]:
            _told(lambda id=id: rules.table(id)[tuple(keys)], False)
    if isinstance(encounter := asked.get("encounter"), dict):
        for id in _some(chance, rules.sequences)[:1]:
            _told(lambda id=id: str(rules.sequence(id).order(encounter, seed=1).trace), False)


def _same(quick: Callable[[], Any], plain: Callable[[], Any]) -> None:
    assert _told(quick, False) == _told(plain, False)


def _reference(rules: Rules, id: str, facts: dict[str, Any]) -> Any:
    return rules.number(id)._answered(facts, None)


def _rolled(rules: Rules, id: str, facts: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[], Any]]:
    from houserule.dice import Seeded

    check = rules.check(id)
    return lambda: _left(check.roll(facts, seed=3)), lambda: _left(check._run(facts, Seeded(3)))


def _resolved(rules: Rules, id: str, facts: dict[str, Any], dice: Any) -> tuple[Callable[[], Any], Callable[[], Any]]:
    check = rules.check(id)

    def plain() -> Any:
        check._known_dice(dice)
        roller = Given(dice)
        result = check._run(facts, roller)
        roller.finish()
        return _left(result)

    return lambda: _left(check.resolve(facts, dice)), plain


@cache
def shipped(name: str) -> Rules:
    """Shipped rules, loaded."""
    artifact = built(name).artifact
    assert artifact
    return houserule.load(artifact)


def question(data: bytes) -> Any:
    """The question that stands there as JSON, or the one that these choices make."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return _drawn(Draw(data))


def made(data: bytes) -> bytes:
    """The question as JSON."""
    return json.dumps(question(data)).encode()


def _drawn(draw: Draw) -> dict[str, Any]:
    name = NAMES[draw.below(2)]
    rules, chance = shipped(name), Random(draw.below(256))
    id = draw.one(list(rules.program.numbers))
    facts: dict[str, Any] = situation(rules, rules.reads_of_number(id), chance)
    id = draw.one(list(rules.program.checks))
    facts |= situation(rules, rules.reads_of_check(id), chance)
    dice: dict[str, Any] = {path: chance.randint(1, 20) for path in rules.check(id).dice}
    encounter = encountered(rules, draw.one(list(rules.sequences)), chance) if rules.sequences else {}
    asked = {"rules": name, "facts": facts, "dice": dice, "encounter": encounter, "keys": [1, "fighter"]}
    plain: dict[str, Any] = json.loads(json.dumps(asked, default=str))
    for _ in range(draw.below(5)):
        _spoiled(plain, draw)
    return plain


def _spoiled(node: Any, draw: Draw) -> None:
    """Puts something odd at a place, or under another name, or the facts of a role as a map."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = keys[draw.below(len(keys))]
        if isinstance(node[key], dict | list) and node[key] and draw.below(8):
            node = node[key]
            continue
        break
    kind = draw.below(6)
    if kind == 0 and isinstance(node, dict):
        node[draw.one(["", ".", "a.b.c", f"{key}x", f"{key}.", f".{key}", "\x1b"])] = node.pop(key)
    elif kind == 1 and isinstance(node, dict) and "." in str(key):
        role, _, field = str(key).partition(".")
        node[role] = {field: node.get(key)}
    elif kind == 2:
        del node[key]
    else:
        node[key] = draw.one(ODD)


def seeds() -> Sequence[bytes]:
    """Questions that are right, and others."""
    return [
        b"{}",
        b"[]",
        *(made(bytes([at % 2, at, at, at, at, 0])) for at in range(12)),
        *(bytes([at] * 8) for at in range(40)),
    ]
