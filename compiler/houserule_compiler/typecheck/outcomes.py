"""Outcomes of checks: the type of a check's outcome, and outcomes that are passed on from another check."""

from __future__ import annotations

from ..declarations import Check
from ..typed import Typed
from ..types import Boolean, Choice, Integer, Type, Unknown
from .names import Names
from .naming import literal


def outcome_type(check: Check, names: Names) -> Type:
    """The type of a check's outcome: its own words, as the choice `check.outcome`, or the choice that it names."""
    return names.choice(check.choice.id if check.choice else f"{check.id}.outcome")


def converted(found: Typed, wanted: Type, names: Names) -> Typed | tuple[str, ...]:
    """An outcome of another check as one of `wanted`, word for word; or the words that are not there."""
    if not isinstance(found.type, Choice) or not isinstance(wanted, Choice) or isinstance(found.type, Unknown):
        return ()
    ours, theirs = names.words.get(wanted.id, ()), names.words.get(found.type.id, ())
    passed = theirs[found.type.low : found.type.high + 1]
    missing = tuple(each for each in passed if each not in ours)
    if missing:
        return missing
    codes = [(found.type.low + i, ours.index(word)) for i, word in enumerate(passed)]
    result = literal(codes[-1][1], _word(wanted, codes[-1][1]), found.span)
    for theirs_code, ours_code in reversed(codes[:-1]):
        same = Typed(
            "==", (found, literal(theirs_code, Integer(theirs_code, theirs_code), found.span)), Boolean(), found.span
        )
        yes = literal(ours_code, _word(wanted, ours_code), found.span)
        low = min(ours_code, result.type.low if isinstance(result.type, Choice) else ours_code)
        high = max(ours_code, result.type.high if isinstance(result.type, Choice) else ours_code)
        result = Typed("if", (same, yes, result), Choice(wanted.id, low, high), found.span)
    return result


def _word(choice: Choice, code: int) -> Choice:
    return Choice(choice.id, code, code)
