"""Made cases of checks, dice, seeds, odds and tables: see tests/conformance_made.py."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import random_checks
from conformance_model import Model, RefusedError
from conformance_model_checks import Found, Pool, odds, rolled, seeded, totals
from made_numbers import WORLD, Chance, Made, whole

SEEDS = range(14)


def completed(rules: dict[str, Any]) -> dict[str, Any]:
    """Rules as the model reads them: the completion of the suite's page, as far as checks need it."""
    rules = copy.deepcopy(rules)
    empty: dict[str, Any] = {"roll": [], "values": [], "effects": []}
    for check in rules["checks"]:
        check["outcomes"] = [{"id": word} for word in check["outcomes"]]
        if "steps" not in check:
            check["steps"] = [{"id": "", **{key: check[key] for key in (*empty, "cases") if key in check}}]
        check.setdefault("start", check["steps"][0]["id"])
        for step in (*check["steps"], *(each["step"] for each in check.setdefault("then", []))):
            step |= {"cases": [{"id": ""}], **copy.deepcopy(empty), **step}
            step["cases"] = [{"id": "", **copy.deepcopy(empty), **each} for each in step["cases"]]
            if "call" in step:
                step["call"] = {"as": {}, "adjust": [], "then": False, **step["call"]}
    return rules


def random_rules() -> dict[str, Any]:
    """The random checks of several seeds beside one another, with ids of their own."""
    checks = []
    for seed in SEEDS:
        made = random_checks.rules(seed)
        for check in made["checks"]:
            check["id"] = f"{check['id']}_{seed}"
            for at, step in enumerate(check["steps"]):
                if "call" in step:
                    step["call"]["check"] += f"_{seed}"
                for nth, case in enumerate(step["cases"]):
                    case["id"] = f"case_{nth}"
                if at % 2:
                    step["effects"] = [{"role": "you", "field": "n", "op": "add", "value": ["number", "k"]}]
            checks.append(check)
    return {**random_checks.rules(0), "checks": checks}


def shown(model: Model, id: str, seed: int) -> tuple[Found, dict[str, list[int]]]:
    faces: dict[str, list[int]] = {}
    return rolled(model, id, seeded(seed, faces)), faces


def answer(found: Found, traced: str = "") -> dict[str, Any]:
    expect = {"outcome": found.outcome, "dice": found.dice, "values": found.values, "effects": found.effects}
    return {**expect, **({"trace": found.trace} if traced else {})}


def faulty(found: Found, faces: dict[str, list[int]], chance: Chance) -> list[tuple[str, dict[str, Any], Any]]:
    """Wrong dice for a way that was gone, and what is wrong with them."""
    made: list[tuple[str, dict[str, Any], Any]] = []
    rolled_at = [path for roll in found.rolls for path, _ in roll]
    made.append(("a die that nobody rolls", {**faces, "zz.zz": 1}, [["unknown-die", "zz.zz"]]))
    for path in rolled_at:
        twin = f"{path[:-1]}e"
        if path.endswith(".d") and twin not in faces:
            made.append(("a die that is not rolled", {**faces, twin: 1}, [["unneeded-die", twin]]))
    safe = [(path, pool) for roll in found.rolls for path, pool in roll if decides_nothing(path, pool)]
    if not safe:
        return made
    path, pool = chance.of(safe)
    left = {each: faces[each] for each in rolled_at[: rolled_at.index(path)]}
    made.append(("a die is missing", left, [["missing-die", path]]))
    low, high = pool.bounds()
    for title, value in (
        ("a total too high", high + 1),
        ("a total too low", low - 1),
        ("a face too high", [*faces[path][:-1], pool.faces()[-1] + 1]),
        ("a face of 0", [0, *faces[path][1:]]),
        ("a face too many", [*faces[path], 1]),
    ):
        made.append((title, {**faces, path: value}, [["out-of-range", path]]))
    for title, wrong in (("a text", "1"), ("a truth", True), ("null", None), ("with a point", 1.0)):
        made.append((title, {**faces, path: wrong}, [["wrong-type", path]]))
    return made


def decides_nothing(path: str, pool: Pool) -> bool:
    """Whether no other die of its roll can hang on this one: where it is wrong, nothing else is missing."""
    return not path.endswith(".d") or 2 - pool.constant not in totals(pool)


def checks() -> Made:
    """Random checks with calls, seats and adjustments: given faces, given totals, seeds, odds, and wrong dice."""
    rules = random_rules()
    held = completed(rules)
    cases: list[dict[str, Any]] = []
    for check in rules["checks"]:
        id, chance = check["id"], Chance(f"check {check['id']}")
        mine, yours = chance.between(-9, 9), chance.between(-9, 9)
        facts = {"me": {"n": mine}, "you": {"n": yours}}
        model = Model(held, {"me.n": mine, "you.n": yours})
        asked = {"ask": "check", "id": id, "facts": facts}
        for seed in range(2):
            found, faces = shown(model, id, seed)
            cases.append({"title": f"{id}, seed {seed}", **asked, "seed": seed, "expect": answer(found, "trace")})
        found, faces = shown(model, id, 2)
        cases.append({"title": f"{id}, faces", **asked, "dice": faces, "expect": answer(found)})
        found, faces = shown(model, id, 3)
        pools = {path: pool for roll in found.rolls for path, pool in roll}
        given = {path: pools[path].total(each) for path, each in faces.items()}
        cases.append({"title": f"{id}, totals", **asked, "dice": given, "expect": answer(found)})
        chances = {each["id"]: Fraction(0) for each in model.rules["checks"][id]["outcomes"]} | odds(model, id)
        told = {word: str(each) for word, each in chances.items()}
        cases.append({"title": f"{id}, odds", "ask": "odds", "id": id, "facts": facts, "expect": {"odds": told}})
        if found.rolls:
            tried = faulty(found, faces, chance)
            for _ in range(min(4, len(tried))):
                title, wrong, problems = tried.pop(chance.below(len(tried)))
                case = {"title": f"{id}, {title}", **asked, "dice": wrong, "expect": {"problems": problems}}
                cases.append(case)
    return (
        "Random checks: steps, calls, seats, adjustments, conditional dice, what follows; and wrong dice.",
        rules,
        cases,
    )


POOLS: list[Any] = [
    ["dice", 1, 4], ["dice", 1, 20], ["dice", 2, 6], ["dice", 3, 6], ["dice", 4, 6, "highest", 3],
    ["dice", 2, 20, "lowest", 1], ["dice", 2, 20, "highest", 1], ["dice", 3, 4, "lowest", 2],
    ["+", ["dice", 1, 8], 3], ["+", ["dice", 2, 4], -2], ["+", ["dice", 1, 6], ["dice", 1, 4]],
    ["+", ["dice", 1, 8], ["dice", 2, 3, "highest", 1], -1], ["dice", 1, 100], ["dice", 5, 2], ["dice", 1, 1],
    ["if", ["field", "it", "alert"], ["dice", 1, 6], ["dice", 2, 6]], ["field", "it", "dice"],
]  # fmt: skip


def dice() -> Made:
    """Each form of dice: odds of totals, seeds of all kinds, and what can't be rolled."""
    rules = {**WORLD, "checks": [
        {"id": f"d{at}", "outcomes": ["done"], "roll": [{"id": "x", "dice": pool}], "cases": [{"outcome": 0}]}
        for at, pool in enumerate(POOLS)
    ]}  # fmt: skip
    held = completed(rules)
    cases: list[dict[str, Any]] = []
    for check in rules["checks"]:
        id, model = check["id"], Model(held, {})
        pools: list[Pool] = []

        def kept(path: str, pool: Pool, pools: list[Pool] = pools) -> int:
            pools.append(pool)
            return pool.bounds()[0]

        rolled(model, id, kept)
        pool = pools[0]
        low, high = pool.bounds()
        chances = {str(total + pool.constant): str(each) for total, each in sorted(totals(pool).items())}
        name = " ".join(str(each) for each in check["roll"][0]["dice"])
        cases.append({"title": f"odds of {name}", "ask": "odds", "id": id, "of": "x", "expect": {"odds": chances}})
        asked = {"ask": "check", "id": id}
        for seed in (0, 1, -5, 9007199254740991, "moon", "", "ü|x"):
            faces: dict[str, list[int]] = {}
            found = rolled(model, id, seeded(seed, faces))
            trace = {f"{id}/x": {"value": found.dice["x"], "why": [str(each) for each in faces["x"]]}}
            expect = {"dice": found.dice, **({"trace": trace} if len(faces["x"]) > 1 else {})}
            cases.append({"title": f"seed {seed!r} of {name}", **asked, "seed": seed, "expect": expect})
        for total in (low, high):
            expect = {"dice": {"x": total + pool.constant}}
            cases.append({"title": f"{total} by {name}", **asked, "dice": {"x": total}, "expect": expect})
        ones = [1] * len(pool.faces())
        for wrong, code in (
            ({"x": low - 1}, "out-of-range"), ({"x": high + 1}, "out-of-range"),
            ({"x": [0, *ones[1:]]}, "out-of-range"),
            ({"x": [*ones, 1]}, "out-of-range"), ({"x": "1"}, "wrong-type"), ({"x": None}, "wrong-type"),
            ({"x": ["1", *ones[1:]]}, "wrong-type"), ({}, "missing-die"),
        ):  # fmt: skip
            expect = {"problems": [[code, "x"]]}
            cases.append({"title": f"{wrong} for {name}", **asked, "dice": wrong, "expect": expect})
    return (
        "Each form of dice: odds of its totals, faces by seeds, the ends of its totals, and what it can't show.",
        rules,
        cases,
    )


def tables() -> Made:
    """Bands and dense indexes, open and closed, over each type of key; at each end and beyond."""
    level, level_of = whole(-20, 40), {"id": "level", "type": whole(-20, 40)}
    value = [{"id": "value", "type": whole(-900, 900)}]
    rules = {**WORLD, "tables": [
        {"id": "bands", "keys": [level_of], "columns": value, "rows": [[1], [2], [3]],
         "index": {"starts": [None, 0, 9], "ends": None, "then": [0, 1, 2]}},
        {"id": "closed", "keys": [level_of], "columns": value, "rows": [[5], [{"expr": ["*", ["key", 0], -3]}]],
         "index": {"starts": [-3, 4, 5], "ends": 12, "then": [0, 1, 0]}},
        {"id": "dense", "keys": [level_of], "columns": value, "rows": [[7], [8], [9]],
         "index": {"from": -1, "then": [2, 0, 1, 0]}},
        {"id": "hits", "keys": [{"id": "hd", "type": {"type": "hit_dice", "low": 9, "high": 598}}], "columns": value,
         "rows": [[20], [19], [18]], "index": {"starts": [None, 47, 67], "ends": None, "then": [0, 1, 2]}},
        {"id": "two", "keys": [{"id": "alert", "type": {"type": "boolean"}},
         {"id": "size", "type": {"type": "choice", "choice": "size"}}],
         "columns": value, "rows": [[1], [2], [{"expr": ["+", ["option", "harsh"], ["key", 1]]}]],
         "index": {"from": 0, "then": [{"starts": [0, 2], "ends": 2, "then": [0, 1]}, {"from": 0, "then": [2, 1, 2]}]}},
    ]}  # fmt: skip
    model, cases = Model(rules, {}), list[dict[str, Any]]()
    keys: dict[str, list[tuple[list[Any], list[Any]]]] = {
        id: [([key], [key]) for key in (-20, -4, -3, -2, -1, 0, 2, 3, 4, 5, 8, 9, 12, 13, 40)]
        for id in ("bands", "closed", "dense")
    }
    keys["hits"] = [([text], [code]) for text, code in (("1/2", 28), ("1-1", 46), ("1", 47), ("1+1", 48), ("2", 66),
                    ("2+1", 67), ("30", 598), (3, 85))]  # fmt: skip
    words = ("small", "large", "huge")
    keys["two"] = [([alert, word], [alert, words.index(word)]) for alert in (False, True) for word in words]
    for id, tried in keys.items():
        for given, held in tried:
            expect: dict[str, Any]
            try:
                expect = {"value": model.cell(id, "value", held)}
            except RefusedError:
                expect = {"problems": [["out-of-range", id]]}
            cases.append({"title": f"{id} at {given}", "ask": "table", "id": id, "keys": given, "expect": expect})
        first = rules["tables"][[each["id"] for each in rules["tables"]].index(id)]["keys"][0]
        own, rest = f"{id}.{first['id']}", tried[0][0][1:]
        wrong: list[Any] = [None, "x", 0.5, [], ""]
        cases += [{"title": f"{id} at {each!r}", "ask": "table", "id": id, "keys": [each, *rest],
                   "expect": {"problems": [["wrong-type", own]]}} for each in wrong]  # fmt: skip
        if first["type"] == level:
            cases += [{"title": f"{id} at {each}", "ask": "table", "id": id, "keys": [each],
                       "expect": {"problems": [["out-of-range", own]]}} for each in (-21, 41, LARGE)]  # fmt: skip
        for many in ([], [*tried[0][0], 1]):
            cases.append({"title": f"{id} with {len(many)} keys", "ask": "table", "id": id, "keys": many,
                          "expect": {"problems": [["wrong-type", id]]}})  # fmt: skip
    return "Tables by bands and by dense indexes, over each type of key, at each end and beyond.", rules, cases


LARGE = 9007199254740992
