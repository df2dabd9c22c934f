"""Tables as columns read them: an array with a cell for each combination of keys, counted by what tells them apart.

Where keys are few, each has its place; where they range widely, the bounds of all rows part them into classes, which
are searched for.
"""

from __future__ import annotations

from itertools import product
from math import prod

from .errors import UnusualError
from .evaluate import Evaluator, Frame
from .expression import Constant, Key, Operation, OptionRead, Within, parts
from .program import Bands, Cell, Dense

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .batch_expressions import Maker
    from .batch_vectors import DiceVector, Vector
    from .evaluate import Value
    from .expression import Expr
    from .program import Index, Table

_CELLS = 65_536
"""How many combinations of keys a table is unfolded for at most."""


class TableReader:
    """Reads cells of one program's tables."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.vectors = maker.vectors

    def cell(self, table: Table, column: str, keys: list[Vector]) -> Vector | DiceVector:
        """A cell of a table; where there is no row there is doubt."""
        if any(each.over != 1 for each in keys):
            raise UnusualError
        classes = [_classes(table.index, level, each) for level, each in enumerate(keys)]
        is_of_keys = _is_of_keys(table, column)
        if is_of_keys and prod(each.high - each.low + 1 for each in keys) <= _CELLS:
            classes = [list(range(each.low, each.high + 1)) for each in keys]
        elif is_of_keys and _has_expressions(table, column):
            raise UnusualError
        if not is_of_keys or prod(map(len, classes)) > _CELLS:
            raise UnusualError
        return self._taken(self._index(keys, classes), self._cells(table, column, classes), table, keys)

    def _cells(self, table: Table, column: str, classes: list[list[int]]) -> list[Value | None]:
        evaluator, frame = Evaluator(self.maker.program, {}, self.maker.options, None), Frame()
        return [evaluator.cell(table, column, keys, frame) for keys in product(*classes)]

    def _index(self, keys: list[Vector], classes: list[list[int]]) -> Vector:
        """The place of each row's keys in the array, the last key fastest."""
        at = self.vectors.literal(0)
        for key, starts in zip(keys, classes, strict=True):
            here = self._class_of(key, starts)
            at = self.vectors.add(self.vectors.multiply(at, self.vectors.literal(len(starts))), here)
        return at

    def _class_of(self, key: Vector, starts: list[int]) -> Vector:
        """In which class a key is; classes are given by their least keys."""
        vectors = self.vectors
        if len(starts) == key.high - key.low + 1:
            return vectors.subtract(key, vectors.literal(key.low))
        if key.high - key.low < _CELLS:
            counts = _counted(starts, key.low, key.high)
            return vectors.mapped(key, counts)
        return vectors.searched(key, starts)

    def _taken(
        self, at: Vector, cells: Sequence[Value | None], table: Table, keys: list[Vector]
    ) -> Vector | DiceVector:
        has_row = self.vectors.mapped_mask(at, [each is not None for each in cells])
        some = next((each for each in cells if each is not None), 0)
        found = self.maker.constants(at, [some if each is None else each for each in cells])
        return self.maker.doubted(found, self.vectors.code.inverted(has_row))


def _counted(starts: list[int], low: int, high: int) -> list[int]:
    found, at = [], 0
    for key in range(low, high + 1):
        while at + 1 < len(starts) and starts[at + 1] <= key:
            at += 1
        found.append(at)
    return found


def _is_of_keys(table: Table, column: str) -> bool:
    position = table.positions[column]
    return all(_follows(row[position].expr) for row in table.rows if isinstance(row[position], Cell))  # type: ignore[union-attr]


def _has_expressions(table: Table, column: str) -> bool:
    position = table.positions[column]
    return any(isinstance(row[position], Cell) for row in table.rows)


def _follows(expr: Expr) -> bool:
    """Whether a cell follows from its keys alone."""
    is_plain = isinstance(expr, int | Constant | Key | Operation | Within | OptionRead)
    return is_plain and all(map(_follows, parts(expr)))


def _classes(index: Index, level: int, key: Vector) -> list[int]:
    """The least keys of the classes of one level that lie in a key's range: within a class all lead to the same."""
    bounds: set[int] = set()
    _bounds(index, level, bounds)
    return [key.low, *sorted(each for each in bounds if key.low < each <= key.high)]


def _bounds(index: Index, level: int, found: set[int]) -> None:
    if isinstance(index, int):
        return
    if level:
        for each in dict.fromkeys(index.then):
            _bounds(each, level - 1, found)
    elif isinstance(index, Dense):
        found.update(range(index.first, index.first + len(index.then) + 1))
    elif isinstance(index, Bands):
        found.update(each for each in index.starts if each is not None)
        found.update(() if index.end is None else (index.end + 1,))
