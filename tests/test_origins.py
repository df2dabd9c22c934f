"""Who set what, and over whom: histories by path, and what explanations say of them. Every line was worked by hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import houserule
from houserule.origins import origins as checked
from houserule_compiler.origins import origins
from houserule_compiler.pipeline import Compiled
from houserule_compiler.setters import Setters
from layering import BASE, build, codes, layered

ROOT = Path(__file__).parent.parent
TABLES = """\
ruleset: base
language: 1
choices: {kind: [a, b]}
facts: {kind: kind, level: 1..10, hd: hit_dice 0..5, score: 3..18}
options: {harsh: boolean = false}
conditions: {tough: level >= 5}
entities: {guard: {level: 1..3, strength: {is: its.level * 2}}}
roles: {guard: guard}
tables:
  charisma:
    by: {score: 3..18}
    gives: {reaction: integer, loyalty: integer}
    rows: {3..8: [-5, -1], 9..12: [0, 0], 13..17: [5, 1], 18: [35, 2]}
  pair: {by: {kind: kind, level: 1..10}, gives: integer, rows: {a: {1..5: 1, 6..10: 2}, b: {1..10: 3}}}
  dice: {by: {hd: hit_dice 0..5}, gives: integer, rows: {..1-1: 1, 1..: 2}}
numbers:
  n: {base: charisma(score).reaction}
  p: {base: "pair(kind, level)"}
  d: {base: dice(hd)}
modifiers:
  strong: {when: tough, adjust: {p: +1}}
  graded: {by: kind, adjust: {p: {a: +1, b: +2}}}
  leveled: {by: level, adjust: {d: {1..3: +1, 4..: +2}}}
  mighty: {adjust: {p: guard.strength}}
  hard: {when: harsh, adjust: {d: -1}}
"""
FACTS = {"kind": "a", "level": 6, "hd": "2", "score": 18, "guard.level": 2}


def fork(text: str, **packs: str) -> Compiled:
    """A fork of the base with packs; it has no errors."""
    head = f"ruleset: f\nextends: base\nwith: [{', '.join(packs)}]\n"
    found = layered(**packs, f=head + text)
    assert found.artifact is not None, codes(found)
    return found


def on_tables(text: str) -> Compiled:
    found = build({"base": TABLES, "f": f"ruleset: f\nextends: base\n{text}"}, "f")
    assert found.artifact is not None, codes(found)
    return found


def rules(found: Compiled, **options: object) -> houserule.Rules:
    assert found.artifact is not None
    return houserule.load(found.artifact, options=options)


def setters(found: Compiled) -> Setters:
    assert found.origins is not None
    return Setters(checked(origins(found.origins)), found.origins.tree)


def said(found: Compiled, path: str) -> list[str]:
    """Who said what at a path, from the top down: `f:4 set +2`."""
    (part,) = (each for each in setters(found).parts(path) if each.path == path)
    return [f"{each.layer}:{each.line} {each.act} {each.text}".rstrip() for each in part.said]


A3, B3, B4 = "numbers.n.base: 3", "numbers.n.base: 3", "numbers.n.base: 4"
WALLS = {"a": "modifiers: {wall: {adjust: {n: +1}}}", "b": "modifiers: {wall: {adjust: {n: +2}}}"}
UP = "{when: x == 1, adjust: {n: +1, m: {at_most: 0}}}"


@pytest.mark.parametrize(
    ("text", "packs", "path", "expected"),
    [
        ("numbers.n.base: 7", {}, "numbers.n.base", ["f:4 set 7", "base:8 set 1"]),
        ("numbers.n.base: inherited + 2", {}, "numbers.n.base", ["f:4 set inherited + 2", "base:8 set 1"]),
        ("", {"a": A3}, "numbers.n.base", ["a:3 set 3", "base:8 set 1"]),
        (
            "numbers.n.base: 5",
            {"a": A3, "b": B4},
            "numbers.n.base",
            ["f:4 set 5", "b:3 set 4", "a:3 set 3", "base:8 set 1"],
        ),
        ("", {"a": A3, "b": B3}, "numbers.n.base", ["b:3 set 3", "a:3 set 3", "base:8 set 1"]),
        (
            "prefer: {numbers.n.base: a}",
            {"a": A3, "b": B4},
            "numbers.n.base",
            ["f:4 prefer a", "a:3 set 3", "b:3 set 4", "base:8 set 1"],
        ),
        ("prefer: {modifiers.wall: a}", WALLS, "modifiers.wall.adjust.n", ["a:3 set +1", "b:3 set +2"]),
        ("modifiers.up: remove", {}, "modifiers.up", ["f:4 remove", f"base:9 set {UP}"]),
        ("modifiers.up.when: remove", {}, "modifiers.up.when", ["f:4 remove", "base:9 set x == 1"]),
        (
            "modifiers: {up: {replace: true, adjust: {n: +7}}}",
            {},
            "modifiers.up",
            ["f:4 replace {replace: true, adjust: {n: +7}}", f"base:9 set {UP}"],
        ),
        (
            "modifiers: {up: {replace: true, adjust: {n: +7}}}",
            {},
            "modifiers.up.adjust.n",
            ["f:4 set +7", "base:9 set +1"],
        ),
        ("modifiers.up.times: y", {}, "modifiers.up.times", ["f:4 set y"]),
        ("options.nat: false", {}, "options.nat.default", ["f:4 set false", "base:6 set true"]),
        ("checks.c.roll.die: 1d12", {}, "checks.c.roll.die", ["f:4 set 1d12", "base:14 set 1d20"]),
        (
            "checks.c.cases.two.before: one",
            {},
            "checks.c.cases.two",
            ["f:4 place before one", "base:15 set {when: die >= n, outcome: yes1}"],
        ),
        (
            "checks.c.cases.two.when: {all: {more: y == 1}}",
            {},
            "checks.c.cases.two.when",
            ["f:4 set {all: {more: y == 1}}", "base:15 set die >= n"],
        ),
        ("checks.c.cases.two: {outcome: no1}", {}, "checks.c.cases.two.outcome", ["f:4 set no1", "base:15 set yes1"]),
        ("tables.t.rows[2..5]: 8", {}, "tables.t.rows[2..3]", ["f:4 set 8", "base:10 set 1"]),
        ("tables.t.rows[2..5]: 8", {}, "tables.t.rows[4..5]", ["f:4 set 8", "base:10 set 2"]),
        ("tables: {t: {rows: {5: remove}, otherwise: 4}}", {}, "tables.t.rows[5]", ["f:4 remove", "base:10 set 2"]),
        ("tables: {t: {rows: {5: remove}, otherwise: 4}}", {}, "tables.t.otherwise", ["f:4 set 4"]),
        (
            "tables: {t: {rows: {replace: true, 1..10: 7}}}",
            {},
            "tables.t.rows",
            ["f:4 replace {replace: true, 1..10: 7}", "base:10 set {1..3: 1, 4..6: 2, 7..10: 3}"],
        ),
        ("choices: {kind: {words: {b: remove}}}", {}, "choices.kind.words.b", ["f:4 remove", "base:7 set"]),
        ("choices.kind: [c]", {}, "choices.kind.words.c", ["f:4 set"]),
        ("numbers.m.base: 9", {"a": A3}, "numbers.n.base", ["a:3 set 3", "base:8 set 1"]),
    ],
)
def test_histories(text: str, packs: dict[str, str], path: str, expected: list[str]) -> None:
    assert said(fork(text, **packs), path) == expected


@pytest.mark.parametrize(
    ("text", "number", "facts", "expected"),
    [
        (
            "tables.charisma.rows: {18: {reaction: 40}}",
            "n",
            {},
            ["charisma[18].reaction 40: f, f.yaml:3, over base 35"],
        ),
        ("tables.charisma.rows: {18: {loyalty: 9}}", "n", {}, []),
        ("tables.charisma.rows: {3..8: {reaction: 1}}", "n", {}, []),
        ("tables.pair.rows[a, 4..7]: 9", "p", {"level": 5}, ["pair[a, 5] 9: f, f.yaml:3, over base 1"]),
        ("tables.pair.rows[a, 4..7]: 9", "p", {"level": 7}, ["pair[a, 7] 9: f, f.yaml:3, over base 2"]),
        ("tables.pair.rows[a, 4..7]: 9", "p", {"level": 8}, []),
        ("tables.dice.rows[2]: 7", "d", {"hd": "2"}, ["dice[2] 7: f, f.yaml:3, over base 2"]),
        ("tables.dice.rows[2]: 7", "d", {"hd": "2+1"}, []),
        (
            "choices.kind: [c]\ntables.pair.rows: {c: {1..10: 7}}\nmodifiers.graded.adjust.p: {c: +3}",
            "p",
            {"kind": "c"},
            ["pair[c, 6] 7: f, f.yaml:4", "graded +3: f, f.yaml:5"],
        ),
        ("modifiers.graded.adjust.p.b: +5", "p", {"kind": "b"}, ["graded +5: f, f.yaml:3, over base +2"]),
        ("modifiers.graded.adjust.p.b: +5", "p", {"kind": "a"}, []),
        ("modifiers.leveled.adjust.d[5]: +9", "d", {"level": 5}, ["leveled +9: f, f.yaml:3, over base +2"]),
        ("modifiers.leveled.adjust.d[5]: +9", "d", {"level": 6}, []),
        ("conditions.tough: level >= 6", "p", {}, ["tough, when level >= 6: f, f.yaml:3, over base level >= 5"]),
        (
            "entities.guard.strength: {is: its.level * 3}",
            "p",
            {},
            ["guard.strength, is its.level * 3: f, f.yaml:3, over base its.level * 2"],
        ),
        ("options.harsh: true", "d", {}, ["harsh, default true: f, f.yaml:3, over base false"]),
        ("modifiers.fresh: {adjust: {p: +4}}", "p", {}, ["fresh +4: f, f.yaml:3"]),
        ("modifiers.fresh: {when: level == 1, adjust: {p: +4}}", "p", {}, []),
        ("modifiers.strong.when: level == 1", "p", {}, ["strong, when level == 1: f, f.yaml:3, over base tough"]),
        ("modifiers.strong.when: remove", "p", {}, ["strong, when removed: f, f.yaml:3, over base tough"]),
        ("numbers.p.title: Pairs", "p", {}, []),
        ("numbers.q: {base: p}\nmodifiers.own: {adjust: {q: +1}}", "q", {}, ["q 9: f, f.yaml:3"]),
    ],
)
def test_explanations(text: str, number: str, facts: dict[str, object], expected: list[str]) -> None:
    lines = str(rules(on_tables(text)).number(number).explain({**FACTS, **facts})).splitlines()
    assert [each.strip() for each in lines if ", f.yaml:" in each] == expected


def test_a_table_tells_who_set_the_cell() -> None:
    table = rules(on_tables("tables.charisma.rows: {18: {reaction: 40}}")).table("charisma")
    assert str(table.explain("18")).splitlines() == [
        "charisma[18].reaction 40, charisma[18].loyalty 2",
        "  charisma[18].reaction 40: f, f.yaml:3, over base 35",
    ]
    assert str(table.explain("18", "loyalty")) == "charisma[18].loyalty 2"


def test_an_option_that_the_caller_chose_is_not_the_rules_doing() -> None:
    found = on_tables("options.harsh: true")
    assert "harsh" in str(rules(found).number("d").explain(FACTS))
    assert "f.yaml" not in str(rules(found, harsh=False).number("d").explain(FACTS))


def test_checks_tell_of_dice_cases_and_places() -> None:
    found = fork(
        "checks.c:\n  roll: {die: 1d12}\n"
        "  cases: {two: {before: one}, p: {after: two, when: die == 5, outcome: yes1}}\n"
    )
    trace = rules(found).check("c").resolve({"x": 1, "y": 1}, {"die": 5}).trace
    assert str(trace).splitlines() == [
        "c: yes1",
        "  die 5 (1d12)",
        "    die 1d12: f, f.yaml:5, over base 1d20",
        "  two: no (n 7)",
        "    two, placed before one: f, f.yaml:6",
        "    n 7 = base 1 +5 side +1 up",
        "  p: yes",
        "    p: f, f.yaml:6",
    ]


def test_json_always_has_the_place_and_the_whole_history() -> None:
    found = fork("modifiers.up: {when: y == 1, adjust: {n: +3}}", a="modifiers.up.adjust.n: +2")
    root = rules(found).number("n").explain({"x": 2, "y": 1}).to_dict()["root"]
    assert isinstance(root, dict)
    assert (root["path"], root["origin"]) == ("numbers.n", ["base", "base.yaml", 8])
    base, side, up = root["parts"]
    assert (base["path"], base["origin"], "layers" in base) == ("numbers.n.base", ["base", "base.yaml", 8], False)
    assert side["origin"] == ["base", "base.yaml", 9]
    assert up["origin"] == ["f", "f.yaml", 4]
    assert up["layers"] == {
        "modifiers.up.adjust.n": [
            ["base", "base.yaml", 9, "set", "+1"],
            ["a", "a.yaml", 3, "set", "+2"],
            ["f", "f.yaml", 4, "set", "+3"],
        ],
        "modifiers.up.when": [["base", "base.yaml", 9, "set", "x == 1"], ["f", "f.yaml", 4, "set", "y == 1"]],
    }


COMMON = "ruleset: common\nlanguage: 1\nabstract: true\nfacts: {level: 1..10}\nnumbers: {n: {better: higher}}\n"
GAME = "ruleset: game\nextends: common\nnumbers.n.base: level\nmodifiers: {m: {adjust: {n: +1}}}\n"


def test_what_an_abstract_ruleset_leaves_open_is_filled_without_a_word() -> None:
    game = build({"common": COMMON, "game": GAME}, "game")
    assert str(rules(game).number("n").explain({"level": 2})) == "n 3 = base 2 (level 2) +1 m"
    house = {"common": COMMON, "game": GAME, "house": "ruleset: house\nextends: game\nmodifiers.m.adjust.n: +2\n"}
    friday = build(house | {"friday": "ruleset: friday\nextends: house\nmodifiers.m.when: level == 2\n"}, "friday")
    assert str(rules(friday).number("n").explain({"level": 2})).splitlines()[1:] == [
        "  m +2: house, house.yaml:3, over game +1",
        "  m, when level == 2: friday, friday.yaml:3",
    ]


def test_a_ruleset_alone_says_nothing_of_layers() -> None:
    found = build({"base": TABLES}, "base")
    assert found.artifact is not None
    stated = json.loads(found.artifact)["origins"]
    assert (stated["history"], stated["keys"], stated["ground"]) == ({}, {}, ["base"])
    assert "base.yaml" not in str(rules(found).number("p").explain(FACTS))
    assert rules(found).number("p").explain(FACTS).to_dict()["root"]["origin"] == ["base", "base.yaml", 18]  # type: ignore[index]


def test_long_texts_are_cut_and_lines_joined() -> None:
    found = on_tables(f"numbers.n.base: >-\n  {'level + ' * 5}\n  {'level + ' * 30}level\n")
    top = said(found, "numbers.n.base")[0]
    assert top.startswith("f:3 set level + level")
    assert top.endswith("…")
    assert len(top) == len("f:3 set ") + 120


def test_paths_of_unknown_parts_lead_nowhere() -> None:
    known = setters(on_tables("numbers.n.base: 4"))
    wrong = ["numbers.o", "numbers.n.bases", "tables.pair.rows[c, 1]", "tables.pair.rows[a, 11]"]
    wrong += [
        "tables.dice.rows[six]",
        "numbers.n.base.more",
        "nothing",
        "",
        ".",
        "[",
        "[]",
        "numbers..n",
        "title",
        "ruleset",
    ]
    assert [each for each in wrong if known.parts(each)] == []


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("tables.pair.rows[a,5]", "tables.pair.rows[a, 4..5]"),
        ("tables.pair.rows[ a , 4..5 ]", "tables.pair.rows[a, 4..5]"),
        ("tables.pair.rows[b, 2..3]", "tables.pair.rows[b, 1..10]"),
        ("tables.dice.rows[1/2]", "tables.dice.rows[..1-1]"),
        ("tables.dice.rows[4+3]", "tables.dice.rows[1..]"),
        ("tables.charisma.rows[10]", "tables.charisma.rows[9..12]"),
    ],
)
def test_keys_within_a_band_mean_it(asked: str, path: str) -> None:
    found = on_tables("tables.pair.rows[a, 4..7]: 9")
    assert [each.path for each in setters(found).parts(asked)] == [path]


def test_hash_seed_and_folder_change_nothing(tmp_path: Path) -> None:
    texts = {"base": BASE, "a": f"ruleset: a\nextends: base\n{A3}\n", "b": f"ruleset: b\nextends: base\n{B4}\n"}
    texts["f"] = "ruleset: f\nextends: base\nwith: [b, a]\nprefer: {numbers.n.base: a}\ntables.t.rows[2..5]: 8\n"
    made = []
    for folder, seed in ((tmp_path / "one", "0"), (tmp_path / "two" / "deep", "99")):
        folder.mkdir(parents=True)
        for name, text in texts.items():
            (folder / f"{name}.yaml").write_text(text)
        made.append(_built(folder, seed))
    assert made[0] == made[1]
    shutil.rmtree(tmp_path / "two")


def _built(folder: Path, seed: str) -> bytes:
    paths = os.pathsep.join([str(ROOT / "compiler"), str(ROOT / "runtime")])
    command = [sys.executable, "-m", "houserule_compiler", "build", "f.yaml", "-o", "-"]
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths}
    return subprocess.run(command, env=env, cwd=folder, check=True, capture_output=True).stdout
