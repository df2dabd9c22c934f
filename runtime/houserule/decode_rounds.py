"""Events, actions, triggers and sequences of an artifact: from JSON to `rounds`. Only their form is tested here."""

from __future__ import annotations

from .decode_check import adjust, die, effect, value
from .decode_expression import expression, read, seats, stored, type_of
from .decode_label import closed, definition, label_of
from .item import Item, identifier, integer, items, refuse, text
from .program import Field, Type
from .rounds import (
    Action,
    Argument,
    Event,
    Holding,
    Initiative,
    LeadsTo,
    Moment,
    MomentCase,
    Requirement,
    Sequence,
    SequenceStep,
    Spoiled,
    Trigger,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Sizes = Mapping[str, int]
    """How many words each choice has, by id."""


def event(node: object, at: str) -> tuple[str, Event]:
    """One event, with its id."""
    item, label = definition(node, "event")
    return closed(item, label.id, Event(label, item.by_id("arguments", _argument)))


def _argument(node: object, at: str) -> tuple[str, Argument]:
    item = Item(node, at)
    id, entity, kind = identifier(item.take("id"), at), item.text_or("entity"), item.maybe("type", type_of)
    if bool(entity) == (kind is not None):
        refuse(at, "an argument is of an entity or of a type")
    return closed(item, id, Argument(id, entity, kind))


def action(node: object, at: str) -> tuple[str, Action]:
    """One action, with its id."""
    item, label = definition(node, "action")
    found = Action(
        label,
        item.text_or("by"),
        item.text_or("against"),
        item.each("requires", _requirement),
        item.text_or("check"),
        seats(item.take("as"), item.at),
        item.each("adjust", adjust),
    )
    if len({each.label.id for each in found.requires}) != len(found.requires):
        refuse(item.at, "one requirement stands twice")
    return closed(item, label.id, found)


def _requirement(node: object, at: str) -> Requirement:
    item = Item(node, at)
    label, when = label_of(item), expression(item.take("when"), at)
    found = Requirement(label, when, item.text("text"), item.each("needs", read))
    item.close()
    return found


def trigger(node: object, at: str) -> tuple[str, Trigger]:
    """One trigger, with its id."""
    item, label = definition(node, "trigger")
    found = Trigger(
        label,
        expression(item.take("when"), item.at),
        item.text("text"),
        item.each("needs", read),
        item.text_or("check"),
        seats(item.take("as"), item.at),
        item.each("adjust", adjust),
        item.each("effects", effect),
        item.word_or_none("every", "round") != "",
    )
    return closed(item, label.id, found)


def sequence(node: object, at: str, sizes: Sizes) -> tuple[str, Sequence]:
    """One sequence, with its id."""
    item, label = definition(node, "sequence")
    found = Sequence(
        label,
        item.text_or("actor"),
        item.text_or("action"),
        item.text_or("side"),
        item.maybe("when", expression),
        item.maybe("initiative", _initiative),
        item.each("steps", _step),
        item.maybe("start", expression),
        item.maybe("who", expression),
        item.by_id("facts", lambda node, at: _fact(node, at, sizes)),
        {each.label.id: each for each in item.each("values", value)},
        item.maybe("holding", _holding),
        item.by_id("places", _place),
    )
    return closed(item, label.id, found)


def _fact(node: object, at: str, sizes: Sizes) -> tuple[str, Field]:
    item = Item(node, at)
    label, given = label_of(item), item.take("type")
    kind = Type("side") if given == {"type": "side"} else type_of(given, at)
    words = sizes.get(kind.choice, 0)
    default = stored(item.take("default"), kind, words, at) if item.has("default") else None
    optional = item.flag_or_false("optional")
    if kind.kind == "side" and default is not None:
        refuse(at, "no side is there before an encounter")
    if default is not None and optional:
        refuse(at, "a fact has a default or may be unknown, not both")
    if kind.kind == "set" and not optional:
        default = default or 0
    return closed(item, label.id, Field(label, kind, default, optional, None, ""))


def _initiative(node: object, at: str) -> Initiative:
    item = Item(node, at)
    by, first, ties = item.word("by", "side", "actor"), item.word("first", "highest", "lowest"), "together"
    ties = item.word("ties", ties, "reroll")
    found = Initiative(by, item.each("roll", die), item.each("score", expression), first, ties)  # type: ignore[arg-type]
    item.close()
    return found


def _step(node: object, at: str) -> SequenceStep:
    item = Item(node, at)
    label = label_of(item)
    item.at = at = f"step `{label.id}`"
    when, loops = item.maybe("when", expression), item.has("each")
    each = item.take("each") if loops else None
    check, seated = item.text_or("check"), seats(item.take("as"), at)
    leads_to, initiative = item.maybe("leads_to", _leads_to), item.maybe("initiative", _initiative)
    limit = item.integer("limit") if item.has("limit") else 0
    if limit < 0 or (loops and each != "turn" and not isinstance(each, list)):
        refuse(at, "it has a limit below 0, or loops over nothing")
    segments = _segments(each, at) if isinstance(each, list) else None
    inner = item.each("steps", _step)
    item.close()
    return SequenceStep(label, when, check, seated, leads_to, initiative, each == "turn", segments, limit, inner)


def _segments(node: list[object], at: str) -> tuple[int, int]:
    found = [integer(each, at) for each in node]
    if len(found) != 2 or found[0] > found[1]:
        refuse(at, "its segments run from a first to a last one")
    return found[0], found[1]


def _leads_to(node: object, at: str) -> LeadsTo:
    item = Item(node, at)
    facts = Item(item.take("facts"), at).rest
    given = tuple((id, expression(each, at)) for id, each in sorted(facts.items()))
    found = LeadsTo(item.text("sequence"), item.maybe("when", expression), given)
    item.close()
    return found


def _holding(node: object, at: str) -> Holding:
    item = Item(node, at)
    to = item.take("to")
    steps = () if to == "segment" else tuple([text(each, at) for each in items(to, at)])
    found = Holding(item.maybe("when", expression), steps, to == "segment")
    item.close()
    return found


def _place(node: object, at: str) -> tuple[str, tuple[Moment, ...]]:
    item = Item(node, at)
    action = identifier(item.take("action"), at)
    found = tuple(item.by_id("moments", _moment).values())
    return closed(item, action, found)


def _moment(node: object, at: str) -> tuple[str, Moment]:
    item = Item(node, at)
    label = label_of(item)
    found = Moment(
        label,
        item.maybe("times", expression),
        item.maybe("when", expression),
        item.each("cases", _case),
        item.each("threat", identifier),
        item.maybe("spoiled", _spoiled),
    )
    return closed(item, label.id, found)


def _case(node: object, at: str) -> MomentCase:
    item = Item(node, at)
    found = MomentCase(
        label_of(item, text(item.take("id"), at)),
        item.maybe("when", expression),
        item.maybe("step", expression),
        item.maybe("segment", expression),
        item.maybe("rounds", expression),
        item.word_or_none("turn_of", "foe") != "",
        item.text_or("after"),
        item.word_or_none("past_end", "next_round") != "",
        item.each("meanwhile", identifier) if item.has("meanwhile") else None,
        item.text_or("left_out"),
    )
    item.close()
    return found


def _spoiled(node: object, at: str) -> Spoiled:
    item = Item(node, at)
    found = Spoiled(item.text_or("since"), item.each("by", identifier), item.each("effects", effect))
    item.close()
    return found
