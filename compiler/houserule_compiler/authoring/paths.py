"""The long paths that a layer can write at the left margin: every part of every definition that there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..document import Mapping, Node
from ..paths import path_of

_DEEP = 6
# Their parts are changed by the definition, or cell by cell, and would be too many to choose from.
_WHOLE = frozenset({"choices", "rulings", "examples"})


def long_paths(schema: dict[str, Any], tree: Mapping) -> dict[str, Any]:
    """The schema of each long path, by the path."""
    sections = schema["properties"]
    found: dict[str, Any] = {}
    for entry in tree.entries:
        section = path_of(entry.key.text)[0]
        if section in sections and isinstance(entry.value, Mapping) and "additionalProperties" in sections[section]:
            found |= _below(schema, sections[section], entry.value, (section,))
    return found


def _below(schema: dict[str, Any], part: dict[str, Any], node: Node, path: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, inner, value in _steps(schema, part, node):
        here = (*path, key)
        found[".".join(here)] = {each: inner[each] for each in inner if each != "examples"}
        if len(here) < _DEEP and not (len(here) == 2 and path[0] in _WHOLE):
            found |= _below(schema, _target(schema, inner), value, here)
    return found


def _steps(schema: dict[str, Any], part: dict[str, Any], node: Node) -> Iterator[tuple[str, dict[str, Any], Node]]:
    """The keys below a place that the schema knows of, each with its schema."""
    for each in node.entries if isinstance(node, Mapping) else ():
        key = each.key.text
        inner = part.get("properties", {}).get(key) or part.get("additionalProperties")
        if isinstance(inner, dict) and "." not in key and " " not in key:
            yield key, inner, each.value


def _target(schema: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """The schema that a reference means; rows have no keys of their own."""
    reference = part.get("$ref", "")
    target = schema["$defs"][reference.rpartition("/")[2]] if reference else part
    return _target(schema, target) if "$ref" in target else target
