"""`houserule origin`: which layers set a part of the rules, and what they replaced."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from ..columns import columns
from ..diagnostics import has_errors
from ..messages import use
from ..places import Found, find
from .completing import complete_path
from .options import Format, Settings, reads_rules, ruleset_argument, settings
from .output import report, say, say_json
from .reading import artifact, compiled

if TYPE_CHECKING:
    from houserule.origins import Said

    from ..setters import Part, Setters

_ACTS = {"set": "set", "remove": "removed", "replace": "replaced", "place": "placed", "prefer": "prefers"}
_LONGEST = 40


@click.command()
@ruleset_argument
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_path)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@reads_rules
def command(
    ruleset: str,
    paths: tuple[str, ...],
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Show which layers set a part of the rules, from the top down, and what they replaced.

    Without PATH: everything that the ruleset itself sets over the rulesets that it stands on.

    \b
    houserule origin friday modifiers.paladin.adjust.morale
    houserule origin friday 'tables.charisma.rows[18].reaction'
    """
    chosen = settings(path, limit, untrusted, format)
    name, setters = _setters(find(ruleset, chosen.search, chosen.limits), chosen)
    if not paths:
        own = setters.of_layer(name)
        say_json(_data(name, own)) if as_json else say("\n".join(_overview(name, own, setters)))
        return 0
    found = [_parts(each, setters, ruleset) for each in paths]
    if as_json:
        say_json(_data(name, (part for each in found for part in each)))
    else:
        say("\n\n".join("\n".join(_block(each)) for each in found))
    return 0


def _setters(found: Found, chosen: Settings) -> tuple[str, Setters]:
    """The ruleset's name and who set what in it; ends the command with 1 where its layers cannot be read."""
    import houserule
    from houserule.origins import origins as checked

    from ..origins import origins
    from ..setters import Setters

    if found.kind == "artifact":
        rules = houserule.load(artifact(found, chosen))
        return rules.id, Setters(rules.program.origins)
    outcome = compiled(found, chosen)
    if outcome.origins is None:
        report(outcome.diagnostics, chosen.format, sys.stderr)
        raise click.exceptions.Exit(1)
    if has_errors(outcome.diagnostics):
        say(use.still_has_errors(found.name), sys.stderr)
    return found.name, Setters(checked(origins(outcome.origins)), outcome.origins.tree)


def _parts(path: str, setters: Setters, ruleset: str) -> list[Part]:
    found = setters.parts(path)
    if not found:
        raise use.unknown_definition(path, "part", setters.known(), ruleset)
    return found


def _data(name: str, parts: Iterable[Part]) -> dict[str, object]:
    return {"ruleset": name, "parts": [each.to_dict() for each in parts]}


def _block(parts: list[Part]) -> Iterator[str]:
    """A part with all that is said of it, and below it the parts inside it."""
    for each in parts:
        is_plain = each.is_new and not each.value and each.holder.act == "set"
        place = f"{each.holder.layer}, {_place(each.holder)}"
        yield f"{each.path}: {place if is_plain else _value(each)}"
        if not is_plain:
            rows = [(f"  {one.layer}", _place(one), _ACTS[one.act], one.text) for one in each.said]
            yield columns(rows)


def _value(part: Part) -> str:
    return "removed" if part.holder.act == "remove" else part.value or part.holder.text


def _place(said: Said) -> str:
    return f"{said.file}:{said.line}"


def _overview(name: str, parts: list[Part], setters: Setters) -> Iterator[str]:
    """Everything that one ruleset sets, a line each."""
    told = {said.layer for path in setters.origins.told for said in setters.origins.history(path)}
    below = sorted((told | {layer for layer, _, _ in setters.origins.places.values()}) - {name})
    if not below:
        yield f"{name} stands on no other ruleset: all that it says is its own"
        return
    yield f"{name}, over {', '.join(below)}" + ("" if parts else ": changes nothing")
    if parts:
        yield columns([_line(each, name) for each in parts])


def _line(part: Part, name: str) -> tuple[str, str, str, str]:
    own = next(each for each in part.said if each.layer == name)
    over = part.over if own is part.holder else None
    # Of a whole definition that was taken out or written anew, the other's name is enough.
    is_whole = own.act != "set" and over is not None and over.text.startswith("{")
    told = f"over {over.layer} {'' if is_whole else _cut(over.text)}".rstrip() if over else ""
    if part.is_new:
        return f"  {part.path}", _cut(part.value) or "new", _place(own), "new" if part.value else ""
    text = _cut(own.text) if own.act == "set" else f"{_ACTS[own.act]} {_cut(own.text)}".rstrip()
    return f"  {part.path}", text or _ACTS[own.act], _place(own), told


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
