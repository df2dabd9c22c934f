"""Adjustments: words of direction become signs and bounds, and every amount gets its type."""

from __future__ import annotations

from dataclasses import dataclass

from .. import arithmetic, syntax
from ..declarations import Change, Number
from ..messages import amounts
from ..source import Span
from ..typed import Typed
from ..types import Better, Fraction, Type, Unknown, bounds
from .expressions import Expressions
from .names import Environment
from .naming import literal
from .sides import broken


@dataclass(frozen=True)
class Target:
    """What is adjusted: its name, direction, where that is declared, and whether it holds whole numbers only."""

    name: str
    better: Better | None
    place: Span
    is_whole: bool


def target(number: Number) -> Target:
    """A number as the target of adjustments."""
    return Target(number.id, number.better, number.better_span or number.place, number.gives == "integer")


class Changes:
    """Types adjustments."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions

    def change(self, change: Change, to: Target, environment: Environment) -> tuple[str, Typed]:
        """The operation of the artifact and the amount."""
        match change.operation:
            case "add" | "better" | "worse":
                return "add", self._added(change, to, environment)
            case "at_least" | "at_most" if to.better == "lower":
                self._expressions.report(amounts.bare_bound(to.name, change.span, change.operation, to.place))
                return change.operation, broken(change.span)
            case "set" | "at_least" | "at_most":
                return change.operation, self._whole(change, to, environment)
            case "multiply":
                return "multiply", self._multiplied(change, to, environment)
        return self._bound(change, to), self._whole(change, to, environment)

    def _added(self, change: Change, to: Target, environment: Environment) -> Typed:
        amount = self._whole(change, to, environment)
        if isinstance(amount.type, Unknown):
            return amount
        if change.operation == "add":
            return self._signed(change, to, amount)
        if to.better is None:
            self._expressions.report(amounts.no_direction(to.name, change.operation, change.span, to.place))
            return broken(change.span)
        if (low := bounds(amount.type)[0]) < 0:
            self._expressions.report(amounts.negative_amount(change.value.span, change.operation, low))
            return broken(change.span)
        return amount if (change.operation == "better") == (to.better == "higher") else negated(amount)

    def _signed(self, change: Change, to: Target, amount: Typed) -> Typed:
        if to.better == "lower" and amount.literal != 0:
            self._expressions.report(
                amounts.wrong_direction(to.name, change.span, change.span.text.strip("\"'"), to.place)
            )
            return broken(change.span)
        is_literal = isinstance(change.value, syntax.Integer)
        if is_literal and not change.is_signed and amount.literal != 0:
            self._expressions.report(amounts.needs_sign(change.span))
            return broken(change.span)
        return amount

    def _whole(self, change: Change, to: Target, environment: Environment) -> Typed:
        amount = self._expressions.number(change.value, environment)
        if to.is_whole and isinstance(amount.type, Fraction):
            self._expressions.report(amounts.fraction_left(change.value.span, f"`{to.name}`"))
            return broken(change.span)
        return amount

    def _multiplied(self, change: Change, to: Target, environment: Environment) -> Typed:
        amount = self._expressions.number(change.value, environment)
        if to.is_whole and isinstance(amount.type, Fraction) and not change.round:
            self._expressions.report(amounts.needs_rounding(change.span, to.name))
            return broken(change.span)
        return amount

    def _bound(self, change: Change, to: Target) -> str:
        if to.better is None:
            self._expressions.report(amounts.no_direction(to.name, change.operation, change.span, to.place))
        is_top = (change.operation == "no_better_than") == (to.better != "lower")
        return "at_most" if is_top else "at_least"


def negated(amount: Typed) -> Typed:
    """An amount with its sign turned."""
    if amount.literal is not None:
        return literal(-amount.literal, arithmetic.negated(amount.type), amount.span)
    return Typed("neg", (amount,), arithmetic.negated(amount.type), amount.span, amount.needs)


def times(amount: Type, count: Type) -> Type:
    """The type of an amount multiplied by how often it counts."""
    return arithmetic.multiplied(amount, count)
