"""Reading files below a folder, each step of the way opened without following links.

The folder itself is trusted; what lies below it is not. A link, a pipe, a device or a socket is refused and never
opened, so nothing below the folder can make us read something elsewhere, or wait. Where the system has no folder
handles (Windows), every step is looked at before it is taken.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["missing", "link", "special", "not_a_folder", "not_a_file", "unreadable"]

_HAS_HANDLES = os.open in os.supports_dir_fd and os.scandir in os.supports_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
# Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)


class Refused(Exception):
    """Something below the folder cannot be read; `parts` is the way to it, `reason` why."""

    def __init__(self, parts: tuple[str, ...], reason: Reason) -> None:
        super().__init__("/".join(parts), reason)
        self.parts = parts
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Item:
    """What a folder holds under one name: a file, a folder, or (`other`) anything else, links among them."""

    name: str
    kind: Literal["file", "folder", "other"]


def read_file(root: str, parts: tuple[str, ...], most: int) -> bytes:
    """The first `most` bytes of a regular file; Refused if there is none or a step of the way is not what it seems."""
    handle = _open_file(root, parts)
    with os.fdopen(handle, "rb") as file:
        try:
            return file.read(most)
        except OSError:
            raise Refused(parts, "unreadable") from None


def list_folder(root: str, parts: tuple[str, ...], most: int) -> list[Item]:
    """What a folder holds, at most `most` things, sorted by name; Refused as `read_file`."""
    if not _HAS_HANDLES:
        return _items(_checked(root, parts), parts, most)
    handle = _open_folder(root, parts)
    try:
        return _items(handle, parts, most)
    finally:
        os.close(handle)


def kind_of(root: str, parts: tuple[str, ...]) -> Literal["file", "folder", "other", "missing"]:
    """What stands at the end of the way, without opening it: `other` is a link or a special file."""
    try:
        return _kind(os.lstat(os.path.join(root, *parts)).st_mode)
    except (OSError, ValueError):
        return "missing"


def _kind(mode: int) -> Literal["file", "folder", "other"]:
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def _items(folder: int | str, parts: tuple[str, ...], most: int) -> list[Item]:
    found: list[Item] = []
    try:
        with os.scandir(folder) as entries:
            for each in entries:
                if len(found) >= most:
                    break
                found.append(Item(each.name, _kind(each.stat(follow_symlinks=False).st_mode)))
    except OSError:
        raise Refused(parts, "unreadable") from None
    return sorted(found, key=lambda each: each.name.encode("utf-8", "surrogateescape"))


def _open_file(root: str, parts: tuple[str, ...]) -> int:
    if not _HAS_HANDLES:
        handle = _opened(_checked(root, parts), _FILE, parts, None)
    else:
        folder = _open_folder(root, parts[:-1])
        try:
            handle = _opened(parts[-1], _FILE | os.O_NOFOLLOW, parts, folder)
        finally:
            os.close(folder)
    return _regular(handle, parts)


def _regular(handle: int, parts: tuple[str, ...]) -> int:
    """The handle, if it is of a regular file; what was looked at before opening may have been swapped since."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    raise Refused(parts, "not_a_file" if stat.S_ISDIR(mode) else "special")


def _open_folder(root: str, parts: tuple[str, ...]) -> int:
    handle = _opened(root, _FOLDER, (), None)
    for depth, part in enumerate(parts, 1):
        try:
            below = _opened(part, _FOLDER | os.O_NOFOLLOW, parts[:depth], handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def _opened(path: str, flags: int, parts: tuple[str, ...], folder: int | None) -> int:
    try:
        return os.open(path, flags, dir_fd=folder) if folder is not None else os.open(path, flags)
    except (OSError, ValueError) as fault:
        raise Refused(parts, _reason(path, folder, fault)) from None


def _reason(path: str, folder: int | None, fault: OSError | ValueError) -> Reason:
    """Why an open failed; which error a link gives differs from system to system, so the thing itself is looked at."""
    if isinstance(fault, (FileNotFoundError, ValueError)):
        return "missing"
    try:
        mode = os.lstat(path, dir_fd=folder).st_mode if folder is not None else os.lstat(path).st_mode
    except OSError:
        return "unreadable"
    if stat.S_ISLNK(mode):
        return "link"
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return "special"
    return "not_a_folder" if isinstance(fault, NotADirectoryError) else "unreadable"


def _checked(root: str, parts: tuple[str, ...]) -> str:
    """The path of the last part, once every step on the way there proved to be no link."""
    path = root
    for depth, part in enumerate(parts, 1):
        path = os.path.join(path, part)
        try:
            found = os.lstat(path)
        except (OSError, ValueError):
            raise Refused(parts[:depth], "missing") from None
        if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION:
            raise Refused(parts[:depth], "link")
        if depth < len(parts) and not stat.S_ISDIR(found.st_mode):
            raise Refused(parts[:depth], "not_a_folder")
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise Refused(parts[:depth], "special")
    return path
