"""Directed graphs of definitions: the order in which each comes after those that it reads, and the circles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def circles(edges: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The circles of a graph: a shortest one for each knot of nodes that need each other, from its first node on.

    Which node of a knot is first, the order of `edges` says, so that the circles do not depend on how nodes compare.
    """
    left = {node: [each for each in targets if each in edges] for node, targets in edges.items()}
    found: list[list[Node]] = []
    while path := _some_circle(left):
        knot = _knot(left, path[0])
        found.append(_from_first(left, min((_shortest(left, node) for node in left if node in knot), key=len)))
        left = {node: targets for node, targets in left.items() if node not in knot}
        left = {node: [each for each in targets if each in left] for node, targets in left.items()}
    return found


def _from_first(edges: Mapping[Node, Sequence[Node]], circle: list[Node]) -> list[Node]:
    """The same circle, begun at the node that stands first in the graph."""
    at = circle.index(next(node for node in edges if node in circle))
    return circle[at:] + circle[:at]


def _some_circle(edges: Mapping[Node, Iterable[Node]]) -> list[Node]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as cycle:
        return list(cycle.args[1])
    return []


def _knot(edges: Mapping[Node, Sequence[Node]], start: Node) -> set[Node]:
    """The nodes that `start` reaches and that reach it."""
    backward: dict[Node, Sequence[Node]] = {}
    for node, targets in edges.items():
        for target in targets:
            backward[target] = [*backward.get(target, ()), node]
    forward: set[Node] = _reached(edges, start)
    behind: set[Node] = _reached(backward, start)
    return forward & behind


def _reached(edges: Mapping[Node, Sequence[Node]], start: Node) -> set[Node]:
    seen, waiting = {start}, [start]
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def _shortest(edges: Mapping[Node, Sequence[Node]], start: Node) -> list[Node]:
    """A shortest way from `start` around to itself."""
    came: dict[Node, Node] = {}
    ring = [start]
    while start not in came:
        ring = [_note(came, target, node) for node in ring for target in edges[node] if target not in came]
    path = [start]
    while (before := came[path[-1]]) != start:
        path.append(before)
    return [start, *reversed(path[1:])]


def _note(came: dict[Node, Node], target: Node, node: Node) -> Node:
    came[target] = node
    return target


def in_order(edges: Mapping[Node, Iterable[Node]], depth: int) -> tuple[tuple[Node, ...], list[Node]]:
    """The nodes, each after those that it needs, and the nodes where a chain first grows longer than `depth`.

    Nodes in a circle, and those that need them, come last, in the order given.
    """
    within = {node: [each for each in targets if each in edges and each != node] for node, targets in edges.items()}
    while path := _some_circle(within):
        within = {node: [each for each in targets if each not in path] for node, targets in within.items()}
    order = tuple(TopologicalSorter(within).static_order())
    heights: dict[Node, int] = {}
    deep: list[Node] = []
    for node in order:
        heights[node] = 1 + max((heights[each] for each in within[node]), default=0)
        if heights[node] == depth + 1:
            deep.append(node)
    return order, deep
