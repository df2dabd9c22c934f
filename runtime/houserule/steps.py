"""The steps of a sequence as a tree: the way to each step, its loops, and where in the round something at it stands."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from .rounds import Sequence, SequenceStep

    Key: TypeAlias = tuple[int, ...]
    Way: TypeAlias = tuple[tuple[int, SequenceStep], ...]
    """The steps from the root to a step, each with its index among its siblings."""
    Ranks: TypeAlias = Callable[[str], int]
    """The place of whoever's turn it is, by the id of the step whose initiative rules; empty for the sequence's."""


class Steps:
    """The steps of one sequence by id, depth first."""

    def __init__(self, sequence: Sequence) -> None:
        self.ways: dict[str, Way] = dict(_ways(sequence.steps, ()))
        self.ids = tuple(self.ways)

    def segments(self, id: str) -> tuple[int, int] | None:
        """The first and last segment of the loop that a step stands in, or None."""
        loops = [step.segments for _, step in self.ways[id] if step.segments]
        return loops[-1] if loops else None

    def rulers(self, id: str) -> tuple[str, ...]:
        """The initiatives that rule the turns on the way to a step: ids of steps, empty for the sequence's own."""
        return tuple(ruler for ruler, step in self._ruled(id) if step.takes_turns)

    def key(self, id: str, segment: int | None, rank: Ranks) -> Key:
        """Where in the round something at a step stands: it sorts with the others."""
        return self._keys(id, segment, rank)[-1]

    def visits(self, id: str, segment: int | None, rank: Ranks) -> Iterator[tuple[SequenceStep, Key]]:
        """Each step on the way, with the key of the visit to it."""
        for (_, step), key in zip(self.ways[id], self._keys(id, segment, rank), strict=True):
            yield step, key

    def _keys(self, id: str, segment: int | None, rank: Ranks) -> list[Key]:
        found: list[Key] = []
        key: Key = ()
        for (index, _), (ruler, step) in zip(self.ways[id], self._ruled(id), strict=True):
            key = (*key, index)
            if step.takes_turns:
                key = (*key, rank(ruler))
            elif step.segments:
                key = (*key, 0 if segment is None else segment)
            found.append(key)
        return found

    def _ruled(self, id: str) -> Iterator[tuple[str, SequenceStep]]:
        ruler = ""
        for _, step in self.ways[id]:
            ruler = step.label.id if step.initiative else ruler
            yield ruler, step


def _ways(steps: tuple[SequenceStep, ...], above: Way) -> Iterator[tuple[str, Way]]:
    for index, step in enumerate(steps):
        way = (*above, (index, step))
        yield step.label.id, way
        yield from _ways(step.steps, way)
