"""`houserule diagnostic`: what a message means, with an example that fails and its mended form."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ..columns import columns
from ..messages import use
from ..shipped import shipped
from .output import say, say_json

_INDEX = "README"


def _codes() -> list[str]:
    return sorted(each.stem for each in shipped("diagnostics").glob("*.md") if each.stem != _INDEX)


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(each) for each in _codes() if each.startswith(incomplete)]


@click.command()
@click.argument("code", required=False, shell_complete=_complete)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(code: str | None, as_json: bool) -> int:
    """Explain a message by its code, such as `unknown-name`. Without CODE: all codes."""
    codes = _codes()
    if code is None:
        _list(codes, as_json)
        return 0
    code = code.strip("[]")
    if code not in codes:
        raise use.unknown_code(code, codes)
    page = _page(code)
    if as_json:
        say_json({"code": code, "about": _about(page), "page": page})
    else:
        say(page.rstrip())
    return 0


def _list(codes: list[str], as_json: bool) -> None:
    about = {code: _about(_page(code)) for code in codes}
    if as_json:
        say_json(about)
    elif about:
        say(columns(list(about.items())))


def _page(code: str) -> str:
    """A page, without the remark at its end that says how it is made."""
    return (shipped("diagnostics") / f"{code}.md").read_text("utf-8").partition("\n<!--")[0]


def _about(page: str) -> str:
    """The first sentence below the heading."""
    paragraph = page.split("\n\n")[1].replace("\n", " ")
    return paragraph.split(". ")[0].rstrip(".")
