"""Effects, with types, and expressions that must have an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .. import syntax
from ..declarations import Effect, EventEffect, Reference
from ..messages import amounts, places
from ..messages import names as name_messages
from ..messages import rounds as round_messages
from ..messages import types as messages
from ..rounds import Event
from ..source import Span
from ..typed import AnyEffect, Read, Typed, TypedEffect, TypedEventEffect
from ..types import Better, Boolean, Integer, Type, is_number
from .changes import Changes, Target
from .expressions import Expressions
from .names import Environment
from .sides import broken
from .vocabulary import Vocabulary
from .written import Written


class Effects:
    """Types effects: changes of fields, and events that follow."""

    def __init__(self, expressions: Expressions, vocabulary: Vocabulary) -> None:
        self._expressions = expressions
        self._names = expressions.names
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)
        self._written = Written(expressions)

    def guarded(self, item: Typed) -> Typed:
        """An expression that must have an answer: reads that may be unknown are reported."""
        is_condition = isinstance(item.type, Boolean)
        for read in sorted(item.needs):
            at = _source_of(item, read).span
            self._expressions.report(
                places.unguarded_unknown(".".join(read[1:]), at, is_condition, is_die=read[0] == "local")
            )
        return broken(item.span) if item.needs else item

    def all(self, effects: Iterable[Effect | EventEffect], environment: Environment) -> tuple[AnyEffect, ...]:
        """Each of some effects."""
        return tuple(
            self._effect(each, environment) if isinstance(each, Effect) else self._event(each, environment)
            for each in effects
        )

    def arguments(self, event: Event) -> tuple[tuple[str, Type | str], ...]:
        """What the arguments of an event are: somebody of an entity, or values of a type."""
        found: list[tuple[str, Type | str]] = []
        for each in event.arguments:
            name = each.type.name.text if each.type.name else ""
            if each.type.kind == "choice" and name in self._names.ruleset.entities:
                found.append((each.id, name))
            else:
                found.append((each.id, self._written.type(each.type)))
        return tuple(found)

    def _event(self, effect: EventEffect, environment: Environment) -> TypedEventEffect:
        when = self.guarded(self._vocabulary.condition(effect.when, environment)) if effect.when else None
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        events = self._names.ruleset.events
        if effect.id not in events:
            self._expressions.report(name_messages.unknown_name("event", effect.id, effect.place, events))
            return TypedEventEffect(declared=effect, arguments=(), when=when)
        typed = dict(self.arguments(events[effect.id]))
        arguments = [(name.id, self._argument(name, value, typed, environment)) for name, value in effect.arguments]
        for missing in [each for each in typed if each not in dict(arguments)]:
            self._expressions.report(round_messages.missing_argument(effect.id, missing, effect.place))
        known = tuple((name, made) for name, made in arguments if made is not None)
        return TypedEventEffect(declared=effect, arguments=known, when=when)

    def _argument(
        self, name: Reference, value: syntax.Expression, typed: dict[str, Type | str], environment: Environment
    ) -> Typed | str | None:
        wanted = typed.get(name.id)
        if wanted is None:
            self._expressions.report(name_messages.unknown_name("argument", name.id, name.span, typed))
            return None
        if not isinstance(wanted, str):
            return self.guarded(self._expressions.expect(value, environment, wanted))
        role = value.text if isinstance(value, syntax.Name) else ""
        if (environment.players.get(role) or self._names.entity_of(role)) == wanted:
            return role
        self._expressions.report(round_messages.role_due(name.id, wanted, value.span))
        return None

    def _effect(self, effect: Effect, environment: Environment) -> TypedEffect:
        when = self.guarded(self._vocabulary.condition(effect.when, environment)) if effect.when else None
        if when is not None:
            environment = replace(environment, narrowing=environment.narrowing.assuming(when, True))
        op, value = self._effected(effect, environment)
        return TypedEffect(declared=effect, op=op, value=self.guarded(value), when=when)

    def _effected(self, effect: Effect, environment: Environment) -> tuple[str, Typed]:
        roles = [*environment.players, *self._names.ruleset.roles]
        if effect.role.id not in roles:
            self._expressions.report(
                name_messages.unknown_name("role", effect.role.id, effect.role.span, self._names.near(roles))
            )
            return "set", broken(effect.change.span)
        entity = environment.players.get(effect.role.id) or self._names.entity_of(effect.role.id)
        field = self._names.fields.get((entity, effect.field.id))
        if field is None:
            fields = self._names.near(self._names.fields_of(entity))
            self._expressions.report(
                messages.unknown_field(effect.role.id, entity, effect.field.id, effect.field.span, fields)
            )
            return "set", broken(effect.change.span)
        if field.computed is not None:
            self._expressions.report(amounts.effect_on_computed(effect.field.span, effect.field.id))
        return self._change_of(effect, field.type, field.declared.better, field.declared.place, environment)

    def _change_of(
        self, effect: Effect, kind: Type, better: Better | None, place: Span, environment: Environment
    ) -> tuple[str, Typed]:
        change = effect.change
        if is_number(kind):
            to = Target(effect.field.id, better, place, isinstance(kind, Integer))
            return self._changes.change(change, to, environment)
        if change.operation != "set":
            self._expressions.report(amounts.effect_type(change.span, effect.field.id, kind))
            return "set", broken(change.span)
        return "set", self._expressions.expect(change.value, environment, kind)


def _source_of(item: Typed, read: Read) -> Typed:
    """The smallest part of an expression that needs something."""
    inner = next((each for each in item.parts if read in each.needs), None)
    return _source_of(inner, read) if inner else item
