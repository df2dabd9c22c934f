"""Small changes of expressions, thresholds moved and signs turned; and expressions in short. A part of `mutants`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
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


def comparison(node: Json, words: Sequence[str] = ()) -> str:
    """A comparison in short; `words` are those of the choice that it compares, if it does."""
    return f"{brief(node[1])} {node[0]} {word(node[2], words)}"


def word(value: Json, words: Sequence[str]) -> str:
    """A literal as authors write it: of a choice, the word."""
    is_word = type(value) is int and 0 <= value < len(words)
    return words[value] if is_word else brief(value)


Read: TypeAlias = tuple[str, str]
"""What an expression reads: of which kind, under which name."""


def words_read(artifact: Json, words: Mapping[str, list[str]]) -> dict[Read, list[str]]:
    """The words of all that holds one of a choice, by what reads it, where its name means one choice alone."""
    found: dict[Read, list[list[str]]] = {}
    for read, choice in _choices_read(artifact):
        found.setdefault(read, []).append(words.get(choice, []))
    return {read: many[0] for read, many in found.items() if all(each == many[0] for each in many)}


def _choices_read(artifact: Json) -> Iterator[tuple[Read, str]]:
    def typed(kind: str, declared: Json) -> Iterator[tuple[Read, str]]:
        for each in declared:
            yield (kind, each["id"]), each.get("type", {}).get("choice", "")

    yield from typed("fact", artifact["facts"])
    yield from typed("option", artifact["options"])
    for entity in artifact["entities"]:
        yield from typed("field", entity["fields"])
    for check in artifact["checks"]:
        for step in check["steps"]:
            before = f"{step['id']}." if step["id"] else ""
            yield from ((("local", before + id), choice) for (_, id), choice in typed("local", step["values"]))
            if "check" in step.get("call", {}):
                yield ("local", f"{before}outcome"), f"{step['call']['check']}.outcome"


def read_of(node: Json) -> Read:
    """What an expression reads, if it is no more than a name."""
    match node:
        case ["fact" | "option" | "local" as kind, str(name)]:
            return kind, name
        case ["field", _, str(name)] | ["its", str(name)]:
            return "field", name
    return "", ""


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
