"""What later passes find in a definition that is wrong already: left out, since it mostly has the same cause."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from .diagnostics import Diagnostic, Severity
from .document import Document, Entry, Mapping
from .source import Span


def beyond(later: Iterable[Diagnostic], told: Iterable[Diagnostic], documents: Sequence[Document]) -> list[Diagnostic]:
    """Those of `later` that do not stand in a definition in which an error is told already.

    Each definition of a section is one; so is a whole section that is wrong at its head, and each key of the manifest.
    """
    parts = {document.file: _Parts(document) for document in documents}

    def part(each: Diagnostic) -> Span | None:
        found = parts.get(each.span.file)
        return found.around(each.span) if found else None

    faulty = {part(each) for each in told if each.severity is Severity.ERROR} - {None}
    return [each for each in later if part(each) not in faulty]


class _Parts:
    """The definitions of one file, in its order."""

    def __init__(self, document: Document) -> None:
        self._spans = list(_definitions(document))
        self._starts = [each.start for each in self._spans]

    def around(self, span: Span) -> Span | None:
        """The definition in which a place lies, or None."""
        at = bisect_right(self._starts, span.start) - 1
        return self._spans[at] if at >= 0 and span.start <= self._spans[at].end else None


def _definitions(document: Document) -> Iterator[Span]:
    for entry in document.root.entries:
        inner = entry.value.entries if isinstance(entry.value, Mapping) else ()
        yield Span(document.file, entry.key.span.start, _end_of_head(entry, inner))
        yield from (each.span for each in inner)


def _end_of_head(entry: Entry, inner: Sequence[Entry]) -> int:
    """Where the part of a section ends that is none of its definitions'."""
    return inner[0].key.span.start - 1 if inner else entry.span.end
