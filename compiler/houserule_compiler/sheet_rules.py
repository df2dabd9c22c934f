"""Tables, numbers, modifiers and checks as a referee reads them: lines of text for `sheet`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.program import Effect, Operation, Type
from houserule.rules import places
from houserule.values import text_of

from .columns import columns
from .notation import Notation, type_text

if TYPE_CHECKING:
    from houserule import Rules, Wanted
    from houserule.program import Case, Check, Entry, Expr, Label, Modifier, Number, Program, Step, Table

Lines: TypeAlias = list[str]

WIDTH = 110
_SIGNS = {"set": "set to ", "multiply": "x ", "at_least": "at least ", "at_most": "at most "}


def indented(lines: Iterable[str]) -> Lines:
    """The lines two spaces further in."""
    return [f"  {each}" if each else "" for each in lines]


def table(rules: Rules, declared: Table) -> Lines:
    """Every row; a table of two keys as a grid, where that is narrow enough to print."""
    found = rules.tables[declared.label.id]
    rows = [(keys, _cells(given)) for keys, given in found.rows()]
    grid = _grid(rows) if len(found.keys) == 2 and len(found.columns) == 1 else None
    if grid:
        return ["", f"{found.keys[0]} down, {found.keys[1]} across", *columns(grid, lambda at: at > 0).split("\n")]
    heads = [*found.keys, *("" if each == "value" else each for each in found.columns)]
    body = [heads, *([*keys, *cells] for keys, cells in rows)]
    return ["", *columns(body, lambda at: at >= len(found.keys)).split("\n")]


def _cells(given: Any) -> list[str]:
    return [text_of(given[each]) for each in given] if hasattr(given, "keys") else [text_of(given)]


def _grid(rows: Sequence[tuple[tuple[str, ...], list[str]]]) -> list[list[str]] | None:
    """A table of two keys as a grid, if every row has the same columns and they are few enough to print."""
    across = list(dict.fromkeys(keys[1] for keys, _ in rows))
    down: dict[str, dict[str, str]] = {}
    for keys, cells in rows:
        down.setdefault(keys[0], {})[keys[1]] = cells[0]
    if len(across) > 24 or any(list(each) != across for each in down.values()):
        return None
    return [["", *across], *([key, *each.values()] for key, each in down.items())]


def number(rules: Rules, declared: Number) -> Lines:
    """What a number is, what it is made of, the modifiers that adjust it, and the facts that it reads."""
    program, notation = rules.program, Notation(rules.program)
    about = [
        f"of {declared.of}" if declared.of else "",
        f"while `{declared.within}` is rolled" if declared.within else "",
        f"{declared.better} is better" if declared.better else "",
        f"gives {type_text(program, declared.type)}",
    ]
    lines = [", ".join(filter(None, about)), "", *_led("base: ", _chain(notation, declared.base, declared.type))]
    rows = [row for entry in declared.entries for row in _amounts(program, notation, entry, declared.type)]
    if rows:
        heads = ("adjusts by", "modifier", "when", "stacks in")
        lines += ["", *columns([heads, *rows]).split("\n")]
    return [*lines, *_reads(rules.number(declared.label.id).facts)]


def modifier(rules: Rules, declared: Modifier) -> Lines:
    """When a modifier applies, and what it does to each number."""
    program, notation = rules.program, Notation(rules.program)
    lines = [f"when: {declared.text}"] if declared.text else []
    for each in program.numbers.values():
        mine = [entry for entry in each.entries if entry.modifier == declared.label.id]
        rows = [row for entry in mine for row in _amounts(program, notation, entry, each.type)]
        if rows:
            cells = [(amount, when, group and f"stacks in {group}") for amount, _, when, group in rows]
            lines += ["", f"adjusts {each.label.id}", *indented(columns(cells).split("\n"))]
    return lines


def check(rules: Rules, declared: Check) -> Lines:
    """A check's outcomes, steps, dice, values and cases, and the facts that it reads."""
    program = rules.program
    notation = Notation(program, locals=dict(places(program, declared)))
    words = Type("choice", choice=declared.choice or f"{declared.label.id}.outcome")
    lines = ["outcomes: " + ", ".join(_named(each) for each in declared.outcomes), ""]
    for each in declared.steps.values():
        lines += _step(notation, words, each, each.label.id)
    for word, each in declared.then.items():
        lines += _step(notation, words, each, f"then, on {word}")
    return [*lines, *_reads(rules.check(declared.label.id).facts)]


def _led(lead: str, lines: Lines) -> Lines:
    """Lines behind a word, the further ones below the first."""
    return [(" " * len(lead) if at else lead) + line for at, line in enumerate(lines)]


def _chain(notation: Notation, expr: Expr, wanted: Type) -> Lines:
    """An expression, a chain of `if ... else` broken at each `else` where it is long."""
    whole = notation.text(expr, wanted)
    if len(whole) <= WIDTH - 20 or not isinstance(expr, Operation) or expr.operator != "if":
        return [whole]
    condition, then, otherwise = expr.operands
    first = f"if {notation.text(condition)} then {notation.text(then, wanted, is_inner=True)}"
    lines = textwrap.wrap(first, WIDTH - 20, subsequent_indent="  ", break_long_words=False)
    rest = _chain(notation, otherwise, wanted)
    return [*lines, *(f"else {line}" if at == 0 else line for at, line in enumerate(rest))]


def _reads(facts: Sequence[Wanted]) -> Lines:
    rows = [(each.path, each.expects, _need(each)) for each in facts]
    return ["", "reads", *indented(columns(rows).split("\n"))] if rows else []


def _need(fact: Wanted) -> str:
    if fact.required:
        return "required"
    if fact.may_be_unknown or fact.default is None:
        return "may be unknown"
    return f"{text_of(fact.default)} by default"


def _amounts(program: Program, notation: Notation, entry: Entry, type: Type) -> list[tuple[str, str, str, str]]:
    """A row for each amount that a modifier can come to: the amount, the modifier, when, and its stacking group."""
    label = program.modifiers[entry.modifier].label if entry.modifier in program.modifiers else None
    name = (label.title if label else "") or entry.modifier
    when = notation.text(entry.when) if entry.when is not None else ""
    times = f" for each {notation.text(entry.times)}" if entry.times is not None else ""
    if entry.value is not None:
        return [(_amount(notation, entry, entry.value, type) + times, name, when, entry.group)]
    read = entry.by if entry.by is not None else entry.each
    assert read is not None
    rows = []
    for grade in entry.grades:
        band = f"{notation.text(read)} {notation.band(grade.low, grade.high, notation.type_of(read))}"
        amount = _amount(notation, entry, grade.value, type) + times
        rows.append((amount, name, " and ".join(filter(None, [band, when])), entry.group))
    return rows


def _amount(notation: Notation, entry: Entry, value: Expr, type: Type) -> str:
    if entry.op == "add" and isinstance(value, int):
        return f"{value:+d}" if value else "0"
    rounding = f", rounded {entry.round}" if entry.round else ""
    return f"{_SIGNS.get(entry.op, '')}{notation.text(value, type)}{rounding}"


def _named(label: Label) -> str:
    return f"{label.id} ({label.title})" if label.title else label.id


def _step(notation: Notation, words: Type, step: Step, name: str) -> Lines:
    lines: Lines = []
    if step.call:
        seats = ", ".join(f"{player} as {chair}" for chair, player in step.call.seats)
        lines.append(f"check {step.call.check}" + (f" with {seats}" if seats else ""))
        for adjust in step.call.adjusts:
            lines.append(f"  {adjust.number}: {_SIGNS.get(adjust.op, '')}{notation.text(adjust.value)}")
    lines += _acts(notation, step)
    for case in step.cases:
        lines += _case(notation, words, case)
    if not name:
        return lines
    return [f"{name}:" + (f" {step.label.title}" if step.label.title else ""), *indented(lines)]


def _acts(notation: Notation, part: Step | Case) -> Lines:
    """The dice, values and effects of a step or case."""
    lines = [f"roll {die.label.id}: {notation.text(die.dice)}{_if(notation, die.when)}" for die in part.roll]
    lines += [f"{each.label.id} = {notation.text(each.value, each.type)}" for each in part.values]
    for each in part.effects:
        if not isinstance(each, Effect):
            lines.append(f"event {each.event}{_if(notation, each.when)}")
            continue
        change = ("+ " if each.op == "add" else _SIGNS[each.op]) + notation.text(each.value)
        lines.append(f"effect {each.role}.{each.field}: {change}{_if(notation, each.when)}")
    return lines


def _if(notation: Notation, when: Expr | None) -> str:
    return f" if {notation.text(when)}" if when is not None else ""


def _case(notation: Notation, words: Type, case: Case) -> Lines:
    outcome = notation.text(case.outcome, words) if case.outcome is not None else "nothing more"
    end = f"go to {case.go}" if case.go else outcome
    name = case.label.title or case.label.id.replace("_", " ")
    # The one case of a step that gives its outcome by an expression has no name and no condition.
    if not name and case.when is None:
        return [end, *_acts(notation, case)]
    when = f"if {notation.text(case.when)}" if case.when is not None else "otherwise"
    return [f"{when}: {end}" + (f"  ({name})" if name not in ("", outcome) else ""), *indented(_acts(notation, case))]
