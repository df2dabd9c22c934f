"""`layout` changes white space alone, settles at once, and gives files one form."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from houserule_compiler.diagnostics import has_errors
from houserule_compiler.document import Document
from houserule_compiler.files import Files
from houserule_compiler.layout import Unknown, layout, same
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.pipeline import compile_ruleset
from houserule_compiler.text_edits import TextEdit, applied
from layering import shipped
from literate import schema
from messy import files

ROOT = Path(__file__).parent.parent


def loaded(text: str) -> Document:
    document, found = load("a.yaml", text.encode("utf-8"), Limits())
    assert document is not None, found
    return document


def laid_out(text: str) -> str:
    document = loaded(text)
    return applied(document.file.text, layout(document))


@settings(max_examples=60)
@given(files())
def test_nothing_but_white_space_changes_and_a_second_time_nothing(text: str) -> None:
    document, found = load("a.yaml", text.encode("utf-8"), Limits())
    assume(document is not None and not has_errors(found))
    new = laid_out(text)
    assert same(loaded(text), loaded(new))
    assert "".join(new.split()) == "".join(text.split())
    assert laid_out(new) == new


def test_same_tells_documents_apart() -> None:
    assert not same(loaded("a: 1\n"), loaded("a: 2\n"))
    assert not same(loaded("a: 1 # x\n"), loaded("a: 1 # y\n"))
    assert not same(loaded("a: {b: 1}\n"), loaded("a:\n  b: 1\n"))
    assert not same(loaded("a: |\n  b\n"), loaded("a: |-\n  b\n"))


FORMS = {
    "two columns a level": ("a:\n    b:\n          c: 1\n", "a:\n  b:\n    c: 1\n"),
    "lists stand below their key": ("a:\n- 1\n-   b: 2\n    c: 3\n", "a:\n  - 1\n  - b: 2\n    c: 3\n"),
    "one space after a sign": ("a:   {b :  1,c:  [ 1,2 ]}\n", "a: {b: 1, c: [1, 2]}\n"),
    "spaces at line ends": ("a: 1   \nb: 2 # x  \n", "a: 1\nb: 2  # x\n"),
    "one line break at the end": ("a: 1\n\n\n", "a: 1\n"),
    "a missing line break at the end": ("a: 1", "a: 1\n"),
    "carriage returns": ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
    "blank lines above": ("\n\na: 1\n", "a: 1\n"),
    "a blank line around sections": (
        "a: 1\nb:\n  c: 1\n# d\nd: {e: 1}\nf: 2\n",
        "a: 1\n\nb:\n  c: 1\n\n# d\nd: {e: 1}\nf: 2\n",
    ),
    "no blank line below a key": ("a:\n\n  b: 1\n", "a:\n  b: 1\n"),
    "at most one blank line": ("a:\n  b: 1\n\n\n  c: 2\n", "a:\n  b: 1\n\n  c: 2\n"),
    "comments of one block": ("a: 1 # x\nbc: 2     # y\n", "a: 1   # x\nbc: 2  # y\n"),
    "a comment at the end of a block": ("a:\n    b: 1\n    # more\nc: 2\n", "a:\n  b: 1\n  # more\n\nc: 2\n"),
    "a comment above": ("a:\n    b: 1\n   # c\n    c: 2\n", "a:\n  b: 1\n  # c\n  c: 2\n"),
    "a comment that allows what is below it": (
        "a:\n  b: 1\n  # houserule: allow x because y\nc: {d: 1}\n",
        "a:\n  b: 1\n\n# houserule: allow x because y\nc: {d: 1}\n",
    ),
    "a list over lines": ("a: [1,\n  2,\n 3\n ]\n", "a: [1,\n    2,\n    3]\n"),
    "a bracket alone": ("a: {\n    b: 1\n  }\n", "a: {\n  b: 1}\n"),
    "a text over lines": ("a:\n    b: >-\n        one\n          two\n", "a:\n  b: >-\n    one\n      two\n"),
    "a text with its indentation": ("a:\n    b: |2\n        one\n", "a:\n  b: |2\n      one\n"),
    "blank lines that are text": ("a: |+\n  one\n\n\nb: 1\n", "a: |+\n  one\n\n\nb: 1\n"),
    "a text without a line break at the end": ("a: |\n   one", "a: |\n  one"),
    "quoted lines": ("a: 'one\n      two'\n", "a: 'one\n  two'\n"),
    "rows": (
        "tables:\n  a:\n    rows:\n      one: [1,10]\n      three:   [ -2, 3 ]\n",
        "tables:\n  a:\n    rows:\n      one:   [ 1, 10]\n      three: [-2,  3]\n",
    ),
    "rows of words": (
        "tables.a.rows:\n  ..5: [low, 1]\n  6..: [high, 20]\n",
        "tables.a.rows:\n  ..5: [low,   1]\n  6..: [high, 20]\n",
    ),
    "rows of different length": (
        "tables.a.rows:\n  1: [1, 2]\n  10: [10]\n",
        "tables.a.rows:\n  1:  [1, 2]\n  10: [10]\n",
    ),
    "lines that were aligned": ("a:\n  b:   1\n  cde: 2\n", "a:\n  b:   1\n  cde: 2\n"),
    "a line more": ("a:\n  b:   1\n  cde: 2\n  fghij: 3\n", "a:\n  b:     1\n  cde:   2\n  fghij: 3\n"),
    "a space too much aligns nothing": ("a:\n  b:  1\n  cde: 2\n", "a:\n  b: 1\n  cde: 2\n"),
    "lines that were not": ("a:\n  b: 1\n  cde: 2\n", "a:\n  b: 1\n  cde: 2\n"),
    "lines beyond a blank line": ("a:\n  b:    1\n\n  cde: 2\n", "a:\n  b: 1\n\n  cde: 2\n"),
    "rows too long to be aligned": (
        f"tables.a.rows:\n  1: {'x' * 100}\n  {'y' * 30}: 2\n",
        f"tables.a.rows:\n  1: {'x' * 100}\n  {'y' * 30}: 2\n",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_form(name: str) -> None:
    before, after = FORMS[name]
    assert laid_out(before) == after
    assert laid_out(after) == after


def test_edits_are_small() -> None:
    """Only what changes is an edit, so that an editor can keep its place."""
    assert layout(loaded("a:  1\nb: 2\n")) == [TextEdit(2, 4, " ")]
    assert layout(loaded("a: 1\nb: 2\n")) == []


def test_a_key_behind_a_question_mark_has_no_rule() -> None:
    with pytest.raises(Unknown) as refused:
        layout(loaded("a: 1\n? b\n: 2\n"))
    assert refused.value.offset == 5


def test_edits_must_not_overlap() -> None:
    with pytest.raises(AssertionError):
        applied("abc", [TextEdit(0, 2, ""), TextEdit(1, 3, "")])


@pytest.mark.parametrize("name", ["adnd2e", "odnd-morale"])
def test_the_artifact_stays_the_same(name: str) -> None:
    """Rules that were messed up and laid out again compile to the same, but for the lines that they name."""
    texts = {each.name: each.read_text("utf-8") for each in sorted((ROOT / "rules" / name).glob("*.yaml"))}
    messed = {each: _messed(text) for each, text in texts.items()}
    new = {each: laid_out(text) for each, text in messed.items()}
    assert all(new[each] != messed[each] for each in texts)
    assert _artifact(name, new) == _artifact(name, texts)


ONE_LINE = re.compile(r" *[a-z0-9_.|+-]+: [\[{][^\"']*[]}]")


def _messed(text: str) -> str:
    """White space put in where it means nothing: between the signs of lines in brackets, and above all."""
    lines = text.split("\n")
    messed = [each.replace(": ", ":   ").replace(", ", " ,") if ONE_LINE.fullmatch(each) else each for each in lines]
    return "\n\n" + "\n".join(messed)


def _artifact(name: str, files: dict[str, str]) -> str:
    """The hash of what the rules mean, which does not tell the lines that they stand in."""
    held = Files(name, tuple((f"{name}/{each}", text.encode("utf-8")) for each, text in files.items()))
    built = compile_ruleset(name, lambda each: held if each == name else shipped(each), schema(), Limits()).artifact
    assert built
    return str(json.loads(built)["content_hash"])
