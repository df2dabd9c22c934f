"""The encounters of a ruleset's examples, as a sequence takes them: whose names people know, and who does what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houserule.errors import HouseruleError

from .round_trials import Loaded

if TYPE_CHECKING:
    from houserule import Rules

    from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class RoundExample:
    """One encounter of an example, with the options that it sets and what came over from the round before."""

    id: str
    sequence: str
    encounter: Mapping[str, Any]


def round_examples(ruleset: Ruleset, rules: Rules) -> tuple[RoundExample, ...]:
    """The encounters of all examples of sequences, in the order of the rules; those that the runtime refuses too."""
    return tuple(_examples(ruleset, rules))


def _examples(ruleset: Ruleset, rules: Rules) -> Iterator[RoundExample]:
    loaded = Loaded(rules.program, ruleset.examples)
    for each in ruleset.examples.values():
        if each.kind != "sequence":
            continue
        try:
            if each.after:
                # The round before says what comes over.
                loaded.order(loaded.examples[each.after.id])
            given = loaded.encounter(each)
        except (HouseruleError, KeyError):
            continue
        if is_whole(given):
            yield RoundExample(each.id, each.subject.id, given)


def is_whole(given: Mapping[str, Any]) -> bool:
    """Whether an encounter has the form of one: an example may show how a wrong one is refused."""
    actors = given.get("actors", {})
    parts = [given.get(key, {}) for key in ("sides", "rolls", "facts", "options", "happened")]
    if not all(isinstance(each, Mapping) for each in (actors, *parts)):
        return False
    people = [*actors.values(), *(each or {} for each in given.get("sides", {}).values())]
    does = [each.get("does", {}) for each in actors.values() if isinstance(each, Mapping)]
    declared = [each or {} for one in does if isinstance(one, Mapping) for each in one.values()]
    return all(isinstance(each, Mapping) for each in (*people, *does, *declared))
