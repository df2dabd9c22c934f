"""Every condition of the rules, judged where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from ..diagnostics import Diagnostic
from ..messages import analysis_conditions as messages
from ..typed import Typed, TypedCheck, TypedEntry, TypedNumber
from ..typed_rounds import TypedSequence, TypedSequenceStep
from ..typed_ruleset import TypedRuleset
from .assumptions import Assumptions
from .checks import case_findings, check_findings
from .conditions import Conditions
from .judging import Judging


def when_findings(ruleset: TypedRuleset, assumed: Assumptions, judging: Judging) -> Iterator[Diagnostic]:
    """What is wrong with conditions. One that names a condition which is told already is not told for that."""
    alone = Conditions(replace(assumed, impossible=()))
    yield from _impossible(ruleset, alone)
    conditions = Conditions(assumed)
    settled: set[str] = set()
    for id, named in ruleset.conditions.items():
        found = list(conditions.findings(named.when, id))
        settled |= {id} if found else set()
        yield from found
    yield from _Whens(ruleset, replace(conditions, settled=frozenset(settled)), judging).findings()


def _impossible(ruleset: TypedRuleset, alone: Conditions) -> Iterator[Diagnostic]:
    for id, each in ruleset.impossible.items():
        if alone.always(each.when):
            yield messages.excludes_everything(id, each.when.span)
        else:
            yield from alone.findings(each.when, id)


@dataclass(frozen=True, slots=True)
class _Whens:
    """The conditions of one ruleset, by the sections that they stand in."""

    ruleset: TypedRuleset
    conditions: Conditions
    judging: Judging

    def findings(self) -> Iterator[Diagnostic]:
        """All of them."""
        yield from self._numbers()
        for check in self.ruleset.checks.values():
            judge = partial(self._check, check)
            yield from self.judging.judged("check", check.declared, judge, (check, self.conditions.settled))
        for action in self.ruleset.actions.values():
            for each in action.requires:
                yield from self.conditions.findings(each.when, each.declared.id)
        for trigger in self.ruleset.triggers.values():
            yield from self.conditions.findings(trigger.when, trigger.declared.id)
        for sequence in self.ruleset.sequences.values():
            yield from self._sequence(sequence)
        yield from self._computed()

    def _numbers(self) -> Iterator[Diagnostic]:
        modifiers: dict[str, list[list[Diagnostic]]] = {}
        for number in self.ruleset.numbers.values():
            judge = partial(self._number, number)
            of = (number, self.conditions.settled)
            base, *entries = self.judging.judged("number", number.declared, judge, of)
            yield from base
            for entry, found in zip(number.entries, entries, strict=True):
                modifiers.setdefault(entry.modifier.id, []).append(found)
        for each in modifiers.values():
            yield from _common(each)

    def _number(self, number: TypedNumber) -> list[list[Diagnostic]]:
        """What is found in the base, then in each entry."""
        base = list(self.conditions.branches(number.base, number.declared.id))
        return [base, *(list(self._entry(each)) for each in number.entries)]

    def _check(self, check: TypedCheck) -> list[Diagnostic]:
        return list(check_findings(check, self.conditions))

    def _entry(self, entry: TypedEntry) -> Iterator[Diagnostic]:
        id = entry.modifier.id
        if entry.when is not None:
            yield from self.conditions.findings(entry.when, id)
        for item in (entry.value, entry.times, *(grade.value for grade in entry.grades)):
            yield from self.conditions.branches(item, id) if item is not None else ()

    def _computed(self) -> Iterator[Diagnostic]:
        fields = [field for entity in self.ruleset.entities.values() for field in entity]
        for field in (*fields, *self.ruleset.facts.values()):
            if field.computed is not None:
                yield from self.conditions.branches(field.computed, field.declared.id)

    def _sequence(self, sequence: TypedSequence) -> Iterator[Diagnostic]:
        for when in (sequence.when, sequence.who, sequence.holding):
            yield from self._optional(when, sequence.declared.id)
        for step in sequence.steps:
            yield from self._step(step)
        for place in sequence.places:
            for moment in place.moments:
                yield from self._optional(moment.when, moment.declared.id)
                cases = [(each.declared.id, each.declared.place, each.when) for each in moment.cases]
                yield from case_findings(cases, self.conditions)

    def _step(self, step: TypedSequenceStep) -> Iterator[Diagnostic]:
        yield from self._optional(step.when, step.declared.id)
        yield from self._optional(step.leads_to.when if step.leads_to else None, step.declared.id)
        for each in step.steps:
            yield from self._step(each)

    def _optional(self, when: Typed | None, id: str) -> Iterator[Diagnostic]:
        if when is not None:
            yield from self.conditions.findings(when, id)


def _common(found: list[list[Diagnostic]]) -> Iterator[Diagnostic]:
    """What is found for every number that a modifier adjusts: for one of them alone it may be as it should."""
    places = [{(each.code, each.span) for each in one} for one in found]
    shared = set.intersection(*places)
    yield from (each for each in found[0] if (each.code, each.span) in shared)
