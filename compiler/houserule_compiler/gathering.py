"""Collects the rulesets that a build needs: the one that is asked for, and all that it stands on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from .diagnostics import Diagnostic
from .document import Scalar
from .files import Refusal
from .layers import Uses
from .limits import Limits
from .messages import lineage as messages
from .scalars import NULLS

R = TypeVar("R")

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def gathered(
    top: str,
    read: Callable[[str], R | Refusal | None],
    uses: Callable[[R], Uses],
    limits: Limits,
    known: Callable[[], Iterable[str]],
) -> tuple[dict[str, R], list[Diagnostic]]:
    """What `read` gives for `top` and for all rulesets below it, by name; reports those that it does not find,
    or cannot read.

    Nothing is asked for by anything but a name, nothing twice, and nothing beyond the limits. `known` gives all names
    that could be found, for suggestions. Raises KeyError if there is no `top`.
    """
    found: dict[str, R] = {}
    diagnostics: list[Diagnostic] = []
    waiting: list[tuple[str, Scalar | None, int]] = [(top, None, 0)]
    while waiting:
        name, named, depth = waiting.pop(0)
        if name in found:
            continue
        refused = _refused(named, depth, len(found), limits)
        ruleset = None if refused else read(name)
        if named is not None and isinstance(ruleset, Refusal):
            diagnostics.append(messages.refused(named, ruleset))
        elif ruleset is not None and not isinstance(ruleset, Refusal):
            found[name] = ruleset
            waiting += [(each.text, each, depth + 1) for each in _usable(uses(ruleset), limits)]
        elif named is None:
            raise KeyError(top)
        else:
            diagnostics.append(refused or messages.unknown_ruleset(named, [each for each in known() if each != top]))
    return found, diagnostics


def _usable(uses: Uses, limits: Limits) -> list[Scalar]:
    """The names that may be looked for; any other text is reported by its form."""
    named = [each for each in uses.names if not (each.is_plain and each.text in NULLS)]
    return [each for each in named if len(each.text) <= limits.name and NAME.fullmatch(each.text)]


def _refused(named: Scalar | None, depth: int, count: int, limits: Limits) -> Diagnostic | None:
    if named is None:
        return None
    if depth > limits.extends_depth:
        return messages.layers_too_deep(named, limits.extends_depth)
    return messages.too_many_layers(named, limits.layers) if count >= limits.layers else None
