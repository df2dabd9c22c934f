"""From tokens to syntax nodes: one method for each rule of the grammar, called as the rule is recognised.

The parser hands over the children of a rule, which are tokens with places and nodes already made; nothing else is
needed, so the methods keep no state. What a token may not be (a reserved word, a leading zero) is settled before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeAlias

from lark import Transformer

from . import syntax
from .source import Span
from .tokens import Placed, dice_parts

Child: TypeAlias = Any
"""A token or a node: which one, the grammar says."""

ENDS: dict[str, Literal["highest", "lowest"]] = {"highest": "highest", "lowest": "lowest"}
ADJUSTING: dict[str, Literal["better", "worse", "+"]] = {"better": "better", "worse": "worse", "+": "+"}


class Reductions(Transformer[Placed, Any]):
    """Makes the node of each rule. A node in parentheses covers them too."""

    def integer(self, children: list[Child]) -> syntax.Integer:
        """`3`."""
        digits = children[0]
        return syntax.Integer(int(digits), str(digits), digits.span)

    def boolean(self, children: list[Child]) -> syntax.Boolean:
        """`true`."""
        return syntax.Boolean(children[0] == "true", children[0].span)

    def dice(self, children: list[Child]) -> syntax.DiceLiteral:
        """`4d6 keep highest 3`."""
        return dice(children[0])

    def inherited(self, children: list[Child]) -> syntax.Inherited:
        """`inherited`."""
        return syntax.Inherited(children[0].span)

    def name(self, children: list[Child]) -> syntax.Name:
        """`attacker.level`."""
        return name(children[0])

    def enclosed(self, children: list[Child]) -> syntax.Expression:
        """`(a + b)`: the node inside, with a span that covers the parentheses."""
        opened, inside, closed = children
        widened: syntax.Expression = replace(inside, span=opened.span.to(closed.span))
        return widened

    def call(self, children: list[Child]) -> syntax.Call:
        """`max(a, b)`, `charisma(its.charisma).reaction`."""
        last = children[-1]
        column = name(last) if last.type == "COLUMN" else None
        arguments = tuple(children[2:-2] if column else children[2:-1])
        return syntax.Call(name(children[0]), arguments, column, children[0].span.to(last.span))

    def rebinding(self, children: list[Child]) -> syntax.Rebinding:
        """`foe as side`."""
        player, role = name(children[0]), name(children[2])
        return syntax.Rebinding(player, role, player.span.to(role.span))

    def prefix(self, children: list[Child]) -> syntax.Unary:
        """`-x`, `not x`."""
        sign, operand = children
        return syntax.Unary("not" if sign == "not" else "-", operand, sign.span.to(operand.span))

    def chain(self, children: list[Child]) -> syntax.Binary:
        """`a + b - c`, `a * b`: grouped from the left."""
        left, sign, right, *rest = children
        tree = self.comparison([left, sign, right])
        for sign, right in zip(rest[::2], rest[1::2], strict=True):
            tree = self.comparison([tree, sign, right])
        return tree

    sum = product = chain

    def comparison(self, children: list[Child]) -> syntax.Binary:
        """`a < b`: one operator between two operands."""
        left, sign, right = children
        return syntax.Binary(str(sign), left, right, sign.span, left.span.to(right.span))  # type: ignore[arg-type]

    def membership(self, children: list[Child]) -> syntax.Membership:
        """`x in a | 3..5`."""
        item, sign = children[:2]
        return syntax.Membership(item, tuple(children[2::2]), sign.span, item.span.to(children[-1].span))

    def disjunction(self, children: list[Child]) -> syntax.Logic:
        """`a or b or c`."""
        return syntax.Logic("or", tuple(children[::2]), children[0].span.to(children[-1].span))

    def conjunction(self, children: list[Child]) -> syntax.Logic:
        """`a and b and c`."""
        return syntax.Logic("and", tuple(children[::2]), children[0].span.to(children[-1].span))

    def conditional(self, children: list[Child]) -> syntax.Conditional:
        """`if a then b else c`."""
        first, condition, _, yes, _, no = children
        return syntax.Conditional(condition, yes, no, first.span.to(no.span))

    def single(self, children: list[Child]) -> syntax.Alternative:
        """One value between bars."""
        return syntax.Alternative(children[0], children[0], False, children[0].span)

    def band(self, children: list[Child]) -> syntax.Alternative:
        """`3..5`, `..5`, `96..`."""
        dots = next(at for at, each in enumerate(children) if isinstance(each, Placed))
        low = children[0] if dots else None
        high = children[-1] if dots < len(children) - 1 else None
        return syntax.Alternative(low, high, True, children[0].span.to(children[-1].span))

    def key(self, children: list[Child]) -> tuple[syntax.Alternative, ...]:
        """`1..3 | 7`."""
        return tuple(children[::2])

    def plain_adjustment(self, children: list[Child]) -> syntax.Adjustment:
        """`3`, `-3`, an expression."""
        # Whether it begins with a minus is seen by `Parser.adjustment`, which has the text.
        return syntax.Adjustment("", children[0], children[0].span)

    def signed_adjustment(self, children: list[Child]) -> syntax.Adjustment:
        """`+2`, `better 3`."""
        sign, value = children
        return syntax.Adjustment(ADJUSTING[str(sign)], value, sign.span.to(value.span))

    def type(self, children: list[Child]) -> syntax.TypeExpression:
        """A whole type: its kind, then `?`, then `= default`."""
        kind, *rest = children
        default = rest[-1] if rest and not isinstance(rest[-1], Placed) else None
        may_be_unknown = any(isinstance(each, Placed) and each.type == "UNKNOWN" for each in rest)
        span = kind.span.to(children[-1].span)
        typed: syntax.TypeExpression = replace(kind, may_be_unknown=may_be_unknown, default=default, span=span)
        return typed

    def range(self, children: list[Child]) -> syntax.TypeExpression:
        """`3..18`."""
        low, _, high = children
        return type_of("range", low.span.to(high.span), low=low, high=high)

    def ranged(self, children: list[Child]) -> syntax.TypeExpression:
        """`hit_dice 0..30`, `fraction`."""
        word, *bounds = children
        low, high = (bounds[0], bounds[2]) if bounds else (None, None)
        return type_of(str(word), word.span.to(children[-1].span), low=low, high=high)

    def simple(self, children: list[Child]) -> syntax.TypeExpression:
        """`boolean`, `text`."""
        return type_of(str(children[0]), children[0].span)

    def set_of(self, children: list[Child]) -> syntax.TypeExpression:
        """`set of stance`."""
        return type_of("set", children[0].span.to(children[1].span), name=name(children[1]))

    def choice(self, children: list[Child]) -> syntax.TypeExpression:
        """`class`, `combat_round.step`."""
        return type_of("choice", children[0].span, name=name(children[0]))

    def dice_up_to(self, children: list[Child]) -> syntax.TypeExpression:
        """`dice <= 4d12`."""
        return type_of("dice_up_to", children[0].span.to(children[2].span), dice=(dice(children[2]),))

    def dice_of(self, children: list[Child]) -> syntax.TypeExpression:
        """`1d4 | 1d6`."""
        span = children[0].span.to(children[-1].span)
        return type_of("dice_of", span, dice=tuple(dice(each) for each in children[::2]))


def type_of(
    kind: Any,
    span: Span,
    *,
    name: syntax.Name | None = None,
    low: syntax.Expression | None = None,
    high: syntax.Expression | None = None,
    dice: tuple[syntax.DiceLiteral, ...] = (),
) -> syntax.TypeExpression:
    """A type without `?` and default."""
    return syntax.TypeExpression(kind, name, low, high, dice, False, None, span)


def name(token: Placed) -> syntax.Name:
    """The name that a token of one or several parts writes; a column's begins with its dot, which is left out."""
    if token.type == "NAME":
        return syntax.Name((str(token),), (token.span,), token.span)
    parts = token.parts()
    spans = tuple(span for _, span in parts)
    return syntax.Name(tuple(part for part, _ in parts), spans, spans[0].to(spans[-1]))


def dice(token: Placed) -> syntax.DiceLiteral:
    """The dice that a token writes."""
    count, faces, keep = dice_parts(str(token))
    return syntax.DiceLiteral(int(count), int(faces), (ENDS[keep[0]], int(keep[1])) if keep else None, token.span)
