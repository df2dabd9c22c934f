"""What the names in a condition stand for: named conditions, computed fields, attributes of words, and small tables.

Only what is small enough to be looked through is here; the rest stays a name that can take any value of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from .intervals import Quantity, Range, point
from .regions import Area, Box, boxes_of
from .typed import Read, Typed, TypedTable
from .typed_ruleset import TypedRuleset
from .types import Unknown, span_of_codes

ROWS = 200
"""A table of more rows is not looked through."""

SIZE = 1_000
"""The most parts that an expression may have, with all that it names, to be looked through."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """One column of a table: what each row covers, and what it gives."""

    boxes: tuple[Box, ...]
    cells: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Meanings:
    """What names stand for. `computed` is by `(role, field)` or `(fact,)`; a field reads its own entity by `its`."""

    conditions: Mapping[str, Typed] = field(default_factory=dict)
    computed: Mapping[tuple[str, ...], Typed] = field(default_factory=dict)
    attributes: Mapping[tuple[str, str], tuple[Range, ...]] = field(default_factory=dict)
    lookups: Mapping[tuple[str, str], Lookup] = field(default_factory=dict)
    optional: frozenset[Read] = frozenset()
    """What the named conditions read that may be unknown."""


def meanings(ruleset: TypedRuleset) -> Meanings:
    """All that the expressions of a ruleset can be looked through to."""
    conditions = {id: each.when for id, each in ruleset.conditions.items() if not lacks_type(each.when)}
    computed = dict(_computed(ruleset))
    sizes = _Sizes(conditions, computed)
    seen = {id: each for id, each in conditions.items() if sizes.of(("condition", id)) <= SIZE}
    return Meanings(
        seen,
        {path: each for path, each in computed.items() if sizes.of(("computed", *path)) <= SIZE},
        dict(_attributes(ruleset)),
        {key: lookup for table in ruleset.tables.values() for key, lookup in _lookups(table)},
        optional_reads(seen.values()),
    )


def optional_reads(items: Iterable[Typed]) -> frozenset[Read]:
    """The reads that may be unknown in these expressions: each is either guarded by `known`, or among the needs."""
    found: set[Read] = set()
    for item in items:
        for each in item.walk():
            found |= each.needs
            if each.operator == "known":
                found.add(path_of(each))
    return frozenset(found)


def constant(item: Typed | None) -> Quantity | None:
    """The value of a literal number, code or boolean, or None."""
    if item is not None and item.operator == "frac":
        above, below = item.operands
        return Fraction(above, below) if isinstance(above, int) and isinstance(below, int) else None
    return item.literal if item is not None else None


def lacks_type(item: Typed) -> bool:
    """Whether part of an expression is wrong, so that nothing can be said about it."""
    return any(isinstance(each.type, Unknown) for each in item.walk())


def path_of(known: Typed) -> Read:
    """The read that `known` asks about."""
    path = known.operands[0]
    if isinstance(path, Typed):
        return path.read or ()
    return tuple(str(each) for each in path) if isinstance(path, list | tuple) else ()


def _computed(ruleset: TypedRuleset) -> Iterable[tuple[tuple[str, ...], Typed]]:
    for role in ruleset.declared.roles.values():
        for each in ruleset.entities.get(role.entity.id, ()):
            if each.computed is not None and not lacks_type(each.computed):
                yield (role.id, each.declared.id), each.computed
    for id, fact in ruleset.facts.items():
        if fact.computed is not None and not lacks_type(fact.computed):
            yield (id,), fact.computed


def _attributes(ruleset: TypedRuleset) -> Iterable[tuple[tuple[str, str], tuple[Range, ...]]]:
    for id, choice in ruleset.choices.items():
        for at, (name, _) in enumerate(choice.attributes):
            values = [constant(word.values[at]) for word in choice.words]
            known = tuple(point(each) for each in values if each is not None)
            if len(known) == len(values):
                yield (id, name), known


def _lookups(table: TypedTable) -> Iterable[tuple[tuple[str, str], Lookup]]:
    keys = [each for each in map(span_of_codes, table.keys) if each is not None]
    if len(table.rows) > ROWS or len(keys) < len(table.keys):
        return
    boxes = boxes_of(keys, [Area(row.bands, row.declared.whole) for row in table.rows])
    for at, column in enumerate(table.declared.columns):
        values = [constant(row.cells[at]) for row in table.rows]
        cells = tuple(point(each) for each in values if each is not None)
        if len(cells) == len(values):
            yield (table.declared.id, column.id), Lookup(tuple(boxes), cells)


@dataclass
class _Sizes:
    """How many parts an expression has once it is looked through; never counted much beyond `SIZE`."""

    conditions: Mapping[str, Typed]
    computed: Mapping[tuple[str, ...], Typed]
    known: dict[tuple[str, ...], int] = field(default_factory=dict)

    def of(self, name: tuple[str, ...]) -> int:
        """The size of a named condition, or of a computed field or fact."""
        if name not in self.known:
            self.known[name] = SIZE + 1  # What leads back to itself is never looked through.
            meaning = self.conditions.get(name[1]) if name[0] == "condition" else self.computed.get(name[1:])
            role = name[1] if len(name) == 3 else ""
            self.known[name] = 1 if meaning is None else min(SIZE + 1, self._count(meaning, role))
        return self.known[name]

    def _count(self, item: Typed, role: str) -> int:
        return sum(1 + (self.of(name) if name else 0) for name in (_names(each, role) for each in item.walk()))


def _names(item: Typed, role: str) -> tuple[str, ...] | None:
    """The name of what an expression is looked through to, if it is."""
    read = path_of(item) if item.operator == "known" else item.read
    if item.operator == "condition":
        return "condition", str(item.operands[0])
    if not read:
        return None
    match read[0]:
        case "its":
            return "computed", role, read[1]
        case "field" | "fact":
            return "computed", *read[1:]
    return None
