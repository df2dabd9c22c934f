"""`houserule accept`: records in the lock of a ruleset what its edits stand over now."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ..diagnostics import has_errors
from ..lock import Lock, LockFile, accepted, is_under, lock_text, records_of
from ..lock_files import lock_place, read_lock
from ..messages import drift as messages
from ..messages import use
from ..overview import CLEAN, FINDINGS
from ..places import Found, find
from ..writing import write
from .options import Format, Settings, reads_rules, ruleset_argument, settings
from .output import report, say


@click.command()
@ruleset_argument
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@reads_rules
def command(
    ruleset: str,
    paths: tuple[str, ...],
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Record what a ruleset that stands on others changes, in the lock beside it.

    From then on `validate` tells when what it changes has changed below. With PATHs, as `modifiers.flanking`, only
    what stands at or under them is recorded anew. Exit code 1 where the rules have errors; then nothing is written.
    """
    chosen = settings(path, limit, untrusted, format)
    return accept(find(ruleset, chosen.search, chosen.limits), chosen, paths)


def accept(found: Found, settings: Settings, paths: Sequence[str] = ()) -> int:
    """Writes the lock of a ruleset and says what it recorded; gives the exit code.

    WrongUse for untrusted rules, for an artifact, and for a path at which nothing is changed.
    """
    from ..pipeline import unlocked
    from .reading import compiled

    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "accept")
    file = read_lock(found, settings.limits)
    if settings.is_untrusted:
        raise use.writes_no_lock(file.name)
    # What changed below is what is being accepted, so the rules are looked at as if nothing were recorded.
    outcome = compiled(found, settings, LockFile(file.name, None))
    old, unsound = unlocked(file, found.name, settings.limits)
    found_wrong = [*outcome.diagnostics, *(unsound if paths else [])]
    if has_errors(found_wrong):
        report([each for each in found_wrong if each.code != "no-lock"], settings.format, sys.stderr)
        return FINDINGS
    if outcome.standing is None:
        say(f"{found.name}: stands on no other ruleset, so there is nothing to record")
        return CLEAN
    known = records_of(outcome.standing)
    for each in paths:
        if not any(is_under(path, each) for path in (*known, *(old.records if old else ()))):
            raise use.no_such_edit(each, known, found.name)
    return _write(found, settings, file, old, accepted(outcome.standing, old, paths))


def _write(found: Found, settings: Settings, file: LockFile, old: Lock | None, new: Lock) -> int:
    from ..pipeline import unlocked

    data = lock_text(found.name, new).encode("utf-8")
    _, unsound = unlocked(LockFile(file.name, data), found.name, settings.limits)
    if unsound:
        report(unsound, settings.format, sys.stderr)
        return FINDINGS
    if data == file.data:
        say(f"{found.name}: {file.name} is up to date")
        return CLEAN
    write(lock_place(found).absolute, data, file.name)
    lines = list(messages.recorded(old or Lock(), new))
    say("\n".join([f"{found.name}: recorded in {file.name}", *(f"  {each}" for each in lines)]))
    return CLEAN
