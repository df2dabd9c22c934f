"""Actions and triggers as callers of the runtime get them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import houserule
from houserule import FactsError
from rounds import rules

FREE = {"hitter.reach": "long", "hit.reach": "short"}


def test_an_action_is_allowed_where_all_its_requirements_are_met() -> None:
    found = rules().action("strike").allowed(FREE)
    assert found
    assert dict(found.requirements) == {"free": True, "same_reach": True}
    assert (str(found), found.refused_by) == ("allowed", ())
    assert rules().action("strike").check == "blow"


@pytest.mark.parametrize(
    ("facts", "refused_by"),
    [
        ({**FREE, "hitter.pinned": True}, ("free",)),
        ({"hit.reach": "long"}, ("same_reach",)),
        ({"hit.reach": "long", "hitter.pinned": True}, ("free", "same_reach")),
    ],
)
def test_an_action_is_refused_by_each_requirement_that_is_not_met(
    facts: dict[str, Any], refused_by: tuple[str]
) -> None:
    found = rules().action("strike").allowed(facts)
    assert not found
    assert found.refused_by == refused_by
    json.dumps(found.to_dict())


def test_what_is_not_known_meets_no_requirement() -> None:
    """`not its.weak` holds for whoever is known not to be weak."""
    shove = rules().action("shove")
    assert shove.allowed({"hitter.weak": False})
    assert not shove.allowed({"hitter.weak": True})
    unknown = shove.allowed({})
    assert not unknown
    assert "strong: not known: hitter.weak" in str(unknown.trace)


def test_a_trace_says_why_an_action_is_refused() -> None:
    text = str(rules().action("strike").allowed({**FREE, "hitter.pinned": True}).trace)
    assert text.splitlines() == [
        "strike: refused",
        "  Not pinned: not met, not its.pinned (hitter.pinned true)",
        "  same reach: met (hitter.reach long, hit.reach short)",
    ]


@pytest.mark.parametrize(
    ("facts", "path"),
    [
        ({"hitter.reech": "long"}, "hitter.reech"),
        ({"hitter.reach": "far"}, "hitter.reach"),
        ({"hiter.reach": "long"}, "hiter.reach"),
    ],
)
def test_wrong_facts_of_an_action_are_told(facts: dict[str, Any], path: str) -> None:
    with pytest.raises(FactsError) as told:
        rules().action("strike").allowed(facts)
    assert [each.path for each in told.value.problems] == [path]


def due(facts: dict[str, Any], before: dict[str, Any] | None = None) -> list[str]:
    return [each.trigger for each in rules().due(facts, before=before)]


def test_triggers_are_due_when_they_hold_and_did_not() -> None:
    pinned = {"hit.pinned": True}
    assert due(pinned) == ["wavering"]
    assert due(pinned, before={}) == ["wavering"]
    assert due(pinned, before=pinned) == []
    assert due({}, before=pinned) == []
    assert due({**pinned, "hitter.mad": True}, before=pinned) == ["raving"]


def test_what_is_due_every_round_is_due_again() -> None:
    stuck = {"mud": True, "hitter.blows": 2}
    assert due(stuck, before=stuck) == ["stuck"]
    assert rules().due(stuck)["stuck"].is_every_round
    assert due({"mud": True}, before=stuck) == []


def test_a_trigger_tells_its_check_its_seats_its_adjustments_and_effects() -> None:
    wavering = rules().due({"hit.pinned": True})["wavering"]
    assert wavering.to_dict() == {
        "trigger": "wavering",
        "check": "morale",
        "as": {"hit": "hitter"},
        "adjust": [{"number": "nerve", "op": "add", "value": 2}],
        "effects": [],
        "every_round": False,
    }
    assert str(wavering) == "wavering: check morale (hitter as hit; nerve +2)"
    raving = rules().due({"hitter.mad": True})["raving"]
    assert [str(each) for each in raving.effects] == ["hitter.casting set false", "shouted"]
    assert (raving.check, raving.title) == ("", "Raving")


def test_a_trigger_whose_facts_are_missing_does_not_hold_and_the_trace_says_so() -> None:
    """`mud` has no default; a fact that may be unknown, and is, makes nothing due either."""
    found = rules().due({"hitter.blows": 2})
    assert not list(found)
    text = str(found.trace)
    assert "stuck: not known: mud" in text
    assert "weakened: not known: hitter.weak" in text
    assert "wavering: does not hold, hit.pinned (hit.pinned false)" in text


def test_a_trigger_asked_alone_wants_all_its_facts() -> None:
    stuck = rules().trigger("stuck")
    assert {each.path for each in stuck.facts} == {"hitter.blows", "mud"}
    with pytest.raises(FactsError) as told:
        stuck.held({"hitter.blows": 2})
    assert [(each.code, each.path) for each in told.value.problems] == [("missing-fact", "mud")]
    assert stuck.held({"mud": False, "hitter.blows": 2}) is None


def test_problems_of_the_facts_before_are_told_as_such() -> None:
    with pytest.raises(FactsError) as told:
        rules().due({}, before={"hitter.blows": 9})
    assert [(each.code, each.path) for each in told.value.problems] == [("out-of-range", "before.hitter.blows")]


def test_unknown_actions_and_triggers_are_told_with_the_nearest() -> None:
    with pytest.raises(houserule.UnknownNameError, match="did you mean `strike`"):
        rules().action("strik")
    with pytest.raises(houserule.UnknownNameError, match="did you mean `raving`"):
        rules().trigger("ravin")
