"""Rows of a table as boxes of codes with a node for each cell, so that layers can be laid over each other key by key.

Nothing here knows layers. A row key that cannot be read as a key of its type makes the rows `Unreadable`; `declare`
then says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from . import syntax
from .document import Entry, Mapping, Node, Scalar
from .document import Sequence as List
from .dotted import part
from .longform import is_removal, key_for
from .regions import Area, boxes_of
from .same import Parser
from .types import LARGEST, PIPS, hit_dice_code, hit_dice_text

Band: TypeAlias = tuple[int, int]
Box: TypeAlias = tuple[Band, ...]

EVERYTHING: Band = (-LARGEST, LARGEST)
NOWHERE: Band = (1, 0)
"""The band of a key that is written nowhere."""


PIECES, PIECES_OF_EACH = 20_000, 4
"""So many boxes, and so many more for each row, are a table; more come of rows that only cross each other."""


class Unreadable(Exception):
    """The rows cannot be read as rows of these keys."""


class Tangled(Exception):
    """Rows cut each other into more pieces than a table is worth."""


def most_pieces(rows: int) -> int:
    """How many boxes so many rows may become."""
    return PIECES + PIECES_OF_EACH * rows


@dataclass(frozen=True, slots=True)
class KeyType:
    """The codes of one key.

    `words` are those of `choice`, in order; `gone` those that were taken out of it, and `listed` those that the author
    of the rows knew: a list fills them from the first.
    """

    kind: str
    low: int = EVERYTHING[0]
    high: int = EVERYTHING[1]
    words: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    choice: str = ""
    listed: tuple[str, ...] = ()

    @property
    def range(self) -> Band:
        """All codes."""
        return self.low, self.high

    def code(self, value: syntax.Expression) -> int:
        """The code of a literal; Unreadable if it is none of this type."""
        match value:
            case syntax.Boolean(truth) if self.kind == "boolean":
                return int(truth)
            case syntax.Name(parts) if parts[0] in self.words:
                return self.words.index(parts[0])
        if self.kind == "hit_dice":
            return _hit_dice(value)
        if self.kind == "integer":
            return _integer(value)
        raise Unreadable

    def place(self, at: int) -> int | None:
        """The code of the value at a place of a list; None for a word that is gone."""
        if not self.listed:
            return self.low + at
        if at >= len(self.listed):
            raise Unreadable
        return self.words.index(self.listed[at]) if self.listed[at] in self.words else None

    def is_gone(self, key: syntax.Alternative) -> bool:
        """Whether a row key names a word that was taken out."""
        return any(isinstance(end, syntax.Name) and end.text in self.gone for end in (key.low, key.high))

    def band(self, key: syntax.Alternative) -> Band:
        """The codes that a row key covers."""
        low = self.low if key.low is None else self.code(key.low)
        high = self.high if key.high is None else self.code(key.high)
        if low > high:
            raise Unreadable
        return low, high

    def text(self, band: Band) -> str:
        """A row key for a band."""
        low, high = (self._value(code) for code in band)
        if band[0] == band[1]:
            return low
        ends = self.range if self.kind == "hit_dice" else EVERYTHING
        return f"{'' if band[0] == ends[0] else low}..{'' if band[1] == ends[1] else high}"

    def _value(self, code: int) -> str:
        if self.kind == "boolean":
            return "true" if code else "false"
        if self.kind == "hit_dice":
            return hit_dice_text(code)
        return self.words[code] if self.words else str(code)


def _integer(value: syntax.Expression | None) -> int:
    match value:
        case syntax.Integer(number):
            return number
        case syntax.Unary("-", syntax.Integer(number)):
            return -number
    raise Unreadable


def _hit_dice(value: syntax.Expression) -> int:
    match value:
        case syntax.Binary("/", left, right) if _integer(left) == 1 and _integer(right) == 2:
            return hit_dice_code(True, 0, 0)
        case syntax.Binary("+" | "-" as sign, left, right):
            return hit_dice_code(False, _integer(left), _integer(right) * (1 if sign == "+" else -1))
    return hit_dice_code(False, _integer(value), 0)


def key_type(
    declared: syntax.TypeExpression, words: tuple[str, ...] | None, gone: frozenset[str] = frozenset()
) -> KeyType:
    """The codes of a key of this type. `words` are those of the choice that it names, None if there is none."""
    match declared.kind:
        case "boolean":
            return KeyType("boolean", 0, 1)
        case "integer":
            return KeyType("integer")
        case "range":
            return KeyType("integer", _integer(declared.low), _integer(declared.high))
        case "hit_dice":
            low, high = (_integer(each) for each in (declared.low, declared.high))
            return KeyType("hit_dice", hit_dice_code(False, low, -PIPS if low else 0), hit_dice_code(False, high, PIPS))
        case "choice" if words is not None:
            return KeyType("choice", 0, len(words) - 1, words, gone)
    raise Unreadable


@dataclass(frozen=True, eq=False, slots=True)
class KeyText:
    """A key as it is written, and all that it covers there."""

    scalar: Scalar
    band: Band


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """Some cells for a box of keys: a node for each column that is named, or the word `remove`."""

    box: Box
    keys: tuple[KeyText, ...]
    cells: dict[str, Entry]

    def under(self, column: Scalar) -> Row:
        """The row as one of the rows of a column; Unreadable where it has cells of others."""
        if list(self.cells) != [column.text]:
            raise Unreadable
        return Row(self.box, self.keys, {column.text: Entry(column, self.cells[column.text].value)})


@dataclass(frozen=True, slots=True)
class Rows:
    """Reads the rows of one table."""

    keys: tuple[KeyType, ...]
    columns: tuple[str, ...]
    parser: Parser

    def read(self, node: Node) -> list[Row]:
        """All rows of a node, each as boxes of its own; Unreadable if that cannot be, Tangled if they are too many."""
        found = list(self._under(node, (), ()))
        areas = [Area(tuple(bands for bands, _ in path), whole) for path, whole, _ in found]
        boxes = boxes_of([self._reach(level, areas) for level in range(len(self.keys))], areas)
        if sum(prod(map(len, bands)) for bands in boxes) > most_pieces(len(found)):
            raise Tangled
        return [
            Row(box, tuple(KeyText(scalar, bands[0] if bands else NOWHERE) for bands, scalar in path), cells)
            for (path, _, cells), bands_of in zip(found, boxes, strict=True)
            for box in product(*self._within(path, bands_of))
        ]

    def emptied(self, node: Node) -> list[Row]:
        """What maps within the rows that say `replace: true` empty, as rows that take all of it out."""
        return [row for path, said in self._replaced(node, ()) for row in self._emptied(path, said)]

    def _emptied(self, path: _Path, said: Scalar) -> Iterator[Row]:
        left = len(self.keys) - len(path)
        every: _Path = (*path, *((None, key_for("otherwise", said)),) * left)
        area = Area(tuple(bands for bands, _ in every), (*(False,) * len(path), *(True,) * left))
        (box,) = boxes_of([self._reach(level, [area]) for level in range(len(self.keys))], [area])
        gone = {column: Entry(key_for(column, said), key_for("remove", said)) for column in self.columns}
        keys = tuple(KeyText(key, bands[0] if bands else NOWHERE) for bands, key in every)
        yield from (Row(one, keys, gone) for one in product(*self._within(every, box)))

    def _replaced(self, node: Node, path: _Path) -> Iterator[tuple[_Path, Scalar]]:
        """The keys above each map that says `replace: true`, and where it says so."""
        for each in node.entries if isinstance(node, Mapping) and len(path) < len(self.keys) else ():
            if path and is_replacing(each):
                yield path, each.key
            elif isinstance(each.value, Mapping) and each.key.text != "otherwise":
                kind = self.keys[len(path)]
                for one in self._read_key(each.key):
                    if not kind.is_gone(one):
                        yield from self._replaced(each.value, (*path, ((kind.band(one),), _piece(each.key, one))))

    def _read_key(self, key: Scalar) -> tuple[syntax.Alternative, ...]:
        alternatives, problems = self.parser.alternatives(key)
        if problems or alternatives is None:
            raise Unreadable
        return alternatives

    def _reach(self, level: int, areas: list[Area]) -> Band:
        """The range of a key, or as far as rows go beyond it, which is for others to report."""
        stated = [band for area in areas for band in area.bands[level] or ()]
        low, high = self.keys[level].range
        return min([low, *(first for first, _ in stated)]), max([high, *(last for _, last in stated)])

    def _within(self, path: _Path, box: Sequence[Sequence[Band]]) -> Iterator[list[Band]]:
        """The bands of a row; what is left for `otherwise` stays within the range of its key."""
        for kind, (stated, _), bands in zip(self.keys, path, box, strict=True):
            low, high = kind.range
            cut = [(max(low, first), min(high, last)) for first, last in bands] if stated is None else list(bands)
            yield [band for band in cut if band[0] <= band[1]]

    def _under(self, node: Node, path: _Path, whole: tuple[bool, ...]) -> Iterator[_Found]:
        left = len(self.keys) - len(path)
        if not left or is_removal(node):
            yield (*path, *((None, key_for("otherwise", node)),) * left), (*whole, *(True,) * left), self._cells(node)
        elif isinstance(node, Mapping):
            for each in node.entries:
                if not (path and is_replacing(each)):
                    yield from self._entry(each, path, whole)
        elif isinstance(node, List) and left == 1 and len(self.columns) == 1:
            for at, item in enumerate(node.items):
                code = self.keys[-1].place(at)
                if code is not None:
                    key = key_for(self.keys[-1].text((code, code)), item)
                    yield (*path, (((code, code),), key)), (*whole, False), self._cells(item)
        else:
            yield (*path, *((None, key_for("otherwise", node)),) * left), (*whole, *(True,) * left), self._cells(node)

    def _entry(self, entry: Entry, path: _Path, whole: tuple[bool, ...]) -> Iterator[_Found]:
        key = entry.key
        if key.text == "otherwise":
            left = len(self.keys) - len(path)
            deeper = 1 if isinstance(entry.value, Mapping) else left
            yield from self._under(entry.value, (*path, *((None, key),) * deeper), (*whole, *(False,) * deeper))
            return
        kind = self.keys[len(path)]
        for each in self._read_key(key):
            if not kind.is_gone(each):
                scalar = _piece(key, each)
                yield from self._under(entry.value, (*path, ((kind.band(each),), scalar)), (*whole, False))

    def _cells(self, node: Node) -> dict[str, Entry]:
        if is_removal(node):
            return {column: Entry(key_for(column, node), node) for column in self.columns}
        if isinstance(node, Mapping):
            return {each.key.text: each for each in node.entries}
        if isinstance(node, List):
            if len(node.items) != len(self.columns):
                raise Unreadable
            pairs = zip(self.columns, node.items, strict=True)
            return {column: Entry(key_for(column, item), item) for column, item in pairs}
        if len(self.columns) != 1:
            raise Unreadable
        return {self.columns[0]: Entry(key_for(self.columns[0], node), node)}


def is_replacing(entry: Entry) -> bool:
    """Whether an entry of rows says that they are emptied first."""
    value = entry.value
    return entry.key.text == "replace" and isinstance(value, Scalar) and value.is_plain and value.text == "true"


_Path: TypeAlias = "tuple[tuple[tuple[Band, ...] | None, Scalar], ...]"
_Found: TypeAlias = "tuple[_Path, tuple[bool, ...], dict[str, Entry]]"


def _piece(key: Scalar, alternative: syntax.Alternative) -> Scalar:
    """The part of a row key that is one of its alternatives."""
    start = next(at for at in range(len(key.text) + 1) if key.part(at, at).start >= alternative.span.start)
    end = next((at for at in range(start, len(key.text)) if key.part(at, at).start >= alternative.span.end), None)
    return key if (start, end) == (0, None) else part(key, start, len(key.text) if end is None else end)


def meet(one: Box, other: Box) -> Box | None:
    """What both boxes cover, or None."""
    both = tuple((max(a[0], b[0]), min(a[1], b[1])) for a, b in zip(one, other, strict=True))
    return both if all(low <= high for low, high in both) else None


def outside(box: Box, other: Box) -> Iterator[Box]:
    """What a box covers and another, which meets it, does not: boxes that do not overlap."""
    for at, ((low, high), (first, last)) in enumerate(zip(box, other, strict=True)):
        if low < first:
            yield (*box[:at], (low, first - 1), *box[at + 1 :])
        if last < high:
            yield (*box[:at], (last + 1, high), *box[at + 1 :])
        box = (*box[:at], (max(low, first), min(high, last)), *box[at + 1 :])
