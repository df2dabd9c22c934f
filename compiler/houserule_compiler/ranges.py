"""What stands after `FACT=` of a sweep, as values of the fact: `1..20`, `10..-10`, `1..20:5`, `a,b,unknown`, `*`.

Ranges stay counted and unmade until it is known that the grid is not too large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from houserule.facts import field_of, fitted
from houserule.limits import PIPS
from houserule.values import UNKNOWN, MisfitError, Unknown, exact, held, integer_in, shown

from .messages import sweep as messages
from .representatives import knows

if TYPE_CHECKING:
    from houserule.errors import Problem
    from houserule.expression import Read
    from houserule.program import Field, Program
    from houserule.values import Words

Value: TypeAlias = "bool | int | str | tuple[str, ...] | Unknown"
"""A value as a caller gives it: sets as tuples of words, fractions, dice and hit dice as texts."""
_HIT_DIE = 2 * PIPS + 1
_ORDERED = ("integer", "boolean", "choice", "hit_dice", "fraction")


class RangeError(Exception):
    """What is written gives no values; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Series:
    """Values by number: so many, each made when it is asked for."""

    count: int
    value: Callable[[int], Value]

    def __iter__(self) -> Iterator[Value]:
        return map(self.value, range(self.count))


def read_of(path: str) -> Read:
    """A fact's path as a read."""
    role, dot, field = path.partition(".")
    return ("field", role, field) if dot else ("fact", role)


def declared(program: Program, path: str) -> Field | None:
    """What a program declares of a fact that may be given; None if it knows none of that path."""
    read = read_of(path)
    return field_of(program, read) if knows(program, read) else None


@dataclass(frozen=True, slots=True)
class _Fact:
    """A fact of a program, by its path."""

    program: Program
    path: str
    field: Field

    @property
    def kind(self) -> str:
        return self.field.type.kind

    @property
    def words(self) -> Words:
        return self.program.words(self.field.type.choice) if self.field.type.choice else ()

    def code(self, text: str) -> int | Fraction | Unknown:
        """The code of one value. Raises `RangeError`."""
        try:
            if isinstance(fitted(self.program, text, self.field), Unknown):
                return UNKNOWN
            found = held(text, self.field.type, self.words)
        except MisfitError as error:
            raise RangeError(messages.misfit(self.path, error)) from None
        assert not isinstance(found, str)
        return found

    def given(self, code: int | Fraction | Unknown) -> Value:
        """A code as a caller gives it."""
        if isinstance(code, Unknown):
            return UNKNOWN
        found = shown(bool(code) if self.kind == "boolean" else code, self.field.type, self.words)
        return found if isinstance(found, bool | int | str | tuple) else str(found)


def fits(program: Program, path: str, values: Iterable[object]) -> Problem | None:
    """What is wrong with the first of some values that may not be given for a fact, or None."""
    field = declared(program, path)
    assert field is not None
    for value in values:
        try:
            fitted(program, value, field)
        except MisfitError as error:
            return messages.misfit(path, error)
    return None


def one(program: Program, path: str, text: str) -> Value:
    """The one value of a known fact that a text means. Raises `RangeError`."""
    field = declared(program, path)
    assert field is not None
    fact = _Fact(program, path, field)
    return text if fact.kind == "text" else fact.given(fact.code(text))


def series(program: Program, path: str, text: str) -> list[Series]:
    """The values of a known fact that a text means, in its order. Raises `RangeError`."""
    field = declared(program, path)
    assert field is not None
    if field.type.kind == "text":
        return [Series(1, lambda at: text)]
    return [_part(_Fact(program, path, field), each.strip()) for each in text.split(",")]


def _part(fact: _Fact, text: str) -> Series:
    if text in ("*", ".."):
        return _all(fact)
    low, dots, rest = text.partition("..")
    if not dots:
        value = fact.given(fact.code(text))
        return Series(1, lambda at: value)
    if fact.kind not in _ORDERED:
        raise RangeError(messages.no_order(fact.path, text))
    high, colon, step = rest.partition(":")
    return _span(fact, low.strip(), high.strip(), _step(fact, step.strip(), text) if colon else Fraction(1))


def _all(fact: _Fact) -> Series:
    if fact.kind in _ORDERED:
        return _span(fact, "", "", Fraction(1))
    if fact.kind == "set":
        return Series(1 << len(fact.words), fact.given)
    one_of = fact.field.type.one_of
    if one_of:
        return Series(len(one_of), lambda at: fact.given(one_of[at]))
    raise RangeError(messages.not_listed(fact.path))


def _step(fact: _Fact, text: str, whole: str) -> Fraction:
    """The step of a range. Raises `RangeError` for one that leads nowhere."""
    is_fraction = fact.kind == "fraction"
    above, slash, below = text.partition("/")
    numbers = [integer_in(above), integer_in(below) if slash else 1]
    if not numbers[0] or not numbers[1] or min(numbers[0], numbers[1]) < 0:
        raise RangeError(messages.bad_step(fact.path, whole, "0..2:1/4" if is_fraction else "1..20:5"))
    found = Fraction(numbers[0], numbers[1])
    if found.denominator != 1 and not is_fraction:
        raise RangeError(messages.whole_step(fact.path, whole))
    return found


def _span(fact: _Fact, low: str, high: str, step: Fraction) -> Series:
    """From one end to the other, up or down; an end that is left out is that of the type."""
    codes = [fact.code(end) if end else bound for end, bound in zip((low, high), _bounds(fact), strict=True)]
    if any(isinstance(code, Unknown) for code in codes):
        raise RangeError(messages.unknown_end(fact.path))
    first, last = (exact(code) for code in codes)  # type: ignore[arg-type]
    # From one hit die to the next is one step, whatever is added to each.
    stride = step * (_HIT_DIE if fact.kind == "hit_dice" else 1) * (1 if first <= last else -1)
    kept = Fraction if fact.kind == "fraction" else int
    return Series(int((last - first) // stride) + 1, lambda at: fact.given(kept(first + at * stride)))


def _bounds(fact: _Fact) -> tuple[int | Fraction, int | Fraction]:
    type = fact.field.type
    last = 1 if fact.kind == "boolean" else len(fact.words) - 1
    return 0 if type.low is None else type.low, last if type.high is None else type.high
