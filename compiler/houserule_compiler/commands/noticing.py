"""`houserule test --mutate`: the small changes that no example notices, as text or as JSON."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..messages import mutants as messages
from .output import say, say_json

if TYPE_CHECKING:
    from ..noticed import Noticed, Unnoticed
    from .options import Format


def tell_noticed(found: Noticed, most: int | None, format: Format) -> int:
    """Prints the changes that no example notices; 1 where they are more than `most` percent of those tried.

    Beside a document for a program, as `sarif` is, the text goes to the error stream.
    """
    is_over = most is not None and found.share * 100 > most
    if format == "json":
        say_json(as_data(found))
        return 1 if is_over else 0
    over = [messages.too_many(found.ruleset, most)] if is_over and most is not None else []
    say("\n".join([*lines(found), *over]), sys.stderr if format in ("sarif", "junit") else None)
    return 1 if is_over else 0


def lines(found: Noticed) -> list[str]:
    """How many go unnoticed, then each at its place, definition by definition."""
    told = [messages.told(found.ruleset, len(found.unnoticed), found.tried, messages.percent(found.share))]
    if found.tried < found.possible:
        told.append(messages.drawn(found.tried, found.possible, found.seed))
    if found.refused:
        told.append(messages.refused(found.refused))
    if found.failing:
        told.append(messages.failing(found.failing))
    for node, each in groupby(found.unnoticed, lambda one: one.mutant.path):
        told.append(f"  {node}")
        told += [f"    {one.span.file.name}:{one.span.line}: {one.mutant.said}" for one in each]
    return told


def as_data(found: Noticed) -> dict[str, Any]:
    """The whole of it as plain data."""
    return {
        "ruleset": found.ruleset,
        "changes": {
            "tried": found.tried,
            "possible": found.possible,
            "unnoticed": len(found.unnoticed),
            "refused": found.refused,
        },
        "seed": found.seed if found.tried < found.possible else None,
        "unnoticed": [_unnoticed(each) for each in found.unnoticed],
    }


def _unnoticed(each: Unnoticed) -> dict[str, Any]:
    return {
        "kind": each.mutant.slip,
        "path": each.mutant.path,
        "change": each.mutant.said,
        "layer": each.span.file.layer,
        "file": each.span.file.name,
        "line": each.span.line,
        "column": each.span.column,
    }
