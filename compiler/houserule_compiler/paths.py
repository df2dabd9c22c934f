"""Paths of the rules: `modifiers.flanking.adjust.attack_bonus`, `tables.t.rows[2..5].reaction`, as keys and as text."""

from __future__ import annotations

import re
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]
"""The keys from a section down; a key of rows stands in brackets, `[2..5]` or `[warrior, 1..3]`."""

_STEPS = re.compile(r"\[[^\]]*\]|[^.\[]+")


def path_text(path: Path) -> str:
    """The path as people write it."""
    return "".join(each if each.startswith("[") or not at else f".{each}" for at, each in enumerate(path))


def path_of(text: str) -> Path:
    """The path that a text means."""
    return tuple(text[start:end] for start, end in steps(text))


def steps(text: str) -> list[tuple[int, int]]:
    """Where each key of a path stands in its text."""
    return [each.span() for each in _STEPS.finditer(text)]


def rows_key(keys: list[str]) -> str:
    """The step of a path that names keys of rows."""
    return f"[{', '.join(keys)}]"
