"""What stands in columns: the rows of tables, and lines that their author has aligned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as List
from itertools import zip_longest

from ..document import Document, Entry, Mapping, Node, Scalar, Sequence
from ..paths import path_of
from .pieces import parts

WIDTH = 120
_NUMBER = re.compile(r"[-+]?[0-9]+")
_GRIDS = ("rows", "columns")


def padding(document: Document) -> dict[int, int]:
    """By the offset of a value, how many spaces more than usual stand before it."""
    found: dict[int, int] = {}
    for each in _maps(document.root, (), 0):
        for group in each.groups():
            if each.is_grid or _is_aligned(group):
                found |= _padding(group, each.column, each.is_grid)
    return found


class _Map:
    """A map in block style: its entries of one line, the column of its keys, and whether it holds rows of a table."""

    def __init__(self, node: Mapping, column: int, is_grid: bool) -> None:
        self.entries = [each for each in node.entries if _is_line(each)]
        self.column = column
        self.is_grid = is_grid

    def groups(self) -> Iterator[list[Entry]]:
        """The entries that may be aligned with each other: all rows; else lines without another between."""
        if self.is_grid:
            yield self.entries
            return
        run: list[Entry] = []
        for each in self.entries:
            if run and each.key.span.line != run[-1].key.span.line + 1:
                yield run
                run = []
            run.append(each)
        yield run


def _maps(node: Node, path: tuple[str, ...], column: int) -> Iterator[_Map]:
    if isinstance(node, Scalar) or node.is_flow:
        return
    if isinstance(node, Sequence):
        for each in parts(node):
            yield from _maps(each, (), column + 2)
        return
    is_grid = path[:1] == ("tables",) and len(path) > 2 and path[2] in _GRIDS
    yield _Map(node, column, is_grid)
    for entry in node.entries:
        yield from _maps(entry.value, (*path, *(path_of(entry.key.text) if not path else [entry.key.text])), column + 2)


def _is_line(entry: Entry) -> bool:
    """Whether an entry is written and stands in one line."""
    span = entry.value.span
    is_written = span.end > span.start
    return is_written and "\n" not in span.file.text[entry.key.span.start : span.end]


def _is_aligned(run: List[Entry]) -> bool:
    """Whether its author has aligned a run: two keys of different length, and their values in one column."""
    widths: dict[int, int] = {}
    columns = [(each.value.span.start - each.key.span.start, _width(each.key)) for each in run]
    return any(widths.setdefault(column, width) != width for column, width in columns)


def _padding(group: List[Entry], column: int, is_grid: bool) -> dict[int, int]:
    """The spaces of a group; none at all where a line would become too long."""
    cells = _cells(group) if is_grid else {}
    widest = max((_width(each.key) for each in group), default=0)
    ends = [column + widest + 2 + _width(each.value, cells) for each in group]
    if max(ends, default=0) > WIDTH:
        return {}
    return cells | {each.value.span.start: widest - _width(each.key) for each in group}


def _cells(group: List[Entry]) -> dict[int, int]:
    """The spaces in lists of equal length below each other: numbers stand to the right, words to the left."""
    lists = [each.value.items for each in group if isinstance(each.value, Sequence) and each.value.items]
    if len({len(each) for each in lists}) != 1 or not all(isinstance(cell, Scalar) for each in lists for cell in each):
        return {}
    found: dict[int, int] = {}
    columns = list(zip(*lists, strict=True))
    for column, after in zip_longest(columns, columns[1:]):
        widest = max(_width(each) for each in column)
        is_number = all(_NUMBER.fullmatch(each.span.text) for each in column)
        # A word is followed by its spaces, which are those before the next cell.
        for each, place in zip(column, column if is_number else (after or ()), strict=False):
            found[place.span.start] = found.get(place.span.start, 0) + widest - _width(each)
    return found


def _width(node: Node, cells: dict[int, int] | None = None) -> int:
    """How many columns something takes that stands in one line."""
    more = (cells or {}).get(node.span.start, 0)
    if isinstance(node, Scalar):
        return more + node.span.end - node.span.start
    if isinstance(node, Mapping):
        inner = [_width(each.key) + 2 + _width(each.value, cells) for each in node.entries]
    else:
        inner = [_width(each, cells) for each in node.items]
    return 2 + sum(inner) + 2 * max(len(inner) - 1, 0)
