"""Types as written, and literal values of them: ranges, words, defaults, attributes, row keys."""

from __future__ import annotations

from fractions import Fraction as Exact

from .. import syntax
from ..messages import amounts, places
from ..messages import types as messages
from ..source import Span
from ..typed import Band, Typed
from ..types import (
    LARGEST,
    Boolean,
    Dice,
    Fraction,
    HitDice,
    Integer,
    Set,
    Text,
    Type,
    Unknown,
    bounds,
    hit_dice_code,
    span_of_codes,
)
from .expressions import Expressions, bounds_of
from .names import Environment
from .naming import literal
from .sides import broken

MOST_DICE = (4, 12)
MOST_WORDS = 31


class Written:
    """Gives types and literals as written their meaning."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._names = expressions.names

    def type(self, declared: syntax.TypeExpression, is_table: bool = False) -> Type:
        """The type that is written; unknown where it cannot be one. Open types stand in tables only."""
        if isinstance(declared.default, syntax.Broken) and declared.kind == "text":
            return Unknown()
        match declared.kind:
            case "boolean":
                return Boolean()
            case "text":
                return Text()
            case "choice":
                return self._names.choice(declared.name.text) if declared.name else Unknown()
            case "set":
                return self._set(declared)
            case "dice_up_to" | "dice_of":
                return self._dice(declared)
            case "integer" | "adjustment":
                if not is_table:
                    self._expressions.report(
                        places.type_out_of_place(declared.span, declared.kind, "keys and columns of tables")
                    )
                    return Unknown()
                return Integer()
        return self._ranged(declared)

    def _set(self, declared: syntax.TypeExpression) -> Type:
        id = declared.name.text if declared.name else ""
        if len(self._names.words.get(id, ())) > MOST_WORDS:
            self._expressions.report(places.too_many_words(id, declared.span, MOST_WORDS))
        return Set(id) if id in self._names.words else Unknown()

    def _dice(self, declared: syntax.TypeExpression) -> Type:
        dice = tuple((each.count, each.faces) for each in declared.dice)
        if any(count > MOST_DICE[0] or faces > MOST_DICE[1] for count, faces in dice):
            self._expressions.report(places.dice_type_too_large(declared.span))
            return Unknown()
        if declared.kind == "dice_up_to":
            count, faces = dice[0]
            return Dice(1, count * faces, up_to=(count, faces))
        return Dice(min(count for count, _ in dice), max(count * faces for count, faces in dice), one_of=dice)

    def _ranged(self, declared: syntax.TypeExpression) -> Type:
        wanted: Type = Fraction(Exact(-LARGEST), Exact(LARGEST)) if declared.kind == "fraction" else Integer()
        ends = [self._expressions.typed(each, Environment(), wanted) for each in (declared.low, declared.high) if each]
        if not ends:
            self._expressions.report(places.range_due(declared.span))
        if len(ends) < 2 or any(isinstance(each.type, Unknown) for each in ends):
            return Unknown()
        low, high = bounds(ends[0].type)[0], bounds(ends[1].type)[1]
        if low > high:
            self._expressions.report(messages.inverted_band(ends[0].span.to(ends[1].span)))
            return Unknown()
        if declared.kind == "fraction":
            return Fraction(low, high)
        if declared.kind == "hit_dice":
            return HitDice(hit_dice_code(False, int(low), -9 if low else 0), hit_dice_code(False, int(high), 9))
        return Integer(int(low), int(high))

    def constant(self, expression: syntax.Expression, wanted: Type) -> Typed:
        """A literal of a type, within its range."""
        if isinstance(wanted, Unknown) or isinstance(expression, syntax.Broken):
            return broken(expression.span)
        if isinstance(wanted, Dice):
            return self._dice_constant(expression, wanted)
        told = len(self._expressions.diagnostics)
        found = self._expressions.expect(expression, Environment(), wanted)
        if not isinstance(found.type, Unknown):
            return self._within(found, wanted)
        if told == len(self._expressions.diagnostics):
            # It reads something of which nothing is known yet, or whose own fault is told elsewhere.
            self._expressions.report(messages.not_a_constant(expression.span, wanted))
        return found

    def _dice_constant(self, expression: syntax.Expression, wanted: Dice) -> Typed:
        if not isinstance(expression, syntax.DiceLiteral) or expression.keep:
            self._expressions.report(messages.not_a_constant(expression.span, wanted))
            return broken(expression.span)
        stated = (expression.count, expression.faces)
        allowed = stated in wanted.one_of if wanted.one_of else _at_most(stated, wanted.up_to or MOST_DICE)
        if not allowed:
            self._expressions.report(messages.out_of_range(expression.span, f"`{expression.span.text}`", wanted))
            return broken(expression.span)
        return literal(expression.count * 1024 + expression.faces, wanted, expression.span)

    def within(self, found: Typed, wanted: Type, what: str, declared: Span | None) -> Typed:
        """A value worked out, which must lie in the declared range of a type; `what` is the id of that."""
        if isinstance(found.type, Fraction) and isinstance(wanted, Integer):
            self._expressions.report(amounts.fraction_left(found.span, f"`{what}`"))
            return broken(found.span)
        if isinstance(found.type, Unknown) or not isinstance(wanted, Integer | Fraction | HitDice):
            return found
        (low, high), (least, most) = bounds_of(found.type), bounds_of(wanted)
        if least <= low and high <= most:
            return found
        if found.literal is not None or found.operator == "frac":
            self._expressions.report(messages.out_of_range(found.span, f"`{found.span.text}`", wanted, declared))
        else:
            self._expressions.report(messages.can_leave_range(found.span, found.type, wanted, declared))
        return broken(found.span)

    def _within(self, found: Typed, wanted: Type) -> Typed:
        if isinstance(wanted, Fraction):
            return self._fraction(found, wanted)
        codes, value = span_of_codes(wanted), found.literal
        if value is None:
            self._expressions.report(messages.not_a_constant(found.span, wanted))
            return broken(found.span)
        if codes and not codes[0] <= value <= codes[1]:
            self._expressions.report(messages.out_of_range(found.span, f"`{found.span.text}`", wanted))
            return broken(found.span)
        return found

    def _fraction(self, found: Typed, wanted: Fraction) -> Typed:
        low, high = bounds(found.type)
        if low != high:
            self._expressions.report(messages.not_a_constant(found.span, wanted))
        elif not wanted.low <= low <= wanted.high:
            self._expressions.report(messages.out_of_range(found.span, f"`{found.span.text}`", wanted))
        else:
            return fraction(low, found.span)
        return broken(found.span)

    def bands(self, alternative: syntax.Alternative, wanted: Type) -> Band | None:
        """The codes that a row key or a grade covers, or None where it cannot be read."""
        own = span_of_codes(wanted)
        ends = self._ends(alternative, wanted) if own is not None else None
        if own is None or ends is None:
            return None
        low, high = ends
        first = own[0] if low is None else int(low)
        last = own[1] if high is None else int(high)
        if first > last and alternative.low and alternative.high:
            self._expressions.report(messages.inverted_band(alternative.span))
            return None
        return (first, last) if first <= last else None

    def _ends(self, alternative: syntax.Alternative, wanted: Type) -> tuple[int | None, int | None] | None:
        """The codes of both ends; None where one cannot be read."""
        low, high = alternative.low, alternative.high
        if isinstance(wanted, Integer) and isinstance(low, syntax.Integer) and isinstance(high, syntax.Integer):
            return low.value, high.value
        found: list[int | None] = []
        for each in (low, high):
            end = self._end(each, wanted)
            if end is not None and isinstance(end.type, Unknown):
                # One message for a key of the wrong kind, however many ends it has.
                return None
            found.append(end.literal if end else None)
        return found[0], found[1]

    def _end(self, end: syntax.Expression | None, wanted: Type) -> Typed | None:
        if end is None:
            return None
        found = self._expressions.expect(end, Environment(), wanted)
        if not isinstance(found.type, Unknown) and found.literal is None:
            self._expressions.report(messages.not_a_constant(end.span, wanted))
            return broken(end.span)
        return found

    def whole(self, item: Typed, what: str) -> Typed:
        """A number that must be whole."""
        if isinstance(item.type, Fraction):
            self._expressions.report(amounts.fraction_left(item.span, what))
            return broken(item.span)
        return item


def fraction(value: Exact, span: Span) -> Typed:
    """A literal fraction, which may be whole: where one is due, its form says so."""
    return Typed("frac", (value.numerator, value.denominator), Fraction(value, value), span)


def _at_most(stated: tuple[int, int], most: tuple[int, int]) -> bool:
    return stated[0] <= most[0] and stated[1] <= most[1]
