"""Changes that examples should notice: which are made of small rules, and which go unnoticed, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from friday import Run
from houserule_compiler.cases import Block, Section
from houserule_compiler.mutants import mutants
from houserule_compiler.noticed import noticed
from houserule_compiler.pipeline import Compiled, try_examples
from literate import compiled
from shipped_rules import ROOT, built, concrete, read_yaml, tried

RULES = """ruleset: sample
language: 1
choices: {mood: [calm, angry]}
entities: {soldier: {level: 1..6, mood: mood = calm, tired: boolean = false, wounds: 0..9 = 0}}
roles: {us: soldier}
"""
TABLE = """tables:
  wages: {by: {level: 1..6}, gives: integer, rows: {..2: 1, 3..5: 4, 6: 9}}
"""
COURAGE = """numbers: {courage: {of: us, better: higher, base: its.level}}
stacking: {one: {penalties: largest}}
modifiers:
  weary: {when: its.tired, adjust: {courage: -1}, stack: one}
  hurt: {when: its.wounds >= 3, adjust: {courage: -2}, stack: one}
  temper: {by: its.mood, adjust: {courage: {calm: 0, angry: +1}}}
"""
CLIMB = """checks:
  climb:
    outcomes: [up, hangs, fallen]
    roll: {die: 1d6}
    cases:
      easy: {when: die <= us.level - us.wounds, outcome: up}
      hard: {when: die in 4..5, outcome: hangs}
      fall: {outcome: fallen}
"""

# Cells that are worked out, in more than one row.
FORMULA = """tables:
  pay: {by: {level: 1..6}, gives: integer, rows: {..3: level + 2, 4..: level - 1}}
"""
ROUND = """triggers: {fright: {when: us.wounds > 4, effects: {us.level: -1}}}
actions: {aim: {by: us, requires: {calm: its.wounds < 2}}, pray: {by: us}}
sequences:
  round:
    actor: soldier
    initiative: {by: actor, roll: {die: 1d6}, score: die, first: highest, ties: together}
    steps: {open: {}, end: {}}
    places:
      aim | pray: {act: {cases: {soon: {when: actor.level >= 3, step: open}, late: {step: end}}}}
"""
SOON, LATE = (f"sequences.round.places.aim.act.cases.{case}" for case in ("soon", "late"))


def sample(rules: str, *examples: str) -> Compiled:
    """The rules above with some more and some examples."""
    text = RULES + rules
    text += "examples:\n" + "".join(f"  e{at}: {each}\n" for at, each in enumerate(examples)) if examples else ""
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))
    assert found.artifact is not None, found.diagnostics
    return found


def missed(rules: str, *examples: str) -> list[tuple[int, str]]:
    """The line and the wording of each change that goes unnoticed."""
    found = sample(rules, *examples)
    return [(each.span.line, each.mutant.said) for each in noticed(found, try_examples(found)).unnoticed]


def made(rules: str) -> list[tuple[str, str, str]]:
    """Every change that is made: its kind, its path, its wording."""
    artifact = json.loads(sample(rules).artifact or b"")
    return [(each.slip, each.path, each.said) for each in mutants(artifact)]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            TABLE,
            [
                # The nearest row that says something else is read, the earlier of two.
                ("row", "tables.wages", "row 1 is left out, and row 2 is read in its place"),
                ("row", "tables.wages", "row 2 is left out, and row 1 is read in its place"),
                ("row", "tables.wages", "row 3 is left out, and row 2 is read in its place"),
                # The band from 3 begins at 4; the one of 6 alone can only begin earlier.
                ("threshold", "tables.wages", "the row that begins at 3 begins at 4"),
                ("threshold", "tables.wages", "the row that begins at 6 begins at 5"),
                # The largest amount has no room above it.
                ("cell", "tables.wages", "`value` in row 1 is 2 instead of 1"),
                ("cell", "tables.wages", "`value` in row 2 is 5 instead of 4"),
                ("cell", "tables.wages", "`value` in row 3 is 8 instead of 9"),
            ],
        ),
        (
            COURAGE,
            [
                ("modifier", "modifiers.hurt.adjust.courage", "it does not adjust `courage`"),
                ("sign", "modifiers.hurt.adjust.courage", "the sign of what it does to `courage` is turned"),
                ("threshold", "modifiers.hurt.adjust.courage", "`us.wounds >= 3` becomes `us.wounds > 3`"),
                ("threshold", "modifiers.hurt.adjust.courage", "`us.wounds >= 3` becomes `us.wounds >= 2`"),
                ("cell", "modifiers.hurt.adjust.courage", "`courage` is adjusted by -1 instead of -2"),
                ("cell", "modifiers.temper.adjust.courage", "`courage` is adjusted by 1 instead of 0"),
                ("cell", "modifiers.temper.adjust.courage", "`courage` is adjusted by 2 instead of 1"),
                ("cell", "modifiers.weary.adjust.courage", "`courage` is adjusted by 0 instead of -1"),
                # A grade of 0 left out, or with its sign turned, is the same.
                ("modifier", "modifiers.temper.adjust.courage", "it does not adjust `courage`"),
                ("row", "modifiers.temper.adjust.courage", "grade 2 for `courage` is left out"),
                ("sign", "modifiers.temper.adjust.courage", "the sign of grade 2 for `courage` is turned"),
                ("modifier", "modifiers.weary.adjust.courage", "it does not adjust `courage`"),
                ("sign", "modifiers.weary.adjust.courage", "the sign of what it does to `courage` is turned"),
                ("policy", "stacking.one", "`penalties: largest` becomes `penalties: smallest`"),
                ("policy", "stacking.one", "`penalties: largest` becomes `penalties: all`"),
            ],
        ),
        (
            CLIMB,
            [
                ("cases", "checks.climb.cases.easy", "the cases `easy` and `hard` lead to each other's end"),
                ("cases", "checks.climb.cases.hard", "the cases `hard` and `fall` lead to each other's end"),
                ("outcome", "checks.climb.cases.easy", "the outcome is `hangs` instead of `up`"),
                (
                    "threshold",
                    "checks.climb.cases.easy",
                    "`die <= us.level - us.wounds` becomes `die < us.level - us.wounds`",
                ),
                ("sign", "checks.climb.cases.easy", "the sign of `us.wounds` is turned"),
                ("outcome", "checks.climb.cases.hard", "the outcome is `fallen` instead of `hangs`"),
                ("threshold", "checks.climb.cases.hard", "the band `4..5` becomes `5`"),
                ("threshold", "checks.climb.cases.hard", "the band `4..5` becomes `4`"),
                ("outcome", "checks.climb.cases.fall", "the outcome is `up` instead of `fallen`"),
            ],
        ),
        (
            FORMULA,
            [
                ("row", "tables.pay", "row 1 is left out, and row 2 is read in its place"),
                ("row", "tables.pay", "row 2 is left out, and row 1 is read in its place"),
                ("threshold", "tables.pay", "the row that begins at 4 begins at 5"),
                ("sign", "tables.pay", "the sign of `2` is turned"),
                ("sign", "tables.pay", "the sign of `1` is turned"),
            ],
        ),
        # A word is said as a word, not as where it stands in its choice.
        (
            "actions: {rest: {by: us, requires: {calm: its.mood == angry}}}\n",
            [("threshold", "actions.rest.requires.calm", "`us.mood == angry` becomes `us.mood != angry`")],
        ),
        (
            ROUND,
            [
                ("threshold", "triggers.fright", "`us.wounds > 4` becomes `us.wounds >= 4`"),
                ("threshold", "triggers.fright", "`us.wounds > 4` becomes `us.wounds > 5`"),
                ("sign", "triggers.fright", "the sign of what it does to `level` is turned"),
                ("cell", "triggers.fright", "`level` is adjusted by 0 instead of -1"),
                ("threshold", "actions.aim.requires.calm", "`us.wounds < 2` becomes `us.wounds <= 2`"),
                ("threshold", "actions.aim.requires.calm", "`us.wounds < 2` becomes `us.wounds < 1`"),
                # Written once for two actions, so changed once.
                ("cases", SOON, "the cases `soon` and `late` lead to each other's end"),
                ("outcome", SOON, "it comes in `end` instead of `open`"),
                ("outcome", LATE, "it comes in `open` instead of `end`"),
                ("threshold", SOON, "`actor.level >= 3` becomes `actor.level > 3`"),
                ("threshold", SOON, "`actor.level >= 3` becomes `actor.level >= 2`"),
            ],
        ),
    ],
)  # fmt: skip
def test_changes_made(rules: str, expected: list[tuple[str, str, str]]) -> None:
    assert sorted(made(rules)) == sorted(expected)


def wage(level: int, value: int) -> str:
    return f"{{table: wages, given: {{level: {level}}}, expect: {{value: {value}}}}}"


def brave(value: int, **facts: object) -> str:
    given = "".join(f", {name}: {json.dumps(each) if isinstance(each, bool) else each}" for name, each in facts.items())
    return f"{{number: courage, given: {{us: {{level: 6{given}}}}}, expect: {{value: {value}}}}}"


@pytest.mark.parametrize(
    ("rules", "examples", "expected"),
    [
        # Each row at both of its ends: nothing is left.
        (TABLE, [wage(2, 1), wage(3, 4), wage(5, 4), wage(6, 9)], []),
        # Nobody reads 3, so nobody sees that the band begins at 4; nor 5, where the last row would begin.
        (
            TABLE,
            [wage(2, 1), wage(4, 4), wage(6, 9)],
            [(7, "the row that begins at 3 begins at 4"), (7, "the row that begins at 6 begins at 5")],
        ),
        # Without a row of two: what stands there, and where it ends.
        (
            TABLE,
            [wage(2, 1), wage(3, 4), wage(5, 4)],
            [(7, "row 3 is left out, and row 2 is read in its place"), (7, "`value` in row 3 is 8 instead of 9")],
        ),
        # 3 wounds and 2; both penalties at once; each mood.
        (COURAGE, [brave(4, wounds=3), brave(6, wounds=2), brave(5, tired=True), brave(4, tired=True, wounds=3),
                   brave(7, mood="angry")], []),
        # Never both penalties: any policy will do. Never 2 wounds: 3 might be 2.
        (
            COURAGE,
            [brave(4, wounds=3), brave(5, tired=True), brave(7, mood="angry")],
            [
                (7, "`penalties: largest` becomes `penalties: smallest`"),
                (7, "`penalties: largest` becomes `penalties: all`"),
                (10, "`us.wounds >= 3` becomes `us.wounds >= 2`"),
            ],
        ),
        # An example that is about something else notices nothing.
        (
            TABLE + CLIMB,
            [wage(2, 1), wage(3, 4), wage(5, 4), wage(6, 9),
             "{check: climb, given: {us: {level: 3}}, odds: {up: 1/2, hangs: 1/3, fallen: 1/6}}"],
            [(13, "the sign of `us.wounds` is turned")],
        ),
    ],
)  # fmt: skip
def test_unnoticed(rules: str, examples: list[str], expected: list[tuple[int, str]]) -> None:
    assert missed(rules, *examples) == expected


def test_an_example_that_fails_notices_nothing() -> None:
    found = sample(TABLE, wage(2, 1), wage(3, 5), wage(6, 9))
    told = noticed(found, try_examples(found))
    # What row 2 holds, that it is there, and where it begins and ends.
    assert (told.failing, len(told.unnoticed), told.tried) == (1, 4, 8)


def test_changes_are_taken_back_and_drawn_by_lot() -> None:
    found = sample(TABLE, wage(2, 1))
    artifact = json.loads(found.artifact or b"")
    every = mutants(artifact)
    before = json.dumps(artifact)
    for each in every:
        with each.made():
            assert json.dumps(artifact) != before, each
        assert json.dumps(artifact) == before, each
    some = [noticed(found, try_examples(found), 3) for _ in range(2)]
    assert some[0] == some[1]
    assert (some[0].tried, some[0].possible) == (3, 8)


def test_what_was_written_once_changes_everywhere() -> None:
    """The condition of a modifier of two numbers: an example of either one notices."""
    rules = """numbers: {speed: {of: us, base: 9}, reach: {of: us, base: 9}}
modifiers: {hurt: {when: its.wounds >= 3, adjust: {speed: -2, reach: -1}}}
"""
    ends = [
        f"{{number: speed, given: {{us: {{level: 1, wounds: {at}}}}}, expect: {{value: {9 - 2 * (at > 2)}}}}}"
        for at in (2, 3)
    ]
    assert missed(rules, *ends) == [
        (7, "it does not adjust `reach`"),
        (7, "the sign of what it does to `reach` is turned"),
        (7, "`reach` is adjusted by 0 instead of -1"),
    ]


FORK = "ruleset: fork\nextends: keep\nmodifiers.weary.adjust.courage: -4\n"


def test_a_fork_answers_for_what_it_states() -> None:
    base = (RULES + COURAGE).replace("ruleset: sample", "ruleset: keep")
    blocks = (Block("yaml", "keep/ruleset.yaml", base, 0, 0), Block("yaml", "fork/ruleset.yaml", FORK, 0, 0))
    found = compiled(Section("", "", blocks))
    told = noticed(found, try_examples(found)).unnoticed
    assert {(each.span.file.layer, each.span.line, each.mutant.path) for each in told} == {
        ("fork", 3, "modifiers.weary.adjust.courage")
    }


def test_command(friday_folder: Path, run: Run) -> None:
    text = RULES + TABLE + f"examples:\n  low: {wage(2, 1)}\n  middle: {wage(4, 4)}\n  high: {wage(6, 9)}\n"
    (friday_folder / "sample").mkdir()
    (friday_folder / "sample" / "ruleset.yaml").write_text(text)
    ran = run("test", "sample", "--mutate")
    assert ran.code == 0
    assert "sample: no example notices 2 of 8 changes (25%)" in ran.out
    assert "sample/ruleset.yaml:7: the row that begins at 3 begins at 4" in ran.out
    assert run("test", "sample", "--fail-over", "25").code == 0
    ran = run("test", "sample", "--fail-over", "24")
    assert (ran.code, "sample: more than 24% of the changes go unnoticed" in ran.out) == (1, True)
    ran = run("test", "sample", "--mutate", "--format", "junit")
    assert ran.out.rstrip().endswith("</testsuites>")
    assert "no example notices 2 of 8" in ran.err
    told = json.loads(run("test", "sample", "--mutate", "--json", "--changes", "8").out.splitlines()[-1])
    assert told["changes"] == {"tried": 8, "possible": 8, "unnoticed": 2, "refused": 0}
    assert told["unnoticed"][0]["line"] == 7
    assert "3 of 8 possible changes were drawn by lot" in run("test", "sample", "--mutate", "--changes", "3").out


UNNOTICED = read_yaml(ROOT / "tests" / "unnoticed.yaml")


@pytest.mark.parametrize("name", concrete())
def test_shipped_rules(name: str) -> None:
    """A sample of the changes of each shipped ruleset; `houserule test NAME --fail-over 2` tries all of them."""
    explained = {(each["path"], each["change"]) for each in UNNOTICED.get(name, []) if each["because"]}
    assert len(explained) == len(UNNOTICED.get(name, []))
    found = noticed(built(name), tried(name), 20)
    assert {(each.mutant.path, each.mutant.said) for each in found.unnoticed} <= explained
    assert len(explained) * 50 <= found.possible
    # None outlives the rule that it is about.
    assert explained <= {(each.path, each.said) for each in mutants(json.loads(built(name).artifact or b""))}
