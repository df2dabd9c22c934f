"""What later passes find where something is wrong already: left out, since it has the same cause."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from .diagnostics import Diagnostic, Severity
from .document import Document, Entry, Mapping, Node
from .document import Sequence as List
from .dotted import is_dotted
from .paths import path_of
from .source import Span

_WORD = re.compile(r"[a-z][a-z0-9_]*")
LACKING = frozenset({"missing-cells", "incomplete-definition"})
"""Findings about parts of a definition that are nowhere."""


def apart(later: Iterable[Diagnostic], told: Iterable[Diagnostic], documents: Sequence[Document]) -> list[Diagnostic]:
    """Those of `later` that have another cause than the errors told already.

    An error silences what stands in the same entry of a map, and what is said of the head of anything around it: a key
    that is misspelt is one mistake, though something is now also missing.
    """
    roots = {document.file: document.root for document in documents}
    # What is said of a file as a whole stands at its beginning, and not in the section that begins there.
    wrong = [each.span for each in told if each.severity is Severity.ERROR and each.span.end]
    around = [list(_entries_around(roots[span.file], span)) for span in wrong if span.file in roots]
    inside = [entries[-1].span for entries in around if entries]
    heads = [each.key.span for entries in around for each in entries]

    def is_silenced(span: Span) -> bool:
        # A long path is the head of all that it names.
        if any(span.file is head.file and head.start <= span.start < head.end for head in heads):
            return True
        return any(span.file is each.file and each.start <= span.start <= each.end for each in inside)

    return [each for each in later if not is_silenced(each.span)]


def with_ground(found: Sequence[Diagnostic], documents: Sequence[Document]) -> list[Diagnostic]:
    """All but those that tell what is lacking where another error stands, in the keys around it or in itself.

    Cells that layers below would give are not found under a row key that names no row.
    """
    roots = {document.file: document.root for document in documents}
    wrong = [each.span for each in found if each.code not in LACKING and each.severity is Severity.ERROR]

    def is_silenced(each: Diagnostic) -> bool:
        if each.code not in LACKING or each.span.file not in roots:
            return False
        heads = [entry.key.span for entry in _entries_around(roots[each.span.file], each.span)]
        return any(
            around.file is span.file and around.start <= span.start < around.end
            for around in (*heads, each.span)
            for span in wrong
        )

    return [each for each in found if not is_silenced(each)]


def _entries_around(node: Node, span: Span) -> Iterator[Entry]:
    """The entries of maps that hold a place, the outermost first."""
    while True:
        if isinstance(node, List):
            node = next((each for each in node.items if each.span.start <= span.start <= each.span.end), node)
            if isinstance(node, List):
                return
        found = _holding(node, span) if isinstance(node, Mapping) else None
        if found is None:
            return
        yield found
        node = found.value


def _holding(node: Mapping, span: Span) -> Entry | None:
    return next((each for each in node.entries if each.span.start <= span.start <= each.span.end), None)


def beyond(later: Iterable[Diagnostic], told: Iterable[Diagnostic], documents: Sequence[Document]) -> list[Diagnostic]:
    """Those of `later` that do not stand in a definition in which an error is told already, nor at a place of which
    anything is told.

    It is for findings about a definition as a whole, which mean nothing while a part of it is wrong. Each definition
    of a section is one; so is a whole section that is wrong at its head, and each key of the manifest.
    """
    found = [*later]
    if not found:
        return []
    parts = {document.file: _Parts(document) for document in documents}

    def part(each: Diagnostic) -> Span | None:
        inside = parts.get(each.span.file)
        return inside.around(each.span) if inside else None

    told = list(told)
    faulty = {part(each) for each in told if each.severity is Severity.ERROR and each.span.end} - {None}
    places = {each.span for each in told}
    return [each for each in found if part(each) not in faulty and each.span not in places]


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
        is_section = isinstance(entry.value, Mapping) and not is_dotted(entry.key)
        inner = entry.value.entries if is_section and isinstance(entry.value, Mapping) else ()
        yield Span(document.file, entry.key.span.start, _end_of_head(entry, inner))
        yield from (each.span for each in inner)


def _end_of_head(entry: Entry, inner: Sequence[Entry]) -> int:
    """Where the part of a section ends that is none of its definitions'."""
    return inner[0].key.span.start - 1 if inner else entry.span.end


def elsewhere(
    later: Iterable[Diagnostic], told: Iterable[Diagnostic], documents: Sequence[Document]
) -> list[Diagnostic]:
    """Those of `later` that have nothing to do with a definition about which layers are told to disagree.

    A definition is its section and id, in whichever layers it stands. What reads it means one thing to one layer and
    another to the other, so that nothing is told of an expression that names it either.
    """
    wrong = [each for each in told if each.severity is Severity.ERROR]
    if not wrong:
        return [*later]
    roots = {document.file: document.root for document in documents}
    names = {document.file: _Names(document) for document in documents}

    def concerned(each: Diagnostic) -> set[tuple[str, str]]:
        places = [label.span for label in each.labels if label.span.file in names]
        return {found for place in places if (found := names[place.file].around(place)) is not None}

    faulty = {name for each in wrong for name in concerned(each)}
    ids = {id for _, id in faulty}

    def reads(each: Diagnostic) -> bool:
        return bool(ids) and any(
            ids & _named(roots[at.span.file], at.span) for at in each.labels if at.span.file in roots
        )

    return [each for each in later if not concerned(each) & faulty and not reads(each)]


def _named(root: Node, span: Span) -> set[str]:
    """The words of the scalar, or of the list, in which a place lies."""
    entries = list(_entries_around(root, span))
    if not entries or isinstance(entries[-1].value, Mapping):
        return set()
    return set(_WORD.findall(entries[-1].value.span.text))


class _Names:
    """The section and id of each definition of one file."""

    def __init__(self, document: Document) -> None:
        self._found: list[tuple[Span, tuple[str, str]]] = []
        for entry in document.root.entries:
            # A key of mere punctuation has no steps.
            head, *rest = path_of(entry.key.text) or (entry.key.text,)
            if rest:
                self._found.append((entry.span, (head, rest[0])))
            elif isinstance(entry.value, Mapping):
                self._found += [(each.span, (head, each.key.text)) for each in entry.value.entries]
        self._starts = [span.start for span, _ in self._found]

    def around(self, span: Span) -> tuple[str, str] | None:
        """The definition in which a place lies, or None."""
        at = bisect_right(self._starts, span.start) - 1
        return self._found[at][1] if at >= 0 and span.start <= self._found[at][0].end else None
