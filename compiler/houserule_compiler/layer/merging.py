"""Merges the statements of all layers node by node, as the form of each place says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .. import document
from ..document import Entry, Node, Scalar
from ..forms import LAYER_WORDS, MAPS, Form
from ..lineage import View
from ..longform import is_removal, long_form
from ..messages import layers as messages
from ..paths import Path
from ..rows import Unreadable, is_replacing
from .conditions import Conditions
from .deciding import Deciding, Held, Known
from .grids import Grids
from .leaves import Leaves
from .options import as_field
from .ordering import Ordering
from .stated import Stated
from .tables import Tables
from .work import Work

ROWS = ("rows", "columns")
ENDS = ("outcome", "go")
KEYED = {"tables": ("table",), "modifiers": ("modifier", "graded_adjustments", "graded_adjustment")}
"""By section, the forms in which words of choices stand as keys, which other layers may take out."""
Children = dict[str, list[Stated]]


class Merging:
    """Merges node by node. `words` gives the words of each choice, which rows need; they are merged before tables."""

    def __init__(self, work: Work, words: Callable[[], Mapping[str, tuple[str, ...]]]) -> None:
        self._work = work
        self._words = words
        self._deciding = Deciding(work)
        self._leaves = Leaves(work)
        self._ordering = Ordering(work)
        self._tables = Tables(work, self._deciding, self._leaves)
        self._conditions = Conditions(work, self._leaves, lambda *at: self.node(*at))

    def node(
        self, path: Path, form: Form, stated: Sequence[Stated], is_entry: bool = False, known: Known | None = None
    ) -> Entry | None:
        """What holds at `path`, or None where nothing does. `is_entry`: its key is an author's id."""
        stated = self._work.preferred(path, stated)
        alive = self._work.views.alive(stated)
        if not alive:
            return None
        if self._is_alone(path, stated, form):
            return Entry(alive[0].key, alive[0].node)
        known = known or self._known({})
        if form.name == "condition":
            return self._kept(path, self._conditions.condition(path, form, stated, known), stated)
        stated = self._either(path, form, stated)
        if form.name == "field":
            stated = [as_field(each, stated, self._work, path[0] == "options") for each in stated]
        if self._is_map(form, stated):
            return self._map(path, form, stated, is_entry, known)
        if self._is_graded(form, stated):
            return self._graded(path, form, stated, known)
        held = self._leaves.value(path, form, stated, known)
        return self._kept(path, Entry(held.stated.key, held.node) if held and held.node is not None else None, stated)

    def _is_alone(self, path: Path, stated: Sequence[Stated], form: Form) -> bool:
        """Whether a node is one layer's alone, without a word about layers, and new with what stands around it."""
        if len(stated) > 1 or (self._work.shared and path[0] in KEYED and form.name in ("", *KEYED[path[0]])):
            return False
        is_new = stated[0].is_fresh or not self._work.views.own(stated[0])
        return is_new and not speaks_of_layers(stated[0].node, form)

    def _known(self, siblings: Children) -> Known:
        views = self._work.views
        seen: dict[View, list[str]] = {}

        def known(each: Stated) -> list[str]:
            own = views.own(each)
            if own not in seen:
                seen[own] = [id for id, stated in siblings.items() if views.state(stated, own) == "present"]
            return seen[own]

        return known

    def _kept(self, path: Path, entry: Entry | None, stated: Sequence[Stated]) -> Entry | None:
        """The entry; notes who took it out where there is none."""
        if entry is None:
            removers = [each for each in self._work.views.left(stated) if each.removes]
            for each in removers[:1]:
                self._work.removed[path] = each.contribution
        return entry

    def _either(self, path: Path, form: Form, stated: Sequence[Stated]) -> list[Stated]:
        """Where a plain value and a map both may stand, stating one ends the other below it."""
        views = self._work.views

        def is_map(each: Stated) -> bool:
            return isinstance(long_form(each.node, form), document.Mapping) and not _is_operation(form, each.node)

        alive = [each for each in views.alive(stated) if not each.removes]
        if len({is_map(each) for each in alive}) < 2:
            return list(stated)
        ended = [
            replace(
                each,
                enders=each.enders
                | {other.layer for other in alive if views.is_above(other, each) and is_map(other) != is_map(each)},
            )
            for each in stated
        ]
        left = views.in_order([each for each in views.alive(ended) if not each.removes])
        against = [each for each in left if is_map(each) != is_map(left[0])]
        if against:
            self._work.found.append(messages.conflict(path, left, self._work.lineage.top))
        layers = {each.layer for each in against}
        return [each for each in ended if each.layer not in layers]

    def _is_map(self, form: Form, stated: Sequence[Stated]) -> bool:
        if form.merge not in MAPS:
            return False
        alive = self._work.views.alive(stated)
        maps = [isinstance(long_form(each.node, form), document.Mapping) for each in alive if not each.removes]
        return all(maps) if maps else not form.kind

    def _is_graded(self, form: Form, stated: Sequence[Stated]) -> bool:
        alive = self._work.views.alive(stated)
        return form.name == "graded_adjustment" and all(
            each.removes or (isinstance(each.node, document.Mapping) and not _is_operation(form, each.node))
            for each in alive
        )

    def _map(self, path: Path, form: Form, stated: Sequence[Stated], is_entry: bool, known: Known) -> Entry | None:
        stated = [replace(each, node=long_form(each.node, form)) for each in stated]
        held = self._deciding.held(path, form, stated, is_entry, known)
        if any(each.ends for each in stated):
            self._work.note(path, stated)
        if held.is_removed:
            return self._kept(path, None, stated)
        children = self._children(form, stated, held)
        merged = self._merged(path, form, children)
        if form.merge == "ordered" or form.name == "outcomes":
            entries = self._ordering.arranged(path, form, held.stated, children, merged)
        else:
            entries = list(merged.values())
        first = held.stated[0]
        return Entry(first.key, document.Mapping(tuple(entries), first.node.span))

    def _children(self, form: Form, stated: Sequence[Stated], held: Held) -> Children:
        """The statements under each key, of those that hold and of those that were ended; the order is that of use."""
        views = self._work.views
        children: Children = {}
        ended = [each for each in stated if each not in held.stated]
        for each in [*held.stated, *views.in_order(ended)]:
            over = {other.layer for other in held.stated if other.ends and views.is_above(other, each)}
            if each in held.stated or each.enders or over:
                enders = each.enders | over
                for entry in self._entries(form, each):
                    is_fresh = each.layer in held.starts and each in held.stated
                    child = Stated(each.layer, entry.key, entry.value, enders, is_fresh)
                    children.setdefault(entry.key.text, []).append(child)
        return children

    def _entries(self, form: Form, each: Stated) -> list[Entry]:
        entries = each.node.entries if isinstance(each.node, document.Mapping) else ()
        return [entry for entry in entries if not form.says(entry.key.text)]

    def _merged(self, path: Path, form: Form, children: Children) -> dict[str, Entry]:
        merged: dict[str, Entry] = {}
        known = self._known(children)
        is_table = form.name == "table"
        ends = [each for each in ENDS if each in children] if not form.is_id("go") else []
        for key, stated in children.items():
            if is_table and key in (*ROWS, "otherwise"):
                continue
            if len(ends) == 2 and key in ends:
                if key == ends[0]:
                    merged |= self._end(path, form, children, known)
                continue
            entry = self.node((*path, key), form.child(key), stated, form.is_id(key), known)
            if entry is not None:
                merged[key] = entry
        return merged | (self._table(path, form, children, merged) if is_table else {})

    def _end(self, path: Path, form: Form, children: Children, known: Known) -> dict[str, Entry]:
        """`outcome` or `go`, whichever is stated topmost; stating one drops the other."""
        views = self._work.views
        both = [each for key in ENDS for each in children[key]]
        alive = [each for each in views.alive(both) if not each.removes]
        top = views.in_order(views.topmost(alive))
        if len({each.key.text for each in top}) > 1 and len({each.layer for each in top}) > 1:
            self._work.found.append(messages.conflict((*path, top[0].key.text), top, self._work.lineage.top))
            top = top[:1]
        merged: dict[str, Entry] = {}
        for key in ENDS if top else ():
            stated = children[key]
            if any(each.key.text == key for each in top):
                entry = self.node((*path, key), form.child(key), stated, False, known)
                merged |= {key: entry} if entry else {}
            else:
                self._work.note((*path, key), both)
        return merged

    def _table(self, path: Path, form: Form, children: Children, merged: Mapping[str, Entry]) -> dict[str, Entry]:
        """Rows, columns and `otherwise` of a table."""
        rows = [each for key in ROWS for each in children.get(key, ())]
        otherwise = children.get("otherwise", [])
        self._keep_keys(path, form.child("by"), children.get("by", ()), rows)
        by = merged["by"].value if "by" in merged else None
        if not self._needs_grid(by, children, [*rows, *otherwise]):
            keys = [key for key in (*ROWS, "otherwise") if key in children]
            plain = {key: self._plain(path, key, form, children[key]) for key in keys}
            return {key: entry for key, entry in plain.items() if entry}
        gives = merged["gives"].value if "gives" in merged else None
        try:
            grid = Grids(self._work, self._words()).of_table(by, gives, children.get("gives", ()), path)
            entry, inner = self._tables.rows((*path, "rows"), form.child("rows"), rows, grid) if rows else (None, [])
        except Unreadable:
            return self._unreadable([*rows, *otherwise])
        held = self._leaves.value((*path, "otherwise"), form.child("otherwise"), [*otherwise, *inner], self._known({}))
        found = {"rows": _as_rows(entry)} if entry else {}
        if held and held.node is not None:
            found["otherwise"] = Entry(_renamed(held.stated.key, "otherwise"), held.node)
        return found

    def _keep_keys(self, path: Path, form: Form, by: Sequence[Stated], rows: Sequence[Stated]) -> None:
        """Other keys make the rows below mean nothing: that needs a table that replaces the whole."""
        views = self._work.views
        for each in views.alive(by):
            under = [one for one in views.alive(by) if views.is_above(each, one)]
            others = [one for one in under if not self._have_same_keys(one.node, each.node, form)]
            if others and any(views.is_above(each, row) for row in views.alive(rows)):
                self._work.found.append(messages.other_keys(path, each, others[0]))

    def _have_same_keys(self, one: Node, other: Node, form: Form) -> bool:
        is_ordered = isinstance(one, document.Mapping) and isinstance(other, document.Mapping)
        orders = [[each.key.text for each in node.entries] for node in (one, other)] if is_ordered else []  # type: ignore[union-attr]
        return all(each == orders[0] for each in orders) and self._work.same.nodes(one, other, form)

    def _needs_grid(self, by: Node | None, children: Children, stated: Sequence[Stated]) -> bool:
        """Whether what was written cannot stand as it is: more than one layer speaks of rows, columns or key words."""
        layers = {each.layer for each in self._work.views.alive(stated)}
        gives = {each.layer for each in self._work.views.alive(children.get("gives", ()))}
        types = by.entries if isinstance(by, document.Mapping) else ()
        named = {text for each in types for text in _texts(each.value)}
        return bool(stated) and (len(layers) > 1 or not gives <= layers or bool(named & self._work.shared))

    def _plain(self, path: Path, key: str, form: Form, stated: Sequence[Stated]) -> Entry | None:
        """Rows of one layer alone, as they were written."""
        alive = self._work.views.left(stated)
        if not alive or alive[0].removes:
            for each in alive:
                self._work.found.append(messages.missing_target((*path, key), each, (), ()))
            return None
        node = without_words(alive[0].node)
        for entry in _removals(node):
            at = replace(alive[0], key=entry.key, node=entry.value)
            self._work.found.append(messages.missing_target((*path, key, f"[{entry.key.text}]"), at, (), ()))
        return Entry(alive[0].key, node)

    def _unreadable(self, stated: Sequence[Stated]) -> dict[str, Entry]:
        """Rows that cannot be laid over each other: those of the topmost layer, so that the fault is shown there."""
        alive = self._work.views.in_order(self._work.views.alive(stated))
        last = alive[-1].layer if alive else ""
        return {each.key.text: Entry(each.key, without_words(each.node)) for each in alive if each.layer == last}

    def _graded(self, path: Path, form: Form, stated: Sequence[Stated], known: Known) -> Entry | None:
        """The grades of one number."""
        alive = self._work.views.alive(stated)
        if all(each.removes for each in self._work.views.left(stated)):
            held = self._leaves.value(path, form, stated, known)
            return self._kept(path, None, stated) if held is None or held.node is None else None
        try:
            grid = Grids(self._work, self._words()).of_grades(alive)
            if len(stated) == 1 and not grid.kinds[0].gone:
                return Entry(stated[0].key, without_words(stated[0].node))
            entry, inner = self._tables.rows(path, form, stated, grid)
        except Unreadable:
            return self._unreadable(stated).get(path[-1])
        if entry and inner:
            held = self._leaves.value((*path, "otherwise"), form.child("otherwise"), inner, self._known({}))
            if held and held.node is not None and isinstance(entry.value, document.Mapping):
                more = (*entry.value.entries, Entry(held.stated.key, held.node))
                return Entry(entry.key, replace(entry.value, entries=more))
        return entry


def speaks_of_layers(node: Node, form: Form) -> bool:
    """Whether a node, or anything in it, uses a word that only means something between layers."""
    if isinstance(node, Scalar):
        return is_removal(node)
    if not isinstance(node, document.Mapping):
        return any(is_removal(each) for each in node.items)
    if form.merge == "rows":
        return any(is_removal(each.value) or each.key.text == "replace" for each in _leaves(node))
    return any(
        form.says(each.key.text) or speaks_of_layers(each.value, form.child(each.key.text)) for each in node.entries
    )


def _texts(node: Node) -> list[str]:
    """The texts of a type, written alone or as a map."""
    if isinstance(node, document.Mapping):
        return [text for each in node.entries for text in _texts(each.value)]
    return [node.text.strip()] if isinstance(node, Scalar) else []


def without_words(node: Node) -> Node:
    """Rows without the words of layers at their top, and without `replace: true` further down."""
    if not isinstance(node, document.Mapping):
        return node
    entries = (each for each in node.entries if each.key.text not in LAYER_WORDS)
    return replace(node, entries=tuple(Entry(each.key, _filled(each.value)) for each in entries))


def _filled(node: Node) -> Node:
    """Rows under a key, of one layer alone, which empty nothing."""
    if not isinstance(node, document.Mapping):
        return node
    kept = (each for each in node.entries if not is_replacing(each))
    return replace(node, entries=tuple(Entry(each.key, _filled(each.value)) for each in kept))


def _leaves(node: document.Mapping) -> list[Entry]:
    found: list[Entry] = []
    for each in node.entries:
        found += [each] if not isinstance(each.value, document.Mapping) else _leaves(each.value)
    return found


def _removals(node: Node) -> list[Entry]:
    return [each for each in _leaves(node) if is_removal(each.value)] if isinstance(node, document.Mapping) else []


def _is_operation(form: Form, node: Node) -> bool:
    """Whether it is one adjustment written as a map."""
    if form.name != "graded_adjustment" or not isinstance(node, document.Mapping):
        return False
    return any(not form.is_id(each.key.text) and each.key.text != "replace" for each in node.entries)


def _as_rows(entry: Entry) -> Entry:
    return Entry(_renamed(entry.key, "rows"), entry.value)


def _renamed(key: Scalar, text: str) -> Scalar:
    if key.text == text:
        return key
    return Scalar(text, "plain", key.span, key.first, (key.span.start,) * (len(text) + 1))
