"""Facts, options and dice as they are typed: `attacker.level=5`, a file of facts, `strike.d20=20`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ..diagnostics import has_errors
from ..document import Mapping as Map
from ..document import Node, Scalar
from ..messages import use
from ..overview import WRONG_USE
from ..places import Place, place_of, read_whole
from .options import Settings
from .output import report


def assigned(words: Sequence[str], option: str, form: str) -> dict[str, str]:
    """`NAME=VALUE` by name; WrongUse for a word without `=`, or a name that is given two values."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise use.not_an_assignment(option, form, word)
        if name.strip() in found:
            raise use.given_twice(name.strip())
        found[name.strip()] = value.strip()
    return found


def facts(words: Sequence[str], file: str | None, settings: Settings) -> dict[str, Any]:
    """Facts by dotted name: those of the file, with those of the command line in their place."""
    return {**(_facts_of(place_of(file), settings) if file else {}), **assigned(words, "", "FACT=VALUE")}


def dice(words: Sequence[str]) -> dict[str, int | list[int]]:
    """Given dice by path: a total, or the faces with commas between them."""
    return {path: _faces(path, value) for path, value in assigned(words, "--dice", "DIE=NUMBER").items()}


def rolls(words: Sequence[str]) -> dict[str, int | list[int]]:
    """Given rolls of initiative by who rolled."""
    return {who: _faces(who, value) for who, value in assigned(words, "--rolls", "WHO=NUMBER").items()}


def encounter(words: Sequence[str], file: str | None, after: str | None, settings: Settings) -> dict[str, Any]:
    """An encounter: that of the file, with what the round before carried, and with the words of the command line."""
    found = _nested(_map_of(place_of(file), settings)) if file else {}
    if after:
        before = _map_of(place_of(after), settings)
        over = {"carried": before.get("carried", []), "round": int(str(before.get("round", 1))) + 1}
        found = {**over, **found}
    for path, value in assigned(words, "", "PART=VALUE").items():
        _put(found, path.split("."), value)
    return found


def _nested(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same with dotted keys as maps within maps."""
    nested: dict[str, Any] = {}
    for name, value in found.items():
        _put(nested, name.split("."), _nested(value) if isinstance(value, dict) else value)
    return nested


def _put(into: dict[str, Any], path: list[str], value: Any) -> None:
    *above, last = path
    for each in above:
        inner = into.get(each)
        if not isinstance(inner, dict):
            inner = into[each] = {}
        into = inner
    old = into.get(last)
    into[last] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value


def _faces(path: str, value: str) -> int | list[int]:
    parts = [each.strip() for each in value.split(",")]
    if not all(each.removeprefix("-").isascii() and each.removeprefix("-").isdigit() for each in parts):
        raise use.not_a_die(path, value)
    numbers = [int(each[:10]) for each in parts]
    return numbers[0] if len(numbers) == 1 else numbers


def _facts_of(place: Place, settings: Settings) -> dict[str, Any]:
    return dict(_flat(_map_of(place, settings), ""))


def _map_of(place: Place, settings: Settings) -> Mapping[str, Any]:
    data = read_whole(place, settings.limits.file_bytes)
    return _json(place, data) if place.name.endswith(".json") else _yaml(place, data, settings)


def _json(place: Place, data: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=_no_twins)
    except (ValueError, RecursionError):
        raise use.not_json(place.path) from None
    if not isinstance(found, dict):
        raise use.no_facts(place.path)
    return found


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _yaml(place: Place, data: bytes, settings: Settings) -> Mapping[str, Any]:
    """A YAML file of facts, read as strictly as rules are; what is wrong with it is reported like a fault in rules."""
    from ..load import load

    document, problems = load(place.path, data, settings.limits)
    report(problems, settings.format, sys.stderr)
    if document is None or has_errors(problems):
        raise click.exceptions.Exit(WRONG_USE)
    return _plain_map(document.root)


def _plain_map(found: Map) -> dict[str, Any]:
    return {each.key.text: _plain(each.value) for each in found.entries}


def _plain(node: Node) -> Any:
    """Texts for scalars: the runtime reads each as its fact's type wants it."""
    if isinstance(node, Scalar):
        return node.text
    return _plain_map(node) if isinstance(node, Map) else [_plain(each) for each in node.items]


def _flat(found: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in found.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
