"""Questions to rules: `eval`, `roll`, `odds`, and `diagnostic`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from friday import FACTS, ROOT, Ran, Run

STRIKE = """\
ruleset: strike
language: 1
checks:
  strike:
    outcomes: [hit, miss]
    roll: {d20: 1d20}
    cases: {hit: {when: d20 >= 10, outcome: hit}, miss: {outcome: miss}}
    then: {hit: {roll: {points: 1d8}, values: {damage: points + 1}}}
"""


class TestEval:
    def test_a_number(self, run: Run) -> None:
        assert run("eval", "friday", "vigilance", *FACTS) == Ran(0, "2\n", "")

    def test_a_number_explained(self, run: Run) -> None:
        found = run("eval", "friday", "vigilance", *FACTS, "guard.tired=true", "guard.oath=4", "--explain").out
        assert "Vigilance 3" in found
        assert "-1 Weary" in found
        assert "+2 sworn" in found

    def test_a_number_as_json(self, run: Run) -> None:
        assert json.loads(run("eval", "friday", "vigilance", *FACTS, "--json").out) == {
            "number": "vigilance",
            "value": 2,
        }
        traced = json.loads(run("eval", "friday", "vigilance", *FACTS, "--json", "--explain").out)
        assert traced["trace"]["root"]["name"] == "vigilance"

    def test_an_option(self, run: Run) -> None:
        assert run("eval", "friday", "vigilance", *FACTS, "--option", "harsh=true").out == "1\n"

    def test_a_table(self, run: Run) -> None:
        assert run("eval", "friday", "watch", "large", "3").out == "4\n"
        assert run("eval", "friday", "pay", "2").out == "coins: 9\nmeals: 2\n"
        assert run("eval", "friday", "pay.meals", "2").out == "2\n"
        assert json.loads(run("eval", "friday", "pay", "2", "--json").out) == {
            "table": "pay",
            "keys": ["2"],
            "coins": 9,
            "meals": 2,
        }

    def test_a_table_explained(self, run: Run) -> None:
        assert run("eval", "friday", "pay", "2", "--explain").out == "pay[2].coins 9, pay[2].meals 2\n"
        assert run("eval", "friday", "watch", "large", "3", "--explain").out == (
            "How well a guard watches: watch[large, 3] 4\n"
        )
        traced = json.loads(run("eval", "friday", "pay.meals", "2", "--json", "--explain").out)
        assert (traced["meals"], traced["trace"]["root"]["name"]) == (2, "pay[2].meals")

    def test_an_artifact(self, run: Run) -> None:
        run("build", "friday")
        assert run("eval", "friday.rules.json", "vigilance", *FACTS).out == "2\n"

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("facts.yaml", "guard: {level: 3, size: large}\nguard.tired: true\n"),
            ("facts.json", '{"guard": {"level": 3, "size": "large", "tired": true}}'),
        ],
    )
    def test_a_file_of_facts(self, run: Run, friday_folder: Path, name: str, text: str) -> None:
        (friday_folder / name).write_text(text)
        assert run("eval", "friday", "vigilance", "--facts", name).out == "3\n"
        # What is typed stands in the place of what the file says.
        assert run("eval", "friday", "vigilance", "guard.tired=false", "--facts", name).out == "4\n"

    @pytest.mark.parametrize("text", ["[1, 2]", "{", '{"a": 1, "a": 2}', "[" * 100_000, "\xff"])
    def test_a_file_that_is_no_facts(self, run: Run, friday_folder: Path, text: str) -> None:
        (friday_folder / "facts.json").write_text(text, "latin-1")
        found = run("eval", "friday", "vigilance", "--facts", "facts.json")
        assert found.code == 2
        assert found.err.startswith("houserule: `facts.json` ")

    def test_a_yaml_file_of_facts_that_cannot_be_read(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "facts.yaml").write_text("guard: &a {level: 3}\n")
        found = run("eval", "friday", "vigilance", "--facts", "facts.yaml")
        assert found.code == 2
        assert " --> facts.yaml:1:8" in found.err


class TestRollAndOdds:
    def test_given_dice(self, run: Run) -> None:
        assert run("roll", "friday", "notice", *FACTS, "--dice", "die=2").out == "noticed (die 2)\n"
        assert run("roll", "friday", "notice", *FACTS, "--dice", "die=3").out == "missed (die 3)\n"

    def test_a_seed_rolls_the_same_again(self, run: Run) -> None:
        first = run("roll", "friday", "notice", *FACTS)
        seed = first.out.splitlines()[-1].removeprefix("seed ")
        assert run("roll", "friday", "notice", *FACTS, "--seed", seed) == first

    def test_as_json(self, run: Run) -> None:
        found = json.loads(run("roll", "friday", "notice", *FACTS, "--seed", "7", "--json").out)
        again = json.loads(run("roll", "friday", "notice", *FACTS, "--seed", "7", "--json", "--explain").out)
        assert found["seed"] == "7"
        assert again.pop("trace")["root"]["name"] == "notice"
        assert again == found

    def test_explained(self, run: Run) -> None:
        found = run("roll", "friday", "notice", *FACTS, "guard.tired=true", "--dice", "die=2", "--explain").out
        assert found.startswith("notice: missed\n")
        assert "-1 Weary" in found

    def test_odds(self, run: Run) -> None:
        assert run("odds", "friday", "notice", *FACTS).out == "noticed  1/3  ~33.333333%\nmissed   2/3  ~66.666667%\n"
        assert json.loads(run("odds", "friday", "notice", *FACTS, "--json").out) == {
            "check": "notice",
            "odds": {"noticed": "1/3", "missed": "2/3"},
        }

    def test_odds_of_a_value_that_only_a_hit_gives(self, run: Run, friday_folder: Path) -> None:
        # A hit on 10 and more is 11/20, a point more than 1d8 has the mean 11/2.
        (friday_folder / "strike.yaml").write_text(STRIKE)
        found = run("odds", "strike", "strike", "--of", "hit.damage").out
        assert found.startswith("2          11/160  6.875%\n")
        assert found.endswith("not given    9/20     45%\n\nmean 11/2 = 5.5, where it is given\n")
        assert json.loads(run("odds", "strike", "strike", "--of", "hit.damage", "--json").out)["mean"] == "11/2"
        assert run("odds", "strike", "strike", "--of", "d20").out.endswith("\n\nmean 21/2 = 10.5\n")
        asked = run("odds", "strike", "strike", "--of", "damage")
        assert asked.err == "houserule: `strike` has no die or value `damage`; did you mean `hit.damage`?\n"

    def test_all_rulesets_are_listed_where_a_name_is_wrong_and_by_show(self, run: Run) -> None:
        assert run("odds", "nope", "strike").err == (
            "houserule: no ruleset named `nope`; `houserule show` lists all that there are\n"
        )
        assert run("odds", "osrik", "attack").err == "houserule: no ruleset named `osrik`; did you mean `osric`?\n"
        listed = run("show").out.splitlines()
        assert {"friday", "osric", "flanking"} <= set(listed)
        assert listed == sorted(listed)
        assert run("show", "--all").err.startswith("houserule: `--all` needs the name of a ruleset")

    def test_odds_explained(self, run: Run) -> None:
        found = run("odds", "friday", "notice", *FACTS, "guard.tired=true", "--explain").out
        assert "noticed  1/6" in found
        assert "\nVigilance 1" in found

    def test_odds_of_a_die(self, run: Run) -> None:
        assert run("odds", "friday", "notice", *FACTS, "--of", "die").out.splitlines()[0] == "1  1/6  ~16.666667%"


class TestDiagnostic:
    def test_a_page(self, run: Run) -> None:
        found = run("diagnostic", "unknown-key")
        assert found.out.startswith("# unknown-key\n")
        assert "<!--" not in found.out
        assert run("diagnostic", "[unknown-key]") == found

    def test_all_codes(self, run: Run) -> None:
        lines = run("diagnostic").out.splitlines()
        assert len(lines) == len(list((ROOT / "docs" / "diagnostics").glob("*.md"))) - 1
        assert json.loads(run("diagnostic", "--json").out).keys() == {line.split()[0] for line in lines}
