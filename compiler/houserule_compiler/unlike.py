"""Whether two answers differ, how far they are apart, and which differences are of one kind."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from .acted import Acted, differ
from .gives import Gives, unlike
from .playing_side import UNANSWERED, Answer

Pair: TypeAlias = tuple[Answer, Answer]
_CLASSES = 6
"""So many kinds are told by the very change; where there are more, by its direction."""


def differs(pair: Pair) -> bool:
    """Whether two answers are not the same; an outcome that never comes is as good as none."""
    before, after = pair
    if isinstance(before, tuple) and isinstance(after, tuple):
        return dict(each for each in before if each[1]) != dict(each for each in after if each[1])
    if isinstance(before, Acted) or isinstance(after, Acted):
        return differ(before, after)
    if isinstance(before, Gives) or isinstance(after, Gives):
        return isinstance(before, Gives) and isinstance(after, Gives) and bool(unlike(before, after))
    return before != after


def kinds(pairs: list[Pair]) -> Callable[[Pair], object]:
    """What puts two differences into one group: the same change, or its direction where there are too many."""
    exact = {_exact(pair) for pair in pairs}
    return _exact if len(exact) <= _CLASSES else _direction


def _exact(pair: Pair) -> object:
    before, after = pair
    if isinstance(before, int | Fraction) and isinstance(after, int | Fraction):
        return after - before
    return pair if isinstance(before, Acted) and isinstance(after, Acted) else _direction(pair)


def _direction(pair: Pair) -> object:
    before, after = pair
    if isinstance(before, int | Fraction) and isinstance(after, int | Fraction):
        return after > before
    if isinstance(before, tuple) and isinstance(after, tuple):
        old = dict(before)
        return tuple((word, _sign(chance - old.get(word, Fraction(0)))) for word, chance in after)
    if isinstance(before, Gives) and isinstance(after, Gives):
        return tuple((new.outcome, new.path, _sign(new.mean - old.mean)) for old, new in unlike(before, after))
    return tuple(each.happens if isinstance(each, Acted) else each if each in UNANSWERED else "" for each in pair)


def _sign(change: Fraction) -> int:
    return (change > 0) - (change < 0)


def change(pair: Pair) -> Fraction:
    """How far two answers are apart."""
    before, after = pair
    if isinstance(before, int | Fraction) and isinstance(after, int | Fraction):
        return abs(Fraction(after) - Fraction(before))
    if isinstance(before, tuple) and isinstance(after, tuple):
        old = dict(before)
        return max((abs(chance - old.get(word, Fraction(0))) for word, chance in after), default=Fraction(0))
    if isinstance(before, Gives) and isinstance(after, Gives):
        return max((abs(new.mean - old.mean) for old, new in unlike(before, after)), default=Fraction(0))
    return Fraction(0)
