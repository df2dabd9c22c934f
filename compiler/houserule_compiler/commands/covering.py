"""`houserule test --coverage`: what of a ruleset its examples exercise, as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..columns import columns
from ..messages import coverage as messages
from .output import say, say_json

if TYPE_CHECKING:
    from ..coverage import Coverage, Share
    from ..units import Unit


def tell_coverage(found: Coverage, least: int | None, is_json: bool) -> int:
    """Prints what is exercised and what is not; 1 where a kind of what the ruleset itself states has less than `least`.

    Definitions of layers below are told apart: whoever writes a fork answers for the fork.
    """
    say_json(as_data(found)) if is_json else say("\n".join(lines(found)))
    shares = found.shares(found.ruleset).items()
    poor = [messages.KINDS[kind] for kind, share in shares if least is not None and share.chance * 100 < least]
    if poor and least is not None and not is_json:
        say(messages.too_little(found.ruleset, poor, least))
    return 1 if poor else 0


def lines(found: Coverage) -> list[str]:
    """The shares of each layer, and below them what no example exercises, definition by definition."""
    told: list[str] = []
    for layer in found.layers():
        shares = found.shares(layer)
        if layer != found.ruleset and not shares:
            continue
        head = messages.stated(layer) if layer == found.ruleset else messages.inherited(layer)
        rows = [(f"  {messages.KINDS[kind]}", _of(share), _percent(share)) for kind, share in shares.items()]
        told += [head, *(columns(rows, lambda at: at > 0).split("\n") if rows else [])]
        told += [f"  {each}" for each in _missing(found.missing(layer))]
    return told


def _missing(units: list[Unit]) -> Iterator[str]:
    for (section, id), each in groupby(units, lambda unit: (unit.section, unit.id)):
        yield f"{section} {id}"
        yield from (f"  {one.span.file.name}:{one.span.line}: {one.missing}" for one in each)


def _of(share: Share) -> str:
    return f"{share.exercised} of {share.of}"


def _percent(share: Share) -> str:
    """Cut after one decimal, so that 100% means all."""
    whole, tenth = divmod(share.exercised * 1000 // share.of, 10)
    return f"{whole}.{tenth}%" if tenth else f"{whole}%"


def as_data(found: Coverage) -> dict[str, Any]:
    """The whole of it as plain data."""
    return {
        "ruleset": found.ruleset,
        "coverage": {
            layer: {kind: {"exercised": share.exercised, "of": share.of} for kind, share in shares.items()}
            for layer in found.layers()
            if (shares := found.shares(layer)) or layer == found.ruleset
        },
        "missing": [_unit(each) for each in found.missing()],
    }


def _unit(unit: Unit) -> dict[str, Any]:
    return {
        "kind": unit.kind,
        "definition": f"{unit.section} {unit.id}",
        "layer": unit.layer,
        "missing": unit.missing,
        "file": unit.span.file.name,
        "line": unit.span.line,
        "column": unit.span.column,
    }
