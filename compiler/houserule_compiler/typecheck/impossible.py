"""Situations that cannot be: conjunctions of simple tests, so that the analysis can count on them."""

from __future__ import annotations

from collections.abc import Iterator

from ..typed import Typed
from .expressions import COMPARISONS

TESTS = (*COMPARISONS, "in", "has")
BUILT = ("+", "-", "*", "/", "neg", "floor", "ceil", "nearest", "toward_zero", "abs", "min", "max", "mod", "count")
PARTS = ("attribute", "dice_part", "pips")
READS = ("field", "fact", "option", "literal", "frac")


def complex_tests(situation: Typed) -> Iterator[Typed]:
    """The terms of a situation that are no simple tests."""
    if situation.operator == "and":
        for part in situation.parts:
            yield from complex_tests(part)
    elif not _is_simple(situation):
        yield situation


def _is_simple(test: Typed) -> bool:
    """Whether it is one comparison of facts, a fact that is true or false, or the opposite of one of these."""
    if test.operator in ("unknown", "known"):
        return True
    if test.operator == "not":
        return _is_simple(next(test.parts))
    return all(map(_is_given, test.parts)) if test.operator in TESTS else _is_given(test)


def _is_given(item: Typed) -> bool:
    """Whether it follows from the facts by arithmetic alone."""
    if item.operator in READS:
        return True
    return item.operator in (*BUILT, *PARTS) and all(map(_is_given, item.parts))
