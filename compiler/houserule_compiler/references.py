"""Names outside expressions that must be the id of something, and those that are not."""

from __future__ import annotations

from collections.abc import Collection, Iterator

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
from .ruleset import Ruleset
from .syntax import TypeExpression


def dangling(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """A message for every name that refers to nothing, outside expressions."""
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
    yield from _trials(ruleset)
    yield from _sources(ruleset)


def _missing(name: Reference | None, kind: str, ids: Collection[str]) -> Iterator[Diagnostic]:
    if name and name.id and name.id not in ids:
        yield messages.unknown_name(kind, name.id, name.span, ids)


def _typed(ruleset: Ruleset, declared: TypeExpression | None) -> Iterator[Diagnostic]:
    if declared and declared.name:
        outcomes = {f"{id}.outcome" for id in ruleset.checks}
        yield from _missing(
            Reference(declared.name.text, declared.name.span), "choice", [*ruleset.choices, *sorted(outcomes)]
        )


def _fields(ruleset: Ruleset, entity: Entity) -> Iterator[Diagnostic]:
    for each in entity.fields:
        yield from _typed(ruleset, each.type)
        yield from _decides(ruleset, each)


def _decides(ruleset: Ruleset, declared: Field) -> Iterator[Diagnostic]:
    yield from _missing(declared.decides, "role", ["its", *ruleset.roles])


def _rebinds(ruleset: Ruleset, rebinds: tuple[Rebind, ...]) -> Iterator[Diagnostic]:
    for each in rebinds:
        yield from _missing(each.role, "role", ruleset.roles)
        yield from _missing(each.player, "role", ruleset.roles)


def _number(ruleset: Ruleset, number: Number) -> Iterator[Diagnostic]:
    yield from _missing(number.of, "role", ruleset.roles)
    yield from _missing(number.within, "check", ruleset.checks)
    yield from _rebinds(ruleset, number.rebinds)


def _modifier(ruleset: Ruleset, modifier: Modifier) -> Iterator[Diagnostic]:
    yield from _missing(modifier.stack, "stacking group", ruleset.stacking)
    yield from _adjusts(ruleset, modifier.adjusts)


def _adjusts(ruleset: Ruleset, adjusts: tuple[Adjust, ...]) -> Iterator[Diagnostic]:
    for each in adjusts:
        yield from _missing(each.number, "number", ruleset.numbers)


def _check(ruleset: Ruleset, check: Check) -> Iterator[Diagnostic]:
    yield from _missing(check.choice, "choice", ruleset.choices)
    steps = [each.id for each in check.steps if each.id]
    if not check.is_single:
        yield from _missing(check.start, "step", steps)
    words = [each.id for each in check.outcomes]
    if check.choice and check.choice.id in ruleset.choices:
        words = [each.id for each in ruleset.choices[check.choice.id].words]
    for after in check.then:
        yield from _missing(Reference(after.id, after.place), "outcome", words)
    for step in (*check.steps, *check.then):
        yield from _step(ruleset, step, steps)


def _step(ruleset: Ruleset, step: Step, steps: list[str]) -> Iterator[Diagnostic]:
    if step.call:
        yield from _missing(step.call.check, "check", ruleset.checks)
        yield from _rebinds(ruleset, step.call.rebinds)
        yield from _adjusts(ruleset, step.call.adjusts)
    for case in step.cases:
        yield from _missing(case.go, "step", steps)


def _trials(ruleset: Ruleset) -> Iterator[Diagnostic]:
    for ruling in ruleset.rulings.values():
        yield from _missing(ruling.option, "option", ruleset.options)
        for each in ruling.examples:
            yield from _missing(each, "example", ruleset.examples)
    subjects: dict[str, Collection[str]] = {"number": ruleset.numbers, "table": ruleset.tables, "check": ruleset.checks}
    for example in ruleset.examples.values():
        if example.kind:
            yield from _missing(example.subject, example.kind, subjects[example.kind])


def _sources(ruleset: Ruleset) -> Iterator[Diagnostic]:
    documents = {each.id: dict(each.items) for each in ruleset.manifest.sources}
    for definition in _definitions(ruleset):
        if definition.source:
            yield from _cited(definition.source, documents)


def _cited(cited: Citation, documents: dict[str, dict[str, str]]) -> Iterator[Diagnostic]:
    if cited.document not in documents:
        yield messages.unknown_source(cited.document, cited.span, documents)
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
        ruleset.rulings,
        ruleset.examples,
    ):
        yield from section.values()
    for check in ruleset.checks.values():
        for step in check.steps:
            yield from (step, *step.cases)
