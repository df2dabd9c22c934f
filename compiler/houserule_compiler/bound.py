"""What no runtime would answer: questions that take too many steps, or nest too deep, found by the runtime's own count.

Loading the artifact here also keeps a promise: what is built is never refused.
"""

from __future__ import annotations

from houserule.artifact import read
from houserule.errors import BeyondLimitError
from houserule.limits import BYTES, COST
from houserule.nesting import nesting

from .declarations import Definition
from .diagnostics import Diagnostic
from .limits import Limits
from .messages import structure as messages
from .ruleset import Ruleset


def bound(artifact: bytes, ruleset: Ruleset, limits: Limits, left: bytes | None = None) -> list[Diagnostic]:
    """The first definition, in the order in which they can be worked out, that is beyond the limits; or nothing.

    `left` is the artifact of what is not known yet to be sound, if that is known of the rest.
    """
    if left is not None and len(artifact) <= BYTES and _beyond(left, limits) is None:
        return []
    beyond = _beyond(artifact, limits)
    if beyond is None:
        return []
    place = _definition(ruleset, *beyond.definition).place
    return [messages.nested_questions(place) if beyond.is_deep else messages.too_many_steps(place, limits)]


def _beyond(artifact: bytes, limits: Limits) -> BeyondLimitError | None:
    try:
        program = read(artifact)
        # What is read is within the runtime's own limits.
        if limits.evaluation_steps < COST:
            nesting(program, limits.evaluation_steps)
    except BeyondLimitError as beyond:
        return beyond
    return None


def _definition(ruleset: Ruleset, kind: str, id: str, *inner: str) -> Definition:
    """Where something is declared; of a field its entity, of a value its sequence."""
    found: dict[str, Definition] = {
        "number": ruleset.numbers,
        "check": ruleset.checks,
        "condition": ruleset.conditions,
        "impossible": ruleset.impossible,
        "table": ruleset.tables,
        "fact": ruleset.facts,
        "field": ruleset.entities,
        "action": ruleset.actions,
        "trigger": ruleset.triggers,
    }.get(kind, ruleset.sequences)  # type: ignore[assignment]
    return found[id]
