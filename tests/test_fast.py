"""Generated code says what the reference evaluator says, in every situation that chance and the ends of ranges find."""

from __future__ import annotations

import ast
import builtins
import copy
import pickle
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alike
import houserule
import houserule.fast_syntax
import houserule.values
import oracle
import random_checks
from artifacts import load
from houserule.fast import Fast
from houserule.reads import reads_locals
from random_rules import compiled, rules
from shipped_rules import built

SHIPPED = ("adnd2e", "odnd-morale", "osric", "swords-wizardry")


def shipped(name: str) -> houserule.Rules:
    artifact = built(name).artifact
    assert artifact
    return houserule.load(artifact)


def numbers(loaded: houserule.Rules) -> list[str]:
    return [id for id in loaded.program.numbers if not reads_locals(loaded.program, id)]


def agree(loaded: houserule.Rules, situations: int, seed: int) -> None:
    random, fast, ids = Random(seed), Fast(loaded.program, loaded.chosen_options), numbers(loaded)
    reads = frozenset().union(*map(loaded.reads_of_number, ids)) if ids else frozenset()
    for _ in range(situations):
        facts = oracle.situation(loaded, reads, random)
        for id in ids:
            assert oracle.fast_number(fast, id, facts) == oracle.number(loaded, id, facts), (id, facts)
    for id in loaded.program.checks:
        for _ in range(situations):
            facts, dice = oracle.situation(loaded, loaded.reads_of_check(id), random), random.randrange(10**9)
            assert oracle.fast_check(fast, id, facts, dice) == oracle.check(loaded, id, facts, dice), (id, facts, dice)
            assert oracle.fast_check_trace(fast, id, facts, dice) == oracle.check_trace(loaded, id, facts, dice)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rules(name: str) -> None:
    agree(shipped(name), 60, 1)


@settings(max_examples=20)
@given(rules(), st.integers(0, 999))
def test_random_numbers(text: str, seed: int) -> None:
    _, artifact, _ = compiled(text)
    if artifact is not None:
        agree(houserule.load(artifact), 8, seed)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 10**6))
def test_random_checks(seed: int, mine: int, yours: int, dice: int) -> None:
    loaded = load(random_checks.rules(seed))
    fast, facts = Fast(loaded.program, {}), {"me.n": mine, "you.n": yours}
    for id in ("one", "two", "three"):
        assert oracle.fast_check(fast, id, facts, dice) == oracle.check(loaded, id, facts, dice)
        assert oracle.fast_check_trace(fast, id, facts, dice) == oracle.check_trace(loaded, id, facts, dice)


def varied(made: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Checks that read more: numbers in cases, under conditions or not, effects, outcomes that are worked out."""
    made["conditions"] = [{"id": "c", "when": ["and", [">", ["number", "k"], 2], [">", ["field", "me", "n"], 0]]}]
    made["conditions"].append({"id": "d", "when": [">", ["number", "k"], ["field", "you", "n"]]})
    for step in (step for check in made["checks"] for step in check["steps"]):
        if "call" in step and chance.random() < 0.6:
            del step["call"]["adjust"]
        local = ["local", f"{step['id']}.{'outcome' if 'call' in step else 'v'}"]
        if chance.random() < 0.5:
            value: Any = chance.choice([local, ["number", "k"], ["+", ["field", "me", "n"], local]])
            effect = {"role": "you", "field": "n", "op": "add", "value": value}
            step["effects"] = [effect | ({"when": ["condition", "d"]} if chance.random() < 0.5 else {})]
        for at, case in enumerate(step["cases"]):
            case["id"] = f"x{at}"
            if "when" in case:
                k = ["number", "k"]
                other: Any = [">", ["field", "me", "n"], ["-", k, ["field", "you", "n"]]]
                twice = [">", ["+", k, k, ["field", "me", "n"]], ["+", ["field", "me", "n"], local]]
                more: list[Any] = [["condition", "c"], ["condition", "d"], [">=", local, k], other, twice]
                more += [["if", case["when"], other, False], ["not", ["in", ["-", k, local], [[0, 3]]]]]
                case["when"] = chance.choice([case["when"], *more])
            if "outcome" in case and chance.random() < 0.4:
                asked = chance.choice([[">", ["field", "you", "n"], 1], ["condition", "d"], [">", local, 2]])
                case["outcome"] = ["if", asked, 0, case["outcome"]]
    return made


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 10**6))
def test_random_checks_that_read_more_say_why(seed: int, mine: int, yours: int, dice: int) -> None:
    loaded = load(varied(random_checks.rules(seed), Random(seed)))
    fast, facts = Fast(loaded.program, {}), {"me.n": mine, "you.n": yours}
    for id in ("one", "two", "three"):
        for more in range(2):
            told = oracle.check_trace(loaded, id, facts, dice + more)
            assert oracle.fast_check_trace(fast, id, facts, dice + more) == told


N = {"type": "integer", "low": -9, "high": 40}
AMOUNT: dict[str, Any] = {"modifier": "m", "op": "add"}
GRADES = [[5, 9, 3], [10, 20, 4], [30, None, ["fact", "n"]]]
ODD: dict[str, dict[str, Any]] = {
    "grades with gaps between them": {"base": 0, "entries": [{**AMOUNT, "by": ["fact", "n"], "grades": GRADES}]},
    "a sum that leaves the range": {"base": 2**53 - 1, "entries": [{**AMOUNT, "value": ["fact", "n"]}]},
    "a product that leaves the range": {"base": ["*", 2**50, ["fact", "n"]]},
    "a key that is in no row": {"base": ["table", "t", "x", [["fact", "n"]]]},
    "a cell that follows from its key": {"base": ["table", "u", "x", [["fact", "n"]]]},
    "a cell that reads a fact": {"base": ["table", "w", "x", [["fact", "n"]]]},
    "a divisor that is zero": {"base": ["floor", ["/", 10, ["fact", "n"]]]},
    "rounded up": {"base": ["ceil", ["/", ["fact", "n"], 7]]},
    "rounded to the nearest": {"base": ["nearest", ["/", ["fact", "n"], 2]]},
    "toward zero": {"base": ["toward_zero", ["/", ["fact", "n"], 4]]},
    "a remainder": {"base": ["mod", ["fact", "n"], 7]},
    "multiplied and rounded": {
        "base": ["fact", "n"],
        "entries": [{**AMOUNT, "op": "multiply", "value": ["frac", 1, 2], "round": "nearest"}],
    },
    "a bound beyond another": {
        "base": ["fact", "n"],
        "entries": [{**AMOUNT, "op": "at_least", "value": 12}, {"modifier": "n", "op": "at_most", "value": 10}],
    },
    "a word that does not exist": {"base": ["attribute", "size", "feet", ["fact", "n"]]},
    "unknown where nothing guards it": {"base": ["if", [">", ["fact", "n"], 0], ["fact", "u"], 1]},
    "unknown in a modifier": {
        "base": 1,
        "entries": [{**AMOUNT, "value": ["fact", "u"], "when": [">", ["fact", "n"], 9]}],
    },
    "unknown and asked for": {"base": ["if", ["known", ["fact", "u"]], ["fact", "u"], -5]},
    "in open bands": {"base": ["if", ["in", ["fact", "n"], [[None, 0], [7, 9], [33, None]]], 1, 2]},
}
TABLES = [
    {"id": "t", "keys": [{"id": "k", "type": N}], "index": {"from": 0, "then": [0, 1]}, "rows": [[5], [6]]},
    {
        "id": "u",
        "keys": [{"id": "k", "type": N}],
        "index": {"starts": [None, 3, 9], "ends": None, "then": [0, 1, 0]},
        "rows": [[{"expr": ["*", ["key", 0], 2]}], [6]],
    },
]
TABLES.append({**TABLES[1], "id": "w", "rows": [[{"expr": ["+", ["key", 0], ["option", "o"]]}], [6]]})


@pytest.mark.parametrize("number", ODD.values(), ids=ODD.keys())
def test_odd_numbers(number: dict[str, Any]) -> None:
    tables = [{"columns": [{"id": "x", "type": N}], **each} for each in TABLES]
    feet = {"id": "feet", "type": N, "values": [3, 6]}
    loaded = load(
        {
            "choices": [{"id": "size", "words": [{"id": "small"}, {"id": "large"}], "attributes": [feet]}],
            "facts": [{"id": "n", "type": N}, {"id": "u", "type": N, "optional": True}],
            "options": [{"id": "o", "type": N, "default": 4}],
            "modifiers": [{"id": "m"}, {"id": "n"}],
            "tables": tables,
            "numbers": [{"id": "k", **number}],
        }
    )
    fast = Fast(loaded.program, loaded.chosen_options)
    for n in range(-9, 41):
        for u in (houserule.UNKNOWN, -9, 0, 17):
            facts: oracle.Held = {"n": n, "u": u}
            assert oracle.fast_number(fast, "k", facts) == oracle.number(loaded, "k", facts), facts
            assert oracle.fast_trace(fast, "k", facts) == oracle.trace(loaded, "k", facts), facts


OPS = ["add", "add", "add", "set", "multiply", "at_most"]
POLICIES = [None, "all", "largest", "smallest", "once", "first"]


@settings(max_examples=150)
@given(st.data())
def test_stacking(data: st.DataObject) -> None:
    """Whatever competes: policies, ties, directions, words of a set, and amounts of every operation."""
    amount = st.one_of(st.integers(-3, 3), st.just(["fact", "n"]), st.just(["neg", ["fact", "n"]]))
    group = {key: data.draw(st.sampled_from(POLICIES)) for key in ("bonuses", "penalties", "all", "multiply")}
    group = {key: policy for key, policy in group.items() if policy}
    group |= data.draw(st.sampled_from([{}, {"tie": "bonus"}, {"tie": "penalty"}]))
    group["order"] = data.draw(st.permutations(["m0", "m1", "m2", "m3"]))
    entries = []
    for at in range(data.draw(st.integers(1, 4))):
        entry = {
            "modifier": f"m{at}",
            "op": data.draw(st.sampled_from(["add", "add", "add", "set", "multiply", "at_most"])),
        }
        entry |= data.draw(st.sampled_from([{}, {"group": "g"}, {"group": "g"}]))
        entry |= {"when": [">", ["fact", "n"], data.draw(st.integers(-2, 2))]} if data.draw(st.booleans()) else {}
        if entry["op"] == "add" and data.draw(st.booleans()):
            grades = [[word, word, data.draw(amount)] for word in range(3) if data.draw(st.booleans())]
            entry |= {"each": ["fact", "s"], "grades": grades or [[0, 0, 1]]}
        else:
            entry["value"] = data.draw(amount)
        entries.append(entry)
    better = data.draw(st.sampled_from([{}, {"better": "lower"}, {"better": "higher"}]))
    loaded = load(
        {
            "choices": [{"id": "mood", "words": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "attributes": []}],
            "facts": [
                {"id": "n", "type": {"type": "integer", "low": -3, "high": 3}},
                {"id": "s", "type": {"type": "set", "choice": "mood"}, "default": 0},
            ],
            "modifiers": [{"id": f"m{at}"} for at in range(4)],
            "stacking": [{"id": "g", **group}],
            "numbers": [{"id": "k", "base": 2, "entries": entries, **better}],
        }
    )
    fast = Fast(loaded.program, {})
    for n in range(-3, 4):
        for words in range(8):
            facts: oracle.Held = {"n": n, "s": words}
            assert oracle.fast_number(fast, "k", facts) == oracle.number(loaded, "k", facts), facts
            assert oracle.fast_trace(fast, "k", facts) == oracle.trace(loaded, "k", facts), facts


@pytest.mark.parametrize("name", SHIPPED)
def test_numbers_say_the_same(name: str) -> None:
    """Values, problems and explanations, of facts in every form, also of those that were checked before."""
    loaded, random = shipped(name), Random(7)
    found = [alike.number(loaded, id, random, at) for id in numbers(loaded) for at in range(40)]
    assert found.count(True) > 20 < found.count(False)


def test_facts_that_other_rules_checked_are_checked_again() -> None:
    """Words have other codes there, and other situations are impossible."""
    one, other = (
        load(
            {
                "choices": [{"id": "mood", "words": [{"id": id} for id in words]}],
                "facts": [{"id": "mood", "type": {"type": "choice", "choice": "mood"}}],
                "numbers": [{"id": "k", "base": ["if", ["==", ["fact", "mood"], 1], 10, 20]}],
            }
        )
        for words in (("calm", "wild"), ("wild", "calm"))
    )
    checked = one.facts({"mood": "wild"})
    assert one.number("k").value(checked) == 10
    assert other.number("k").value(checked) == 20


def test_facts_that_a_question_does_not_read_are_checked_too() -> None:
    loaded = load(
        {
            "entities": [{"id": "e", "fields": [{"id": "n", "type": N}, {"id": "m", "type": N, "default": 3}]}],
            "roles": [{"id": "me", "entity": "e"}, {"id": "you", "entity": "e"}],
            "facts": [{"id": "loose", "type": {"type": "boolean"}, "default": False}],
            "numbers": [{"id": "k", "base": ["field", "me", "n"]}],
        }
    )
    wrong = {
        "out-of-range": {"me": {"n": 1, "m": 99}},
        "wrong-type": {"me": {"n": 1}, "loose": 1},
        "unknown-name": {"me": {"n": 1}, "nobody": {"n": 1}},
        "missing-fact": {"me": {"m": 2}, "you": {"n": 1}},
        "given-twice": {"me": {"n": 1}, "me.n": 1},
    }
    for _ in range(4):
        for facts in ({"me": {"n": 1, "m": 2}, "you": {"n": 5}}, {"me.n": 1, "me.m": 2, "loose": True}):
            assert loaded.number("k").value(facts) == 1
        for code, facts in wrong.items():
            with pytest.raises(houserule.FactsError) as found:
                loaded.number("k").value(facts)
            assert [each.code for each in found.value.problems] == [code], facts


@pytest.mark.parametrize("name", SHIPPED)
def test_checks_say_the_same(name: str) -> None:
    """Dice, faces, values, effects, trace and odds are those of the reference, also with the dice given."""
    loaded, random = shipped(name), Random(11)
    for id in loaded.program.checks:
        for seed in range(15):
            alike.result(loaded, id, random, seed)
        for _ in range(4):
            alike.odds(loaded, id, random)


def test_a_result_keeps_the_dice_and_facts_that_it_was_asked_with() -> None:
    check = shipped("odnd-morale").check("morale")
    facts: dict[str, Any] = {"creature": {"hit_dice": 3}, "setting": "in_combat"}
    dice = {"first.die": 8}
    result = check.resolve(facts, dice)
    dice["first.die"] = 2
    facts["creature"]["hit_dice"] = 9
    facts["setting"] = "out_of_combat"
    assert (result.outcome, result.dice, result.faces) == ("flees", {"first.die": 8}, {"first.die": (8,)})
    assert "morale 7 = base 7" in str(result.trace).replace("Target of the morale check", "morale")


def test_a_method_that_is_held_makes_its_function_once() -> None:
    """As a loop does that looks the method up beforehand: whoever holds it never sees that another took its place."""
    loaded = shipped("odnd-morale")
    number, check = loaded.number("morale"), loaded.check("morale")
    facts: dict[str, Any] = {"creature": {"hit_dice": 3}, "setting": "in_combat"}
    resolve = check.resolve
    for ask in (number.value, number.explain, lambda each: resolve(each, {"first.die": 8}), check.odds):
        first = [ask(facts) for _ in range(4)][-1]
        made = set(loaded.fast.namespace)
        assert [ask(facts) for _ in range(3)] == [first] * 3
        assert loaded.fast.namespace.keys() == made


@pytest.mark.parametrize("name", ["adnd2e", "osric", "swords-wizardry"])
def test_answers_are_pickled_and_copied_with_all_they_tell(name: str) -> None:
    """Those of generated code too, which are told by what cannot be pickled: functions, and the rules behind them."""
    loaded, random, kinds = shipped(name), Random(7), set()
    for id, check in loaded.checks.items():
        for _ in range(4):
            facts = oracle.situation(loaded, loaded.reads_of_check(id), random)
            try:
                rolled = check.roll(facts, seed=1)
                given = {path: sum(faces) for path, faces in rolled.faces.items()}
                answers = [rolled, check.resolve(facts, given), check.roll(facts, seed=2).trace, check.odds(facts)]
            except houserule.HouseruleError as error:
                answers = [error]
            for each in answers:
                kinds.add(type(each))
                for again in (pickle.loads(pickle.dumps(each)), copy.copy(each), copy.deepcopy(each)):
                    same(again, each)
    assert kinds == {houserule.Result, houserule.Trace, houserule.Odds, houserule.FactsError}


def same(one: object, other: object) -> None:
    """Whether two answers are the same in all that they tell; traces among results."""
    assert type(one) is type(other)
    assert str(one) == str(other)
    if isinstance(one, houserule.Result) and isinstance(other, houserule.Result):
        assert (one, one.to_dict(), one.faces, one.trace) == (other, other.to_dict(), other.faces, other.trace)
    elif isinstance(one, houserule.ProblemsError) and isinstance(other, houserule.ProblemsError):
        assert one.problems == other.problems
    elif not isinstance(one, Exception):
        assert one == other


def test_rules_are_copied_as_themselves_and_not_pickled() -> None:
    loaded = shipped("odnd-morale")
    assert copy.deepcopy([loaded])[0] is copy.copy(loaded) is loaded
    facts = loaded.facts({"creature": {"hit_dice": 3}})
    assert copy.deepcopy(facts) is facts
    number = loaded.number("morale")
    assert [number.value(each) for _ in range(3) for each in (pickle.loads(pickle.dumps(facts)), facts)] == [7] * 6
    for each in (loaded, number, loaded.check("morale")):
        with pytest.raises(houserule.HouseruleError, match="rules are not pickled: pass their artifact on"):
            pickle.dumps(each)


def test_dice_that_are_put_together_anew_do_not_gather() -> None:
    single = {"type": "integer", "low": 0, "high": 9}
    roll = [{"id": "d", "dice": ["+", ["dice", 1, 6], ["number", "k"]]}, {"id": "e", "dice": ["dice", 1, 4]}]
    cases = [{"when": [">", ["local", "d"], ["+", ["local", "e"], 3]], "outcome": 0}, {"outcome": 1}]
    loaded = load(
        {
            "facts": [{"id": "n", "type": single}],
            "numbers": [{"id": "k", "base": ["fact", "n"]}],
            "checks": [{"id": "c", "outcomes": ["won", "lost"], "roll": roll, "cases": cases}],
        }
    )
    check = loaded.check("c")
    for n in range(10):
        won = sum(d + n > e + 3 for d in range(1, 7) for e in range(1, 5))
        assert check.odds({"n": n})["won"] == Fraction(won, 24)
        assert check.resolve({"n": n}, {"d": 5, "e": 2}).outcome == ("won" if 5 + n > 5 else "lost")
    kept = loaded.fast_check(loaded.program.checks["c"])
    assert len(kept.falls) == len(kept.spans) == 1


ATTRIBUTES = {"append", "fits", "found"}
HARMLESS = {"min", "max", "abs", "len", "type", "int", "str", "dict", "KeyError", "TypeError", "__builtins__"}


def ask_everything(loaded: houserule.Rules) -> None:
    """Every question once by role and once by dotted name, so that all of its functions are made."""
    for id in numbers(loaded):
        for facts in ({}, {"no.such": 1}):
            alike.said(lambda: loaded.number(id).value(facts))  # noqa: B023
            alike.said(lambda: loaded.number(id).explain(facts))  # noqa: B023
    for id in loaded.program.checks:
        alike.said(lambda: loaded.check(id).odds({}))  # noqa: B023
        alike.said(lambda: loaded.check(id).resolve({}, {}))  # noqa: B023


def test_odds_with_dice_that_facts_name() -> None:
    """Of how many ways there are is then known only when they are asked; so it is in a check that calls another."""
    pool = {"type": "dice", "up_to": 3 * 1024 + 12}
    roll = [{"id": "d", "dice": ["fact", "p"]}, {"id": "e", "dice": ["fact", "q"], "when": [">", ["local", "d"], 2]}]
    more = [["known", ["local", "e"]], [">", ["local", "d"], ["local", "e"]]]
    cases = [{"when": ["and", *more], "outcome": 0}, {"outcome": 1}]
    call = {"id": "s", "call": {"check": "c"}}
    first = [{"when": ["==", ["local", "s.outcome"], 0], "go": "t"}, {"outcome": 1}]
    then = [{"when": ["==", ["local", "t.f"], 1], "outcome": 0}, {"outcome": 1}]
    last = {"id": "t", "roll": [{"id": "f", "dice": ["fact", "q"]}], "cases": then}
    loaded = load(
        {
            "facts": [{"id": "p", "type": pool}, {"id": "q", "type": pool}],
            "checks": [
                {"id": "c", "outcomes": ["won", "lost"], "roll": roll, "cases": cases},
                {
                    "id": "d",
                    "outcomes": ["both", "other"],
                    "start": "s",
                    "steps": [{**call, "cases": first}, last],
                },
            ],
        }
    )
    for p, q in ((6, 4), (4, 6), (1, 8), (12, 12), (8, 3)):
        facts = {"p": f"1d{p}", "q": f"1d{q}"}
        won = Fraction(sum(d > e for d in range(3, p + 1) for e in range(1, q + 1)), p * q)
        for _ in range(3):
            assert loaded.check("c").odds(facts) == {"won": won, "lost": 1 - won}
            assert loaded.check("d").odds(facts) == {"both": won / q, "other": 1 - won / q}


def test_generated_code_reaches_nothing_but_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name in it is its own or one that stands in its namespace, and no builtin stands there by itself."""
    found: list[ast.FunctionDef] = []
    compile_it = houserule.fast_syntax.add_to_namespace

    def seen(definition: ast.FunctionDef, namespace: dict[str, Any]) -> None:
        found.append(definition)
        compile_it(definition, namespace)

    monkeypatch.setattr(houserule.fast_syntax, "add_to_namespace", seen)
    loaded = shipped("swords-wizardry")
    fast = Fast(loaded.program, loaded.chosen_options)
    for id in numbers(loaded):
        fast.number(id)
    for id in loaded.program.checks:
        fast.check(id)
    ask_everything(loaded)
    assert len(found) > 40
    assert fast.namespace["__builtins__"] == loaded.fast.namespace["__builtins__"] == {}
    namespace = fast.namespace | loaded.fast.namespace
    for definition in found:
        nodes = list(ast.walk(definition))
        own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} - own
        assert read <= namespace.keys()
        assert {node.attr for node in nodes if isinstance(node, ast.Attribute)} <= ATTRIBUTES
        assert not any(isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal) for node in nodes)
    assert set(dir(builtins)) & namespace.keys() <= HARMLESS
