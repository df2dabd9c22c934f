"""The nearest names to a misspelt one, or none."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """Up to three of `names` that `word` may have meant, best first; empty when nothing is near.

    Near is an edit distance of at most a third of the word's length, and at least 1; a transposition counts as 1.
    """
    limit = max(1, len(word) // 3)
    near = sorted((distance(word, name, limit), name) for name in set(names) if name != word)
    return tuple(name for apart, name in near if apart <= limit)[:3]


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """`did you mean ...?` with the nearest names, or nothing."""
    found = nearest(word, names)
    return f"did you mean {' or '.join(f'`{name}`' for name in found)}?" if found else ""


def is_slip(one: str, other: str) -> bool:
    """Whether two words of four letters or more differ by one letter too many or too few, or by two exchanged.

    Words with figures in them are numbered on purpose, and one letter for another may be too: `team_a`, `team_b`.
    """
    if max(len(one), len(other)) < 4 or any(each.isdigit() for each in one + other) or distance(one, other, 1) != 1:
        return False
    return len(one) != len(other) or sorted(one) == sorted(other)


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
