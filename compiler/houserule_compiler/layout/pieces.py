"""What a file consists of, in order: scalars, comments and signs; all between them is white space."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..document import Document, Mapping, Node, Scalar, Sequence

Kind: TypeAlias = Literal["scalar", "comment", "dash", "colon", "comma", "open", "close", "marker"]
_SIGNS: dict[str, Kind] = {
    "-": "dash",
    ":": "colon",
    ",": "comma",
    "[": "open",
    "{": "open",
    "]": "close",
    "}": "close",
}
_MARKERS = ("---", "...")


class Unknown(Exception):
    """Something that the layout has no rule for stands at `offset`: a key behind a `?`."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece from `start` to `end`; `scalar` is the scalar that it is, if it is one."""

    start: int
    end: int
    kind: Kind
    scalar: Scalar | None = None

    @property
    def is_block(self) -> bool:
        """Whether it is a text under `|` or `>`."""
        return self.scalar is not None and self.scalar.style in ("literal", "folded")


def scalars(node: Node) -> Iterator[Scalar]:
    """All scalars that are written, in order."""
    if isinstance(node, Scalar):
        if node.span.end > node.span.start:
            yield node
    elif isinstance(node, Mapping):
        for each in node.entries:
            yield each.key
            yield from scalars(each.value)
    else:
        for item in node.items:
            yield from scalars(item)


def pieces(document: Document) -> list[Piece]:
    """All pieces in order; Unknown where there is something else."""
    text = document.file.text
    written = [Piece(each.span.start, each.span.end, "scalar", each) for each in scalars(document.root)]
    starts = [each.start for each in written]
    comments = [Piece(each.start, each.start + len(each.text.rstrip()), "comment") for each in document.comments]
    known = sorted([*written, *(each for each in comments if not _is_inside(each, written, starts))], key=_start)
    found: list[Piece] = []
    at = 0
    for each in known:
        found += _signs(text, at, each.start)
        found.append(each)
        at = each.end
    return [*found, *_signs(text, at, len(text))]


def _start(piece: Piece) -> int:
    return piece.start


def _is_inside(comment: Piece, written: list[Piece], starts: list[int]) -> bool:
    """Whether a comment stands beside the `|` or `>` of a text, and so within its place."""
    at = bisect_right(starts, comment.start) - 1
    return at >= 0 and comment.start < written[at].end


def _signs(text: str, start: int, end: int) -> Iterator[Piece]:
    at = start
    while at < end:
        if text[at : at + 3] in _MARKERS and (at == 0 or text[at - 1] == "\n"):
            yield Piece(at, at + 3, "marker")
            at += 3
        elif text[at] in _SIGNS:
            yield Piece(at, at + 1, _SIGNS[text[at]])
            at += 1
        elif text[at] in " \t\n":
            at += 1
        else:
            raise Unknown(at)


def parts(node: Node) -> tuple[Node, ...]:
    """What stands directly in a list or map as a value."""
    if isinstance(node, Mapping):
        return tuple(each.value for each in node.entries)
    return node.items if isinstance(node, Sequence) else ()
