"""Makes homebrew of any size for the benchmark: one long table, or a folder of many files with all kinds of things.

The same sizes give the same text, and nothing in it is wrong.
"""

from __future__ import annotations

from pathlib import Path

HEAD = """ruleset: {name}
language: 1
sources:
  notes: {{title: The notes of the campaign}}
choices:
  kind: [beast, fiend, giant, undead]
entities:
  monster:
    kind: kind
    level: 1..20
    size: 1..100000
    wary: boolean = false
    hurt: boolean = false
roles: {{monster: monster}}
"""
TABLE = """  bounty_{at}:
    title: Bounty of the lair {at}
    by: {{size: 1..100000}}
    gives: integer
    source: notes {at}
    rows:
"""
TOPIC = """# What is found in the lair {at}.
numbers:
  purse_{at}:
    title: Purse of the lair {at}
    better: higher
    source: notes {at}
    base: bounty_{at}(monster.size) + floor(monster.level / 2)
modifiers:
  wary_{at}:
    title: They are wary in lair {at}
    source: notes {at}
    when: monster.wary and monster.level > 3
    adjust: {{purse_{at}: worse 2}}
  hurt_{at}:
    source: notes {at}
    by: monster.kind
    adjust: {{purse_{at}: {{beast: 0, fiend: +1, giant: +2, undead: -1}}}}
checks:
  search_{at}:
    source: notes {at}
    outcomes: [found, nothing]
    roll: {{d20: 1d20}}
    cases:
      found: {{when: d20 + purse_{at} >= 15, outcome: found}}
      nothing: {{outcome: nothing}}
examples:
  beast_{at}:
    number: purse_{at}
    given: {{monster.kind: beast, monster.level: 5, monster.size: 1, monster.wary: true}}
    expect: {{value: {result}}}
tables:
"""


def rows(count: int, salt: int = 0) -> str:
    """That many rows of a table from 1 to 100,000, a line each."""
    step = 100_000 // count
    last = count - 1
    return "".join(
        f"      {at * step + 1}..{100_000 if at == last else (at + 1) * step}: {(at * 7 + salt % 13) % 97}\n"
        for at in range(count)
    )


def table(count: int) -> str:
    """A ruleset in one file, with one table of that many rows."""
    return HEAD.format(name="long") + "tables:\n" + TABLE.format(at=0) + rows(count)


def folder(target: Path, files: int, count: int) -> Path:
    """A folder of that many files, beside its manifest, with that many rows in all."""
    target.mkdir(parents=True, exist_ok=True)
    (target / "ruleset.yaml").write_text(HEAD.format(name=target.name))
    for at in range(files - 1):
        (target / f"lair_{at}.yaml").write_text(topic(at, count // (files - 1)))
    return target


def topic(at: int, count: int) -> str:
    """One file of the folder."""
    return TOPIC.format(at=at, result=at % 13) + TABLE.format(at=at) + rows(count, at)
