"""Definitions of a loaded ruleset as a referee reads them: titles, plain tables, what a number and a check are made of.

Every function gives lines of text; nothing here prints.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from . import sheet_rules
from .columns import columns
from .notation import Notation, type_text
from .sheet_rules import WIDTH, Lines, indented

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.program import Choice, Entity, Field, Label, Program

Writer: TypeAlias = "Callable[[Rules, Any], Lines]"


def sections(program: Program) -> dict[str, Mapping[str, Any]]:
    """The definitions by section and id, in the order in which people look for them."""
    return {
        "tables": program.tables,
        "numbers": program.numbers,
        "modifiers": program.modifiers,
        "checks": program.checks,
        "conditions": program.conditions,
        "impossible": program.impossible,
        "stacking": program.stacking,
        "choices": program.choices,
        "entities": program.entities,
        "roles": program.roles,
        "facts": program.facts,
        "options": program.options,
        "rulings": program.rulings,
    }


def contents(rules: Rules) -> Lines:
    """The ruleset's title, and every definition with its title, by section."""
    head = [" ".join(each for each in (rules.id, rules.version) if each), *filter(None, [rules.title])]
    return head + [line for name, found in sections(rules.program).items() for line in _section(name, found)]


def _section(name: str, found: Mapping[str, Any]) -> Lines:
    if not found:
        return []
    rows = [(f"  {id}", _first(each.label.title or getattr(each, "question", ""))) for id, each in found.items()]
    return ["", name, *columns(rows).split("\n")]


def _first(text: str) -> str:
    return text if len(text) <= 90 else text[:87].rstrip() + "..."


def definitions(rules: Rules, word: str) -> list[Lines]:
    """The definitions called `word`, or `section.word`; empty if there are none."""
    section, _, id = word.rpartition(".")
    return [
        _definition(rules, name, found[id])
        for name, found in sections(rules.program).items()
        if id in found and section in ("", name)
    ]


def names(rules: Rules) -> list[str]:
    """The ids of all definitions, each once."""
    return list(dict.fromkeys(id for found in sections(rules.program).values() for id in found))


def _definition(rules: Rules, section: str, found: Any) -> Lines:
    label: Label = found.label
    head = f"{_KINDS[section]} {label.id}" + (f": {label.title}" if label.title else "")
    body = [*_remarks(rules.program, label), *_WRITERS[section](rules, found)]
    return [head, *indented(line for line, before in zip(body, ["", *body], strict=False) if line or before)]


def _remarks(program: Program, label: Label) -> Lines:
    lines = [line for each in (label.note, cited(program, label.source)) for line in textwrap.wrap(each, WIDTH)]
    return [*lines, ""] if lines else []


def cited(program: Program, source: str) -> str:
    """A source with what the ruleset says about it: `odnd T01 (Base morale by hit dice)`."""
    document, _, item = source.partition(" ")
    title, items = program.ruleset.sources.get(document, ("", {}))
    meaning = items.get(item, "") if item else title
    return f"source: {source}" + (f" ({meaning})" if meaning else "") if source else ""


def _choice(rules: Rules, choice: Choice) -> Lines:
    notation = Notation(rules.program)
    rows = []
    for code, word in enumerate(choice.words):
        values = [notation.value(column[code], type) for type, column in choice.attributes.values()]
        rows.append([word.id, *values, word.title, word.note])
    head = [["word", *choice.attributes, "", ""]] if choice.attributes else []
    return columns([*head, *rows]).split("\n") if rows else []


def _entity(rules: Rules, entity: Entity) -> Lines:
    return columns([_field_row(rules, each, entity.label.id) for each in entity.fields.values()]).split("\n")


def _field_row(rules: Rules, field: Field, entity: str = "") -> list[str]:
    notation = Notation(rules.program, entity)
    if field.computed is not None:
        given = f"is {notation.text(field.computed, field.type)}"
    elif field.is_optional:
        given = "may be unknown"
    else:
        given = f"{notation.value(field.default, field.type)} by default" if field.default is not None else "required"
    return [field.label.id, type_text(rules.program, field.type), given, field.label.title]


def _field(rules: Rules, field: Field) -> Lines:
    return ["  ".join(filter(None, _field_row(rules, field)[1:3]))]


def _when(rules: Rules, condition: Any) -> Lines:
    return [condition.text or Notation(rules.program).text(condition.when)]


def _role(rules: Rules, role: Any) -> Lines:
    return [f"is a {role.entity}", *_entity(rules, rules.program.entities[role.entity])]


def _stacking(rules: Rules, group: Any) -> Lines:
    policies = {name: getattr(group, name) for name in ("bonuses", "penalties", "all", "multiply", "tie")}
    lines = [f"{name}: {policy}" for name, policy in policies.items() if policy]
    return lines + ([f"order: {', '.join(group.order)}"] if group.order else [])


def _ruling(rules: Rules, ruling: Any) -> Lines:
    named = {"question": ruling.question, "ruling": ruling.ruling, "because": ruling.because, "option": ruling.option}
    return [line for name, text in named.items() if text for line in _wrapped(f"{name}: {text}")]


def _wrapped(text: str) -> Lines:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ")


_KINDS = {
    "tables": "table",
    "numbers": "number",
    "modifiers": "modifier",
    "checks": "check",
    "conditions": "condition",
    "impossible": "impossible",
    "stacking": "stacking",
    "choices": "choice",
    "entities": "entity",
    "roles": "role",
    "facts": "fact",
    "options": "option",
    "rulings": "ruling",
}
_WRITERS: dict[str, Writer] = {
    "tables": sheet_rules.table,
    "numbers": sheet_rules.number,
    "modifiers": sheet_rules.modifier,
    "checks": sheet_rules.check,
    "conditions": _when,
    "impossible": _when,
    "stacking": _stacking,
    "choices": _choice,
    "entities": _entity,
    "roles": _role,
    "facts": _field,
    "options": _field,
    "rulings": _ruling,
}
