"""What changed in tables: the spans of keys for which two of them give other cells, or one of them gives any.

They come in the order of the table, so that rows are told as they stand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from houserule.program import Bands, Dense

from .compared import Change
from .definition_text import cell_text

if TYPE_CHECKING:
    from houserule.origins import Place
    from houserule.program import Column, Index, Table

    from .compared import Compared

Sides: TypeAlias = "tuple[Compared, Compared]"
Span: TypeAlias = tuple[int, int, int]
"""The first and the last code of a key, and the side whose codes they are."""
Below: TypeAlias = "tuple[Index | None, Index | None]"
"""What is below a span in either table; None where it has no rows there."""
Cells: TypeAlias = Mapping[str, Sequence[tuple[int, ...]]]
"""By table the changed cells of it, each as the codes of its keys."""
_LOWEST, _HIGHEST = -(2**53), 2**53


@dataclass(frozen=True, slots=True)
class Region:
    """A span of each key, and the row of either table that holds there.

    Where one of them has no rows there, the last key may be left open: the rows are those of all its values.
    """

    keys: tuple[Span, ...]
    below: Below


def table_changes(id: str, sides: Sides) -> Iterator[Change]:
    """The rows of a table that give something else; the table as a whole where its keys or columns changed."""
    one, other = (side.rules.program.tables[id] for side in sides)
    path = f"tables.{id}"
    if _shape(one) != _shape(other):
        places = [side.rules.program.origins.place(path) for side in sides]
        yield Change(path, "changed", ", ".join(_shape(one)), ", ".join(_shape(other)), places[0], places[1])
        return
    for region in regions(id, sides):
        yield from _only_there(id, sides, region) if None in region.below else _row(id, sides, region)


def regions(id: str, sides: Sides) -> list[Region]:
    """Where two tables of one shape give other cells; nothing where their shapes differ."""
    one, other = (side.rules.program.tables[id] for side in sides)
    if _shape(one) != _shape(other):
        return []
    return _merged(_Regions(sides, (one, other)).differing((one.index, other.index)))


def changed_cells(ids: Iterable[str], sides: Sides) -> Cells:
    """The cells of tables that both have and that give something else, each by the first codes of its keys."""
    shared = [id for id in ids if all(id in side.rules.program.tables for side in sides)]
    found: dict[str, list[tuple[int, ...]]] = {}
    for id in shared:
        keys = sides[1].rules.program.tables[id].keys
        found[id] = [
            tuple(_within(sides[1], span, column)[0] for span, column in zip(each.keys, keys, strict=True))
            for each in regions(id, sides)
            if None not in each.below
        ]
    return found


def has_moved(choice: str, sides: Sides) -> bool:
    """Whether the words of a choice have other codes on both sides."""
    if not choice:
        return False
    words = [[word.id for word in side.rules.program.words(choice)] for side in sides]
    return words[0] != words[1]


def key_text(side: Compared, span: Span, column: Column) -> str:
    """A span of a key as it is written: a word, a number, or `3..5`."""
    from houserule.values import shown, text_of

    type = column.type
    words = side.rules.program.words(type.choice) if type.choice else ()
    codes = _within(side, span, column)
    ends = [text_of(shown(bool(code) if type.kind == "boolean" else code, type, words)) for code in codes]
    return ends[0] if ends[0] == ends[1] else "..".join(ends)


def _shape(table: Table) -> list[str]:
    return [f"{each.label.id}: {each.type.kind} {each.type.choice}".rstrip() for each in (*table.keys, *table.columns)]


def _within(side: Compared, span: Span, column: Column) -> tuple[int, int]:
    """A span without what the type of its key does not take."""
    type = column.type
    words = side.rules.program.words(type.choice) if type.choice else ()
    last = int(type.high) if type.high is not None else len(words) - 1 if words else 1
    return max(span[0], int(type.low or 0)), min(span[1], last)


def _keys(id: str, sides: Sides, region: Region) -> str:
    texts = [key_text(sides[span[2]], span, _column(id, sides, span, at)) for at, span in enumerate(region.keys)]
    return ", ".join(texts)


def _column(id: str, sides: Sides, span: Span, at: int) -> Column:
    return sides[span[2]].rules.program.tables[id].keys[at]


def _row(id: str, sides: Sides, region: Region) -> Iterator[Change]:
    tables = [side.rules.program.tables[id] for side in sides]
    shown = _keys(id, sides, region)
    for column in tables[1].columns:
        cells = [
            table.rows[row][table.positions[column.label.id]]  # type: ignore[index]
            for table, row in zip(tables, region.below, strict=True)
        ]
        inner = "" if len(tables[1].columns) == 1 else f".{column.label.id}"
        texts = [cell_text(side.rules, id, cell, column) for side, cell in zip(sides, cells, strict=True)]
        if cells[0] == cells[1] if not has_moved(column.type.choice, sides) else texts[0] == texts[1]:
            continue
        path = f"tables.{id}.rows[{shown}]{inner}"
        places = [_place(side, id, row, path, inner) for side, row in zip(sides, region.below, strict=True)]
        yield Change(path, "changed", texts[0], texts[1], places[0], places[1])


def _only_there(id: str, sides: Sides, region: Region) -> Iterator[Change]:
    """The rows of a span in which one of the tables has none."""
    at = 0 if region.below[1] is None else 1
    side, index = sides[at], region.below[at]
    assert index is not None
    path = f"tables.{id}.rows[{_keys(id, sides, region)}]"
    table = side.rules.program.tables[id]
    rows = [(low, high, row) for low, high, row in ([(0, 0, index)] if isinstance(index, int) else _bands(index))]
    texts = [_cells(side, table, row) for _, _, row in rows if isinstance(row, int)]
    if any(low != high for low, high, _ in rows):
        spans = [key_text(side, (low, high, at), table.keys[-1]) for low, high, _ in rows]
        texts = [f"{span}: {text}" for span, text in zip(spans, texts, strict=True)]
    inner = f".{table.columns[0].label.id}" if len(table.columns) > 1 else ""
    place = _place(side, id, rows[0][2], path, inner)
    if at:
        yield Change(path, "added", after=", ".join(texts), after_place=place)
    else:
        yield Change(path, "removed", before=", ".join(texts), before_place=place)


def _cells(side: Compared, table: Table, row: int) -> str:
    """A row: its cell, or each of its cells with its column."""
    texts = [
        (
            column.label.id,
            cell_text(side.rules, table.label.id, table.rows[row][table.positions[column.label.id]], column),
        )
        for column in table.columns
    ]
    return texts[0][1] if len(texts) == 1 else " ".join(f"{name} {text}" for name, text in texts)


def _place(side: Compared, id: str, row: Index | None, path: str, inner: str = "") -> Place | None:
    """Where a row was set: of a layer that is told of, else where it stands in its file."""
    origins = side.rules.program.origins
    told = origins.keyed(f"tables.{id}", row, inner) if isinstance(row, int) else f"tables.{id}"
    return origins.place(told) if told != f"tables.{id}" else side.setters.place(path)


@dataclass(frozen=True, slots=True)
class _Regions:
    """Finds the spans of keys for which two tables of one shape do not give the same."""

    sides: Sides
    tables: tuple[Table, Table]

    def differing(self, below: Below, keys: tuple[Span, ...] = ()) -> Iterator[Region]:
        """The spans below two parts of the indexes, in the order of the keys."""
        one, other = below
        if one is None or other is None:
            yield from self._only_there(below, keys)
        elif isinstance(one, int) or isinstance(other, int):
            if self._is_other(one, other):
                yield Region(keys, below)
        else:
            choice = self.tables[1].keys[len(keys)].type.choice
            for span, inner in (
                self._by_word(one, other, choice) if has_moved(choice, self.sides) else _refined(one, other)
            ):
                yield from self.differing(inner, (*keys, span))

    def _is_other(self, one: Index, other: Index) -> bool:
        if not isinstance(one, int) or not isinstance(other, int):
            return False
        moved = any(has_moved(column.type.choice, self.sides) for column in self.tables[1].columns)
        return moved or self.tables[0].rows[one] != self.tables[1].rows[other]

    def _only_there(self, below: Below, keys: tuple[Span, ...]) -> Iterator[Region]:
        at = 0 if below[1] is None else 1
        column = self.tables[at].keys[len(keys) - 1]
        low, high = _within(self.sides[at], keys[-1], column)
        index = below[at]
        if low > high or index is None:
            # No caller can give what the type does not take.
            return
        if isinstance(index, int) or len(keys) >= len(self.tables[at].keys) - 1:
            yield Region(keys, below)
            return
        for first, last, inner in _bands(index):
            yield from self._only_there((None, inner) if at else (inner, None), (*keys, (first, last, at)))

    def _by_word(self, one: Index, other: Index, choice: str) -> Iterator[tuple[Span, Below]]:
        """The words of both sides, each with what is below it on the sides that have it."""
        below = [dict(_of_words(index, side, choice)) for index, side in zip((one, other), self.sides, strict=True)]
        known = [[word.id for word in side.rules.program.words(choice)] for side in self.sides]
        for code, word in enumerate(known[0]):
            if word in below[0] and word not in known[1]:
                yield (code, code, 0), (below[0][word], None)
        for code, word in enumerate(known[1]):
            if word in below[0] or word in below[1]:
                yield (code, code, 1), (below[0].get(word), below[1].get(word))


def _of_words(index: Index, side: Compared, choice: str) -> Iterator[tuple[str, Index]]:
    for code, word in enumerate(side.rules.program.words(choice)):
        yield from ((word.id, inner) for low, high, inner in _bands(index) if low <= code <= high)


def _refined(one: Index, other: Index) -> Iterator[tuple[Span, Below]]:
    """The spans of one key in which both tables stay with one band each, with what is below."""
    bands = [list(_bands(index)) for index in (one, other)]
    starts = [[low for low, _, _ in each] for each in bands]
    cuts = sorted({code for each in bands for low, high, _ in each for code in (low, high + 1)})

    def below(at: int, code: int) -> Index | None:
        found = bisect_right(starts[at], code) - 1
        return bands[at][found][2] if found >= 0 and code <= bands[at][found][1] else None

    for low, end in pairwise(cuts):
        inner = below(0, low), below(1, low)
        if inner != (None, None):
            yield (low, end - 1, 0 if inner[1] is None else 1), inner


def _bands(index: Index) -> Iterator[tuple[int, int, Index]]:
    if isinstance(index, Dense):
        for at, inner in enumerate(index.then):
            yield index.first + at, index.first + at, inner
    elif isinstance(index, Bands):
        starts = [_LOWEST if start is None else start for start in index.starts]
        ends = [*(start - 1 for start in starts[1:]), _HIGHEST if index.end is None else index.end]
        yield from zip(starts, ends, index.then, strict=True)


def _merged(found: Iterable[Region]) -> list[Region]:
    """Regions that follow each other in the last key and lead to the same rows, in one."""
    kept: list[Region] = []
    for each in found:
        before = kept[-1] if kept else None
        if before and before.below == each.below and _follow(before.keys, each.keys):
            low, high = before.keys[-1][0], each.keys[-1][1]
            kept[-1] = Region((*each.keys[:-1], (low, high, each.keys[-1][2])), each.below)
        else:
            kept.append(each)
    return kept


def _follow(before: tuple[Span, ...], after: tuple[Span, ...]) -> bool:
    if before[:-1] != after[:-1] or not after:
        return False
    (_, high, side), (low, _, other) = before[-1], after[-1]
    return side == other and high == low - 1
