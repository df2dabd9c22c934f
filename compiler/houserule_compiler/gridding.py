"""The grid that facts and ranges of the command line make, all of them tested at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import prod
from typing import TYPE_CHECKING

from houserule.errors import FactsError, Problem
from houserule.facts import checked, path_of

from .grid import Axis, Grid
from .messages import sweep as messages
from .ranges import RangeError, Series, declared, fits, one, series

if TYPE_CHECKING:
    from houserule.expression import Read

    from .asked import Asked
    from .ranges import Value

_SHORT = 100
"""Of so many values each is tried by itself."""
_UNORDERED = ("boolean", "choice", "set", "dice", "text")


def grid(sides: Sequence[Asked], words: Mapping[str, str], file: Mapping[str, object], limit: int) -> Grid:
    """The grid of `FACT=RANGE` by fact over the facts of a file, for all `sides` that are asked.

    A fact that one of them does not know is left out there. Raises `FactsError` with everything that is wrong.
    """
    made = _Grid(sides, file)
    for path, text in words.items():
        made.take(path, text)
    made.demand()
    count = prod(sum(part.count for part in parts) for parts in made.parts.values())
    if count > limit:
        made.problems.append(messages.too_many_cells(count, limit))
    if made.problems:
        raise FactsError(made.problems)
    return made.grid()


class _Grid:
    """A grid in the making, with what is wrong with it."""

    def __init__(self, sides: Sequence[Asked], file: Mapping[str, object]) -> None:
        self.sides = sides
        self.parts: dict[str, list[Series]] = {}
        self.fixed: dict[str, object] = {}
        self.problems: list[Problem] = []
        self.bad: set[str] = set()
        for path, value in file.items():
            self._try(path, partial(self._fix, path, value))

    def take(self, path: str, text: str) -> None:
        """Takes a fact of the command line, which stands in the place of one of the file."""
        self.fixed.pop(path, None)
        self.problems = [each for each in self.problems if each.path != path]
        self._try(path, partial(self._vary, path, text))

    def _try(self, path: str, take: Callable[[], None]) -> None:
        try:
            self._known(path)
            take()
        except RangeError as error:
            self.bad.add(path)
            self.problems.append(error.problem)

    def _knowing(self, path: str) -> list[Asked]:
        return [each for each in self.sides if declared(each.program, path) is not None]

    def _known(self, path: str) -> None:
        if not self._knowing(path):
            raise RangeError(self.sides[0].refusal(path))

    def _fix(self, path: str, value: object) -> None:
        first = self._knowing(path)[0]
        self.fixed[path] = one(first.program, path, value) if isinstance(value, str) else value
        self._fits_all(path, (self.fixed[path],))

    def _vary(self, path: str, text: str) -> None:
        parts = series(self._knowing(path)[0].program, path, text)
        if sum(each.count for each in parts) == 1:
            self.fixed[path] = parts[0].value(0)
        else:
            reads = {path_of(read) for side in self.sides for read in side.reads}
            if path not in reads:
                raise RangeError(messages.not_read(path, self.sides[0].id, sorted(reads)))
            self.parts[path] = parts
        # The ends of a series tell whether the rest fits, except where words differ.
        self._fits_all(path, chain.from_iterable(_ends(each) for each in parts))

    def _fits_all(self, path: str, values: Iterable[object]) -> None:
        tried = tuple(values)
        for side in self._knowing(path):
            problem = fits(side.program, path, tried)
            if problem is not None:
                raise RangeError(self._told(problem, side))

    def _told(self, problem: Problem, side: Asked) -> Problem:
        return messages.in_ruleset(problem, side.name) if len(self.sides) > 1 else problem

    def demand(self) -> None:
        """Notes what is missing."""
        sample = {
            **self.fixed,
            **{path: parts[0].value(0) for path, parts in self.parts.items() if path not in self.bad},
        }
        told = {each.path for each in self.problems}
        for side in self.sides:
            for problem in _missing(side, {path: sample[path] for path in sample if side.knows(path)}):
                if problem.path not in told | self.bad:
                    told.add(problem.path)
                    self.problems.append(self._told(problem, side))

    def grid(self) -> Grid:
        """The grid itself; a value that is written twice counts once."""
        first = self.sides[0].program
        axes: list[Axis] = []
        for path, parts in self.parts.items():
            field = declared(first, path) or declared(self.sides[-1].program, path)
            assert field is not None
            values = tuple(dict.fromkeys(chain.from_iterable(parts)))
            axes.append(Axis(path, values, field.type.kind not in _UNORDERED))
        return Grid(tuple(axes), self.fixed)


def _ends(part: Series) -> Iterator[Value]:
    """All values of a short series, else its ends."""
    return iter(part) if part.count <= _SHORT else iter((part.value(0), part.value(part.count - 1)))


def _missing(side: Asked, sample: Mapping[str, object]) -> Iterator[Problem]:
    reads: frozenset[Read] = side.reads
    try:
        checked(side.program, sample, reads, side.rules.chosen_options)
    except FactsError as error:
        yield from (each for each in error.problems if each.code == "missing-fact")
