"""What comes of layers, case by case: every pair of packs is built in both orders."""

from __future__ import annotations

import pytest

from houserule_compiler import overlay, settle
from layering import at, codes, keys, layered, two

WALL = "modifiers: {wall: {adjust: {n: +1}}}"
OTHER_WALL = "modifiers: {wall: {adjust: {n: +2}}}"
APART_WALL = "modifiers: {wall: {adjust: {m: -1}}}"
UP_REMOVED = "modifiers: {up: remove}"
UP_CHANGED = "modifiers: {up: {adjust: {n: +2}}}"
BASE_3 = "numbers: {n: {base: 3}}"
BASE_4 = "numbers: {n: {base: 4}}"
ALL = "checks: {c: {cases: {two: {when: {all: {p: x == 1}}}}}}"


def case(id: str, when: str, place: str = "after: two") -> str:
    return f"checks: {{c: {{cases: {{{id}: {{{place}, when: {when}, outcome: yes1}}}}}}}}"


def rows(text: str) -> str:
    return f"tables: {{t: {{rows: {{{text}}}}}}}"


PAIRS = [
    ("two packs add one id alike", WALL, WALL, "", [], {}),
    ("add one id differently", WALL, OTHER_WALL, "", ["both-define"], {}),
    ("add one id, no key in common", WALL, APART_WALL, "", ["both-define"], {}),
    ("settled: the fork removes it", WALL, APART_WALL, "modifiers: {wall: remove}", [], {"modifiers.wall": None}),
    (
        "settled: the fork writes its own",
        WALL,
        APART_WALL,
        "modifiers: {wall: {replace: true, adjust: {n: +3}}}",
        [],
        {"modifiers.wall.adjust": {"n": "+3"}},
    ),
    ("not settled by a part", WALL, APART_WALL, "modifiers: {wall: {adjust: {n: +3}}}", ["both-define"], {}),
    (
        "settled: the fork prefers one",
        WALL,
        APART_WALL,
        "prefer: {modifiers.wall: a}",
        [],
        {"modifiers.wall.adjust": {"n": "+1"}},
    ),
    ("one removes, one changes", UP_REMOVED, UP_CHANGED, "", ["conflict"], {}),
    ("settled by removing", UP_REMOVED, UP_CHANGED, UP_REMOVED, [], {"modifiers.up": None}),
    (
        "settled by preference",
        UP_REMOVED,
        UP_CHANGED,
        "prefer: {modifiers.up: b}",
        [],
        {"modifiers.up.adjust.n": "+2"},
    ),
    ("the thing, and a part of it removed", UP_REMOVED, "modifiers: {up: {adjust: {n: remove}}}", "", [], {}),
    ("both remove", UP_REMOVED, UP_REMOVED, "", [], {"modifiers.up": None}),
    ("both set alike", BASE_3, BASE_3, "", [], {"numbers.n.base": "3"}),
    ("alike but for spaces", "numbers: {n: {base: x+y}}", "numbers: {n: {base: x + y}}", "", [], {}),
    ("both set differently", BASE_3, BASE_4, "", ["conflict"], {}),
    ("settled by stating", BASE_3, BASE_4, "numbers: {n: {base: 5}}", [], {"numbers.n.base": "5"}),
    ("one pins the base's value", "numbers: {n: {base: 1}}", BASE_4, "", ["conflict"], {}),
    ("one adds a modifier, one sets the base", BASE_3, WALL, "", [], {"numbers.n.base": "3"}),
    ("each adds a modifier", WALL, "modifiers: {moat: {adjust: {n: -1}}}", "", [], {}),
    ("option, short and long", "options: {nat: false}", "options: {nat: {default: false}}", "", [], {}),
    ("option, as its whole type", "options: {nat: false}", "options: {nat: boolean = false}", "", [], {}),
    (
        "a word from each",
        "choices: {kind: [c]}",
        "choices: {kind: {words: {d: {}}}}",
        "",
        [],
        {"choices.kind.words": {"a": {}, "b": {}, "c": {}, "d": {}}},
    ),
    ("in one gap, exclusive", case("p", "die == 5"), case("q", "die == 6"), "", [], {}),
    ("in one gap, not exclusive", case("p", "die >= 5"), case("q", "die == 6"), "", ["same-gap"], {}),
    (
        "the same gap from both sides",
        case("p", "die >= 5"),
        case("q", "die == 6", "before: three"),
        "",
        ["same-gap"],
        {},
    ),
    (
        "after what the other removes",
        case("p", "die == 5"),
        "checks: {c: {cases: {two: remove}}}",
        "",
        ["anchor-gone"],
        {},
    ),
    (
        "one replaces the check, one changes a case",
        "checks: {c: {replace: true, outcomes: [yes1], cases: {all1: {outcome: yes1}}}}",
        "checks: {c: {cases: {one: {outcome: yes1}}}}",
        "",
        ["conflict"],
        {},
    ),
    (
        "one redirects a case, one changes its outcome",
        "checks: {c: {cases: {one: {go: s}}, steps: {s: {cases: {z: {outcome: yes1}}}}}}",
        "checks: {c: {cases: {one: {outcome: yes1}}}}",
        "",
        ["conflict"],
        {},
    ),
    ("both add a requirement", ALL, "checks: {c: {cases: {two: {when: {all: {q: y == 1}}}}}}", "", [], {}),
    (
        "a requirement, and an alternative",
        ALL,
        "checks: {c: {cases: {two: {when: {any: {q: y == 1}}}}}}",
        "",
        ["conflict"],
        {},
    ),
    ("a requirement, and another text", ALL, "checks: {c: {cases: {two: {when: die > n}}}}", "", ["conflict"], {}),
    ("cells apart", rows("1: 9"), rows("2..3: 8"), "", [], {}),
    ("cells overlap, alike", rows("1..4: 9"), rows("2..3: 9"), "", [], {}),
    ("cells overlap, differently", rows("1..4: 9"), rows("2..3: 8"), "", ["conflict"], {}),
    ("cells overlap, settled", rows("1..4: 9"), rows("2..3: 8"), rows("2..3: 7"), [], {}),
    ("rows replaced, a cell changed", rows("replace: true, 1..10: 7"), rows("2: 8"), "", ["conflict"], {}),
    (
        "inherited over two that agree",
        BASE_3,
        BASE_3,
        "numbers: {n: {base: inherited + 1}}",
        [],
        {"numbers.n.base": "(3) + 1"},
    ),
    (
        "inherited over two that disagree",
        BASE_3,
        BASE_4,
        "numbers: {n: {base: inherited + 1}}",
        ["inherited-from-nothing"],
        {},
    ),
    ("one says it goes with no other", "conflicts: [b]", "", "", ["declared-conflict"], {}),
]


@pytest.mark.parametrize(
    ("a", "b", "fork", "expected", "values"), [each[1:] for each in PAIRS], ids=[e[0] for e in PAIRS]
)
def test_two_packs(a: str, b: str, fork: str, expected: list[str], values: dict[str, object]) -> None:
    found = two(a, b, fork)
    assert codes(found) == expected
    for path, value in values.items():
        assert at(found, path) == value


def test_placing_one_settles_a_gap() -> None:
    found = two(case("p", "die >= 5"), case("q", "die == 6"), "checks: {c: {cases: {q: {after: p}}}}")
    assert codes(found) == ["unreachable-case"] or not codes(found)
    assert keys(found, "checks.c.cases") == ["one", "two", "p", "q", "three"]


def test_an_order_settles_a_gap() -> None:
    found = two(case("p", "die >= 5"), case("q", "die == 6"), "checks: {c: {cases: {order: [one, q, two, p, three]}}}")
    assert codes(found) == []
    assert keys(found, "checks.c.cases") == ["one", "q", "two", "p", "three"]


def test_what_is_inserted_moves_along_with_its_anchor() -> None:
    found = two(case("p", "die == 5"), "checks: {c: {cases: {two: {before: one}}}}")
    assert keys(found, "checks.c.cases") == ["two", "p", "one", "three"]


def test_a_band_over_two_bands_clips_both() -> None:
    found = layered(f=rows("2..5: 9"))
    assert codes(found) == []
    assert at(found, "tables.t.rows") == {"1": "1", "2..3": "9", "4..5": "9", "6": "2", "7..10": "3"}


def test_an_adjustment_is_replaced_whole() -> None:
    found = layered(f="modifiers: {up: {adjust: {m: {set: 0}}}}")
    assert codes(found) == []
    assert at(found, "modifiers.up.adjust.m") == {"set": "0"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("modifiers: {upp: {adjust: {n: +2}}}", ["near-name"]),
        ("modifiers: {upp: {new: true, adjust: {n: +2}}}", []),
        ("modifiers: {upp: {when: x == 2}}", ["missing-target"]),
        ("modifiers: {cellar: {when: x == 2}}", ["missing-target"]),
        ("modifiers: {upp: remove}", ["missing-target"]),
        ("modifiers: {upp: {replace: true, adjust: {n: +2}}}", ["missing-target"]),
        ("modifiers: {up: {adjust: {z: remove}}}", ["missing-target"]),
        ("checks: {c: {cases: {p: {when: die == 2, outcome: yes1}}}}", ["place-missing"]),
        ("checks: {c: {cases: {p: {when: die == 2, outcome: yes1, after: twoo}}}}", ["missing-target"]),
        ("numbers: {n: {base: inherited + 1}}", []),
        ("numbers.n.base: inherited + 1", []),
        ("numbers.k.base: inherited + 1", ["inherited-from-nothing"]),
        ("tables: {t: {by: {j: 1..10}}}", ["keys-need-replace"]),
        ("tables: {t: {rows: {1..2: 4, 3..5: 5}}}", ["left-over-rows"]),
        ("prefer: {modifiers.up: base}", ["unused-preference"]),
        ("prefer: {modifiers.up: other}", ["unknown-layer"]),
        ("modifiers: {up: {adjust: {n: +1}}, up2: {}}", ["missing-target"]),
    ],
)
def test_one_fork(text: str, expected: list[str]) -> None:
    assert codes(layered(f=text)) == expected


def test_a_pack_on_a_pack_wins_without_conflict() -> None:
    b = f"ruleset: b\nextends: base\nwith: [a]\n{BASE_4}"
    found = layered(a=BASE_3, b=b, f="ruleset: f\nextends: base\nwith: [a, b]\n")
    assert codes(found) == []
    assert at(found, "numbers.n.base") == "4"


def test_inherited_is_the_value_below() -> None:
    found = layered(f="numbers: {n: {base: inherited + 1}}")
    assert at(found, "numbers.n.base") == "(1) + 1"


OSRIC = "numbers: {n: {base: 7}}\nchecks: {c: {cases: {nat: {before: one, when: die == 20, outcome: yes1}}}}"
USER = "ruleset: f\nextends: other\nwith: [a]\n"


def test_a_pack_stands_above_the_ruleset_it_is_used_with() -> None:
    found = layered(other=OSRIC, a=BASE_3, f=USER)
    assert codes(found) == ["other-than-seen"]
    assert at(found, "numbers.n.base") == "3"


def test_what_both_bring_into_being_is_not_merged() -> None:
    nat = "checks: {c: {cases: {nat: {before: one, when: die == 20, outcome: no1}}}}"
    assert codes(layered(other=OSRIC, a=f"{BASE_3}\n{nat}", f=USER)) == ["both-define", "other-than-seen"]


def test_a_pack_changes_a_part_of_what_its_user_removed() -> None:
    assert codes(layered(other=UP_REMOVED, a=UP_CHANGED, f=USER)) == ["missing-target"]


def test_a_fork_changes_a_part_of_what_its_pack_removed() -> None:
    fork = "ruleset: f\nextends: base\nwith: [a]\n"
    assert codes(layered(a=UP_REMOVED, f=fork + UP_CHANGED)) == ["missing-target"]
    whole = "modifiers: {up: {replace: true, adjust: {n: +2}}}"
    found = layered(a=UP_REMOVED, f=fork + whole)
    assert codes(found) == []
    assert at(found, "modifiers.up") == {"adjust": {"n": "+2"}}


def crossing(every: int, *, twice: bool) -> str:
    """A table by two keys of which every other value has a row, for one of them or for both."""
    inner = "".join(f"        {at}: 1\n" for at in range(1, every, 2)) + "        otherwise: 7\n"
    outer = "".join(f"      {at}: 1\n" for at in range(1, every, 2)) if twice else ""
    return (
        f"facts: {{p: 1..{every}, q: 1..{every}}}\nnumbers: {{read: {{base: 'u(p, q)'}}}}\ntables:\n"
        f"  u:\n    by: {{k: 1..{every}, l: 1..{every}}}\n    gives: integer\n    rows:\n"
        f"{outer}      otherwise:\n{inner}"
    )


def test_rows_that_only_cross_each_other_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little is written, what comes of it is bounded, in memory and in time."""
    patch = "ruleset: f\nextends: a\ntables.u.rows[2, 2]: 5\n"
    assert codes(layered(a=crossing(300, twice=True), f=patch)) == ["tangled-rows"]
    cuts = "ruleset: f\nextends: a\ntables.u.rows:\n" + "".join(f"  {at}: 2\n" for at in range(1, 20, 2))
    assert codes(layered(a=crossing(20, twice=False), f=cuts)) == []
    monkeypatch.setattr(overlay, "VISITS", 100)
    assert codes(layered(a=crossing(20, twice=False), f=cuts)) == ["tangled-rows"]


def long_case(id: str, face: int) -> str:
    return f"checks.c.cases.{id}: {{after: two, when: die == {face}, outcome: yes1}}"


def setting(id: str, x: int, value: int) -> str:
    return f"modifiers.{id}: {{when: x == {x}, adjust: {{n: {{set: {value}}}}}}}"


def test_more_pairs_than_are_looked_at_are_taken_to_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "MOST_PAIRS", 1)
    apart = [case(f"p{at}", f"die == {at + 2}") for at in range(2)]
    assert codes(two(*apart)) == []
    pairs = ["\n".join(long_case(f"{id}{at}", at + low) for at in (1, 2)) for id, low in (("p", 3), ("q", 7))]
    assert codes(two(*pairs)) == ["same-gap"]
    sets = ["\n".join(setting(f"{id}{at}", at + low, at) for at in (1, 2)) for id, low in (("high", 2), ("low", 5))]
    found = two(*sets)
    assert set(codes(found)) == {"conflict"}
    assert "not all are looked at" in found.diagnostics[0].notes[0]
