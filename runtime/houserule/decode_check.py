"""Checks of an artifact: from JSON to `program`. Only their form is tested here."""

from __future__ import annotations

from .decode_expression import expression, read, seats, type_of
from .decode_label import ROUNDS, closed, definition, label_of, op_of, word
from .item import Item, identifier, refuse, text
from .program import Adjust, Call, Case, Check, Die, Effect, Step, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .expression import Expr
    from .rounds import EventEffect


def effect(node: object, at: str) -> Effect | EventEffect:
    """A change of a field, or an event that follows."""
    item = Item(node, at)
    if item.has("event"):
        return _event(item)
    label_of(item, "")
    role, field, op = item.text("role"), item.text("field"), op_of(item)
    value, when = expression(item.take("value"), at), item.maybe("when", expression)
    found = Effect(role, field, op, value, when, item.word_or_none("round", *ROUNDS))
    item.close()
    return found


def _event(item: Item) -> EventEffect:
    from .rounds import EventEffect

    values: list[tuple[str, Expr]] = []
    chairs: list[tuple[str, str]] = []
    for name, given in sorted(Item(item.take("arguments"), item.at).rest.items()):
        if isinstance(given, dict):
            role = Item(given, item.at)
            chairs.append((name, identifier(role.take("role"), item.at)))
            role.close()
        else:
            values.append((name, expression(given, item.at)))
    found = EventEffect(item.text("event"), tuple(values), tuple(chairs), item.maybe("when", expression))
    item.close()
    return found


def die(node: object, at: str) -> Die:
    """One named roll."""
    item = Item(node, at)
    label = label_of(item)
    dice, when = expression(item.take("dice"), at), item.maybe("when", expression)
    found = Die(label, dice, when, item.integer("low"), item.integer("high"))
    item.close()
    return found


def value(node: object, at: str) -> Value:
    """One named value."""
    item = Item(node, at)
    label = label_of(item)
    found = Value(label, type_of(item.take("type"), at), expression(item.take("value"), at))
    item.close()
    return found


def _case(node: object, at: str) -> Case:
    item = Item(node, at)
    label = label_of(item, text(item.take("id"), at))
    found = Case(
        label,
        item.maybe("when", expression),
        item.each("roll", die),
        item.each("values", value),
        item.each("effects", effect),
        item.maybe("outcome", expression),
        item.text_or("go"),
    )
    item.close()
    if found.outcome is not None and found.go:
        refuse(at, "a case has an outcome or goes on, not both")
    return found


def adjust(node: object, at: str) -> Adjust:
    """What a caller does to a number."""
    item = Item(node, at)
    number, op, value = item.text("number"), op_of(item), expression(item.take("value"), at)
    found = Adjust(number, op, value, item.word_or_none("round", *ROUNDS))
    item.close()
    return found


def _call(node: object, at: str) -> Call:
    item = Item(node, at)
    check, seated = item.text("check"), item.maybe("as", seats) or ()
    found = Call(check, seated, item.each("adjust", adjust), item.flag("then"))
    item.close()
    return found


def _step(node: object, at: str) -> tuple[str, Step]:
    item = Item(node, at)
    label = label_of(item, text(item.take("id"), at))
    found = Step(
        label,
        item.each("roll", die),
        item.maybe("call", _call),
        item.each("values", value),
        item.each("effects", effect),
        item.each("cases", _case),
    )
    if found.call and found.roll:
        refuse(at, "a step rolls or calls, not both")
    return closed(item, label.id, found)


def _then(node: object, at: str) -> tuple[str, Step]:
    item = Item(node, at)
    outcome, (id, step) = item.text("outcome"), _step(item.take("step"), at)
    if id != outcome:
        refuse(at, "a step of `then` has the id of its outcome")
    return closed(item, outcome, step)


def check(node: object, at: str) -> tuple[str, Check]:
    """One check, with its id."""
    item, label = definition(node, "check")
    found = Check(
        label,
        item.each("outcomes", word),
        item.text_or("choice"),
        item.text("start"),
        item.by_id("steps", _step),
        item.by_id("then", _then),
        item.each("reads", read),
        item.integer("cost"),
    )
    return closed(item, label.id, found)
