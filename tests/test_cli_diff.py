"""`houserule diff`: what changed by definition, and in play, on rules small enough to work out by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from friday import RULES, Run
from houserule_compiler.percent import percents

# What changes in the rules of friday.yaml; the path, both values; and of each search: what it is of, in how many
# situations of how many it is otherwise, and the smallest with both answers.
#
# A guard notices on 1d6 up to `vigilance`: small guards 3, 4, 5 by level, large ones 1, 2, 4; 1 less when tired; 1 or 2
# more by oath. That makes 2 sizes, 3 levels, tired or not, and 3 kinds of oath (none, up to 3, above).
WEARY = "  weary: {title: Weary, when: its.tired, adjust: {vigilance: -1}}\n"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
TIRED = {"guard.level": "1", "guard.tired": "true"}
FRESH = {"guard.level": "1"}
CHANGED: dict[str, tuple[str, str, list[tuple[str, str, str, str]], list[tuple[str, int, int, list[Any]]]]] = {
    "a cell of a table of two keys": (
        "large: [1, 2, 4]",
        "large: [1, 3, 4]",
        [("tables.watch.rows[large, 2]", "changed", "2", "3")],
        [
            # Of 6 cells one.
            ("vigilance", 1, 6, [({"guard.level": "2", "guard.size": "large"}, 2, 3)]),
            # In that cell whatever else; two in six, three in six.
            ("notice", 6, 36, [({"guard.level": "2", "guard.size": "large"}, THIRD, HALF)]),
        ],
    ),
    "a cell that nothing reads": (
        "2..3: [9, 2]",
        "2..3: [9, 3]",
        [("tables.pay.rows[2..3].meals", "changed", "2", "3")],
        [],
    ),
    "a modifier taken out": (
        WEARY,
        "",
        [("modifiers.weary", "removed", "Weary", "")],
        [
            ("vigilance", 1, 2, [(TIRED, 2, 3)]),
            # Of 18 tired guards all but the one who notices on 6 and on 7 alike: small, of level 3, with a high oath.
            ("notice", 17, 36, [(TIRED, THIRD, HALF)]),
        ],
    ),
    "a modifier put in": (
        WEARY,
        f"{WEARY}  veteran: {{title: Veteran, when: its.level == 2, adjust: {{vigilance: +2}}}}\n",
        [("modifiers.veteran", "added", "", "Veteran")],
        [
            ("vigilance", 1, 3, [({"guard.level": "2"}, 4, 6)]),
            # Of 12 of level 2 only the small ones with a high oath are at 6 already, if they are not tired.
            ("notice", 11, 36, [({"guard.level": "2"}, Fraction(2, 3), Fraction(1))]),
        ],
    ),
    "a flipped condition": (
        "its.tired,",
        "not its.tired,",
        [("modifiers.weary.when", "changed", "its.tired", "not its.tired")],
        [
            ("vigilance", 2, 2, [(FRESH, 3, 2), (TIRED, 2, 3)]),
            ("notice", 34, 36, [(FRESH, HALF, THIRD), (TIRED, THIRD, HALF)]),
        ],
    ),
    "the edge of a comparison": (
        "die <= vigilance",
        "die < vigilance",
        [("checks.notice.cases.noticed.when", "changed", "die <= vigilance", "die < vigilance")],
        # Not where vigilance is 7, nor where it is 0.
        [("notice", 34, 36, [(FRESH, HALF, THIRD)])],
    ),
    "a new case": (
        "      missed: {outcome",
        "      late: {when: die == 6, outcome: noticed}\n      missed: {outcome",
        [("checks.notice.cases.late", "added", "", "")],
        # Not where they notice on a 6 anyway. Small and of level 3: with a high oath, or with a low one and not tired.
        # Small and of level 2, or large and of level 3: with a high oath and not tired.
        [("notice", 31, 36, [(FRESH, HALF, Fraction(2, 3))])],
    ),
    "the default of an option": (
        "harsh: boolean = false",
        "harsh: boolean = true",
        [("options.harsh.default", "changed", "false", "true")],
        [("vigilance", 1, 1, [(FRESH, 3, 2)]), ("notice", 34, 36, [(FRESH, HALF, THIRD)])],
    ),
    "the default of a field": (
        "size: size = small",
        "size: size = large",
        [("entities.guard.size.default", "changed", "small", "large")],
        # Only where the size is not given; large guards are worse by 2, 2 and 1.
        [("vigilance", 3, 9, [(FRESH, 3, 1), ({"guard.level": "3"}, 5, 4)]), ("notice", 17, 54, [])],
    ),
    "a grade of words or figures": (
        "1..3: +1",
        "1..3: +2",
        [("modifiers.sworn.adjust.vigilance[1..3]", "changed", "+1", "+2")],
        # Where nothing can matter but the oath: none, a low one, a high one.
        [("vigilance", 1, 3, [({"guard.level": "1", "guard.oath": "1"}, 4, 5)]), ("notice", 11, 36, [])],
    ),
    "an outcome that never comes": (
        "outcomes: [noticed, missed]",
        "outcomes: [noticed, missed, fled]",
        [("checks.notice.outcomes.fled", "added", "", "")],
        [("notice", 0, 36, [])],
    ),
    "a situation that cannot be any more": (
        "modifiers:\n",
        "impossible:\n  hired: {when: guard.size == large and guard.oath > 3}\nmodifiers:\n",
        [("impossible.hired", "added", "", "")],
        [
            ("vigilance", 1, 6, [({"guard.level": "1", "guard.oath": "4", "guard.size": "large"}, 3, "impossible")]),
            ("notice", 6, 36, []),
        ],
    ),
    "another die": (
        "die: 1d6",
        "die: 1d8",
        [("checks.notice.roll.die.dice", "changed", "1d6", "1d8")],
        [("notice", 35, 36, [(FRESH, HALF, Fraction(3, 8))])],
    ),
}


def saturday(friday_folder: Path, old: str, new: str) -> None:
    assert old in RULES
    (friday_folder / "saturday.yaml").write_text(
        RULES.replace(old, new).replace("ruleset: friday", "ruleset: saturday")
    )


def noticed(answer: Any) -> Any:
    return Fraction(answer["noticed"]) if isinstance(answer, dict) else answer


@pytest.mark.parametrize(("old", "new", "changes", "in_play"), CHANGED.values(), ids=CHANGED.keys())
def test_changes(
    friday_folder: Path,
    run: Run,
    old: str,
    new: str,
    changes: list[tuple[str, str, str, str]],
    in_play: list[tuple[str, int, int, list[Any]]],
) -> None:
    saturday(friday_folder, old, new)
    found = run("diff", "friday", "saturday", "--json")
    assert (found.code, found.err) == (1, "")
    told = json.loads(found.out)
    assert [
        (each["path"], each["kind"], *(each.get(side, {}).get("text", "") for side in ("before", "after")))
        for each in told["changes"]
    ] == changes
    played = told["in_play"]
    assert all(each["exhaustive"] for each in played)
    assert [(each.get("number") or each["check"], each["differing"], each["situations"]) for each in played] == [
        each[:3] for each in in_play
    ]
    for each, (*_, effects) in zip(played, in_play, strict=True):
        smallest = [effect["smallest"] for effect in each["effects"]]
        if effects:
            assert [(one["given"], noticed(one["before"]), noticed(one["after"])) for one in smallest] == effects


def test_a_new_word_leaves_the_others_as_they_were(friday_folder: Path, run: Run) -> None:
    """It stands before them, so that each has another code: in the table, in a default, in grades."""
    lively = "  lively: {by: guard.size, adjust: {vigilance: {small: +1, large: 0}}}\n"
    before = RULES.replace(WEARY, WEARY + lively)
    after = before.replace("words: {small:", "words: {tiny: {title: Tiny}, small:")
    after = after.replace("rows: {small:", "rows: {tiny: [1, 1, 1], small:").replace(
        "{small: +1,", "{tiny: 0, small: +1,"
    )
    (friday_folder / "friday.yaml").write_text(before)
    (friday_folder / "saturday.yaml").write_text(after.replace("ruleset: friday", "ruleset: saturday"))
    told = json.loads(run("diff", "friday", "saturday", "--json").out)
    assert [(each["path"], each["kind"]) for each in told["changes"]] == [
        ("choices.size.words.tiny", "added"),
        ("modifiers.lively.adjust.vigilance[tiny]", "added"),
        ("tables.watch.rows[tiny]", "added"),
    ]
    assert [each["differing"] for each in told["in_play"]] == [0, 0]


MANY = """\
ruleset: friday
language: 1
checks:
  omen:
    outcomes: [a, b, c, d, e, f, g]
    roll: {die: 1d1000}
    outcome: >-
      if die <= 300 then a else if die <= 500 then b else if die <= 600 then c else if die <= 700 then d
      else if die <= 800 then e else if die <= 900 then f else g
"""


def test_outcomes_that_moved_most(friday_folder: Path, run: Run) -> None:
    """To a tenth of a percent, unless that hides the change; of more than four outcomes those that moved most."""
    (friday_folder / "friday.yaml").write_text(MANY)
    after = MANY.replace("ruleset: friday", "ruleset: saturday")
    for old, new in (("300", "1"), ("500", "502"), ("600", "603"), ("700", "706"), ("800", "810"), ("900", "920")):
        after = after.replace(f"<= {old} ", f"<= {new} ")
    (friday_folder / "saturday.yaml").write_text(after)
    # In thousandths: a -299, b +301, c +1, d +3, e +4, f +10, g -20.
    shown = "a 0.1%, was 30%; b 50.1%, was 20%; f 11%, was 10%; g 8%, was 10%; and 3 outcomes by less"
    assert f"    {shown}\n" in run("diff", "friday", "saturday").out
    smallest = json.loads(run("diff", "friday", "saturday", "--json").out)["in_play"][0]["effects"][0]["smallest"]
    assert smallest["after"]["c"] == "101/1000"


@pytest.mark.parametrize(
    ("chances", "texts"),
    [
        (("1/3", "2/3"), ["~33.3%", "~66.7%"]),
        (("7/16", "5/12"), ["~43.8%", "~41.7%"]),
        # Alike to a tenth; and what is next to never or sure.
        (("1/3", "3333/10000"), ["~33.333333%", "33.33%"]),
        (("1/10000", "0"), ["0.01%", "0%"]),
        (("9999/10000", "1/2"), ["99.99%", "50%"]),
    ],
)
def test_chances_to_a_tenth(chances: tuple[str, str], texts: list[str]) -> None:
    assert percents(*map(Fraction, chances)) == texts


TINY = {
    "words: {small:": "words: {tiny: {title: Tiny}, small:",
    "rows: {small: [3, 4, 5],": "rows: {tiny: [1, 1, 2], small: [3, 4, 5],",
}
CHANGED_ROW = """\
ruleset: saturday
language: 1
extends: adnd2e
tables.calculated_thac0.rows:
  priest: [20, 20, 19, 19, 19, 19, 17, 17, 17, 15, 15, 15, 13, 13, 13, 11, 11, 11, 9, 9]
"""


def test_every_changed_cell_is_tried_both_ways(friday_folder: Path, run: Run) -> None:
    """Cell by cell against the book: one better at level 3, one worse at levels 4 to 20. Levels go up to 100."""
    (friday_folder / "saturday.yaml").write_text(CHANGED_ROW)
    told = json.loads(run("diff", "adnd2e", "saturday", "--json").out)
    rows = [(each["path"], each["before"]["line"], each["after"]["line"]) for each in told["changes"]]
    # In the order of the levels, each at the line of its row.
    assert rows == [(f"tables.calculated_thac0.rows[priest, {level}]", 12, 5) for level in range(3, 21)]
    played = {each.get("number") or each.get("check"): each for each in told["in_play"]}
    thac0 = played["thac0"]
    assert thac0["differing"] == 18
    better, worse = ({"attacker.group": "priest", "attacker.level": level} for level in ("3", "4"))
    assert [(each["situations"], each["smallest"]) for each in thac0["effects"]] == [
        (17, {"given": worse, "before": 18, "after": 19}),
        (1, {"given": better, "before": 20, "after": 19}),
    ]
    # Against armor class 0 it is the same number, and one side of the die more or less.
    for name in ("needed", "attack"):
        given = [each["smallest"]["given"] for each in played[name]["effects"]]
        assert given == [{**each, "target.armor_class": "0"} for each in (worse, better)]


OLD_HANDS = {
    "guard: {level: 1..3,": "guard: {level: 1..5,",
    "by: {size: size, level: 1..3}": "by: {size: size, level: 1..4}",
    "rows: {small: [3, 4, 5], large: [1, 2, 4]}": "rows: {small: [3, 4, 5, 6], large: [1, 2, 4, 4]}",
    "watch(its.size, its.level)": "watch(its.size, min(its.level, 4))",
}


@pytest.mark.parametrize(
    ("edits", "rows", "fact", "is_back"),
    [
        (TINY, [("tables.watch.rows[tiny]", "1, 1, 2")], "guard.size=tiny", False),
        (TINY, [("tables.watch.rows[tiny]", "1, 1, 2")], "guard.size=tiny", True),
        (
            OLD_HANDS,
            [("tables.watch.rows[small, 4]", "6"), ("tables.watch.rows[large, 4]", "4")],
            "guard.level=4..5",
            False,
        ),
    ],
)
def test_what_one_side_alone_knows_is_no_proof(
    friday_folder: Path, run: Run, edits: dict[str, str], rows: list[tuple[str, str]], fact: str, is_back: bool
) -> None:
    """A word, or levels, and the rows for them: of all that both know nothing differs, and yet they are not equal."""
    text = RULES.replace("ruleset: friday", "ruleset: saturday")
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    (friday_folder / "saturday.yaml").write_text(text)
    pair = ("saturday", "friday") if is_back else ("friday", "saturday")
    kind, side = ("removed", "before") if is_back else ("added", "after")
    changes = json.loads(run("diff", *pair, "--json").out)["changes"]
    told = {
        each["path"]: (each["kind"], each[side]["text"], each[side]["line"]) for each in changes if "[" in each["path"]
    }
    assert told == {path: (kind, text, 16) for path, text in rows}
    shown = run("diff", *pair).out
    # Two sizes, three levels; tired or not, and three kinds of oath.
    assert f"  number vigilance: the same in all 6 situations that both know\n    only in saturday: {fact}\n" in shown
    assert f"  check notice: the same in all 36 situations that both know\n    only in saturday: {fact}" in shown
    assert run("diff", *pair, "--number", "vigilance") == (
        1,
        f"vigilance of {pair[0]} and of {pair[1]} are the same in all 36 situations that both know, and not more\n"
        f"only in saturday: {fact}\n",
        "",
    )


def test_equal_rules_and_other_words(friday_folder: Path, run: Run) -> None:
    saturday(friday_folder, "", "")
    assert run("diff", "friday", "friday") == (0, "friday and friday say the same\n", "")
    assert run("diff", "friday", "saturday") == (0, "friday and saturday say the same\n", "")
    saturday(friday_folder, "title: Weary", "title: Tired")
    same = "titles, notes and sources differ in 1 place; what the rules mean is the same\n"
    assert run("diff", "friday", "saturday") == (0, same, "")


PALADIN = """\
odnd-morale -> friday

what changed
  modifiers.paladin.adjust.morale  +3 -> +2  odnd-morale, morale.yaml:86 -> friday, friday.yaml:3

what it does in play
  number morale: otherwise in 1 of 4 situations (all that can matter)
    8, was 9
      creature.hit_dice=1 creature.lawful=true paladin_present=true
"""
ODDS = """\
    stands 40%, was 45%; flees 60%, was 55% (morale 8, was 9)
      creature.hit_dice=1 creature.lawful=true paladin_present=true setting=in_combat
    stands 40%, was 45%; deserts 60%, was 55% (morale 8, was 9)
      creature.hit_dice=1 creature.lawful=true paladin_present=true setting=out_of_combat
"""


def test_a_fork_of_a_shipped_ruleset(friday_folder: Path, run: Run) -> None:
    """One hit die is 6; 3 or 2 more for the paladin; stands on a d20 up to that."""
    (friday_folder / "friday.yaml").write_text(
        "ruleset: friday\nextends: odnd-morale\nmodifiers.paladin.adjust.morale: +2\n"
    )
    found = run("diff", "odnd-morale", "friday")
    assert (found.code, found.err) == (1, "")
    assert found.out.startswith(PALADIN)
    assert ODDS in found.out
    assert "tried (there are more)" in found.out
    assert "2 answers of the examples below come out otherwise: houserule test friday" in found.out


MARKDOWN = """\
## friday → saturday

| what changed | before | after |
|---|---|---|
| `tables.watch.rows[large, 2]` | 2 (friday, friday.yaml:16) | 3 (saturday, saturday.yaml:16) |

**number vigilance: otherwise in 1 of 6 situations (all that can matter)**

| in play | in this situation |
|---|---|
| 3, was 2 | `guard.level=2 guard.size=large` |

**check notice: otherwise in 6 of 36 situations (all that can matter)**

| in play | in this situation |
|---|---|
| noticed 50%, was {third}; missed 50%, was {rest} (vigilance 3, was 2) | `guard.level=2 guard.size=large` |
"""


def test_markdown(friday_folder: Path, run: Run) -> None:
    saturday(friday_folder, "large: [1, 2, 4]", "large: [1, 3, 4]")
    assert run("diff", "friday", "saturday", "--markdown") == (
        1,
        MARKDOWN.format(third="\\~33.3%", rest="\\~66.7%"),
        "",
    )


def test_artifacts_tell_the_same(friday_folder: Path, run: Run) -> None:
    # Whatever it is called, an artifact is told by what is in it.
    assert run("build", "friday", "-o", "old.rules.json").code == 0
    assert run("build", "friday", "-o", "older.json").code == 0
    assert run("diff", "older.json", "friday").out == "older and friday say the same\n"
    (friday_folder / "no.json").write_text("{}")
    assert "this is no houserule artifact" in run("diff", "no.json", "friday").err
    saturday(friday_folder, "large: [1, 2, 4]", "large: [1, 3, 4]")
    found = run("diff", "old.rules.json", "saturday")
    assert found.code == 1
    # Of rows an artifact knows where their table begins; the files know their lines.
    told = run("diff", "friday", "saturday").out.replace("friday, friday.yaml:16", "friday, friday.yaml:12")
    assert found.out.split("\n", 1)[1] == told.split("\n", 1)[1]


FORMS = """\
ruleset: forms
language: 1
entities: {fighter: {level: 1..20, armor_class: -10..10, cloak: 0..3 = 0}}
roles: {attacker: fighter, target: fighter}
tables:
  matrix:
    by: {level: 1..20, armor_class: -10..10}
    gives: integer
    rows:
      ..6: {..3: "21 - level - armor_class", 4: "21 - level - armor_class", 5..: "21 - level - armor_class"}
      7: {..3: "21 - level - armor_class", 4: 10, 5..: "21 - level - armor_class"}
      8..: "21 - level - armor_class"
numbers:
  by_matrix: {base: "matrix(attacker.level, target.armor_class)"}
  thac0: {base: 21 - attacker.level}
  by_thac0: {base: thac0 - target.armor_class + 0 * target.cloak}
  ascending: {base: 20 - target.armor_class}
  by_ascending: {base: ascending - (attacker.level - 1)}
  target_20: {base: "20 - (attacker.level - 1 + target.armor_class)"}
"""
WRONG = """\
by_matrix and by_thac0 differ in 1 of 420 situations, 1 cell
                                         by_matrix  by_thac0
  attacker.level=7 target.armor_class=4         11        10
"""


def test_formulations_are_proved_equal(friday_folder: Path, run: Run) -> None:
    """A matrix, THAC0, ascending armor class and Target 20 over 20 levels and 21 armor classes."""
    (friday_folder / "forms.yaml").write_text(FORMS)
    for one, other in (("by_matrix", "by_ascending"), ("by_ascending", "target_20"), ("target_20", "by_matrix")):
        found = run("diff", "forms", "forms", "--number", one, "--with", other)
        assert found.out == f"{one} and {other} are equal: the same in all 420 situations that can matter\n"
        assert found.code == 0
    proved = run("diff", "forms", "forms", "--number", "by_matrix", "--with", "by_thac0")
    assert proved == (0, "by_matrix and by_thac0 are equal: the same in all 1680 situations that can matter\n", "")


def test_the_one_wrong_cell_is_named(friday_folder: Path, run: Run) -> None:
    """At level 7 against armor class 4 it is 21 - 7 - 4 = 10; the cloak, which never matters, is not named."""
    (friday_folder / "forms.yaml").write_text(FORMS.replace("4: 10", "4: 11"))
    found = run("diff", "forms", "forms", "--number", "by_matrix", "--with", "by_thac0")
    assert (found.code, found.out) == (1, WRONG.replace("1 of 420", "4 of 1680"))
    cells = json.loads(run("diff", "forms", "forms", "--number", "by_matrix", "--with", "by_thac0", "--json").out)
    assert [each["given"] for each in cells["cells"]] == [{"attacker.level": "7", "target.armor_class": "4"}]
    (friday_folder / "mended.yaml").write_text(FORMS.replace("ruleset: forms", "ruleset: mended"))
    between = run("diff", "forms", "mended", "--number", "by_matrix")
    assert (between.code, between.out) == (
        1,
        WRONG.replace("by_matrix and by_thac0", "by_matrix of forms and of mended")
        .replace(
            "                                         by_matrix  by_thac0",
            "                                         by_matrix of forms  of mended",
        )
        .replace("         11        10", "                  11         10"),
    )


def test_what_is_not_proved_is_not_claimed(friday_folder: Path, run: Run) -> None:
    wide = FORMS.replace("roles:", "facts: {a: 0..99999, b: 0..99999}\nroles:")
    (friday_folder / "forms.yaml").write_text(f"{wide}  one: {{base: a + b}}\n  two: {{base: b + a}}\n")
    found = run("diff", "forms", "forms", "--number", "one", "--with", "two")
    assert found.code == 1
    assert found.out.startswith("one and two: no difference in ")
    assert found.out.endswith(" situations tried, which are not all: not proved\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--with", "vigilance"],
            "`--with` names what of B is held against `--number` or `--sequence`; give it with one",
        ),
        (["--markdown", "--json"], "give `--markdown` or `--json`, not both"),
        (["--number", "vigilence"], "`friday` has no number `vigilence` that has a value by itself; did you mean"),
        (["--number", "vigilance", "--with", "x"], "`saturday` has no number `x` that has a value by itself; `house"),
        (["--option", "harsch=true"], "did you mean `harsh`"),
        (["--number"], "option `--number` requires an argument"),
    ],
)
def test_wrong_use(friday_folder: Path, run: Run, words: list[str], message: str) -> None:
    saturday(friday_folder, WEARY, "")
    found = run("diff", "friday", "saturday", *words)
    assert (found.code, found.out) == (2, "")
    assert message in found.err


def test_rules_that_cannot_be_compared(friday_folder: Path, run: Run) -> None:
    assert run("diff", "friday").code == 2
    assert "no ruleset named `sunday`" in run("diff", "friday", "sunday").err
    saturday(friday_folder, "its.tired", "its.tierd")
    found = run("diff", "friday", "saturday")
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith("error[unknown-name]")
    abstract = run("diff", "friday", "common")
    assert (abstract.code, abstract.out) == (1, "")


def test_a_pack_brings_facts_that_the_other_side_does_not_know(friday_folder: Path, run: Run) -> None:
    """Flanked is 2 better: THAC0 20 against armor class 0 needs a 20, or 18 and more, which is three faces of 20."""
    (friday_folder / "fork.yaml").write_text("ruleset: fork\nextends: adnd2e\nwith: [flanking]\n")
    told = json.loads(run("diff", "adnd2e", "fork", "--json").out)
    assert [each["path"] for each in told["changes"]] == [
        "facts.flankers",
        "modifiers.flanked",
        "options.flanking_bonus",
    ]
    bonus, attack = told["in_play"]
    assert (bonus["number"], bonus["effects"][0]["smallest"]["after"]) == ("attack_bonus", 2)
    witness = attack["effects"][0]["smallest"]
    assert witness["given"] == {"attacker.thac0": "20", "flankers": "2", "target.armor_class": "0"}
    assert (witness["before"]["hit"], witness["after"]["hit"]) == ("1/20", "3/20")


BLOWS = """\
ruleset: friday
language: 1
entities: {fighter: {bonus: 0..3 = 0, hit_points: -99..99 = 9, stunned: boolean = false}}
roles: {attacker: fighter, target: fighter}
checks:
  strike:
    outcomes: [hit, miss]
    roll: {die: 1d6}
    cases: {hit: {when: die > 3, outcome: hit}, miss: {outcome: miss}}
    then:
      hit:
        roll: {points: 1d4}
        values: {damage: points + attacker.bonus}
        effects: {target.hit_points: -damage}
"""
FOUR, SIX = {str(face): "1/4" for face in range(1, 5)}, {str(face): "1/6" for face in range(1, 7)}
# What is changed; what is told of it; what is given before and after, as data.
GIVEN: dict[str, tuple[str, str, str, dict[str, Any], dict[str, Any]]] = {
    # The effect says the same as the value, and is not told beside it.
    "a die of damage": (
        "points: 1d4",
        "points: 1d6",
        "hit: damage 3 1/2 on average (1 to 6), was 2 1/2 on average (1 to 4)",
        {"hit.damage": {"mean": "5/2", "low": 1, "high": 4, "chances": FOUR}},
        {"hit.damage": {"mean": "7/2", "low": 1, "high": 6, "chances": SIX}},
    ),
    "an effect alone": (
        "-damage}",
        "-2 * damage}",
        "hit: target.hit_points -5 on average (-8 to -2), was -2 1/2 on average (-4 to -1)",
        {"hit.target.hit_points": {"mean": "-5/2", "low": -4, "high": -1}},
        {"hit.target.hit_points": {"mean": -5, "low": -8, "high": -2}},
    ),
    # Of 4, 5 and 6, which hit, one.
    "an effect now and then": (
        "-damage}",
        "-damage, target.stunned: {set: true, when: die == 6}}",
        "hit: target.stunned set true ~33.333333%, none ~66.666667%, was none",
        {},
        {"hit.target.stunned set": {"chances": {"true": "1/3"}, "absent": "2/3"}},
    ),
    "twice the damage": (
        "damage: points",
        "damage: 2 * points",
        "hit: damage 5 on average (2 to 8), was 2 1/2 on average (1 to 4)",
        {"hit.damage": {"mean": "5/2"}},
        {"hit.damage": {"mean": 5, "chances": {"2": "1/4", "4": "1/4", "6": "1/4", "8": "1/4"}}},
    ),
}


@pytest.mark.parametrize(("old", "new", "line", "before", "after"), GIVEN.values(), ids=GIVEN.keys())
def test_what_a_check_gives(
    friday_folder: Path, run: Run, old: str, new: str, line: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert old in BLOWS
    (friday_folder / "friday.yaml").write_text(BLOWS)
    (friday_folder / "saturday.yaml").write_text(
        BLOWS.replace(old, new).replace("ruleset: friday", "ruleset: saturday")
    )
    # The odds are the same in the one situation there is: none is read. What is given can depend on the bonus alone.
    text = run("diff", "friday", "saturday").out
    assert "check strike: the same in all " in text
    assert f"  what check strike gives: otherwise in 4 of 4 situations (all that can matter)\n    {line}\n" in text
    assert line.replace("_", "\\_").replace("~", "\\~") in run("diff", "friday", "saturday", "--markdown").out
    told = json.loads(run("diff", "friday", "saturday", "--json").out)["in_play"][-1]
    assert (told["gives"], told["exhaustive"]) == ("strike", True)
    smallest = told["effects"][0]["smallest"]
    for side, expected in (("before", before), ("after", after)):
        assert smallest[side]["miss"] == {}
        for path, amount in expected.items():
            assert amount.items() <= smallest[side]["hit"][path].items()
