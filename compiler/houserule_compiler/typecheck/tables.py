"""Tables, with the types of their keys, columns and cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .. import arithmetic, syntax
from ..declarations import Cell, Column, Key, Position, Row, Table
from ..diagnostics import Diagnostic
from ..memory import Memory
from ..messages import amounts, analysis, places
from ..typed import Band, Typed, TypedRow, TypedTable
from ..types import LARGEST, Dice, Fraction, Integer, Text, Type, Unknown, bounds, narrowed, span_of_codes
from .expressions import Expressions, fits
from .names import Environment, TableSignature
from .naming import literal
from .sides import broken
from .written import Written, fraction

WIDEST_KEY = 999_999_999
KEY_TYPES = ("range", "integer", "boolean", "choice", "hit_dice")
COLUMN_TYPES = (*KEY_TYPES, "adjustment", "fraction", "text", "dice_up_to", "dice_of")


class Tables:
    """Types the tables of a ruleset, in two rounds: the signature first, then the keys that readers decide."""

    def __init__(
        self,
        expressions: Expressions,
        written: Written,
        memory: Memory | None,
        recalled: Callable[[Table, Callable[[], TypedTable]], TypedTable],
    ) -> None:
        self._expressions = expressions
        self._written = written
        self._memory = memory
        self._apart = recalled

    def table(self, table: Table) -> TypedTable:
        """A table; keys without a range are as wide as their bands allow until all readers are known."""
        typed = self._recalled(table) if self._memory else self._typed(table)
        self._expressions.names.tables[table.id] = TableSignature(
            keys=tuple(None if each == Integer() else each for each in typed.keys),
            columns={each.id: kind for each, kind in zip(table.columns, typed.columns, strict=True)},
        )
        return typed

    def _recalled(self, table: Table) -> TypedTable:
        """The same, as it was typed before; where it is plain, it depends on nothing but itself."""
        assert self._memory is not None
        if not self._memory.recall(("is plain", id(table)), table, lambda: _is_plain(table)):
            return self._apart(table, lambda: self._typed(table))
        before = len(self._expressions.diagnostics)

        def typed() -> tuple[TypedTable, list[Diagnostic]]:
            made = self._typed(table)
            told = self._expressions.diagnostics[before:]
            del self._expressions.diagnostics[before:]
            return made, told

        found, told = self._memory.recall(("typed", id(table)), table, typed)
        self._expressions.diagnostics.extend(told)
        return found

    def _typed(self, table: Table) -> TypedTable:
        keys = tuple(self._type(each, KEY_TYPES) for each in table.keys)
        columns = tuple(self._type(each, COLUMN_TYPES) for each in table.columns)
        rows = tuple(self._row(each, table, keys, columns) for each in table.rows)
        kinds = tuple(self._column(i, columns[i], table.columns[i], rows) for i in range(len(columns)))
        return TypedTable(declared=table, keys=keys, columns=kinds, rows=rows)

    def finished(self, table: TypedTable) -> TypedTable:
        """The table with the range of each open key: what its readers can pass, or else what its bands name."""
        keys = tuple(self._finished_key(table, i, each) for i, each in enumerate(table.keys))
        # Bands were read for keys as wide as these; one that could not be may name what was not typed yet, and is told.
        is_settled = keys == tuple(map(_widest, table.keys))
        if is_settled and keys == table.keys and not any(() in row.bands for row in table.rows):
            return table
        rows = tuple(
            row if is_settled and () not in row.bands else replace(row, bands=self._bands(row.declared, keys))
            for row in table.rows
        )
        return replace(table, keys=keys, rows=rows)

    def _type(self, declared: Key | Column, allowed: tuple[str, ...]) -> Type:
        """The type of a key or a column, which is one of a few kinds and has no default."""
        stated = declared.type
        if isinstance(stated.default, syntax.Broken):
            return Unknown()
        if stated.default is not None or stated.may_be_unknown:
            self._expressions.report(places.default_in_table(stated.span))
        if stated.kind in allowed:
            return self._written.type(stated, is_table=True)
        self._expressions.report(places.type_in_table(stated.span, isinstance(declared, Key)))
        return Unknown()

    def _finished_key(self, table: TypedTable, index: int, kind: Type) -> Type:
        if kind != Integer():
            return kind
        read = self._expressions.names.readers.get((table.declared.id, index))
        named = [band for row in table.rows if (bands := row.bands[index]) for band in bands]
        return read or _hull(named)

    def _row(self, row: Row, table: Table, keys: tuple[Type, ...], columns: tuple[Type, ...]) -> TypedRow:
        bands = self._bands(row, tuple(map(_widest, keys)))
        # Nearly all cells are plain numbers, which read no key.
        is_plain = all(each is None or isinstance(each.value, syntax.Integer) for each in row.cells)
        environment = Environment() if is_plain else _environment(table, keys, bands)
        cells = tuple(
            self._cell(cell, kind, column, column.id if len(columns) > 1 else table.id, environment) if cell else None
            for cell, kind, column in zip(row.cells, columns, table.columns, strict=True)
        )
        if None in cells:
            self._outside(row, table, keys, bands)
        return TypedRow(declared=row, bands=bands, cells=cells)

    def _outside(
        self, row: Row, table: Table, keys: tuple[Type, ...], bands: tuple[tuple[Band, ...] | None, ...]
    ) -> None:
        """Tells of a row whose key is no value of the table: then that is why it has no cells from layers below."""
        for key, each, kind, stated in zip(table.keys, row.keys, keys, bands, strict=True):
            if (
                not isinstance(kind, Integer)
                or kind == Integer()
                or not stated
                or not isinstance(each, syntax.Alternative)
            ):
                continue
            if stated[0][0] > kind.high or stated[-1][1] < kind.low:
                reason = analysis.outside(key.id, str(kind.low), str(kind.high))
                self._expressions.report(analysis.unreachable_row(table.id, each.span, reason, (), "take it out"))

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

    def _cell(self, cell: Cell, kind: Type, column: Column, what: str, environment: Environment) -> Typed:
        value = cell.value
        if isinstance(value, syntax.Integer) and isinstance(kind, Integer) and kind.low <= value.value <= kind.high:
            return literal(value.value, Integer(value.value, value.value), value.span)
        if isinstance(value, syntax.Adjustment):
            return self._adjustment(value, column, environment)
        if isinstance(kind, Unknown):
            return broken(value.span)
        if isinstance(kind, Text):
            return Typed("text", (cell.text,), kind, cell.span)
        if isinstance(kind, Dice):
            return self._written.constant(value, kind)
        found = self._expressions.expect(value, environment, kind)
        low, high = bounds(found.type)
        if isinstance(kind, Fraction) and low == high:
            found = fraction(low, found.span)
        return self._written.within(found, kind, what, column.place)

    def _adjustment(self, value: syntax.Adjustment, column: Column, environment: Environment) -> Typed:
        found = self._expressions.number(value.value, environment)
        if value.sign in ("better", "worse"):
            self._expressions.report(amounts.direction_in_cell(value.span, value.sign, value.value.span.text))
            return broken(value.span)
        if not value.sign and found.literal != 0 and not isinstance(found.type, Unknown):
            self._expressions.report(amounts.needs_sign(value.span, column.place))
        return found

    def _column(self, index: int, kind: Type, column: Column, rows: tuple[TypedRow, ...]) -> Type:
        """The type of what a column holds: the hull of its cells."""
        cells = [cell.type for row in rows if (cell := row.cells[index]) is not None]
        if not cells:
            # That a table has no rows, or none that can be read, is told already.
            return Unknown()
        if isinstance(kind, Unknown) or any(isinstance(each, Unknown) for each in cells):
            return Unknown() if isinstance(kind, Unknown) else kind if kind != Integer() else Unknown()
        if isinstance(kind, Dice):
            return kind
        joined = arithmetic.joined_all([each for each in cells if fits(each, kind)])
        return joined or kind


def _is_plain(table: Table) -> bool:
    """Whether whole numbers that are written out are all that it holds."""
    kinds = [*(each.type for each in table.keys), *(each.type for each in table.columns)]
    if any(each.kind not in ("range", "integer") or each.default or each.may_be_unknown for each in kinds):
        return False
    bounds = [end for each in kinds if each.kind == "range" for end in (each.low, each.high)]
    return all(_is_number(each) for each in bounds) and all(map(_is_plain_row, table.rows))


def _is_plain_row(row: Row) -> bool:
    ends = [end for key in row.keys if isinstance(key, syntax.Alternative) for end in (key.low, key.high)]
    cells = [cell.value for cell in row.cells if cell is not None]
    return all(_is_number(each) for each in (*ends, *cells))


def _is_number(expression: object) -> bool:
    if isinstance(expression, syntax.Unary):
        return expression.operator == "-" and isinstance(expression.operand, syntax.Integer)
    return expression is None or isinstance(expression, syntax.Integer)


def _environment(table: Table, keys: tuple[Type, ...], bands: tuple[tuple[Band, ...] | None, ...]) -> Environment:
    """What the cells of a row can read: its keys, as narrow as the row has them."""
    stated = zip(table.keys, keys, bands, strict=True)
    return Environment(
        keys={each.id: (i, _within(_widest(kind), band), each.place) for i, (each, kind, band) in enumerate(stated)}
    )


def _widest(kind: Type) -> Type:
    return Integer(-WIDEST_KEY, WIDEST_KEY) if kind == Integer() else kind


def _within(kind: Type, bands: tuple[Band, ...] | None) -> Type:
    """The type of a key in a row: what the row's bands leave of it."""
    return narrowed(kind, bands[0][0], bands[-1][1]) if bands else kind


def _hull(bands: list[Band]) -> Type:
    """From the lowest to the highest value that rows name; open where a band is."""
    if not bands:
        return Integer(0, 0)
    low, high = min(low for low, _ in bands), max(high for _, high in bands)
    return Integer(-LARGEST if low == -WIDEST_KEY else low, LARGEST if high == WIDEST_KEY else high)
