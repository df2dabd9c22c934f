"""Expressions of a program as Python syntax trees: constants folded, tables indexed, facts read once.

A `Function` is one function under construction, `Place` where in it an expression stands. Whatever the reference
evaluator would refuse is refused here too, by the same errors; it is tested only where intervals do not exclude it.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .arithmetic import STRICT
from .evaluate import pool_of
from .expression import (
    Attribute,
    ConditionRead,
    Constant,
    DiceTerm,
    FactRead,
    FieldRead,
    Has,
    ItsRead,
    Key,
    Known,
    Local,
    Lookup,
    NumberRead,
    Operation,
    OptionRead,
    Within,
)
from .intervals import Inside, is_safe
from .limits import LARGEST
from .reads import seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass
    from typing import Any, TypeAlias

    from .expression import Binding, Expr, Read
    from .fast import Fast
    from .intervals import Interval
    from .program import Field

    Locals: TypeAlias = Mapping[str, "tuple[str, bool]"]
    """Dice and values by path: the variable, and whether it may be unknown."""
else:
    from .records import dataclass

FACTS = "facts"
UNKNOWN = "UNKNOWN"
_COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class Place:
    """Who sits in which chair, whose computed field or which table's cell an expression is, and what is known there.

    `adjusts` are what callers do to numbers: number, operator, rounding and the variable of the amount. `spans` are
    between which numbers dice and values lie, as far as that is known.
    """

    binding: Binding = ()
    owner: str = ""
    keys: tuple[ast.expr, ...] = ()
    locals: Locals | None = None
    known: frozenset[str] = frozenset()
    adjusts: tuple[tuple[str, str, str, str], ...] = ()
    spans: Mapping[str, Interval] | None = None

    def player(self, chair: str) -> str:
        """Who sits in a chair."""
        return next((player for taken, player in self.binding if taken == chair), chair)

    def seated(self, seats: Binding) -> Place:
        """The same with other seats."""
        return self.changed(binding=seat(self.binding, seats)) if seats else self

    def knowing(self, *paths: str) -> Place:
        """The same where more is known."""
        return self.changed(known=self.known | set(paths))

    def changed(self, **parts: object) -> Place:
        """The same with some parts replaced."""
        from .records import changed

        return changed(self, **parts)


class Function:
    """One function under construction. `raises` tells whether it may come upon something unknown.

    `inlines` is how many numbers may still be worked out in place, before what reads them: only where it does no harm
    that one is worked out and not read in the end, and outside of numbers. `remembered` are the variables of numbers
    that are worked out once, when first read; None where that is not done. `told_before` gives the variable of a
    number that is there already.
    """

    def __init__(self, fast: Fast) -> None:
        self.fast = fast
        self.program = fast.program
        self.reads: dict[str, str] = {}
        self.body: list[ast.stmt] = []
        self.raises = False
        self.count = 0
        self.inlines = 0
        self.remembered: dict[object, str] | None = None
        self.told_before: Callable[[NumberRead, Place], ast.expr | None] = lambda expr, place: None

    def variable(self, start: str = "v") -> str:
        """A name that is not taken."""
        self.count += 1
        return f"{start}{self.count}"

    def define(self, id: str, parameters: tuple[str, ...]) -> ast.FunctionDef:
        """The function, with the facts that it reads at its head."""
        head = [
            syntax.assign(variable, syntax.element(syntax.name(FACTS), syntax.literal(path)))
            for path, variable in self.reads.items()
        ]
        return syntax.function(id, (FACTS, *parameters), [*head, *self.body])

    def once(self, key: object, found: ast.expr) -> ast.expr:
        """What is worked out when it is first read, and remembered."""
        assert self.remembered is not None
        variable = self.remembered.setdefault(key, f"once{len(self.remembered)}")
        is_there = syntax.compared(syntax.name(variable), ("is not", syntax.literal(None)))
        return syntax.chosen(is_there, syntax.name(variable), syntax.named(variable, found))

    def fact(self, path: str) -> ast.expr:
        """A given fact."""
        if path not in self.reads:
            self.reads[path] = self.variable("f")
        return syntax.name(self.reads[path])

    def value(self, expr: Expr, place: Place) -> ast.expr:
        """An expression."""
        if isinstance(expr, int):
            return syntax.literal(expr)
        match expr:
            case Operation():
                return self._operation(expr, place)
            case FieldRead(role, field):
                return self._field(place.player(role), field, place)
            case ItsRead(field):
                return self._field(place.owner, field, place)
            case FactRead(id):
                return self._given(id, self.program.facts[id], "", place)
            case OptionRead(id):
                return self.fast.constant(self.fast.options[id])
            case ConditionRead(id):
                return self.value(self.program.conditions[id].when, place.changed(owner="", keys=()))
            case NumberRead(id, roles):
                return self.told_before(expr, place) or self.fast.read_number(self, id, place.seated(roles))
            case Local(path):
                return self._local(path, place)
            case Key(position):
                return place.keys[position]
            case Lookup():
                return self.fast.look_up(self, expr, [self.value(key, place) for key in expr.keys], place)
            case Attribute():
                return self._attribute(expr, place)
            case Within():
                return self._within(expr, place)
            case Has(words, word):
                found = self.value(words, place)
                if isinstance(found, ast.Constant):
                    return syntax.literal(bool(int(found.value) >> word & 1))  # type: ignore[arg-type]
                return syntax.has_bit(found, word)
            case Known(read):
                return self.is_known(read, place)
            case Constant(value):
                return self.fast.constant(value)
            case DiceTerm():
                from .dice import Pool, Term

                term = Term(expr.count, expr.faces, expr.keep, expr.kept if expr.keep else 0)
                return self.fast.constant(Pool((term,)))
        raise TypeError(type(expr).__name__)

    def _field(self, role: str, field: str, place: Place) -> ast.expr:
        entity = self.program.roles[role].entity
        return self._given(f"{role}.{field}", self.program.entities[entity].fields[field], role, place)

    def _given(self, path: str, field: Field, owner: str, place: Place) -> ast.expr:
        if field.computed is not None:
            return self.value(field.computed, place.changed(owner=owner, keys=()))
        found = self.fact(path)
        return found if not field.is_optional or path in place.known else self._surely(found, path, "unread")

    def _local(self, path: str, place: Place) -> ast.expr:
        variable, may_be_unknown = (place.locals or {}).get(path, ("", True))
        if not variable:
            self.raises = True
            return syntax.call("unread_local", syntax.literal(path))
        found = syntax.name(variable)
        is_known = not may_be_unknown or local_name(path) in place.known
        return found if is_known else self._surely(found, path, "unread_local")

    def _surely(self, found: ast.expr, path: str, error: str) -> ast.expr:
        """A value, or an error where it is unknown."""
        self.raises = True
        known = syntax.compared(found, ("is not", syntax.name(UNKNOWN)))
        return syntax.chosen(known, found, syntax.call(error, syntax.literal(path)))

    def is_known(self, read: Read, place: Place) -> ast.expr:
        """Whether something that may be unknown is known."""
        if read[0] == "local":
            variable, may_be_unknown = (place.locals or {}).get(read[1], ("", True))
            if not variable or not may_be_unknown or local_name(read[1]) in place.known:
                return syntax.literal(bool(variable))
            return syntax.compared(syntax.name(variable), ("is not", syntax.name(UNKNOWN)))
        path, field, owner = self.declared(read, place)
        if field.computed is not None:
            found, truth = self.value(field.computed, place.changed(owner=owner, keys=())), syntax.literal(True)
            pair = syntax.sequence([found, truth])
            return truth if isinstance(found, ast.Constant) else syntax.element(pair, syntax.literal(1))
        if not field.is_optional or path in place.known:
            return syntax.literal(True)
        return syntax.compared(self.fact(path), ("is not", syntax.name(UNKNOWN)))

    def declared(self, read: Read, place: Place) -> tuple[str, Field, str]:
        """Of a read of a fact its path as callers name it, what is declared of it, and its owner."""
        if read[0] == "fact":
            return read[1], self.program.facts[read[1]], ""
        role = place.owner if read[0] == "its" else place.player(read[1])
        entity = self.program.roles[role].entity
        return f"{role}.{read[-1]}", self.program.entities[entity].fields[read[-1]], role

    def known_path(self, read: Read, place: Place) -> str:
        """The path under which a read is known once it was tested."""
        return local_name(read[1]) if read[0] == "local" else self.declared(read, place)[0]

    def _attribute(self, expr: Attribute, place: Place) -> ast.expr:
        type, values = self.program.choices[expr.choice].attributes[expr.attribute]
        held = tuple(pool_of(each) if type.kind == "dice" else each for each in values)
        word = self.value(expr.word, place)
        if isinstance(word, ast.Constant) and 0 <= int(word.value) < len(held):  # type: ignore[arg-type]
            return self.fast.constant(held[int(word.value)])  # type: ignore[arg-type]
        low, high = self.interval(expr.word, place)
        cells = self.fast.constant(held)
        if low is not None and high is not None and low >= 0 and high < len(held):
            return syntax.element(cells, word)
        return syntax.call("word_in", cells, word)

    def entity(self, place: Place) -> str:
        """The entity of who owns the computed field that an expression stands in."""
        return self.program.roles[place.owner].entity if place.owner else ""

    def _within(self, expr: Within, place: Place) -> ast.expr:
        item = self.value(expr.item, place)
        if isinstance(item, ast.Constant):
            value = int(item.value)  # type: ignore[arg-type]
            bands = expr.bands
            return syntax.literal(any((a is None or a <= value) and (b is None or value <= b) for a, b in bands))
        again: ast.expr = item
        if not isinstance(item, ast.Name):
            kept = self.variable()
            item, again = syntax.named(kept, item), syntax.name(kept)
        tests: list[ast.expr] = []
        for low, high in expr.bands:
            tests.append(_in_band(again if tests else item, low, high))
        return syntax.either(tests)

    def _operation(self, expr: Operation, place: Place) -> ast.expr:
        operator, operands = expr.operator, expr.operands
        if operator in ("and", "or"):
            return self._logic(operator, operands, place)
        if operator == "if":
            condition = self.value(operands[0], place)
            yes = self.value(operands[1], place.knowing(*self.guards(operands[0], place)))
            return syntax.chosen(condition, yes, self.value(operands[2], place))
        values = [self.value(each, place) for each in operands]
        if operator in ("min", "max") and len(values) == 1:
            return values[0]
        if all(isinstance(each, ast.Constant) for each in values):
            known = self.fast.folded(operator, [each.value for each in values])  # type: ignore[attr-defined]
            if known is not None:
                return self.fast.constant(known)
        found = self._strict(operator, operands, values, place)
        interval = self.interval(expr, place)
        if operator in _COMPARED or operator == "not" or is_safe(interval):
            return found
        return syntax.call("bounded", found) if None in interval else self._bounded(found)

    def _bounded(self, found: ast.expr) -> ast.expr:
        """An integer, tested where it stands whether it is too large."""
        kept = self.variable()
        ends = syntax.literal(-LARGEST), syntax.literal(LARGEST)
        fits = syntax.compared(ends[0], ("<=", syntax.named(kept, found)), ("<=", ends[1]))
        return syntax.chosen(fits, syntax.name(kept), syntax.call("bounded", syntax.name(kept)))

    def interval(self, expr: Expr, place: Place) -> tuple[Any, Any]:
        """Between which numbers an expression lies."""
        intervals = self.fast.intervals
        if place.adjusts or place.spans:
            intervals = Inside(intervals, place.spans or {}, bool(place.adjusts))
        return intervals.of(expr, self.entity(place))

    def _logic(self, operator: str, operands: tuple[Expr, ...], place: Place) -> ast.expr:
        parts: list[ast.expr] = []
        for each in operands:
            parts.append(self.value(each, place))
            if operator == "and":
                place = place.knowing(*self.guards(each, place))
        return syntax.both(parts) if operator == "and" else syntax.either(parts)

    def guards(self, expr: Expr, place: Place) -> list[str]:
        """What is known where a condition holds."""
        match expr:
            case Known(read):
                return [self.known_path(read, place)]
            case Operation("and", operands):
                return [path for each in operands for path in self.guards(each, place)]
        return []

    def _strict(self, operator: str, operands: tuple[Expr, ...], values: list[ast.expr], place: Place) -> ast.expr:
        if operator in _COMPARED:
            return syntax.compared(values[0], (operator, values[1]))
        if operator == "not":
            return syntax.inverted(values[0])
        if self._is_integral(operands, place):
            found = self._of_integers(operator, operands, values)
            if found is not None:
                return found
        divided = self._rounded(operator, operands[0], place)
        return divided if divided is not None else syntax.call(self.fast.operator(operator), *values)

    def _is_integral(self, operands: tuple[Expr, ...], place: Place) -> bool:
        return all(None not in self.interval(each, place) for each in operands)

    def _of_integers(self, operator: str, operands: tuple[Expr, ...], values: list[ast.expr]) -> ast.expr | None:
        """The forms that Python's own operators have for integers."""
        if operator in ("+", "*"):
            found = values[0]
            for each in values[1:]:
                found = syntax.binary(operator, found, each)
            return found
        if operator == "-":
            return syntax.binary("-", values[0], values[1])
        if operator == "neg":
            return syntax.negated(values[0])
        if operator in ("floor", "ceil", "nearest", "toward_zero"):
            return values[0]
        if operator in ("min", "max") and len(values) == 2 and all(map(_is_simple, values)):
            sign = "<=" if operator == "min" else ">="
            return syntax.chosen(syntax.compared(values[0], (sign, values[1])), values[0], values[1])
        if operator == "mod":
            quotient = syntax.binary("//", values[0], values[1])
            if _is_simple(values[0]):
                return syntax.binary("-", values[0], syntax.binary("*", values[1], quotient))
        return None

    def _rounded(self, operator: str, expr: Expr, place: Place) -> ast.expr | None:
        """An integer over an integer above 0, rounded, without fractions."""
        if not isinstance(expr, Operation) or expr.operator != "/" or not self._is_integral(expr.operands, place):
            return None
        least, _ = self.interval(expr.operands[1], place)
        if least < 1:
            return None
        above, below = (self.value(each, place) for each in expr.operands)
        if operator == "floor":
            return syntax.binary("//", above, below)
        if operator == "ceil":
            return syntax.negated(syntax.binary("//", syntax.negated(above), below))
        if operator == "nearest" and isinstance(below, ast.Constant):
            doubled = syntax.binary("+", syntax.binary("*", syntax.literal(2), above), below)
            return syntax.binary("//", doubled, syntax.binary("*", syntax.literal(2), below))
        return None


def local_name(path: str) -> str:
    """What a local is called among what is known: no fact's path."""
    return f"local {path}"


def _is_simple(value: ast.expr) -> bool:
    """Whether a value can stand twice."""
    return isinstance(value, ast.Name | ast.Constant)


def _in_band(item: ast.expr, low: int | None, high: int | None) -> ast.expr:
    if low is None or high is None:
        if low is None and high is None:
            return syntax.literal(True)
        return (
            syntax.compared(item, (">=", syntax.literal(low)))
            if high is None
            else syntax.compared(item, ("<=", syntax.literal(high)))
        )
    if low == high:
        return syntax.compared(item, ("==", syntax.literal(low)))
    return syntax.compared(syntax.literal(low), ("<=", item), ("<=", syntax.literal(high)))


STRICT_NAMES = {operator: f"op_{index}" for index, operator in enumerate(STRICT)}
"""The names by which generated code calls the reference evaluator's operators."""
