"""Diagnostics as data: what a pass found, where, and how to mend it. Rendering is `render`'s work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from .source import Span


class Severity(Enum):
    """How much a finding weighs: an error stops the build, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


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
    return Diagnostic(code, Severity.ERROR, headline, labels, tuple(notes), help)


def warning(code: str, headline: str, *labels: Label, notes: Iterable[str] = (), help: str = "") -> Diagnostic:
    """A warning whose first label is the primary one."""
    return Diagnostic(code, Severity.WARNING, headline, labels, tuple(notes), help)


def note(code: str, headline: str, *labels: Label, notes: Iterable[str] = (), help: str = "") -> Diagnostic:
    """A note whose first label is the primary one."""
    return Diagnostic(code, Severity.NOTE, headline, labels, tuple(notes), help)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error."""
    return any(each.severity is Severity.ERROR for each in diagnostics)


def in_file_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by file name, then by place, then by code; equal findings once."""
    return sorted(
        dict.fromkeys(diagnostics), key=lambda each: (each.span.file.name, each.span.start, each.span.end, each.code)
    )
