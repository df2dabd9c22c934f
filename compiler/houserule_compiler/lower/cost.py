"""How many steps an evaluation can take at most, counted from the typed rules."""

from __future__ import annotations

from collections.abc import Iterable

from ..typed import AnyEffect, Typed, TypedCase, TypedDie, TypedNumber, TypedStep, expressions_of_effect
from ..typed_ruleset import TypedRuleset


class Costs:
    """The cost of each number and check: one step for each operator, entry, die and table level."""

    def __init__(self, ruleset: TypedRuleset) -> None:
        self._ruleset = ruleset
        self._known: dict[tuple[str, str], int] = {}

    def number(self, id: str) -> int:
        """The cost of one number, with all that it reads."""
        return self._cached("number", id)

    def check(self, id: str) -> int:
        """The cost of one check: all of its steps, with the checks that they call."""
        return self._cached("check", id)

    def _cached(self, kind: str, id: str) -> int:
        key = (kind, id)
        if key not in self._known:
            self._known[key] = self._counted(kind, id)
        return self._known[key]

    def _counted(self, kind: str, id: str) -> int:
        if kind == "condition":
            return self.expression(self._ruleset.conditions[id].when)
        if kind == "check":
            check = self._ruleset.checks[id]
            return 1 + sum(self._step(each) for each in (*check.steps, *check.then))
        return self._of_number(self._ruleset.numbers[id])

    def _of_number(self, number: TypedNumber) -> int:
        cost = 1 + self.expression(number.base)
        for entry in number.entries:
            parts = [entry.when, entry.times, entry.by, entry.value, *(grade.value for grade in entry.grades)]
            cost += 1 + self._all(parts)
        return cost

    def _all(self, items: Iterable[Typed | None]) -> int:
        return sum(self.expression(each) for each in items if each is not None)

    def _step(self, step: TypedStep) -> int:
        cost = 1 + self._dice(step.roll) + self._effects(step.effects) + self._all(each.value for each in step.values)
        if step.call:
            cost += self.check(step.call.declared.check.id) + self._all(each.value for each in step.call.adjusts)
        return cost + sum(self._case(each) for each in step.cases)

    def _case(self, case: TypedCase) -> int:
        given = self._all(each.value for each in case.give)
        return 1 + self._all([case.when, case.outcome]) + self._dice(case.roll) + given + self._effects(case.effects)

    def _dice(self, roll: Iterable[TypedDie]) -> int:
        return sum(1 + self._all([each.dice, each.when]) for each in roll)

    def _effects(self, effects: Iterable[AnyEffect]) -> int:
        return sum(1 + self._all(expressions_of_effect(each)) for each in effects)

    def expression(self, item: Typed) -> int:
        """The cost of one expression."""
        cost = 1 + sum(self.expression(part) for part in item.parts)
        name = str(item.operands[0]) if item.operands else ""
        match item.operator:
            case "number" | "condition":
                cost += self._cached(item.operator, name)
            case "field":
                cost += self._computed(str(item.operands[0]), str(item.operands[1]))
            case "fact" if (computed := self._ruleset.facts[name].computed) is not None:
                cost += self.expression(computed)
        return cost

    def _computed(self, role: str, field: str) -> int:
        entity = self._ruleset.declared.roles[role].entity.id
        found = next(each for each in self._ruleset.entities[entity] if each.declared.id == field)
        return self.expression(found.computed) if found.computed is not None else 0
