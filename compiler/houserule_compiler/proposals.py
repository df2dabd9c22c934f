"""Common changes to a ruleset, each a line of rules that is made of what the ruleset itself defines.

For each kind of change there are candidates, the plainest first; whoever shows one to an author has it compiled before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

from .declarations import (
    Adjust,
    Case,
    Cell,
    Change,
    Check,
    Definition,
    Field,
    Key,
    Modifier,
    Number,
    Position,
    Row,
    Step,
    Table,
    expressions_in_modifier,
)
from .paths import path_text, rows_key
from .ruleset import Ruleset, modifiers_by_number
from .syntax import Adjustment, Alternative, DiceLiteral, Expression, Integer, Name, Unary, names_in

OWN_ID = "house_rule"
"""The id of whatever a line adds."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change: its line of rules, what it is about in the words of the ruleset, and what stands there before it."""

    line: str
    about: str
    was: str = ""


def proposals(ruleset: Ruleset) -> dict[str, Iterator[Proposal]]:
    """For each kind of change its candidates, the plainest first; `ruleset` must be without errors."""
    return {kind: candidates(ruleset) for kind, candidates in _KINDS.items()}


def name_of(definition: Definition) -> str:
    """What people call it: its title, on one line, or its id as words."""
    return " ".join(definition.title.split()) or definition.id.replace("_", " ")


def _numbers(ruleset: Ruleset) -> Iterator[Proposal]:
    for each in ruleset.numbers.values():
        value = literal(each.base)
        if value is not None:
            yield Proposal(f"numbers.{each.id}.base: {value + 1}", name_of(each), str(value))


def _more(ruleset: Ruleset) -> Iterator[Proposal]:
    for each in ruleset.numbers.values():
        if literal(each.base) is None:
            yield Proposal(f"numbers.{each.id}.base: inherited + 1", name_of(each))


def _options(ruleset: Ruleset) -> Iterator[Proposal]:
    for each in ruleset.options.values():
        before = _default(each)
        for word in _other_values(each, ruleset):
            if before and word != before:
                yield Proposal(f"options.{each.id}: {word}", name_of(each), before)


def _default(field: Field) -> str:
    default = field.default
    if isinstance(default, Name):
        return default.text
    value = getattr(default, "value", None)
    return ("true" if value else "false") if isinstance(value, bool) else "" if value is None else str(value)


def _other_values(field: Field, ruleset: Ruleset) -> list[str]:
    if field.type is None:
        return []
    if field.type.kind == "boolean":
        return ["false", "true"]
    choice = ruleset.choices.get(field.type.name.text) if field.type.name else None
    if choice:
        return [each.id for each in choice.words]
    ends = [literal(each) for each in (field.type.low, field.type.high) if each]
    return [str(each) for each in ends if each is not None]


def _adjustments(ruleset: Ruleset) -> Iterator[Proposal]:
    """Plain amounts first, then single grades, then amounts that a fact gives."""
    pairs = [(each, adjust) for each in ruleset.modifiers.values() for adjust in each.adjusts]
    for modifier, adjust in pairs:
        more = _more_of(adjust.change) if adjust.change else None
        if more:
            yield _adjusted(modifier, adjust, (), *more)
    for modifier, adjust in pairs:
        for grade in reversed(adjust.grades):
            key, more = _key_text(grade.key), _more_of(grade.change)
            if key and more:
                yield _adjusted(modifier, adjust, (rows_key([key]),), *more)
    for modifier, adjust in pairs:
        change = adjust.change
        if change and change.operation == "add" and not change.is_signed and isinstance(change.value, Name):
            yield _adjusted(modifier, adjust, (), change.value.text, "inherited + 1")


def _adjusted(modifier: Modifier, adjust: Adjust, below: tuple[str, ...], before: str, after: str) -> Proposal:
    path = path_text(("modifiers", modifier.id, "adjust", adjust.number.id, *below))
    return Proposal(f"{path}: {after}", name_of(modifier), before)


def _more_of(change: Change) -> tuple[str, str] | None:
    """An amount as it is written, and the same with one more; None where it is no plain number."""
    value = literal(change.value)
    if value is None or change.operation == "multiply":
        return None
    more = value + 1 if value >= 0 else value - 1
    match change.operation:
        case "add":
            return f"{value:+d}" if value else "0", f"{more:+d}"
        case "better" | "worse":
            return f"{change.operation} {value}", f"{change.operation} {more}"
    return f"{{{change.operation}: {value}}}", f"{{{change.operation}: {value + 1}}}"


def _modifiers(ruleset: Ruleset) -> Iterator[Proposal]:
    """A modifier of a number that has many, with a condition where there is a fact for one."""
    adjusted = Counter(adjust.number.id for each in ruleset.modifiers.values() for adjust in each.adjusts)
    numbers = sorted(ruleset.numbers.values(), key=lambda each: -adjusted[each.id])
    for number in numbers:
        for when in _conditions(number, ruleset):
            yield _modifier(number, f"when: {when}, ")
    for number in numbers:
        yield _modifier(number, "")


def _modifier(number: Number, when: str) -> Proposal:
    body = f"title: House rule, {when}adjust: {{{number.id}: {'better 1' if number.better else '+1'}}}"
    return Proposal(f"modifiers.{OWN_ID}: {{{body}}}", name_of(number))


def _conditions(number: Number, ruleset: Ruleset) -> list[str]:
    """Facts that are true or false, and that nobody needs to give: first of those whom the number is about."""
    modifiers = modifiers_by_number(ruleset).get(number.id, [])
    read = [name for each in modifiers for expression in expressions_in_modifier(each) for name in names_in(expression)]
    near = Counter([*(each.parts[0] for each in read), *([number.of.id] * (len(read) + 1) if number.of else [])])
    roles = sorted((each for each in ruleset.roles.values() if near[each.id]), key=lambda each: -near[each.id])
    entities = [(role, ruleset.entities.get(role.entity.id)) for role in roles]
    fields = [(f"{role.id}.{field.id}", field) for role, entity in entities if entity for field in entity.fields]
    facts = [*fields, *((each.id, each) for each in ruleset.facts.values())]
    return [path for path, field in facts if _is_switch(field)]


def _is_switch(field: Field) -> bool:
    if field.type is None or field.type.kind != "boolean":
        return False
    return field.default is not None or field.may_be_unknown


def _rows(ruleset: Ruleset) -> Iterator[Proposal]:
    """Of each table a row that comes to say what the row before it does; tables of figures first."""
    for table in sorted(ruleset.tables.values(), key=lambda each: each.columns[0].type.kind == "choice"):
        yield from islice(_changed_rows(table), 1)


def _changed_rows(table: Table) -> Iterator[Proposal]:
    for before, row in pairwise(table.rows):
        keys = [_row_key(*each) for each in zip(row.keys, table.keys, strict=True)]
        if all(keys):
            yield from _cells(table, before, row, rows_key([key for key in keys if key]))


def _cells(table: Table, before: Row, row: Row, key: str) -> Iterator[Proposal]:
    for column, other, cell in zip(table.columns, before.cells, row.cells, strict=True):
        was, text = (_cell_text(each) if each else "" for each in (cell, other))
        if was and text and was != text:
            below = () if len(table.columns) == 1 and column.id == "value" else (column.id,)
            yield Proposal(f"{path_text(('tables', table.id, 'rows', key, *below))}: {text}", name_of(table), was)


def _row_key(key: Alternative | Position | None, declared: Key) -> str | None:
    """One key of the row as text; None where it is not plain."""
    if isinstance(key, Position):
        low = literal(declared.type.low) if declared.type.kind == "range" and declared.type.low else None
        return None if low is None else str(low + key.index)
    return _key_text(key) if key else None


def _key_text(key: Alternative) -> str | None:
    low, high = (_plain(each) if each else None for each in (key.low, key.high))
    if low is None or high is None or not key.is_band:
        return low or high
    return f"{low}..{high}"


def _plain(expression: Expression) -> str | None:
    value = literal(expression)
    return str(value) if value is not None else expression.text if isinstance(expression, Name) else None


def _cell_text(cell: Cell) -> str:
    """What a cell says; nothing where it is no plain figure or word."""
    value = cell.value
    if not isinstance(value, Adjustment):
        return _plain(value) or ""
    amount = literal(value.value)
    if amount is None:
        return ""
    return f"{value.sign} {amount}" if value.sign in ("better", "worse") else f"{amount:+d}" if amount else "0"


def _removals(ruleset: Ruleset) -> Iterator[Proposal]:
    for each in reversed(ruleset.modifiers.values()):
        yield Proposal(f"modifiers.{each.id}: remove", name_of(each))


def _cases(ruleset: Ruleset) -> Iterator[Proposal]:
    """After the first case of a step with a die of its own: one face of it that has a case to itself."""
    for check in ruleset.checks.values():
        for step in check.steps:
            path = path_text(("checks", check.id, *(("steps", step.id) if step.id else ()), "cases", OWN_ID))
            for anchor, outcome in _gaps(step, check):
                for die, faces in _dice(step):
                    for face in faces:
                        body = f"after: {anchor.id}, when: {die} == {face}, outcome: {outcome}"
                        yield Proposal(f"{path}: {{{body}}}", name_of(check), anchor.id)


def _gaps(step: Step, check: Check) -> Iterator[tuple[Case, str]]:
    """Cases that others come after, each with an outcome that a case beside it may have."""
    outcomes = [case.outcome.text for case in step.cases if isinstance(case.outcome, Name)]
    for case in step.cases[:-1]:
        for outcome in outcomes[:1] or [each.id for each in check.outcomes[:1]]:
            yield case, outcome


def _dice(step: Step) -> Iterator[tuple[str, list[int]]]:
    for each in step.roll:
        if isinstance(each.dice, DiceLiteral) and each.when is None and each.dice.keep is None:
            low, high = each.dice.count, each.dice.count * each.dice.faces
            name = f"{step.id}.{each.id}" if step.id else each.id
            yield name, [face for face in (high - 1, low + 1) if low < face < high]


def _preferences(ruleset: Ruleset) -> Iterator[Proposal]:
    """Something that a layer beside others defines; of the packs first."""
    layers = [each.id for each in ruleset.manifest.layers]
    for section, definitions in (("modifiers", ruleset.modifiers), ("numbers", ruleset.numbers)):
        found: Mapping[str, Definition] = definitions
        for each in sorted(found.values(), key=lambda each: -_height(each, layers)):
            path = path_text((section, each.id))
            yield Proposal(f"prefer: {{{path}: {each.place.file.layer}}}", name_of(each), each.place.file.layer)


def _height(definition: Definition, layers: list[str]) -> int:
    layer = definition.place.file.layer
    return layers.index(layer) if layer in layers else -1


def literal(expression: Expression) -> int | None:
    """The whole number that an expression is written as, or None."""
    if isinstance(expression, Unary) and expression.operator == "-" and isinstance(expression.operand, Integer):
        return -expression.operand.value
    return expression.value if isinstance(expression, Integer) else None


_KINDS: dict[str, Callable[[Ruleset], Iterator[Proposal]]] = {
    "number": _numbers,
    "more": _more,
    "option": _options,
    "adjustment": _adjustments,
    "modifier": _modifiers,
    "row": _rows,
    "removal": _removals,
    "case": _cases,
    "preference": _preferences,
}
