"""In which column each line begins: two columns further for each level of maps and lists in block style."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from collections.abc import Sequence as List
from dataclasses import dataclass, field

from ..document import Document, Node, Scalar, Sequence
from ..document import Mapping as Map
from .pieces import Piece

INDENT = 2
_TO_US = re.compile(r"#+[ \t]*houserule\b")


@dataclass(slots=True)
class Levels:
    """Columns by the offset of what stands there.

    `lines` are those of keys, dashes and values, if they begin a line, and of comments that do. `inside` are those of
    the further lines of a scalar, by the offset of the scalar.
    """

    lines: dict[int, int] = field(default_factory=dict)
    inside: dict[int, int] = field(default_factory=dict)


def levels(document: Document, pieces: List[Piece]) -> Levels:
    """The columns of everything in block style."""
    walk = _Walk(document.file.text, [each.start for each in pieces if each.kind == "dash"])
    walk.node(document.root, 0)
    walk.found.lines |= _comments(document.file.text, pieces, walk.found.lines)
    return walk.found


def _comments(text: str, pieces: List[Piece], lines: Mapping[int, int]) -> dict[int, int]:
    """The columns of comments in lines of their own, outside brackets.

    Each stands with what follows, or, if it was indented further than that, with the block above that it belonged to.
    """
    found: dict[int, int] = {}
    # The blocks around the last line: in which column they stood, and in which they stand now.
    blocks: list[tuple[int, int]] = []
    content: Piece | None = None
    depth = 0
    for piece, after in zip(pieces, _following(pieces), strict=True):
        is_first = not text[text.rfind("\n", 0, piece.start) + 1 : piece.start].strip()
        depth += {"open": 1, "close": -1}.get(piece.kind, 0)
        if piece.kind != "comment":
            content = piece
            if is_first and piece.start in lines:
                _enter(blocks, _column(text, piece), lines[piece.start])
        elif is_first and not depth:
            following = (_column(text, after), lines.get(after.start, 0)) if after else None
            # What a comment allows is in the line below it, and so it stays right above that.
            old = 0 if _TO_US.match(text, piece.start) else _column(text, piece)
            found[piece.start] = _comment(old, following, blocks, content)
    return found


def _following(pieces: List[Piece]) -> list[Piece | None]:
    """For each piece the next one from it on that is no comment."""
    found: list[Piece | None] = []
    for each in reversed(pieces):
        found.append(each if each.kind != "comment" else found[-1] if found else None)
    return found[::-1]


def _enter(blocks: list[tuple[int, int]], old: int, column: int) -> None:
    while blocks and blocks[-1][1] >= column:
        blocks.pop()
    blocks.append((old, column))


def _comment(old: int, following: tuple[int, int] | None, blocks: List[tuple[int, int]], content: Piece | None) -> int:
    if following and (content is None or content.kind in ("colon", "dash", "marker")):
        return following[1]
    if following and old <= following[0]:
        return following[1]
    known = [each for each in [*blocks, *([following] if following else [])] if each[0] <= old]
    known.sort(key=lambda each: (each[0], each == following, -each[1]))
    return known[-1][1] if known else 0


def _column(text: str, piece: Piece) -> int:
    return piece.start - text.rfind("\n", 0, piece.start) - 1


class _Walk:
    def __init__(self, text: str, dashes: list[int]) -> None:
        self.text = text
        self.dashes = dashes
        self.found = Levels()

    def node(self, node: Node, column: int) -> None:
        """A map or list in block style whose keys or dashes stand in the column."""
        if isinstance(node, Map):
            for each in node.entries:
                self.found.lines[each.key.span.start] = column
                self._value(each.value, column)
        elif isinstance(node, Sequence):
            for item in node.items:
                dash = self.dashes[bisect_left(self.dashes, item.span.start) - 1]
                self.found.lines[dash] = column
                self._value(item, column)

    def _value(self, node: Node, column: int) -> None:
        inner = column + INDENT
        if isinstance(node, Scalar):
            self.found.lines.setdefault(node.span.start, inner)
            self.found.inside[node.span.start] = column + self._digit(node) if self._digit(node) else inner
        elif node.is_flow:
            self.found.lines[node.span.start] = inner
        else:
            self.node(node, inner)

    def _digit(self, scalar: Scalar) -> int:
        """The indentation that is written beside `|` or `>`, counted from the map or list around it."""
        if scalar.style not in ("literal", "folded"):
            return 0
        head = self.text[scalar.span.start + 1 : scalar.span.start + 3]
        return next((int(each) for each in head if each.isdigit()), 0)
