"""Rows of cells as aligned text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .characters import columns as columns_of


def columns(rows: Sequence[Sequence[str]], is_right: Callable[[int], bool] = lambda column: False) -> str:
    """The rows as lines, two spaces between the columns, those that `is_right` names flush right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]

    def cell(text: str, column: int) -> str:
        gap = " " * (widths[column] - _width(text))
        return gap + text if is_right(column) else text + gap

    return "\n".join("  ".join(cell(text, at) for at, text in enumerate(row)).rstrip() for row in rows)


def _width(text: str) -> int:
    return sum(map(columns_of, text))
