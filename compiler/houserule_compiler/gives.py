"""What a check gives besides its outcome: its named values and what its effects say, each as an exact distribution.

An effect is followed as a value of its own, named by what it changes. Whatever leads to the outcome is told by the odds
and left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.assigned import prefixed
from houserule.errors import TooLargeError, UnknownReadError, UnusualError
from houserule.evaluate import Evaluator
from houserule.expression import Constant, Local, Operation, parts
from houserule.fast import Fast
from houserule.fast_expressions import Place
from houserule.odds import Plans, odds
from houserule.program import Check, Effect, Label, Program, Type, Value
from houserule.records import changed
from houserule.rounds import EventEffect
from houserule.values import UNKNOWN, text_of

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.expression import Expr
    from houserule.program import Case, Step

Wanted: TypeAlias = frozenset[str]
Ends: TypeAlias = Iterable[tuple[int, Mapping[str, Any], Fraction]]
"""Each end of a check: the code of its outcome, its values that are there, its chance."""
_FALLS = 20_000
_ABSENT = Constant(UNKNOWN)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Amount:
    """One value where a check ends in one outcome: each that it can have with its chance then.

    None stands for a value that is not there. Numbers come lowest first.
    """

    outcome: str
    path: str
    chances: tuple[tuple[object, Fraction], ...]

    @property
    def there(self) -> Fraction:
        """How likely it is there at all."""
        return sum((chance for value, chance in self.chances if value is not None), Fraction(0))

    @property
    def numbers(self) -> tuple[tuple[int | Fraction, Fraction], ...]:
        """Its values where they are numbers; else nothing."""
        found = [(value, chance) for value, chance in self.chances if value is not None]
        return tuple(found) if all(type(value) in (int, Fraction) for value, _ in found) else ()  # type: ignore[arg-type]

    @property
    def mean(self) -> Fraction:
        """The exact mean of a number, where it is there."""
        return sum((value * chance for value, chance in self.numbers), Fraction(0)) / (self.there or 1)


@dataclass(frozen=True, slots=True)
class Gives:
    """What a check gives in one situation; `outcomes` are those that can come."""

    outcomes: frozenset[str]
    amounts: tuple[Amount, ...]

    def of(self, outcome: str, path: str) -> Amount:
        """One of them; one that is never there is not in the list."""
        never = Amount(outcome, path, ((None, Fraction(1)),))
        return next((each for each in self.amounts if (each.outcome, each.path) == (outcome, path)), never)


def unlike(before: Gives, after: Gives) -> list[tuple[Amount, Amount]]:
    """The amounts that differ, of the outcomes that can come on both sides."""
    if before == after:
        return []
    keys = dict.fromkeys((each.outcome, each.path) for each in (*before.amounts, *after.amounts))
    shared = before.outcomes & after.outcomes
    pairs = [(before.of(*key), after.of(*key)) for key in keys if key[0] in shared]
    return [(old, new) for old, new in pairs if old != new]


class Giving:
    """A ruleset that is asked what its checks give, its effects among their values."""

    def __init__(self, rules: Rules) -> None:
        self.program = _with_effects(rules.program)
        self.options = rules.chosen_options
        self.fast = Fast(self.program, self.options)
        self.evaluator = Evaluator(self.program, {}, self.options, None)
        self.plans = Plans(self.program)
        self.asked: dict[tuple[str, Wanted], Callable[[Mapping[str, Any]], Gives]] = {}
        self.slow: set[tuple[str, Wanted]] = set()

    def values(self, id: str) -> dict[str, tuple[Value, str, bool]]:
        """The values of a check by path: each with the step that leads to its check, and whether it steers that."""
        if id not in self.program.checks:
            return {}
        return {lead + path: (value, lead, steers) for path, value, lead, steers in self._values(id, True, "")}

    def _values(self, id: str, runs_then: bool, lead: str) -> Iterator[tuple[str, Value, str, bool]]:
        check = self.program.checks[id]
        steering = self.plans.of(check, frozenset(), False).relevant
        for step in (*check.steps.values(), *(check.then.values() if runs_then else ())):
            if step.call:
                yield from self._values(step.call.check, step.call.runs_then, f"{lead}{prefixed(step.label.id, '')}")
            for part in (step, *step.cases):
                for value in part.values:
                    path = prefixed(step.label.id, value.label.id)
                    yield path, value, lead, path in steering

    def is_quick(self, id: str, wanted: Wanted) -> bool:
        """Whether a generated function answers."""
        self._asked(id, wanted)
        return (id, wanted) not in self.slow

    def of(self, id: str, wanted: Wanted, facts: Mapping[str, Any]) -> Gives | str:
        """What a check gives in a situation, or why that is not told."""
        try:
            return self._asked(id, wanted)(facts)
        except UnknownReadError:
            return "unknown"
        except TooLargeError:
            return "too large"

    def _asked(self, id: str, wanted: Wanted) -> Callable[[Mapping[str, Any]], Gives]:
        key = id, wanted
        if key not in self.asked:
            self.asked[key] = self._asking(self.program.checks[id], wanted.intersection(self.values(id)), key)
        return self.asked[key]

    def _asking(self, check: Check, wanted: Wanted, key: tuple[str, Wanted]) -> Callable[[Mapping[str, Any]], Gives]:
        types = {path: value.type for path, (value, _, _) in self.values(check.label.id).items()}
        kept: dict[object, Gives] = {}

        def by_states(facts: Mapping[str, Any]) -> Gives:
            evaluator = Evaluator(self.program, dict(facts), self.options, None)
            ends = odds(evaluator, check, wanted, True, _FALLS).items()
            return self._gives(check, types, ((code, dict(state), Fraction(*ways)) for (code, state), ways in ends))

        try:
            made = self.fast.chances.function(check, Place(), wanted, True)
        except UnusualError:
            self.slow.add(key)
            return by_states
        function = self.fast.namespace[made.name]

        def at_once(facts: Mapping[str, Any]) -> Gives:
            try:
                ways = function(facts)
            except UnusualError:
                return by_states(facts)
            if ways not in kept:
                of = sum(many for _, many in ways)
                ends = (
                    (end[0], dict(zip(made.names, end[1:], strict=True)), Fraction(many, of))
                    if made.names
                    else (end, {}, Fraction(many, of))
                    for end, many in ways
                )
                kept[ways] = self._gives(check, types, ends)
            return kept[ways]

        return at_once

    def _gives(self, check: Check, types: Mapping[str, Type], ends: Ends) -> Gives:
        wholes: dict[str, Fraction] = {}
        found: dict[tuple[str, str], dict[object, Fraction]] = {}
        for code, values, chance in ends:
            outcome = check.outcomes[code].id
            wholes[outcome] = wholes.get(outcome, Fraction(0)) + chance
            for path, value in values.items():
                if value is not UNKNOWN:
                    chances = found.setdefault((outcome, path), {})
                    chances[value] = chances.get(value, Fraction(0)) + chance
        return Gives(
            frozenset(word for word, whole in wholes.items() if whole),
            tuple(self._amount(*key, types[key[1]], found[key], wholes[key[0]]) for key in sorted(found)),
        )

    def _amount(self, outcome: str, path: str, type: Type, chances: Mapping[Any, Fraction], whole: Fraction) -> Amount:
        ordered = sorted(chances, key=lambda value: str(value) if type.kind == "dice" else value)
        shares: list[tuple[object, Fraction]] = [(self._shown(each, type), chances[each] / whole) for each in ordered]
        rest = 1 - sum((share for _, share in shares), Fraction(0))
        return Amount(outcome, path, (*shares, *([(None, rest)] if rest else [])))

    def _shown(self, value: Any, type: Type) -> object:
        if type.kind in ("integer", "fraction"):
            return value
        return text_of(self.evaluator.shown(value, type))


def wanted(sides: Iterable[tuple[Giving, str]]) -> Wanted:
    """The values to compare: those that steer no outcome, and effects that say more than these values do."""
    found = [giving.values(id) for giving, id in sides]
    steering = {path for values in found for path, (*_, steers) in values.items() if steers}
    every = {path for values in found for path in values} - steering
    effects = {path for path in every if any(_is_effect(values[path][0]) for values in found if path in values)}
    plain = every - effects
    return frozenset(plain | {path for path in effects if not _follows(path, found, plain)})


def _is_effect(value: Value) -> bool:
    return value.label.note == "effect"


def _follows(path: str, found: list[dict[str, tuple[Value, str, bool]]], plain: set[str]) -> bool:
    """Whether both sides have the same effect, which says the same where some values are the same."""
    if not all(path in values for values in found):
        return False
    (value, lead, _), *others = (values[path] for values in found)
    return all(value.value == other.value for other, *_ in others) and _reads_only(value.value, lead, plain)


def _reads_only(expr: Expr, lead: str, plain: set[str]) -> bool:
    if isinstance(expr, Local):
        return lead + expr.path in plain
    return isinstance(expr, int | Constant | Operation) and all(_reads_only(each, lead, plain) for each in parts(expr))


def _with_effects(program: Program) -> Program:
    """The same program with each effect of a check as a value too."""
    checks = {id: _check(program, check) for id, check in program.checks.items()}
    return changed(program, checks=checks)


def _check(program: Program, check: Check) -> Check:
    steps = {id: _step(program, step) for id, step in check.steps.items()}
    then = {id: _step(program, step) for id, step in check.then.items()}
    return changed(check, steps=steps, then=then)


def _step(program: Program, step: Step) -> Step:
    cases = tuple(changed(case, values=_values_of(program, case)) for case in step.cases)
    return changed(step, values=_values_of(program, step), cases=cases)


def _values_of(program: Program, part: Step | Case) -> tuple[Value, ...]:
    found: dict[str, Value] = {}
    for name, type, expr, when in (each for effect in part.effects for each in _effect(program, effect)):
        at = sum(each.split(" ")[0] == name.split(" ")[0] for each in found)
        id = f"{name} {at + 1}" if name in found else name
        value = expr if when is None else Operation("if", (when, expr, _ABSENT))
        found[id] = Value(Label(id, note="effect"), type, value)
    return (*part.values, *found.values())


def _effect(program: Program, effect: Effect | EventEffect) -> Iterator[tuple[str, Type, Expr, Expr | None]]:
    """What an effect says: the change of a field; that an event happens, and its values."""
    if isinstance(effect, EventEffect):
        yield effect.event, Type("boolean"), True, effect.when
        arguments = program.events[effect.event].arguments
        for name, value in effect.values:
            if type := arguments[name].type:
                yield f"{effect.event}.{name}", type, value, effect.when
        return
    field = program.entities[program.roles[effect.role].entity].fields[effect.field]
    name = f"{effect.role}.{effect.field}" + ("" if effect.op == "add" else f" {effect.op}")
    yield name, field.type, effect.value, effect.when
