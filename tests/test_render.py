"""Diagnostics as text: underlines stand below what they mean, and nothing of a file can steer the terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule_compiler.characters import REFUSED
from houserule_compiler.diagnostics import Diagnostic, Label, error, warning
from houserule_compiler.render import concise, full, json_lines
from houserule_compiler.source import SourceFile, Span


def label(file: SourceFile, part: str, text: str = "") -> Label:
    start = file.text.index(part)
    return Label(Span(file, start, start + len(part)), text)


def shown(file: SourceFile, *labels: Label) -> list[str]:
    """The lines of the excerpt alone."""
    return full([error("some-code", "headline", *labels)]).splitlines()[2:]


FILE = SourceFile("rules/pay.yaml", "rows: {..5: low, 5..9: high}\nnote: pay\n\n\n\n\n\n\n\nlast: 1\n")


def test_the_whole_form() -> None:
    primary = label(FILE, "5..9", "this row starts at 5")
    other = label(FILE, "..5", "this row already covers 5")
    found = error("overlapping-rows", "two rows cover 5", primary, other, notes=["rows are closed"], help="start at 6")
    assert full([found]) == (
        "error[overlapping-rows]: two rows cover 5\n"
        " --> rules/pay.yaml:1:18\n"
        "  |\n"
        "1 | rows: {..5: low, 5..9: high}\n"
        "  |        ---       ^^^^ this row starts at 5\n"
        "  |        this row already covers 5\n"
        "  = note: rows are closed\n"
        "  = help: start at 6\n"
    )


def test_a_blank_line_stands_between_two() -> None:
    found = error("some-code", "headline", label(FILE, "note"))
    assert full([found, found]) == full([found]) + "\n" + full([found])
    assert full([]) == concise([]) == json_lines([]) == ""


def test_lines_in_between_are_left_out() -> None:
    assert shown(FILE, label(FILE, "last", "again"), label(FILE, "note", "first")) == [
        "   |",
        " 2 | note: pay",
        "   | ---- first",
        "...",
        "10 | last: 1",
        "   | ^^^^ again",
    ]


def test_neighbouring_lines_follow_each_other() -> None:
    lines = shown(FILE, label(FILE, "note"), label(FILE, "rows"))
    assert lines == ["  |", "1 | rows: {..5: low, 5..9: high}", "  | ----", "2 | note: pay", "  | ^^^^"]


def test_other_files_come_after_the_first() -> None:
    other = SourceFile("base/pay.yaml", "\n" * 11 + "pay: {better: lower}\n")
    assert shown(FILE, label(FILE, "note"), label(other, "better: lower", "declared here")) == [
        "  |",
        "2 | note: pay",
        "  | ^^^^",
        " ::: base/pay.yaml:12:7",
        "   |",
        "12 | pay: {better: lower}",
        "   |       ------------- declared here",
    ]


def test_lines_of_a_file_outside_are_not_shown() -> None:
    secret = SourceFile("secret.yaml", "password: opensesame\n", is_shown=False)
    text = full([error("some-code", "headline", label(FILE, "note"), label(secret, "opensesame", "declared here"))])
    assert "opensesame" not in text
    assert " ::: secret.yaml:1:11\n  | secret.yaml:1:11: declared here\n" in text


@pytest.mark.parametrize(
    ("text", "part", "line", "underline"),
    [
        ("a:\tb", "b", "a:    b", "      ^"),
        ("\tb", "\t", "    b", "^^^^"),
        ("a: 火 b", "b", "a: 火 b", "      ^"),
        ("a: 火 b", "火", "a: 火 b", "   ^^"),
        ("e\u0301: b", "b", "e\u0301: b", "   ^"),
        ("a \x1b[2J b", " b", "a \\u{1b}[2J b", "           ^^"),
        ("a \u202e b", "\u202e", "a \\u{202e} b", "  ^^^^^^^^"),
        ("ab", "", "ab", "^"),
    ],
)
def test_underlines_stand_where_the_eye_sees_the_text(text: str, part: str, line: str, underline: str) -> None:
    file = SourceFile("a.yaml", text)
    lines = shown(file, label(file, part))
    assert lines[1:] == [f"1 | {line}", f"  | {underline}"]


def test_a_place_at_the_end_of_the_file_has_a_mark() -> None:
    file = SourceFile("a.yaml", "base: 1 +")
    assert shown(file, Label(Span(file, 9, 9)))[1:] == ["1 | base: 1 +", "  |          ^"]


def test_a_label_of_several_lines_shows_the_first() -> None:
    file = SourceFile("a.yaml", "a: {b: 1,\n  c: 2}\n")
    assert shown(file, Label(Span(file, 3, 17)))[1:] == ["1 | a: {b: 1,", "  |    ^^^^^^"]


def test_an_empty_file_has_no_excerpt() -> None:
    file = SourceFile("a.yaml", "")
    assert shown(file, Label(Span(file, 0, 0))) == []


@pytest.mark.parametrize("at", [0, 60, 500, 4_000, 7_990])
def test_long_lines_are_cut_around_the_label(at: int) -> None:
    text = "x" * at + "HERE" + "y" * (8_000 - at)
    file = SourceFile("a.yaml", text)
    lines = shown(file, label(file, "HERE"))
    assert max(map(len, lines)) <= 130
    assert lines[1].index("HERE") == lines[2].index("^^^^")


def test_of_far_labels_on_one_long_line_the_primary_is_shown() -> None:
    text = "ONE" + "x" * 5_000 + "TWO"
    file = SourceFile("a.yaml", text)
    lines = shown(file, label(file, "TWO", "second"), label(file, "ONE", "first"))
    assert lines[1].index("TWO") == lines[2].index("^^^")
    assert max(map(len, lines)) <= 140


def test_one_line_each() -> None:
    found = warning("some-code", "two\nlines \x1b[2J", label(FILE, "note"))
    assert concise([found]) == "rules/pay.yaml:2:1: warning[some-code]: two\\nlines \\u{1b}[2J\n"


def test_json_lines_are_ascii_objects() -> None:
    found = error("some-code", "with é", label(FILE, "5..9", "here"), notes=["n"], help="h")
    text = json_lines([found, found])
    assert text.isascii()
    first, second = [json.loads(line) for line in text.splitlines()]
    assert first == second
    assert first == {
        "code": "some-code",
        "severity": "error",
        "headline": "with é",
        "path": "rules/pay.yaml",
        "line": 1,
        "column": 18,
        "end_line": 1,
        "end_column": 22,
        "labels": [
            {"path": "rules/pay.yaml", "line": 1, "column": 18, "end_line": 1, "end_column": 22, "text": "here"}
        ],
        "notes": ["n"],
        "help": "h",
    }


def test_paint_sees_each_part() -> None:
    found = error("some-code", "headline", label(FILE, "note", "here"), notes=["n"], help="h")
    kinds: list[str] = []

    def paint(kind: str, text: str) -> str:
        kinds.append(kind)
        return f"<{text}>"

    painted = full([found], paint)
    assert set(kinds) == {"error", "headline", "path", "frame", "primary", "note", "help"}
    assert painted.replace("<", "").replace(">", "") == full([found]).replace(">", "")


TEXT = st.text(st.characters(codec="utf-8"), max_size=200)


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    file = SourceFile(draw(TEXT) or "a", draw(TEXT).replace("\r", ""))
    places = st.integers(0, len(file.text))
    ranges = draw(st.lists(st.tuples(places, places).map(sorted), min_size=1, max_size=4))
    labels = [Label(Span(file, start, end), draw(TEXT)) for start, end in ranges]
    return error("some-code", draw(TEXT), *labels, notes=[draw(TEXT)], help=draw(TEXT))


@given(diagnostics())
def test_nothing_steers_the_terminal(found: Diagnostic) -> None:
    for text in (full([found]), concise([found]), json_lines([found])):
        assert not REFUSED.search(text)
        assert "\t" not in text
    assert len(concise([found]).splitlines()) == len(json_lines([found]).splitlines()) == 1


def test_a_headline_does_not_run_on() -> None:
    """The longest names are cut first, all to one length; what has no names is cut at its end."""
    place = label(FILE, "pay")
    found = error("a-code", f"no fact named `{'ab.' * 400}`", place).headline
    assert found == f"no fact named `{('ab.' * 48)[:143]}…`"
    found = error("a-code", f"`{'a' * 200}` and `{'b' * 100}`, not `c`", place).headline
    assert found == f"`{'a' * 70}…` and `{'b' * 70}…`, not `c`"
    assert warning("a-code", "x" * 500, place).headline == "x" * 159 + "…"
    assert error("a-code", f"`{'a' * 90}` is long and stays", place).headline == f"`{'a' * 90}` is long and stays"
