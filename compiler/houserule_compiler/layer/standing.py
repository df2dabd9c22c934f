"""The edits of the topmost layer, and what each stands over in what the layers below come to without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from .. import document
from ..document import Entry, Node, Scalar
from ..edits import Act, Edit, Json, Placing, Standing
from ..forms import MAPS, Form
from ..layers import Layer
from ..lineage import Lineage
from ..longform import is_removal, long_form
from ..messages.layers import place
from ..normal import ROWS, Normal, Sheet, apart, is_operation
from ..paths import Path, path_of
from ..rows import Tangled, Unreadable
from ..source import Span
from .cells import Covering
from .conditions import word_of
from .contenders import Contenders
from .leaves import INHERITED, PARSED
from .marking import marks
from .options import as_field
from .placings import placings
from .stated import Stated, is_true
from .worlds import World, Worlds, sheet_below

ENDS = {"outcome": "go", "go": "outcome"}


def standing(layers: Mapping[str, Layer], lineage: Lineage, form: Form, whole: World, world: Worlds) -> Standing:
    """The edits of the topmost layer. `whole` is what all layers come to, `world` what some of them do."""
    top = layers[lineage.top]
    below = world(lineage.own[top.name])
    walk = _Walk(lineage, form, below, whole, Contenders(layers, lineage, form, below, world))
    for entry in top.root.entries:
        section = entry.key.text
        walk.node((section,), form.child(section), entry, below.root.entry(section))
    for path, chosen in top.preferences:
        walk.preference(path, chosen)
    under = [layers[each] for each in lineage.layers[:-1]]
    renamed = tuple(each for layer in under for each in _renamed(layer))
    heads = partial(marks, under, lineage, form, world)
    return Standing(top.name, _head(top), tuple(walk.edits), tuple(walk.placings), renamed, heads)


def _head(top: Layer) -> Span:
    """Where a ruleset says what it stands on."""
    return top.uses.names[0].span if top.uses.names else top.manifest.span


def _renamed(layer: Layer) -> Iterator[tuple[Path, Path, Scalar]]:
    stated = layer.manifest.get("renamed")
    for each in stated.entries if isinstance(stated, document.Mapping) else ():
        if isinstance(each.value, Scalar):
            yield path_of(each.key.text), path_of(each.value.text), each.value


@dataclass
class _Walk:
    """Goes through what the topmost layer states, beside what stands below; `edits` and `placings` collect."""

    lineage: Lineage
    form: Form
    below: World
    whole: World
    contenders: Contenders
    edits: list[Edit] = field(default_factory=list)
    placings: list[Placing] = field(default_factory=list)

    def __post_init__(self) -> None:
        parser = self.whole.work.parser
        self.mine, self.theirs = Normal(parser, self.whole.sheet), Normal(parser, self.below.sheet)

    def preference(self, path: Scalar, chosen: Scalar) -> None:
        """One entry of `prefer`."""
        steps = path_of(path.text)
        found = self.below.find(steps, self.form)
        below, form = found or (None, self.form)
        self._value("prefer", steps, form, Entry(path, chosen), below, chosen.text)

    def node(self, path: Path, form: Form, mine: Entry, below: Entry | None, is_id: bool = False) -> None:
        """What is stated at `path`; `is_id`: its key is an author's id."""
        if is_removal(mine.value):
            self._value("remove", path, form, mine, below, None, is_id)
        elif form.name == "condition":
            self._condition(path, form, mine, below)
        elif form.name == "graded_adjustment":
            self._grades(path, form, mine, below)
        elif form.merge in MAPS:
            mine, below = self._as_fields(path, mine, below) if form.name == "field" else (mine, below)
            self._map(path, form, mine, below, is_id)
        else:
            self._set(path, form, mine, below, is_id)

    def _set(self, path: Path, form: Form, mine: Entry, below: Entry | None, is_id: bool = False) -> None:
        self._value("set", path, form, mine, below, self.mine.node(path, mine.value, form), is_id)

    def _value(
        self,
        act: Act,
        path: Path,
        form: Form,
        mine: Entry,
        below: Entry | None,
        yours: Json | None,
        is_id: bool = False,
    ) -> None:
        disputed = self.contenders.at(path)
        under = self.theirs.node(path, below.value, form) if below and not disputed else None
        node = mine.value
        inherits = isinstance(node, Scalar) and form.kind in PARSED and bool(INHERITED.search(node.text))
        shown = mine.key.span if act in ("remove", "new", "change", "prefer") else place(node, mine.key)
        there = place(below.value, below.key) if below else None
        sides = self.contenders.sides(disputed, path)
        part = partial(self._part, path)
        self.edits.append(
            Edit(path, act, shown, mine.key.span, yours, under, there, disputed, sides, inherits, is_id, part)
        )

    def _part(self, path: Path, inner: Path) -> Span | None:
        """Where a part of what stands below at a path is written."""
        found = self.below.find((*path, *inner), self.form)
        return place(found[0].value, found[0].key) if found else None

    def _as_fields(self, path: Path, mine: Entry, below: Entry | None) -> tuple[Entry, Entry | None]:
        """A field and the one below it, types and defaults apart."""
        work, is_option = self.whole.work, path[0] == "options"
        under = [Stated(self.lineage.layers[0], below.key, below.value)] if below else []
        own = as_field(Stated(self.lineage.top, mine.key, mine.value), under, work, is_option)
        written = [as_field(each, [], work, is_option).node for each in under]
        return Entry(mine.key, own.node), Entry(below.key, written[0]) if below else None

    def _map(self, path: Path, form: Form, mine: Entry, below: Entry | None, is_id: bool) -> None:
        own = long_form(mine.value, form)
        under = long_form(below.value, form) if below else None
        if not isinstance(own, document.Mapping):
            self._set(path, form, mine, below, is_id)
        elif form.says("replace") and is_true(own.get("replace")):
            self._value("replace", path, form, mine, below, self.mine.node(path, own, form), is_id)
        elif under is None and is_id:
            self._value("new", path, form, mine, below, self.mine.node(path, own, form), is_id)
        elif under is not None and not isinstance(under, document.Mapping):
            self._set(path, form, mine, below, is_id)
        else:
            if is_id:
                self._value("change", path, form, mine, below, self.mine.node(path, own, form), is_id)
            self._parts(path, form, own, under)

    def _parts(self, path: Path, form: Form, own: document.Mapping, under: document.Mapping | None) -> None:
        is_table = form.name == "table"
        for entry in own.entries:
            key = entry.key.text
            if form.says(key) or (is_table and key in (*ROWS, "otherwise")):
                continue
            below = under.entry(key) if under else None
            other = under.entry(ENDS[key]) if under and not below and key in ENDS and not form.is_id("go") else None
            if other:
                self._other_end((*path, key), form, entry, other)
            else:
                self.node((*path, key), form.child(key), entry, below, form.is_id(key))
        if is_table:
            self._rows(path, form, own, under)
        elif under and (form.merge == "ordered" or form.name == "outcomes"):
            self.placings += placings(path, form, own, under)

    def _other_end(self, path: Path, form: Form, mine: Entry, other: Entry) -> None:
        """`outcome` where `go` stands below, or the other way round: stating one drops the other."""
        yours = self.mine.node(path, mine.value, form.child(path[-1]))
        below = {other.key.text: self.theirs.node(path, other.value, form.child(other.key.text))}
        there = place(other.value, other.key)
        self.edits.append(Edit(path, "set", place(mine.value, mine.key), mine.key.span, yours, below, there))

    def _condition(self, path: Path, form: Form, mine: Entry, below: Entry | None) -> None:
        word, other = word_of(mine.value), word_of(below.value) if below else ""
        is_replaced = isinstance(mine.value, document.Mapping) and is_true(mine.value.get("replace"))
        parts = mine.value.entry(word) if word and isinstance(mine.value, document.Mapping) else None
        if parts is None or below is None or is_replaced or other not in ("", word):
            self._set(path, form, mine, below)
            return
        under = below.value.entry(word) if isinstance(below.value, document.Mapping) else None
        self.node((*path, word), form.child(word), parts, under)

    def _grades(self, path: Path, form: Form, mine: Entry, below: Entry | None) -> None:
        own, under = mine.value, below.value if below else None
        are_grades = isinstance(own, document.Mapping) and not is_operation(own, form)
        if not are_grades or not isinstance(under, document.Mapping) or is_operation(under, form):
            self._set(path, form, mine, below, True)
        elif is_true(own.get("replace")):  # type: ignore[union-attr]
            self._value("replace", path, form, mine, below, self.mine.node(path, own, form), True)
        else:
            self._graded(path, form, mine, Entry(below.key, under) if below else mine)

    def _graded(self, path: Path, form: Form, mine: Entry, below: Entry) -> None:
        (rows, otherwise), (under, theirs) = apart(mine), apart(below)
        for each in otherwise:
            self.node((*path, "otherwise"), form.child("otherwise"), each, theirs[0] if theirs else None)
        nodes = [each.value for each in (rows, under) if isinstance(each.value, document.Mapping)]
        grid = self.whole.grades(*nodes)
        sheet = Sheet(grid.kinds, grid.columns, grid.cell) if grid else None
        if rows.value.entries and not self._covered(path, [rows], [under], theirs, sheet, sheet):  # type: ignore[union-attr]
            self._set(path, form, mine, below)

    def _rows(self, path: Path, form: Form, own: document.Mapping, under: document.Mapping | None) -> None:
        """The rows of a table that stands below, and its `otherwise`."""
        stated = [each for key in ROWS if (each := own.entry(key))]
        below = [each for key in ROWS if under and (each := under.entry(key))]
        mine, theirs = self._sheets(path, own, under)
        whole = [each for each in stated if is_removal(each.value) or is_true(_get(each.value, "replace"))]
        for each in whole:
            self._all_rows("replace", path, each, below, mine, theirs)
        parts = [apart(each)[0] for each in stated if each not in whole]
        inner = [one for each in below for one in apart(each)[1]]
        otherwise = (own.entry("otherwise"), *(one for each in stated for one in apart(each)[1]))
        ground = (under.entry("otherwise") if under else None, *inner)
        first = next((each for each in ground if each), None)
        for each in filter(None, otherwise):
            self.node((*path, "otherwise"), form.child("otherwise"), each, first)
        left = [apart(each)[0] for each in below]
        if not self._covered((*path, "rows"), parts, left, [first] if first else [], mine, theirs):
            for each in parts:
                self._all_rows("set", path, each, below, None, None)

    def _sheets(
        self, path: Path, own: document.Mapping, under: document.Mapping | None
    ) -> tuple[Sheet | None, Sheet | None]:
        """The sheets for the rows that are stated, and for those below."""
        found = self.whole.find(path, self.form)
        by_layer = ((self.lineage.layers[0], under), (self.lineage.top, own))
        gives = [(name, node.entry("gives")) for name, node in by_layer if node]
        stated = [Stated(name, each.key, each.value) for name, each in gives if each]
        grid = self.whole.grid(path, found[0].value, *stated) if found else None
        if not grid or not stated:
            return None, None
        top = replace(stated[0], layer=self.lineage.top)
        mine = Sheet(grid.kinds_of(top), grid.columns_of(top), grid.cell)
        return mine, sheet_below(grid, under.get("gives") if under else None, self.below.words)

    def _covered(
        self,
        path: Path,
        stated: Sequence[Entry],
        below: Sequence[Entry],
        otherwise: Sequence[Entry],
        mine: Sheet | None,
        theirs: Sheet | None,
    ) -> bool:
        """Whether the rows could be read; then each of their cells is an edit."""
        if not stated:
            return True
        if not mine or not theirs:
            return False
        has_columns = len(mine.columns) > 1
        covering = Covering(path, self.below.work, mine, theirs, self.mine, has_columns)
        try:
            self.edits += list(covering.edits(stated, below, otherwise[0] if otherwise else None))
        except (Unreadable, Tangled):
            return False
        return True

    def _all_rows(
        self,
        act: Act,
        path: Path,
        mine: Entry,
        below: Sequence[Entry],
        own: Sheet | None,
        theirs: Sheet | None,
    ) -> None:
        """Rows that are replaced or taken out whole, or that cannot be read as rows."""
        yours = None if is_removal(mine.value) else self.mine.all_rows([mine], own)
        under = self.theirs.all_rows(below, theirs) if below else None
        there = below[0].key.span if below else None
        self.edits.append(Edit((*path, mine.key.text), act, mine.key.span, mine.key.span, yours, under, there))


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, document.Mapping) else None
