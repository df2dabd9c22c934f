"""Examples as an author's tests: what passes, what fails and how, what cannot run, what is refused as expected."""

from __future__ import annotations

import pytest

from houserule_compiler.cases import Block, Section
from houserule_compiler.diagnostics import Diagnostic
from houserule_compiler.pipeline import try_examples
from houserule_compiler.trial import Tried
from literate import compiled

RULES = """ruleset: sample
language: 1
choices:
  mood: [calm, angry]
entities:
  soldier: {level: 1..9, luck: 0..3 = 1, humor: mood = calm, stances: set of mood, waiting: boolean = false}
roles: {us: soldier, them: soldier}
options: {harsh: boolean = false}
impossible:
  two_ambushes: {when: us.waiting and them.waiting}
tables:
  wages:
    by: {level: 1..9, mood: mood}
    gives: {silver: integer, ale: adjustment}
    rows: {..4: {otherwise: [2, 0]}, 5..: {calm: [5, +1], angry: [6, -1]}}
numbers:
  courage: {of: us, base: its.level + its.luck}
  share: {of: us, base: its.level / 2, gives: fraction}
  fury: {of: us, base: count(its.stances) + (if harsh then 10 else 0)}
checks:
  climb:
    outcomes: [up, fallen]
    roll: {die: 1d20}
    values: {margin: die - 10}
    outcome: if margin > 0 then up else fallen
    then:
      fallen: {roll: {points: 2d6}, effects: {us.luck: -1}}
examples:
"""


def tried(example: str, id: str = "it") -> Tried:
    """What came of one example of the rules above."""
    section = Section("", "", (Block("yaml", "ruleset.yaml", f"{RULES}  {id}: {example}\n", 0, 0),))
    found = compiled(section)
    assert found.artifact is not None, found.diagnostics
    (result,) = try_examples(found).results
    assert result.id == id
    return result


def finding(example: str) -> Diagnostic:
    """The one thing that is wrong with an example."""
    (found,) = tried(example).diagnostics
    return found


@pytest.mark.parametrize(
    "example",
    [
        "{number: courage, given: {us.level: 4}, expect: {value: 5}}",
        "{number: courage, given: {us: {level: 4, luck: 0}}, expect: {value: 4}}",
        "{number: share, given: {us.level: 5}, expect: {value: 5/2}}",
        "{number: share, given: {us.level: 4}, expect: {value: 2}}",
        "{number: fury, given: {us.level: 4, us.stances: [calm, angry]}, expect: {value: 2}}",
        "{number: fury, options: {harsh: true}, given: {us.level: 4}, expect: {value: 10}}",
        "{table: wages, given: {level: 5, mood: angry}, expect: {silver: 6, ale: -1}}",
        "{table: wages, given: {level: 5, mood: calm}, expect: {ale: 1}}",
        "{check: climb, dice: {die: 11}, expect: {outcome: up, margin: 1}}",
        "{check: climb, dice: {die: 10, fallen.points: 7}, expect: {outcome: fallen, effects: {us.luck: -1}}}",
        "{check: climb, dice: {die: 10, fallen.points: [3, 4]}, expect: {margin: 0}}",
        "{check: climb, odds: {up: 1/2, fallen: 1/2}}",
        "{check: climb, odds: {up: 1/2}}",
        "{number: courage, given: {us.level: 10}, expect: {refused: out-of-range}}",
        "{number: courage, given: {us.level: 10}, expect: {refused: us.level}}",
        "{number: fury, given: {us: {level: 1, waiting: true}, them.waiting: true}, expect: {refused: two_ambushes}}",
        "{number: courage, expect: {refused: missing-fact}}",
    ],
)
def test_passes(example: str) -> None:
    assert tried(example).passed, tried(example).diagnostics


@pytest.mark.parametrize(
    ("example", "found", "expected"),
    [
        ("{number: courage, given: {us.level: 4}, expect: {value: 6}}", "5", "6"),
        ("{number: courage, given: {us.level: 4}, expect: {value: 11/2}}", "5", "11/2"),
        ("{number: share, given: {us.level: 5}, expect: {value: 2}}", "5/2", "2"),
        ("{table: wages, given: {level: 5, mood: angry}, expect: {ale: 1}}", "-1", "1"),
        ("{check: climb, dice: {die: 11}, expect: {outcome: fallen}}", "up", "fallen"),
        ("{check: climb, dice: {die: 11}, expect: {margin: 2}}", "1", "2"),
        ("{check: climb, odds: {up: 11/20}}", "1/2", "11/20"),
        ("{number: courage, given: {us.level: 4}, expect: {value: true}}", "5", "true"),
    ],
)
def test_fails_with_both_values(example: str, found: str, expected: str) -> None:
    wrong = finding(example)
    assert wrong.code == "example-fails"
    assert f"to be `{expected}`" in wrong.headline
    assert f"the rules give `{found}`" in wrong.headline


def test_failure_says_how_the_answer_came_about() -> None:
    wrong = finding("{number: courage, given: {us.level: 4}, expect: {value: 6}}")
    assert any("us.level 4" in note for note in wrong.notes), wrong.notes


def test_failure_points_at_the_value() -> None:
    wrong = finding("{number: courage, given: {us.level: 4}, expect: {value: 6}}")
    assert wrong.span.text == "6"


@pytest.mark.parametrize(
    ("example", "places"),
    [
        ("{number: courage, given: {us.level: 10}, expect: {value: 11}}", ["us.level"]),
        ("{number: courage, given: {us.level: high}, expect: {value: 11}}", ["us.level"]),
        ("{number: courage, given: {us.level: 4, us.hope: 1}, expect: {value: 5}}", ["us.hope"]),
        ("{number: courage, expect: {value: 5}}", ["it"]),
        (
            "{number: courage, given: {us: {level: 0, luck: 9, humor: sad}}, expect: {value: 5}}",
            ["level", "luck", "humor"],
        ),
        ("{check: climb, expect: {outcome: up}}", ["it"]),
        ("{check: climb, dice: {die: 21}, expect: {outcome: up}}", ["die"]),
        ("{check: climb, dice: {die: 5, fallen.points: 13}, expect: {outcome: fallen}}", ["fallen.points"]),
        ("{check: climb, dice: {die: 15, fallen.points: 3}, expect: {outcome: up}}", ["fallen.points"]),
        ("{check: climb, dice: {die: 15, dye: 3}, expect: {outcome: up}}", ["dye"]),
        ("{number: fury, options: {harhs: true}, given: {us.level: 4}, expect: {value: 10}}", ["harhs"]),
        ("{number: fury, options: {harsh: 3}, given: {us.level: 4}, expect: {value: 10}}", ["harsh"]),
    ],
)
def test_cannot_run_and_says_where(example: str, places: list[str]) -> None:
    found = tried(example).diagnostics
    assert [each.code for each in found] == ["example-cannot-run"] * len(places)
    assert [each.span.text for each in sorted(found, key=lambda each: each.span.start)] == places


@pytest.mark.parametrize(
    ("example", "missing"),
    [
        ("{number: courage, given: {us.level: 4}, expect: {valu: 5}}", "valu"),
        ("{table: wages, given: {level: 5, mood: calm}, expect: {gold: 5}}", "gold"),
        ("{check: climb, dice: {die: 11}, expect: {margn: 1}}", "margn"),
        ("{check: climb, odds: {upp: 1/2}}", "upp"),
    ],
)
def test_unknown_expectation(example: str, missing: str) -> None:
    wrong = finding(example)
    assert wrong.code == "unknown-expectation"
    assert wrong.span.text == missing


def test_expects_nothing() -> None:
    assert finding("{number: courage, given: {us.level: 4}}").code == "nothing-expected"


@pytest.mark.parametrize(
    ("example", "says"),
    [
        ("{number: courage, given: {us.level: 4}, expect: {refused: out-of-range}}", "is not"),
        ("{number: courage, given: {us.level: 10}, expect: {refused: two_ambushes}}", "refused otherwise"),
    ],
)
def test_not_refused_as_expected(example: str, says: str) -> None:
    wrong = finding(example)
    assert wrong.code == "example-fails"
    assert wrong.headline.endswith(says)


def test_rules_with_errors_try_nothing() -> None:
    text = "ruleset: sample\nlanguage: 1\nnumbers:\n  n: {base: m}\nexamples:\n  e: {number: n, expect: {value: 1}}\n"
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))
    assert found.artifact is None
    assert try_examples(found).results == ()


def test_each_example_counts_once() -> None:
    text = RULES + "".join(
        f"  e{at}: {{number: courage, given: {{us.level: {at}}}, expect: {{value: {at + 1}}}}}\n" for at in range(1, 9)
    )
    results = try_examples(compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))).results
    assert [each.id for each in results] == [f"e{at}" for at in range(1, 9)]
    assert all(each.passed for each in results)
