"""Changes of a text by offset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """Puts `text` in the place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """The text with all edits made; they do not overlap."""
    pieces: list[str] = []
    at = 0
    for each in sorted(edits):
        assert each.start >= at, "edits overlap"
        pieces += [text[at : each.start], each.text]
        at = each.end
    return "".join([*pieces, text[at:]])
