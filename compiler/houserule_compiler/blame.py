"""Findings after layering, told to whoever caused them: the layer whose change made something below wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .diagnostics import Diagnostic, Label, Severity
from .document import Entry, Mapping, Node
from .forms import LAYER_WORDS
from .layers import Contribution, Layer, Layered
from .lineage import Lineage
from .messages import layers as messages
from .paths import Path
from .source import Span

READ = frozenset({"choices", "entities", "facts", "options", "conditions", "tables", "numbers", "checks", "events"})
"""The sections whose definitions others name."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")


def blame(found: Iterable[Diagnostic], layered: Layered, layers: Sequence[Layer], lineage: Lineage) -> list[Diagnostic]:
    """The findings about the one tree, each at the line of the topmost layer that has to do with it.

    Warnings and notes that concern nothing but layers below are their own validation's to tell. `layers` are from the
    bottom up.
    """
    if layers[-1].is_abstract:
        found = [each for each in found if not _is_open(each, layered, layers)]
    explained = [_explained(each, layered) for each in found]
    if len(layers) == 1:
        return explained
    told: dict[tuple[str, Span], Diagnostic] = {}
    for each in explained:
        moved = _told(each, layered, layers, lineage)
        if moved is None:
            continue
        # One change may make much below wrong in one way: that is told once, with all its places.
        is_moved = moved.span != each.span
        key = (each.code if is_moved else each.headline, moved.span)
        told[key] = _with(told[key], moved) if is_moved and key in told else moved
    return list(told.values())


def _with(first: Diagnostic, again: Diagnostic) -> Diagnostic:
    """A finding with the places of another one that has the same cause."""
    places = {each.span for each in first.labels}
    more = [Label(each.span, again.headline) for each in again.labels[1:2] if each.span not in places]
    return replace(first, labels=(*first.labels, *more))


def _is_open(found: Diagnostic, layered: Layered, layers: Sequence[Layer]) -> bool:
    """Whether a finding is about a part that an abstract ruleset may leave open."""
    keys = {each.span for each in layered.open.values()}
    if found.span in keys or any(label.span in keys for label in found.labels[1:]):
        return True
    paths = {path for layer in layers for path, _ in _definition(found.span, layer)}
    return found.severity is not Severity.ERROR and any(path in layered.open for path in paths)


def _explained(found: Diagnostic, layered: Layered) -> Diagnostic:
    """An unknown name may be one that a layer took out, or one that is still open."""
    if found.code != "unknown-name":
        return found
    name = found.span.text
    open = next((key for path, key in layered.open.items() if path[1] == name), None)
    if open is not None:
        return messages.left_open(found, name, open)
    remover = next((each for path, each in layered.removed.items() if path[-1] == name), None)
    if remover is None:
        return found
    return replace(found, labels=(*found.labels, messages.removed_here(remover)))


def _told(found: Diagnostic, layered: Layered, layers: Sequence[Layer], lineage: Lineage) -> Diagnostic | None:
    rank = {name: at for at, name in enumerate(lineage.layers)}
    top = max(found.labels, key=lambda label: rank[label.span.file.layer])
    highest = rank[top.span.file.layer]
    if highest > rank[found.span.file.layer]:
        others = tuple(each for each in found.labels if each is not top)
        return replace(found, labels=(top, *others))
    if found.severity is not Severity.ERROR:
        return found if found.span.file.layer == lineage.top else None
    if _is_example_of_others(found.span, layers, highest):
        return replace(found, severity=Severity.NOTE)
    edit = _edit(found.span, layered, layers, lineage, highest)
    return replace(found, labels=(messages.changed_here(edit), *found.labels)) if edit else found


def _is_example_of_others(span: Span, layers: Sequence[Layer], rank: int) -> bool:
    """Whether a place lies in an example of a layer below that the topmost layer does not speak of."""
    path = next((path for path, _ in _definition(span, layers[rank])), ())
    return path[:1] == ("examples",) and layers[rank] is not layers[-1] and _statement(layers[-1], path) is None


def _edit(span: Span, layered: Layered, layers: Sequence[Layer], lineage: Lineage, rank: int) -> Contribution | None:
    """The topmost change to the definition in which a place of a lower layer lies, or else to one that it names."""
    path, whole = next(iter(_definition(span, layers[rank])), ((), span))
    if not path:
        return None
    order = {name: at for at, name in enumerate(lineage.layers)}
    above = layers[rank + 1 :]
    upper = {each.name for each in above}
    edits = [each for at, history in layered.origins.history.items() if at[: len(path)] == path for each in history]
    edits = [each for each in edits if each.layer in upper]
    edits = edits or [edit for each in above if (edit := _statement(each, path))]
    edits = edits or [edit for each in above for named in _named(whole, each) if (edit := _statement(each, named))]
    return max(edits, key=lambda each: (order[each.layer], each.span.start), default=None)


def _named(whole: Span, layer: Layer) -> Iterator[Path]:
    """The definitions that a layer speaks of and that the text of another names."""
    words = set(_WORD.findall(whole.text))
    for section in layer.root.entries:
        for each in section.value.entries if isinstance(section.value, Mapping) else ():
            if section.key.text in READ and each.key.text in words:
                yield section.key.text, each.key.text


def _statement(layer: Layer, path: Path) -> Contribution | None:
    """Where a layer speaks of a definition: the key of what it says there, if that is one thing."""
    node: Node = layer.root
    entry: Entry | None = None
    for key in path:
        entry = node.entry(key) if isinstance(node, Mapping) else None
        if entry is None:
            return None
        node = entry.value
    while entry and isinstance(entry.value, Mapping) and len(entry.value.entries) == 1:
        inner = entry.value.entries[0]
        if inner.key.text in LAYER_WORDS:
            break
        entry = inner
    return Contribution(layer.name, "set", entry.key.span, entry.value) if entry else None


def _definition(span: Span, layer: Layer) -> Iterator[tuple[Path, Span]]:
    """The section and id of the definition that holds a place, and all that it covers."""
    for section in layer.root.entries:
        for each in section.value.entries if isinstance(section.value, Mapping) else ():
            whole = each.span
            if whole.file is span.file and whole.start <= span.start <= whole.end:
                yield (section.key.text, each.key.text), whole
