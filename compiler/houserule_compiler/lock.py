"""The lock of a ruleset that stands on others: what each of its edits stood over when it was last accepted.

docs/lock.md describes the file, schemas/lock.schema.json its form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .diagnostics import Diagnostic, Severity
from .edits import Edit, Json, LayerMark, Placing, Standing
from .paths import path_text

FORMAT = "houserule-lock"
VERSION = 1
NOTHING = "nothing"
"""What messages say where nothing stood."""
UNRECORDED = frozenset({"no-lock", "not-recorded"})
"""What tells that a lock is not up to date."""
STRICT = frozenset({"drift", "drift-neighbours"}) | UNRECORDED
"""What weighs as an error where the lock has to be up to date."""


@dataclass(frozen=True, slots=True)
class Lock:
    """What a lock holds: the layers below as they were, and by path what each edit stood over."""

    layers: Mapping[str, LayerMark] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Value:
    """What stood below an edit, None for nothing; where layers disagreed, what each of them said."""

    below: Json | None
    contenders: Mapping[str, Json | None] = field(default_factory=dict)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing stood there."""
        return self.below is None and not self.contenders

    @property
    def told(self) -> Json | None:
        """As messages show it: where layers disagreed, what each of them said."""
        if not self.contenders:
            return self.below
        return {name: NOTHING if each is None else each for name, each in self.contenders.items()}


@dataclass(frozen=True, slots=True)
class Place:
    """The neighbours between which an entry was put, and how the edit said so; of an order, all ids below."""

    side: str
    anchor: str
    between: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What one path of the lock holds."""

    value: Value | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class LockFile:
    """Where a lock is or would be, as people see it, and its bytes; None where there is no such file."""

    name: str
    data: bytes | None


def value_of(edit: Edit) -> Value:
    """What is recorded of an edit."""
    return Value(edit.below, edit.contenders)


def place_of(placing: Placing) -> Place:
    """What is recorded of a place that was given."""
    return Place(placing.side, placing.anchor, placing.between)


def records_of(standing: Standing) -> dict[str, Record]:
    """What is to be recorded of all edits of a ruleset, by path."""
    found: dict[str, Record] = {}
    for edit in standing.edits:
        if edit.act != "change":
            found[path_text(edit.path)] = Record(value_of(edit))
    for placing in standing.placings:
        path = path_text(placing.path)
        found[path] = replace(found.get(path, Record()), place=place_of(placing))
    return found


def accepted(standing: Standing, old: Lock | None = None, paths: Iterable[str] = ()) -> Lock:
    """The lock that holds what stands below now. With `paths` all but those, and what is under them, stays as it was.

    Where there was no lock, nothing but `paths` is recorded.
    """
    chosen = list(paths)
    new = records_of(standing)
    if not chosen:
        return Lock(standing.marks(), new)
    before = old.records if old else {}
    kept = {path: record for path, record in before.items() if not any(is_under(path, each) for each in chosen)}
    taken = {path: record for path, record in new.items() if any(is_under(path, each) for each in chosen)}
    return Lock(old.layers if old else standing.marks(), kept | taken)


def is_under(path: str, top: str) -> bool:
    """Whether a path is another, or lies below it."""
    return path == top or path.startswith((f"{top}.", f"{top}["))


def lock_text(name: str, lock: Lock) -> str:
    """The text of the file. The same lock gives the same text."""
    data = {
        "format": FORMAT,
        "lock_version": VERSION,
        "ruleset": name,
        "layers": {
            id: {"version": mark.version, "content_hash": mark.content_hash} for id, mark in lock.layers.items()
        },
        "edits": {path: _record(record) for path, record in lock.records.items()},
    }
    return json.dumps(data, sort_keys=True, ensure_ascii=False, indent=2) + "\n"


def _record(record: Record) -> dict[str, object]:
    found: dict[str, object] = {}
    if record.value and record.value.contenders:
        found["contenders"] = record.value.contenders
    if record.value and (record.value.below is not None or not record.value.contenders):
        found["below"] = record.value.below
    if record.place and record.place.side == "order":
        found["order"] = list(record.place.between)
    elif record.place:
        found |= {record.place.side: record.place.anchor, "between": list(record.place.between)}
    return found


def strict(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings, with those as errors that say that the lock is not up to date."""
    return [replace(each, severity=Severity.ERROR) if each.code in STRICT else each for each in found]
