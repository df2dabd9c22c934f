"""A picture as SVG: plain shapes in whole pixels, each cell and point with its value in words.

The colours of maps run from dark to light, so that they are told apart in grey and by people who see colours otherwise;
curves differ in dashes and marks too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from .characters import visible
from .messages import sweep as messages
from .palette import colour, is_dark
from .picture import FULL, Curves, ticks_of

if TYPE_CHECKING:
    from .palette import Colour
    from .picture import HeatMap, Picture, Scale, Side
    from .swept import Cell

_LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#3a8fc8", "#000000")
_DASHES = ("", "8 4", "2 3", "10 3 2 3", "4 4", "12 4", "1 2")
_LETTER, _LINE, _LABELLED, _EDGED = 7, 16, 2_500, 12
_WIDE, _HIGH = 640, 360


def svg(picture: Picture) -> str:
    """The whole file."""
    return _curves(picture) if isinstance(picture, Curves) else _heat_map(picture)


def _hex(found: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*found)


def _safe(text: str) -> str:
    return escape(visible(text))


def _text(x: int, y: int, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}"{f" {more}" if more else ""}>{_safe(text)}</text>'


def _file(width: int, height: int, title: str, description: str, body: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="12" fill="#1a1a1a">'
    )
    named = f'<title id="title">{_safe(title)}</title>\n<desc id="desc">{_safe(description)}</desc>'
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, named, ground, *body, "</svg>"]) + "\n"


def _heading(picture: Picture) -> Iterator[str]:
    yield _text(16, 26, picture.title, 'font-size="16" font-weight="bold"')
    if picture.fixed:
        yield _text(16, 44, picture.fixed, 'fill="#555555"')


def _longest(texts: Sequence[str]) -> int:
    return max(map(len, texts), default=0) * _LETTER


def _described(picture: Picture, kind: str, down: str) -> str:
    scale = picture.scale
    steps = scale.steps()
    return messages.description(kind, picture.across.name, down, steps[0][1], steps[-1][1])


def _heat_map(picture: HeatMap) -> str:
    columns, rows = len(picture.across.values), len(picture.down.values)
    longest = max(len(picture.scale.text(each)) for _, panel in picture.panels for row in panel for each in row)
    wide = max(4, min(max(34, longest * _LETTER + 8), 1_200 // columns))
    high = max(4, min(24, 1_000 // rows))
    left, top = _longest(picture.down.values) + 34, 64
    slants = _longest(picture.across.values) + 4 > wide and not _is_numeric(picture.across)
    below = (_longest(picture.across.values) * 3 // 4 + 12 if slants else 20) + 24
    names = max(len(name) for name, _ in picture.panels) * (_LETTER + 2)
    each_wide, each_high = left + max(columns * wide, names) + 24, high * rows + below + 30
    a_row = max(1, min(len(picture.panels), 1_400 // each_wide))
    body = [*_heading(picture)]
    for nth, (name, cells) in enumerate(picture.panels):
        x, y = nth % a_row * each_wide + left, top + nth // a_row * each_high + 20
        body += _panel(picture, name, cells, (x, y, wide, high), slants)
    bottom = top + -(-len(picture.panels) // a_row) * each_high + 4
    body += _legend(picture.scale, left, bottom)
    width = max(a_row * each_wide, left + 5 * 90, len(picture.title) * 9 + 40, len(picture.fixed) * _LETTER + 40)
    return _file(
        width, bottom + 56, picture.title, _described(picture, messages.HEAT_MAP, picture.down.name), body
    )  # fmt: skip


def _is_numeric(side: Side) -> bool:
    return all(each.lstrip("-+").isdigit() for each in side.values)


def _panel(
    picture: HeatMap, name: str, cells: Sequence[Sequence[Cell]], at: tuple[int, int, int, int], slants: bool
) -> Iterator[str]:
    x, y, wide, high = at
    width, height = len(picture.across.values) * wide, len(picture.down.values) * high
    yield "<g>"
    if name:
        yield _text(x, y - 8, name, 'font-weight="bold"')
    has_labels = wide >= 24 and high >= 14 and len(cells) * len(cells[0]) <= _LABELLED
    for down, row in enumerate(cells):
        for across, value in enumerate(row):
            yield _cell(picture, (down, across), value, (x + across * wide, y + down * high, wide, high), has_labels)
    yield from _side_down(picture.down, x, y, high)
    yield from _side_across(picture.across, x, y + height, wide, slants)
    yield _text(x + width // 2, _under(picture.across, y + height, slants), picture.across.name, _MIDDLE)
    if picture.down.name:
        middle, beside = y + height // 2, x - _longest(picture.down.values) - 18
        yield _text(beside, middle, picture.down.name, f'{_MIDDLE} transform="rotate(-90 {beside} {middle})"')
    yield "</g>"


_MIDDLE = 'text-anchor="middle"'


def _under(side: Side, y: int, slants: bool) -> int:
    return y + (_longest(side.values) * 3 // 4 + 12 if slants else 20) + 14


def _cell(
    picture: HeatMap, at: tuple[int, int], value: Cell, box: tuple[int, int, int, int], has_label: bool
) -> str:  # fmt: skip
    x, y, wide, high = box
    down, across = picture.down, picture.across
    where = [f"{side.name} {side.values[nth]}" for side, nth in ((down, at[0]), (across, at[1])) if side.name]
    told = f"<title>{_safe(', '.join(where) + ': ' + picture.scale.full(value))}</title>"
    edge = ' stroke="#ffffff"' if min(wide, high) >= _EDGED else ""
    shape = f'class="cell" x="{x}" y="{y}" width="{wide}" height="{high}"'
    if value is None:
        return f'<rect {shape} fill="#ffffff" stroke="#bbbbbb" stroke-dasharray="2 2">{told}</rect>'
    found = colour(picture.scale, picture.scale.level(value))
    drawn = f'<rect {shape} fill="{_hex(found)}"{edge}>{told}</rect>'
    if not has_label:
        return drawn
    ink = "#ffffff" if is_dark(found) else "#000000"
    label = _text(
        x + wide // 2, y + high // 2 + 4, picture.scale.text(value), f'{_MIDDLE} font-size="11" fill="{ink}"'
    )  # fmt: skip
    return drawn + label


def _side_down(side: Side, x: int, y: int, high: int) -> Iterator[str]:
    every = max(1, -(-13 // high))
    for nth in range(0, len(side.values), every):
        yield _text(x - 6, y + nth * high + high // 2 + 4, side.values[nth], 'text-anchor="end"')


def _side_across(side: Side, x: int, y: int, wide: int, slants: bool) -> Iterator[str]:
    every = max(1, -(-(14 if slants else _longest(side.values) + 6) // wide))
    for nth in range(0, len(side.values), every):
        middle = x + nth * wide + wide // 2
        turn = f'text-anchor="end" transform="rotate(-45 {middle} {y + 14})"' if slants else _MIDDLE
        yield _text(middle, y + 14, side.values[nth], turn)


def _legend(scale: Scale, x: int, y: int) -> Iterator[str]:
    steps = scale.steps()
    apart = max(80, _longest([label for _, label in steps]) + 34)
    for nth, (level, label) in enumerate(steps):
        yield f'<rect x="{x + nth * apart}" y="{y}" width="20" height="14" fill="{_hex(colour(scale, level))}"/>'
        yield _text(x + nth * apart + 26, y + 12, label)


def _curves(picture: Curves) -> str:
    ticks = ticks_of(picture.scale)
    left, top = _longest([label for _, label in ticks]) + 30, 64
    right = left + _WIDE + _longest([name for name, _ in picture.lines]) + 40
    xs = [left + place * _WIDE // (max(picture.places) or 1) for place in picture.places]
    body = [*_heading(picture)]
    for value, label in ticks:
        level = _height(picture.scale, value, top)
        body.append(f'<line x1="{left}" y1="{level}" x2="{left + _WIDE}" y2="{level}" stroke="#dddddd"/>')
        body.append(_text(left - 8, level + 4, label, 'text-anchor="end"'))
    body += _marks_across(picture.across, xs, top + _HIGH + 22)
    slants = not _is_numeric(picture.across) and _longest(picture.across.values) > _WIDE // len(xs)
    foot = _longest(picture.across.values) * 3 // 4 if slants else 0
    body.append(_text(left + _WIDE // 2, top + _HIGH + 46 + foot, picture.across.name, _MIDDLE))
    labels = _apart([_last(picture.scale, values, top) for _, values in picture.lines])
    for nth, ((name, values), y) in enumerate(zip(picture.lines, labels, strict=True)):
        body += _curve(picture, nth, xs, values, top)
        body.append(_text(left + _WIDE + 14, y + 4, name, f'fill="{_LINES[nth % len(_LINES)]}"'))
    width = max(right, len(picture.title) * 9 + 40, len(picture.fixed) * _LETTER + 40)
    return _file(
        width, top + _HIGH + 64 + foot, picture.title, _described(picture, messages.CURVES, ""), body
    )  # fmt: skip


def _height(scale: Scale, value: Cell, top: int) -> int:
    return top + _HIGH - scale.level(value) * _HIGH // FULL


def _last(scale: Scale, values: Sequence[Cell], top: int) -> int:
    known = [each for each in values if each is not None]
    return _height(scale, known[-1], top) if known else top


def _apart(heights: Sequence[int]) -> list[int]:
    """The same heights, so far apart that texts at them can be read."""
    found = list(heights)
    order = sorted(range(len(found)), key=lambda at: found[at])
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + _LINE)
    return found


def _marks_across(side: Side, xs: Sequence[int], y: int) -> Iterator[str]:
    wide = _WIDE // max(1, len(xs))
    slants = not _is_numeric(side) and _longest(side.values) > wide
    every = max(1, -(-(14 if slants else _longest(side.values) + 6) // max(1, wide)))
    for nth in range(0, len(xs), every):
        turn = f'text-anchor="end" transform="rotate(-45 {xs[nth]} {y})"' if slants else _MIDDLE
        yield _text(xs[nth], y, side.values[nth], turn)


def _curve(picture: Curves, nth: int, xs: Sequence[int], values: Sequence[Cell], top: int) -> Iterator[str]:
    ink, dash = _LINES[nth % len(_LINES)], _DASHES[nth % len(_DASHES)]
    runs: list[list[str]] = [[]]
    for x, value in zip(xs, values, strict=True):
        if value is None:
            runs.append([])
        else:
            runs[-1].append(f"{x},{_height(picture.scale, value, top)}")
    name = picture.lines[nth][0]
    yield "<g>"
    for run in runs if picture.joins else ():
        if len(run) > 1:
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            yield f'<polyline points="{" ".join(run)}" fill="none" stroke="{ink}" stroke-width="2"{dashed}/>'
    for x, where, value in zip(xs, picture.across.values, values, strict=True):
        if value is not None:
            told = _safe(f"{name}, {picture.across.name} {where}: {picture.scale.full(value)}")
            mark = _mark(nth, x, _height(picture.scale, value, top))
            yield f'<path class="point" d="{mark}" fill="{ink}"><title>{told}</title></path>'
    yield "</g>"


def _mark(nth: int, x: int, y: int) -> str:
    """A square, a triangle, a diamond or a cross, by turns."""
    return (
        f"M{x - 3} {y - 3}h6v6h-6z",
        f"M{x} {y - 5}l5 8h-10z",
        f"M{x} {y - 5}l5 5l-5 5l-5 -5z",
        f"M{x - 1} {y - 5}h2v4h4v2h-4v4h-2v-4h-4v-2h4z",
    )[nth % 4]
