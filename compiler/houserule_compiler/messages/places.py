"""Messages of `typecheck` about words, fields and steps: what is declared, and what can be read where."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error
from ..source import Span
from ..syntax import Expression
from ..types import Dice
from .names import suggestion


def number_of_other_check(id: str, check: str, span: Span) -> Diagnostic:
    """A number that belongs to a check, read outside it."""
    return error(
        "number-of-other-check",
        f"`{id}` belongs to the check `{check}`, and is read outside it",
        Label(span),
        help=f"read it in the steps of `{check}`, and give it from there as a value",
    )


def of_some_check(name: str, check: str, span: Span) -> Diagnostic:
    """A die or value of a check, read where no check is under way."""
    return error(
        "number-of-other-check",
        f"`{name}` belongs to the check `{check}`, and is read outside it",
        Label(span),
        help=f"let the number that reads it belong to the check too: `in: {check}`",
    )


def not_simple(id: str, span: Span) -> Diagnostic:
    """A situation that is declared impossible by more than simple tests that hold together."""
    return error(
        "not-simple",
        f"`{id}` is declared impossible by something other than simple tests",
        Label(span),
        notes=["a simple test compares facts and fields, or asks one for a yes or no; tests are joined by `and`"],
        help="instead of `or`, declare each situation on its own",
    )


def unguarded_unknown(read: str, span: Span, is_condition: bool, is_die: bool) -> Diagnostic:
    """Something that may be unknown, read where an answer is due."""
    guard = f"known({read}) and ..." if is_condition else f"if known({read}) then ... else ..."
    return error(
        "unguarded-unknown",
        f"`{read}` may be unknown, and an answer is due here",
        Label(span),
        help=f"guard it, for example `{guard}`" + ("" if is_die else ", or give it a default"),
    )


def missing_attribute(word: str, attribute: str, span: Span, declared: Span) -> Diagnostic:
    """A word without a value for an attribute that has no default."""
    return error(
        "missing-attribute",
        f"the word `{word}` has no `{attribute}`",
        Label(span),
        Label(declared, "declared here without a default"),
        help="give it one, or write a default after the type of the attribute",
    )


def unknown_attribute_of_word(word: str, attribute: str, span: Span, attributes: Sequence[str]) -> Diagnostic:
    """A value for an attribute that the choice does not declare."""
    return error(
        "unknown-name",
        f"the choice declares no attribute `{attribute}`",
        Label(span),
        help=suggestion(attribute, attributes) or f"declare it under `attributes`, for example `{attribute}: 0..10`",
    )


def too_many_words(choice: str, span: Span, limit: int) -> Diagnostic:
    """A set of a choice with more words than a set can hold."""
    return error("too-many-words", f"a set holds at most {limit} words, and `{choice}` has more", Label(span))


def computed_with_default(id: str, default: Expression | None, place: Span) -> Diagnostic:
    """A computed field that also says what it is when it is not given."""
    return error(
        "computed-with-default",
        f"`{id}` is computed, and never {'needs a default' if default else 'unknown by itself'}",
        Label(default.span if default else place),
        help="take the default out, or the `is`" if default else "take the `?` out",
    )


def unknown_with_default(id: str, place: Span, is_set: bool) -> Diagnostic:
    """Something that may be unknown, and has a default all the same."""
    return error(
        "unknown-with-default",
        f"`{id}` is never unknown: {'a set that is not given is empty' if is_set else 'it has a default'}",
        Label(place),
        help="take the `?` out" if is_set else "take out the `?` or the default",
    )


def default_in_table(span: Span) -> Diagnostic:
    """A key or a column with a default or a question mark."""
    return error(
        "type-out-of-place",
        "a key or column has no default, and is never unknown",
        Label(span),
        help="take out the `?` and the default; `otherwise` says what holds for all other keys",
    )


def type_in_table(span: Span, is_key: bool) -> Diagnostic:
    """A key or a column of a type that cannot be one."""
    due = "a range, `integer`, `boolean`, a choice or `hit_dice`"
    return error(
        "type-out-of-place",
        f"`{span.text}` cannot be the type of {'a key' if is_key else 'a column'}",
        Label(span),
        notes=[f"a key is {due}" if is_key else f"a column is {due}, `adjustment`, a fraction, dice or `text`"],
    )


def option_without_default(id: str, span: Span) -> Diagnostic:
    """An option without a default."""
    return error(
        "option-without-default",
        f"the option `{id}` has no default",
        Label(span),
        help="write one after its type, for example `boolean = true`",
    )


def type_out_of_place(span: Span, text: str, places: str) -> Diagnostic:
    """A type that stands only in certain places."""
    return error("type-out-of-place", f"`{text}` is a type for {places}", Label(span))


def range_due(span: Span) -> Diagnostic:
    """A type that needs a range, and has none."""
    return error(
        "type-out-of-place", f"`{span.text}` needs a range", Label(span), help=f"write for example `{span.text} 0..10`"
    )


def dice_type_too_large(span: Span) -> Diagnostic:
    """A dice type beyond the bound."""
    return error(
        "too-many-dice",
        "dice of a fact are at most 4, of at most 12 faces each",
        Label(span),
        help="roll larger dice under `roll` directly",
    )


def outcome_words_differ(span: Span, words: Sequence[str], check: str) -> Diagnostic:
    """A forwarded outcome with words that this check does not have."""
    return error(
        "unknown-outcome",
        f"this can be {', '.join(f'`{each}`' for each in words)}, which `{check}` does not list",
        Label(span),
        help=f"add to its outcomes: {', '.join(words)}",
    )


def not_reached_here(name_text: str, step: str, span: Span, place: Span) -> Diagnostic:
    """A step's value is read where that step need not have run."""
    return error(
        "not-reached-here",
        f"`{name_text}` is read where the step `{step}` need not have run",
        Label(span),
        Label(place, "the step"),
        help="read it only in steps that this one always comes before",
    )


def dice_range(span: Span, dice: Dice, limit: int) -> Diagnostic:
    """A roll with more possible totals than odds can be counted for."""
    return error(
        "too-many-dice",
        f"this roll has more than {limit} possible totals",
        Label(span, f"{dice.low} to {dice.high}"),
        help="roll fewer or smaller dice",
    )


def number_not_ready(id: str, paths: Sequence[str], span: Span) -> Diagnostic:
    """A number of a check, read before what it reads is there."""
    return error(
        "not-reached-here",
        f"`{id}` reads {', '.join(f'`{each}`' for each in paths)}, which is not known here yet",
        Label(span),
        help="read the number in a later step or case",
    )


def unknown_outcome(check: str, word: str, span: Span, outcomes: Sequence[str]) -> Diagnostic:
    """A word that is no outcome of its check."""
    return error(
        "unknown-outcome",
        f"`{check}` has no outcome `{word}`",
        Label(span),
        notes=[f"its outcomes are {', '.join(f'`{each}`' for each in outcomes)}"] if outcomes else [],
        help=suggestion(word, outcomes),
    )


def unknown_of_step(step: str, part: str, span: Span, own: Sequence[str]) -> Diagnostic:
    """A die or value that a step does not have."""
    return error(
        "unknown-name",
        f"the step `{step}` has no `{part}`",
        Label(span),
        notes=[f"it has {', '.join(f'`{each}`' for each in own)}"] if own else [],
        help=suggestion(part, own),
    )


def not_a_key(name: str, kind: str, span: Span, keys: Sequence[str]) -> Diagnostic:
    """A cell reads something that is no key of its table."""
    return error(
        "not-a-key",
        f"a cell is worked out from the keys of its table, and `{name}` is {kind}",
        Label(span),
        notes=[f"the keys are {', '.join(f'`{each}`' for each in keys)}; options and other tables can be read too"],
        help="make it a key under `by`, or add it where the table is read",
    )


def table_without_keys(table: str, span: Span, keys: Sequence[str]) -> Diagnostic:
    """A table's name where its answer is due."""
    return error(
        "table-without-keys",
        f"`{table}` is a table, and this does not say which row",
        Label(span),
        help=f"write `{table}({', '.join(keys)})`",
    )
