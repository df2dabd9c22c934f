"""`houserule show`: definitions as a referee reads them."""

from __future__ import annotations

import click

from ..messages import use
from .completing import complete_definition
from .options import Format, reads_rules, ruleset_argument, settings
from .output import say_long
from .reading import loaded


@click.command()
@ruleset_argument
@click.argument("definition", required=False, shell_complete=complete_definition)
@click.option("--all", "shows_all", is_flag=True, help="Every definition, one after the other.")
@click.option("--markdown", is_flag=True, help="As Markdown, for a page of your own.")
@reads_rules
def command(
    ruleset: str,
    definition: str | None,
    shows_all: bool,
    markdown: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Print tables and definitions as a referee reads them.

    Without DEFINITION: what there is. One id in two sections shows both; `modifiers.charisma` means one of them.

    \b
    houserule show adnd2e calculated_thac0
    houserule show swords-wizardry disarm --markdown
    """
    from ..sheet import contents, definitions, everything, names
    from ..sheet_layout import as_markdown, as_text

    if shows_all and definition is not None:
        raise use.all_and_one(definition)
    rules = loaded(ruleset, settings(path, limit, untrusted, format))
    found = definitions(rules, definition) if definition is not None else [contents(rules)]
    if not found:
        raise use.unknown_definition(definition or "", "definition", names(rules), ruleset)
    if shows_all:
        found += everything(rules)
    write = as_markdown if markdown else as_text
    say_long("\n\n".join(write(each) for each in found))
    return 0
