"""The files of one ruleset, as whoever can read them hands them to the pipeline."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Files:
    """The files of one ruleset: each with its display path, relative to where the user stands, and its bytes.

    `folder` is what the display paths of all files in the ruleset's folder begin with; a file that is a ruleset by
    itself has none.
    """

    name: str
    files: tuple[tuple[str, bytes], ...]
    is_shown: bool = True
    folder: str | None = None

    def inner(self, path: str) -> str:
        """The path of a file within the ruleset's folder; empty where there is none."""
        return path.removeprefix(self.folder) if self.folder is not None else ""


@dataclass(frozen=True)
class Refusal:
    """Why the files of a ruleset cannot be had: a sentence, or the places of all that bear its name."""

    reason: str = ""
    places: tuple[str, ...] = ()
