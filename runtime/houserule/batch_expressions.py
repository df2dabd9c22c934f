"""Expressions of a program as columns: every operand in every row, with masks for what must not count.

What the reference evaluator would not reach (the other branch of an `if`, what follows a false `and`) is worked out
too, but what is unknown or doubtful there does not count. What has no form here raises `UnusualError` when the code is
made, and the whole question is left to the evaluator of single situations.
"""

from __future__ import annotations

from fractions import Fraction

from .batch_code import Code
from .batch_tables import TableReader
from .batch_vectors import DiceVector, Vector, Vectors
from .dice import Pool
from .errors import UnusualError
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
from .intervals import Intervals
from .reads import seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import dataclass
    from typing import Any, TypeAlias

    from .batch_code import Mask
    from .evaluate import Value
    from .expression import Binding, Expr, Read
    from .program import Field, Program

    Locals: TypeAlias = Mapping[str, Vector]
    Adjusts: TypeAlias = tuple[tuple[str, str, str, Vector], ...]
    Found: TypeAlias = "Vector | DiceVector"
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Who sits in which chair, whose computed field an expression is, the dice and values that are there.

    `sure` are the locals that are there in every row that counts; `adjusts` are what callers do to numbers: number,
    operator, rounding and amount.
    """

    binding: Binding = ()
    owner: str = ""
    locals: Locals | None = None
    sure: frozenset[str] = frozenset()
    adjusts: Adjusts = ()

    def player(self, chair: str) -> str:
        """Who sits in a chair."""
        return next((player for taken, player in self.binding if taken == chair), chair)

    def seated(self, seats: Binding) -> Place:
        """The same with other seats."""
        return Place(seat(self.binding, seats), self.owner, self.locals, self.sure, self.adjusts) if seats else self

    def owned(self, owner: str = "") -> Place:
        """The same within a computed field."""
        return Place(self.binding, owner, self.locals, self.sure, self.adjusts)


class Maker:
    """Makes the code of one question. `given` says of each fact whether a column holds it, and if it may be unknown."""

    def __init__(self, program: Program, options: Mapping[str, Value], given: Mapping[str, bool]) -> None:
        self.program = program
        self.options = options
        self.given = given
        self.code = Code()
        self.vectors = Vectors(self.code)
        self.intervals = Intervals(program, options)
        self.tables = TableReader(self)
        self.facts: dict[str, str] = {}
        self.numbers: dict[object, Vector] = {}
        self.conditions: dict[object, Found] = {}
        self.asked = ""
        self.applied: dict[str, Mask] | None = None

    def value(self, expr: Expr, place: Place) -> Vector:
        """An expression that is a number, a truth or a code."""
        found = self.found(expr, place)
        if not isinstance(found, Vector):
            raise UnusualError
        return found

    def found(self, expr: Expr, place: Place) -> Found:
        """An expression, which may be dice."""
        if isinstance(expr, bool):
            return self.vectors.truth(expr)
        if isinstance(expr, int):
            return self.vectors.literal(expr)
        form = _FORMS.get(type(expr))
        if form is None:
            raise UnusualError
        return form(self, expr, place)

    def mask(self, expr: Expr, place: Place) -> tuple[Mask, Vector]:
        """A condition as a mask, and as the column that says where it is unknown."""
        found = self.value(expr, place)
        return self.vectors.mask(found), found

    def constant(self, value: Value) -> Found:
        """A value that is the same in every row."""
        if isinstance(value, Pool):
            parts = (self.vectors.literal(each) for each in (value.low, value.high, value.constant))
            return DiceVector(*parts)
        if isinstance(value, Fraction):
            return self.vectors.literal(value.numerator, value.denominator)
        if isinstance(value, str):
            raise UnusualError
        return self.vectors.truth(value) if isinstance(value, bool) else self.vectors.literal(value)

    def constants(self, at: Vector, values: Sequence[Value]) -> Found:
        """The value of each code from `at.low` on."""
        if any(isinstance(each, str) for each in values):
            raise UnusualError
        if any(isinstance(each, Pool) for each in values):
            ends = [(each.low, each.high, each.constant) for each in values if isinstance(each, Pool)]
            return DiceVector(*(self.vectors.mapped(at, column) for column in zip(*ends, strict=True)))
        fractions = [Fraction(each) for each in values]  # type: ignore[arg-type]
        over = self.vectors.aligned(*(self.vectors.literal(0, each.denominator) for each in fractions))[0].over
        found = self.vectors.mapped(at, [int(each * over) for each in fractions])
        return Vector(found.ref, found.low, found.high, over, found.unknown, found.doubt)

    def doubted(self, found: Found, doubt: Mask) -> Found:
        """The same with doubt in more rows."""
        if isinstance(found, Vector):
            return self.vectors.masked(found, False, doubt)
        return DiceVector(
            *(self.vectors.masked(each, False, doubt) for each in (found.low, found.high, found.constant))
        )

    def declared(self, read: Read, place: Place) -> tuple[str, Field, str]:
        """Of a read of a fact its path as callers name it, what is declared of it, and its owner."""
        if read[0] == "fact":
            return read[1], self.program.facts[read[1]], ""
        role = place.owner if read[0] == "its" else place.player(read[1])
        entity = self.program.roles[role].entity
        return f"{role}.{read[-1]}", self.program.entities[entity].fields[read[-1]], role

    def fact(self, read: Read, place: Place) -> Found:
        """A fact, given or computed."""
        path, field, owner = self.declared(read, place)
        if field.computed is not None:
            return self.found(field.computed, place.owned(owner))
        if path not in self.given:
            return self._absent(field)
        return self._column(path, field)

    def _absent(self, field: Field) -> Found:
        """What holds where a fact is not given: the default, or that it is not known."""
        if field.is_optional:
            low, _ = self._range(field)
            return self.vectors.masked(self.vectors.literal(low), True, False)
        if field.default is None:
            raise UnusualError
        return self.constant(pool_of(field.default) if field.type.kind == "dice" else field.default)

    def _range(self, field: Field) -> tuple[int, int]:
        low, high = self.intervals.of_type(field.type)
        if not isinstance(low, int) or not isinstance(high, int):
            raise UnusualError
        return low, high

    def _column(self, path: str, field: Field) -> Found:
        from .batch_columns import held_dtype

        if field.type.kind in ("text", "fraction"):
            raise UnusualError
        name = self.facts.setdefault(path, f"f{len(self.facts)}")
        ref = self.code.input(name, held_dtype(field.type, self.program))
        unknown: Mask = False
        if self.given[path]:
            unknown = self.code.inverted(self.code.input(f"{name}_known", "bool"))
        if field.type.kind == "dice":
            return self._dice_column(ref, field, unknown)
        return Vector(ref, *self._range(field), 1, unknown)

    def _dice_column(self, ref: str, field: Field, unknown: Mask) -> DiceVector:
        """Dice given by their codes: so many times 1024, and the faces."""
        some = field.type.one_of or (field.type.up_to,)
        most = max(each // 1024 for each in some), max(each % 1024 for each in some)
        count = Vector(self.code.emit("right_shift", (ref, 10), "int32"), 0, most[0], 1, unknown)
        faces = Vector(self.code.emit("bitwise_and", (ref, 1023), "int32"), 0, most[1], 1, unknown)
        return DiceVector(count, self.vectors.multiply(count, faces), self.vectors.literal(0))

    def known(self, read: Read, place: Place) -> Mask:
        """Where something that may be unknown is known."""
        if read[0] == "local":
            return self.code.inverted(self.local(read[1], place).unknown)
        found = self.fact(read, place)
        first = found if isinstance(found, Vector) else found.low
        return self.code.inverted(first.unknown)

    def local(self, path: str, place: Place) -> Vector:
        """A die, a value or an outcome of what is under way."""
        found = (place.locals or {}).get(path)
        if found is None:
            return self.vectors.masked(self.vectors.literal(0), True, False)
        if path in place.sure:
            return Vector(found.ref, found.low, found.high, found.over, False, found.doubt)
        return found

    def number(self, id: str, place: Place) -> Vector:
        """A number, worked out once for each way that it is read."""
        from .batch_numbers import number

        declared = self.program.numbers[id]
        inner = place.seated(declared.seats).owned()
        locals = tuple((path, each, path in place.sure) for path, each in (place.locals or {}).items())
        key = id, inner.binding, inner.adjusts, locals if declared.within else ()
        if key not in self.numbers:
            self.numbers[key] = number(self, declared, inner)
        return self.numbers[key]

    def choose(self, mask: Mask, yes: Found, no: Found) -> Found:
        """One of two values by a mask."""
        if isinstance(yes, Vector) and isinstance(no, Vector):
            return self.vectors.select(mask, yes, no)
        one, other = self.dice(yes), self.dice(no)
        pairs = ((one.low, other.low), (one.high, other.high), (one.constant, other.constant))
        return DiceVector(*(self.vectors.select(mask, *each) for each in pairs))

    def dice(self, found: Found) -> DiceVector:
        """Dice as they are; an integer always falls so."""
        zero = self.vectors.literal(0)
        return found if isinstance(found, DiceVector) else DiceVector(zero, zero, found)


def _condition(maker: Maker, expr: ConditionRead, place: Place) -> Found:
    """A named condition, worked out once for each way that it is read."""
    locals = tuple((path, each, path in place.sure) for path, each in (place.locals or {}).items())
    key = expr.id, place.binding, place.adjusts, locals
    if key not in maker.conditions:
        maker.conditions[key] = maker.found(maker.program.conditions[expr.id].when, place.owned())
    return maker.conditions[key]


def _attribute(maker: Maker, expr: Attribute, place: Place) -> Found:
    type, values = maker.program.choices[expr.choice].attributes[expr.attribute]
    held = [pool_of(each) if type.kind == "dice" else each for each in values]
    word = maker.value(expr.word, place)
    if word.over != 1 or word.high - word.low > 65_536:
        raise UnusualError
    cells = [held[min(max(code, 0), len(held) - 1)] for code in range(word.low, word.high + 1)]
    is_word = maker.vectors.mapped_mask(word, [0 <= code < len(held) for code in range(word.low, word.high + 1)])
    return maker.doubted(maker.constants(word, cells), maker.code.inverted(is_word))


def _within(maker: Maker, expr: Within, place: Place) -> Found:
    item = maker.value(expr.item, place)
    masks = [in_band(maker, item, low, high) for low, high in expr.bands]
    return maker.vectors.truth(maker.code.either(*masks), item)


def in_band(maker: Maker, item: Vector, low: int | None, high: int | None) -> Mask:
    """Where a number lies in a band."""
    vectors = maker.vectors
    ends: list[Mask] = []
    if low is not None and low == high:
        return vectors.mask(vectors.compare("==", item, vectors.literal(low)))
    for sign, end in ((">=", low), ("<=", high)):
        if end is not None:
            ends.append(vectors.mask(vectors.compare(sign, item, vectors.literal(end))))
    return maker.code.both(*ends)


def _has(maker: Maker, expr: Has, place: Place) -> Found:
    words = maker.value(expr.words, place)
    if not isinstance(words.ref, str):
        return maker.vectors.truth(bool(words.ref >> expr.word & 1), words)
    return maker.vectors.truth(bit_of(maker, words, expr.word), words)


def bit_of(maker: Maker, words: Vector, word: int) -> Mask:
    """Where a word is in a set."""
    if not isinstance(words.ref, str):
        return bool(words.ref >> word & 1)
    if words.high < 1 << word:
        return False
    dtype = maker.code.dtypes[words.ref]
    return maker.code.emit("not_equal", (maker.code.emit("bitwise_and", (words.ref, 1 << word), dtype), 0), "bool")


def _term(maker: Maker, expr: DiceTerm, place: Place) -> Found:
    counted = expr.kept if expr.keep else expr.count
    literal = maker.vectors.literal
    return DiceVector(literal(counted), literal(counted * expr.faces), literal(0))


def _operation(maker: Maker, expr: Operation, place: Place) -> Found:
    from .batch_operators import operation

    return operation(maker, expr.operator, expr.operands, place)


def _key(maker: Maker, expr: Key, place: Place) -> Found:
    raise UnusualError


_FORMS: dict[type, Callable[[Maker, Any, Place], Found]] = {
    FieldRead: lambda maker, expr, place: maker.fact(("field", expr.role, expr.field), place),
    ItsRead: lambda maker, expr, place: maker.fact(("its", expr.field), place),
    FactRead: lambda maker, expr, place: maker.fact(("fact", expr.id), place),
    OptionRead: lambda maker, expr, place: maker.constant(maker.options[expr.id]),
    NumberRead: lambda maker, expr, place: maker.number(expr.id, place.seated(expr.roles)),
    Local: lambda maker, expr, place: maker.local(expr.path, place),
    Lookup: lambda maker, expr, place: maker.tables.cell(
        maker.program.tables[expr.table], expr.column, [maker.value(key, place) for key in expr.keys]
    ),
    Constant: lambda maker, expr, place: maker.constant(expr.value),
    Known: lambda maker, expr, place: maker.vectors.truth(maker.known(expr.read, place)),
    ConditionRead: _condition,
    Attribute: _attribute,
    Within: _within,
    Has: _has,
    DiceTerm: _term,
    Key: _key,
    Operation: _operation,
}
