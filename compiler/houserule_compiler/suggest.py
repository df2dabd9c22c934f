"""The nearest names to a misspelt one, or none."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from itertools import takewhile

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


def distance(one: str, other: str, limit: int) -> int:
    """The optimal string alignment distance of two words, or `limit` + 1 as soon as it must exceed `limit`."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        if min(row) > limit:
            return limit + 1
        before, above = above, row
    return above[-1]
