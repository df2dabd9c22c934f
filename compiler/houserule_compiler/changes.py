"""What changed between two rulesets, part by part: added, removed or changed, with both values and both places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from houserule.origins import definition_of
from houserule.program import Bands, Dense

from .definition_parts import Part, definition_parts
from .definition_text import cell_text, part_text

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.origins import Place
    from houserule.program import Column, Index, Table

    from .round_examples import RoundExample
    from .setters import Setters

ChangeKind: TypeAlias = Literal["added", "removed", "changed", "reworded"]
Span: TypeAlias = tuple[int, int]
Region: TypeAlias = "tuple[tuple[Span, ...], tuple[int, int]]"
"""A span of each key, and the row of either table that holds there."""
_LOWEST, _HIGHEST = -(2**53), 2**53


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the two rulesets: its artifact as data, loaded, who set what in it, and its examples of rounds."""

    artifact: Mapping[str, Any]
    rules: Rules
    setters: Setters
    examples: tuple[RoundExample, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One part that is not the same in both rulesets. A text is empty where the part is not there."""

    path: str
    kind: ChangeKind
    before: str = ""
    after: str = ""
    before_place: Place | None = None
    after_place: Place | None = None

    @property
    def definition(self) -> str:
        """The definition that it is a part of; a field of an entity counts as one."""
        return definition_path(self.path)


def definition_path(path: str) -> str:
    """The definition that a path leads into: `tables.charisma`, `entities.creature.hit_dice`."""
    steps = path.partition("[")[0].split(".")
    return ".".join(steps[:3]) if steps[0] == "entities" else ".".join(steps[:2])


def changes(before: Compared, after: Compared) -> tuple[Change, ...]:
    """Every part that differs, by path; a definition that is there once counts as one part."""
    sides = before, after
    parts = definition_parts(before.artifact), definition_parts(after.artifact)
    whole = [{definition_path(path) for path in each if each[path].value is None} for each in parts]
    found = [_whole(path, sides, whole) for path in sorted(whole[0] ^ whole[1])]
    lost = {each.path for each in found}
    has_moved = any(
        _moved(id, sides) for id in before.rules.program.choices.keys() & after.rules.program.choices.keys()
    )
    paths = sorted({*parts[0], *parts[1]})
    for path in paths:
        if not any(each in lost for each in (definition_path(path), definition_of(path))):
            one, other = (each.get(path) for each in parts)
            if _differ(one, other):
                change = _part(path, sides, one, other)
                # Where the words of a choice moved, the same word has another code.
                found += [] if has_moved and one and other and change.before == change.after else [change]
    for id in sorted(before.rules.program.tables.keys() & after.rules.program.tables.keys()):
        found += _table(id, sides)
    return tuple(sorted(_outermost(found), key=lambda each: (each.kind == "reworded", each.path)))


def changed_definitions(found: Iterable[Change]) -> frozenset[str]:
    """The definitions that mean something else than before."""
    return frozenset(each.definition for each in found if each.kind != "reworded")


def _outermost(found: list[Change]) -> Iterator[Change]:
    """The changes without those inside a part that is whole new, or gone."""
    whole = {each.path for each in found if each.kind in ("added", "removed")}
    for each in found:
        above = each.path.split(".")
        if not any(".".join(above[:depth]) in whole for depth in range(2, len(above))):
            yield each


def _differ(one: Part | None, other: Part | None) -> bool:
    if one is None or other is None:
        return not (one or other).is_order  # type: ignore[union-attr]
    # Where something came or went, it is told itself; the order counts where all are still there.
    return one.value != other.value and not (one.is_order and set(one.value) != set(other.value))


def _whole(path: str, sides: tuple[Compared, Compared], whole: list[set[str]]) -> Change:
    if path in whole[1]:
        return Change(path, "added", after=_title(sides[1].rules, path), after_place=_place(sides[1], path))
    return Change(path, "removed", before=_title(sides[0].rules, path), before_place=_place(sides[0], path))


def _title(rules: Rules, path: str) -> str:
    section, id, *field = path.split(".")
    found = getattr(rules.program, section)[id]
    label = found.fields[field[0]].label if field and field[0] in found.fields else found.label
    return label.title or getattr(found, "question", "")  # type: ignore[no-any-return]


def _part(path: str, sides: tuple[Compared, Compared], one: Part | None, other: Part | None) -> Change:
    kind: ChangeKind = "added" if one is None else "removed" if other is None else "changed"
    if (one or other).is_wording:  # type: ignore[union-attr]
        kind = "reworded"
    texts = _texts(path, sides, one, other)
    places = [_place(side, path) if part else None for side, part in zip(sides, (one, other), strict=True)]
    return Change(path, kind, texts[0], texts[1], places[0], places[1])


def _texts(path: str, sides: tuple[Compared, Compared], one: Part | None, other: Part | None) -> list[str]:
    """Both values: as their authors wrote them, where both are known so; else both in the same words."""
    parts = list(zip(sides, (one, other), strict=True))
    authored = [part.text or _authored(side, path) if part else "" for side, part in parts]
    if all(text or part is None for text, (_, part) in zip(authored, parts, strict=True)):
        return authored
    return [part_text(side.rules, path, part.value) if part and part.value is not None else "" for side, part in parts]


def _authored(side: Compared, path: str) -> str:
    found = side.setters.parts(path) if "[" not in path else []
    value = found[0].value if found else ""
    return "" if value.startswith("{") else value


def _place(side: Compared, path: str) -> Place | None:
    return side.rules.program.origins.place(path)


def _table(id: str, sides: tuple[Compared, Compared]) -> Iterator[Change]:
    """The rows of a table that give something else; the table as a whole where its keys or columns changed."""
    one, other = (side.rules.program.tables[id] for side in sides)
    path = f"tables.{id}"
    if _shape(one) != _shape(other):
        places = [_place(side, path) for side in sides]
        yield Change(path, "changed", ", ".join(_shape(one)), ", ".join(_shape(other)), places[0], places[1])
        return
    for region in _merged(list(_Regions(sides, (one, other)).differing(one.index, other.index))):
        yield from _row(id, sides, (one, other), region)


def _shape(table: Table) -> list[str]:
    return [f"{each.label.id}: {each.type.kind} {each.type.choice}".rstrip() for each in (*table.keys, *table.columns)]


def _row(id: str, sides: tuple[Compared, Compared], tables: tuple[Table, Table], region: Region) -> Iterator[Change]:
    table, (keys, rows) = tables[1], region
    shown = ", ".join(_span_text(sides[1].rules, span, column) for span, column in zip(keys, table.keys, strict=True))
    for column in table.columns:
        cells = [each.rows[row][each.positions[column.label.id]] for each, row in zip(tables, rows, strict=True)]
        inner = "" if len(table.columns) == 1 else f".{column.label.id}"
        texts = [cell_text(side.rules, id, cell, column) for side, cell in zip(sides, cells, strict=True)]
        if cells[0] == cells[1] if not _moved(column.type.choice, sides) else texts[0] == texts[1]:
            continue
        places = [
            _place(side, side.rules.program.origins.keyed(f"tables.{id}", row, inner))
            for side, row in zip(sides, rows, strict=True)
        ]
        yield Change(f"tables.{id}.rows[{shown}]{inner}", "changed", texts[0], texts[1], places[0], places[1])


def _span_text(rules: Rules, span: Span, column: Column) -> str:
    from houserule.values import shown, text_of

    type = column.type
    words = rules.program.words(type.choice) if type.choice else ()
    last = int(type.high) if type.high is not None else len(words) - 1 if words else 1
    codes = max(span[0], int(type.low or 0)), min(span[1], last)
    ends = [text_of(shown(bool(code) if type.kind == "boolean" else code, type, words)) for code in codes]
    return ends[0] if ends[0] == ends[1] else "..".join(ends)


@dataclass(frozen=True, slots=True)
class _Regions:
    """Finds the spans of keys for which two tables of one shape give other cells."""

    sides: tuple[Compared, Compared]
    tables: tuple[Table, Table]

    def differing(self, one: Index, other: Index, keys: tuple[Span, ...] = ()) -> Iterator[Region]:
        """The spans below two parts of the indexes, with both rows."""
        if isinstance(one, int) or isinstance(other, int):
            if isinstance(one, int) and isinstance(other, int) and self._is_other(one, other):
                yield keys, (one, other)
            return
        choice = self.tables[1].keys[len(keys)].type.choice
        refined = _by_word(one, other, choice, self.sides) if _moved(choice, self.sides) else _refined(one, other)
        for span, inner, outer in refined:
            yield from self.differing(inner, outer, (*keys, span))

    def _is_other(self, one: int, other: int) -> bool:
        has_moved = any(_moved(column.type.choice, self.sides) for column in self.tables[1].columns)
        return has_moved or self.tables[0].rows[one] != self.tables[1].rows[other]


def _moved(choice: str, sides: tuple[Compared, Compared]) -> bool:
    """Whether the words of a choice have other codes on both sides."""
    if not choice:
        return False
    words = [[word.id for word in side.rules.program.words(choice)] for side in sides]
    return words[0] != words[1]


def _by_word(
    one: Index, other: Index, choice: str, sides: tuple[Compared, Compared]
) -> Iterator[tuple[Span, Index, Index]]:
    """The words that both sides have, each with what is below it; a word of one side alone is told as such."""
    below = [dict(_of_words(index, side, choice)) for index, side in zip((one, other), sides, strict=True)]
    for code, word in enumerate(sides[1].rules.program.words(choice)):
        if all(word.id in each for each in below):
            yield (code, code), below[0][word.id], below[1][word.id]


def _of_words(index: Index, side: Compared, choice: str) -> Iterator[tuple[str, Index]]:
    for code, word in enumerate(side.rules.program.words(choice)):
        yield from ((word.id, inner) for low, high, inner in _bands(index) if low <= code <= high)


def _refined(one: Index, other: Index) -> Iterator[tuple[Span, Index, Index]]:
    """The spans of one key in which both tables stay with one band each, with what is below."""
    left, right = list(_bands(one)), list(_bands(other))
    at = 0
    for low, high, inner in left:
        while at < len(right) and right[at][1] < low:
            at += 1
        near = at
        while near < len(right) and right[near][0] <= high:
            yield (max(low, right[near][0]), min(high, right[near][1])), inner, right[near][2]
            near += 1


def _bands(index: Index) -> Iterator[tuple[int, int, Index]]:
    if isinstance(index, Dense):
        for at, inner in enumerate(index.then):
            yield index.first + at, index.first + at, inner
    elif isinstance(index, Bands):
        starts = [_LOWEST if start is None else start for start in index.starts]
        ends = [*(start - 1 for start in starts[1:]), _HIGHEST if index.end is None else index.end]
        yield from zip(starts, ends, index.then, strict=True)


def _merged(regions: list[Region]) -> list[Region]:
    """Regions that follow each other in the last key and lead to the same rows, in one."""
    found: list[Region] = []
    for keys, rows in regions:
        before = found[-1] if found else None
        if before and before[1] == rows and before[0][:-1] == keys[:-1] and before[0][-1][1] == keys[-1][0] - 1:
            found[-1] = ((*keys[:-1], (before[0][-1][0], keys[-1][1])), rows)
        else:
            found.append((keys, rows))
    return found
