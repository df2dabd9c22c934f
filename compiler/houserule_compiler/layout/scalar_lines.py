"""The further lines of a scalar that is written in several: their indentation, which is none of its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..document import Scalar
from ..text_edits import TextEdit

_LINE = re.compile(r"([ \t]*)([^\n]*)")


def further_lines(scalar: Scalar, column: int) -> Iterator[TextEdit]:
    """The edits that let the lines below the first begin in the column; how they stand to each other stays."""
    if "\n" not in scalar.span.text:
        return
    if scalar.style in ("literal", "folded"):
        yield from _block(scalar, column)
        return
    lines = list(_lines(scalar))
    least = min((len(each[1]) for each in lines if each[2]), default=0)
    for each in lines:
        lead = column + len(each[1]) - least if each[2] else 0
        yield TextEdit(each.start(1), each.end(1), " " * lead)


def _lines(scalar: Scalar) -> Iterator[re.Match[str]]:
    text = scalar.span.file.text
    at = text.find("\n", scalar.span.start, scalar.span.end)
    while at >= 0:
        found = _LINE.match(text, at + 1, scalar.span.end)
        assert found is not None
        yield found
        at = text.find("\n", at + 1, scalar.span.end)


def _block(scalar: Scalar, column: int) -> Iterator[TextEdit]:
    old = _indentation(scalar)
    is_given = any(each.isdigit() for each in _header(scalar))
    has_text = is_given
    for each in _lines(scalar):
        is_blank = not each[2] and (len(each[1]) <= old or not has_text)
        has_text = has_text or bool(each[2])
        if is_blank:
            yield TextEdit(each.start(1), each.end(1), "")
        else:
            yield TextEdit(each.start(1), each.start(1) + old, " " * column)


def _indentation(scalar: Scalar) -> int:
    """In which column the text of a block began."""
    text = scalar.span.file.text
    first = next((each for each in scalar.offsets or () if text[each : each + 1] not in ("\n", "")), scalar.span.start)
    return first - text.rfind("\n", 0, first) - 1


def _header(scalar: Scalar) -> str:
    """What stands beside `|` or `>`."""
    return scalar.span.text.partition("\n")[0].partition("#")[0]


def keeps_breaks(scalar: Scalar | None) -> bool:
    """Whether the blank lines below it are a part of its text."""
    return scalar is not None and "+" in _header(scalar)


def needs_break(scalar: Scalar | None, tail: str) -> bool:
    """Whether a line break behind it, where there is none, would become a part of its text."""
    return scalar is not None and "-" not in _header(scalar) and "\n" not in tail
