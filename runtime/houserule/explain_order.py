"""Orders, actions and triggers as people read them: lines for `explain`, and the order of a round on one page."""

from __future__ import annotations

from .values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .ordered import Order, PlacedMoment
    from .trace import Entry

REASONS = {
    "who": "may not act",
    "holding": "may not hold",
    "no_moment": "none of its moments applies",
    "busy": "is busy",
    "limit": "has done as much as the step allows",
    "when": "this sequence does not apply",
}
"""Why something is left out, where it is no requirement and no case: what the engine finds, in words."""


def line(entry: Entry, name_of: Callable[[Entry], str], reads: Callable[[Entry], str]) -> str:
    """One entry in one line."""
    match entry.kind:
        case "sequence" | "triggers":
            return name_of(entry)
        case "action":
            return f"{name_of(entry)}: {'allowed' if entry.value else 'refused'}"
        case "requirement" | "trigger":
            return _condition(entry, name_of, reads)
        case "initiative":
            return f"{_ordinal(entry.op)}: {entry.name}, score {text_of(_value(entry))}"
        case "moment":
            return _moment(entry)
        case "left_out":
            return _left_out(entry, reads)
        case "held":
            moved = "" if entry.status == "kept" else ": no later than this"
            return f"held to {_words(text_of(_value(entry)))}{moved}"
        case "turn":
            return _turn(entry)
    happened = f"spoiled by {entry.name}: {', '.join(each.replace('_', ' ') for each in entry.why)}"
    return happened if entry.status == "kept" else f"may be spoiled by {entry.name}"


def _condition(entry: Entry, name_of: Callable[[Entry], str], reads: Callable[[Entry], str]) -> str:
    if entry.status == "not_known":
        return f"{name_of(entry)}: not known: {', '.join(entry.why)}"
    words = ("holds", "does not hold") if entry.kind == "trigger" else ("met", "not met")
    if entry.op == "before":
        return f"{name_of(entry)}: held before"
    why = f", {entry.why[0]}" if entry.why else ""
    return f"{name_of(entry)}: {words[entry.status != 'kept']}{why}{reads(entry)}"


def _moment(entry: Entry) -> str:
    title = f" ({entry.title})" if entry.title else ""
    if entry.op == "carried":
        return f"next round, {_words(text_of(_value(entry)))}: {entry.name}{title}"
    return f"{_words(text_of(_value(entry)))}: {entry.name}{title}" + (", spoiled" if entry.op == "spoiled" else "")


def _left_out(entry: Entry, reads: Callable[[Entry], str]) -> str:
    reason, *title = entry.why
    text = REASONS.get(reason, "")
    if reason.startswith("requires."):
        text = f"not met: {_words(reason.partition('.')[2])}"
    if reason == "busy" and title:
        text, title = f"is busy with {title[0]}", []
    said = ": ".join(filter(None, [text or _words(reason), *title]))
    return f"left out: {entry.name}: {said}{reads(entry) if reason in ('who', 'holding', 'when') else ''}"


def _turn(entry: Entry) -> str:
    if entry.name == "carried":
        return f"begun in round {text_of(_value(entry))}"
    if entry.name == "after":
        return f"directly after {text_of(_value(entry))}"
    whose = f"in the turn of {entry.name}"
    return whose if entry.value is None else f"{whose}, {_ordinal(text_of(_value(entry)))}"


def _ordinal(place: str) -> str:
    return {"1": "first", "2": "second", "3": "third"}.get(place, f"in place {place}")


def _words(id: str) -> str:
    return id.replace("_", " ")


def _value(entry: Entry) -> bool | int | str:
    return "" if entry.value is None else entry.value  # type: ignore[return-value]


def summary(order: Order) -> str:
    """The round on one page: its steps in order with what falls in them, and what does not."""
    scores = ", ".join(f"{who} {text_of(score)}" for who, score in order.scores.items())
    head = f"{order.title or _words(order.sequence)}, round {order.round}" + (f" ({scores})" if scores else "")
    rows = [(_where(group[0]), " + ".join(str(each) for each in group)) for group in order.groups]
    lines = [head, *(f"  {each.step}: {_calls(each)}" for each in order.entries), *_aligned(rows)]
    lines += [f"next round: {each.name}" for each in order.coming]
    lines += [f"spoiled: {each.name}" for each in order.lost]
    lines += [f"left out: {each}" for each in order.left_out]
    lines += [f"effect: {each}" for each in order.effects]
    return "\n".join(lines)


def _where(moment: PlacedMoment) -> str:
    return moment.step + ("" if moment.segment is None else f" {moment.segment}")


def _calls(entry: object) -> str:
    check, sequence = getattr(entry, "check", ""), getattr(entry, "sequence", "")
    parts = [f"check {check}" if check else "", f"leads to {sequence}" if sequence else ""]
    return ", ".join(filter(None, parts))


def _aligned(rows: Iterable[tuple[str, str]]) -> list[str]:
    found = list(rows)
    width = max((len(where) for where, _ in found), default=0)
    return [f"  {where.ljust(width)}  {who}" for where, who in found]
