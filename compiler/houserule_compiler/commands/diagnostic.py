"""`houserule diagnostic`: what a message means, with an example that fails and its mended form."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ..codes import about, codes, page
from ..columns import columns
from ..messages import use
from .output import say, say_json


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(each) for each in codes() if each.startswith(incomplete)]


@click.command()
@click.argument("code", required=False, shell_complete=_complete)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(code: str | None, as_json: bool) -> int:
    """Explain a message by its code, such as `unknown-name`. Without CODE: all codes."""
    known = codes()
    if code is None:
        _list(known, as_json)
        return 0
    code = code.strip("[]")
    if code not in known:
        raise use.unknown_code(code, known)
    if as_json:
        say_json({"code": code, "about": about(code), "page": page(code)})
    else:
        say(page(code).rstrip())
    return 0


def _list(known: list[str], as_json: bool) -> None:
    meanings = {code: about(code) for code in known}
    if as_json:
        say_json(meanings)
    elif meanings:
        say(columns(list(meanings.items())))
