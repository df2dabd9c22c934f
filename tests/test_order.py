"""The order of a round as callers of the runtime get it: data, dice, explanations, and what is refused.

What comes where is the matter of tests/conformance/order.json and of the rulesets' own examples.
"""

from __future__ import annotations

import json
import random
from hashlib import sha256
from typing import Any

import pytest

import houserule
from houserule import DiceError, FactsError, OptionsError, explain
from houserule.ordered import LeftOut
from rounds import clash, left_out, lines, rules

STRIKES = {"strike": {"foe": "b1"}}
OVER = {"action": "cast", "moment": "effect", "step": "end"}


def order(encounter: dict[str, Any], seed: int | None = None, id: str = "clash") -> houserule.Order:
    return rules().sequence(id).order(encounter, seed)


def jump(**actors: dict[str, Any]) -> dict[str, Any]:
    found = {id: {"nimble": 0, "side": "party", **actor} for id, actor in actors.items()}
    return {"sides": {"party": {"surprised": True}, "foes": {}}, "facts": {"first": "party"}, "actors": found}


def test_an_order_is_data() -> None:
    found = order(clash(a1={"blows": 2, "does": STRIKES}, b1={"does": {"cast": {"level": 2, "foe": "a1"}}}))
    assert lines(found) == ["speak: b1 begin", "blows: a1 blow + a1 blow 2", "spells: b1 effect"]
    first = found.groups[1][0]
    assert (first.step, first.actor, first.action, first.moment, first.nth, first.foe) == (
        "blows",
        "a1",
        "strike",
        "blow",
        1,
        "b1",
    )
    assert [each.name for each in found.moments()] == ["b1 begin", "a1 blow", "a1 blow 2", "b1 effect"]
    assert found.groups[2][0].may_be_spoiled_by == ("a1 blow", "a1 blow 2")
    assert (dict(found.dice), dict(found.scores), found.ties) == ({"party": 5, "foes": 2}, {"party": 5, "foes": 2}, ())
    json.dumps(found.to_dict())
    assert "blows   a1 blow + a1 blow 2" in str(found)


def test_rounds_follow_each_other_through_plain_data() -> None:
    """A spell of level 9 works in the next round; what is carried survives a trip through JSON."""
    first = order(clash(a1={"does": {"cast": {"level": 9, "foe": "b1"}}}, b1={"does": {}}))
    carried = json.loads(json.dumps(first.to_dict()["carried"]))
    assert carried == [
        {"actor": "a1", "action": "cast", "moment": "effect", "nth": 1, "foe": "b1", "facts": {"level": 9}}
        | {"round": 2, "step": "end", "rounds": 0, "meanwhile": ["creep", "nothing"]}
    ]
    second = clash(a1={"does": {"rush": {}}}, b1={"does": {"strike": {"foe": "a1"}}}) | {"carried": carried, "round": 3}
    found = order({**second, "happened": {"b1 blow": "hurt"}})
    assert lines(found) == ["blows: b1 blow", "end: a1 effect spoiled"]
    assert left_out(found) == {"a1 rush": "busy"}
    assert [str(each) for each in found.effects] == ["a1.casting set false", "lost (level 9, who a1)"]


def drawn(seed: object, path: str, faces: int) -> int:
    """The law of seeds in docs/artifact.md, written down once more."""
    end, attempt = (1 << 64) // faces * faces, 0
    while True:
        value = int.from_bytes(sha256(f"{seed}|{path}|0|{attempt}".encode()).digest()[:8], "big")
        if value < end:
            return value % faces + 1
        attempt += 1


def test_a_seed_rolls_by_the_law_of_all_dice() -> None:
    encounter = {key: each for key, each in clash(a1={"does": STRIKES}, b1={"does": STRIKES}).items() if key != "rolls"}
    for seed in (1, 7, "a word"):
        found = rules().sequence("clash").order(encounter, seed=seed)
        assert dict(found.dice) == {who: drawn(seed, f"2.{who}.die", 6) for who in ("party", "foes")}
    assert rules().sequence("clash").order({**encounter, "round": 3}, 7).dice["party"] == drawn(7, "3.party.die", 6)


def test_given_rolls_stand_and_the_seed_rolls_the_rest() -> None:
    encounter = clash(a1={"does": STRIKES}, b1={"does": STRIKES}) | {"rolls": {"party": 1}}
    found = order(encounter, 7)
    assert dict(found.dice) == {"party": 1, "foes": drawn(7, "2.foes.die", 6)}
    drawn_by = rules().sequence("clash").order({**encounter, "rolls": {}}, source=random.Random(3))
    assert set(drawn_by.dice) == {"party", "foes"}


def test_those_who_tie_roll_again_by_the_same_law() -> None:
    """On one seed out of some, two of ten tie; the second roll tells them apart, or the third."""
    for seed in range(40):
        found = order(jump(a1={"does": {"jump": {}}}, a2={"does": {"jump": {}}}), seed, "dash")
        rolls = [(found.dice["a1"], found.dice["a2"])]
        while rolls[-1][0] == rolls[-1][1]:
            behind = f".{len(rolls) + 1}"
            rolls.append((found.dice[f"a1{behind}"], found.dice[f"a2{behind}"]))
            assert rolls[-1][0] == drawn(seed, f"1.a1.die{behind}", 10)
        assert found.ties == ()
        assert found.scores["a1"] == rolls[0][0]


def test_the_steps_of_the_round_call_for_checks_and_sequences() -> None:
    encounter = clash(a1={"does": STRIKES}, b1={"does": {}}) | {"round": 1}
    found = order(encounter)
    assert [each.to_dict() for each in found.entries] == [
        {"step": "open", "check": "morale", "as": {"hit": "hitter"}, "sequence": "dash"}
        | {"facts": {"first": "party", "many": 2}}
    ]
    assert order({**encounter, "round": 2}).entries == ()
    assert [(each.step, each.is_visited) for each in found.lines if each.step in ("open", "night")] == [
        ("open", True),
        ("night", False),
    ]


def test_an_order_explains_itself() -> None:
    found = order(
        clash(
            a1={"does": {"cast": {"level": 2, "foe": "b1"}, "rush": {}, "creep": {}}},
            a2={"does": {"shove": {"hold": "late"}}, "weak": False},
            a3={"does": {"idle": {}}, "pinned": True},
            b1={"does": {"strike": {"foe": "a1"}}, "blows": 3},
        )
        | {"rolls": {"party": 2, "foes": 5}, "happened": {"b1 blow": "hurt"}}
    )
    text = str(found.trace)
    assert "first: foes, score 5\n    die 5 (1d6)" in text
    assert "spells: a1 cast effect, spoiled\n    in the turn of party, second\n    spoiled by b1 blow: hurt" in text
    assert "may be spoiled by b1 blow 2" in text
    assert "spells: a1 creep move\n    directly after a1 effect" in text
    assert "left out: a1 rush: is busy with cast" in text
    assert "end: a2 shove push\n    held to late: no later than this" in text
    assert "left out: a3 idle: none of its moments applies" in text
    assert "left out: b1 strike blow 3: far: Too far by now" in text
    assert explain.markdown(found.trace).startswith("- Clash")
    data = json.loads(explain.json(found.trace))
    assert data["root"]["kind"] == "sequence"
    entry = found.trace.find("clash/a1 cast effect")
    assert entry is not None
    assert (entry.value, entry.op) == ("spells", "spoiled")


WRONG: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("no mapping", {"actors": [1]}, [("wrong-type", "actors")]),
    ("an unknown part", {"actor": {}}, [("unknown-name", "actor")]),
    ("a round before the first", {"round": 0}, [("wrong-type", "round")]),
    ("a round that is a word", {"round": "two"}, [("wrong-type", "round")]),
    ("a fact of the sequence that is no side", {"facts": {"keen": "orcs"}}, [("unknown-name", "facts.keen")]),
    ("a fact out of its range", {"facts": {"keen": "party", "rush_limit": 4}}, [("out-of-range", "facts.rush_limit")]),
    ("a fact that the sequence lacks", {"facts": {"keen": "party", "kean": 1}}, [("unknown-name", "facts.kean")]),
    ("rolls of nobody", {"rolls": {"party": 5, "foes": 2, "wolves": 3}}, [("unknown-die", "rolls.wolves")]),
    ("a roll that cannot be", {"rolls": {"party": 7, "foes": 2}}, [("out-of-range", "rolls.party")]),
    ("missing rolls", {"rolls": {}}, [("missing-die", "rolls.foes"), ("missing-die", "rolls.party")]),
    ("a roll that nobody needs", {"rolls": {"party": 5, "foes": 2} | {"foes.2": 1}}, [("unknown-die", "rolls.foes.2")]),
    ("no event of that name", {"happened": {"a1 blow": "hut"}}, [("unknown-name", "happened.a1 blow")]),
    ("no moment of that name", {"happened": {"a1 blow 2": "hurt"}}, [("unknown-name", "happened.a1 blow 2")]),
    ("an event that cannot come of it", {"happened": {"a1 blow": "shouted"}}, [("out-of-range", "happened.a1 blow")]),
    ("something carried by nobody", {"carried": [{"actor": "z", **OVER}]}, [("unknown-name", "carried.0.actor")]),
    ("carried to no step", {"carried": [{"actor": "a1", **OVER, "step": "x"}]}, [("unknown-name", "carried.0.step")]),
    ("carried that is no list", {"carried": {"a": 1}}, [("wrong-type", "carried")]),
    ("facts of no role", {"given": {"judge.mood": 1}}, [("unknown-name", "given.judge.mood")]),
    ("a wrong loose fact", {"given": {"dark": 3}}, [("wrong-type", "given.dark")]),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "problems"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_what_is_wrong_with_an_encounter_is_told(changes: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    encounter = clash(a1={"does": STRIKES}, b1={"does": {"strike": {"foe": "a1"}}}) | changes
    with pytest.raises((FactsError, DiceError)) as told:
        order(encounter)
    assert sorted((each.code, each.path) for each in told.value.problems) == sorted(problems)
    assert all("\n" not in str(each) for each in told.value.problems)


ACTORS: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("on no side", {"side": None}, [("missing-fact", "actors.a1")]),
    ("on a side that is not there", {"side": "wolves"}, [("unknown-name", "actors.a1.side")]),
    ("a field that it lacks", {"blow": 2}, [("unknown-name", "actors.a1.blow")]),
    ("a field out of its range", {"blows": 4}, [("out-of-range", "actors.a1.blows")]),
    ("an unknown action", {"does": {"strik": {}}}, [("unknown-name", "actors.a1.does.strik")]),
    ("a foe that is not there", {"does": {"strike": {"foe": "b2"}}}, [("unknown-name", "actors.a1.does.strike.foe")]),
    ("no foe where one is needed", {"does": {"strike": {}}}, [("missing-fact", "actors.a1.does.strike.foe")]),
    ("a spell of level 10", {"does": {"cast": {"level": 10}}}, [("out-of-range", "actors.a1.does.cast.level")]),
    ("a fact that the action lacks", {"does": {"cast": {"lvl": 1}}}, [("unknown-name", "actors.a1.does.cast.lvl")]),
    ("held to another step", {"does": {"cast": {"hold": "speak"}}}, [("unknown-name", "actors.a1.does.cast.hold")]),
    ("a deed that is no mapping", {"does": {"cast": 3}}, [("wrong-type", "actors.a1.does.cast")]),
    ("deeds that are no mapping", {"does": ["cast"]}, [("wrong-type", "actors.a1.does")]),
    ("what cannot be", {"does": STRIKES, "mad": True, "pinned": True}, [("impossible", "mad_and_pinned")]),
    ("several things at once", {"blows": 9, "does": {"strik": {}, "cast": {"level": 10}}}, [
        ("out-of-range", "actors.a1.blows"), ("out-of-range", "actors.a1.does.cast.level"),
        ("unknown-name", "actors.a1.does.strik")]),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "problems"), [each[1:] for each in ACTORS], ids=[each[0] for each in ACTORS])
def test_what_is_wrong_with_an_actor_is_told(changes: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    encounter = clash(a1=changes, b1={"does": {}})
    with pytest.raises((FactsError, DiceError)) as told:
        order(encounter)
    assert sorted((each.code, each.path) for each in told.value.problems) == sorted(problems)


def sided(*sides: str) -> dict[str, Any]:
    """An encounter that names its sides by its actors alone."""
    actors = {f"a{at}": {"nimble": 0, "side": side, "does": {}} for at, side in enumerate(sides)}
    return {"round": 2, "actors": actors, "facts": {"keen": sides[0]}}


@pytest.mark.parametrize(
    ("sides", "slip"),
    [(["party", "foes", "pary"], 2), (["prty", "party", "party"], 0), (["foes", "party", "fose"], 2)],
)
def test_a_side_that_is_a_slip_for_another_is_told(sides: list[str], slip: int) -> None:
    with pytest.raises(FactsError) as told:
        order(sided(*sides))
    assert [(each.code, each.path) for each in told.value.problems] == [("unknown-name", f"actors.a{slip}.side")]
    order(sided(*sides) | {"sides": {side: {} for side in sides}})


@pytest.mark.parametrize("sides", [["team_a", "team_b"], ["orcs1", "orcs2"], ["orcs", "orcs2"], ["us", "me"]])
def test_sides_of_like_names_may_be_meant(sides: list[str]) -> None:
    order(sided(*sides))


def test_what_is_read_and_not_given_is_missing() -> None:
    """`nimble` has no default, and only those who roll for themselves need it."""
    encounter = jump(a1={"does": {"jump": {}}}, a2={"does": {}})
    del encounter["actors"]["a1"]["nimble"], encounter["actors"]["a2"]["nimble"]
    with pytest.raises(FactsError) as told:
        order(encounter, 1, "dash")
    assert [(each.code, each.path) for each in told.value.problems] == [("missing-fact", "actors.a1.nimble")]


def test_segments_outside_the_round_are_refused() -> None:
    with pytest.raises(FactsError, match="from 1 to 10"):
        order(jump(a1={"does": {"jump": {"hold": 11}}}), 1, "dash")
    with pytest.raises(FactsError, match="a whole number from 0 to 12"):
        order(jump(a1={"does": {"jump": {"delay": 13}}}), 1, "dash")


def test_options_of_an_encounter_hold_for_it_alone() -> None:
    encounter = clash(a1={"does": {"shove": {}}, "weak": False}, b1={"does": {}})
    asked = rules().sequence("clash")
    assert lines(asked.order(encounter)) == ["end: a1 push"]
    assert lines(asked.order({**encounter, "options": {"quick": True}})) == ["blows: a1 push"]
    assert lines(rules(quick=True).sequence("clash").order(encounter)) == ["blows: a1 push"]
    with pytest.raises(OptionsError):
        asked.order({**encounter, "options": {"quik": True}})


def test_an_unknown_sequence_is_told_with_the_nearest() -> None:
    with pytest.raises(houserule.UnknownNameError, match="did you mean `clash`"):
        rules().sequence("clsh")
    with pytest.raises(houserule.HouseruleError, match="a seed or a source"):
        rules().sequence("clash").order({}, 1, source=random.Random(1))
    assert rules().sequence("dash").steps == ("leap", "up", "down")


def test_what_is_left_out_says_why_in_words() -> None:
    assert str(LeftOut("squire", "melee", "", "holding", "")) == "squire melee: may not hold"
    assert str(LeftOut("squire", "shove", "", "requires.strong", "")) == "squire shove: requires.strong"
    assert str(LeftOut("mage", "move", "act", "far", "Too far by now")) == "mage move act: far (Too far by now)"
