"""Real artifacts, each field dropped, retyped and mutated: refused in one sentence, or answered within bounds.

Every change is hashed anew, so that all but the hash has to stand. By default a part of all places is tried, chosen by
hash; `HOUSERULE_TAMPER=1000` tries so many of each artifact, and every form of value.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import pytest

import houserule
import oracle
from artifacts import sealed
from houserule import ArtifactError, HouseruleError
from shipped_rules import built

Path = tuple[int | str, ...]
NAMES = ("osric", "swords-wizardry")
EVERY = "HOUSERULE_TAMPER" in os.environ
TRIED = int(os.environ.get("HOUSERULE_TAMPER", "24"))
SECONDS = 20
"""What one load with all its questions may take: hundreds of times what it takes."""


@cache
def root(name: str) -> dict[str, Any]:
    artifact = built(name).artifact
    assert artifact
    found: dict[str, Any] = json.loads(artifact)
    return found


def places(node: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all parts."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield (*path, key)
        yield from places(value, (*path, key))


def changes(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values in its place, by name: of other types, and of its own."""
    others = {"null": None, "truth": True, "text": "x", "list": [], "object": {}, "large": 2**53 - 1, "beyond": 2**53}
    yield from ((name, other) for name, other in others.items() if json.dumps(other) != json.dumps(value))
    if isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield from (("one more", value + 1), ("one less", value - 1), ("turned", -value - 1), ("a point", value + 0.5))
    elif isinstance(value, str):
        yield from (("cut", value[:-1]), ("longer", value + "x"), ("line break", value + "\n"), ("long", "x" * 100_000))
    elif isinstance(value, list):
        yield from (("first twice", [*value[:1], *value]), ("reversed", value[::-1]), ("cut", value[:-1]))
        yield "deeper", [[value]]
    elif isinstance(value, dict):
        yield "a key more", {**value, "zz": 1}


@cache
def wanted(name: str) -> tuple[tuple[Path, str], ...]:
    """The places that are tried, the same ones each time, with a change each; of few places there are several."""

    def drawn(each: object) -> bytes:
        return sha256(repr(each).encode()).digest()

    paths = sorted((path for path in places(root(name)) if path[0] != "content_hash"), key=drawn)
    found: list[tuple[Path, str]] = []
    while len(found) < TRIED and paths:
        turn = len(found) // len(paths)
        for path in paths[: TRIED - len(found)]:
            possible = ["dropped", *(change for change, _ in changes(at(root(name), path)))]
            found.append((path, possible[(drawn(path)[0] + turn) % len(possible)]))
    return tuple(found)


def at(node: Any, path: Path) -> Any:
    for step in path:
        node = node[step]
    return node


def tampered(name: str, path: Path, change: str) -> dict[str, Any]:
    found = copy.deepcopy(root(name))
    owner = at(found, path[:-1])
    if change == "dropped":
        del owner[path[-1]]
    else:
        owner[path[-1]] = dict(changes(owner[path[-1]]))[change]
    return found


def outcome(name: str, path: Path, change: str) -> str:
    """`refused` or `answered`: whichever came of it, in one sentence and in bounded time."""
    made = tampered(name, path, change)
    start = time.process_time()
    try:
        rules = houserule.load(sealed(made) if "content_hash" in made else made)
    except ArtifactError as error:
        text = str(error)
        assert text
        assert "\n" not in text
        assert len(text) <= 500
        return "refused"
    ask(rules, made)
    assert time.process_time() - start < SECONDS
    return "answered"


def ask(rules: houserule.Rules, made: dict[str, Any]) -> None:
    """Asks some numbers, checks, tables and all sequences; each answers or is refused."""
    chance = Random(7)
    numbers = chance.sample(sorted(rules.program.numbers), min(6, len(rules.program.numbers)))
    checks = chance.sample(sorted(rules.program.checks), min(3, len(rules.program.checks)))
    for id in numbers:
        facts = situation(rules, rules.reads_of_number(id), chance)
        quietly(lambda id=id, facts=facts: oracle.number(rules, id, facts))
        quietly(lambda id=id: rules.number(id).explain({}))
    for id in checks:
        facts = situation(rules, rules.reads_of_check(id), chance)
        quietly(lambda id=id, facts=facts: oracle.check(rules, id, facts, 1))
        quietly(lambda id=id: rules.check(id).roll({}, seed=1))
        quietly(lambda id=id: rules.check(id).odds({}, limit=2000))
    for id in rules.sequences:
        quietly(lambda id=id: rules.sequence(id).order({"actors": {}}, seed=1))
    quietly(lambda: rules.due({}))


def situation(rules: houserule.Rules, reads: Any, chance: Random) -> Any:
    return oracle.situation(rules, reads, chance)


def quietly(question: Any) -> None:
    with contextlib.suppress(HouseruleError):
        question()


@pytest.mark.parametrize("name", NAMES)
def test_a_tampered_artifact_is_refused_or_answers_within_bounds(name: str) -> None:
    counted = Counter(outcome(name, path, change) for path, change in wanted(name))
    assert counted["refused"] > counted.total() // 2
    print(f"{name}: {counted.total()} changes, {counted['refused']} refused, {counted['answered']} answered")


@pytest.mark.parametrize("name", NAMES)
def test_each_key_of_each_kind_of_object_is_tried(name: str) -> None:
    """One value of each form, by the keys on the way to it: null in its place is refused."""
    seen: set[tuple[str, ...]] = set()
    for path in places(root(name)):
        form = tuple(each for each in path if isinstance(each, str))
        if path[0] in ("content_hash", "origins") or form in seen or not isinstance(path[-1], str):
            continue
        seen.add(form)
        if len(seen) % (1 if EVERY else 9) == 0:
            found = outcome(name, path, "null") if at(root(name), path) is not None else "refused"
            assert found == "refused" or path[-1] in OPEN, path
    assert len(seen) > 100


OPEN = {"ends"}
"""Where null is a value: a band that is open above."""


def test_the_hash_covers_every_place() -> None:
    """Without a new hash any change is refused by it, but for origins, which mean nothing."""
    name = NAMES[0]
    for path, change in wanted(name)[:40]:
        if path[0] != "origins":
            with pytest.raises(ArtifactError):
                houserule.load(tampered(name, path, change))
