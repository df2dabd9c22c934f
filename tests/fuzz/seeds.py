"""Small rulesets to begin with: those of the literate cases, and those that other tests are about."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import friday
import random_layers
import random_rules
import rounds
from houserule_compiler.cases import Section, read_cases
from literate import case_files

CASES = Path(__file__).parent.parent / "cases"
NUMBERS = """
numbers:
  main: {base: "if flag then a * 2 else floor(9 / (b + 1))", better: higher}
  reader: {base: "if main > 0 then floor(20 / main) else main"}
modifiers:
  m0: {when: odd, adjust: {main: "+2"}}
  m1: {by: moods, adjust: {main: {calm: +1, cross: -3, wild: +2}}}
  m2: {by: a, adjust: {main: {..0: {at_least: 1}, 1..: {at_most: 2}}}}
  m3: {times: u, adjust: {main: {multiply: 1/2, round: up}}, stack: group}
  m4: {by: size, adjust: {main: {..1: "signs(mood_now, 1)", 2..: better 1}}, stack: group}
"""
SMALL = (friday.RULES, random_layers.RICH, rounds.RULES, random_rules.HEAD + NUMBERS)


def sections() -> list[Section]:
    """All sections of literate cases whose rules stand there as text."""
    every = [*case_files(CASES), *sorted((CASES / "diagnostics").glob("*.md"))]
    files = [read_cases(each.read_text("utf-8")) for each in every]
    whole = [section for file in files for section in (file.head, *file.sections)]
    return [each for each in whole if {block.language for block in each.blocks if block.is_input} == {"yaml"}]


@cache
def texts() -> tuple[bytes, ...]:
    """Every file of rules, each once."""
    blocks = [block for section in sections() for block in section.blocks if block.language == "yaml"]
    return tuple(dict.fromkeys(each.encode() for each in (*SMALL, *(block.text for block in blocks))))


@cache
def alone() -> tuple[str, ...]:
    """The rulesets of one file that stand on nothing."""
    found = [[block.text for block in each.blocks if block.is_input] for each in sections()]
    whole = [each[0] for each in found if len(each) == 1 and "extends:" not in each[0] and "\nwith:" not in each[0]]
    return tuple(dict.fromkeys((*SMALL, *(each for each in whole if each.startswith("ruleset:")))))
