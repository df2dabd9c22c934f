"""Small changes of expressions, thresholds moved and signs turned; and expressions in short. A part of `mutants`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

Json: TypeAlias = Any

SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
"""Each comparison, and the one that takes equal values the other way."""
_ORDERED = frozenset(("<", "<=", ">", ">="))


def turned(value: Json) -> Json:
    """A value with the other sign."""
    if isinstance(value, int):
        return -value
    if value[0] == "frac":
        return ["frac", -value[1], value[2]]
    return value[1] if value[0] == "neg" else ["neg", value]


def turned_within(node: Json) -> Json:
    """A sum with its last part taken away, a difference as a sum, a negative as what it negates."""
    match node:
        case ["neg", value]:
            return ["+", value, 0]
        case ["-", one, other]:
            return ["+", one, other]
    return ["-", node[1] if len(node) == 3 else node[:-1], node[-1]]


def shifted(node: Json) -> Iterator[Json]:
    """The comparison that holds for one value less or more; of one without a literal, for what is equal."""
    op, left, right = node
    yield [SHIFTED[op], left, right]
    if type(right) is int and op in _ORDERED:
        # Of `x >= 5` the first is `x > 5`; the other way is `x >= 4`.
        yield [op, left, right + (1 if op in (">", "<=") else -1)]


def comparison(node: Json) -> str:
    """A comparison in short."""
    return f"{brief(node[1])} {node[0]} {brief(node[2])}"


def brief(node: Json) -> str:
    """An expression in short: what it reads, or its operator."""
    match node:
        case ["field", str(role), str(name)]:
            return f"{role}.{name}"
        case ["its" | "fact" | "option" | "number" | "local" | "condition" as kind, str(name), *_]:
            return f"its.{name}" if kind == "its" else name
        case ["key", int(at)]:
            return f"key {at + 1}"
        case ["+" | "-" | "*" | "/" as op, *rest]:
            return f" {op} ".join(map(brief, rest))
        case [str(op), *rest] if op != "frac":
            return f"{op}({', '.join(map(brief, rest))})"
    return json.dumps(node)
