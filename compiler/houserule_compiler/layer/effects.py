"""Changes that nothing reads any more, because another layer took out or replaced what read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..diagnostics import Diagnostic
from ..document import Mapping, Node, Scalar
from ..layers import Contribution
from ..messages import layers as messages
from ..paths import Path
from .work import Work

READABLE = ("numbers", "tables", "conditions")
"""The sections whose definitions are there to be read by others."""
TALK = frozenset({"title", "note", "source", "question", "ruling", "because", "reason"})
APART = frozenset({"examples", "rulings"})
"""Sections that read rules without playing by them."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")


def without_effect(root: Mapping, work: Work) -> Iterator[Diagnostic]:
    """A warning for each changed number, table or condition whose readers are all gone."""
    changed = dict(_changed(work))
    if not changed:
        return
    lost = list(_lost(work))
    for (section, id), edit in sorted(changed.items()):
        readers = [
            each
            for path, each in lost
            if path[:2] != (section, id) and each.layer != edit.layer and id in _words(each.node)
        ]
        if readers and not is_read(root, section, id):
            by = next((each for each in _removers(work, readers[0])), readers[0])
            yield messages.override_without_effect(section, id, edit, by)


def _changed(work: Work) -> Iterator[tuple[tuple[str, str], Contribution]]:
    """The definitions that a layer changed, each with the topmost change."""
    for path, contributions in work.history.items():
        if path[0] in READABLE and len(path) > 2 and path[-1] not in TALK and contributions[-1].act == "set":
            yield (path[0], path[1]), contributions[-1]


def _lost(work: Work) -> Iterator[tuple[Path, Contribution]]:
    """What was written and no longer holds, each with its path."""
    for path, contributions in work.history.items():
        if path[0] not in APART:
            yield from ((path, each) for each in contributions[:-1])


def _removers(work: Work, lost: Contribution) -> Iterator[Contribution]:
    """What stands in the place of something that was lost."""
    for contributions in work.history.values():
        if lost in contributions[:-1]:
            yield contributions[-1]


def is_read(root: Mapping, section: str, id: str) -> bool:
    """Whether anything but the definition itself names it."""
    for each in root.entries:
        if each.key.text in APART or not isinstance(each.value, Mapping):
            continue
        inner = (one for one in each.value.entries if (each.key.text, one.key.text) != (section, id))
        if any(id in _words(one.value) for one in inner):
            return True
    return False


def _words(node: Node | None) -> set[str]:
    """Every word in the values of a node, prose left aside."""
    return set(_found(node)) if node is not None else set()


def _found(node: Node) -> Iterable[str]:
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
        if node.below is not None:
            yield from _found(node.below)
        return
    if isinstance(node, Mapping):
        for each in node.entries:
            if each.key.text not in TALK:
                yield from _found(each.value)
        return
    for item in node.items:
        yield from _found(item)
