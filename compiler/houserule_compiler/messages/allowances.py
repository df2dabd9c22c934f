"""Messages about comments that allow a finding."""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics import Diagnostic, Label, warning
from ..source import Span
from .names import suggestion


def unclear(comment: Span) -> Diagnostic:
    """A comment to houserule in another form than the one that there is."""
    return warning(
        "unclear-allowance",
        "expected `allow CODE because REASON` after `houserule:`",
        Label(comment),
        notes=["it allows the finding CODE in its own line, or from a line of its own in the next"],
    )


def unknown_code(code: Span, known: Iterable[str]) -> Diagnostic:
    """A code that no message has."""
    return warning(
        "unknown-code", f"no message has the code `{code.text}`", Label(code), help=suggestion(code.text, known)
    )


def unused(comment: Span, code: str) -> Diagnostic:
    """Nothing of that code is found where the comment speaks of."""
    return warning("unused-allowance", f"nothing gives `{code}` here", Label(comment), help="take the comment out")


def without_reason(code: Span) -> Diagnostic:
    """What is allowed without a reason, nobody can judge later."""
    return warning(
        "allowed-without-reason",
        f"`{code.text}` is allowed without a reason",
        Label(code),
        help=f"say why: `# houserule: allow {code.text} because REASON`",
    )


def error_allowed(code: Span, found: Diagnostic) -> Diagnostic:
    """An error stays, whatever a comment says."""
    return warning(
        "error-not-allowed",
        f"`{code.text}` is an error, and a comment cannot allow it",
        Label(code),
        Label(found.span, "the error"),
        notes=["warnings and notes can be allowed"],
        help="take the comment out",
    )
