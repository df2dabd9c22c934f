"""Runs the code of a question over columns, some rows at a time, so that what is worked with stays in the cache."""

from __future__ import annotations

import numpy as np

from .batch_code import is_view
from .batch_rows import impossible_row
from .errors import FactsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass
    from typing import Any, TypeAlias

    from .batch_code import Array
    from .batch_columns import Column, Columns
    from .batch_questions import Question
    from .program import Program

    Source: TypeAlias = Callable[[int, int], list[Array]]
    """Gives the arrays of one input for some rows."""
else:
    from .records import dataclass

ROWS = 65_536
"""How many rows are worked out together: so many that a call of numpy costs little, and so few that all fit."""


class DiceOutsideError(Exception):
    """Some total is none of its die, though perhaps in a row that does not roll it; never leaves the runtime."""


class WrongDiceError(Exception):
    """Dice of a row are missing or do not fit; never leaves the runtime."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


@dataclass(frozen=True, slots=True)
class DieColumn:
    """The totals of one die, and where they do not fit whatever else holds; None where they fit everywhere."""

    path: str
    values: Array
    wrong: Array | None
    given: Array


class Runner:
    """Runs one question once."""

    def __init__(self, program: Program, question: Question, columns: Columns, dice: Mapping[str, DieColumn]) -> None:
        self.program = program
        self.question = question
        self.columns = columns
        self.dice = dice
        self.code = question.code
        self.rows = min(ROWS, max(columns.size, 1))
        self.outputs = {name: self._output(name) for name in self.code.outputs}
        self.registers = self._buffers()

    def run(self) -> dict[str, Any]:
        """The outputs by name: arrays, or what holds in all rows. Raises for facts and dice that do not fit."""
        self._look_at_unread()
        for name, value in self.code.settled.items():
            if value is True and self.columns.size:
                self._refuse(name, 0, None)
        sources = [self._source(name) for name in self.code.inputs]
        with np.errstate(all="ignore"):
            for start in range(0, self.columns.size, self.rows):
                self._chunk(sources, start, min(start + self.rows, self.columns.size))
        return {**self.outputs, **self.code.settled}

    def _chunk(self, sources: list[Source], start: int, end: int) -> None:
        count = end - start
        inputs = [array for source in sources for array in source(start, end)]
        registers = self.registers if count == self.rows else [each[:count] for each in self.registers]
        outputs = [self._part(name, start, end) for name in self.code.outputs]
        self.code.run(*inputs, *registers, *outputs)
        for name, part in zip(self.code.outputs, outputs, strict=True):
            if _is_refused(name) and part.any():
                self._refuse(name, start, part)

    def _output(self, name: str) -> Array:
        """Room for all rows, or for some where it is only looked at."""
        return np.empty(self.rows if _is_refused(name) else self.columns.size, self.code.dtypes[name])

    def _part(self, name: str, start: int, end: int) -> Array:
        return self.outputs[name][: end - start] if _is_refused(name) else self.outputs[name][start:end]

    def _buffers(self) -> list[Array]:
        found: list[Array] = []
        for name in self.code.registers:
            found.append(found[-1].view(np.int8) if is_view(name) else np.empty(self.rows, name.partition("_")[0]))
        return found

    def _source(self, name: str) -> Source:
        bare, _, part = name.partition("_")
        if bare in self.question.facts.values():
            path = next(path for path, each in self.question.facts.items() if each == bare)
            column = self.columns.columns[path]
            return self._known(column) if part else self._values(column, self.code.dtypes[name])
        path = next(path for path, each in self.question.given_dice.items() if each == bare)
        die = self.dice[path]
        if part:
            assert die.wrong is not None
            return _plain(die.wrong)
        return self._totals(die, self.code.dtypes[name], *self._span(path))

    def _span(self, path: str) -> tuple[int, int]:
        return self.question.dice[path].low, self.question.dice[path].high

    def _totals(self, die: DieColumn, dtype: str, low: int, high: int) -> Source:
        """Totals of a die, looked at and brought to their type. Raises `DiceOutsideError` where one does not fit."""
        room = np.empty(self.rows, dtype)

        def source(start: int, end: int) -> list[Array]:
            part = die.values[start:end]
            _look_at(part, low, high)
            if part.dtype == dtype:
                return [part]
            np.copyto(room[: end - start], part, casting="unsafe")
            return [room[: end - start]]

        return source

    def _known(self, column: Column) -> Source:
        room = np.empty(self.rows, bool)
        seen = room.view(np.int8)
        assert column.unknown is not None
        unknown = column.unknown

        def source(start: int, end: int) -> list[Array]:
            np.logical_not(unknown[start:end], room[: end - start])
            return [room[: end - start], seen[: end - start]]

        return source

    def _values(self, column: Column, dtype: str) -> Source:
        """Values of a column, looked at and brought to their type where that was not done yet."""
        if column.values.dtype == dtype and not column.raw:
            return _plain(column.values)
        room = np.empty(self.rows, dtype)
        is_same = column.values.dtype == dtype and column.table is None

        def source(start: int, end: int) -> list[Array]:
            place = column.values[start:end] if is_same else room[: end - start]
            column.look_at(start, end, None if is_same else place)
            return [place, place.view(np.int8)] if dtype == "bool" else [place]

        return source

    def _look_at_unread(self) -> None:
        """Columns that the code does not read are looked at all the same."""
        for path, column in self.columns.columns.items():
            if self.question.facts.get(path) not in self.code.inputs:
                column.look_at(0, self.columns.size)
        for path, name in self.question.given_dice.items():
            is_read = name in self.code.inputs or f"{name}_lacks" in self.code.inputs
            if not is_read and self.columns.size:
                _look_at(self.dice[path].values, *self._span(path))

    def _refuse(self, name: str, start: int, part: Array | None) -> None:
        """Raises what an output of wrong dice or impossible situations tells."""
        row = start if part is None else start + int(part.argmax())
        kind, _, path = name.partition(" ")
        if kind == "impossible":
            raise FactsError([impossible_row(self.program.impossible[path], row)])
        if kind == "wrong":
            raise WrongDiceError(row)


def _look_at(part: Array, low: int, high: int) -> None:
    if np.minimum.reduce(part) < low or np.maximum.reduce(part) > high:
        raise DiceOutsideError


def _is_refused(name: str) -> bool:
    """Whether an output only tells what must not be."""
    return name.startswith(("wrong ", "impossible "))


def _plain(array: Array) -> Source:
    if array.dtype == bool:
        return lambda start, end: [array[start:end], array[start:end].view(np.int8)]
    return lambda start, end: [array[start:end]]
