"""What callers of the runtime see: listings, results, tables, explanations, errors with suggestions."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

import houserule
from artifacts import load
from houserule import UNKNOWN, explain
from houserule.nearest import nearest
from houserule.records import dataclass

RULES: dict[str, Any] = {
    "choices": [
        {"id": "stance", "words": ["charging", "prone", "hidden"]},
        {"id": "size", "words": ["small", "large"]},
    ],
    "entities": [
        {
            "id": "fighter",
            "fields": [
                {"id": "level", "type": {"type": "integer", "low": 1, "high": 20}, "title": "Level"},
                {"id": "armor", "type": {"type": "integer", "low": -10, "high": 10}, "default": 9, "decides": "target"},
                {"id": "stances", "type": {"type": "set", "choice": "stance"}},
                {"id": "size", "type": {"type": "choice", "choice": "size"}, "default": 1},
                {"id": "pay", "type": {"type": "integer", "low": 0, "high": 5}, "optional": True},
                {"id": "hd", "type": {"type": "hit_dice", "low": 9, "high": 598}, "default": 67},
                {
                    "id": "rate",
                    "type": {"type": "fraction", "low": ["frac", 0, 1], "high": ["frac", 2, 1]},
                    "default": ["frac", 3, 2],
                },
                {"id": "weapon", "type": {"type": "dice", "one_of": [1030, 1032]}, "default": 1030},
                {"id": "hp", "type": {"type": "integer", "low": -99, "high": 99}, "default": 8},
            ],
        }
    ],
    "roles": [{"id": "attacker", "entity": "fighter"}, {"id": "target", "entity": "fighter"}],
    "options": [{"id": "harsh", "type": {"type": "boolean"}, "default": False}],
    "tables": [
        {
            "id": "charisma",
            "keys": [{"id": "score", "type": {"type": "integer", "low": 3, "high": 18}}],
            "columns": [
                {"id": "loyalty", "type": {"type": "integer", "low": -30, "high": 40}},
                {"id": "reaction", "type": {"type": "integer", "low": -25, "high": 35}},
            ],
            "index": {"starts": [3, 9, 13], "ends": 18, "then": [0, 1, 2]},
            "rows": [[-30, -25], [0, 0], [{"expr": ["*", 2, ["key", 0]]}, 35]],
        },
        {
            "id": "thac0",
            "keys": [
                {"id": "size", "type": {"type": "choice", "choice": "size"}},
                {"id": "level", "type": {"type": "integer", "low": 1, "high": 4}},
            ],
            "columns": [{"id": "value", "type": {"type": "integer", "low": 1, "high": 20}}],
            "index": {
                "from": 0,
                "then": [{"from": 1, "then": [0, 0, 1, 1]}, {"starts": [1], "ends": None, "then": [2]}],
            },
            "rows": [[20], [18], [15]],
        },
    ],
    "modifiers": [
        {"id": "charging", "text": "charging in its.stances", "source": "sw M01"},
        {"id": "flanking"},
        {"id": "hidden", "title": "From hiding", "text": "hidden in its.stances"},
        {"id": "paid"},
    ],
    "stacking": [{"id": "special", "bonuses": "largest"}],
    "numbers": [
        {
            "id": "attack_bonus",
            "better": "higher",
            "base": 2,
            "title": "Attack bonus",
            "source": "sw M00",
            "entries": [
                {
                    "modifier": "charging",
                    "op": "add",
                    "value": 2,
                    "when": ["has", ["field", "attacker", "stances"], 0],
                    "group": "special",
                },
                {"modifier": "flanking", "op": "add", "value": 1, "group": "special"},
                {"modifier": "hidden", "op": "add", "value": 4, "when": ["has", ["field", "attacker", "stances"], 2]},
                {
                    "modifier": "paid",
                    "op": "add",
                    "value": ["field", "attacker", "pay"],
                    "needs": [["field", "attacker", "pay"]],
                },
            ],
        },
        {
            "id": "rate",
            "type": {"type": "fraction", "low": ["frac", 0, 1], "high": ["frac", 2, 1]},
            "base": ["field", "attacker", "rate"],
        },
        {"id": "to_hit", "base": ["-", ["-", 20, ["field", "target", "armor"]], ["number", "attack_bonus"]]},
        {"id": "inner", "in": "attack", "base": ["local", "d20"]},
    ],
    "checks": [
        {
            "id": "attack",
            "title": "Attack",
            "outcomes": ["hit", "near_miss", "miss"],
            "roll": [{"id": "d20", "dice": ["dice", 1, 20]}],
            "values": [
                {"id": "missed_by", "value": ["-", ["number", "to_hit"], ["local", "d20"]]},
                {
                    "id": "stances",
                    "type": {"type": "set", "choice": "stance"},
                    "value": ["field", "attacker", "stances"],
                },
                {"id": "dice", "type": {"type": "hit_dice", "low": 9, "high": 598}, "value": ["field", "target", "hd"]},
                {"id": "size", "type": {"type": "choice", "choice": "size"}, "value": ["field", "target", "size"]},
            ],
            "cases": [
                {
                    "id": "hits",
                    "when": ["<=", ["local", "missed_by"], 0],
                    "outcome": 0,
                    "effects": [{"role": "target", "field": "hp", "op": "add", "value": -3}],
                },
                {"id": "nearly", "when": ["==", ["local", "missed_by"], 1], "outcome": 1},
                {"id": "misses", "outcome": 2},
            ],
        }
    ],
}
FACTS = {"attacker": {"level": 3, "stances": ["charging"]}, "target": {"armor": 4}}


@pytest.fixture(scope="module")
def rules() -> houserule.Rules:
    return load(RULES)


def test_listings(rules: houserule.Rules) -> None:
    assert list(rules.numbers) == ["attack_bonus", "inner", "rate", "to_hit"]
    assert list(rules.checks) == ["attack"]
    assert list(rules.tables) == ["charisma", "thac0"]
    assert rules.numbers["attack_bonus"].title == "Attack bonus"
    assert rules.check("attack").outcomes == ("hit", "near_miss", "miss")
    assert rules.check("attack").dice == ("d20",)
    assert rules.check("attack").values == ("missed_by", "stances", "dice", "size")
    assert rules.options == {"harsh": False}


def test_an_explanation_reads_like_a_referees(rules: houserule.Rules) -> None:
    assert str(rules.number("attack_bonus").explain(FACTS)).splitlines() == [
        "Attack bonus 4 = base 2 +2 charging (sw M01) (sw M00)",
        "  dropped: +1 flanking (special keeps charging)",
        "  not known: attacker.pay (for paid)",
        "  does not apply: From hiding (hidden in its.stances)",
    ]


def test_an_explanation_goes_down_to_what_was_read(rules: houserule.Rules) -> None:
    first, second, *_ = str(rules.number("to_hit").explain(FACTS)).splitlines()
    assert first == "to hit 12 = base 12 (target.armor 4, Attack bonus 4)"
    assert second.startswith("  Attack bonus 4 = base 2")


def test_a_check_is_explained_in_the_order_of_play(rules: houserule.Rules) -> None:
    lines = str(rules.check("attack").resolve(FACTS, {"d20": 12}).trace).splitlines()
    assert lines[:3] == ["Attack: hit", "  d20 12 (1d20)", "  missed by 0 (to hit 12)"]
    assert lines[-2:] == ["  hits: yes", "  effect: target.hp -3"]


def test_markdown_and_json_of_a_trace(rules: houserule.Rules) -> None:
    trace = rules.number("to_hit").explain(FACTS)
    lines = explain.markdown(trace).splitlines()
    assert lines[0] == "- to hit 12 = base 12 (target.armor 4, Attack bonus 4)"
    assert lines[1].startswith("  - Attack bonus 4")
    assert "\\_" in explain.markdown(rules.check("attack").resolve(FACTS, {"d20": 11}).trace).replace(
        "near miss", "a_b".replace("_", "\\_")
    )
    data = json.loads(explain.json(trace))
    assert data["trace_version"] == 1
    assert data["root"]["id"] == "to_hit"
    assert data["root"]["parts"][0]["parts"][1]["parts"][1] == {
        "id": "to_hit/base/attack_bonus/charging",
        "kind": "modifier",
        "name": "charging",
        "status": "kept",
        "value": 2,
        "op": "add",
        "source": "sw M01",
        "path": "modifiers.charging.adjust.attack_bonus",
        "parts": [
            {
                "id": "to_hit/base/attack_bonus/charging/attacker.stances",
                "kind": "fact",
                "name": "attacker.stances",
                "status": "kept",
                "value": ["charging"],
            }
        ],
    }


def test_every_id_of_a_trace_is_found_again(rules: houserule.Rules) -> None:
    trace = rules.check("attack").resolve(FACTS, {"d20": 12}).trace
    ids = [id for id, _ in trace.walk()]
    assert len(ids) == len(set(ids))
    assert all(trace.find(id) is entry for id, entry in trace.walk())
    assert trace.find("attack/none") is None


def test_results(rules: houserule.Rules) -> None:
    result = rules.check("attack").resolve({**FACTS, "target.size": "small"}, {"d20": [11]})
    assert result.outcome == "near_miss"
    assert result.values == {"missed_by": 1, "stances": ("charging",), "dice": "2+1", "size": "small"}
    assert str(result) == "near_miss (d20 11, missed_by 1, stances charging, dice 2+1, size small)"
    assert result.to_dict() == {
        "check": "attack",
        "outcome": "near_miss",
        "dice": {"d20": 11},
        "values": {"missed_by": 1, "stances": ["charging"], "dice": "2+1", "size": "small"},
        "effects": [],
    }
    hit = rules.check("attack").resolve(FACTS, {"d20": 12})
    assert [str(effect) for effect in hit.effects] == ["target.hp -3"]
    assert hit.effects[0].to_dict() == {"path": "target.hp", "op": "add", "value": -3, "chair": "target"}
    assert rules.check("attack").roll(FACTS, seed=5) == rules.check("attack").roll(FACTS, seed=5)


def test_fractions_come_back_as_such(rules: houserule.Rules) -> None:
    value = rules.number("rate").value(FACTS)
    assert value == Fraction(3, 2)
    assert isinstance(value, Fraction)


def test_odds_of_values_that_are_words(rules: houserule.Rules) -> None:
    assert dict(rules.check("attack").odds(FACTS, of="size").items()) == {"large": 1}
    assert dict(rules.check("attack").odds(FACTS, of="stances").items()) == {("charging",): 1}
    assert rules.check("attack").odds(FACTS).to_dict() == {"hit": "9/20", "near_miss": "1/20", "miss": "1/2"}


def test_tables(rules: houserule.Rules) -> None:
    charisma, thac0 = rules.table("charisma"), rules.table("thac0")
    assert charisma[18].reaction == 35  # type: ignore[union-attr]
    assert charisma[18]["loyalty"] == 36  # type: ignore[index]
    assert charisma[9] == {"loyalty": 0, "reaction": 0}
    assert list(charisma[9]) == ["loyalty", "reaction"]  # type: ignore[arg-type]
    assert dict(charisma[3]) == {"loyalty": -30, "reaction": -25}  # type: ignore[arg-type]
    assert (thac0["small", 3], thac0["large", "4"]) == (18, 15)
    assert list(thac0.rows()) == [(("small", "1..2"), 20), (("small", "3..4"), 18), (("large", "1.."), 15)]
    assert [keys for keys, _ in charisma.rows()] == [("3..8",), ("9..12",), *((str(score),) for score in range(13, 19))]
    with pytest.raises(houserule.UnknownNameError, match="no column `reacton`"):
        charisma[18]["reacton"]  # type: ignore[index]
    with pytest.raises(AttributeError):
        charisma[18].reacton  # type: ignore[union-attr]  # noqa: B018


def test_what_a_sheet_asks_for(rules: houserule.Rules) -> None:
    found = {each.path: each for each in rules.facts_for("attack")}
    assert list(found) == ["attacker.pay", "attacker.stances", "target.armor", "target.hd", "target.size"]
    armor, pay, stances, hd = (
        found[path] for path in ("target.armor", "attacker.pay", "attacker.stances", "target.hd")
    )
    assert (armor.low, armor.high, armor.default, armor.required, armor.decides) == (-10, 10, 9, False, "target")
    assert (pay.default, pay.may_be_unknown, pay.required) == (UNKNOWN, True, False)
    assert (stances.words, stances.default, stances.expects) == (
        ("charging", "prone", "hidden"),
        (),
        "a set of charging, prone, hidden",
    )
    assert (hd.low, hd.high, hd.default) == ("0", "30", "2+1")
    assert all(json.dumps(each.to_dict()) for each in found.values())
    assert rules.check("attack").facts == rules.facts_for("attack")


def test_names_that_do_not_exist(rules: houserule.Rules) -> None:
    for ask in (rules.number, rules.facts_for):
        with pytest.raises(houserule.UnknownNameError) as found:
            ask("atack_bonus")
        assert found.value.suggestions == ("attack_bonus",)
    with pytest.raises(houserule.UnknownNameError, match=r"^no check `zzz`$"):
        rules.check("zzz")
    with pytest.raises(houserule.UnknownNameError, match="did you mean `thac0`"):
        rules.table("thaco")
    with pytest.raises(houserule.UnknownNameError, match=r"^no number `3`$"):
        rules.number(3)  # type: ignore[arg-type]


def test_a_number_of_a_check_has_no_value_alone(rules: houserule.Rules) -> None:
    with pytest.raises(houserule.HouseruleError, match="only while `attack` is rolled"):
        rules.number("inner").value({})


def test_a_seed_or_a_source(rules: houserule.Rules) -> None:
    with pytest.raises(houserule.HouseruleError, match="not both"):
        rules.check("attack").roll(FACTS, seed=1, source=__import__("random").Random(1))


def test_problems_are_data_and_text(rules: houserule.Rules) -> None:
    with pytest.raises(houserule.FactsError) as found:
        rules.check("attack").odds({"atacker": {"level": 3}, "target": {"armour": 3, "size": "lage"}})
    assert [(each.code, each.path, each.fix) for each in found.value.problems] == [
        ("unknown-name", "atacker.level", "did you mean `attacker`?"),
        ("unknown-name", "target.armour", "did you mean `armor`?"),
        ("wrong-type", "target.size", "did you mean `large`?"),
    ]
    assert (
        str(found.value).splitlines()[2]
        == "`target.size`: expected one of small, large, found `lage`; did you mean `large`?"
    )
    assert found.value.problems[0].to_dict()["message"] == "no role `atacker`"


def test_options_are_checked_at_load() -> None:
    with pytest.raises(houserule.OptionsError) as found:
        load(RULES, hrsh=True, harsh=3)
    assert [(each.code, each.path) for each in found.value.problems] == [
        ("unknown-name", "hrsh"),
        ("wrong-type", "harsh"),
    ]
    assert load(RULES, harsh=True).options == {"harsh": True}


def test_unknown_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError):
        bool(UNKNOWN)
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    assert (str(UNKNOWN), repr(UNKNOWN)) == ("unknown", "UNKNOWN")


def test_suggestions_are_silent_when_nothing_is_near() -> None:
    assert nearest("morale", ["loyalty", "reaction"]) == ()
    assert nearest("mroale", ["morale", "loyal"]) == ("morale",)
    assert nearest("a", ["b", "c", "d", "e"]) == ("b", "c", "d")


@dataclass(frozen=True, slots=True)
class Pair:
    left: int
    right: int = 2


def test_records_are_like_frozen_dataclasses() -> None:
    pair = Pair(1)
    assert pair == Pair(left=1, right=2) != Pair(2)
    assert (repr(pair), hash(pair)) == ("Pair(left=1, right=2)", hash(Pair(1, 2)))
    assert pickle.loads(pickle.dumps(pair)) == pair
    for change in (lambda: setattr(pair, "left", 3), lambda: delattr(pair, "left"), lambda: setattr(pair, "more", 3)):
        with pytest.raises(AttributeError):
            change()
    for wrong in (lambda: Pair(), lambda: Pair(1, 2, 3), lambda: Pair(1, other=3)):  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            wrong()
