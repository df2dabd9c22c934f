"""Messages of `analyse` about rows and grades: gaps, overlaps, and what can never hold."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error, warning
from ..source import Span

LONGEST = 79


def short(headline: str, otherwise: str) -> tuple[str, list[str]]:
    """A headline that fits on its line; else a shorter one, with the full one as a note."""
    return (headline, []) if len(headline) <= LONGEST else (otherwise, [headline])


def row_gap(table: str, keys: str, missing: str, span: Span, before: str, help: str) -> Diagnostic:
    """Keys that no row covers; `keys` are the smallest such, `missing` all of them where there are more."""
    headline, notes = short(f"no row of `{table}` covers {keys}", f"no row of `{table}` covers some of its keys")
    if missing:
        notes.append(f"nothing covers {missing}")
    return error("row-gap", headline, Label(span, before), notes=notes, help=help)


def more_gaps(table: str, count: int) -> str:
    """The note of the last gap that is told."""
    return f"`{table}` has {count} more gap{'s' if count > 1 else ''}"


def overlapping_rows(table: str, keys: str, first: tuple[Span, str], second: tuple[Span, str], help: str) -> Diagnostic:
    """Two rows that cover the same keys. A place comes with what its row covers."""
    headline, notes = short(f"two rows of `{table}` cover {keys}", f"two rows of `{table}` cover the same keys")
    return error("overlapping-rows", headline, Label(*second), Label(*first), notes=notes, help=help)


def unreachable_row(table: str, span: Span, reason: str, covered_by: Sequence[Span], help: str) -> Diagnostic:
    """A row that can never be the one that is read."""
    labels = [Label(each, "covered here") for each in covered_by]
    notes = [reason] if reason else []
    return error("unreachable-row", f"a row of `{table}` never holds", Label(span), *labels, notes=notes, help=help)


def outside(key: str, low: str, high: str) -> str:
    """Why a row outside its key never holds."""
    return f"`{key}` goes from {low} to {high}"


def tangled_rows(table: str, span: Span) -> Diagnostic:
    """A table whose rows cross each other so often that sorting them out would take too long."""
    return error(
        "tangled-rows",
        f"the rows of `{table}` cross each other too often to be sorted out",
        Label(span),
        help="write one row for each band of the first key, and the other keys under it",
    )


def grade_gap(modifier: str, value: str, missing: str, span: Span, before: str) -> Diagnostic:
    """A value of `by` that no grade covers."""
    headline, notes = short(f"no grade of `{modifier}` covers {value}", f"no grade of `{modifier}` covers some values")
    help = f"add a grade for `{missing}`, for example `{missing}: 0`"
    return error("grade-gap", headline, Label(span, before), notes=notes, help=help)


def overlapping_grades(
    modifier: str, value: str, first: tuple[Span, str], second: tuple[Span, str], help: str
) -> Diagnostic:
    """Two grades that cover the same value."""
    headline, notes = short(f"two grades of `{modifier}` cover {value}", f"two grades of `{modifier}` overlap")
    return error("overlapping-grades", headline, Label(*second), Label(*first), notes=notes, help=help)


def unreachable_grade(modifier: str, span: Span, reason: str, covered_by: Sequence[Span]) -> Diagnostic:
    """A grade that no value of `by` can have."""
    labels = [Label(each, "covered here") for each in covered_by]
    notes = [reason] if reason else []
    return warning(
        "unreachable-grade",
        f"a grade of `{modifier}` never applies",
        Label(span),
        *labels,
        notes=notes,
        help="take it out",
    )


def ends_at(value: str, what: str = "row") -> str:
    """What stands beside the row or grade before a gap."""
    return f"this {what} ends at {value}"


def covering(value: str, is_start: bool, what: str = "row") -> tuple[str, str]:
    """What stands beside the first and the second of two that overlap."""
    second = f"this {what} starts at {value}" if is_start else f"this {what} covers {value} too"
    return f"this {what} already covers {value}", second


def nothing_left() -> str:
    """Why an `otherwise` never holds."""
    return "the other rows leave nothing for it"


def add_row(missing: str) -> str:
    """The edit for a gap with nothing before it."""
    return f"add a row for `{missing}`, or an `otherwise`"


def add_row_at(table: str, missing: str, cells: str) -> str:
    """The edit for a word that has no row, as a layer writes it too."""
    return f"add a row for `{missing}`, as in `tables.{table}.rows[{missing}]: {cells}`, or an `otherwise`"


def add_row_or_widen(missing: str, end: str) -> str:
    """The edit for a gap behind a row."""
    return f"add a row for `{missing}`, or let this row go on to {end}"


def add_to_list(count: int) -> str:
    """The edit for a list that ends too soon."""
    return f"add {count} value{'s' if count > 1 else ''} to the list"


def part_bands(what: str, after: str, before: str) -> str:
    """The edit for a second band that starts within the first."""
    return f"start the second {what} at {after}, or end the first at {before}"


def part_bands_below(what: str, before: str, after: str) -> str:
    """The edit for a second band that ends within the first."""
    return f"end the second {what} at {before}, or start the first at {after}"


def keep_in_one(what: str) -> str:
    """The edit for a value that stands in two rows."""
    return f"let each value stand in one {what} only"
