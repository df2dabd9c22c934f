"""Which small changes of a ruleset its examples notice: each change is made, and the examples that it can reach tried.

An example notices a change where it fails with it. A change that the runtime refuses is noticed too. Those examples
are tried first whose traces went through what is changed; where none of them fails, all others that can come to it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import houserule
from houserule.artifact import read
from houserule.errors import ArtifactError

from .coverage import coverage, exercised
from .declarations import Example
from .mutants import SECTIONS, Mutant, Node, mutants
from .origins import spans
from .pipeline import Compiled, ExampleReport, notices
from .round_trials import Loaded
from .source import Span
from .units import Key

if TYPE_CHECKING:
    from houserule import Trace

MOST = 2_000
"""More changes than this are not tried unless that is asked for: so many are drawn by lot."""
SEED = 1
_EVERYWHERE = frozenset(("entities", "impossible"))
"""Sections whose definitions every question can come to."""
_REMARKS = frozenset(("title", "note", "source", "text"))


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """A change that no example notices, and where in the rules."""

    mutant: Mutant
    span: Span


@dataclass(frozen=True, slots=True)
class Noticed:
    """What came of trying changes: how many of how many, and those that went unnoticed, in file order.

    `refused` of those tried were noticed by the runtime, without an example; `failing` examples fail as it is.
    """

    ruleset: str
    tried: int
    possible: int
    unnoticed: tuple[Unnoticed, ...]
    refused: int = 0
    failing: int = 0
    seed: int = SEED

    @property
    def share(self) -> Fraction:
        """How many go unnoticed of those tried; of none, none do."""
        return Fraction(len(self.unnoticed), self.tried) if self.tried else Fraction(0)


def noticed(compiled: Compiled, report: ExampleReport, most: int = MOST) -> Noticed:
    """What the examples notice of all changes of what a ruleset itself states.

    Definitions of layers below are theirs to answer for. `report` is that of the unchanged rules; an example that
    fails there notices nothing. More changes than `most` are drawn by lot, the same ones every time.
    Takes what compiled; of what did not there are no changes.
    """
    assert compiled.artifact is not None
    assert compiled.ruleset is not None
    artifact = json.loads(compiled.artifact)
    del artifact["origins"]
    places = _Places(compiled)
    found = [(each, places.of(each)) for each in mutants(artifact)]
    own = [(each, span) for each, span in found if span is not None and span.file.layer == compiled.name]
    drawn = own if len(own) <= most else random.Random(SEED).sample(own, most)
    sound = [each for each in report.results if not each.diagnostics]
    trying = _Trying(artifact, compiled.ruleset.examples, [_Tested.of(each.id, each.traces) for each in sound])
    missed = [Unnoticed(each, span) for each, span in drawn if not trying.is_noticed(each)]
    missed.sort(key=lambda each: (each.span.file.name, each.span.start))
    return Noticed(compiled.name, len(drawn), len(own), tuple(missed), trying.refused, len(report.results) - len(sound))


class _Places:
    """Where each part of the rules stands."""

    def __init__(self, compiled: Compiled) -> None:
        assert compiled.typed is not None
        assert compiled.origins is not None
        self.by_key: Mapping[Key, Span] = {
            key: unit.span for unit in coverage(compiled.typed, ()).units for key in unit.keys
        }
        self.by_path = spans(compiled.origins)

    def of(self, mutant: Mutant) -> Span | None:
        """The place of what is changed, or of the least that it is a part of and that has one."""
        if mutant.key in self.by_key:
            return self.by_key[mutant.key]
        path = mutant.path
        while path and path not in self.by_path:
            path = path.rpartition(".")[0]
        return self.by_path.get(path)


@dataclass(frozen=True, slots=True)
class _Tested:
    """An example that holds: what its traces went through, and the definitions that these name."""

    id: str
    keys: frozenset[Key]
    names: frozenset[object]

    @classmethod
    def of(cls, id: str, traces: Iterable[Trace]) -> _Tested:
        """An example and its traces, which are not kept."""
        keys = exercised(traces)
        return cls(id, keys, frozenset(name for key in keys for name in key[1:3]))

    def distance(self, mutant: Mutant) -> int:
        """How far the example is from a change: 0 where it went through it."""
        return 0 if mutant.key in self.keys else 1 if mutant.node[1] in self.names else 2


@dataclass
class _Trying:
    """Tries the examples of one ruleset with each change."""

    artifact: dict[str, Any]
    examples: Mapping[str, Example]
    tested: Sequence[_Tested]
    refused: int = 0

    def __post_init__(self) -> None:
        self.edges = _edges(self.artifact)
        self.reach = {each.id: self._reached(self.examples[each.id]) for each in self.tested}

    def is_noticed(self, mutant: Mutant) -> bool:
        """Whether the runtime refuses the changed rules, or an example fails with them."""
        with mutant.made():
            self.artifact["content_hash"] = houserule.content_hash(self.artifact)
            try:
                loaded = Loaded(read(self.artifact), self.examples)
            except ArtifactError:
                self.refused += 1
                return True
            return any(notices(self.examples[each.id], loaded) for each in self._near(mutant))

    def _near(self, mutant: Mutant) -> list[_Tested]:
        """The examples that can come to a change, the nearest first."""
        is_everywhere = mutant.node[0] in _EVERYWHERE
        able = [each for each in self.tested if is_everywhere or mutant.node in self.reach[each.id]]
        return sorted(able, key=lambda each: each.distance(mutant))

    def _reached(self, example: Example) -> frozenset[Node]:
        """All definitions that an example can come to, with the rounds before it."""
        chain = [example]
        while (after := chain[-1].after) and self.examples[after.id] not in chain:
            chain.append(self.examples[after.id])
        found: set[Node] = set()
        waiting: list[Node] = [(f"{each.kind}s", each.subject.id) for each in chain]
        # What is impossible is asked before anything else.
        waiting += [("impossible", each["id"]) for each in self.artifact["impossible"]]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += self.edges.get(node, ())
        return frozenset(found)


def _edges(artifact: Mapping[str, Any]) -> dict[Node, frozenset[Node]]:
    """For each definition those whose id stands anywhere in it: more than it reads, and never less."""
    named: dict[str, list[Node]] = {}
    for section in (*SECTIONS, "modifiers", "roles"):
        for each in artifact[section]:
            named.setdefault(each["id"], []).append((section, each["id"]))
    return {
        (section, each["id"]): frozenset(node for text in _texts(each) for node in named.get(text, ()))
        for section in (*SECTIONS, "modifiers", "roles")
        for each in artifact[section]
    }


def _texts(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for each in node:
            yield from _texts(each)
    elif isinstance(node, dict):
        for key, each in node.items():
            if key not in _REMARKS:
                yield key
                yield from _texts(each)
