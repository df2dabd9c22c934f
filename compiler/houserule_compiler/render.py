"""Diagnostics as text: with excerpts of the source, as one-liners, or as one JSON object a line.

No character of a rules file reaches the output raw if it could move the cursor or hide text. Excerpts are printed only
of files that may be shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from .characters import visible
from .diagnostics import Diagnostic, Label
from .excerpt import excerpt, margin_width
from .messages import examples

Paint: TypeAlias = Callable[[str, str], str]
"""Takes what a piece of text is (`error`, `warning`, `note`, `headline`, `path`, `frame`, `primary`, `secondary`,
`help`) and the text, and gives the text, coloured or not."""


def plain(kind: str, text: str) -> str:
    """The text without colour."""
    return text


def full(diagnostics: Iterable[Diagnostic], paint: Paint = plain) -> str:
    """Each diagnostic with its source lines, notes and help, a blank line between two."""
    return "\n".join(_diagnostic(each, paint) for each in diagnostics)


def concise(diagnostics: Iterable[Diagnostic], ruleset: str = "") -> str:
    """A line for each diagnostic: `path:line:column: severity[code]: headline`.

    Of what is found in a file of another ruleset than the one that was examined, the latter stands behind it.
    """

    def line(each: Diagnostic) -> str:
        is_elsewhere = ruleset and each.span.file.layer != ruleset
        return f"{place(each.labels[0])}: {_title(each)}{examples.found_in(ruleset) if is_elsewhere else ''}\n"

    return "".join(map(line, diagnostics))


def json_lines(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON object a line for each diagnostic; columns count characters from 1."""
    return "".join(json.dumps(as_data(each), ensure_ascii=True) + "\n" for each in diagnostics)


def as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """The diagnostic as plain data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "headline": visible(diagnostic.headline),
        **_range(diagnostic.labels[0]),
        "labels": [{**_range(each), "text": visible(each.text)} for each in diagnostic.labels],
        "notes": [visible(each) for each in diagnostic.notes],
        "help": visible(diagnostic.help),
    }


def _range(label: Label) -> dict[str, Any]:
    file, start, end = label.span.file, label.span.start, label.span.end
    line, column = file.position(start)
    end_line, end_column = file.position(end)
    return {
        "path": visible(file.name),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _title(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.severity.value}[{diagnostic.code}]: {visible(diagnostic.headline)}"


def place(label: Label) -> str:
    """Where a label stands: `path:line:column`."""
    line, column = label.span.file.position(label.span.start)
    return f"{visible(label.span.file.name)}:{line}:{column}"


def _diagnostic(diagnostic: Diagnostic, paint: Paint) -> str:
    severity = diagnostic.severity.value
    title = paint(severity, f"{severity}[{diagnostic.code}]") + paint("headline", f": {visible(diagnostic.headline)}")
    lines = [title]
    for number, labels in enumerate(_by_file(diagnostic.labels)):
        lines.append(_header(labels[0], "-->" if number == 0 else ":::", paint))
        file = labels[0].span.file
        if not file.is_shown:
            lines += _texts(labels, paint)
        elif file.text:
            lines += excerpt(labels, diagnostic.labels[0], paint)
    margin = " " * (margin_width(_by_file(diagnostic.labels)[0]) + 1)
    for kind, text in [*(("note", each) for each in diagnostic.notes), ("help", diagnostic.help)]:
        if text:
            lines += _remark(kind, text, margin, paint)
    return "\n".join(lines) + "\n"


def _by_file(labels: tuple[Label, ...]) -> list[list[Label]]:
    """The labels of each file, that of the primary label first."""
    files: dict[int, list[Label]] = {}
    for each in labels:
        files.setdefault(id(each.span.file), []).append(each)
    return list(files.values())


def _header(label: Label, arrow: str, paint: Paint) -> str:
    return f" {paint('frame', arrow)} {paint('path', place(label))}"


def _texts(labels: list[Label], paint: Paint) -> list[str]:
    """What the labels say, for a file whose lines are not shown."""
    return [f"  {paint('frame', '|')} {place(each)}: {visible(each.text)}" for each in labels if each.text]


def _remark(kind: str, text: str, margin: str, paint: Paint) -> list[str]:
    """`= note: ...`; further lines of the text stand below its first word."""
    first, *more = text.split("\n")
    lead = f"{margin}{paint('frame', '=')} {paint(kind, kind)}: "
    indent = " " * (len(margin) + len(kind) + 4)
    return [lead + visible(first), *(indent + visible(each) for each in more)]
