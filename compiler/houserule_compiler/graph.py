"""Directed graphs of definitions: the order in which each comes after those that it reads, and the circles.

All of it takes time linear in the graph, and no recursion, since rules may be hostile.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

SEARCHED = 64
"""A knot of at most so many nodes is searched for its shortest circle; in a larger one, one of its first node's is."""


def circles(edges: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The circles of a graph: a shortest one for each knot of nodes that need each other, from its first node on.

    Which node is first, the order of `edges` says, so that the circles do not depend on how nodes compare.
    """
    within = _within(edges)
    place = {node: at for at, node in enumerate(within)}
    knots = [sorted(knot, key=place.__getitem__) for knot in _knots(within) if _is_circular(knot, within)]
    return [_shortest(knot, within) for knot in sorted(knots, key=lambda knot: place[knot[0]])]


def in_order(edges: Mapping[Node, Iterable[Node]], depth: int) -> tuple[tuple[Node, ...], list[Node]]:
    """The nodes, each after those that it needs, and the nodes where a chain first grows longer than `depth`.

    Nodes that need each other stand together, and do not lengthen the chains.
    """
    within = _within(edges)
    order: list[Node] = []
    heights: dict[Node, int] = {}
    for knot in _knots(within):
        order += knot
        below = (heights[to] for node in knot for to in within[node] if to in heights)
        heights |= dict.fromkeys(knot, 1 + max(below, default=0))
    return tuple(order), [node for node in order if heights[node] == depth + 1]


def _within(edges: Mapping[Node, Iterable[Node]]) -> dict[Node, list[Node]]:
    """The graph without the edges that lead out of it."""
    return {node: [to for to in targets if to in edges] for node, targets in edges.items()}


def _is_circular(knot: Sequence[Node], edges: Mapping[Node, Sequence[Node]]) -> bool:
    return len(knot) > 1 or knot[0] in edges[knot[0]]


def _knots(edges: Mapping[Node, Sequence[Node]]) -> Iterator[list[Node]]:
    """The sets of nodes that need each other, each after those that it needs: Tarjan's strongly connected components.

    `low` is the earliest node, by its number, that a node leads to among those whose knot is not complete.
    """
    numbers: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: dict[Node, None] = {}
    for root in edges:
        visits = [] if root in numbers else [(root, iter(edges[root]))]
        while visits:
            node, left = visits[-1]
            if node not in numbers:
                numbers[node] = low[node] = len(numbers)
                open_nodes[node] = None
            if (new := _next(node, left, numbers, low, open_nodes)) is not None:
                visits.append((new, iter(edges[new])))
                continue
            visits.pop()
            if visits:
                above = visits[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == numbers[node]:
                yield _closed(node, open_nodes)


def _next(
    node: Node,
    left: Iterator[Node],
    numbers: Mapping[Node, int],
    low: dict[Node, int],
    open_nodes: Mapping[Node, None],
) -> Node | None:
    """The next node that `node` reads and that is not visited yet, or None."""
    for to in left:
        if to not in numbers:
            return to
        if to in open_nodes:
            low[node] = min(low[node], numbers[to])
    return None


def _closed(first: Node, open_nodes: dict[Node, None]) -> list[Node]:
    """The knot that begins at `first`, taken off the open nodes."""
    knot: list[Node] = []
    while not knot or knot[-1] != first:
        knot.append(open_nodes.popitem()[0])
    return knot[::-1]


def _shortest(knot: Sequence[Node], edges: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """A shortest circle of a knot, from its first node on."""
    inside = dict.fromkeys(knot)
    starts = knot if len(knot) <= SEARCHED else knot[:1]
    circle = min((_around(start, inside, edges) for start in starts), key=len)
    at = circle.index(next(node for node in knot if node in circle)) if len(circle) <= SEARCHED else 0
    return circle[at:] + circle[:at]


def _around(start: Node, inside: Mapping[Node, None], edges: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """A shortest way within a knot from `start` around to itself."""
    came: dict[Node, Node] = {}
    ring = [start]
    while start not in came:
        reached: list[Node] = []
        for node in ring:
            for to in edges[node]:
                if to in inside and to not in came:
                    came[to] = node
                    reached.append(to)
        ring = reached
    path = [start]
    while (before := came[path[-1]]) != start:
        path.append(before)
    return [start, *reversed(path[1:])]
