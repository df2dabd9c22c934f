"""Small changes of tables: rows left out, bounds moved by one, cells changed by one. A part of `mutants`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

Json: TypeAlias = Any

_COUNTED = frozenset(("integer", "hit_dice"))


def bumped(type: Json, value: Json, words: dict[str, list[str]]) -> Json | None:
    """A value changed by one, within its type where there is room; None where there is no such value."""
    match type["type"]:
        case "integer" | "hit_dice" if isinstance(value, int):
            return value + 1 if value < type["high"] or type["low"] == type["high"] else value - 1
        case "boolean" if isinstance(value, bool):
            return not value
        case "choice" if isinstance(value, int):
            count = len(words[type["choice"]])
            return None if count == 1 else value + 1 if value + 1 < count else value - 1
        case "fraction" if isinstance(value, list):
            return _with_one(value, 1 if _is_below(value, type["high"]) else -1)
        case "set" if isinstance(value, int):
            return value ^ 1
        case "dice" if isinstance(value, int):
            return next((each for each in type.get("one_of", [value - 1]) if each != value), None)
    return None


def _with_one(value: Json, by: int) -> Json:
    _, numerator, denominator = value
    return ["frac", numerator + by * denominator, denominator]


def _is_below(value: Json, high: Json) -> bool:
    return bool(value[1] * high[2] < high[1] * value[2])


def cells(table: Json, words: dict[str, list[str]]) -> Iterator[tuple[int, int, Json, Json]]:
    """Each cell that can be another by one: row, column, before, after."""
    for at, row in enumerate(table["rows"]):
        for column, value in enumerate(row):
            after = None if isinstance(value, dict) else bumped(table["columns"][column]["type"], value, words)
            if after is not None:
                yield at, column, value, after


def left_out(table: Json) -> Iterator[tuple[int, int, Json]]:
    """Each row that can be left out: its number, the nearest row that says something else, and the table without it."""
    rows = table["rows"]
    for at in range(len(rows)):
        others = [each for each in range(len(rows)) if rows[each] != rows[at]]
        if others:
            other = min(others, key=lambda each: (abs(each - at), each))
            yield at, other, {**table, "index": _instead(table["index"], at, other)}


def _instead(index: Json, row: int, other: int) -> Json:
    if isinstance(index, int):
        return other if index == row else index
    return {**index, "then": [_instead(each, row, other) for each in index["then"]]}


def index_bounds(table: Json) -> Iterator[tuple[int, int, int, Json, Json]]:
    """Each bound between rows that can move by one without a row's going away.

    The row that begins there (−1 where more keys follow), the bound before and after, and what becomes of which part
    of the index.
    """
    seen: set[int] = set()
    yield from _bounds(table["index"], table, 0, seen)


def _bounds(index: Json, table: Json, level: int, seen: set[int]) -> Iterator[tuple[int, int, int, Json, Json]]:
    if isinstance(index, int) or id(index) in seen:
        return
    seen.add(id(index))
    if table["keys"][level]["type"]["type"] in _COUNTED:
        said = _said(index["then"], table["rows"])
        yield from _moved(index, said) if "from" in index else _started(index, said)
    for each in index["then"]:
        yield from _bounds(each, table, level + 1, seen)


def _said(then: Json, rows: Json) -> list[Json]:
    """What stands behind each key: rows that say the same are the same."""
    return [rows[each] if isinstance(each, int) else each for each in then]


def _moved(index: Json, said: list[Json]) -> Iterator[tuple[int, int, int, Json, Json]]:
    then, low = index["then"], index["from"]
    for at in range(1, len(then)):
        if said[at] == said[at - 1]:
            continue
        if at + 1 < len(then) and then[at + 1] == then[at]:
            changed = [*then[:at], then[at - 1], *then[at + 1 :]]
            yield _row(then[at]), low + at, low + at + 1, index, {**index, "then": changed}
        elif at > 1 and then[at - 2] == then[at - 1]:
            changed = [*then[: at - 1], then[at], *then[at:]]
            yield _row(then[at]), low + at, low + at - 1, index, {**index, "then": changed}


def _started(index: Json, said: list[Json]) -> Iterator[tuple[int, int, int, Json, Json]]:
    starts, then = index["starts"], index["then"]
    ends = [*starts[1:], None if index["ends"] is None else index["ends"] + 1]
    for at in range(1, len(then)):
        if said[at] == said[at - 1]:
            continue
        start, before = starts[at], starts[at - 1]
        by = 1 if ends[at] is None or start + 1 < ends[at] else -1 if before is None or start - 1 > before else 0
        if by:
            changed = [*starts[:at], start + by, *starts[at + 1 :]]
            yield _row(then[at]), start, start + by, index, {**index, "starts": changed}


def _row(index: Json) -> int:
    return index if isinstance(index, int) else -1
