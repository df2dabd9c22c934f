"""Columns as callers give them become columns of codes, in the smallest type that holds them; problems name the row.

A column is an array, a list, or anything that numpy makes an array of; what stands for all rows is given once. Columns
of plain integers are not looked at here: their range is checked chunk by chunk, while they are in the cache.
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping

import numpy as np

from .batch_code import dtype_for
from .batch_items import Misfits, coded, items_of, parts_of
from .errors import FactsError, Problem, printable
from .facts import declared_at, field_of, missing_problem, name_problem, path_of, taken
from .intervals import Intervals
from .values import UNKNOWN, hit_dice_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from dataclasses import dataclass
    from typing import Any

    from .batch_code import Array
    from .expression import Read
    from .facts import Checked
    from .program import Field, Program, Type
else:
    from .records import dataclass


_GONE_THROUGH = ("__iter__", "__getitem__", "codes", "indices")


class ColumnsOutsideError(Exception):
    """Columns that were not looked at yet hold something unusual: they must be. Never leaves the runtime."""


@dataclass(frozen=True, slots=True)
class Column:
    """One fact by row. `values` are codes, or places in `table`, which holds the codes; `unknown` is a mask or None.

    Where `raw`, nobody looked at the values yet: they fit if they lie from `low` to `high`.
    """

    path: str
    field: Field
    values: Array
    unknown: Array | None = None
    table: Array | None = None
    raw: bool = False
    low: int = 0
    high: int = 0

    def look_at(self, start: int, end: int, place: Array | None = None) -> None:
        """Puts values of some rows into `place`. Raises `ColumnsOutsideError` where they do not lie in the range."""
        part = self.values[start:end]
        if self.raw and len(part):
            fits_at_once = self.low >= 0 and part.dtype.kind == "i" and part.dtype.isnative
            # Seen without sign, what is below 0 lies above all that fits.
            seen = part.view(f"u{part.dtype.itemsize}") if fits_at_once else part
            if np.maximum.reduce(seen) > self.high:
                raise ColumnsOutsideError
            if place is not None and self.table is None:
                np.copyto(place, part, casting="unsafe")
                seen = place
            if np.minimum.reduce(seen if fits_at_once else part) < self.low:
                raise ColumnsOutsideError
        elif place is not None and self.table is None:
            np.copyto(place, part, casting="unsafe")
        if place is not None and self.table is not None:
            self.table.take(part, None, place, "clip")

    def held(self, row: int) -> Any:
        """The value of one row as the evaluator of single situations holds it."""
        from .evaluate import pool_of

        if self.unknown is not None and self.unknown[row]:
            return UNKNOWN
        value = self.values[row] if self.table is None else self.table[self.values[row]]
        if self.values.dtype == object:
            return value
        kind = self.field.type.kind
        return bool(value) if kind == "boolean" else pool_of(int(value)) if kind == "dice" else int(value)


@dataclass(frozen=True, slots=True)
class Columns:
    """Facts as columns, and those that are the same in all rows; `size` is how many rows there are."""

    columns: dict[str, Column]
    constants: Checked
    roles: frozenset[str]
    size: int

    def given(self) -> dict[str, bool]:
        """Of each fact that a column holds, whether it may be unknown."""
        return {path: each.unknown is not None for path, each in self.columns.items()}

    def spread(self, program: Program) -> Columns:
        """The same with columns for what is the same in all rows."""
        known = {path: value for path, value in self.constants.items() if value is not UNKNOWN}
        spread = {path: _spread(program, path, value, self.size) for path, value in known.items()}
        return Columns({**self.columns, **spread}, {}, self.roles, self.size) if self.constants else self

    def look_at(self) -> None:
        """Raises `ColumnsOutsideError` where a column that nobody looked at yet does not fit."""
        for each in self.columns.values():
            each.look_at(0, self.size)

    def settled(self, program: Program, is_own: bool = False) -> Columns:
        """The same with all columns in the types that hold them, for those that were looked at; `is_own` are copies
        that do not follow what becomes of the caller's arrays."""
        columns = {path: _settled(each, program, is_own) for path, each in self.columns.items()}
        return Columns(columns, self.constants, self.roles, self.size)

    def sized(self, others: Iterable[Any]) -> Columns:
        """The same with as many rows as other columns have, where all facts are the same in all rows."""
        size = next((len(each) for each in others if is_column(each)), self.size)
        return self if self.columns else Columns(self.columns, self.constants, self.roles, size)


def held_range(type: Type, program: Program) -> tuple[int, int]:
    """The least and the greatest code of a type; of dice a range that holds all codes."""
    if type.kind == "dice":
        return 0, 1 << 21
    low, high = Intervals(program, {}).of_type(type)
    return int(low or 0), int(high or 0)


def held_dtype(type: Type, program: Program) -> str:
    """The type of array in which codes are held."""
    if type.kind in ("text", "fraction"):
        return "object"
    return "bool" if type.kind == "boolean" else dtype_for(*held_range(type, program))


class Intake:
    """Takes facts of one program as columns. Unless it `looks`, plain integers are left for later."""

    def __init__(self, program: Program, looks: bool) -> None:
        self.program = program
        self.looks = looks
        self.problems: list[Problem] = []
        self.columns: dict[str, Column] = {}
        self.constants: Checked = {}
        self.sizes: dict[str, int] = {}

    def of(self, given: Any, reads: Iterable[Read] = ()) -> Columns:
        """The columns, of which none of `reads` is missing. Raises `FactsError` with every problem."""
        if not hasattr(given, "items"):
            raise FactsError([Problem("wrong-type", "", "columns are a mapping: by role and field, or by dotted name")])
        for path, value in _flat(given):
            if path in self.columns or path in self.constants:
                self.problems.append(Problem("given-twice", path, f"`{path}` is given twice", "give it once"))
            self._take(path, value)
        self._lengths()
        there = {*self.columns, *self.constants, *(each.path for each in self.problems)}
        self.problems += missing_problems(self.program, there, reads)
        if self.problems:
            raise FactsError(self.problems)
        roles = frozenset(str(name).partition(".")[0] for name, _ in given.items())
        return Columns(self.columns, self.constants, roles, next(iter(self.sizes.values()), 1))

    def _take(self, path: str, value: Any) -> None:
        value = for_all_rows(value)
        if not is_column(value):
            problem = taken(self.program, path, value, self.constants)
        else:
            problem = name_problem(self.program, path)
        if problem is not None:
            self.problems.append(problem)
        elif is_column(value):
            self._column(path, declared_at(self.program, path), value)

    def _column(self, path: str, field: Field, given: Any) -> None:
        codes, words, mask = parts_of(given, path, self.problems)
        if codes is None:
            return
        if isinstance(given, list | tuple) and field.type.kind in ("choice", "set"):
            # A list holds values as single facts do; only arrays hold codes.
            codes = codes.astype(object)
        self.sizes[path] = len(codes)
        misfits = Misfits(self.program, path, field)
        if mask is not None and mask.any() and not field.is_optional:
            self.problems.append(_must_be_known(path, int(mask.argmax())))
        elif not self.looks and self._leaves(misfits, codes, words, mask):
            return
        else:
            self._look_at(misfits, codes, words, mask)

    def _leaves(self, misfits: Misfits, codes: Array, words: list[Any] | None, mask: Array | None) -> bool:
        """Keeps a column of plain integers as it is, to be looked at when it is used."""
        type, path = misfits.field.type, misfits.path
        if codes.dtype.kind not in "iu" or type.kind in ("text", "fraction"):
            return False
        if words is None:
            if type.kind in ("integer", "choice", "set"):
                ends = held_range(type, self.program)
                self.columns[path] = Column(path, misfits.field, codes, mask, None, True, *ends)
            return path in self.columns
        held = misfits.codes(words)
        if held is not None:
            table = None if held == list(range(len(held))) and type.kind == "choice" else held
            array = None if table is None else np.array(table, held_dtype(type, self.program))
            self.columns[path] = Column(path, misfits.field, codes, mask, array, True, 0, len(words) - 1)
        return held is not None

    def _look_at(self, misfits: Misfits, codes: Array, words: list[Any] | None, mask: Array | None) -> None:
        """Takes a column in whole, with what is wrong with it."""
        if words is not None:
            values, wrong, unknown = coded(misfits, codes, words)
        elif codes.dtype.kind in "biuf" and misfits.field.type.kind != "fraction":
            values, wrong = self._values(misfits, codes)
            unknown = np.zeros(len(codes), bool)
        else:
            values, wrong, unknown = items_of(misfits, codes)
        if mask is not None:
            wrong, unknown = wrong & ~mask, unknown | mask
        problem = misfits.problem(wrong, codes, words)
        if problem is not None:
            self.problems.append(problem)
        else:
            self._keep(misfits.path, misfits.field, values, unknown)

    def _keep(self, path: str, field: Field, values: Array, unknown: Array) -> None:
        dtype = held_dtype(field.type, self.program)
        if not unknown.any():
            self.columns[path] = Column(path, field, values.astype(dtype, copy=False))
        elif not field.is_optional:
            self.problems.append(_must_be_known(path, int(unknown.argmax())))
        else:
            filled = values if dtype == "object" else np.where(unknown, held_range(field.type, self.program)[0], values)
            self.columns[path] = Column(path, field, filled.astype(dtype, copy=False), unknown)

    def _values(self, misfits: Misfits, given: Array) -> tuple[Array, Array]:
        """Codes of an array's values, and where they do not fit."""
        kind, type = given.dtype.kind, misfits.field.type
        nowhere = np.zeros(len(given), bool)
        if kind == "b" and type.kind == "boolean":
            return given, nowhere
        if kind in "iu" and type.kind in ("integer", "choice", "set"):
            low, high = held_range(type, self.program)
            wrong = (given < low) | (given > high)
            return np.where(wrong, low, given), wrong
        if kind in "iu" and type.kind == "hit_dice":
            return self._hit_dice(misfits, given)
        if kind == "f" and type.kind == "integer":
            return self._floats(misfits, given)
        return given, ~nowhere

    def _floats(self, misfits: Misfits, given: Array) -> tuple[Array, Array]:
        """Floats that are integers."""
        low, high = held_range(misfits.field.type, self.program)
        with np.errstate(invalid="ignore"):
            fits = (given >= low) & (given <= high) & (np.floor(given) == given)
        return np.where(fits, given, low).astype(dtype_for(low, high)), ~fits

    def _hit_dice(self, misfits: Misfits, given: Array) -> tuple[Array, Array]:
        """Whole hit dice."""
        low, high = held_range(misfits.field.type, self.program)
        most = high // (hit_dice_code(False, 1, 0) - hit_dice_code(True, 0, 0))
        fits = (given >= 0) & (given <= most)
        table = np.array([hit_dice_code(False, dice, 0) for dice in range(most + 1)], dtype_for(0, 2 * high + 64))
        codes = table[np.where(fits, given, 0).astype(np.intp)]
        fits &= (codes >= low) & (codes <= high)
        return np.where(fits, codes, low).astype(dtype_for(low, high)), ~fits

    def _lengths(self) -> None:
        first = next(iter(self.sizes.items()), ("", 0))
        for path, size in self.sizes.items():
            if size != first[1]:
                message = f"`{path}` has {size} rows, and `{first[0]}` has {first[1]}"
                self.problems.append(Problem("wrong-length", path, message, "give columns of one length"))


def missing_problems(program: Program, there: Container[str], reads: Iterable[Read]) -> list[Problem]:
    """What is missing of some reads, beside what is there, has a default, or may be unknown."""
    found = []
    for read in sorted(reads):
        field = field_of(program, read)
        if path_of(read) not in there and field.default is None and not field.is_optional:
            found.append(missing_problem(program, read))
    return found


def for_all_rows(value: Any) -> Any:
    """A value itself that numpy holds as one of its own, or as an array without dimensions; all else as it is."""
    if value is np.ma.masked:
        return UNKNOWN
    return value.item() if isinstance(value, np.generic) or getattr(value, "shape", None) == () else value


def is_column(value: object) -> bool:
    """Whether a value is a column: a list, a tuple, an array, or what says that it is one."""
    if isinstance(value, str | bytes | set | frozenset | AnyMapping):
        return False
    if isinstance(value, list | tuple | range | memoryview) or hasattr(value, "__array__"):
        return True
    # What has a length alone cannot be gone through.
    return hasattr(value, "__len__") and any(hasattr(value, each) for each in _GONE_THROUGH)


def _flat(given: Any) -> Iterator[tuple[str, Any]]:
    """Columns by path; a mapping is the fields of a role."""
    for name, value in given.items():
        if isinstance(value, AnyMapping):
            yield from ((printable(f"{name}.{field}", 200), inner) for field, inner in value.items())
        else:
            yield printable(name, 200), value


def _must_be_known(path: str, row: int) -> Problem:
    return Problem("wrong-type", path, f"`{path}`, row {row}: it must be known, and is not", f"give `{path}` there")


def _spread(program: Program, path: str, value: Any, size: int) -> Column:
    """A column of one value, which takes no room."""
    from .dice import Pool

    field = declared_at(program, path)
    if isinstance(value, Pool):
        value = value.terms[0].count * 1024 + value.terms[0].faces
    one = np.empty(1, held_dtype(field.type, program))
    one[0] = value
    return Column(path, field, np.broadcast_to(one, size))


def _settled(column: Column, program: Program, is_own: bool) -> Column:
    dtype = held_dtype(column.field.type, program)
    values = column.values if column.table is None else column.table[column.values]
    values, unknown = values.astype(dtype, copy=is_own and values is column.values), column.unknown
    if is_own:
        values.setflags(write=False)
        unknown = None if unknown is None else unknown.copy()
    if is_own and unknown is not None:
        unknown.setflags(write=False)
    return Column(column.path, column.field, values, unknown)
