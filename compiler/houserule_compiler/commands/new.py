"""`houserule new`: a fork, a pack or a ruleset of one's own, written whole or not at all."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import click

from ..diagnostics import Severity
from ..examined import Examined, summary
from ..files import Files
from ..lock_files import LOCK
from ..messages import use
from ..overview import CLEAN, FINDINGS
from ..places import MANIFEST, NAME, Found, Place, place_of
from ..shipped import shipped
from ..writing import write_folder
from .options import Format, Settings, complete_ruleset, reads_rules, settings
from .output import report, say
from .reading import compile_files, compiled

if TYPE_CHECKING:
    from ..pipeline import Compiled
    from ..starting import Start

SCHEMA = "rules.schema.json"


@click.command()
@click.argument("name")
@click.option(
    "--extends", metavar="RULESET", help="The ruleset that it stands on, by name.", shell_complete=complete_ruleset
)
@click.option(
    "--with",
    "packs",
    metavar="PACK",
    multiple=True,
    help="A pack that it takes along, by name; several are joined by commas.",
    shell_complete=complete_ruleset,
)
@click.option("--pack", "is_pack", is_flag=True, help="Make a pack: rules for others to take along.")
@reads_rules
def command(
    name: str,
    extends: str | None,
    packs: tuple[str, ...],
    is_pack: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Make a ruleset of your own in a new folder, NAME.

    With --extends a fork: all of RULESET, and your changes. Without: a ruleset from nothing. It has no fault as it is
    made, and holds a line for each common change.
    """
    from ..starting import Start, first_roll, first_text

    chosen = settings(path, limit, untrusted, format)
    target = _free(name, chosen)
    taken = tuple(dict.fromkeys(each for words in packs for each in words.split(",")))
    below = [_named(each, chosen) for each in (*([extends] if extends else []), *taken)]
    schema, files = _schema(target)
    start = Start(name, extends or "", taken, is_pack, schema=schema)
    compile = _compiler(target, chosen)
    base = _sound(compiled(below[0], chosen), "", chosen) if extends else None
    if base and base.ruleset and base.ruleset.manifest.is_abstract:
        start = replace(start, is_abstract=True)
    under = _sound(compile(start.head), name, chosen) if taken else base
    text = first_text(start, under, compile)
    made = compile(text)
    write_folder(target.absolute, {MANIFEST: text.encode(), **files, **_lock(made)}, target.path)
    roll = first_roll(made.ruleset) if made.artifact else ()
    _say_made(start, target, path, roll)
    found = tuple(each for each in made.diagnostics if each.code != "no-lock")
    if not found:
        return CLEAN
    examined = Examined(name, found)
    report(found, chosen.format, sys.stdout)
    say(summary(examined))
    return FINDINGS if examined.fails(Severity.WARNING) else CLEAN


def _free(name: str, settings: Settings) -> Place:
    """Where the new ruleset will stand; WrongUse if it may not be called so, or if something has that name."""
    if settings.is_untrusted:
        raise use.makes_nothing(name)
    if len(name) > settings.limits.name:
        raise use.name_too_long(name, settings.limits.name)
    if not NAME.fullmatch(name):
        raise use.not_a_name(name)
    found = settings.search.with_folder(place_of(".")).find(name)
    if found:
        raise use.name_taken(name, found.place.path)
    target = place_of(f"./{name}")
    if target.kind != "missing":
        raise use.in_the_way(target.path)
    return target


def _named(name: str, settings: Settings) -> Found:
    """The ruleset of that name on the search path or here; WrongUse where there is none."""
    if not NAME.fullmatch(name):
        raise use.path_for_name(name)
    search = settings.search.with_folder(place_of("."))
    found = search.find(name)
    if not found:
        raise use.unknown_ruleset(name, search.names())
    return found


def _compiler(target: Place, settings: Settings) -> Callable[[str], Compiled]:
    from ..lock import LockFile

    found, manifest = Found(target.name, target, "folder"), target.below(MANIFEST).path
    unlocked = LockFile(target.below(LOCK).path, None)

    @cache
    def compile(text: str) -> Compiled:
        return compile_files(found, Files(target.name, ((manifest, text.encode()),)), settings, unlocked)

    return compile


def _sound(outcome: Compiled, name: str, settings: Settings) -> Compiled:
    """What a new ruleset would stand on. Ends the command where it has errors that cannot be settled in there."""
    from ..starting import SETTLED_ABOVE

    errors = [each for each in outcome.diagnostics if each.severity is Severity.ERROR]
    unfit = [each for each in errors if each.code not in SETTLED_ABOVE]
    for each in unfit:
        if each.span.file.layer == name:
            raise use.unfit(each.headline, each.help)
    if unfit:
        report(unfit, settings.format, sys.stderr)
        raise click.exceptions.Exit(1)
    return outcome


def _schema(target: Place) -> tuple[str, dict[str, bytes]]:
    """The way from the new folder to the schema of rules, and the file itself where it goes along.

    Among the shipped rules of a checkout it stands in one place for all; anywhere else a copy is what is sure to stay.
    """
    schema = shipped("schemas") / SCHEMA
    rules = os.path.realpath(shipped("rules"))
    folder = os.path.realpath(os.path.dirname(target.absolute))
    if schema.parent.parent.name != "_shipped" and (folder + os.sep).startswith(rules + os.sep):
        return os.path.relpath(schema, os.path.join(folder, target.name)).replace(os.sep, "/"), {}
    return SCHEMA, {SCHEMA: schema.read_bytes()}


def _lock(made: Compiled) -> dict[str, bytes]:
    """The lock of the new ruleset; none where it stands on nothing, or cannot be built yet."""
    from ..lock import accepted, lock_text

    return {LOCK: lock_text(made.name, accepted(made.standing)).encode()} if made.standing else {}


def _say_made(start: Start, target: Place, paths: Sequence[str], roll: Sequence[str]) -> None:
    from ..template import filled

    blanks = {
        "file": target.below(MANIFEST).path,
        "path": "".join(f" --path {shlex.quote(each)}" for each in paths),
        **({"base_of": start.name, "base": start.base} if start.base else {"alone": start.name}),
        **({"schema": SCHEMA} if start.schema == SCHEMA else {}),
        **({"rolled": start.name, "roll": shlex.join(roll)} if roll else {"unrolled": start.name}),
    }
    say(filled("made.txt", blanks).rstrip("\n"))
