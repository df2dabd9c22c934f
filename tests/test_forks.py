"""`houserule test` on a fork: its own examples are held to, those below tell what it changes."""

from __future__ import annotations

from pathlib import Path

from friday import Run, change

BASE_EXAMPLES = """\
  tired: {number: vigilance, given: {guard: {level: 2, tired: true}}, expect: {value: 3}}
  cold: {number: vigilance, options: {harsh: true}, given: {guard.level: 2}, expect: {value: 3}}
"""
OWN = "ruleset: own\nextends: friday\n"


def write(friday_folder: Path, own: str, below: str = BASE_EXAMPLES) -> None:
    rules = friday_folder / "friday.yaml"
    rules.write_text(rules.read_text() + below)
    (friday_folder / "own.yaml").write_text(OWN + own)


def test_nothing_is_changed(run: Run, friday_folder: Path) -> None:
    write(friday_folder, "examples: {mine: {number: vigilance, given: {guard.level: 1}, expect: {value: 3}}}\n")
    assert run("test", "own") == (0, "own: 1 example passed; 3 examples below, all as before\n", "")


def test_answers_that_change_are_a_line_each(run: Run, friday_folder: Path) -> None:
    write(friday_folder, "modifiers.weary.adjust.vigilance: -2\n")
    found = run("test", "own")
    assert found.code == 0
    assert found.out == (
        "answers your rules change, in 1 example of the rulesets below:\n"
        "  friday.yaml:33: `tired` expects `value` to be `3`, and the rules give `2`\n"
        "\n"
        "own: 3 examples below, 1 with other answers\n"
    )
    assert run("test", "friday").out == "friday: 3 examples passed\n"


def test_what_can_no_longer_run_is_among_them(run: Run, friday_folder: Path) -> None:
    write(friday_folder, "options.harsh: remove\nmodifiers.cold: remove\n")
    found = run("test", "own")
    assert found.code == 0
    assert "  friday.yaml:34: `cold` cannot run: " in found.out
    assert found.out.endswith("own: 3 examples below, 1 with other answers\n")


def test_a_long_list_is_cut_and_told_whole_elsewhere(run: Run, friday_folder: Path) -> None:
    many = [
        f"  many_{at}: {{number: vigilance, given: {{guard.level: 2}}, expect: {{value: 4}}}}\n" for at in range(12)
    ]
    write(friday_folder, "numbers.vigilance.base: inherited + 1\n", "".join(many))
    found = run("test", "own")
    assert found.out.count("friday.yaml:") == 10
    assert "  and 3 more; `houserule test own --format concise` lists all\n" in found.out
    concise = run("test", "own", "--format", "concise")
    assert concise.code == 0
    assert concise.out.count("note[answer-changed]") == 13
    as_json = run("test", "own", "--json")
    assert as_json.out.count('"code": "answer-changed"') == 13


def test_an_example_of_ones_own_fails_and_is_told_last(run: Run, friday_folder: Path) -> None:
    own = "modifiers.weary.adjust.vigilance: -2\nexamples:\n  small: {expect: {value: 9}}\n"
    write(friday_folder, own)
    found = run("test", "own")
    assert found.code == 1
    before, _, after = found.out.partition("\n\n")
    assert before.count("\n") == 1
    assert after.startswith(
        "error[example-fails]: `small` expects `value` to be `9`, and the rules give `4`\n --> own.yaml:5"
    )
    assert after.endswith("\n\nown: 1 of 1 examples failed: 1 error\n")


def test_a_fork_of_rules_without_examples(run: Run, friday_folder: Path) -> None:
    change(friday_folder, "examples:\n  small: {number: vigilance, given: {guard.level: 2}, expect: {value: 4}}\n", "")
    (friday_folder / "own.yaml").write_text(OWN)
    assert run("test", "own").out == "own: there are no examples\n"
