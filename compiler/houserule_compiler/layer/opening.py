"""What an abstract layer leaves to others: definitions without the part that makes them answer."""

from __future__ import annotations

from dataclasses import replace

from ..document import Entry, Mapping, Node, Scalar, Sequence
from ..paths import Path
from .wholeness import OPEN
from .work import Work


def opened(root: Mapping, work: Work, is_abstract: bool) -> tuple[Mapping, dict[Path, Scalar]]:
    """The tree without what is still open, and the open definitions by path with their ids.

    Where the build itself `is_abstract`, whoever began a definition may leave it open, and all of them stay.
    """
    open: dict[Path, Scalar] = {}
    sections: list[Entry] = []
    for section in root.entries:
        parts, node = OPEN.get(section.key.text), section.value
        if parts is None or not isinstance(node, Mapping):
            sections.append(section)
            continue
        may_be = [each for each in node.entries if is_abstract or each.key.span.file.layer in work.abstract]
        left = [each for each in may_be if _is_open(each.value, parts)]
        open |= {(section.key.text, each.key.text): each.key for each in left}
        entries = tuple(each for each in node.entries if each not in left)
        sections.append(Entry(section.key, replace(node, entries=entries)))
    return root if is_abstract else replace(root, entries=tuple(sections)), open


def _is_open(node: Node, parts: tuple[str, ...]) -> bool:
    if isinstance(node, Sequence):
        return not node.items
    return isinstance(node, Mapping) and not any(_is_filled(node.get(each)) for each in parts)


def _is_filled(node: Node | None) -> bool:
    if isinstance(node, Mapping):
        return bool(node.entries)
    return bool(node.items) if isinstance(node, Sequence) else node is not None
