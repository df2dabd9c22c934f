"""Files read directly: the same trees, places, comments and warnings as by way of tokens and events, or nothing."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from houserule_compiler import load as loading
from houserule_compiler.decode import decode
from houserule_compiler.direct import direct
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from shipped_rules import RULES

FILES = sorted(RULES.rglob("*.yaml"))
CASES = Path(__file__).parent / "cases"
PIECES = [" ", "\n", ":", "-", "{", "}", "[", "]", ",", "'", '"', "#", "|", ">", "&a", "*a", "!", "%", "@", "?", "\\"]
PIECES += [
    ": ",
    "- ",
    " #",
    "\n  ",
    "''",
    "|-\n   x\n",
    ">\n   a\n\n   b\n",
    "- - ",
    "[]",
    "a: b",
    "é",
    "...",
    "---",
    "\t",
]
PIECES += ["\n- ", " |", "a | b", "<<: x", "x y z", "{a, b}", "\u2028", "\0", "k:", "~"]


def is_read(text: str, limits: Limits | None = None) -> bool:
    """Whether a text is read directly; if so, all of it must be as it is by the parser."""
    data, limits = text.encode(), limits or Limits()
    file, _ = decode("x.yaml", data, limits)
    if file is None or direct(file, limits) is None:
        return False
    found, told = load("x.yaml", data, limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "direct", lambda file, limits: None)
        wanted, due = load("x.yaml", data, limits)
    assert found is not None, text
    assert wanted is not None, text
    assert (repr(found.root), repr(found.comments), repr(told)) == (repr(wanted.root), repr(wanted.comments), repr(due))
    return True


def test_nearly_all_shipped_rules_are_read_directly() -> None:
    read = [is_read(each.read_text("utf-8")) for each in FILES[::3]]
    assert read.count(True) > 0.9 * len(read)


def test_the_rules_of_all_cases() -> None:
    blocks = re.compile(r"^```yaml[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
    texts = [each for page in sorted(CASES.glob("[lst]*/*.md")) for each in blocks.findall(page.read_text("utf-8"))]
    read = [is_read(each) for each in texts]
    assert read.count(True) > 100
    assert read.count(False) > 20


@pytest.mark.parametrize("seed", range(4))
def test_files_with_a_slip(seed: int) -> None:
    random = Random(seed)
    lines = random.choice(FILES).read_text("utf-8").split("\n")
    read = []
    for _ in range(150):
        first = random.randrange(len(lines))
        part = lines[first : first + random.choice([3, 8, 20])]
        margin = min([len(each) - len(each.lstrip()) for each in part if each.strip()], default=0)
        read.append(is_read(changed("\n".join(each[margin:] for each in part) + "\n", random)))
    assert read.count(False) > 0.4 * len(read)
    assert read.count(True) > 15


def changed(text: str, random: Random) -> str:
    for _ in range(random.choice([0, 1, 1, 2])):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice([*PIECES, ""]) + text[at + random.choice([0, 0, 1, 3]) :]
    return text


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n",
        "a: 1 # one\n# two\nb:\n  c: 2\n",
        "a:\n- 1\n- b: 2\n  c: 3\n-\n  d: 4\ne: [1, x y, {f: 2}, g: 3 ]\n",
        "a: one\n  two\n\n  three # four\nb: 'it''s\n  so'\n",
        "a: |\n  one\n    two\n\nb: >-\n  one\n  two\nc: |2\n   x\n",
        '"a b": {c: "\\x41", -1..3 | 7: [], d: {}}\n',
        "a: {b: 1,\n c: 2}\n",
        "a: b:c\nd: {e: f:g h}\n",
    ],
)
def test_what_is_read(text: str) -> None:
    assert is_read(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "a", "- a\n", " a: 1\n", "a:\n", "a: 1\na: 2\n", "a: 1\n b: 2\n", "a:\n  b: 1\n c: 2\n", "a: b: c\n"),
        *("a: &b 1\n", "a: *b\n", "a: !b 1\n", "? a\n", "a: ? b\n", "a: 1\n---\nb: 2\n", "%YAML 1.2\n", "a: 1\n...\n"),
        *("a:\t1\n", "a: 1\n\tb: 2\n", "a: @b\n", "a: {b}\n", "a: {b: }\n", "a: {b: 1\n", "a: [1,]\n", "a: [1, , 2]\n"),
        *("a: '1\n", 'a: "\\q"\n', 'a: "1" x\n', 'a: "1"#x\n', "a: {b: 1}x\n", "a: |x\n  1\n", "<<: 1\n", "a:\n  b\n"),
        *("a: - 1\n", "a:\n  - 1\n - 2\n", "a:\n  - - 1\n", "{a: 1}\n", "a: {b:1}\n", "a: 1\u20282\n", "a: 1\0\n"),
        *("a: {b: c, d}\n", "a: [f(1, 2)]\n", "a: {'b': 1, \"b\": 2}\n", "[a: 1]\n", "a: 'b' : c\n", "a : 1\n"),
    ],
)
def test_what_is_left_to_the_parser(text: str) -> None:
    assert not is_read(text)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("a: {b: {c: 1}}\n", Limits(depth=2)),
        ("a: {b: 1}\n", Limits(nodes=4)),
        ("a: abc\n", Limits(scalar=2)),
        ("abc: 1\n", Limits(key=2)),
    ],
)
def test_what_passes_a_limit_is_left_to_the_parser(text: str, limits: Limits) -> None:
    assert not is_read(text, limits)
    assert is_read(text)


@pytest.mark.parametrize(
    ("text", "limits"),
    [("a: {b: 1}\n", Limits(depth=2)), ("a: {b: 1}\n", Limits(nodes=5)), ("a: ab\n", Limits(scalar=2))],
)
def test_what_is_as_large_as_a_limit_is_read(text: str, limits: Limits) -> None:
    assert is_read(text, limits)
