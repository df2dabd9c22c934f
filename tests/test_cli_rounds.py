"""Rounds on the command line: `order`, `due`, and `eval` of an action."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from friday import Run
from rounds import RULES

BRAWL = """\
round: 2
sides: {party: {}, foes: {}}
facts.keen: party
actors:
  a: {side: party, nimble: 0, does: {strike: {foe: b}}}
  b: {side: foes, nimble: 0}
actors.b.does.cast: {foe: a, level: 9}
"""
ROLLS = ["--rolls", "party=5", "--rolls", "foes=2"]


@pytest.fixture
def folder(friday_folder: Path) -> Path:
    (friday_folder / "sample.yaml").write_text(RULES)
    (friday_folder / "brawl.yaml").write_text(BRAWL)
    return friday_folder


@pytest.mark.usefixtures("folder")
class TestOrder:
    def test_a_round_on_one_page(self, run: Run) -> None:
        found = run("order", "sample", "clash", "--facts", "brawl.yaml", *ROLLS)
        assert found.out.splitlines() == [
            "Clash, round 2 (party 5, foes 2)",
            "  speak  b begin",
            "  blows  a blow",
            "next round: b effect",
        ]
        assert (found.code, found.err) == (0, "")

    def test_the_next_round_takes_what_was_carried(self, run: Run, folder: Path) -> None:
        first = run("order", "sample", "clash", "--facts", "brawl.yaml", *ROLLS, "--json").out
        (folder / "first.json").write_text(first)
        again = BRAWL.replace("round: 2\n", "").replace("actors.b.does.cast: {foe: a, level: 9}\n", "")
        (folder / "again.yaml").write_text(again)
        found = run("order", "sample", "clash", "--facts", "again.yaml", "--after", "first.json", *ROLLS)
        assert found.out.splitlines()[0] == "Clash, round 3 (party 5, foes 2)"
        assert "  end    b effect" in found.out

    def test_words_add_to_the_file(self, run: Run) -> None:
        words = ["actors.b.does.cast.level=1", "happened.a blow=hurt", "rolls.party=6", "rolls.foes=1"]
        found = run("order", "sample", "clash", "--facts", "brawl.yaml", *words)
        assert "  spells  b effect spoiled" in found.out
        assert "effect: lost (level 1, who b)" in found.out

    def test_a_seed_rolls_the_same_everywhere_and_is_printed(self, run: Run) -> None:
        first = run("order", "sample", "clash", "--facts", "brawl.yaml", "--seed", "7").out
        assert first.endswith("seed 7\n")
        assert run("order", "sample", "clash", "--facts", "brawl.yaml", "--seed", "7").out == first
        by_chance = run("order", "sample", "clash", "--facts", "brawl.yaml").out
        seed = by_chance.splitlines()[-1].removeprefix("seed ")
        assert run("order", "sample", "clash", "--facts", "brawl.yaml", "--seed", seed).out == by_chance

    def test_one_fault_of_several_is_told_once(self, run: Run) -> None:
        words = ["actors.a.side=wolves", "actors.b.side=wolves"]
        found = run("order", "sample", "clash", "--facts", "brawl.yaml", *ROLLS, *words)
        assert found.err.count("no side `wolves`") == 1

    def test_it_explains_itself(self, run: Run) -> None:
        found = run("order", "sample", "clash", "--facts", "brawl.yaml", *ROLLS, "--explain").out
        assert "  blows: a strike blow\n    in the turn of party, first\n" in found
        traced = json.loads(run("order", "sample", "clash", "--facts", "brawl.yaml", *ROLLS, "--explain", "--json").out)
        assert traced["order"][0][0]["step"] == "speak"
        assert traced["trace"]["root"]["kind"] == "sequence"

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["clsh"], "no sequence `clsh`; did you mean `clash`?"),
            (["clash", "--facts", "brawl.yaml", "--rolls", "party=5"], "`foes` (1d6) is missing"),
            (["clash", "--facts", "brawl.yaml", *ROLLS, "actors.b.does.cast.level=10"], "from 1 to 9, found 10"),
            (["clash", "--facts", "brawl.yaml", *ROLLS, "actors.a.does.strike.foe=c"], "no actor `c` is there"),
            (["clash", "--facts", "brawl.yaml", *ROLLS, "actors.a.side="], "`a` is on no side; add `side:`"),
            (["clash", "--facts", "brawl.yaml", *ROLLS, "actors.a.side=wolves"], "no side `wolves`"),
            (["clash", "--facts", "brawl.yaml", *ROLLS, "actors.a.does.fly.foe=b"], "places no action `fly`"),
            (["clash", "--facts", "brawl.yaml", "--rolls", "party"], "expected WHO=NUMBER after `--rolls`"),
            (["clash", "--facts", "brawl.yaml", "--rolls", "party=x"], "`party` is a number, or faces"),
            (["clash", "--facts", "brawl.yaml", "party"], "expected PART=VALUE, found `party`"),
            (["clash", "--facts", "none.yaml"], "none.yaml"),
        ],
    )
    def test_wrong_use_is_told_in_a_line(self, run: Run, words: list[str], told: str) -> None:
        found = run("order", "sample", *words)
        assert (found.code, found.out) == (2, "")
        assert told in found.err
        assert "Traceback" not in found.err

    def test_problems_as_json_have_their_paths(self, run: Run) -> None:
        words = ["--facts", "brawl.yaml", *ROLLS, "actors.b.does.cast.level=10", "--json"]
        found = run("order", "sample", "clash", *words)
        assert [each["path"] for each in json.loads(found.out)["problems"]] == ["actors.b.does.cast.level"]


@pytest.mark.usefixtures("folder")
class TestDue:
    def test_what_is_due(self, run: Run) -> None:
        assert run("due", "sample", "hit.pinned=true").out == "wavering: check morale (hitter as hit; nerve +2)\n"
        assert run("due", "sample").out == "nothing is due\n"

    def test_what_held_before_is_not_due_again(self, run: Run, folder: Path) -> None:
        (folder / "then.yaml").write_text("hit: {pinned: true}\n")
        assert run("due", "sample", "hit.pinned=true", "--before", "then.yaml").out == "nothing is due\n"
        found = run("due", "sample", "--facts", "then.yaml", "--before", "then.yaml", "--explain").out
        assert "wavering: held before" in found

    def test_it_explains_itself(self, run: Run) -> None:
        assert "stuck: not known: mud" in run("due", "sample", "--explain").out
        found = json.loads(run("due", "sample", "hitter.mad=true", "--json", "--explain").out)
        assert found["due"][0]["effects"][1] == {"event": "shouted", "arguments": {}}
        assert found["trace"]["root"]["kind"] == "triggers"

    def test_wrong_facts_are_told(self, run: Run) -> None:
        found = run("due", "sample", "hit.pined=true")
        assert (found.code, found.out) == (2, "")
        assert "did you mean `pinned`?" in found.err


@pytest.mark.usefixtures("folder")
class TestEval:
    def test_whether_an_action_is_allowed(self, run: Run) -> None:
        assert run("eval", "sample", "strike").out == "allowed\n"
        assert run("eval", "sample", "strike", "hitter.pinned=true").out == "refused: free\n"
        assert "Not pinned: not met" in run("eval", "sample", "strike", "hitter.pinned=true", "--explain").out
        assert json.loads(run("eval", "sample", "strike", "--json").out)["requirements"]["free"] is True

    def test_an_action_takes_no_keys(self, run: Run) -> None:
        found = run("eval", "sample", "strike", "orc")
        assert found.code == 2
        assert "`strike` is an action and takes FACT=VALUE, not `orc`" in found.err


@pytest.mark.usefixtures("folder")
class TestShow:
    def test_a_sequence_is_its_steps_and_its_places(self, run: Run) -> None:
        found = run("show", "sample", "clash").out
        assert "  initiative: each side rolls 1d6; the highest acts first; equal ones act together\n" in found
        assert '    It begins (only if the round is 1; roll "morale", with the hitter as hit; may lead to ' in found
        assert "    act (each side in turn)\n      spells\n      blows (at most 2 for each actor)\n" in found
        assert "reach long\n" in found
        assert "  brace, in the foe's turn\n" in found
        assert "effect: not if after begin and before it this happens to the actor: hurt\n" in found
        assert "So lost (who: the actor, level: action's level)\n" in found
        assert "    keen                    a side                      required\n" in found
        assert "  when: one of the sides: side: surprised\n" in run("show", "sample", "dash").out

    def test_actions_triggers_and_events(self, run: Run) -> None:
        assert "  same reach  reach is at least hit's reach\n" in run("show", "sample", "strike").out
        assert (
            "when: mud and hitter's blows is over 1, in every round in which that is so"
            in run("show", "sample", "stuck").out
        )
        assert "level  a whole number from 1 to 9" in run("show", "sample", "events.lost").out
        assert "sequences\n    clash  Clash" in run("show", "sample").out
