"""`houserule due`: which triggers hold, and the checks that they call for."""

from __future__ import annotations

import click

from .asking import facts
from .options import Format, asks, reads_rules, ruleset_argument, settings
from .output import say, say_json, say_trace
from .reading import loaded


@click.command()
@ruleset_argument
@click.argument("given", nargs=-1, metavar="[FACT=VALUE]...")
@click.option("--before", metavar="FILE", help="Facts before: what held then is not due again, unless every round.")
@asks
@reads_rules
def command(
    ruleset: str,
    given: tuple[str, ...],
    before: str | None,
    facts_file: str | None,
    options: tuple[str, ...],
    explain: bool,
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Tell which triggers hold, and what they call for. One whose facts are missing does not hold; --explain says so.

    \b
    houserule due osric battle.percent_lost=50 battle.leader=slain
    houserule due osric --facts now.yaml --before then.yaml --explain
    """
    chosen = settings(path, limit, untrusted, format)
    rules = loaded(ruleset, chosen, options)
    earlier = None if before is None else facts((), before, chosen)
    found = rules.due(facts(given, facts_file, chosen), before=earlier)
    if as_json:
        say_json({**found.to_dict(), **({"trace": found.trace.to_dict()} if explain else {})})
    elif explain:
        say_trace(found.trace)
    else:
        say(str(found))
    return 0
