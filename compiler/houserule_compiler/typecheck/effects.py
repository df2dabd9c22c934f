"""Effects, with types, and expressions that must have an answer."""

from __future__ import annotations

from dataclasses import replace

from ..declarations import Effect
from ..messages import names as name_messages
from ..messages import types as messages
from ..source import Span
from ..typed import Typed, TypedEffect
from ..types import Better, Integer, Type, is_number
from .changes import Changes, Target
from .expressions import Expressions
from .names import Environment
from .sides import broken
from .vocabulary import Vocabulary


class Effects:
    """Types effects on fields of roles."""

    def __init__(self, expressions: Expressions, vocabulary: Vocabulary) -> None:
        self._expressions = expressions
        self._names = expressions.names
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)

    def guarded(self, item: Typed) -> Typed:
        """An expression that must have an answer: reads that may be unknown are reported."""
        for read in sorted(item.needs):
            self._expressions.report(messages.unguarded_unknown(".".join(read[1:]), item.span))
        return broken(item.span) if item.needs else item

    def effect(self, effect: Effect, environment: Environment) -> TypedEffect:
        """One effect."""
        when = self.guarded(self._vocabulary.condition(effect.when, environment)) if effect.when else None
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        op, value = self._effected(effect, environment)
        return TypedEffect(declared=effect, op=op, value=self.guarded(value), when=when)

    def _effected(self, effect: Effect, environment: Environment) -> tuple[str, Typed]:
        roles = [*environment.players, *self._names.ruleset.roles]
        if effect.role.id not in roles:
            self._expressions.report(name_messages.unknown_name("role", effect.role.id, effect.role.span, roles))
            return "set", broken(effect.change.span)
        entity = environment.players.get(effect.role.id) or self._names.entity_of(effect.role.id)
        field = self._names.fields.get((entity, effect.field.id))
        if field is None:
            fields = self._names.fields_of(entity)
            self._expressions.report(
                messages.unknown_field(effect.role.id, entity, effect.field.id, effect.field.span, fields)
            )
            return "set", broken(effect.change.span)
        if field.computed is not None:
            self._expressions.report(messages.effect_on_computed(effect.field.span, effect.field.id))
        return self._change_of(effect, field.type, field.declared.better, field.declared.place, environment)

    def _change_of(
        self, effect: Effect, kind: Type, better: Better | None, place: Span, environment: Environment
    ) -> tuple[str, Typed]:
        change = effect.change
        if is_number(kind):
            to = Target(effect.field.id, better, place, isinstance(kind, Integer))
            return self._changes.change(change, to, environment)
        if change.operation != "set":
            self._expressions.report(messages.effect_type(change.span, effect.field.id, kind))
            return "set", broken(change.span)
        return "set", self._expressions.expect(change.value, environment, kind)
