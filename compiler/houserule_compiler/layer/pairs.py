"""Pairs of modifiers of unrelated layers that set one number to different values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..document import Entry, Mapping, Node, Scalar
from ..forms import Form
from ..layers import Sets
from .work import Work

VALUE = Form({"x-kind": "expression"}, "", {})


def sets(root: Mapping, work: Work) -> Iterator[Sets]:
    """Every such pair; whether both can apply at once is for later to settle."""
    by_number: dict[str, list[tuple[str, Entry, str]]] = {}
    for modifier in _entries(root.get("modifiers")):
        group = _text(_get(modifier.value, "stack"))
        for adjust in _entries(_get(modifier.value, "adjust")):
            stated = adjust.value.entry("set") if isinstance(adjust.value, Mapping) else None
            if stated is not None:
                by_number.setdefault(adjust.key.text, []).append((modifier.key.text, stated, group))
    for number, found in sorted(by_number.items()):
        for (one, first, group), (other, second, others) in combinations(found, 2):
            layers = [each.value.span.file.layer for each in (first, second)]
            is_open = not group or group != others
            is_open = is_open and work.lineage.are_unrelated(*layers)
            if is_open and not work.same.nodes(first.value, second.value, VALUE):
                yield Sets(number, (one, first), (other, second))


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
