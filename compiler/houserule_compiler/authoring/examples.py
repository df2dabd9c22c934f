"""What an example may give and expect: the facts with their values, and the outcomes of the check that it tries."""

from __future__ import annotations

from typing import Any

from ..declarations import Check, Field
from ..ruleset import Ruleset
from .values import value

FACTS = "facts_of_"
"""How the definitions of the facts of entities are called, with the entity behind it."""


def example(ruleset: Ruleset) -> dict[str, Any]:
    """What is added to the schema of an example."""
    return {"allOf": [_facts(ruleset), *(_check(each, ruleset) for each in ruleset.checks.values())]}


def _facts(ruleset: Ruleset) -> dict[str, Any]:
    """Facts are typed where a number, a check, a trigger or an action is tried, and not to be refused."""
    tried = [{"required": [each]} for each in ("number", "check", "trigger", "action")]
    is_answered = {"properties": {"expect": {"not": {"required": ["refused"]}}}}
    options = {each.id: _field(each, ruleset) for each in ruleset.options.values()}
    given = {"properties": _given(ruleset)}
    return {
        "if": {"anyOf": tried, **is_answered},
        "then": {"properties": {"given": given, "options": {"properties": options}}},
    }


def _given(ruleset: Ruleset) -> dict[str, Any]:
    found = {each.id: _field(each, ruleset) for each in ruleset.facts.values() if each.computed is None}
    for role in ruleset.roles.values():
        entity = ruleset.entities.get(role.entity.id)
        whole = {"$ref": f"#/$defs/{FACTS}{role.entity.id}"}
        found[role.id] = whole if entity else {}
        for field in entity.fields if entity else ():
            if field.computed is None:
                found[f"{role.id}.{field.id}"] = {"$ref": f"{whole['$ref']}/properties/{field.id}"}
    return found


def facts(ruleset: Ruleset) -> dict[str, Any]:
    """The definitions of what each entity has, by which examples refer to it."""
    return {
        f"{FACTS}{entity.id}": {
            "properties": {each.id: _field(each, ruleset) for each in entity.fields if each.computed is None}
        }
        for entity in ruleset.entities.values()
    }


def _field(field: Field, ruleset: Ruleset) -> dict[str, Any]:
    title = {"description": field.title} if field.title else {}
    return {**value(field.type, ruleset, field.may_be_unknown), **title}


def _check(check: Check, ruleset: Ruleset) -> dict[str, Any]:
    """The dice and outcomes of one check."""
    choice = ruleset.choices.get(check.choice.id) if check.choice else None
    words = [each.id for each in (choice.words if choice else check.outcomes)]
    dice: dict[str, Any] = {f"{step.id}.{die.id}".lstrip("."): {} for step in check.steps for die in step.roll}
    then: dict[str, Any] = {"dice": {"properties": dice}}
    if words:
        then["expect"] = {"properties": {"outcome": {"enum": [*words, "remove"]}}}
        then["odds"] = {"propertyNames": {"enum": [*words, "replace"]}}
    is_tried = {"required": ["check"], "properties": {"check": {"const": check.id}}}
    return {"if": is_tried, "then": {"properties": then}}
