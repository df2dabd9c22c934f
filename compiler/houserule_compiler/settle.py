"""Settles what only conditions can: whether two cases in one gap, or two modifiers that set one number, exclude each
other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from .diagnostics import Diagnostic
from .layers import MOST_PAIRS, Gap, Sets, Unsettled
from .meanings import meanings
from .messages import layers as messages
from .messages import ordering
from .satisfy import Witness, satisfy
from .situations import words_of
from .source import Span
from .typed import Typed, TypedCase
from .typed_rounds import TypedMomentCase, TypedSequenceStep
from .typed_ruleset import TypedRuleset


def settle(ruleset: TypedRuleset, unsettled: Sequence[Unsettled]) -> list[Diagnostic]:
    """A conflict for each pair that can hold together, with such a situation."""
    if not unsettled:
        return []
    settling = _Settling(ruleset)
    told: set[tuple[str, ...]] = set()
    found: list[Diagnostic] = []
    looked_at: Counter[object] = Counter()
    for each in unsettled:
        # One cause, one message: the first pair of a gap is told.
        subject = each.path if isinstance(each, Gap) else (each.number, each.first[0], each.second[0])
        group = each.path if isinstance(each, Gap) else Sets
        looked_at[group] += subject not in told
        is_beyond = looked_at[group] > MOST_PAIRS
        if subject not in told and (conflict := settling.untold(each) if is_beyond else settling.conflict(each)):
            told.add(subject)
            found.append(conflict)
    return found


class _Settling:
    """Asks about one ruleset."""

    def __init__(self, ruleset: TypedRuleset) -> None:
        self._ruleset = ruleset
        self._meanings = meanings(ruleset)
        self._impossible = [each.when for each in ruleset.impossible.values()]
        self._words = words_of(ruleset)
        self._cases = {each.declared.place: each for each in _cases(ruleset)}

    def conflict(self, each: Unsettled) -> Diagnostic | None:
        """What is wrong with a pair, if anything."""
        if isinstance(each, Gap):
            witness = self._together([self._when(each.first.key.span), self._when(each.second.key.span)])
            if witness is None:
                return None
            return ordering.same_gap(each.path, *each.puts, self._words.situation(witness))
        return self._sets(each)

    def untold(self, each: Unsettled) -> Diagnostic:
        """What is said of a pair that is one too many to look at."""
        if isinstance(each, Gap):
            return ordering.same_gap(each.path, *each.puts, "")
        first, second = ((id, entry.key) for id, entry in (each.first, each.second))
        return messages.sets_conflict(each.number, first, second, None)

    def _sets(self, each: Sets) -> Diagnostic | None:
        number = self._ruleset.numbers.get(each.number)
        if number is None:
            return None
        ids = {each.first[0], each.second[0]}
        entries = [entry for entry in number.entries if entry.op == "set" and entry.modifier.id in ids]
        witness = self._together([entry.when for entry in entries])
        if witness is None or len(entries) < len(ids):
            return None
        first, second = ((id, entry.key) for id, entry in (each.first, each.second))
        return messages.sets_conflict(each.number, first, second, self._words.situation(witness))

    def _when(self, place: Span) -> Typed | None:
        found = self._cases.get(place)
        return found.when if found else None

    def _together(self, conditions: Sequence[Typed | None]) -> Witness | None:
        """A situation in which all hold; a condition that is not there always does."""
        demands = [(each, True) for each in conditions if each is not None]
        return satisfy(demands, self._meanings, self._impossible)


Conditional: TypeAlias = TypedCase | TypedMomentCase | TypedSequenceStep
"""What has a place among others in a gap, and a condition."""


def _cases(ruleset: TypedRuleset) -> Iterator[Conditional]:
    for check in ruleset.checks.values():
        for step in (*check.steps, *check.then):
            yield from step.cases
    for sequence in ruleset.sequences.values():
        yield from _steps(sequence.steps)
        for moment in (moment for place in sequence.places for moment in place.moments):
            yield from moment.cases


def _steps(steps: Iterable[TypedSequenceStep]) -> Iterator[TypedSequenceStep]:
    for each in steps:
        yield each
        yield from _steps(each.steps)
