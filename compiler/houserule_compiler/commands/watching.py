"""Runs something again whenever a file changes that it has read."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from ..limits import Limits
from ..memory import Memory
from ..messages import use
from ..overview import CLEAN, WRONG_USE
from ..places import Found, Place, files_of
from ..wrong_use import WrongUse
from .output import say

_SECONDS = 0.25
# When a file was last written, and how large it is; None if it is gone.
_State: TypeAlias = "tuple[int, int] | None"


@dataclass(slots=True)
class Watch:
    """The rulesets that were read, each with the state of its files just before.

    `lock` gives where the lock of one stands that has one; `standing` the paths of all that could be meant, or,
    if `is_wide`, that there are, since a name that was not found may be that of the next.
    """

    limits: Limits
    lock: Callable[[Found], Place | None] = lambda found: None
    standing: Callable[[Collection[Found], bool], Collection[str]] = lambda found, is_wide: ()
    states: dict[Found, dict[str, _State]] = field(default_factory=dict)
    stood: frozenset[str] = frozenset()
    is_wide: bool = False

    def __call__(self, found: Found) -> None:
        """Notes a ruleset that is about to be read."""
        self.states[found] = self._state(found)

    def look(self, is_wide: bool) -> None:
        """Notes what else stands there, when all is read."""
        self.is_wide = is_wide
        self.stood = frozenset(self._standing())

    def _standing(self) -> Collection[str]:
        try:
            return self.standing(list(self.states), self.is_wide)
        except WrongUse:
            return self.stood

    def keep(self, known: Iterable[Found]) -> None:
        """Goes on watching rulesets that were read before."""
        for each in known:
            self.states.setdefault(each, self._state(each))

    def changed(self) -> list[str]:
        """The files that are other than when they were read, new, or gone, by the path that people see."""
        told = {path for found, before in self.states.items() for path in _differences(before, self._state(found))}
        return sorted(told | (self.stood ^ frozenset(self._standing())))

    def _state(self, found: Found) -> dict[str, _State]:
        try:
            lock = self.lock(found)
            places = [*files_of(found, self.limits), *([lock] if lock else [])]
            return {each.path: state for each in places if (state := _stat(each))}
        except WrongUse:
            return {}


def _differences(before: dict[str, _State], after: dict[str, _State]) -> set[str]:
    return {each for each in before.keys() | after.keys() if before.get(each) != after.get(each)}


def _stat(place: Place) -> _State:
    try:
        found = os.lstat(place.absolute)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def keep_watch(
    run: Callable[[], int], watch: Watch, memory: Memory, wait: Callable[[], None] = lambda: time.sleep(_SECONDS)
) -> int:
    """Runs it, and again after each change, until it is interrupted; gives the last exit code."""
    while True:
        memory.turn()
        known = list(watch.states)
        watch.states.clear()
        code = _run(run)
        if code == WRONG_USE:
            # What could not be read this time may come back.
            watch.keep(known)
        watch.look(code != CLEAN)
        say(use.watching(sum(map(len, watch.states.values()))), sys.stderr)
        try:
            _await(watch, wait)
        except KeyboardInterrupt:
            return code
        say(use.changed(watch.changed()), sys.stderr)


def _run(run: Callable[[], int]) -> int:
    """What is wrong while somebody edits, such as a file that is gone for a moment, ends nothing."""
    try:
        return run()
    except WrongUse as reason:
        say(f"houserule: {reason}", sys.stderr)
        return WRONG_USE
    finally:
        sys.stdout.flush()


def _await(watch: Watch, wait: Callable[[], None]) -> None:
    """Waits for a change, and then until nothing changes any more: an editor may write a file in several steps."""
    before: list[str] = []
    while True:
        wait()
        now = watch.changed()
        if now and now == before:
            return
        before = now
