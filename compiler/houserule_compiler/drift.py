"""What has changed below a ruleset since its lock was written, where that touches an edit of its own.

Each edit is held against what the lock says it stood over. What nothing of the ruleset touches is passed over.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .diagnostics import Diagnostic
from .document import Scalar
from .edits import Edit, Json, Placing, Standing
from .lock import Lock, Value, place_of, value_of
from .messages import drift as messages
from .paths import Path, path_of, path_text
from .source import Span

NOTHING_BELOW = frozenset({"missing-target", "inherited-from-nothing"})
WHOLE = frozenset({"remove", "replace"})


def drift(
    standing: Standing, lock: Lock | None, clashes: Sequence[Diagnostic], missing: str = ""
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The findings of layering, told with what the lock remembers, and those of drift; none of these without a lock.

    `missing` names the file that should hold the lock and is not there.
    """
    comparing = _Comparing(standing, lock or Lock(), clashes)
    if lock:
        comparing.compare()
    elif missing and (standing.edits or standing.placings):
        comparing.found.append(messages.no_lock(standing.name, standing.head, missing))
    return [comparing.explained(each) for each in clashes], comparing.found


@dataclass
class _Comparing:
    """One comparison; `found` and `unrecorded` collect."""

    standing: Standing
    lock: Lock
    clashes: Sequence[Diagnostic]
    found: list[Diagnostic] = field(default_factory=list)
    unrecorded: list[tuple[Path, Span]] = field(default_factory=list)

    def __post_init__(self) -> None:
        # What was recorded under a name that a layer below has since changed holds under the new one.
        moved = {path: self._new_name(path_of(path)) for path in self.lock.records}
        renamed = {path_text(new[0]): self.lock.records[path] for path, new in moved.items() if new}
        self.records = {**renamed, **self.lock.records}
        self.paths = sorted(self.records)
        self.nothing_below = {each.span for each in self.clashes if each.code in NOTHING_BELOW}

    def compare(self) -> None:
        """Goes through all edits."""
        settled: set[Path] = set()

        def is_open(path: Path) -> bool:
            return not any(path[: at + 1] in settled for at in range(len(path)))

        for edit in self.standing.edits:
            if is_open(edit.path) and self._edit(path_text(edit.path), edit):
                settled.add(edit.path)
        for placing in self.standing.placings:
            if is_open(placing.path):
                self._placing(path_text(placing.path), placing)
        if self.unrecorded:
            self.found.append(messages.not_recorded(self.standing.name, self.unrecorded))

    def _edit(self, path: str, edit: Edit) -> bool:
        """Compares one edit; whether that settles everything under its path."""
        record = self.records.get(path)
        was, now = record.value if record else None, value_of(edit)
        if edit.act == "change":
            return bool(was and was.is_nothing) and self._defined(edit)
        if was is None:
            self._unknown(path, edit)
        elif was != now:
            self._changed(edit, was, now)
        return False

    def _defined(self, edit: Edit) -> bool:
        agrees = edit.yours == edit.below
        tell = messages.base_agrees if agrees else messages.base_now_defines
        self.found.append(tell(self.standing.name, edit))
        return True

    def _unknown(self, path: str, edit: Edit) -> None:
        """An edit without a record: what it changed is gone, if the lock knows parts of it; else it is a new edit."""
        parts = self._remembered(path)
        if edit.below is None and not edit.contenders and parts:
            self._gone(edit, parts)
        else:
            self.unrecorded.append((edit.path, edit.key))

    def _remembered(self, path: str) -> dict[str, Json | None]:
        """What stood at a path, or under it."""
        known = {at: self.records[at].value for at in self._under(path)}
        return {at: value.told for at, value in known.items() if value and not value.is_nothing}

    def _under(self, path: str) -> Iterator[str]:
        """The recorded paths that are this one or lie below it."""
        if path in self.records:
            yield path
        for start in (f"{path}.", f"{path}["):
            at = bisect_left(self.paths, start)
            while at < len(self.paths) and self.paths[at].startswith(start):
                yield self.paths[at]
                at += 1

    def _changed(self, edit: Edit, was: Value, now: Value) -> None:
        name = self.standing.name
        if now.is_nothing and (edit.is_id or edit.act in WHOLE):
            self._gone(edit, self._remembered(path_text(edit.path)))
        elif self._is_told(edit):
            return
        elif edit.inherits:
            self.found.append(messages.follows(name, edit, was, now))
        elif not now.contenders and edit.yours == now.below and edit.act != "prefer":
            self.found.append(messages.base_agrees(name, edit))
        else:
            self.found.append(messages.drifted(name, edit, was, now))

    def _gone(self, edit: Edit, was: dict[str, Json | None]) -> None:
        if not self._is_told(edit):
            self.found.append(messages.target_gone(self.standing.name, edit, was, self._new_name(edit.path)))

    def _is_told(self, edit: Edit) -> bool:
        """Whether layering has found that there is nothing below."""
        return not self.nothing_below.isdisjoint((edit.key, edit.at))

    def _placing(self, path: str, placing: Placing) -> None:
        record = self.records.get(path)
        was, now = record.place if record else None, place_of(placing)
        if was is None or (was.side, was.anchor) != (now.side, now.anchor):
            self.unrecorded.append((placing.path, placing.at))
        elif was != now and now.between:
            self.found.append(messages.other_neighbours(self.standing.name, placing, was.between))

    def explained(self, clash: Diagnostic) -> Diagnostic:
        """A finding that there is nothing below, with what stood there, and with its new name if it was renamed."""
        if clash.code not in NOTHING_BELOW:
            return clash
        edit = next((each for each in self.standing.edits if clash.span in (each.key, each.at)), None)
        placing = next((each for each in self.standing.placings if each.at == clash.span), None)
        if placing:
            new = self._new_name((*placing.path[:-1], placing.anchor))
            return messages.with_new_name(clash, new[0][-1], new[1]) if new else clash
        if edit is None:
            return clash
        was = self._remembered(path_text(edit.path))
        clash = messages.with_memory(clash, edit.path, was) if was else clash
        new = self._new_name(edit.path)
        return messages.with_new_name(clash, path_text(new[0]), new[1]) if new else clash

    def _new_name(self, path: Path) -> tuple[Path, Scalar] | None:
        """What a path is called now, if a layer below has renamed it, or what it lies under."""
        found: tuple[Path, Scalar] | None = None
        for _ in self.standing.renamed:
            for old, new, stated in self.standing.renamed:
                if old and path[: len(old)] == old:
                    path = (*new, *path[len(old) :])
                    found = path, stated
                    break
            else:
                break
        return found
