"""Compiles a fork with a lock that was made when what stands below was something else."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from houserule_compiler.diagnostics import Diagnostic
from houserule_compiler.drift import drift
from houserule_compiler.edits import Standing
from houserule_compiler.expand import expand
from houserule_compiler.files import Files
from houserule_compiler.forms import forms
from houserule_compiler.layer import layer, over
from houserule_compiler.limits import Limits
from houserule_compiler.lineage import lineage
from houserule_compiler.load import load
from houserule_compiler.lock import Lock, LockFile, accepted, lock_text
from houserule_compiler.parse import Parser
from houserule_compiler.pipeline import Compiled, compile_ruleset
from literate import schema

PARSER = Parser(Limits())


def standing_of(layers: Mapping[str, str], top: str) -> tuple[Standing, list[Diagnostic]]:
    """The edits of `top`, and what layering found; nothing beyond the layers is looked at, which is much faster."""
    form = forms(schema())
    documents = {name: load(f"{name}.yaml", text.encode(), Limits(), layer=name)[0] for name, text in layers.items()}
    each = {name: expand([document], form, name)[0] for name, document in documents.items() if document}
    line, circles = lineage(top, {name: one.uses for name, one in each.items()})
    assert line, circles
    layered, clashes = layer(each, line, form, PARSER)
    return over(each, line, form, PARSER, layered), clashes


def told(layers: Mapping[str, str], top: str, lock: Lock) -> list[Diagnostic]:
    """What is found of drift."""
    standing, clashes = standing_of(layers, top)
    return drift(standing, lock, clashes)[1]


def locked(layers: Mapping[str, str], top: str, lock: bytes | None) -> Compiled:
    """What comes of `top` beside this lock; `layers` has the text of each ruleset's one file by name."""
    files = {name: Files(name, ((f"{name}.yaml", text.encode()),)) for name, text in layers.items()}
    return compile_ruleset(top, files.get, schema(), Limits(), lambda: files, locked=LockFile(f"{top}.lock", lock))


def lock_of(layers: Mapping[str, str], top: str) -> bytes:
    """The lock that accepting `top` writes."""
    return lock_text(top, accepted(standing_of(layers, top)[0])).encode()


def path_told(found: Diagnostic) -> str:
    """The path that a finding of drift is about: what its help would have one accept."""
    command = found.help[found.help.index("`houserule accept ") : -1]
    return shlex.split(command)[-1]
