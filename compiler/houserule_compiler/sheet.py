"""Definitions of a loaded ruleset as a referee reads them: titles, tables, what a number, a check, a round is made of.

Every function gives sheets of blocks, which `layout` writes as text or as Markdown; nothing here prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from . import sheet_checks, sheet_numbers, sheet_rounds
from .sheet_layout import Block, Items, Paragraph, Sheet, Table, paragraphs
from .sheet_numbers import given
from .wording import Wording, called, plain

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.program import Choice, Entity, Field, Label, Program

Writer: TypeAlias = "Callable[[Rules, Any], list[Block]]"


def sections(program: Program) -> dict[str, Mapping[str, Any]]:
    """The definitions by section and id, in the order in which people look for them."""
    return {section: getattr(program, section) for section in _KINDS}


def contents(rules: Rules) -> Sheet:
    """The ruleset's title, and every definition with its title, by section."""
    found: list[Block] = [Paragraph(rules.title)] if rules.title else []
    for section, definitions in sections(rules.program).items():
        rows = [(id, each.label.title or getattr(each, "question", "")) for id, each in definitions.items()]
        found += [Table(("", ""), tuple(rows), title=section)] if rows else []
    return Sheet(" ".join(each for each in (rules.id, rules.version) if each), tuple(found))


def definitions(rules: Rules, word: str) -> list[Sheet]:
    """The definitions called `word`, or `section.word`; empty if there are none."""
    section, _, id = word.rpartition(".")
    return [
        _definition(rules, name, found[id])
        for name, found in sections(rules.program).items()
        if id in found and section in ("", name)
    ]


def everything(rules: Rules) -> list[Sheet]:
    """All definitions, section by section."""
    return [
        _definition(rules, name, each) for name, found in sections(rules.program).items() for each in found.values()
    ]


def names(rules: Rules) -> list[str]:
    """The ids of all definitions, each once."""
    return list(dict.fromkeys(id for found in sections(rules.program).values() for id in found))


def _definition(rules: Rules, section: str, found: Any) -> Sheet:
    label: Label = found.label
    head = f"{_KINDS[section]} {label.id}" + (f": {label.title}" if label.title else "")
    source = cited(rules.program, label.source)
    remarks: list[Block] = [Paragraph(label.note)] if label.note else []
    body = _WRITERS[section](rules, found)
    return Sheet(head, (*remarks, *body, *([Paragraph(source, "source")] if source else [])))


def cited(program: Program, source: str) -> str:
    """A source with what the ruleset says about it: `odnd T01 (Base morale by hit dice)`."""
    document, _, item = source.partition(" ")
    title, items = program.ruleset.sources.get(document, ("", {}))
    meaning = items.get(item, "") if item else title
    return source + (f" ({meaning})" if meaning else "") if source else ""


def _choice(rules: Rules, choice: Choice) -> list[Block]:
    words = Wording(rules.program)
    rows = []
    for code, word in enumerate(choice.words):
        values = [words.value(column[code], type) for type, column in choice.attributes.values()]
        rows.append((word.id, word.title, *values, word.note))
    head = ("word" if choice.attributes else "", "", *map(plain, choice.attributes), "")
    kept = [at for at in range(len(head)) if at == 0 or any(row[at] for row in rows)]
    return [Table(tuple(head[at] for at in kept), tuple(tuple(row[at] for at in kept) for row in rows))]


def _entity(rules: Rules, entity: Entity) -> list[Block]:
    rows = tuple((id, *_field_row(rules, each, entity.label.id)) for id, each in entity.fields.items())
    notes = tuple((0, f"{id}: {each.label.note}") for id, each in entity.fields.items() if each.label.note)
    head = ("field", "what it is", "what may be given", "")
    return [Table(head, rows), *([Items(notes, title="notes")] if notes else [])]


def _field_row(rules: Rules, field: Field, entity: str = "") -> tuple[str, str, str]:
    if field.computed is None:
        return field.label.title, *given(rules.program, field)
    words = Wording(rules.program, entity=entity)
    return field.label.title, f"worked out: {words.text(field.computed, field.type)}", ""


def _field(rules: Rules, field: Field) -> list[Block]:
    _, given, need = _field_row(rules, field)
    return [Paragraph("; ".join(filter(None, (given, need))))]


def _when(rules: Rules, condition: Any) -> list[Block]:
    return [Paragraph(Wording(rules.program).text(condition.when), "when")]


def _role(rules: Rules, role: Any) -> list[Block]:
    entity = rules.program.entities[role.entity]
    return [Paragraph(f"is a {plain(role.entity)} ({called(entity.label)})"), *_entity(rules, entity)]


def _stacking(rules: Rules, group: Any) -> list[Block]:
    policies = [(name, getattr(group, name) or "") for name in ("bonuses", "penalties", "all", "multiply", "tie")]
    members = [
        each.label.title or plain(each.label.id)
        for each in rules.program.modifiers.values()
        if any(
            entry.group == group.label.id and entry.modifier == each.label.id
            for number in rules.program.numbers.values()
            for entry in number.entries
        )
    ]
    return paragraphs([*policies, ("order", ", ".join(map(plain, group.order))), ("members", ", ".join(members))])


def _ruling(rules: Rules, ruling: Any) -> list[Block]:
    option = rules.program.options[ruling.option].label if ruling.option in rules.program.options else None
    kind = "on wording or layout; it decides no figure" if ruling.is_editorial else ""
    named = [("question", ruling.question), ("ruling", ruling.ruling), ("because", ruling.because)]
    flips = f"{option.id}" + (f" ({option.title})" if option.title else "") if option else ""
    return paragraphs([*named, ("option", flips), ("kind", kind)])


_KINDS = {
    "tables": "table",
    "numbers": "number",
    "modifiers": "modifier",
    "stacking": "stacking",
    "checks": "check",
    "actions": "action",
    "triggers": "trigger",
    "events": "event",
    "sequences": "sequence",
    "conditions": "condition",
    "impossible": "impossible",
    "choices": "choice",
    "entities": "entity",
    "roles": "role",
    "facts": "fact",
    "options": "option",
    "rulings": "ruling",
}
_WRITERS: dict[str, Writer] = {
    "tables": sheet_numbers.table,
    "numbers": sheet_numbers.number,
    "modifiers": sheet_numbers.modifier,
    "stacking": _stacking,
    "checks": sheet_checks.check,
    "actions": sheet_checks.action,
    "triggers": sheet_checks.trigger,
    "events": sheet_checks.event,
    "sequences": sheet_rounds.sequence,
    "conditions": _when,
    "impossible": _when,
    "choices": _choice,
    "entities": _entity,
    "roles": _role,
    "facts": _field,
    "options": _field,
    "rulings": _ruling,
}
