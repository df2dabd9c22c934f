"""From a RULESET of the command line to what came of compiling it, or to loaded rules that can be asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..diagnostics import has_errors
from ..places import Found, around, find, read, read_whole, reader
from ..shipped import shipped
from .options import Settings
from .output import report, say

if TYPE_CHECKING:
    from houserule import Rules

    from ..files import Files
    from ..lock import LockFile
    from ..pipeline import Compiled

_ARTIFACT_BYTES = 64 * 2**20


def compiled(found: Found, settings: Settings, locked: LockFile | None = None) -> Compiled:
    """What came of compiling a ruleset; says on the error stream which files were passed over.

    With `locked` it is told what has changed below the ruleset since that was written.
    """
    settings.note(found)
    files, notes = read(found, settings.limits)
    for note in notes:
        say(note, sys.stderr)
    return compile_files(found, files, settings, locked)


def compile_files(found: Found, files: Files, settings: Settings, locked: LockFile | None = None) -> Compiled:
    """What comes of compiling `files` in the place of a ruleset, whether or not they stand there."""
    from ..codes import codes
    from ..pipeline import compile_ruleset

    schema = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
    search = around(found, settings.search)
    read = reader(found, files, search, settings.limits, settings.note)
    return compile_ruleset(found.name, read, schema, settings.limits, search.names, codes, locked)


def loaded(word: str, settings: Settings, options: Sequence[str] = ()) -> Rules:
    """The rules that a RULESET means, ready to be asked. Ends the command with 1 where there are none to ask."""
    import houserule

    from .asking import assigned

    chosen: Mapping[str, Any] = assigned(options, "--option", "ID=VALUE")
    return houserule.load(artifact(find(word, settings.search, settings.limits), settings), options=chosen)


def artifact(found: Found, settings: Settings) -> bytes:
    """The artifact of a ruleset, built or read. Ends the command with 1 where the rules have errors or are abstract."""
    if found.kind == "artifact":
        return read_whole(found.place, _ARTIFACT_BYTES)
    return built(found, settings)[0]


def built(found: Found, settings: Settings) -> tuple[bytes, Compiled]:
    """The artifact of a ruleset in files, with what came of compiling it. Ends the command with 1 like `artifact`."""
    outcome = compiled(found, settings)
    if outcome.artifact is None:
        report(outcome.refused, settings.format, sys.stderr)
        raise click.exceptions.Exit(1)
    # Warnings are the business of `validate`; whoever asks the rules something wants the answer.
    assert not has_errors(outcome.diagnostics)
    return outcome.artifact, outcome


def built_quietly(found: Found, settings: Settings) -> bytes | None:
    """The artifact, or None where the rules have errors; nothing is said either way."""
    if found.kind == "artifact":
        return read_whole(found.place, _ARTIFACT_BYTES)
    return compile_files(found, read(found, settings.limits)[0], settings).artifact
