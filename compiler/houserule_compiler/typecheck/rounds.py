"""Events, actions and triggers, with types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..declarations import Adjust
from ..rounds import Action, Event, Trigger
from ..typed import TypedCallAdjust
from ..typed_rounds import TypedAction, TypedEvent, TypedRequirement, TypedTrigger
from ..types import Type, Unknown
from .changes import Changes, target
from .effects import Effects
from .expressions import Expressions
from .names import Environment
from .vocabulary import Vocabulary


class Rounds:
    """Types events, actions and triggers."""

    def __init__(self, expressions: Expressions, vocabulary: Vocabulary) -> None:
        self._names = expressions.names
        self._vocabulary = vocabulary
        self._changes = Changes(expressions)
        self._effects = Effects(expressions, vocabulary)

    def event(self, event: Event) -> TypedEvent:
        """An event and what its arguments are."""
        return TypedEvent(declared=event, arguments=self._effects.arguments(event))

    def action(self, action: Action) -> TypedAction:
        """An action; in its requirements `its` is who plays the role that acts."""
        owner = action.by.id if action.by else ""
        environment = Environment(owner=owner, entity=self._names.entity_of(owner))
        requires = tuple(
            TypedRequirement(declared=each, when=self._vocabulary.condition(each.when, environment))
            for each in action.requires
        )
        return TypedAction(declared=action, requires=requires, adjusts=self._adjusts(action.adjusts, environment))

    def trigger(self, trigger: Trigger) -> TypedTrigger:
        """A trigger. It holds only where all that it needs is known, so that what follows may rely on that."""
        environment = Environment()
        when = self._vocabulary.condition(trigger.when, environment)
        narrowing = environment.narrowing.assuming(when, True)
        environment = replace(environment, narrowing=replace(narrowing, known=narrowing.known | when.needs))
        return TypedTrigger(
            declared=trigger,
            when=when,
            adjusts=self._adjusts(trigger.adjusts, environment),
            effects=self._effects.all(trigger.effects, environment),
        )

    def _adjusts(self, adjusts: Iterable[Adjust], environment: Environment) -> tuple[TypedCallAdjust, ...]:
        found = (self._adjust(each, environment) for each in adjusts)
        return tuple(each for each in found if each)

    def _adjust(self, adjust: Adjust, environment: Environment) -> TypedCallAdjust | None:
        number = self._names.ruleset.numbers.get(adjust.number.id)
        if number is None or adjust.change is None:
            return None
        op, value = self._changes.change(adjust.change, target(number), environment)
        value = self._effects.guarded(value)
        return TypedCallAdjust(number=number.id, op=op, value=value, round=adjust.change.round or "")

    def called_amounts(self, callers: Iterable[TypedAction | TypedTrigger]) -> list[tuple[str, str, Type]]:
        """What actions and triggers do to numbers in the checks that they call."""
        adjusts = [each for found in callers for each in found.adjusts]
        return [(each.number, each.op, each.value.type) for each in adjusts if not isinstance(each.value.type, Unknown)]
