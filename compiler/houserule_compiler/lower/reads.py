"""Which facts a check can read, through every role that is rebound on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..declarations import Rebind
from ..typed import AnyEffect, Read, Typed, TypedCase, TypedDie, TypedNumber, TypedStep, expressions_of_effect
from ..typed_ruleset import TypedRuleset
from .expressions import Json
from .expressions import reads as as_json

Seats = Mapping[str, str]


class Reads:
    """Finds the fields and facts that checks and numbers read, as seen by the caller who gives them."""

    def __init__(self, ruleset: TypedRuleset) -> None:
        self._ruleset = ruleset
        self._known: dict[tuple[str, str], frozenset[Read]] = {}

    def of_check(self, id: str) -> Json:
        """What a check reads, as a list of READs."""
        return as_json(self.check(id))

    def check(self, id: str) -> frozenset[Read]:
        """What a check reads."""
        return self._cached("check", id)

    def number(self, id: str) -> frozenset[Read]:
        """What a number reads."""
        return self._cached("number", id)

    def _cached(self, kind: str, id: str) -> frozenset[Read]:
        if (kind, id) not in self._known:
            self._known[kind, id] = frozenset(self._found(kind, id))
        return self._known[kind, id]

    def _found(self, kind: str, id: str) -> Iterator[Read]:
        if kind == "condition":
            yield from self.expression(self._ruleset.conditions[id].when)
        elif kind == "number":
            number = self._ruleset.numbers[id]
            yield from _seated(self._number(number), _seats(number.declared.rebinds))
        else:
            check = self._ruleset.checks[id]
            for step in (*check.steps, *check.then):
                yield from self._step(step)

    def _number(self, number: TypedNumber) -> Iterator[Read]:
        yield from self.expression(number.base)
        for entry in number.entries:
            grades = [each.value for each in entry.grades]
            yield from self._all([entry.when, entry.times, entry.by, entry.value, *grades])

    def _step(self, step: TypedStep) -> Iterator[Read]:
        yield from self._dice(step.roll)
        yield from self._all(each.value for each in step.values)
        yield from self._effects(step.effects)
        if step.call:
            yield from _seated(self.check(step.call.declared.check.id), _seats(step.call.declared.rebinds))
            yield from self._all(each.value for each in step.call.adjusts)
        for case in step.cases:
            yield from self._case(case)

    def _case(self, case: TypedCase) -> Iterator[Read]:
        yield from self._all([case.when, case.outcome, *(each.value for each in case.give)])
        yield from self._dice(case.roll)
        yield from self._effects(case.effects)

    def _dice(self, roll: Iterable[TypedDie]) -> Iterator[Read]:
        for die in roll:
            yield from self._all([die.dice, die.when])

    def _effects(self, effects: Iterable[AnyEffect]) -> Iterator[Read]:
        for effect in effects:
            yield from self._all(expressions_of_effect(effect))

    def _all(self, items: Iterable[Typed | None]) -> Iterator[Read]:
        for each in items:
            if each is not None:
                yield from self.expression(each)

    def expression(self, item: Typed) -> Iterator[Read]:
        """What an expression reads."""
        for part in item.walk():
            yield from self._direct(part)

    def _direct(self, item: Typed) -> Iterator[Read]:
        match item.operator:
            case "field":
                yield from self._field(str(item.operands[0]), str(item.operands[1]))
            case "fact":
                yield from self._fact(str(item.operands[0]))
            case "condition":
                yield from self._cached("condition", str(item.operands[0]))
            case "known" if isinstance(item.operands[0], list):
                yield tuple(str(each) for each in item.operands[0])
            case "number":
                players = item.operands[1] if len(item.operands) > 1 else {}
                yield from _seated(self.number(str(item.operands[0])), players if isinstance(players, dict) else {})

    def _field(self, role: str, id: str) -> Iterator[Read]:
        entity = self._ruleset.declared.roles[role].entity.id
        field = next(each for each in self._ruleset.entities[entity] if each.declared.id == id)
        if field.computed is None:
            yield ("field", role, id)
            return
        for part in field.computed.walk():
            if part.operator == "its":
                yield from self._field(role, str(part.operands[0]))
            elif part.operator == "known" and isinstance(part.operands[0], list):
                yield ("field", role, str(part.operands[0][-1]))
            else:
                yield from self._direct(part)

    def _fact(self, id: str) -> Iterator[Read]:
        computed = self._ruleset.facts[id].computed
        if computed is None:
            yield ("fact", id)
        else:
            yield from self.expression(computed)


def _seats(rebinds: tuple[Rebind, ...]) -> Seats:
    return {each.role.id: each.player.id for each in rebinds}


def _seated(found: Iterable[Read], seats: Seats) -> Iterator[Read]:
    """Reads under a rebinding, as seen from outside it; locals stay inside."""
    for read in found:
        if read[0] == "field":
            yield ("field", seats.get(read[1], read[1]), read[2])
        elif read[0] == "fact":
            yield read
