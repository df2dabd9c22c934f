"""What a process keeps of files that stay as they are, where it compiles the same rules again and again.

It is handed to a build and belongs to whoever hands it. Whatever one round does not ask for is forgotten with the next.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Memory:
    """Answers by what they were worked out from; those of this round, and those of the one before."""

    _now: dict[Hashable, tuple[object, Any]] = field(default_factory=dict)
    _before: dict[Hashable, tuple[object, Any]] = field(default_factory=dict)

    def turn(self) -> None:
        """Begins a round."""
        self._before, self._now = self._now, {}

    def recall(
        self, key: Hashable, about: object, make: Callable[[], T], keeps: Callable[[T], bool] = lambda made: True
    ) -> T:
        """What was made for this key, or else is made now, and kept if `keeps` says so of it.

        `about` is kept as long as the answer: where the key holds its identity, no other thing can take that over.
        """
        kept = self._now.get(key) or self._before.get(key)
        if kept is None:
            kept = about, make()
            if not keeps(kept[1]):
                return kept[1]
        self._now[key] = kept
        made: T = kept[1]
        return made
