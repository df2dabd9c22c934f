"""Expressions, from syntax to typed form: names, words and literals get their meaning from where they stand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Exact

from .. import arithmetic, syntax
from ..diagnostics import Diagnostic
from ..messages import types as messages
from ..source import Span
from ..typed import Operand, Typed
from ..types import (
    LARGEST,
    PIPS,
    Boolean,
    Choice,
    Dice,
    HitDice,
    Integer,
    Set,
    Text,
    Type,
    Unknown,
    bounds,
    hit_dice_code,
    is_number,
    span_of_codes,
)
from .calls import Calls
from .names import Environment, Names
from .naming import Naming, literal, united_needs
from .sides import broken

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Expressions:
    """Types expressions of one ruleset; what is wrong with them collects in `diagnostics`."""

    def __init__(self, names: Names, diagnostics: list[Diagnostic]) -> None:
        self.names = names
        self.diagnostics = diagnostics
        self._naming = Naming(names, diagnostics)
        self._calls = Calls(names, diagnostics, self.typed, self._naming)

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps a finding."""
        self.diagnostics.append(diagnostic)

    def bearers(self, name: str) -> list[tuple[str, Span]]:
        """The definitions that bear a name in every expression."""
        return self._naming.bearers(name)

    def condition(self, expression: syntax.Expression, environment: Environment) -> Typed:
        """An expression that must be true or false."""
        return self.expect(expression, environment, Boolean())

    def expect(self, expression: syntax.Expression, environment: Environment, wanted: Type) -> Typed:
        """An expression that must be of the kind of `wanted`, whose interval does not matter."""
        found = self.typed(expression, environment, wanted)
        if fits(found.type, wanted):
            return found
        self.report(messages.wrong_type(found.span, wanted, found.type))
        return broken(found.span)

    def number(self, expression: syntax.Expression, environment: Environment) -> Typed:
        """An expression that must be a whole number or a fraction."""
        found = self.typed(expression, environment, None)
        if is_number(found.type):
            return found
        self.report(messages.number_due(found.span, found.type))
        return broken(found.span)

    def typed(self, expression: syntax.Expression, environment: Environment, wanted: Type | None = None) -> Typed:
        """The typed form of an expression; `wanted` gives words and hit dice their meaning."""
        if isinstance(wanted, HitDice) and (code := _hit_dice(expression)) is not None:
            return literal(code, HitDice(code, code), expression.span)
        match expression:
            case syntax.Integer(value):
                return literal(value, Integer(value, value), expression.span)
            case syntax.Boolean(value):
                return literal(value, Boolean(value), expression.span)
            case syntax.DiceLiteral():
                return self._dice(expression, environment)
            case syntax.Name():
                return self._naming.name(expression, environment, wanted)
            case syntax.Call():
                return self._calls.call(expression, environment)
            case syntax.Unary():
                return self._unary(expression, environment)
            case syntax.Binary() if expression.operator in COMPARISONS:
                return self._comparison(expression, environment)
            case syntax.Binary():
                return self._arithmetic(expression, environment)
            case syntax.Logic():
                return self._logic(expression, environment)
            case syntax.Conditional():
                return self._conditional(expression, environment, wanted)
            case syntax.Membership():
                return self._membership(expression, environment)
            case syntax.Inherited(span):
                self.report(messages.inherited_from_nothing(span))
        return broken(expression.span)

    def _dice(self, expression: syntax.DiceLiteral, environment: Environment) -> Typed:
        if not environment.dice:
            self.report(messages.dice_outside_roll(expression.span))
            return broken(expression.span)
        operands: tuple[Operand, ...] = (expression.count, expression.faces, *(expression.keep or ()))
        kept = expression.keep[1] if expression.keep else expression.count
        return Typed("dice", operands, Dice(kept, kept * expression.faces), expression.span)

    def _unary(self, expression: syntax.Unary, environment: Environment) -> Typed:
        if expression.operator == "not":
            operand = self.condition(expression.operand, environment)
            if isinstance(operand.type, Unknown):
                return broken(expression.span)
            only = operand.type.only if isinstance(operand.type, Boolean) else None
            kind = Boolean(None if only is None else not only)
            return Typed("not", (operand,), kind, expression.span, operand.needs)
        operand = self.number(expression.operand, environment)
        if isinstance(operand.type, Unknown):
            return broken(expression.span)
        if operand.literal is not None:
            return literal(-operand.literal, arithmetic.negated(operand.type), expression.span)
        return Typed("neg", (operand,), arithmetic.negated(operand.type), expression.span, operand.needs)

    def _arithmetic(self, expression: syntax.Binary, environment: Environment) -> Typed:
        left, right = self._sides(expression, environment)
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return broken(expression.span)
        if isinstance(left.type, Dice) or isinstance(right.type, Dice):
            return self._added_dice(expression, left, right)
        kind = self._result(expression, left.type, right.type)
        return self._bounded(
            Typed(expression.operator, (left, right), kind, expression.span, united_needs((left, right)))
        )

    def _sides(self, expression: syntax.Binary, environment: Environment) -> tuple[Typed, Typed]:
        if not environment.dice:
            return self.number(expression.left, environment), self.number(expression.right, environment)
        return self.typed(expression.left, environment), self.typed(expression.right, environment)

    def _added_dice(self, expression: syntax.Binary, left: Typed, right: Typed) -> Typed:
        if expression.operator not in ("+", "-") or (expression.operator == "-" and isinstance(right.type, Dice)):
            self.report(messages.dice_arithmetic(expression.at, expression.operator))
            return broken(expression.span)
        other = right if expression.operator == "+" else self._negated(right)
        sides = [_totals(left.type), _totals(other.type)]
        kind = Dice(sum(low for low, _ in sides), sum(high for _, high in sides))
        return Typed("+", (left, other), kind, expression.span, united_needs((left, right)))

    def _negated(self, item: Typed) -> Typed:
        if item.literal is not None:
            return literal(-item.literal, arithmetic.negated(item.type), item.span)
        return Typed("neg", (item,), arithmetic.negated(item.type), item.span, item.needs)

    def _result(self, expression: syntax.Binary, left: Type, right: Type) -> Type:
        match expression.operator:
            case "+":
                return arithmetic.added([left, right])
            case "-":
                return arithmetic.added([left, arithmetic.negated(right)])
            case "*":
                return arithmetic.multiplied(left, right)
        quotient = arithmetic.divided(left, right)
        if quotient is None:
            self.report(messages.division_by_zero(expression.right.span, right))
        return quotient or Unknown()

    def _bounded(self, item: Typed) -> Typed:
        low, high = bounds(item.type)
        if isinstance(item.type, Unknown) or (low >= -LARGEST and high <= LARGEST):
            return item if not isinstance(item.type, Unknown) else broken(item.span)
        self.report(messages.too_large(item.span))
        return broken(item.span)

    def _comparison(self, expression: syntax.Binary, environment: Environment) -> Typed:
        left, right = self._compared(expression, environment)
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return broken(expression.span)
        if arithmetic.joined(left.type, right.type) is None or isinstance(left.type, Set | Dice | Text):
            self.report(messages.not_comparable(expression.at, left, right))
            return broken(expression.span)
        if isinstance(left.type, Boolean) and expression.operator not in ("==", "!="):
            self.report(messages.not_comparable(expression.at, left, right))
            return broken(expression.span)
        only = _settled(expression.operator, left.type, right.type)
        return Typed(expression.operator, (left, right), Boolean(only), expression.span, united_needs((left, right)))

    def _compared(self, expression: syntax.Binary, environment: Environment) -> tuple[Typed, Typed]:
        """Both sides; the one that names something visible is typed first and tells what the other may be."""
        first, second = expression.left, expression.right
        turned = self._needs_context(first, environment)
        if turned:
            first, second = second, first
        one = self.typed(first, environment)
        other = self.typed(second, environment, one.type if not isinstance(one.type, Unknown) else Unknown())
        return (other, one) if turned else (one, other)

    def _needs_context(self, expression: syntax.Expression, environment: Environment) -> bool:
        if isinstance(expression, syntax.Name):
            return len(expression.parts) == 1 and not self._naming.is_visible(expression.parts[0], environment)
        return _is_constant(expression)

    def _logic(self, expression: syntax.Logic, environment: Environment) -> Typed:
        holds = expression.operator == "and"
        terms: list[Typed] = []
        for each in expression.terms:
            term = self.condition(each, environment)
            environment = replace(environment, narrowing=environment.narrowing.assuming(term, holds))
            terms.append(term)
        if any(isinstance(each.type, Unknown) for each in terms):
            return broken(expression.span)
        return Typed(expression.operator, tuple(terms), _chained(terms, holds), expression.span, united_needs(terms))

    def _conditional(self, expression: syntax.Conditional, environment: Environment, wanted: Type | None) -> Typed:
        condition = self.condition(expression.condition, environment)
        then = replace(environment, narrowing=environment.narrowing.assuming(condition, True))
        other = replace(environment, narrowing=environment.narrowing.assuming(condition, False))
        yes = self.typed(expression.yes, then, wanted)
        no = self.typed(expression.no, other, wanted or yes.type)
        kind = arithmetic.joined(yes.type, no.type)
        if kind is None:
            self.report(messages.branches_differ(yes, no))
        if kind is None or any(isinstance(each.type, Unknown) for each in (condition, yes, no)):
            return broken(expression.span)
        return Typed("if", (condition, yes, no), kind, expression.span, united_needs((condition, yes, no)))

    def _membership(self, expression: syntax.Membership, environment: Environment) -> Typed:
        if (found := self._in_set(expression, environment)) is not None:
            return found
        item = self.typed(expression.item, environment)
        bands = [self._band(each, environment, item) for each in expression.alternatives]
        if isinstance(item.type, Unknown) or any(each is None for each in bands):
            return broken(expression.span)
        known = [each for each in bands if each is not None]
        ends = [end for band in known for end in band if end is not None]
        if all(end.literal is not None for end in ends):
            limits: list[Operand] = [[end.literal if end else None for end in band] for band in known]
            return Typed("in", (item, limits), Boolean(_within(item.type, known)), expression.span, item.needs)
        return self._between(expression.span, item, known)

    def _in_set(self, expression: syntax.Membership, environment: Environment) -> Typed | None:
        """`word in set`, or None where the right side is no set."""
        first = expression.alternatives[0]
        if len(expression.alternatives) > 1 or first.is_band or not isinstance(first.low, syntax.Name):
            return None
        if not self._naming.is_visible(first.low.parts[0], environment):
            return None
        whole = self.typed(first.low, environment)
        if isinstance(whole.type, Unknown):
            return broken(expression.span)
        if not isinstance(whole.type, Set):
            return None
        word = self.expect(expression.item, environment, self.names.choice(whole.type.id))
        if isinstance(word.type, Unknown):
            return broken(expression.span)
        return Typed("has", (whole, word), Boolean(), expression.span, united_needs((whole, word)))

    def _band(
        self, alternative: syntax.Alternative, environment: Environment, item: Typed
    ) -> tuple[Typed | None, Typed | None] | None:
        low = self._end(alternative.low, environment, item)
        if low is not None and isinstance(low.type, Unknown):
            return None
        high = low if not alternative.is_band else self._end(alternative.high, environment, item)
        if high is not None and isinstance(high.type, Unknown):
            return None
        if low and high and bounds_of(low.type)[0] > bounds_of(high.type)[1]:
            self.report(messages.inverted_band(alternative.span))
            return None
        return low, high

    def _end(self, end: syntax.Expression | None, environment: Environment, item: Typed) -> Typed | None:
        return self.expect(end, environment, item.type) if end is not None else None

    def _between(self, span: Span, item: Typed, bands: list[tuple[Typed | None, Typed | None]]) -> Typed:
        """Bands with ends that are not literals, as comparisons."""
        terms: list[Typed] = []
        for low, high in bands:
            sides = [
                Typed(operator, (item, end), Boolean(), span, united_needs((item, end)))
                for operator, end in ((">=", low), ("<=", high))
                if end is not None
            ]
            terms.append(sides[0] if len(sides) == 1 else _chain("and", sides, span))
        return terms[0] if len(terms) == 1 else _chain("or", terms, span)


def _chain(operator: str, terms: list[Typed], span: Span) -> Typed:
    return Typed(operator, tuple(terms), Boolean(), span, united_needs(terms))


def _chained(terms: list[Typed], is_and: bool) -> Type:
    """The type of a chain: settled when one term settles it, or when all are settled the other way."""
    known = [each.type.only if isinstance(each.type, Boolean) else None for each in terms]
    if (not is_and) in known:
        return Boolean(not is_and)
    return Boolean(is_and if all(each is is_and for each in known) else None)


def bounds_of(kind: Type) -> tuple[Exact, Exact]:
    """The interval of codes or of a number."""
    codes = span_of_codes(kind)
    return (Exact(codes[0]), Exact(codes[1])) if codes else bounds(kind)


def _settled(operator: str, left: Type, right: Type) -> bool | None:
    """Whether a comparison comes out the same for all values of its sides."""
    (a, b), (c, d) = bounds_of(left), bounds_of(right)
    if isinstance(left, Boolean):
        return None
    always = {"<": b < c, "<=": b <= c, ">": a > d, ">=": a >= d, "==": a == b == c == d, "!=": b < c or d < a}
    never = {"<": a >= d, "<=": a > d, ">": b <= c, ">=": b < c, "==": b < c or d < a, "!=": a == b == c == d}
    return True if always[operator] else False if never[operator] else None


def _within(kind: Type, bands: list[tuple[Typed | None, Typed | None]]) -> bool | None:
    """Whether all values of a type lie in one of the bands, or none does."""
    low, high = bounds_of(kind)
    ends = [(bounds_of(a.type)[0] if a else low, bounds_of(b.type)[1] if b else high) for a, b in bands]
    if any(first <= low and high <= last for first, last in ends):
        return True
    return False if all(last < low or high < first for first, last in ends) else None


def _totals(kind: Type) -> tuple[int, int]:
    match kind:
        case Dice(low, high) | Integer(low, high):
            return low, high
    return 0, 0


def fits(found: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where the other is due, whatever the intervals."""
    if isinstance(found, Unknown) or isinstance(wanted, Unknown):
        return True
    if isinstance(wanted, Choice | Set):
        return type(found) is type(wanted) and found.id == wanted.id
    if isinstance(wanted, Dice):
        return isinstance(found, Dice | Integer)
    return is_number(wanted) and is_number(found) if is_number(wanted) else type(found) is type(wanted)


def _is_constant(expression: syntax.Expression) -> bool:
    """Whether it is a literal that other things give its type: `3`, `4+3`, `1/2`."""
    match expression:
        case syntax.Integer() | syntax.Boolean():
            return True
        case syntax.Binary(_, left, right):
            return _is_constant(left) and _is_constant(right)
    return False


def _hit_dice(expression: syntax.Expression) -> int | None:
    """The code of hit dice written `3`, `4+3`, `1-1`, `1/2`, or None."""
    match expression:
        case syntax.Integer(dice):
            return hit_dice_code(False, dice, 0)
        case syntax.Binary("/", syntax.Integer(1), syntax.Integer(2)):
            return hit_dice_code(True, 0, 0)
        case syntax.Binary("+" | "-" as sign, dice_part, syntax.Integer(pips)) if 0 < pips <= PIPS:
            whole = _hit_dice(dice_part)
            if whole is not None and isinstance(dice_part, syntax.Integer | syntax.Binary):
                return whole + (pips if sign == "+" else -pips)
    return None
