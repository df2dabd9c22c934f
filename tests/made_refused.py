"""Made cases of artifacts that are refused, and of the like that are not: see tests/conformance_made.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from made_numbers import WORLD, Chance, Made, whole

# An expression of each kind. Codes of words, sets and hit dice are whole numbers.
KINDS: dict[str, Any] = {
    "whole": ["field", "it", "n"], "fraction": ["field", "it", "part"], "truth": ["field", "it", "alert"],
    "dice": ["field", "it", "dice"], "text": ["field", "it", "name"],
}  # fmt: skip
NUMBER = ("whole", "fraction")
# Each operator: the kinds that each of its operands may have, what stands behind them, and what comes out.
SIGNATURES: dict[str, tuple[list[tuple[str, ...]], list[Any], str]] = {
    **{op: ([NUMBER, NUMBER], [], "number") for op in ("+", "*", "-", "min", "max")},
    "/": ([NUMBER, NUMBER], [], "fraction"),
    **{op: ([NUMBER], [], "number") for op in ("neg", "abs")},
    **{op: ([NUMBER], [], "whole") for op in ("floor", "ceil", "nearest", "toward_zero")},
    "mod": ([("whole",)], [3], "whole"),
    **{op: ([NUMBER, NUMBER], [], "truth") for op in ("==", "!=", "<", "<=", ">", ">=")},
    "in": ([NUMBER], [[[1, 3]]], "truth"),
    "and": ([("truth",), ("truth",)], [], "truth"),
    "or": ([("truth",), ("truth",)], [], "truth"),
    "not": ([("truth",)], [], "truth"),
    "has": ([("whole",)], [1], "truth"),
    **{op: ([("whole",)], [], "whole") for op in ("count", "pips")},
    "dice_part": ([("whole",)], [], "fraction"),
    "highest": ([("dice",)], [], "whole"),
    "lowest": ([("dice",)], [], "whole"),
    "if": ([("truth",), ("whole",), ("whole",)], [], "whole"),
}
LEFT_OPEN = {("mod", "fraction"), ("in", "truth"), *((op, "truth") for op in ("==", "!=", "<", "<=", ">", ">="))}
"""What the page does not decide alone: whether truths compare in order, and remainders of fractions."""
ANY_NUMBER = ("+", "*", "min", "max", "and", "or")
ALONE = ("min", "max", "and", "or")


def whole_of(expr: Any, result: str) -> Any:
    """An expression made a whole number, which an integer number takes."""
    return ["if", expr, 1, 0] if result == "truth" else ["floor", expr] if result in ("fraction", "number") else expr


def load(title: str, refused: bool, **given: Any) -> dict[str, Any]:
    return {"title": title, "ask": "load", **given, "expect": {"refused": refused}}


def named() -> dict[str, Any]:
    """The world with a name in it."""
    entity = WORLD["entities"][0]
    fields = [*entity["fields"], {"id": "name", "type": {"type": "text"}, "default": ""}]
    return {**WORLD, "entities": [{**entity, "fields": fields}]}


def kinds() -> Made:
    """Each operator with each kind in each place, and with an operand too few and too many."""
    cases: list[dict[str, Any]] = []
    for op, (places, behind, result) in SIGNATURES.items():
        plain = [KINDS[place[0]] for place in places]

        def number(operands: list[Any], op: str = op, behind: list[Any] = behind, result: str = result) -> Any:
            return {"base": whole_of([op, *operands, *behind], result)}

        cases.append(load(f"`{op}` as it should be", False, number=number(plain)))
        for at, place in enumerate(places):
            for kind, expr in KINDS.items():
                if (op, kind) not in LEFT_OPEN and kind != place[0] and not (op == "if" and kind == "fraction"):
                    tried = [*plain[:at], expr, *plain[at + 1 :]]
                    cases.append(
                        load(f"`{op}` with a {kind} in place {at + 1}", kind not in place, number=number(tried))
                    )
        few = {"base": whole_of([op, *plain[:-1], *behind], result)}
        cases.append(load(f"`{op}` with an operand too few", op not in ALONE, number=few))
        more = {"base": whole_of([op, *plain, *behind, plain[0]], result)}
        cases.append(load(f"`{op}` with an operand more", op not in ANY_NUMBER, number=more))
        cases.append(load(f"`{op}` with null", True, number=number([None, *plain[1:]])))
        cases.append(load(f"`{op}` with a text that stands there", True, number=number(["n", *plain[1:]])))
    for word, refused in (
        (-1, True),
        (0, False),
        (30, False),
        (31, True),
        (2**53 - 1, True),
        (True, True),
        ("a", True),
    ):
        has = ["if", ["has", ["field", "it", "stances"], word], 1, 0]
        cases.append(load(f"`has` with the word {word!r}", refused, number={"base": has}))
    for op in ("field", "its", "fact", "option", "condition", "number", "local", "key", "table", "attribute", "known"):
        for name, rest in (("nothing", []), ("a name that is not there", ["zz"]), ("a list", [[1]]), ("null", [None])):
            cases.append(load(f"`{op}` of {name}", True, number={"base": [op, *rest]}))
    return (
        "Kinds: each operator with each kind of operand in each place, with one too few and one too many.",
        named(),
        cases,
    )


GOOD = {"modifier": "a", "op": "add", "value": 1}
GRADED = {"modifier": "a", "op": "add", "by": ["field", "it", "n"], "grades": [[1, 2, 5], [3, None, 6]]}
EACH = {"modifier": "a", "op": "add", "each": ["field", "it", "stances"], "grades": [[0, 1, 5], [2, 2, 6]]}
FACTOR = {"modifier": "a", "op": "multiply", "value": ["frac", 1, 2], "round": "down"}
ENTRIES: dict[str, tuple[dict[str, Any], bool]] = {
    "add": (GOOD, False), "grades": (GRADED, False), "each": (EACH, False), "a factor": (FACTOR, False),
    **{f"op {op}": ({**GOOD, "op": op}, op not in ("add", "set", "multiply", "at_least", "at_most"))
       for op in ("set", "multiply", "at_least", "at_most", "", "Add", "subtract", "power", "divide", 1, None)},
    **{f"round {how}": ({**FACTOR, "round": how}, how not in ("up", "nearest"))
       for how in ("up", "nearest", "", "half", "Down", 1, None, "toward_zero")},
    "a factor without a round": ({k: v for k, v in FACTOR.items() if k != "round"}, True),
    **{f"{op} of a fraction": ({**GOOD, "op": op, "value": ["frac", 1, 2]}, True)
       for op in ("add", "set", "at_least", "at_most")},
    **{f"without {key}": ({k: v for k, v in GOOD.items() if k != key}, True) for key in GOOD if key != "modifier"},
    **{f"grades without {key}": ({k: v for k, v in GRADED.items() if k != key}, True)
       for key in GRADED if key != "modifier"},
    **{f"each without {key}": ({k: v for k, v in EACH.items() if k != key}, True) for key in EACH if key != "modifier"},
    "a value beside grades": ({**GRADED, "value": 1}, True),
    "by beside each": ({**EACH, "by": 1}, True),
    "grades that descend": ({**GRADED, "grades": [[3, None, 6], [1, 2, 5]]}, True),
    "grades that overlap": ({**GRADED, "grades": [[1, 3, 6], [3, 4, 5]]}, True),
    "a grade upside down": ({**GRADED, "grades": [[3, 1, 6]]}, True),
    "a grade of two": ({**GRADED, "grades": [[3, 1]]}, True),
    "a grade open in the middle": ({**GRADED, "grades": [[1, None, 6], [4, 5, 5]]}, True),
    "grades that touch": ({**GRADED, "grades": [[None, 2, 6], [3, 3, 5], [4, None, 1]]}, False),
    "each of a truth": ({**EACH, "each": ["field", "it", "alert"]}, True),
    "by a text": ({**GRADED, "by": ["field", "it", "name"]}, True),
    "when a number": ({**GOOD, "when": 1}, True), "when a truth": ({**GOOD, "when": True}, False),
    "when null": ({**GOOD, "when": None}, True), "times a truth": ({**GOOD, "times": True}, True),
    "times a number": ({**GOOD, "times": 3}, False), "a value that is a truth": ({**GOOD, "value": True}, True),
    "a group that is not there": ({**GOOD, "group": "zz"}, True), "a group": ({**GOOD, "group": "g"}, False),
    "needs of nobody": ({**GOOD, "needs": [["field", "us", "n"]]}, True),
    "needs of an option": ({**GOOD, "needs": [["option", "harsh"]]}, True),
    "needs that are one": ({**GOOD, "needs": ["field", "it", "pay"]}, True),
    "needs": ({**GOOD, "needs": [["field", "it", "pay"]]}, False),
    "a key too many": ({**GOOD, "zz": 1}, True), "a modifier that is not there": ({**GOOD, "modifier": "zz"}, True),
    **{f"a value that is {value!r}": ({**GOOD, "value": value}, value not in (9007199254740991, -9007199254740991))
       for value in (9007199254740991, -9007199254740991, 9007199254740992, -9007199254740992, 0.5, "1", {}, [])},
    **{f"the fraction {n}/{d}": ({**FACTOR, "value": ["frac", n, d]}, (n, d) != (3, 4))
       for n, d in ((3, 4), (2, 4), (1, 0), (1, -2), (0, 2), (True, 2), ("1", 2), (9007199254740992, 5))},
}  # fmt: skip
POLICY: dict[str, tuple[dict[str, Any], bool]] = {
    **{f"{kind} {policy}": ({kind: policy}, policy not in ("all", "largest", "smallest", "once", "first"))
       for kind in ("bonuses", "penalties", "all", "multiply")
       for policy in ("all", "largest", "smallest", "once", "first", "", "worst", "Largest", 1, None, ["all"])},
    **{f"tie {tie}": ({"all": "largest", "tie": tie}, tie not in ("bonus", "penalty"))
       for tie in ("bonus", "penalty", "", "none", 1, None, True)},
    "an order": ({"all": "first", "order": ["a", "b"]}, False),
    "an order that is a text": ({"all": "first", "order": "a"}, True), "a key too many": ({"zz": "all"}, True),
}  # fmt: skip


def entries() -> Made:
    """Entries and stacking groups with something wrong in them."""
    rules = {**named(), "modifiers": [{"id": "a"}, {"id": "b"}], "stacking": [{"id": "g", "all": "largest"}]}
    cases = [load(f"an entry: {title}", refused, number={"base": 1, "entries": [made]})
             for title, (made, refused) in ENTRIES.items()]  # fmt: skip
    cases += [load(f"a group: {title}", refused, **{"with": {"stacking": [{"id": "other", **made}]}})
              for title, (made, refused) in POLICY.items()]  # fmt: skip
    return "Entries and stacking groups: each part of them right, wrong and absent.", rules, cases


MAY_BE_ABSENT = {"title", "note", "source", "default", "optional", "is", "when", "origins", "bonuses", "penalties",
                 "all", "multiply", "tie", "order", "better", "of", "in", "as", "group", "round"}  # fmt: skip
SMALL: dict[str, Any] = {
    "choices": [{"id": "mood", "words": [{"id": "sour"}, {"id": "merry"}],
                 "attributes": [{"id": "cheer", "type": whole(0, 9), "values": [1, 2]}]}],
    "entities": [{"id": "npc", "fields": [{"id": "level", "type": whole(1, 20), "default": 3},
                 {"id": "moods", "type": {"type": "set", "choice": "mood"}}]}],
    "roles": [{"id": "npc", "entity": "npc"}],
    "facts": [{"id": "hour", "type": whole(1, 24), "default": 1}],
    "options": [{"id": "harsh", "type": {"type": "boolean"}, "default": False}],
    "conditions": [{"id": "first", "when": ["==", ["fact", "hour"], 1], "text": "hour == 1"}],
    "impossible": [{"id": "never", "when": [">", ["fact", "hour"], 24], "text": "hour > 24", "needs": []}],
    "tables": [{"id": "pay", "keys": [{"id": "level", "type": whole(1, 20)}],
                "columns": [{"id": "value", "type": whole(0, 9)}],
                "index": {"starts": [1, 5], "ends": 20, "then": [0, 1]}, "rows": [[1], [2]]}],
    "modifiers": [{"id": "wise"}],
    "stacking": [{"id": "group", "bonuses": "largest"}],
    "numbers": [{"id": "wage", "type": whole(0, 99), "base": ["table", "pay", "value", [["field", "npc", "level"]]],
                 "entries": [{"modifier": "wise", "op": "add", "value": 1, "group": "group", "needs": []}],
                 "needs": [], "cost": 5}],
    "checks": [{"id": "sing", "outcomes": [{"id": "well"}, {"id": "badly"}], "start": "", "then": [],
                "reads": [], "cost": 3,
                "steps": [{"id": "", "roll": [{"id": "d20", "dice": ["dice", 1, 20], "low": 1, "high": 20}],
                "values": [{"id": "left", "type": whole(0, 19), "value": ["-", 20, ["local", "d20"]]}],
                "effects": [{"role": "npc", "field": "level", "op": "add", "value": 1}],
                "cases": [{"id": "low", "when": ["<", ["local", "left"], 5], "roll": [], "values": [],
                "effects": [], "outcome": 1},
                {"id": "", "roll": [], "values": [], "effects": [], "outcome": 0}]}]}],
    "rulings": [{"id": "r", "question": "?", "ruling": "!", "because": "."}],
}  # fmt: skip


def nodes(node: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every key of every object, with its path and its value."""
    if isinstance(node, list):
        for at, each in enumerate(node):
            yield from nodes(each, f"{path}/{at}")
    if isinstance(node, dict):
        for key, each in node.items():
            yield f"{path}/{key}", key, each
            yield from nodes(each, f"{path}/{key}")


def artifacts() -> Made:
    """A small artifact: each key dropped, each value of another type, a key too many in each object."""
    cases = [load("as it is", False)]
    objects = {path.rpartition("/")[0] for path, _, _ in nodes(SMALL)}
    for path in sorted(objects):
        cases.append(load(f"a key too many in {path or 'the whole'}", True, set={f"{path}/zz": 1}))
    for path, key, value in nodes(SMALL):
        optional = key in MAY_BE_ABSENT and not path.startswith("/options/")
        if not optional or (key == "when" and path.startswith(("/conditions", "/impossible"))):
            cases.append(load(f"without {path}", True, remove=[path]))
        for wrong in (None, Chance(path).of([0.5, {"zz": 1}, [["zz"]], "Z!", -9007199254740992])):
            if type(wrong) is not type(value) and not (wrong is None and key == "ends"):
                is_text = isinstance(wrong, str) and isinstance(value, str)
                if (
                    not is_text
                    and not (key == "value" and isinstance(wrong, int))
                    and not (key == "outcome" and wrong == 0)
                ):
                    cases.append(load(f"{wrong!r} at {path}", True, set={path: wrong}))
    return "A small artifact: each key dropped, each value retyped, a key too many in each object.", SMALL, cases


def chain(many: int) -> Any:
    """So many operators, one within the other."""
    expr: Any = 1
    for _ in range(many):
        expr = ["neg", expr]
    return expr


def limits() -> Made:
    """Each limit of an artifact and of values: as large as it may be, and beyond."""
    most = 9007199254740991
    cases: list[dict[str, Any]] = []
    for value, refused in ((most - 1, False), (most, False), (most + 1, True)):
        for sign in (1, -1):
            cases.append(load(f"the integer {sign * value}", refused, number={"base": sign * value}))
    for at, (expr, value) in enumerate((
        (["+", most - 1, 1], most), (["+", most, 1], None), (["-", -most, 1], None), (["-", 1 - most, 1], -most),
        (["*", 94906265, 94906265], 94906265**2), (["*", 94906266, 94906267], None), (["neg", -most], most),
        (["*", most, -1], -most), (["abs", -most], most), (["*", most, 2], None),
    )):  # fmt: skip
        expect: dict[str, Any] = {"refused": True} if value is None else {"value": value}
        cases.append({"title": f"sum {at}", "ask": "number", "number": {"base": expr}, "expect": expect})
    for words, refused in ((30, False), (31, False), (32, True)):
        choice = [{"id": "many", "words": [f"w{at}" for at in range(words)]}]
        facts = [{"id": "few", "type": {"type": "set", "choice": "many"}}]
        cases.append(load(f"a set of {words} words", refused, **{"with": {"choices": choice, "facts": facts}}))
    for many, refused in ((999, False), (1000, False), (1001, True)):
        for name, pool in (
            ("dice", ["dice", many, 2]),
            ("faces", ["dice", 1, many]),
            ("kept", ["dice", many, 2, "highest", 1]),
        ):
            check = {"id": "c", "outcomes": ["done"], "roll": [{"id": "x", "dice": pool}], "cases": [{"outcome": 0}]}
            cases.append(load(f"{many} {name}", refused, **{"with": {"checks": [check]}}))
    for kept, refused in ((0, True), (1, False), (3, False), (4, True)):
        pool = ["dice", 3, 6, "lowest", kept]
        check = {"id": "c", "outcomes": ["done"], "roll": [{"id": "x", "dice": pool}], "cases": [{"outcome": 0}]}
        cases.append(load(f"{kept} kept of 3", refused, **{"with": {"checks": [check]}}))
    for many, faces, refused in ((20, 1000, False), (21, 1000, True), (1000, 20, False), (1000, 22, True)):
        pool = ["dice", many, faces]
        check = {"id": "c", "outcomes": ["done"], "roll": [{"id": "x", "dice": pool}], "cases": [{"outcome": 0}]}
        cases.append(load(f"the totals of {many}d{faces}", refused, **{"with": {"checks": [check]}}))
    for deep, refused in ((20, False), (40, False), (70, True), (200, True)):
        cases.append(load(f"{deep} operators, one within the other", refused, number={"base": chain(deep)}))
    return "The limits of integers, sets, dice, totals and nesting: as large as may be, and beyond.", WORLD, cases
