"""What changed between two rulesets, part by part: added, removed or changed, with both values and both places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from houserule.origins import definition_of

from .compared import Change, Compared, definition_path
from .definition_parts import Part, definition_parts
from .definition_text import part_text
from .table_changes import has_moved, table_changes

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.origins import Place

    from .compared import ChangeKind

_NUMBER = re.compile(r"(?<![0-9])([0-9]{1,18})")


def changes(before: Compared, after: Compared) -> tuple[Change, ...]:
    """Every part that differs, by path; a definition that is there once counts as one part."""
    sides = before, after
    parts = definition_parts(before.artifact), definition_parts(after.artifact)
    whole = [{definition_path(path) for path in each if each[path].value is None} for each in parts]
    found = [_whole(path, sides, whole) for path in sorted(whole[0] ^ whole[1])]
    lost = {each.path for each in found}
    choices = before.rules.program.choices.keys() & after.rules.program.choices.keys()
    is_moved = any(has_moved(id, sides) for id in choices)
    for path in {**parts[0], **parts[1]}:
        if not any(each in lost for each in (definition_path(path), definition_of(path))):
            one, other = (each.get(path) for each in parts)
            if _differ(one, other):
                change = _part(path, sides, one, other)
                # Where the words of a choice moved, the same word has another code.
                found += [] if is_moved and one and other and change.before == change.after else [change]
    found.sort(key=lambda each: _natural(each.path))
    for id in sorted(before.rules.program.tables.keys() & after.rules.program.tables.keys()):
        found += table_changes(id, sides)
    # The rows of a table stay in the order of the table.
    return tuple(sorted(_outermost(found), key=lambda each: (each.kind == "reworded", _order(each.path))))


def _order(path: str) -> list[tuple[int, str]]:
    return _natural(path.partition("[")[0])


def _natural(path: str) -> list[tuple[int, str]]:
    """What sorts a path as people would: its numbers by their values."""
    return [(int(each), "") if each.isdecimal() else (0, each) for each in _NUMBER.split(path)]


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
    return side.setters.place(path)
