"""Rulings and examples, from their nodes."""

from __future__ import annotations

from ..declarations import Example, Given, Reference, Ruling
from ..document import Entry, Mapping
from ..messages import declare as messages
from ..messages import rounds as round_messages
from .reading import Reader, entries, field, flattened, is_true, reference, references, text
from .unread import unread_of_example

KINDS = ("number", "table", "check", "action", "trigger", "sequence")
ENCOUNTER = ("round", "sides", "actors", "rolls", "facts", "happened")
"""What only an example of a sequence can give."""
WHOLE = ("order", "left_out", "carried", "may_spoil", "calls")


def ruling(entry: Entry, reader: Reader) -> Ruling:
    """A ruling."""
    body = entry.value
    for key in ("question", "ruling", "because"):
        if not text(field(body, key)):
            reader.diagnostics.append(messages.incomplete(entry.key, f"`{key}`", f"{key}: ..."))
    return Ruling(
        **reader.labels(entry),
        question=text(field(body, "question")),
        ruling=text(field(body, "ruling")),
        because=text(field(body, "because")),
        option=reference(field(body, "option")),
        examples=references(field(body, "examples")),
        is_editorial=is_true(field(body, "editorial")),
    )


def example(entry: Entry, reader: Reader) -> Example:
    """An example; one that tries nothing, or two things, is reported."""
    body = entry.value
    tried = [each for each in entries(body) if each.key.text in KINDS]
    if len(tried) != 1:
        reader.diagnostics.append(messages.one_subject(entry.key, [each.key.span for each in tried], KINDS))
    subject = reference(tried[0].value) if tried else None
    if len(tried) == 1:
        reader.diagnostics.extend(unread_of_example(body, tried[0]))
    return Example(
        **reader.labels(entry),
        kind=tried[0].key.text if tried else "",
        subject=subject or Reference("", entry.key.span),
        given=tuple(flattened(field(body, "given"))),
        options=tuple(flattened(field(body, "options"))),
        dice=tuple(flattened(field(body, "dice"))),
        expect=tuple(_expectations(body)),
        odds=tuple(flattened(field(body, "odds"))),
        encounter=_encounter(entry, tried[0].key.text if tried else "", reader),
        after=reference(field(body, "after")),
    )


def _encounter(entry: Entry, kind: str, reader: Reader) -> tuple[Given, ...]:
    """The parts of an encounter by their key, as YAML."""
    stated = [each for each in entries(entry.value) if each.key.text in (*ENCOUNTER, "after")]
    if kind and kind != "sequence":
        reader.diagnostics.extend(round_messages.only_for_sequences(each.key) for each in stated)
    return tuple(
        Given(path=each.key.text, place=each.key.span, value=each.value)
        for each in stated
        if each.key.text in ENCOUNTER
    )


def _expectations(body: object) -> tuple[Given, ...]:
    """Each expectation by its path; what concerns several moments stays whole."""
    expect = field(body, "expect") if isinstance(body, Mapping) else None
    whole = [Given(path=each.key.text, place=each.key.span, value=each.value) for each in entries(expect)]
    return tuple(
        found
        for entry, each in zip(entries(expect), whole, strict=True)
        for found in ([each] if each.path in WHOLE else _leaves(entry))
    )


def _leaves(entry: Entry) -> tuple[Given, ...]:
    return tuple(flattened(Mapping((entry,), entry.value.span, False)))
