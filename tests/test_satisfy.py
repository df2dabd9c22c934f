"""The search for situations against trying every situation of small domains."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from fractions import Fraction as Exact

from hypothesis import given, settings
from hypothesis import strategies as st

from houserule_compiler.meanings import Lookup, Meanings
from houserule_compiler.satisfy import Witness, satisfy
from houserule_compiler.source import SourceFile, Span
from houserule_compiler.typed import Operand, Read, Typed
from houserule_compiler.types import Boolean, Choice, HitDice, Integer, Set, Type, hit_dice_code

PLACE = Span(SourceFile("rules.yaml", "x"), 0, 1)
NONE = Meanings()
Unknown = object()
Situation = Mapping[Read, object]


def make(operator: str, *operands: Operand, type: Type | None = None) -> Typed:
    needs = frozenset(read for each in operands if isinstance(each, Typed) for read in each.needs)
    return Typed(operator, operands, type or Boolean(), PLACE, needs)


def integer(value: int) -> Typed:
    return make("literal", value, type=Integer(value, value))


def fact(id: str, low: int, high: int, may_be_unknown: bool = False) -> Typed:
    read: Read = ("fact", id)
    return Typed("fact", (id,), Integer(low, high), PLACE, frozenset({read}) if may_be_unknown else frozenset())


def flag(id: str) -> Typed:
    return make("fact", id)


X, Y, Z = fact("x", -2, 4), fact("y", 0, 3), fact("z", 0, 2, may_be_unknown=True)
P, Q = flag("p"), flag("q")
DOMAINS: dict[Read, list[object]] = {
    ("fact", "x"): list(range(-2, 5)),
    ("fact", "y"): list(range(4)),
    ("fact", "z"): [Unknown, 0, 1, 2],
    ("fact", "p"): [0, 1],
    ("fact", "q"): [0, 1],
}


class Silent(Exception):
    """Something unknown was read."""


def value(item: Typed, situation: Situation) -> int | Exact:
    """A plain evaluator, straight from docs/artifact.md."""
    parts = list(item.parts)

    def at(index: int) -> int | Exact:
        return value(parts[index], situation)

    match item.operator:
        case "literal":
            return int(item.literal or 0)
        case "fact":
            found = situation[item.read or ()]
            if found is Unknown:
                raise Silent
            assert isinstance(found, int)
            return found
        case "known":
            return int(situation[("fact", "z")] is not Unknown)
        case "and":
            return int(all(value(each, situation) for each in parts))
        case "or":
            return int(any(value(each, situation) for each in parts))
        case "not":
            return 1 - at(0)
        case "if":
            return at(1) if at(0) else at(2)
        case "+":
            return at(0) + at(1)
        case "-":
            return at(0) - at(1)
        case "*":
            return at(0) * at(1)
        case "/":
            return Exact(at(0)) / at(1)
        case "floor":
            return at(0) // 1
        case "abs":
            return abs(at(0))
        case "min":
            return min(at(0), at(1))
        case "mod":
            return at(0) % 3
        case "in":
            return int(any(low <= at(0) <= high for low, high in item.operands[1]))  # type: ignore
    left, right = at(0), at(1)
    compared = {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right}
    return int({**compared, ">": left > right, ">=": left >= right}[item.operator])


WIDE = Integer(-100, 100)
numbers = st.recursive(
    st.sampled_from([X, Y, Z]) | st.integers(-3, 5).map(integer),
    lambda inner: st.one_of(
        st.builds(lambda op, a, b: make(op, a, b, type=WIDE), st.sampled_from("+-*"), inner, inner),
        st.builds(lambda a: make("floor", make("/", a, integer(2), type=WIDE), type=WIDE), inner),
        st.builds(lambda a: make("abs", a, type=WIDE), inner),
        st.builds(lambda a: make("mod", a, 3, type=Integer(0, 2)), inner),
        st.builds(lambda a, b: make("min", a, b, type=WIDE), inner, inner),
    ),
    max_leaves=3,
)
bands = st.tuples(st.integers(-3, 5), st.integers(0, 3)).map(lambda pair: [pair[0], pair[0] + pair[1]])
atoms = st.one_of(
    st.builds(lambda op, a, b: make(op, a, b), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), numbers, numbers),
    st.builds(lambda a, found: make("in", a, found), numbers, st.lists(bands, min_size=1, max_size=2)),
    st.sampled_from([P, Q, make("known", ["fact", "z"])]),
)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(lambda op, a, b: make(op, a, b), st.sampled_from(["and", "or"]), inner, inner),
        st.builds(lambda a: make("not", a), inner),
        st.builds(lambda a, b, c: make("if", a, b, c), inner, inner, inner),
    ),
    max_leaves=5,
)


def meets(demands: list[tuple[Typed, bool]], situation: Situation) -> bool:
    for item, wanted in demands:
        try:
            holds = bool(value(item, situation))
        except Silent:
            holds = False
        if holds is not wanted:
            return False
    return True


def situations() -> list[Situation]:
    return [dict(zip(DOMAINS, values, strict=True)) for values in itertools.product(*DOMAINS.values())]


def agrees(witness: Witness, situation: Situation) -> bool:
    for each in witness.given:
        found = situation[each.path]  # type: ignore[index]
        if each.about == "known":
            if each.value != (found is not Unknown):
                return False
        elif found is not Unknown and found != each.value:
            return False
    return True


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(conditions, st.booleans()), min_size=1, max_size=3))
def test_agrees_with_trying_everything(demands: list[tuple[Typed, bool]]) -> None:
    witness = satisfy(demands, NONE)
    good = [each for each in situations() if meets(demands, each)]
    assert (witness is None) == (not good)
    if witness is not None:
        assert witness.is_exact
        agreeing = [each for each in situations() if agrees(witness, each)]
        assert agreeing
        assert all(meets(demands, each) for each in agreeing)


def text(witness: Witness | None) -> dict[str, object] | None:
    if witness is None:
        return None
    return {".".join(str(part) for part in each.path[1:]): each.value for each in witness.given}


def test_the_smallest_situation_is_given() -> None:
    level, d20 = fact("level", 1, 1000), fact("d20", 1, 20)
    item = make("and", make(">=", level, integer(5)), make("==", d20, integer(20)))
    assert text(satisfy([(item, True)], NONE)) == {"level": 5, "d20": 20}
    assert text(satisfy([(make("<", level, integer(5)), False)], NONE)) == {"level": 5}


def test_impossible_situations_are_left_out() -> None:
    item, excluded = make(">", X, integer(2)), make("<", X, integer(4))
    assert text(satisfy([(item, True)], NONE, [excluded])) == {"x": 4}
    assert satisfy([(item, True)], NONE, [make(">", X, integer(0))]) is None


def test_conditions_and_computed_fields_are_looked_through() -> None:
    size = Typed("its", ("size",), Choice("size", 0, 2), PLACE)
    ogre = make("literal", 2, type=Choice("size", 2, 2))
    big = make("field", "target", "big")
    meanings = Meanings(
        conditions={"huge": make("and", big, make("==", make("field", "target", "size", type=size.type), ogre))},
        computed={("target", "big"): make("<", size, ogre)},
    )
    assert satisfy([(make("condition", "huge"), True)], meanings) is None
    unseen = satisfy([(make("condition", "huge"), True)], NONE)
    assert unseen is not None
    assert not unseen.is_exact


def test_a_small_table_is_looked_through() -> None:
    lookup = Lookup(boxes=((((1, 3),),), (((4, 9),),)), cells=((0, 0, False), (5, 5, False)))
    read = make("table", "bonus", "value", [fact("level", 1, 9)], type=Integer(0, 5))
    meanings = Meanings(lookups={("bonus", "value"): lookup})
    assert text(satisfy([(make("==", read, integer(5)), True)], meanings)) == {"level": 4}
    assert satisfy([(make("==", read, integer(3)), True)], meanings) is None
    assert satisfy([(make("==", read, integer(3)), True)], NONE) is not None


def test_attributes_sets_and_hit_dice() -> None:
    weapon = Typed("field", ("target", "weapon"), Choice("weapon", 0, 2), PLACE)
    length = make("attribute", "weapon", "length", weapon, type=Integer(0, 9))
    meanings = Meanings(attributes={("weapon", "length"): ((1, 1, False), (8, 8, False), (3, 3, False))})
    assert text(satisfy([(make(">", length, integer(7)), True)], meanings)) == {"target.weapon": 1}
    assert satisfy([(make(">", length, integer(8)), True)], meanings) is None
    stances = Typed("field", ("target", "stances"), Set("stance"), PLACE)
    prone = make("has", stances, make("literal", 1, type=Choice("stance", 1, 1)))
    assert satisfy([(prone, True), (prone, False)], meanings) is None
    codes = [hit_dice_code(False, 1, 0), hit_dice_code(False, 1, 9)]
    dice = Typed("field", ("target", "hd"), HitDice(*codes), PLACE)
    pips = make("pips", dice, type=Integer(-9, 9))
    assert text(satisfy([(make(">", pips, integer(3)), True)], meanings)) == {"target.hd": codes[0] + 4}
    assert satisfy([(make("<", pips, integer(0)), True)], meanings) is None


def test_what_cannot_be_followed_is_never_ruled_out_beyond_its_type() -> None:
    bonus = Typed("number", ("bonus",), Integer(0, 10), PLACE)
    found = satisfy([(make(">", bonus, integer(3)), True)], NONE)
    assert found is not None
    assert not found.is_exact
    assert satisfy([(make(">", bonus, integer(10)), True)], NONE) is None
    assert satisfy([(make(">", bonus, integer(3)), True), (make("<", bonus, integer(4)), True)], NONE) is None


def test_a_long_search_ends_and_rules_nothing_out() -> None:
    """x * y == z over wide domains, with a contradiction that only trying would find."""
    start = time.process_time()
    a, b, c = (fact(id, 2, 90_001) for id in "abc")
    product = make("*", a, b, type=Integer(4, 10**10))
    odd = make("==", make("mod", c, 2, type=Integer(0, 1)), integer(1))
    even = make("==", make("mod", product, 2, type=Integer(0, 1)), integer(0))
    item = make("==", make("*", product, c, type=Integer(8, 10**15)), integer(90_001))
    assert satisfy([(make("and", odd, even, item), True)], NONE) is not None
    assert time.process_time() - start < 10
