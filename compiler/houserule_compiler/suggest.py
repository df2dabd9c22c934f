"""The nearest names to a misspelt one, or none."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from itertools import takewhile

from houserule.nearest import distance

MOST_COMPARED = 400
"""Of more names that could be near, those are compared that begin alike."""


def nearest(word: str, names: Iterable[str]) -> list[str]:
    """Up to three of `names` that `word` may have meant, best first; empty when nothing is near.

    Near is an edit distance of at most a third of the word's length, and at least 1; a transposition counts as 1.
    """
    limit = max(1, len(word) // 3)
    apart = ((distance(word, name, limit), name) for name in _similar(word, set(names), limit))
    near = [(edits, -_likeness(word, name), name) for edits, name in apart if edits <= limit]
    return [name for _, _, name in sorted(near)][:3]


def _similar(word: str, names: Collection[str], limit: int) -> list[str]:
    """The names that may be within `limit` edits: one edit changes the length by 1 and the letters in use by 2."""
    letters = set(word)
    similar = [
        name
        for name in names
        if abs(len(name) - len(word)) <= limit and len(letters.symmetric_difference(name)) <= 2 * limit and name != word
    ]
    if len(similar) <= MOST_COMPARED:
        return similar
    return sorted(similar, key=lambda name: (-_alike(word, name), name))[:MOST_COMPARED]


def _alike(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _likeness(word: str, name: str) -> float:
    return SequenceMatcher(None, word, name).ratio()
