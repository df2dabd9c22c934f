"""The files of one ruleset, as whoever can read them hands them to the pipeline."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Files:
    """The files of one ruleset: each with its display path, relative to where the user stands, and its bytes."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    is_shown: bool = True
