"""Fuzz target of the loader: for any bytes it gives a document or says why not, in plain words, at a place in the file.

`python tests/fuzz/load_target.py [folder of inputs]` runs it under atheris where that is installed; the test suite runs
a few hundred inputs of hypothesis through `one_input`.
"""

from __future__ import annotations

import sys

from houserule_compiler.characters import REFUSED
from houserule_compiler.diagnostics import Diagnostic
from houserule_compiler.document import Mapping, Node, Scalar
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.render import concise, full, json_lines


def one_input(data: bytes) -> None:
    """Loads the bytes, and asserts all that is true of every outcome."""
    document, found = load("rules.yaml", data, Limits())
    assert document is not None or found
    for each in found:
        _fits(each)
    for text in (full(found), concise(found), json_lines(found)):
        assert not REFUSED.search(text)
    if document:
        _stands_in_the_file(document.root)


def _fits(diagnostic: Diagnostic) -> None:
    assert diagnostic.headline
    assert len(diagnostic.headline) < 80, diagnostic.headline
    for each in diagnostic.labels:
        assert 0 <= each.span.start <= each.span.end <= len(each.span.file.text)


def _stands_in_the_file(root: Node) -> None:
    """Every scalar's offsets lie in its span, in order, and one for each character."""
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            if node.offsets is not None:
                assert len(node.offsets) == len(node.text) + 1
                assert list(node.offsets) == sorted(node.offsets)
            elif node.text:
                assert node.part(0, len(node.text)).text == node.text
        elif isinstance(node, Mapping):
            assert len({each.key.text for each in node.entries}) == len(node.entries)
            waiting += [part for each in node.entries for part in (each.key, each.value)]
        else:
            waiting += node.items


if __name__ == "__main__":
    import atheris  # type: ignore[import-not-found, unused-ignore]

    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
