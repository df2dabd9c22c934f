"""What the shipped rules answer beyond a value: why, where a fact is not known, and what stacking leaves out."""

from __future__ import annotations

from functools import cache

import houserule
from shipped_rules import built


@cache
def osric() -> houserule.Rules:
    artifact = built("osric").artifact
    assert artifact is not None
    return houserule.load(artifact)


def entry(trace: houserule.Trace, name: str) -> houserule.Entry:
    return next(each for _, each in trace.walk() if each.kind == "modifier" and each.name == name)


def test_pay_that_is_not_known_does_not_apply() -> None:
    trace = osric().number("loyalty").explain({"npc.enlistment": "henchman"})
    found = entry(trace, "pay")
    assert (found.status, found.value, found.why) == ("not_known", None, ("npc.pay",))
    assert "  not known: " in str(trace)
    assert "npc.pay (for Pay or share of treasure)" in str(trace)


def test_of_special_considerations_the_trace_says_what_was_dropped() -> None:
    facts = {"liege": {"deeds": ["oath_breaker", "discharged_faithful", "saved_life", "restored"]}}
    trace = osric().number("loyalty").explain(facts)
    found = [each for _, each in trace.walk() if each.kind == "modifier" and each.name == "deeds"]
    assert [(each.value, each.status) for each in found] == [
        (-15, "kept"),
        (-5, "dropped"),
        (25, "dropped"),
        (50, "kept"),
    ]
    assert osric().number("loyalty").value(facts) == 50 - 15 + 50


def test_cruelty_turns_with_the_state_of_the_liege() -> None:
    states = {"near_and_in_power": 10, "powerless": 0, "absent": -10, "incapacitated": -10, "dead": -10}
    for state, amount in states.items():
        trace = osric().number("loyalty").explain({"liege": {"treatment": "cruel", "state": state}})
        assert entry(trace, "cruelty").value == amount, state
    assert entry(osric().number("loyalty").explain({"liege.treatment": "cruel"}), "cruelty").status == "not_known"


def test_an_explained_reaction_says_which_row_it_read() -> None:
    found = osric().check("reaction").resolve({"speaker.charisma": 18}, {"die": 62})
    lines = str(found.trace).splitlines()
    assert lines[:3] == [
        "Reaction: enthusiastic (osric F05)",
        "  die 62 (1d100)",
        "  adjusted 97 (Added to the reaction roll 35)",
    ]
    assert "  attitude enthusiastic (encounter_reaction[97] enthusiastic)" in lines
    row = next(each for _, each in found.trace.walk() if each.name == "encounter_reaction[97]")
    assert row.row == 6
