"""A grid in few rows: the least, the most and the exact mean of each column, over all cells or by some facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from .tabular import Tabular

if TYPE_CHECKING:
    from .ranges import Value
    from .swept import Cell, Column, Swept
    from .tabular import Row


def summed(found: Swept, by: Sequence[str]) -> Tabular:
    """One row for each combination of the facts `by`, and in it for each column; `cells` are those that have an answer.

    Where no cell has one, least, most and mean are missing. Every column must be a number or a chance.
    """
    axes = found.grid.axes
    kept = [at for at, each in enumerate(axes) if each.path in by]
    groups: dict[tuple[Value, ...], list[list[Cell]]] = {}
    for cell, answers in zip(found.grid.cells(), found.rows, strict=True):
        group = groups.setdefault(tuple(cell[at] for at in kept), [[] for _ in found.columns])
        for column, answer in zip(group, answers, strict=True):
            column.append(answer)
    measures = {each.measure for each in found.columns}
    measure = found.columns[0].measure if len(measures) == 1 else "fraction"
    mean = "chance" if measure == "chance" else "fraction"
    heads = [*((axes[at].path, "fact") for at in kept), ("of", "word"), ("cells", "whole")]
    heads += [("least", measure), ("most", measure), ("mean", mean)]
    return Tabular(tuple(heads), list(_rows(found.columns, groups)))  # type: ignore[arg-type]


def _rows(columns: Sequence[Column], groups: dict[tuple[Value, ...], list[list[Cell]]]) -> Iterator[Row]:
    for facts, cells in groups.items():
        for column, answers in zip(columns, cells, strict=True):
            values = [Fraction(each) for each in answers if each is not None]
            ends = (_plain(min(values)), _plain(max(values)), sum(values) / len(values)) if values else (None,) * 3
            yield (*facts, column.name, len(values), *ends)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value
