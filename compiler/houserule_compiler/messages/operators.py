"""Messages of `parse` about operators: those of other languages, and those that are missing."""

from __future__ import annotations

from ..diagnostics import Diagnostic, Label, error
from ..source import Span
from .expression import quoted, shorter

PRODUCT = "the product, for example `x * x`"
INSTEAD = {
    "&&": "`and`",
    "&": "`and`",
    "||": "`or`",
    "!": "`not`",
    "~": "`not`",
    "^": PRODUCT,
    "**": PRODUCT,
    "//": "`floor(a / b)`",
    "%": "`mod(a, 3)`",
    "<>": "`!=`",
    "=>": "`>=`",
    "=<": "`<=`",
    "===": "`==`",
    "!==": "`!=`",
    "?": "`if … then … else …`",
    "??": "`if known(x) then x else …`",
}
"""Operators of other languages, and what is written here."""

ENGLISH = {
    "is": "`==`",
    "equals": "`==`",
    "isnt": "`!=`",
    "unless": "`and not`",
    "xor": "`!=`",
    "div": "`/`, rounded by `floor(…)`",
    "elif": "`else if`",
    "elseif": "`else if`",
    "times": "`*`",
    "plus": "`+`",
    "minus": "`-`",
}
"""Words of plain English and of other languages that stand where an operator is due, and what is written here."""


def foreign_operator(written: str, span: Span) -> Diagnostic:
    """An operator of other languages: one of `INSTEAD`, or a raised number, which means a power."""
    instead = INSTEAD.get(written, PRODUCT)
    return error("foreign-operator", f"there is no operator {quoted(written)}", Label(span), help=f"write {instead}")


def not_in(item: str, span: Span) -> Diagnostic:
    """`x not in a | b`."""
    help = f"put `not` before all of it: `not {item or 'x'} in …`"
    return error("foreign-operator", "there is no operator `not in`", Label(span), help=help)


def missing_operator(before: str, after: str, in_brackets: bool, span: Span) -> Diagnostic:
    """Two values stand beside each other."""
    comma = ", or a comma between the arguments of a call" if in_brackets else ""
    help = f"put `and`, `or` or another operator here{comma}"
    if after in ENGLISH:
        help = f"for `{after}` write {ENGLISH[after]}"
    between = f"expected an operator between {quoted(before)} and {quoted(after)}"
    headline = shorter(between, f"expected an operator before {quoted(after)}")
    return error("missing-operator", headline, Label(span), help=help)


def run_together(written: str, span: Span, dice: str = "") -> Diagnostic:
    """A number and letters without anything between; `dice` are what they would be with a `d`."""
    apart = "put an operator or a space between them; a name begins with a letter"
    return error(
        "missing-operator",
        f"a number and a word run together: {quoted(written)}",
        Label(span),
        help=f"write `{dice}` if these are dice; else put an operator between" if dice else apart,
    )
