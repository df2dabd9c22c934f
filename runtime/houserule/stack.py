"""Stacking: which of the amounts of one group count, and which are dropped in favour of another.

Pure, so that it can be tried against brute force: amounts in, a map from dropped to kept out.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import dataclass
    from fractions import Fraction

    from .program import Op, Policy, Stacking
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Amount:
    """What one entry that applies does. Amounts come in the order of modifier ids, words of a set in their order."""

    modifier: str
    op: Op
    value: int | Fraction
    group: str = ""
    round: str = ""


def stack(amounts: Sequence[Amount], groups: Mapping[str, Stacking], better: str) -> dict[int, int]:
    """The amounts that are dropped, each with the one that is kept in its place, by position."""
    dropped: dict[int, int] = {}
    for id in dict.fromkeys(each.group for each in amounts if each.group):
        members = [position for position, each in enumerate(amounts) if each.group == id]
        _compete(amounts, members, groups[id], better, dropped)
    return dropped


def gain(amount: Amount, better: str) -> int | Fraction:
    """An amount in the number's better direction: above 0 for a bonus, below for a penalty."""
    return -amount.value if better == "lower" else amount.value


def _compete(
    amounts: Sequence[Amount], members: list[int], group: Stacking, better: str, dropped: dict[int, int]
) -> None:
    """The policies of a group, one after the other; what one drops takes no part in the next."""

    def bonus(at: int) -> bool:
        return amounts[at].op == "add" and gain(amounts[at], better) > 0

    def penalty(at: int) -> bool:
        return amounts[at].op == "add" and gain(amounts[at], better) < 0

    def any_of_them(at: int) -> bool:
        return bonus(at) or penalty(at) or amounts[at].op == "set"

    def product(at: int) -> bool:
        return amounts[at].op == "multiply"

    rounds: tuple[tuple[Policy | None, Callable[[int], bool]], ...] = (
        (group.bonuses, bonus),
        (group.penalties, penalty),
        (group.all, any_of_them),
        (group.multiply, product),
    )
    for policy, takes_part in rounds:
        rivals = [at for at in members if takes_part(at) and at not in dropped]
        if policy is not None and policy != "all" and len(rivals) > 1:
            dropped |= _losers(amounts, rivals, policy, group, better)


def _losers(
    amounts: Sequence[Amount], rivals: list[int], policy: Policy, group: Stacking, better: str
) -> dict[int, int]:
    if policy == "once":
        first: dict[tuple[str, int | Fraction], int] = {}
        winners = {at: first.setdefault((amounts[at].op, amounts[at].value), at) for at in rivals}
        return {at: winner for at, winner in winners.items() if at != winner}
    winner = min(rivals, key=lambda at: (*_rank(amounts[at], policy, group, better), at))
    return {at: winner for at in rivals if at != winner}


def _rank(amount: Amount, policy: Policy, group: Stacking, better: str) -> tuple[int | Fraction, ...]:
    """What is kept has the least rank."""
    if policy == "first":
        return (group.order.index(amount.modifier) if amount.modifier in group.order else len(group.order),)
    size = gain(amount, better)
    if amount.op == "add" and size < 0:
        size = -size
    kind = "bonus" if gain(amount, better) > 0 else "penalty"
    return (-size if policy == "largest" else size, int(bool(group.tie) and amount.op == "add" and kind != group.tie))
