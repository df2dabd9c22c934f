"""`houserule show`: definitions as a referee reads them."""

from __future__ import annotations

import click

from ..messages import use
from ..places import names_here
from .completing import complete_definition
from .options import Format, complete_ruleset, reads_rules, settings
from .output import say_long
from .reading import loaded


@click.command()
@click.argument("ruleset", required=False, shell_complete=complete_ruleset)
@click.argument("definition", required=False, shell_complete=complete_definition)
@click.option("--all", "shows_all", is_flag=True, help="Every definition, one after the other.")
@click.option("--markdown", is_flag=True, help="As Markdown, for a page of your own.")
@reads_rules
def command(
    ruleset: str | None,
    definition: str | None,
    shows_all: bool,
    markdown: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Print tables and definitions as a referee reads them.

    Without DEFINITION: what there is; without RULESET: all rulesets, by name. One id in two sections shows both;
    `modifiers.charisma` means one of them.

    \b
    houserule show adnd2e calculated_thac0
    houserule show swords-wizardry disarm --markdown
    """
    from ..sheet import contents, definitions, everything, names
    from ..sheet_layout import as_markdown, as_text

    if shows_all and definition is not None:
        raise use.all_and_one(definition)
    chosen = settings(path, limit, untrusted, format)
    if ruleset is None:
        if shows_all or markdown:
            raise use.nothing_to_show("--all" if shows_all else "--markdown")
        say_long("\n".join(names_here(chosen.search)))
        return 0
    rules = loaded(ruleset, chosen)
    found = definitions(rules, definition) if definition is not None else [contents(rules)]
    if not found:
        raise use.unknown_definition(definition or "", "definition", names(rules), ruleset)
    if shows_all:
        found += everything(rules)
    write = as_markdown if markdown else as_text
    say_long("\n\n".join(write(each) for each in found))
    return 0
