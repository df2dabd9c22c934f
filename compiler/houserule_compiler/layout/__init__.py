"""Lays out a file of rules: the edits that give it the one form, which change white space alone.

Two columns a level, one space after `:` and `,`, none within brackets, rows of tables in columns, one blank line around
sections and at most one elsewhere, two spaces before a comment. What is written, in which order and in which lines,
stays as its author wrote it; only a closing bracket moves up to what it closes.
"""

from __future__ import annotations

from ..document import Document
from ..text_edits import TextEdit
from .aligned import padding
from .levels import levels
from .pieces import Unknown, pieces
from .setting import Setting

__all__ = ["Unknown", "layout", "same"]


def layout(document: Document) -> list[TextEdit]:
    """The edits, in order, none of them without effect; Unknown where there is something without a rule."""
    found = pieces(document)
    edits = Setting(document, found, levels(document, found), padding(document)).edits()
    text = document.file.text
    return [each for each in edits if text[each.start : each.end] != each.text]


def same(one: Document, other: Document) -> bool:
    """Whether two documents hold the same: scalars, signs and comments."""
    return _written(one) == _written(other)


def _written(document: Document) -> list[tuple[str, str]]:
    found = pieces(document)
    text = document.file.text
    texts = [each.scalar.text if each.scalar else text[each.start : each.end] for each in found]
    return [(each.kind, written) for each, written in zip(found, texts, strict=True)]
