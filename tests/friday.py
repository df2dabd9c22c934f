"""A small ruleset for tests of the command line, and running commands on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).parent.parent
RULES = """\
ruleset: friday
title: Friday's rules
version: "2"
language: 1
choices:
  size: {words: {small: {title: Small}, large: {title: Large, note: Trolls and worse.}}}
entities:
  guard: {level: 1..3, size: size = small, tired: boolean = false, oath: 1..9?}
roles: {guard: guard}
options: {harsh: boolean = false}
tables:
  watch:
    title: How well a guard watches
    by: {size: size, level: 1..3}
    gives: integer
    rows: {small: [3, 4, 5], large: [1, 2, 4]}
  pay: {by: {level: 1..3}, gives: {coins: 0..99, meals: 0..3}, rows: {1: [5, 1], 2..3: [9, 2]}}
numbers:
  vigilance: {title: Vigilance, of: guard, better: higher, base: "watch(its.size, its.level)"}
modifiers:
  weary: {title: Weary, when: its.tired, adjust: {vigilance: -1}}
  sworn: {by: its.oath, adjust: {vigilance: {1..3: +1, 4..9: +2}}}
  cold: {when: harsh, adjust: {vigilance: -1}}
checks:
  notice:
    outcomes: [noticed, missed]
    roll: {die: 1d6}
    cases:
      noticed: {when: die <= vigilance, outcome: noticed}
      missed: {outcome: missed}
examples:
  small: {number: vigilance, given: {guard.level: 2}, expect: {value: 4}}
"""
FACTS = ["guard.level=2", "guard.size=large"]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


def change(friday_folder: Path, old: str, new: str) -> None:
    text = (friday_folder / "friday.yaml").read_text()
    assert old in text
    (friday_folder / "friday.yaml").write_text(text.replace(old, new))


def process(friday_folder: Path, *words: str, before: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own, after some code."""
    code = f"import sys\n{before}\nfrom houserule_compiler.cli import main\nsys.exit(main({list(words)!r}))"
    paths = os.pathsep.join(
        [*filter(None, [os.environ.get("PYTHONPATH")]), *map(str, (ROOT / "compiler", ROOT / "runtime"))]
    )
    inherited = {key: value for key, value in os.environ.items() if key != "CI"}
    return subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=friday_folder,
        capture_output=True,
        text=True,
        check=False,
        env={**inherited, "PYTHONPATH": paths, **env},
    )
