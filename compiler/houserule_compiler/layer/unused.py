"""The vocabulary that abstract layers offer and nothing in a ruleset uses: it is left out.

Whoever gives a fact for such a role would wait in vain for it to matter, so the answer is that there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..document import Entry, Mapping, Node, Scalar
from ..layers import Layer
from .effects import APART, TALK

VOCABULARY = ("choices", "entities", "roles", "facts", "options", "conditions", "events")
"""The sections that answer nothing by themselves."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")


def without_unused(sections: Sequence[Entry], layers: Sequence[Layer]) -> Iterator[Entry]:
    """The sections without what no layer but abstract ones speaks of and nothing that stays names."""
    known = [each for each in layers if not each.is_abstract]
    offered = {
        (section.key.text, each.key.text): each.value
        for section in sections
        if section.key.text in VOCABULARY and isinstance(section.value, Mapping)
        for each in section.value.entries
        if not any(each.key.text in layer.ids(section.key.text) for layer in known)
    }
    if offered:
        _take_used(offered, sections)
    for section in sections:
        if not isinstance(section.value, Mapping):
            yield section
            continue
        left = tuple(each for each in section.value.entries if (section.key.text, each.key.text) not in offered)
        yield Entry(section.key, Mapping(left, section.value.span, section.value.is_flow))


def _take_used(offered: dict[tuple[str, str], Node], sections: Sequence[Entry]) -> None:
    """Takes out of `offered` what the rest names, and then what that names in turn."""
    named = set[str]()
    for section in sections:
        if section.key.text not in APART and isinstance(section.value, Mapping):
            inner = (each for each in section.value.entries if (section.key.text, each.key.text) not in offered)
            named.update(word for each in inner for word in _words(each.value))
    while used := [each for each in offered if each[1] in named]:
        named.update(word for each in used for word in _words(offered.pop(each)))


def _words(node: Node) -> Iterable[str]:
    """Every word in the keys and values of a node, prose left aside."""
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
        if node.below is not None:
            yield from _words(node.below)
    elif isinstance(node, Mapping):
        for each in node.entries:
            if each.key.text not in TALK:
                yield from _WORD.findall(each.key.text)
                yield from _words(each.value)
    else:
        for item in node.items:
            yield from _words(item)
