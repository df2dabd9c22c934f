"""Order and circles of definitions, against brute force over small graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from houserule_compiler.graph import circles, in_order

NODES = "abcdef"
Graph = Mapping[str, Sequence[str]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A graph over a few nodes, in any order; some edges lead to nodes that are not there."""
    nodes = draw(st.permutations(NODES[: draw(st.integers(0, 6))]))
    return {node: draw(st.lists(st.sampled_from([*NODES, "z"]), unique=True, max_size=3)) for node in nodes}


def reached(edges: Graph, start: str) -> set[str]:
    """What a node reads, itself or through others."""
    found: set[str] = set()
    while new := {to for node in (start, *found) for to in edges[node] if to in edges} - found:
        found |= new
    return found


def knots(edges: Graph) -> set[frozenset[str]]:
    """The sets of nodes that need each other; one alone where it needs itself."""
    behind = {node: reached(edges, node) for node in edges}
    return {frozenset(n for n in behind[node] if node in behind[n]) for node in edges if node in behind[node]}


def is_circle(edges: Graph, path: Sequence[str]) -> bool:
    """Whether each node reads the next, and the last the first."""
    return all(to in edges[node] for node, to in zip(path, [*path[1:], path[0]], strict=True))


def shortest(edges: Graph, knot: frozenset[str]) -> int:
    """The length of a shortest circle within a knot."""
    lengths = range(1, len(knot) + 1)
    return next(n for n in lengths if any(is_circle(edges, path) for path in permutations(sorted(knot), n)))


@given(graphs())
def test_one_shortest_circle_for_each_knot(edges: Graph) -> None:
    found = circles(edges)
    expected = knots(edges)
    assert len(found) == len(expected)
    for path in found:
        knot = next(each for each in expected if path[0] in each)
        assert set(path) <= knot
        assert is_circle(edges, path)
        assert len(path) == shortest(edges, knot)
        assert path[0] == next(node for node in edges if node in path), "it begins at its first node"


@given(graphs())
def test_circles_do_not_overlap(edges: Graph) -> None:
    nodes = [node for path in circles(edges) for node in path]
    assert len(nodes) == len(set(nodes))


@given(graphs())
def test_order_is_whole(edges: Graph) -> None:
    order, _ = in_order(edges, 100)
    assert sorted(order) == sorted(edges)


@given(graphs())
def test_each_comes_after_those_it_reads(edges: Graph) -> None:
    order, _ = in_order(edges, 100)
    at = {node: place for place, node in enumerate(order)}
    in_a_knot = {node for knot in knots(edges) for node in knot}
    for node, targets in edges.items():
        for to in (each for each in targets if each in edges):
            assert at[to] < at[node] or to in in_a_knot


def height(edges: Graph, node: str) -> int:
    """How many definitions the longest chain down from a node has."""
    return 1 + max((height(edges, to) for to in edges[node] if to in edges), default=0)


@given(graphs(), st.integers(1, 6))
@settings(max_examples=200)
def test_too_deep_where_a_chain_first_grows_too_long(edges: Graph, depth: int) -> None:
    if knots(edges):
        return
    _, deep = in_order(edges, depth)
    assert sorted(deep) == sorted(node for node in edges if height(edges, node) == depth + 1)


def test_all_graphs_of_three() -> None:
    """Every graph over three nodes: a circle is found exactly where no order fits."""
    nodes = "abc"
    subsets = [[node for bit, node in enumerate(nodes) if mask >> bit & 1] for mask in range(8)]
    for chosen in product(subsets, repeat=3):
        edges = dict(zip(nodes, chosen, strict=True))
        fits = any(
            all(order.index(to) < order.index(node) for node in nodes for to in edges[node])
            for order in permutations(nodes)
        )
        assert bool(circles(edges)) is not fits


def test_a_long_chain_needs_no_recursion() -> None:
    edges = {at: [at + 1] for at in range(5000)} | {5000: []}
    order, deep = in_order(edges, 64)
    assert order[0] == 5000
    assert deep == [5000 - 64]
    assert circles({**edges, 5000: [0]}) == [list(range(5001))]
