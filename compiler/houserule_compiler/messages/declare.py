"""Messages of `declare`: parts that are missing, given twice, or of the wrong number."""

from __future__ import annotations

from collections.abc import Sequence

from ..declarations import Definition
from ..diagnostics import Diagnostic, Label, error
from ..document import Scalar
from ..source import Span
from .load import quoted
from .names import suggestion


def repeated_word(again: Definition, first: Definition) -> Diagnostic:
    """A list of words has the same word twice."""
    return error(
        "repeated-word",
        f"the word `{again.id}` stands twice in one list",
        Label(again.place, "again here"),
        Label(first.place, "first here"),
        help="take one of them out",
    )


def incomplete(key: Scalar, part: str, example: str) -> Diagnostic:
    """A definition lacks a part that it cannot do without."""
    return error(
        "incomplete-definition",
        f"`{key.text}` lacks {part}",
        Label(key.span),
        help=f"add it, for example `{example}`",
    )


def too_many_rows(key: Scalar, first: Span, limit: int) -> Diagnostic:
    """A table has more rows than the limit; `first` is the first row too many."""
    return error(
        "too-many-rows",
        f"the table {quoted(key.text)} has more than {limit} rows",
        Label(first, "the first row too many"),
        Label(key.span, "of this table"),
        help=f"make bands of rows that agree, or raise the limit: `--limit rows={limit * 2}`",
    )


def one_adjustment(span: Span, stated: Sequence[Span]) -> Diagnostic:
    """An adjustment in map form has no operation, or more than one."""
    return error(
        "one-adjustment",
        f"an adjustment does one thing, and this one does {'several' if stated else 'nothing'}",
        Label(stated[1] if len(stated) > 1 else span),
        *(Label(each, "and this") for each in stated[:1] if len(stated) > 1),
        notes=["it is one of `set`, `multiply`, `at_least`, `at_most`, `no_better_than`, `no_worse_than`"],
        help="keep one, and write another modifier for the rest"
        if stated
        else "name one of them; a modifier whose adjustment has grades says `by` what",
    )


def too_many_values(span: Span, wanted: int) -> Diagnostic:
    """A word has more values than its choice has attributes."""
    return error(
        "too-many-values",
        f"the choice has {wanted} {'attribute' if wanted == 1 else 'attributes'}, and this is one value more",
        Label(span),
        help="take it out, or declare another attribute",
    )


def unknown_column(key: Scalar, columns: Sequence[str]) -> Diagnostic:
    """A row or a list is given for a column that the table does not have."""
    return error(
        "unknown-column",
        f"the table gives nothing called `{key.text}`",
        Label(key.span),
        notes=[f"it gives {_listed(columns)}"],
        help=suggestion(key.text, columns) or f"declare it under `gives`, for example `{key.text}: integer`",
    )


def missing_cells(span: Span, columns: Sequence[str]) -> Diagnostic:
    """A row does not say what some columns hold."""
    return error(
        "missing-cells",
        f"this row says nothing of {_listed(columns)}",
        Label(span),
        help=f"add a value for {_listed(columns)}",
    )


def wrong_cells(span: Span, columns: Sequence[str]) -> Diagnostic:
    """A row has another number of cells than the table has columns."""
    if len(columns) == 1:
        return error(
            "wrong-cells",
            "expected one value, found several",
            Label(span),
            help="write one value, or one for each value of a further key",
        )
    return error(
        "wrong-cells",
        f"expected {len(columns)} values, one for each of {_listed(columns)}",
        Label(span),
        help=f"write them in order: `[{', '.join(columns)}]`",
    )


def two_ends(again: Span, first: Span) -> Diagnostic:
    """A step or case has two of `cases`, `outcome` and `go`."""
    return error(
        "two-ends",
        "a step or case ends in one way only",
        Label(again, "this is the second"),
        Label(first, "the first stands here"),
        help="keep one of them",
    )


def beside(key: Scalar, other: Scalar, more: Sequence[Scalar]) -> Diagnostic:
    """Parts stand beside one that rules them out, so that they have no effect."""
    is_layered = key.span.file.layer != other.span.file.layer
    how = "write all of it anew, with `replace: true`, or take out what stands below, with `remove`"
    return error(
        "without-effect",
        f"`{key.text}` has no effect beside `{other.text}`",
        Label(key.span),
        *(Label(each.span, "nor has this") for each in more),
        Label(other.span, "this holds instead"),
        help=how if is_layered else "take out one or the other",
    )


def without_its_key(key: Scalar, wanted: Sequence[str]) -> Diagnostic:
    """A part says something of one that is not there."""
    return error(
        "without-effect",
        f"`{key.text}` has no effect without {' or '.join(f'`{each}`' for each in wanted)}",
        Label(key.span),
        help=f"take it out, or add {'one of them' if len(wanted) > 1 else f'`{wanted[0]}`'}",
    )


def last_case_with_condition(key: Scalar, when: Span) -> Diagnostic:
    """The last case has a condition, so that there may be no case at all."""
    return error(
        "last-case-with-condition",
        f"the last case, `{key.text}`, has a condition",
        Label(when, "when this does not hold, no case is left"),
        help="take the `when` out, or add a last case without one",
    )


def case_without_condition(key: Scalar) -> Diagnostic:
    """A case before the last has no condition, so that the rest is never reached."""
    return error(
        "case-without-condition",
        f"`{key.text}` has no condition, and cases stand after it",
        Label(key.span),
        help="give it a `when`, or move it to the end",
    )


def one_subject(key: Scalar, stated: Sequence[Span], kinds: Sequence[str]) -> Diagnostic:
    """An example tries nothing, or several things."""
    return error(
        "one-subject",
        f"an example tries one thing, and `{key.text}` tries {'several' if stated else 'nothing'}",
        Label(stated[1] if len(stated) > 1 else key.span),
        help=f"name one thing to try: {', '.join(f'`{each}`' for each in kinds)}",
    )


def _listed(names: Sequence[str]) -> str:
    quoted = [f"`{each}`" for each in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
