"""Random rules over a few small facts, as YAML, to try the interval of every number against all of its values.

The rules are right as a rule: what divides, or reads a table, is guarded most of the time, and left to the conditions
around it the rest of the time, so that narrowing has to be sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from houserule_compiler.declare import declare
from houserule_compiler.diagnostics import Diagnostic, has_errors
from houserule_compiler.emit import emit
from houserule_compiler.expand import expand
from houserule_compiler.forms import forms
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.lower import lower
from houserule_compiler.parse import Parser
from houserule_compiler.resolve import resolve
from houserule_compiler.typecheck import typecheck
from houserule_compiler.typed_ruleset import TypedRuleset

HEAD = """ruleset: sample
language: 1
choices:
  mood: {attributes: {heat: -2..4}, words: {calm: [-2], cross: [1], wild: [4]}}
facts:
  a: -2..3
  b: 0..2
  u: "1..3?"
  flag: boolean
  mood_now: mood
  moods: set of mood
  size: hit_dice 0..2
conditions:
  odd: {all: {told: known(u), high: u > 1}}
stacking:
  group: {bonuses: largest, penalties: smallest}
tables:
  steps: {by: {key: 0..3}, gives: integer, rows: [5, -1, key * 2, 0]}
  signs: {by: {mood: mood, key: -1..1}, gives: integer, rows: {calm: [7, 8, 9], otherwise: {..0: 1, 1: -4}}}
"""
VALUES: dict[str, tuple[Any, ...]] = {
    "a": (-2, -1, 0, 1, 2, 3),
    "b": (0, 1, 2),
    "u": (None, 1, 2, 3),
    "flag": (True, False),
    "mood_now": ("calm", "cross", "wild"),
    "moods": ([], ["calm"], ["cross", "wild"], ["calm", "cross", "wild"]),
    "size": ("1/2", "1-1", "1", "2", "2+1"),
}

LEAVES = st.sampled_from(
    ["a", "b", "u", "0", "1", "3", "(-2)", "count(moods)", "size.pips", "mood_now.heat", "floor(size.dice)"]
)
COMPARED = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
TESTS = st.sampled_from(
    [
        "flag",
        "odd",
        "known(u)",
        "mood_now == cross",
        "mood_now >= cross",
        "mood_now in calm | wild",
        "mood_now in ..cross",
        "wild in moods",
        "size > 1-1",
        "size in 1/2..1 | 2+1",
        "a in ..-1 | 2",
        "a in 0..3",
        "b in 1..",
        "a >= 0 and a <= 3",
    ]
)


def numbers(depth: int) -> st.SearchStrategy[str]:
    """Expressions that are whole numbers."""
    if depth == 0:
        return LEAVES
    inner, test = numbers(depth - 1), conditions(depth - 1)
    return st.one_of(
        LEAVES,
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("(if {} then {} else {})".format, test, inner, inner),
        st.builds("(if known(u) then {} else {})".format, inner, inner),
        st.builds("floor({} / max(1, {}))".format, inner, inner),
        st.builds("{0}({1} / {2})".format, st.sampled_from(["ceil", "nearest", "toward_zero"]), inner, inner),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner),
        st.builds("(-{})".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("mod({}, {})".format, inner, st.sampled_from("123")),
        st.builds("steps({})".format, inner),
        st.builds("steps(max(0, min(3, {})))".format, inner),
        st.builds("signs(mood_now, {})".format, inner),
        st.builds("(if {0} in 0..3 then steps({0}) else 0)".format, st.sampled_from(["a", "b", "u"])),
        st.builds("(if {0} != 0 then floor(6 / {0}) else 1)".format, st.sampled_from(["a", "b"])),
    )


def conditions(depth: int) -> st.SearchStrategy[str]:
    """Expressions that are true or false."""
    if depth == 0:
        return TESTS
    inner, number = conditions(depth - 1), numbers(depth - 1)
    return st.one_of(
        TESTS,
        st.builds("({} {} {})".format, number, COMPARED, number),
        st.builds("({} {} {})".format, st.sampled_from(["a", "b", "u"]), COMPARED, st.sampled_from(["0", "1", "2"])),
        st.builds("(not {})".format, inner),
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("({} in {}..{} | {})".format, number, st.just("0"), st.sampled_from("123"), st.just("5")),
    )


SIGNED = st.one_of(st.sampled_from(["+1", "-2", "+3"]), numbers(1))
CHANGES = st.one_of(
    SIGNED.map(lambda amount: f'"{amount}"'),
    st.builds(
        '"{} {}"'.format, st.sampled_from(["better", "worse"]), st.sampled_from(["2", "abs(a)", "max(0, b - 1)"])
    ),
    st.builds('{{set: "{}"}}'.format, numbers(1)),
    st.builds(
        "{{multiply: {}, round: {}}}".format, st.sampled_from(["1/2", "2", "-1/3"]), st.sampled_from(["up", "down"])
    ),
    st.builds('{{at_least: "{}"}}'.format, numbers(1)),
    st.builds('{{at_most: "{}"}}'.format, numbers(1)),
    st.builds("{{no_better_than: {}}}".format, st.sampled_from(["1", "a"])),
)


@st.composite
def modifiers(draw: st.DrawFn) -> str:
    """One modifier of `main`, in a line."""
    parts = []
    if draw(st.booleans()):
        parts.append(f'when: "{draw(conditions(1))}"')
    if draw(st.integers(0, 3)) == 0:
        parts.append(f'times: "{draw(st.sampled_from(["b", "u", "count(moods)", "a + 2"]))}"')
    if draw(st.integers(0, 3)) == 0:
        parts.append("stack: group")
    if draw(st.integers(0, 3)) == 0:
        grades = draw(
            st.sampled_from(
                [
                    "by: mood_now, adjust: {main: {calm: -1, cross | wild: +2}}",
                    "by: moods, adjust: {main: {calm: +1, cross: -3, wild: +2}}",
                    "by: moods, adjust: {main: {calm: {multiply: 2}, wild: {multiply: 3}}}",
                    "by: a, adjust: {main: {..0: {at_least: 1}, 1..: {at_least: 2}}}",
                    "by: size, adjust: {main: {..1: +1, 2..: -1}}",
                ]
            )
        )
        return f"{{{', '.join([*parts, grades])}}}"
    return f"{{{', '.join([*parts, f'adjust: {{main: {draw(CHANGES)}}}'])}}}"


@st.composite
def rules(draw: st.DrawFn) -> str:
    """A ruleset with the number `main`, its modifiers, and the number `reader` that reads it."""
    better = draw(st.sampled_from(["", ", better: higher", ", better: lower"]))
    lines = [HEAD, "numbers:", f'  main: {{base: "{draw(numbers(2))}"{better}}}']
    reader = draw(st.sampled_from(["main", "if main > 0 then floor(20 / main) else main", "abs(main) + b"]))
    lines.append(f'  reader: {{base: "{reader}"}}')
    stated = [f"  m{at}: {draw(modifiers())}" for at in range(draw(st.integers(0, 3)))]
    lines += ["modifiers:", *stated] if stated else []
    return "\n".join(lines) + "\n"


def compiled(text: str) -> tuple[TypedRuleset, bytes | None, list[Diagnostic]]:
    """What the middle passes make of a text, without the analysis of whole rules; no artifact where it has errors."""
    document, found = load("ruleset.yaml", text.encode(), Limits())
    assert document is not None, found
    layer, _ = expand([document], forms({}), "sample")
    ruleset, undeclared = declare(layer.root, [layer], Parser(Limits()))
    resolved, unresolved = resolve(ruleset)
    typed, untyped = typecheck(ruleset, resolved.order, resolved.checks, Limits())
    told = [*found, *undeclared, *unresolved, *untyped]
    return typed, None if has_errors(told) else emit(lower(typed)), told


def situations(text: str, most: int, seed: int) -> Iterator[dict[str, Any]]:
    """Facts for all that the rules mention, in every combination, or in `most` of them."""
    named = [name for name in VALUES if name in text.replace(HEAD, "") or name in ("u", "mood_now")]
    fixed = {name: values[0] for name, values in VALUES.items() if name not in named}
    every = list(product(*(VALUES[name] for name in named)))
    chosen = every if len(every) <= most else Random(seed).sample(every, most)
    for combination in chosen:
        facts = {**fixed, **dict(zip(named, combination, strict=True))}
        yield {name: value for name, value in facts.items() if value is not None}
