"""Diagnostics as data: what a pass found, where, and how to mend it. Rendering is `render`'s work."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from .source import Span


class Severity(Enum):
    """How much a finding weighs: an error stops the build, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


WIDTH = 160
"""How long a headline may be at all; most fit on a line of eighty, but for long names in them."""

SHORTEST = 10
"""What is left of a name that is cut, at least."""

_NAME = re.compile(r"`[^`]+`")


@dataclass(frozen=True, slots=True)
class Label:
    """A place in the source, and what to say beside it (nothing where the underline says enough)."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. The first label is the primary one: the smallest text to change."""

    code: str
    severity: Severity
    headline: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...] = ()
    help: str = ""

    @property
    def span(self) -> Span:
        """The place of the primary label."""
        return self.labels[0].span


def error(code: str, headline: str, *labels: Label, notes: Iterable[str] = (), help: str = "") -> Diagnostic:
    """An error whose first label is the primary one."""
    return Diagnostic(code, Severity.ERROR, fitting(headline), labels, tuple(notes), help)


def warning(code: str, headline: str, *labels: Label, notes: Iterable[str] = (), help: str = "") -> Diagnostic:
    """A warning whose first label is the primary one."""
    return Diagnostic(code, Severity.WARNING, fitting(headline), labels, tuple(notes), help)


def note(code: str, headline: str, *labels: Label, notes: Iterable[str] = (), help: str = "") -> Diagnostic:
    """A note whose first label is the primary one."""
    return Diagnostic(code, Severity.NOTE, fitting(headline), labels, tuple(notes), help)


def fitting(headline: str) -> str:
    """A headline that does not run on, whatever the names in it: the longest are cut, and the excerpt shows them."""
    if len(headline) <= WIDTH:
        return headline
    for most in range(WIDTH, SHORTEST, -1):
        cut = _NAME.sub(lambda name, most=most: _cut(name[0], most), headline)  # type: ignore[misc]
        if len(cut) <= WIDTH:
            return cut
    return f"{headline[: WIDTH - 1]}…"


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 2]}…`"


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error."""
    return any(each.severity is Severity.ERROR for each in diagnostics)


def in_file_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by file name, then by place, then by code; equal findings once."""
    return sorted(
        dict.fromkeys(diagnostics), key=lambda each: (each.span.file.name, each.span.start, each.span.end, each.code)
    )
