"""Stacking against a brute force that tries every choice of what to keep."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from houserule.program import Label, Stacking
from houserule.stack import Amount, stack

POLICIES = [None, "all", "largest", "smallest", "once", "first"]
AMOUNTS = st.lists(
    st.builds(
        Amount,
        st.sampled_from("abcd"),
        st.sampled_from(["add", "add", "set", "multiply", "at_most"]),
        st.integers(-3, 3),
        st.sampled_from(["", "g", "h"]),
    ),
    max_size=6,
)
GROUPS = st.builds(
    Stacking,
    st.just(Label("g")),
    *[st.sampled_from(POLICIES)] * 4,
    st.sampled_from(["", "bonus", "penalty"]),
    st.lists(st.sampled_from("abcd"), unique=True).map(tuple),
)


def worth(amount: Amount, sign: int, policy: str, group: Stacking) -> tuple[Any, ...]:
    """How good an amount is to keep; the greatest is kept."""
    if policy == "first":
        return (-group.order.index(amount.modifier) if amount.modifier in group.order else -99,)
    size = abs(amount.value) if amount.op == "add" else sign * amount.value
    favoured = amount.op == "add" and {"": None, "bonus": True, "penalty": False}[group.tie] is (
        sign * amount.value > 0
    )
    plain = amount.op != "add"
    return (size if policy == "largest" else -size, bool(group.tie) and (favoured or plain))


def kept(amounts: list[Amount], group: Stacking, sign: int) -> set[int]:
    """Ten lines: each policy in turn keeps the best of its rivals, the first where several are as good."""
    left = {at for at, amount in enumerate(amounts) if amount.group == "g"}
    for policy, ops, signs in (
        (group.bonuses, ("add",), (1,)),
        (group.penalties, ("add",), (-1,)),
        (group.all, ("add", "set"), (1, -1)),
        (group.multiply, ("multiply",), (1, 0, -1)),
    ):

        def takes_part(a: Amount, ops: tuple[str, ...] = ops, signs: tuple[int, ...] = signs) -> bool:
            way = (sign * a.value > 0) - (sign * a.value < 0)
            return a.op in ops and (way in signs or a.op == "set")

        rivals = sorted(at for at in left if takes_part(amounts[at]))
        if policy == "once":
            firsts = {(amounts[at].op, amounts[at].value): at for at in reversed(rivals)}
            left -= set(rivals) - set(firsts.values())
        elif policy not in (None, "all") and rivals:
            left -= set(rivals) - {max(rivals, key=lambda at: (worth(amounts[at], sign, policy, group), -at))}
    return left


@given(AMOUNTS, GROUPS, st.sampled_from(["higher", "lower", ""]))
def test_stacking_is_what_brute_force_says(amounts: list[Amount], group: Stacking, better: str) -> None:
    other = Stacking(Label("h"), None, None, None, None, "", ())
    dropped = stack(amounts, {"g": group, "h": other}, better)
    expected = kept(amounts, group, -1 if better == "lower" else 1)
    assert {at for at, each in enumerate(amounts) if each.group == "g" and at not in dropped} == expected
    assert all(amounts[at].group == "g" for at in dropped)


@given(AMOUNTS, GROUPS)
def test_what_is_kept_in_its_place_is_of_the_same_group(amounts: list[Amount], group: Stacking) -> None:
    dropped = stack(amounts, {"g": group, "h": group}, "higher")
    assert all(amounts[loser].group == amounts[winner].group for loser, winner in dropped.items())
    assert all(loser != winner for loser, winner in dropped.items())


def test_every_grid_of_three_amounts_under_largest() -> None:
    group = Stacking(Label("g"), "largest", "largest", None, None, "", ())
    for values in product(range(-2, 3), repeat=3):
        amounts = [Amount(name, "add", value, "g") for name, value in zip("abc", values, strict=True)]
        dropped = stack(amounts, {"g": group}, "higher")
        total = sum(each.value for at, each in enumerate(amounts) if at not in dropped)
        assert total == max(0, *values) + min(0, *values)
