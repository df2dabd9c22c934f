"""Checks, with the dice, values and outcomes that each step can read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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
from .outcomes import converted, outcome_type
from .sides import broken
from .vocabulary import Vocabulary

MOST_TOTALS = 20_000


@dataclass(frozen=True)
class Signature:
    """What a caller can read of a check: its outcome, and the locals of the step that always runs."""

    outcome: Type
    locals: tuple[Local, ...]


class Checks:
    """Types checks one by one, each after those it calls."""

    def __init__(
        self, expressions: Expressions, vocabulary: Vocabulary, number: Callable[[Number, Environment], None]
    ) -> None:
        self._expressions = expressions
        self._names = expressions.names
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)
        self._number = number
        self._signatures: dict[str, Signature] = {}
        self.calls: list[tuple[str, str, Type]] = []

    def check(self, check: Check) -> TypedCheck:
        """One check."""
        own = _Typing(self._expressions, self._vocabulary, self._changes, self._number, self._signatures, check)
        typed = own.whole()
        self.calls.extend(own.calls)
        self._signatures[check.id] = Signature(own.outcome, own.exported)
        return typed


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
        self._names.awaited = {number.id: mentioned for number, mentioned in self._own_numbers}
        self.outcome = outcome_type(check, self._names)
        self.calls: list[tuple[str, str, Type]] = []
        self.exported: tuple[Local, ...] = ()

    def _report(self, diagnostic: Diagnostic) -> None:
        self._expressions.report(diagnostic)

    def whole(self) -> TypedCheck:
        """All steps, each after those that lead to it, and what follows the outcomes."""
        check = self._check
        start = check.start.id if check.start and not check.is_single else check.steps[0].id if check.is_single else ""
        steps = self._steps_in_order(start)
        seen: dict[str, dict[str, Local]] = {}
        typed = []
        for step in steps:
            before = self._before(step, seen)
            made, after = self._step(step, before)
            seen[step.id] = after
            if step.id == start:
                self.exported = _exported(step, before, after)
            typed.append(made)
        always = self._always(steps, seen)
        then = tuple(self._then(each, always) for each in check.then)
        self._type_numbers(always, is_last=True)
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

    def _before(self, step: Step, seen: dict[str, dict[str, Local]]) -> dict[str, Local]:
        """The locals of the steps that always come before this one: what all that lead here have in common."""
        leading = [
            seen[each.id]
            for each in self._check.steps
            if each.id in seen and any(case.go and case.go.id == step.id for case in each.cases)
        ]
        if not leading:
            return {}
        return {key: local for key, local in _in_all(leading).items() if "." in key}

    def _always(self, steps: Sequence[Step], seen: dict[str, dict[str, Local]]) -> dict[str, Local]:
        """The locals of the steps that every way to an outcome passes."""
        ending = [seen[each.id] for each in steps if any(case.go is None for case in each.cases)]
        return _in_all(ending)

    def _environment(self, locals: dict[str, Local]) -> Environment:
        return Environment(check=self._check.id, locals=locals)

    def _then(self, step: Step, always: dict[str, Local]) -> TypedStep:
        return self._step(step, dict(always))[0]

    def _step(self, step: Step, before: dict[str, Local]) -> tuple[TypedStep, dict[str, Local]]:
        locals = dict(before)
        call = self._call(step, locals) if step.call else None
        roll = self._roll(step.roll, step, locals)
        values = tuple(self._value(each, step, locals) for each in step.values)
        environment = self._environment(locals)
        effects = self._effects.all(step.effects, environment)
        cases = self._cases(step, environment)
        made = TypedStep(declared=step, roll=roll, call=call, values=values, effects=effects, cases=cases)
        return made, locals

    def _type_numbers(self, locals: dict[str, Local], is_last: bool = False) -> None:
        """Types those of the check's own numbers of which all can be read now that they mention; at last, all."""
        for number, mentioned in self._own_numbers:
            due = all(name in locals or name in self._names.numbers for name in mentioned)
            if number.id not in self._names.numbers and (due or is_last):
                self._number(number, self._environment(locals))

    def _define(self, name: str, local: Local, step: Step, locals: dict[str, Local]) -> None:
        """Makes a local readable by its own name in its step, and by `step.name` there and later."""
        for kind, place in self._expressions.bearers(name):
            self._report(name_messages.clashing_names(name, ("a die or value", local.place), (kind, place)))
        if name in locals and locals[name].path == local.path:
            self._report(name_messages.repeated_local(name, local.place, locals[name].place))
        locals[name] = local
        if step.id:
            locals[f"{step.id}.{name}"] = local
        self._type_numbers(locals)

    def _roll(self, roll: tuple[Die, ...], step: Step, locals: dict[str, Local]) -> tuple[TypedDie, ...]:
        made = []
        for die in roll:
            environment = replace(self._environment(locals), dice=True)
            when = self._vocabulary.condition(die.when, self._environment(locals)) if die.when else None
            dice = self._effects.guarded(self._expressions.expect(die.dice, environment, Dice(0, 0)))
            kind = self._total(dice, die.place)
            path = _path(step, die.id)
            self._define(die.id, Local(path, kind, die.place, may_be_unknown=when is not None), step, locals)
            made.append(TypedDie(declared=die, dice=dice, when=when))
        return tuple(made)

    def _total(self, dice: Typed, place: Span) -> Type:
        match dice.type:
            case Dice(low, high):
                if high - low >= MOST_TOTALS:
                    self._report(places.dice_range(dice.span, dice.type, MOST_TOTALS))
                return Integer(low, high)
            case Integer():
                return dice.type
        return Unknown()

    def _call(self, step: Step, locals: dict[str, Local]) -> TypedCall | None:
        call = step.call
        assert call is not None
        adjusts = tuple(
            made for each in call.adjusts if each.change and (made := self._call_adjust(call, each, locals))
        )
        signature = self._signatures.get(call.check.id)
        outcome = signature.outcome if signature else Unknown()
        locals[_path(step, "outcome")] = Local(_path(step, "outcome"), outcome, step.place)
        for local in signature.locals if signature else ():
            path = _path(step, local.path)
            locals[path] = replace(local, path=path, place=step.place)
        self._type_numbers(locals)
        return TypedCall(declared=call, adjusts=adjusts)

    def _call_adjust(self, call: Call, adjust: Adjust, locals: dict[str, Local]) -> TypedCallAdjust | None:
        number = self._names.ruleset.numbers.get(adjust.number.id)
        if number is None or adjust.change is None:
            return None
        op, value = self._changes.change(adjust.change, target(number), self._environment(locals))
        value = self._effects.guarded(value)
        if not isinstance(value.type, Unknown):
            self.calls.append((number.id, op, value.type))
        return TypedCallAdjust(number=number.id, op=op, value=value, round=adjust.change.round or "")

    def _value(self, value: Value, step: Step, locals: dict[str, Local]) -> TypedValue:
        typed = self._effects.guarded(self._expressions.typed(value.value, self._environment(locals)))
        self._define(value.id, Local(_path(step, value.id), typed.type, value.place), step, locals)
        return TypedValue(declared=value, value=typed)

    def _cases(self, step: Step, environment: Environment) -> tuple[TypedCase, ...]:
        made = []
        for case in step.cases:
            typed, when = self._case(case, step, environment)
            made.append(typed)
            if when is not None:
                narrowing = environment.narrowing.assuming(when, False)
                environment = replace(environment, narrowing=narrowing)
        return tuple(made)

    def _case(self, case: Case, step: Step, environment: Environment) -> tuple[TypedCase, Typed | None]:
        when = self._effects.guarded(self._vocabulary.condition(case.when, environment)) if case.when else None
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        locals = dict(environment.locals)
        roll = self._roll(case.roll, step, locals)
        give = tuple(self._value(each, step, locals) for each in case.give)
        inner = replace(environment, locals=locals)
        typed = TypedCase(
            declared=case,
            when=when,
            roll=roll,
            give=give,
            effects=self._effects.all(case.effects, inner),
            outcome=self._outcome(case, inner) if case.outcome is not None else None,
            go=case.go.id if case.go else "",
        )
        return typed, when

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
    modifiers = modifiers_by_number(names.ruleset)
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


def _in_all(places: Sequence[dict[str, Local]]) -> dict[str, Local]:
    """The locals that are the same in all places."""
    first = places[0] if places else {}
    return {
        key: local
        for key, local in first.items()
        if all(key in each and each[key].path == local.path for each in places)
    }


def _exported(step: Step, before: dict[str, Local], after: dict[str, Local]) -> tuple[Local, ...]:
    """The locals of a step that always runs, as a caller can read them."""
    found = {local.path: local for key, local in after.items() if key not in before}
    return tuple(local for path, local in found.items() if path != "outcome")


def _way(step: Step, to: str) -> Span:
    """Where a step leads to another."""
    return next(case.go.span for case in step.cases if case.go and case.go.id == to)


def _path(step: Step, name: str) -> str:
    return f"{step.id}.{name}" if step.id else name
