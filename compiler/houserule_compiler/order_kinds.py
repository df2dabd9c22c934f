"""How two rounds that came of the same encounter differ, as people would put it first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from .round_played import Played

OrderKind: TypeAlias = Literal[
    "acts",
    "left_out",
    "later",
    "sooner",
    "reversed",
    "apart",
    "together",
    "odds",
    "next_round",
    "spoiled",
    "calls",
    "reason",
    "place",
    "refused",
]
KINDS: tuple[OrderKind, ...] = get_args(OrderKind)
"""What is told first stands first."""
BETWEEN = frozenset(("reversed", "apart", "together", "odds"))
"""What differs between moments, best shown with those of two."""
Odds: TypeAlias = "Mapping[Played, Fraction]"
"""How likely each round is, over all dice."""


def order_kind(one: Played, other: Played) -> tuple[OrderKind, str] | None:
    """In what two rounds differ, and of which moment where that matters; None where they do not."""
    if one == other:
        return None
    if one.refused or other.refused:
        return None if one.refused and other.refused else ("refused", "")
    before, after = _times(one), _times(other)
    moved = {name for name, _ in one.coming} & after.keys(), {name for name, _ in other.coming} & before.keys()
    for kind, names in (
        ("sooner", moved[0]),
        ("later", moved[1]),
        ("acts", after.keys() - before.keys()),
        ("left_out", before.keys() - after.keys()),
    ):
        if names:
            return kind, _moment(min(names))  # type: ignore[return-value]
    found = {_turned(before, after, *pair) for pair in combinations(sorted(before), 2)} - {None}
    for kind in ("reversed", "apart", "together"):
        if kind in found:
            return kind, ""  # type: ignore[return-value]
    return _apart_from_order(one, other)


def _apart_from_order(one: Played, other: Played) -> tuple[OrderKind, str]:
    if one.coming != other.coming:
        return "next_round", ""
    if (one.may_spoil, one.effects) != (other.may_spoil, other.effects):
        return "spoiled", ""
    if one.calls != other.calls:
        return "calls", ""
    if one.left_out != other.left_out:
        return "reason", _moment(min({*one.left_out} ^ {*other.left_out})[0])
    return "place", ""


def odds_kind(one: Odds, other: Odds) -> tuple[OrderKind, str] | None:
    """In what the chances of rounds differ: of an order, or else in what else the likeliest do."""
    if one == other:
        return None
    if len(one) == len(other) == 1:
        return order_kind(next(iter(one)), next(iter(other)))
    if by_order(one) != by_order(other):
        return "odds", _between(one, other)
    pairs = ((before, after) for before in one for after in other if before.order == after.order)
    return next(filter(None, (order_kind(*pair) for pair in pairs)), ("place", ""))


def _between(one: Odds, other: Odds) -> str:
    """The moments that come before or after each other with other odds, whoever has them."""
    names = {name for odds in (one, other) for order in by_order(odds) for group in order for name in group}
    return " and ".join(sorted({_moment(name.removesuffix(" spoiled")) for name in names}))


def by_order(odds: Odds) -> dict[tuple[frozenset[str], ...], Fraction]:
    """How likely each order is, wherever all falls."""
    found: dict[tuple[frozenset[str], ...], Fraction] = {}
    for each, chance in odds.items():
        found[each.order] = found.get(each.order, Fraction(0)) + chance
    return found


def _times(played: Played) -> dict[str, int]:
    return {name.removesuffix(" spoiled"): at for at, names in enumerate(played.order) for name in names}


def _moment(name: str) -> str:
    """A moment, whoever does it and how often."""
    return name.partition(" ")[2].rstrip(" 0123456789")


def _turned(before: dict[str, int], after: dict[str, int], one: str, other: str) -> str | None:
    then, now = (_sign(each[one] - each[other]) for each in (before, after))
    if then == now:
        return None
    return "together" if now == 0 else "apart" if then == 0 else "reversed"


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
