"""One cause, one message: what is wrong already is silent in later passes, and nothing else is."""

from __future__ import annotations

import pytest

from houserule_compiler.diagnostics import Label, error, warning
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.silence import apart, beyond
from houserule_compiler.source import Span

TEXT = """ruleset: sample
title: Lamps
numbers:
  lamp: {base: 1}
  fog:
    base: 2
    title: Fog
tables: {}
"""


def heard(told: str, later: str, is_error: bool = True) -> bool:
    """Whether something at `later` is still told after something was told at `told`; both are texts of the file."""
    document, _ = load("ruleset.yaml", TEXT.encode(), Limits())
    assert document
    spans = [Span(document.file, at := TEXT.index(each), at + len(each)) for each in (told, later)]
    first = (error if is_error else warning)("first", "first", Label(spans[0]))
    second = error("second", "second", Label(spans[1]))
    return beyond([second], [first], [document]) == [second]


@pytest.mark.parametrize(
    ("told", "later"),
    [("base: 2", "fog"), ("fog", "Fog"), ("numbers", "numbers"), ("sample", "ruleset"), ("tables", "{}")],
)
def test_a_wrong_definition_is_silent(told: str, later: str) -> None:
    assert not heard(told, later)


@pytest.mark.parametrize(
    ("told", "later"),
    [("base: 2", "lamp"), ("numbers", "fog"), ("lamp", "numbers"), ("sample", "Lamps"), ("Fog", "tables")],
)
def test_its_neighbours_are_heard(told: str, later: str) -> None:
    assert heard(told, later)


def test_a_warning_silences_nothing() -> None:
    assert heard("base: 2", "fog", is_error=False)


def heard_apart(told: str, later: str) -> bool:
    document, _ = load("ruleset.yaml", TEXT.encode(), Limits())
    assert document
    spans = [Span(document.file, at := TEXT.index(each), at + len(each)) for each in (told, later)]
    first, second = error("first", "first", Label(spans[0])), error("second", "second", Label(spans[1]))
    return apart([second], [first], [document]) == [second]


@pytest.mark.parametrize(
    ("told", "later"), [("base: 2", "fog"), ("base: 2", "2"), ("1", "lamp"), ("sample", "ruleset")]
)
def test_the_same_entry_and_the_heads_around_it_are_silent(told: str, later: str) -> None:
    assert not heard_apart(told, later)


@pytest.mark.parametrize(("told", "later"), [("base: 2", "Fog"), ("base: 2", "lamp"), ("sample", "Lamps")])
def test_other_parts_of_the_same_definition_are_heard(told: str, later: str) -> None:
    assert heard_apart(told, later)
