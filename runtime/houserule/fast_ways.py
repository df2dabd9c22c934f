"""What generated code for odds counts: ways through a check, of how many, and what they lead to.

Of how many ways there are, most is known from the dice that stand in the rules. Dice that facts name are loose: their
falls, and how many there are, are variables of the generated functions.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .dice import Pool, weights
from .errors import UnusualError
from .expression import Attribute, Constant, DiceTerm, FactRead, FieldRead, Operation, OptionRead, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from dataclasses import dataclass

    from .expression import Binding, Expr
    from .intervals import Interval
    from .program import Program
else:
    from .records import dataclass

LOOSE = 64
"""So many totals a loose die has at most."""
_KEPT = 200
"""The falls of so many loose dice are kept."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Of how many ways: a number, times the ways of some loose dice."""

    of: int = 1
    loose: tuple[str, ...] = ()

    def times(self, other: Whole) -> Whole:
        """The product."""
        return Whole(self.of * other.of, tuple(sorted(self.loose + other.loose)))

    def without(self, other: Whole) -> tuple[str, ...]:
        """The loose dice of this that another has not."""
        left = list(self.loose)
        for each in other.loose:
            left.remove(each)
        return tuple(left)

    def expression(self) -> ast.expr:
        """The value in generated code."""
        found: ast.expr = syntax.literal(self.of)
        for each in self.loose:
            found = syntax.binary("*", found, syntax.name(each))
        return found


def common(wholes: list[Whole]) -> Whole:
    """The least that all of some go into."""
    from math import lcm

    names = sorted({name for each in wholes for name in each.loose})
    loose = [name for name in names for _ in range(max(each.loose.count(name) for each in wholes))]
    return Whole(lcm(*(each.of for each in wholes)), tuple(loose))


@dataclass(frozen=True, slots=True)
class Way:
    """Where a way through a check stands: the variable of its weight (none where that is 1), of how many, and how
    many such ways there may be."""

    weight: str
    of: Whole
    many: int


@dataclass(frozen=True, slots=True)
class Counted:
    """A function that gives the ends of a check as pairs: the outcome (with locals, as a tuple) and its ways.

    `of` is how many ways there are in all, `many` how many pairs there may be, `work` how many ways are followed.
    """

    name: str
    names: tuple[str, ...]
    of: Whole
    many: int
    work: int
    raises: bool
    spans: Mapping[str, Interval]
    loose: Mapping[str, tuple[Expr, Binding]]


class Target:
    """What ways lead to: a step, or the end; `variable` holds the weights of its states."""

    def __init__(self, variable: str, names: Iterable[str], is_end: bool) -> None:
        self.variable = variable
        self.names = tuple(sorted(names))
        self.is_end = is_end
        self.many = 0
        self.sources: list[tuple[ast.BinOp, Whole]] = []

    def add(self, way: Way) -> ast.expr:
        """The weight of a way that leads here; how it is scaled is known when all ways are."""
        self.many += way.many
        start = syntax.name(way.weight) if way.weight else syntax.literal(1)
        weight = ast.BinOp(start, ast.Mult(), syntax.literal(1))
        self.sources.append((weight, way.of))
        return weight

    def whole(self) -> Whole:
        """Of how many ways the weights are, once all are there; what came of fewer is made to fit."""
        of = common([each for _, each in self.sources])
        for weight, each in self.sources:
            weight.right = Whole(of.of // each.of, of.without(each)).expression()
        return of


def is_loose(program: Program, expr: Expr) -> bool:
    """Whether dice follow from given facts alone: from no number, which callers adjust, and from no other die."""
    if isinstance(expr, FieldRead):
        owner = program.roles[expr.role].entity if expr.role in program.roles else ""
        return bool(owner) and program.entities[owner].fields[expr.field].computed is None
    if isinstance(expr, FactRead):
        return program.facts[expr.id].computed is None
    is_plain = isinstance(expr, int | DiceTerm | Constant | OptionRead | Attribute | Operation)
    return is_plain and all(is_loose(program, each) for each in parts(expr))


class Falls:
    """The totals of loose dice with their ways, kept by the dice: facts name few that are not alike."""

    def __init__(self) -> None:
        self.known: dict[Pool | int, tuple[tuple[int, int], ...]] = {}

    def of(self, pool: Pool | int) -> tuple[tuple[int, int], ...]:
        """Those of one die; raises `UnusualError` where they are too many."""
        found = self.known.get(pool)
        if found is None:
            found = _falls_of(pool)
            if len(self.known) < _KEPT:
                self.known[pool] = found
        return found


def _falls_of(pool: Pool | int) -> tuple[tuple[int, int], ...]:
    if not isinstance(pool, Pool):
        return ((pool, 1),)
    found = tuple(weights(pool).items()) if pool.high - pool.low < LOOSE else ()
    if not found:
        raise UnusualError
    return found


def whole_of(falls: tuple[tuple[int, int], ...]) -> int:
    """How many ways a die can fall."""
    return sum(many for _, many in falls)
