"""Source text and ranges in it: every place that a diagnostic can point to."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class SourceFile:
    """One file of rules: its display name, its text, and the layer that it belongs to.

    `name` is a path relative to where the user stands, never an absolute one. Line endings are already `\\n`.
    `is_shown` is false for a file whose lines must not be printed, because it lies outside the rulesets in use.
    """

    name: str
    text: str = field(repr=False)
    layer: str = ""
    is_shown: bool = True
    inner: str = ""

    @property
    def inner_name(self) -> str:
        """The file's path within its ruleset, with `/` between its parts."""
        return self.inner or self.name.replace("\\", "/").rpartition("/")[2]

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets at which the lines begin; the first is 0."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, both from 1; a column counts characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of line `line` (from 1), without its line ending."""
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from `start` up to, not including, `end` of one file.

    An empty span is a place between two characters.
    """

    file: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.file.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.file.position(self.start)[1]

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.file.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The range from the start of this span to the end of `other`, in the same file."""
        return Span(self.file, self.start, max(self.end, other.end))
