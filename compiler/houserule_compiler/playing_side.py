"""One of two rulesets that are compared, as something that can be asked thousands of times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.errors import TooLargeError, UnknownReadError, UnusualError
from houserule.evaluate import Evaluator, Frame
from houserule.expression import Attribute, ConditionRead, Lookup, OptionRead, parts
from houserule.facts import path_of
from houserule.fast import Fast
from houserule.fast_expressions import Place
from houserule.nesting import expressions_of_step
from houserule.odds import odds
from houserule.program import expressions_of_effects, expressions_of_entry
from houserule.reads import Reader, reads_locals

from .acted import Acted, allowed, due
from .gives import Gives, Giving, Wanted
from .reached import Declared, Reached
from .representatives import Given, held_value, knows

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.expression import Expr, Read
    from houserule.program import Check, Condition

Held: TypeAlias = dict[str, Any]
Situation: TypeAlias = Mapping[str, Given]
"""What a caller gives, by path; None for a fact that is not given."""
Odds: TypeAlias = "tuple[tuple[str, Fraction], ...]"
Answer: TypeAlias = "int | Fraction | Odds | Gives | Acted | str"
"""A value, the odds of each outcome, what a check gives, what comes of an action or trigger.

Else `unknown`, `impossible`, `too large`.
"""
UNANSWERED = ("unknown", "impossible", "too large")
_FALLS = 200_000


class Side:
    """A ruleset under comparison."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.name = name
        self.rules = rules
        self.program = rules.program
        self.options = rules.chosen_options
        self.reader = Reader(self.program)
        self.values: dict[tuple[Read, Given], object] = {}
        self.refused: dict[tuple[object, ...], bool] = {}
        self.weighed: dict[str, Callable[[Held], Odds]] = {}

    @cached_property
    def fast(self) -> Fast:
        """The generated functions of its numbers."""
        return Fast(self.program, self.options)

    @cached_property
    def giving(self) -> Giving:
        """What tells what its checks give."""
        return Giving(self.rules)

    def reads(self, kind: str, id: str) -> frozenset[Read]:
        """What a number, check, action or trigger reads of the facts; nothing where there is none."""
        kind = _asked(kind)
        if id not in getattr(self.program, f"{kind}s"):
            return frozenset()
        match kind:
            case "number":
                return self.reader.of_number(id)
            case "check":
                return self.reader.of_check(id)
            case "action":
                action = self.program.actions[id]
                return self.reader.of(
                    [*(each.when for each in action.requires), *(each.value for each in action.adjusts)]
                )
        trigger = self.program.triggers[id]
        adjusts = [each.value for each in trigger.adjusts]
        return self.reader.of([trigger.when, *adjusts, *expressions_of_effects(trigger.effects)])

    def reached(self, kind: str, id: str) -> Reached:
        """What a number, check, action, trigger or sequence comes upon."""
        found, kind = Reached(self.program, self.options), _asked(kind)
        if id not in getattr(self.program, f"{kind}s"):
            return found
        match kind:
            case "number":
                return found.number(id)
            case "check":
                return found.check(id)
            case "action":
                return found.action(id)
            case "trigger":
                return found.trigger(id)
        return found.sequence(id)

    def can_answer(self, kind: str, id: str) -> bool:
        """Whether it has a number that can be asked by itself, or something of another kind, of that id."""
        if kind == "number":
            return id in self.program.numbers and not reads_locals(self.program, id)
        return id in getattr(self.program, f"{_asked(kind)}s")

    def answer(self, kind: str, id: str, facts: Held, wanted: Wanted = frozenset()) -> Answer:
        """The value of a number, the odds of a check and what it gives, what comes of an action or a trigger."""
        match kind:
            case "number":
                return self.value(id, facts)
            case "check":
                return self.odds(id, facts)
            case "gives":
                return self.giving.of(id, wanted, facts)
        asked = allowed if kind == "action" else due
        try:
            return asked(Evaluator(self.program, facts, self.options, None), id)
        except UnknownReadError:
            return "unknown"

    def impossible(self, reads: Iterable[Read]) -> tuple[Condition, ...]:
        """The impossible situations of those who take part where some facts are read."""
        playing = {read[1] for read in reads if read[0] == "field"}
        return tuple(
            each
            for each in self.program.impossible.values()
            if all(read[0] != "field" or read[1] in playing for read in self.reader.of([each.when]))
        )

    def reads_of(self, conditions: Iterable[Condition]) -> frozenset[Read]:
        """What conditions read."""
        return self.reader.of([each.when for each in conditions])

    def held(self, read: Read, given: Given) -> object:
        """A given value as the evaluator holds it."""
        key = read, given
        if key not in self.values:
            self.values[key] = held_value(self.program, read, given)
        return self.values[key]

    def facts(self, reads: Iterable[Read], situation: Situation) -> Held:
        """The facts of a situation, those that this ruleset does not know left out."""
        found: Held = {}
        for read in reads:
            if knows(self.program, read):
                value = self.held(read, situation.get(path_of(read)))
                if value is not None:
                    found[path_of(read)] = value
        return found

    def is_refused(self, conditions: tuple[Condition, ...], paths: tuple[str, ...], facts: Held) -> bool:
        """Whether one of the impossible situations holds; `paths` are the facts that they read."""
        if not conditions:
            return False
        key = (tuple(each.label.id for each in conditions), *(_hashable(facts.get(path)) for path in paths))
        if key not in self.refused:
            self.refused[key] = any(self._holds(each, facts) for each in conditions)
        return self.refused[key]

    def _holds(self, condition: Condition, facts: Held) -> bool:
        if any(path_of(read) not in facts for read in self.reader.of([condition.when])):
            return False
        evaluator = Evaluator(self.program, facts, self.options, None)
        try:
            return not evaluator.unknown(condition.needs, Frame()) and evaluator.holds(condition.when, Frame())
        except UnknownReadError:
            return False

    def value(self, id: str, facts: Held) -> Answer:
        """The value of a number that is asked by itself: nothing that it needs may be unknown."""
        needs = self.program.numbers[id].needs
        try:
            if needs and self._lacks(id, needs, facts):
                return "unknown"
            return self.fast.number(id)(facts)  # type: ignore[no-any-return]
        except UnknownReadError:
            return "unknown"

    def _lacks(self, id: str, needs: tuple[Read, ...], facts: Held) -> bool:
        frame = Frame().seated(self.program.numbers[id].seats)
        return bool(Evaluator(self.program, facts, self.options, None).unknown(needs, frame))

    def odds(self, id: str, facts: Held) -> Answer:
        """The chance of each outcome of a check."""
        try:
            return self._weighed(id)(facts)
        except UnknownReadError:
            return "unknown"
        except TooLargeError:
            return "too large"

    def _weighed(self, id: str) -> Callable[[Held], Odds]:
        if id not in self.weighed:
            self.weighed[id] = self._weighing(id)
        return self.weighed[id]

    def _weighing(self, id: str) -> Callable[[Held], Odds]:
        """The generated function for the odds of a check; where it is too large for that, state by state."""
        check, kept = self.program.checks[id], dict[object, Odds]()
        words = [word.id for word in check.outcomes]
        try:
            made = self.fast.chances.function(check, Place(), frozenset(), False)
        except UnusualError:
            return lambda facts: self._by_states(check, facts)
        function = self.fast.namespace[made.name]

        def weighed(facts: Held) -> Odds:
            try:
                ways = function(facts)
            except UnusualError:
                return self._by_states(check, facts)
            if ways not in kept:
                of = sum(many for _, many in ways)
                chances = {code: Fraction(many, of) for code, many in ways}
                kept[ways] = tuple((word, chances.get(code, Fraction(0))) for code, word in enumerate(words))
            return kept[ways]

        return weighed

    def _by_states(self, check: Check, facts: Held) -> Odds:
        evaluator = Evaluator(self.program, facts, self.options, None)
        found = dict.fromkeys((word.id for word in check.outcomes), Fraction(0))
        for (outcome, _), (many, of) in odds(evaluator, check, frozenset(), False, _FALLS).items():
            found[check.outcomes[outcome].id] += Fraction(many, of)
        return tuple(found.items())

    def uses_of(self, names: frozenset[str] | set[str]) -> set[Declared]:
        """The facts that some definitions read, or that they are read with: the keys of a table that is named."""
        found = Reached(self.program, self.options)
        for exprs in self._spoken():
            if any(not names.isdisjoint(_direct(expr)) for expr in exprs):
                for expr in exprs:
                    found.expr(expr)
        for number in self.program.numbers.values():
            if f"numbers.{number.label.id}" in names:
                found.expr(number.base)
            for entry in number.entries:
                if not names.isdisjoint((f"modifiers.{entry.modifier}", f"stacking.{entry.group}")):
                    found.entry(entry, number)
        for name in names:
            section, _, id = name.partition(".")
            if section in ("conditions", "impossible") and id in getattr(self.program, section):
                found.expr(getattr(self.program, section)[id].when)
            if section == "checks" and id in self.program.checks:
                check = self.program.checks[id]
                for step in (*check.steps.values(), *check.then.values()):
                    for expr in expressions_of_step(step):
                        found.expr(expr)
            if section in ("actions", "triggers") and id in getattr(self.program, section):
                found.action(id) if section == "actions" else found.trigger(id)
        return set(found.uses) | {name for name in names if name.startswith(("facts.", "entities."))}

    def _spoken(self) -> Iterator[tuple[Expr, ...]]:
        """Every expression that a number, a modifier, a condition or a check has, those that go together as one."""
        for number in self.program.numbers.values():
            yield (number.base,)
            yield from map(expressions_of_entry, number.entries)
        for condition in self.program.conditions.values():
            yield (condition.when,)
        for check in self.program.checks.values():
            for step in (*check.steps.values(), *check.then.values()):
                yield from ((expr,) for expr in expressions_of_step(step))


def _direct(expr: Expr) -> Iterator[str]:
    """The tables, options, conditions, choices and numbers that an expression itself names."""
    match expr:
        case Lookup(id):
            yield f"tables.{id}"
        case OptionRead(id):
            yield f"options.{id}"
        case ConditionRead(id):
            yield f"conditions.{id}"
        case Attribute(id):
            yield f"choices.{id}"
    for each in parts(expr):
        yield from _direct(each)


def _asked(kind: str) -> str:
    """What is asked for a kind of answer: what a check gives is asked of the check."""
    return "check" if kind == "gives" else kind


def _hashable(value: object) -> object:
    return value if isinstance(value, int | str) else repr(value)
