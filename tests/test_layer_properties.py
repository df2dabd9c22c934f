"""Layers under any order: what comes of them is the same, and is what a model of ten lines says."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import Compiled, compile_ruleset, try_examples
from layering import BASE, at, build, codes, layered, shown, tree
from literate import schema
from random_layers import RICH, flow, nodes, world

NUMBERS = ("n0", "n1", "n2")
GROUND = "ruleset: base\nlanguage: 1\nnumbers: {" + ", ".join(f"{each}: {{base: 0}}" for each in NUMBERS) + "}\n"
AS_ONE = ("tables", "by")
"""The keys of a table are one value."""
EDITS = [
    "numbers.n.base: 3",
    "numbers.n.base: 4",
    "numbers.m.title: Second",
    "modifiers.up: remove",
    "modifiers.up.adjust.n: +2",
    "modifiers.up.when: x == 2",
    "modifiers: {wall: {adjust: {n: +1}}}",
    "modifiers: {wall: {adjust: {m: -1}}}",
    "modifiers: {side: {replace: true, adjust: {m: +1}}}",
    "choices.kind: [c]",
    "choices: {kind: {words: {d: {}, b: remove}}}",
    "options.nat: false",
    "tables.t.rows: {1..4: 9}",
    "tables.t.rows[2..3]: 8",
    "tables: {t: {rows: {replace: true, 1..10: 7}}}",
    "tables: {t: {rows: {5: remove}, otherwise: 4}}",
    "checks.c.cases: {p: {after: two, when: die == 5, outcome: yes1}}",
    "checks.c.cases: {q: {before: three, when: die == 6, outcome: yes1}}",
    "checks.c.cases: {r: {after: two, when: die >= 5, outcome: no1}}",
    "checks.c.cases.two: remove",
    "checks.c.cases.two.before: one",
    "checks.c.cases.two.when: {all: {more: y == 1}}",
    "checks.c.cases.two.when: {any: {less: y == 2}}",
    "checks.c.cases.order: [two, one, three]",
]


def outcome(found: Compiled) -> object:
    return found.artifact, found.diagnostics and [
        (each.code, each.headline, [(label.span.file.name, label.span.start) for label in each.labels])
        for each in found.diagnostics
    ]


@settings(max_examples=20)
@given(
    st.lists(
        st.lists(st.sampled_from(EDITS), min_size=1, max_size=4, unique_by=lambda text: text[:12]),
        min_size=2,
        max_size=3,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_packs_means_nothing(packs: list[list[str]], random: Random) -> None:
    texts = {f"p{at}": "\n".join(edits) + "\n" for at, edits in enumerate(packs)}
    other = random.sample(list(texts), len(texts))
    outcomes = [
        outcome(layered(**texts, f=f"ruleset: f\nextends: base\nwith: [{', '.join(order)}]\n"))
        for order in (texts, other if other != list(texts) else other[::-1])
    ]
    # The place of a label on the list of packs is not compared: no finding points there.
    assert outcomes[0] == outcomes[1]


@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_whatever_layers_say_is_told_or_built(seed: int) -> None:
    """Never a traceback, in either order of the packs the same, each finding at a place of some layer, one a line."""
    texts, packs = world(seed)
    outcomes = []
    for order in [packs, packs[::-1]] if len(packs) > 1 else [packs]:
        found = build({**texts, "f": texts["f"].replace("PACKS", ", ".join(order))}, "f")
        tried = try_examples(found).diagnostics
        outcomes.append(outcome(found))
        for each in (*found.diagnostics, *tried):
            assert len(each.headline) < 80
            assert each.labels[0].span.file.name.removesuffix(".yaml") in texts
    assert outcomes[0] == outcomes[-1]


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(EDITS), min_size=1, max_size=6, unique_by=lambda text: text[:12]),
    st.randoms(use_true_random=False),
)
def test_the_order_of_files_means_nothing(edits: list[str], random: Random) -> None:
    head = ("f/ruleset.yaml", b"ruleset: f\nextends: base\n")
    files = [head, *((f"f/{at}.yaml", f"{edit}\n".encode()) for at, edit in enumerate(edits))]
    shuffled = list(files)
    random.shuffle(shuffled)
    assert outcome(of_files(files)) == outcome(of_files(shuffled))


def of_files(files: list[tuple[str, bytes]]) -> Compiled:
    rulesets = {"f": Files("f", tuple(files)), "base": Files("base", (("base.yaml", BASE.encode()),))}
    return compile_ruleset("f", rulesets.get, schema(), Limits())


def test_a_fork_that_says_nothing_changes_nothing_but_the_head() -> None:
    base, fork = build({"base": BASE}, "base"), layered(f="")
    assert not base.diagnostics
    assert not fork.diagnostics
    heads = [json.loads(each.artifact or b"") for each in (base, fork)]
    changed = {key for key in heads[0] if heads[0][key] != heads[1][key]}
    assert changed == {"ruleset", "content_hash"}
    assert heads[1]["ruleset"]["layers"] == [{"id": "base", "version": ""}, {"id": "f", "version": ""}]


def without_origins(value: Any) -> Any:
    """An artifact without its head, and without what says where something was written."""
    if isinstance(value, dict):
        apart = ("ruleset", "content_hash", "origin", "origins")
        return {key: without_origins(each) for key, each in value.items() if key not in apart}
    return [without_origins(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("is_long", [False, True])
def test_a_fork_that_says_all_that_the_base_says_changes_nothing(is_long: bool) -> None:
    """Every value is pinned, as it was written or path by path."""
    values, _ = nodes()
    paths = (
        (path, value) for path, value in values.items() if isinstance(value, str) and path[:1] + path[2:3] != AS_ONE
    )
    pins = "".join(f"{'.'.join(path)}: {flow(value)}\n" for path, value in paths if all(map(str.isidentifier, path)))
    body = pins if is_long else RICH.partition("language: 1\n")[2]
    base, fork = build({"base": RICH}, "base"), build({"base": RICH, "f": f"ruleset: f\nextends: base\n{body}"}, "f")
    assert not fork.diagnostics
    artifacts = [json.loads(each.artifact or b"") for each in (base, fork)]
    assert without_origins(artifacts[0]) == without_origins(artifacts[1])


@pytest.mark.parametrize("edit", EDITS)
def test_a_fork_that_says_nothing_changes_nothing_of_a_fork(edit: str) -> None:
    one, two = layered(f=edit), layered(f=edit, g="ruleset: g\nextends: f\n")
    assert codes(one) == codes(two) or all(each.severity.value == "warning" for each in one.diagnostics)
    assert shown(tree(one)) == shown(tree(two))


layers = st.lists(
    st.tuples(
        st.sets(st.integers(0, 4), max_size=3), st.dictionaries(st.sampled_from(NUMBERS), st.integers(1, 2), max_size=3)
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60)
@given(layers, st.dictionaries(st.sampled_from(NUMBERS), st.integers(1, 2), max_size=1))
def test_values_are_those_of_the_topmost_setters(
    packs: list[tuple[set[int], dict[str, int]]], own: dict[str, int]
) -> None:
    uses = {f"p{at}": {f"p{each}" for each in used if each < at} for at, (used, _) in enumerate(packs)}
    sets = {"base": dict.fromkeys(NUMBERS, 0), **{f"p{at}": stated for at, (_, stated) in enumerate(packs)}, "f": own}
    uses["f"] = set(uses)
    found = build({"base": GROUND, **{name: text_of(name, used, sets[name]) for name, used in uses.items()}}, "f")

    def below(name: str) -> set[str]:
        return {"base"}.union(*({each} | below(each) for each in uses.get(name, ()))) if name != "base" else set()

    conflicts = 0
    for number in NUMBERS:
        setters = [name for name in sets if number in sets[name]]
        top = [name for name in setters if not any(name in below(other) for other in setters)]
        values = {sets[name][number] for name in top}
        conflicts += len(values) > 1
        if len(values) == 1:
            assert at(found, f"numbers.{number}.base") == str(values.pop())
    assert codes(found) == ["conflict"] * conflicts


def text_of(name: str, used: set[str], stated: dict[str, int]) -> str:
    edits = "".join(f"numbers.{number}.base: {value}\n" for number, value in stated.items())
    return f"ruleset: {name}\nextends: base\nwith: [{', '.join(sorted(used))}]\n{edits}"
