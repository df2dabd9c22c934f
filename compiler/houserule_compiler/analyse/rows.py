"""Tables and grades: gaps, overlaps and rows that never hold, each with its smallest witness and an edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..declarations import Modifier, Position, Row
from ..diagnostics import Diagnostic
from ..messages import analysis as messages
from ..regions import Area, Box, Decision, Gap, Overlap, Unreachable, boxes_of, regions
from ..situations import Words
from ..source import Span
from ..typed import Band, TypedEntry, TypedTable
from ..types import Boolean, Choice, Set, Type, span_of_codes

MOST_TOLD = 8
"""A table tells at most so many findings of one kind, the smallest first."""


def table_findings(table: TypedTable, words: Words) -> Iterator[Diagnostic]:
    """All that is wrong with the rows of a table."""
    keys = [each for each in map(span_of_codes, table.keys) if each is not None]
    if not table.rows or len(keys) < len(table.keys):
        return
    rows = [Area(row.bands, row.declared.whole) for row in table.rows]
    decision = regions(keys, rows)
    if not decision.is_settled:
        yield messages.tangled_rows(table.declared.id, table.declared.place)
        return
    if decision.gaps or decision.overlaps or decision.unreachable:
        yield from _Table(table, words, keys, boxes_of(keys, rows)).findings(decision)


@dataclass(frozen=True, slots=True)
class _Table:
    """Tells what is wrong with one table."""

    table: TypedTable
    words: Words
    keys: Sequence[Band]
    boxes: Sequence[Box]

    @property
    def id(self) -> str:
        """The table's."""
        return self.table.declared.id

    def findings(self, decision: Decision) -> Iterator[Diagnostic]:
        """All of them, up to a limit for each kind."""
        gaps = self._once(self._gap(each) for each in decision.gaps[:MOST_TOLD])
        if (left := len(decision.gaps) - MOST_TOLD) > 0:
            gaps[-1] = replace(gaps[-1], notes=(*gaps[-1].notes, messages.more_gaps(self.id, left)))
        yield from gaps
        yield from self._once(self._overlap(each) for each in decision.overlaps[:MOST_TOLD])
        yield from self._once(self._unreachable(each) for each in decision.unreachable[:MOST_TOLD])

    def _once(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The first of those that have the same rows and the same mend: rows behind a bar are written once."""
        first: dict[object, Diagnostic] = {}
        for each in found:
            is_of_row = each.span != self.table.declared.place
            first.setdefault((each.labels, each.help) if is_of_row else each.headline, each)
        return list(first.values())

    def _gap(self, gap: Gap) -> Diagnostic:
        level = self._gap_level(gap)
        band = gap.box[level]
        missing = "" if band[0] == band[1] else self._named(level, self.words.band(self.table.keys[level], band))
        before = self._before(gap, level)
        span = self.place(before, level) if before is not None else self.table.declared.place
        keys = ", ".join(self._value(at, code) for at, code in enumerate(gap.witness) if at <= level)
        end = self.words.value(self.table.keys[level], band[0] - 1)
        is_word = isinstance(self.table.keys[level], Choice | Boolean)
        text = messages.ends_at(end) if before is not None and not is_word else ""
        return messages.row_gap(self.id, keys, missing, span, text, self._gap_help(gap, level, before))

    def _gap_level(self, gap: Gap) -> int:
        """The last key that says where the gap is; behind it everything is missing."""
        whole = [at for at, band in enumerate(gap.box) if band != self.keys[at]]
        return max(whole, default=0)

    def _before(self, gap: Gap, level: int) -> int | None:
        """The row that ends where the gap begins, where that row is written as a band or value of this key."""
        if gap.before is None or self.table.rows[gap.before].declared.keys[level] is None:
            return None
        holds = any(high == gap.box[level][0] - 1 for _, high in self.boxes[gap.before][level])
        return gap.before if holds else None

    def _gap_help(self, gap: Gap, level: int, before: int | None) -> str:
        kind, band = self.table.keys[level], gap.box[level]
        missing = self.words.band(kind, band)
        key = self.table.rows[before].declared.keys[level] if before is not None else None
        if isinstance(key, Position):
            return messages.add_to_list(band[1] - band[0] + 1)
        if isinstance(kind, Choice) and level == 0 and band[0] == band[1]:
            is_one = len(self.keys) == 1 and len(self.table.columns) == 1
            return messages.add_row_at(self.id, missing, "..." if is_one else "[...]")
        if before is None or isinstance(kind, Choice | Boolean):
            return messages.add_row(missing)
        return messages.add_row_or_widen(missing, self.words.value(kind, band[1]))

    def _overlap(self, overlap: Overlap) -> Diagnostic:
        first, second = overlap.first, overlap.second
        level = self._differing(first, second)
        code, kind = overlap.witness[level], self.table.keys[level]
        mine, theirs = (_around(self.boxes[row][level], code) for row in (second, first))
        value = self.words.value(kind, code)
        labels = messages.covering(value, is_start=mine[0] == code and mine[1] > code)
        keys = ", ".join(self._value(at, each) for at, each in enumerate(overlap.witness) if at <= level)
        return messages.overlapping_rows(
            self.id,
            keys,
            (self.place(first, level), labels[0]),
            (self.place(second, level), labels[1]),
            untangled(theirs, mine, kind, self.words, "row"),
        )

    def _differing(self, first: int, second: int) -> int:
        """The last key in which two rows differ, which is where they are to be told apart."""
        last = len(self.keys) - 1
        return next((at for at in range(last, -1, -1) if self._is_stated(first, second, at)), last)

    def _is_stated(self, first: int, second: int, at: int) -> bool:
        keys = [self.table.rows[row].declared.keys[at] for row in (first, second)]
        return None not in keys and self.boxes[first][at] != self.boxes[second][at]

    def _unreachable(self, found: Unreachable) -> Diagnostic:
        last = len(self.keys) - 1
        level = found.outside if found.outside is not None else last
        reason = ""
        if found.outside is not None:
            low, high = (self.words.value(self.table.keys[level], code) for code in self.keys[level])
            reason = messages.outside(self.table.declared.keys[level].id, low, high)
        elif not found.covered_by:
            reason = messages.nothing_left()
        covered = [self.place(each, last) for each in found.covered_by]
        span = self.place(found.row, level)
        return messages.unreachable_row(
            self.id, span, reason, [each for each in covered if each != span], "take it out"
        )

    def _value(self, level: int, code: int) -> str:
        return self._named(level, self.words.value(self.table.keys[level], code))

    def _named(self, level: int, text: str) -> str:
        return f"`{self.table.declared.keys[level].id}` {text}"

    def place(self, row: int, level: int) -> Span:
        """Where a row says what it covers of a key; its cells where it does not say so."""
        return _place(self.table.rows[row].declared, level)


def _place(row: Row, level: int) -> Span:
    stated = [key for key in row.keys[: level + 1] if key is not None]
    return stated[-1].span if stated and row.keys[level] is not None else row.span


def _around(bands: Sequence[Band], code: int) -> Band:
    return next((each for each in bands if each[0] <= code <= each[1]), (code, code))


def untangled(first: Band, second: Band, kind: Type, words: Words, what: str) -> str:
    """The edit that parts two bands."""
    if isinstance(kind, Choice | Boolean):
        return messages.keep_in_one(what)
    if first[0] < second[0] <= first[1] < second[1]:
        after, before = first[1] + 1, second[0] - 1
        return messages.part_bands(what, words.value(kind, after), words.value(kind, before))
    if second[0] < first[0] <= second[1] < first[1]:
        before, after = first[0] - 1, second[1] + 1
        return messages.part_bands_below(what, words.value(kind, before), words.value(kind, after))
    return messages.keep_in_one(what)


def grade_findings(entry: TypedEntry, words: Words) -> Iterator[Diagnostic]:
    """All that is wrong with the grades of a modifier: they cover each value of `by` once."""
    assert entry.by is not None
    kind: Type = entry.by.type
    if isinstance(kind, Set):
        kind = Choice(kind.id, 0, len(words.of.get(kind.id, ())) - 1)
    key = span_of_codes(kind)
    if key is None or key[0] > key[1]:
        return
    decision = regions([key], [Area(((grade.band,),)) for grade in entry.grades])
    modifier = entry.modifier
    if not entry.is_each:
        yield from (_grade_gap(each, entry, kind, words) for each in decision.gaps[:MOST_TOLD])
    for overlap in decision.overlaps[:MOST_TOLD]:
        yield _grade_overlap(overlap, entry, kind, words)
    for each in decision.unreachable[:MOST_TOLD]:
        yield _unreachable_grade(each, modifier, entry, kind, key, words)


def _grade_gap(gap: Gap, entry: TypedEntry, kind: Type, words: Words) -> Diagnostic:
    assert entry.by is not None
    (band,) = gap.box
    span = entry.grades[gap.before].span if gap.before is not None else entry.adjust.number.span
    value = f"`{entry.by.span.text}` {words.value(kind, band[0])}"
    is_plain = gap.before is None or isinstance(kind, Choice | Boolean)
    text = "" if is_plain else messages.ends_at(words.value(kind, band[0] - 1), "grade")
    return messages.grade_gap(entry.modifier.id, value, words.band(kind, band), span, text)


def _grade_overlap(overlap: Overlap, entry: TypedEntry, kind: Type, words: Words) -> Diagnostic:
    assert entry.by is not None
    first, second = entry.grades[overlap.first], entry.grades[overlap.second]
    code = overlap.witness[0]
    value = words.value(kind, code)
    labels = messages.covering(value, is_start=second.band[0] == code and second.band[1] > code, what="grade")
    return messages.overlapping_grades(
        entry.modifier.id,
        f"`{entry.by.span.text}` {value}",
        (first.span, labels[0]),
        (second.span, labels[1]),
        untangled(first.band, second.band, kind, words, "grade"),
    )


def _unreachable_grade(
    found: Unreachable, modifier: Modifier, entry: TypedEntry, kind: Type, key: Band, words: Words
) -> Diagnostic:
    assert entry.by is not None
    low, high = (words.value(kind, code) for code in key)
    reason = messages.outside(entry.by.span.text, low, high) if found.outside is not None else ""
    covered = [entry.grades[each].span for each in found.covered_by]
    return messages.unreachable_grade(modifier.id, entry.grades[found.row].span, reason, covered)
