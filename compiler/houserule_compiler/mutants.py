"""Small wrong rules: every single change of an artifact that an example should notice.

A mutant changes one thing, as a slip of an author would: a threshold by one, a row left out, a sign turned, another
stacking policy, a modifier left out, a figure by one, two cases exchanged, another outcome. They are made from the
operators of docs/artifact.md alone. What an author wrote once and the artifact holds several times changes everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from .changed_expressions import (
    SHIFTED,
    Read,
    brief,
    comparison,
    read_of,
    shifted,
    turned,
    turned_within,
    word,
    words_read,
)
from .changed_tables import bumped, cells, index_bounds, left_out
from .messages import mutants as messages
from .units import Key

Json: TypeAlias = Any
Slip: TypeAlias = Literal["threshold", "row", "cell", "sign", "policy", "modifier", "cases", "outcome"]
Node: TypeAlias = tuple[str, str]

SECTIONS: tuple[str, ...] = (
    "choices",
    "entities",
    "facts",
    "conditions",
    "impossible",
    "tables",
    "numbers",
    "stacking",
    "checks",
)
SECTIONS += ("actions", "triggers", "sequences")
_POLICIES = {"largest": ("smallest", "all"), "smallest": ("largest", "all"), "once": ("all",), "all": ("largest",)}
_POLICIES |= {"first": ("all",)}
_NAMED = frozenset(("steps", "values", "cases", "fields", "requires", "moments"))
_PASSED = frozenset(("id", "title", "note", "source", "text", "type", "needs", "reads", "dice", "cost", "as"))
_PASSED |= {"words", "outcomes", "index", "rows", "threat", "meanwhile", "entries"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: of what kind, in which definition, at which path of the rules, and what it is.

    `key` is what a trace says where the changed part is exercised, if it can say so. `target` is the list or object of
    the artifact whose content becomes `changed`.
    """

    slip: Slip
    node: Node
    path: str
    said: str
    key: Key
    target: Json
    changed: Json

    @contextmanager
    def made(self) -> Iterator[None]:
        """The artifact with the change, which is taken back afterwards."""
        before = self.target.copy()
        _fill(self.target, self.changed)
        try:
            yield
        finally:
            _fill(self.target, before)


def _fill(target: Json, content: Json) -> None:
    target.clear()
    target.update(content) if isinstance(target, dict) else target.extend(content)


def mutants(artifact: dict[str, Json]) -> list[Mutant]:
    """All changes, in the order of the artifact.

    The mutants point into `artifact`, in which equal copies of one text become one object.
    """
    words = _words(artifact)
    read = words_read(artifact, words)
    _join(artifact)
    seen: set[int] = set()
    made: list[Mutant] = []
    for section in SECTIONS:
        for each in artifact[section]:
            made += _Making((section, each["id"]), words, read, seen).whole(each)
    return made


def _words(artifact: dict[str, Json]) -> dict[str, list[str]]:
    """The words of every choice, also of the outcomes of checks and the steps of sequences."""
    found = {each["id"]: [word["id"] for word in each["words"]] for each in artifact["choices"]}
    for check in artifact["checks"]:
        found[f"{check['id']}.outcome"] = [each["id"] for each in check["outcomes"]]
    for each in artifact["sequences"]:
        found[f"{each['id']}.step"] = list(_steps(each["steps"]))
    return found


def _steps(steps: Json) -> Iterator[str]:
    for each in steps:
        yield each["id"]
        yield from _steps(each["steps"])


def _join(artifact: dict[str, Json]) -> None:
    """Makes one object of what was written once: conditions of a modifier, moments of several actions."""
    known: dict[tuple[str, str, str], Json] = {}

    def joined(owner: str, kind: str, node: Json) -> Json:
        return known.setdefault((owner, kind, json.dumps(node, sort_keys=True)), node)

    for number in artifact["numbers"]:
        for entry in number["entries"]:
            for key in {"when", "times", "by", "each"} & entry.keys():
                entry[key] = joined(entry["modifier"], key, entry[key])
    for sequence in artifact["sequences"]:
        for place in sequence["places"]:
            place["moments"] = [joined(sequence["id"], "moment", each) for each in place["moments"]]
    for table in artifact["tables"]:
        table["index"] = _joined_index(table["id"], table["index"], joined)


def _joined_index(table: str, index: Json, joined: Any) -> Json:
    if isinstance(index, int):
        return index
    return joined(table, "index", {**index, "then": [_joined_index(table, each, joined) for each in index["then"]]})


@dataclass
class _Making:
    """Makes the mutants of one definition."""

    node: Node
    words: dict[str, list[str]]
    read: dict[Read, list[str]]
    seen: set[int]
    path: str = ""
    key: Key = ()
    step: str = ""

    def whole(self, definition: Json) -> Iterator[Mutant]:
        section, id = self.node
        self.path = f"{section}.{id}"
        if section == "choices":
            yield from self._attributes(definition)
            return
        if section == "stacking":
            yield from self._policies(definition)
        elif section == "tables":
            yield from self._table(definition)
        yield from self._inside(definition)
        if section == "numbers":
            yield from self._entries(definition)

    def _at(self, path: str, key: Key | None = None, node: Node | None = None) -> _Making:
        return _Making(node or self.node, self.words, self.read, self.seen, path, self.key if key is None else key)

    def _mutant(self, slip: Slip, said: str, target: Json, changed: Json, key: Key | None = None) -> Mutant:
        return Mutant(slip, self.node, self.path, said, self.key if key is None else key, target, changed)

    def _attributes(self, choice: Json) -> Iterator[Mutant]:
        for each in choice["attributes"]:
            for at, value in enumerate(each["values"]):
                changed = bumped(each["type"], value, self.words)
                if changed is not None:
                    said = messages.attribute(choice["words"][at]["id"], each["id"], value, changed)
                    yield self._mutant("cell", said, each["values"], _with(each["values"], at, changed))

    def _policies(self, stacking: Json) -> Iterator[Mutant]:
        for of in ("bonuses", "penalties", "all", "multiply"):
            for other in _POLICIES.get(stacking.get(of, ""), ()):
                said = messages.policy(of, stacking[of], other)
                yield self._mutant("policy", said, stacking, {**stacking, of: other})
        if "tie" in stacking:
            other = "bonus" if stacking["tie"] == "penalty" else "penalty"
            said = messages.policy("tie", stacking["tie"], other)
            yield self._mutant("policy", said, stacking, {**stacking, "tie": other})

    def _table(self, table: Json) -> Iterator[Mutant]:
        id = table["id"]
        for at, other, changed in left_out(table):
            yield self._mutant("row", messages.row(at + 1, other + 1), table, changed, ("row", id, at))
        for row, before, after, target, changed in index_bounds(table):
            yield self._mutant("threshold", messages.begins(before, after), target, changed, ("row", id, row))
        for at, column, before, after in cells(table, self.words):
            row, head = table["rows"][at], table["columns"][column]
            said = messages.cell(at + 1, head["id"], *self._shown(head, before, after))
            yield self._mutant("cell", said, row, _with(row, column, after), ("row", id, at))
        for at, row in enumerate(table["rows"]):
            for each in row:
                # A cell that is worked out; any other is a bare value.
                yield from self._at(self.path, ("row", id, at))._inside(each) if isinstance(each, dict) else ()

    def _shown(self, column: Json, *values: Json) -> list[object]:
        words = self.words.get(column["type"].get("choice", ""))
        is_word = words is not None and column["type"]["type"] == "choice"
        return [words[each] if is_word and words else json.dumps(each) for each in values]

    def _entries(self, number: Json) -> Iterator[Mutant]:
        for at, entry in enumerate(number["entries"]):
            id, modifier = number["id"], entry["modifier"]
            key = ("modifier", modifier, id, "applies")
            one = self._at(f"modifiers.{modifier}.adjust.{id}", key, ("modifiers", modifier))
            rest = number["entries"][:at] + number["entries"][at + 1 :]
            yield one._mutant("modifier", messages.modifier(id), number, {**number, "entries": rest})
            yield from one._grades(entry, id)
            yield from one._idle(entry)
            yield from one._inside(entry)

    def _idle(self, entry: Json) -> Iterator[Mutant]:
        """Of what adds `x` where `x > 0` the condition of more alone: to add 0 is to add nothing."""
        when, value = entry.get("when", []), entry.get("value")
        if entry["op"] != "add" or value is None:
            return
        for part in when[1:] if when[:1] == ["and"] else [when]:
            if part in ([">", value, 0], [">", turned(value), 0]) and id(part) not in self.seen:
                self.seen.add(id(part))
                more = [">", part[1], 1]
                yield self._mutant("threshold", messages.threshold(comparison(part), comparison(more)), part, more)

    def _grades(self, entry: Json, number: str) -> Iterator[Mutant]:
        grades = entry.get("grades", [])
        for at, (low, high, value) in enumerate(grades):
            key = ("modifier", entry["modifier"], number, at)
            without = {**entry, "grades": grades[:at] + grades[at + 1 :]}
            # To add 0 is to add nothing.
            if len(grades) > 1 and (entry["op"], value) != ("add", 0):
                yield self._mutant("row", messages.no_grade(number, at + 1), entry, without, key)
            if entry["op"] == "add" and value != 0:
                said = messages.sign(messages.grade_of(number, at + 1))
                yield self._mutant("sign", said, grades[at], [low, high, turned(value)], key)
            if type(value) is int:
                said = messages.figure(number, value, value + 1)
                yield self._mutant("cell", said, grades[at], [low, high, value + 1], key)
            yield from self._bound(grades, at, key) if "by" in entry else ()

    def _bound(self, grades: Json, at: int, key: Key) -> Iterator[Mutant]:
        """A grade that begins one later at the cost of itself: what it loses goes to the one before."""
        low, high, value = grades[at]
        before = grades[at - 1] if at else None
        if before and low is not None and before[1] == low - 1 and low != high and before[2] != value:
            moved = [[before[0], low, before[2]], [low + 1, high, value]]
            changed = [*grades[: at - 1], *moved, *grades[at + 1 :]]
            yield self._mutant("threshold", messages.begins(low, low + 1), grades, changed, key)

    def _inside(self, node: Json) -> Iterator[Mutant]:
        if not isinstance(node, list | dict) or id(node) in self.seen:
            return
        self.seen.add(id(node))
        if isinstance(node, dict):
            yield from self._object(node)
        elif node and isinstance(node[0], str):
            yield from self._expression(node)
        else:
            for each in node:
                yield from self._inside(each)

    def _object(self, node: Json) -> Iterator[Mutant]:
        if node.get("op") == "add" and node.get("value", 0) != 0:
            what = node.get("number", node.get("field", self.path.rpartition(".")[2]))
            said = messages.sign(messages.adjustment(what))
            yield self._mutant("sign", said, node, {**node, "value": turned(node["value"])})
        if "op" in node and type(node.get("value")) is int and (node["op"] != "set" or self.node[0] == "modifiers"):
            yield from self._figure(node)
        yield from self._case(node)
        for key, value in node.items():
            if key == "cases":
                yield from self._swapped(value)
            if key == "places":
                yield from self._places(value)
            elif key in _NAMED and isinstance(value, list) and self.node[0] != "modifiers":
                for each in value:
                    yield from self._part(key, each)._inside(each)
            elif key not in _PASSED:
                yield from self._inside(value)

    def _figure(self, node: Json) -> Iterator[Mutant]:
        """What is added, set or bounded, more by one."""
        value = node["value"]
        what = node.get("number", node.get("field", self.path.rpartition(".")[2]))
        yield self._mutant("cell", messages.figure(what, value, value + 1), node, {**node, "value": value + 1})

    def _part(self, key: str, part: Json) -> _Making:
        id = part["id"]
        path = f"{self.path}.{id}" if key in ("fields", "moments") else f"{self.path}.{key}.{id}" if id else self.path
        one = self._at(path)
        one.step = id if key == "steps" else self.step
        if key == "moments":
            one.key = (*self.key, id, "")
        elif key == "cases":
            one.key = ("case", self.node[1], self.step, id) if self.node[0] == "checks" else (*self.key[:4], id)
        return one

    def _places(self, places: Json) -> Iterator[Mutant]:
        """The moments of the actions of a sequence."""
        for each in places:
            action = each["action"]
            key = ("moment", self.node[1], action)
            yield from self._at(f"{self.path}.places.{action}", key)._inside(each)

    def _case(self, node: Json) -> Iterator[Mutant]:
        section, id = self.node
        outcome, step = node.get("outcome"), node.get("step")
        if section == "checks" and "roll" in node and outcome is not None:
            yield from self._outcome(node, outcome, self.words[f"{id}.outcome"])
        if section == "sequences" and "id" in node and type(step) is int:
            words = self.words[f"{id}.step"]
            after = step + 1 if step + 1 < len(words) else step - 1
            if after >= 0:
                yield self._mutant("outcome", messages.moment(words[step], words[after]), node, {**node, "step": after})

    def _outcome(self, node: Json, outcome: Json, words: list[str]) -> Iterator[Mutant]:
        if isinstance(outcome, int) and len(words) > 1:
            after = (outcome + 1) % len(words)
            said = messages.outcome(words[outcome], words[after])
            yield self._mutant("outcome", said, node, {**node, "outcome": after})
        elif isinstance(outcome, list) and outcome[0] == "if":
            _, when, one, other = outcome
            yield self._mutant("outcome", messages.BRANCHES, outcome, ["if", when, other, one])

    def _swapped(self, cases: Json) -> Iterator[Mutant]:
        """Neighbours whose ends change places; their conditions stay, so that something differs."""
        for at, (one, other) in enumerate(pairwise(cases)):
            if _told(one) != _told(other):
                changed = [*cases[:at], _head(one) | _end(other), _head(other) | _end(one), *cases[at + 2 :]]
                said = messages.cases(messages.case_name(one["id"], at), messages.case_name(other["id"], at + 1))
                yield self._part("cases", one)._mutant("cases", said, cases, changed)

    def _expression(self, node: Json) -> Iterator[Mutant]:
        op = node[0]
        if op in SHIFTED:
            words = self.read.get(read_of(node[1]), ())
            for changed in shifted(node):
                said = messages.threshold(comparison(node, words), comparison(changed, words))
                yield self._mutant("threshold", said, node, changed)
        elif op == "in" and isinstance(node[-1], list):
            yield from self._bands(node)
        elif op in ("+", "-") or (op == "neg" and not isinstance(node[1], str)):
            yield self._mutant("sign", messages.sign(f"`{brief(node[-1])}`"), node, turned_within(node))
        for each in node[1:]:
            yield from self._inside(each)

    def _bands(self, node: Json) -> Iterator[Mutant]:
        _, value, bands = node
        words = self.read.get(read_of(value), ())

        def shown(*ends: Json) -> list[str | None]:
            return [None if each is None else word(each, words) for each in ends]

        for at, (low, high) in enumerate(bands):
            shorter = [[low + 1, high]] if low is not None and low != high else []
            shorter += [[low, high - 1]] if high is not None and low != high else []
            for after in shorter:
                said = messages.band(*shown(low, high, *after))
                yield self._mutant("threshold", said, node, ["in", value, _with(bands, at, after)])
            if low == high and len(bands) > 1:
                rest = bands[:at] + bands[at + 1 :]
                yield self._mutant("threshold", messages.no_band(*shown(low, high)), node, ["in", value, rest])


def _with(items: Json, at: int, value: Json) -> Json:
    return [*items[:at], value, *items[at + 1 :]]


def _end(case: Json) -> dict[str, Json]:
    """What a case leads to."""
    return {key: each for key, each in case.items() if key not in ("when", "id", "source", "title", "note")}


def _told(case: Json) -> dict[str, Json]:
    """What a case leads to, as far as an answer tells it: of what is left out the name of the case, not the words."""
    return _end(case) | ({"left_out": True} if "left_out" in case else {})


def _head(case: Json) -> dict[str, Json]:
    return {key: each for key, each in case.items() if key in ("when", "id", "source", "title", "note")}
