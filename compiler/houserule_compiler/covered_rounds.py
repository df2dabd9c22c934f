"""The units of sequences that examples can exercise, and what the trace of an order says of them: for `coverage`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .messages import coverage as messages
from .source import Span
from .typed_rounds import TypedMoment, TypedSequence, TypedSequenceStep
from .units import Key, Unit

if TYPE_CHECKING:
    from houserule.trace import Entry


def units_of(id: str, sequence: TypedSequence) -> Iterator[Unit]:
    """The steps in which something can fall, in whose turns, and the cases of each moment."""
    named = _named_steps(sequence)
    for step, is_loop, has_turns in _leaves(sequence.steps, False, False):
        name = step.declared.id
        if not is_loop and name not in named:
            continue
        place = step.declared.place
        yield _unit("steps", id, messages.step(name), place, {("step", id, name)})
        for turn in ("first", "later") if has_turns else ():
            yield _unit("steps", id, messages.turn(name, turn), place, {("step", id, name, turn)})
    for moment, actions in _moments(sequence):
        yield from _moment(id, moment, actions)


def _unit(kind: str, id: str, said: str, place: Span, keys: set[Key]) -> Unit:
    return Unit(kind, "sequence", id, said, place, frozenset(keys))  # type: ignore[arg-type]


def _named_steps(sequence: TypedSequence) -> set[str]:
    """The steps that some case names outright."""
    codes = {
        case.step.literal
        for place in sequence.places
        for moment in place.moments
        for case in moment.cases
        if case.step is not None
    }
    return {step for code, step in enumerate(sequence.step_ids) if code in codes}


def _leaves(
    steps: tuple[TypedSequenceStep, ...], is_loop: bool, has_turns: bool
) -> Iterator[tuple[TypedSequenceStep, bool, bool]]:
    """The steps that hold no others, each with whether it is in a loop and whether that goes by turns."""
    for each in steps:
        turns = has_turns or each.declared.each == "turn"
        loop = is_loop or turns or each.segments is not None
        if each.steps:
            yield from _leaves(each.steps, loop, turns)
        else:
            yield each, loop, turns


def _moments(sequence: TypedSequence) -> list[tuple[TypedMoment, list[str]]]:
    """Every moment once, with the actions for which it is written."""
    found: dict[tuple[str, int], tuple[TypedMoment, list[str]]] = {}
    for place in sequence.places:
        for moment in place.moments:
            span = moment.declared.place
            found.setdefault((span.file.name, span.start), (moment, []))[1].append(place.declared.id)
    return list(found.values())


def _moment(id: str, moment: TypedMoment, actions: list[str]) -> Iterator[Unit]:
    name, place = moment.declared.id, moment.declared.place
    for case in moment.cases:
        case_id = case.declared.id
        said = messages.moment(actions, name, case_id)
        where = case.declared.place if case_id else place
        yield _unit("moments", id, said, where, {("moment", id, each, name, case_id) for each in actions})
    for is_spoiled in (True, False) if moment.declared.spoiled else ():
        said = messages.spoiled(actions, name, is_spoiled)
        yield _unit("moments", id, said, place, {("spoiled", id, each, name, is_spoiled) for each in actions})


def exercised_by(sequence: Entry) -> Iterator[Key]:
    """What the trace of an order exercises: where its moments fell, and what left others out."""
    for each in sequence.parts:
        words = each.name.split(" ")
        if each.kind == "moment" and len(words) > 2:
            yield from _placed(sequence.name, each, words[1], words[2])
        elif each.kind == "left_out" and len(words) > 2 and each.why:
            yield "moment", sequence.name, words[1], words[2], each.why[0]


def _placed(id: str, moment: Entry, action: str, name: str) -> Iterator[Key]:
    held = [each.name for each in moment.parts if each.kind == "case" and each.status == "kept"]
    yield "moment", id, action, name, held[0] if held else ""
    step = str(moment.value).split(" ")[0]
    yield "step", id, step
    for each in moment.parts:
        if each.kind == "turn" and isinstance(each.value, int) and each.name not in ("carried", "after"):
            yield "step", id, step, "first" if each.value == 1 else "later"
    if moment.op == "spoiled":
        yield "spoiled", id, action, name, True
    elif any(each.kind == "spoiler" for each in moment.parts):
        yield "spoiled", id, action, name, False
