"""How many steps an evaluation can take at most, counted from the typed rules."""

from __future__ import annotations

from collections.abc import Iterable

from ..typed import AnyEffect, Typed, TypedCase, TypedDie, TypedNumber, TypedStep, expressions_of_effect
from ..typed_ruleset import TypedRuleset
from ..types import LARGEST


class Costs:
    """The cost of each number and check: one step for each operator, entry and die, and the dearest cell of a table."""

    def __init__(self, ruleset: TypedRuleset) -> None:
        self._ruleset = ruleset
        self._known: dict[tuple[str, ...], int] = {}

    def number(self, id: str) -> int:
        """The cost of one number, with all that it reads."""
        return self._cached("number", id)

    def check(self, id: str) -> int:
        """The cost of one check: all of its steps, with the checks that they call."""
        return self._cached("check", id)

    def _cached(self, *key: str) -> int:
        if key not in self._known:
            # What doubles forty times is beyond every bound, and no number of an artifact is larger than this.
            self._known[key] = min(self._counted(key), LARGEST)
        return self._known[key]

    def _counted(self, key: tuple[str, ...]) -> int:
        rules, id = self._ruleset, key[1]
        match key[0]:
            case "condition":
                return self.expression(rules.conditions[id].when)
            case "fact":
                return self._optional(rules.facts[id].computed)
            case "field":
                found = next(each for each in rules.entities[id] if each.declared.id == key[2])
                return self._optional(found.computed, id)
            case "table":
                cells = [cell for row in rules.tables[id].rows for cell in row.cells if cell is not None]
                return max(map(self.expression, cells), default=0)
            case "check":
                check = rules.checks[id]
                return 1 + sum(self._step(each) for each in (*check.steps, *check.then))
        return self._of_number(rules.numbers[id])

    def _of_number(self, number: TypedNumber) -> int:
        cost = 1 + self.expression(number.base)
        for entry in number.entries:
            # Of a set there is a line for each word, and each is multiplied.
            times = [entry.times] * max(1, len(entry.grades) if entry.is_each else 1)
            parts = [entry.when, *times, entry.by, entry.value, *(grade.value for grade in entry.grades)]
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

    def expression(self, item: Typed, entity: str = "") -> int:
        """The cost of one expression; `entity` is that whose computed field it is."""
        cost = 1 + sum(self.expression(part, entity) for part in item.parts)
        name = str(item.operands[0]) if item.operands else ""
        match item.operator:
            case "number" | "condition" | "table" | "fact":
                cost += self._cached(item.operator, name)
            case "field":
                cost += self._cached("field", self._ruleset.declared.roles[name].entity.id, str(item.operands[1]))
            case "its":
                cost += self._cached("field", entity, name)
        return cost

    def _optional(self, item: Typed | None, entity: str = "") -> int:
        return 0 if item is None else self.expression(item, entity)
