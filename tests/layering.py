"""Builds small rulesets that stand on each other, and reads what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from houserule_compiler.document import Mapping as Map
from houserule_compiler.document import Node, Scalar
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.paths import path_of
from houserule_compiler.pipeline import Compiled, compile_ruleset
from literate import schema

RULES = Path(__file__).parent.parent / "rules"
BASE = """
ruleset: base
language: 1
facts: {x: 0..9, y: 0..9}
stacking: {g: {all: largest}}
options: {nat: {type: boolean, default: true}}
choices: {kind: [a, b]}
numbers: {n: {base: 1}, m: {base: 2}}
modifiers: {up: {when: x == 1, adjust: {n: +1, m: {at_most: 0}}}, side: {adjust: {n: +5}, stack: g}}
tables: {t: {by: {k: 1..10}, gives: integer, rows: {1..3: 1, 4..6: 2, 7..10: 3}}}
checks:
  c:
    outcomes: [yes1, no1]
    roll: {die: 1d20}
    cases: {one: {when: die == 1, outcome: no1}, two: {when: die >= n, outcome: yes1}, three: {outcome: no1}}
"""


def shipped(name: str) -> Files | None:
    """The files of a ruleset or pack that comes with the compiler."""
    pack = RULES / "packs" / f"{name}.yaml"
    files = sorted((RULES / name).glob("*.yaml")) or [each for each in [pack] if each.exists()]
    return Files(name, tuple((each.name, each.read_bytes()) for each in files)) if files else None


def on_shipped(text: str) -> Compiled:
    """What comes of `friday`, of which this is the one file, on the rulesets that come with the compiler."""
    own = Files("friday", (("friday.yaml", f"ruleset: friday\n{text}".encode()),))
    return compile_ruleset("friday", lambda name: own if name == "friday" else shipped(name), schema(), Limits())


def build(layers: Mapping[str, str], top: str, limits: Limits | None = None) -> Compiled:
    """What comes of `top`; `layers` has the text of each ruleset's one file by name."""
    files = {name: Files(name, ((f"{name}.yaml", text.encode()),)) for name, text in layers.items()}
    return compile_ruleset(top, files.get, schema(), limits or Limits(), lambda: files)


def layered(**texts: str) -> Compiled:
    """The last of these rulesets, on the base; a text without a head extends it."""
    whole = {
        name: text if "ruleset:" in text else f"ruleset: {name}\nextends: base\n{text}" for name, text in texts.items()
    }
    return build({"base": BASE, **whole}, list(texts)[-1])


def two(a: str, b: str, fork: str = "") -> Compiled:
    """A fork of the base that uses two packs; fails unless their order means nothing."""
    found = [layered(a=a, b=b, f=f"ruleset: f\nextends: base\nwith: [{order}]\n{fork}") for order in ("a, b", "b, a")]
    assert found[0].artifact == found[1].artifact
    assert codes(found[0]) == codes(found[1])
    assert shown(tree(found[0])) == shown(tree(found[1]))
    return found[0]


def codes(found: Compiled) -> list[str]:
    """The codes of all findings, sorted."""
    return sorted(each.code for each in found.diagnostics)


def tree(found: Compiled) -> Map:
    """The one tree that all layers became."""
    assert found.origins is not None, codes(found)
    return found.origins.tree


def at(found: Compiled, path: str) -> object:
    """What stands at a path of the tree; None where nothing does."""
    node: Node | None = tree(found)
    for key in path_of(path):
        node = node.get(key) if isinstance(node, Map) else None
    return None if node is None else shown(node)


def keys(found: Compiled, path: str) -> list[str]:
    """The keys of the map at a path, in order."""
    value = at(found, path)
    assert isinstance(value, dict)
    return list(value)


def shown(node: Node) -> object:
    """A node as plain data; the value below in parentheses where `inherited` stands for it."""
    if isinstance(node, Map):
        return {each.key.text: shown(each.value) for each in node.entries}
    if not isinstance(node, Scalar):
        return [shown(each) for each in node.items]
    return node.text if node.below is None else node.text.replace("inherited", f"({shown(node.below)})")
