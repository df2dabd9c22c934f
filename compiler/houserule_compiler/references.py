"""Names outside expressions that must be the id of something, and those that are not."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from .declarations import (
    Adjust,
    Check,
    Citation,
    Definition,
    Entity,
    Field,
    Modifier,
    Number,
    Rebind,
    Reference,
    Step,
)
from .diagnostics import Diagnostic
from .messages import names as messages
from .messages import places
from .messages import rounds as round_messages
from .rounds import Action, Sequence, SequenceStep, Trigger
from .ruleset import Ruleset
from .syntax import TypeExpression


@dataclass(frozen=True, slots=True)
class _Unnamed:
    """A name that is the id of nothing of its kind; `ids` are those that there are."""

    kind: str
    name: Reference
    ids: Collection[str]


Findings: TypeAlias = Iterator[Diagnostic | _Unnamed]

MOST_SUGGESTED = 100
"""Of so many names the nearest ones are looked for, since each costs a search."""


def dangling(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """A message for every name that refers to nothing, outside expressions."""
    for at, found in enumerate(_dangling(ruleset)):
        if isinstance(found, _Unnamed):
            ids = found.ids if at < MOST_SUGGESTED else ()
            yield messages.unknown_name(found.kind, found.name.id, found.name.span, ids)
        else:
            yield found


def _dangling(ruleset: Ruleset) -> Findings:
    for entity in ruleset.entities.values():
        yield from _fields(ruleset, entity)
    for fact in (*ruleset.facts.values(), *ruleset.options.values()):
        yield from _typed(ruleset, fact.type)
    for choice in ruleset.choices.values():
        for attribute in choice.attributes:
            yield from _typed(ruleset, attribute.type)
    for role in ruleset.roles.values():
        yield from _missing(role.entity, "entity", ruleset.entities)
    for table in ruleset.tables.values():
        for declared in (*(key.type for key in table.keys), *(column.type for column in table.columns)):
            yield from _typed(ruleset, declared)
    for number in ruleset.numbers.values():
        yield from _number(ruleset, number)
    for modifier in ruleset.modifiers.values():
        yield from _modifier(ruleset, modifier)
    for group in ruleset.stacking.values():
        for each in group.order:
            yield from _missing(each, "modifier", ruleset.modifiers)
    for check in ruleset.checks.values():
        yield from _check(ruleset, check)
    for event in ruleset.events.values():
        for argument in event.arguments:
            yield from _of_event(ruleset, argument.type)
    callers: list[Action | Trigger] = [*ruleset.actions.values(), *ruleset.triggers.values()]
    for caller in callers:
        yield from _caller(ruleset, caller)
    for sequence in ruleset.sequences.values():
        yield from _sequence(ruleset, sequence)
    yield from _trials(ruleset)
    yield from _sources(ruleset)


def _missing(name: Reference | None, kind: str, ids: Collection[str]) -> Findings:
    if name and name.id and name.id not in ids:
        yield _Unnamed(kind, name, ids)


def _typed(ruleset: Ruleset, declared: TypeExpression | None) -> Findings:
    if declared and declared.name:
        yield from _missing(Reference(declared.name.text, declared.name.span), "choice", _choices(ruleset))


def _of_event(ruleset: Ruleset, declared: TypeExpression) -> Findings:
    """What an event tells is somebody of an entity, or a value."""
    if declared.kind != "choice":
        yield from _typed(ruleset, declared)
    elif declared.name:
        known = [*ruleset.entities, *_choices(ruleset)]
        yield from _missing(Reference(declared.name.text, declared.name.span), "entity or choice", known)


def _choices(ruleset: Ruleset) -> list[str]:
    outcomes = {f"{id}.outcome" for id in ruleset.checks} | {f"{id}.step" for id in ruleset.sequences}
    return [*ruleset.choices, *sorted(outcomes)]


def _fields(ruleset: Ruleset, entity: Entity) -> Findings:
    for each in entity.fields:
        yield from _typed(ruleset, each.type)
        yield from _decides(ruleset, each)


def _decides(ruleset: Ruleset, declared: Field) -> Findings:
    yield from _missing(declared.decides, "role", ["its", *ruleset.roles])


def _rebinds(ruleset: Ruleset, rebinds: tuple[Rebind, ...]) -> Findings:
    for each in rebinds:
        yield from _missing(each.role, "role", ruleset.roles)
        yield from _missing(each.player, "role", ruleset.roles)
        chair, player = ruleset.roles.get(each.role.id), ruleset.roles.get(each.player.id)
        if chair and player and chair.entity.id != player.entity.id:
            yield messages.different_entity(chair.id, chair.entity.id, player.id, player.entity.id, each.player.span)


def _number(ruleset: Ruleset, number: Number) -> Findings:
    yield from _missing(number.of, "role", ruleset.roles)
    yield from _missing(number.within, "check", ruleset.checks)
    yield from _rebinds(ruleset, number.rebinds)


def _modifier(ruleset: Ruleset, modifier: Modifier) -> Findings:
    yield from _missing(modifier.stack, "stacking group", ruleset.stacking)
    yield from _adjusts(ruleset, modifier.adjusts)


def _adjusts(ruleset: Ruleset, adjusts: tuple[Adjust, ...]) -> Findings:
    for each in adjusts:
        yield from _missing(each.number, "number", ruleset.numbers)


def _check(ruleset: Ruleset, check: Check) -> Findings:
    yield from _missing(check.choice, "choice", ruleset.choices)
    steps = [each.id for each in check.steps if each.id]
    if not check.is_single:
        yield from _missing(check.start, "step", steps)
    words = [each.id for each in check.outcomes]
    if check.choice and check.choice.id in ruleset.choices:
        words = [each.id for each in ruleset.choices[check.choice.id].words]
    for after in check.then:
        if after.id not in words:
            yield places.unknown_outcome(check.id, after.id, after.place, words)
    for step in (*check.steps, *check.then):
        yield from _step(ruleset, step, steps)


def _step(ruleset: Ruleset, step: Step, steps: list[str]) -> Findings:
    if step.call:
        yield from _missing(step.call.check, "check", ruleset.checks)
        yield from _rebinds(ruleset, step.call.rebinds)
        yield from _adjusts(ruleset, step.call.adjusts)
    for case in step.cases:
        yield from _missing(case.go, "step", steps)


def _caller(ruleset: Ruleset, caller: Action | Trigger) -> Findings:
    """What an action or a trigger names besides expressions."""
    if isinstance(caller, Action):
        yield from _missing(caller.by, "role", ruleset.roles)
        yield from _missing(caller.against, "role", ruleset.roles)
    yield from _missing(caller.check, "check", ruleset.checks)
    yield from _rebinds(ruleset, caller.rebinds)
    yield from _adjusts(ruleset, caller.adjusts)


def _sequence(ruleset: Ruleset, sequence: Sequence) -> Findings:
    steps: dict[str, SequenceStep] = {}
    for step, in_segments in _steps_of(sequence.steps, False):
        if step.id in steps:
            yield round_messages.named_twice("step", step.id, step.place, steps[step.id].place)
        steps.setdefault(step.id, step)
        yield from _missing(step.check, "check", ruleset.checks)
        yield from _rebinds(ruleset, step.rebinds)
        yield from _missing(step.leads_to.sequence if step.leads_to else None, "sequence", ruleset.sequences)
        for each in sequence.holding.to if sequence.holding and in_segments else ():
            if each.id == step.id:
                yield round_messages.hold_inside_segments(step.id, each.span, step.place)
    if sequence.holding and sequence.holding.to_segment and sequence.start is None:
        yield round_messages.hold_without_start(sequence.id, sequence.holding.span)
    for each in sequence.holding.to if sequence.holding else ():
        yield from _missing(each, "step", steps)
    placed: dict[str, Reference] = {}
    for place in sequence.places:
        if place.id in placed:
            yield round_messages.named_twice("action", place.id, place.place, placed[place.id].span)
        placed.setdefault(place.id, Reference(place.id, place.place))


def _steps_of(steps: tuple[SequenceStep, ...], in_segments: bool) -> Iterator[tuple[SequenceStep, bool]]:
    """Each step, depth first, and whether it comes once for each segment."""
    for step in steps:
        is_counted = in_segments or step.segments is not None
        yield step, is_counted
        yield from _steps_of(step.steps, is_counted)


def _trials(ruleset: Ruleset) -> Findings:
    for ruling in ruleset.rulings.values():
        yield from _missing(ruling.option, "option", ruleset.options)
        for each in ruling.examples:
            yield from _missing(each, "example", ruleset.examples)
    subjects: dict[str, Collection[str]] = {
        "number": ruleset.numbers,
        "table": ruleset.tables,
        "check": ruleset.checks,
        "action": ruleset.actions,
        "trigger": ruleset.triggers,
        "sequence": ruleset.sequences,
    }
    for example in ruleset.examples.values():
        if example.kind:
            yield from _missing(example.subject, example.kind, subjects[example.kind])
        yield from _missing(example.after, "example", ruleset.examples)


def _sources(ruleset: Ruleset) -> Findings:
    documents = {each.id: dict(each.items) for each in ruleset.manifest.sources}
    cited = (each.source for each in _definitions(ruleset) if each.source)
    # What a whole file stands on is cited by each definition in it, from one place.
    for each in {(source.document, source.item, source.span): source for source in cited}.values():
        yield from _cited(each, documents)


def _cited(cited: Citation, documents: dict[str, dict[str, str]]) -> Findings:
    if cited.document not in documents:
        holding = next((id for id, items in documents.items() if cited.document in items), "")
        yield messages.unknown_source(cited.document, cited.span, documents, holding)
    elif cited.item and (items := documents[cited.document]) and cited.item not in items:
        yield messages.unknown_source_item(cited.document, cited.item, cited.span, items)


def _definitions(ruleset: Ruleset) -> Iterator[Definition]:
    for section in (
        ruleset.choices,
        ruleset.entities,
        ruleset.roles,
        ruleset.facts,
        ruleset.options,
        ruleset.conditions,
        ruleset.impossible,
        ruleset.tables,
        ruleset.numbers,
        ruleset.modifiers,
        ruleset.stacking,
        ruleset.checks,
        ruleset.events,
        ruleset.actions,
        ruleset.triggers,
        ruleset.sequences,
        ruleset.rulings,
        ruleset.examples,
    ):
        yield from section.values()
    for check in ruleset.checks.values():
        for step in check.steps:
            yield from (step, *step.cases)
    for action in ruleset.actions.values():
        yield from action.requires
    for sequence in ruleset.sequences.values():
        yield from (step for step, _ in _steps_of(sequence.steps, False))
        moments = {id(each): each for place in sequence.places for each in place.moments}
        yield from (part for moment in moments.values() for part in (moment, *moment.cases))
