"""Comments that allow a finding: `# houserule: allow CODE because REASON`, in its line or in the line above.

Each takes one warning or note out. An error cannot be allowed, because rules with an error mean nothing. What a comment
is, the loader has found out, so a `#` inside a text is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .diagnostics import Diagnostic, Severity, has_errors, in_file_order
from .document import Document
from .messages import allowances as messages
from .source import Span

TRIED = frozenset({"answer-changed", "example-cannot-run", "example-fails", "nothing-expected", "unknown-expectation"})
"""The codes that only trying the examples gives; comments that allow these are judged then."""
_TO_US = re.compile(r"#+[ \t]*houserule(?:[ \t]*:|[ \t]+allow\b)")
_ALLOW = re.compile(r"#+[ \t]*houserule:[ \t]*allow[ \t]+([A-Za-z0-9_-]+)(?:[ \t]+because[ \t]+(\S.*))?[ \t]*")


@dataclass(frozen=True, slots=True)
class Allowance:
    """One comment: its place, the line that it speaks of, and the place of the code, or None in another form."""

    comment: Span
    line: int
    code: Span | None = None
    has_reason: bool = False

    def meets(self, found: Diagnostic) -> bool:
        """Whether it speaks of that finding."""
        place = found.span
        is_here = place.file is self.comment.file and place.line == self.line
        return is_here and self.code is not None and found.code == self.code.text


def allowances(documents: Iterable[Document]) -> tuple[Allowance, ...]:
    """All such comments of some files."""
    return tuple(each for document in documents for each in _of(document))


def _of(document: Document) -> Iterator[Allowance]:
    comments = {each.line: each for each in document.comments}
    for comment in sorted(document.comments, key=lambda each: each.start):
        if not _TO_US.match(comment.text):
            continue
        line = comment.line
        # Of several comments above one line, each speaks of that line.
        while line in comments and _is_alone(comments[line]):
            line += 1
        said = _ALLOW.fullmatch(comment.text)
        if said is None:
            yield Allowance(comment, line)
        else:
            start = comment.start + said.start(1)
            code = Span(comment.file, start, start + len(said[1]))
            yield Allowance(comment, line, code, said[2] is not None)


def _is_alone(comment: Span) -> bool:
    """Whether nothing but the comment stands in its line."""
    start = comment.file.line_starts[comment.line - 1]
    return not comment.file.text[start : comment.start].strip()


def held(
    found: Iterable[Diagnostic],
    given: Sequence[Allowance],
    known: Callable[[], Collection[str]] = tuple,
    is_of_examples: bool = False,
) -> list[Diagnostic]:
    """What is found and not allowed, and what is wrong with the comments, in file order.

    `known` gives all codes that there are; `is_of_examples` says that all this came of trying examples. Whether a
    comment is used can be told only where there are no errors, since later passes are silent about what has one.
    """
    left = list(found)
    is_sure = not has_errors(left)
    wrong: list[Diagnostic] = []
    for each in given:
        if (each.code is not None and each.code.text in TRIED) != is_of_examples:
            continue
        met = [one for one in left if each.meets(one)]
        allowed = next((one for one in met if one.severity is not Severity.ERROR), None)
        if allowed is not None:
            left.remove(allowed)
        wrong += _wrong(each, allowed, met, known, is_sure)
    return in_file_order([*left, *wrong])


def _wrong(
    given: Allowance,
    allowed: Diagnostic | None,
    met: Sequence[Diagnostic],
    known: Callable[[], Collection[str]],
    is_sure: bool,
) -> Iterator[Diagnostic]:
    if given.code is None:
        yield messages.unclear(given.comment)
    elif allowed is None and met:
        yield messages.error_allowed(given.code, met[0])
    elif allowed is None and (codes := known()) and given.code.text not in codes:
        yield messages.unknown_code(given.code, codes)
    elif allowed is None and is_sure:
        yield messages.unused(given.comment, given.code.text)
    elif allowed is not None and not given.has_reason:
        yield messages.without_reason(given.code)
