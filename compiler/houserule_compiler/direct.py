"""The nodes of a file, read directly where its YAML is of the plain kind that nearly all files of rules are.

Maps and lists by indentation or in brackets, with keys that stand on one line: for these no tokens and events
are needed, which take ten times as long. Whatever else comes up (an empty value, a tab, a key with odd characters, a
duplicate, anything at all that would be reported) ends the reading here, and the parser reads the whole file instead.
Scalars are read, and maps put together, by the same functions as there; tests hold both to the same trees.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .diagnostics import Diagnostic
from .document import Mapping, Node, Scalar, Sequence
from .entries import Assembly
from .limits import Limits
from .scalar_text import Unreadable, block, double, plain, single
from .source import SourceFile, Span

# Characters that some part of YAML takes for white space or an end, and lines that end a document or give a directive.
_STRANGE = re.compile(r"[^\n -~\u00a1-\u2027\u2030-\ufefe\uff00-\U0010ffff]|^(?:---|\.\.\.|%)", re.MULTILINE)
_WORD = r"[A-Za-z0-9_.][A-Za-z0-9_.+-]*+"
_KEY = re.compile(rf"(-?{_WORD}(?: (?:\| )?{_WORD})*+):(?=[ \n])")
_AFTER_QUOTED = re.compile(r":(?=[ \n])")
_BLANK = re.compile(r" *+(#[^\n]*+)?(\n?)")
_STARTS_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|-[^\s,\[\]{}]")
_DEEPEST = 64
_END = -1
"""The column of what comes after the last thing in a file."""


class _Unusual(Exception):
    """Something that the parser has to judge."""


@dataclass(frozen=True, slots=True)
class Direct:
    """A file that was read directly: its topmost map, its comments, and where prose without quotes ends."""

    root: Mapping
    comments: list[Span]
    texts: dict[int, str]


def direct(file: SourceFile, limits: Limits) -> Direct | None:
    """The nodes of a file about which there is nothing to say; None where the parser has to read it."""
    if _STRANGE.search(file.text):
        return None
    reading = _Reading(file, limits)
    try:
        root = reading.document()
    except (_Unusual, Unreadable):
        return None
    return Direct(root, reading.comments, reading.assembly.texts)


class _Reading:
    """One run over a file. Methods give what they have read, where it ends, and the column of what comes next."""

    def __init__(self, file: SourceFile, limits: Limits) -> None:
        self.file = file
        self.text = file.text
        self.limits = limits
        self.assembly = Assembly(file, limits, self._report)
        self.comments: list[Span] = []
        self.deepest = min(limits.depth, _DEEPEST)
        self.left = limits.nodes

    def _report(self, _: Diagnostic) -> None:
        raise _Unusual

    def document(self) -> Mapping:
        """The whole file, which has to be a map at the left margin."""
        at, column = self._next(0, True)
        if column != 0:
            raise _Unusual
        root, at, column = self._map(at, 0, 1)
        if column != _END:
            raise _Unusual
        return root

    def _next(self, at: int, is_line: bool = False) -> tuple[int, int]:
        """The offset of the next thing, and its column if it stands on a line of its own; None of it counts blanks."""
        text = self.text
        is_line = is_line or text[at - 1] == "\n"
        if text[at : at + 1] == "#" and not is_line:
            raise _Unusual
        while True:
            found = _BLANK.match(text, at)
            assert found is not None
            if found[1] is not None:
                self.comments.append(Span(self.file, *found.span(1)))
            if not found[2]:
                break
            at, is_line = found.end(), True
        after = found.end()
        if after == len(text):
            return after, _END
        return after, after - at if is_line else _END - 1

    def _count(self, depth: int = 0) -> None:
        """One node more, that deep."""
        self.left -= 1
        if self.left < 0 or depth > self.deepest:
            raise _Unusual

    def _ended(self, node: Node, at: int) -> tuple[Node, int, int]:
        """What stands in a line, once nothing but a comment comes after it there."""
        at, column = self._next(at)
        if column < _END:
            raise _Unusual
        return node, at, column

    def _map(self, at: int, column: int, depth: int) -> tuple[Mapping, int, int]:
        """The map whose first key stands at `at`."""
        self._count(depth)
        parts: list[Node] = []
        start, after = at, column
        while after == column:
            key, at = self._key(at)
            value, at, after = self._value(at, column, depth)
            parts += (key, value)
        if after > column:
            raise _Unusual
        return self.assembly.mapping(parts, Span(self.file, start, parts[-1].span.end), False), at, after

    def _key(self, at: int) -> tuple[Scalar, int]:
        """A key, and where its colon ends."""
        self._count()
        found = _KEY.match(self.text, at)
        if found is not None:
            return Scalar(found[1], "plain", Span(self.file, at, found.end(1)), at), found.end()
        if self.text[at] not in "'\"":
            raise _Unusual
        key = self._quoted(at)
        colon = _AFTER_QUOTED.match(self.text, key.span.end)
        if colon is None or "\n" in key.span.text:
            raise _Unusual
        return key, colon.end()

    def _quoted(self, at: int) -> Scalar:
        return single(self.file, at) if self.text[at] == "'" else double(self.file, at, self._report)

    def _value(self, at: int, column: int, depth: int) -> tuple[Node, int, int]:
        """What stands behind a colon, or below it."""
        at, own = self._next(at)
        if own < _END:
            node, at = self._inline(at, column, depth)
            return self._ended(node, at)
        if own == column and self._is_item(at):
            return self._list(at, own, depth + 1)
        return self._below(at, own, column, depth)

    def _below(self, at: int, own: int, column: int, depth: int) -> tuple[Node, int, int]:
        """A map or list that stands below what it belongs to, further to the right."""
        if own <= column:
            raise _Unusual
        return self._list(at, own, depth + 1) if self._is_item(at) else self._map(at, own, depth + 1)

    def _is_item(self, at: int) -> bool:
        return self.text.startswith(("- ", "-\n"), at)

    def _list(self, at: int, column: int, depth: int) -> tuple[Sequence, int, int]:
        """The list whose first dash stands at `at`."""
        self._count(depth)
        items: list[Node] = []
        start, after = at, column
        while after == column and self._is_item(at):
            item, at, after = self._item(at, column, depth)
            items.append(item)
        return self.assembly.sequence(items, Span(self.file, start, items[-1].span.end), False), at, after

    def _item(self, dash: int, column: int, depth: int) -> tuple[Node, int, int]:
        at, own = self._next(dash + 1)
        if own >= _END:
            return self._below(at, own, column, depth)
        if _KEY.match(self.text, at):
            return self._map(at, column + at - dash, depth + 1)
        node, at = self._inline(at, column, depth)
        return self._ended(node, at)

    def _inline(self, at: int, indent: int, depth: int) -> tuple[Node, int]:
        """What stands in the line itself, in a map or list at the column `indent`."""
        if self.text[at] in "|>":
            return self._scalar(block(self.file, at, indent, self.comments))
        return self._flow(at, indent, depth, False)

    def _scalar(self, scalar: Scalar) -> tuple[Scalar, int]:
        self._count()
        if len(scalar.text) > self.limits.scalar:
            raise _Unusual
        return scalar, scalar.span.end

    def _flow(self, at: int, indent: int, depth: int, in_flow: bool) -> tuple[Node, int]:
        """A scalar, or what stands in brackets."""
        first = self.text[at]
        if first == "{":
            return self._braces(at, depth + 1)
        if first == "[":
            return self._brackets(at, depth + 1)
        if first in "'\"":
            return self._scalar(self._quoted(at))
        if not _STARTS_PLAIN.match(self.text, at):
            raise _Unusual
        return self._scalar(plain(self.file, at, indent + 1, in_flow))

    def _braces(self, start: int, depth: int) -> tuple[Mapping, int]:
        self._count(depth)
        parts: list[Node] = []
        at = self._inside(start + 1)
        while self.text[at] != "}" or parts:
            key, at = self._key(at)
            value, at = self._flow(self._inside(at), 0, depth, True)
            parts += (key, value)
            at = self._inside(at)
            if self.text[at] == "}":
                break
            at = self._comma(at)
        return self.assembly.mapping(parts, Span(self.file, start, at + 1), True), at + 1

    def _brackets(self, start: int, depth: int) -> tuple[Sequence, int]:
        self._count(depth)
        items: list[Node] = []
        at = self._inside(start + 1)
        while self.text[at] != "]" or items:
            item, at = self._pair(at, depth + 1) if _KEY.match(self.text, at) else self._flow(at, 0, depth, True)
            items.append(item)
            at = self._inside(at)
            if self.text[at] == "]":
                break
            at = self._comma(at)
        return self.assembly.sequence(items, Span(self.file, start, at + 1), True), at + 1

    def _pair(self, start: int, depth: int) -> tuple[Mapping, int]:
        """`key: value` in a list: a map of its own, which goes on to the comma or bracket behind it."""
        self._count(depth)
        key, at = self._key(start)
        value, at = self._flow(self._inside(at), 0, depth, True)
        at = self._inside(at)
        return self.assembly.mapping([key, value], Span(self.file, start, at), True), at

    def _inside(self, at: int) -> int:
        """The offset of the next thing within brackets."""
        at, column = self._next(at)
        if column == _END:
            raise _Unusual
        return at

    def _comma(self, at: int) -> int:
        if self.text[at] != ",":
            raise _Unusual
        return self._inside(at + 1)
