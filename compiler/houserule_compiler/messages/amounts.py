"""Messages of `typecheck` about adjustments, numbers and stacking."""

from __future__ import annotations

import re

from ..diagnostics import Diagnostic, Label, error
from ..source import Span
from ..typed import Typed
from ..types import Boolean, Choice, Type, is_number, name


def needs_sign(span: Span, declared: Span | None = None) -> Diagnostic:
    """An adjustment without its sign."""
    labels = [Label(declared, "the column holds adjustments")] if declared else []
    return error(
        "needs-sign",
        "an adjustment is written with its sign",
        Label(span),
        *labels,
        help=f"write `+{span.text}` or `-{span.text}`",
    )


def direction_in_cell(span: Span, word: str, amount: str) -> Diagnostic:
    """A cell that says which way is better, which only its reader knows."""
    return error(
        "needs-sign",
        f"a cell says `+` or `-`: `{word}` stands where the table is read",
        Label(span),
        help=f"write `+{amount}` or `-{amount}` here",
    )


def wrong_direction(number: str, change: Span, text: str, declared: Span) -> Diagnostic:
    """A bare sign on a number that is better when lower."""
    amount = text.lstrip("+-").strip()
    return error(
        "wrong-direction",
        f"`{number}` is better when lower, and {f'`{text}`' if len(text) < 12 else 'this'} does not say which way",
        Label(change),
        Label(declared, "declared here"),
        help=f"write `better {amount}` or `worse {amount}`",
    )


def reads_turned(number: str, read: Span, better: str, declared: Span) -> Diagnostic:
    """What a layer below wrote for the other direction of a number, and nobody has stated since."""
    return error(
        "wrong-direction",
        f"`{number}` is better when {better} now, and is read here as it was",
        Label(read),
        Label(declared, "declared here"),
        help=f"state again what reads `{number}`, as it is meant now",
    )


def bare_bound(number: str, change: Span, word: str, declared: Span) -> Diagnostic:
    """A bound without a direction on a number that is better when lower."""
    directed = "no_worse_than" if word == "at_most" else "no_better_than"
    return error(
        "wrong-direction",
        f"`{number}` is better when lower, and `{word}` does not say which way",
        Label(change),
        Label(declared, "declared here"),
        help=f"write `{directed}` for the same bound",
    )


def no_direction(number: str, word: str, change: Span, declared: Span) -> Diagnostic:
    """A word of direction on a number that has none."""
    return error(
        "no-direction",
        f"`{number}` has no direction, so that nothing is `{word}`",
        Label(change),
        Label(declared, "declared here"),
        help="write a signed amount, or declare `better: higher` or `better: lower` on the number",
    )


def negative_amount(span: Span, word: str, low: object) -> Diagnostic:
    """`better` or `worse` by an amount that may be negative."""
    is_sum = not re.fullmatch(r"-\s*[0-9]+", span.text)
    help = f"write `max(0, ...)`, or leave `{word}` out where higher is better" if is_sum else "turn the word around"
    return error(
        "negative-amount",
        f"`{word}` takes an amount of 0 or more, and this can be {low}",
        Label(span),
        help=help,
    )


def needs_rounding(span: Span, number: str) -> Diagnostic:
    """A fraction multiplies a whole number and no rounding is named."""
    return error(
        "needs-rounding",
        f"`{number}` is a whole number, and this leaves fractions",
        Label(span),
        help="say how it is rounded, for example `{multiply: 1/2, round: down}`",
    )


def fraction_left(span: Span, what: str) -> Diagnostic:
    """A fraction where a whole number is due."""
    return error(
        "needs-rounding",
        f"{what} is a whole number, and this can be a fraction",
        Label(span),
        help="round it by name: `floor`, `ceil`, `nearest` or `toward_zero`",
    )


def by_needs_grades(span: Span) -> Diagnostic:
    """A modifier with `by` whose adjustment has no grades."""
    return error(
        "by-needs-grades",
        "`by` grades an adjustment, and this one has no grades",
        Label(span),
        help="write one amount for each value, for example `{low: -1, high: +1}`",
    )


def by_type(by: Typed) -> Diagnostic:
    """Something that cannot grade an adjustment."""
    return error(
        "wrong-type",
        f"`by` grades by a word, a set, a whole number or hit dice, found {name(by.type)}",
        Label(by.span),
    )


def mixed_grades(span: Span, first: Span) -> Diagnostic:
    """Grades of one adjustment that do different kinds of thing."""
    return error(
        "mixed-grades",
        "the grades of one adjustment all do the same kind of thing",
        Label(span, "this one differs"),
        Label(first, "from this one"),
        help="write another modifier for the rest",
    )


def order_due(id: str, span: Span) -> Diagnostic:
    """`first` without an order."""
    return error(
        "order-due",
        f"`{id}` keeps the first, and names no order",
        Label(span),
        help="list its modifiers, best first: `order: [magic, natural]`",
    )


def effect_type(span: Span, field: str, kind: Type) -> Diagnostic:
    """An effect that its field cannot take."""
    what = "is set" if not is_number(kind) else "is adjusted"
    example = "{set: true}" if isinstance(kind, Boolean) else "{set: word}" if isinstance(kind, Choice) else "-1"
    return error(
        "wrong-type", f"`{field}` is {name(kind)}: it {what}", Label(span), help=f"write for example `{example}`"
    )


def effect_on_computed(span: Span, field: str) -> Diagnostic:
    """An effect on a computed field."""
    return error(
        "effect-on-computed",
        f"`{field}` is computed, and cannot be changed",
        Label(span),
        help="change what it is computed from",
    )


def order_unused(id: str, span: Span) -> Diagnostic:
    """An order of modifiers in a group that does not keep the first."""
    return error(
        "order-unused",
        f"`{id}` lists an order, and keeps no first one",
        Label(span),
        help="write `all: first`, or take the order out",
    )


def adjusts_itself(number: str, span: Span) -> Diagnostic:
    """Steps that call checks adjust a number by amounts that depend on that same number."""
    return error(
        "adjusts-itself",
        f"steps adjust `{number}` by amounts that grow with `{number}` itself",
        Label(span),
        help="let the amounts under `adjust` of those steps no longer read it",
    )
