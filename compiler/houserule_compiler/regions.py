"""Which row of a table holds where: the exact index, and each gap, overlap and row that never holds.

Keys and bands are closed intervals of codes; a row is a box, one tuple of bands for each key. Each level is settled by
one sweep over its band ends, and equal sets of rows are settled once, so the work is close to linear in the rows. A
table whose rows cross each other without end is given up after `VISITS` and is not `is_settled`.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TypeAlias

from .typed import Band, TypedTable
from .types import LARGEST, span_of_codes

VISITS = 2_000_000
"""How many rows may be looked at, over all segments, before a table is given up."""

DENSE = 64
"""A last level of at most this many values is always a dense array: one step finds the row."""

Bands: TypeAlias = tuple[Band, ...]
Box: TypeAlias = tuple[Bands, ...]
Index: TypeAlias = "int | dict[str, object]"


@dataclass(frozen=True, slots=True)
class Area:
    """The keys of one row. None is all that no sibling names, or everything where `whole` says so."""

    bands: tuple[Bands | None, ...]
    whole: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """Keys that no row covers. `box` has one band for each key; `before` is the row that holds just below, if any."""

    box: tuple[Band, ...]
    before: int | None

    @property
    def witness(self) -> tuple[int, ...]:
        """The smallest keys in the gap."""
        return tuple(low for low, _ in self.box)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two rows that cover the same keys, and the smallest such keys."""

    first: int
    second: int
    witness: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A row that never holds: outside the keys, or with nothing left, or under the earlier rows `covered_by`."""

    row: int
    outside: int | None = None
    covered_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rows of a table decide. `index` is there when there is no gap."""

    index: Index | None
    gaps: tuple[Gap, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()
    is_settled: bool = True


def of_table(table: TypedTable) -> Decision | None:
    """The decision of a typed table, or None where a key has no codes because its type is not known."""
    keys = [span_of_codes(each) for each in table.keys]
    known = [each for each in keys if each is not None]
    if len(known) < len(keys):
        return None
    return regions(known, [Area(row.bands, row.declared.whole) for row in table.rows])


def regions(keys: Sequence[Band], rows: Sequence[Area]) -> Decision:
    """What `rows`, in their order, decide over all combinations of `keys`; the first row that covers one wins."""
    boxes = boxes_of(keys, rows)
    sweep = _Sweep(tuple(keys), boxes)
    alive = tuple(number for number, box in enumerate(boxes) if all(box))
    try:
        root = sweep.settle(0, alive, ())
    except _Tangled:
        return Decision(None, is_settled=False)
    dead = {number for number in range(len(rows)) if number not in sweep.winners}
    return Decision(
        index=None if sweep.gaps else _index(root, keys),
        gaps=tuple(sorted(sweep.gaps, key=lambda gap: gap.box)),
        overlaps=tuple(each for each in sweep.overlaps.values() if each.second not in dead),
        unreachable=tuple(_reason(number, keys, rows[number], boxes) for number in sorted(dead)),
    )


def boxes_of(keys: Sequence[Band], rows: Sequence[Area]) -> list[Box]:
    """Each row as explicit bands within the keys: `otherwise` is what its siblings under the same keys leave."""
    boxes: list[list[Bands]] = [[] for _ in rows]
    for level, key in enumerate(keys):
        named = _named(level, key, rows)
        for number, row in enumerate(rows):
            bands = _stated(row, level, key)
            boxes[number].append(named[_above(row, level)] if bands is None else _clipped(bands, key))
    return [tuple(each) for each in boxes]


def _named(level: int, key: Band, rows: Sequence[Area]) -> dict[object, Bands]:
    """For each group of sibling rows that has an `otherwise`, what is left for it."""
    groups: dict[object, list[Band]] = {_above(row, level): [] for row in rows if _stated(row, level, key) is None}
    for row in rows:
        if groups and (group := groups.get(_above(row, level))) is not None:
            group.extend(_stated(row, level, key) or ())
    return {above: _left(bands, key) for above, bands in groups.items()}


def _above(row: Area, level: int) -> object:
    return row.bands[:level], row.whole[:level]


def _stated(row: Area, level: int, key: Band) -> Bands | None:
    bands = row.bands[level]
    if bands is None and row.whole[level : level + 1] == (True,):
        return (key,)
    return bands


def _clipped(bands: Bands, key: Band) -> Bands:
    inside = [(max(low, key[0]), min(high, key[1])) for low, high in bands]
    return tuple(_joined(each for each in inside if each[0] <= each[1]))


def _joined(bands: Iterable[Band]) -> Iterator[Band]:
    """The same values as ascending bands that do not touch."""
    held: Band | None = None
    for low, high in sorted(bands):
        if held and low <= held[1] + 1:
            held = (held[0], max(held[1], high))
        else:
            if held:
                yield held
            held = (low, high)
    if held:
        yield held


def _left(bands: Iterable[Band], key: Band) -> Bands:
    """The values of `key` outside all bands."""
    left, at = [], key[0]
    for low, high in _joined(bands):
        if low > at:
            left.append((at, min(low - 1, key[1])))
        at = max(at, high + 1)
    left.append((at, key[1]))
    return tuple(each for each in left if each[0] <= each[1])


class _Tangled(Exception):
    """More rows were visited than a table is worth."""


@dataclass(frozen=True, slots=True)
class _Segments:
    """One settled level: ascending, gapless bands of the key, each with a row, the next level, or None for a gap."""

    parts: tuple[tuple[int, int, _Settled], ...]


_Settled: TypeAlias = "_Segments | int | None"


@dataclass
class _Sweep:
    """The work on one table, with what it finds on the way.."""

    keys: tuple[Band, ...]
    boxes: list[Box]
    gaps: list[Gap] = field(default_factory=list)
    overlaps: dict[int, Overlap] = field(default_factory=dict)
    winners: set[int] = field(default_factory=set)
    known: dict[tuple[int, ...], dict[int, _Settled]] = field(default_factory=dict)
    visits: int = 0

    def settle(self, level: int, rows: tuple[int, ...], above: tuple[Band, ...]) -> _Settled:
        """The segments of `level` under the keys `above`, where `rows` hold; equal sets of rows share them."""
        if level == len(self.keys):
            return self._winner(rows, above)
        settled = self.known.setdefault(rows, {})
        if level not in settled:
            settled[level] = self._swept(level, rows, above)
        return settled[level]

    def _winner(self, rows: tuple[int, ...], above: tuple[Band, ...]) -> int:
        self.winners.add(rows[0])
        if len(rows) > 1 and rows[1] not in self.overlaps:
            self.overlaps[rows[1]] = Overlap(rows[0], rows[1], tuple(low for low, _ in above))
        return rows[0]

    def _swept(self, level: int, rows: tuple[int, ...], above: tuple[Band, ...]) -> _Segments:
        parts: list[tuple[int, int, _Settled]] = []
        # Two rows are enough at the last level: the one that wins, and one that it overlaps.
        wanted = 2 if level == len(self.keys) - 1 else len(rows)
        for low, high, active in self._segments(level, rows, wanted):
            self.visits += 1 + len(active)
            if self.visits > VISITS:
                raise _Tangled
            then = self.settle(level + 1, active, (*above, (low, high))) if active else None
            if parts and _same(parts[-1][2], then):
                parts[-1] = (parts[-1][0], high, then)
            else:
                parts.append((low, high, then))
        self._note_gaps(parts, above, level)
        return _Segments(tuple(parts))

    def _note_gaps(self, parts: list[tuple[int, int, _Settled]], above: tuple[Band, ...], level: int) -> None:
        for at, (low, high, then) in enumerate(parts):
            if then is None:
                before = _last(parts[at - 1][2]) if at else None
                self.gaps.append(Gap((*above, (low, high), *self.keys[level + 1 :]), before))

    def _segments(self, level: int, rows: tuple[int, ...], wanted: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Ascending stretches of the key over which the same rows hold, with the first `wanted` of those."""
        first, last = self.keys[level]
        changes: dict[int, list[int]] = {first: [], last + 1: []}
        for row in rows:
            for low, high in self.boxes[row][level]:
                changes.setdefault(low, []).append(row)
                changes.setdefault(high + 1, []).append(~row)
        active: list[int] = []
        bounds = sorted(changes)
        for low, after in pairwise(bounds):
            _apply(changes[low], active)
            yield low, after - 1, tuple(active[:wanted])


def _apply(changes: list[int], active: list[int]) -> None:
    for change in changes:
        if change < 0:
            del active[bisect_left(active, ~change)]
    for change in changes:
        if change >= 0:
            insort(active, change)


def _same(one: _Settled, other: _Settled) -> bool:
    return one is other or (isinstance(one, int) and one == other)


def _last(settled: _Settled) -> int | None:
    while isinstance(settled, _Segments):
        settled = settled.parts[-1][2]
    return settled


def _reason(number: int, keys: Sequence[Band], row: Area, boxes: Sequence[Box]) -> Unreachable:
    for level, bands in enumerate(boxes[number]):
        if not bands:
            stated = row.bands[level]
            return Unreachable(number, outside=None if stated is None else level)
    covering = (earlier for earlier in range(number) if _meet(boxes[earlier], boxes[number]))
    return Unreachable(number, covered_by=tuple(islice(covering, 3)))


def _meet(one: Box, other: Box) -> bool:
    return all(
        any(a <= d and c <= b for a, b in mine for c, d in theirs) for mine, theirs in zip(one, other, strict=True)
    )


def _index(settled: _Settled, keys: Sequence[Band]) -> Index:
    """The index of docs/artifact.md: dense where that is short, else bands."""
    if not isinstance(settled, _Segments):
        assert settled is not None
        return settled
    low, high = keys[0]
    then = [_index(each, keys[1:]) for _, _, each in settled.parts]
    if _is_dense(settled, keys):
        widths = [end - start + 1 for start, end, _ in settled.parts]
        return {"from": low, "then": [each for each, width in zip(then, widths, strict=True) for _ in range(width)]}
    starts: list[int | None] = [start for start, _, _ in settled.parts]
    if low <= -LARGEST:
        starts[0] = None
    return {"starts": starts, "ends": None if high >= LARGEST else high, "then": then}


def _is_dense(settled: _Segments, keys: Sequence[Band]) -> bool:
    width = keys[0][1] - keys[0][0] + 1
    if len(keys) == 1 and width <= DENSE:
        return True
    return width <= len(settled.parts) * 5 // 4
