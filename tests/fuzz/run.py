"""Small rulesets, changed at a few places of their trees: what is accepted answers, in bounds, and never raises."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import houserule
from houserule_compiler.document import Mapping, Node, Scalar
from houserule_compiler.limits import Limits
from houserule_compiler.load import load

from .asking import asked_of_ours
from .draw import Draw
from .load import compiled, told
from .seeds import alone

Leaf: TypeAlias = tuple[str, bool]
"""A text, and whether it stands without quotes."""
Tree: TypeAlias = "dict[str, Tree] | list[Tree] | Leaf"
Path: TypeAlias = tuple[str | int, ...]
TOKEN = re.compile(r"[a-z_]+|\d+|[<>=!]=|\.\.|[^\w\s]")
TOKENS = """
0 1 2 3 9 -1 + - * / ( ) == != < <= > >= .. | and or not in if then else known true false
floor ceil nearest toward_zero min max abs mod count its inherited unknown keep highest lowest d
1d6 3d6 1/2 1-1 2+1 0..3 100d100 999999999 better worse set of any all as actor foe round
""".split()  # noqa: SIM905
SAFE = re.compile(r"[^\s,\[\]{}#&*!|>'\"%@`?:-][^,\[\]{}#\n\"':]*")


def one_input(data: bytes) -> None:
    """Compiles a ruleset, and asks it if it was accepted."""
    text = made(data)
    outcome = compiled({"sample": text})
    told(outcome.diagnostics)
    if outcome.artifact is not None:
        asked_of_ours(houserule.load(outcome.artifact), len(text))


def made(data: bytes) -> bytes:
    """The ruleset that stands there, or the one that these choices make."""
    if data.startswith(b"ruleset:"):
        return data
    draw = Draw(data)
    tree = trees()[draw.below(len(trees()))]
    for _ in range(1 + draw.below(4)):
        tree = changed(tree, draw)
    return written(tree).encode("utf-8", "replace")


def seeds() -> Sequence[bytes]:
    """The rulesets as they are, and the first choices of each."""
    return [*(each.encode() for each in alone()), *(bytes([0, at, 1, at % 7]) for at in range(64))]


@cache
def trees() -> tuple[Tree, ...]:
    """Those seeds that load, as trees; all are called `sample`."""
    found = []
    for text in alone():
        document, _ = load("rules.yaml", text.encode(), Limits())
        tree = plain(document.root) if document else None
        if isinstance(tree, dict):
            found.append({**tree, "ruleset": ("sample", True), "language": ("1", True)})
    return tuple(found)


@cache
def pool() -> dict[str, list[Tree]]:
    """What stands under each key anywhere, to be put elsewhere."""
    found: dict[str, list[Tree]] = {}
    for tree in trees():
        for path in paths(tree):
            here = found.setdefault(str(path[-1]), [])
            if (value := at(tree, path)) not in here:
                here.append(value)
    return found


def plain(node: Node) -> Tree:
    """A node as a tree."""
    if isinstance(node, Scalar):
        return node.text, node.style == "plain"
    if isinstance(node, Mapping):
        return {each.key.text: plain(each.value) for each in node.entries}
    return [plain(each) for each in node.items]


def paths(tree: Tree, path: Path = ()) -> list[Path]:
    """The paths of all parts."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [each for key, value in pairs for each in ((*path, key), *paths(value, (*path, key)))]


def at(tree: Tree, path: Path) -> Tree:
    """The part at a path."""
    for key in path:
        tree = tree[key]  # type: ignore[index, call-overload]
    return tree


def changed(tree: Tree, draw: Draw) -> Tree:
    """A tree with one part changed, left out, doubled, or another one in its place."""
    every = [each for each in paths(tree) if each not in (("ruleset",), ("language",))]
    if not every:
        return tree
    path = every[draw.below(len(every))]
    value, kind = at(tree, path), draw.below(8)
    if isinstance(value, tuple) and kind < 4:
        return put(tree, path, (_retold(value[0], draw), value[1]))
    if kind < 5:
        alike = pool().get(str(path[-1])) or [value]
        return put(tree, path, draw.one(alike))
    if kind == 5:
        return put(tree, path, None)
    if kind == 6:
        others = pool()[draw.one(sorted(pool()))]
        return put(tree, path, draw.one(others))
    key = draw.one(sorted(pool())) if draw.below(2) else f"{path[-1]}x"
    return put(tree, (*path[:-1], key if isinstance(at(tree, path[:-1]), dict) else path[-1]), value)


def put(tree: Tree, path: Path, value: Tree | None) -> Tree:
    """The tree with something else at a path; with None nothing."""
    if not path:
        return value if value is not None else {}
    if isinstance(tree, dict):
        inner = put(tree.get(str(path[0]), {}), path[1:], value) if len(path) > 1 else value
        kept = {key: each for key, each in tree.items() if key != path[0] or inner is not None}
        return {**kept, **({str(path[0]): inner} if inner is not None else {})}
    assert isinstance(tree, list)
    index = int(path[0])
    inner = put(tree[index], path[1:], value) if len(path) > 1 else value
    return [*tree[:index], *([inner] if inner is not None else []), *tree[index + 1 :]]


def _retold(text: str, draw: Draw) -> str:
    """A text with one word or sign changed, put in, or left out."""
    found = list(TOKEN.finditer(text))
    if not found:
        return draw.one(TOKENS)
    place, kind = found[draw.below(len(found))], draw.below(6)
    new = draw.one(TOKENS)
    if kind == 0:
        new = str(int(place[0]) + draw.below(5) - 2) if place[0].isdigit() and len(place[0]) < 9 else new
    if kind == 1:
        new = ""
    if kind == 2:
        new = f"{place[0]} {new} "
    if kind == 3:
        new = draw.one(found)[0]
    return text[: place.start()] + new + text[place.end() :]


def written(tree: Tree) -> str:
    """A tree as YAML, a definition a line."""
    assert isinstance(tree, dict)
    lines = []
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            lines += [f"{_leaf((key, True))}:", *(f"  {_leaf((id, True))}: {flow(each)}" for id, each in value.items())]
        else:
            lines.append(f"{_leaf((key, True))}: {flow(value)}")
    return "\n".join(lines) + "\n"


def flow(tree: Tree) -> str:
    """A tree in one line."""
    if isinstance(tree, dict):
        return f"{{{', '.join(f'{_leaf((key, True))}: {flow(each)}' for key, each in tree.items())}}}"
    if isinstance(tree, list):
        return f"[{', '.join(map(flow, tree))}]"
    return _leaf(tree)


def _leaf(leaf: Leaf) -> str:
    text, is_plain = leaf
    if is_plain and (SAFE.fullmatch(text) or re.fullmatch(r"[+-]?\w+", text)) and text == text.strip():
        return text
    return json.dumps(text, ensure_ascii=False)
