"""Which features of the language a program uses, so that a runtime that lacks one can refuse it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .expressions import Json

OPERATORS = {"has": "sets", "count": "sets", "dice_part": "hit_dice", "pips": "hit_dice", "known": "unknown"}
TYPES = {"set": "sets", "hit_dice": "hit_dice", "dice": "dice_facts", "fraction": "fractions"}
SECTIONS = ("tables", "numbers", "modifiers", "stacking", "checks", "events", "actions", "triggers", "sequences")


def features(sections: Mapping[str, Json]) -> list[Json]:
    """The features in use, sorted."""
    found = {each for each in SECTIONS if sections.get(each)}
    for node in _nodes(dict(sections)):
        found.update(feature for feature, uses in TESTS.items() if uses(node))
        found.update(_of_node(node))
    return [*sorted(found)]


def _of_node(node: Json) -> Iterator[str]:
    if isinstance(node, dict) and isinstance(node.get("type"), str):
        yield from (feature for key, feature in TYPES.items() if node["type"] == key)
    if isinstance(node, list) and node and isinstance(node[0], str):
        yield from (feature for key, feature in OPERATORS.items() if node[0] == key)


def _has_steps(node: Json) -> bool:
    steps = node.get("steps") if isinstance(node, dict) else None
    return isinstance(steps, list) and any(isinstance(each, dict) and each["id"] for each in steps)


def _has_then(node: Json) -> bool:
    return isinstance(node, dict) and "steps" in node and bool(node.get("then"))


TESTS: dict[str, Callable[[Json], bool]] = {
    "steps": _has_steps,
    "then": _has_then,
    "effects": lambda node: isinstance(node, dict) and bool(node.get("effects")),
    "unknown": lambda node: isinstance(node, dict) and node.get("optional") is True,
}


def _nodes(root: Json) -> Iterator[Json]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
