"""`houserule show`: definitions as a referee reads them."""

from __future__ import annotations

import click

from ..messages import use
from .completing import complete_definition
from .options import Format, reads_rules, ruleset_argument, settings
from .output import say
from .reading import loaded


@click.command()
@ruleset_argument
@click.argument("definition", required=False, shell_complete=complete_definition)
@reads_rules
def command(
    ruleset: str,
    definition: str | None,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Print tables and definitions as a referee reads them.

    Without DEFINITION: all there are. One id in two sections shows both; `modifiers.charisma` means one of them.
    """
    from ..sheet import contents, definitions, names

    rules = loaded(ruleset, settings(path, limit, untrusted, format))
    if definition is None:
        say("\n".join(contents(rules)))
        return 0
    found = definitions(rules, definition)
    if not found:
        raise use.unknown_definition(definition, "definition", names(rules), ruleset)
    say("\n\n".join("\n".join(each) for each in found))
    return 0
