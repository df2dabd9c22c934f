"""Checks of an artifact: from JSON to `program`. Only their form is tested here."""

from __future__ import annotations

from .decode_expression import expression, read, seats, type_of
from .decode_label import ROUNDS, closed, definition, label_of, op_of, word
from .item import Item, refuse, text
from .program import Adjust, Call, Case, Check, Die, Effect, Step, Value


def _effect(node: object, at: str) -> Effect:
    item = Item(node, at)
    label_of(item, "")
    role, field, op = item.text("role"), item.text("field"), op_of(item)
    value, when = expression(item.take("value"), at), item.maybe("when", expression)
    found = Effect(role, field, op, value, when, item.word_or_none("round", *ROUNDS))
    item.close()
    return found


def _die(node: object, at: str) -> Die:
    item = Item(node, at)
    label = label_of(item)
    dice, when = expression(item.take("dice"), at), item.maybe("when", expression)
    found = Die(label, dice, when, item.integer("low"), item.integer("high"))
    item.close()
    return found


def _value(node: object, at: str) -> Value:
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
        item.each("roll", _die),
        item.each("values", _value),
        item.each("effects", _effect),
        item.maybe("outcome", expression),
        item.text_or("go"),
    )
    item.close()
    if found.outcome is not None and found.go:
        refuse(at, "a case has an outcome or goes on, not both")
    return found


def _adjust(node: object, at: str) -> Adjust:
    item = Item(node, at)
    number, op, value = item.text("number"), op_of(item), expression(item.take("value"), at)
    found = Adjust(number, op, value, item.word_or_none("round", *ROUNDS))
    item.close()
    return found


def _call(node: object, at: str) -> Call:
    item = Item(node, at)
    check, seated = item.text("check"), item.maybe("as", seats) or ()
    found = Call(check, seated, item.each("adjust", _adjust), item.flag("then"))
    item.close()
    return found


def _step(node: object, at: str) -> tuple[str, Step]:
    item = Item(node, at)
    label = label_of(item, text(item.take("id"), at))
    found = Step(
        label,
        item.each("roll", _die),
        item.maybe("call", _call),
        item.each("values", _value),
        item.each("effects", _effect),
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
