"""Examples that a layer states anew: its own line is shown, and the rulings below that its answers change are named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .diagnostics import Diagnostic
from .document import Mapping, Node, Scalar
from .layers import Contribution, Layer, Origins
from .messages import examples as messages
from .ruleset import Ruleset
from .source import Span

ANSWERS = frozenset({"expect", "odds"})
"""The keys of an example that say what comes out."""


def restated(
    id: str, found: tuple[Diagnostic, ...], ruleset: Ruleset, layer: Layer, origins: Origins
) -> tuple[Diagnostic, ...]:
    """What was found in trying an example, with what `layer` does to it where it states anew one of a layer below."""
    stated = layer.root.get("examples")
    entry = stated.entry(id) if isinstance(stated, Mapping) else None
    if entry is None:
        return found
    shown = (_shown(each, layer.name, entry.key.span) for each in found)
    return (*shown, *_changed(id, ruleset, layer, origins))


def _shown(found: Diagnostic, layer: str, place: Span) -> Diagnostic:
    """A finding, at the line of the layer that speaks of the example."""
    if any(each.span.file.layer == layer for each in found.labels):
        return found
    return replace(found, labels=(messages.stated_anew(place, layer), *found.labels))


def _changed(id: str, ruleset: Ruleset, layer: Layer, origins: Origins) -> Iterator[Diagnostic]:
    """A note for each ruling of a layer below that is locked by another answer than this one."""
    edit = next((found for path, found in origins.history.items() if _is_answer(path, id, found, layer.name)), None)
    if edit is None:
        return
    for each in ruleset.rulings.values():
        if each.id not in layer.ids("rulings") and any(one.id == id for one in each.examples):
            yield messages.ruling_contradicted(id, edit[-1].span, each.id, each.place)


def _is_answer(path: tuple[str, ...], id: str, found: tuple[Contribution, ...], layer: str) -> bool:
    """Whether a layer has another answer at a path than the one below it."""
    if path[:2] != ("examples", id) or found[-1].layer != layer or len(found) < 2:
        return False
    if len(path) == 2:
        return found[-1].act == "replace"
    return path[2] in ANSWERS and _text(found[-1].node) != _text(found[-2].node)


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else node.span.text if node is not None else ""
