"""Messages of `analyse` about conditions, cases and contests: what never or always holds, and what conflicts."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error, warning
from ..source import Span


def never_holds(id: str, span: Span, reason: str) -> Diagnostic:
    """A condition that no situation meets."""
    return error("never-holds", f"the condition of `{id}` never holds", Label(span), notes=[reason] if reason else [])


def contradiction(id: str, span: Span, others: Sequence[Span]) -> Diagnostic:
    """A condition of which some terms rule each other out."""
    return error(
        "never-holds",
        f"the condition of `{id}` never holds",
        Label(span, "cannot hold together with this" if len(others) == 1 else "cannot hold together with these"),
        *(Label(each) for each in others),
    )


def ruled_out(id: str, span: Span, impossible: Span) -> Diagnostic:
    """A condition that holds only in a situation that is declared impossible."""
    return error(
        "never-holds",
        f"the condition of `{id}` never holds",
        Label(span),
        Label(impossible, "this is declared impossible"),
    )


def always_holds(id: str, span: Span) -> Diagnostic:
    """A condition that every situation meets."""
    return warning(
        "always-holds", f"the condition of `{id}` always holds", Label(span), help="take the condition out, or mend it"
    )


def part_never_holds(id: str, span: Span, reason: str, is_branch: bool = False) -> Diagnostic:
    """A part of a condition, or the condition of an `if`, that no situation meets."""
    return warning(
        "part-never-holds",
        f"{_part(is_branch)} `{id}` never holds",
        Label(span),
        notes=[reason] if reason else [],
        help="mend it, or write only what stands behind `else`" if is_branch else "mend this part, or take it out",
    )


def part_always_holds(id: str, span: Span, is_branch: bool = False) -> Diagnostic:
    """A part of a condition, or the condition of an `if`, that every situation meets."""
    help = "mend it, or write only what stands behind `then`" if is_branch else "mend this part, or take it out"
    return warning("part-always-holds", f"{_part(is_branch)} `{id}` always holds", Label(span), help=help)


def _part(is_branch: bool) -> str:
    return "a condition in" if is_branch else "a part of the condition of"


def range_here(what: str, low: str, high: str, is_number: bool) -> str:
    """The range of something, as the reason."""
    if low == high:
        return f"`{what}` is always {low} here"
    return f"`{what}` is {low} to {high} here" if is_number else f"`{what}` is between {low} and {high} here"


def excludes_everything(id: str, span: Span) -> Diagnostic:
    """An impossible situation that is every situation."""
    return error(
        "excludes-everything",
        f"`{id}` declares every situation impossible",
        Label(span),
        help="say what has to be so for the situation to be impossible",
    )


def unreachable_case(case: str, span: Span, earlier: Span | None, is_last: bool) -> Diagnostic:
    """A case that is never taken, because earlier ones take everything that it could."""
    labels = [Label(earlier, "this case takes all of it first")] if earlier else []
    notes = [] if earlier else ["the cases above it take everything between them"]
    help = "take out the condition of the case above, or mend it" if is_last else "take it out, or move it up"
    return error("unreachable-case", f"the case `{case}` is never taken", Label(span), *labels, notes=notes, help=help)


def unused_outcome(check: str, word: str, span: Span) -> Diagnostic:
    """An outcome that no case gives."""
    return warning(
        "unused-outcome",
        f"no case of `{check}` gives the outcome `{word}`",
        Label(span),
        help=f"take `{word}` out, or add a case that gives it",
    )


def unreached_step(check: str, step: str, span: Span) -> Diagnostic:
    """A step that nothing leads to."""
    return error(
        "unreached-step",
        f"nothing leads to the step `{step}` of `{check}`",
        Label(span),
        help=f"let a case say `go: {step}`, or take the step out",
    )


def conflicting_sets(number: str, first: tuple[str, Span], second: tuple[str, Span], when: str) -> Diagnostic:
    """Two modifiers that can set a number to different values at once."""
    return error(
        "conflicting-sets",
        f"{_both(first[0], second[0])} can set `{number}` differently at once",
        Label(second[1]),
        Label(first[1]),
        notes=[f"both hold with {when}"] if when else [],
        help="give both a `stack` group that keeps one, or conditions that exclude each other",
    )


def _both(first: str, second: str) -> str:
    return f"`{first}` and `{second}`" if first != second else f"two grades of `{first}`"


def possible_conflict(number: str, first: tuple[str, Span], second: tuple[str, Span]) -> Diagnostic:
    """Two modifiers of which nothing rules out that they set or round a number differently at once."""
    return warning(
        "possible-conflict",
        f"{_both(first[0], second[0])} may disagree about `{number}`",
        Label(second[1]),
        Label(first[1]),
        notes=["their conditions do not clearly exclude each other"],
        help="give both a `stack` group that keeps one, or conditions that exclude each other",
    )


def conflicting_rounding(number: str, first: tuple[str, Span], second: tuple[str, Span], when: str) -> Diagnostic:
    """Two multipliers that can hold at once and name different roundings."""
    return error(
        "conflicting-rounding",
        f"`{first[0]}` and `{second[0]}` round `{number}` in different ways",
        Label(second[1]),
        Label(first[1]),
        notes=[f"both hold with {when}"] if when else [],
        help="the product is rounded once: name the same `round` in both",
    )


def missing_source(id: str, span: Span, example: str) -> Diagnostic:
    """A definition that says on nothing in the sources it stands, in a ruleset that has sources."""
    return warning(
        "missing-source",
        f"`{id}` names no source",
        Label(span),
        help=f"add one, for example `source: {example}`, here or at the head of the file",
    )


def empty_stacking_group(id: str, span: Span) -> Diagnostic:
    """A stacking group that no modifier is in."""
    return warning(
        "empty-stacking-group",
        f"no modifier is in the stacking group `{id}`",
        Label(span),
        help=f"write `stack: {id}` in a modifier, or take the group out",
    )


def table_for_one_modifier(table: str, span: Span, modifier: str, place: Span) -> Diagnostic:
    """A table that one modifier alone reads."""
    return warning(
        "table-for-one-modifier",
        f"only the modifier `{modifier}` reads the table `{table}`",
        Label(span),
        Label(place, "read here"),
        help="write the rows as grades of the modifier, with `by`",
    )
