"""From a RULESET of the command line to what came of compiling it, or to loaded rules that can be asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..builds import Asked, Build, digest, digest_of, packed, unpacked
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
    return compile_files(found, _files(found, settings), settings, locked)


def _files(found: Found, settings: Settings) -> Files:
    settings.note(found)
    files, notes = read(found, settings.limits)
    for note in notes:
        say(note, sys.stderr)
    return files


def compile_files(found: Found, files: Files, settings: Settings, locked: LockFile | None = None) -> Compiled:
    """What comes of compiling `files` in the place of a ruleset, whether or not they stand there."""
    return _compiled(found, _asked(found, files, settings), settings, locked)


def _asked(found: Found, files: Files, settings: Settings) -> Asked:
    """Whom a build of a ruleset asks for all else that it needs."""
    from ..codes import codes

    search = around(found, settings.search)
    return Asked(reader(found, files, search, settings.limits, settings.note), search.names, codes)


def _compiled(found: Found, asked: Asked, settings: Settings, locked: LockFile | None) -> Compiled:
    from ..pipeline import compile_ruleset

    schema = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
    limits, memory = settings.limits, settings.memory
    return compile_ruleset(found.name, asked.reads, schema, limits, asked.named, asked.coded, locked, memory)


def build_of(found: Found, settings: Settings, locked: LockFile | None = None) -> Build:
    """The findings and the artifact of a ruleset, as `compiled` gives them; from the cache if they are there."""
    files = _files(found, settings)
    if settings.cache is None:
        return _build(compile_files(found, files, settings, locked))
    key = _key(found, files, settings, locked)
    data = settings.cache.get(key)
    known = unpacked(key, data) if data is not None else None
    if known and _asked(found, files, settings).answers_as(known[1]):
        return known[0]
    asked = _asked(found, files, settings)
    made = _build(_compiled(found, asked, settings, locked))
    settings.cache.put(key, packed(key, made, asked))
    return made


def _build(compiled: Compiled) -> Build:
    return Build(compiled.artifact, compiled.diagnostics, compiled.refused)


def _key(found: Found, files: Files, settings: Settings, locked: LockFile | None) -> str:
    """What a build is kept under: all that decides it, but for what it asks for on the way."""
    from ..tool import tool

    lock = [locked.name, locked.data.hex() if locked.data is not None else None] if locked else None
    return digest([tool(), found.name, digest_of(files), asdict(settings.limits), lock])


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
    return _whole(build_of(found, settings), settings)


def built(found: Found, settings: Settings) -> tuple[bytes, Compiled]:
    """The artifact of a ruleset in files, with what came of compiling it. Ends the command with 1 like `artifact`."""
    made = compiled(found, settings)
    return _whole(_build(made), settings), made


def _whole(made: Build, settings: Settings) -> bytes:
    if made.artifact is None:
        report(made.refused, settings.format, sys.stderr)
        raise click.exceptions.Exit(1)
    # Warnings are the business of `validate`; whoever asks the rules something wants the answer.
    assert not has_errors(made.diagnostics)
    return made.artifact


def built_quietly(found: Found, settings: Settings) -> bytes | None:
    """The artifact, or None where the rules have errors; nothing is said either way."""
    if found.kind == "artifact":
        return read_whole(found.place, _ARTIFACT_BYTES)
    return compile_files(found, read(found, settings.limits)[0], settings).artifact
