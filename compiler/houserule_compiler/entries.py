"""From the nodes between the ends of a map or list to its entries or items: what YAML let pass, and rules do not.

Where YAML read something else than the author wrote, the entry is mended to what was meant, so that one slip is one
message. A value that is missing or was refused becomes an empty scalar, about which all is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeGuard

from .characters import skeleton
from .document import Entry, Mapping, Node, Scalar, Sequence
from .limits import Limits
from .messages import load as messages
from .messages import structure
from .scalar_text import Report, as_plain
from .source import SourceFile, Span

TEXT_KEYS = frozenset({"title", "note", "source", "question", "ruling", "because", "reason"})
"""The keys whose values people write as prose."""

_COLON = re.compile(r"[ \t\n]*+:")
_GLUED = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*+):([^\s:/]\S*+)?")

Pair = tuple[Node, Node]


@dataclass(frozen=True, slots=True)
class Assembly:
    """Puts the maps and lists of one file together; `texts` keeps where prose without quotes ends, and its key."""

    file: SourceFile
    limits: Limits
    report: Report
    texts: dict[int, str] = field(default_factory=dict)

    def mapping(self, parts: list[Node], span: Span, is_flow: bool) -> Mapping:
        """The map of these keys and values, which come by turns."""
        pairs: Iterable[Pair] = zip(parts[::2], parts[1::2], strict=True)
        if is_flow:
            pairs = self._mended(pairs)
        entries: dict[str, Entry] = {}
        twins: dict[str, Entry] = {}
        for key, value in pairs:
            if self._is_usable(key):
                entry = Entry(key, self._value(key, value, is_flow))
                self._add(entry, entries, twins)
        return Mapping(tuple(entries.values()), span, is_flow)

    def sequence(self, items: list[Node], span: Span, is_flow: bool) -> Sequence:
        """The list of these items."""
        for each in items:
            if _is_nothing(each):
                self.report(messages.empty_item(Span(self.file, each.span.start - 1, each.span.start)))
        return Sequence(tuple(self._rejoined(items) if is_flow else items), span, is_flow)

    def _is_usable(self, key: Node) -> TypeGuard[Scalar]:
        """Whether it is a key that rules may have; reports it otherwise, unless that is done."""
        if not isinstance(key, Scalar) or key.style in ("folded", "literal"):
            kind = {Mapping: "a map", Sequence: "a list"}.get(type(key), "a text of several lines")
            self.report(messages.key_not_text(key.span, kind))
        elif _is_nothing(key):
            self.report(messages.key_not_text(key.span, "nothing before the colon"))
        elif key.is_plain and key.text == "<<":
            self.report(messages.merge_key(key.span))
        else:
            return not key.is_empty
        return False

    def _value(self, key: Scalar, value: Node, is_flow: bool) -> Node:
        if not isinstance(value, Scalar):
            return value
        if _is_nothing(value):
            self.report(messages.empty_value(key.span))
        elif value.is_plain and key.text in TEXT_KEYS:
            self.texts[value.span.end] = key.text
        elif value.is_plain and not is_flow and "\n" in self.file.text[key.span.end : value.span.start]:
            return self._block_value(value)
        return value

    def _block_value(self, value: Scalar) -> Scalar:
        """A word below a key; `key:value` there was meant to be an entry."""
        found = _GLUED.match(self.file.text, value.span.start, value.span.end)
        if not found or not found[2]:
            return value
        self.report(structure.space_after_colon(Span(self.file, *found.span()), found[1], found[2]))
        return Scalar("", "plain", value.span, value.first)

    def _add(self, entry: Entry, entries: dict[str, Entry], twins: dict[str, Entry]) -> None:
        """Adds an entry unless its key is there; reports that, and keys that look alike."""
        text = entry.key.text
        if len(text) > self.limits.key:
            self.report(messages.key_too_long(entry.key.span, self.limits.key))
        normal = text if text.isascii() else unicodedata.normalize("NFC", text)
        if normal in entries:
            self.report(messages.duplicate_key(entry.key.span, entries[normal].key.span, text))
            return
        entries[normal] = entry
        twin = twins.setdefault(skeleton(normal), entry)
        if twin is not entry:
            self.report(messages.similar_keys(entry.key.span, twin.key.span))

    def _mended(self, pairs: Iterable[Pair]) -> Iterable[Pair]:
        """The entries of a map in braces, with what commas cut put together and `key:value` taken apart."""
        mended: list[Pair] = []
        cuts: dict[int, int] = {}
        for key, value in pairs:
            if not self._is_bare(key, value):
                mended.append((key, value))
            elif found := _GLUED.fullmatch(key.text):
                mended.append(self._split(key, found))
            elif mended and _is_plain_text(mended[-1][1]):
                cuts[len(mended) - 1] = key.span.end
            else:
                mended.append((key, value))
        for index, end in cuts.items():
            key, value = mended[index]
            mended[index] = key, self._whole(value.span.start, end)
        return mended

    def _is_bare(self, key: Node, value: Node) -> TypeGuard[Scalar]:
        """Whether it is a word without quotes and without a colon after it."""
        is_alone = isinstance(key, Scalar) and key.is_plain and _is_nothing(value)
        return is_alone and not _COLON.match(self.file.text, key.span.end)

    def _whole(self, start: int, end: int) -> Scalar:
        """The value that commas cut; reports that."""
        whole = as_plain(self.file, start, end)
        self.report(structure.cut_at_comma(whole.span))
        return whole

    def _split(self, key: Scalar, found: re.Match[str]) -> Pair:
        """The entry that `key:value` was meant to be; reports it if there is a value."""
        start = key.span.start
        value = Span(self.file, start + len(found[1]) + 1, key.span.end)
        if found[2]:
            self.report(structure.space_after_colon(key.span, found[1], found[2]))
        name = Span(self.file, start, start + len(found[1]))
        return Scalar(found[1], "plain", name, start), Scalar(found[2] or "", "plain", value, value.start)

    def _rejoined(self, items: list[Node]) -> list[Node]:
        """The items of a list in brackets; a call whose arguments were cut at their commas is one item."""
        joined: list[Node] = []
        waiting: list[Node] = []
        depth = 0
        for each in items:
            if not _is_plain_text(each):
                joined += [*waiting, each]
                waiting, depth = [], 0
                continue
            waiting.append(each)
            depth += _open_parentheses(each)
            if depth <= 0:
                joined.append(self._whole(waiting[0].span.start, each.span.end) if len(waiting) > 1 else each)
                waiting, depth = [], 0
        return [*joined, *waiting]


def _is_nothing(node: Node) -> bool:
    """Whether nothing was written there, and nothing was said about that."""
    return isinstance(node, Scalar) and node.is_empty and node.span.start == node.span.end


def _is_plain_text(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_plain and bool(node.text)


def _open_parentheses(node: Node) -> int:
    """How many parentheses it opens more than it closes."""
    return node.text.count("(") - node.text.count(")") if isinstance(node, Scalar) else 0
