"""Coverage: what counts as exercised, unit by unit; and the shipped rulesets, of which nothing is left out."""

from __future__ import annotations

import json
import re

import pytest

from friday import Ran, Run, change
from houserule_compiler.cases import Block, Section
from houserule_compiler.coverage import Coverage, Share, coverage
from houserule_compiler.pipeline import try_examples
from literate import compiled
from shipped_rules import built, concrete, tried

RULES = """ruleset: sample
language: 1
choices:
  mood: [calm, angry, sad]
entities:
  soldier: {level: 1..6, mood: mood?, moods: set of mood, tired: boolean = false, wounds: 0..9 = 0}
roles: {us: soldier, them: soldier}
tables:
  wages:
    by: {mood: mood, level: 1..6}
    gives: integer
    rows: {calm: [1, 2, 3, 4, 5, 6], angry | sad: {..3: 7, otherwise: 8}}
numbers:
  courage: {of: us, better: higher, base: its.level}
  wage: {of: us, base: "if known(its.mood) then wages(its.mood, its.level) else 0"}
stacking: {one: {penalties: largest}}
modifiers:
  weary: {when: its.tired, adjust: {courage: -1}, stack: one}
  hurt: {times: its.wounds, adjust: {courage: -2}, stack: one}
  temper: {by: its.mood, adjust: {courage: {calm: 0, angry: +1, sad: -3}}, stack: one}
  tempers: {by: its.moods, adjust: {courage: {calm: +1, angry: +2, sad: +3}}}
  always: {adjust: {courage: +1}}
checks:
  climb:
    outcomes: [up, fallen]
    roll: {die: 1d6}
    cases: {easy: {when: die <= courage, outcome: up}, hard: {outcome: fallen}}
    then: {fallen: {effects: {us.wounds: +1}}}
  chase:
    outcomes: [caught, away]
    start: ours
    steps:
      ours: {check: climb, cases: {up: {when: ours.outcome == up, go: theirs}, stuck: {outcome: away}}}
      theirs: {check: climb, as: {us: them}, outcome: if theirs.outcome == up then away else caught}
examples:
"""
WAGES = [f"wages calm, {level}" for level in range(1, 7)]
WAGES += [f"wages {mood}, {band}" for mood in ("angry", "sad") for band in ("..3", "otherwise")]
MODIFIERS = [
    "weary applies",
    "weary idle",
    "hurt applies",
    "hurt idle",
    "always applies",
    "temper idle",
    "tempers idle",
]
MODIFIERS += [f"{modifier} {mood}" for modifier in ("temper", "tempers") for mood in ("calm", "angry", "sad")]
CASES = ["climb easy", "climb hard", "climb then.fallen", "chase up", "chase stuck", "chase theirs"]


def covered(*examples: str) -> Coverage:
    """The coverage of the rules above with some examples."""
    text = RULES + "".join(f"  e{at}: {each}\n" for at, each in enumerate(examples))
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))
    assert found.typed is not None, found.diagnostics
    results = try_examples(found).results
    return coverage(found.typed, [trace for each in results if not each.diagnostics for trace in each.traces])


def newly(*examples: str) -> set[str]:
    """What is missing without any examples and is not with these, in short."""
    return short(covered(NONE)) - short(covered(*examples))


NONE = "{number: courage, given: {us.level: 9}, expect: {refused: us.level}}"


def short(found: Coverage) -> set[str]:
    """What is missing, in short: `weary idle`."""
    told = set()
    for each in found.missing():
        name = each.missing.split("`")[1] if "`" in each.missing else ""
        if each.kind == "modifiers":
            words = {"adjusts": "applies", "leaves": "idle"}
            is_grade = "grade" in each.missing
            name = name if is_grade else next(words[word] for word in each.missing.split() if word in words)
        told.add(f"{each.id} {name}")
    return told


def test_units_without_examples() -> None:
    assert short(covered(NONE)) == {*WAGES, *MODIFIERS, *CASES}
    shares = covered(NONE).shares("sample")
    assert shares == {"rows": Share(0, 10), "modifiers": Share(0, 13), "cases": Share(0, 6)}


LEVEL = "us: {level: 4"


@pytest.mark.parametrize(
    ("example", "found"),
    [
        # A row is read by its own example, or on the way to a number; the keys that a list fills are named.
        ("{table: wages, given: {mood: calm, level: 6}, expect: {value: 6}}", {"wages calm, 6"}),
        ("{table: wages, given: {mood: sad, level: 3}, expect: {value: 7}}", {"wages sad, ..3"}),
        ("{number: wage, given: {us: {level: 4, mood: angry}}, expect: {value: 8}}", {"wages angry, otherwise"}),
        # A condition that does not hold, a count of 0, what is not known and an empty set leave a modifier idle.
        (
            f"{{number: courage, given: {{{LEVEL}}}}}, expect: {{value: 5}}}}",
            {"always applies", "weary idle", "hurt idle", "temper idle", "tempers idle"},
        ),
        # What stacking drops does not count: of -1 and -2 the larger penalty applies.
        (
            f"{{number: courage, given: {{{LEVEL}, tired: true, wounds: 1}}}}, expect: {{value: 3}}}}",
            {"always applies", "hurt applies", "temper idle", "tempers idle"},
        ),
        # A grade of 0 is a grade, and each word of a set is one.
        (
            f"{{number: courage, given: {{{LEVEL}, mood: calm, moods: [angry, sad]}}}}, expect: {{value: 10}}}}",
            {"always applies", "weary idle", "hurt idle", "temper calm", "tempers angry", "tempers sad"},
        ),
        # Of a check the case that was taken, and what follows its outcome.
        (
            f"{{check: climb, given: {{{LEVEL}}}}}, dice: {{die: 6}}, expect: {{outcome: fallen}}}}",
            {
                "climb hard",
                "climb then.fallen",
                "always applies",
                "weary idle",
                "hurt idle",
                "temper idle",
                "tempers idle",
            },
        ),
        # What is called counts where it stands; a call does not do what follows the outcome.
        (
            f"{{check: chase, given: {{{LEVEL}}}, them.level: 1}}, dice: {{ours.die: 5, theirs.die: 3}},"
            " expect: {outcome: caught}}",
            {"climb easy", "climb hard", "chase up", "chase theirs", "always applies", "weary idle", "hurt idle"}
            | {"temper idle", "tempers idle"},
        ),
        # Odds take no way through a check, and an example that fails says nothing.
        (f"{{check: climb, given: {{{LEVEL}}}}}, odds: {{up: 5/6}}}}", set()),
        ("{table: wages, given: {mood: calm, level: 6}, expect: {value: 5}}", set()),
    ],
)
def test_exercised(example: str, found: set[str]) -> None:
    assert newly(example) == found


def test_places_and_order() -> None:
    missing = covered(NONE).missing()
    assert [each.span.line for each in missing] == sorted(each.span.line for each in missing)
    row = next(each for each in missing if each.missing == "no example reads the row `calm, 5`")
    assert (row.section, row.id, row.span.line, row.span.text) == ("table", "wages", 12, "5")


def test_a_fork_answers_for_what_it_states() -> None:
    base = RULES.replace("ruleset: sample", "ruleset: keep") + f"  e: {NONE}\n"
    fork = "ruleset: fork\nextends: keep\nmodifiers.weary.adjust.courage: -4\ntables.wages.rows.calm.2: 9\n"
    fork += "examples:\n  own: {number: courage, given: {us: {level: 4, tired: true}}, expect: {value: 1}}\n"
    blocks = (Block("yaml", "keep/ruleset.yaml", base, 0, 0), Block("yaml", "fork/ruleset.yaml", fork, 0, 0))
    found = compiled(Section("", "", blocks))
    assert found.typed is not None, found.diagnostics
    told = coverage(found.typed, [trace for each in try_examples(found).results for trace in each.traces])
    assert told.layers() == ["fork", "keep"]
    assert told.shares("fork") == {"rows": Share(0, 1), "modifiers": Share(1, 2)}
    assert {each.missing for each in told.missing("fork")} == {
        "no example reads the row `calm, 2`",
        "no example in which it leaves `courage` alone",
    }
    assert told.shares("keep")["rows"] == Share(0, 9)


ROUND = """ruleset: sample
language: 1
entities: {soldier: {quick: boolean = false, brave: boolean = true, shots: 0..3 = 1}}
roles: {us: soldier}
events: {hurt: {}}
triggers: {fright: {when: not us.brave, effects: {us.quick: {set: false}}}}
actions: {aim: {by: us, requires: {calm: its.brave}}}
sequences:
  round:
    actor: soldier
    initiative: {by: actor, roll: {die: 1d6}, score: die, first: highest, ties: together}
    steps: {open: {title: All begin}, act: {each: turn}, end: {steps: {late: {}, never: {}}}}
    places:
      aim | shoot:
        shot: {times: actor.shots, threat: hurt, cases: {soon: {when: actor.quick, step: act}, slow: {step: late}}}
      pray:
        begin: {step: open}
        heard: {step: late, spoiled: {since: begin, by: hurt}}
      flee: {go: {cases: {brave: {when: actor.brave, left_out: The brave do not}, go: {step: act}}}}
examples:
"""
ROUND_UNITS = {"fright holds", "fright not", "calm met", "calm not", "open", "late", "act", "act first", "act later"}
ROUND_UNITS |= {"shot soon", "shot slow", "begin", "heard", "heard spoiled", "heard not", "go brave", "go go"}


def round_units(*examples: str) -> set[str]:
    """What of the round above no example exercises, in short."""
    text = ROUND + "".join(f"  e{at}: {each}\n" for at, each in enumerate(examples))
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))
    assert found.typed is not None, found.diagnostics
    results = try_examples(found).results
    assert all(each.passed for each in results), [each.diagnostics for each in results]
    told = set()
    for unit in coverage(found.typed, [trace for each in results for trace in each.traces]).missing():
        words = dict(re.findall(r"(falls in|case|comes|is (?=holds)|it) `?(\w+)", unit.missing))
        name = unit.missing.split("`")[1].rpartition(": ")[2] if "`" in unit.missing else unit.id
        last = words.get("case") or words.get("comes") or ""
        if unit.kind in ("triggers", "requirements") or "spoiled" in unit.missing:
            is_against = "not" in unit.missing.split("in which")[1]
            last = "not" if is_against else {"triggers": "holds", "requirements": "met"}.get(unit.kind, "spoiled")
        told.add(f"{name} {last}".strip())
    return told


ROLLS = "sequence: round, rolls: {a: 5, b: 2}, actors:"


@pytest.mark.parametrize(
    ("example", "found"),
    [
        ("{trigger: fright, given: {us.brave: false}, expect: {value: true}}", {"fright holds"}),
        ("{trigger: fright, expect: {value: false}}", {"fright not"}),
        ("{action: aim, expect: {value: true}}", {"calm met"}),
        ("{action: aim, given: {us.brave: false}, expect: {refused: calm}}", {"calm not"}),
        # One moment is written for both actions; a step has somebody's turn only where turns are taken.
        (
            f"{{{ROLLS} {{a: {{does: {{shoot: {{}}}}}}, b: {{quick: true, does: {{aim: {{}}}}}}}},"
            " expect: {order: [act: b shot, late: a shot]}}",
            {"shot soon", "shot slow", "act", "act later", "late"},
        ),
        (
            f"{{{ROLLS} {{a: {{quick: true, does: {{shoot: {{}}}}}}, b: {{does: {{flee: {{}}}}}}}},"
            " expect: {order: [act: a shot], left_out: {b flee go: brave}}}",
            {"shot soon", "act", "act first", "go brave"},
        ),
        (
            f"{{{ROLLS} {{a: {{quick: true, does: {{shoot: {{foe: b}}}}}}, b: {{does: {{pray: {{}}}}}}}},"
            " expect: {order: [open: b begin, act: a shot, late: b heard]}}",
            {"shot soon", "act", "act first", "open", "late", "begin", "heard", "heard not"},
        ),
        (
            f"{{{ROLLS} {{a: {{quick: true, does: {{shoot: {{foe: b}}}}}}, b: {{does: {{pray: {{}}}}}}}},"
            " happened: {a shot: hurt}, expect: {order: [open: b begin, act: a shot, late: b heard spoiled]}}",
            {"shot soon", "act", "act first", "open", "late", "begin", "heard", "heard spoiled"},
        ),
    ],
)
def test_exercised_in_rounds(example: str, found: set[str]) -> None:
    assert round_units("{trigger: fright, given: {us.shots: 9}, expect: {refused: us.shots}}") == ROUND_UNITS
    assert ROUND_UNITS - round_units(example) == found


@pytest.mark.parametrize("name", concrete())
def test_nothing_of_a_shipped_ruleset_is_left_out(name: str) -> None:
    found = built(name)
    assert found.diagnostics == ()
    assert found.typed is not None
    assert [each.id for each in tried(name).results if not each.passed] == []
    traces = [trace for each in tried(name).results if not each.diagnostics for trace in each.traces]
    assert [f"{each.id}: {each.missing}" for each in coverage(found.typed, traces).missing()] == []


class TestCommand:
    """`houserule test --coverage`."""

    def test_told(self, run: Run) -> None:
        assert run("test", "friday", "--coverage") == Ran(
            0,
            "friday: 1 example passed\n"
            "friday: exercised by examples\n"
            "  table rows   1 of 8  12.5%\n"
            "  modifiers    3 of 7  42.8%\n"
            "  check cases  0 of 2     0%\n"
            "  table watch\n"
            "    friday.yaml:16: no example reads the row `small, 1`\n"
            "    friday.yaml:16: no example reads the row `small, 3`\n"
            "    friday.yaml:16: no example reads the row `large, 1`\n"
            "    friday.yaml:16: no example reads the row `large, 2`\n"
            "    friday.yaml:16: no example reads the row `large, 3`\n"
            "  table pay\n"
            "    friday.yaml:17: no example reads the row `1`\n"
            "    friday.yaml:17: no example reads the row `2..3`\n"
            "  modifier weary\n"
            "    friday.yaml:21: no example in which it adjusts `vigilance`\n"
            "  modifier sworn\n"
            "    friday.yaml:22: no example in which the grade `1..3` adjusts `vigilance`\n"
            "    friday.yaml:22: no example in which the grade `4..9` adjusts `vigilance`\n"
            "  modifier cold\n"
            "    friday.yaml:23: no example in which it adjusts `vigilance`\n"
            "  check notice\n"
            "    friday.yaml:29: no example takes the case `noticed`\n"
            "    friday.yaml:30: no example takes the case `missed`\n",
            "",
        )

    def test_under_the_least(self, run: Run) -> None:
        found = run("test", "friday", "--fail-under", "13")
        assert found.code == 1
        assert found.out.endswith("\nfriday: less than 13% of its table rows and check cases are exercised\n")
        assert run("test", "friday", "--fail-under", "0").code == 0

    def test_a_failure_stays_one(self, run: Run, friday_folder: object) -> None:
        change(friday_folder, "value: 4", "value: 5")  # type: ignore[arg-type]
        found = run("test", "friday", "--coverage")
        assert found.code == 1
        assert "table rows   0 of 8" in found.out

    def test_as_json(self, run: Run) -> None:
        found = [json.loads(line) for line in run("test", "friday", "--coverage", "--json").out.splitlines()]
        assert found[-1]["coverage"]["friday"]["rows"] == {"exercised": 1, "of": 8}
        assert found[-1]["missing"][0] == {
            "kind": "rows",
            "definition": "table watch",
            "layer": "friday",
            "missing": "no example reads the row `small, 1`",
            "file": "friday.yaml",
            "line": 16,
            "column": 20,
        }

    def test_a_percentage_is_due(self, run: Run) -> None:
        assert run("test", "friday", "--fail-under", "101").code == 2
        assert run("test", "friday", "--fail-under", "most").code == 2
