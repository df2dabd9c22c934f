"""Which definitions, and which parts of them, the text of another mentions: over all layers, by words alone.

It is for findings after layering, where rules may be too broken to be resolved. A number is taken to mention the
modifiers that adjust it, since a change of one is a change of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from .document import Entry, Mapping, Node
from .layers import Layer
from .paths import Path

READ = (
    "choices",
    "entities",
    "roles",
    "facts",
    "options",
    "conditions",
    "tables",
    "numbers",
    "stacking",
    "checks",
    "actions",
    "events",
    "sequences",
)
"""The sections whose definitions others name."""
PARTS = {"entities": (), "choices": ("attributes", "words"), "checks": ("outcomes", "values", "roll")}
"""By section, where in a definition parts stand that others name."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")


class Mentions:
    """What is mentioned in the layers of one build."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self._seen: dict[Path, tuple[Path, ...]] = {}

    def in_text(self, text: str) -> list[Path]:
        """The definitions and parts that a text names."""
        words = dict.fromkeys(_WORD.findall(text))
        return list(dict.fromkeys(path for word in words for path in self._named.get(word, ())))

    def rings(self, path: Path, text: str = "") -> Iterator[list[Path]]:
        """What the `text` names, if any, then what the definition at `path` mentions, what that does, and so on."""
        seen = {path}
        first = self.in_text(text)
        if first:
            yield first
        ring = list(self._mentioned(path))
        while ring := [each for each in dict.fromkeys(ring) if each not in seen]:
            seen |= set(ring)
            yield ring
            ring = [other for each in ring for other in self._mentioned(each)]

    def _mentioned(self, path: Path) -> tuple[Path, ...]:
        if path not in self._seen:
            texts = [entry.span.text for each in self._layers if (entry := entry_at(each.root, path))]
            adjusting = self._adjusting.get(path[1], ()) if path[0] == "numbers" else ()
            self._seen[path] = (*self.in_text("\n".join(texts)), *adjusting)
        return self._seen[path]

    @cached_property
    def _named(self) -> dict[str, list[Path]]:
        found: dict[str, list[Path]] = {}
        for path in _paths(self._layers):
            found.setdefault(path[-1], []).append(path)
        return found

    @cached_property
    def _adjusting(self) -> dict[str, list[Path]]:
        """The modifiers of each number."""
        found: dict[str, list[Path]] = {}
        for layer in self._layers:
            for each in _entries(layer.root.get("modifiers")):
                for adjusted in _entries(each.value.get("adjust") if isinstance(each.value, Mapping) else None):
                    found.setdefault(adjusted.key.text, []).append(("modifiers", each.key.text))
        return found


def entry_at(root: Mapping, path: Path) -> Entry | None:
    """What stands at a path of one layer's tree."""
    node: Node = root
    entry: Entry | None = None
    for key in path:
        entry = node.entry(key) if isinstance(node, Mapping) else None
        if entry is None:
            return None
        node = entry.value
    return entry


def _paths(layers: Iterable[Layer]) -> dict[Path, None]:
    """The paths of all that others may name, each once."""
    found: dict[Path, None] = {}
    for section in (each for layer in layers for each in layer.root.entries if each.key.text in READ):
        for one in _entries(section.value):
            path = (section.key.text, one.key.text)
            found[path] = None
            found |= dict.fromkeys(_parts(path, one.value))
    return found


def _parts(path: Path, node: Node) -> Iterator[Path]:
    places = PARTS.get(path[0])
    if places == ():
        yield from ((*path, each.key.text) for each in _entries(node))
    for place in places or ():
        inner = node.get(place) if isinstance(node, Mapping) else None
        yield from ((*path, place, each.key.text) for each in _entries(inner))


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()
