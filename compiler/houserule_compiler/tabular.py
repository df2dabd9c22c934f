"""Answers as plain rows under named columns, and those as CSV, JSON and Parquet.

A chance or a fraction is exact in two columns, numerator and denominator, with a decimal beside them for reading. A
text that a spreadsheet would take for a formula gets an apostrophe in front, as such programs do themselves.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from houserule.values import UNKNOWN, Unknown, text_of

from .characters import visible
from .percent import decimal

if TYPE_CHECKING:
    from .ranges import Value
    from .swept import Cell, Measure, Swept

Holds: TypeAlias = "Measure | Literal['fact']"
Row: TypeAlias = "Sequence[Cell | Value]"
_READS_AS_FORMULA = ("=", "+", "-", "@")
_LARGEST = 2**63 - 1
_READ_IN = {"chance": "percent", "fraction": "decimal"}


@dataclass(frozen=True, slots=True)
class Tabular:
    """Named columns, what each holds, and the rows."""

    columns: tuple[tuple[str, Holds], ...]
    rows: Sequence[Row]


def tabular(found: Swept) -> Tabular:
    """A whole grid: the facts that vary, then what was asked."""
    facts = [(each.path, "fact") for each in found.grid.axes]
    columns = [*facts, *((each.name, each.measure) for each in found.columns)]
    rows = [(*cell, *answers) for cell, answers in zip(found.grid.cells(), found.rows, strict=True)]
    return Tabular(tuple(columns), rows)  # type: ignore[arg-type]


def csv_lines(table: Tabular) -> Iterator[str]:
    """A head and a line each; cells without an answer are empty."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in chain([_head(table)], (_split(table, each) for each in table.rows)):
        line.seek(0)
        line.truncate()
        writer.writerow([_as_csv(each) for each in row])
        yield line.getvalue()


def _head(table: Tabular) -> list[str]:
    """The names of all columns, two for what is exact and one for what is read."""
    names: list[str] = []
    for name, holds in table.columns:
        read = _READ_IN.get(holds)
        names += [f"{name}.numerator", f"{name}.denominator", f"{name}.{read}"] if read else [name]
    return names


def _split(table: Tabular, row: Row) -> Iterator[object]:
    for (_, holds), cell in zip(table.columns, row, strict=True):
        if holds not in _READ_IN:
            yield cell
        elif cell is None:
            yield from (None, None, None)
        else:
            exact = Fraction(cell)  # type: ignore[arg-type]
            yield from (exact.numerator, exact.denominator, Decimal(decimal(exact * (100 if holds == "chance" else 1))))


def _as_csv(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str | tuple):
        return _harmless(written(cell))
    return str(cell) if isinstance(cell, Decimal) else text_of(cell)


def written(cell: str | tuple[str, ...]) -> str:
    """A text, or a set as ranges are written: `a|b`."""
    return cell if isinstance(cell, str) else "|".join(cell)


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula, without characters that could hide anything."""
    shown = visible(text)
    return f"'{shown}" if shown.startswith(_READS_AS_FORMULA) else shown


def json_text(table: Tabular, about: dict[str, object]) -> str:
    """An object with `columns` and `rows`; fractions are texts such as `11/20`, unknown and missing are null."""
    rows = [[as_json(each) for each in row] for row in table.rows]
    found = {**about, "columns": [name for name, _ in table.columns], "rows": rows}
    return json.dumps(found, ensure_ascii=True, allow_nan=False) + "\n"


def as_json(cell: Any) -> object:
    """A value as plain JSON data."""
    if cell is None or isinstance(cell, Unknown):
        return None
    if isinstance(cell, tuple):
        return list(cell)
    return cell if isinstance(cell, bool | int | str | list) else str(cell)


def has_parquet() -> bool:
    """Whether pyarrow is there."""
    try:
        import_module("pyarrow")
        import_module("pyarrow.parquet")
    except ImportError:
        return False
    return True


def parquet(table: Tabular) -> bytes:
    """A Parquet file with the columns of the CSV, typed; unknown and missing are null."""
    pyarrow, written = import_module("pyarrow"), import_module("pyarrow.parquet")
    made = zip(*(tuple(_split(table, row)) for row in table.rows), strict=True)
    columns = [_arrow(pyarrow, values) for values in made]
    buffer = pyarrow.BufferOutputStream()
    written.write_table(pyarrow.table(columns, names=_head(table)), buffer)
    return bytes(buffer.getvalue().to_pybytes())


def _arrow(pyarrow: Any, values: Iterable[object]) -> Any:
    """A column of one type: integers, texts if they are too large for that, decimals of six places, booleans, texts."""
    known = [None if each is UNKNOWN else each for each in values]
    kinds = {type(each) for each in known if each is not None}
    if kinds == {int} and all(abs(each) <= _LARGEST for each in known if isinstance(each, int)):
        return pyarrow.array(known, pyarrow.int64())
    if kinds == {bool}:
        return pyarrow.array(known, pyarrow.bool_())
    if kinds == {Decimal}:
        return pyarrow.array(known, pyarrow.decimal128(38, 6))
    texts = [written(each) if isinstance(each, tuple) else None if each is None else str(each) for each in known]
    return pyarrow.array(texts, pyarrow.string())
