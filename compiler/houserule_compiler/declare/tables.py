"""Tables, from their nodes: every form of rows becomes one list of rows with a key for each level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from .. import syntax
from ..declarations import Cell, Column, Key, Position, Row, Table
from ..document import Entry, Mapping, Node, Scalar, Sequence
from ..messages import declare as messages
from ..source import Span
from .reading import LABELS, Reader, entries, field

Path: TypeAlias = tuple[syntax.Alternative | Position | None, ...]


def table(entry: Entry, reader: Reader) -> Table:
    """A table with its rows, whichever way they are written."""
    body = entry.value
    keys = tuple(_key(each, reader) for each in entries(field(body, "by")))
    columns = tuple(_columns(entry, field(body, "gives"), reader))
    # Without columns nothing can be said of cells.
    most = reader.limits.rows
    rows = tuple(islice(_Rows(reader, keys, columns).read(body), most + 1)) if columns else ()
    if len(rows) > most:
        reader.diagnostics.append(messages.too_many_rows(entry.key, rows[most].span, most))
        return Table(**reader.labels(entry), keys=keys, columns=columns, rows=())
    parts = (
        ("keys", keys, "by: {level: 1..20}"),
        ("a type", columns, "gives: integer"),
        ("rows", rows, "rows: {1: 3}"),
    )
    for wanted, stated, example in parts if columns else parts[:2]:
        if not stated:
            reader.diagnostics.append(messages.incomplete(entry.key, wanted, example))
    return Table(**reader.labels(entry), keys=keys, columns=columns, rows=rows)


def _key(entry: Entry, reader: Reader) -> Key:
    return Key(**reader.labels(entry), type=_type(entry, reader))


def _columns(owner: Entry, gives: Node | None, reader: Reader) -> Iterator[Column]:
    if isinstance(gives, Scalar):
        yield Column(id="value", place=gives.span, type=reader.type(gives) or _any(gives.span))
    for each in entries(gives):
        yield Column(**reader.labels(each), type=_type(each, reader))


def _type(entry: Entry, reader: Reader) -> syntax.TypeExpression:
    node = field(entry.value, "type") if isinstance(entry.value, Mapping) else entry.value
    if node is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a type", "type: 1..20"))
    return reader.type(node) or _any(entry.value.span)


def _any(span: Span) -> syntax.TypeExpression:
    return syntax.TypeExpression("text", None, None, None, (), False, syntax.Broken(span), span)


@dataclass(frozen=True)
class _Rows:
    """Reads the rows of one table."""

    reader: Reader
    keys: tuple[Key, ...]
    columns: tuple[Column, ...]

    def read(self, body: Node) -> Iterator[Row]:
        """All rows: of `rows`, of `columns`, and the table's own `otherwise`."""
        if (rows := field(body, "rows")) is not None:
            yield from self._under(rows, (), ())
        yield from self._by_column(field(body, "columns"))
        if (otherwise := field(body, "otherwise")) is not None:
            missing: Path = (None,) * len(self.keys)
            yield self._row(missing, (False,) * len(self.keys), otherwise)

    def _under(self, node: Node, keys: Path, whole: tuple[bool, ...]) -> Iterator[Row]:
        """The rows of a node that stands under `keys`."""
        left = len(self.keys) - len(keys)
        if left == 0:
            yield self._row(keys, whole, node)
        elif isinstance(node, Mapping):
            for each in node.entries:
                yield from self._entry(each, keys, whole, left)
        elif isinstance(node, Sequence) and left == 1 and len(self.columns) == 1:
            for index, item in enumerate(node.items):
                yield self._row((*keys, Position(index=index, span=item.span)), (*whole, False), item)
        else:
            yield self._row((*keys, *(None,) * left), (*whole, *(True,) * left), node)

    def _entry(self, entry: Entry, keys: Path, whole: tuple[bool, ...], left: int) -> Iterator[Row]:
        if entry.key.text == "otherwise":
            deeper = (None,) * left if _is_leaf(entry.value) else (None,)
            yield from self._under(entry.value, (*keys, *deeper), (*whole, *(False,) * len(deeper)))
            return
        if entry.key.text in LABELS and isinstance(entry.value, Scalar) and not keys:
            return
        for key in self.reader.row_key(entry.key):
            yield from self._under(entry.value, (*keys, key), (*whole, False))

    def _row(self, keys: Path, whole: tuple[bool, ...], node: Node) -> Row:
        return Row(keys=keys, whole=whole, cells=self._cells(node), span=node.span)

    def _cells(self, node: Node) -> tuple[Cell | None, ...]:
        if len(self.columns) == 1 and isinstance(node, Scalar):
            return (self._cell(self.columns[0], node),)
        if isinstance(node, Sequence) and len(self.columns) > 1:
            return self._listed(node)
        if isinstance(node, Mapping) and [each.id for each in self.columns] != ["value"]:
            return self._named(node)
        if self.columns and self.keys:
            self.reader.diagnostics.append(messages.wrong_cells(node.span, [each.id for each in self.columns]))
        return (None,) * len(self.columns)

    def _listed(self, node: Sequence) -> tuple[Cell | None, ...]:
        if len(node.items) != len(self.columns):
            self.reader.diagnostics.append(messages.wrong_cells(node.span, [each.id for each in self.columns]))
            return (None,) * len(self.columns)
        return tuple(self._cell(column, item) for column, item in zip(self.columns, node.items, strict=True))

    def _named(self, node: Mapping) -> tuple[Cell | None, ...]:
        known = [each.id for each in self.columns]
        for each in node.entries:
            if each.key.text not in known:
                self.reader.diagnostics.append(messages.unknown_column(each.key, known))
        missing = [each for each in known if not node.entry(each)]
        if missing and all(each.key.text in known for each in node.entries):
            self.reader.diagnostics.append(messages.missing_cells(node.span, missing))
        found = [(column, node.get(column.id)) for column in self.columns]
        return tuple(self._cell(column, value) if value else None for column, value in found)

    def _cell(self, column: Column, node: Node) -> Cell | None:
        if not isinstance(node, Scalar):
            self.reader.diagnostics.append(messages.wrong_cells(node.span, [column.id]))
            return None
        if column.type.kind == "text":
            return Cell(value=syntax.Broken(node.span), span=node.span, text=node.text)
        if column.type.kind != "adjustment":
            return Cell(value=self.reader.expression(node, node.span), span=node.span)
        found = self.reader.adjustment(node)
        return Cell(value=found, span=node.span) if found else None

    def _by_column(self, node: Node | None) -> Iterator[Row]:
        """The rows of `columns`: each column is read as rows of its own, then they are joined key by key."""
        joined: dict[object, tuple[Row, list[Cell | None]]] = {}
        for each in entries(node):
            at = next((i for i, column in enumerate(self.columns) if column.id == each.key.text), None)
            if at is None:
                self.reader.diagnostics.append(messages.unknown_column(each.key, [c.id for c in self.columns]))
                continue
            alone = _Rows(self.reader, self.keys, (self.columns[at],))
            for row in alone._under(each.value, (), ()):
                kept = joined.setdefault(_signature(row.keys), (row, [None] * len(self.columns)))
                kept[1][at] = row.cells[0]
        for row, cells in joined.values():
            self._report_holes(row, cells)
            yield Row(keys=row.keys, whole=row.whole, cells=tuple(cells), span=row.span)

    def _report_holes(self, row: Row, cells: list[Cell | None]) -> None:
        missing = [column.id for column, cell in zip(self.columns, cells, strict=True) if cell is None]
        if missing:
            self.reader.diagnostics.append(messages.missing_cells(row.span, missing))


def _is_leaf(node: Node) -> bool:
    return not isinstance(node, Mapping)


def _signature(keys: Path) -> tuple[object, ...]:
    """What makes two rows of different columns the same row: their keys as written."""
    return tuple(
        each.index if isinstance(each, Position) else each.span.text.strip() if each else None for each in keys
    )
