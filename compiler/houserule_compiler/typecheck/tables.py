"""Tables, with the types of their keys, columns and cells."""

from __future__ import annotations

from dataclasses import replace

from .. import arithmetic, syntax
from ..declarations import Cell, Column, Position, Row, Table
from ..messages import amounts
from ..messages import types as messages
from ..typed import Band, Typed, TypedRow, TypedTable
from ..types import LARGEST, Boolean, Fraction, Integer, Text, Type, Unknown, bounds, span_of_codes
from .expressions import Expressions, fits
from .names import Environment, TableSignature
from .sides import broken
from .written import Written

WIDEST_KEY = 999_999_999


class Tables:
    """Types the tables of a ruleset, in two rounds: the signature first, then the keys that readers decide."""

    def __init__(self, expressions: Expressions, written: Written) -> None:
        self._expressions = expressions
        self._written = written

    def table(self, table: Table) -> TypedTable:
        """A table; keys without a range are as wide as their bands allow until all readers are known."""
        keys = tuple(self._written.type(each.type, is_table=True) for each in table.keys)
        columns = tuple(self._written.type(each.type, is_table=True) for each in table.columns)
        environment = Environment(keys={each.id: (i, _widest(keys[i])) for i, each in enumerate(table.keys)})
        rows = tuple(self._row(each, table, keys, columns, environment) for each in table.rows)
        kinds = tuple(self._column(i, columns[i], table.columns[i], rows) for i in range(len(columns)))
        self._expressions.names.tables[table.id] = TableSignature(
            keys=tuple(None if each == Integer() else each for each in keys),
            columns={each.id: kind for each, kind in zip(table.columns, kinds, strict=True)},
        )
        return TypedTable(declared=table, keys=keys, columns=kinds, rows=rows)

    def finished(self, table: TypedTable) -> TypedTable:
        """The table with the range of each open key set to what its readers can pass, or to what its bands name."""
        keys = tuple(self._finished_key(table, i, each) for i, each in enumerate(table.keys))
        rows = tuple(replace(row, bands=self._bands(row.declared, keys)) for row in table.rows)
        return replace(table, keys=keys, rows=rows) if keys != table.keys else table

    def _finished_key(self, table: TypedTable, index: int, kind: Type) -> Type:
        if kind != Integer():
            return kind
        read = self._expressions.names.readers.get((table.declared.id, index))
        named = [band for row in table.rows if (bands := row.bands[index]) for band in bands]
        return arithmetic.joined(read, _hull(named)) or _hull(named) if read else _hull(named)

    def _row(
        self, row: Row, table: Table, keys: tuple[Type, ...], columns: tuple[Type, ...], environment: Environment
    ) -> TypedRow:
        cells = tuple(
            self._cell(cell, kind, column, environment) if cell else None
            for cell, kind, column in zip(row.cells, columns, table.columns, strict=True)
        )
        widest = tuple(_widest(each) for each in keys)
        return TypedRow(declared=row, bands=self._bands(row, widest), cells=cells)

    def _bands(self, row: Row, keys: tuple[Type, ...]) -> tuple[tuple[Band, ...] | None, ...]:
        return tuple(self._key(each, kind) for each, kind in zip(row.keys, keys, strict=True))

    def _key(self, key: syntax.Alternative | Position | None, kind: Type) -> tuple[Band, ...] | None:
        if key is None:
            return None
        if isinstance(key, Position):
            codes = span_of_codes(kind)
            return ((codes[0] + key.index, codes[0] + key.index),) if codes else ()
        band = self._written.bands(key, kind)
        return (band,) if band else ()

    def _cell(self, cell: Cell, kind: Type, column: Column, environment: Environment) -> Typed:
        value = cell.value
        if isinstance(value, syntax.Adjustment):
            return self._adjustment(value, column)
        if isinstance(kind, Unknown):
            return broken(value.span)
        if isinstance(kind, Text):
            return Typed("text", (cell.span.text,), kind, cell.span)
        found = self._expressions.expect(value, environment, kind)
        if isinstance(found.type, Fraction) and isinstance(kind, Integer):
            self._expressions.report(amounts.fraction_left(found.span, f"`{column.id}`"))
            return broken(found.span)
        return self._within(found, kind, column)

    def _within(self, found: Typed, kind: Type, column: Column) -> Typed:
        if isinstance(found.type, Unknown) or not isinstance(kind, Integer | Fraction):
            return found
        (low, high), (least, most) = bounds(found.type), bounds(kind)
        if least <= low and high <= most:
            return found
        self._expressions.report(messages.out_of_range(found.span, f"`{found.span.text}`", kind, column.place))
        return broken(found.span)

    def _adjustment(self, value: syntax.Adjustment, column: Column) -> Typed:
        found = self._expressions.number(value.value, Environment())
        if value.sign in ("better", "worse"):
            self._expressions.report(messages.wrong_type(value.span, Integer(), Boolean()))
        if not value.sign and found.literal != 0 and not isinstance(found.type, Unknown):
            self._expressions.report(amounts.needs_sign(value.span, column.place))
        return found

    def _column(self, index: int, kind: Type, column: Column, rows: tuple[TypedRow, ...]) -> Type:
        """The type of what a column holds: the hull of its cells."""
        cells = [cell.type for row in rows if (cell := row.cells[index]) is not None]
        if isinstance(kind, Unknown) or any(isinstance(each, Unknown) for each in cells):
            return Unknown() if isinstance(kind, Unknown) else kind if kind != Integer() else Unknown()
        joined = arithmetic.joined_all([each for each in cells if fits(each, kind)])
        return joined or kind


def _widest(kind: Type) -> Type:
    return Integer(-WIDEST_KEY, WIDEST_KEY) if kind == Integer() else kind


def _hull(bands: list[Band]) -> Type:
    """From the lowest to the highest value that rows name; open where a band is."""
    if not bands:
        return Integer(0, 0)
    low, high = min(low for low, _ in bands), max(high for _, high in bands)
    return Integer(-LARGEST if low == -WIDEST_KEY else low, LARGEST if high == WIDEST_KEY else high)
