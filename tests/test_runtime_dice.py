"""Dice: the seed scheme against its own description, weights against enumeration and against another library."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from artifacts import load
from houserule.dice import Pool, Term, face, weights

TERMS = st.builds(Term, st.integers(1, 3), st.integers(1, 5)) | st.integers(1, 3).flatmap(
    lambda count: st.builds(
        Term, st.just(count), st.integers(1, 5), st.sampled_from(["highest", "lowest"]), st.integers(1, count)
    )
)


def described(seed: object, path: str, index: int, faces: int) -> int:
    """The scheme of docs/artifact.md, written out once more."""
    for attempt in range(1000):
        data = f"{seed}|{path}|{index}|{attempt}".encode()
        value = int(hashlib.sha256(data).hexdigest()[:16], 16)
        if value < 2**64 // faces * faces:
            return value % faces + 1
    raise AssertionError


@given(st.integers() | st.text(st.characters(codec="utf-8"), max_size=8), st.integers(0, 9), st.integers(1, 1000))
def test_seeds(seed: int | str, index: int, faces: int) -> None:
    assert face(seed, "strike.d20", index, faces) == described(seed, "strike.d20", index, faces)


def test_known_faces() -> None:
    assert [face(7, "d20", 0, 20), face("moon", "best", 3, 6), face(1, "best", 0, 6)] == [15, 4, 1]


def test_a_seed_rejects_what_would_be_unfair(monkeypatch: pytest.MonkeyPatch) -> None:
    class Digest:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def digest(self) -> bytes:
            return b"\xff" * 32 if self.data.endswith(b"|0") else (5).to_bytes(8, "big") * 4

    monkeypatch.setattr(hashlib, "sha256", Digest)
    assert face(1, "d", 0, 6) == 6  # 2^64 - 1 lies past the last whole multiple of 6, so the next try counts
    assert face(1, "d", 0, 5) == (2**64 - 1) % 5 + 1 if (2**64 - 1) < 2**64 // 5 * 5 else 1


def test_a_seed_is_fair_enough() -> None:
    counts = Counter(face(seed, "d6", 0, 6) for seed in range(6000))
    assert all(850 < counts[value] < 1150 for value in range(1, 7))


@given(st.lists(TERMS, max_size=2), st.integers(-3, 3))
def test_weights_are_what_enumeration_says(terms: list[Term], constant: int) -> None:
    pool = Pool(tuple(terms), constant)
    falls = product(*(range(1, count + 1) for count in pool.faces))
    assert weights(pool) == Counter(pool.total(faces) for faces in falls)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.integers(2, 8), st.integers(1, 6), st.sampled_from(["highest", "lowest"]))
def test_weights_are_what_another_library_says(count: int, faces: int, kept: int, keep: str) -> None:
    kept = min(kept, count)
    found = weights(Pool((Term(count, faces, keep, kept),)))
    pool = icepool.d(faces).pool(count)
    other = (pool.highest(kept) if keep == "highest" else pool.lowest(kept)).sum()
    assert found == {total: ways for total, ways in other.items() if ways}


def test_a_hundred_dice() -> None:
    found = weights(Pool((Term(100, 6),)))
    assert sum(found.values()) == 6**100
    assert (min(found), max(found), found[100], found[101]) == (100, 600, 1, 100)


def test_an_own_source_is_asked_once_for_each_face() -> None:
    rules = load(
        {
            "checks": [
                {"id": "c", "outcomes": ["x"], "roll": [{"id": "d", "dice": ["dice", 3, 6]}], "cases": [{"outcome": 0}]}
            ]
        }
    )

    class Source:
        asked: list[int]

        def __init__(self) -> None:
            self.asked = []

        def randrange(self, stop: int, /) -> int:
            self.asked.append(stop)
            return stop - 1

    source = Source()
    assert rules.check("c").roll({}, source=source).dice == {"d": 18}
    assert source.asked == [6, 6, 6]
    assert (
        rules.check("c").roll({}, source=random.Random(1)).faces["d"]
        == rules.check("c").roll({}, source=random.Random(1)).faces["d"]
    )
    assert 3 <= rules.check("c").roll({}).dice["d"] <= 18
