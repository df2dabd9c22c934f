"""The lines of source that a diagnostic shows, with its labels underlined.

A line is first laid out as cells, one for each of its characters; a tab is four columns wide, a wide character two, a
refused character is its escape. All that follows counts columns of cells, so underlines stand where the eye sees them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from .characters import REFUSED, columns, visible
from .diagnostics import Label

TAB = "    "
WIDTH = 120
ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Mark:
    """A label on one line: the columns that it underlines, from 0, and what it says."""

    start: int
    end: int
    text: str
    is_primary: bool


def excerpt(labels: list[Label], primary: Label, paint: Callable[[str, str], str]) -> list[str]:
    """The lines of one file that `labels` touch, each with its underlines; `...` where lines are left out."""
    by_line: dict[int, list[Label]] = {}
    for each in labels:
        by_line.setdefault(each.span.line, []).append(each)
    margin = margin_width(labels)
    lines = [" " * margin + " " + paint("frame", "|")]
    before = 0
    for line in sorted(by_line):
        if before and line > before + 1:
            lines.append(paint("frame", ELLIPSIS))
        lines += _line(line, by_line[line], primary, margin, paint)
        before = line
    return lines


def margin_width(labels: list[Label]) -> int:
    """How many columns the line numbers of these labels take."""
    return max(len(str(each.span.line)) for each in labels)


def _line(line: int, labels: list[Label], primary: Label, margin: int, paint: Callable[[str, str], str]) -> list[str]:
    file = labels[0].span.file
    text = file.line_text(line)
    cells = [_cell(each) for each in text]
    ends = [0, *accumulate(width for _, width in cells)]
    start = file.line_starts[line - 1]
    marks = [_mark(each, start, len(text), ends, each is primary) for each in labels]
    shown, marks = _clipped(cells, ends, marks)
    bar = paint("frame", "|")
    lines = [f"{paint('frame', str(line).rjust(margin))} {bar} {shown}".rstrip()]
    return lines + [f"{' ' * margin} {bar} {each}" for each in _underlines(marks, paint)]


def _cell(character: str) -> tuple[str, int]:
    """What is printed for a character of the source, and how many columns that takes."""
    if character == "\t":
        return TAB, len(TAB)
    if REFUSED.match(character):
        shown = visible(character)
        return shown, len(shown)
    return character, columns(character)


def _mark(label: Label, line_start: int, length: int, ends: list[int], is_primary: bool) -> Mark:
    """Where a label stands on the line of its first character; a label of several lines ends with its first."""
    start = min(label.span.start - line_start, length)
    end = min(label.span.end - line_start, length)
    return Mark(ends[start], max(ends[max(start, end)], ends[start] + 1), label.text, is_primary)


def _clipped(cells: list[tuple[str, int]], ends: list[int], marks: list[Mark]) -> tuple[str, list[Mark]]:
    """The part of a line around its marks that fits, and the marks moved along."""
    if ends[-1] <= WIDTH:
        return "".join(shown for shown, _ in cells), marks
    left, right = _window(marks, ends[-1])
    inside = "".join(
        shown for (shown, _), at, end in zip(cells, ends, ends[1:], strict=False) if left <= at and end <= right
    )
    first = next((at for at in ends if at >= left), left)
    lead = ELLIPSIS if left > 0 else ""
    shift = len(lead) - first
    fit = len(lead) + right - first
    moved = [
        Mark(max(each.start + shift, 0), min(max(each.end + shift, 1), fit), each.text, each.is_primary)
        for each in marks
        if left <= each.start <= right
    ]
    return lead + inside + (ELLIPSIS if right < ends[-1] else ""), moved


def _window(marks: list[Mark], width: int) -> tuple[int, int]:
    """The first and last column to show: all marks if they fit, else those near the primary one or the first."""
    start, end = min(each.start for each in marks), max(each.end for each in marks)
    if end - start > WIDTH - 20:
        main = next((each for each in marks if each.is_primary), marks[0])
        start, end = main.start, min(main.end, main.start + WIDTH - 20)
    left = max(0, start - (WIDTH - (end - start)) // 2)
    return (0, WIDTH) if left == 0 else (min(left, max(width - WIDTH, 0)), min(left + WIDTH, width))


def _underlines(marks: list[Mark], paint: Callable[[str, str], str]) -> list[str]:
    """The underlines of a line, the rightmost label's text beside its own, the others' below, right to left."""
    ordered = sorted(marks, key=lambda each: (each.start, each.end, not each.is_primary))
    line, at = "", 0
    for each in ordered:
        if each.end <= at:
            continue
        begin = max(each.start, at)
        line += " " * (begin - at) + paint(_kind(each), ("^" if each.is_primary else "-") * (each.end - begin))
        at = each.end
    last = ordered[-1]
    lines = [f"{line} {paint(_kind(last), visible(last.text))}" if last.text else line]
    below = [each for each in reversed(ordered[:-1]) if each.text]
    return lines + [" " * each.start + paint(_kind(each), visible(each.text)) for each in below]


def _kind(mark: Mark) -> str:
    return "primary" if mark.is_primary else "secondary"
