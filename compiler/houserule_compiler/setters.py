"""Which layers set a part of the rules: the answer to `houserule origin`, from the files of a build or an artifact.

The value of a part that one layer alone wrote is known from files only; an artifact knows where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houserule.origins import Origins, Said, above

from .document import Entry, Mapping, Node
from .origins import written
from .paths import path_of, path_text, rows_key
from .source import Span

if TYPE_CHECKING:
    from houserule.origins import Place

_KEY = re.compile(r"(-?[0-9]+|1/2)([+-][0-9]+)?")
_SPACES = re.compile(r"\s*([\[\],])\s*")
STATING = ("set", "remove", "replace")
"""The acts that give a part its value, or take it out."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the rules, and all layers that had a say in it, from the top down.

    `value` is its text, empty where it is a map or is not known.
    """

    path: str
    value: str
    said: tuple[Said, ...]

    @property
    def holder(self) -> Said:
        """Who gave it the value that holds, or took it out."""
        return next((each for each in self.said if each.act in STATING), self.said[0])

    @property
    def over(self) -> Said | None:
        """What the holder put aside: the nearest of another layer below it."""
        below = self.said[self.said.index(self.holder) + 1 :]
        return next((each for each in below if each.layer != self.holder.layer and each.act in STATING), None)

    @property
    def is_new(self) -> bool:
        """Whether one layer alone has a say in it."""
        return len({each.layer for each in self.said}) == 1

    @property
    def is_whole(self) -> bool:
        """Whether one layer says all of it: it is new, written anew, or gone."""
        return self.is_new or self.holder.act in ("remove", "replace")

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON data."""
        keys = ("layer", "file", "line", "act", "text")
        layers = [dict(zip(keys, each.to_list(), strict=True)) for each in self.said]
        return {"path": self.path, "layers": layers} | ({"value": self.value} if self.value else {})


@dataclass(frozen=True, slots=True)
class Setters:
    """Finds parts by path. `tree` is the layered tree, where the rules were read from files."""

    origins: Origins
    tree: Mapping | None = None

    def known(self) -> list[str]:
        """Every path that something is told of, sorted."""
        return sorted({*self.origins.places, *self.origins.told})

    def parts(self, asked: str) -> list[Part]:
        """What stands at a path, and each part inside it that another layer had a say in; empty for an unknown path.

        An id alone means every definition of that id.
        """
        if "." not in asked and "[" not in asked:
            sections = [each for each in self.known() if each.startswith(f"{asked}.")]
            named = [each for each in self.known() if each.partition(".")[2] == asked]
            return list(self._inside(asked)) if sections else [part for each in named for part in self.parts(each)]
        path = self._exact(_SPACES.sub(r"\1", asked.strip()).replace(",", ", "))
        part = self._part(path) if path == path_text(path_of(path)) else None
        return [part, *self._inside(path)] if part else []

    def place(self, path: str) -> Place | None:
        """Where a part stands, or else the smallest known part that it is in."""
        exact = self._exact(path)
        if exact in self.origins.places:
            return self.origins.places[exact]
        node: Node | None = self.tree
        entry: Entry | None = None
        for step in path_of(exact):
            for key in step[1:-1].split(", ") if step.startswith("[") else (step,):
                found = _under(node, key, step.startswith("["))
                node, entry = (found.value, found) if found else (None, entry)
        return _set(entry.key.span, "").place if entry else self.origins.place(path)

    def of_layer(self, layer: str) -> list[Part]:
        """Everything that a layer set, added, moved or took out; what it says all of, as a whole."""
        told = [path for path in self.origins.told if any(each.layer == layer for each in self.origins.history(path))]
        placed = [path for path, (owner, _, _) in self.origins.places.items() if owner == layer]
        found: list[Part] = []
        for path in sorted({*told, *placed}):
            around = [each for each in found if _is_inside(path, each.path)]
            part = None if any(each.is_whole for each in around) else self._part(path)
            found += [part] if part else []
        return found

    def _part(self, path: str) -> Part | None:
        said = self.origins.history(path)
        if said:
            holder = next((each for each in reversed(said) if each.act in STATING), None)
            value = holder.text if holder and not holder.text.startswith("{") else ""
            return Part(path, value, tuple(reversed(said)))
        path, entry = self._entry(path)
        if entry is not None:
            text = "" if isinstance(entry.value, Mapping) else written(entry.value)
            return Part(path, text, (_set(entry.key.span, text),))
        place = self.origins.places.get(path)
        return Part(path, "", (Said(*place, "set", ""),)) if place else None

    def _inside(self, path: str) -> Iterator[Part]:
        """The parts inside another that layers had a say in; inside a section the new definitions too."""
        told = {each for each in self.origins.told if _is_inside(each, path)}
        added = {each for each in self.origins.places if _is_inside(each, path) and self._is_new_definition(each)}
        for each in sorted(told | added):
            part = self._part(each)
            if part:
                yield part

    def _is_new_definition(self, path: str) -> bool:
        return self.origins.place(above(path)) is None and self.origins.places[path][0] not in self.origins.ground

    def _exact(self, path: str) -> str:
        """The path with the keys of rows as they are told of, where the keys asked for lie within those."""
        if "[" not in path or self.origins.history(path):
            return path
        return next((each for each in self.known() if "[" in each and _covers(each, path)), path)

    def _entry(self, path: str) -> tuple[str, Entry | None]:
        """What stands at a path of the tree, and the path with the keys of rows as they are written."""
        node: Node | None = self.tree
        entry: Entry | None = None
        steps: list[str] = []
        for step in path_of(path):
            keys: list[str] = []
            for key in step[1:-1].split(", ") if step.startswith("[") else (step,):
                entry = _under(node, key, step.startswith("["))
                node = entry.value if entry else None
                keys.append(entry.key.text if entry else key)
            steps.append(rows_key(keys) if step.startswith("[") else step)
        return path_text(tuple(steps)), entry


def _under(node: Node | None, key: str, is_row: bool) -> Entry | None:
    if not isinstance(node, Mapping):
        return None
    found = node.entry(key)
    if found or not is_row:
        return found or next((each for each in node.entries if key in each.key.text.split(" | ")), None)
    return next((each for each in node.entries if _lies_in(key, each.key.text)), None)


def _set(span: Span, text: str) -> Said:
    return Said(span.file.layer, span.file.inner_name, span.line, "set", text)


def _is_inside(path: str, whole: str) -> bool:
    return path != whole and path.startswith((f"{whole}.", f"{whole}["))


def _covers(known: str, asked: str) -> bool:
    """Whether two paths differ only in keys of rows, and those asked for lie within those that are known."""
    ours, theirs = (path_of(each) for each in (known, asked))
    return len(ours) == len(theirs) and all(map(_step_covers, ours, theirs))


def _step_covers(known: str, asked: str) -> bool:
    if known == asked or not (known.startswith("[") and asked.startswith("[")):
        return known == asked
    ours, theirs = (each[1:-1].split(", ") for each in (known, asked))
    return len(ours) == len(theirs) and all(map(_lies_in, theirs, ours))


def _lies_in(key: str, band: str) -> bool:
    """Whether a key, or a band, lies within a band: whole numbers, hit dice, or the same word."""
    if key == band:
        return True
    ends = [each.strip().partition("..") for each in (key, band)]
    (low, dots, high), (first, within, last) = ends
    if not within:
        return False
    inner = [_order(each) for each in (low, high if dots else low)]
    outer = [_order(each) for each in (first, last)]
    above_first = not first or (outer[0] is not None and inner[0] is not None and outer[0] <= inner[0])
    below_last = not last or (outer[1] is not None and inner[1] is not None and inner[1] <= outer[1])
    return above_first and below_last and any(each is not None for each in inner)


def _order(key: str) -> tuple[Fraction, int] | None:
    """A whole number or hit dice as something that can be compared; None for a word, or for nothing."""
    found = _KEY.fullmatch(key)
    return (Fraction(found[1]), int(found[2] or 0)) if found else None
