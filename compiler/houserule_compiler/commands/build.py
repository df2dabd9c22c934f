"""`houserule build`: a ruleset's artifact, written whole or not at all."""

from __future__ import annotations

import sys

import click

from ..messages import use
from ..places import ARTIFACT_SUFFIX, find
from ..writing import write_where_named
from .options import Format, reads_rules, ruleset_argument, settings
from .output import say
from .reading import artifact


@click.command()
@ruleset_argument
@click.option("-o", "--output", metavar="FILE", help="Where to; `-` prints it. Else RULESET.rules.json, here.")
@reads_rules
def command(
    ruleset: str,
    output: str | None,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Write a ruleset's artifact, for programs to load. The same rules give the same bytes."""
    chosen = settings(path, limit, untrusted, format)
    found = find(ruleset, chosen.search, chosen.limits)
    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "build")
    target = output or found.name + ARTIFACT_SUFFIX
    if chosen.is_untrusted and target != "-":
        raise use.writes_nothing(target)
    data = artifact(found, chosen)
    if target == "-":
        sys.stdout.buffer.write(data)
        return 0
    write_where_named(target, data)
    say(f"{found.name}: wrote {target}, {len(data)} bytes")
    return 0
