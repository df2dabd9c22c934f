"""Sheets as text for a terminal and as Markdown: a title, and below it paragraphs, tables and lists.

All that comes from rules is put on one line here; Markdown that it holds is escaped, so that no title breaks a table.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .characters import columns as columns_of
from .columns import columns

WIDTH = 110
_NARROWEST = 14
_LONGEST = 40
"""A longer word may be broken to fit; the name of a fact, which is there to be typed, is shorter."""
_MENTION = re.compile(r"@(?=\w)")
_MARKS = re.compile(r"([\\`*_\[\]<>|#~&])")
# At its beginning a text could be taken for an item of a list.
_BULLET = re.compile(r"^([-+])(?= )")
_NUMBER = re.compile(r"^(\d+)(?=[.)])")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; `lead` is a word before it, such as `when`."""

    text: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below a head; the columns from `right` on are flush right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: int = 99
    title: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A nested list: pairs of depth, from 0, and text."""

    items: tuple[tuple[int, str], ...]
    title: str = ""


Block: TypeAlias = Paragraph | Table | Items


@dataclass(frozen=True, slots=True)
class Sheet:
    """One definition, or the contents of a ruleset."""

    title: str
    blocks: tuple[Block, ...]


def as_text(sheet: Sheet) -> str:
    """The sheet as lines of plain text."""
    blocks = [_text_of(each) for each in sheet.blocks]
    body = [line for at, each in enumerate(blocks) for line in ([""] if at and _is_apart(sheet, at) else []) + each]
    return "\n".join([_line(sheet.title), *(f"  {each}" if each else "" for each in body)])


def _is_apart(sheet: Sheet, at: int) -> bool:
    """Whether a blank line stands before a block: paragraphs with a lead follow each other closely."""
    pair = sheet.blocks[at - 1 : at + 1]
    return not all(isinstance(each, Paragraph) and each.lead for each in pair)


def _text_of(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        lead = f"{block.lead}: " if block.lead else ""
        return textwrap.wrap(lead + _line(block.text), WIDTH - 2, subsequent_indent="  " * bool(lead))
    if isinstance(block, Items):
        told = [line for depth, text in block.items for line in _item(depth, text)]
        return [block.title, *(f"  {each}" for each in told)] if block.title else told
    rows = [[_line(each) for each in row] for row in (block.head, *block.rows)]
    rows = rows if any(block.head) else rows[1:]
    shown = columns(_fitted(rows, block.right), lambda at: at >= block.right).split("\n") if rows else []
    return [block.title, *(f"  {each}" for each in shown)] if block.title else shown


def _item(depth: int, text: str) -> list[str]:
    return textwrap.wrap(_line(text), WIDTH - 2, initial_indent="  " * depth, subsequent_indent="  " * (depth + 2))


def _fitted(rows: Sequence[Sequence[str]], right: int) -> list[list[str]]:
    """The rows with wide columns wrapped, so that all of them together fit on a line."""
    widths = [max(sum(map(columns_of, cell)) for cell in column) for column in zip(*rows, strict=True)]
    least = [max(_NARROWEST, _longest_word(column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * len(widths) > WIDTH:
        wide = [at for at in range(min(right, len(widths))) if widths[at] > least[at]]
        if not wide:
            break
        widths[max(wide, key=lambda at: widths[at])] -= 1
    found: list[list[str]] = []
    for row in rows:
        cells = [textwrap.wrap(cell, max(width, 1)) or [""] for cell, width in zip(row, widths, strict=True)]
        height = max(map(len, cells))
        found += [[cell[line] if line < len(cell) else "" for cell in cells] for line in range(height)]
    return found


def _longest_word(cells: Iterable[str]) -> int:
    """So wide is the longest word that is kept whole."""
    widths = (sum(map(columns_of, word)) for cell in cells for word in cell.split())
    return max((each for each in widths if each <= _LONGEST), default=0)


def as_markdown(sheet: Sheet) -> str:
    """The sheet as Markdown, its title as a heading of the second level."""
    return "\n\n".join([f"## {escaped(sheet.title)}", *(_markdown_of(each) for each in sheet.blocks)])


def _markdown_of(block: Block) -> str:
    if isinstance(block, Paragraph):
        return (f"**{escaped(block.lead)}:** " if block.lead else "") + escaped(block.text)
    title = [f"**{escaped(block.title)}**", ""] if block.title else []
    if isinstance(block, Items):
        return "\n".join([*title, *(f"{'  ' * depth}- {escaped(text)}" for depth, text in block.items)])
    head = [escaped(each) for each in block.head]
    rule = ["---:" if at >= block.right else "---" for at in range(len(head))]
    rows = [[escaped(each) for each in row] for row in block.rows]
    return "\n".join([*title, *(f"| {' | '.join(row)} |" for row in (head, rule, *rows))])


def escaped(text: str) -> str:
    """Text on one line, as Markdown that shows it as it is, and that calls nobody who reads it."""
    marked = _MENTION.sub("@<!-- -->", _MARKS.sub(r"\\\1", _line(text)))
    return _NUMBER.sub(r"\1\\", _BULLET.sub(r"\\\1", marked))


def _line(text: str) -> str:
    return " ".join(text.split())


def paragraphs(named: Iterable[tuple[str, str]]) -> list[Block]:
    """A paragraph for each pair of a lead and its text; none where there is no text."""
    return [Paragraph(text, lead) for lead, text in named if text]
