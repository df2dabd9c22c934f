"""Sets the pieces of a file one after the other, and keeps in which column each comes to stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..document import Document, Entry, Scalar
from ..text_edits import TextEdit
from .levels import INDENT, Levels
from .pieces import Piece
from .scalar_lines import further_lines, keeps_breaks, needs_break

COMMENT_GAP = 2
_FARTHEST_COMMENT = 100


@dataclass(frozen=True, slots=True)
class _Bracket:
    """An open bracket: where lines within it begin."""

    column: int


class Setting:
    """One run over the pieces of a file."""

    def __init__(self, document: Document, pieces: Sequence[Piece], levels: Levels, padding: dict[int, int]) -> None:
        self.document = document
        self.text = document.file.text
        self.pieces = pieces
        self.levels = levels
        self.padding = padding
        self.column = 0
        self.line_column = 0
        self.brackets: list[_Bracket] = []
        self.beside: list[tuple[int, int, TextEdit]] = []
        self.line = 0
        self.sections = set(self._sections())

    def edits(self) -> list[TextEdit]:
        """All edits, in order; some may have no effect."""
        found: list[TextEdit] = []
        before: Piece | None = None
        for at, piece in enumerate(self.pieces):
            gap = TextEdit(before.end if before else 0, piece.start, self._gap(before, piece))
            self._move(gap.text)
            if piece.kind == "comment" and "\n" not in gap.text and before is not None:
                self.beside.append((self.line, self.column - COMMENT_GAP, gap))
            else:
                found.append(gap)
            found += self._piece(at, piece)
            before = piece
        return sorted([*found, *self._comments(), *self._end()])

    def _move(self, text: str) -> None:
        breaks = text.count("\n")
        self.line += breaks
        self.column = len(text) - text.rfind("\n") - 1 if breaks else self.column + len(text)

    def _piece(self, at: int, piece: Piece) -> Iterator[TextEdit]:
        """What changes within a piece; afterwards `column` is where it ends."""
        inner = list(self._further(piece)) if piece.scalar else []
        yield from inner
        written = self.text[piece.start : piece.end]
        self.line += written.count("\n")
        last = written.rfind("\n")
        self.column = self.column + len(written) if last < 0 else _end_column(written, piece, inner)
        if piece.kind == "open":
            self.brackets.append(_Bracket(self.column if self._goes_on(at) else self.line_column + INDENT))
        elif piece.kind == "close":
            self.brackets.pop()

    def _goes_on(self, at: int) -> bool:
        """Whether something stands in the line of a bracket behind it."""
        after = self.pieces[at + 1]
        return after.kind != "comment" and "\n" not in self.text[self.pieces[at].end : after.start]

    def _further(self, piece: Piece) -> Iterator[TextEdit]:
        assert piece.scalar is not None
        column = self.brackets[-1].column if self.brackets else self.levels.inside.get(piece.start, 0)
        yield from further_lines(piece.scalar, column)

    def _gap(self, before: Piece | None, piece: Piece) -> str:
        """The white space before a piece."""
        breaks = self.text.count("\n", before.end if before else 0, piece.start)
        joins = piece.kind == "close" and before is not None and before.kind != "comment"
        if before is None or (breaks and not joins):
            return self._line(before, piece, breaks)
        return " " * (_spaces(before, piece) + self.padding.get(piece.start, 0))

    def _line(self, before: Piece | None, piece: Piece, breaks: int) -> str:
        column = self._first_column(piece)
        self.line_column = column
        if before is None:
            return " " * column
        if not before.is_block or not keeps_breaks(before.scalar):
            if before.kind in ("colon", "dash", "open", "marker"):
                breaks = 1
            breaks = 2 if piece.start in self.sections else min(breaks, 2)
        return "\n" * breaks + " " * column

    def _first_column(self, piece: Piece) -> int:
        """The column of a piece that begins a line."""
        if self.brackets:
            return self.brackets[-1].column
        return self.levels.lines.get(piece.start, 0)

    def _sections(self) -> Iterator[int]:
        """The offsets before which a blank line stands: sections and what follows them, with the comments above."""
        entries = self.document.root.entries
        starts = {each.start: at for at, each in enumerate(self.pieces)}
        for above, entry in pairwise(entries):
            if _is_section(above) or _is_section(entry):
                yield self.pieces[self._with_comments(starts[entry.key.span.start])].start

    def _with_comments(self, at: int) -> int:
        """The first of the comments that stand right above a piece, at the margin like it."""
        while at and self.pieces[at - 1].kind == "comment" and self.levels.lines.get(self.pieces[at - 1].start) == 0:
            if self.text.count("\n", self.pieces[at - 1].end, self.pieces[at].start) > 1:
                break
            at -= 1
        return at

    def _comments(self) -> Iterator[TextEdit]:
        """The spaces before comments beside something; those of lines below each other stand in one column."""
        run: list[tuple[int, int, TextEdit]] = []
        for each in self.beside:
            if run and each[0] != run[-1][0] + 1:
                yield from _aligned(run)
                run = []
            run.append(each)
        yield from _aligned(run)

    def _end(self) -> Iterator[TextEdit]:
        """One line break ends the file, unless that would be a part of its last text."""
        last = self.pieces[-1]
        tail = self.text[last.end :]
        if not (last.is_block and (keeps_breaks(last.scalar) or needs_break(last.scalar, tail))):
            yield TextEdit(last.end, len(self.text), "\n")


def _spaces(before: Piece, piece: Piece) -> int:
    """The spaces between two pieces of a line."""
    if piece.kind == "comment":
        return COMMENT_GAP
    if piece.kind == "colon":
        return 0
    if before.kind in ("colon", "dash", "marker"):
        return 1
    if piece.kind in ("comma", "close") or before.kind == "open":
        return 0
    return 1


def _is_section(entry: Entry) -> bool:
    """Whether a key at the margin holds a map or list of several lines."""
    return (
        not isinstance(entry.value, Scalar)
        and entry.value.span.file.position(entry.value.span.end)[0] > entry.key.span.line
    )


def _end_column(written: str, piece: Piece, inner: Sequence[TextEdit]) -> int:
    """The column in which the last line of a piece ends."""
    start = piece.start + written.rfind("\n") + 1
    edit = next((each for each in inner if each.start == start), None)
    return piece.end - start if edit is None else len(edit.text) + piece.end - edit.end


def _aligned(run: Sequence[tuple[int, int, TextEdit]]) -> Iterator[TextEdit]:
    widest = max((width for _, width, _ in run), default=0)
    for _, width, gap in run:
        more = widest - width if widest <= _FARTHEST_COMMENT else 0
        yield TextEdit(gap.start, gap.end, " " * (COMMENT_GAP + more))
