"""The value of a number: its base, the entries that apply, what stacking leaves, and the order of their work."""

from __future__ import annotations

from .arithmetic import ROUNDING, bounded
from .errors import ArtifactError, UnknownReadError
from .stack import Amount, stack
from .trace import Entry, labelled, told_apart
from .values import exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from dataclasses import dataclass
    from fractions import Fraction

    from . import program
    from .evaluate import Evaluator, Frame, Value
    from .program import Number
    from .trace import Status
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one entry: an amount with what was read for it, or why there is none."""

    modifier: str
    amount: Amount | None
    status: Status
    why: tuple[str, ...] = ()
    parts: tuple[Entry, ...] = ()
    step: str = ""
    row: int | None = None


def number(evaluator: Evaluator, declared: Number, frame: Frame) -> tuple[int | Fraction, Entry | None]:
    """The value of a number, and its entry of the trace where one is wanted. `frame` has the number's own seats."""
    base, read = evaluator.noted(declared.base, frame)
    found = [line for entry in declared.entries for line in lines(evaluator, entry, frame)]
    found += [
        Line("", Amount("", each.op, each.value, "", each.round), "kept", step=each.step)
        for each in frame.adjusts
        if each.number == declared.label.id
    ]
    amounts = [line.amount for line in found if line.amount is not None]
    dropped = stack(amounts, evaluator.program.stacking, declared.better)
    kept = [amount for position, amount in enumerate(amounts) if position not in dropped]
    value = combined(base, kept, is_integer=declared.type.kind == "integer")  # type: ignore[arg-type]
    if evaluator.notes is None:
        return value, None
    start = _base_entry(evaluator, declared, base, read)
    parts = (start, *_entries(evaluator, declared, found, amounts, dropped))
    shown = evaluator.shown(value, declared.type)
    return value, labelled("number", declared.label, shown, parts, path=f"numbers.{declared.label.id}")


def base_entry(evaluator: Evaluator, declared: Number, frame: Frame) -> Entry:
    """The entry of a number's base in the trace."""
    return _base_entry(evaluator, declared, *evaluator.noted(declared.base, frame))


def entries_together(
    evaluator: Evaluator, declared: Number, entries: Sequence[program.Entry], frame: Frame
) -> tuple[tuple[Entry, ...], ...]:
    """For each of some entries its part of the trace. Beside them are all that compete with one of them."""
    each = [lines(evaluator, entry, frame) for entry in entries]
    found = [line for some in each for line in some]
    amounts = [line.amount for line in found if line.amount is not None]
    dropped = stack(amounts, evaluator.program.stacking, declared.better)
    told = iter(_entries(evaluator, declared, found, amounts, dropped))
    return tuple(tuple(next(told) for _ in some) for some in each)


def combined(base: int | Fraction, amounts: Sequence[Amount], is_integer: bool) -> int | Fraction:
    """The value after all amounts that count: set, add, multiply and round once, at least, at most.

    Sets that remain agree in every compiled program; where they do not, the last counts.
    """
    value, factor, rounding = base, _ONE, ""
    for amount in amounts:
        if amount.op == "set":
            value = amount.value
    for amount in amounts:
        if amount.op == "add":
            value = bounded(value + amount.value)
        elif amount.op == "multiply":
            factor, rounding = bounded(factor * amount.value), amount.round or rounding
    value = bounded(value * factor)
    value = ROUNDING[rounding](value) if rounding else value
    value = max([value, *(amount.value for amount in amounts if amount.op == "at_least")])
    value = min([value, *(amount.value for amount in amounts if amount.op == "at_most")])
    if not is_integer:
        return exact(value)
    if value.denominator != 1:
        raise ArtifactError("this artifact is damaged: a number that is an integer comes to a fraction")
    return value.numerator


_ONE: int | Fraction = 1


def lines(evaluator: Evaluator, entry: program.Entry, frame: Frame) -> list[Line]:
    """What an entry comes to: one line, or one for each word of a set."""
    unknown = evaluator.unknown(entry.needs, frame)
    if unknown:
        return [Line(entry.modifier, None, "not_known", unknown)]
    try:
        holds, read = evaluator.noted(True if entry.when is None else entry.when, frame)
        if not holds:
            text = evaluator.program.modifiers[entry.modifier].text
            return [Line(entry.modifier, None, "does_not_apply", (text,) if text else (), read)]
        return _amounts(evaluator, entry, frame, read)
    except UnknownReadError as error:
        return [Line(entry.modifier, None, "not_known", (error.path,))]


def _amounts(evaluator: Evaluator, entry: program.Entry, frame: Frame, read: tuple[Entry, ...]) -> list[Line]:
    """The amounts of an entry that applies; `read` is what its condition read."""
    codes: list[int | Fraction | None] = [None]
    more: tuple[Entry, ...] = ()
    if entry.by is not None:
        graded, more = evaluator.noted(entry.by, frame)
        codes = [graded]  # type: ignore[list-item]
    elif entry.each is not None:
        mask, more = evaluator.noted(entry.each, frame)
        codes = [code for code in range(int(mask).bit_length()) if int(mask) >> code & 1]  # type: ignore[arg-type]
    read = told_apart(read + more) if more else read
    each_line = [_line(evaluator, entry, code, frame, read) for code in codes]
    found = [line for line in each_line if line is not None]
    return found or [Line(entry.modifier, None, "does_not_apply", (), read)]


def _line(
    evaluator: Evaluator, entry: program.Entry, code: int | Fraction | None, frame: Frame, read: tuple[Entry, ...]
) -> Line | None:
    """The line of one grade; None where there is no grade for it."""
    row = None if code is None else grade_of(entry, code)
    expr = entry.value if code is None else entry.grades[row].value if row is not None else None
    if expr is None:
        return None
    value, more = evaluator.noted(expr, frame)
    amount: int | Fraction = value  # type: ignore[assignment]
    if entry.times is not None:
        times, counted = evaluator.noted(entry.times, frame)
        amount, more = bounded(amount * times), more + counted  # type: ignore[operator,assignment]
    found = Amount(entry.modifier, entry.op, amount, entry.group, entry.round)
    return Line(entry.modifier, found, "kept", (), read + more, row=row)


def grade_of(entry: program.Entry, code: int | Fraction) -> int | None:
    """Which of the grades holds a code, or None."""
    for row, grade in enumerate(entry.grades):
        if (grade.low is None or grade.low <= code) and (grade.high is None or code <= grade.high):
            return row
    return None


def _base_entry(evaluator: Evaluator, declared: Number, base: Value, read: tuple[Entry, ...]) -> Entry:
    shown = evaluator.shown(base, declared.type)
    return Entry("base", "base", shown, path=f"numbers.{declared.label.id}.base", parts=read)


def _entries(
    evaluator: Evaluator, declared: Number, lines: list[Line], amounts: list[Amount], dropped: dict[int, int]
) -> tuple[Entry, ...]:
    """The lines as entries of the trace, with what stacking dropped."""
    sets = [at for at, amount in enumerate(amounts) if amount.op == "set" and at not in dropped]
    last = amounts[sets[-1]].value if sets else 0
    at, result = -1, []
    for line in lines:
        status, why = line.status, line.why
        if line.amount is not None:
            at += 1
            if at in dropped:
                status, why = "dropped", (line.amount.group, amounts[dropped[at]].modifier)
            elif at in sets and line.amount.value != last:
                status = "overridden"
        result.append(_entry(evaluator, declared, line, status, why))
    return tuple(result)


def _entry(evaluator: Evaluator, declared: Number, line: Line, status: Status, why: tuple[str, ...]) -> Entry:
    value = None if line.amount is None else _shown(line.amount.value)
    op = "" if line.amount is None else line.amount.op
    if not line.modifier:
        return Entry("adjustment", line.step, value, status, op=op, why=why)
    label = evaluator.program.modifiers[line.modifier].label
    path = f"modifiers.{label.id}.adjust.{declared.label.id}"
    path = path if line.row is None else evaluator.program.origins.keyed(path, line.row)
    return Entry("modifier", label.id, value, status, label.title, op, why, label.source, path, line.parts, line.row)


def _shown(value: int | Fraction) -> int | Fraction:
    """An amount: whole where it is."""
    return value.numerator if value.denominator == 1 else value
