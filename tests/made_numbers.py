"""Made cases of operators, stacking, adjustments and facts: see tests/conformance_made.py."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar

from conformance_model import UNKNOWN, Frame, Model, RefusedError, UnknownError

T = TypeVar("T")
Made = tuple[str, dict[str, Any], list[dict[str, Any]]]
FRACTION = {"type": "fraction", "low": ["frac", -1000000, 1], "high": ["frac", 1000000, 1]}


class Chance:
    """Choices by hash."""

    def __init__(self, seed: object) -> None:
        self.seed, self.count = seed, 0

    def below(self, many: int) -> int:
        self.count += 1
        return int(hashlib.sha256(f"{self.seed}|{self.count}".encode()).hexdigest()[:12], 16) % many

    def of(self, some: Sequence[T]) -> T:
        return some[self.below(len(some))]

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def some(self, some: Sequence[T]) -> list[T]:
        return [each for each in some if self.below(2)]


def whole(low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "low": low, "high": high}


WORLD: dict[str, Any] = {
    "choices": [
        {"id": "size", "words": ["small", "large", "huge"], "ordered": True, "attributes": [
            {"id": "bite", "type": {"type": "dice", "up_to": 2056}, "values": [1028, 1030, 2056]},
            {"id": "reach", "type": whole(0, 10), "values": [4, 7, 10]}]},
        {"id": "stance", "words": ["charging", "prone", "hidden"]},
    ],
    "entities": [{"id": "creature", "fields": [
        {"id": "n", "type": whole(-100, 100), "default": 0},
        {"id": "m", "type": whole(-9, 9), "default": 2},
        {"id": "part", "type": {"type": "fraction", "low": ["frac", -10, 1], "high": ["frac", 10, 1]},
         "default": ["frac", 1, 2]},
        {"id": "hd", "type": {"type": "hit_dice", "low": 9, "high": 598}, "default": 47},
        {"id": "dice", "type": {"type": "dice", "up_to": 4108}, "default": 2054},
        {"id": "stances", "type": {"type": "set", "choice": "stance"}},
        {"id": "size", "type": {"type": "choice", "choice": "size"}, "default": 0},
        {"id": "alert", "type": {"type": "boolean"}, "default": False},
        {"id": "pay", "type": whole(0, 9), "optional": True},
        {"id": "twice", "type": whole(-200, 200), "is": ["*", 2, ["its", "n"]]},
    ]}],
    "roles": [{"id": "it", "entity": "creature"}, {"id": "foe", "entity": "creature"}],
    "facts": [{"id": "storm", "type": {"type": "boolean"}, "is": [">=", ["fact", "weather"], 3]},
              {"id": "weather", "type": whole(0, 3), "default": 1}],
    "options": [{"id": "harsh", "type": whole(0, 5), "default": 2}],
    "conditions": [{"id": "big", "when": [">=", ["field", "it", "size"], 1]}],
}  # fmt: skip
GIVEN: dict[str, list[tuple[Any, Any]]] = {
    "n": [(value, value) for value in (-100, -99, -7, -1, 0, 1, 2, 3, 8, 50, 99, 100)] + [("+4", 4)],
    "m": [(value, value) for value in range(-9, 10)],
    "part": [(text, Fraction(text)) for text in ("1/2", "-1/2", "0", "5/2", "-10", "10", "-7/3", "1/3")],
    "hd": [("1/2", 28), ("1-1", 46), ("1", 47), ("2+1", 67), (3, 85), ("30", 598), ("0", 9), ("4+9", 113)],
    "dice": [("1d4", 1028), ("4d12", 4108), ("2d6", 2054), ("d8", 1032)],
    "stances": [([], 0), (["prone"], 2), (["charging", "hidden"], 5), ("charging | prone", 3),
                (["hidden", "prone", "charging"], 7)],
    "size": [("small", 0), ("large", 1), ("huge", 2)],
    "alert": [(True, True), (False, False), ("true", True)],
    "pay": [(0, 0), (9, 9), (4, 4)],
}  # fmt: skip


def situation(chance: Chance, fields: Sequence[str], roles: Sequence[str] = ("it", "foe")) -> tuple[Any, Any]:
    """Facts as given and as held, of some fields."""
    given: dict[str, Any] = {}
    held: dict[str, Any] = {}
    for role in roles:
        for name in chance.some(fields):
            said, value = chance.of(GIVEN[name])
            given.setdefault(role, {})[name], held[f"{role}.{name}"] = said, value
    return given, held


def number(chance: Chance, deep: int) -> tuple[Any, bool]:
    """An expression that is a number, and whether it may be a fraction."""
    if not deep:
        return chance.of([
            (chance.between(-9, 9), False), (["field", chance.of(["it", "foe"]), chance.of(["n", "m"])], False),
            (["field", "it", "part"], True), (["frac", chance.of([-7, -1, 1, 5]), chance.of([2, 3])], True),
            (["option", "harsh"], False), (["fact", "weather"], False), (["field", "it", "twice"], False),
            (["field", "it", "pay"], False), (["number", "own", {"it": "foe"}], False), (["number", "own"], False),
        ])  # fmt: skip
    (a, one), (b, two) = number(chance, deep - 1), number(chance, chance.below(deep))
    either = one or two
    return chance.of([
        (["+", a, b], either), (["+", a, b, chance.between(-5, 5)], either), (["-", a, b], either),
        (["*", a, b], either), (["neg", a], one), (["/", a, b], True), (["floor", ["/", a, 2]], False),
        (["floor", a], False), (["ceil", a], False), (["nearest", a], False), (["nearest", ["/", a, 2]], False),
        (["toward_zero", a], False), (["abs", a], one), (["min", a, b], either), (["max", a, b, 0], either),
        (["if", truth(chance, deep - 1), a, a], one), (["if", truth(chance, deep - 1), ["floor", a], 7], False),
        (["mod", ["floor", a], chance.between(2, 9)], False), (["count", ["field", "it", "stances"]], False),
        (["dice_part", ["field", "it", "hd"]], True), (["pips", ["field", "foe", "hd"]], False),
        (["highest", ["field", "it", "dice"]], False), (["lowest", ["field", "it", "dice"]], False),
        (["attribute", "size", "reach", ["field", "it", "size"]], False),
        (["highest", ["attribute", "size", "bite", ["field", "foe", "size"]]], False),
    ])  # fmt: skip


def truth(chance: Chance, deep: int) -> Any:
    """An expression that is a condition."""
    a, b = number(chance, max(0, deep - 1))[0], number(chance, 0)[0]
    plain = chance.of([
        ["field", "it", "alert"], ["condition", "big"], ["fact", "storm"], ["known", ["field", "it", "pay"]],
        [chance.of(["==", "!=", "<", "<=", ">", ">="]), a, b], ["has", ["field", "it", "stances"], chance.below(3)],
        ["in", a, [[None, chance.between(-9, 0)], [3, 5], [chance.between(7, 9), None]]],
        ["==", ["field", "it", "alert"], ["field", "foe", "alert"]],
        [chance.of(["<", ">=", "=="]), ["field", "it", "size"], 1],
    ])  # fmt: skip
    if deep <= 0:
        return plain
    return [chance.of(["and", "or"]), plain, truth(chance, deep - 1)] if chance.below(3) else ["not", plain]


def asked(rules: dict[str, Any], id: str, given: Any, held: Any, title: str, traced: bool = True) -> dict[str, Any]:
    """A case that asks a number, with what the model says."""
    case = {"title": title, "ask": "number", "id": id, **({"facts": given} if given else {})}
    try:
        value, entries = Model(rules, held).number(id, Frame())
    except UnknownError as error:
        return {**case, "expect": {"problems": [["unknown-fact", str(error)]]}}
    except RefusedError:
        return {**case, "expect": {"refused": True}}
    names: dict[str, Any] = {id: {"kind": "number", "status": "kept"}} if traced else {}
    for entry in entries:
        name = f"{id}/{entry['modifier']}"
        nth = sum(each == name or each.startswith(f"{name}~") for each in names)
        names[f"{name}~{nth + 1}" if nth else name] = {
            "status": entry["status"], **({"why": entry["why"]} if "why" in entry else {})
        }  # fmt: skip
    shown = str(value) if isinstance(value, Fraction) else value
    return {**case, "expect": {"value": shown, **({"trace": names} if traced and entries else {})}}


def operators() -> Made:
    """Random expressions of all operators, each in several situations."""
    rules = {**WORLD, "numbers": [{"id": "own", "base": ["field", "it", "n"]}]}
    fields = ["n", "m", "part", "hd", "dice", "stances", "size", "alert", "pay"]
    for at in range(70):
        base, fraction = number(Chance(f"operator {at}"), 1 + at % 3)
        rules["numbers"].append({"id": f"o{at}", "base": base, **({"type": FRACTION} if fraction else {})})
    cases = []
    for at in range(70):
        for turn in range(6):
            given, held = situation(Chance(f"operators {at} {turn}"), fields)
            title = f"{rules['numbers'][at + 1]['base'][0]}, situation {turn + 1}"
            cases.append(asked(rules, f"o{at}", given, held, title))
    return (
        "Expressions of every operator, in several situations each: exact answers, unknown facts, no value.",
        rules,
        cases,
    )


POLICIES = ("all", "largest", "smallest", "once", "first")


def stacking() -> Made:
    """Every policy of every kind of entry, with ties, directions and orders."""
    groups: list[dict[str, Any]] = [{"id": f"{kind}_{each}", kind: each, "order": ["c", "a"]}
              for kind in ("bonuses", "penalties", "all", "multiply") for each in POLICIES]  # fmt: skip
    groups += [
        {"id": f"tie_{tie}_{each}", "all": each, "tie": tie} for tie in ("bonus", "penalty") for each in POLICIES
    ]
    for at in range(10):
        chance = Chance(f"group {at}")
        policy: dict[str, Any] = {kind: chance.of(POLICIES) for kind in ("bonuses", "penalties", "all", "multiply")}
        policy |= chance.of([{}, {"tie": "bonus"}, {"tie": "penalty"}])
        groups.append({"id": f"mixed_{at}", **policy, "order": chance.of([["b"], ["d", "a"], []])})
    rules = {**WORLD, "modifiers": [{"id": each} for each in "abcd"], "stacking": groups, "numbers": []}
    cases = []
    for at, group in enumerate(groups):
        chance, id = Chance(f"stacking {at}"), f"s{at}"
        ops = {"multiply": ["multiply"]}.get(group["id"].partition("_")[0], ["add"])
        ops = ["add", "add", "set", "multiply"] if group["id"].startswith("mixed") else ops
        entries = [{"modifier": each, "op": chance.of(ops), "value": value, "group": group["id"]}
                   for each, value in zip("abcd", (["field", "it", "n"], ["field", "it", "m"],
                   ["field", "foe", "n"], ["field", "foe", "m"]), strict=True)]  # fmt: skip
        better = chance.of([{}, {"better": "higher"}, {"better": "lower"}])
        rules["numbers"].append({"id": id, "base": 10, "entries": entries, **better})
        for turn in range(7):
            given, held = {}, {}
            chance = Chance(f"stacking {at} {turn}")
            for role in ("it", "foe"):
                for name in ("n", "m"):
                    value = chance.of([-5, -3, -2, 0, 2, 3, 5, 5, -5])
                    given.setdefault(role, {})[name], held[f"{role}.{name}"] = value, value
            cases.append(asked(rules, id, given, held, f"{group['id']}, amounts {turn + 1}"))
    return "Entries of one group compete: every policy alone, with ties and directions, and mixed.", rules, cases


def entry(chance: Chance, modifier: str, rounding: str) -> dict[str, Any]:
    """An entry of any form."""
    op = chance.of(["add", "add", "set", "multiply", "at_least", "at_most"])
    made: dict[str, Any] = {"modifier": modifier, "op": op}
    made |= {"round": rounding} if op == "multiply" else {}
    amount = chance.of([chance.between(-4, 6), ["field", "it", "m"], ["field", "it", "pay"]])
    if op == "multiply" and chance.below(2):
        made["value"] = ["frac", chance.of([1, 3]), 2]
        return made
    form = chance.below(4)
    if form == 0:
        made |= {"by": ["field", "it", "n"], "grades": [[None, -8, 5], [0, 2, amount], [3, 60, -3]]}
    elif form == 1 and op == "add":
        made |= {"each": ["field", "it", "stances"], "grades": [[0, 0, 2], [2, 2, amount]]}
    else:
        made["value"] = amount
    made |= {"when": truth(chance, 1)} if chance.below(2) else {}
    made |= {"times": ["count", ["field", "foe", "stances"]]} if op == "add" and not chance.below(3) else {}
    made |= {"needs": [["field", "it", "pay"]]} if chance.below(2) and "pay" in str(amount) else {}
    return made


def adjustments() -> Made:
    """Numbers with several entries of every form."""
    rules = {**WORLD, "modifiers": [{"id": each} for each in "abcd"], "numbers": [{"id": "own", "base": 3}]}
    cases = []
    for at in range(64):
        chance, id = Chance(f"adjustments {at}"), f"a{at}"
        rounding = chance.of(["up", "down", "nearest"])
        entries = [entry(chance, each, rounding) for each in "abcd"[: chance.between(1, 4)]]
        base = chance.of([7, ["field", "it", "n"], ["field", "it", "pay"], ["number", "own"]])
        seats = chance.of([{}, {}, {"as": {"it": "foe", "foe": "it"}}])
        rules["numbers"].append({"id": id, "base": base, "entries": entries, **seats})
        for turn in range(5):
            given, held = situation(Chance(f"adjustments {at} {turn}"), ["n", "m", "pay", "stances", "alert", "size"])
            title = ", ".join(dict.fromkeys(each["op"] for each in entries))
            cases.append(asked(rules, id, given, held, f"{title}, situation {turn + 1}"))
    return (
        "What modifiers do to numbers, in every form of an entry: kept, not known, not applied, overridden.",
        rules,
        cases,
    )


# Of each field what is accepted and the number that tells it, and what is refused.
ACCEPTED: dict[str, list[tuple[Any, Any]]] = {
    "n": [*((each, each) for each in (-100, -99, 99, 100, 0)), ("7", 7), ("-7", -7), ("+7", 7), ("0", 0)],
    "part": [("1/2", "1/2"), ("-1/2", "-1/2"), ("10", "10"), (-10, "-10"), ("19/2", "19/2"), ("4/2", "2"), (0, "0")],
    "hd": [(1, 47), ("1", 47), ("1/2", 28), ("1-1", 46), ("0", 9), ("30", 598), ("29+9", 588), ("2+1", 67)],
    "dice": [("1d4", 4001), ("d4", 4001), ("4d12", 48004), ("3d12", 36003), ("1d1", 1001), ("2d6", 12002)],
    "stances": [([], 0), (["charging"], 1), ("prone", 2), (["hidden", "charging"], 5), ("prone | hidden", 6),
                (["charging", "prone", "hidden"], 7)],
    "size": [("small", 0), ("large", 1), ("huge", 2)],
    "alert": [(True, 1), (False, 0), ("true", 1), ("false", 0)],
    "pay": [(0, 0), (9, 9), ("unknown", -1), ("3", 3)],
    "name": [("", 1), ("Mog", 1), ("true", 1), ("7", 1)],
}  # fmt: skip
WRONG: dict[str, list[Any]] = {
    "n": [True, False, None, 5.0, 0.5, "", "x", "1/2", "unknown", [], [5], "1e3", "0x1", "1_0", "--1", "2d6", "5.0"],
    "part": [True, None, 0.5, "0.5", "", "1/0", "x", "1/2/3", [], "unknown", "/2", "1/"],
    "hd": [True, None, 1.5, "4+10", "4-10", "x", "", "1/3", "d8", [], "unknown", "+"],
    "dice": [True, None, "sword", "", "2d", "0d6", "2d0", [], "unknown", 0.5, "d", "2x6"],
    "stances": [True, None, 3, 0.5, ["tall"], "tall", ["prone", "tall"], [1], "unknown", [None], [[]]],
    "size": [0, 2, True, None, "Small", "tiny", "", ["small"], "unknown", 0.5, " small | large"],
    "alert": [0, 1, None, "yes", "True", "", "1", [], "unknown", 0.5],
    "pay": [True, None, "", "none", 0.5, [1]],
    "name": [5, True, None, 0.5, [], ["a"]],
}
BEYOND: dict[str, list[Any]] = {
    "n": [-101, 101, "101", "-101", 9007199254740991, 9007199254740992, -9007199254740992],
    "part": ["21/2", "-21/2", 11, -11, "11"],
    "hd": ["31", 31, "30+1"],
    "dice": ["5d4", "1d13", "5d13", "1d20"],
    "pay": [-1, 10, "10"],
}
TOLD: dict[str, Any] = {
    "n": ["field", "it", "n"],
    "part": ["field", "it", "part"],
    "hd": ["field", "it", "hd"],
    "dice": ["+", ["*", 1000, ["highest", ["field", "it", "dice"]]], ["lowest", ["field", "it", "dice"]]],
    "stances": ["+", *(["if", ["has", ["field", "it", "stances"], bit], 2**bit, 0] for bit in range(3))],
    "size": ["field", "it", "size"],
    "alert": ["if", ["field", "it", "alert"], 1, 0],
    "pay": ["if", ["known", ["field", "it", "pay"]], ["field", "it", "pay"], -1],
    "name": 1,
}


def facts() -> Made:
    """Each type of fact in each form, at the ends of its range and beyond, nested and dotted."""
    fields = [*({key: each for key, each in field.items() if key != "default" or field["id"] == "size"}
              for field in WORLD["entities"][0]["fields"]),
              {"id": "name", "type": {"type": "text"}, "default": ""}]  # fmt: skip
    rules = {**WORLD, "entities": [{"id": "creature", "fields": fields}]}
    rules["numbers"] = [
        {"id": id, "base": base, **({"type": FRACTION} if id == "part" else {})} for id, base in TOLD.items()
    ]
    cases: list[dict[str, Any]] = []
    for name in TOLD:
        tried = [(each, {"value": value}) for each, value in ACCEPTED[name]]
        tried += [(each, {"problems": [["wrong-type", f"it.{name}"]]}) for each in WRONG[name]]
        tried += [(each, {"problems": [["out-of-range", f"it.{name}"]]}) for each in BEYOND.get(name, [])]
        for at, (each, expect) in enumerate(tried):
            given = {"it": {name: each}} if at % 2 else {f"it.{name}": each}
            cases.append(
                {"title": f"{name} is {each!r}", "ask": "number", "id": name, "facts": given, "expect": expect}
            )
        for extra, problem in (
            ({f"foe.{name}x": 1}, ["unknown-name", f"foe.{name}x"]),
            ({"them": {name: 1}}, ["unknown-name", f"them.{name}"]),
            ({"it": {"twice": 4}}, ["computed-fact", "it.twice"]),
            ({"storm": True}, ["computed-fact", "storm"]),
            ({"weather": 4}, ["out-of-range", "weather"]),
        ):
            given = {f"it.{name}": ACCEPTED[name][0][0], **extra}
            cases.append({"title": f"{name} and a wrong {problem[1]}", "ask": "number", "id": name, "facts": given,
                          "expect": {"problems": [problem]}})  # fmt: skip
        twice = {"it": {name: ACCEPTED[name][0][0]}, f"it.{name}": ACCEPTED[name][0][0]}
        cases.append({"title": f"{name} given twice", "ask": "number", "id": name, "facts": twice,
                      "expect": {"problems": [["given-twice", f"it.{name}"]]}})  # fmt: skip
    for name in ("n", "part", "hd", "dice", "alert"):
        cases.append({"title": f"{name} is missing", "ask": "number", "id": name,
                      "expect": {"problems": [["missing-fact", f"it.{name}"]]}})  # fmt: skip
    return "Every type of fact in every form, at the ends of its range and beyond.", rules, cases


assert UNKNOWN
