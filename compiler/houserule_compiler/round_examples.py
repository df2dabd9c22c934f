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
        yield RoundExample(each.id, each.subject.id, spread(given))


def spread(given: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as mappings within mappings."""
    found: dict[str, Any] = {}
    for path, value in given.items():
        value = spread(value) if isinstance(value, Mapping) else value
        *above, last = path.split(".")
        inner = found
        for key in above:
            inner = inner.setdefault(key, {})
        inner[last] = {**inner[last], **value} if isinstance(value, dict) and last in inner else value
    return found
