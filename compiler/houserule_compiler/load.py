"""From the bytes of one file to its document: maps, lists and scalars that know where they stand.

The tree is built from events with a stack of its own, so no depth of nesting can exhaust Python's. Every limit is
tested at the event where it is passed. After an error of the structure nothing behind it can be known, and there is no
document; every other error is mended in the document, so that it has no second message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from .broken import Around, broken, glued_key
from .decode import decode
from .diagnostics import Diagnostic, Severity, in_file_order
from .document import Document, Mapping, Node, Scalar
from .entries import Assembly
from .events import EventSource
from .limits import Limits
from .messages import load as messages
from .messages import structure
from .scalar_text import Unreadable
from .source import SourceFile, Span

_LOOKS_CUT = re.compile(r"#[A-Za-z0-9]")


def load(
    name: str, data: bytes, limits: Limits, layer: str = "", is_shown: bool = True, inner: str = ""
) -> tuple[Document | None, list[Diagnostic]]:
    """The document of a file, or None where it cannot be read to its end, and all that was found, in file order.

    `inner` is the path of the file within its ruleset. An empty plain scalar in the document stands for a value that
    is missing or was refused, and has been reported.
    """
    file, found = decode(name, data, limits, layer, is_shown, inner)
    if file is None:
        return None, _kept(found, limits)
    loading = _Loading(file, limits, found)
    root = loading.root()
    if isinstance(root, Mapping):
        return Document(file, root, tuple(loading.source.scanner.comments)), _kept(found, limits)
    return None, _kept(found, limits)


def _kept(found: list[Diagnostic], limits: Limits) -> list[Diagnostic]:
    """As many findings as are kept, in file order, and one that says so if there are more."""
    ordered = in_file_order(found)
    if len(ordered) <= limits.errors_per_file:
        return ordered
    first_left_out = ordered[limits.errors_per_file]
    return [*ordered[: limits.errors_per_file], messages.too_many_errors(first_left_out.span, limits.errors_per_file)]


@dataclass(slots=True)
class _Open:
    """A map or list whose end has not come yet; the keys and values of a map come by turns."""

    start: int
    is_map: bool
    is_flow: bool
    parts: list[Node] = field(default_factory=list)


class _Loading:
    """One run over the events of a file."""

    def __init__(self, file: SourceFile, limits: Limits, found: list[Diagnostic]) -> None:
        self.file = file
        self.limits = limits
        self.found = found
        self.assembly = Assembly(file, limits, self.report)
        self.source = EventSource(file, self.report)
        self.stack: list[_Open] = []
        self.nodes = 0
        self.documents = 0
        self.top: Node | None = None

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps a finding, as long as there is room for one more than are kept."""
        if len(self.found) <= self.limits.errors_per_file:
            self.found.append(diagnostic)

    def root(self) -> Node | None:
        """The topmost map, or None after an error of the structure."""
        try:
            for event in self.source:
                self._take(event)
        except Unreadable as problem:
            self._stop(problem.diagnostic)
            return None
        except MarkedYAMLError as problem:
            self._stop(broken(problem, self._around()))
            return None
        self._after_the_end()
        return self.top

    def _stop(self, diagnostic: Diagnostic) -> None:
        """Reports why the structure ends, unless something that was reported on its line, or a tab, is the cause."""
        self._tabs()
        line = diagnostic.span.line
        is_follow_up = any(
            each.code == "tab-character" or (each.severity is Severity.ERROR and each.span.line == line)
            for each in self.found
        )
        if not is_follow_up:
            self.report(diagnostic)
        while self.stack:
            self._abandon(self.stack.pop())

    def _abandon(self, opened: _Open) -> None:
        """Has the entries of a map looked at that end before the structure does; what stood last is not known."""
        if opened.is_map and not opened.is_flow:
            whole = len(opened.parts) // 2 * 2
            self.assembly.mapping(opened.parts[:whole], Span(self.file, opened.start, opened.start), False)

    def _take(self, event: Event) -> None:
        start = event.start_mark
        if isinstance(event, ScalarEvent):
            self._add(event.value if isinstance(event.value, Scalar) else self._nothing(event))
        elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._open(_Open(start, isinstance(event, MappingStartEvent), bool(event.flow_style)))
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self._close(event.end_mark)
        elif isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise Unreadable(messages.several_documents(Span(self.file, start, start + 3)))

    def _nothing(self, event: ScalarEvent) -> Scalar:
        """The scalar of a place where nothing is written; its span is empty unless something there was refused."""
        return Scalar("", "plain", Span(self.file, event.start_mark, event.end_mark), event.start_mark)

    def _open(self, opened: _Open) -> None:
        self._count(opened.start)
        self.stack.append(opened)
        if len(self.stack) > self.limits.depth:
            raise Unreadable(
                messages.nested_too_deeply(Span(self.file, opened.start, opened.start + 1), self.limits.depth)
            )

    def _close(self, end: int) -> None:
        done = self.stack.pop()
        last = done.parts[-1].span.end if done.parts else done.start
        span = Span(self.file, done.start, end if done.is_flow else last)
        build = self.assembly.mapping if done.is_map else self.assembly.sequence
        self._place(build(done.parts, span, done.is_flow))

    def _add(self, scalar: Scalar) -> None:
        self._count(scalar.span.start)
        is_key = bool(self.stack) and self.stack[-1].is_map and len(self.stack[-1].parts) % 2 == 0
        if len(scalar.text) > self.limits.scalar and not is_key:
            self.report(messages.text_too_long(scalar.span, self.limits.scalar))
            scalar = Scalar("", "plain", scalar.span, scalar.first)
        self._place(scalar)

    def _place(self, node: Node) -> None:
        if self.stack:
            self.stack[-1].parts.append(node)
        else:
            self.top = node

    def _count(self, at: int) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise Unreadable(messages.too_many_entries(Span(self.file, at, at + 1), self.limits.nodes))

    def _around(self) -> Around:
        opened = self.stack[-1] if self.stack else None
        bracket = Span(self.file, opened.start, opened.start + 1) if opened and opened.is_flow else None
        return Around(self.file, bracket, self.source.scanner.last_quoted, self.limits)

    def _after_the_end(self) -> None:
        """What can be said only when all of the file is known."""
        self._tabs()
        self._cut_texts()
        if not isinstance(self.top, Mapping):
            self.report(self._no_rules())

    def _tabs(self) -> None:
        tabs = self.source.scanner.tabs
        if tabs:
            lines = {self.file.position(each)[0] for each in tabs}
            self.report(messages.tab_character(Span(self.file, tabs[0], tabs[0] + 1), len(lines)))

    def _cut_texts(self) -> None:
        """Warns of comments that follow prose like a part of it."""
        for each in self.source.scanner.comments:
            if _LOOKS_CUT.match(self.file.text, each.start):
                end = each.start
                while end and self.file.text[end - 1] in " \t":
                    end -= 1
                if end in self.assembly.texts:
                    self.report(structure.comment_in_text(each, self.assembly.texts[end]))

    def _no_rules(self) -> Diagnostic:
        if self.top is None or (isinstance(self.top, Scalar) and self.top.is_empty):
            return messages.no_rules(Span(self.file, 0, 0), "nothing")
        start = self.top.span.start
        found = "a text" if isinstance(self.top, Scalar) else "a list"
        return glued_key(self.file, start) or messages.no_rules(Span(self.file, start, start + 1), found)
