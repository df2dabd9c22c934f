"""Parts of the rules in words, for a ruleset of which only the artifact is there, and cells of tables."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houserule.decode_expression import expression
from houserule.errors import HouseruleError
from houserule.values import described, shown, text_of

from .changed_expressions import brief
from .sheet_numbers import amount
from .wording import Wording

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.program import Cell, Column, Program, Stored, Type

_EXPRESSIONS = frozenset(("when", "base", "value", "by", "times", "is", "dice"))
_READS = frozenset(("field", "its", "fact", "option", "number", "local", "condition", "declares"))
_OPS = frozenset(("add", "set", "multiply", "at_least", "at_most"))


def part_text(rules: Rules, path: str, value: Any) -> str:
    """What stands at a path, in words; plain data where there are none."""
    try:
        return _worded(rules, path, value)
    except (HouseruleError, KeyError, IndexError, AssertionError, TypeError):
        # A part of play may speak of chairs and locals that have no words outside it.
        return _plain(value)


def _worded(rules: Rules, path: str, value: Any) -> str:
    program = rules.program
    section, id, *rest = path.split(".")
    last = rest[-1] if rest else ""
    if ".adjust." in path and isinstance(value, list) and value and value[0] in _OPS:
        number = program.numbers[path.partition(".adjust.")[2].partition("[")[0]]
        return amount(Wording(program, number.of), value[0], expression(value[2], path), number, value[1])
    if section == "options" and last == "default":
        return _given(program, value, program.options[id].type)
    if (section == "entities" and last in ("type", "default")) or (section == "facts" and last in ("type", "default")):
        return _of_field(rules, section, id, rest, value)
    if last == "outcome" and section == "checks" and isinstance(value, int):
        return program.checks[id].outcomes[value].id
    if last in _EXPRESSIONS:
        owner = program.numbers[id].of if section == "numbers" else ""
        return Wording(program, owner).text(expression(value, path))
    return _plain(value)


def _of_field(rules: Rules, section: str, id: str, rest: list[str], value: Any) -> str:
    program = rules.program
    field = program.facts[id] if section == "facts" else program.entities[id].fields[rest[0]]
    words = program.words(field.type.choice) if field.type.choice else ()
    return described(field.type, words) if rest[-1] == "type" else _given(program, value, field.type)


def _given(program: Program, value: Any, type: Type) -> str:
    """A value as it is given, and not as people say it."""
    return text_of(shown(value, type, program.words(type.choice) if type.choice else ()))


def _plain(value: Any) -> str:
    """Plain data as text: words, lists, and expressions in short."""
    match value:
        case str():
            return value
        case bool() | None:
            return json.dumps(value)
        case [str(op), "" | "up" | "down" | "nearest", amount] if op in _OPS:
            return _plain(amount) if op == "set" else f"{op.replace('_', ' ')} {_plain(amount)}"
        case [[*_], *_]:
            return ", ".join(_plain(each) for each in value)
        case [str(head), *rest] if head in _READS or not all(isinstance(each, str) for each in rest):
            return brief(value)
        case [*each]:
            return ", ".join(map(_plain, each))
        case {**inner}:
            return ", ".join(f"{key} {_plain(part)}" for key, part in inner.items())
    return json.dumps(value, ensure_ascii=False)


def cell_text(rules: Rules, table: str, cell: Stored | Cell, column: Column) -> str:
    """A cell of a table."""
    words = Wording(rules.program, table=rules.program.tables[table])
    if isinstance(cell, int | str | Fraction):
        return words.value(cell, column.type)
    return words.text(cell.expr, column.type)
