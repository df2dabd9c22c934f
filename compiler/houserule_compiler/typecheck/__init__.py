"""From declarations to typed rules: every expression gets a type, an interval and its meaning; what does not go
together, points the wrong way or may be unknown is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ..declarations import Check, Definition, NamedCondition, Number
from ..diagnostics import Diagnostic
from ..footing import Footings
from ..limits import Limits
from ..memory import Memory
from ..messages import amounts, places
from ..ruleset import Ruleset
from ..typed import TypedCondition, TypedNumber
from ..typed_ruleset import TypedRuleset
from ..types import Type
from .checks import Checks
from .expressions import Expressions
from .impossible import complex_tests
from .names import Environment, Names
from .numbers import Numbers
from .rounds import Rounds
from .sequences import Sequences, all_steps
from .tables import Tables
from .vocabulary import Vocabulary
from .written import Written

T = TypeVar("T")

ROUNDS = 8


def typecheck(
    ruleset: Ruleset,
    order: tuple[tuple[str, ...], ...],
    checks: tuple[str, ...],
    limits: Limits,
    memory: Memory | None = None,
    footings: Footings | None = None,
) -> tuple[TypedRuleset, list[Diagnostic]]:
    """The typed ruleset; what could not be typed is of type `Unknown` in it. `order` and `checks` are `resolve`'s.

    What calls do to numbers widens the numbers' intervals, which may widen the calls' amounts in turn: a few rounds
    settle it, and only the last one's findings are reported. `memory` has plain tables that earlier builds have typed,
    and `footings` all else in which they found nothing.
    """
    before: dict[str, list[tuple[str, Type]]] = {}
    adjusted: dict[str, list[tuple[str, Type]]] = {}
    for _ in range(ROUNDS):
        typing = _Typing(ruleset, order, checks, adjusted, limits, memory, footings)
        result = typing.whole()
        found = typing.call_adjusts()
        if found == adjusted:
            break
        before, adjusted = adjusted, found
    else:
        growing = [id for id in found if found[id] != before.get(id)]
        typing.diagnostics += [amounts.adjusts_itself(id, ruleset.numbers[id].place) for id in growing]
    return result, typing.diagnostics


@dataclass
class _Typing:
    """One round of typing a ruleset."""

    ruleset: Ruleset
    order: tuple[tuple[str, ...], ...]
    checks: tuple[str, ...]
    adjusted: Mapping[str, list[tuple[str, Type]]]
    limits: Limits
    memory: Memory | None
    footings: Footings | None

    def __post_init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.names = Names(self.ruleset, adjusted=dict(self.adjusted))
        self._expressions = Expressions(self.names, self.diagnostics)
        written = Written(self._expressions)
        self._vocabulary = Vocabulary(self._expressions, written)
        self._tables = Tables(self._expressions, written, self.memory, self._recalled)
        self._numbers = Numbers(self._expressions, written, self._vocabulary)
        self._rounds = Rounds(self._expressions, self._vocabulary)
        self._sequences = Sequences(self._expressions, written, self._vocabulary)
        self._called: list[tuple[str, str, Type]] = []
        self._checks = Checks(
            self._expressions, self._vocabulary, self._add_number, self.limits.support, self._recalled
        )

    def call_adjusts(self) -> dict[str, list[tuple[str, Type]]]:
        """What calls do to each number."""
        found: dict[str, list[tuple[str, Type]]] = {}
        for number, op, kind in (*self._checks.calls, *self._called):
            found.setdefault(number, []).append((op, kind))
        return found

    def whole(self) -> TypedRuleset:
        """The whole ruleset, in the order of dependence."""
        self._words()
        declared = self.ruleset.tables
        tables = {node[1]: self._tables.table(declared[node[1]]) for node in self.order if node[0] == "table"}
        for node in self.order:
            self._readable(node)
        impossible = {each.id: self._impossible(each) for each in self.ruleset.impossible.values()}
        checks = {id: self._checks.check(self.ruleset.checks[id]) for id in self.checks}
        actions = {each.id: self._rounds.action(each) for each in self.ruleset.actions.values()}
        triggers = {each.id: self._rounds.trigger(each) for each in self.ruleset.triggers.values()}
        self._called = self._rounds.called_amounts([*actions.values(), *triggers.values()])
        self._stacking()
        return TypedRuleset(
            declared=self.ruleset,
            choices=self.names.choices,
            entities={
                each.id: tuple(self.names.fields[each.id, field.id] for field in each.fields)
                for each in self.ruleset.entities.values()
            },
            facts=self.names.facts,
            options=self.names.options,
            conditions=self.names.conditions,
            impossible=impossible,
            tables={id: self._tables.finished(each) for id, each in tables.items()},
            numbers=self.names.numbers,
            checks=checks,
            events={each.id: self._rounds.event(each) for each in self.ruleset.events.values()},
            actions=actions,
            triggers=triggers,
            sequences={each.id: self._sequences.sequence(each, tables) for each in self.ruleset.sequences.values()},
        )

    def _words(self) -> None:
        """Choices, and the outcomes of checks, which are choices too; then options."""
        words = self.names.words
        for sequence in self.ruleset.sequences.values():
            words[f"{sequence.id}.step"] = tuple(dict.fromkeys(each.id for each in all_steps(sequence.steps)))
        for choice in self.ruleset.choices.values():
            words[choice.id] = tuple(dict.fromkeys(each.id for each in choice.words))
        for check in self.ruleset.checks.values():
            words[f"{check.id}.outcome"] = _outcome_words(check, self.ruleset)
        for choice in self.ruleset.choices.values():
            self.names.choices[choice.id] = self._vocabulary.choice(choice)
        for option in self.ruleset.options.values():
            self.names.options[option.id] = self._vocabulary.option(option)

    def _readable(self, node: tuple[str, ...]) -> None:
        match node:
            case ("field", entity, id):
                fields = {each.id: each for each in self.ruleset.entities[entity].fields}
                self.names.fields[entity, id] = self._vocabulary.field(fields[id], Environment(entity=entity))
            case ("fact", id):
                self.names.facts[id] = self._vocabulary.field(self.ruleset.facts[id], Environment())
            case ("condition", id):
                condition = self.ruleset.conditions[id]
                self.names.conditions[id] = self._vocabulary.named(condition.when, condition)
            case ("number", id) if self.ruleset.numbers[id].within is None:
                self._add_number(self.ruleset.numbers[id], Environment())

    def _impossible(self, situation: NamedCondition) -> TypedCondition:
        typed = self._vocabulary.named(situation.when, situation)
        for test in complex_tests(typed.when):
            self.diagnostics.append(places.not_simple(situation.id, test.span))
        return typed

    def _add_number(self, number: Number, environment: Environment) -> None:
        def typed() -> TypedNumber:
            return self._numbers.number(number, environment)

        # What belongs to a check reads what stands above it there.
        self.names.numbers[number.id] = typed() if number.within else self._recalled(number, typed)
        if number.within:
            self.names.local_reads[number.id] = _local_reads(self.names.numbers[number.id], self.names)

    def _recalled(self, definition: Definition, make: Callable[[], T]) -> T:
        """What an earlier build made of a definition, where it stands on the same and nothing was told of it."""
        if self.footings is None:
            return make()
        readers, self.names.readers = self.names.readers, {}
        before = len(self.diagnostics)

        def made() -> tuple[T, bool, dict[tuple[str, int], Type]]:
            found = make()
            return found, len(self.diagnostics) == before, self.names.readers

        adjusted = tuple((id, *each) for id, each in self.adjusted.items())
        found, _, read = self.footings.recall("typed", definition, made, lambda each: each[1], adjusted)
        self.names.readers = readers
        for (table, key), kind in read.items():
            self.names.note_reader(table, key, kind)
        return found

    def _stacking(self) -> None:
        for group in self.ruleset.stacking.values():
            keeps_first = any(policy.id == "first" for _, policy in group.policies)
            if keeps_first and not group.order:
                self.diagnostics.append(amounts.order_due(group.id, group.place))
            elif group.order and not keeps_first:
                self.diagnostics.append(amounts.order_unused(group.id, group.order[0].span))


def _local_reads(number: TypedNumber, names: Names) -> frozenset[str]:
    """The paths of its check that a number reads, itself or through other numbers of the check."""
    parts = [number.base]
    for entry in number.entries:
        parts += [each for each in (entry.when, entry.by, entry.times, entry.value) if each]
        parts += [grade.value for grade in entry.grades]
    found: set[str] = set()
    for item in (each for part in parts for each in part.walk()):
        if item.operator == "local":
            found.add(str(item.operands[0]))
        elif item.operator == "number":
            found |= names.local_reads.get(str(item.operands[0]), frozenset())
    return frozenset(found)


def _outcome_words(check: Check, ruleset: Ruleset) -> tuple[str, ...]:
    if check.choice and check.choice.id in ruleset.choices:
        return tuple(each.id for each in ruleset.choices[check.choice.id].words)
    return tuple(dict.fromkeys(each.id for each in check.outcomes))


__all__ = ["typecheck"]
