"""A picture in the characters of a terminal: marks over a frame, or cells whose shade and number say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .messages import sweep as messages
from .palette import colour, is_dark
from .picture import FULL, Curves, ticks_of

if TYPE_CHECKING:
    from .palette import Colour
    from .picture import HeatMap, Picture, Side
    from .swept import Cell

Shade: TypeAlias = "Callable[[str, Colour, bool], str]"
"""A text on a colour, in white ink or black."""
_HEIGHT = 21
"""Lines of curves: one for each twentieth, the steps of the die that is rolled most."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """How wide the terminal is, whether it shows more than ASCII, and how it is coloured, if at all."""

    width: int
    is_plain: bool
    shade: Shade | None = None

    @property
    def shades(self) -> str:
        """Characters from light to dark; high values are dark, as ink is."""
        return " .:+#" if self.is_plain else " ░▒▓█"

    @property
    def marks(self) -> str:
        """What points of the first, second, ... curve look like."""
        return "ox+*#@%" if self.is_plain else "●▲◆■○△◇"


def drawn(picture: Picture, canvas: Canvas) -> str:
    """The picture as lines. WrongUse where the terminal has no room for it."""
    lines = _curves(picture, canvas) if isinstance(picture, Curves) else _heat_map(picture, canvas)
    return "\n".join(line.rstrip() for line in [*filter(None, (picture.title, picture.fixed)), "", *lines])


def _curves(picture: Curves, canvas: Canvas) -> Iterator[str]:
    ticks = {_row(picture, value): label for value, label in ticks_of(picture.scale)}
    left = max(map(len, ticks.values())) + 2
    room = max(10, canvas.width - left - 1)
    last = max(picture.places)
    spread = max(1, min(6, (room - 1) // (last or 1)))
    columns = [place * spread if last * spread < room else place * (room - 1) // last for place in picture.places]
    field = [[" "] * (columns[-1] + 1) for _ in range(_HEIGHT)]
    # What is named first is drawn last, so that it shows where lines meet.
    for mark, (_, values) in reversed([*zip(canvas.marks * len(picture.lines), picture.lines, strict=False)]):
        for column, value in zip(columns, values, strict=True):
            if value is not None:
                field[_row(picture, value)][column] = mark
    bar = "|" if canvas.is_plain else "│"
    for row in range(_HEIGHT):
        yield f"{ticks.get(row, ''):>{left - 1}}{bar}{''.join(field[row])}"
    corner, line = ("+", "-") if canvas.is_plain else ("└", "─")
    yield " " * (left - 1) + corner + line * (columns[-1] + 1)
    yield " " * left + _labels(picture.across, columns, room)
    yield " " * left + picture.across.name
    yield ""
    for mark, (name, _) in zip(canvas.marks * len(picture.lines), picture.lines, strict=False):
        yield f"{mark} {name}"


def _row(picture: Curves, value: Cell) -> int:
    return _HEIGHT - 1 - (picture.scale.level(value) * (_HEIGHT - 1) + FULL // 2) // FULL


def _labels(side: Side, columns: Sequence[int], room: int) -> str:
    """As many labels as fit, each beginning below its column."""
    text = ""
    for column, label in zip(columns, side.values, strict=True):
        if (not text or column > len(text)) and column + len(label) <= room:
            text = text.ljust(column) + label
    return text


def _heat_map(picture: HeatMap, canvas: Canvas) -> Iterator[str]:
    left = max(map(len, picture.down.values)) + 1
    widest = max(len(picture.scale.text(each)) for _, panel in picture.panels for row in panel for each in row)
    labels = max(map(len, picture.across.values))
    wide = max(widest + 1 + (canvas.shade is None), min(labels + 1, 14))
    has_numbers = left + wide * len(picture.across.values) <= canvas.width
    if not has_numbers:
        wide = 1
        if left + len(picture.across.values) > canvas.width:
            raise messages.too_wide(left + len(picture.across.values), canvas.width)
    for name, cells in picture.panels:
        if name:
            yield name
        for label, row in zip(picture.down.values, cells, strict=True):
            yield f"{label:>{left - 1}} " + "".join(_cell(picture, each, wide, has_numbers, canvas) for each in row)
        yield " " * left + _under(picture.across, wide, canvas.width - left)
        yield " " * left + " by ".join(filter(None, (picture.across.name, picture.down.name)))
        yield ""
    yield "  ".join(_cell_of_level(picture, level, canvas) + f" {label}" for level, label in picture.scale.steps())


def _under(side: Side, wide: int, room: int) -> str:
    if max(map(len, side.values)) < wide:
        return "".join(f"{each:>{wide}}" for each in side.values)
    return _labels(side, [nth * wide for nth in range(len(side.values))], room)


def _cell(picture: HeatMap, value: Cell, wide: int, has_number: bool, canvas: Canvas) -> str:
    text = picture.scale.text(value) if has_number else ""
    if value is None:
        return " " * (wide - 1) + "?"
    level = picture.scale.level(value)
    if canvas.shade is not None:
        found = colour(picture.scale, level)
        return canvas.shade(f"{text:>{wide}}", found, is_dark(found))
    return f"{text:>{wide - 1}}{_character(picture, level, canvas)}"


def _character(picture: HeatMap, level: int, canvas: Canvas) -> str:
    if picture.scale.diverges:
        # What is far from zero is dark; its sign stands beside it.
        level = abs(2 * level - FULL)
    return canvas.shades[min(level * len(canvas.shades) // FULL, len(canvas.shades) - 1)]


def _cell_of_level(picture: HeatMap, level: int, canvas: Canvas) -> str:
    if canvas.shade is not None:
        found = colour(picture.scale, level)
        return canvas.shade("  ", found, is_dark(found))
    return f"[{_character(picture, level, canvas)}]"
