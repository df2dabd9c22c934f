"""A number as columns: its base, what each modifier does where it applies, what stacking leaves of it."""

from __future__ import annotations

from .batch_expressions import in_band
from .batch_stacking import Amount, settled_groups
from .batch_vectors import Vector
from .numbers import grade_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .batch_code import Mask
    from .batch_expressions import Maker, Place
    from .program import Entry, Grade, Number

_CODES = 65_536
_ROUNDINGS = {"down": "floor", "up": "ceil", "nearest": "nearest"}


def number(maker: Maker, declared: Number, place: Place) -> Vector:
    """A number, with its own seats taken. Modifiers that apply are noted where they are asked for."""
    base = maker.value(declared.base, place)
    found = [each for entry in declared.entries for each in _Entry(maker, entry, place).amounts()]
    mine = [each for each in place.adjusts if each[0] == declared.label.id]
    amounts = [*found, *(Amount("", op, value, True, "", round) for _, op, round, value in mine)]
    _note(maker, declared, found)
    doubts = [maker.code.either(each.doubt, maker.code.both(each.applies, each.value.doubt)) for each in amounts]
    value = _combined(maker, base, settled_groups(maker, amounts, declared.better))
    value = maker.vectors.masked(value, False, maker.code.either(base.doubt, *doubts))
    return _whole(maker, value) if declared.type.kind == "integer" else value


def _note(maker: Maker, declared: Number, amounts: list[Amount]) -> None:
    """Where the modifiers of the number that was asked for apply."""
    if maker.applied is None or maker.asked != declared.label.id:
        return
    for entry in declared.entries:
        masks = [each.applies for each in amounts if each.modifier == entry.modifier]
        maker.applied[entry.modifier] = maker.code.either(*masks)


def _whole(maker: Maker, value: Vector) -> Vector:
    """A number that is an integer in every compiled program; where it is not, there is doubt."""
    if value.over == 1:
        return value
    vectors = maker.vectors
    floor = vectors.rounded("floor", value)
    same = vectors.compare(
        "==", Vector(floor.ref, floor.low, floor.high), Vector(value.ref, value.low, value.high, value.over)
    )
    return vectors.masked(floor, False, maker.code.inverted(vectors.mask(same)))


def _combined(maker: Maker, base: Vector, amounts: list[Amount]) -> Vector:
    """The value after all amounts that count: set, add, multiply and round once, at least, at most."""
    vectors, value = maker.vectors, base
    for each in (each for each in amounts if each.op == "set"):
        value = vectors.select(each.applies, _bare(each.value), value)
    unknown = base.unknown
    value = _bare(value)
    added = [_bare(vectors.only(each.outside, each.value)) for each in amounts if each.op == "add"]
    value = vectors.sum([value, *added])
    value = _multiplied(maker, value, [each for each in amounts if each.op == "multiply"])
    for each in (each for each in amounts if each.op == "at_least"):
        value = vectors.select(each.applies, vectors.largest(value, _bare(each.value)), value)
    for each in (each for each in amounts if each.op == "at_most"):
        value = vectors.select(each.applies, vectors.smallest(value, _bare(each.value)), value)
    return vectors.masked(value, unknown, False)


def _bare(vector: Vector) -> Vector:
    """The numbers alone: whether they count is settled elsewhere."""
    return Vector(vector.ref, vector.low, vector.high, vector.over)


def _multiplied(maker: Maker, value: Vector, products: list[Amount]) -> Vector:
    if not products:
        return value
    vectors, factor, which = maker.vectors, maker.vectors.literal(1), maker.vectors.literal(0)
    names = sorted({each.round for each in products if each.round})
    for each in products:
        factor = vectors.select(each.applies, vectors.multiply(factor, _bare(each.value)), factor)
        if each.round:
            which = vectors.select(each.applies, vectors.literal(names.index(each.round) + 1), which)
    value = vectors.multiply(value, factor)
    for at, name in enumerate(names):
        is_it = vectors.mask(vectors.compare("==", which, vectors.literal(at + 1)))
        value = vectors.select(is_it, vectors.rounded(_ROUNDINGS[name], value), value)
    return value


class _Entry:
    """What one modifier does to one number, in every row."""

    def __init__(self, maker: Maker, entry: Entry, place: Place) -> None:
        self.maker = maker
        self.entry = entry
        self.place = place
        self.vectors = maker.vectors
        self.code = maker.code
        self.doubt: Mask = False
        self.holds: Mask = True

    def amounts(self) -> list[Amount]:
        """The amounts that it may come to, each with where it counts."""
        self.holds = self.code.both(*(self.maker.known(read, self.place) for read in self.entry.needs))
        if self.entry.when is not None:
            mask, asked = self.maker.mask(self.entry.when, self.place)
            self._reached(asked)
            self.holds = self.code.both(self.holds, mask, self.code.inverted(asked.unknown))
        found = list(
            self._of_each()
            if self.entry.each is not None
            else self._by()
            if self.entry.by is not None
            else self._single()
        )
        for each in found:
            each.doubt = self.doubt
        return found

    def _reached(self, vector: Vector) -> None:
        """What is worked out here may be doubtful."""
        self.doubt = self.code.either(self.doubt, self.code.both(self.holds, vector.doubt))

    def _single(self) -> Iterator[Amount]:
        assert self.entry.value is not None
        yield self._amount(self.maker.value(self.entry.value, self.place), self.holds)

    def _times(self, value: Vector) -> Vector:
        if self.entry.times is None:
            return value
        return self.vectors.multiply(value, self.maker.value(self.entry.times, self.place))

    def _amount(self, value: Vector, applies: Mask, outside: Mask | None = None) -> Amount:
        value = self._times(value)
        is_known = self.code.inverted(value.unknown)
        applies = self.code.both(applies, is_known)
        outside = applies if outside is None else self.code.both(outside, is_known)
        found = Amount(self.entry.modifier, self.entry.op, value, applies, self.entry.group, self.entry.round)
        found.outside = outside
        return found

    def _by(self) -> Iterator[Amount]:
        assert self.entry.by is not None
        by = self.maker.value(self.entry.by, self.place)
        self._reached(by)
        self.holds = self.code.both(self.holds, self.code.inverted(by.unknown))
        by = _bare(by)
        grades = self._literal_grades(by)
        if grades is not None:
            yield self._mapped(by, grades)
            return
        for grade, inside in self._bands(by):
            yield self._amount(self.maker.value(grade.value, self.place), inside)

    def _literal_grades(self, by: Vector) -> list[int | None] | None:
        """The amount of each code, where all are numbers that are known now and the codes are few."""
        if by.over != 1 or by.high - by.low > _CODES or not all(type(each.value) is int for each in self.entry.grades):
            return None
        found: list[int | None] = []
        for code in range(by.low, by.high + 1):
            row = grade_of(self.entry, code)
            value = 0 if row is None else self.entry.grades[row].value
            found.append(value if row is not None and isinstance(value, int) else None)
        return found

    def _mapped(self, by: Vector, grades: list[int | None]) -> Amount:
        """The amounts from a table; where there is none it is 0, so that an addition needs no other mask."""
        inside = self.vectors.mapped_mask(by, [each is not None for each in grades])
        value = self.vectors.mapped(by, [each or 0 for each in grades])
        return self._amount(value, self.code.both(self.holds, inside), self.holds)

    def _bands(self, by: Vector) -> Iterator[tuple[Grade, Mask]]:
        """Each grade with where it is the first that holds."""
        before: Mask = False
        for grade in self.entry.grades:
            inside = in_band(self.maker, by, grade.low, grade.high)
            yield grade, self.code.both(self.holds, self.code.inverted(before), inside)
            before = self.code.either(before, inside)

    def _of_each(self) -> Iterator[Amount]:
        """An amount for each word of a set; none counts where one of them is not known."""
        from .batch_expressions import bit_of

        assert self.entry.each is not None
        words = self.maker.value(self.entry.each, self.place)
        self._reached(words)
        self.holds = self.code.both(self.holds, self.code.inverted(words.unknown))
        found: list[tuple[Vector, Mask]] = []
        unknown: Mask = False
        for word in range(max(words.high, 0).bit_length()):
            row = grade_of(self.entry, word)
            if row is None:
                continue
            value = self._times(self.maker.value(self.entry.grades[row].value, self.place))
            has = bit_of(self.maker, words, word)
            unknown = self.code.either(unknown, self.code.both(has, value.unknown))
            self.doubt = self.code.either(self.doubt, self.code.both(self.holds, has, value.doubt))
            found.append((value, has))
        self.holds = self.code.both(self.holds, self.code.inverted(unknown))
        for value, has in found:
            yield self._amount_of(value, self.code.both(self.holds, has))

    def _amount_of(self, value: Vector, applies: Mask) -> Amount:
        bare = Vector(value.ref, value.low, value.high, value.over)
        return Amount(self.entry.modifier, self.entry.op, bare, applies, self.entry.group, self.entry.round)
