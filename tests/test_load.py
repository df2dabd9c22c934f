"""The loader: each scalar's characters where they stand, every hazard and limit reported, never a traceback."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from bombs import BOMBS, table
from friday import process
from fuzz.load import one_input
from houserule_compiler.diagnostics import Diagnostic
from houserule_compiler.document import Document, Mapping, Node, Scalar
from houserule_compiler.limits import Limits, limit, limit_names, with_limit
from houserule_compiler.load import load
from houserule_compiler.scalars import classify


def loaded(text: str | bytes, limits: Limits | None = None) -> tuple[Document | None, list[Diagnostic]]:
    data = text.encode() if isinstance(text, str) else text
    return load("rules.yaml", data, limits or Limits())


def codes(text: str | bytes, limits: Limits | None = None) -> list[str]:
    return [each.code for each in loaded(text, limits)[1]]


def value(text: str) -> Scalar:
    """The value of the first key of a file that is clean."""
    document, found = loaded(text)
    assert document is not None, found
    assert not found
    node = document.root.entries[0].value
    assert isinstance(node, Scalar)
    return node


def as_data(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return {each.key.text: as_data(each.value) for each in node.entries}
    return [as_data(each) for each in node.items]


# --- characters and where they stand


@pytest.mark.parametrize(
    ("source", "text", "at"),
    [
        ("a: one two\n", "one two", [3, 4, 5, 6, 7, 8, 9]),
        ("a: one\n  two\n", "one two", [3, 4, 5, 6, 9, 10, 11]),
        ("a: x\n\n\n  y\n", "x\n\ny", [3, 5, 6, 9]),
        ("a: x  # c\n", "x", [3]),
        ("a: b#c d:e\n", "b#c d:e", [3, 4, 5, 6, 7, 8, 9]),
        ("a: 'it''s'\n", "it's", [4, 5, 6, 8]),
        ("a: 'x \n \n  y'\n", "x\ny", [4, 8, 11]),
        ('a: "x\\ty"\n', "x\ty", [4, 5, 7]),
        ('a: "\\u0041\\x42C"\n', "ABC", [4, 10, 14]),
        ('a: "x \\\n   y"\n', "x y", [4, 5, 11]),
        ('a: "x\n  y"\n', "x y", [4, 5, 8]),
        ('a: "x\\\n\n  y"\n', "x\ny", [4, 7, 10]),
        ("a: |\n  x\n   y\n", "x\n y\n", [7, 8, 11, 12, 13]),
        ("a: |-\n  x\n  y\n\n", "x\ny", [8, 9, 12]),
        ("a: |+\n  x\n\n", "x\n\n", [8, 9, 10]),
        ("a: |1\n  x\n", " x\n", [7, 8, 9]),
        ("a: |\n\n  x\n", "\nx\n", [5, 8, 9]),
        ("a: |\n  x", "x", [7]),
        ("a: >\n  x\n  y\n", "x y\n", [7, 8, 11, 12]),
        ("a: >-  # c\n  x\n\n  y\n", "x\ny", [13, 15, 18]),
        ("a: >\n  x\n   y\n  z\n", "x\n y\nz\n", [7, 8, 11, 12, 13, 16, 17]),
        ("a: >2-\n    x\n  y\n", "  x\ny", [9, 10, 11, 12, 15]),
    ],
)
def test_each_character_stands_where_it_was_written(source: str, text: str, at: list[int]) -> None:
    scalar = value(source)
    assert scalar.text == text
    assert [scalar.part(i, i + 1).start for i in range(len(text))] == at


def test_line_endings_of_windows_and_a_byte_order_mark_leave_no_trace() -> None:
    document, found = loaded(b"\xef\xbb\xbfa: |\r\n  x\r\n  y\r\n")
    assert document
    assert not found
    scalar = document.root.entries[0].value
    assert isinstance(scalar, Scalar)
    assert scalar.text == "x\ny\n"
    assert scalar.span.file.position(scalar.part(2, 3).start) == (3, 3)


def test_comments_are_kept() -> None:
    source = "# one\na: 1 # two\nb: |  # three\n  # text\n# four\nc: {d: '# text', # five\n  e: x#y}\n"
    document, found = loaded(source)
    assert document
    assert not found
    assert [each.text for each in document.comments] == ["# one", "# two", "# three", "# four", "# five"]


SCALAR_CHARACTERS = st.text(st.sampled_from("ab'\"\\ \n#:,-|>+1{}[]é"), max_size=30)
INDENTED = SCALAR_CHARACTERS.map(lambda text: text.replace("\n", "\n   "))
SOURCES = st.one_of(
    INDENTED.map(lambda text: f"a: {text}\n"),
    INDENTED.map(lambda text: f"a: '{text}'\n"),
    INDENTED.map(lambda text: f'a: "{text}"\n'),
    st.tuples(st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|2", ">2-"]), INDENTED).map(
        lambda both: f"a: {both[0]}\n   {both[1]}\nb: 1\n"
    ),
    INDENTED.map(lambda text: f"a: {{b: {text}, c: [{text}]}}\n"),
)


@settings(max_examples=300, deadline=None)
@given(SOURCES)
@example("a: >\n     \n   x\n")
@example("a: 'x\n   \n   '\n")
def test_text_is_what_yaml_says(source: str) -> None:
    """Where ruamel's own loader and ours both find a map, they find the same texts."""
    document, found = loaded(source)
    if document is None or found:
        return
    try:
        plain = YAML(typ="safe", pure=True)
        plain.version = (1, 2)  # type: ignore[assignment]
        expected = _as_text(plain.load(source))
    except (YAMLError, ValueError):
        return
    assert _as_text(as_data(document.root)) == expected


def _as_text(data: object) -> object:
    """Plain data with what is typed taken back: only texts that stay text are compared."""
    if isinstance(data, dict):
        return {str(key): _as_text(each) for key, each in data.items()}
    if isinstance(data, list):
        return [_as_text(each) for each in data]
    return data if isinstance(data, str) and classify(data) == "text" else "?"


@settings(max_examples=300, deadline=None)
@given(SOURCES)
def test_offsets_lead_back_to_the_source(source: str) -> None:
    """A character is copied from its offset, or stands for an escape or a line break that begins there."""
    document, _ = loaded(source)
    for scalar in _scalars(document.root) if document else ():
        for at, character in enumerate(scalar.text):
            written = scalar.span.file.text[scalar.part(at, at + 1).start]
            assert written == character or written == "\\" or (written == "\n" and character == " ")


def _scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    inner = [each.value for each in node.entries] if isinstance(node, Mapping) else list(node.items)
    return [scalar for each in inner for scalar in _scalars(each)]


# --- hazards


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    one_input(data)


PIECES = st.sampled_from(
    [*"{}[],:#&*!|>%@`?-'\"\\ \t\n", "a", "b: ", "\n  ", "\n- ", "---\n", "...\n", "<<: ", "\u200b", "\r"]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=25))
@example(["a", "\n", "a"])
def test_any_pieces_of_yaml(pieces: list[str]) -> None:
    one_input("".join(pieces).encode())


@pytest.mark.parametrize("name", BOMBS)
def test_hazards_are_harmless(name: str) -> None:
    make, code = BOMBS[name]
    start = time.process_time()
    found = codes(make())
    assert time.process_time() - start < 10
    assert len(found) <= Limits().errors_per_file + 1
    assert code in found if code else "nested-too-deeply" not in found


def test_memory_and_time_stay_below_their_limits(tmp_path: Path) -> None:
    """The largest inputs that are read at all, through the whole command, in a process that may have 1 GiB and 10 s."""
    resource = pytest.importorskip("resource")
    for name in ("19,000 rows", "100,000 duplicate keys"):
        (tmp_path / "rules.yaml").write_bytes(BOMBS[name][0]())
        ran = process(tmp_path, "validate", "rules.yaml", "--format", "concise", before=LIMITED)
        assert ran.returncode == 1, ran.stderr
        assert ran.stderr == ""
    assert resource


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
"""


# --- limits


LIMITS: dict[str, tuple[int, str, Callable[[int], str]]] = {
    "file-bytes": (10, "file-too-large", lambda n: "a: " + "x" * (n - 3)),
    "lines": (10, "too-many-lines", lambda n: "a: 1\n" + "# c\n" * (n - 1)),
    "columns": (10, "line-too-long", lambda n: "a: " + "x" * (n - 3)),
    "depth": (6, "nested-too-deeply", lambda n: "a: " + "[" * (n - 1) + "]" * (n - 1)),
    "nodes": (10, "too-many-entries", lambda n: "a: [" + "1, " * (n - 3) + "]"),
    "scalar": (10, "text-too-long", lambda n: "a: " + "x" * n),
    "key": (10, "key-too-long", lambda n: "x" * n + ": 1"),
    "errors-per-file": (10, "too-many-errors", lambda n: "\n".join(f"k{i}:" for i in range(n))),
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_what_is_as_large_as_a_limit_passes(name: str, over: int) -> None:
    size, code, make = LIMITS[name]
    found = codes(make(size + over), with_limit(Limits(), name, size))
    assert (code in found) == (over > 0)
    assert name == "errors-per-file" or len(found) == max(over, 0)


def test_limits_by_name() -> None:
    assert "file-bytes" in limit_names()
    assert limit(with_limit(Limits(), "errors-per-run", 7), "errors-per-run") == 7
    assert with_limit(Limits(), "depth", 40) == replace(Limits(), depth=40)
    with pytest.raises(KeyError):
        limit(Limits(), "file_bytes")
    with pytest.raises(ValueError):
        with_limit(Limits(), "depth", 0)


# --- what is mended so that later passes stay silent


def test_a_cut_value_is_whole_in_the_document() -> None:
    document, found = loaded("a: {base: max(1, k - 1), note: x}\nb: [min(1, 2), 3]\n")
    assert document
    assert [each.code for each in found] == ["cut-at-comma", "cut-at-comma"]
    assert as_data(document.root) == {"a": {"base": "max(1, k - 1)", "note": "x"}, "b": ["min(1, 2)", "3"]}


def test_the_first_of_two_equal_keys_stays() -> None:
    document, found = loaded("a: 1\na: 2\n")
    assert document
    assert as_data(document.root) == {"a": "1"}
    assert [(each.span.line, each.labels[1].span.line) for each in found] == [(2, 1)]


def test_keys_are_compared_in_normal_form() -> None:
    assert codes("caf\u00e9: 1\ncafe\u0301: 2\n") == ["duplicate-key"]
    assert codes("rank: 1\nr\u0430nk: 2\n") == ["similar-keys"]


def test_keys_stay_as_they_are_written() -> None:
    document, found = loaded("1: a\n01: b\n0x1: c\ntrue: d\n1.0: e\n~: f\nyes: g\n'': h\n")
    assert document
    assert not found
    assert [each.key.text for each in document.root.entries] == ["1", "01", "0x1", "true", "1.0", "~", "yes", ""]


def test_all_that_can_be_known_is_told_in_one_run() -> None:
    source = "a: &x 1\na: 2\nb:\nc: *x\nd: {e:1}\nf: [1\n"
    assert codes(source) == [
        "anchor",
        "duplicate-key",
        "empty-value",
        "alias",
        "space-after-colon",
        "unclosed-map-or-list",
    ]


def test_speed_is_linear() -> None:
    """Four times the rows take about four times as long; a quadratic loader would take sixteen times."""

    def taken(rows: int) -> float:
        start = time.process_time()
        assert codes(table(rows)) == []
        return time.process_time() - start

    # The least of several tries is what the code needs; the rest is what the machine was doing besides.
    few, many = (min(taken(rows) for _ in range(4)) for rows in (1_000, 4_000))
    assert many < few * 9


# --- forms of plain scalars

FORMS = {
    "integer": ["0", "7", "-3", "123456789", "-0"],
    "signed": ["+1", "+01", "+0"],
    "boolean": ["true", "false"],
    "null": ["", "~", "null", "Null", "NULL"],
    "leading-zero": ["010", "08", "-01", "00"],
    "underscore": ["1_000", "+1_0", "1_"],
    "radix": ["0x1F", "0o17", "0b1", "-0x1"],
    "exponent": ["1e3", "1E+3", "1.5e-3", ".5e1", "1e400"],
    "decimal": ["1.5", "1.", ".5", "-0.25", "+1.5"],
    "non-finite": [".inf", "-.Inf", "+.INF", ".nan", ".NaN"],
    "yaml-1.1-boolean": ["yes", "No", "ON", "off", "y", "N", "True", "FALSE"],
    "date": ["2001-12-14", "2024-02-30", "2001-12-14 21:59:43", "2001-12-14T21:59:43Z"],
    "sexagesimal": ["1:30", "1:59:59", "10:30"],
    "text": ["a", "1..5", "..5", "2+", "1-2", "3d6", "1/2", "50%", "+x", "-", "1 2", "١", "0x", "..", "."],
}


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in FORMS.items() for text in texts])
def test_form_of_a_plain_scalar(form: str, text: str) -> None:
    assert classify(text) == form


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("0123456789+-._:eExobanifTZ "), max_size=20))
def test_every_text_has_a_form(text: str) -> None:
    assert classify(text) in FORMS


def test_forms_are_found_in_linear_time() -> None:
    start = time.process_time()
    for text in ("1" * 100_000 + "x", "1:" + "59:" * 50_000, "1_" * 50_000 + "x", "0x" + "f" * 100_000 + "g"):
        assert classify(text)
    assert time.process_time() - start < 1
