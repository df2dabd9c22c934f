"""Loaded YAML: plain strings, maps and lists, each with the place where it stands.

Keys and scalars are strings as written; what a scalar means is decided by the column or key that it stands in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from .source import SourceFile, Span

Style: TypeAlias = Literal["plain", "single", "double", "folded", "literal"]


@dataclass(frozen=True, eq=False, slots=True)
class Scalar:
    """A scalar: its text after YAML's own unescaping, and how to find each character of it in the file.

    `offsets[i]` is the file offset of `text[i]`, and `offsets[len(text)]` the offset where the text ends; None where
    the text stands in the file character for character, from `first`. `span` covers the quotes too. `below` is what
    `inherited` stands for in it: the value of the layers below.
    """

    text: str
    style: Style
    span: Span
    first: int
    offsets: tuple[int, ...] | None = None
    below: Scalar | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is written without quotes or block style, so that YAML would read `true` as a boolean."""
        return self.style == "plain"

    @property
    def is_empty(self) -> bool:
        """Whether there is no value at all: nothing after the colon."""
        return self.is_plain and not self.text

    def part(self, start: int, end: int) -> Span:
        """The place in the file of `text[start:end]`."""
        if self.offsets is None:
            return Span(self.span.file, self.first + start, self.first + end)
        if end == start:
            return Span(self.span.file, self.offsets[start], self.offsets[start])
        # After an escape the last character is longer in the file than one; after a fold the next one is elsewhere.
        after, last = self.offsets[end], self.offsets[end - 1]
        width = after - last if "\n" not in self.span.file.text[last:after] else 1
        return Span(self.span.file, self.offsets[start], last + max(width, 1))


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One `key: value` of a map."""

    key: Scalar
    value: Node

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return self.key.span.to(self.value.span)


@dataclass(frozen=True, eq=False, slots=True)
class Mapping:
    """A map. No key stands twice."""

    entries: tuple[Entry, ...]
    span: Span
    is_flow: bool = False

    def entry(self, key: str) -> Entry | None:
        """The entry of `key`, or None."""
        return next((each for each in self.entries if each.key.text == key), None)

    def get(self, key: str) -> Node | None:
        """The value of `key`, or None."""
        found = self.entry(key)
        return found.value if found else None


@dataclass(frozen=True, eq=False, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span
    is_flow: bool = False


Node: TypeAlias = Scalar | Mapping | Sequence


@dataclass(frozen=True, eq=False, slots=True)
class Document:
    """One file, loaded. `comments` are the places of its comments, from `#` to the end of the line."""

    file: SourceFile
    root: Mapping
    comments: tuple[Span, ...] = ()
