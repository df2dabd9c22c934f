"""Intervals, narrowing and unknown facts, against the values that the runtime's reference evaluator works out."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import event, given, settings
from hypothesis import strategies as st

import houserule
from houserule_compiler.typed import TypedNumber
from houserule_compiler.types import bounds
from random_rules import compiled, rules, situations

MOST = 120


def outcome(number: TypedNumber, loaded: houserule.Rules, facts: dict[str, object]) -> int | Fraction | None:
    """The value of a number, or None where it is unknown; anything else that goes wrong is the compiler's fault."""
    try:
        return loaded.number(number.declared.id).value(facts)
    except houserule.ProblemsError as error:
        if {each.code for each in error.problems} != {"unknown-fact"}:
            raise
        return None


@settings(max_examples=80, deadline=None)
@given(rules(), st.integers(0, 999))
def test_values_lie_in_their_interval(text: str, seed: int) -> None:
    """An accepted program never fails, and no value leaves the interval of its number."""
    typed, artifact, _ = compiled(text)
    event("accepted" if artifact else "refused")
    if artifact is None:
        return
    loaded = houserule.load(artifact)
    for facts in situations(text, MOST, seed):
        for number in typed.numbers.values():
            low, high = bounds(number.type)
            value = outcome(number, loaded, facts)
            if value is None:
                assert "u" not in facts
                assert number.needs
            else:
                assert low <= value <= high, (text, facts, number.declared.id, value)


@settings(max_examples=60, deadline=None)
@given(rules())
def test_known_facts_leave_nothing_unknown(text: str) -> None:
    """Where all is known, every number has a value, whatever it says of unknown facts."""
    typed, artifact, _ = compiled(text)
    if artifact is None:
        return
    loaded = houserule.load(artifact)
    for facts in situations(text, MOST // 4, 0):
        if "u" in facts:
            assert all(outcome(each, loaded, facts) is not None for each in typed.numbers.values())


@settings(max_examples=60, deadline=None)
@given(rules())
def test_typing_is_repeatable(text: str) -> None:
    """The same text gives the same findings, and the same bytes."""
    first, again = compiled(text), compiled(text)
    assert first[1] == again[1]
    assert [each.headline for each in first[2]] == [each.headline for each in again[2]]
