"""The cells that a ruleset writes over rows below it, each with what it covers there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..document import Entry, Node, Scalar
from ..edits import Edit, Json
from ..longform import is_removal, key_for
from ..messages.layers import place
from ..normal import Normal, Sheet, nested, read_rows
from ..overlay import Overlay, Piece, keys_text
from ..paths import Path
from ..rows import Box, KeyText, Row
from ..source import Span
from .leaves import INHERITED
from .work import Work


@dataclass(frozen=True, slots=True)
class Covering:
    """Rows of one table, or grades of one number, over those below. `mine` and `below` are the sheets of either."""

    path: Path
    work: Work
    mine: Sheet
    below: Sheet
    normal: Normal
    has_columns: bool
    boxes: dict[int, Box] = field(default_factory=dict)

    def edits(self, stated: Sequence[Entry], below: Sequence[Entry], otherwise: Entry | None) -> Iterator[Edit]:
        """An edit for each cell, or for each row that is taken out whole; Unreadable where rows cannot be read."""
        ground: Overlay[Entry] = Overlay()
        if otherwise:
            self._lay(ground, [self._everywhere(otherwise)])
        for each in below:
            self._lay(ground, read_rows(each, self.below, self.work.parser))
        rows = [row for each in stated for row in read_rows(each, self.mine, self.work.parser)]
        removed = [
            row for row in rows if len(row.cells) > 1 and all(is_removal(each.value) for each in row.cells.values())
        ]
        for row in removed:
            yield self._whole(row, ground)
        left = [row for row in rows if row not in removed]
        for column in dict.fromkeys(column for row in left for column in row.cells):
            yield from self._column(column, [row for row in left if column in row.cells], ground)

    def _lay(self, overlay: Overlay[Entry], rows: Sequence[Row]) -> None:
        self.boxes.update({id(cell): row.box for row in rows for cell in row.cells.values()})
        overlay.lay(rows, lambda entry: entry)

    def _everywhere(self, otherwise: Entry) -> Row:
        box = tuple(kind.range for kind in self.mine.kinds)
        row = read_rows(
            Entry(otherwise.key, otherwise.value), Sheet((), self.below.columns, self.below.cell), self.work.parser
        )
        keys = tuple(KeyText(otherwise.key, band) for band in box)
        return Row(box, keys, row[0].cells if row else {})

    def _column(self, column: str, rows: Sequence[Row], ground: Overlay[Entry]) -> Iterator[Edit]:
        laid = Overlay(list(ground.pieces))
        laid.lay([Row(row.box, row.keys, {column: row.cells[column]}) for row in rows], lambda entry: entry)
        pieces: dict[int, list[Piece[Entry]]] = {}
        for each in laid.pieces:
            pieces.setdefault(id(each.keys), []).append(each)
        for row in rows:
            covered = pieces.get(id(row.keys), [])
            under = [(each.box, each.said[column][-2]) for each in covered if len(each.said.get(column, ())) > 1]
            # Two rows of its own that overlap are told by `layer`; neither stands below the other.
            yield self._edit(row, column, [(box, cell) for box, cell in under if id(cell) in self.boxes])

    def _edit(self, row: Row, column: str, under: Sequence[tuple[Box, Entry]]) -> Edit:
        cell = row.cells[column]
        said = self._disputed(column, under)
        disputed = {
            name: self._joined([(box, cell) for box, cell, _ in cells], row.box) for name, cells in said.items()
        }
        plain = [] if disputed else [(box, self.normal.cell(each, self.mine)) for box, each in under]
        return Edit(
            (*self.path, keys_text(row.box, self.mine.kinds), *((column,) if self.has_columns else ())),
            "cell",
            place(cell.value, row.keys[-1].scalar),
            row.keys[-1].scalar.span,
            None if is_removal(cell.value) else self.normal.cell(cell, self.mine),
            self._joined(plain, row.box),
            place(under[0][1].value, under[0][1].key) if under else None,
            disputed,
            {name: cells[0][2] for name, cells in said.items()},
            isinstance(cell.value, Scalar) and bool(INHERITED.search(cell.value.text)),
        )

    def _whole(self, row: Row, ground: Overlay[Entry]) -> Edit:
        """A row that is taken out: all cells below."""
        laid = Overlay(list(ground.pieces))
        laid.lay([row], lambda entry: entry)
        covered = [each for each in laid.pieces if each.keys is row.keys]
        said = [(each.box, {column: all[:-1] for column, all in each.said.items()}) for each in covered]
        cells: list[tuple[Box, Json]] = [
            (box, {column: self.normal.cell(all[-1], self.mine) for column, all in found.items() if all})
            for box, found in said
            if any(found.values())
        ]
        first = next((all[-1] for _, found in said for all in found.values() if all), None)
        key = row.keys[-1].scalar.span
        path = (*self.path, keys_text(row.box, self.mine.kinds))
        shown = place(first.value, first.key) if first else None
        return Edit(path, "cell", key, key, None, self._joined(cells, row.box), shown)

    def _joined(self, cells: Sequence[tuple[Box, Json]], box: Box) -> Json | None:
        """The cells by key; the cell itself where one covers the whole row."""
        if not cells:
            return None
        found = nested(cells, self.mine.kinds)
        for kind, band in zip(self.mine.kinds, box, strict=True):
            if not isinstance(found, dict) or list(found) != [kind.text(band)]:
                return nested(cells, self.mine.kinds)
            found = found[kind.text(band)]
        return found

    def _disputed(self, column: str, under: Sequence[tuple[Box, Entry]]) -> Mapping[str, list[tuple[Box, Json, Span]]]:
        """What each layer says of the cells on which layers below disagree, and where."""
        found: dict[str, list[tuple[Box, Json, Span]]] = {}
        for box, each in under:
            whole = keys_text(self.boxes[id(each)], self.mine.kinds)
            for name, cell in self._topmost((*self.path, whole, *((column,) if self.has_columns else ()))):
                value = self.normal.cell(Entry(each.key, cell), self.mine)
                found.setdefault(name, []).append((box, value, place(cell, each.key)))
        return found

    def _topmost(self, path: Path) -> list[tuple[str, Node]]:
        """What the topmost layers below say of a cell, where they differ."""
        below = self.work.lineage.below
        said = self.work.history.get(path, ())
        top = [each for each in said if not any(each.layer in below[other.layer] for other in said)]
        nodes = [(each.layer, each.node) for each in top if each.node is not None]
        values = [self.normal.cell(Entry(key_for(path[-1], node), node), self.mine) for _, node in nodes]
        return nodes if any(each != values[0] for each in values) else []
