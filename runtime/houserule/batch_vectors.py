"""Columns of exact numbers under construction: each with its range, and where it is unknown or cannot be vouched for.

Ranges choose the types, so that nothing overflows. Fractions are integers over one denominator that is known now.
A value stays within its range in every row, also where it means nothing.
"""

from __future__ import annotations

from math import lcm

from .batch_code import Code, dtype_for
from .errors import UnusualError
from .intervals import plus, times
from .limits import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from dataclasses import dataclass

    from .batch_code import Mask, Ref
else:
    from .records import dataclass

_STEPS = 6
"""So many changes of a table are told by comparisons at most; beyond, it is looked up."""
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NAMES = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal", "==": "equal", "!=": "not_equal"}


@dataclass(frozen=True, slots=True)
class Vector:
    """A column of numbers from `low` to `high`, all of them over `over`; `unknown` and `doubt` are masks.

    Where there is doubt, the row is left to the evaluator of single situations.
    """

    ref: Ref
    low: int
    high: int
    over: int = 1
    unknown: Mask = False
    doubt: Mask = False


@dataclass(frozen=True, slots=True)
class DiceVector:
    """A column of dice: the least and the most that their faces show, and the constant beside them."""

    low: Vector
    high: Vector
    constant: Vector


class Vectors:
    """The operations on columns; they add to some code."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.negations: dict[Ref, Ref] = {}
        self.multiples: dict[Ref, Ref] = {}
        self.positive: dict[Mask, Ref] = {}

    def literal(self, value: int, over: int = 1) -> Vector:
        """A number that is the same in every row."""
        return Vector(int(value), int(value), int(value), over)

    def masked(self, vector: Vector, unknown: Mask, doubt: Mask) -> Vector:
        """The same, unknown or doubtful in more rows."""
        unknown, doubt = self.code.either(vector.unknown, unknown), self.code.either(vector.doubt, doubt)
        return Vector(vector.ref, vector.low, vector.high, vector.over, unknown, doubt)

    def truth(self, mask: Mask, *parts: Vector) -> Vector:
        """A mask as a column of truths, unknown and doubtful where a part is."""
        found = Vector(mask, int(mask is True), int(mask is not False))
        return self._strict(found, parts)

    def mask(self, vector: Vector) -> Mask:
        """A column of truths as a mask."""
        if not isinstance(vector.ref, str):
            return bool(vector.ref)
        if self.code.dtypes[vector.ref] == "bool":
            return vector.ref
        return self.code.emit("not_equal", (vector.ref, 0), "bool")

    def _strict(self, found: Vector, parts: Iterable[Vector]) -> Vector:
        for each in parts:
            found = self.masked(found, each.unknown, each.doubt)
        return found

    def _made(self, operation: str, parts: Sequence[Vector], low: int, high: int) -> Vector:
        """A strict operation, in a type that holds operands and result."""
        over = parts[0].over
        dtype = dtype_for(min(low, *(each.low for each in parts)), max(high, *(each.high for each in parts)))
        ref = self.code.emit(operation, tuple(self.code.as_type(each.ref, dtype) for each in parts), dtype)
        return self._bounded(self._strict(Vector(ref, low, high, over), parts))

    def _settled(self, value: int, over: int, parts: Iterable[Vector]) -> Vector:
        """What an operation comes to in every row."""
        found = Vector(value, value, value, over, False, abs(value) > LARGEST)
        return self._strict(found, parts)

    def _bounded(self, vector: Vector) -> Vector:
        """The same, with doubt where it leaves the range of exact numbers."""
        limit = LARGEST
        if vector.low >= -limit and vector.high <= limit:
            return vector
        beyond = [self._compared("less", vector.ref, -limit), self._compared("greater", vector.ref, limit)]
        return self.masked(vector, False, self.code.either(*beyond))

    def _compared(self, operation: str, ref: Ref, limit: int) -> Mask:
        return self.code.emit(operation, (ref, limit), "bool")

    def scaled(self, vector: Vector, over: int) -> Vector:
        """The same numbers over another denominator, a multiple of theirs."""
        factor = over // vector.over
        if factor == 1:
            return vector
        found = self.multiply(Vector(vector.ref, vector.low, vector.high), self.literal(factor))
        return Vector(
            found.ref, found.low, found.high, over, vector.unknown, self.code.either(vector.doubt, found.doubt)
        )

    def aligned(self, *vectors: Vector) -> list[Vector]:
        """Columns over one denominator."""
        over = lcm(*(each.over for each in vectors))
        if over > LARGEST:
            raise UnusualError
        return [self.scaled(each, over) for each in vectors]

    def add(self, one: Vector, other: Vector) -> Vector:
        """The sums."""
        one, other = self.aligned(one, other)
        low, high = _whole(plus((one.low, one.high), (other.low, other.high)))
        if low == high:
            return self._settled(low, one.over, (one, other))
        if other.ref == 0 or one.ref == 0:
            return self._strict(other if one.ref == 0 else one, (one, other))
        if other.ref in self.negations or one.ref in self.negations:
            kept, turned = (one, other) if other.ref in self.negations else (other, one)
            plain = Vector(self.negations[turned.ref], -turned.high, -turned.low, turned.over)
            return self._strict(self._made("subtract", (kept, plain), low, high), (turned,))
        return self._made("add", (one, other), low, high)

    def negated(self, one: Vector) -> Vector:
        """The numbers with the other sign."""
        if not isinstance(one.ref, str):
            return Vector(-one.ref, -one.high, -one.low, one.over, one.unknown, one.doubt)
        found = self._made("negative", (one,), -one.high, -one.low)
        self.negations[found.ref] = one.ref
        self.multiples[found.ref] = self.multiples.get(one.ref, one.ref)
        return found

    def subtract(self, one: Vector, other: Vector) -> Vector:
        """The differences."""
        if not isinstance(other.ref, str):
            return self.add(one, self.negated(other))
        one, other = self.aligned(one, other)
        return self._made("subtract", (one, other), one.low - other.high, one.high - other.low)

    def multiply(self, one: Vector, other: Vector) -> Vector:
        """The products."""
        low, high = _whole(times((one.low, one.high), (other.low, other.high)))
        over = one.over * other.over
        if over > LARGEST:
            raise UnusualError
        if low == high:
            return self._settled(low, over, (one, other))
        if other.ref == 1 or one.ref == 1:
            kept = other if one.ref == 1 else one
            return self._strict(Vector(kept.ref, low, high, over), (one, other))
        parts = Vector(one.ref, one.low, one.high), Vector(other.ref, other.low, other.high)
        turned = {other.ref: parts[0], one.ref: parts[1]}.get(-1)
        found = self.negated(turned) if turned else self._made("multiply", parts, low, high)
        if not isinstance(other.ref, str):
            self.multiples[found.ref] = self.multiples.get(one.ref, one.ref)
        return self._strict(Vector(found.ref, low, high, over, False, found.doubt), (one, other))

    def only(self, mask: Mask, value: Vector) -> Vector:
        """The numbers where a mask holds, 0 elsewhere; what is unknown of them stays so everywhere."""
        if mask is True:
            return value
        if mask is False or value.ref == 0:
            return Vector(0, 0, 0, value.over)
        if self.positive.get(mask) == self.multiples.get(value.ref, value.ref):
            # What is asked is whether it is above 0, and elsewhere it is 0 by itself.
            return value
        return self.multiply(Vector(mask, 0, 1), value)

    def select(self, mask: Mask, yes: Vector, no: Vector) -> Vector:
        """One of two numbers by a mask, unknown where the one that is taken is."""
        if not isinstance(mask, str):
            return yes if mask else no
        yes, no = self.aligned(yes, no)
        unknown, doubt = (self.of_either(mask, *each) for each in ((yes.unknown, no.unknown), (yes.doubt, no.doubt)))
        low, high = min(yes.low, no.low), max(yes.high, no.high)
        if yes.ref == no.ref:
            return Vector(yes.ref, low, high, yes.over, unknown, doubt)
        ref = self._selected(mask, Vector(yes.ref, yes.low, yes.high), Vector(no.ref, no.low, no.high))
        return Vector(ref, low, high, yes.over, unknown, doubt)

    def _selected(self, mask: str, yes: Vector, no: Vector) -> Ref:
        if self._is_truth(yes) and self._is_truth(no):
            return self.of_either(mask, self.mask(yes), self.mask(no))
        found = self.add(self.multiply(Vector(mask, 0, 1), self.subtract(yes, no)), no)
        dtype = dtype_for(min(yes.low, no.low), max(yes.high, no.high))
        return self.code.as_type(found.ref, dtype) if dtype == "int64" else found.ref

    def _is_truth(self, vector: Vector) -> bool:
        return isinstance(vector.ref, bool) or (isinstance(vector.ref, str) and self.code.dtypes[vector.ref] == "bool")

    def of_either(self, mask: Mask, yes: Mask, no: Mask) -> Mask:
        """One of two masks by a mask."""
        return self.code.either(self.code.both(mask, yes), self.code.both(self.code.inverted(mask), no))

    def compare(self, sign: str, one: Vector, other: Vector) -> Vector:
        """A comparison, settled now where the ranges settle it."""
        one, other = self.aligned(one, other)
        settled = _settled(sign, one, other)
        if settled is not None:
            return self.truth(settled, one, other)
        if not isinstance(one.ref, str):
            one, other, sign = other, one, _FLIPPED[sign]
        dtype = dtype_for(min(one.low, other.low), max(one.high, other.high))
        refs = self.code.as_type(one.ref, dtype), self.code.as_type(other.ref, dtype)
        mask = self.code.emit(_NAMES[sign], refs, "bool")
        if other.ref == 0 and (sign == "!=" or (sign == ">" and one.low >= 0)):
            self.positive[mask] = one.ref
        return self.truth(mask, one, other)

    def sum(self, parts: Iterable[Vector]) -> Vector:
        """The sum of many, in the smallest types as long as parts of it fit there.

        Where it might leave the range of exact numbers on its way, it is worked out in order.
        """
        parts, sums = list(parts), list[Vector]()
        if not is_exact(parts):
            return self._in_order(parts)
        for each in parts:
            at = next((at for at, sum in enumerate(sums) if _is_small(sum, each)), None)
            if at is None:
                sums.append(each)
            else:
                sums[at] = self.add(sums[at], each)
        return self._in_order(sums)

    def _in_order(self, parts: Sequence[Vector]) -> Vector:
        found = parts[0]
        for each in parts[1:]:
            found = self.add(found, each)
        return found

    def largest(self, one: Vector, other: Vector) -> Vector:
        """The greater of two."""
        one, other = self.aligned(one, other)
        if one.low >= other.high or other.low >= one.high:
            return self._strict(one if one.low >= other.high else other, (one, other))
        return self._made("maximum", (one, other), max(one.low, other.low), max(one.high, other.high))

    def smallest(self, one: Vector, other: Vector) -> Vector:
        """The lesser of two."""
        one, other = self.aligned(one, other)
        if one.high <= other.low or other.high <= one.low:
            return self._strict(one if one.high <= other.low else other, (one, other))
        return self._made("minimum", (one, other), min(one.low, other.low), min(one.high, other.high))

    def absolute(self, one: Vector) -> Vector:
        """The sizes."""
        if one.low >= 0:
            return one
        return self.negated(one) if one.high <= 0 else self._made("absolute", (one,), 0, max(-one.low, one.high))

    def divided(self, one: Vector, divisor: int) -> Vector:
        """The greatest integers that are not above integers over a divisor above 0."""
        low, high = one.low // divisor, one.high // divisor
        if low == high or divisor == 1:
            return Vector(low if low == high else one.ref, low, high, 1, one.unknown, one.doubt)
        found = self._made("floor_divide", (one, self.literal(divisor)), low, high)
        return Vector(found.ref, low, high, 1, found.unknown, found.doubt)

    def quotient(self, one: Vector, other: Vector) -> Vector:
        """The same with divisors above 0 by row."""
        ends = [a // b for a in (one.low, one.high) for b in (other.low, other.high)]
        return self._made("floor_divide", (one, other), min(ends), max(ends))

    def rounded(self, how: str, one: Vector) -> Vector:
        """Integers from numbers over their denominator: `floor`, `ceil`, `nearest` (a half goes up), `toward_zero`."""
        bare, over = Vector(one.ref, one.low, one.high, 1, one.unknown, one.doubt), one.over
        if over == 1:
            return bare
        if how == "floor":
            return self.divided(bare, over)
        if how == "ceil":
            return self.negated(self.divided(self.negated(bare), over))
        if how == "nearest":
            doubled = self.add(self.multiply(bare, self.literal(2)), self.literal(over))
            return self.divided(doubled, 2 * over)
        is_negative = self.mask(self.compare("<", bare, self.literal(0)))
        return self.select(is_negative, self.rounded("ceil", one), self.rounded("floor", one))

    def mapped(self, index: Vector, values: Sequence[int]) -> Vector:
        """The value of each index from `index.low` on, by comparisons where it seldom changes."""
        low, high = min(values), max(values)
        if low == high:
            return Vector(low, low, high, 1, index.unknown, index.doubt)
        changes = [at for at in range(1, len(values)) if values[at] != values[at - 1]]
        ref = self._stepped(index, values, changes) if len(changes) <= _STEPS else self._taken(index, values)
        return Vector(ref, low, high, 1, index.unknown, index.doubt)

    def _stepped(self, index: Vector, values: Sequence[int], changes: list[int]) -> Ref:
        bare, found = Vector(index.ref, index.low, index.high), self.literal(values[0])
        for at in changes:
            is_there = self.mask(self.compare(">=", bare, self.literal(index.low + at)))
            found = self.add(found, self.only(is_there, self.literal(values[at] - values[at - 1])))
        return found.ref

    def _taken(self, index: Vector, values: Sequence[int]) -> Ref:
        bare = Vector(index.ref, index.low, index.high)
        # A few cells in front cost less than counting every row from 0.
        front = index.low if 0 < index.low <= 64 else 0
        at = bare if front else self.subtract(bare, self.literal(index.low))
        dtype = dtype_for(min(values), max(values))
        table = self.code.table([*([values[0]] * front), *values], dtype)
        return self.code.emit("take", (table, self.code.as_type(at.ref, dtype_for(0, max(at.high, 1)))), dtype)

    def searched(self, key: Vector, starts: Sequence[int]) -> Vector:
        """In which class a key is; classes are given by their least keys, of which the first is the least of all."""
        dtype = dtype_for(key.low, key.high)
        table = self.code.table(starts, dtype)
        ref = self.code.emit("search", (table, self.code.as_type(key.ref, dtype)), dtype_for(0, len(starts)))
        return Vector(ref, 0, len(starts) - 1, 1, key.unknown, key.doubt)

    def mapped_mask(self, index: Vector, values: Sequence[bool]) -> Mask:
        """The same for truths."""
        if all(values) or not any(values):
            return bool(values[0])
        return self.mask(self.mapped(index, [int(each) for each in values]))


def is_exact(parts: Iterable[Vector]) -> bool:
    """Whether no sum of some of these leaves the range of exact numbers."""
    return sum(max(-each.low, each.high, 0) * each.over for each in parts) <= LARGEST


def _is_small(one: Vector, other: Vector) -> bool:
    """Whether a sum needs no wider type than its parts."""
    over = lcm(one.over, other.over)
    low, high = (sum(end * (over // each.over) for each, end in ends) for ends in _ends(one, other))
    return dtype_for(low, high) == dtype_for(min(one.low, other.low, 0), max(one.high, other.high, 0))


def _ends(one: Vector, other: Vector) -> tuple[tuple[tuple[Vector, int], ...], ...]:
    return ((one, one.low), (other, other.low)), ((one, one.high), (other, other.high))


def _settled(sign: str, one: Vector, other: Vector) -> bool | None:
    """What a comparison comes to in every row, or None."""
    if sign in (">", ">="):
        return _settled({">": "<", ">=": "<="}[sign], other, one)
    if sign == "<":
        return True if one.high < other.low else False if one.low >= other.high else None
    if sign == "<=":
        return True if one.high <= other.low else False if one.low > other.high else None
    apart = one.high < other.low or other.high < one.low
    same = one.low == one.high == other.low == other.high or one.ref == other.ref
    return None if not apart and not same else same == (sign == "==")


def _whole(interval: tuple[object, object]) -> tuple[int, int]:
    low, high = interval
    assert isinstance(low, int)
    assert isinstance(high, int)
    return low, high
