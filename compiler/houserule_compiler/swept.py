"""The answers of a whole grid as columns: of one ruleset, or of two with their difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from houserule.errors import HouseruleError, ProblemsError

from .asked import Unanswered
from .means import Mean

if TYPE_CHECKING:
    from .asked import Answer, Asked
    from .grid import Grid

Measure: TypeAlias = Literal["whole", "fraction", "chance", "word"]
Cell: TypeAlias = "int | Fraction | str | None"
"""What stands in a column; None where there is no answer."""
Track: TypeAlias = Callable[[Iterator["tuple[Answer, ...]"], int], Iterable["tuple[Answer, ...]"]]
"""Passes the answers of so many cells on, and may show how far it is."""
DIFFERENCE = "difference"
OVERALL = "overall"
MEANS = ("given", "mean", OVERALL)
"""Of a value: the chance that it is given, its mean where it is, and its mean where all else counts as nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """What one column holds: of which number or outcome, of which ruleset of two (or the difference), how measured."""

    of: str
    side: str
    measure: Measure

    @property
    def name(self) -> str:
        """Its name at the head of a table."""
        return f"{self.of}.{self.side}" if self.side else self.of


@dataclass(frozen=True, slots=True)
class Swept:
    """All answers: `rows` has a cell for each column, in the order of the grid. `empty` are the cells without one."""

    sides: tuple[Asked, ...]
    grid: Grid
    columns: tuple[Column, ...]
    rows: list[tuple[Cell, ...]]
    empty: int
    reason: str


def swept(sides: Sequence[Asked], grid: Grid, track: Track) -> Swept:
    """The answers of one or two rulesets in each cell of a grid.

    Raises the error of the first cell if not one has an answer.
    """
    heads, measured = columns(sides), _measured(sides)
    rows: list[tuple[Cell, ...]] = []
    reasons: list[Unanswered] = []
    empty = 0
    for found in track(zip(*(each.answers(grid) for each in sides), strict=True), grid.count):
        missing = [each for each in found if isinstance(each, Unanswered)]
        empty += bool(missing)
        reasons = reasons or missing[:1]
        rows.append(tuple(_cells(sides, measured, found)))
    if reasons and empty == len(rows) and all(cell is None for row in rows for cell in row):
        raise reasons[0].reason
    reason = _told(reasons[0].reason) if reasons else ""
    return Swept(tuple(sides), grid, heads, rows, empty, reason)


def _told(reason: HouseruleError) -> str:
    """The first problem, without what to do about it: a cell of a grid is as it is."""
    return reason.problems[0].message if isinstance(reason, ProblemsError) else str(reason).partition("\n")[0]


def columns(sides: Sequence[Asked]) -> tuple[Column, ...]:
    """The columns that the answers of one or two rulesets have."""
    return tuple(_columns(sides))


def _columns(sides: Sequence[Asked]) -> Iterator[Column]:
    names = [each.name for each in sides] if len(sides) > 1 else [""]
    for of in _measured(sides):
        measure = _measure(sides, of)
        yield from (Column(of, name, measure) for name in names)
        if len(sides) > 1 and measure != "word":
            yield Column(of, DIFFERENCE, measure)


def _measured(sides: Sequence[Asked]) -> list[str]:
    """What is measured in each cell: the number, the outcome that dice give, or the chance of each outcome."""
    if sides[0].kind == "number":
        return [sides[0].id]
    if sides[0].dice is not None:
        return ["outcome"]
    if sides[0].of:
        return list(MEANS)
    return list(dict.fromkeys(outcome for each in sides for outcome in each.outcomes))


def _measure(sides: Sequence[Asked], of: str) -> Measure:
    if sides[0].of:
        return "chance" if of == "given" else "fraction"
    if sides[0].kind == "check":
        return "chance" if sides[0].dice is None else "word"
    types = [each.program.numbers[each.id].type.kind for each in sides]
    return "fraction" if "fraction" in types else "whole"


def _cells(sides: Sequence[Asked], measured: Sequence[str], found: Sequence[Answer]) -> Iterator[Cell]:
    """The cells of one row."""
    for of in measured:
        values = [_cell(side, answer, of) for side, answer in zip(sides, found, strict=True)]
        yield from values
        if len(sides) > 1 and sides[0].dice is None:
            yield _difference(*values)


def _difference(one: Cell, other: Cell) -> Cell:
    if one is None or other is None or isinstance(one, str) or isinstance(other, str):
        return None
    return one - other


def _cell(side: Asked, answer: Answer, of: str) -> Cell:
    if isinstance(answer, Unanswered):
        return None
    if isinstance(answer, Mean):
        mean = Fraction(0) if answer.mean is None else answer.mean
        return {"given": answer.given, "mean": answer.mean, OVERALL: answer.given * mean}[of]
    if isinstance(answer, tuple):
        return answer[side.outcomes.index(of)] if of in side.outcomes else None
    return answer
