"""Checks, their steps and cases, from their nodes."""

from __future__ import annotations

from collections.abc import Iterator

from ..declarations import Call, Case, Change, Check, Die, Effect, EventEffect, Reference, Step, Value
from ..document import Entry, Mapping, Node, Scalar, Sequence
from ..messages import declare as messages
from ..source import Span
from .reading import LABELS, Labels, Reader, entries, field, is_empty, is_true, reference
from .unread import unread_of_call, unread_of_check
from .vocabulary import words


def check(entry: Entry, reader: Reader) -> Check:
    """A check: a step of its own, or named steps with the one to start at."""
    body = entry.value
    outcomes = field(body, "outcomes")
    if outcomes is None or is_empty(outcomes):
        reader.diagnostics.append(messages.incomplete(entry.key, "outcomes", "outcomes: [success, failure]"))
    stated = field(body, "steps")
    reader.diagnostics.extend(unread_of_check(body))
    steps = tuple(_step(each, reader) for each in entries(stated)) if stated else (_own_step(entry, reader),)
    if stated and not field(body, "start"):
        reader.diagnostics.append(messages.incomplete(entry.key, "the step to start at", f"start: {_first_id(stated)}"))
    return Check(
        **reader.labels(entry),
        outcomes=words(outcomes, reader),
        choice=reference(outcomes) if isinstance(outcomes, Scalar) else None,
        start=reference(field(body, "start")),
        steps=steps,
        then=tuple(_then(each, reader) for each in entries(field(body, "then"))),
    )


def _first_id(steps: Node) -> str:
    return next((each.key.text for each in entries(steps)), "first")


def _own_step(entry: Entry, reader: Reader) -> Step:
    labels: Labels = {"id": "", "place": entry.key.span, "title": "", "note": "", "source": None}
    return _step_of(labels, entry, reader, ends=True)


def _step(entry: Entry, reader: Reader) -> Step:
    reader.diagnostics.extend(unread_of_call(entry.value))
    return _step_of(reader.labels(entry), entry, reader, ends=True)


def _then(entry: Entry, reader: Reader) -> Step:
    reader.diagnostics.extend(unread_of_call(entry.value))
    return _step_of(reader.labels(entry), entry, reader, ends=False)


def _step_of(labels: Labels, entry: Entry, reader: Reader, ends: bool) -> Step:
    body = entry.value
    return Step(
        **labels,
        roll=tuple(dice(field(body, "roll"), reader)),
        call=_call(body, reader),
        values=tuple(values(field(body, "values"), reader)),
        effects=tuple(effects(field(body, "effects"), reader)),
        cases=tuple(_cases(entry, reader, ends)),
    )


def dice(node: Node | None, reader: Reader) -> Iterator[Die]:
    """The dice of a roll."""
    for each in entries(node):
        if isinstance(each.value, Scalar):
            yield Die(**reader.labels(each), dice=reader.expression(each.value, each.key.span))
        else:
            thrown, when = field(each.value, "dice"), reader.condition(field(each.value, "when"))
            if thrown is None:
                reader.diagnostics.append(messages.incomplete(each.key, "its dice", "dice: 1d6"))
            yield Die(**reader.labels(each), dice=reader.expression(thrown, each.key.span), when=when)


def _call(body: Node, reader: Reader) -> Call | None:
    called = reference(field(body, "check"))
    if called is None:
        return None
    return Call(
        check=called,
        rebinds=reader.rebinds(field(body, "as")),
        adjusts=reader.adjusts(field(body, "adjust")),
        runs_then=is_true(field(body, "then")),
    )


def values(node: Node | None, reader: Reader) -> Iterator[Value]:
    """Named values."""
    for each in entries(node):
        stated = each.value if isinstance(each.value, Scalar) else field(each.value, "value")
        if stated is None:
            reader.diagnostics.append(messages.incomplete(each.key, "a value", "value: level + 1"))
        yield Value(**reader.labels(each), value=reader.expression(stated, each.key.span))


def effects(node: Node | None, reader: Reader) -> Iterator[Effect | EventEffect]:
    """Changes of fields, and events that follow."""
    for each in entries(node):
        if "." not in each.key.text:
            yield _event(each, reader)
        elif change := reader.change(each.value):
            yield _effect(each, change, reader)


def _effect(entry: Entry, change: Change, reader: Reader) -> Effect:
    role, _, name = entry.key.text.rpartition(".")
    return Effect(
        **reader.labels(entry),
        role=Reference(role, entry.key.part(0, len(role))),
        field=Reference(name, entry.key.part(len(role) + 1, len(entry.key.text))),
        change=change,
        when=reader.condition(field(entry.value, "when")),
    )


def _event(entry: Entry, reader: Reader) -> EventEffect:
    given = [each for each in entries(entry.value) if each.key.text not in (*LABELS, "when")]
    arguments = tuple(
        (Reference(each.key.text, each.key.span), reader.expression(each.value, each.key.span)) for each in given
    )
    when = reader.condition(field(entry.value, "when"))
    return EventEffect(**reader.labels(entry), arguments=arguments, when=when)


def _cases(entry: Entry, reader: Reader, ends: bool) -> Iterator[Case]:
    body = entry.value
    stated = field(body, "cases")
    if stated is None:
        yield _plain_case(entry, reader, ends)
        return
    for beside in ("outcome", "go"):
        if isinstance(body, Mapping) and (twice := body.entry(beside)):
            reader.diagnostics.append(messages.two_ends(twice.key.span, _key_place(body, "cases")))
    cases = entries(stated)
    for index, each in enumerate(cases):
        yield _case(each, reader, ends, is_last=index == len(cases) - 1)
    if not cases:
        reader.diagnostics.append(messages.incomplete(entry.key, "a case", "otherwise_fails: {outcome: failure}"))


def _key_place(body: Mapping, key: str) -> Span:
    found = body.entry(key)
    return found.key.span if found else body.span


def _plain_case(entry: Entry, reader: Reader, ends: bool) -> Case:
    body = entry.value
    outcome, go = field(body, "outcome"), field(body, "go")
    if outcome is None and go is None and ends and not isinstance(body, Sequence):
        reader.diagnostics.append(messages.incomplete(entry.key, "an end", "outcome: success"))
    _report_two_ends(body, reader)
    return Case(
        id="",
        place=entry.key.span,
        outcome=reader.optional_expression(outcome),
        go=reference(go),
    )


def _case(entry: Entry, reader: Reader, ends: bool, is_last: bool) -> Case:
    body = entry.value
    when, outcome, go = field(body, "when"), field(body, "outcome"), field(body, "go")
    if is_last and when is not None and ends:
        reader.diagnostics.append(messages.last_case_with_condition(entry.key, when.span))
    if not is_last and when is None:
        reader.diagnostics.append(messages.case_without_condition(entry.key))
    if outcome is None and go is None and ends:
        reader.diagnostics.append(messages.incomplete(entry.key, "an end", "outcome: success"))
    _report_two_ends(body, reader)
    return Case(
        **reader.labels(entry),
        when=reader.condition(when),
        roll=tuple(dice(field(body, "roll"), reader)),
        give=tuple(values(field(body, "give"), reader)),
        effects=tuple(effects(field(body, "effects"), reader)),
        outcome=reader.optional_expression(outcome),
        go=reference(go),
    )


def _report_two_ends(body: Node, reader: Reader) -> None:
    if isinstance(body, Mapping) and (outcome := body.entry("outcome")) and (go := body.entry("go")):
        reader.diagnostics.append(messages.two_ends(go.key.span, outcome.key.span))
