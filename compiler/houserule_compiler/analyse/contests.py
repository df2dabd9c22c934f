"""Modifiers that contradict each other: different values set at once, or a product rounded in two ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

from ..declarations import StackingGroup
from ..diagnostics import Diagnostic
from ..meanings import constant
from ..messages import analysis_conditions as messages
from ..satisfy import Demand
from ..source import Span
from ..terms import signature
from ..typed import Read, Typed, TypedEntry, TypedNumber
from ..types import Boolean, Choice, Set
from .assumptions import Assumptions

MOST_PAIRS = 500
"""So many pairs of one number are compared; a number with more has long told its faults."""

KEEPS_ONE = frozenset({"largest", "smallest", "first"})


@dataclass(frozen=True, slots=True)
class _Claim:
    """What one modifier, or one grade of it, wants a number to be, and when."""

    entry: TypedEntry
    value: Typed
    span: Span
    demands: tuple[Demand, ...]

    @property
    def named(self) -> tuple[str, Span]:
        """The modifier, and where it says so."""
        return self.entry.modifier.id, self.span


def contest_findings(
    number: TypedNumber, groups: dict[str, StackingGroup], assumptions: Assumptions
) -> Iterator[Diagnostic]:
    """Pairs of modifiers of a number that can hold at once and do not agree."""
    # A graded entry whose subject is wrong has no grades, which is told elsewhere.
    entries = [each for each in number.entries if each.value is not None or each.grades]
    sets = [claim for entry in entries if entry.op == "set" for claim in _claims(entry)]
    for one, other in islice(combinations(sets, 2), MOST_PAIRS):
        if _may_meet(one, other) and not _one_remains(one, other, "all", groups):
            yield from _differing(number.declared.id, one, other, assumptions)
    factors = [_holding(entry) for entry in entries if entry.op == "multiply" and entry.round]
    for one, other in islice(combinations(factors, 2), MOST_PAIRS):
        if one.entry.round != other.entry.round and not _one_remains(one, other, "multiply", groups):
            yield from _rounding(number.declared.id, one, other, assumptions)


def _differing(number: str, one: _Claim, other: _Claim, assumptions: Assumptions) -> Iterator[Diagnostic]:
    if signature(one.value) == signature(other.value):
        return
    demands = [*one.demands, *other.demands]
    if constant(one.value) is None or constant(other.value) is None:
        demands.append((Typed("!=", (one.value, other.value), Boolean(), one.value.span), True))
    witness = assumptions.possible(*demands)
    if witness is None:
        return
    if witness.is_exact:
        when = assumptions.words.situation(witness)
        yield messages.conflicting_sets(number, *_in_file_order(one, other), when)
    else:
        yield messages.possible_conflict(number, *_in_file_order(one, other))


def _rounding(number: str, one: _Claim, other: _Claim, assumptions: Assumptions) -> Iterator[Diagnostic]:
    witness = assumptions.possible(*one.demands, *other.demands)
    if witness is None:
        return
    if witness.is_exact:
        when = assumptions.words.situation(witness)
        yield messages.conflicting_rounding(number, *_in_file_order(one, other), when)
    else:
        yield messages.possible_conflict(number, *_in_file_order(one, other))


def _in_file_order(one: _Claim, other: _Claim) -> tuple[tuple[str, Span], tuple[str, Span]]:
    first, second = sorted((one, other), key=lambda claim: (claim.span.file.name, claim.span.start))
    return first.named, second.named


def _may_meet(one: _Claim, other: _Claim) -> bool:
    """Grades of one modifier exclude each other, unless they are for the words of a set."""
    return one.entry is not other.entry or one.entry.is_each


def _one_remains(one: _Claim, other: _Claim, kind: str, groups: dict[str, StackingGroup]) -> bool:
    """Whether stacking keeps one of them only."""
    stacks = [each.entry.modifier.stack for each in (one, other)]
    if stacks[0] is None or stacks[1] is None or stacks[0].id != stacks[1].id:
        return False
    group = groups.get(stacks[0].id)
    return group is not None and any(key == kind and policy.id in KEEPS_ONE for key, policy in group.policies)


def _claims(entry: TypedEntry) -> Iterator[_Claim]:
    whole = _holding(entry)
    if entry.value is not None:
        yield whole
    for grade in entry.grades:
        assert entry.by is not None
        applies = _graded(entry.by, grade.band)
        yield _Claim(entry, _times(grade.value, entry), grade.span, (*whole.demands, (applies, True)))


def _holding(entry: TypedEntry) -> _Claim:
    demands: list[Demand] = [(entry.when, True)] if entry.when is not None else []
    demands += [(_known(read, entry.adjust.span), True) for read in sorted(entry.needs)]
    value = _times(entry.value, entry) if entry.value is not None else entry.grades[0].value
    span = entry.adjust.change.span if entry.adjust.change is not None else entry.adjust.span
    return _Claim(entry, value, span, tuple(demands))


def _times(value: Typed, entry: TypedEntry) -> Typed:
    return value if entry.times is None else Typed("*", (value, entry.times), value.type, value.span)


def _known(read: Read, span: Span) -> Typed:
    return Typed("known", ([*read],), Boolean(), span)


def _graded(by: Typed, band: tuple[int, int]) -> Typed:
    if isinstance(by.type, Set):
        word = Typed("literal", (band[0],), Choice(by.type.id, band[0], band[0]), by.span)
        return Typed("has", (by, word), Boolean(), by.span)
    return Typed("in", (by, [[*band]]), Boolean(), by.span)
