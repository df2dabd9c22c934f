"""What docs/artifact.md says of values, numbers and stacking, once more and as plainly as it can be said.

The answers of tests/conformance/made-*.json come from here. No module of the product is imported, on purpose: this is
a second reading of the page, slow and without a thought of speed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

LARGEST = 2**53 - 1
UNKNOWN = "unknown value"
NEXT = {"up": math.ceil, "down": math.floor, "nearest": lambda a: math.floor(a + Fraction(1, 2))}


class RefusedError(Exception):
    """The artifact is refused, at the question."""


class UnknownError(Exception):
    """Something that is not known was read where it must be known."""


@dataclass
class Frame:
    """Who sits where, what the dice and values of a check are, and what calls adjust."""

    seats: dict[str, str] = field(default_factory=dict)
    locals: dict[str, Any] = field(default_factory=dict)
    adjusted: list[tuple[str, str, Any, str | None]] = field(default_factory=list)
    key: list[Any] = field(default_factory=list)
    owner: str = ""

    def seated(self, changes: dict[str, str]) -> Frame:
        """All pairs at once: whoever plays the second sits in the chair of the first."""
        seats = {**self.seats, **{chair: self.seats.get(who, who) for chair, who in changes.items()}}
        return Frame(seats, self.locals, self.adjusted, self.key)


def whole(value: Any) -> Any:
    """A value within the bounds of the artifact."""
    parts = (value.numerator, value.denominator) if isinstance(value, Fraction) else (value,)
    if any(abs(each) > LARGEST for each in parts):
        raise RefusedError
    return value


class Model:
    """Rules, and held facts by path."""

    def __init__(self, rules: dict[str, Any], facts: dict[str, Any], options: dict[str, Any] | None = None) -> None:
        self.rules = {key: {each["id"]: each for each in part} for key, part in rules.items() if isinstance(part, list)}
        self.facts = facts
        self.options = {
            **{id: each["default"] for id, each in self.rules.get("options", {}).items()},
            **(options or {}),
        }

    # --- expressions

    def value(self, expr: Any, at: Frame) -> Any:
        """The value of an expression; raises for what is not known or out of bounds."""
        found = self.raw(expr, at)
        if found is UNKNOWN:
            raise UnknownError(self.path(expr, at))
        return found

    def raw(self, expr: Any, at: Frame) -> Any:
        """The value of an expression, perhaps UNKNOWN where it is a read."""
        if not isinstance(expr, list):
            return whole(expr)
        op, *parts = expr
        if op in READS:
            return getattr(self, READS[op])(parts, at)
        if op in LAZY:
            return getattr(self, LAZY[op])(parts, at)
        if op in ("frac", "dice"):
            return Fraction(*parts) if op == "frac" else parts
        if op in ("in", "mod", "has"):
            return FIXED[op](self.value(parts[0], at), parts[1])
        try:
            return whole(EAGER[op](*(self.value(each, at) for each in parts)))
        except ZeroDivisionError:
            raise RefusedError from None

    def path(self, read: Any, at: Frame) -> str:
        """A read as the caller names it."""
        match read:
            case ["field", role, name]:
                return f"{at.seats.get(role, role)}.{name}"
            case ["its", name]:
                return f"{at.owner}.{name}"
        return str(read[1])

    def read_field(self, parts: list[Any], at: Frame) -> Any:
        role, name = parts
        who = at.seats.get(role, role)
        declared = self.rules["entities"][self.rules["roles"][role]["entity"]]["fields"]
        return self.owned(who, next(each for each in declared if each["id"] == name))

    def read_its(self, parts: list[Any], at: Frame) -> Any:
        declared = self.rules["entities"][self.rules["roles"][at.owner]["entity"]]["fields"]
        return self.owned(at.owner, next(each for each in declared if each["id"] == parts[0]))

    def owned(self, who: str, declared: dict[str, Any]) -> Any:
        if "is" in declared:
            return self.value(declared["is"], Frame(owner=who))
        return self.held(f"{who}.{declared['id']}", declared)

    def held(self, path: str, declared: dict[str, Any]) -> Any:
        if path in self.facts:
            return self.facts[path]
        default = declared.get("default", UNKNOWN if declared.get("optional") else 0)
        return Fraction(*default[1:]) if isinstance(default, list) else default

    def read_fact(self, parts: list[Any], at: Frame) -> Any:
        declared = self.rules["facts"][parts[0]]
        return self.value(declared["is"], Frame()) if "is" in declared else self.held(parts[0], declared)

    def read_option(self, parts: list[Any], at: Frame) -> Any:
        return self.options[parts[0]]

    def read_condition(self, parts: list[Any], at: Frame) -> Any:
        return self.value(self.rules["conditions"][parts[0]]["when"], at)

    def read_number(self, parts: list[Any], at: Frame) -> Any:
        return self.number(parts[0], at.seated(parts[1] if len(parts) > 1 else {}))[0]

    def read_local(self, parts: list[Any], at: Frame) -> Any:
        return at.locals.get(parts[0], UNKNOWN)

    def read_key(self, parts: list[Any], at: Frame) -> Any:
        return at.key[parts[0]]

    def read_attribute(self, parts: list[Any], at: Frame) -> Any:
        choice, name, word = parts
        attribute = next(each for each in self.rules["choices"][choice]["attributes"] if each["id"] == name)
        return attribute["values"][self.value(word, at)]

    def read_table(self, parts: list[Any], at: Frame) -> Any:
        id, column, keys = parts
        return self.cell(id, column, [self.value(each, at) for each in keys])

    def cell(self, id: str, column: str, keys: list[Any]) -> Any:
        """A cell of a table; RefusedError where there is no row."""
        table = self.rules["tables"][id]
        cell = table["rows"][row(table["index"], keys)][[each["id"] for each in table["columns"]].index(column)]
        return self.value(cell["expr"], Frame(key=keys)) if isinstance(cell, dict) else cell

    def both(self, parts: list[Any], at: Frame) -> bool:
        return all(self.value(each, at) for each in parts)

    def either(self, parts: list[Any], at: Frame) -> bool:
        return any(self.value(each, at) for each in parts)

    def one_of_two(self, parts: list[Any], at: Frame) -> Any:
        return self.value(parts[1 if self.value(parts[0], at) else 2], at)

    def known(self, parts: list[Any], at: Frame) -> bool:
        return self.raw(parts[0], at) is not UNKNOWN

    # --- numbers

    def number(self, id: str, at: Frame) -> tuple[Any, list[dict[str, Any]]]:
        """The value of a number, and its entries with what came of each."""
        declared = self.rules["numbers"][id]
        at = at.seated(declared.get("as", {}))
        value = self.value(declared["base"], at)
        entries: list[dict[str, Any]] = []
        for entry in sorted(declared.get("entries", []), key=lambda each: each["modifier"]):
            entries += self.applied(entry, at)
        direction = -1 if declared.get("better") == "lower" else 1
        for group in sorted({each["group"] for each in entries if each["group"]}):
            compete(self.rules["stacking"][group], [each for each in entries if each["group"] == group], direction)
        entries += [
            {"modifier": None, "op": op, "amount": amount, "status": "kept", "group": None, "round": rounds}
            for number, op, amount, rounds in at.adjusted
            if number == id
        ]
        return combined(value, entries, declared.get("type", {}).get("type") == "fraction"), entries

    def applied(self, entry: dict[str, Any], at: Frame) -> list[dict[str, Any]]:
        """The entries that one modifier gives: none, one, or one for each word of a set."""
        told = {key: entry.get(key) for key in ("modifier", "op", "group", "round")}
        try:
            if any(self.raw(each, at) is UNKNOWN for each in entry.get("needs", [])):
                return [{**told, "status": "not_known", "group": None}]
            if "when" in entry and not self.value(entry["when"], at):
                return [{**told, "status": "does_not_apply", "group": None}]
            amounts = [self.value(each, at) for each in self.amounts(entry, at)]
            if "times" in entry:
                amounts = [whole(each * self.value(entry["times"], at)) for each in amounts]
        except UnknownError:
            return [{**told, "status": "not_known", "group": None}]
        if not amounts:
            return [{**told, "status": "does_not_apply", "group": None}]
        return [{**told, "status": "kept", "amount": each} for each in amounts]

    def amounts(self, entry: dict[str, Any], at: Frame) -> list[Any]:
        if "value" in entry:
            return [entry["value"]]
        if "by" in entry:
            by = int(self.value(entry["by"], at))
            return [amount for low, high, amount in entry["grades"] if within(by, low, high)][:1]
        words = self.value(entry["each"], at)
        held = [word for word in range(53) if words >> word & 1]
        return [next(a for lo, hi, a in entry["grades"] if lo <= w <= hi) for w in held if graded(entry["grades"], w)]


def graded(grades: list[Any], word: int) -> bool:
    return any(low <= word <= high for low, high, _ in grades)


def within(value: Any, low: Any, high: Any) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def row(index: Any, keys: list[Any]) -> int:
    """The number of a row, one level of the index for each key."""
    for key in map(int, keys):
        if "from" in index:
            if not 0 <= key - index["from"] < len(index["then"]):
                raise RefusedError
            index = index["then"][key - index["from"]]
        else:
            band = sum(start is None or start <= key for start in index["starts"]) - 1
            if band < 0 or not within(key, None, index["ends"]):
                raise RefusedError
            index = index["then"][band]
    return int(index)


def compete(policy: dict[str, Any], entries: list[dict[str, Any]], direction: int) -> None:
    """What one group drops: bonuses, penalties, all of adds and sets, multipliers, in this order."""
    for kind in ("bonuses", "penalties", "all", "multiply"):
        left = [each for each in entries if each["status"] == "kept" and takes_part(kind, each, direction)]
        named = policy.get(kind, "all")
        if named == "all" or not left:
            continue
        for kept in survivors(named, left, policy, direction, kind):
            rivals = [e for e in left if e is not kept and (named != "once" or same(e, kept))]
            for each in rivals:
                each.update(status="dropped", why=[policy["id"], kept["modifier"]])


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["op"] == other["op"] and one["amount"] == other["amount"])


def takes_part(kind: str, entry: dict[str, Any], direction: int) -> bool:
    op, moved = entry["op"], entry["amount"] * direction
    if kind == "multiply":
        return bool(op == "multiply")
    if kind == "all":
        return bool(op == "set" or (op == "add" and moved))
    return bool(op == "add" and (moved > 0 if kind == "bonuses" else moved < 0))


def survivors(
    named: str, left: list[dict[str, Any]], policy: dict[str, Any], direction: int, kind: str
) -> list[dict[str, Any]]:
    """Those that a policy keeps; earlier ones stand first already."""
    if named == "once":
        return [each for at, each in enumerate(left) if not any(same(each, other) for other in left[:at])]
    if named == "first":
        order = policy.get("order", [])
        return [min(left, key=lambda e: order.index(e["modifier"]) if e["modifier"] in order else len(order))]
    wanted = 1 if policy.get("tie") == "bonus" else -1

    def size(entry: dict[str, Any]) -> Any:
        return abs(entry["amount"]) if entry["op"] == "add" else entry["amount"] * direction

    best = (max if named == "largest" else min)(map(size, left))
    equal = [each for each in left if size(each) == best]
    liked = [e for e in equal if e["op"] == "add" and (e["amount"] * direction > 0) == (wanted > 0)]
    return (liked or equal)[:1] if kind == "all" and "tie" in policy else equal[:1]


def combined(value: Any, entries: list[dict[str, Any]], is_fraction: bool) -> Any:
    """Set, add, multiply, at least, at most, of those that are kept."""
    kept = [each for each in entries if each["status"] == "kept"]
    by = {op: [e for e in kept if e["op"] == op] for op in ("set", "add", "multiply", "at_least", "at_most")}
    for each in by["set"]:
        value = by["set"][-1]["amount"]
        if each["amount"] != value:
            each["status"] = "overridden"
    for each in by["add"]:
        value = whole(value + each["amount"])
    if by["multiply"]:
        value = whole(value * math.prod(Fraction(each["amount"]) for each in by["multiply"]))
        rounding = next((each["round"] for each in by["multiply"] if each["round"]), None)
        value = NEXT[rounding](value) if rounding else value
    for each in by["at_least"]:
        value = max(value, each["amount"])
    for each in by["at_most"]:
        value = min(value, each["amount"])
    return Fraction(value) if is_fraction else int(whole(value))


def dice_part(code: int) -> Fraction:
    step = code // 19
    return Fraction(0) if step == 0 else Fraction(1, 2) if step == 1 else Fraction(step - 1)


READS = {each: f"read_{each}" for each in ("field", "its", "fact", "option", "condition", "number", "local", "key")}
READS |= {"table": "read_table", "attribute": "read_attribute"}
LAZY = {"and": "both", "or": "either", "if": "one_of_two", "known": "known"}
FIXED = {
    "in": lambda a, bands: any(within(a, low, high) for low, high in bands),
    "mod": lambda a, k: whole(a - k * math.floor(Fraction(a) / k)),
    "has": lambda a, word: bool(a >> word & 1),
}
EAGER: dict[str, Any] = {
    "+": lambda *a: sum(a),
    "*": lambda *a: math.prod(a),
    "-": lambda a, b: a - b,
    "neg": lambda a: -a,
    "/": lambda a, b: Fraction(a) / Fraction(b),
    "floor": math.floor,
    "ceil": math.ceil,
    "nearest": NEXT["nearest"],
    "toward_zero": math.trunc,
    "abs": abs,
    "min": min,
    "max": max,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "count": lambda a: a.bit_count(),
    "not": lambda a: not a,
    "dice_part": dice_part,
    "pips": lambda a: a % 19 - 9,
    "highest": lambda a: a // 1024 * (a % 1024),
    "lowest": lambda a: a // 1024,
}
