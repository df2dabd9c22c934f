"""Calls that only a sequence has: what somebody declares, and what holds of the sides of an encounter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .. import syntax
from ..diagnostics import Diagnostic
from ..messages import names as name_messages
from ..messages import rounds as messages
from ..source import Span
from ..typed import Typed
from ..types import Boolean, Integer, Type, Unknown
from .names import Environment, Names

Typing = Callable[[syntax.Expression, Environment, "Type | None"], Typed]
SIDES = 64
OVER_SIDES = {"any": "any", "all": "all", "count": "count_of"}


def broken(span: Span) -> Typed:
    """What could not be typed; it fits everywhere and says nothing more."""
    return Typed("unknown", (), Unknown(), span)


class Sides:
    """Types `declares(ACTION)`, `foe.declares(ACTION)`, and `any`, `all`, `count` over sides."""

    def __init__(self, names: Names, diagnostics: list[Diagnostic], typed: Typing) -> None:
        self._names = names
        self._diagnostics = diagnostics
        self._typed = typed

    def call(self, call: syntax.Call, environment: Environment) -> Typed:
        """One of these calls."""
        arguments = [each for each in call.arguments if not isinstance(each, syntax.Rebinding)]
        if len(arguments) != 1:
            self._diagnostics.append(messages.declares_what(call.span))
            return broken(call.span)
        if call.function.parts[-1] == "declares":
            return self._declares(call, arguments[0], environment)
        return self._over_sides(call, arguments[0], environment)

    def _declares(self, call: syntax.Call, argument: syntax.Expression, environment: Environment) -> Typed:
        who = call.function.parts[0] if len(call.function.parts) == 2 else "actor"
        if who not in ("actor", "foe") or not isinstance(argument, syntax.Name):
            self._diagnostics.append(messages.declares_what(call.span))
            return broken(call.span)
        placed = [each.id for each in self._names.ruleset.sequences[environment.sequence].places]
        if argument.text not in placed:
            self._diagnostics.append(messages.unknown_action(argument.text, argument.span, placed))
            return broken(call.span)
        return Typed("declares", (who, argument.text), Boolean(), call.span)

    def _over_sides(self, call: syntax.Call, argument: syntax.Expression, environment: Environment) -> Typed:
        id = call.function.text
        if not environment.side:
            self._diagnostics.append(messages.sides_outside_sequence(id, call.span))
            return broken(call.span)
        inside = replace(environment, players={**environment.players, "side": environment.side})
        inner = self._typed(argument, inside, Boolean())
        if isinstance(inner.type, Unknown):
            return broken(call.span)
        if not isinstance(inner.type, Boolean):
            visible = self._names.visible(environment)
            self._diagnostics.append(name_messages.unknown_name("condition", id, call.span, visible))
            return broken(call.span)
        kind = Integer(0, SIDES) if id == "count" else Boolean()
        return Typed(OVER_SIDES[id], (inner,), kind, call.span, inner.needs)
