"""What an abstract layer leaves to others: definitions without the part that makes them answer.

Where the build itself is not abstract they are left out, and with them what modifiers would have done to them. What
still reads one of them is told by `resolve`, as of anything that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..diagnostics import Diagnostic
from ..document import Entry, Mapping, Node, Scalar
from ..layers import Layer
from ..messages import abstract as messages
from ..paths import Path
from .effects import is_read
from .unused import without_unused
from .wholeness import OPEN, fills
from .work import Work


def opened(root: Mapping, work: Work, layers: Sequence[Layer]) -> tuple[Mapping, dict[Path, Scalar]]:
    """The tree without what is still open, and the open definitions by path with their ids.

    Where the build itself is abstract, whoever began a definition may leave it open, and all of them stay.
    """
    if not work.abstract:
        return root, {}
    is_abstract = layers[-1].is_abstract
    open: dict[Path, Scalar] = {
        (section.key.text, each.key.text): each.key
        for section in root.entries
        for each in _entries(section.value)
        if (is_abstract or _begun_by(each.key, work)) and _is_open(section.key.text, each.value)
    }
    if is_abstract:
        return root, open
    sections = [Entry(each.key, _filled(each.key.text, each.value, open)) for each in root.entries]
    whole = replace(root, entries=tuple(without_unused(sections, layers)))
    idle = [each for modifier in _entries(root.get("modifiers")) for each in _idle(modifier, open)]
    work.found.extend(_pointless(idle, whole, open, work))
    return whole, open


def _begun_by(key: Scalar, work: Work) -> bool:
    return key.span.file.layer in work.abstract


def _is_open(section: str, node: Node) -> bool:
    return section in OPEN and not isinstance(node, Scalar) and not fills(section, node)


def _filled(section: str, node: Node, open: dict[Path, Scalar]) -> Node:
    """A section without its open definitions, or without what modifiers do to open numbers."""
    if not isinstance(node, Mapping):
        return node
    entries = [each for each in node.entries if (section, each.key.text) not in open]
    if section == "modifiers":
        entries = [each for entry in entries for each in _working(entry, open)]
    return replace(node, entries=tuple(entries))


def _working(modifier: Entry, open: dict[Path, Scalar]) -> Iterator[Entry]:
    """The modifier without what it does to open numbers; nothing where it does nothing else."""
    idle = _idle(modifier, open)
    if not idle or not isinstance(modifier.value, Mapping):
        yield modifier
        return
    entries: list[Entry] = []
    for each in modifier.value.entries:
        if each.key.text == "adjust" and isinstance(each.value, Mapping):
            left = tuple(one for one in each.value.entries if one not in idle)
            if not left:
                return
            entries.append(Entry(each.key, replace(each.value, entries=left)))
        else:
            entries.append(each)
    yield Entry(modifier.key, replace(modifier.value, entries=tuple(entries)))


def _idle(modifier: Entry, open: dict[Path, Scalar]) -> list[Entry]:
    adjust = modifier.value.get("adjust") if isinstance(modifier.value, Mapping) else None
    return [each for each in _entries(adjust) if ("numbers", each.key.text) in open]


def _pointless(idle: Sequence[Entry], root: Mapping, open: dict[Path, Scalar], work: Work) -> Iterator[Diagnostic]:
    """A note for each open number that layers adjust in vain; where something reads one as well, that is an error."""
    by_number: dict[str, list[Scalar]] = {}
    for each in idle:
        stated_by, begun_by = each.key.span.file.layer, open["numbers", each.key.text].span.file.layer
        if stated_by != begun_by and stated_by not in work.lineage.below[begun_by]:
            by_number.setdefault(each.key.text, []).append(each.key)
    for number, keys in by_number.items():
        if not is_read(root, "numbers", number):
            yield messages.adjusts_open(number, keys, open["numbers", number])


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()
