"""Whether what `diff` tells of a pack in play, and what it does not look at, is what `packs_in_play.yaml` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from ruamel.yaml import YAML

import houserule
from houserule_compiler.difference import Difference
from houserule_compiler.expected_order import lines
from houserule_compiler.gives import Gives, wanted
from houserule_compiler.gives_text import given_data
from houserule_compiler.in_play import Witness
from houserule_compiler.playing_side import Side

SAID: dict[str, Any] = YAML(typ="safe").load((Path(__file__).parent / "packs_in_play.yaml").read_text("utf-8"))
Told: TypeAlias = Mapping[str, Any]
Sides: TypeAlias = Mapping[str, houserule.Rules]
"""The rules `before` and `after`."""


def differs(found: Difference, told: Told, sides: Sides) -> None:
    """Exactly the numbers and checks that are told answer otherwise, as told.

    What was searched to the end shows the very situations that are told. Elsewhere it goes by how long `diff` searches
    which of them it comes upon.
    """
    searched = {f"{each.kind} {each.after}": each for each in found.searched if each.effects}
    through = [each if " " in each else f"check {each}" for each in told.get("through", [])]
    assert sorted(searched) == sorted([*told.get("differs", {}), *through])
    asked = {when: Side(when, rules) for when, rules in sides.items()}
    for name, expected in told.get("differs", {}).items():
        shown = [each for effect in searched[name].effects for each in (effect.smallest, effect.largest) if each]
        for each in expected:
            if name.startswith("gives "):
                gives(name.split()[1], each, tuple(asked.values()))
                continue
            pair = [_of(side, *name.split(), dict(_flat(each["given"]))) for side in asked.values()]
            assert pair == [_said(each["before"]), _said(each["after"])], (name, each["given"])
            assert not searched[name].is_exhaustive or any(_is(witness, each) for witness in shown), (name, shown)
    for name in told["same"]:
        kind, id = name.split()
        assert all(side.can_answer(kind, id) for side in asked.values()), f"{name} is not in both"
        assert name not in searched


def gives(check: str, told: Told, sides: Sequence[Side]) -> None:
    """What a check gives in a situation: of each value that is told its mean and ends, its chances, or that it is
    not there."""
    asked = wanted((side.giving, check) for side in sides)
    facts = dict(_flat(told["given"]))
    for when, side in zip(("before", "after"), sides, strict=True):
        found = side.answer("gives", check, side.facts(side.reads("check", check), facts), asked)
        assert isinstance(found, Gives), (check, told, found)
        data = given_data(found)
        for outcome, values in told[when].items():
            for path, expected in values.items():
                amount = data[outcome].get(path)
                said = {name: _plain(value) for name, value in expected.items()} if expected else None
                assert amount == said or (said and said.items() <= amount.items()), (check, when, amount)


def _plain(value: Any) -> Any:
    return {str(name): str(part) for name, part in value.items()} if isinstance(value, Mapping) else value


def _is(witness: Witness, told: Told) -> bool:
    given = dict(_flat(told["given"]))
    answers = (_answer(witness.before), _answer(witness.after))
    return given.items() <= dict(witness.given).items() and answers == (_said(told["before"]), _said(told["after"]))


def _of(side: Side, kind: str, id: str, given: dict[str, str]) -> object:
    """What one side answers; facts that it does not know are passed over."""
    facts = side.facts(side.reads(kind, id), given)
    return side.value(id, facts) if kind == "number" else _answer(side.odds(id, facts))


def _flat(told: Told, path: str = "") -> Iterator[tuple[str, str]]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        else:
            yield path + name, str(value).lower() if isinstance(value, bool) else str(value)


def _answer(answer: object) -> object:
    """Of odds, those that are not 0: an outcome that a side does not know has none."""
    return {word: chance for word, chance in answer if chance} if isinstance(answer, tuple) else answer


def _said(told: object) -> object:
    if isinstance(told, Mapping):
        return {word: chance for word, part in told.items() if (chance := Fraction(str(part)))}
    return told


def due(told: Told, sides: Sides) -> None:
    """Whether a trigger holds, which check it calls for, and what follows."""
    for when, rules in sides.items():
        held = rules.trigger(told["trigger"]).held(told["given"])
        found = held and {"check": held.check, "effects": [each.path for each in held.effects]}
        assert found == told[when], when


def plays(told: Told, sides: Sides) -> None:
    """The order of one encounter; where nothing is told of a side, its dice are refused."""
    for when, rules in sides.items():
        encounter = {**told["given"], **(told.get("new", {}) if when == "after" else {})}
        sequence = rules.sequence(told["sequence"])
        if when not in told:
            with pytest.raises(houserule.DiceError):
                sequence.order(encounter)
            continue
        order = sequence.order(encounter)
        assert list(map(_line, lines(order))) == [
            _line(f"{step}: {moments}") for each in told[when] for step, moments in each.items()
        ], when
        if calls := told.get("calls"):
            assert [each.step for each in order.entries] == calls[when], when


def _line(text: str) -> tuple[str, list[str]]:
    step, _, moments = text.partition(": ")
    return step, sorted(moments.split(" + "))
