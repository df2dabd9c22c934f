"""Expression trees, as written: names are not yet resolved, types not yet known. Every node has a span."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from .source import Span


@dataclass(frozen=True, eq=False, slots=True)
class Integer:
    """A whole number as written; `digits` keeps a leading zero. Never negative: a sign is a `Unary`."""

    value: int
    digits: str
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Boolean:
    """`true` or `false`."""

    value: bool
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class DiceLiteral:
    """`3d6`, `4d6 keep highest 3`: `keep` is None, or which end is kept and how many."""

    count: int
    faces: int
    keep: tuple[Literal["highest", "lowest"], int] | None
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Name:
    """A dotted name: `attacker.level`, `its.class`, `strike.d20`, a word. `spans` has the place of each part."""

    parts: tuple[str, ...]
    spans: tuple[Span, ...]
    span: Span

    @property
    def text(self) -> str:
        """The name as it is written, dots and all."""
        return ".".join(self.parts)


@dataclass(frozen=True, eq=False, slots=True)
class Inherited:
    """`inherited`: in a layer, the value below."""

    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Rebinding:
    """An argument `foe as side`: the thing named first plays the role named second."""

    player: Name
    role: Name
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """`max(a, b)`, `thac0(its.group, its.level)`, `charisma(its.charisma).reaction`, `stealth(foe as side)`."""

    function: Name
    arguments: tuple[Expression | Rebinding, ...]
    column: Name | None
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Unary:
    """`-x` or `not x`."""

    operator: Literal["-", "not"]
    operand: Expression
    span: Span


BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, eq=False, slots=True)
class Binary:
    """Arithmetic, grouped from the left, or one comparison. `at` is the place of the operator."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    at: Span
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Logic:
    """`a and b and c`, `a or b`: a flat chain of at least two terms."""

    operator: Literal["and", "or"]
    terms: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Conditional:
    """`if condition then yes else no`."""

    condition: Expression
    yes: Expression
    no: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Alternative:
    """One of the things between bars: a single value (`low` and `high` are the same node) or a band.

    In a band a missing end is open: `..5` has no `low`, `96..` no `high`.
    """

    low: Expression | None
    high: Expression | None
    is_band: bool
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Membership:
    """`x in a | b`, `x in 3..5 | 9`, `word in set`."""

    item: Expression
    alternatives: tuple[Alternative, ...]
    at: Span
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Broken:
    """An expression that is missing or did not parse; it is reported already, and has no type of its own."""

    span: Span


Expression: TypeAlias = (
    Integer
    | Broken
    | Boolean
    | DiceLiteral
    | Name
    | Inherited
    | Call
    | Unary
    | Binary
    | Logic
    | Conditional
    | Membership
)


@dataclass(frozen=True, eq=False, slots=True)
class Adjustment:
    """One adjustment in its text form: `+2`, `-3`, `0`, `worse 3`, `better EXPR`, an expression.

    `sign` is what the author wrote first: a word of direction, `+`, `-` (which stays part of `value`), or nothing.
    """

    sign: Literal["better", "worse", "+", "-", ""]
    value: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class TypeExpression:
    """A type as written: `3..18`, `class`, `set of stance`, `hit_dice 0..30`, `dice <= 4d12`, `pay?`, `0..3 = 0`.

    `kind` is `range` (with `low`, `high`, both constant expressions), `integer`, `boolean`, `adjustment`, `text`,
    `choice` (with `name`, which may be `sequence.step`), `set` (with `name`), `hit_dice` and `fraction` (with `low`
    and `high`), `dice_up_to` (with one of `dice`), or `dice_of` (with a closed list in `dice`).
    """

    kind: Literal[
        "range",
        "integer",
        "boolean",
        "adjustment",
        "text",
        "choice",
        "set",
        "hit_dice",
        "fraction",
        "dice_up_to",
        "dice_of",
    ]
    name: Name | None
    low: Expression | None
    high: Expression | None
    dice: tuple[DiceLiteral, ...]
    may_be_unknown: bool
    default: Expression | None
    span: Span


def substituted(tree: Expression, below: Expression) -> Expression:
    """The expression with `below` in the place of every `inherited`."""

    def inner(part: Expression) -> Expression:
        return substituted(part, below)

    def end(part: Expression | None) -> Expression | None:
        return inner(part) if part else None

    match tree:
        case Inherited():
            return below
        case Unary():
            return replace(tree, operand=inner(tree.operand))
        case Binary():
            return replace(tree, left=inner(tree.left), right=inner(tree.right))
        case Logic():
            return replace(tree, terms=tuple(map(inner, tree.terms)))
        case Conditional():
            return replace(tree, condition=inner(tree.condition), yes=inner(tree.yes), no=inner(tree.no))
        case Membership():
            bands = tuple(replace(each, low=end(each.low), high=end(each.high)) for each in tree.alternatives)
            return replace(tree, item=inner(tree.item), alternatives=bands)
        case Call():
            given = tuple(each if isinstance(each, Rebinding) else inner(each) for each in tree.arguments)
            return replace(tree, arguments=given)
    return tree


def names_in(expression: Expression) -> Iterator[Name]:
    """Every name in an expression, and the names of the functions that it calls."""
    match expression:
        case Name():
            yield expression
        case Call(function, arguments):
            yield function
            for each in arguments:
                yield from () if isinstance(each, Rebinding) else names_in(each)
        case Unary(_, operand):
            yield from names_in(operand)
        case Binary(_, left, right):
            yield from (*names_in(left), *names_in(right))
        case Logic(_, terms):
            for each in terms:
                yield from names_in(each)
        case Conditional(condition, yes, no):
            yield from (*names_in(condition), *names_in(yes), *names_in(no))
        case Membership(item, alternatives):
            yield from names_in(item)
            for alternative in alternatives:
                for end in (alternative.low, alternative.high):
                    yield from names_in(end) if end else ()
