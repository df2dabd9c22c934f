"""Bytes as a row of choices, so that a fuzzer that changes a byte changes a choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Choices from bytes, in order; where they end, each choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def below(self, many: int) -> int:
        """A number from 0 to one below `many`."""
        size = 1 if many <= 256 else 2 if many <= 65_536 else 4
        piece = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(piece, "big") % many if many > 1 else 0

    def one(self, items: Sequence[T]) -> T:
        """One of several."""
        return items[self.below(len(items))]
