"""What each definition can depend on: by names alone, so that more may be told than it reads, and never less.

A definition that stands as it stood, on nothing but what stands as it stood, means what it meant: whatever was made of
it in an earlier round of a process that compiles again and again is right still.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import TypeAlias, TypeVar

from .declarations import Definition, Number
from .memory import Memory
from .ruleset import Ruleset, modifiers_by_number
from .source import Span
from .syntax import Integer

T = TypeVar("T")
Footing: TypeAlias = frozenset[Definition]

MOST = 500
"""A definition that stands on more is worked out anew: to tell what they are would take as long."""

VOCABULARY = ("choices", "entities", "roles", "facts", "options", "conditions", "impossible", "stacking")
"""Sections of which every definition bears on all others: what is there can be read without being named."""
NAMED = (*VOCABULARY, "tables", "numbers", "modifiers", "checks", "events", "actions", "triggers", "sequences")


class Footings:
    """What the definitions of one ruleset stand on, and what is remembered of those that stand as they stood."""

    def __init__(self, ruleset: Ruleset, memory: Memory) -> None:
        self._memory = memory
        self._named: dict[str, list[Definition]] = {}
        for section in NAMED:
            for each in getattr(ruleset, section).values():
                self._named.setdefault(each.id, []).append(each)
        self._adjusting = modifiers_by_number(ruleset)
        self._known: dict[Definition, Footing | None] = {}
        self.vocabulary = self._reached(each for name in VOCABULARY for each in getattr(ruleset, name).values())

    def of(self, definition: Definition) -> Footing | None:
        """A definition with all that it stands on; None where that is too much to tell."""
        if definition not in self._known:
            own, around = self._reached([definition]), self.vocabulary
            self._known[definition] = None if own is None or around is None else own | around
        return self._known[definition]

    def recall(
        self,
        what: str,
        definition: Definition,
        make: Callable[[], T],
        keeps: Callable[[T], bool],
        besides: Hashable = None,
    ) -> T:
        """What was made of this definition on this footing, or else is made now, and remembered where that is kept.

        `besides` is what it depends on that is no definition.
        """
        footing = self.of(definition)
        if footing is None:
            return make()
        return self._memory.recall((what, definition, footing, besides), None, make, keeps)

    def _reached(self, definitions: Iterable[Definition]) -> Footing | None:
        found = dict.fromkeys(definitions)
        waiting = list(found)
        while waiting and len(found) <= MOST:
            new = [each for each in self._stands_on(waiting.pop()) if each not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return frozenset(found) if not waiting else None

    def _stands_on(self, definition: Definition) -> Iterator[Definition]:
        names = self._memory.recall(("names", definition), None, lambda: tuple(dict.fromkeys(_names(definition))))
        for name in names:
            yield from self._named.get(name, ())
        if isinstance(definition, Number):
            yield from self._adjusting.get(definition.id, ())


def _names(part: object) -> Iterator[str]:
    """All texts in a declaration that could be names, and the parts of dotted ones."""
    if isinstance(part, str):
        yield from (part, *part.split("."))
    elif isinstance(part, tuple):
        for each in part:
            yield from _names(each)
    elif is_dataclass(part) and not isinstance(part, Span | Integer):
        for field in fields(part):
            yield from _names(getattr(part, field.name))
