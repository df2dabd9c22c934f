"""What a check gives on both sides, in words and as data."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .gives import unlike
from .messages import difference as messages
from .percent import decimal, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .gives import Amount, Gives

_PARTS = 12
"""Means are told in parts up to twelfths, and in decimals where they are finer."""
_LISTED = 6


def given_text(before: Gives, after: Gives) -> str:
    """The amounts that differ, with what they were, those of one outcome together."""
    told: dict[str, list[str]] = {}
    for old, new in unlike(before, after):
        told.setdefault(new.outcome, []).append(_both(old, new))
    return "; ".join(messages.amounts(outcome, each) for outcome, each in told.items())


def _both(old: Amount, new: Amount) -> str:
    is_rolled = all(each.numbers or not each.there for each in (old, new))
    texts = [_number(each) for each in (new, old)] if is_rolled else []
    if not texts or texts[0] == texts[1]:
        texts = [", ".join(_chances(each, other)) or messages.never_there() for each, other in ((new, old), (old, new))]
    name = new.path.removeprefix(f"{new.outcome}.")
    return f"{name} {messages.was(*texts)}"


def _number(amount: Amount) -> str:
    if not amount.there:
        return messages.never_there()
    values = [value for value, _ in amount.numbers]
    there = "" if amount.there == 1 else messages.at_times(percent(amount.there))
    return messages.on_average(mixed(amount.mean), min(values), max(values), there)


def _chances(amount: Amount, other: Amount) -> Iterator[str]:
    """The chances of those values that the other has otherwise, the first few of them; nothing if it is never there."""
    if not amount.there:
        return
    known = dict(other.chances)
    found = [(value, chance) for value, chance in amount.chances if known.get(value) != chance]
    for value, chance in found[:_LISTED]:
        yield messages.one_chance(messages.never_there() if value is None else value, percent(chance))
    if len(found) > _LISTED:
        yield "…"


def mixed(value: Fraction) -> str:
    """A mean as it is spoken: `4 1/2`, `-1/6`; as a decimal where the parts are finer than twelfths."""
    if value.denominator > _PARTS:
        exact = decimal(value)
        return exact if Fraction(exact) == value else f"~{exact}"
    whole, rest = divmod(abs(value), 1)
    parts = [str(whole)] if whole or not rest else []
    return ("-" if value < 0 else "") + " ".join([*parts, *([str(rest)] if rest else [])])


def given_data(gives: Gives) -> dict[str, Any]:
    """What a check gives as plain data: by outcome, by path."""
    data: dict[str, Any] = {outcome: {} for outcome in sorted(gives.outcomes)}
    for each in gives.amounts:
        numbers = [value for value, _ in each.numbers]
        told: dict[str, Any] = {}
        if numbers:
            told = {"mean": _plain(each.mean), "low": _plain(min(numbers)), "high": _plain(max(numbers))}
        told["chances"] = {str(value): str(chance) for value, chance in each.chances if value is not None}
        told |= {"absent": str(1 - each.there)} if each.there != 1 else {}
        data[each.outcome][each.path] = told
    return data


def _plain(value: Fraction | int) -> int | str:
    return int(value) if Fraction(value).denominator == 1 else str(value)
