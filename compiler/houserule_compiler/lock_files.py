"""Where the locks of rulesets stand, and what is in them."""

from __future__ import annotations

import os

from .limits import Limits
from .lock import LockFile
from .places import Found, Place, read_at_most

LOCK = "houserule.lock"
LOCK_SUFFIX = ".lock"


def has_lock(found: Found, shipped: str) -> bool:
    """Whether a lock is looked for: what stands in the folder of shipped rules is changed together with its bases."""
    folder = os.path.realpath(shipped) + os.sep
    return not (os.path.realpath(found.place.absolute) + os.sep).startswith(folder)


def lock_place(found: Found) -> Place:
    """Where the lock of a ruleset stands: in its folder, or beside its one file, under the file's name."""
    if found.kind == "folder":
        return found.place.below(LOCK)
    return Place(found.place.root, (*found.place.parts[:-1], found.name + LOCK_SUFFIX), found.place.shown)


def read_lock(found: Found, limits: Limits) -> LockFile:
    """The lock of a ruleset, or that there is none; WrongUse if it cannot be read, or is no plain file.

    Of one that is larger than the limit one byte more than the limit is read, which is then reported.
    """
    place = lock_place(found)
    data = None if place.kind == "missing" else read_at_most(place, limits.file_bytes + 1)
    return LockFile(place.path, data)
