"""Forks and packs of the shipped rulesets through the command line: one slip, one finding, and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from friday import Run


def ruleset(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "ruleset.yaml").write_text(f"ruleset: {name}\n{text}\n")


@pytest.fixture
def findings(run: Run, friday_folder: Path) -> Any:
    """What `validate` finds in a fork with this text."""

    def found(text: str) -> list[dict[str, Any]]:
        ruleset(friday_folder, "saturday", text)
        told = [json.loads(line) for line in run("validate", "saturday", "--json").out.splitlines()]
        return [each for each in told if each["code"] != "no-lock"]

    return found


SLIPS = [
    ("adnd2e", "modifiers.strenght.adjust.attack_bonus: +1", "near-name", "write `strength` to change that"),
    (
        "adnd2e",
        "checks: {attack: {cases: {fumble: {after: natural_2, when: d20 == 2, outcome: miss}}}}",
        "missing-target",
        "did you mean `natural_20` or `natural_1`?",
    ),
    (
        "adnd2e",
        "checks.attack.cases: {natural_1: remove, fumble: {after: natural_1, when: d20 == 2, outcome: miss}}",
        "anchor-gone",
        "give it a place of your own: `checks.attack.cases.fumble: {after: ...}`",
    ),
    ("adnd2e", "modifiers: {tired: {when: attacker.level > 3}}", "missing-target", "add `adjust`"),
    ("adnd2e", "numbers.attack_bonus.base:", "empty-value", "write a value, or `remove` to take `base` out"),
    ("adnd2e", "numbers.attack_bonus.better: lower", "wrong-direction", "write `better"),
    (
        "odnd-morale",
        "modifiers.loyalty.adjust.morale: {..5: -3, 6..12: 0, 13..16: +1}",
        "left-over-rows",
        "cover them too, or write `replace: true` in the rows",
    ),
    ("odnd-morale", "numbers.base_morale: remove", "unknown-name", "leave it in; or take out what reads it, too"),
]


@pytest.mark.parametrize(("base", "text", "code", "fix"), SLIPS, ids=[each[2] for each in SLIPS])
def test_one_slip_is_one_finding_with_its_fix(findings: Any, base: str, text: str, code: str, fix: str) -> None:
    (found,) = findings(f"extends: {base}\n{text}")
    assert (found["code"], found["path"], found["line"]) == (code, "saturday/ruleset.yaml", 3)
    assert found["help"].startswith(fix)


def test_two_packs_that_touch_one_value(run: Run, friday_folder: Path, findings: Any) -> None:
    ruleset(friday_folder, "fierce", "extends: adnd2e\nnumbers.attack_bonus.base: 1")
    ruleset(friday_folder, "fiercer", "extends: adnd2e\nnumbers.attack_bonus.base: 2")
    (found,) = findings("extends: adnd2e\nwith: [fierce, fiercer]")
    assert found["code"] == "conflict"
    assert [each["path"] for each in found["labels"]] == ["fierce/ruleset.yaml", "fiercer/ruleset.yaml"]
    assert found["help"] == "say in `saturday` what holds: `numbers.attack_bonus.base: ...`"
    artifacts = []
    for order in ("fierce, fiercer", "fiercer, fierce"):
        ruleset(friday_folder, "saturday", f"extends: adnd2e\nwith: [{order}]\nnumbers.attack_bonus.base: 3")
        assert run("build", "saturday", "-o", "out.rules.json").code == 0
        artifacts.append((friday_folder / "out.rules.json").read_bytes())
    assert artifacts[0] == artifacts[1]
    assert run("eval", "out.rules.json", "attack_bonus", "attacker.thac0=20").out.split()[-1] == "3"


def test_inherited_examples_are_told_apart(run: Run, friday_folder: Path) -> None:
    ruleset(
        friday_folder,
        "keep",
        "language: 1\nnumbers: {torch: {base: 30}}\nexamples: {far: {number: torch, expect: {value: 30}}}",
    )
    ruleset(
        friday_folder,
        "saturday",
        "extends: keep\nnumbers.torch.base: 20\nexamples: {near: {number: torch, expect: {value: 20}}}",
    )
    found = run("test", "saturday", "--json")
    lines = [json.loads(line) for line in found.out.splitlines()]
    tried = {each["example"]: each for each in lines if "example" in each}
    assert found.code == 0
    assert (tried["near"]["inherited"], tried["near"]["changed"]) == (False, False)
    assert (tried["far"]["passed"], tried["far"]["inherited"], tried["far"]["changed"]) == (True, True, True)
    assert [each["code"] for each in lines if "code" in each] == ["answer-changed"]
