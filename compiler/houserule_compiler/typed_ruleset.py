"""A whole ruleset with its types, ready to be analysed and lowered."""

from __future__ import annotations

from dataclasses import dataclass

from .ruleset import Ruleset
from .typed import TypedCheck, TypedChoice, TypedCondition, TypedField, TypedNumber, TypedTable
from .typed_rounds import TypedAction, TypedEvent, TypedSequence, TypedTrigger


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TypedRuleset:
    """All of a ruleset with its types, ready to be analysed and lowered."""

    declared: Ruleset
    choices: dict[str, TypedChoice]
    entities: dict[str, tuple[TypedField, ...]]
    facts: dict[str, TypedField]
    options: dict[str, TypedField]
    conditions: dict[str, TypedCondition]
    impossible: dict[str, TypedCondition]
    tables: dict[str, TypedTable]
    numbers: dict[str, TypedNumber]
    checks: dict[str, TypedCheck]
    events: dict[str, TypedEvent]
    actions: dict[str, TypedAction]
    triggers: dict[str, TypedTrigger]
    sequences: dict[str, TypedSequence]
