"""From the documents of a ruleset to its declarations: sections united over files, short forms read, parts checked.

It is handed the expression parser, since only here is it known which scalars are expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ..declarations import Definition, Manifest, SourceDocument
from ..diagnostics import Diagnostic
from ..document import Document, Entry, Mapping
from ..messages import declare as messages
from ..ruleset import Ruleset
from ..source import Span
from .checks import check
from .numbers import modifier, number, stacking
from .reading import Parser, Reader, entries, field, is_true, text
from .rounds import action, event, sequence, trigger
from .tables import table
from .trials import example, ruling
from .vocabulary import choice, condition, entity, fact, role

__all__ = ["Parser", "declare"]

D = TypeVar("D", bound=Definition)


def declare(documents: Sequence[Document], parser: Parser) -> tuple[Ruleset, list[Diagnostic]]:
    """All that the documents of one ruleset declare. Every part that is missing or does not parse is reported."""
    diagnostics: list[Diagnostic] = []
    manifest = _manifest(documents)
    cited = frozenset(each.id for each in manifest.sources)
    files = [(each.root, Reader(parser, diagnostics, text(each.root.get("source")), cited)) for each in documents]

    def section(key: str, read: Callable[[Entry, Reader], D]) -> dict[str, D]:
        return _united(((each, reader) for root, reader in files for each in entries(root.get(key))), read, diagnostics)

    ruleset = Ruleset(
        manifest=manifest,
        choices=section("choices", choice),
        entities=section("entities", entity),
        roles=section("roles", role),
        facts=section("facts", fact),
        options=section("options", fact),
        conditions=section("conditions", condition),
        impossible=section("impossible", condition),
        tables=section("tables", table),
        numbers=section("numbers", number),
        modifiers=section("modifiers", modifier),
        stacking=section("stacking", stacking),
        checks=section("checks", check),
        events=section("events", event),
        actions=section("actions", action),
        triggers=section("triggers", trigger),
        sequences=section("sequences", sequence),
        rulings=section("rulings", ruling),
        examples=section("examples", example),
    )
    return ruleset, diagnostics


def _united(
    found: Iterable[tuple[Entry, Reader]], read: Callable[[Entry, Reader], D], diagnostics: list[Diagnostic]
) -> dict[str, D]:
    """The definitions of one section over all files; an id defined twice is reported, and the first one holds."""
    united: dict[str, D] = {}
    for entry, reader in found:
        definition = read(entry, reader)
        if definition.id in united:
            diagnostics.append(messages.defined_twice(definition, united[definition.id]))
        united.setdefault(definition.id, definition)
    return united


def _manifest(documents: Sequence[Document]) -> Manifest:
    """The manifest: the one file that names the ruleset, or an empty one where `shape` found none."""
    for document in documents:
        if named := document.root.entry("ruleset"):
            return _manifest_of(document.root, named)
    first = documents[0].file if documents else None
    assert first is not None, "a ruleset has at least one file"
    return Manifest(id="", place=Span(first, 0, 0))


def _manifest_of(root: Mapping, named: Entry) -> Manifest:
    return Manifest(
        id=text(named.value),
        place=named.value.span,
        title=text(root.get("title")),
        version=text(root.get("version")),
        license=text(root.get("license")),
        is_abstract=is_true(root.get("abstract")),
        sources=tuple(_source(each) for each in entries(root.get("sources"))),
    )


def _source(entry: Entry) -> SourceDocument:
    items = tuple((each.key.text, text(each.value)) for each in entries(field(entry.value, "items")))
    title = text(entry.value) or text(field(entry.value, "title"))
    return SourceDocument(id=entry.key.text, place=entry.key.span, title=title, items=items)
