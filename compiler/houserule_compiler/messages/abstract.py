"""Messages about abstract rulesets: what they leave open, who fills it, and that nobody builds them."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error, note
from ..document import Scalar
from ..paths import Path, path_text
from ..source import Span
from .layers import Statement, both, fitted, labels
from .shape import quoted

_FILLED = {"numbers": ".base: ...", "tables": ".rows: {...}", "choices": ": [...]", "checks": ": {...}"}


def abstract_ruleset(name: str, place: Span) -> Diagnostic:
    """Somebody would build an abstract ruleset, or ask it."""
    return error(
        "abstract-ruleset",
        f"{quoted(name)} is abstract, and gives no answers by itself",
        Label(place),
        help=f"build or ask a ruleset that stands on it, with `extends: {name}` or `with: [{name}]`",
    )


def left_open(found: Diagnostic, path: Path, open: Scalar) -> Diagnostic:
    """Something reads what an abstract ruleset leaves to others."""
    return error(
        "left-open",
        f"{quoted(path[-1])} is still open",
        found.labels[0],
        Label(open.span, f"`{open.span.file.layer}` leaves it to others"),
        help=f"fill it in a ruleset above: `{path_text(path)}{_FILLED[path[0]]}`",
    )


def adjusts_open(number: str, keys: Sequence[Scalar], open: Scalar) -> Diagnostic:
    """Modifiers adjust a number that is still open, and that nothing reads."""
    first, *rest = keys
    return note(
        "adjusts-open-number",
        f"{quoted(number)} is open here, so that adjusting it does nothing",
        Label(first.span),
        *(Label(each.span) for each in rest),
        Label(open.span, f"`{open.span.file.layer}` leaves it to others"),
        help=f"give it a base, `numbers.{number}.base: ...`, or use this with a ruleset that does",
    )


def both_fill(path: Path, stated: Sequence[Statement], open: Statement | None) -> Diagnostic:
    """Two layers fill one open definition, differently; `stated` are from the bottom up."""
    first, *rest = labels(stated, "fills it")
    begun = [Label(open.key.span, f"`{open.layer}` leaves it to others")] if open else []
    return error(
        "both-define",
        fitted(lambda path: f"{both(stated)} both define {path}", path),
        first,
        *rest,
        *begun,
        notes=["parts of one mixed with parts of the other would be a rule that nobody wrote"],
        help=f"choose one: `prefer: {{{path_text(path)}: {stated[-1].layer}}}`",
    )
