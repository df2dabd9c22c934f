"""What is remembered of the judgement of definitions in which an earlier build found nothing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from ..declarations import Definition, Table
from ..footing import Footings
from ..satisfy import BOXES
from ..typed_ruleset import TypedRuleset
from .assumptions import Assumptions

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judging:
    """Judges the definitions of one ruleset, each as a whole."""

    ruleset: TypedRuleset
    assumed: Assumptions
    footings: Footings | None

    def judged(self, what: str, definition: Definition, judge: Callable[[], list[T]], besides: Hashable) -> list[T]:
        """What is found of a definition; `besides` is what that depends on, as the typed definition itself.

        A build that remembers finds what one from nothing would: it spends the same work, and remembers only
        what was found with as much of it as any question may have.
        """
        effort = self.assumed.effort
        if self.footings is None:
            return judge()

        def made() -> tuple[list[T], int]:
            before = effort.left
            found = judge()
            spent, effort.left = before - effort.left, before
            return found, spent

        def is_kept(each: tuple[list[T], int]) -> bool:
            return not any(each[0]) and effort.left - each[1] >= BOXES

        around = (besides, self._bearing(definition))
        found, spent = self.footings.recall(what, definition, made, is_kept, around)
        if effort.left - spent < BOXES:
            return judge()
        effort.left -= spent
        return found

    def _bearing(self, definition: Definition) -> Hashable:
        """What decides whether something is found, beside the declarations that it stands on."""
        assert self.footings is not None
        tables = [each.id for each in self.footings.of(definition) or () if isinstance(each, Table)]
        typed = frozenset(self.ruleset.tables[each] for each in tables if each in self.ruleset.tables)
        excluded = tuple(each.condition.declared for each in self.assumed.impossible)
        return typed, excluded, self.assumed.meanings.optional
