"""Drift: what is told after a change below is exactly what an edit of the fork stood over, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from drifting import PARSER, lock_of, locked, path_told, standing_of, told
from expressions import plain
from houserule_compiler.drift import drift
from houserule_compiler.limits import Limits
from houserule_compiler.lock import LockFile, accepted, lock_text
from houserule_compiler.pipeline import unlocked
from houserule_compiler.same import meaning
from houserule_compiler.shipped import shipped
from houserule_compiler.syntax_text import text_of
from layering import BASE

SCHEMA = Draft202012Validator(json.loads((shipped("schemas") / "lock.schema.json").read_text("utf-8")))
FRIDAY = "ruleset: friday\nextends: base\n"
FORK = f"""\
{FRIDAY}modifiers.up.adjust.n: +2
tables.t.rows[2..5]: 8
modifiers.side: remove
modifiers.wall: {{adjust: {{n: +1}}}}
"""
RULES = {"base": BASE, "friday": FORK}
STANDING, CLASHES = standing_of(RULES, "friday")
LOCK = lock_text("friday", accepted(STANDING)).encode()
PIECES = st.binary(max_size=6) | st.sampled_from([b'"', b"{", b"}", b",", b"null", b'"below": 1'])


# A base of three numbers, two modifiers and a table of ten keys, as plain data; each fork edit says which of its leaves
# it stands over, so that what must be told follows from comparing two dictionaries.
LEAVES = [*(f"n{at}" for at in range(3)), *(f"m{at}.{key}" for at in range(2) for key in ("n0", "n1"))]
CELLS = range(1, 11)
EDITS: dict[str, tuple[str, list[Any]]] = {
    "numbers.n0.base": ("numbers.n0.base: 99", ["n0"]),
    "numbers.n1.base": ("numbers.n1.base: inherited + 1", ["n1"]),
    "modifiers.m0.adjust.n0": ("modifiers.m0.adjust.n0: +99", ["m0.n0"]),
    "modifiers.m0.adjust.n1": ("modifiers.m0.adjust.n1: remove", ["m0.n1"]),
    "modifiers.m1": ("modifiers.m1: remove", ["m1.n0", "m1.n1"]),
    "tables.t.rows[2..5]": ("tables.t.rows[2..5]: 99", [2, 3, 4, 5]),
    "tables.t.rows[7]": ("tables.t.rows[7]: 99", [7]),
    "tables.t.rows[8..10]": ("tables.t.rows[8..10]: 99", [8, 9, 10]),
}


def base_of(values: dict[Any, int], bands: list[int]) -> str:
    numbers = ", ".join(f"n{at}: {{base: {values[f'n{at}']}}}" for at in range(3))
    modifiers = ", ".join(
        f"m{at}: {{adjust: {{n0: +{values[f'm{at}.n0']}, n1: +{values[f'm{at}.n1']}}}}}" for at in (0, 1)
    )
    rows = ", ".join(f"{low}..{high}: {values[low]}" for low, high in cut(values, bands))
    table = f"t: {{by: {{k: 1..10}}, gives: integer, rows: {{{rows}}}}}"
    return f"ruleset: base\nlanguage: 1\nnumbers: {{{numbers}}}\nmodifiers: {{{modifiers}}}\ntables: {{{table}}}\n"


def cut(values: dict[Any, int], bands: list[int]) -> Iterator[tuple[int, int]]:
    """Bands over which the cells say one thing, cut at these keys too."""
    low = 1
    for key in range(2, 12):
        if key == 11 or values[key] != values[low] or key in bands:
            yield low, key - 1
            low = key


VALUES = st.fixed_dictionaries({each: st.integers(1, 3) for each in [*LEAVES, *CELLS]})
BANDS = st.lists(st.sampled_from(list(CELLS)), max_size=4)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(sorted(EDITS)), min_size=1, unique=True), VALUES, VALUES, BANDS, BANDS, st.data())
def test_exactly_what_an_edit_stood_over_is_told(
    edits: list[str],
    before: dict[Any, int],
    other: dict[Any, int],
    bands: list[int],
    more_bands: list[int],
    data: st.DataObject,
) -> None:
    moved = data.draw(st.sets(st.sampled_from([*LEAVES, *CELLS]), max_size=4))
    after = {key: other[key] if key in moved else value for key, value in before.items()}
    fork = FRIDAY + "".join(f"{EDITS[each][0]}\n" for each in edits)
    before_rules, after_rules = (base_of(before, bands), base_of(after, more_bands))
    lock = accepted(standing_of({"base": before_rules, "friday": fork}, "friday")[0])
    found = {path_told(each): each for each in told({"base": after_rules, "friday": fork}, "friday", lock)}
    assert set(found) == {each for each in edits if any(before[key] != after[key] for key in EDITS[each][1])}
    assert all(each.code == ("follows" if path == "numbers.n1.base" else "drift") for path, each in found.items())
    assert all({label.span.file.layer for label in each.labels} == {"friday", "base"} for each in found.values())


@settings(max_examples=60)
@given(
    st.recursive(
        st.sampled_from(["a", "b.c", "3", "2d6", "true"]),
        lambda inner: (
            st.builds(
                "{}{}{}".format,
                inner,
                st.sampled_from([" + ", " - ", "*", " / ", " and ", " or ", " < ", " in "]),
                inner,
            )
            | inner.map("({})".format)
            | inner.map("-({})".format)
            | inner.map("not ({})".format)
            | st.builds("if {} then {} else {}".format, inner, inner, inner).map("({})".format)
        ),
        max_leaves=8,
    )
)
def test_what_is_printed_reads_as_the_same_tree(text: str) -> None:
    tree, problems = PARSER.expression(plain(text))
    if problems or tree is None:
        return
    printed = text_of(tree)
    again, _ = PARSER.expression(plain(printed))
    assert meaning(again) == meaning(tree), printed
    assert text_of(again) == printed


class TestLock:
    def test_the_same_bytes_whatever_the_layout(self) -> None:
        spaced = BASE.replace("x == 1", "(x)  ==  1").replace("kind: [a, b]", "kind: {words: {a: {}, b: {}}}")
        spaced = spaced.replace("rows: {1..3: 1, 4..6: 2, 7..10: 3}", "rows: [1, 1, 1, 2, 2, 2, 3, 3, 3, 3]")
        sections = spaced.strip().split("\n")
        moved = "\n".join([*sections[:2], *sections[4:7], *sections[2:4], "# In full.", *sections[7:]])
        assert lock_of({"base": moved, "friday": FORK}, "friday") == LOCK

    @pytest.mark.parametrize(
        "change", [("base: 1}", "base: 3}"), ("x == 1", "x == 2"), ("7..10: 3", "7..10: 4"), ("[a, b]", "[b, a]")]
    )
    def test_another_meaning_is_another_hash(self, change: tuple[str, str]) -> None:
        texts = [BASE, BASE.replace(*change)]
        hashes = [json.loads(lock_of({"base": each, "friday": FORK}, "friday"))["layers"]["base"] for each in texts]
        assert hashes[0]["content_hash"] != hashes[1]["content_hash"]

    def test_a_layer_s_hash_is_its_own(self) -> None:
        packs = {
            "a": "ruleset: a\nextends: base\nnumbers.n.base: 5\n",
            "friday": "ruleset: friday\nextends: base\nwith: [a]\n",
        }
        one, other = (
            json.loads(lock_of({"base": base, **packs}, "friday"))["layers"]
            for base in (BASE, BASE.replace("base: 2", "base: 4"))
        )
        assert one["a"] == other["a"]
        assert one["base"] != other["base"]

    def test_what_is_accepted_is_read_back(self) -> None:
        lock = LOCK
        SCHEMA.validate(json.loads(lock))
        found = locked(RULES, "friday", lock)
        assert found.diagnostics == ()
        assert found.lock is not None
        assert found.standing is not None
        assert lock_text("friday", found.lock).encode() == lock
        assert lock_text("friday", accepted(found.standing, found.lock, ["modifiers"])).encode() == lock


def damaged(change: Any) -> bytes:
    data = json.loads(LOCK)
    change(data)
    return json.dumps(data).encode()


def record(found: Any) -> Any:
    return lambda data: data["edits"].update({"numbers.n.base": found})


SHAPES = {
    "no format": lambda data: data.pop("format"),
    "another format": lambda data: data.update(format="npm"),
    "no layers": lambda data: data.pop("layers"),
    "a key too many": lambda data: data.update(more="1"),
    "edits as a list": lambda data: data.update(edits=[]),
    "a layer without a hash": lambda data: data["layers"]["base"].pop("content_hash"),
    "a hash that is none": lambda data: data["layers"]["base"].update(content_hash="sha256:1"),
    "a version that is a number": lambda data: data["layers"]["base"].update(version=1),
    "an empty record": record({}),
    "a record that is a text": record("1"),
    "a number below": record({"below": 1}),
    "a truth deep below": record({"below": {"a": ["b", True]}}),
    "nothing deep below": record({"below": {"a": None}}),
    "contenders as a list": record({"contenders": ["a"]}),
    "one neighbour": record({"after": "a", "between": ["a"]}),
    "neighbours without an anchor": record({"between": ["a", "b"]}),
    "an anchor without neighbours": record({"before": "a"}),
    "before and after": record({"before": "a", "after": "a", "between": ["a", None]}),
    "an order with a gap": record({"order": ["a", None]}),
    "an order and neighbours": record({"order": [], "after": "a", "between": [None, None]}),
    "a key that no record has": record({"above": "1"}),
}


class TestTampered:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_wrong_shape_is_refused_as_the_schema_does(self, shape: str) -> None:
        data = damaged(SHAPES[shape])
        assert not SCHEMA.is_valid(json.loads(data))
        lock, found = unlocked(LockFile("friday.lock", data), "friday", Limits())
        assert lock is None
        assert [each.code for each in found] == ["damaged-lock"]

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"", "damaged-lock"),
            (b"[]", "damaged-lock"),
            (b"{", "damaged-lock"),
            (b"<<<<<<< HEAD\n{}", "damaged-lock"),
            (b'{"format": "houserule-lock", "lock_version": 1, "lock_version": 1}', "damaged-lock"),
            (b'{"format": "houserule-lock", "lock_version": 2}', "lock-version"),
            (b'{"format": "houserule-lock", "lock_version": true}', "lock-version"),
            (b'{"format": "houserule-lock", "lock_version": "1"}', "lock-version"),
            (b'{"format": "houserule-lock", "lock_version": 1.0}', "damaged-lock"),
            (b'{"lock_version": ' + b"9" * 5_000 + b"}", "damaged-lock"),
            (b'{"lock_version": NaN}', "damaged-lock"),
            (b'{"edits": ' + b"[" * 4_000, "damaged-lock"),
            (b"\n".join([b'{"a":'] * 5_000), "damaged-lock"),
            (b'{"ruleset": "\\ud800"}', "damaged-lock"),
            (b'{"ruleset": "\\u202e"}', "damaged-lock"),
            (b'{"ruleset": "\xe2\x80\xae"}', "hidden-character"),
            (b"\xff{}", "not-utf8"),
            (b"{\x00}", "control-character"),
            (b" " * 1_048_577, "file-too-large"),
        ],
    )
    def test_hostile_bytes_are_refused_at_their_place(self, data: bytes, code: str) -> None:
        lock, found = unlocked(LockFile("friday.lock", data), "friday", Limits())
        assert lock is None
        assert [each.code for each in found] == [code]
        assert found[0].span.file.name == "friday.lock"

    @settings(max_examples=100)
    @given(st.lists(st.tuples(st.integers(0, len(LOCK)), st.integers(0, 12), PIECES), min_size=1, max_size=4))
    def test_no_change_of_bytes_does_more_than_be_refused(self, changes: list[tuple[int, int, bytes]]) -> None:
        data = bytearray(LOCK)
        for start, length, piece in changes:
            data[start : start + length] = piece
        lock, found = unlocked(LockFile("friday.lock", bytes(data)), "friday", Limits())
        assert (lock is None) == bool(found)
        if lock:
            found, _ = drift(STANDING, lock, CLASHES)
            assert lock_text("friday", lock)
        assert all(each.span.start <= each.span.end <= len(each.span.file.text) for each in found)

    def test_a_lock_of_another_ruleset(self) -> None:
        lock = LOCK.replace(b'"ruleset": "friday"', b'"ruleset": "monday"')
        _, found = unlocked(LockFile("friday.lock", lock), "friday", Limits())
        assert [(each.code, each.span.text) for each in found] == [("damaged-lock", '"ruleset"')]
