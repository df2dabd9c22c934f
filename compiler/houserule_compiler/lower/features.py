"""Which features of the language a program uses, so that a runtime that lacks one can refuse it by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .expressions import Json

OPERATORS = {"has": "sets", "count": "sets", "dice_part": "hit_dice", "pips": "hit_dice", "known": "unknown"}
TYPES = {"set": "sets", "hit_dice": "hit_dice", "dice": "dice_facts", "fraction": "fractions"}
SECTIONS = ("tables", "numbers", "modifiers", "stacking", "checks", "events", "actions", "triggers", "sequences")


def features(sections: Mapping[str, Json]) -> list[Json]:
    """The features in use, sorted."""
    found = {each for each in SECTIONS if sections.get(each)}
    for node in _nodes(dict(sections)):
        if isinstance(node, dict):
            found.update(_of_map(node))
        elif node and isinstance(node[0], str) and node[0] in OPERATORS:
            found.add(OPERATORS[node[0]])
    return [*sorted(found)]


def _of_map(node: dict[str, Json]) -> Iterator[str]:
    kind = node.get("type")
    if isinstance(kind, str) and kind in TYPES:
        yield TYPES[kind]
    if "steps" in node:
        steps = node["steps"]
        yield from ("steps",) if isinstance(steps, list) and any(map(_has_id, steps)) else ()
        yield from ("then",) if node.get("then") else ()
    if node.get("effects"):
        yield "effects"
    if node.get("optional") is True:
        yield "unknown"


def _has_id(step: Json) -> bool:
    return isinstance(step, dict) and bool(step["id"])


def _nodes(root: dict[str, Json]) -> Iterator[dict[str, Json] | list[Json]]:
    """Every map and list; scalars say nothing, and tables hold thousands of them."""
    waiting: list[dict[str, Json] | list[Json]] = [root]
    while waiting:
        node = waiting.pop()
        yield node
        inner = node.values() if isinstance(node, dict) else node
        waiting.extend(each for each in inner if isinstance(each, dict | list))
