"""A whole ruleset: all that its files declare, by section and id."""

from __future__ import annotations

from dataclasses import dataclass, field

from .declarations import (
    Check,
    Choice,
    Entity,
    Example,
    Field,
    Modifier,
    NamedCondition,
    Number,
    Role,
    Ruling,
    StackingGroup,
    Table,
)
from .manifest import Manifest
from .rounds import Action, Event, Sequence, Trigger


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Ruleset:
    """All that a ruleset declares, by section and id."""

    manifest: Manifest
    choices: dict[str, Choice] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    roles: dict[str, Role] = field(default_factory=dict)
    facts: dict[str, Field] = field(default_factory=dict)
    options: dict[str, Field] = field(default_factory=dict)
    conditions: dict[str, NamedCondition] = field(default_factory=dict)
    impossible: dict[str, NamedCondition] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    numbers: dict[str, Number] = field(default_factory=dict)
    modifiers: dict[str, Modifier] = field(default_factory=dict)
    stacking: dict[str, StackingGroup] = field(default_factory=dict)
    checks: dict[str, Check] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    sequences: dict[str, Sequence] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    examples: dict[str, Example] = field(default_factory=dict)


def modifiers_by_number(ruleset: Ruleset) -> dict[str, list[Modifier]]:
    """The modifiers of each number."""
    found: dict[str, list[Modifier]] = {}
    for modifier in ruleset.modifiers.values():
        for id in {each.number.id for each in modifier.adjusts}:
            found.setdefault(id, []).append(modifier)
    return found
