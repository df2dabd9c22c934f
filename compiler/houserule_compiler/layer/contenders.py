"""Who of the layers below disagrees on a node, and what each of them says there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..document import Entry
from ..edits import Json
from ..forms import Form
from ..layers import Layer
from ..lineage import Lineage
from ..messages.layers import place
from ..normal import Normal
from ..paths import Path
from ..source import Span
from .worlds import World, Worlds, find

CODES = frozenset({"conflict", "both-define", "same-gap"})


@dataclass(frozen=True, slots=True)
class Contenders:
    """Reads disagreements off the findings of the layers below, whose labels point into all that take part."""

    layers: Mapping[str, Layer]
    lineage: Lineage
    form: Form
    below: World
    world: Worlds

    def at(self, path: Path) -> dict[str, Json | None]:
        """What each layer says that disagrees with another at a path, above or below it; empty if none does."""
        names = sorted(set(self._names(path)))
        return {each: self._value(each, path) for each in names}

    def sides(self, names: Iterable[str], path: Path) -> dict[str, Span]:
        """Where each of these layers says so."""
        found = {each: find(self.layers[each].root, path, self.form) for each in names}
        return {name: place(each[0].value, each[0].key) for name, each in found.items() if each}

    def _names(self, path: Path) -> Iterator[str]:
        found = [each for each in self.below.work.found if each.code in CODES]
        if not found:
            return
        under = self.lineage.below[self.lineage.top]
        stated = [(name, each[0]) for name in under if (each := find(self.layers[name].root, path, self.form))]
        for finding in found:
            names = {name for name, entry in stated if any(_holds(entry, label.span) for label in finding.labels)}
            if len(names) > 1:
                yield from names

    def _value(self, name: str, path: Path) -> Json | None:
        world = self.world(self.lineage.own[name] | {name})
        found = world.find(path, self.form)
        return Normal(self.below.work.parser, world.sheet).node(path, found[0].value, found[1]) if found else None


def _holds(entry: Entry, span: Span) -> bool:
    whole = entry.key.span, entry.value.span
    return any(each.file is span.file and each.start <= span.start and span.end <= each.end for each in whole)
