"""Small artifacts with fields changed: refused in one sentence, or asked, where both evaluators say the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import houserule
from artifacts import sealed
from houserule import ArtifactError
from literate import compiled
from test_tampering import at, changes, places

from .asking import asked
from .draw import Draw
from .load import compiled as compiled_files
from .seeds import SMALL, sections

FEW = 60
"""How many sections of cases beside the small rulesets have their artifacts changed."""


def one_input(data: bytes) -> None:
    """Loads an artifact and asks it, if it is not refused."""
    try:
        rules = houserule.load(made(data))
    except ArtifactError as error:
        assert str(error)
        assert len(str(error)) <= 500
        assert str(error).isprintable(), error
        return
    asked(rules, len(data))


def made(data: bytes) -> bytes:
    """The artifact that stands there, or the one that these choices make."""
    if data.startswith(b"{"):
        return data
    draw = Draw(data)
    root = copy.deepcopy(draw.one(roots()))
    for _ in range(1 + draw.below(4)):
        _change(root, draw)
    try:
        return json.dumps(sealed(root) if "content_hash" in root else root, ensure_ascii=True).encode()
    except (ValueError, TypeError):
        return json.dumps(root).encode()


def _change(root: dict[str, Any], draw: Draw) -> None:
    every = [each for each in places(root) if each[0] != "content_hash"]
    if not every:
        return
    path = every[draw.below(len(every))]
    owner, value = at(root, path[:-1]), at(root, path)
    kind = draw.below(4)
    if kind == 0:
        # Something from elsewhere in the same artifact: most often of the right form.
        alike = [each for each in every if each[-1] == path[-1]] if draw.below(2) else every
        owner[path[-1]] = copy.deepcopy(at(root, alike[draw.below(len(alike))]))
    elif kind == 1 and isinstance(value, int):
        owner[path[-1]] = value + draw.below(7) - 3
    elif kind == 1 and isinstance(owner, list):
        owner.insert(int(path[-1]), copy.deepcopy(value))
    elif kind == 2 and draw.below(2):
        del owner[path[-1]]
    else:
        owner[path[-1]] = draw.one([each for _, each in changes(value)])


@cache
def roots() -> tuple[dict[str, Any], ...]:
    """Artifacts, small ones of all kinds."""
    built = [compiled_files({"sample": text.replace("ruleset: friday", "ruleset: sample").encode()}) for text in SMALL]
    plain = [each for each in sections() if not each.block("json") and not each.block("before")]
    step = max(1, len(plain) // FEW)
    built += [compiled(each) for each in plain[::step]]
    return tuple(json.loads(each.artifact) for each in built if each.artifact is not None)


def seeds() -> Sequence[bytes]:
    """Whole artifacts, and the first choices of each."""
    return [*(json.dumps(each).encode() for each in roots()[:8]), *(bytes([at, 1, at, at % 5]) for at in range(64))]
