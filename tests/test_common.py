"""What the shipped games share: one pack fits all of them, and the morale of one serves the others."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import houserule
from friday import Ran, Run
from houserule_compiler.diagnostics import Diagnostic, Severity
from houserule_compiler.pipeline import Compiled, try_examples
from layering import codes, on_shipped

GAMES = ["adnd2e", "osric", "swords-wizardry"]
SETTLED = {
    "osric": "prefer: {checks.morale: odnd-morale, numbers.morale: odnd-morale}\n"
    "modifiers.charisma_in_morale: remove\n",
    "swords-wizardry": "prefer: {modifiers.flanked: flanking}\n",
}
"""What a fork of each game says where the game and a pack have a rule for one thing."""


@cache
def fork(game: str) -> Compiled:
    """A fork of a game that uses both packs; nothing is found in it."""
    found = on_shipped(f"extends: {game}\nwith: [odnd-morale, flanking]\n{SETTLED.get(game, '')}")
    assert codes(found) == []
    return found


@cache
def alone() -> houserule.Rules:
    return loaded(on_shipped("extends: odnd-morale\n"))


def loaded(found: Compiled, **options: object) -> houserule.Rules:
    assert found.artifact is not None
    return houserule.load(found.artifact, options)


def layers(found: Diagnostic) -> list[str]:
    return [each.span.file.layer for each in found.labels]


@pytest.mark.parametrize("game", GAMES)
def test_one_flanking_pack_fits_every_game(game: str) -> None:
    rules = loaded(fork(game))
    # THAC0 18 less armor class 4 is 14, which 7 faces of 20 reach; with 2 more, 9.
    facts = {"attacker.thac0": 18, "target.armor_class": 4}
    for flankers, bonus, faces in ((0, 0, 7), (1, 0, 7), (2, 2, 9), (12, 2, 9)):
        assert rules.number("attack_bonus").value({**facts, "flankers": flankers}) == bonus
        assert rules.check("attack").odds({**facts, "flankers": flankers})["hit"] == Fraction(faces, 20)
    small = loaded(fork(game), flanking_bonus=1)
    assert small.check("attack").odds({**facts, "flankers": 2})["hit"] == Fraction(8, 20)


def test_the_examples_of_a_pack_hold_where_it_is_used() -> None:
    tried = try_examples(fork("adnd2e"))
    assert {each.id for each in tried.results} >= {"flanked_by_nobody", "flanked_by_two", "base_hit_dice_3"}
    assert all(each.passed for each in tried.results)
    assert tried.diagnostics == ()


def test_a_game_with_a_rule_of_its_own_says_which_one_holds() -> None:
    found = on_shipped("extends: swords-wizardry\nwith: [flanking]\n")
    assert codes(found) == ["both-define"]
    assert sorted(layers(found.diagnostics[0])) == ["flanking", "swords-wizardry"]
    assert "prefer: {modifiers.flanked: " in found.diagnostics[0].help


def test_where_nobody_attacks_flanking_does_nothing_and_says_so() -> None:
    found = on_shipped("extends: odnd-morale\nwith: [flanking]\n")
    assert [(each.code, each.severity) for each in found.diagnostics] == [("adjusts-open-number", Severity.NOTE)]
    assert layers(found.diagnostics[0]) == ["flanking", "common"]
    assert sorted(loaded(found).numbers) == sorted(alone().numbers)


# What each comes to, by the tables of the article: base morale and modifiers, and faces of a d20 above that.
SITUATIONS = [
    ({"creature.hit_dice": "3", "setting": "in_combat"}, 7, {"flees": Fraction(13, 20)}),
    (
        {"creature.hit_dice": "1/2", "creature.shaken": 3, "leader.state": "slain", "setting": "out_of_combat"},
        0,
        {"deserts": Fraction(1)},
    ),
    (
        {"creature.hit_dice": "14+1", "creature.resolve": "strong", "setting": "in_combat"},
        20,
        {"flees": Fraction(1, 400)},
    ),
    (
        {"creature.hit_dice": "4", "creature.loyalty_rating": 18, "leader.charisma": 6, "setting": "in_combat"},
        9,
        {"flees": Fraction(11, 20)},
    ),
    ({"creature.hit_dice": "9", "creature.fearless": True, "setting": "out_of_combat"}, 13, {"stands": Fraction(1)}),
    (
        {"creature.hit_dice": "2+1", "creature.lawful": True, "paladin_present": True, "setting": "in_combat"},
        10,
        {"flees": Fraction(1, 2)},
    ),
]


@pytest.mark.parametrize("game", GAMES)
def test_its_morale_serves_every_game(game: str) -> None:
    rules = loaded(fork(game))
    for facts, morale, odds in SITUATIONS:
        assert rules.number("morale").value(facts) == alone().number("morale").value(facts) == morale
        found = rules.check("morale").odds(facts)
        assert found == alone().check("morale").odds(facts)
        assert {outcome: found[outcome] for outcome in odds} == odds


def test_what_a_game_adds_to_its_own_morale_is_taken_out() -> None:
    """The charisma of an OSRIC liege counts in percent, which means nothing on a d20."""
    facts = {**SITUATIONS[0][0], "npc.kind": "henchman", "liege.charisma": 18}
    assert loaded(fork("osric")).number("morale").value(facts) == 7


def test_two_ways_to_check_morale_are_never_mixed() -> None:
    found = on_shipped("extends: osric\nwith: [odnd-morale]\n")
    assert codes(found) == ["both-define", "other-than-seen"]
    (twice,) = [each for each in found.diagnostics if each.code == "both-define"]
    assert "`checks.morale`" in twice.headline
    assert sorted(layers(twice)) == ["common", "odnd-morale", "osric"]
    assert "prefer: {checks.morale: odnd-morale}" in twice.help


def test_nothing_of_an_attack_is_in_a_game_without_one() -> None:
    assert sorted(alone().numbers) == ["base_morale", "loyalty_adjustment", "morale"]
    assert sorted(alone().checks) == ["loyalty_rating", "morale"]
    assert sorted(alone().program.roles) == ["bond", "creature", "leader", "ordeal"]
    assert sorted(alone().program.options) == ["certain"]


@pytest.mark.parametrize(
    "words",
    ["build common --trusted", "eval common attack_bonus", "roll common attack", "odds common morale", "show common"],
)
def test_an_abstract_ruleset_gives_no_answers(run: Run, words: str) -> None:
    found = run(*words.split())
    assert found.code == 1
    assert found.out == ""
    assert found.err.startswith("error[abstract-ruleset]: `common` is abstract")


def test_an_abstract_ruleset_is_looked_at(run: Run) -> None:
    assert run("validate", "common") == Ran(0, "common: no faults found\n", "")
    assert run("test", "flanking") == Ran(0, "flanking: abstract, so its examples are for rulesets that use it\n", "")
