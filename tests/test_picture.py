"""Pictures of sweeps: what is drawn in a terminal, character by character, and SVG that anybody can read."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from friday import RULES, Run, change
from houserule_compiler.palette import DIVERGING, RISING, colour, is_dark
from houserule_compiler.picture import Curves, HeatMap, Picture, Scale, Side, ticks_of
from houserule_compiler.picture_svg import svg
from houserule_compiler.picture_text import Canvas, drawn
from houserule_compiler.wrong_use import WrongUse

SVG = "{http://www.w3.org/2000/svg}"
LEVEL = "guard.level=1..3"
WHOLE = Scale("whole", Fraction(1), Fraction(5), False)


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def titles(root: ElementTree.Element, of: str) -> list[str]:
    return [str(each.findtext(f"{SVG}title")) for each in root.iter() if each.get("class") == of]


class TestTerminal:
    def test_a_map_of_two_facts(self, run: Run) -> None:
        found = run("sweep", "friday", "vigilance", "guard.size=..", LEVEL, "guard.tired=true", "--plot")
        # Small 3, 4, 5 and large 1, 2, 4, all less 1.
        assert found.out.splitlines() == [
            "vigilance",
            "with guard.tired true",
            "",
            "small  2▒ 3▓ 4█",
            "large  0  1░ 3▓",
            "        1  2  3",
            "      guard.level by guard.size",
            "",
            "[ ] 0  [░] 1  [▒] 2  [▓] 3  [█] 4",
        ]

    def test_one_map_for_each_value_of_a_third(self, run: Run) -> None:
        found = run(
            "sweep", "friday", "notice", "guard.tired=..", "guard.size=large", "guard.oath=1,9", LEVEL, "--plot"
        )
        lines = found.out.splitlines()
        assert lines[:2] == ["notice: chance of noticed", "with guard.size large"]
        # Sixths: 2, 3, 5 and 3, 4, 6; tired 1, 2, 4 and 2, 3, 5.
        assert lines[3:6] == ["guard.tired false", "1   33░  50▒  83█", "9   50▒  67▓ 100█"]
        assert lines[9:12] == ["guard.tired true", "1   17   33░  67▓", "9   33░  50▒  83█"]

    def test_curves_over_one_fact(self, run: Run) -> None:
        found = run("sweep", "friday", "notice", "guard.size=large", LEVEL, "--plot").out.splitlines()
        field = found[3:24]
        marks = {(mark, at): row for row, line in enumerate(field) for at, mark in enumerate(line[6:]) if mark in "●▲"}
        # Lines are twentieths: 1/6, 1/3 and 2/3 noticed are 3, 7 and 13 of them, and what is left of 1 missed.
        assert marks == {("●", 0): 17, ("●", 6): 13, ("●", 12): 7, ("▲", 0): 3, ("▲", 6): 7, ("▲", 12): 13}
        assert field[0].startswith(" 100%│")
        assert field[-1].startswith("   0%│")
        assert found[24:] == [
            "     └─────────────",
            "      1     2     3",
            "      guard.level",
            "",
            "● noticed",
            "▲ missed",
        ]

    def test_words_that_dice_give(self, run: Run) -> None:
        found = run("sweep", "friday", "notice", "guard.size=..", LEVEL, "--dice", "die=4", "--plot").out.splitlines()
        assert found[2:4] == ["small   missed█ noticed  noticed", "large   missed█  missed█ noticed"]

    def test_a_difference_is_dark_where_it_is_large(self, run: Run, friday_folder: Path) -> None:
        text = RULES.replace("ruleset: friday", "ruleset: saturday").replace("large: [1, 2, 4]", "large: [1, 3, 2]")
        (friday_folder / "saturday.yaml").write_text(text)
        found = run("sweep", "friday", "vigilance", "guard.size=..", LEVEL, "--against", "saturday", "--plot").out
        assert found.splitlines()[0] == "vigilance, friday minus saturday"
        assert found.splitlines()[2:4] == ["small   0   0   0", "large   0  -1▒ +2█"]

    def test_without_unicode_and_with_colour(self) -> None:
        side = Side("a", ("x", "y"))
        picture = HeatMap("t", "", side, side, WHOLE, (("", ((1, 5), (None, 3))),))
        assert drawn(picture, Canvas(80, True)).splitlines()[2:4] == ["x  1  5#", "y   ? 3:"]
        coloured = Canvas(80, False, lambda text, found, dark: f"<{text}|{found[0]}|{'w' if dark else 'b'}>")
        assert drawn(picture, coloured).splitlines()[2] == "x < 1|0|w>< 5|255|b>"

    def test_wide_maps_lose_their_numbers_then_are_refused(self) -> None:
        side = Side("a", tuple(map(str, range(50))))
        picture = HeatMap("t", "", side, Side("", ("",)), Scale("whole", Fraction(0), Fraction(49), False),
                          (("", (tuple(range(50)),)),))  # fmt: skip
        assert drawn(picture, Canvas(60, False)).splitlines()[2].strip().startswith("░")
        with pytest.raises(
            WrongUse, match=r"is 51 columns wide and the terminal 40; widen it, or write it with `-o FI"
        ):
            drawn(picture, Canvas(40, False))

    def test_many_points_share_columns(self) -> None:
        side = Side("a", tuple(map(str, range(500))))
        picture = Curves("t", "", side, tuple(range(500)), True, Scale("whole", Fraction(0), Fraction(499), False),
                         (("n", tuple(range(500))),))  # fmt: skip
        assert max(map(len, drawn(picture, Canvas(80, False)).splitlines())) <= 80


class TestSvg:
    def test_a_map(self, run: Run, friday_folder: Path) -> None:
        assert run("sweep", "friday", "vigilance", "guard.size=..", LEVEL, "-o", "map.svg").code == 0
        root = read((friday_folder / "map.svg").read_text())
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == "title desc"
        assert root.findtext(f"{SVG}title") == "vigilance"
        assert root.findtext(f"{SVG}desc") == "Heat map: guard.level across and guard.size down; from 1 to 5"
        assert titles(root, "cell") == [
            f"guard.size {size}, guard.level {at + 1}: {value}"
            for size, row in {"small": (3, 4, 5), "large": (1, 2, 4)}.items()
            for at, value in enumerate(row)
        ]
        labels = [each.text for each in root.iter(f"{SVG}text")]
        assert {"small", "large", "guard.level", "guard.size", "1", "2", "3", "4", "5"} <= set(labels)

    def test_curves(self, run: Run, friday_folder: Path) -> None:
        assert run("sweep", "friday", "notice", "guard.size=large", LEVEL, "-o", "lines.svg").code == 0
        root = read((friday_folder / "lines.svg").read_text())
        assert titles(root, "point") == [
            f"{name}, guard.level {at + 1}: {chance}%"
            for name, row in {"noticed": (16.67, 33.33, 66.67), "missed": (83.33, 66.67, 33.33)}.items()
            for at, chance in enumerate(row)
        ]
        assert len([*root.iter(f"{SVG}polyline")]) == 2

    def test_words_have_no_line_between_them(self, run: Run, friday_folder: Path) -> None:
        assert run("sweep", "friday", "notice", "guard.size=..", "guard.level=1", "-o", "marks.svg").code == 0
        root = read((friday_folder / "marks.svg").read_text())
        assert [*root.iter(f"{SVG}polyline")] == []
        assert len(titles(root, "point")) == 4

    def test_each_panel_has_all_cells(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "outcomes: [noticed, missed]", "outcomes: [noticed, missed, asleep]")
        change(friday_folder, "      missed: {", "      asleep: {when: die == 6, outcome: asleep}\n      missed: {")
        assert run("sweep", "friday", "notice", "guard.size=..", LEVEL, "-o", "panels.svg").code == 0
        root = read((friday_folder / "panels.svg").read_text())
        assert len(titles(root, "cell")) == 3 * 6
        assert {"noticed", "missed", "asleep"} <= {each.text for each in root.iter(f"{SVG}text")}
        refused = run("sweep", "friday", "notice", "guard.tired=..", "guard.size=..", LEVEL, "--plot")
        assert "shows one outcome; add `--outcome` with one of noticed, missed, asleep" in refused.err

    def test_more_cells_than_anybody_can_look_at(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "oath: 1..9?", "oath: 1..20001?")
        change(friday_folder, "4..9: +2", "4..20001: +2")
        found = run("sweep", "friday", "vigilance", "guard.level=1", "guard.oath=..", "-o", "large.svg")
        assert (found.code, found.out) == (2, "")
        assert "a picture shows up to 20000 cells, and this has 20001; sweep fewer values" in found.err

    @pytest.mark.parametrize("text", ["<script>", 'a"b', "a&b", "\x1b[2J", "\u202e"])
    def test_whatever_a_text_holds_it_stays_text(self, text: str) -> None:
        side = Side(text, (text, "y"))
        for picture in (
            HeatMap(text, text, side, side, WHOLE, ((text, ((1, 5), (None, 3))),)),
            Curves(text, text, side, (0, 1), True, WHOLE, ((text, (1, None)),)),
        ):
            assert shapes(picture) <= {"svg", "title", "desc", "rect", "text", "g", "line", "path", "polyline"}

    def test_a_cell_without_an_answer_says_so(self) -> None:
        side = Side("a", ("x",))
        root = read(svg(HeatMap("t", "", side, side, WHOLE, (("", ((None,),)),))))
        assert titles(root, "cell") == ["a x, a x: no answer"]


def shapes(picture: Picture) -> set[str]:
    return {each.tag.removeprefix(SVG) for each in read(svg(picture)).iter()}


class TestScales:
    def test_ticks_are_round(self) -> None:
        def labels(low: int, high: int) -> list[str]:
            return [label for _, label in ticks_of(Scale("whole", Fraction(low), Fraction(high), False))]

        assert labels(1, 20) == ["2", "4", "6", "8", "10", "12", "14", "16", "18", "20"]
        assert labels(-3, 2) == ["-3", "-2", "-1", "0", "1", "2"]
        assert labels(7, 7) == ["7"]
        assert labels(0, 1000) == [str(each) for each in range(0, 1001, 100)]

    @pytest.mark.parametrize("diverges", [False, True])
    def test_colours_are_told_apart_without_seeing_colour(self, diverges: bool) -> None:
        """Each step of a scale that rises is lighter than the one before; around zero it is lightest."""
        scale = Scale("whole", Fraction(-10), Fraction(10), diverges)
        grey = [
            (2126 * r + 7152 * g + 722 * b) // 10_000 for r, g, b in (colour(scale, at) for at in range(0, 1001, 50))
        ]
        rising = grey[:11] if diverges else grey
        assert all(after > before for before, after in pairwise(rising))
        if diverges:
            falling = grey[10:]
            assert all(after < before for before, after in pairwise(falling))
        assert is_dark(RISING[0]) and not is_dark(RISING[-1])  # noqa: PT018
        assert is_dark(DIVERGING[0]) and not is_dark(DIVERGING[2])  # noqa: PT018
