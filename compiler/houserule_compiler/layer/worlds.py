"""The rules as some of the layers alone make them, and the sheets of their tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .. import document
from ..document import Entry, Node
from ..forms import Form
from ..lineage import View
from ..longform import long_form
from ..normal import Sheet
from ..paths import Path
from ..rows import Unreadable
from .grids import Grids, columns_of
from .stated import Stated
from .tables import Grid
from .work import Work


@dataclass(frozen=True, eq=False, slots=True)
class World:
    """What some layers alone come to: their one tree, the words of its choices, and the merge that made it."""

    work: Work
    root: document.Mapping
    words: Mapping[str, tuple[str, ...]]

    def sheet(self, path: Path, form: Form, node: document.Mapping) -> Sheet | None:
        """The sheet of a table, or of the grades of a number, as it is written here; None where it cannot be read."""
        grid = self.grades(node) if form.name == "graded_adjustment" else self.grid(path, node)
        return Sheet(grid.kinds, grid.columns, grid.cell) if grid else None

    def grid(self, path: Path, table: Node | None, *stated: Stated) -> Grid | None:
        """The grid of a whole table; `stated` is what layers said of its columns."""
        if not isinstance(table, document.Mapping):
            return None
        try:
            return Grids(self.work, self.words).of_table(table.get("by"), table.get("gives"), stated, path)
        except Unreadable:
            return None

    def grades(self, *nodes: document.Mapping) -> Grid | None:
        """The grid of the grades that these nodes write."""
        stated = [Stated("", each.entries[0].key, each) for each in nodes if each.entries]
        try:
            return Grids(self.work, self.words).of_grades(stated)
        except Unreadable:
            return None

    def find(self, path: Path, form: Form) -> tuple[Entry, Form] | None:
        """What stands at a path, with its form."""
        return find(self.root, path, form)


Worlds = Callable[[View], World]
"""What the layers of a view alone come to."""


def find(root: Node, path: Path, form: Form) -> tuple[Entry, Form] | None:
    """What stands at a path below a node, with its form; None where nothing does."""
    entry: Entry | None = None
    node = root
    for key in path:
        node = long_form(node, form)
        entry = node.entry(key) if isinstance(node, document.Mapping) else None
        if entry is None:
            return None
        node, form = entry.value, form.child(key)
    return (entry, form) if entry else None


def sheet_below(grid: Grid, gives: Node | None, words: Mapping[str, tuple[str, ...]]) -> Sheet:
    """The keys of a grid for rows of the layers below, whose lists go by the words that those knew."""
    kinds = tuple(replace(each, listed=words.get(each.choice, ())) if each.choice else each for each in grid.kinds)
    return Sheet(kinds, columns_of(gives) if gives is not None else grid.columns, grid.cell)
