"""Where which names can stand, by the places of the schema of rules files."""

from __future__ import annotations

SECTIONS = (
    *("choices", "entities", "roles", "facts", "options", "conditions", "impossible", "tables", "numbers"),
    *("modifiers", "stacking", "checks", "events", "actions", "triggers", "sequences", "rulings", "examples"),
)
"""The sections whose ids are offered."""

IDS = {
    ".source": "documents",
    ".extends": "rulesets",
    "citation": "citations",
    "role": "entities",
    "role.entity": "entities",
    "number.of": "roles",
    "number.in": "checks",
    "modifier.stack": "stacking",
    "check.check": "checks",
    "check_step.check": "checks",
    "action.check": "checks",
    "action.by": "roles",
    "trigger.check": "checks",
    "example.number": "numbers",
    "example.table": "tables",
    "example.check": "checks",
    "example.trigger": "triggers",
    "example.action": "actions",
    "example.sequence": "sequences",
    "example.after": "examples",
    "ruling.option": "options",
    "field.decides": "deciders",
    "condition": "conditions",
    "expression": "readable",
}
"""A place that takes one name, and what is offered there."""

LISTS = {
    ".with": "rulesets",
    ".conflicts": "rulesets",
}
"""A place that takes a list of names."""

KEYS = {
    "rebinds": "roles",
    "adjustments": "numbers",
    "graded_adjustments": "numbers",
    "effects": "effects",
}
"""A place whose keys are names."""
