"""Tables, numbers and modifiers as a referee reads them: blocks for `sheet`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from houserule.program import Cell, Operation
from houserule.values import described, hit_dice_text, text_of

from .sheet_layout import Block, Paragraph, Table, paragraphs
from .wording import Wording, band, called, listed, plain, quoted

if TYPE_CHECKING:
    from houserule import Rules, Wanted
    from houserule.program import Column, Entry, Expr, Field, Modifier, Number, Program
    from houserule.program import Table as Declared

_WIDEST_GRID = 24


def table(rules: Rules, declared: Declared) -> list[Block]:
    """Every row; of a table of two keys a grid, where that is narrow enough to print."""
    found = _merged(rules.program, list(rules.tables[declared.label.id].spans()), declared)
    words = Wording(rules.program, table=declared)
    cells = [
        [_cell(words, each, column) for each, column in zip(row, declared.columns, strict=True)]
        for row in declared.rows
    ]
    rows = [(tuple(map(_span, keys, declared.keys)), cells[row]) for keys, row in found]
    names = ["" if each.label.id == "value" else _head(each) for each in declared.columns]
    if len(declared.keys) == 2 and (grid := _grid(rows)):
        down, across = (called(each.label) for each in declared.keys)
        given = f"; in each cell {' / '.join(names)}" if any(names) else ""
        title = f"{down} down, {across} across{given}"
        return [Table(tuple(grid[0]), tuple(map(tuple, grid[1:])), right=1, title=title)]
    head = [*(_head(each) for each in declared.keys), *names]
    body = [(*keys, *given) for keys, given in rows]
    if len(declared.keys) > 1:
        body = list(_once(body))
    return [Table(tuple(head), tuple(body), right=_first_number(declared))]


def _first_number(declared: Declared) -> int:
    """The column from which on there are numbers alone, which stand flush right."""
    kinds = [*("word" for _ in declared.keys), *(each.type.kind for each in declared.columns)]
    return max((at + 1 for at, kind in enumerate(kinds) if kind not in ("integer", "fraction")), default=0)


def _head(column: Column) -> str:
    return column.label.title or plain(column.label.id)


def _merged(
    program: Program, spans: Sequence[tuple[tuple[str, ...], int]], declared: Declared
) -> list[tuple[tuple[str, ...], int]]:
    """The spans with those of one row in one, where the last key is a word: `spear, lance or javelin`."""
    type = declared.keys[-1].type
    if type.kind != "choice":
        return list(spans)
    words = [each.id for each in program.words(type.choice)]
    found: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for keys, row in spans:
        low, _, high = keys[-1].partition("..")
        codes = slice(words.index(low) if low else None, words.index(high or low) + 1 if high or low else None)
        found.setdefault((keys[:-1], row), []).extend(map(plain, words[codes]))
    return [((*keys, ", ".join(last)), row) for (keys, row), last in found.items()]


def _span(key: str, column: Column) -> str:
    """A span of keys in words; one that reaches an end of what the key can be is open there."""
    low, dots, high = key.partition("..")
    if not dots:
        return plain(key)
    ends = [_end(column, column.type.low), _end(column, column.type.high)]
    return band("" if low == ends[0] else low, "" if high == ends[1] else high)


def _end(column: Column, code: object) -> str:
    return hit_dice_text(int(str(code))) if column.type.kind == "hit_dice" else str(code)


def _cell(words: Wording, given: object, column: Column) -> str:
    if isinstance(given, Cell):
        return words.text(given.expr, column.type)
    return words.value(given, column.type)


def _grid(rows: Sequence[tuple[tuple[str, ...], list[str]]]) -> list[list[str]] | None:
    """A table of two keys as a grid, if every row has the same columns and they are few enough to print."""
    across = list(dict.fromkeys(keys[1] for keys, _ in rows))
    down: dict[str, dict[str, str]] = {}
    for keys, cells in rows:
        down.setdefault(keys[0], {})[keys[1]] = " / ".join(cells)
    if len(across) > _WIDEST_GRID or any(list(each) != across for each in down.values()):
        return None
    return [["", *across], *([key, *each.values()] for key, each in down.items())]


def number(rules: Rules, declared: Number) -> list[Block]:
    """What a number is, what it is made of, the modifiers that adjust it, and the facts that it reads."""
    program, words = rules.program, Wording(rules.program, declared.of)
    about = [
        f"of the {plain(declared.of)}" if declared.of else "",
        f"while {quoted(plain(declared.within))} is rolled" if declared.within else "",
        f"{declared.better} is better" if declared.better else "",
        f"from {declared.type.low} to {declared.type.high}",
    ]
    found: list[Block] = [Paragraph(", ".join(filter(None, about)))]
    found += paragraphs([("base", words.text(declared.base, declared.type))])
    rows = [row for entry in declared.entries for row in _amounts(program, words, entry, declared)]
    if rows:
        found.append(Table(("modifier", "when", "amount", "stacks in"), tuple(_once(rows))))
    return [*found, *reads(rules.number(declared.label.id).facts)]


def _once(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The rows with the name of a modifier at its first row alone."""
    before = ""
    for name, *rest in rows:
        yield ("" if name == before else name, *rest)
        before = name


def modifier(rules: Rules, declared: Modifier) -> list[Block]:
    """When a modifier applies, and what it does to each number; a condition that is the same for all stands once."""
    program = rules.program
    rows: list[tuple[str, ...]] = []
    for each in program.numbers.values():
        name = called(each.label) + (f", of the {plain(each.of)}" if each.of else "")
        words = Wording(program, each.of)
        mine = [entry for entry in each.entries if entry.modifier == declared.label.id]
        rows += [(name, *row[1:]) for entry in mine for row in _amounts(program, words, entry, each)]
    groups = {row[3] for row in rows if row[3]}
    found = paragraphs([("stacks in", ", ".join(sorted(groups)))])
    whens = {row[1] for row in rows}
    if len(whens) == 1:
        found = [*paragraphs([("when", whens.pop())]), *found]
        return [*found, Table(("adjusts", "amount"), tuple(_once((row[0], row[2]) for row in rows)))]
    return [*found, Table(("adjusts", "when", "amount"), tuple(_once(row[:3] for row in rows)))]


def _amounts(program: Program, words: Wording, entry: Entry, number: Number) -> list[tuple[str, ...]]:
    """A row for each amount that a modifier can come to: the modifier, when, the amount, and its stacking group."""
    label = program.modifiers[entry.modifier].label if entry.modifier in program.modifiers else None
    name = (label.title if label else "") or plain(entry.modifier)
    when = [words.text(entry.when)] if entry.when is not None else []
    when += [f"for each of {words.text(entry.times)}"] if entry.times is not None else []
    group = plain(entry.group)
    if entry.value is not None:
        said = amount(words, entry.op, entry.value, number, entry.round)
        return [(name, ", ".join(when) or "always", said, group)]
    read = entry.by if entry.by is not None else entry.each
    assert read is not None
    rows: list[tuple[str, ...]] = [(name, ", ".join([f"by {words.text(read)}", *when]), "", group)]
    for grade in entry.grades:
        given = _grade(words, grade.low, grade.high, read)
        rows.append((name, f". {given}", amount(words, entry.op, grade.value, number, entry.round), ""))
    return rows


def _grade(words: Wording, low: int | None, high: int | None, read: Expr) -> str:
    type = words.type_of(read)
    if type is not None and type.kind == "set" and low is not None and high is not None:
        names = words.program.words(type.choice)
        return listed([called(names[code]) for code in range(low, high + 1)])
    return words.band(low, high, type)


def amount(words: Wording, op: str, value: Expr, number: Number, rounding: str = "") -> str:
    """What an adjustment comes to; of a number that is better when it is lower, which way it goes."""
    rounded = f", rounded {rounding}" if rounding else ""
    if op != "add":
        lead = {"set": "becomes ", "multiply": "times ", "at_least": "at least ", "at_most": "at most "}[op]
        return lead + words.text(value, number.type) + rounded
    if isinstance(value, int):
        if number.better != "lower" or not value:
            return f"{value:+d}" if value else "0"
        return f"{'worse' if value > 0 else 'better'} {abs(value)}"
    if isinstance(value, Operation) and value.operator == "if":
        condition, then, otherwise = value.operands
        one, other = (amount(words, op, each, number) for each in (then, otherwise))
        return f"{one} if {words.text(condition)}, else {other}"
    is_less = isinstance(value, Operation) and value.operator == "neg"
    said = words.text(value.operands[0] if is_less and isinstance(value, Operation) else value, number.type)
    if number.better == "lower":
        return f"{'better' if is_less else 'worse'} {said}"
    return f"{'less' if is_less else 'plus'} {said}"


def reads(facts: Sequence[Wanted]) -> list[Block]:
    """The facts that a number or check asks for, with what may be given."""
    rows = tuple((each.path, each.title, each.expects, _need(each)) for each in facts)
    return [Table(("fact", "what it is", "what may be given", ""), rows, title="asks for")] if rows else []


def _need(fact: Wanted) -> str:
    if fact.required:
        return "required"
    if fact.may_be_unknown or fact.default is None:
        return "may be unknown"
    return f"else {text_of(fact.default) or 'none'}"


def given(program: Program, field: Field) -> tuple[str, str]:
    """What may be given for a field or fact, and what holds where nothing is."""
    type = field.type
    kind = "a side" if type.kind == "side" else described(type, program.words(type.choice) if type.choice else ())
    if field.is_optional:
        return kind, "may be unknown"
    if field.default is None:
        return kind, "required"
    shown = text_of(bool(field.default)) if type.kind == "boolean" else Wording(program).value(field.default, type)
    return kind, f"else {shown or 'none'}"
