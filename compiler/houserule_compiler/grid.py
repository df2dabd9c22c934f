"""The cells of a sweep: the facts that vary with their values, and those that stay the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ranges import Value


@dataclass(frozen=True, slots=True)
class Axis:
    """A fact that varies: its values as callers give them, and whether they stand at distances from each other."""

    path: str
    values: tuple[Value, ...]
    is_scale: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """All combinations of some values; the last axis varies fastest. `fixed` are facts that are the same in all."""

    axes: tuple[Axis, ...]
    fixed: Mapping[str, object]

    @property
    def count(self) -> int:
        """How many cells there are."""
        return prod(len(each.values) for each in self.axes)

    def cells(self) -> Iterator[tuple[Value, ...]]:
        """The values of the axes in each cell."""
        return product(*(each.values for each in self.axes))
