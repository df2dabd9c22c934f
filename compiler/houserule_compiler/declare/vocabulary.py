"""Choices, entities, roles, facts, options, conditions and impossible situations, from their nodes."""

from __future__ import annotations

from typing import Literal, cast

from .. import syntax
from ..declarations import (
    Attribute,
    Choice,
    Condition,
    Entity,
    Field,
    NamedCondition,
    Part,
    Reference,
    Role,
    Word,
)
from ..document import Entry, Mapping, Node, Scalar
from ..messages import declare as messages
from .reading import LABELS, Reader, entries, field, is_empty, items, reference, text
from .unread import unread_of_condition


def choice(entry: Entry, reader: Reader) -> Choice:
    """A choice, written as a list of words or as a map with attributes."""
    attributes = tuple(_attribute(each, reader) for each in entries(field(entry.value, "attributes")))
    names = tuple(each.id for each in attributes)
    node = field(entry.value, "words") if isinstance(entry.value, Mapping) else entry.value
    if is_empty(node):
        reader.diagnostics.append(messages.incomplete(entry.key, "words", "[small, large]"))
    return Choice(**reader.labels(entry), words=words(node, reader, names), attributes=attributes)


def words(node: Node | None, reader: Reader, attributes: tuple[str, ...] = ()) -> tuple[Word, ...]:
    """The words of a list, or of a map with their attributes."""
    listed = tuple(
        Word(id=each.text, place=each.span) for each in items(node) if isinstance(each, Scalar) and each.text
    )
    _report_repeated(listed, reader)
    return listed + tuple(_word(each, reader, attributes) for each in entries(node))


def _report_repeated(listed: tuple[Word, ...], reader: Reader) -> None:
    first: dict[str, Word] = {}
    for word in listed:
        if word.id in first:
            reader.diagnostics.append(messages.repeated_word(word, first[word.id]))
        first.setdefault(word.id, word)


def _attribute(entry: Entry, reader: Reader) -> Attribute:
    node = entry.value if isinstance(entry.value, Scalar) else field(entry.value, "type")
    if node is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a type", "type: 1..20"))
    return Attribute(**reader.labels(entry), type=reader.type(node) or _broken_type(entry))


def _word(entry: Entry, reader: Reader, attributes: tuple[str, ...]) -> Word:
    given = entries(entry.value)
    named = tuple(
        (Reference(each.key.text, each.key.span), reader.constant(each.value, each.key.span))
        for each in given
        if each.key.text not in LABELS
    )
    listed = tuple(
        (Reference(name, each.span), reader.constant(each, each.span))
        for name, each in zip(attributes, items(entry.value), strict=False)
    )
    if len(items(entry.value)) > len(attributes):
        reader.diagnostics.append(messages.too_many_values(items(entry.value)[len(attributes)].span, len(attributes)))
    return Word(**reader.labels(entry), values=named + listed)


def _broken_type(entry: Entry) -> syntax.TypeExpression:
    """A type that fits everything, standing in for one that did not parse."""
    return syntax.TypeExpression("text", None, None, None, (), False, syntax.Broken(entry.value.span), entry.value.span)


def entity(entry: Entry, reader: Reader) -> Entity:
    """An entity and its fields."""
    fields = tuple(fact(each, reader) for each in entries(entry.value) if each.key.text not in LABELS)
    return Entity(**reader.labels(entry), fields=fields)


def fact(entry: Entry, reader: Reader) -> Field:
    """A field, a fact or an option: its type alone, or a map with `type`, `is` and the rest."""
    if isinstance(entry.value, Scalar):
        declared = reader.type(entry.value)
        return Field(
            **reader.labels(entry),
            type=declared or _broken_type(entry),
            default=declared.default if declared else None,
            may_be_unknown=bool(declared and declared.may_be_unknown),
        )
    return _long_fact(entry, reader)


def _long_fact(entry: Entry, reader: Reader) -> Field:
    body = entry.value
    stated, computed, default = field(body, "type"), field(body, "is"), field(body, "default")
    declared = reader.type(stated) if stated else None
    if stated is None and computed is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a type", "type: 0..10"))
    fallback = declared.default if declared else None
    return Field(
        **reader.labels(entry),
        type=declared or (None if computed else _broken_type(entry)),
        default=reader.constant(default, entry.key.span) if default else fallback,
        may_be_unknown=bool(declared and declared.may_be_unknown),
        better=cast('Literal["higher", "lower"]', text(field(body, "better"))) or None,
        decides=reference(field(body, "decides")),
        computed=reader.optional_expression(computed),
    )


def role(entry: Entry, reader: Reader) -> Role:
    """A role and the entity that plays it."""
    node = entry.value if isinstance(entry.value, Scalar) else field(entry.value, "entity")
    if node is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "an entity", "entity: fighter"))
    return Role(**reader.labels(entry), entity=reference(node) or Reference("", entry.key.span))


def condition(entry: Entry, reader: Reader) -> NamedCondition:
    """A named condition, or a situation that cannot be: an expression, or a map with `when`."""
    node = entry.value
    if isinstance(node, Mapping) and node.get("when"):
        reader.diagnostics.extend(unread_of_condition(node))
        node = node.get("when") or node
    found = reader.condition(node)
    if found is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a condition", "when: level > 3"))
        broken = Part(id="", place=entry.key.span, when=syntax.Broken(entry.key.span))
        found = Condition(combine="all", parts=(broken,), span=entry.key.span, text="")
    return NamedCondition(**reader.labels(entry), when=found)
