"""Checks, with the dice, values and outcomes that each step can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from .. import syntax
from ..declarations import (
    Adjust,
    Call,
    Case,
    Check,
    Die,
    Number,
    Step,
    Value,
    expressions_in_modifier,
)
from ..diagnostics import Diagnostic
from ..graph import circles, in_order
from ..messages import names as name_messages
from ..messages import places
from ..messages import types as messages
from ..ruleset import modifiers_by_number
from ..source import Span
from ..typed import (
    Typed,
    TypedCall,
    TypedCallAdjust,
    TypedCase,
    TypedCheck,
    TypedDie,
    TypedStep,
    TypedValue,
)
from ..types import Choice, Dice, Integer, Type, Unknown
from .changes import Changes, target
from .effects import Effects
from .expressions import Expressions, fits
from .names import Environment, Local, Names, local_names
from .narrow import Narrowing
from .outcomes import converted, outcome_type
from .scope import Scope, common
from .sides import broken
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Signature:
    """What a caller can read of a check: its outcome, and the locals of the step that always runs."""

    outcome: Type
    locals: tuple[Local, ...]


Made: TypeAlias = tuple[TypedCheck, Signature, list[tuple[str, str, Type]]]
"""A check, what a caller can read of it, and what its own calls do to numbers."""


class Checks:
    """Types checks one by one, each after those it calls."""

    def __init__(
        self,
        expressions: Expressions,
        vocabulary: Vocabulary,
        number: Callable[[Number, Environment], None],
        most_totals: int,
        recalled: Callable[[Check, Callable[[], Made]], Made],
    ) -> None:
        self._recalled = recalled
        self._most_totals = most_totals
        self._expressions = expressions
        self._names = expressions.names
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)
        self._number = number
        self._signatures: dict[str, Signature] = {}
        self._owning = {each.within.id for each in self._names.ruleset.numbers.values() if each.within}
        self.calls: list[tuple[str, str, Type]] = []

    def check(self, check: Check) -> TypedCheck:
        """One check."""
        # Numbers that belong to a check are typed on the way.
        is_apart = check.id not in self._owning
        typed, signature, calls = self._recalled(check, lambda: self._made(check)) if is_apart else self._made(check)
        self.calls.extend(calls)
        self._signatures[check.id] = signature
        return typed

    def _made(self, check: Check) -> Made:
        own = _Typing(self._expressions, self._vocabulary, self._changes, self._number, self._signatures, check)
        own.most_totals = self._most_totals
        typed = own.whole()
        return typed, Signature(own.outcome, own.exported), own.calls


class _Typing:
    """Types one check."""

    def __init__(
        self,
        expressions: Expressions,
        vocabulary: Vocabulary,
        changes: Changes,
        number: Callable[[Number, Environment], None],
        signatures: dict[str, Signature],
        check: Check,
    ) -> None:
        self._expressions = expressions
        self._names = expressions.names
        self._vocabulary = vocabulary
        self._changes = changes
        self._effects = Effects(expressions, vocabulary)
        self._number = number
        self._signatures = signatures
        self._check = check
        self._own_numbers = _own_numbers(self._names, check)
        self._by_id = {number.id: (number, mentioned) for number, mentioned in self._own_numbers}
        self._waiting: dict[str, list[str]] = {}
        for number_id, (_, mentioned) in self._by_id.items():
            for name in mentioned or ("",):
                self._waiting.setdefault(name, []).append(number_id)
        self._names.awaited = {number.id: mentioned for number, mentioned in self._own_numbers}
        self.outcome = outcome_type(check, self._names)
        self.calls: list[tuple[str, str, Type]] = []
        self.exported: tuple[Local, ...] = ()
        self.most_totals = 0

    def _report(self, diagnostic: Diagnostic) -> None:
        self._expressions.report(diagnostic)

    def whole(self) -> TypedCheck:
        """All steps, each after those that lead to it, and what follows the outcomes."""
        check = self._check
        start = check.start.id if check.start and not check.is_single else check.steps[0].id if check.is_single else ""
        steps = self._steps_in_order(start)
        leading = _leading(steps)
        seen: dict[str, Scope] = {}
        typed = []
        self._type_numbers([""], Scope())
        for step in steps:
            scope = Scope(step.id, common([seen[each] for each in leading[step.id] if each in seen]))
            typed.append(self._step(step, scope))
            seen[step.id] = scope
            if step.id == start:
                self.exported = tuple(dict.fromkeys(each for each in scope.own.values() if each.path != "outcome"))
        always = common([seen[each.id] for each in steps if any(case.go is None for case in each.cases)])
        then = tuple(self._step(each, Scope(each.id, always)) for each in check.then)
        for number, _ in self._own_numbers:
            if number.id not in self._names.numbers:
                self._number(number, self._environment(Scope() if always is None else always))
        return TypedCheck(declared=check, outcomes=self._words(), start=start, steps=tuple(typed), then=then)

    def _words(self) -> tuple[str, ...]:
        return self._names.words.get(self.outcome.id, ()) if isinstance(self.outcome, Choice) else ()

    def _steps_in_order(self, start: str) -> list[Step]:
        steps = {each.id: each for each in self._check.steps}
        leads = {each.id: [case.go.id for case in each.cases if case.go] for each in self._check.steps}
        for path in circles(leads):
            turned = zip(path, [*path[1:], path[0]], strict=True)
            self._report(name_messages.step_cycle([(id, _way(steps[id], to)) for id, to in turned]))
        order, _ = in_order(leads, len(steps) + 1)
        return [steps[id] for id in reversed(order)]

    def _environment(self, scope: Scope, narrowing: Narrowing | None = None) -> Environment:
        return Environment(check=self._check.id, locals=scope, narrowing=narrowing or Narrowing())

    def _step(self, step: Step, scope: Scope) -> TypedStep:
        call = self._call(step, scope) if step.call else None
        roll = self._roll(step.roll, step, scope)
        values = tuple(self._value(each, step, scope) for each in step.values)
        environment = self._environment(scope)
        effects = self._effects.all(step.effects, environment)
        cases = self._cases(step, scope)
        return TypedStep(declared=step, roll=roll, call=call, values=values, effects=effects, cases=cases)

    def _type_numbers(self, defined: Iterable[str], scope: Scope) -> None:
        """Types those of the check's own numbers that waited for one of these names, and can now be worked out."""
        ready = [id for name in defined for id in self._waiting.get(name, ())]
        while ready:
            number, mentioned = self._by_id[ready.pop(0)]
            if number.id in self._names.numbers:
                continue
            if all(name in scope or name in self._names.numbers for name in mentioned):
                self._number(number, self._environment(scope))
                ready += self._waiting.get(number.id, ())

    def _define(self, name: str, local: Local, step: Step, scope: Scope) -> None:
        """Makes a local readable by its own name in its step, and by `step.name` there and later."""
        for kind, place in self._expressions.bearers(name):
            self._report(name_messages.clashing_names(name, ("a die or value", local.place), (kind, place)))
        if name in scope and scope[name].path == local.path:
            self._report(name_messages.repeated_local(name, local.place, scope[name].place))
        names = [name, f"{step.id}.{name}"] if step.id else [name]
        for each in names:
            scope.define(each, local)
        self._type_numbers(names, scope)

    def _roll(
        self, roll: tuple[Die, ...], step: Step, scope: Scope, narrowing: Narrowing | None = None
    ) -> tuple[TypedDie, ...]:
        made = []
        for die in roll:
            environment = self._environment(scope, narrowing)
            when = self._effects.guarded(self._vocabulary.condition(die.when, environment)) if die.when else None
            if when is not None:
                environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
            rolled = self._expressions.expect(die.dice, replace(environment, dice=True), Dice(0, 0))
            dice = self._effects.guarded(rolled)
            kind = self._total(dice, die.place)
            path = _path(step, die.id)
            self._define(die.id, Local(path, kind, die.place, may_be_unknown=when is not None), step, scope)
            made.append(TypedDie(declared=die, dice=dice, when=when))
        return tuple(made)

    def _total(self, dice: Typed, place: Span) -> Type:
        match dice.type:
            case Dice(low, high):
                if high - low >= self.most_totals:
                    self._report(places.dice_range(dice.span, dice.type, self.most_totals))
                return Integer(low, high)
            case Integer():
                return dice.type
        return Unknown()

    def _call(self, step: Step, scope: Scope) -> TypedCall | None:
        call = step.call
        assert call is not None
        adjusts = tuple(made for each in call.adjusts if each.change and (made := self._call_adjust(call, each, scope)))
        signature = self._signatures.get(call.check.id)
        outcome = signature.outcome if signature else Unknown()
        found = [Local(_path(step, "outcome"), outcome, step.place)]
        for local in signature.locals if signature else ():
            found.append(replace(local, path=_path(step, local.path), place=step.place))
        for local in found:
            scope.define(local.path, local)
        self._type_numbers([each.path for each in found], scope)
        return TypedCall(declared=call, adjusts=adjusts)

    def _call_adjust(self, call: Call, adjust: Adjust, scope: Scope) -> TypedCallAdjust | None:
        number = self._names.ruleset.numbers.get(adjust.number.id)
        if number is None or adjust.change is None:
            return None
        op, value = self._changes.change(adjust.change, target(number), self._environment(scope))
        value = self._effects.guarded(value)
        if not isinstance(value.type, Unknown):
            self.calls.append((number.id, op, value.type))
        return TypedCallAdjust(number=number.id, op=op, value=value, round=adjust.change.round or "")

    def _value(self, value: Value, step: Step, scope: Scope, narrowing: Narrowing | None = None) -> TypedValue:
        typed = self._effects.guarded(self._expressions.typed(value.value, self._environment(scope, narrowing)))
        self._define(value.id, Local(_path(step, value.id), typed.type, value.place), step, scope)
        return TypedValue(declared=value, value=typed)

    def _cases(self, step: Step, scope: Scope) -> tuple[TypedCase, ...]:
        made = []
        narrowing = Narrowing()
        for case in step.cases:
            typed = self._case(case, step, scope, narrowing)
            made.append(typed)
            if typed.when is not None:
                narrowing = narrowing.assuming(typed.when, False)
        return tuple(made)

    def _case(self, case: Case, step: Step, outer: Scope, narrowing: Narrowing) -> TypedCase:
        when = None
        if case.when:
            when = self._effects.guarded(self._vocabulary.condition(case.when, self._environment(outer, narrowing)))
            narrowing = narrowing.assuming(when, True)
        scope = Scope(step.id, outer)
        roll = self._roll(case.roll, step, scope, narrowing)
        give = tuple(self._value(each, step, scope, narrowing) for each in case.give)
        inner = self._environment(scope, narrowing)
        return TypedCase(
            declared=case,
            when=when,
            roll=roll,
            give=give,
            effects=self._effects.all(case.effects, inner),
            outcome=self._outcome(case, inner) if case.outcome is not None else None,
            go=case.go.id if case.go else "",
        )

    def _outcome(self, case: Case, environment: Environment) -> Typed:
        assert case.outcome is not None
        found = self._effects.guarded(self._expressions.typed(case.outcome, environment, self.outcome))
        if isinstance(found.type, Unknown) or isinstance(self.outcome, Unknown) or fits(found.type, self.outcome):
            return found
        made = converted(found, self.outcome, self._names)
        if isinstance(made, Typed):
            return made
        self._report(
            places.outcome_words_differ(found.span, made, self._check.id)
            if made
            else messages.wrong_type(found.span, self.outcome, found.type)
        )
        return broken(found.span)


def _own_numbers(names: Names, check: Check) -> list[tuple[Number, frozenset[str]]]:
    """The numbers that belong to a check, in the order in which they can be typed, each with the locals of the check
    and the numbers of the check that it mentions."""
    own = [each for each in names.ruleset.numbers.values() if each.within and each.within.id == check.id]
    local = {*local_names(check), *(each.id for each in own)}
    # Nearly no check has any, and there are as many checks as there are modifiers to go through.
    modifiers = modifiers_by_number(names.ruleset) if own else {}
    mentioned: dict[str, frozenset[str]] = {}
    for number in own:
        expressions = [
            number.base,
            *(e for each in modifiers.get(number.id, ()) for e in expressions_in_modifier(each)),
        ]
        found = {taken for e in expressions for name in syntax.names_in(e) if (taken := _longest(name.parts, local))}
        mentioned[number.id] = frozenset(found - {number.id})
    order, _ = in_order({id: sorted(found) for id, found in mentioned.items()}, len(own) + 1)
    by_id = {each.id: each for each in own}
    return [(by_id[id], mentioned[id]) for id in order]


def _longest(parts: tuple[str, ...], local: set[str]) -> str:
    return next((path for n in range(len(parts), 0, -1) if (path := ".".join(parts[:n])) in local), "")


def _leading(steps: Sequence[Step]) -> dict[str, list[str]]:
    """For each step those that lead to it."""
    found: dict[str, list[str]] = {each.id: [] for each in steps}
    for step in steps:
        for to in dict.fromkeys(case.go.id for case in step.cases if case.go):
            if to in found:
                found[to].append(step.id)
    return found


def _way(step: Step, to: str) -> Span:
    """Where a step leads to another."""
    return next(case.go.span for case in step.cases if case.go and case.go.id == to)


def _path(step: Step, name: str) -> str:
    return f"{step.id}.{name}" if step.id else name
