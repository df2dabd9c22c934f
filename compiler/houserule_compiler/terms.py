"""Typed expressions made ready for the search in `satisfy`: each read a variable, each expression a function of them.

What cannot be looked through is a variable of its own, `is_opaque`, that takes any value of its type: the search then
proves too little, never too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import TypeAlias

from . import intervals
from .intervals import Quantity, Range, Value
from .meanings import Lookup, Meanings, constant, path_of
from .regions import Box
from .typed import Operand, Read, Typed
from .types import PIPS, Fraction, bounds, span_of_codes

Key: TypeAlias = tuple[object, ...]
State: TypeAlias = Sequence[tuple[Quantity, Quantity]]
Term: TypeAlias = Callable[[State], Value]

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
ROUNDINGS = frozenset({"floor", "ceil", "nearest", "toward_zero", "dice_part"})
ARITHMETIC = ROUNDINGS | {"+", "-", "*", "/", "min", "max", "abs", "mod", "neg", "pips"}
LOOKED_INTO = frozenset({"and", "or", "not", "if", "in", "has", "known", "condition", "attribute", "literal", "frac"})


@dataclass(slots=True)
class Variable:
    """One thing that a situation settles: a read, one word of a set, whether a read is known, or an opaque term.

    `cuts` are the codes at which an expression can change its value; a variable that `needs_points` has to be settled
    to a single value, because arithmetic or another variable meets it.
    """

    key: Key
    sample: Typed
    low: Quantity
    high: Quantity
    is_opaque: bool = False
    needs_points: bool = False
    cuts: set[int] = field(default_factory=set)


@dataclass
class Terms:
    """The expressions of one question. `variables` are in the order in which they are first read.

    The first expressions given decide how wide a variable is; once `is_fixed`, later ones read it as it is.
    """

    meanings: Meanings
    optional: frozenset[Read]
    variables: list[Variable] = field(default_factory=list)
    positions: dict[Key, int] = field(default_factory=dict)
    is_fixed: bool = False

    def term(self, item: Typed) -> tuple[Term, frozenset[int]]:
        """The expression as a function of the variables, and the positions of those that it reads."""
        reading = _Reading(self)
        return reading.term(item), frozenset(reading.touched)

    def position(self, key: Key, sample: Typed, span: tuple[Quantity, Quantity], is_opaque: bool = False) -> int:
        """Where the variable of this key stands; it is as wide as the widest of its readings."""
        if key not in self.positions:
            self.positions[key] = len(self.variables)
            self.variables.append(Variable(key, sample, *span, is_opaque=is_opaque))
        elif not self.is_fixed:
            known = self.variables[self.positions[key]]
            known.low, known.high = min(known.low, span[0]), max(known.high, span[1])
        return self.positions[key]


def signature(operand: Operand) -> object:
    """What makes two expressions the same, wherever they stand."""
    if isinstance(operand, Typed):
        return (operand.operator, *(signature(each) for each in operand.operands))
    if isinstance(operand, list | tuple):
        return tuple(signature(each) for each in operand)
    return tuple(operand.items()) if isinstance(operand, dict) else (type(operand), operand)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Makes terms of one expression; `role` is whose `its` it reads, `touched` the variables that it reads."""

    terms: Terms
    role: str = ""
    touched: set[int] = field(default_factory=set)

    def term(self, item: Typed) -> Term:
        """The expression as a function of the variables."""
        value = constant(item)
        if value is not None:
            known = intervals.point(value)
            return lambda state: known
        if item.operator in COMPARISONS:
            return self._comparison(item)
        if item.operator in ARITHMETIC:
            return self._arithmetic(item)
        match item.operator:
            case "and" | "or" | "not" | "if":
                return _logic(item.operator, [self.term(each) for each in item.parts])
            case "in":
                return self._in(item)
            case "known":
                return self._known(item)
            case "has":
                return self._has(item)
            case "condition":
                meaning = self.terms.meanings.conditions.get(str(item.operands[0]))
                return self._within(meaning, "") if meaning is not None else self._opaque(item)
            case "attribute":
                return self._attribute(item)
        return self._settled(item)

    def _within(self, meaning: Typed, role: str) -> Term:
        return _Reading(self.terms, role, self.touched).term(meaning)

    def _known(self, item: Typed) -> Term:
        path = self._owned(path_of(item))
        computed = self.terms.meanings.computed.get(path[1:]) if path[:1] in (("field",), ("fact",)) else None
        if computed is not None:
            return _whether_known(self._within(computed, _role_of(path)))
        return _variable(self._position(("known", *path), item, (0, 1)))

    def _has(self, item: Typed) -> Term:
        whole, word = item.parts
        path = self._path(whole)
        if path is None or word.literal is None or self._computed(path) is not None:
            return self._opaque(item)
        return self._guarded(path, self._position(("has", word.literal, *path), item, (0, 1)), item)

    def _in(self, item: Typed) -> Term:
        subject, limits = item.operands
        assert isinstance(subject, Typed)
        assert isinstance(limits, list)
        bands = [_band(each) for each in limits]
        ends = [(low, high) for low, high in bands]
        cuts = [cut for low, high in ends for cut in _cuts(low, None) + _cuts(None, high)]
        return _banded(self._cut(subject, cuts), bands)

    def _comparison(self, item: Typed) -> Term:
        left, right = item.parts
        one, other = constant(left), constant(right)
        first = self._cut(left, _cuts(other, other)) if other is not None else self.term(left)
        second = self._cut(right, _cuts(one, one)) if one is not None else self.term(right)
        return _compared(item.operator, first, second)

    def _cut(self, item: Typed, cuts: Iterable[int]) -> Term:
        """A term that is only compared with constants: where it is a variable, these cuts are all that matter."""
        return self._settled(item, cuts) if _is_atom(item) else self.term(item)

    def _settled(self, item: Typed, cuts: Iterable[int] | None = None) -> Term:
        """A read, a lookup, or what cannot be followed; without `cuts`, its very value matters."""
        path = self._path(item)
        if path is not None and (computed := self._computed(path)) is not None:
            return self._within(computed, _role_of(path))
        if item.operator == "table" and (lookup := self._lookup(item)) is not None:
            return self._looked_up(item, lookup)
        if path is None or path[0] in ("number", "key"):
            return self._opaque(item, cuts, path)
        at = self._position(path, item, _span(item))
        self._note(at, cuts)
        return self._guarded(path, at, item)

    def _opaque(self, item: Typed, cuts: Iterable[int] | None = None, path: Read | None = None) -> Term:
        key = path or ("opaque", self.role, signature(item))
        at = self._position(key, item, _span(item), is_opaque=True)
        self._note(at, cuts)
        return _variable(at)

    def _note(self, at: int, cuts: Iterable[int] | None) -> None:
        variable = self.terms.variables[at]
        variable.needs_points |= cuts is None
        variable.cuts.update(cuts or ())

    def _arithmetic(self, item: Typed) -> Term:
        parts = [self.term(each) for each in item.parts]
        modulus = item.operands[1] if item.operator == "mod" else 0
        divisor = modulus.literal if isinstance(modulus, Typed) else modulus
        return _calculated(item.operator, parts, divisor if isinstance(divisor, int) else 0, _span(item))

    def _attribute(self, item: Typed) -> Term:
        choice, name = (str(each) for each in item.operands[:2])
        values = self.terms.meanings.attributes.get((choice, name))
        return self._opaque(item) if values is None else _chosen(self.term(next(item.parts)), values)

    def _lookup(self, item: Typed) -> Lookup | None:
        return self.terms.meanings.lookups.get((str(item.operands[0]), str(item.operands[1])))

    def _looked_up(self, item: Typed, lookup: Lookup) -> Term:
        terms = []
        for level, each in enumerate(item.parts):
            bands = [band for box in lookup.boxes for band in box[level]]
            terms.append(self._cut(each, [cut for low, high in bands for cut in (low, high + 1)]))
        return _found_in(lookup, terms, _span(item))

    def _position(self, key: Key, sample: Typed, span: tuple[Quantity, Quantity], is_opaque: bool = False) -> int:
        at = self.terms.position(key, sample, span, is_opaque)
        self.touched.add(at)
        return at

    def _path(self, item: Typed) -> Read | None:
        return self._owned(item.read) if item.read is not None else None

    def _owned(self, path: Read) -> Read:
        return ("field", self.role, path[1]) if path and path[0] == "its" and self.role else path

    def _computed(self, path: Read) -> Typed | None:
        return self.terms.meanings.computed.get(path[1:]) if path[0] in ("field", "fact") else None

    def _guarded(self, path: Read, at: int, sample: Typed) -> Term:
        """The variable, or unknown where the read may be unknown and is."""
        if path not in self.terms.optional:
            return _variable(at)
        return _unless_unknown(at, self._position(("known", *path), sample, (0, 1)))


def _role_of(path: Read) -> str:
    return path[1] if path[0] == "field" else ""


def _is_atom(item: Typed) -> bool:
    """Whether it is a read, a look-up, or something that is not looked into."""
    return item.operator not in ARITHMETIC | COMPARISONS | LOOKED_INTO


def _span(item: Typed) -> tuple[Quantity, Quantity]:
    codes = span_of_codes(item.type)
    if codes is not None:
        return codes
    low, high = bounds(item.type)
    return (low, high) if isinstance(item.type, Fraction) else (int(low), int(high))


def _cuts(low: Quantity | None, high: Quantity | None) -> list[int]:
    """Where a comparison with an interval can change: at its first value, and after its last."""
    return ([ceil(low)] if low is not None else []) + ([floor(high) + 1] if high is not None else [])


def _band(ends: Operand) -> tuple[int | None, int | None]:
    assert isinstance(ends, list | tuple)
    low, high = (each if isinstance(each, int) else None for each in ends)
    return low, high


def _variable(at: int) -> Term:
    return lambda state: (*state[at], False)


def _unless_unknown(at: int, known_at: int) -> Term:
    def read(state: State) -> Value:
        low, high = state[known_at]
        return (*state[at], not low) if high else None

    return read


def _whether_known(inner: Term) -> Term:
    def known(state: State) -> Value:
        found = inner(state)
        return intervals.FALSE if found is None else intervals.EITHER if found[2] else intervals.TRUE

    return known


def _logic(operator: str, terms: Sequence[Term]) -> Term:
    match operator:
        case "not":
            return lambda state: intervals.negation(terms[0](state))
        case "and":
            return lambda state: intervals.conjunction([_later(each, state) for each in terms])
        case "if":
            condition, yes, no = terms
            return lambda state: intervals.conditional(condition(state), _later(yes, state), _later(no, state))
    # `a or b` is `not (not a and not b)`, which stops at the same term.
    return lambda state: intervals.negation(intervals.conjunction([_later_not(each, state) for each in terms]))


def _later(term: Term, state: State) -> Callable[[], Value]:
    return lambda: term(state)


def _later_not(term: Term, state: State) -> Callable[[], Value]:
    return lambda: intervals.negation(term(state))


def _banded(term: Term, bands: Sequence[tuple[int | None, int | None]]) -> Term:
    def within(state: State) -> Value:
        found = term(state)
        return None if found is None else intervals.within(found, bands)

    return within


def _compared(operator: str, first: Term, second: Term) -> Term:
    def compared(state: State) -> Value:
        left, right = first(state), second(state)
        return None if left is None or right is None else intervals.comparison(operator, left, right)

    return compared


def _calculated(operator: str, parts: Sequence[Term], divisor: int, span: tuple[Quantity, Quantity]) -> Term:
    def calculated(state: State) -> Value:
        ranges = _all_known([each(state) for each in parts])
        if ranges is None:
            return None
        match operator:
            case "neg":
                return intervals.arithmetic("-", [intervals.point(0), *ranges])
            case "abs":
                return intervals.absolute(ranges[0])
            case "mod" if divisor:
                return intervals.remainder(ranges[0], divisor)
            case "pips":
                return intervals.remainder(ranges[0], 2 * PIPS + 1, -PIPS)
        return intervals.arithmetic(operator, ranges) or (*span, any(each[2] for each in ranges))

    return calculated


def _chosen(term: Term, values: Sequence[Range]) -> Term:
    def chosen(state: State) -> Value:
        found = term(state)
        return found and _around(values[int(found[0]) : int(found[1]) + 1], (0, 1), found[2])

    return chosen


def _found_in(lookup: Lookup, terms: Sequence[Term], span: tuple[Quantity, Quantity]) -> Term:
    rows = list(zip(lookup.boxes, lookup.cells, strict=True))

    def found_in(state: State) -> Value:
        keys = _all_known([each(state) for each in terms])
        if keys is None:
            return None
        return _around([cell for box, cell in rows if _meets(box, keys)], span, any(each[2] for each in keys))

    return found_in


def _around(ranges: Sequence[Range], otherwise: tuple[Quantity, Quantity], maybe: bool) -> Range:
    if not ranges:
        return (*otherwise, maybe)
    low, high, _ = intervals.hull(ranges) or (0, 0, False)
    return low, high, maybe


def _all_known(values: Sequence[Value]) -> list[Range] | None:
    known = [each for each in values if each is not None]
    return known if len(known) == len(values) else None


def _meets(box: Box, keys: Sequence[Range]) -> bool:
    return all(any(a <= key[1] and key[0] <= b for a, b in bands) for bands, key in zip(box, keys, strict=True))
