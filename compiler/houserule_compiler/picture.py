"""A sweep as something that can be drawn: curves over one fact, a heat map over two, one for each value of a third."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from houserule.values import UNKNOWN, text_of

from .characters import visible
from .messages import sweep as messages
from .percent import decimal
from .swept import DIFFERENCE, OVERALL, columns

if TYPE_CHECKING:
    from .asked import Asked
    from .grid import Axis, Grid
    from .ranges import Value
    from .swept import Cell, Column, Measure, Swept

CELLS = 20_000
"""More than so many cells in one picture are more than anybody can look at."""
FULL = 1_000
"""The level of the highest value; that of the lowest is 0."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Which level from 0 to `FULL` a value has. One that `diverges` has its zero in the middle."""

    measure: Measure
    low: Fraction
    high: Fraction
    diverges: bool
    words: tuple[str, ...] = ()

    def level(self, value: Cell) -> int:
        """The level of a value, to the nearest."""
        span = self.high - self.low
        return int((self._number(value) - self.low) * FULL / span + Fraction(1, 2)) if span else FULL // 2

    def _number(self, value: Cell) -> Fraction:
        return Fraction(self.words.index(value) if isinstance(value, str) else value or 0)

    def text(self, value: Cell, places: int = 0) -> str:
        """A value in few characters: whole percent, or a decimal."""
        if value is None or isinstance(value, str):
            return value or ""
        sign = "+" if self.diverges and value > 0 else ""
        return sign + (decimal(value * 100, places) if self.measure == "chance" else decimal(value, max(places, 2)))

    def full(self, value: Cell) -> str:
        """A value as it is told of one cell."""
        if value is None:
            return messages.EMPTY
        return f"{self.text(value, 2)}%" if self.measure == "chance" else self.text(value, 2)

    def at(self, level: int) -> Cell:
        """The value that has a level."""
        if self.words:
            return self.words[level * (len(self.words) - 1) // FULL]
        return self.low + (self.high - self.low) * level / FULL

    def steps(self) -> list[tuple[int, str]]:
        """A few levels with what they stand for, from the lowest to the highest."""
        if self.words:
            return [(self.level(word), word) for word in self.words]
        levels = [0, 250, 500, 750, FULL] if self.high > self.low else [FULL // 2]
        return [(level, self.full(self.at(level))) for level in levels]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a picture: the fact along it, with its values as text."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over the values of one fact; `places` are where those stand, evenly or at their distances."""

    title: str
    fixed: str
    across: Side
    places: tuple[int, ...]
    joins: bool
    scale: Scale
    lines: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Panels of the same two sides, each with its name (or none) and the values of its cells, row by row."""

    title: str
    fixed: str
    across: Side
    down: Side
    scale: Scale
    panels: tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...]


Picture: TypeAlias = Curves | HeatMap


def drawable(sides: Sequence[Asked], grid: Grid) -> None:
    """WrongUse if no picture can be made of what would be found."""
    varying = [each.path for each in grid.axes]
    if not varying:
        raise messages.nothing_varies()
    if len(varying) > 3:
        raise messages.too_many_facts(varying)
    drawn = _drawn(sides, grid)
    if len(varying) == 3 and len({each.of for each in drawn}) > 1:
        raise messages.one_outcome(sides[0].outcomes)
    if grid.count * len(drawn) > CELLS:
        raise messages.too_large_picture(grid.count * len(drawn), CELLS)


def picture(found: Swept) -> Picture:
    """The picture of a sweep. WrongUse where `drawable` would say so."""
    drawable(found.sides, found.grid)
    drawn = [found.columns.index(each) for each in _drawn(found.sides, found.grid)]
    scale = _scale(found, drawn)
    is_curve = len(found.grid.axes) == 1 and found.columns[0].measure != "word"
    return _curves(found, drawn, scale) if is_curve else _heat_map(found, drawn, scale)


def _drawn(sides: Sequence[Asked], grid: Grid) -> list[Column]:
    """The columns that are drawn: of two rulesets both lines, but a map of the difference; of two outcomes one map.

    Of a value whose mean is asked it is the mean overall.
    """
    found = columns(sides)
    if sides[0].of:
        found = tuple(each for each in found if each.of == OVERALL)
    is_map = len(grid.axes) > 1
    if len(sides) > 1 and found[0].measure != "word":
        found = tuple(each for each in found if (each.side == DIFFERENCE) == is_map)
    outcomes = list(dict.fromkeys(each.of for each in found))
    is_told_by_first = is_map and len(outcomes) == 2
    return [each for each in found if not is_told_by_first or each.of == outcomes[0]]


def _scale(found: Swept, drawn: Sequence[int]) -> Scale:
    measure = found.columns[drawn[0]].measure
    values = [row[at] for row in found.rows for at in drawn if row[at] is not None]
    if measure == "word":
        words = [each for each in found.sides[0].outcomes if each in values]
        words += sorted({str(each) for each in values} - set(words))
        return Scale(measure, Fraction(0), Fraction(len(words) - 1), False, tuple(words))
    numbers = [Fraction(each) for each in values if each is not None]
    low, high = min(numbers), max(numbers)
    if found.columns[drawn[0]].side == DIFFERENCE:
        most = max(abs(low), abs(high))
        return Scale(measure, -most, most, True)
    # Heights are compared with none and all, shades with each other.
    is_whole = measure == "chance" and len(found.grid.axes) == 1
    return Scale(measure, Fraction(0), Fraction(1), False) if is_whole else Scale(measure, low, high, False)


def _side(axis: Axis) -> Side:
    return Side(axis.path, tuple(_text(each) for each in axis.values))


def _title(found: Swept, drawn: Sequence[int]) -> str:
    first, of = found.sides[0], {found.columns[at].of for at in drawn}
    title = first.id
    if first.of:
        title = messages.mean_of(first.of, first.id)
    elif found.columns[0].measure == "chance":
        title = messages.chance_of(next(iter(of)), first.id) if len(of) == 1 else messages.chances_of(first.id)
    names = [each.name for each in found.sides]
    if len(names) == 1:
        return title
    is_difference = found.columns[drawn[0]].side == DIFFERENCE
    return messages.between(title, *names) if is_difference else messages.beside(title, *names)


def _fixed(grid: Grid) -> str:
    told = [f"{path} {_text(value)}" for path, value in grid.fixed.items()]
    return f"{messages.FIXED} {', '.join(told)}" if told else ""


def _text(value: object) -> str:
    """A value of a fact as it may stand in a picture; one from a file may be a list."""
    return visible(text_of(tuple(value) if isinstance(value, list) else value))  # type: ignore[arg-type]


def _curves(found: Swept, drawn: Sequence[int], scale: Scale) -> Curves:
    axis = found.grid.axes[0]
    lines = tuple((_line_name(found, at), tuple(row[at] for row in found.rows)) for at in drawn)
    places = _places(axis.values)
    title, fixed = _title(found, drawn), _fixed(found.grid)
    return Curves(title, fixed, _side(axis), places, axis.is_scale, scale, lines)


def _line_name(found: Swept, at: int) -> str:
    column = found.columns[at]
    return column.side if column.side and found.sides[0].kind == "number" else column.name


def _places(values: Sequence[Value]) -> tuple[int, ...]:
    """Whole numbers stand at their distances, in the order in which they were asked for; all else stands evenly."""
    numbers = [each for each in values if isinstance(each, int) and not isinstance(each, bool)]
    if len(numbers) < len(values) or UNKNOWN in values:
        return tuple(range(len(values)))
    rises = numbers == sorted(numbers)
    if not rises and numbers != sorted(numbers, reverse=True):
        return tuple(range(len(values)))
    return tuple(each - numbers[0] if rises else numbers[0] - each for each in numbers)


def _heat_map(found: Swept, drawn: Sequence[int], scale: Scale) -> HeatMap:
    axes = found.grid.axes
    width, height = len(axes[-1].values), len(axes[-2].values) if len(axes) > 1 else 1
    down = _side(axes[-2]) if len(axes) > 1 else Side("", ("",))
    panels: list[tuple[str, tuple[tuple[Cell, ...], ...]]] = []
    for at in drawn:
        cells = [row[at] for row in found.rows]
        for start in range(0, len(cells), width * height):
            name = _panel_name(found, at, start // (width * height), len(drawn))
            rows = (cells[begin : begin + width] for begin in range(start, start + width * height, width))
            panels.append((name, tuple(map(tuple, rows))))
    return HeatMap(_title(found, drawn), _fixed(found.grid), _side(axes[-1]), down, scale, tuple(panels))


def _panel_name(found: Swept, at: int, nth: int, drawn: int) -> str:
    column = found.columns[at]
    name = "" if drawn == 1 else column.side if column.measure == "word" else column.of
    if len(found.grid.axes) < 3:
        return name
    axis = found.grid.axes[0]
    return ", ".join(filter(None, (name, f"{axis.path} {_text(axis.values[nth])}")))


def ticks_of(scale: Scale) -> list[tuple[Fraction, str]]:
    """Round values up a side, with their texts: every quarter of a chance, else some 1, 2 or 5 of a power of ten."""
    if scale.measure == "chance":
        return [(Fraction(nth, 4), f"{nth * 25}%") for nth in range(5)]
    step, span = Fraction(1), scale.high - scale.low
    for factor in (Fraction(2), Fraction(5, 2), Fraction(2)) * 6:
        if span / step <= 10:
            break
        step *= factor
    first = -(-scale.low // step)
    found = [step * nth for nth in range(int(first), int(scale.high // step) + 1)]
    return [(each, scale.text(each)) for each in found] or [(scale.low, scale.text(scale.low))]
