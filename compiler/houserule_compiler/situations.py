"""Situations in the author's words: `attacker.level 5, d20 20, target.size ogre`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .satisfy import Given, Witness
from .typed import Band
from .typed_ruleset import TypedRuleset
from .types import LARGEST, Boolean, Choice, HitDice, Set, Type, hit_dice_text

MOST_SHOWN = 6
"""A situation of more parts is cut: nobody reads on."""

OPEN = 900_000_000
"""Beyond what can be written, so that an end out there was left open."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of every choice, those of outcomes and of the steps of sequences among them."""

    of: Mapping[str, Sequence[str]]

    def value(self, kind: Type, code: object) -> str:
        """One value of a type, as it is written."""
        match kind:
            case Choice(id) if isinstance(code, int) and code < len(self.of.get(id, ())):
                return self.of[id][code]
            case Boolean():
                return "true" if code else "false"
            case HitDice() if isinstance(code, int):
                return hit_dice_text(code)
        return str(code)

    def band(self, kind: Type, band: Band) -> str:
        """A row key for all values of a band."""
        low, high = band
        if low == high:
            return self.value(kind, low)
        if isinstance(kind, Choice):
            return " | ".join(self.value(kind, code) for code in range(low, high + 1))
        start = "" if low <= -OPEN else self.value(kind, low)
        return f"{start}..{'' if high >= min(OPEN, LARGEST) else self.value(kind, high)}"

    def situation(self, witness: Witness) -> str:
        """A whole situation; empty where nothing in it matters."""
        parts = [text for each in witness.given if (text := self._given(each, witness))]
        return ", ".join(parts[:MOST_SHOWN])

    def _given(self, given: Given, witness: Witness) -> str:
        if given.about == "has":
            return self._word(given)
        if given.about == "known":
            return "" if given.value else f"{path_text(given.path)} unknown"
        is_unknown = any(each.about == "known" and not each.value and each.path == given.path for each in witness.given)
        name = path_text(given.path) or given.sample.span.text
        return "" if is_unknown else f"{name} {self.value(given.sample.type, given.value)}"

    def _word(self, given: Given) -> str:
        whole, word = given.sample.parts
        kind = whole.type
        code = word.literal or 0
        name = self.of[kind.id][code] if isinstance(kind, Set) and kind.id in self.of else word.span.text
        return f"{name} {'in' if given.value else 'not in'} {path_text(given.path)}"


def words_of(ruleset: TypedRuleset) -> Words:
    """The words of all choices of a ruleset."""
    found: dict[str, Sequence[str]] = {
        id: [word.declared.id for word in each.words] for id, each in ruleset.choices.items()
    }
    found |= {f"{id}.outcome": each.outcomes for id, each in ruleset.checks.items()}
    found |= {f"{id}.step": each.step_ids for id, each in ruleset.sequences.items()}
    return Words(found)


def path_text(path: Sequence[object]) -> str:
    """What a read is called: `attacker.level`, `d20`; nothing for what has no name."""
    match path:
        case ("field", role, id):
            return f"{role}.{id}"
        case ("its", id):
            return f"its.{id}"
        case ("fact" | "option" | "local" | "number", id, *_):
            return str(id)
    return ""
