"""Definitions of a loaded ruleset as a referee reads them: titles, plain tables, what a number and a check are made of.

Every function gives lines of text; nothing here prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.values import text_of

from .columns import columns
from .notation import Notation, type_text

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.program import Case, Check, Choice, Entity, Entry, Field, Label, Number, Program, Step, Table

Lines: TypeAlias = list[str]
Writer: TypeAlias = "Callable[[Rules, Any], Lines]"

_SIGNS = {"set": "set to ", "multiply": "x ", "at_least": "at least ", "at_most": "at most "}


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
    return [head, *_indented(_remarks(rules.program, label)), *_indented(_WRITERS[section](rules, found))]


def _remarks(program: Program, label: Label) -> Lines:
    return [each for each in (label.note, cited(program, label.source)) if each]


def cited(program: Program, source: str) -> str:
    """A source with what the ruleset says about it: `odnd T01 (Base morale by hit dice)`."""
    document, _, item = source.partition(" ")
    title, items = program.ruleset.sources.get(document, ("", {}))
    meaning = items.get(item, "") if item else title
    return f"source: {source}" + (f" ({meaning})" if meaning else "") if source else ""


def _indented(lines: Iterable[str]) -> Lines:
    return [f"  {each}" if each else "" for each in lines]


def _table(rules: Rules, table: Table) -> Lines:
    found = rules.tables[table.label.id]
    rows = [(keys, _cells(given)) for keys, given in found.rows()]
    grid = _grid(rows) if len(table.keys) == 2 and len(table.columns) == 1 else None
    if grid:
        return ["", f"{found.keys[0]} down, {found.keys[1]} across", *columns(grid, lambda at: at > 0).split("\n")]
    heads = [*found.keys, *("" if each == "value" else each for each in found.columns)]
    body = [heads, *([*keys, *cells] for keys, cells in rows)]
    return ["", *columns(body, lambda at: at >= len(found.keys)).split("\n")]


def _cells(given: Any) -> list[str]:
    return [text_of(given[each]) for each in given.keys()] if hasattr(given, "keys") else [text_of(given)]


def _grid(rows: Sequence[tuple[tuple[str, ...], list[str]]]) -> list[list[str]] | None:
    """A table of two keys as a grid, if every row has the same columns and they are few enough to print."""
    across = list(dict.fromkeys(keys[1] for keys, _ in rows))
    down: dict[str, dict[str, str]] = {}
    for keys, cells in rows:
        down.setdefault(keys[0], {})[keys[1]] = cells[0]
    if len(across) > 24 or any(list(each) != across for each in down.values()):
        return None
    return [["", *across], *([key, *each.values()] for key, each in down.items())]


def _number(rules: Rules, number: Number) -> Lines:
    notation = Notation(rules.program)
    about = [
        f"of {number.of}" if number.of else "",
        f"while `{number.within}` is rolled" if number.within else "",
        f"{number.better} is better" if number.better else "",
        f"gives {type_text(rules.program, number.type)}",
    ]
    lines = [", ".join(filter(None, about)), f"base: {notation.text(number.base, number.type)}"]
    rows = [row for entry in number.entries for row in _entry_rows(rules.program, notation, entry, number)]
    return lines + (
        ["", *columns([("adjusts by", "modifier", "when", "stacks in"), *rows]).split("\n")] if rows else []
    )


def _entry_rows(program: Program, notation: Notation, entry: Entry, number: Number) -> list[tuple[str, str, str, str]]:
    """A row for each amount that a modifier can come to."""
    label = program.modifiers[entry.modifier].label if entry.modifier in program.modifiers else None
    name = (label.title if label else "") or entry.modifier
    when = notation.text(entry.when) if entry.when is not None else ""
    times = f" for each {notation.text(entry.times)}" if entry.times is not None else ""
    if entry.value is not None:
        return [(_amount(notation, entry, entry.value, number) + times, name, when, entry.group)]
    read = entry.by if entry.by is not None else entry.each
    assert read is not None
    type = notation.type_of(read)
    rows = []
    for grade in entry.grades:
        band = f"{notation.text(read)} {notation.band(grade.low, grade.high, type)}"
        amount = _amount(notation, entry, grade.value, number) + times
        rows.append((amount, name, " and ".join(filter(None, [band, when])), entry.group))
    return rows


def _amount(notation: Notation, entry: Entry, value: Any, number: Number) -> str:
    if entry.op == "add" and isinstance(value, int):
        return f"{value:+d}"
    rounding = f", rounded {entry.round}" if entry.round else ""
    return f"{_SIGNS.get(entry.op, '')}{notation.text(value, number.type)}{rounding}"


def _modifier(rules: Rules, modifier: Any) -> Lines:
    program, notation = rules.program, Notation(rules.program)
    lines = [f"when: {modifier.text}"] if modifier.text else []
    for number in program.numbers.values():
        mine = [entry for entry in number.entries if entry.modifier == modifier.label.id]
        rows = [row for entry in mine for row in _entry_rows(program, notation, entry, number)]
        if rows:
            cells = [(amount, when, group and f"stacks in {group}") for amount, _, when, group in rows]
            lines += ["", f"adjusts {number.label.id}", *_indented(columns(cells).split("\n"))]
    return lines


def _check(rules: Rules, check: Check) -> Lines:
    from houserule.rules import places

    program = rules.program
    notation = Notation(program, locals=dict(places(program, check)))
    lines = ["outcomes: " + ", ".join(_named(each) for each in check.outcomes)]
    lines += [line for step in check.steps.values() for line in _step(notation, check, step, step.label.id)]
    return lines + [line for word, step in check.then.items() for line in _step(notation, check, step, f"then {word}")]


def _named(label: Label) -> str:
    return f"{label.id} ({label.title})" if label.title else label.id


def _step(notation: Notation, check: Check, step: Step, name: str) -> Lines:
    lines: Lines = []
    if step.call:
        seats = ", ".join(f"{player} as {chair}" for chair, player in step.call.seats)
        lines.append(f"check {step.call.check}" + (f" with {seats}" if seats else ""))
        for adjust in step.call.adjusts:
            lines.append(f"{adjust.number}: {_SIGNS.get(adjust.op, '')}{notation.text(adjust.value)}")
    lines += _acts(notation, step)
    for case in step.cases:
        lines += _case(notation, check, case)
    if not name:
        return lines
    return [f"{name}:" + (f" {step.label.title}" if step.label.title else ""), *_indented(lines)]


def _acts(notation: Notation, part: Step | Case) -> Lines:
    """The dice, values and effects of a step or case."""
    lines = [f"roll {die.label.id}: {notation.text(die.dice)}{_condition(notation, die.when)}" for die in part.roll]
    lines += [f"{each.label.id} = {notation.text(each.value, each.type)}" for each in part.values]
    for each in part.effects:
        sign = "+ " if each.op == "add" else _SIGNS.get(each.op, "")
        lines.append(
            f"effect {each.role}.{each.field}: {sign}{notation.text(each.value)}{_condition(notation, each.when)}"
        )
    return lines


def _condition(notation: Notation, when: Any) -> str:
    return f" if {notation.text(when)}" if when is not None else ""


def _case(notation: Notation, check: Check, case: Case) -> Lines:
    from houserule.program import Type

    words = Type("choice", choice=check.choice or f"{check.label.id}.outcome")
    end = (
        f"go to {case.go}" if case.go else notation.text(case.outcome, words) if case.outcome is not None else "nothing"
    )
    when = f"if {notation.text(case.when)}: " if case.when is not None else "otherwise: " if check.steps else ""
    acts = _acts(notation, case)
    name = case.label.title or case.label.id
    line = f"{when}{end}" + (f"  ({name})" if name else "")
    return [line, *_indented(acts)]


def _choice(rules: Rules, choice: Choice) -> Lines:
    notation = Notation(rules.program)
    rows = []
    for code, word in enumerate(choice.words):
        values = [notation.value(column[code], type) for type, column in choice.attributes.values()]
        rows.append([word.id, *values, " ".join(filter(None, [word.title, word.note]))])
    head = [["word", *choice.attributes, ""]] if choice.attributes else []
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
    return [f"{name}: {text}" for name, text in named.items() if text]


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
    "tables": _table,
    "numbers": _number,
    "modifiers": _modifier,
    "checks": _check,
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
