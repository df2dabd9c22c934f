"""What nodes say, in normal form: plain data that is equal for whatever means the same.

Short forms are written out, expressions are printed from their trees, rows are cut at their own keys and joined again.
Maps are objects; where an order counts they are lists of an object for each entry, or of its id if it says nothing.
Comments, places, spaces and the order of what has none leave no trace.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

from .document import Entry, Mapping, Node, Scalar
from .edits import Json
from .forms import MAPS, Form
from .longform import is_removal, long_form
from .overlay import Overlay
from .paths import Path
from .rows import Box, KeyType, Row, Rows, Unreadable
from .same import Parser
from .syntax_text import text_of

ROWS = ("rows", "columns")
LONGEST = 1_000
"""A longer text is shortened to its beginning and a hash."""
SHOWN = 100
INHERITED = re.compile(r"\binherited\b")
_READERS = {
    "expression": "expression",
    "condition": "expression",
    "dice": "expression",
    "rows": "expression",
    "adjustment": "adjustment",
    "type": "type_expression",
    "value": "constant",
    "integer": "constant",
    "words": "alternatives",
}


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """The keys and columns of some rows, and the form of a cell."""

    kinds: tuple[KeyType, ...]
    columns: tuple[str, ...]
    cell: Callable[[str], Form]


SheetOf: TypeAlias = Callable[[Path, Form, Mapping], Sheet | None]
"""Finds the sheet of a table or of the grades of a number; None where they cannot be read."""


@dataclass(frozen=True, slots=True)
class Normal:
    """Brings nodes into normal form."""

    parser: Parser
    sheet_of: SheetOf
    keeps_words: bool = False
    """Whether the words of layers are a part of what a node says."""

    def node(self, path: Path, node: Node, form: Form) -> Json:
        """The node that stands at `path`."""
        node = long_form(node, form)
        if isinstance(node, Scalar):
            return self.scalar(node, form.kind)
        if not isinstance(node, Mapping):
            return [self.node(path, each, form.item) for each in node.items]
        if form.name == "graded_adjustment" and not is_operation(node, form):
            return self._graded(path, node, form)
        entries = {each.key.text: each for each in node.entries if not form.says(each.key.text)}
        found: dict[str, Json] = {}
        if form.name == "table":
            found = self._table(path, node, form)
            entries = {key: each for key, each in entries.items() if key not in (*ROWS, "otherwise")}
        for key, each in entries.items():
            found[key] = self._inner((*path, key), each, form, key)
        if form.name == "field":
            found = _with_default(found)
        words = self._words(node, form) if self.keeps_words else {}
        if form.merge == "ordered" or form.name == "outcomes":
            listed: Json = [{key: value} if value != {} else key for key, value in found.items()]
            return {"entries": listed, **words} if words else listed
        return found | words

    def _words(self, node: Mapping, form: Form) -> dict[str, Json]:
        """What a map says as a layer: where it stands, and whether it replaces what is below."""
        said = {each.key.text: each.value for each in node.entries if form.says(each.key.text)}
        if form.name == "table":
            stated = ((key, node.get(key)) for key in ROWS)
            said |= {f"{key}.replace": each for key, rows in stated if (each := _replaces(rows))}
        return {key: self._plain(each) for key, each in said.items()}

    def _inner(self, path: Path, each: Entry, form: Form, key: str) -> Json:
        found = self.node(path, each.value, form.child(key))
        # Rows are nested by the keys of a table in the order in which it names them.
        is_ordered = form.name == "table" and key == "by" and isinstance(found, dict)
        return [{inner: value} for inner, value in found.items()] if is_ordered else found  # type: ignore[union-attr]

    def scalar(self, scalar: Scalar, kind: str) -> Json:
        """A scalar, printed from its tree where it has one; the value below stands in for `inherited`."""
        text = self._text(scalar, kind)
        if scalar.below is None:
            return text
        below = self.scalar(scalar.below, kind)
        return INHERITED.sub(lambda _: f"({below})", text)

    def _text(self, scalar: Scalar, kind: str) -> str:
        if kind in _READERS and not is_removal(scalar):
            tree, problems = getattr(self.parser, _READERS[kind])(scalar)
            if tree is not None and not problems:
                return text_of(tree)
        return _short(" ".join(scalar.text.split()) if kind else scalar.text.strip())

    def _table(self, path: Path, table: Mapping, form: Form) -> dict[str, Json]:
        """The rows and `otherwise` of a table, whichever way it says them."""
        stated = [each for key in ROWS if (each := table.entry(key))]
        own = table.entry("otherwise")
        otherwise = [each for entry in stated for each in apart(entry)[1]] + ([own] if own else [])
        sheet = self.sheet_of(path, form, table) if stated else None
        return self._otherwise(path, otherwise, form) | ({"rows": self.all_rows(stated, sheet)} if stated else {})

    def _graded(self, path: Path, node: Mapping, form: Form) -> Json:
        rows, otherwise = apart(Entry(node.entries[0].key, node)) if node.entries else (None, [])
        sheet = self.sheet_of(path, form, node)
        words = self._words(node, form) if self.keeps_words else {}
        return self._otherwise(path, otherwise, form) | words | ({"rows": self.all_rows([rows], sheet)} if rows else {})

    def _plain(self, node: Node) -> Json:
        """Rows that cannot be read, as they are written."""
        if isinstance(node, Scalar):
            return " ".join(node.text.split())
        if isinstance(node, Mapping):
            return {each.key.text: self._plain(each.value) for each in node.entries if each.key.text != "replace"}
        return [self._plain(each) for each in node.items]

    def _otherwise(self, path: Path, stated: Sequence[Entry], form: Form) -> dict[str, Json]:
        return {"otherwise": self.node(path, stated[0].value, form.child("otherwise"))} if stated else {}

    def all_rows(self, stated: Sequence[Entry], sheet: Sheet | None) -> Json:
        """Rows without an `otherwise` for all of them, by key; as they are written where they cannot be read."""
        rows = [apart(each)[0] for each in stated]
        try:
            if sheet:
                return self._by_key(rows, sheet)
        except Unreadable:
            pass
        return self._plain(rows[0].value) if len(rows) == 1 else [self._plain(each.value) for each in rows]

    def _by_key(self, stated: Sequence[Entry], sheet: Sheet) -> Json:
        """Rows by key, cut and joined again; Unreadable where they cannot be read."""
        overlay: Overlay[Json] = Overlay()
        for each in stated:
            overlay.lay(read_rows(each, sheet, self.parser), lambda entry: self.cell(entry, sheet))
        cells = [(piece.box, {column: said[-1] for column, said in piece.said.items()}) for piece in overlay.pieces]
        if sheet.columns == ("value",):
            return nested([(box, cell["value"]) for box, cell in cells], sheet.kinds)
        return nested(cells, sheet.kinds)

    def cell(self, entry: Entry, sheet: Sheet) -> Json:
        """One cell."""
        return self.node((), entry.value, sheet.cell(entry.key.text))


def _short(text: str) -> str:
    """The text, or of a long one the beginning and a hash of all of it."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:SHOWN]}… sha256:{sha256(text.encode('utf-8')).hexdigest()}"


def _replaces(node: Node | None) -> Node | None:
    return node.get("replace") if isinstance(node, Mapping) else None


def _with_default(found: dict[str, Json]) -> dict[str, Json]:
    """A field whose default stands in its type, with a key of its own for it."""
    kind = found.get("type")
    if not isinstance(kind, str) or " = " not in kind or "default" in found:
        return found
    name, _, default = kind.partition(" = ")
    return found | {"type": name, "default": default}


def is_operation(node: Node, form: Form) -> bool:
    """Whether it is one adjustment written as a map, where grades could stand too."""
    if form.name != "graded_adjustment" or not isinstance(node, Mapping):
        return False
    return any(not form.is_id(each.key.text) and each.key.text != "replace" for each in node.entries)


def is_map(node: Node, form: Form) -> bool:
    """Whether layers merge it key by key."""
    return form.merge in MAPS and isinstance(node, Mapping)


def apart(entry: Entry) -> tuple[Entry, list[Entry]]:
    """Rows without the `otherwise` that holds for all of them, and that one; the words of layers left out."""
    node = entry.value
    if not isinstance(node, Mapping) or entry.key.text == "columns":
        return entry, []
    kept = tuple(each for each in node.entries if each.key.text not in ("otherwise", "replace"))
    return Entry(entry.key, Mapping(kept, node.span)), [each for each in node.entries if each.key.text == "otherwise"]


def read_rows(entry: Entry, sheet: Sheet, parser: Parser) -> list[Row]:
    """The rows that stand under `rows`, or column by column under `columns`; Unreadable where they cannot be read."""
    if entry.key.text != "columns" or not isinstance(entry.value, Mapping):
        return Rows(sheet.kinds, sheet.columns, parser).read(entry.value)
    found: list[Row] = []
    for each in entry.value.entries:
        if each.key.text != "replace":
            found += [row.under(each.key) for row in Rows(sheet.kinds, (each.key.text,), parser).read(each.value)]
    return found


def nested(cells: Sequence[tuple[Box, Json]], kinds: Sequence[KeyType], level: int = 0) -> Json:
    """Cells by key, one level for each: bands that touch and say the same are one; words stand alone."""
    if level == len(kinds):
        return cells[0][1]
    kind = kinds[level]
    found: list[tuple[int, int, Json]] = []
    for low, high, inner in _cut(cells, kind, level):
        value = nested(inner, kinds, level + 1)
        if found and not _has_words(kind) and found[-1][1] == low - 1 and found[-1][2] == value:
            found[-1] = (found[-1][0], high, value)
        else:
            found.append((low, high, value))
    return {kind.text((low, high)): value for low, high, value in found}


def _has_words(kind: KeyType) -> bool:
    return bool(kind.words) or kind.kind == "boolean"


def _cut(
    cells: Sequence[tuple[Box, Json]], kind: KeyType, level: int
) -> Iterator[tuple[int, int, list[tuple[Box, Json]]]]:
    """Stretches of a key, ascending, each with the cells that cover it; those that none covers are left out."""
    ends = {end for box, _ in cells for end in (box[level][0], box[level][1] + 1)}
    if _has_words(kind):
        ends |= set(range(kind.low, kind.high + 2))
    bounds = sorted(ends)
    parts: list[list[tuple[Box, Json]]] = [[] for _ in bounds]
    for each in cells:
        low, high = each[0][level]
        for at in range(bisect_left(bounds, low), bisect_left(bounds, high + 1)):
            parts[at].append(each)
    for (low, after), inner in zip(pairwise(bounds), parts, strict=False):
        if inner:
            yield low, after - 1, inner
