"""Messages of `typecheck`: what does not go together, what may be unknown, what points the wrong way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error, warning
from ..source import Span
from ..typed import Typed
from ..types import (
    PIPS,
    Boolean,
    Choice,
    Dice,
    Fraction,
    HitDice,
    Integer,
    Set,
    Text,
    Type,
    bounds,
    hit_dice_text,
    name,
    span_of_codes,
)
from .names import suggestion

NAMED = re.compile(r"(?!(true|false)$)[a-z][a-z0-9_.]*")
"""A name alone, so that more can be written around it."""


def wrong_type(span: Span, wanted: Type, found: Type) -> Diagnostic:
    """Something of one type stands where another is due."""
    headline = f"expected {name(wanted)}, found {name(found)}"
    return error("wrong-type", headline, Label(span), help=_turned(span.text, wanted, found))


def number_due(span: Span, found: Type) -> Diagnostic:
    """Something that is no number where one is due."""
    return error(
        "wrong-type", f"expected a number, found {name(found)}", Label(span), help=_turned(span.text, Integer(), found)
    )


def _turned(text: str, wanted: Type, found: Type) -> str:
    """How something can be turned into what is due, where there is one obvious way."""
    if not NAMED.fullmatch(text):
        return ""
    ways = {
        (Boolean, Integer): f"compare it, for example `{text} > 0`",
        (Boolean, Fraction): f"compare it, for example `{text} > 0`",
        (Boolean, HitDice): f"compare it, for example `{text} > 1`",
        (Boolean, Choice): f"compare it with one of its words, for example `{text} == ...`",
        (Boolean, Set): f"ask for one of its words, for example `... in {text}`",
        (Integer, Boolean): f"write for example `if {text} then 1 else 0`",
        (Integer, Choice): f"write for example `if {text} == ... then 1 else 0`",
        (Integer, Set): f"count its words: `count({text})`",
        (Integer, Fraction): f"round it by name, for example `floor({text})`",
        (Integer, HitDice): f"its dice are `{text}.dice`, and its pips `{text}.pips`",
        (Integer, Dice): f"roll it under `roll` and use the total, or write `highest({text})` or `lowest({text})`",
    }
    return ways.get((type(wanted), type(found)), "")


def unknown_word(word: str, span: Span, choice: str, words: Sequence[str]) -> Diagnostic:
    """A word that its choice does not have."""
    return error(
        "unknown-word",
        f"`{choice}` has no word `{word}`",
        Label(span),
        notes=[f"its words are {', '.join(f'`{each}`' for each in words[:12])}{' ...' if len(words) > 12 else ''}"]
        if words
        else [],
        help=suggestion(word, words),
    )


def word_out_of_place(word: str, span: Span, choices: Sequence[str], of_choice: str) -> Diagnostic:
    """A word of a choice where nothing says that a word is due; `of_choice` is a fact that can be such a word."""
    return error(
        "word-out-of-place",
        f"`{word}` is a word of {' and '.join(f'`{each}`' for each in choices[:3])}, and no word is due here",
        Label(span),
        help=f"compare a fact with it, for example `{of_choice} == {word}`" if of_choice else "",
    )


def not_comparable(span: Span, left: Typed, right: Typed) -> Diagnostic:
    """Two sides that cannot be compared, or not with this operator."""
    if type(left.type) is type(right.type) and not isinstance(left.type, Choice):
        return _not_with(span, left.type)
    return error(
        "not-comparable",
        f"{name(left.type)} and {name(right.type)} cannot be compared",
        Label(span),
        Label(left.span, name(left.type)),
        Label(right.span, name(right.type)),
        help="dice are compared when they are rolled" if Dice in (type(left.type), type(right.type)) else "",
    )


def _not_with(span: Span, kind: Type) -> Diagnostic:
    """Two sides of one type that has no order, or nothing to compare."""
    helps = {
        Boolean: "use `==` or `!=`",
        Set: "ask for one word at a time with `in`, or for their number with `count`",
        Dice: "dice are compared when they are rolled",
    }
    return error(
        "not-comparable",
        f"`{span.text}` does not compare {_several(kind)}",
        Label(span),
        help=helps.get(type(kind), ""),
    )


def _several(kind: Type) -> str:
    return "sets" if isinstance(kind, Set) else "texts" if isinstance(kind, Text) else name(kind)


def branches_differ(yes: Typed, no: Typed) -> Diagnostic:
    """The two branches of a condition give different types."""
    return error(
        "branches-differ",
        f"this gives {name(yes.type)} or {name(no.type)}, by the condition",
        Label(no.span, name(no.type)),
        Label(yes.span, name(yes.type)),
        help="let both branches give the same kind of thing",
    )


def dice_outside_roll(span: Span) -> Diagnostic:
    """Dice outside `roll`."""
    return error(
        "dice-outside-roll",
        "dice are rolled under `roll` only",
        Label(span),
        help=f"give the roll a name, `roll: {{die: {span.text}}}`, and use the name here",
    )


def dice_arithmetic(span: Span, operator: str) -> Diagnostic:
    """Arithmetic on dice other than adding dice and numbers."""
    return error(
        "dice-arithmetic",
        f"`{operator}` does not work on dice: only dice and numbers added to dice do",
        Label(span),
        help="roll first, and work with the total under `values`",
    )


def division_by_zero(span: Span, divisor: Type) -> Diagnostic:
    """A divisor that may be 0."""
    low, high = bounds(divisor)
    return error(
        "division-by-zero",
        "this divisor can be 0",
        Label(span, f"lies between {low} and {high}"),
        help="keep 0 out of its range, or write `max(1, ...)`",
    )


def too_large(span: Span) -> Diagnostic:
    """A result that may be too large to be exact everywhere."""
    return error(
        "too-large",
        "this can grow beyond 9,007,199,254,740,991, where numbers are no longer exact",
        Label(span),
        help="narrow the ranges of what goes in",
    )


def inverted_band(span: Span) -> Diagnostic:
    """A band whose first end lies above its last."""
    low, _, high = span.text.partition("..")
    return error(
        "inverted-band",
        "this band ends before it starts",
        Label(span),
        help=f"write `{high.strip()}..{low.strip()}`",
    )


def inherited_from_nothing(span: Span) -> Diagnostic:
    """`inherited` where there is no layer below."""
    return error(
        "inherited-from-nothing",
        "there is no value below for `inherited` to stand for",
        Label(span),
        help="write the value itself",
    )


def its_without_owner(span: Span, field: str, role: str) -> Diagnostic:
    """`its` where nothing owns the definition; `role` is one that has such a field."""
    return error(
        "its-without-owner",
        "`its` says whose, and nobody owns this definition",
        Label(span),
        help=f"name the role: `{role}.{field}`; or, in a number, say whose it is: `of: {role}`" if role else "",
    )


def role_without_field(role: str, span: Span, fields: Sequence[str]) -> Diagnostic:
    """A role used as if it were a value."""
    example = fields[0] if fields else "level"
    return error(
        "role-without-field",
        f"`{role}` is somebody, not a value",
        Label(span),
        help=f"say which field, for example `{role}.{example}`",
    )


def unknown_field(owner: str, entity: str, field: str, span: Span, fields: Sequence[str]) -> Diagnostic:
    """A field that an entity does not have."""
    return error(
        "unknown-name",
        f"`{owner}` has no field `{field}`",
        Label(span),
        notes=[f"`{owner}` is a `{entity}`"] if owner != entity else [],
        help=suggestion(field, fields),
    )


def no_attributes(part: str, span: Span, kind: Type) -> Diagnostic:
    """A dot after something that has no parts."""
    return error(
        "no-such-part",
        f"no part `{part}` of {name(kind)}",
        Label(span),
        notes=[
            "words have the attributes of their choice, hit dice have `.dice` and `.pips`, and nothing else has parts"
        ],
    )


def unknown_attribute(choice: str, part: str, span: Span, attributes: Sequence[str]) -> Diagnostic:
    """An attribute that the words of a choice do not have."""
    return error(
        "unknown-name", f"the words of `{choice}` have no `{part}`", Label(span), help=suggestion(part, attributes)
    )


def number_with_arguments(id: str, span: Span) -> Diagnostic:
    """A number called like a table."""
    return error(
        "number-with-arguments",
        f"`{id}` is a number: it takes no arguments but who plays which role",
        Label(span),
        help=f"write `{id}`, or `{id}(foe as side)` for somebody else",
    )


def as_outside_number(function: str, span: Span) -> Diagnostic:
    """`as` in a call of something that is no number."""
    return error(
        "as-outside-number",
        f"`as` says whose number is read, and `{function}` is no number",
        Label(span),
        help="take the `as` out",
    )


def wrong_arguments(id: str, span: Span, keys: Sequence[str], found: int, wanted: int = 0) -> Diagnostic:
    """A call with too many or too few arguments."""
    due = len(keys) or wanted
    return error(
        "wrong-arguments",
        f"`{id}` takes {due} {'argument' if due == 1 else 'arguments'}, found {found}",
        Label(span),
        help=f"write `{id}({', '.join(keys)})`, with a value for each key" if keys else "",
    )


def wrong_argument(id: str, argument: Typed) -> Diagnostic:
    """An argument of the wrong type."""
    due = {"count": "a set", "highest": "dice", "lowest": "dice", "mod": "a whole number"}.get(id, "a number")
    turned = _turned(argument.span.text, Integer(), argument.type) if due == "a number" else ""
    return error("wrong-type", f"`{id}` works on {due}, found {name(argument.type)}", Label(argument.span), help=turned)


def modulus(span: Span) -> Diagnostic:
    """A modulus that is no positive literal."""
    return error("modulus-not-literal", "`mod` divides by a positive whole number, written out", Label(span))


def known_of_expression(span: Span) -> Diagnostic:
    """`known` of something that is no fact."""
    return error(
        "known-of-expression",
        "`known` asks after one thing by its name",
        Label(span),
        help="name it alone, for example `known(its.mount)`",
    )


def always_known(asked: Span, span: Span) -> Diagnostic:
    """`known` of something that is never unknown."""
    return warning(
        "always-known",
        f"`{asked.text}` is always known",
        Label(span),
        help="take the `known` out, or let the fact be unknown: write a `?` after its type",
    )


def key_problem(key: str, table: str, passed: Typed, wanted: Type, declared: Span) -> Diagnostic | None:
    """An argument that the key of a table cannot take, or None."""
    ours, theirs = span_of_codes(passed.type), span_of_codes(wanted)
    same = type(passed.type) is type(wanted) and getattr(passed.type, "id", "") == getattr(wanted, "id", "")
    if isinstance(passed.type, Fraction):
        return wrong_type(passed.span, wanted, passed.type)
    if not same or ours is None or theirs is None:
        return error("wrong-type", f"expected {name(wanted)}, found {name(passed.type)}", Label(passed.span))
    if theirs[0] <= ours[0] and ours[1] <= theirs[1]:
        return None
    return error(
        "key-out-of-range",
        f"`{key}` of `{table}` runs {range_text(wanted)}, and this can be {range_text(passed.type)}",
        Label(passed.span),
        Label(declared, "declared here"),
        help=f"widen the key in `{table}`, or keep this within it with `min` and `max`",
    )


def range_text(kind: Type) -> str:
    """An interval as people write it."""
    match kind:
        case HitDice(low, high):
            return f"{_end_text(low, -PIPS)}..{_end_text(high, PIPS)}"
        case Dice(one_of=one_of) if one_of:
            return " | ".join(f"{count}d{faces}" for count, faces in one_of)
        case Dice(up_to=up_to) if up_to:
            return f"dice <= {up_to[0]}d{up_to[1]}"
        case Integer(low, high) | Fraction(low, high):
            return f"{low}..{high}" if low != high else str(low)
    return name(kind)


def _end_text(code: int, extreme: int) -> str:
    """An end of a range of hit dice; without its pips where those are all that there are."""
    text = hit_dice_text(code)
    return text.removesuffix(f"{extreme:+d}")


def column_due(table: str, span: Span, columns: Sequence[str]) -> Diagnostic:
    """A table of several columns read without saying which."""
    return error(
        "column-due",
        f"`{table}` gives several things, and this does not say which",
        Label(span),
        help=f"write for example `{span.text}.{columns[0]}`",
    )


def unknown_table_column(table: str, column: str, span: Span, columns: Sequence[str]) -> Diagnostic:
    """A column that a table does not have."""
    return error("unknown-name", f"`{table}` gives no `{column}`", Label(span), help=suggestion(column, columns))


def out_of_range(span: Span, found: str, wanted: Type, declared: Span | None = None) -> Diagnostic:
    """A literal outside the range that it must lie in."""
    labels = [Label(declared, "declared here")] if declared else []
    return error("out-of-range", f"{found} lies outside {range_text(wanted)}", Label(span), *labels)


def can_leave_range(span: Span, found: Type, wanted: Type, declared: Span | None = None) -> Diagnostic:
    """Something worked out that can lie outside the range that it must lie in."""
    labels = [Label(declared, "declared here")] if declared else []
    headline = f"this can be {range_text(found)}, and must be {range_text(wanted)}"
    return error(
        "out-of-range",
        headline,
        Label(span),
        *labels,
        help="widen the range, or keep this within it with `min` and `max`",
    )


def not_a_constant(span: Span, wanted: Type) -> Diagnostic:
    """Something to be worked out where a fixed value is due."""
    band = re.fullmatch(r"(\d+)\s*-\s*(\d+)", span.text)
    meant = f"`{band[1]}..{band[2]}` if this is a range" if band else "the value itself, not how to work it out"
    return error("not-a-constant", f"expected {name(wanted)} written out", Label(span), help=f"write {meant}")
