"""Diagnostics as workflow commands of GitHub Actions, which shows them beside the changed lines.

A command is one line that begins with `::`. A line break in its text is an escape, so nothing of a rules file can begin
a command of its own; nor is anything of a rules file printed outside a command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .characters import visible
from .diagnostics import Diagnostic, Label, Severity
from .render import place

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_TEXT = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = {**_TEXT, ord(":"): "%3A", ord(","): "%2C"}


def workflow_commands(diagnostics: Iterable[Diagnostic], folder: str = "") -> str:
    """A command for each diagnostic. `folder` is where the user stands, from the top of the checkout: `` or `a/b/`."""
    return "".join(_command(each, folder) for each in diagnostics)


def _command(found: Diagnostic, folder: str) -> str:
    properties = [*_where(found.labels[0], folder), ("title", found.code)]
    written = ",".join(f"{name}={visible(value).translate(_PROPERTY)}" for name, value in properties)
    text = "\n".join(_lines(found)).translate(_TEXT)
    return f"::{_LEVELS[found.severity]} {written}::{text}\n"


def _where(label: Label, folder: str) -> list[tuple[str, str]]:
    """The file and the range; columns are taken only of a range within one line."""
    file = label.span.file
    line, column = file.position(label.span.start)
    end_line, end_column = file.position(label.span.end)
    found = [("file", folder + file.name), ("line", str(line)), ("endLine", str(end_line))]
    last = max(end_column - 1, column)
    return [*found, ("col", str(column)), ("endColumn", str(last))] if line == end_line else found


def _lines(found: Diagnostic) -> Iterator[str]:
    yield visible(found.headline)
    if found.labels[0].text:
        yield visible(found.labels[0].text)
    for each in found.labels[1:]:
        yield f"{place(each)}: {visible(each.text)}" if each.text else place(each)
    for kind, text in [*(("note", each) for each in found.notes), ("help", found.help)]:
        if text:
            yield f"{kind}: " + "\n".join(visible(line) for line in text.split("\n"))
