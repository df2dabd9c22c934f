"""Rows of several layers: each overrides exactly the keys and columns that it names, and what lies below is clipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .. import document
from ..document import Entry, Node, Scalar
from ..forms import Form
from ..longform import is_removal
from ..messages import layers as messages
from ..overlay import Overlay, Piece, keys_text, smallest_text, without, written
from ..paths import Path
from ..rows import KeyType, Row, Rows, Tangled, Unreadable, meet
from .deciding import Deciding
from .leaves import Leaves, Value
from .leftovers import leftovers
from .stated import Stated, is_true
from .work import Work

LABELS = ("title", "note", "source", "replace")


@dataclass(frozen=True, eq=False, slots=True)
class Grid:
    """The keys and columns of rows, as they are in the end and as each layer knows them, and the form of a cell."""

    kinds: tuple[KeyType, ...]
    kinds_of: Callable[[Stated], tuple[KeyType, ...]]
    columns_of: Callable[[Stated], tuple[str, ...]]
    columns: tuple[str, ...]
    gone: frozenset[str]
    cell: Callable[[str], Form]


@dataclass(frozen=True, slots=True)
class Tables:
    """Merges rows."""

    work: Work
    deciding: Deciding
    leaves: Leaves

    def rows(self, path: Path, form: Form, stated: Sequence[Stated], grid: Grid) -> tuple[Entry | None, list[Stated]]:
        """The rows that hold at `path`, and the `otherwise` that stand in them; Unreadable where they cannot be read.

        Each statement is rows, or a map `{column: rows}` under a key `columns`.
        """
        held = self.deciding.held(path, form, stated, False, _nobody)
        if held.is_removed:
            return None, []
        overlay: Overlay[Stated] = Overlay()
        otherwise: list[Stated] = []
        laid: list[tuple[Stated, list[Row]]] = []
        try:
            for each in held.stated:
                otherwise += self._lay(path, each, overlay, laid, grid)
        except Tangled:
            self.work.found.append(messages.tangled(path, held.stated[-1]))
            return None, []
        leftovers(path, laid, grid.kinds, self.work)
        self.work.boxes.update({(*path, keys_text(each.box, grid.kinds)): each.box for each in overlay.pieces})
        self.work.note(path, stated)
        lowest = held.stated[0].layer
        cells = [(piece, made) for piece in overlay.pieces for made in self._cells(path, piece, grid, lowest)]
        rows_node = written([(piece.box, piece.keys, node) for piece, node in cells], grid.kinds, stated[0].node.span)
        return Entry(held.stated[0].key, rows_node), otherwise

    def _lay(
        self,
        path: Path,
        each: Stated,
        overlay: Overlay[Stated],
        laid: list[tuple[Stated, list[Row]]],
        grid: Grid,
    ) -> list[Stated]:
        """Lays the rows of a statement over those below it; gives its `otherwise`."""
        plain, otherwise = _without_otherwise(each, len(grid.kinds))
        rows = list(self._read(plain, grid))
        self._check_removals(path, each, rows, overlay, grid)
        emptied = list(self._emptied(plain, grid, rows))
        laid.append((each, [*rows, *emptied]))
        for part in (rows, emptied):
            overlay.lay(part, lambda entry: replace(each, key=entry.key, node=entry.value))
        return otherwise

    def _check_removals(
        self, path: Path, each: Stated, rows: Sequence[Row], overlay: Overlay[Stated], grid: Grid
    ) -> None:
        for row in rows:
            cells = list(row.cells.values())
            if all(is_removal(cell.value) for cell in cells) and not any(meet(row.box, p.box) for p in overlay.pieces):
                inner = (*path, keys_text(row.box, grid.kinds))
                self.work.found.append(messages.missing_target(inner, replace(each, key=row.keys[-1].scalar), (), ()))

    def _read(self, each: Stated, grid: Grid) -> Iterator[Row]:
        """The rows of a statement, with the columns that it means."""
        for node, columns, key in self._parts(each, grid):
            for row in Rows(grid.kinds_of(each), columns, self.work.parser).read(node):
                yield row if key is None else row.under(key)

    def _parts(self, each: Stated, grid: Grid) -> Iterator[tuple[Node, tuple[str, ...], Scalar | None]]:
        """The rows of a statement with their columns: all at once, or column by column, each with its key."""
        if each.key.text != "columns" or not isinstance(each.node, document.Mapping):
            yield each.node, grid.columns_of(each), None
            return
        for entry in each.node.entries:
            if not (entry.key.text == "replace" and is_true(entry.value)):
                if entry.key.text not in grid.columns_of(each):
                    raise Unreadable
                yield entry.value, (entry.key.text,), entry.key

    def _emptied(self, each: Stated, grid: Grid, rows: Sequence[Row]) -> Iterator[Row]:
        """What maps within the rows of a statement empty and do not fill again, column by column."""
        for node, columns, _ in self._parts(each, grid):
            for row in Rows(grid.kinds_of(each), columns, self.work.parser).emptied(node):
                for column, gone in row.cells.items():
                    bare = [row.box]
                    for own in rows:
                        if column in own.cells:
                            bare = [left for box in bare for left in without(box, own.box)]
                    yield from (replace(row, box=box, cells={column: gone}) for box in bare)

    def _cells(self, path: Path, piece: Piece[Stated], grid: Grid, lowest: str) -> Iterator[Node]:
        """What holds in a piece: nothing where it was taken out; more than one node where one layer says two things."""
        columns = [each for each in (*grid.columns, *piece.said) if each in piece.said and each not in grid.gone]
        values = {each: self._values(path, piece, each, grid, lowest) for each in dict.fromkeys(columns)}
        if not any(values.values()):
            return
        for at in range(max(map(len, values.values()))):
            found = {each: nodes[min(at, len(nodes) - 1)] for each, nodes in values.items() if nodes}
            yield _row(found, grid)

    def _values(self, path: Path, piece: Piece[Stated], column: str, grid: Grid, lowest: str) -> list[Entry]:
        said = piece.said[column]
        inner = (*path, keys_text(piece.box, grid.kinds), *((column,) if len(grid.columns) > 1 else ()))
        if len({each.layer for each in said}) == 1 and not is_removal(said[-1].node):
            if said[-1].layer != lowest:
                self.work.cells[inner] = said[-1].contribution
            return [Entry(each.key, each.node) for each in said]
        held = self.leaves.settled(inner, grid.cell(column), said)
        self.work.note(inner, said, held.stated if held else None)
        if held is None:
            return []
        self._report(path, inner, piece, held, grid)
        return [Entry(held.stated.key, held.node)] if held.node is not None else []

    def _report(self, path: Path, inner: Path, piece: Piece[Stated], held: Value, grid: Grid) -> None:
        """A conflict between rows, once for each table and pair of layers: at the smallest key."""
        if not held.against:
            return
        found = messages.rows_conflict(
            path, inner, smallest_text(piece.box, grid.kinds), (held.stated, *held.against), self.work.lineage.top
        )
        told = {(each.code, each.headline.partition(" at ")[0]) for each in self.work.found}
        if (found.code, found.headline.partition(" at ")[0]) not in told:
            self.work.found.append(found)


def _row(found: Mapping[str, Entry], grid: Grid) -> Node:
    if len(grid.columns) == 1 and set(found) == set(grid.columns):
        return found[grid.columns[0]].value
    entries = tuple(Entry(_named(column, entry.key), entry.value) for column, entry in found.items())
    top = max((entry.value for entry in found.values()), key=lambda node: (node.span.file.name, node.span.start))
    return document.Mapping(entries, top.span)


def _named(column: str, key: Scalar) -> Scalar:
    if key.text == column:
        return key
    return Scalar(column, "plain", key.span, key.first, (key.span.start,) * (len(column) + 1))


def _without_otherwise(each: Stated, keys: int) -> tuple[Stated, list[Stated]]:
    """Rows without the `otherwise` that holds for the whole table, and that one; words of layers left out."""
    if not isinstance(each.node, document.Mapping) or each.key.text == "columns":
        return each, []
    whole = [entry for entry in each.node.entries if entry.key.text == "otherwise" and _is_cell(entry.value, keys)]
    kept = tuple(
        entry
        for entry in each.node.entries
        if entry not in whole and not (entry.key.text in LABELS and isinstance(entry.value, Scalar))
    )
    apart = [replace(each, key=entry.key, node=entry.value) for entry in whole]
    return replace(each, node=replace(each.node, entries=kept)), apart


def _is_cell(node: Node, keys: int) -> bool:
    """Whether what stands under the first key holds for all further keys, and is not rows by them."""
    return keys == 1 or not isinstance(node, document.Mapping)


def _nobody(_: Stated) -> list[str]:
    return []
