"""What is kept between runs, in a folder of the user's own: where it lies, and how entries come and go.

Nothing here may ever be in the way. A folder that cannot be written, a disk that is full, an entry that somebody has
changed: the answer is then worked out anew. A folder that others may write into is not used, because what lies there
would be believed.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

from .confined import Refused, read_file

FOLDER = "houserule"
VARIABLE = "HOUSERULE_CACHE"
SUFFIX = ".build"
_ENTRY = re.compile(r"[0-9a-f]{64}\.build")
_BESIDE = re.compile(r"\.[0-9a-f]{64}\.[0-9]+\.[0-9]+")
"""The names of what is ours: nothing else in the folder is ever looked at, wherever a variable says it lies."""
MOST_BYTES = 64 * 2**20
"""What all entries together may take; the oldest are dropped."""
MOST_ENTRIES = 500
_ABANDONED = 3_600
"""How long, in seconds, a file that is being written is let alone."""


def cache_folder(environment: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """The folder of the cache, whether or not it is there; None where there is to be none.

    `HOUSERULE_CACHE` names it, and turns the cache off if it is not an absolute path. Else it lies where the system
    keeps caches: for Linux in `XDG_CACHE_HOME` or `~/.cache`.
    """
    if named := environment.get(VARIABLE):
        return named if os.path.isabs(named) else None
    if platform == "win32":
        return _below(environment.get("LOCALAPPDATA"), FOLDER, "Cache")
    if platform == "darwin":
        return _below(environment.get("HOME"), "Library", "Caches", FOLDER)
    return _below(environment.get("XDG_CACHE_HOME"), FOLDER) or _below(environment.get("HOME"), ".cache", FOLDER)


def _below(folder: str | None, *parts: str) -> str | None:
    return os.path.join(folder, *parts) if folder and os.path.isabs(folder) else None


@dataclass(frozen=True, slots=True)
class Cache:
    """The entries in one folder."""

    folder: str

    def get(self, key: str) -> bytes | None:
        """What is kept under a key; None if there is nothing, or nothing that may be believed."""
        if not self._is_ours():
            return None
        try:
            data = read_file(self.folder, (key + SUFFIX,), MOST_BYTES + 1)
        except Refused:
            return None
        return data if len(data) <= MOST_BYTES else None

    def put(self, key: str, data: bytes) -> None:
        """Keeps something under a key (a digest), whole or not at all, and drops what is too much."""
        if len(data) > MOST_BYTES // 4:
            return
        beside = os.path.join(self.folder, f".{key}.{os.getpid()}.{time.time_ns()}")
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            if not self._is_ours():
                return
            _write(beside, data)
            os.replace(beside, os.path.join(self.folder, key + SUFFIX))
            self._drop()
        except OSError:
            _remove(beside)

    def _is_ours(self) -> bool:
        """Whether it is a folder that nobody else can write into; where systems have no owners, any folder is."""
        try:
            found = os.stat(self.folder)
        except (OSError, ValueError):
            return False
        if not stat.S_ISDIR(found.st_mode):
            return False
        return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)

    def _drop(self) -> None:
        """Removes what was left half written, and the oldest entries beyond what the cache may hold."""
        entries: list[tuple[float, int, str]] = []
        with os.scandir(self.folder) as found:
            for each in found:
                about = each.stat(follow_symlinks=False)
                if _ENTRY.fullmatch(each.name):
                    entries.append((about.st_mtime, about.st_size, each.path))
                elif _BESIDE.fullmatch(each.name) and time.time() - about.st_mtime > _ABANDONED:
                    _remove(each.path)
        room = MOST_BYTES
        for at, (_, size, path) in enumerate(sorted(entries, reverse=True)):
            room -= size
            if room < 0 or at >= MOST_ENTRIES:
                _remove(path)


def _write(path: str, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
