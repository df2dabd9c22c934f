"""Checks: cases that are never taken, outcomes that no case gives, steps that nothing leads to."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Diagnostic
from ..meanings import Meanings
from ..messages import analysis_conditions as messages
from ..satisfy import Demand
from ..source import Span
from ..terms import signature
from ..typed import Typed, TypedCase, TypedCheck, TypedStep
from ..types import Boolean, Choice, span_of_codes
from .conditions import Conditions

_PLAIN = frozenset({"literal", "and", "or", "not", "==", "!=", "<", "<=", ">", ">=", "in"})
"""Operators that are no wider than what stands in them."""
_TAKERS = 24


def check_findings(check: TypedCheck, conditions: Conditions) -> Iterator[Diagnostic]:
    """All that is wrong with the steps of a check."""
    for step in (*check.steps, *check.then):
        yield from _step(step, conditions)
    yield from _unused_outcomes(check, conditions.assumptions.meanings)
    yield from _unreached_steps(check)


def _step(step: TypedStep, conditions: Conditions) -> Iterator[Diagnostic]:
    for value in step.values:
        yield from conditions.branches(value.value, value.declared.id)
    for die in step.roll:
        if die.when is not None:
            yield from conditions.findings(die.when, die.declared.id)
    for effect in step.effects:
        if effect.when is not None:
            yield from conditions.findings(effect.when, effect.declared.id)
    yield from _cases(step, conditions)
    for case in step.cases:
        yield from _inside(case, conditions)


def _inside(case: TypedCase, conditions: Conditions) -> Iterator[Diagnostic]:
    for die in case.roll:
        if die.when is not None:
            yield from conditions.findings(die.when, die.declared.id)
    for effect in case.effects:
        if effect.when is not None:
            yield from conditions.findings(effect.when, effect.declared.id)
    for item in (*(value.value for value in case.give), *((case.outcome,) if case.outcome else ())):
        yield from conditions.branches(item, case.declared.id or "outcome")


def _cases(step: TypedStep, conditions: Conditions) -> Iterator[Diagnostic]:
    whens = [(each.declared.id, each.declared.place, each.when) for each in step.cases]
    yield from case_findings(whens, conditions)


def case_findings(cases: list[tuple[str, Span, Typed | None]], conditions: Conditions) -> Iterator[Diagnostic]:
    """What is wrong with ordered cases, each an id, a place and a condition: the first that holds is taken."""
    before: list[tuple[Span, Demand]] = []
    left: list[Demand] = []
    whatever: list[Demand] = []
    seen: dict[object, tuple[int, int]] = {}
    for at, (id, place, when) in enumerate(cases):
        is_taken = False
        if when is not None and conditions.never(when, whatever):
            yield from conditions.findings(when, id, whatever)
        elif is_taken := _is_taken(when, left, conditions):
            yield from conditions.findings(when, id, may_always=True) if when is not None else ()
        else:
            taker = _taker(when, before, whatever, conditions)
            yield messages.unreachable_case(id, place, taker, at == len(cases) - 1)
        # A case that is taken shows that those above leave something.
        if when is None or (not is_taken and conditions.assumptions.possible(*left) is None):
            return
        before.append((place, (when, False)))
        # One that is not leaves what those above it leave.
        left += [(when, False)] if is_taken else []
        if _widens(when, seen):
            whatever.append((_or_not(when), True))


def _widens(item: Typed, seen: dict[object, tuple[int, int]]) -> bool:
    """Whether a condition reads what none before it does, or as wider than they do; `seen` is how wide that was.

    Each case is judged over all that the cases above could read, and these are most often the same few things.
    """
    is_wider = False
    for each in item.walk():
        if each.operator in _PLAIN:
            continue
        key, span = signature(each), span_of_codes(each.type) or (0, 0)
        low, high = seen.get(key, span)
        hull = min(low, span[0]), max(high, span[1])
        is_wider |= seen.get(key) != hull
        seen[key] = hull
    return is_wider


def _or_not(item: Typed) -> Typed:
    """Holds whether the condition does or not: with it, a case is judged over all that the cases above could read."""
    true = Typed("literal", (True,), Boolean(True), item.span)
    return Typed("or", (item, true), Boolean(True), item.span)


def _is_taken(when: Typed | None, before: list[Demand], conditions: Conditions) -> bool:
    demands = [*before, (when, True)] if when is not None else before
    return not before or conditions.assumptions.possible(*demands) is not None


def _taker(
    when: Typed | None, before: list[tuple[Span, Demand]], whatever: list[Demand], conditions: Conditions
) -> Span | None:
    """The one case above that alone takes everything, if there is one; of many only the nearest and the topmost."""
    own = [*whatever, (when, True)] if when is not None else whatever
    asked = before if len(before) <= 2 * _TAKERS else [*before[:_TAKERS], *before[-_TAKERS:]]
    for place, demand in reversed(asked):
        if conditions.assumptions.possible(demand, *own) is None:
            return place
    return None


def _unused_outcomes(check: TypedCheck, meanings: Meanings) -> Iterator[Diagnostic]:
    """Of a check's own words alone: a choice may have words that other checks give."""
    if check.declared.choice is not None:
        return
    given: set[int] = set()
    for step in check.steps:
        for case in step.cases:
            given |= set(_codes(case.outcome, meanings)) if case.outcome is not None else set()
    for code, word in enumerate(check.declared.outcomes):
        if code not in given:
            yield messages.unused_outcome(check.declared.id, word.id, word.place)


def _codes(item: Typed, meanings: Meanings) -> Iterator[int]:
    """The codes of all words that an expression can give."""
    if item.literal is not None:
        yield item.literal
    elif item.operator == "if":
        _, yes, no = item.parts
        yield from (*_codes(yes, meanings), *_codes(no, meanings))
    elif item.operator == "table" and (lookup := meanings.lookups.get((str(item.operands[0]), str(item.operands[1])))):
        yield from (int(cell[0]) for cell in lookup.cells)
    elif isinstance(item.type, Choice):
        yield from range(item.type.low, item.type.high + 1)
    else:
        yield from range(64)


def _unreached_steps(check: TypedCheck) -> Iterator[Diagnostic]:
    leads = {step.declared.id: [case.go for case in step.cases if case.go] for step in check.steps}
    if check.declared.is_single or check.start not in leads:
        return
    reached, waiting = {check.start}, [check.start]
    while waiting:
        new = [id for id in leads.get(waiting.pop(), ()) if id not in reached]
        reached.update(new)
        waiting += new
    for step in check.steps:
        if step.declared.id not in reached:
            yield messages.unreached_step(check.declared.id, step.declared.id, step.declared.place)
