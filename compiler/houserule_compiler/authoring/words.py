"""The names that a ruleset's author can write, by what is due in a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ruleset import Ruleset


class Words:
    """All names of one ruleset."""

    def __init__(self, ruleset: Ruleset, rulesets: Sequence[str]) -> None:
        self._ruleset = ruleset
        self._rulesets = rulesets

    def of(self, kind: str) -> list[str]:
        """The names of a kind in their order: a section of the ruleset, or one of the kinds below."""
        match kind:
            case "rulesets":
                found: Iterator[str] = iter(self._rulesets)
            case "documents":
                found = (each.id for each in self._ruleset.manifest.sources)
            case "citations":
                found = self._citations()
            case "deciders":
                found = iter(["its", *self._ruleset.roles])
            case "conditions":
                found = iter([*self._ruleset.conditions, *facts(self._ruleset)])
            case "readable":
                rules = self._ruleset
                found = iter([*facts(rules), *rules.options, *rules.numbers, *rules.conditions])
            case "effects":
                found = self._effects()
            case _:
                found = iter(getattr(self._ruleset, kind))
        return list(dict.fromkeys(found))

    def _citations(self) -> Iterator[str]:
        for document in self._ruleset.manifest.sources:
            yield document.id
            yield from (f"{document.id} {item}" for item, _ in document.items)

    def _effects(self) -> Iterator[str]:
        for role in self._ruleset.roles.values():
            entity = self._ruleset.entities.get(role.entity.id)
            yield from (f"{role.id}.{field.id}" for field in (entity.fields if entity else ()) if not field.computed)
        yield from self._ruleset.events


def facts(ruleset: Ruleset) -> list[str]:
    """The facts by the names that expressions read them by: of each role, of `its`, and loose ones."""
    found = list(ruleset.facts)
    for role in ruleset.roles.values():
        entity = ruleset.entities.get(role.entity.id)
        found += [f"{role.id}.{field.id}" for field in (entity.fields if entity else ())]
    for entity in ruleset.entities.values():
        found += [f"its.{field.id}" for field in entity.fields]
    return found
