"""Findings after layering, told to whoever caused them: the layer whose change made something below wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .diagnostics import Diagnostic, Label, Severity
from .document import Entry, Mapping, Node
from .forms import LAYER_WORDS
from .layers import Contribution, Layer, Layered
from .lineage import Lineage
from .mentions import Mentions, entry_at
from .messages import abstract
from .messages import layers as messages
from .paths import Path
from .source import SourceFile, Span

UNKNOWN = frozenset({"unknown-name", "unknown-word", "unknown-outcome", "unknown-column"})
"""The codes of findings about what is not there."""
MOST = 3
"""So many changes are shown where each may be the cause."""


def blame(found: Iterable[Diagnostic], layered: Layered, layers: Sequence[Layer], lineage: Lineage) -> list[Diagnostic]:
    """The findings about the one tree, each at the line of the topmost layer that has to do with it.

    Warnings and notes that concern nothing but layers below are their own validation's to tell. `layers` are from the
    bottom up.
    """
    index = _Index(layers, layered)
    if layers[-1].is_abstract:
        found = [each for each in found if not _is_open(each, layered, index)]
    explained = [_explained(_without_part(each, layered, index), layered, lineage) for each in found]
    if len(layers) == 1:
        return explained
    told = [_told(each, layered, layers, lineage, index) for each in explained]
    return _joined([each for each in told if each], index)


@dataclass(frozen=True, slots=True)
class _Told:
    """A finding at the line of whoever caused it; `cause` is the change there, None where no layer above made one."""

    found: Diagnostic
    cause: Span | None


class _Index:
    """What stands where in the layers, and what was changed; worked out once for all findings."""

    def __init__(self, layers: Sequence[Layer], layered: Layered) -> None:
        self._layers = layers
        self._layered = layered
        self.mentions = Mentions(layers)

    def entry(self, span: Span) -> Entry | None:
        """The innermost entry that holds a place: the one whose key stands nearest before it."""
        found = self._nearest(span)
        return found[1] if found else None

    def definition(self, span: Span) -> Path:
        """The section and id of the definition that holds a place, or nothing."""
        found = self._nearest(span)
        return found[0][:2] if found and len(found[0]) > 1 and _holds(found[1].span, span) else ()

    def history(self, path: Path) -> list[Contribution]:
        """All that layers did to a definition and to its parts."""
        return self._history.get(path, [])

    def _nearest(self, span: Span) -> tuple[Path, Entry] | None:
        entries = self._entries.get(span.file, [])
        at = bisect_right(entries, span.start, key=lambda each: each[1].key.span.start)
        return entries[at - 1] if at else None

    @cached_property
    def _entries(self) -> dict[SourceFile, list[tuple[Path, Entry]]]:
        found: dict[SourceFile, list[tuple[Path, Entry]]] = {}
        for path, each in (entry for layer in self._layers for entry in _all_entries(layer.root, ())):
            found.setdefault(each.key.span.file, []).append((path, each))
        return {file: sorted(entries, key=lambda each: each[1].key.span.start) for file, entries in found.items()}

    @cached_property
    def _history(self) -> dict[Path, list[Contribution]]:
        found: dict[Path, list[Contribution]] = {}
        for path, contributions in self._layered.origins.history.items():
            found.setdefault(path[:2], []).extend(contributions)
        return found


def _all_entries(node: Node, path: Path) -> Iterator[tuple[Path, Entry]]:
    for each in node.entries if isinstance(node, Mapping) else ():
        yield (*path, each.key.text), each
        yield from _all_entries(each.value, (*path, each.key.text))


def _joined(told: Sequence[_Told], index: _Index) -> list[Diagnostic]:
    """The findings, those of one cause as one: a change may make much below wrong, or be wrong itself."""
    own = [each.found.span for each in told if each.cause is None and each.found.severity is Severity.ERROR]
    joined: dict[Span, Diagnostic] = {}
    alone: dict[tuple[str, Span], Diagnostic] = {}
    for each in told:
        entry = index.entry(each.cause) if each.cause else None
        if entry is None:
            alone[each.found.headline, each.found.span] = each.found
        elif entry.key.span in joined:
            joined[entry.key.span] = _with(joined[entry.key.span], each.found)
        elif not any(_holds(entry.span, span) for span in own):
            joined[entry.key.span] = each.found
    return [*alone.values(), *joined.values()]


def _holds(whole: Span, span: Span) -> bool:
    return whole.file is span.file and whole.start <= span.start <= whole.end


def _with(first: Diagnostic, again: Diagnostic) -> Diagnostic:
    """A finding with the places of another one that has the same cause."""
    places = {each.span for each in first.labels}
    more = [Label(each.span, again.headline) for each in again.labels[1:2] if each.span not in places]
    return replace(first, labels=(*first.labels, *more))


def _is_open(found: Diagnostic, layered: Layered, index: _Index) -> bool:
    """Whether a finding is about a part that an abstract ruleset may leave open."""
    keys = {each.span for each in layered.open.values()}
    if found.span in keys or any(label.span in keys for label in found.labels[1:]):
        return True
    return found.severity is not Severity.ERROR and index.definition(found.span) in layered.open


def _without_part(found: Diagnostic, layered: Layered, index: _Index) -> Diagnostic:
    """A definition may lack a part because a layer took it out; whoever did so may have meant the whole."""
    path = index.definition(found.span) if found.code == "incomplete-definition" else ()
    taken = path and any(each[:2] == path and len(each) == len(path) + 1 for each in layered.removed)
    return replace(found, help=messages.take_out_whole(path)) if taken else found


def _explained(found: Diagnostic, layered: Layered, lineage: Lineage) -> Diagnostic:
    """An unknown name may be one that a layer took out, or one that is still open."""
    if found.code not in UNKNOWN:
        return found
    name = found.span.text
    open = next((path for path in layered.open if path[1] == name), None)
    if open is not None:
        return abstract.left_open(found, open, layered.open[open])
    remover = next((each for path, each in layered.removed.items() if path[-1] == name), None)
    if remover is None:
        return found
    return messages.read_and_removed(found, remover, lineage.top)


def _told(
    found: Diagnostic, layered: Layered, layers: Sequence[Layer], lineage: Lineage, index: _Index
) -> _Told | None:
    rank = {name: at for at, name in enumerate(lineage.layers)}
    top = max(found.labels, key=lambda label: rank[label.span.file.layer])
    highest = top.span.file.layer
    if found.severity is not Severity.ERROR and _is_of_others(found, highest, lineage):
        return None
    if _is_example_of_others(found, layers, index) or _is_example_taken_out(found, layered):
        # Examples of others are no part of these rules; `trial` tells of those that cannot run.
        return None
    if rank[highest] > rank[found.span.file.layer]:
        others = tuple(each for each in found.labels if each is not top)
        return _Told(replace(found, labels=(top, *others)), top.span)
    if found.severity is not Severity.ERROR:
        return _Told(found, None)
    edits = _edits(found.span, layers, lineage, rank[highest], index)
    if not edits:
        return _Told(found, None)
    first, *more = [messages.changed_here(each) for each in edits]
    return _Told(replace(found, labels=(first, *found.labels, *more)), first.span)


def _is_of_others(found: Diagnostic, highest: str, lineage: Lineage) -> bool:
    """Whether a finding concerns one layer below, and what that stands on, alone."""
    concerned = {each.span.file.layer for each in found.labels}
    return highest != lineage.top and concerned <= {highest, *lineage.below[highest]}


def _is_example_of_others(found: Diagnostic, layers: Sequence[Layer], index: _Index) -> bool:
    """Whether a finding lies in an example of a layer below that the topmost layer does not speak of."""
    path, top = index.definition(found.span), layers[-1]
    is_below = found.span.file.layer != top.name
    return path[:1] == ("examples",) and is_below and _statement(top, path) is None


def _is_example_taken_out(found: Diagnostic, layered: Layered) -> bool:
    """Whether a ruling names an example that a layer above it took out, as it may."""
    remover = layered.removed.get(("examples", found.span.text))
    return found.code == "unknown-name" and remover is not None and remover.layer != found.span.file.layer


def _edits(span: Span, layers: Sequence[Layer], lineage: Lineage, rank: int, index: _Index) -> list[Contribution]:
    """The changes in layers above that have to do with a place of a lower one, the most likely cause first.

    That is the topmost change to the definition in which the place lies, or else those to the nearest of what that
    definition stands on, of which each may be the cause.
    """
    path = index.definition(span)
    if not path:
        return []
    order = {name: at for at, name in enumerate(lineage.layers)}

    def by_height(edits: Iterable[Contribution]) -> list[Contribution]:
        return sorted(edits, key=lambda each: (order[each.layer], each.span.start), reverse=True)

    above = layers[rank + 1 :]
    upper = {each.name for each in above}
    edits = [each for each in index.history(path) if each.layer in upper]
    edits = edits or [edit for each in above if (edit := _statement(each, path))]
    if edits:
        return by_height(edits)[:1]
    for ring in index.mentions.rings(path, span.text):
        edits = [edit for each in above for named in ring if (edit := _statement(each, named))]
        if edits:
            return by_height(edits)[:MOST]
    return []


def _statement(layer: Layer, path: Path) -> Contribution | None:
    """Where a layer speaks of a definition: the key of what it says there, if that is one thing."""
    entry = entry_at(layer.root, path)
    while entry and isinstance(entry.value, Mapping) and len(entry.value.entries) == 1:
        inner = entry.value.entries[0]
        if inner.key.text in LAYER_WORDS:
            break
        entry = inner
    return Contribution(layer.name, "set", entry.key.span, entry.value) if entry else None
