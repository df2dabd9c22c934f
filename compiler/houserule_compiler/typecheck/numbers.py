"""Numbers, with all that modifiers do to them, and the interval of what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction as Exact

from .. import arithmetic
from ..declarations import Adjust, Modifier, Number, StackingGroup
from ..messages import amounts
from ..messages import types as type_messages
from ..typed import Typed, TypedEntry, TypedGrade, TypedNumber
from ..types import LARGEST, Choice, Fraction, HitDice, Integer, Set, Type, Unknown, bounds, span_of_codes
from .changes import Changes, Target, target
from .expressions import Expressions
from .names import Environment
from .naming import renamed, united_needs
from .sides import broken
from .vocabulary import Vocabulary
from .written import Written


class Numbers:
    """Types numbers one by one, in an order in which each comes after those it reads."""

    def __init__(self, expressions: Expressions, written: Written, vocabulary: Vocabulary) -> None:
        self._expressions = expressions
        self._names = expressions.names
        self._written = written
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)
        self._adjusting: dict[str, list[tuple[Modifier, Adjust]]] = {}
        for modifier in self._names.ruleset.modifiers.values():
            for adjust in modifier.adjusts:
                self._adjusting.setdefault(adjust.number.id, []).append((modifier, adjust))

    def number(self, number: Number, environment: Environment) -> TypedNumber:
        """One number. `environment` has the locals of the check that it belongs to, if any."""
        owner = number.of.id if number.of else ""
        environment = replace(environment, owner=owner, entity=self._names.entity_of(owner))
        base = self._base(number, environment)
        found = sorted(self._adjusting.get(number.id, ()), key=lambda each: each[0].id)
        entries = tuple(self._entry(modifier, adjust, number, environment) for modifier, adjust in found)
        kind = self._bounded(number, self._interval(number, base, entries))
        players = {each.role.id: each.player.id for each in number.rebinds}
        needs = renamed(base.needs, players)
        return TypedNumber(declared=number, type=kind, base=base, entries=entries, needs=needs)

    def _bounded(self, number: Number, kind: Type) -> Type:
        """The type of a number, unless it can grow too large."""
        low, high = bounds(kind)
        if isinstance(kind, Unknown) or (low >= -LARGEST and high <= LARGEST):
            return kind
        self._expressions.report(type_messages.too_large(number.place))
        return Unknown()

    def _base(self, number: Number, environment: Environment) -> Typed:
        base = self._expressions.number(number.base, environment)
        if number.gives == "integer" and isinstance(base.type, Fraction):
            self._expressions.report(amounts.fraction_left(base.span, f"`{number.id}`"))
            return broken(base.span)
        return base

    def _entry(self, modifier: Modifier, adjust: Adjust, number: Number, environment: Environment) -> TypedEntry:
        when = self._vocabulary.condition(modifier.when, environment) if modifier.when else None
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        times = self._expressions.number(modifier.times, environment) if modifier.times else None
        by = self._by(modifier, adjust, environment)
        op, value, grades = self._amounts(adjust, target(number), by, environment)
        parts = [each for each in (when, times, by, value, *(grade.value for grade in grades)) if each]
        return TypedEntry(
            modifier=modifier,
            adjust=adjust,
            op=op,
            value=value,
            grades=grades,
            by=by if grades else None,
            is_each=by is not None and isinstance(by.type, Set),
            when=when,
            times=self._written.whole(times, "how often a modifier counts") if times else None,
            round=_round(adjust),
            needs=united_needs(parts),
        )

    def _by(self, modifier: Modifier, adjust: Adjust, environment: Environment) -> Typed | None:
        if modifier.by is None:
            return None
        by = self._expressions.typed(modifier.by, environment)
        if not isinstance(by.type, Choice | Set | Integer | HitDice | Unknown) and span_of_codes(by.type) is None:
            self._expressions.report(amounts.by_type(by))
            return broken(by.span)
        if all(each.change is not None for each in modifier.adjusts) and adjust is modifier.adjusts[0]:
            self._expressions.report(amounts.by_needs_grades(adjust.span))
        return by

    def _amounts(
        self, adjust: Adjust, to: Target, by: Typed | None, environment: Environment
    ) -> tuple[str, Typed | None, tuple[TypedGrade, ...]]:
        if adjust.change is not None:
            op, value = self._changes.change(adjust.change, to, environment)
            return op, value, ()
        if by is None or not adjust.grades:
            return "add", broken(adjust.span), ()
        return self._graded(adjust, to, by, environment)

    def _graded(
        self, adjust: Adjust, to: Target, by: Typed, environment: Environment
    ) -> tuple[str, Typed | None, tuple[TypedGrade, ...]]:
        kind = self._names.choice(by.type.id) if isinstance(by.type, Set) else _whole_range(by.type)
        grades: list[TypedGrade] = []
        first = adjust.grades[0]
        ops: list[tuple[str, str | None]] = []
        for grade in adjust.grades:
            band = self._written.bands(grade.key, kind)
            op, value = self._changes.change(grade.change, to, environment)
            ops.append((op, grade.change.round))
            if ops[-1] != ops[0]:
                self._expressions.report(amounts.mixed_grades(grade.change.span, first.change.span))
            if band:
                grades.append(TypedGrade(band=band, value=value, span=grade.key.span))
        return ops[0][0], None, tuple(grades)

    def _interval(self, number: Number, base: Typed, entries: Sequence[TypedEntry]) -> Type:
        """The interval of the final value: no combination of modifiers leaves it."""
        amounts = [(each, _amount_type(each)) for each in entries]
        if isinstance(base.type, Unknown) or any(isinstance(kind, Unknown) for _, kind in amounts):
            return Unknown()
        low, high = bounds(base.type)
        called = self._names.adjusted.get(number.id, [])
        low, high = _after_sets(low, high, [kind for each, kind in amounts if each.op == "set"], called)
        low, high = self._after_adds(low, high, amounts, called)
        low, high = _after_products(low, high, amounts, called)
        low, high = _after_bounds(low, high, amounts, called)
        if number.gives == "fraction":
            return Fraction(low, high)
        return Integer(arithmetic.round_one("floor", low), arithmetic.round_one("ceil", high))

    def _after_adds(
        self, low: Exact, high: Exact, amounts: Sequence[tuple[TypedEntry, Type]], called: Sequence[tuple[str, Type]]
    ) -> tuple[Exact, Exact]:
        groups: dict[str, list[tuple[Exact, Exact]]] = {}
        for entry, kind in amounts:
            if entry.op == "add":
                group = entry.modifier.stack.id if entry.modifier.stack else ""
                groups.setdefault(group, []).extend(_each_amount(entry, kind))
        for group, ends in groups.items():
            is_one = _keeps_one(self._names.ruleset.stacking.get(group))
            zero = Exact(0)
            downs, ups = [min(a, zero) for a, _ in ends], [max(b, zero) for _, b in ends]
            low += min(downs) if is_one else sum(downs, zero)
            high += max(ups) if is_one else sum(ups, zero)
        for op, kind in called:
            if op == "add":
                low, high = low + min(bounds(kind)[0], Exact(0)), high + max(bounds(kind)[1], Exact(0))
        return low, high


def _round(adjust: Adjust) -> str:
    """How an adjustment is rounded; all its grades name the same way."""
    change = adjust.change or adjust.grades[0].change if adjust.grades or adjust.change else None
    return change.round or "" if change else ""


def _whole_range(kind: Type) -> Type:
    """The range of grades: as wide as a band may be written."""
    return Integer(-999_999_999, 999_999_999) if isinstance(kind, Integer) else _full_hit_dice(kind)


def _full_hit_dice(kind: Type) -> Type:
    return HitDice(0, 19 * 1001) if isinstance(kind, HitDice) else kind


def _keeps_one(group: StackingGroup | None) -> bool:
    """Whether at most one bonus and one penalty of the group remain."""
    policies = {key: policy.id for key, policy in group.policies} if group else {}
    single = ("largest", "smallest", "first")
    if policies.get("all") in single:
        return True
    return policies.get("bonuses") in single and policies.get("penalties") in single


def _amount_type(entry: TypedEntry) -> Type:
    kinds = [grade.value.type for grade in entry.grades] or ([entry.value.type] if entry.value else [])
    return _counted(arithmetic.joined_all(kinds) or Unknown(), entry)


def _counted(amount: Type, entry: TypedEntry) -> Type:
    """An amount, multiplied by how often the entry counts."""
    if entry.times is None or isinstance(amount, Unknown) or isinstance(entry.times.type, Unknown):
        return amount
    return arithmetic.multiplied(amount, entry.times.type)


def _each_amount(entry: TypedEntry, kind: Type) -> list[tuple[Exact, Exact]]:
    """The amounts that one entry can add at once: one, or one for each word of a set."""
    if not entry.is_each:
        return [bounds(kind)]
    return [bounds(_counted(grade.value.type, entry)) for grade in entry.grades]


def _after_sets(
    low: Exact, high: Exact, sets: Sequence[Type], called: Sequence[tuple[str, Type]]
) -> tuple[Exact, Exact]:
    for kind in [*sets, *(each for op, each in called if op == "set")]:
        low, high = min(low, bounds(kind)[0]), max(high, bounds(kind)[1])
    return low, high


def _after_products(
    low: Exact, high: Exact, amounts: Sequence[tuple[TypedEntry, Type]], called: Sequence[tuple[str, Type]]
) -> tuple[Exact, Exact]:
    factors = [ends for entry, kind in amounts if entry.op == "multiply" for ends in _each_amount(entry, kind)]
    for factor in [*factors, *(bounds(each) for op, each in called if op == "multiply")]:
        ends = [a * b for a in (low, high) for b in factor]
        low, high = min(low, *ends), max(high, *ends)
    return low, high


def _after_bounds(
    low: Exact, high: Exact, amounts: Sequence[tuple[TypedEntry, Type]], called: Sequence[tuple[str, Type]]
) -> tuple[Exact, Exact]:
    """All `at_least` first, then all `at_most`, as they count."""
    limits = [(entry.op, kind, _is_constant(entry)) for entry, kind in amounts]
    limits += [(op, kind, False) for op, kind in called]
    for least, most, holds in [(*bounds(kind), holds) for op, kind, holds in limits if op == "at_least"]:
        low, high = max(low, least) if holds else low, max(high, most)
    for least, most, holds in [(*bounds(kind), holds) for op, kind, holds in limits if op == "at_most"]:
        low, high = min(low, least), min(high, most) if holds else high
    return low, high


def _is_constant(entry: TypedEntry) -> bool:
    """Whether the entry applies always."""
    return entry.when is None and entry.by is None and not entry.needs
