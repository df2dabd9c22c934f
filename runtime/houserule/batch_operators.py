"""The operators of expressions on columns, with what counts of an operand that would not have been reached."""

from __future__ import annotations

from .arithmetic import STRICT
from .batch_vectors import DiceVector, Vector
from .errors import UnusualError
from .expression import Operation
from .values import hit_dice_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from .batch_code import Mask
    from .batch_expressions import Found, Maker, Place
    from .expression import Expr

    Rule: TypeAlias = Callable[[Maker, list[Vector]], Vector]

COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})
_ROUNDINGS = frozenset({"floor", "ceil", "nearest", "toward_zero"})
_CODES = 65_536


def operation(maker: Maker, operator: str, operands: tuple[Expr, ...], place: Place) -> Found:
    """An operator with its operands."""
    if operator in ("and", "or"):
        return _logic(maker, operator == "and", operands, place)
    if operator == "if":
        mask, asked = maker.mask(operands[0], place)
        found = maker.choose(mask, maker.found(operands[1], place), maker.found(operands[2], place))
        return _also(maker, found, asked)
    if operator in _ROUNDINGS:
        divided = _divided(maker, operator, operands[0], place)
        if divided is not None:
            return divided
    found_operands = [maker.found(each, place) for each in operands]
    if any(isinstance(each, DiceVector) for each in found_operands):
        return _of_dice(maker, operator, found_operands)
    return strict(maker, operator, [each for each in found_operands if isinstance(each, Vector)])


def _also(maker: Maker, found: Found, asked: Vector) -> Found:
    """The same, unknown where what was asked for it is."""
    if isinstance(found, Vector):
        return maker.vectors.masked(found, asked.unknown, asked.doubt)
    parts = (found.low, found.high, found.constant)
    return DiceVector(*(maker.vectors.masked(each, asked.unknown, asked.doubt) for each in parts))


def _logic(maker: Maker, is_and: bool, operands: tuple[Expr, ...], place: Place) -> Vector:
    """`and` and `or`: an operand counts only where those before it have not settled the whole."""
    code = maker.code
    reached: Mask = True
    found: Mask = is_and
    unknown: Mask = False
    doubt: Mask = False
    for each in operands:
        mask, asked = maker.mask(each, place)
        unknown = code.either(unknown, code.both(reached, asked.unknown))
        doubt = code.either(doubt, code.both(reached, asked.doubt))
        found = code.both(found, mask) if is_and else code.either(found, mask)
        reached = code.both(reached, mask if is_and else code.inverted(mask))
    return maker.vectors.masked(maker.vectors.truth(found), unknown, doubt)


def _divided(maker: Maker, operator: str, expr: Expr, place: Place) -> Vector | None:
    """A rounded quotient, without fractions, where the divisor differs by row."""
    if not isinstance(expr, Operation) or expr.operator != "/":
        return None
    vectors = maker.vectors
    above, below = vectors.aligned(*(maker.value(each, place) for each in expr.operands))
    if below.low == below.high and below.low > 0:
        return None
    is_zero = vectors.mask(vectors.compare("==", below, vectors.literal(0)))
    below = vectors.select(is_zero, vectors.literal(1), Vector(below.ref, below.low, below.high, 1, below.unknown))
    is_below = vectors.mask(vectors.compare("<", below, vectors.literal(0)))
    above = vectors.select(is_below, vectors.negated(above), _over_one(above))
    below = vectors.absolute(below)
    # The size is never 0, which the range alone does not tell.
    below = Vector(below.ref, max(below.low, 1), below.high, 1, below.unknown, below.doubt)
    return vectors.masked(_quotient(maker, operator, above, below), False, is_zero)


def _over_one(vector: Vector) -> Vector:
    return Vector(vector.ref, vector.low, vector.high, 1, vector.unknown, vector.doubt)


def _quotient(maker: Maker, operator: str, above: Vector, below: Vector) -> Vector:
    vectors, above = maker.vectors, _over_one(above)
    if operator == "floor":
        return vectors.quotient(above, below)
    if operator == "ceil":
        return vectors.negated(vectors.quotient(vectors.negated(above), below))
    if operator == "nearest":
        two = vectors.literal(2)
        return vectors.quotient(vectors.add(vectors.multiply(two, above), below), vectors.multiply(two, below))
    is_negative = vectors.mask(vectors.compare("<", above, vectors.literal(0)))
    ends = (_quotient(maker, each, above, below) for each in ("ceil", "floor"))
    return vectors.select(is_negative, *ends)


def _of_dice(maker: Maker, operator: str, operands: list[Found]) -> Found:
    """Dice added to, or their ends."""
    vectors, dice = maker.vectors, [maker.dice(each) for each in operands]
    if operator == "+":
        found = dice[0]
        for each in dice[1:]:
            pairs = ((found.low, each.low), (found.high, each.high), (found.constant, each.constant))
            found = DiceVector(*(vectors.add(*pair) for pair in pairs))
        return found
    if operator in ("highest", "lowest"):
        return vectors.add(dice[0].high if operator == "highest" else dice[0].low, dice[0].constant)
    raise UnusualError


def strict(maker: Maker, operator: str, operands: list[Vector]) -> Vector:
    """An operator that needs all of its operands."""
    if operator in COMPARED:
        return maker.vectors.compare(operator, *operands)
    rule = _RULES.get(operator)
    if rule is None or operator not in STRICT:
        raise UnusualError
    return rule(maker, operands)


def _folded(name: str) -> Rule:
    def rule(maker: Maker, operands: list[Vector]) -> Vector:
        found = operands[0]
        for each in operands[1:]:
            found = getattr(maker.vectors, name)(found, each)
        return found

    return rule


def _single(name: str) -> Rule:
    def rule(maker: Maker, operands: list[Vector]) -> Vector:
        found: Vector = getattr(maker.vectors, name)(operands[0])
        return found

    return rule


def _not(maker: Maker, operands: list[Vector]) -> Vector:
    return maker.vectors.truth(maker.code.inverted(maker.vectors.mask(operands[0])), operands[0])


def _over(maker: Maker, operands: list[Vector]) -> Vector:
    """An exact quotient by a number that is known now."""
    above, below = operands
    if isinstance(below.ref, str) or below.ref == 0:
        raise UnusualError
    times = maker.vectors.multiply(above, maker.vectors.literal(below.over if below.ref > 0 else -below.over))
    over = times.over * abs(below.ref)
    maker.vectors.aligned(maker.vectors.literal(0, over))
    return Vector(times.ref, times.low, times.high, over, times.unknown, times.doubt)


def _remainder(maker: Maker, operands: list[Vector]) -> Vector:
    vectors = maker.vectors
    one, other = vectors.aligned(*operands)
    if isinstance(other.ref, str) or other.ref <= 0:
        raise UnusualError
    quotient = vectors.divided(_over_one(one), other.ref)
    found = vectors.subtract(_over_one(one), vectors.multiply(quotient, vectors.literal(other.ref)))
    low, high = (one.low, one.high) if one.low >= 0 and one.high < other.ref else (0, other.ref - 1)
    return Vector(found.ref, low, high, one.over, found.unknown, found.doubt)


def _of_codes(work: Callable[[int], int], over: int = 1) -> Rule:
    """An operator on codes, by a table of all of them."""

    def rule(maker: Maker, operands: list[Vector]) -> Vector:
        codes = operands[0]
        if codes.high - codes.low >= _CODES:
            raise UnusualError
        found = maker.vectors.mapped(codes, [work(code) for code in range(codes.low, codes.high + 1)])
        return Vector(found.ref, found.low, found.high, over, found.unknown, found.doubt)

    return rule


def _count(maker: Maker, operands: list[Vector]) -> Vector:
    words = operands[0]
    if words.high - words.low < _CODES:
        return _of_codes(int.bit_count)(maker, operands)
    assert isinstance(words.ref, str)
    ref = maker.code.emit("bitwise_count", (words.ref,), "uint8")
    return Vector(maker.code.emit("copy", (ref,), "int8"), 0, 64, 1, words.unknown, words.doubt)


def _rounding(how: str) -> Rule:
    return lambda maker, operands: maker.vectors.rounded(how, operands[0])


_RULES: dict[str, Rule] = {
    "+": _folded("add"),
    "*": _folded("multiply"),
    "-": _folded("subtract"),
    "min": _folded("smallest"),
    "max": _folded("largest"),
    "neg": _single("negated"),
    "abs": _single("absolute"),
    "not": _not,
    "/": _over,
    "mod": _remainder,
    "count": _count,
    "dice_part": _of_codes(lambda code: hit_dice_parts(code)[0], 2),
    "pips": _of_codes(lambda code: hit_dice_parts(code)[1]),
    "highest": lambda maker, operands: operands[0],
    "lowest": lambda maker, operands: operands[0],
    **{how: _rounding(how) for how in _ROUNDINGS},
}
