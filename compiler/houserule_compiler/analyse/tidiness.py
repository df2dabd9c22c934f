"""What is not wrong but untidy: definitions without a source, groups without members, tables that should be grades."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from ..declarations import Definition
from ..diagnostics import Diagnostic
from ..messages import analysis_conditions as messages
from ..typed import Typed, TypedTable
from ..typed_ruleset import TypedRuleset

NOT_TYPED = frozenset({"declared", "modifier", "adjust", "type"})


def tidiness_findings(ruleset: TypedRuleset) -> Iterator[Diagnostic]:
    """All of them; an abstract ruleset leaves its groups and tables to those that are built on it."""
    yield from _missing_sources(ruleset)
    if not ruleset.declared.manifest.is_abstract:
        yield from _empty_groups(ruleset)
        yield from _tables_for_one(ruleset)


def _missing_sources(ruleset: TypedRuleset) -> Iterator[Diagnostic]:
    """Of each layer by itself: a house rule on a transcription stands in no book."""
    declared = ruleset.declared
    documents = {each.place.file.layer: each for each in reversed(declared.manifest.sources)}
    if not documents:
        return
    sections: tuple[Iterable[Definition], ...] = (
        declared.tables.values(),
        declared.numbers.values(),
        declared.modifiers.values(),
        declared.stacking.values(),
        declared.checks.values(),
    )
    for section in sections:
        for each in section:
            document = documents.get(each.place.file.layer)
            if each.source is None and document:
                example = " ".join([document.id, *(item for item, _ in document.items[:1])])
                yield messages.missing_source(each.id, each.place, example)


def _empty_groups(ruleset: TypedRuleset) -> Iterator[Diagnostic]:
    used = {each.stack.id for each in ruleset.declared.modifiers.values() if each.stack}
    for group in ruleset.declared.stacking.values():
        if group.id not in used:
            yield messages.empty_stacking_group(group.id, group.place)


def _tables_for_one(ruleset: TypedRuleset) -> Iterator[Diagnostic]:
    """Tables of one key that nothing reads but the amount of one modifier."""
    readers = dict(_amount_readers(ruleset))
    elsewhere = set(_tables_read(_but_amounts(ruleset)))
    for table in ruleset.tables.values():
        found = readers.get(table.declared.id, {})
        if len(found) == 1 and table.declared.id not in elsewhere and _could_be_grades(table):
            ((id, read),) = found.items()
            yield messages.table_for_one_modifier(table.declared.id, table.declared.place, id, read.span)


def _could_be_grades(table: TypedTable) -> bool:
    is_simple = len(table.keys) == 1 and [each.id for each in table.declared.columns] == ["value"]
    return is_simple and bool(table.rows) and all(row.bands[0] is not None for row in table.rows)


def _amount_readers(ruleset: TypedRuleset) -> dict[str, dict[str, Typed]]:
    """For each table, the modifiers whose whole amount is read there, each with the place."""
    found: dict[str, dict[str, Typed]] = {}
    for number in ruleset.numbers.values():
        for entry in number.entries:
            amount = _amount(entry.value)
            if amount is not None:
                found.setdefault(str(amount.operands[0]), {})[entry.modifier.id] = amount
    return found


def _amount(value: Typed | None) -> Typed | None:
    """The look-up that an amount is, whichever way it points."""
    if value is not None and value.operator == "neg":
        value = next(value.parts)
    return value if value is not None and value.operator == "table" else None


def _but_amounts(ruleset: TypedRuleset) -> Iterator[Typed]:
    """Every expression of the rules, but for the look-ups that are the amounts of modifiers; their keys are there."""
    for number in ruleset.numbers.values():
        yield number.base
        for entry in number.entries:
            amount = _amount(entry.value)
            yield from amount.parts if amount is not None else expressions_in(entry.value)
            yield from expressions_in((entry.grades, entry.by, entry.when, entry.times))
    for table in ruleset.tables.values():
        # Thousands of cells that read nothing are not looked into.
        yield from (cell for row in table.rows for cell in row.cells if cell is not None and cell.operator != "literal")
    for each in fields(ruleset):
        if each.name not in ("declared", "numbers", "tables"):
            yield from expressions_in(getattr(ruleset, each.name))


def expressions_in(part: object) -> Iterator[Typed]:
    """Every outermost expression within a part of the typed rules."""
    if isinstance(part, Typed):
        yield part
    elif isinstance(part, dict):
        for each in part.values():
            yield from expressions_in(each)
    elif isinstance(part, tuple | list):
        for each in part:
            yield from expressions_in(each)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name not in NOT_TYPED:
                yield from expressions_in(getattr(part, field.name))


def _tables_read(items: Iterable[Typed]) -> Iterator[str]:
    for item in items:
        yield from (str(each.operands[0]) for each in item.walk() if each.operator == "table")
