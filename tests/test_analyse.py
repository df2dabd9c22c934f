"""What `analyse` says of the shipped rules, of made-up ones by the hundred, and how long it takes over large ones."""

from __future__ import annotations

import time
from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

import houserule
from houserule_compiler.cases import Section, read_cases
from houserule_compiler.diagnostics import Diagnostic, has_errors
from houserule_compiler.pipeline import Compiled
from literate import compiled, diagnostics

HEAD = "ruleset: sample\nlanguage: 1\n"


def section(rules: str) -> Section:
    return read_cases(f"# x\n\n## y\n\n```yaml ruleset.yaml\n{HEAD}{rules}```\n").sections[0]


def findings(rules: str) -> list[Diagnostic]:
    return diagnostics(section(rules))


def codes(found: Iterable[Diagnostic]) -> list[str]:
    return [each.code for each in found]


comparisons = st.builds("{} {} {}".format, st.sampled_from("xy"), st.sampled_from(["<", ">=", "=="]), st.integers(0, 6))
conditions = st.recursive(
    comparisons | st.sampled_from(["p", "x < y", "y in 2..3 | 5", "x + y > 8"]),
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=4,
)
SITUATIONS = [{"x": x, "y": y, "p": p} for x in range(6) for y in range(6) for p in (False, True)]


def held(made: Compiled) -> list[bool]:
    assert made.artifact is not None
    number = houserule.load(made.artifact).number("n")
    return [number.value(facts) == 1 for facts in SITUATIONS]


@settings(max_examples=60, deadline=None)
@given(conditions)
def test_never_and_always_are_exactly_so(condition: str) -> None:
    """A modifier's condition, against the runtime over all situations."""
    rules = "facts: {x: 0..5, y: 0..5, p: boolean}\nnumbers:\n  n: {base: 0}\nmodifiers:\n"
    made = compiled(section(f"{rules}  m: {{when: {condition}, adjust: {{n: +1}}}}\n"))
    found = {each.code for each in made.diagnostics}
    negated = compiled(section(f"{rules}  m: {{when: not ({condition}), adjust: {{n: +1}}}}\n"))
    if "never-holds" in found:
        assert "always-holds" in {each.code for each in negated.diagnostics}
        assert all(held(negated))
    else:
        assert any(held(made))
        assert ("always-holds" in found) == all(held(made))


grades = st.lists(st.tuples(st.integers(-1, 7), st.integers(0, 4)), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(grades)
def test_rows_are_accepted_exactly_when_each_value_has_one(bands: list[tuple[int, int]]) -> None:
    rows = ", ".join(f"{low}..{low + width}: {at}" for at, (low, width) in enumerate(dict(bands).items()))
    found = findings(f"tables:\n  t: {{by: {{key: 0..6}}, gives: integer, rows: {{{rows}}}}}\n")
    covering = [sum(low <= key <= low + width for low, width in dict(bands).items()) for key in range(7)]
    is_whole = all(count == 1 for count in covering)
    reaches = all(low <= 6 and low + width >= 0 for low, width in dict(bands).items())
    assert has_errors(found) == (not is_whole or not reaches)


SETS = """facts: {{x: 0..5, y: 0..5, p: boolean}}
numbers:
  n: {{base: 0}}
modifiers:
  a: {{when: {}, adjust: {{n: {{set: 1}}}}}}
  b: {{when: {}, adjust: {{n: {{set: 2}}}}}}
"""
ADDS = SETS.replace("{{set: 1}}", "+1").replace("{{set: 2}}", "+10")


@settings(max_examples=40, deadline=None)
@given(conditions, conditions)
def test_sets_conflict_exactly_when_both_can_hold(one: str, other: str) -> None:
    found = codes(compiled(section(SETS.format(one, other))).diagnostics)
    added = compiled(section(ADDS.format(one, other)))
    if added.artifact is None:
        return
    number = houserule.load(added.artifact).number("n")
    assert ("conflicting-sets" in found) == any(number.value(facts) == 11 for facts in SITUATIONS)


def test_conditions_that_double_and_double_again_end() -> None:
    """Each names the one before twice: looked through, the last would have a billion parts."""
    named = "".join(f"  c{at}: c{at - 1} and (c{at - 1} or p)\n" for at in range(1, 12))
    rules = f"facts: {{p: boolean}}\nconditions:\n  c0: p\n{named}numbers:\n  n: {{base: 0}}\n"
    start = time.process_time()
    found = findings(f"{rules}modifiers:\n  m: {{when: c11, adjust: {{n: +1}}}}\n")
    assert not has_errors(found)
    assert time.process_time() - start < 10


def test_many_sets_of_one_number_end() -> None:
    modifiers = "".join(f"  m{at}: {{when: x == {at}, adjust: {{n: {{set: {at}}}}}}}\n" for at in range(60))
    start = time.process_time()
    found = findings(f"facts: {{x: 0..99}}\nnumbers:\n  n: {{base: 0}}\nmodifiers:\n{modifiers}")
    assert found == []
    assert time.process_time() - start < 10


def test_an_abstract_ruleset_may_leave_groups_empty() -> None:
    rules = "stacking:\n  weather: {all: largest}\n"
    assert codes(findings(rules)) == ["empty-stacking-group"]
    assert findings(f"abstract: true\n{rules}") == []
