"""`houserule schema`: a JSON Schema of one ruleset, by which editors complete its own names."""

from __future__ import annotations

import json
import sys

import click

from ..messages import use
from ..places import find, names_here
from ..shipped import shipped
from ..writing import write_where_named
from .options import Format, reads_rules, ruleset_argument, settings
from .output import report, say
from .reading import compiled


@click.command()
@ruleset_argument
@click.option("-o", "--output", metavar="FILE", help="Where to; else it is printed.")
@reads_rules
def command(
    ruleset: str,
    output: str | None,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Make a JSON Schema of this very ruleset: its facts, tables, words and paths, for editors to complete.

    Works on rules that have errors too, as rules do while they are written. Name its file at the head of a rules file:

    # yaml-language-server: $schema=friday.schema.json
    """
    from ..authoring import authoring_schema

    chosen = settings(path, limit, untrusted, format)
    found = find(ruleset, chosen.search, chosen.limits)
    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "schema")
    if output not in (None, "-") and chosen.is_untrusted:
        raise use.writes_nothing(str(output))
    outcome = compiled(found, chosen)
    if outcome.ruleset is None or outcome.origins is None:
        report(outcome.diagnostics, format, sys.stderr)
        return 1
    rules = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
    made = authoring_schema(rules, outcome.ruleset, outcome.origins.tree, names_here(chosen.search))
    text = json.dumps(made, ensure_ascii=True, indent=1) + "\n"
    if output is None or output == "-":
        sys.stdout.write(text)
        return 0
    write_where_named(output, text.encode("ascii"))
    say(f"{found.name}: wrote {output}, {len(text)} bytes")
    return 0
