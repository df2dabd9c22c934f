"""Numbers and fields whose direction a layer turned round: what reads them below was meant for the other one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..document import Entry, Mapping, Node, Scalar
from ..layers import Layer, Turn
from ..lineage import Lineage
from ..paths import Path


def turns(root: Mapping, layers: Sequence[Layer], lineage: Lineage) -> Iterator[Turn]:
    """Every such number and field. Whoever stands above the layer that turned it knows its new direction."""
    for path in _directed(root):
        better = _better(root, path)
        said = {each.name: stated.text for each in layers if (stated := _better(each.root, path))}
        if better is None or len(set(said.values())) < 2:
            continue
        others = {name for name, text in said.items() if text != better.text}
        turners = {name for name, text in said.items() if text == better.text and others & lineage.below[name]}
        if turners:
            aware = {name for name in lineage.layers if name in turners or turners & lineage.below[name]}
            yield Turn(path, better.span, better.text, frozenset(aware))


def _directed(root: Mapping) -> Iterator[Path]:
    for number in _entries(root.get("numbers")):
        yield "numbers", number.key.text
    for entity in _entries(root.get("entities")):
        yield from (("entities", entity.key.text, each.key.text) for each in _entries(entity.value))


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _better(root: Mapping, path: Path) -> Scalar | None:
    """What is said of the direction of a number or field, if anything."""
    node: Node | None = root
    for key in (*path, "better"):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node if isinstance(node, Scalar) else None
