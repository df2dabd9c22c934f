"""From one tree of rules to its declarations: short forms read, parts checked.

It is handed the expression parser, since only here is it known which scalars are expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ..declarations import Definition
from ..diagnostics import Diagnostic
from ..document import Entry, Mapping
from ..layers import Layer
from ..manifest import LayerHead, Manifest, SourceDocument
from ..memory import Memory
from ..ruleset import Ruleset
from .checks import check
from .numbers import modifier, number, stacking
from .reading import Parser, Reader, entries, field, text
from .rounds import action, event, sequence, trigger
from .tables import table
from .trials import example, ruling
from .vocabulary import choice, condition, entity, fact, role

__all__ = ["Parser", "declare"]

D = TypeVar("D", bound=Definition)


def declare(
    root: Mapping, layers: Sequence[Layer], parser: Parser, memory: Memory | None = None
) -> tuple[Ruleset, list[Diagnostic]]:
    """All that one tree of rules declares; `layers` are those that it was made of, from the bottom up.

    Every part that is missing or does not parse is reported. `memory` has what earlier builds with the same limits made
    of definitions that are as they were.
    """
    diagnostics: list[Diagnostic] = []
    manifest = _manifest(layers)
    defaults = {file: document for each in layers for file, document in each.documents.items()}
    documents = frozenset(each.id for each in manifest.sources)
    reader = Reader(parser, diagnostics, defaults, documents)

    # What a definition says depends on its own text, and on the documents that it may stand on.
    around = documents, tuple((file.name, file.layer, default) for file, default in defaults.items())

    def section(key: str, read: Callable[[Entry, Reader], D]) -> dict[str, D]:
        return {each.key.text: whole(key, each, read) for each in entries(root.get(key))}

    def whole(key: str, entry: Entry, read: Callable[[Entry, Reader], D]) -> D:
        if memory is None:
            return read(entry, reader)
        found: tuple[D, list[Diagnostic]]
        found = memory.recall((key, id(entry), around), entry, lambda: reader.apart(entry, read))
        diagnostics.extend(found[1])
        return found[0]

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


def _manifest(layers: Sequence[Layer]) -> Manifest:
    """The manifest of the topmost layer, with the documents of all layers; its own come first."""
    top = layers[-1]
    named, abstract = top.manifest.get("ruleset"), top.manifest.entry("abstract")
    return Manifest(
        id=text(named),
        place=named.span if named else top.manifest.span,
        title=top.text("title"),
        version=top.text("version"),
        license=top.text("license"),
        abstract=abstract.span if abstract and top.is_abstract else None,
        sources=tuple(_sources(layers)),
        layers=tuple(LayerHead(each.name, each.text("version"), each.text("license")) for each in layers),
    )


def _sources(layers: Sequence[Layer]) -> Iterator[SourceDocument]:
    """Each document once: as the topmost layer has it, with the items that layers below know of."""
    found: dict[str, SourceDocument] = {}
    for layer in reversed(layers):
        for each in map(_source, entries(layer.manifest.get("sources"))):
            above = found.get(each.id)
            items = tuple((dict(each.items) | dict(above.items)).items()) if above else each.items
            found[each.id] = replace(above or each, items=items)
    yield from found.values()


def _source(entry: Entry) -> SourceDocument:
    items = tuple((each.key.text, text(each.value)) for each in entries(field(entry.value, "items")))
    title = text(entry.value) or text(field(entry.value, "title"))
    return SourceDocument(id=entry.key.text, place=entry.key.span, title=title, items=items)
