"""Numbers, modifiers and stacking groups, from their nodes."""

from __future__ import annotations

from typing import Literal, cast

from ..declarations import Modifier, Number, Reference, StackingGroup
from ..document import Entry, Scalar
from ..messages import declare as messages
from .reading import Reader, entries, field, reference, references, text
from .unread import unread_of_group

POLICY_KEYS = ("bonuses", "penalties", "all", "multiply")


def number(entry: Entry, reader: Reader) -> Number:
    """A number."""
    body = entry.value
    base, better = field(body, "base"), field(body, "better")
    if base is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a base", "base: 0"))
    return Number(
        **reader.labels(entry),
        base=reader.expression(base, entry.key.span),
        better=cast('Literal["higher", "lower"]', text(better)) or None,
        better_span=better.span if better else None,
        of=reference(field(body, "of")),
        within=reference(field(body, "in")),
        rebinds=reader.rebinds(field(body, "as")),
        gives="fraction" if text(field(body, "gives")) == "fraction" else "integer",
    )


def modifier(entry: Entry, reader: Reader) -> Modifier:
    """A modifier and what it does to each number."""
    body = entry.value
    by = field(body, "by")
    adjusts = reader.adjusts(field(body, "adjust"), is_graded=by is not None)
    if not field(body, "adjust"):
        reader.diagnostics.append(messages.incomplete(entry.key, "an adjustment", "adjust: {attack_bonus: +1}"))
    return Modifier(
        **reader.labels(entry),
        adjusts=adjusts,
        when=reader.condition(field(body, "when")),
        times=reader.optional_expression(field(body, "times")),
        by=reader.optional_expression(by),
        stack=reference(field(body, "stack")),
    )


def stacking(entry: Entry, reader: Reader) -> StackingGroup:
    """A stacking group and its policies."""
    policies = tuple(
        (each.key.text, Reference(each.value.text, each.value.span))
        for each in entries(entry.value)
        if each.key.text in POLICY_KEYS and isinstance(each.value, Scalar)
    )
    if not policies:
        reader.diagnostics.append(messages.incomplete(entry.key, "a policy", "all: largest"))
    reader.diagnostics.extend(unread_of_group(entry.value))
    return StackingGroup(
        **reader.labels(entry),
        policies=policies,
        tie=reference(field(entry.value, "tie")),
        order=references(field(entry.value, "order")),
    )
