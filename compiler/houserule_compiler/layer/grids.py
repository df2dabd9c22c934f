"""The keys and columns of a table as the layers together declare them, and those of a modifier's grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .. import document, syntax
from ..document import Node, Scalar
from ..forms import Form
from ..longform import is_removal
from ..paths import Path
from ..rows import KeyType, Unreadable, key_type
from .stated import Stated
from .tables import Grid
from .work import Work

CELL = Form({"x-kind": "rows"}, "", {})
ADJUSTMENT = Form({"x-kind": "adjustment", "x-merge": "atomic"}, "", {})


@dataclass(frozen=True, slots=True)
class Grids:
    """Reads what keys and columns stand for; `words` has the words of each choice, those of outcomes among them."""

    work: Work
    words: Mapping[str, tuple[str, ...]]

    def of_table(self, by: Node | None, gives: Node | None, stated: Sequence[Stated], path: Path) -> Grid:
        """The grid of a table with these merged keys and columns; `stated` is all that was said of its columns."""
        keys = by.entries if isinstance(by, document.Mapping) else ()
        kinds = tuple(self._key(each.value) for each in keys)
        if not kinds or gives is None:
            raise Unreadable
        columns = columns_of(gives)
        types = {column: self._kind_of(gives, column) for column in columns}
        gone = frozenset(each[-1] for each in self.work.removed if each[:-1] == (*path, "gives"))
        return Grid(
            kinds,
            lambda each: tuple(self._as_seen(kind, each) for kind in kinds),
            lambda each: self._columns_seen(each, stated) or columns,
            columns,
            gone,
            lambda column: ADJUSTMENT if types.get(column) == "adjustment" else CELL,
        )

    def of_grades(self, stated: Sequence[Stated]) -> Grid:
        """The grid of a graded adjustment: its key's type follows from the keys that are written."""
        columns = ("value",)
        keys = [entry.key for each in stated for entry in _entries(each.node) if entry.key.text != "replace"]
        kinds = (self._graded(keys),)
        return Grid(kinds, lambda _: kinds, lambda _: columns, columns, frozenset(), lambda _: ADJUSTMENT)

    def _key(self, node: Node) -> KeyType:
        stated = node.get("type") if isinstance(node, document.Mapping) else node
        if not isinstance(stated, Scalar):
            raise Unreadable
        declared, problems = self.work.parser.type_expression(stated)
        if declared is None or problems:
            raise Unreadable
        name = declared.name.text if declared.name else ""
        path = ("choices", name, "words")
        gone = frozenset(each[-1] for each in self.work.removed if each[:-1] == path)
        kind = key_type(declared, self.words.get(name), gone)
        return replace(kind, choice=name) if name in self.work.shared else kind

    def _as_seen(self, kind: KeyType, each: Stated) -> KeyType:
        """The key with the words that the layer of a statement knows."""
        if not kind.choice:
            return kind
        words = self.work.words_seen(self.work.lineage.own[each.layer] | {each.layer})
        return replace(kind, listed=words.get(kind.choice, ()))

    def _kind_of(self, gives: Node, column: str) -> str:
        node = gives.get(column) if isinstance(gives, document.Mapping) else gives
        node = node.get("type") if isinstance(node, document.Mapping) else node
        declared = self.work.parser.type_expression(node)[0] if isinstance(node, Scalar) else None
        return declared.kind if declared else ""

    def _columns_seen(self, each: Stated, stated: Sequence[Stated]) -> tuple[str, ...]:
        """The columns as the layer of a statement knows them: those of its base and its own, in their order."""
        seen = self.work.lineage.own[each.layer] | {each.layer}
        known: dict[str, None] = {}
        for one in self.work.views.in_order(self.work.views.left(stated, seen)):
            for column in columns_of(one.node):
                known[column] = None
            for entry in _entries(one.node):
                if is_removal(entry.value):
                    known.pop(entry.key.text, None)
        return tuple(known)

    def _graded(self, keys: Sequence[Scalar]) -> KeyType:
        read = [each for key in keys if key.text != "otherwise" for each in self._alternatives(key)]
        ends = [end for each in read for end in (each.low, each.high) if end is not None]
        names = tuple(sorted({end.text for end in ends if isinstance(end, syntax.Name)}))
        if names:
            if any(each.is_band for each in read):
                raise Unreadable
            return KeyType("choice", 0, len(names) - 1, names, self._gone_words(names))
        if any(isinstance(end, syntax.Boolean) for end in ends):
            return KeyType("boolean", 0, 1)
        return KeyType("hit_dice" if any(isinstance(end, syntax.Binary) for end in ends) else "integer")

    def _alternatives(self, key: Scalar) -> tuple[syntax.Alternative, ...]:
        found, problems = self.work.parser.alternatives(key)
        if found is None or problems:
            raise Unreadable
        return found

    def _gone_words(self, names: Sequence[str]) -> frozenset[str]:
        """The words that were taken out of a choice and are in no other."""
        left = {word for words in self.words.values() for word in words}
        removed = {path[-1] for path in self.work.removed if path[0] == "choices" and path[2:3] == ("words",)}
        return frozenset((set(names) & removed) - left)


def columns_of(gives: Node) -> tuple[str, ...]:
    """The ids of the columns that `gives` names; the single thing that a table gives has the id `value`."""
    if isinstance(gives, document.Mapping):
        return tuple(each.key.text for each in gives.entries if each.key.text != "replace")
    return ("value",) if isinstance(gives, Scalar) else ()


def _entries(node: Node) -> tuple[document.Entry, ...]:
    return node.entries if isinstance(node, document.Mapping) else ()
