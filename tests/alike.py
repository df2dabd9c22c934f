"""Questions asked of a ruleset as callers ask them, which generated code and the reference must answer alike."""

from __future__ import annotations

from random import Random
from typing import Any

import houserule
import houserule.values
import oracle
from houserule.dice import Pool, Seeded
from houserule.facts import field_of, path_of

SLIPS = [True, 3.0, "3", -(10**6), [], "no_such_word", None, houserule.UNKNOWN, "unknown", ["x"]]


def given(loaded: houserule.Rules, reads: frozenset[Any], random: Random, nested: bool | None = None) -> dict[str, Any]:
    """Facts as callers give them: mostly right, now and then odd or wrong, nested or dotted or both."""
    held = oracle.situation(loaded, reads, random)
    facts: dict[str, Any] = {}
    for read in reads:
        path, type = path_of(read), field_of(loaded.program, read).type
        value: Any = held[path]
        if not isinstance(value, Pool):
            value = houserule.values.shown(value, type, loaded.program.words(type.choice) if type.choice else ())
        change = random.random() * max(1, len(reads) / 10)
        if change < 0.04:
            value = random.choice(SLIPS)
        elif change < 0.07:
            continue
        elif change < 0.09:
            facts[path] = value
        if "." in path and (random.random() < 0.5 if nested is None else nested):
            role, _, field = path.partition(".")
            facts.setdefault(role, {})[field] = value
        else:
            facts[path] = value
    if random.random() < 0.05:
        facts[random.choice(["nobody", "attacker.nothing", "npc"])] = 1
    return facts


def said(ask: Any) -> Any:
    """The answer, or the problems instead."""
    try:
        return ask()
    except houserule.ProblemsError as error:
        return [(each.code, each.path, each.message) for each in error.problems]


def number(loaded: houserule.Rules, id: str, random: Random, at: int = 0) -> bool:
    """A number in some situation: its value and its explanation; whether it has one there."""
    asked, facts = loaded.number(id), given(loaded, loaded.reads_of_number(id), random, (None, True, False)[at % 3])
    expected, why = said(lambda: asked._answered(facts, None)), said(lambda: asked._explained(facts))
    assert said(lambda: asked.value(facts)) == expected, facts
    assert said(lambda: asked.explain(facts)) == why, facts
    checked = said(lambda: loaded.facts(facts))
    if not isinstance(checked, list):
        for _ in range(2):
            assert said(lambda: asked.value(checked)) == expected, facts
            assert said(lambda: asked.explain(checked)) == why, facts
    return not isinstance(expected, list)


def result(loaded: houserule.Rules, id: str, random: Random, seed: int) -> None:
    """A roll, and the same with its dice given."""
    check, facts = loaded.check(id), given(loaded, loaded.reads_of_check(id), random)
    expected = said(lambda: check._run(facts, Seeded(seed)))
    found = said(lambda: check.roll(facts, seed=seed))
    assert found == expected
    if isinstance(expected, list):
        return
    dice = {path: faces[0] if len(faces) == 1 else faces for path, faces in found.faces.items() if faces}
    for each in (found, check.resolve(facts, dice)):
        assert each == expected
        assert str(each) == str(expected)
        assert each.trace == expected.trace
        assert each.trace.to_dict() == expected.trace.to_dict()


def odds(loaded: houserule.Rules, id: str, random: Random) -> None:
    """The odds of a check."""
    check, facts = loaded.check(id), given(loaded, loaded.reads_of_check(id), random)
    expected = said(lambda: check.odds(facts, limit=20_000_000))
    assert said(lambda: check.odds(facts)) == expected, facts


def changed(loaded: houserule.Rules, before: houserule.Rules) -> None:
    """Everything that rules say otherwise than others, in a few situations."""
    random = Random(5)
    for id, declared in loaded.program.numbers.items():
        if before.program.numbers.get(id) != declared and not declared.within:
            for at in range(3):
                number(loaded, id, random, at)
    for id, check in loaded.program.checks.items():
        if before.program.checks.get(id) != check:
            for seed in range(3):
                result(loaded, id, random, seed)
            odds(loaded, id, random)
