"""Messages of layers about order: entries without a place, or with two, or beside what is gone."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error
from ..document import Scalar
from ..layers import Contribution
from ..paths import Path, path_text
from .expression import shorter
from .layers import Statement, both, fitted, listed
from .names import suggestion
from .shape import quoted


def moved_apart(path: Path, stated: Sequence[tuple[Statement, Scalar]]) -> Diagnostic:
    """Unrelated layers put one entry, or a whole order, in different places."""
    ordered = sorted(stated, key=lambda each: (each[1].span.file.name, each[1].span.start))
    return error(
        "conflict",
        fitted(lambda path: f"{both([each for each, _ in stated])} disagree on the place of {path}", path),
        *(Label(anchor.span, f"`{each.layer}` puts it here") for each, anchor in ordered),
        help="give it a place of your own, with `before`, `after` or `order`",
    )


def place_missing(key: Scalar, known: Sequence[str]) -> Diagnostic:
    """A new entry in an ordered map says not where it stands; `known` are those that are there."""
    return error(
        "place-missing",
        f"{quoted(key.text)} is new, and does not say where it stands",
        Label(key.span),
        notes=[f"in their order there are {listed(known)}"],
        help=f"add `before: {known[-1]}`, or `before` or `after` another one",
    )


def unknown_anchor(
    path: Path, stated: Statement, anchor: Scalar, known: Sequence[str], others: Sequence[str]
) -> Diagnostic:
    """An entry is placed beside one that its layer does not know, though `others` bring it in."""
    bring = f"`{others[0]}` has it; add `with: [{others[0]}]` to `{stated.layer}`" if others else ""
    return error(
        "missing-target",
        fitted(lambda path: f"there is no {path} below `{stated.layer}`", (*path, anchor.text)),
        Label(anchor.span),
        notes=[f"there are {listed(known)}"] if known else [],
        help=bring or suggestion(anchor.text, known),
    )


def anchor_gone(path: Path, stated: Statement, anchor: Scalar, remover: Contribution | None) -> Diagnostic:
    """An entry is placed beside one that another layer took out."""
    by = [Label(remover.span, f"`{remover.layer}` removes it")] if remover else []
    why = f"`{stated.layer}` puts {quoted(path[-1])} beside {quoted(anchor.text)}, which is gone"
    around = f"{quoted(path[-1])} and {quoted(anchor.text)} are placed beside each other"
    return error(
        "anchor-gone",
        why if remover else around,
        Label(anchor.span),
        *by,
        help=f"give it a place of your own: `{path_text(path)}: {{after: ...}}`",
    )


def same_gap(path: Path, one: tuple[str, Scalar], other: tuple[str, Scalar], situation: str) -> Diagnostic:
    """Two unrelated layers put something into one gap, and which comes first matters."""
    ordered = sorted((one, other), key=lambda each: (each[1].span.file.name, each[1].span.start))
    first, second = (key.text for _, key in ordered)
    return error(
        "same-gap",
        shorter(
            f"nothing says whether {quoted(first)} or {quoted(second)} comes first",
            "nothing says which of two comes first",
        ),
        *(Label(key.span, f"`{layer}` puts {quoted(key.text)} there") for layer, key in ordered),
        notes=[f"both hold where {situation}"] if situation else [],
        help=f"place one: `{path_text((*path, second))}: {{after: {first}}}`",
    )
