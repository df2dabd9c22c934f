"""From the bytes of a file to its text: strict UTF-8, lines that end with a line feed, no character that hides.

Offsets, and so all spans, count characters of the text with a byte order mark taken off and `\\r\\n` made `\\n`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from .characters import CONTROL_CHARACTER, LINE_SEPARATOR, REFUSED
from .diagnostics import Diagnostic
from .limits import Limits
from .messages import load as messages
from .source import SourceFile, Span

_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def decode(
    name: str, data: bytes, limits: Limits, layer: str = "", is_shown: bool = True, inner: str = ""
) -> tuple[SourceFile | None, list[Diagnostic]]:
    """The file, or None where its bytes or characters cannot be trusted, and what is wrong with them."""
    if len(data) > limits.file_bytes:
        span = Span(SourceFile(name, "", layer, is_shown), 0, 0)
        return None, [messages.file_too_large(span, limits.file_bytes, len(data))]
    encoding = _other_encoding(data)
    if encoding:
        span = Span(SourceFile(name, "", layer, is_shown), 0, 0)
        return None, [messages.wrong_encoding(span, encoding)]
    try:
        text = _lines(data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        return None, [_not_utf8(name, data, problem.start, layer, is_shown)]
    file = SourceFile(name, text, layer, is_shown, inner)
    oversize = _oversize(file, limits)
    if oversize:
        return None, [oversize]
    found = list(islice(_refused(file), limits.errors_per_file + 1))
    is_text = not CONTROL_CHARACTER.search(text) and not LINE_SEPARATOR.search(text)
    return (file if is_text else None), found


def _other_encoding(data: bytes) -> str:
    """The name of the encoding that the first bytes show, if it is none that begins like UTF-8."""
    found = next((encoding for mark, encoding in _MARKS.items() if data.startswith(mark)), "")
    # Without a mark, every second byte of UTF-16 is zero where the text is Latin.
    zeros = [byte == 0 for byte in data[:4]]
    return found or ("UTF-16" if zeros in ([True, False] * 2, [False, True] * 2) else "")


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _not_utf8(name: str, data: bytes, at: int, layer: str, is_shown: bool) -> Diagnostic:
    file = SourceFile(name, _lines(data.decode("utf-8", "replace")), layer, is_shown)
    start = len(_lines(data[:at].decode("utf-8")))
    return messages.not_utf8(Span(file, start, start + 1), data[at])


def _oversize(file: SourceFile, limits: Limits) -> Diagnostic | None:
    starts = file.line_starts
    end = len(file.text)
    lines = len(starts) - (starts[-1] == end)
    if lines > limits.lines:
        return messages.too_many_lines(Span(file, starts[limits.lines], starts[limits.lines]), limits.lines)
    for start, after in pairwise([*starts, end + 1]):
        if after - start - 1 > limits.columns:
            return messages.line_too_long(Span(file, start + limits.columns, after - 1), limits.columns)
    return None


def _refused(file: SourceFile) -> Iterator[Diagnostic]:
    for each in REFUSED.finditer(file.text):
        found = messages.refused_character(each[0], Span(file, each.start(), each.end()))
        if found:
            yield found
