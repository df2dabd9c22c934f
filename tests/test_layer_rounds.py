"""What comes of layers in the sections of a round: events, actions, triggers and sequences, case by case."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import Compiled, compile_ruleset
from layering import at, codes, keys
from literate import schema

BASE = """
ruleset: base
language: 1
choices: {weapon: [sword, bow]}
entities: {man: {weapon: weapon, level: 1..9, tired: boolean = false}, side: {size: 1..9 = 1}}
roles: {attacker: man, target: man}
facts: {lost: 0..100}
numbers: {aim: {base: 1}}
events: {hurt: {}, attacks_again: {whom: man}}
checks:
  swing:
    outcomes: [hit, miss]
    roll: {d20: 1d20}
    cases: {hit: {when: d20 + aim > 10, outcome: hit}, miss: {outcome: miss}}
actions:
  strike:
    by: attacker
    requires: {armed: attacker.weapon == sword, fresh: not attacker.tired}
    check: swing
    adjust: {aim: +1}
triggers:
  half: {when: lost >= 50, check: swing}
sequences:
  battle:
    initiative: {by: side, roll: {d6: 1d6}, score: d6, first: highest, ties: together}
    actor: man
    side: side
    steps: {declare: {title: Declarations}, missiles: {each: turn}, melee: {each: turn}, wrap: {title: End}}
    places:
      strike: {blow: {cases: {quick: {when: actor.level > 5, step: missiles}, slow: {step: melee}}}}
"""


def step(id: str, more: str) -> str:
    return f"sequences: {{battle: {{steps: {{{id}: {{{more}}}}}}}}}"


CASES: dict[str, dict[str, Any]] = YAML(typ="safe", pure=True).load(
    (Path(__file__).parent / "layer_rounds.yaml").read_text("utf-8")
)


@cache
def whole_schema() -> dict[str, Any]:
    """The schema with the sections of a round, whether or not this version has them."""

    def entered(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: entered(value) for key, value in node.items() if key != "x-not-yet"}
        return [entered(each) for each in node] if isinstance(node, list) else node

    made: dict[str, Any] = entered(schema())
    return made


def build(packs: str, a: str, b: str, fork: str) -> Compiled:
    texts = {
        "base": BASE,
        "a": f"ruleset: a\nextends: base\n{a}\n",
        "b": f"ruleset: b\nextends: base\n{b}\n",
        "f": f"ruleset: f\nextends: base\nwith: [{packs}]\n{fork}\n",
    }
    files = {name: Files(name, ((f"{name}.yaml", text.encode()),)) for name, text in texts.items()}
    return compile_ruleset("f", files.get, whole_schema(), Limits(), lambda: files)


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_two_packs(case: dict[str, Any]) -> None:
    texts = case["a"], case.get("b", ""), case.get("fork", "")
    found, turned = build("a, b", *texts), build("b, a", *texts)
    assert codes(found) == case["codes"]
    assert codes(turned) == case["codes"]
    assert found.artifact == turned.artifact
    for path, value in case.get("values", {}).items():
        assert at(found, path) == value


def test_a_step_moves_with_what_hangs_on_it() -> None:
    found = build("a, b", step("prayer", "after: melee, title: Prayer"), step("melee", "before: missiles"), "")
    assert codes(found) == []
    assert keys(found, "sequences.battle.steps") == ["declare", "melee", "prayer", "missiles", "wrap"]


def test_an_order_of_steps() -> None:
    found = build("a", "", "", "sequences.battle.steps.order: [declare, melee, missiles, wrap]")
    assert codes(found) == []
    assert keys(found, "sequences.battle.steps") == ["declare", "melee", "missiles", "wrap"]
