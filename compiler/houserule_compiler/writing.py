"""Writes files and folders whole or not at all: beside their place, then moved there, whatever happens in between."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Mapping

from .messages import use
from .wrong_use import WrongUse

_REASONS = {
    errno.ENOSPC: "no_room",
    errno.EDQUOT: "no_room",
    errno.EFBIG: "no_room",
    errno.EISDIR: "is_folder",
    errno.ENAMETOOLONG: "long_name",
    errno.ENOENT: "no_folder",
    errno.ENOTDIR: "no_folder",
}


def write(path: str, data: bytes, shown: str = "") -> None:
    """Writes a file, so that nobody ever finds half of it; WrongUse where that cannot be, and then nothing has changed.

    One that was there keeps its permissions. A device or a pipe, which cannot be replaced, is written to. `shown` is
    how people see the path.
    """
    try:
        if _is_stream(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _placed(path, data)
    except OSError as fault:
        raise unwritable(shown or path, fault) from None


def write_where_named(path: str, data: bytes) -> None:
    """Writes the file that the user names, to wherever links lead from there; otherwise as `write`."""
    try:
        # The way to a pipe, such as `/dev/stdout`, leads to no path of its own.
        real = path if _is_stream(path) else os.path.realpath(path)
    except ValueError:
        raise use.unwritable(path) from None
    write(real, data, path)


def write_folder(path: str, files: Mapping[str, bytes], shown: str) -> None:
    """Writes a new folder with its files, as `write` does."""
    beside = _beside(path)
    try:
        os.mkdir(beside)
        for file, data in files.items():
            with open(os.path.join(beside, file), "xb") as written:
                written.write(data)
        os.rename(beside, path)
    except OSError as fault:
        raise unwritable(shown, fault) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def unwritable(shown: str, fault: OSError) -> WrongUse:
    """Why something cannot be written, as far as the system says."""
    return use.unwritable(shown, _REASONS.get(fault.errno or 0, ""))


def is_no_room(fault: OSError) -> bool:
    """Whether there is no room for what was to be written."""
    return _REASONS.get(fault.errno or 0) == "no_room"


def _placed(path: str, data: bytes) -> None:
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, path)
    beside = _beside(path)
    try:
        with open(beside, "xb") as file:
            file.write(data)
        if os.path.isfile(path):
            os.chmod(beside, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(beside, path)
    finally:
        # Also where the user has stopped us: what is not in its place yet has never been there.
        if os.path.lexists(beside):
            os.unlink(beside)


def _beside(path: str) -> str:
    """A name in the same folder that nobody else takes, however long the name itself is."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name[:40]}.{os.getpid()}.{os.urandom(4).hex()}")


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
