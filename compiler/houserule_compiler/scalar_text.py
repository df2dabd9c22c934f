"""From the source to a scalar: its text, and for each character of it the place that it comes from.

One reader for each of YAML's styles, all linear in the length of the source. Text and offsets are built together, so
they cannot disagree. Line folding follows YAML 1.2: one line break between two lines is a space, n of them are n - 1
line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .diagnostics import Diagnostic
from .document import Scalar, Style
from .messages import load as messages
from .messages import structure
from .source import SourceFile, Span

Report = Callable[[Diagnostic], None]

# A colon ends plain text only before white space; so does `#` after white space. In flow style, brackets and commas do.
_WORD = r"(?:[^ \t\n:]++|:(?![ \t\n]|\Z))++"
_FLOW_WORD = r"(?:[^ \t\n:,\[\]{}]++|:(?![ \t\n]|\Z))++"
_BLOCK_LINE = re.compile(rf"{_WORD}(?:[ \t]++(?!#){_WORD})*+")
_FLOW_LINE = re.compile(rf"{_FLOW_WORD}(?:[ \t]++(?!#){_FLOW_WORD})*+")
_GAP = re.compile(r"[ \t]*+\n[ \t\n]*+")
_SEPARATOR = re.compile(r"(?:---|\.\.\.)(?=[ \t\n]|\Z)")
_SEPARATOR_LINE = re.compile(r"\n(?:---|\.\.\.)(?=[ \t\n]|\Z)")

_SINGLE = re.compile(r"'[^']*+(?:''[^']*+)*+'")
_DOUBLE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SINGLE_PART = re.compile(r"(?P<gap>[ \t]*+\n[ \t\n]*+)|(?P<quote>'')|(?P<text>[ \t]++|[^ \t\n']++)")
_DOUBLE_PART = re.compile(
    r"(?P<gap>[ \t]*+\n[ \t\n]*+)|(?P<break>\\[\n][ \t\n]*+)"
    r"|(?P<code>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))|(?P<escape>\\.)|(?P<text>[ \t]++|[^ \t\n\\]++)"
)
_ESCAPES = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))
_HEADER = re.compile(r"[|>](?:(?P<chomp>[+-])(?P<indent>[1-9])?|(?P<indent_>[1-9])(?P<chomp_>[+-])?)?[ \t]*+")
_ROW = re.compile(r"( *+)([^\n]*+)(\n?)")


class Unreadable(Exception):
    """The structure of the file ends here, for the reason that the diagnostic gives."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.headline)
        self.diagnostic = diagnostic


@dataclass(slots=True)
class _Builder:
    """The text of a scalar as it grows, in parallel with the offset of each of its characters."""

    pieces: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)

    def copy(self, source: str, start: int, end: int) -> None:
        """Adds `source[start:end]` as it stands."""
        self.pieces.append(source[start:end])
        self.offsets.extend(range(start, end))

    def put(self, character: str, offset: int) -> None:
        """Adds one character that comes from `offset`."""
        self.pieces.append(character)
        self.offsets.append(offset)

    def breaks(self, offsets: Iterable[int]) -> None:
        """Adds a line break for each offset."""
        for each in offsets:
            self.put("\n", each)

    def fold(self, source: str, start: int, end: int) -> None:
        """Adds the line breaks in `source[start:end]`, folded."""
        at = source.find("\n", start, end)
        if "\n" not in source[at + 1 : end]:
            self.put(" ", at)
        else:
            self.breaks(_line_breaks(source, at + 1, end))

    def scalar(self, style: Style, span: Span, first: int, end: int) -> Scalar:
        """The scalar that was built, whose text ends at offset `end`."""
        return Scalar("".join(self.pieces), style, span, first, (*self.offsets, end))


def _line_breaks(source: str, start: int, end: int) -> list[int]:
    return [at for at in range(start, end) if source[at] == "\n"]


def plain(file: SourceFile, start: int, indent: int, in_flow: bool) -> Scalar:
    """The unquoted text that begins at `start`; in block style its further lines are indented by `indent` or more."""
    source, line = file.text, _FLOW_LINE if in_flow else _BLOCK_LINE
    pieces = []
    found = line.match(source, start)
    if found and source[found.end() : found.end() + 1] not in ("", " ", "\t", "\n"):
        return Scalar(found[0], "plain", Span(file, start, found.end()), start)
    while found:
        pieces.append(found.span())
        gap = _GAP.match(source, found.end())
        if not gap or not _goes_on(source, gap.end(), 0 if in_flow else indent):
            break
        found = line.match(source, gap.end())
    if not pieces:
        raise Unreadable(structure.unquoted_text(Span(file, start, start + 1)))
    return joined(file, pieces)


def _goes_on(source: str, at: int, indent: int) -> bool:
    """Whether a line whose text begins at `at` may belong to plain text above it."""
    column = at - source.rfind("\n", 0, at) - 1
    return column >= indent and not source.startswith("#", at) and not (column == 0 and _SEPARATOR.match(source, at))


def joined(file: SourceFile, pieces: list[tuple[int, int]]) -> Scalar:
    """A plain scalar of these ranges of the source, one a line."""
    start, end = pieces[0][0], pieces[-1][1]
    if len(pieces) == 1:
        return Scalar(file.text[start:end], "plain", Span(file, start, end), start)
    builder = _Builder()
    before = start
    for first, last in pieces:
        if first > start:
            builder.fold(file.text, before, first)
        builder.copy(file.text, first, last)
        before = last
    return builder.scalar("plain", Span(file, start, end), start, end)


def as_plain(file: SourceFile, start: int, end: int) -> Scalar:
    """The plain scalar that `start` to `end` would be if nothing in it meant anything to YAML."""
    pieces = [(found.start(), found.end()) for found in re.compile(r"[^ \t\n][^\n]*").finditer(file.text, start, end)]
    return joined(file, pieces)


def single(file: SourceFile, start: int) -> Scalar:
    """The text in single quotes that begins at `start`; `''` is a quote."""
    end = _quoted(file, start, _SINGLE.match(file.text, start))
    first = start + 1
    span = Span(file, start, end)
    inner = file.text[first : end - 1]
    if "'" not in inner and "\n" not in inner:
        return Scalar(inner, "single", span, first)
    builder = _Builder()
    for part in _SINGLE_PART.finditer(file.text, first, end - 1):
        if part.lastgroup == "gap":
            builder.fold(file.text, *part.span())
        elif part.lastgroup == "quote":
            builder.put("'", part.start())
        else:
            builder.copy(file.text, *part.span())
    return builder.scalar("single", span, first, end - 1)


def double(file: SourceFile, start: int, report: Report) -> Scalar:
    """The text in double quotes that begins at `start`; reports characters that no text may hold."""
    end = _quoted(file, start, _DOUBLE.match(file.text, start))
    first = start + 1
    span = Span(file, start, end)
    inner = file.text[first : end - 1]
    if "\\" not in inner and "\n" not in inner:
        return Scalar(inner, "double", span, first)
    builder = _Builder()
    for part in _DOUBLE_PART.finditer(file.text, first, end - 1):
        if part.lastgroup == "gap":
            builder.fold(file.text, *part.span())
        elif part.lastgroup == "break":
            builder.breaks(_line_breaks(file.text, part.start() + 2, part.end()))
        elif part.lastgroup == "text":
            builder.copy(file.text, *part.span())
        else:
            builder.put(_unescaped(Span(file, *part.span()), report), part.start())
    return builder.scalar("double", span, first, end - 1)


def _quoted(file: SourceFile, start: int, found: re.Match[str] | None) -> int:
    """Where the quoted text that `found` matched ends."""
    if found is None or _SEPARATOR_LINE.search(file.text, start, found.end()):
        raise Unreadable(structure.unclosed_quote(Span(file, start, start + 1)))
    return found.end()


def _unescaped(span: Span, report: Report) -> str:
    """The character that an escape stands for; a mark in its place where it is none that a text may hold."""
    escape = span.text
    is_code = len(escape) > 2
    code = int(escape[2:], 16) if is_code else ord(_ESCAPES.get(escape[1], "\0"))
    if code > 0x10FFFF or (not is_code and escape[1] not in _ESCAPES):
        report(structure.unknown_escape(span))
        return "\ufffd"
    character = chr(code)
    found = messages.refused_character(character, span)
    if found and character != "\n":
        report(found)
        return "\ufffd"
    return character


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a block scalar, without its indentation; its text is empty if it is blank."""

    start: int
    end: int
    has_break: bool

    def is_flush(self, source: str) -> bool:
        """Whether its text begins at the indentation of the whole."""
        return source[self.start] not in " \t"


def block(file: SourceFile, start: int, parent_indent: int, comments: list[Span]) -> Scalar:
    """The text under `|` or `>` at `start`, below a parent indented by `parent_indent`; notes a comment beside it."""
    source = file.text
    style: Style = "literal" if source[start] == "|" else "folded"
    header, line_end = _header(file, start, comments)
    begin = min(line_end + 1, len(source))
    chomp = header["chomp"] or header["chomp_"] or ""
    digit = header["indent"] or header["indent_"]
    least = max(parent_indent + 1, 0)
    indent = max(least, 1) + int(digit) - 1 if digit else _indent(source, begin, least)
    rows = _rows(source, begin, indent, is_given=bool(digit))
    builder = _Builder()
    last = _lines(builder, source, rows, style == "folded")
    if last >= 0 and chomp != "-" and rows[last].has_break:
        builder.put("\n", rows[last].end)
    if chomp == "+":
        builder.breaks(each.end for each in rows[last + 1 :])
    end = builder.offsets[-1] + 1 if builder.offsets else begin
    first = builder.offsets[0] if builder.offsets else end
    return builder.scalar(style, Span(file, start, rows[last].end if last >= 0 else line_end), first, end)


def _header(file: SourceFile, start: int, comments: list[Span]) -> tuple[re.Match[str], int]:
    """What stands beside `|` or `>`, and where its line ends."""
    source = file.text
    found = _HEADER.match(source, start)
    assert found is not None
    line_end = source.find("\n", start)
    line_end = len(source) if line_end < 0 else line_end
    has_comment = source.startswith("#", found.end()) and source[found.end() - 1] in " \t"
    if found.end() < line_end and not has_comment:
        raise Unreadable(structure.block_text_header(Span(file, start, start + 1), source[start:line_end]))
    if has_comment:
        comments.append(Span(file, found.end(), line_end))
    return found, line_end


def _indent(source: str, begin: int, least: int) -> int:
    """The indentation of the first line with text in it, at least `least`."""
    for row in _ROW.finditer(source, begin):
        if row[2] or not row[3]:
            return max(least, len(row[1]))
    return least


def _rows(source: str, begin: int, indent: int, is_given: bool) -> list[_Row]:
    """The lines of a block scalar, blank ones too, up to the first text that is indented less.

    Spaces beyond the indentation are text, but not above the first line with text if that sets the indentation.
    """
    rows: list[_Row] = []
    has_text = is_given
    for row in _ROW.finditer(source, begin):
        spaces, text, line_break = row.groups()
        is_blank = not text and (len(spaces) <= indent or not has_text)
        if (text and len(spaces) < indent) or (is_blank and not line_break):
            break
        start = row.end(2) if is_blank else row.start() + indent
        rows.append(_Row(start, row.end(2), bool(line_break)))
        has_text = has_text or bool(text)
        if not line_break:
            break
    return rows


def _lines(builder: _Builder, source: str, rows: list[_Row], is_folded: bool) -> int:
    """Adds the lines up to the last one with text, and gives its index, or -1."""
    last = -1
    for index, row in enumerate(rows):
        if row.start == row.end:
            continue
        blank = [each.end for each in rows[last + 1 : index]]
        if last >= 0:
            before = rows[last]
            if not (is_folded and before.is_flush(source) and row.is_flush(source)):
                builder.put("\n", before.end)
            elif not blank:
                builder.put(" ", before.end)
        builder.breaks(blank)
        builder.copy(source, row.start, row.end)
        last = index
    return last
