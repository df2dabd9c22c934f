"""Any bytes as a file of rules: a document or what is wrong with it, at a place; then the whole compiler, in bounds.

What compiles is loaded, so that no artifact is ever refused that was built.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import houserule
from bombs import BOMBS
from houserule_compiler import github, junit, sarif
from houserule_compiler.characters import REFUSED
from houserule_compiler.diagnostics import WIDTH, Diagnostic, Severity, has_errors
from houserule_compiler.document import Mapping, Node, Scalar
from houserule_compiler.examined import Examined
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.pipeline import Compiled, compile_ruleset, try_examples
from houserule_compiler.render import concise, full, json_lines
from literate import codes, schema

from .seeds import texts

SMALL = 9_000
"""The largest hazard, in bytes, that is changed here."""


def one_input(data: bytes) -> None:
    """Loads and compiles the bytes, and asserts all that is true of every outcome."""
    document, found = load("rules.yaml", data, Limits())
    assert document is not None or found
    assert all(len(each.headline) < 80 for each in found)
    told(found)
    if document:
        _stands_in_the_file(document.root)
    outcome = compiled({"sample": data})
    assert (outcome.artifact is None) or not has_errors(outcome.diagnostics)
    told([*outcome.diagnostics, *outcome.refused])
    if outcome.artifact is not None:
        houserule.load(outcome.artifact)
        told(try_examples(outcome).diagnostics)


def seeds() -> Sequence[bytes]:
    """The files of literate cases, and the hazards that are not large."""
    hazards = json.loads((Path(__file__).parent.parent / "hazards" / "hazards.json").read_text("utf-8"))
    rules = [case["rules"].encode() for each in hazards for case in each["cases"] if "rules" in case]
    bombs = [bomb for make, _ in BOMBS.values() if len(bomb := make()) <= SMALL]
    return [*texts(), *rules, *bombs]


def compiled(rulesets: dict[str, bytes]) -> Compiled:
    """What comes of the last one of some rulesets, each of one file."""
    files = {name: Files(name, ((f"{name}.yaml", data),)) for name, data in rulesets.items()}
    return compile_ruleset(list(files)[-1], files.get, schema(), Limits(), lambda: files, codes)


def told(found: Sequence[Diagnostic]) -> None:
    """Findings fit in their files, and into every format, where nothing of a file can leave its place."""
    for each in found:
        assert each.headline
        assert len(each.headline) <= WIDTH, each.headline
        assert "\n" not in each.headline
        for label in each.labels:
            assert 0 <= label.span.start <= label.span.end <= len(label.span.file.text)
    for text in (full(found), concise(found), json_lines(found)):
        assert not REFUSED.search(text)
    assert all(each.startswith("::") for each in github.workflow_commands(found).splitlines())
    json.loads(sarif.log(found, "1", lambda code: code))
    ElementTree.fromstring(junit.suites([Examined("sample", tuple(found))], Severity.NOTE).encode("utf-8"))


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
