"""The tables of the grammar, as they are kept beside it: making them takes longer than compiling a small ruleset.

`python -m houserule_compiler.pages` writes them. They hold for the grammar and for the version of lark that they were
made of; for any other they are made anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from .messages.expression import Subject

STARTS = {
    Subject.EXPRESSION: "expression",
    Subject.ADJUSTMENT: "adjustment",
    Subject.TYPE: "type",
    Subject.KEY: "key",
    Subject.VALUE: "literal",
}
"""The rule of the grammar that each kind of text begins with."""


def tables(transformer: object) -> Lark:
    """The parser of `grammar.lark`."""
    kept = json.loads(_file("grammar.json"))
    if kept["of"] != _source():
        return _made(transformer)
    parser = kept["data"]["parser"]["parser"]
    parser["states"] = _by_number(parser["states"])
    kept["data"]["options"]["transformer"] = transformer
    return Lark.load({"data": kept["data"], "memo": _by_number(kept["memo"])})


def tables_text() -> str:
    """What is kept of the tables, as it should be: as it is where it holds, since lark numbers them as it happens."""
    kept = _file("grammar.json")
    if json.loads(kept)["of"] == _source():
        return kept
    made: Any = _made(None)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    text = json.dumps({"of": _source(), "data": data, "memo": memo}, separators=(",", ":"))
    return text.replace("},", "},\n") + "\n"


def _source() -> str:
    """A digest of all that the tables are made of."""
    return sha256("\n".join([lark.__version__, *STARTS.values(), _file("grammar.lark")]).encode()).hexdigest()


def _made(transformer: Any) -> Lark:
    text = _file("grammar.lark")
    return Lark(
        text, parser="lalr", lexer="basic", start=[*STARTS.values()], transformer=transformer, maybe_placeholders=False
    )


def _by_number(found: Mapping[str, Any]) -> dict[int, Any]:
    """JSON has no keys but texts."""
    return {int(key): each for key, each in found.items()}


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
