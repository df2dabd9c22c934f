"""`houserule sweep`: a grid as rows, on rules small enough to work out by hand, and on the tables of the documents.

A guard of friday.yaml is vigilant by size and level, small ones 3, 4, 5 and large ones 1, 2, 4; 1 less when tired; 1 or
2 more by oath, up to 3 and above. He notices on 1d6 up to that.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import houserule
from friday import ROOT, RULES, Run, change
from houserule_compiler.commands import reading
from houserule_compiler.commands.options import Settings
from houserule_compiler.places import Found, read
from houserule_compiler.tabular import Tabular, csv_lines

VIGILANCE = {"small": (3, 4, 5), "large": (1, 2, 4)}
# THAC0 by group at the levels 1 to 20, as 004-T01 of the inventory prints it.
THAC0 = {
    "priest": "20 20 20 18 18 18 16 16 16 14 14 14 12 12 12 10 10 10 8 8",
    "rogue": "20 20 19 19 18 18 17 17 16 16 15 15 14 14 13 13 12 12 11 11",
    "warrior": "20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1",
    "wizard": "20 20 20 19 19 19 18 18 18 17 17 17 16 16 16 15 15 15 14 14",
}
SATURDAY = [("ruleset: friday", "ruleset: saturday"), ("large: [1, 2, 4]", "large: [1, 3, 4]")]


BUILT: dict[object, object] = {}


@pytest.fixture(autouse=True)
def builds_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling is most of the work of a command; most tests here ask the very same rules."""
    built = reading.built

    def kept_or_built(found: Found, settings: Settings) -> object:
        key = found.name, settings.limits, read(found, settings.limits)[0].files
        if key not in BUILT:
            BUILT[key] = built(found, settings)
        return BUILT[key]

    monkeypatch.setattr(reading, "built", kept_or_built)


ODD = """\
ruleset: odd
language: 1
choices: {mood: {words: [calm, wary]}}
facts:
  hd: hit_dice 0..4
  part: fraction 0..2
  moods: set of mood
  die: dice <= 2d12
numbers:
  dice: {base: floor(hd.dice)}
  shares: {base: part + 1 / 4, gives: fraction}
  moody: {base: 0}
modifiers:
  wary: {when: wary in moods, adjust: {moody: +1}}
checks:
  thrown: {outcomes: [low, high], roll: {it: die}, cases: {low: {when: it < 4, outcome: low}, high: {outcome: high}}}
"""


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def saturday(folder: Path) -> None:
    """The same rules with another cell: large guards of level 2 are at 3."""
    text = RULES
    for old, new in SATURDAY:
        assert old in text
        text = text.replace(old, new)
    (folder / "saturday.yaml").write_text(text)


class TestRows:
    def test_a_number(self, run: Run) -> None:
        found = run("sweep", "friday", "vigilance", "guard.size=..", "guard.level=1..3")
        assert found.code == 0
        cells = [f"{size},{at + 1},{value}" for size, row in VIGILANCE.items() for at, value in enumerate(row)]
        assert found.out.splitlines() == ["guard.size,guard.level,vigilance", *cells]
        assert found.err == ""

    def test_a_check(self, run: Run) -> None:
        found = run("sweep", "friday", "notice", "guard.level=3,1", "guard.size=large")
        assert found.out.splitlines() == [
            "guard.level,noticed.numerator,noticed.denominator,noticed.percent,"
            "missed.numerator,missed.denominator,missed.percent",
            "3,2,3,66.666667,1,3,33.333333",
            "1,1,6,16.666667,5,6,83.333333",
        ]

    def test_one_outcome_and_facts_from_a_file(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "facts.yaml").write_text("guard: {size: large, level: 9, oath: 5}\n")
        found = run("sweep", "friday", "notice", "--facts", "facts.yaml", "guard.level=1..2", "--outcome", "missed")
        # With an oath of 5 the large guard of level 1 is at 3, that of level 2 at 4; the level of the file is not used.
        assert found.out.splitlines()[1:] == ["1,1,2,50", "2,1,3,33.333333"]
        assert found.out.startswith("guard.level,missed.numerator,")

    def test_given_dice_give_outcomes(self, run: Run) -> None:
        found = run("sweep", "friday", "notice", "guard.level=..", "guard.size=large", "--dice", "die=3")
        assert found.out.splitlines() == ["guard.level,outcome", "1,missed", "2,missed", "3,noticed"]

    def test_an_option(self, run: Run) -> None:
        found = run("sweep", "friday", "vigilance", "guard.level=..", "--option", "harsh=true")
        assert [each["vigilance"] for each in rows(found.out)] == ["2", "3", "4"]

    def test_nothing_varies(self, run: Run) -> None:
        assert run("sweep", "friday", "vigilance", "guard.level=2").out == "vigilance\n4\n"

    @pytest.mark.parametrize(
        ("fact", "written", "values"),
        [
            ("guard.level", "1..3", "1 2 3"),
            ("guard.level", "3..1", "3 2 1"),
            ("guard.level", "..", "1 2 3"),
            ("guard.level", "*", "1 2 3"),
            ("guard.level", "2..", "2 3"),
            ("guard.level", "..2", "1 2"),
            ("guard.level", "1..3:2", "1 3"),
            ("guard.level", "..:2", "1 3"),
            ("guard.level", "3..1:2", "3 1"),
            ("guard.level", "3, 1..2 ,1", "3 1 2"),
            ("guard.oath", "1..9:4,unknown", "1 5 9 unknown"),
            ("guard.size", "large,small", "large small"),
            ("guard.size", "large..small", "large small"),
            ("guard.tired", "*", "false true"),
            ("guard.tired", "true", ""),
        ],
    )
    def test_ranges(self, run: Run, fact: str, written: str, values: str) -> None:
        level = [] if fact == "guard.level" else ["guard.level=1"]
        found = rows(run("sweep", "friday", "vigilance", f"{fact}={written}", *level).out)
        assert " ".join(each[fact] for each in found if fact in each) == values

    @pytest.mark.parametrize(
        ("name", "written", "values"),
        [
            # From one die to the next, and half a die before the first.
            ("dice", "hd=1/2..3", "1/2 1 2 3"),
            ("dice", "hd=3+1..1+1", "3+1 2+1 1+1"),
            ("dice", "hd=0..4:2", "0 1 3"),
            ("dice", "hd=1-1,2+3", "1-1 2+3"),
            ("shares", "part=0..1:1/4", "0 1/4 1/2 3/4 1"),
            ("shares", "part=2..1/2:1/2", "2 3/2 1 1/2"),
            ("shares", "part=..", "0 1 2"),
            ("moody", "moods=..", " calm wary calm|wary"),
            ("moody", "moods=wary,calm|wary", "wary calm|wary"),
        ],
    )
    def test_values_of_other_types(self, run: Run, friday_folder: Path, name: str, written: str, values: str) -> None:
        (friday_folder / "odd.yaml").write_text(ODD)
        found = rows(run("sweep", "odd", name, written).out)
        assert " ".join(each[written.partition("=")[0]] for each in found) == values

    def test_a_fraction_is_exact(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "odd.yaml").write_text(ODD)
        assert run("sweep", "odd", "shares", "part=0..1:1/3").out.splitlines() == [
            "part,shares.numerator,shares.denominator,shares.decimal",
            "0,1,4,0.25",
            "1/3,7,12,0.583333",
            "2/3,11,12,0.916667",
            "1,5,4,1.25",
        ]

    @pytest.mark.parametrize(
        ("name", "written", "message"),
        [
            (
                "moody",
                "moods=calm..wary",
                "`moods`: `calm..wary` is a range, and its values have no order; write a list",
            ),
            ("thrown", "die=..", "`die`: not all dice can be tried; write those that you mean: 1d6,1d8"),
            ("thrown", "die=1d6..1d8", "`die`: `1d6..1d8` is a range, and its values have no order"),
            ("shares", "part=0..1:0/4", "the step of `0..1:0/4` is no number above 0; write 0..2:1/4"),
            ("shares", "part=0..1:1/0", "the step of `0..1:1/0` is no number above 0; write 0..2:1/4"),
            ("shares", "part=0..0.5", "write a fraction as 1/2, never with a point"),
            ("dice", "hd=1..5d", "expected hit dice from 0 to 4+9, found `5d`; write hit dice as 1/2, 4 or 4+3"),
        ],
    )
    def test_values_of_other_types_that_are_refused(
        self, run: Run, friday_folder: Path, name: str, written: str, message: str
    ) -> None:
        (friday_folder / "odd.yaml").write_text(ODD)
        found = run("sweep", "odd", name, written)
        assert (found.code, found.out) == (2, "")
        assert message in found.err

    def test_what_is_asked_as_on_the_whole_tables(self, run: Run) -> None:
        found = run("sweep", "adnd2e", "thac0", "attacker.group=*", "attacker.level=1..20")
        told = {
            group: " ".join(each["thac0"] for each in rows(found.out) if each["attacker.group"] == group)
            for group in THAC0
        }
        assert told == THAC0

    def test_every_cell_is_what_a_single_question_answers(self, run: Run) -> None:
        words = ["guard.size=..", "guard.level=..", "guard.tired=..", "guard.oath=..,unknown"]
        found = rows(run("sweep", "friday", "checks.notice", *words, "--outcome", "noticed").out)
        assert len(found) == 2 * 3 * 2 * 10
        for each in found:
            oath = 0 if each["guard.oath"] == "unknown" else 1 if int(each["guard.oath"]) <= 3 else 2
            base = VIGILANCE[each["guard.size"]][int(each["guard.level"]) - 1]
            target = base + oath - (each["guard.tired"] == "true")
            chance = Fraction(int(each["noticed.numerator"]), int(each["noticed.denominator"]))
            assert chance == Fraction(min(max(target, 0), 6), 6), each

    def test_a_bar_on_a_terminal_alone(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("houserule_compiler.commands.sweep._BAR_FROM", 3)
        assert run("sweep", "friday", "vigilance", "guard.level=1..3").err == ""
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        found = run("sweep", "friday", "vigilance", "guard.level=1..3")
        assert "100%" in found.err
        assert found.out == "guard.level,vigilance\n1,3\n2,4\n3,5\n"
        assert run("sweep", "friday", "vigilance", "guard.level=1..2").err == ""

    def test_cells_without_an_answer_are_empty_and_told(self, run: Run, friday_folder: Path) -> None:
        impossible = "impossible: {nap: {title: Nobody naps, when: guard.tired and guard.level == 2}}\nroles:"
        change(friday_folder, "roles:", impossible)
        found = run("sweep", "friday", "vigilance", "guard.level=..", "guard.tired=..")
        assert [each["vigilance"] for each in rows(found.out)] == ["3", "2", "4", "", "5", "4"]
        assert found.err.startswith("note: 1 of 6 cells is empty, the first because impossible: Nobody naps (")
        assert found.code == 0
        none = run("sweep", "friday", "vigilance", "guard.level=2", "guard.tired=true", "guard.size=..")
        assert none.code == 2
        assert none.err.startswith("houserule: impossible: Nobody naps (")
        assert none.out == ""

    @pytest.mark.parametrize(
        "words",
        [
            ("friday", "vigilance", "guard.size=..", "guard.oath=..,unknown"),
            ("friday", "notice", "guard.size=..", "guard.oath=..,unknown"),
            ("friday", "notice", "guard.size=large,small", "--outcome", "missed"),
            ("friday", "moody", "guard.moods=.."),
        ],
    )
    def test_columns_answer_as_single_questions_do(
        self, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
    ) -> None:
        if not hasattr(houserule.Rules, "batch"):
            pytest.skip("needs batches")
        pytest.importorskip("numpy")
        impossible = "impossible: {nap: {title: Nobody naps, when: guard.tired and guard.level == 2}}\nroles:"
        change(friday_folder, "roles:", impossible)
        change(friday_folder, "oath: 1..9?", "oath: 1..9?, moods: set of size")
        change(friday_folder, "numbers:\n", "numbers:\n  moody: {of: guard, base: its.level}\n")
        change(
            friday_folder,
            "modifiers:\n",
            "modifiers:\n  mood: {when: small in its.moods and not its.tired, adjust: {moody: +1}}\n",
        )
        asked = ("sweep", *words, "guard.level=..", "guard.tired=..")
        found = []
        for least in (0, 10**9):
            monkeypatch.setattr("houserule_compiler.asked.LEAST", {"number": least, "check": least})
            found.append(run(*asked))
        assert found[0] == found[1]
        assert found[0].code == 0
        assert ",,\n" in found[0].out or ",\n" in found[0].out

    def test_a_set_that_stays_is_one(self, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("numpy")
        monkeypatch.setattr("houserule_compiler.asked.LEAST", {"number": 0, "check": 0})
        change(friday_folder, "oath: 1..9?", "oath: 1..9?, moods: set of size")
        change(friday_folder, "numbers:\n", "numbers:\n  moody: {of: guard, base: its.level}\n")
        change(
            friday_folder,
            "modifiers:\n",
            "modifiers:\n  mood: {when: small in its.moods, adjust: {moody: +1}}\n",
        )
        Path("moods.yaml").write_text("guard: {moods: [small, large]}\n")
        # As many words as cells: each cell has both.
        found = run("sweep", "friday", "moody", "guard.level=1..2", "--facts", "moods.yaml")
        assert found.out == "guard.level,moody\n1,2\n2,3\n"


class TestSummary:
    def test_by_a_fact(self, run: Run) -> None:
        words = ["vigilance", "guard.level=..", "guard.size=..", "--summary", "--by", "guard.size"]
        assert run("sweep", "friday", *words).out.splitlines() == [
            "guard.size,of,cells,least,most,mean.numerator,mean.denominator,mean.decimal",
            "small,vigilance,3,3,5,4,1,4",
            "large,vigilance,3,1,4,7,3,2.333333",
        ]

    def test_of_all_cells(self, run: Run) -> None:
        found = rows(run("sweep", "friday", "notice", "guard.level=..", "guard.size=..", "--summary").out)
        # 3 + 4 + 5 + 1 + 2 + 4 of 36.
        assert [found[0][f"mean.{each}"] for each in ("numerator", "denominator", "percent")] == [
            "19",
            "36",
            "52.777778",
        ]
        assert [each["of"] for each in found] == ["noticed", "missed"]
        assert [found[0]["least.numerator"], found[0]["most.numerator"], found[0]["most.denominator"]] == [
            "1",
            "5",
            "6",
        ]


class TestAgainst:
    def test_both_values_and_the_difference(self, run: Run, friday_folder: Path) -> None:
        saturday(friday_folder)
        found = run("sweep", "friday", "vigilance", "guard.level=..", "guard.size=large", "--against", "saturday")
        assert found.out.splitlines() == [
            "guard.level,vigilance.friday,vigilance.saturday,vigilance.difference",
            "1,1,1,0",
            "2,2,3,-1",
            "3,4,4,0",
        ]

    def test_chances(self, run: Run, friday_folder: Path) -> None:
        saturday(friday_folder)
        words = ["guard.level=2", "guard.size=large,small", "--against", "saturday", "--outcome", "noticed", "--json"]
        found = json.loads(run("sweep", "friday", "notice", *words).out)
        assert found == {
            "ruleset": "friday",
            "against": "saturday",
            "check": "notice",
            "facts": {"guard.level": 2},
            "columns": ["guard.size", "noticed.friday", "noticed.saturday", "noticed.difference"],
            "rows": [["large", "1/3", "1/2", "-1/6"], ["small", "2/3", "2/3", "0"]],
        }

    def test_what_one_does_not_know_is_left_out_there(self, run: Run, friday_folder: Path) -> None:
        saturday(friday_folder)
        text = (friday_folder / "saturday.yaml").read_text().replace(", tired: boolean = false", "")
        text = text.replace("  weary: {title: Weary, when: its.tired, adjust: {vigilance: -1}}\n", "")
        (friday_folder / "saturday.yaml").write_text(text)
        found = run("sweep", "friday", "vigilance", "guard.level=1", "guard.tired=..", "--against", "saturday")
        assert [each["vigilance.difference"] for each in rows(found.out)] == ["0", "-1"]

    def test_two_numbers_of_one_ruleset(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "numbers:\n", 'numbers:\n  flat: {of: guard, base: "3"}\n')
        found = run("sweep", "friday", "vigilance", "guard.level=..", "--with", "flat")
        assert found.out.startswith("guard.level,vigilance.vigilance,vigilance.flat,vigilance.difference\n")
        assert [list(each.values()) for each in rows(found.out)] == [
            ["1", "3", "3", "0"],
            ["2", "4", "3", "1"],
            ["3", "5", "3", "2"],
        ]

    def test_one_ruleset_with_another_option(self, run: Run) -> None:
        words = [
            "guard.level=1,2",
            "guard.size=large",
            "--outcome",
            "noticed",
            "--against-option",
            "harsh=true",
            "--json",
        ]
        found = json.loads(run("sweep", "friday", "notice", *words).out)
        assert found["columns"] == ["guard.level", "noticed.friday", "noticed.otherwise", "noticed.difference"]
        assert found["rows"] == [[1, "1/6", "0", "1/6"], [2, "1/3", "1/6", "1/6"]]

    def test_an_option_that_one_of_both_has(self, run: Run, friday_folder: Path) -> None:
        saturday(friday_folder)
        change(friday_folder, "options: {harsh: boolean = false}\n", "")
        change(friday_folder, "  cold: {when: harsh, adjust: {vigilance: -1}}\n", "")
        words = ["guard.level=1", "--option", "harsh=true", "--against", "saturday"]
        assert run("sweep", "friday", "vigilance", *words).out.splitlines()[1] == "3,2,1"

    def test_outcomes_that_one_of_both_has(self, run: Run, friday_folder: Path) -> None:
        saturday(friday_folder)
        text = (friday_folder / "saturday.yaml").read_text().replace("[noticed, missed]", "[noticed, missed, asleep]")
        text = text.replace("      missed: {", "      asleep: {when: die == 6, outcome: asleep}\n      missed: {")
        (friday_folder / "saturday.yaml").write_text(text)
        words = ["guard.level=1", "guard.size=large", "--against", "saturday"]
        found = json.loads(run("sweep", "friday", "notice", *words, "--json").out)
        told = dict(zip(found["columns"], found["rows"][0], strict=True))
        assert (told["missed.friday"], told["missed.saturday"], told["missed.difference"]) == ("5/6", "2/3", "1/6")
        assert (told["asleep.friday"], told["asleep.saturday"], told["asleep.difference"]) == (None, "1/6", None)
        refused = run("sweep", "friday", "notice", *words, "--outcome", "asleep")
        assert refused.err == "houserule: `notice` has no outcome `asleep`; it has noticed, missed\n"


LEVEL = "guard.level=1..3"


class TestRefused:
    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("vigilence", LEVEL), "`friday` has no number or check `vigilence`; did you mean `vigilance`?"),
            (("checks.notise", LEVEL), "`friday` has no check `notise`; did you mean `notice`?"),
            (("watch", LEVEL), "`friday` has no number or check `watch`; "),
            (("vigilance", "level"), "expected FACT=RANGE, found `level`"),
            (("vigilance", LEVEL, LEVEL), "`guard.level` is given twice"),
            (("vigilance", LEVEL, "guard.sise=.."), "`guard` has no field `sise`; did you mean `size`?"),
            (("vigilance", "guard.level=1..4"), "`guard.level`: expected a whole number from 1 to 3, found 4"),
            (("vigilance", "guard.level=0..3"), "`guard.level`: expected a whole number from 1 to 3, found 0"),
            (("vigilance", "guard.level=1..x"), "`guard.level`: expected a whole number from 1 to 3, found `x`"),
            (("vigilance", "guard.level=1,,3"), "`guard.level`: expected a whole number from 1 to 3, found ``"),
            (("vigilance", "guard.level=1-3"), "`guard.level`: expected a whole number from 1 to 3, found `1-3`"),
            (("vigilance", "guard.level=1..3:0"), "`guard.level`: the step of `1..3:0` is no number above 0"),
            (("vigilance", "guard.level=1..3:-1"), "`guard.level`: the step of `1..3:-1` is no number above 0"),
            (("vigilance", "guard.level=1..3:1/2"), "`guard.level`: the step of `1..3:1/2` is no whole number"),
            (("vigilance", "guard.level=1..3/2"), "`guard.level`: expected a whole number from 1 to 3, found `3/2`"),
            (("vigilance", "guard.level=unknown"), "found unknown; it must be known"),
            (("vigilance", LEVEL, "guard.oath=1..unknown"), "`guard.oath`: unknown is no end of a range"),
            (("vigilance", LEVEL, "guard.size=lagre,small"), "found `lagre`; did you mean `large`?"),
            (("vigilance", "guard.size=.."), "`guard.level` is missing: a whole number from 1 to 3"),
            (("vigilance", LEVEL, "--outcome", "noticed"), "`--outcome` is for checks, and `vigilance` is a number"),
            (("vigilance", LEVEL, "--dice", "die=1"), "`--dice` is for checks, and `vigilance` is a number"),
            (("notice", LEVEL, "--outcome", "notised"), "`notice` has no outcome `notised`; did you mean `noticed`?"),
            (("notice", LEVEL, "--dice", "dye=1"), "`notice` rolls no die `dye`; did you mean `die`?"),
            (("notice", LEVEL, "--dice", "die=7"), "`die` is 7, and 1d6 gives 1 to 6"),
            (("notice", LEVEL, "--dice", "die=1", "--outcome", "noticed"), "leave out `--outcome`"),
            (("notice", LEVEL, "--dice", "die=1", "--summary"), "words have no mean"),
            (("notice", LEVEL, "--by", "guard.level"), "`--by` is for `--summary`; write both"),
            (("notice", LEVEL, "--summary", "--by", "guard.levle"), "does not vary here; did you mean `guard.level`?"),
            (("notice", LEVEL, "--with", "other"), "`friday` has no check `other`"),
            (("notice", LEVEL, "--against-option", "hash=true"), "no option `hash`; did you mean `harsh`?"),
            (("notice", LEVEL, "--against-option", "harsh"), "after `--against-option`, found `harsh`"),
            (("notice", LEVEL, "--against", "sunday"), "no ruleset named `sunday`"),
            (("notice", LEVEL, "--against", "./friday.yaml", "--with", "numbers.vigilance"), "is held against a check"),
            (("notice", LEVEL, "--option", "hash=true"), "no option `hash`; did you mean `harsh`?"),
            (("notice", LEVEL, "-o", "out.xlsx"), "`out.xlsx` is no file that `sweep` writes; its name ends in .csv"),
            (("notice", LEVEL, "-o", "no/out.csv"), "`no/out.csv` cannot be written: there is no such folder"),
            (("notice", LEVEL, "-o", "out.csv", "--untrusted"), "`out.csv` is not written for untrusted rules"),
            (("notice", LEVEL, "--limit", "cells=2"), "this grid has 3 cells, and 2 are allowed; sweep fewer values"),
            (("notice", "guard.level=1", "--plot"), "a picture needs a fact that varies"),
            (("notice", LEVEL, "--summary", "-o", "out.svg"), "a summary is not drawn"),
            (
                ("notice", LEVEL, "guard.size=..", "guard.tired=..", "guard.oath=1,2", "--plot"),
                "a picture shows up to three facts, and 4 vary here: guard.level, guard.size, guard.tired, guard.oath",
            ),
        ],
    )  # fmt: skip
    def test_one_line_says_what_to_do(
        self, run: Run, friday_folder: Path, words: tuple[str, ...], message: str
    ) -> None:
        found = run("sweep", "friday", *words)
        assert found.code == 2
        assert found.out == ""
        assert found.err.startswith("houserule: ")
        assert message in found.err
        assert found.err.count("\n") == 1
        assert [each.name for each in friday_folder.iterdir()] == ["friday.yaml"]

    def test_everything_at_once(self, run: Run) -> None:
        words = ["guard.size=lagre", "guard.tierd=..", "guard.oath=1..99", "guard.tired=true..false:x"]
        found = run("sweep", "friday", "vigilance", *words)
        assert found.err.splitlines() == [
            "houserule: `guard.size`: expected one of small, large, found `lagre`; did you mean `large`?",
            "houserule: `guard` has no field `tierd`; did you mean `tired`?",
            "houserule: `guard.oath`: expected a whole number from 1 to 9, found 99",
            "houserule: `guard.tired`: the step of `true..false:x` is no number above 0; write 1..20:5",
            "houserule: `guard.level` is missing: a whole number from 1 to 3; give `guard.level`",
        ]
        told = json.loads(run("sweep", "friday", "vigilance", *words, "--json").out)["problems"]
        assert [each["code"] for each in told] == [
            "wrong-type",
            "unknown-name",
            "out-of-range",
            "bad-step",
            "missing-fact",
        ]

    def test_a_fact_that_is_not_read(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "oath: 1..9?", "oath: 1..9?, shoes: 1..9 = 1")
        found = run("sweep", "friday", "vigilance", LEVEL, "guard.shoes=1..3")
        assert "`vigilance` does not read `guard.shoes`, so nothing varies with it; it reads guard.level" in found.err
        assert run("sweep", "friday", "vigilance", LEVEL, "guard.shoes=3").code == 0

    def test_a_number_and_a_check_of_one_name(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "  notice:", "  vigilance:")
        found = run("sweep", "friday", "vigilance", LEVEL)
        assert found.err == (
            "houserule: `vigilance` is a number and a check; write `numbers.vigilance` or `checks.vigilance`\n"
        )
        assert run("sweep", "friday", "numbers.vigilance", LEVEL).out.startswith("guard.level,vigilance\n")
        assert run("sweep", "friday", "vigilance", LEVEL, "--outcome", "noticed").code == 0

    def test_what_the_other_ruleset_refuses_names_it(self, run: Run, friday_folder: Path) -> None:
        saturday(friday_folder)
        text = (friday_folder / "saturday.yaml").read_text().replace("oath: 1..9?", "oath: 1..5?, badge: boolean")
        text = text.replace("modifiers:\n", "modifiers:\n  badge: {when: its.badge, adjust: {vigilance: +1}}\n")
        (friday_folder / "saturday.yaml").write_text(text)
        found = run("sweep", "friday", "vigilance", LEVEL, "guard.oath=1..9", "--against", "saturday")
        assert found.err.splitlines() == [
            "houserule: in `saturday`: `guard.oath`: expected a whole number from 1 to 5, found 6",
            "houserule: in `saturday`: `guard.badge` is missing: true or false; give `guard.badge`",
        ]

    def test_rules_with_errors(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired, adjust", "its.tierd, adjust")
        found = run("sweep", "friday", "vigilance", LEVEL)
        assert found.code == 1
        assert "error[unknown-name]" in found.err


class TestFiles:
    def test_each_by_its_suffix(self, run: Run, friday_folder: Path) -> None:
        words = ["vigilance", LEVEL, "-o", "out.csv", "-o", "out.json", "-o", "out.svg"]
        found = run("sweep", "friday", *words)
        assert (found.code, found.out) == (0, "")
        sizes = {each: (friday_folder / each).stat().st_size for each in ("out.csv", "out.json", "out.svg")}
        assert found.err.splitlines() == [f"wrote {name}: 3 cells, {size} bytes" for name, size in sizes.items()]
        printed = run("sweep", "friday", "vigilance", LEVEL).out
        assert (friday_folder / "out.csv").read_text() == printed == "guard.level,vigilance\n1,3\n2,4\n3,5\n"
        assert json.loads((friday_folder / "out.json").read_text())["rows"] == [[1, 3], [2, 4], [3, 5]]
        assert sorted(each.name for each in friday_folder.iterdir()) == ["friday.yaml", *sorted(sizes)]

    def test_what_was_there_stays_where_the_sweep_fails(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "out.csv").write_text("mine\n")
        assert run("sweep", "friday", "vigilance", "guard.level=1..4", "-o", "out.csv").code == 2
        assert (friday_folder / "out.csv").read_text() == "mine\n"

    def test_printed_beside_a_file(self, run: Run) -> None:
        assert run("sweep", "friday", "vigilance", LEVEL, "-o", "-", "-o", "out.csv").out.startswith("guard.level,")
        assert run("sweep", "friday", "vigilance", LEVEL, "-o", "-", "--untrusted").code == 0

    def test_parquet(self, run: Run, friday_folder: Path) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        words = ["guard.level=1,3", "guard.oath=1,unknown", "guard.size=large", "guard.tired=false,true"]
        assert run("sweep", "friday", "notice", *words, "--outcome", "noticed", "-o", "out.parquet").code == 0
        table = parquet.read_table("out.parquet")
        assert {each.name: str(each.type) for each in table.schema} == {
            "guard.level": "int64",
            "guard.oath": "int64",
            "guard.tired": "bool",
            "noticed.numerator": "int64",
            "noticed.denominator": "int64",
            "noticed.percent": "decimal128(38, 6)",
        }
        assert table.column("guard.oath").to_pylist() == [1, 1, None, None] * 2
        # Large, level 1: 1, with the oath 2, tired 1 less.
        assert table.column("noticed.numerator").to_pylist()[:4] == [1, 1, 1, 0]
        assert str(table.column("noticed.percent").to_pylist()[1]) == "16.666667"

    def test_without_pyarrow_there_is_a_way(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        found = run("sweep", "friday", "vigilance", LEVEL, "-o", "out.parquet")
        assert found.code == 2
        assert found.err == (
            "houserule: `out.parquet` needs pyarrow, which is not installed; "
            "`pip install 'houserule[parquet]'`, or write a `.csv`\n"
        )

    def test_who_reads_no_further_ends_it(self, friday_folder: Path) -> None:
        paths = os.pathsep.join(map(str, (ROOT / "compiler", ROOT / "runtime")))
        words = ["sweep", "friday", "notice", LEVEL, "guard.size=..", "guard.tired=..", "guard.oath=.."]
        code = f"import sys\nfrom houserule_compiler.cli import main\nsys.exit(main({words!r}))"
        ran = subprocess.Popen(
            [sys.executable, "-B", "-c", code],
            cwd=friday_folder,
            env={**os.environ, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.close()
        assert (ran.wait(), ran.stderr.read()) == (0, b"")
        ran.stderr.close()


def test_no_text_becomes_a_formula_and_nothing_hides() -> None:
    texts = ["=1+1", "+1", "-1", "@x", 'a,"b"', "a\nb", "\x1b[2J", "plain", "a=b"]
    table = Tabular((("=head", "fact"), ("value", "whole")), [(text, -1) for text in texts])
    assert "".join(csv_lines(table)) == (
        '\'=head,value\n\'=1+1,-1\n\'+1,-1\n\'-1,-1\n\'@x,-1\n"a,""b""",-1\na\\nb,-1\n\\u{1b}[2J,-1\nplain,-1\na=b,-1\n'
    )


BLOW = """\
ruleset: blow
language: 1
facts: {need: 2..21, extra: 0..3 = 0}
checks:
  blow:
    outcomes: [hit, miss]
    roll: {d20: 1d20}
    cases: {hit: {when: d20 >= need, outcome: hit}, miss: {outcome: miss}}
    then: {hit: {roll: {points: 1d8}, values: {damage: points + extra, is_high: points > 6}}}
"""


class TestOf:
    """The mean of 1d8 is 9/2: with 11 faces of 20 that hit it is 99/40 overall, with none there is no mean."""

    @pytest.fixture(autouse=True)
    def rules(self, friday_folder: Path) -> None:
        (friday_folder / "blow.yaml").write_text(BLOW)

    def test_the_mean_of_a_value(self, run: Run) -> None:
        assert run("sweep", "blow", "blow", "need=10,21", "--of", "hit.damage").out.splitlines()[1:] == [
            "10,11,20,55,9,2,4.5,99,40,2.475",
            "21,0,1,0,,,,0,1,0",
        ]

    def test_as_a_summary_and_as_a_picture(self, run: Run) -> None:
        summed = run("sweep", "blow", "blow", "need=10,21", "--of", "hit.damage", "--summary").out.splitlines()
        assert summed[-1] == "overall,2,0,1,0,99,40,2.475,99,80,1.2375"
        drawn = run("sweep", "blow", "blow", "need=..", "extra=..", "--of", "hit.damage", "--plot")
        assert (drawn.code, drawn.err) == (0, "")
        assert drawn.out.startswith("blow: mean of hit.damage, overall")
        assert run("sweep", "blow", "blow", "need=..", "--of", "hit.damage", "--plot").code == 0

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["--of", "damage"], "`blow` has no die or value `damage`; did you mean `hit.damage`?"),
            (["--of", "hit.is_high"], "`hit.is_high` is no number, and has no mean"),
            (["--of", "hit.damage", "--outcome", "hit"], "`--of` asks for a value, and `--outcome` for outcomes"),
        ],
    )
    def test_what_has_no_mean(self, run: Run, words: list[str], told: str) -> None:
        found = run("sweep", "blow", "blow", "need=10,21", *words)
        assert told in found.err
        assert found.out == ""
