"""Why everything in an order stands where it does, as a trace."""

from __future__ import annotations

from .trace import Entry, Trace, labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ordering import Ordering
    from .placing import Event, Missed


def trace(ordering: Ordering) -> Trace:
    """The explanation of an order: who rolled what, each moment in its place, and what is left out."""
    parts = [*ordering.read()]
    for step, standing in ordering.standings.items():
        parts += [_of_step(step, each) for each in standing.entries]
    parts += [_moment(ordering, each) for each in ordering.events]
    parts += [_moment(ordering, each, is_late=True) for each in ordering.next_round]
    parts += [_missed(ordering, each) for each in ordering.missed]
    label = ordering.sequence.label
    root = labelled("sequence", label, None, tuple(parts), path=f"sequences.{label.id}")
    return Trace(root, ordering.stage.program.origins)


def _of_step(step: str, entry: Entry) -> Entry:
    name = f"{step} {entry.name}" if step else entry.name
    return Entry(entry.kind, name, entry.value, op=entry.op, parts=entry.parts)


def _moment(ordering: Ordering, event: Event, is_late: bool = False) -> Entry:
    """Its value is the step, with the segment; `op` says `spoiled`, `carried` (to a later round) or nothing."""
    at = event
    while at.base is not None:
        at = at.base
    where = at.step + ("" if at.segment is None else f" {at.segment}")
    op = "spoiled" if event.spoiled_by else "carried" if is_late else ""
    name = f"{event.declared.actor} {event.declared.action} {event.label}"
    label = event.moment.label
    parts = (*_why_there(ordering, event), *event.parts, *_spoilers(event))
    path = f"sequences.{ordering.sequence.label.id}.places.{event.declared.action}.{label.id}"
    return Entry("moment", name, where, "kept", label.title, op, (), label.source, path, parts)


def _why_there(ordering: Ordering, event: Event) -> list[Entry]:
    found = []
    if event.is_old:
        found.append(Entry("turn", "carried", event.declared.round))
    if event.base is not None:
        found.append(Entry("turn", "after", event.base.name))
    if event.declared.hold is not None:
        hold = event.declared.hold
        found.append(Entry("held", "held", hold, "kept" if event.is_held else "does_not_apply"))
    if event.step and event.base is None and not _is_late(ordering, event):
        found += [_turn(ordering, event, ruler) for ruler in ordering.steps.rulers(event.step)]
    return found


def _is_late(ordering: Ordering, event: Event) -> bool:
    return event in ordering.next_round


def _turn(ordering: Ordering, event: Event, ruler: str) -> Entry:
    """Whose turn it comes in, and its place from 1; no value where all are equal."""
    standing = ordering.standings[ruler]
    who = ordering.roller(ruler, event.turn)
    place = standing.places.get(who)
    return Entry("turn", who, None if place is None else place + 1, op="turn_of" if event.is_foes_turn else "")


def _spoilers(event: Event) -> list[Entry]:
    """What may spoil it: kept are those that did, with the events."""
    happened: dict[str, list[str]] = {}
    for each, what in event.spoiled_by:
        happened.setdefault(each.name, []).append(what)
    return [
        Entry(
            "spoiler",
            each.name,
            None,
            "kept" if each.name in happened else "does_not_apply",
            why=tuple(happened.get(each.name, ())),
        )
        for each in event.spoilers
    ]


def _missed(ordering: Ordering, missed: Missed) -> Entry:
    declared = missed.declared
    name = " ".join(filter(None, [declared.actor, declared.action, missed.moment]))
    text = _condition(ordering, missed)
    why = (missed.reason, *filter(None, [missed.title or text]))
    return Entry("left_out", name, None, "does_not_apply", "", why=why, parts=missed.parts)


def _condition(ordering: Ordering, missed: Missed) -> str:
    busy = ordering.busy.get(missed.declared.actor) if missed.reason == "busy" else None
    return busy[0][1] if busy else ""
