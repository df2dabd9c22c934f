"""Rows laid over rows: the pieces into which two sets of boxes cut each other, and pieces written as rows again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Generic, TypeVar

from .document import Entry, Mapping, Node, Scalar
from .paths import rows_key
from .rows import EVERYTHING, PIECES_OF_EACH, Band, Box, KeyText, KeyType, Row, Tangled, meet, most_pieces, outside
from .source import Span

T = TypeVar("T")


@dataclass(frozen=True, eq=False, slots=True)
class Piece(Generic[T]):
    """A box of keys with all that was said of each column there, from the bottom up, and the keys last written."""

    box: Box
    keys: tuple[KeyText, ...]
    said: dict[str, tuple[T, ...]]


VISITS = 1_000_000
"""How many cuts are tried before rows are given up."""


@dataclass
class Overlay(Generic[T]):
    """Pieces that do not overlap, unless rows that were laid at once did."""

    pieces: list[Piece[T]] = field(default_factory=list)
    visits: int = 0
    most: int = field(default_factory=lambda: most_pieces(0))

    def lay(self, rows: Sequence[Row], say: Callable[[Entry], T]) -> None:
        """Lays rows over the pieces; `say` makes of a cell what is kept of it.

        Rows of other columns, as `columns` has them, meet in one piece though they stand over nothing. Tangled if
        there are too many pieces.
        """
        self.most += PIECES_OF_EACH * len(rows)
        alike: dict[frozenset[str], list[Row]] = {}
        for row in rows:
            alike.setdefault(frozenset(row.cells), []).append(row)
        for each in alike.values():
            self._lay(each, say)

    def _lay(self, rows: Sequence[Row], say: Callable[[Entry], T]) -> None:
        index = _Index([each.box for each in self.pieces])
        cut: dict[int, list[Piece[T]]] = {}
        new: list[Piece[T]] = []
        for row in rows:
            said: dict[str, tuple[T, ...]] = {column: (say(entry),) for column, entry in row.cells.items()}
            bare = [row.box]
            for at in index.meeting(row.box):
                parts = cut.get(at, [self.pieces[at]])
                self._count(len(parts) + len(bare))
                cut[at] = [made for part in parts for made in _laid(part, row, said)]
                bare = [left for each in bare for left in without(each, self.pieces[at].box)]
            new += [Piece(box, row.keys, said) for box in bare]
        kept = [made for at, each in enumerate(self.pieces) for made in cut.get(at, [each])]
        self.pieces = sorted([*kept, *new], key=lambda piece: piece.box)
        if len(self.pieces) > self.most:
            raise Tangled

    def _count(self, tried: int) -> None:
        self.visits += tried
        if self.visits > VISITS:
            raise Tangled


def without(box: Box, other: Box) -> Iterable[Box]:
    """What a box covers and another does not: boxes that do not overlap."""
    return outside(box, other) if meet(box, other) else (box,)


def _laid(piece: Piece[T], row: Row, said: dict[str, tuple[T, ...]]) -> Iterator[Piece[T]]:
    """A piece, cut by a row that is laid over it."""
    both = meet(piece.box, row.box)
    if both is None:
        yield piece
        return
    for box in outside(piece.box, row.box):
        yield Piece(box, piece.keys, piece.said)
    columns = dict.fromkeys([*piece.said, *said])
    yield Piece(both, row.keys, {each: piece.said.get(each, ()) + said.get(each, ()) for each in columns})


class _Index:
    """Finds boxes that meet another, by the key that tells most of them apart."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        levels = range(len(boxes[0])) if boxes else range(0)
        self._level = max(levels, key=lambda level: len({box[level] for box in boxes}), default=0)
        self._boxes = boxes
        groups: dict[Band, list[int]] = {}
        for at, box in enumerate(boxes):
            groups.setdefault(box[self._level], []).append(at)
        self._groups = sorted(groups.items())
        self._lows = [low for (low, _), _ in self._groups]

    def meeting(self, box: Box) -> list[int]:
        """Where the boxes are that meet this one."""
        if not self._groups:
            return []
        low, high = box[self._level]
        upto = bisect_right(self._lows, high)
        near = (places for (_, last), places in self._groups[:upto] if last >= low)
        return sorted(at for places in near for at in places if meet(self._boxes[at], box))


def keys_text(box: Box, kinds: Sequence[KeyType]) -> str:
    """The step of a path that names these keys."""
    return rows_key([kind.text(band) for kind, band in zip(kinds, box, strict=True)])


def smallest_text(box: Box, kinds: Sequence[KeyType]) -> str:
    """The smallest keys of a box."""
    lows = [max(low, kind.low) for kind, (low, _) in zip(kinds, box, strict=True)]
    return ", ".join(kind.text((low, low)) for kind, low in zip(kinds, lows, strict=True))


def written(pieces: Sequence[tuple[Box, tuple[KeyText, ...], Node]], kinds: Sequence[KeyType], span: Span) -> Mapping:
    """Rows for these boxes, nested by key. `span` is where they stand if there is none."""
    ordered = sorted(_split(pieces), key=lambda piece: piece[0])
    return _nested(ordered, kinds, 0, span)


_Written = tuple[Box, tuple[KeyText, ...], Node]


def _split(pieces: Iterable[_Written]) -> Iterator[_Written]:
    """A key without ends cannot be written as one band: it becomes two."""
    for box, keys, node in pieces:
        at = next((level for level, band in enumerate(box) if band == EVERYTHING), None)
        if at is None:
            yield box, keys, node
        else:
            halves = ((EVERYTHING[0], 0), (1, EVERYTHING[1]))
            yield from _split(((*box[:at], half, *box[at + 1 :]), keys, node) for half in halves)


def _nested(pieces: Sequence[_Written], kinds: Sequence[KeyType], level: int, span: Span) -> Mapping:
    entries: list[Entry] = []
    for band, group in groupby(pieces, key=lambda piece: piece[0][level]):
        members = list(group)
        key = _key(members[0][1][level], band, kinds[level])
        if level + 1 < len(kinds):
            entries.append(Entry(key, _nested(members, kinds, level + 1, members[0][2].span)))
        else:
            entries += [Entry(_key(keys[level], band, kinds[level]), node) for _, keys, node in members]
    return Mapping(tuple(entries), pieces[0][2].span if pieces else span)


def _key(stated: KeyText, band: Band, kind: KeyType) -> Scalar:
    """The key as it was written, or with other text at its place where it was clipped."""
    if stated.band == band:
        return stated.scalar
    text = kind.text(band)
    return Scalar(text, "plain", stated.scalar.span, stated.scalar.first, (stated.scalar.span.start,) * (len(text) + 1))
