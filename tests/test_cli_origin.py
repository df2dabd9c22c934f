"""`houserule origin`, and explanations of forks of shipped rulesets, as they are typed and read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from friday import ROOT, Run, process

FORK = """\
ruleset: house
extends: odnd-morale
with: [grit]
modifiers.paladin.adjust.morale: +2
tables.morale_by_hit_dice.rows[2+1..3]: 8
modifiers.rallied: remove
modifiers.cowardice: {title: Cowardice, when: its.hit_dice < 2, adjust: {morale: -1}}
"""
GRIT = """\
ruleset: grit
extends: odnd-morale
modifiers.paladin.when: paladin_present
options.certain: true
"""


@pytest.fixture
def house(friday_folder: Path) -> Path:
    (friday_folder / "house").mkdir()
    (friday_folder / "house" / "ruleset.yaml").write_text(FORK)
    (friday_folder / "grit.yaml").write_text(GRIT)
    return friday_folder


PALADIN = """\
modifiers.paladin.adjust.morale: +2
  house        ruleset.yaml:4  set  +2
  odnd-morale  morale.yaml:86  set  +3
"""
WHEN = """\
modifiers.paladin.when: paladin_present
  grit         grit.yaml:3     set  paladin_present
  odnd-morale  morale.yaml:85  set  paladin_present and its.lawful
"""
ROW = """\
tables.morale_by_hit_dice.rows[2+1..3]: 8
  house        ruleset.yaml:5  set  8
  odnd-morale  morale.yaml:13  set  7
"""


@pytest.mark.parametrize(
    ("paths", "printed"),
    [
        (["modifiers.paladin.adjust.morale"], PALADIN),
        (["modifiers.paladin"], f"modifiers.paladin: odnd-morale, morale.yaml:83\n{PALADIN}{WHEN}"),
        (["paladin"], f"modifiers.paladin: odnd-morale, morale.yaml:83\n{PALADIN}{WHEN}"),
        (["tables.morale_by_hit_dice.rows[3]", "modifiers.paladin.when"], f"{ROW}\n{WHEN}"),
        (["modifiers.cowardice"], "modifiers.cowardice: house, ruleset.yaml:7\n"),
        (["modifiers.shaken"], "modifiers.shaken: odnd-morale, morale.yaml:96\n"),
        (
            ["numbers.morale.base"],
            "numbers.morale.base: base_morale\n  odnd-morale  morale.yaml:40  set  base_morale\n",
        ),
    ],
)
def test_paths(house: Path, run: Run, paths: list[str], printed: str) -> None:
    found = run("origin", "house", *paths)
    assert (found.code, found.out, found.err) == (0, printed, "")


OWN = """\
house, over common, grit, odnd-morale
  modifiers.cowardice                     new      ruleset.yaml:7
  modifiers.paladin.adjust.morale         +2       ruleset.yaml:4  over odnd-morale +3
  modifiers.rallied                       removed  ruleset.yaml:6  over odnd-morale
  tables.morale_by_hit_dice.rows[2+1..3]  8        ruleset.yaml:5  over odnd-morale 7
"""


def test_everything_that_a_ruleset_sets(house: Path, run: Run) -> None:
    assert run("origin", "house").out == OWN
    assert run("origin", "grit").out.splitlines()[1:] == [
        "  modifiers.paladin.when   paladin_present  grit.yaml:3  over odnd-morale paladin_present and its.lawful",
        "  options.certain.default  true             grit.yaml:4  over odnd-morale false",
    ]
    assert run("origin", "friday").out == "friday stands on no other ruleset: all that it says is its own\n"
    (house / "idle.yaml").write_text("ruleset: idle\nextends: friday\n")
    assert run("origin", "idle").out == "idle, over friday: changes nothing\n"
    # Of a pack all of which is overridden it is told all the same that it is there.
    text = "ruleset: calm\nextends: odnd-morale\nwith: [grit]\nmodifiers.paladin.when: remove\noptions.certain: false\n"
    (house / "calm.yaml").write_text(text)
    assert run("origin", "calm").out.splitlines()[0] == "calm, over common, grit, odnd-morale"


def test_json(house: Path, run: Run) -> None:
    (part,) = json.loads(run("origin", "house", "modifiers.paladin.adjust.morale", "--json").out)["parts"]
    assert part == {
        "path": "modifiers.paladin.adjust.morale",
        "value": "+2",
        "layers": [
            {"layer": "house", "file": "ruleset.yaml", "line": 4, "act": "set", "text": "+2"},
            {"layer": "odnd-morale", "file": "morale.yaml", "line": 86, "act": "set", "text": "+3"},
        ],
    }
    whole = json.loads(run("origin", "house", "--json").out)
    assert whole["ruleset"] == "house"
    assert [each["path"] for each in whole["parts"]] == [each.split()[0] for each in OWN.splitlines()[1:]]


def test_an_artifact_tells_the_same(house: Path, run: Run) -> None:
    assert run("build", "house", "-o", "out.rules.json").code == 0
    assert run("origin", "out.rules.json").out == OWN
    paths = ["modifiers.paladin", "tables.morale_by_hit_dice.rows[3]", "modifiers.rallied", "options"]
    assert run("origin", "out.rules.json", *paths).out == run("origin", "house", *paths).out
    assert run("origin", "out.rules.json", "modifiers.shaken").out == "modifiers.shaken: odnd-morale, morale.yaml:96\n"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "modifiers.palladin.adjust.morale",
            "has no part `modifiers.palladin.adjust.morale`; did you mean `modifiers.paladin.",
        ),
        ("modifiers.paladin.adjust.moral", "did you mean `modifiers.paladin.adjust.morale`"),
        ("modifires.paladin", "did you mean `modifiers.paladin`"),
        ("palladin", "has no part `palladin`; `houserule show house` lists them"),
        ("tables.morale_by_hit_dice.rows[lots]", "has no part `tables.morale_by_hit_dice.rows[lots]`"),
        ("modifiers..paladin", "did you mean `modifiers.paladin`"),
        ("", "has no part ``"),
    ],
)
def test_unknown_paths(house: Path, run: Run, path: str, message: str) -> None:
    found = run("origin", "house", path)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert message in found.err


def test_rules_with_errors_still_tell_who_said_what(house: Path, run: Run) -> None:
    (house / "other.yaml").write_text("ruleset: other\nextends: odnd-morale\nmodifiers.paladin.adjust.morale: +5\n")
    (house / "third.yaml").write_text("ruleset: third\nextends: odnd-morale\nmodifiers.paladin.adjust.morale: +6\n")
    (house / "both.yaml").write_text("ruleset: both\nextends: odnd-morale\nwith: [third, other]\n")
    found = run("origin", "both", "modifiers.paladin.adjust.morale")
    assert found.code == 0
    assert found.err == "note: `both` has errors; `houserule validate both` tells them\n"
    assert [each.split()[0] for each in found.out.splitlines()[1:]] == ["third", "other", "odnd-morale"]


@pytest.mark.parametrize("text", ["ruleset: house\nextends: nowhere\n", "ruleset: house\n\tx: 1\n"])
def test_rules_that_cannot_be_read_say_why(house: Path, run: Run, text: str) -> None:
    (house / "house" / "ruleset.yaml").write_text(text)
    found = run("origin", "house", "modifiers.paladin")
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith("error[")


def test_completion(house: Path) -> None:
    env = {"COMP_WORDS": "houserule origin house modifiers.paladin.a", "COMP_CWORD": "3"}
    found = process(house, **env, _HOUSERULE_COMPLETE="bash_complete")
    assert found.stdout.splitlines() == ["plain,modifiers.paladin.adjust.morale"], found.stderr


FACTS = ["creature.hit_dice=3", "creature.loyalty_rating=10", "paladin_present=true", "setting=in_combat"]


def test_explanations_name_the_fork(house: Path, run: Run) -> None:
    assert run("build", "house").code == 0
    found = run("eval", "house.rules.json", "morale", *FACTS, "--explain")
    lines = [each.strip() for each in found.out.splitlines()]
    assert "A paladin among the lawful +2: house, ruleset.yaml:4, over odnd-morale +3" in lines
    assert "morale_by_hit_dice[3] 8: house, ruleset.yaml:5, over odnd-morale 7" in lines
    rolled = run("roll", "house.rules.json", "morale", *FACTS, "--dice", "first.die=8", "--explain").out
    assert "A paladin among the lawful +2: house, ruleset.yaml:4, over odnd-morale +3" in rolled
    plain = run("eval", "odnd-morale", "morale", *FACTS, "--explain").out
    assert ".yaml:" not in plain


def test_the_example_of_the_readme(friday_folder: Path, run: Run) -> None:
    shown = (ROOT / "README.md").read_text("utf-8").partition("$ houserule origin friday ")[2].partition("```")[0]
    path, _, printed = shown.partition("\n")
    (friday_folder / "forks" / "friday").mkdir(parents=True)
    text = "ruleset: friday\nextends: odnd-morale\n# Fewer miracles.\nmodifiers.paladin.adjust.morale: +2\n"
    (friday_folder / "forks" / "friday" / "ruleset.yaml").write_text(text)
    assert run("origin", "forks/friday", path).out == printed


ARENA = """\
ruleset: arena
extends: swords-wizardry
checks.disarm.steps.strike.adjust.attack_bonus: -1
checks.disarm.steps.strike.cases.hit.when: strike.outcome == hit or strike.d20 >= 19
checks.disarm.steps.hold.cases:
  braced: {before: held, when: hold.d20 >= 15, outcome: failed}
"""


def test_forks_of_procedures(friday_folder: Path, run: Run) -> None:
    """A step's adjustment, the condition of a case and a new case of a shipped procedure."""
    (friday_folder / "arena.yaml").write_text(ARENA)
    facts = ["attacker.thac0=19", "attacker.save_target=14", "target.armor_class=5", "target.save_target=14"]
    dice = [word for each in ("strike.d20=16", "wrest.d20=17", "hold.d20=15") for word in ("--dice", each)]
    trace = json.loads(run("roll", "arena", "disarm", *facts, *dice, "--explain", "--json").out)["trace"]
    told = [pair for entry in _walk(trace["root"]) for pair in entry.get("layers", {}).items()]
    found = {path: layers for path, layers in told if any(said[0] == "arena" for said in layers)}
    assert found == {
        "checks.disarm.steps.strike.adjust.attack_bonus": [
            ["swords-wizardry", "disarm.yaml", 13, "set", "if target.weapon_is_small then -3 else -2"],
            ["arena", "arena.yaml", 3, "set", "-1"],
        ],
        "checks.disarm.steps.strike.cases.hit.when": [
            ["swords-wizardry", "disarm.yaml", 16, "set", "strike.outcome == hit"],
            ["arena", "arena.yaml", 4, "set", "strike.outcome == hit or strike.d20 >= 19"],
        ],
        "checks.disarm.steps.hold.cases.braced": [
            ["arena", "arena.yaml", 6, "set", "{when: hold.d20 >= 15, outcome: failed}"]
        ],
    }


def _walk(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield entry
    for part in entry.get("parts", ()):
        yield from _walk(part)
