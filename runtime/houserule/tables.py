"""Tables as callers read them: `table[key]`, `table[key, key]`, and all rows as people print them."""

from __future__ import annotations

from .errors import FactsError, Problem, UnknownNameError
from .evaluate import Evaluator, Frame, looked_up, row_of
from .nearest import nearest
from .program import Cell, Dense
from .trace import Entry, Trace
from .values import MisfitError, Unknown, held, hit_dice_text, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from . import program
    from .evaluate import Value
    from .expression import Bound
    from .program import Column, Index, Program
    from .values import Shown


_KEPT = 16_384
"""So many rows that were read are remembered of one table at most; then it starts anew."""


class Cells:
    """One row of a table that gives several things: by column as `row["reaction"]` or `row.reaction`."""

    __slots__ = ("_cells", "_table")

    def __init__(self, table: str, cells: Mapping[str, Shown]) -> None:
        self._table = table
        self._cells = dict(cells)

    def __getitem__(self, column: str) -> Shown:
        if column not in self._cells:
            near = nearest(column, self._cells)
            raise UnknownNameError(f"table `{self._table}` has no column `{column}`", near)
        return self._cells[column]

    def __getattr__(self, column: str) -> Shown:
        if column.startswith("_") or column not in self._cells:
            raise AttributeError(f"table `{self._table}` has no column `{column}`")
        return self._cells[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def keys(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(self._cells)

    def to_dict(self) -> dict[str, Shown]:
        """The cells by column."""
        return dict(self._cells)

    def __eq__(self, other: object) -> bool:
        return self._cells == (other._cells if isinstance(other, Cells) else other)

    def __hash__(self) -> int:
        return hash(tuple(self._cells.items()))

    def __repr__(self) -> str:
        return f"Cells({', '.join(f'{column}={value!r}' for column, value in self._cells.items())})"


class Table:
    """A table of the rules. `table[key]` gives its value, or `Cells` where it gives several things."""

    def __init__(self, program: Program, table: program.Table, options: Mapping[str, Value]) -> None:
        self._program = program
        self._table = table
        self._evaluator = Evaluator(program, {}, options, None)
        self._known: dict[tuple[object, ...], Shown | Cells] = {}
        self.id = table.label.id
        self.title = table.label.title
        self.note = table.label.note
        self.source = table.label.source
        self.keys = tuple(key.label.id for key in table.keys)
        self.columns = tuple(column.label.id for column in table.columns)

    def __getitem__(self, keys: object) -> Shown | Cells:
        """The cell or cells for some keys. Raises `FactsError` where keys do not fit, with every problem."""
        given = keys if isinstance(keys, tuple) else (keys,)
        # Only of these two it is sure that what is equal is the same key: true equals 1, and is none.
        for each in given:
            if type(each) is not int and type(each) is not str:
                return self._row(self._held(given))
        found = self._known.get(given)
        if found is None:
            found = self._row(self._held(given))
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[given] = found
        return found

    def explain(self, keys: object, column: str = "") -> Trace:
        """Which row some keys find and what stands there: an entry for each column, or for one alone.

        Raises as reading does, and KeyError for a column that the table has not.
        """
        given = self._held(keys if isinstance(keys, tuple) else (keys,))
        wanted = [self._table.columns[self._table.positions[column]]] if column else self._table.columns
        found = [self._entry(each, given) for each in wanted]
        whole = Entry("table", self.id, title=self.title, source=self.source, row=found[0].row, parts=tuple(found))
        return Trace(found[0] if column or self.columns == ("value",) else whole, self._program.origins)

    def _entry(self, column: Column, keys: tuple[Value, ...]) -> Entry:
        value, row = self._value(column, keys), row_of(self._table.index, keys)
        assert row is not None
        return looked_up(self._evaluator, self._table, column.label.id, keys, row, value)

    def spans(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """Every row once for each span of keys that it holds for: the keys as people write them, and its number."""
        for bands in self._bands(self._table.index, 0):
            shown = tuple(self._band(band, key) for band, key in zip(bands, self._table.keys, strict=True))
            row = row_of(self._table.index, tuple(map(_within, bands, self._table.keys)))
            assert row is not None
            yield shown, row

    def rows(self) -> Iterator[tuple[tuple[str, ...], Shown | Cells]]:
        """Every row: its keys as people write them (`1..3`, `fighter`), and what it gives.

        A row that is worked out from its keys stands once for each key, within the range of the last one.
        """
        for bands in self._spread():
            shown = tuple(self._band(band, key) for band, key in zip(bands, self._table.keys, strict=True))
            keys = tuple(_within(band, key) for band, key in zip(bands, self._table.keys, strict=True))
            yield shown, self._row(keys)

    def _spread(self) -> Iterator[tuple[tuple[Bound, Bound], ...]]:
        last = self._table.keys[-1].type
        low, high = int(last.low or 0), int(last.high or 0)
        for *before, (start, end) in self._bands(self._table.index, 0):
            found = row_of(self._table.index, tuple(map(_within, (*before, (start, end)), self._table.keys)))
            if found is None or not any(isinstance(cell, Cell) for cell in self._table.rows[found]):
                yield (*before, (start, end))
                continue
            first = low if start is None else max(low, start)
            for key in range(first, min(high if end is None else min(high, end), first + 1000) + 1):
                yield (*before, (key, key))

    def _held(self, given: tuple[object, ...]) -> tuple[Value, ...]:
        if len(given) != len(self._table.keys):
            count = len(self._table.keys)
            message = f"table `{self.id}` is read by {count} key{'s' * (count > 1)}: {', '.join(self.keys)}"
            raise FactsError([Problem("wrong-type", self.id, message)])
        found: list[Value] = []
        problems: list[Problem] = []
        for value, key in zip(given, self._table.keys, strict=True):
            try:
                found.append(_known(held(value, key.type, self._words(key))))
            except MisfitError as error:
                path = f"{self.id}.{key.label.id}"
                problems.append(Problem(error.code, path, f"`{path}`: {error}", error.fix))
        if problems:
            raise FactsError(problems)
        return tuple(found)

    def _row(self, keys: tuple[Value, ...]) -> Shown | Cells:
        cells = {column.label.id: self._cell(column, keys) for column in self._table.columns}
        return next(iter(cells.values())) if self.columns == ("value",) else Cells(self.id, cells)

    def _cell(self, column: Column, keys: tuple[Value, ...]) -> Shown:
        return self._evaluator.shown(self._value(column, keys), column.type)

    def _value(self, column: Column, keys: tuple[Value, ...]) -> Value:
        value = self._evaluator.cell(self._table, column.label.id, keys, Frame())
        if value is None:
            pairs = zip(keys, self._table.keys, strict=True)
            shown = ", ".join(text_of(self._evaluator.shown(key, of.type)) for key, of in pairs)
            raise FactsError([Problem("out-of-range", self.id, f"table `{self.id}` has no row for {shown}")])
        return value

    def _words(self, key: Column) -> tuple[program.Label, ...]:
        return self._program.words(key.type.choice) if key.type.choice else ()

    def _bands(self, index: Index, level: int) -> Iterator[tuple[tuple[Bound, Bound], ...]]:
        if isinstance(index, int):
            yield ()
            return
        for low, high, below in _branches(index):
            for rest in self._bands(below, level + 1):
                yield ((low, high), *rest)

    def _band(self, band: tuple[Bound, Bound], key: Column) -> str:
        low, high = (None if end is None else self._code(end, key) for end in band)
        if low == high and low is not None:
            return low
        return f"{low or ''}..{high or ''}"

    def _code(self, code: int, key: Column) -> str:
        words = self._words(key)
        if key.type.kind == "choice":
            return words[code].id if 0 <= code < len(words) else str(code)
        if key.type.kind == "boolean":
            return text_of(bool(code))
        return hit_dice_text(code) if key.type.kind == "hit_dice" else str(code)

    def __repr__(self) -> str:
        return f"Table({self.id!r}, keys={self.keys!r}, columns={self.columns!r})"


def _branches(index: Index) -> Iterator[tuple[Bound, Bound, Index]]:
    """The bands of one level; neighbours that lead to the same row are one band."""
    assert not isinstance(index, int)
    if isinstance(index, Dense):
        found = [(index.first + at, index.first + at, then) for at, then in enumerate(index.then)]
        merged: list[tuple[Bound, Bound, Index]] = []
        for low, high, then in found:
            if merged and merged[-1][2] == then:
                merged[-1] = merged[-1][0], high, then
            else:
                merged.append((low, high, then))
        yield from merged
        return
    ends = [*(start - 1 for start in index.starts[1:] if start is not None), index.end]
    yield from zip(index.starts, ends, index.then, strict=True)


def _within(band: tuple[Bound, Bound], key: Column) -> int:
    """A key that lies in a band."""
    low, high = band
    return low if low is not None else high if high is not None else int(key.type.low or 0)


def _known(value: Value | Unknown) -> Value:
    if isinstance(value, Unknown):
        raise MisfitError("wrong-type", "a key must be known")
    return value
