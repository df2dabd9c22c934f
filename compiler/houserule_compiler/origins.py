"""Which layers set what, as the `origins` of docs/artifact.md: from the layered tree and the history of its parts.

Kept small: a line for each definition and for those of its parts that answers speak of; a history only where more
than one layer had a say; the keys of rows only where layers met in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Map
from typing import TypeAlias

from .document import Entry, Mapping, Node, Scalar
from .layers import Box, Contribution, Origins
from .longform import CONDITIONS
from .paths import Path, path_text
from .regions import Area, Bands, boxes_of
from .source import Span
from .typed import TypedTable
from .typed_ruleset import TypedRuleset
from .types import Choice, Set, span_of_codes

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int"
Histories: TypeAlias = dict[Path, tuple[Contribution, ...]]

NAMED = frozenset({"adjust", "roll", "values", "give", "effects", "cases", "steps", "then"})
"""The maps inside definitions whose entries answers speak of."""
REMARKS = frozenset({"title", "note", "source"})
"""What a definition carries for people."""
APART = frozenset({"examples"})
"""Sections that no artifact has."""
WIDTH = 120
"""A longer text is cut."""
_WHITE = re.compile(r"\s+")


def origins(found: Origins, typed: TypedRuleset | None = None) -> dict[str, Json]:
    """The places and histories of all that was found; `keys` only with typed rules, which know the codes of rows."""
    places, told = list(_places(found)), histories(found)
    spans = [*(each.span for _, each, _ in places), *(each.span for said in told.values() for each in said)]
    files = sorted({_file(span) for span in spans})
    numbers = {file: number for number, file in enumerate(files)}
    lines: dict[tuple[str, str], dict[str, Json]] = {file: {} for file in files}
    for path, each, _ in places:
        lines[_file(each.span)][path_text(path)] = each.span.line
    return {
        "ground": [*sorted(found.ground)],
        "files": [{"layer": layer, "file": name, "lines": lines[layer, name]} for layer, name in files],
        "keys": _keys(found, told, typed) if typed else {},
        "history": {
            path_text(path): [[numbers[_file(each.span)], each.span.line, each.act, text_of(each)] for each in said]
            for path, said in told.items()
        },
    }


def spans(found: Origins) -> dict[str, Span]:
    """Where each part was set that the origins of an artifact tell of, by path: of several layers by who holds."""
    placed = {path_text(path): each.span for path, each, _ in _places(found)}
    holders = {
        path_text(path): each.span
        for path, said in histories(found).items()
        for each in said
        if each.act not in ("place", "prefer")
    }
    return placed | holders


def histories(found: Origins) -> Histories:
    """All who had a say at each path where layers met, from the bottom up; of what one layer added, that layer alone.

    Of rows and grades only those that something else than single cells was done to: the cells tell the rest.
    """
    rows = {path[:-1] for path in found.boxes}
    told = {
        path: said
        for path, said in found.history.items()
        if path[0] not in APART and (path not in rows or any(each.act != "set" for each in said))
    }
    for path, later in (*found.moved.items(), *found.preferred.items()):
        if path[0] not in APART:
            told[path] = (*(told.get(path) or found.of(path)), later)
    for path, each, is_added in _places(found):
        if is_added and path not in told and not _is_said_around(path, each.layer, told):
            told[path] = (each,)
    return dict(sorted(told.items()))


def _is_said_around(path: Path, layer: str, told: Histories) -> bool:
    """Whether a layer said so at a path above, of which this is a part."""
    return any(path[:end] in told and told[path[:end]][-1].layer == layer for end in range(3, len(path)))


def text_of(each: Contribution) -> str:
    """What a layer wrote, in one line: nothing for what it took out."""
    if each.node is None or each.act == "remove" or not each.span.file.is_shown:
        return ""
    if each.act == "place" and isinstance(each.node, Mapping):
        return " ".join(f"{entry.key.text} {written(entry.value)}" for entry in each.node.entries)
    text = written(each.node).removeprefix("{}")
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def written(node: Node) -> str:
    """A node as its author wrote it, in one line."""
    if isinstance(node, Mapping):
        return f"{{{', '.join(f'{each.key.text}: {written(each.value)}' for each in node.entries)}}}"
    if isinstance(node, Scalar):
        return _WHITE.sub(" ", node.text).strip()
    return f"[{', '.join(written(each) for each in node.items)}]"


def _file(span: Span) -> tuple[str, str]:
    return span.file.layer, span.file.inner_name


_Placed: TypeAlias = tuple[Path, Contribution, bool]


def _places(found: Origins) -> Iterator[_Placed]:
    """Who set each definition, and each part that answers speak of or that another layer added; whether it did."""
    rows = {path[:-1] for path in found.boxes}
    for section in found.tree.entries:
        if section.key.text in APART or not isinstance(section.value, Mapping):
            continue
        for each in section.value.entries:
            path = (section.key.text, each.key.text)
            yield path, _set(each), False
            yield from _parts(path, each.value, each.key.span.file.layer, rows)
    yield from ((path, cell, True) for path, cell in found.cells.items())


def _parts(path: Path, node: Node, layer: str, rows: set[Path]) -> Iterator[_Placed]:
    if not isinstance(node, Mapping) or path in rows or path[-1] == "rows":
        return
    # The parts of a condition are told with the whole of it.
    for each in (entry for entry in node.entries if entry.key.text not in CONDITIONS):
        inner, own = (*path, each.key.text), each.key.span.file.layer
        is_told = own != layer or _is_spoken_of(inner)
        if is_told:
            yield inner, _set(each), own != layer
        yield from _parts(inner, each.value, own if is_told else layer, rows)


def _set(entry: Entry) -> Contribution:
    return Contribution(entry.key.span.file.layer, "set", entry.key.span, entry.value)


def _is_spoken_of(path: Path) -> bool:
    if len(path) == 3:
        key = path[2]
        return (path[0] == "numbers" and key == "base") or (path[0] == "entities" and key not in REMARKS)
    return path[-2] in NAMED


def _keys(found: Origins, told: Histories, typed: TypedRuleset) -> dict[str, Json]:
    """For the rows and grades that are told of: their number in the artifact, and their keys as paths name them."""
    wanted = {row for path in told for row in (path, path[:-1]) if row in found.boxes}
    boxes: dict[Path, dict[str, Box]] = {path[:-1]: {} for path in wanted}
    for path, box in found.boxes.items():
        if path[:-1] in boxes:
            boxes[path[:-1]][path[-1]] = box
    numbers: dict[str, list[Json]] = {}
    for path, each in boxes.items():
        whole, inner = (path[:2], path[2:]) if path[0] == "tables" else (path, ())
        for number, keys in _named(path, each, typed):
            if (*path, keys) in wanted:
                numbers.setdefault(path_text(whole), []).append([number, path_text((*inner, keys))])
    for table in typed.tables.values():
        path = ("tables", table.declared.id, "otherwise")
        if path in told:
            numbers.setdefault(path_text(path[:2]), []).extend([[row, path[2]] for row in _otherwise(table)])
    return dict(numbers)


def _otherwise(table: TypedTable) -> Iterator[int]:
    """The number of the row that takes what no other row names."""
    for number, row in enumerate(table.rows):
        if all(each is None for each in row.declared.keys) and not any(row.declared.whole):
            yield number


def _named(path: Path, boxes: Map[str, Box], typed: TypedRuleset) -> Iterator[tuple[int, str]]:
    """The numbers of rows or grades, each with the name of the box that it lies in."""
    if path[0] == "tables" and path[1] in typed.tables:
        rows = _row_boxes(typed.tables[path[1]])
        apart = set(_otherwise(typed.tables[path[1]]))
        points = [tuple(bands[0][0] for bands in row) if all(row) else () for row in rows]
        yield from _within([() if number in apart else point for number, point in enumerate(points)], boxes)
    elif path[0] == "modifiers" and path[-1] in typed.numbers:
        entry = next((each for each in typed.numbers[path[-1]].entries if each.modifier.id == path[1]), None)
        grades = entry.reached if entry else []
        if entry and entry.by and isinstance(entry.by.type, Choice | Set):
            yield from ((number, f"[{grade.span.text.strip()}]") for number, grade in enumerate(grades))
        else:
            yield from _within([(grade.band[0],) for grade in grades], boxes)


def _row_boxes(table: TypedTable) -> list[tuple[Bands, ...]]:
    keys = [codes for each in table.keys if (codes := span_of_codes(each))]
    return boxes_of(keys, [Area(row.bands, row.declared.whole) for row in table.rows])


def _within(points: Sequence[tuple[int, ...]], boxes: Map[str, Box]) -> Iterator[tuple[int, str]]:
    """The numbers of the points, each with the name of the box that it lies in; nothing for a point in none."""
    corners = {tuple(low for low, _ in box): name for name, box in boxes.items()}
    for number, point in enumerate(points):
        name = corners.get(point) or next((name for name, box in boxes.items() if _holds(box, point)), "")
        if name:
            yield number, name


def _holds(box: Box, point: tuple[int, ...]) -> bool:
    return bool(point) and all(low <= code <= high for (low, high), code in zip(box, point, strict=True))
