"""From the documents of one ruleset to one tree: its sections united over files, its long paths as maps within maps.

Short forms are written out only where layers meet, so that what one layer alone says keeps the form and the places
that its author gave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .diagnostics import Diagnostic
from .document import Document, Entry, Mapping, Scalar
from .dotted import is_dotted, nested
from .forms import SECTIONS, Form
from .layers import Layer
from .longform import long_form
from .messages import layers as messages
from .source import Span


def expand(documents: Sequence[Document], form: Form, name: str) -> tuple[Layer, list[Diagnostic]]:
    """The layer that these documents are; reports ids that stand twice. There is at least one document."""
    found: list[Diagnostic] = []
    sections: dict[str, Mapping] = {}
    for entry in _plain(documents):
        if isinstance(entry.value, Mapping):
            before = sections.get(entry.key.text, Mapping((), entry.value.span))
            sections[entry.key.text] = _united(before, entry.value, found)
    root = Mapping(tuple(Entry(_key(id, node), node) for id, node in sections.items()), _start(documents))
    for entry in _dotted(documents, form):
        root = _joined(root, Mapping((entry,), entry.span), form, found)
    named = ((each.file, each.root.get("source")) for each in documents)
    sources = {file: node for file, node in named if isinstance(node, Scalar)}
    return Layer(name, root, _manifest(documents), sources), found


def _start(documents: Sequence[Document]) -> Span:
    return Span(documents[0].file, 0, 0)


def _key(id: str, node: Mapping) -> Scalar:
    return Scalar(id, "plain", node.span, node.span.start, (node.span.start,) * (len(id) + 1))


def _manifest(documents: Sequence[Document]) -> Mapping:
    """The root of the file that names the ruleset; an empty map where none does."""
    named = (each.root for each in documents if each.root.entry("ruleset"))
    return next(named, Mapping((), _start(documents)))


def _plain(documents: Sequence[Document]) -> list[Entry]:
    return [each for document in documents for each in document.root.entries if each.key.text in SECTIONS]


def _dotted(documents: Sequence[Document], form: Form) -> list[Entry]:
    """The long paths of all files in the order of their text, so that the order of files means nothing."""
    found = [each for document in documents for each in document.root.entries if is_dotted(each.key)]
    return [nested(each, form) for each in sorted(found, key=lambda entry: entry.key.text)]


def _united(before: Mapping, more: Mapping, found: list[Diagnostic]) -> Mapping:
    """A section with the definitions of one more file; the first of two with one id holds."""
    entries = {each.key.text: each for each in before.entries}
    for each in more.entries:
        if each.key.text in entries:
            found.append(messages.defined_twice(each.key, entries[each.key.text].key))
        entries.setdefault(each.key.text, each)
    return replace(before, entries=tuple(entries.values()))


def _joined(before: Mapping, more: Mapping, form: Form, found: list[Diagnostic]) -> Mapping:
    """A map with what a long path says beside it."""
    entries = {each.key.text: each for each in before.entries}
    for each in more.entries:
        id = each.key.text
        first = entries.get(id)
        if first is None:
            entries[id] = each
            continue
        old, new = (long_form(node, form.child(id)) for node in (first.value, each.value))
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            entries[id] = Entry(first.key, _joined(old, new, form.child(id), found))
        else:
            found.append(messages.defined_twice(each.key, first.key))
    return replace(before, entries=tuple(entries.values()))
