"""A build that remembers earlier ones finds what a build from nothing finds, whatever has changed since."""

from __future__ import annotations

import json
from functools import cache, partial
from random import Random

import pytest

from houserule_compiler import bound as bounding
from houserule_compiler import load as loading
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.memory import Memory
from houserule_compiler.pipeline import Compiled, compile_ruleset
from houserule_compiler.shipped import shipped

SCHEMA = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
HEAD = """ruleset: fort
language: 1
sources: {book: {title: Book}, notes: {title: Notes}}
choices: {kind: [elf, orc]}
entities: {guard: {level: 1..9, kind: kind, tired: boolean = false}}
roles: {guard: guard}
"""
TABLES = """source: book
tables:
  watch: {by: {level: 1..9}, gives: 0..20, rows: {1..4: 3, 5..9: 6}}
  pay: {by: {kind: kind, level: 1..9}, gives: integer, rows: {elf: {..4: 1, 5..: level}, orc: 2}}
"""
REST = """source: notes
numbers:
  vigilance: {of: guard, better: higher, base: "watch(its.level) + pay(its.kind, its.level)"}
modifiers:
  weary: {when: its.tired, adjust: {vigilance: -1}}
"""
PLAY = """source: book
conditions: {spent: "guard.tired and guard.level < 3"}
impossible: {never_so_low: "guard.kind == orc and guard.level < 2"}
numbers:
  alarm: {better: higher, base: "vigilance(guard as guard) * 2 + pace"}
  pace: {better: higher, base: guard.level}
modifiers:
  slow: {when: spent, adjust: {pace: worse 1}}
  orcish: {when: guard.kind == orc, adjust: {alarm: +2, pace: +1}}
checks:
  spot:
    outcomes: [seen, missed]
    roll: {d6: 1d6}
    cases:
      well: {when: d6 + alarm >= 12 and not spent, outcome: seen}
      luck: {when: d6 == 6, outcome: seen}
      rest: {outcome: missed}
  sweep:
    outcomes: [clear, found]
    start: look
    steps:
      look:
        check: spot
        adjust: {pace: +1}
        cases: {saw: {when: look.outcome == seen, outcome: found}, none: {outcome: clear}}
"""
BELOW = "ruleset: keep\nlanguage: 1\ntables: {moat: {by: {depth: 1..3}, gives: integer, rows: {1..2: 1, 3: 2}}}\n"
# In which file what becomes of what; each is undone before the next.
EDITS = [
    *(
        ("tables", old, new)
        for old, new in [("5..9: 6", "5..9: 21"), ("1..4: 3", "1..3: 3"), ("6}", "7}"), ("6}", "+}")]
    ),
    *(("tables", old, new) for old, new in [("5..9: 6", "4..9: 6"), ("source: book\n", ""), ("watch:", "watsh:")]),
    *(
        ("tables", old, new)
        for old, new in [("by: {level: 1..9}, gives: 0", "by: {level: 1..8}, gives: 0"), ("orc", "ork")]
    ),
    *(("head", old, new) for old, new in [("[elf, orc]", "[elf, orc, dwarf]"), ("[elf, orc]", "[orc, elf]")]),
    *(("head", old, new) for old, new in [("1..9", "1..12"), (", notes: {title: Notes}", ""), ("level", "lewel")]),
    *(
        ("rest", old, new)
        for old, new in [
            ("-1", "worse 2"),
            ("source: notes", "source: boook"),
            ("watch(", "wotch("),
            ("tired", "tyred"),
        ]
    ),
    *(
        ("play", old, new)
        for old, new in [
            ("< 3", "< 1"),
            ("level < 2", "level < 12"),
            ("kind == orc and", "kind == elf and"),
            ("* 2 + pace", "* 2"),
            ("* 2 + pace", "* 2 + alarm"),
            ("base: guard.level", "base: watch(guard.level)"),
            ("base: guard.level", "base: elf"),
            ("slow: {when: spent", "slow: {when: spent and guard.level > 5"),
            ("worse 1", "worse 1.5"),
            ("pace: +1}}", "pace: {set: 30}}}"),
            ("adjust: {pace: +1}\n", "adjust: {pace: {set: 4}}\n"),
            ("adjust: {pace: +1}\n", "adjust: {pays: +1}\n"),
            (">= 12 and not spent", ">= 200"),
            (">= 12 and not spent", "== seen"),
            ("d6 == 6", "d6 == 7"),
            ("d6 == 6", "d6 >= 1"),
            ("[seen, missed]", "[missed, seen]"),
            ("[seen, missed]", "[seen, missed, lost]"),
            ("sweep:", "pace:"),
            ("  pace: {better: higher", "  d6: {better: higher, base: 1}\n  pace: {better: higher"),
            ("  pace: {better: higher", "  elf: {better: higher, base: 1}\n  pace: {better: higher"),
            ("  orcish", "  other: {when: guard.tired, adjust: {pace: {set: 3}}}\n  orcish"),
        ]
    ),
    *(("head", "language: 1", f"language: 1\nextends: {each}") for each in ("keep", "kept")),
]


def built(texts: dict[str, str], memory: Memory | None = None) -> Compiled:
    own = Files("fort", tuple((f"fort/{each}.yaml", text.encode()) for each, text in texts.items()), folder="fort/")
    files = {"fort": own, "keep": Files("keep", (("keep.yaml", BELOW.encode()),))}
    return compile_ruleset("fort", files.get, SCHEMA, Limits(), files.keys, memory=memory)


def told(made: Compiled) -> tuple[bytes | None, str]:
    return made.artifact, repr(made.diagnostics)


@cache
def told_cold(texts: tuple[tuple[str, str], ...]) -> tuple[bytes | None, str]:
    return told(built(dict(texts)))


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_remembered_wrongly(seed: int) -> None:
    memory, random = Memory(), Random(seed)
    texts = {"head": HEAD, "tables": TABLES, "rest": REST, "play": PLAY}
    assert built(texts).artifact is not None
    faults = 0
    for file, old, new in random.sample(EDITS, len(EDITS)):
        assert old in texts[file]
        changed = {**texts, file: texts[file].replace(old, new, 1)}
        for each in (changed, changed, texts) if random.random() < 0.5 else (changed,):
            memory.turn()
            assert told(built(each, memory)) == told_cold(tuple(each.items())), new
        faults += told_cold(tuple(changed.items()))[0] is None
    assert faults > 0.4 * len(EDITS)


def test_files_that_stay_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, read = Memory(), []
    whole = loading.decode
    monkeypatch.setattr(loading, "decode", lambda name, *rest: read.append(name) or whole(name, *rest))
    texts = {"head": HEAD, "tables": TABLES, "rest": REST}
    for each in (texts, texts, {**texts, "rest": REST + "# more\n"}):
        memory.turn()
        built(each, memory)
    assert read == ["fort/head.yaml", "fort/tables.yaml", "fort/rest.yaml", "fort/rest.yaml"]


def test_what_stands_as_it_stood_is_not_verified_again(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, verified = Memory(), []
    whole = bounding.read
    monkeypatch.setattr(bounding, "read", lambda artifact: verified.append(whole(artifact)) or verified[-1])
    texts = {"head": HEAD, "tables": TABLES, "rest": REST, "play": PLAY}
    raised = {**texts, "rest": REST.replace("-1", "-2")}
    for each in (texts, texts, {**texts, "play": PLAY.replace("d6 == 6", "d6 == 5")}, raised):
        memory.turn()
        built(each, memory)
    assert [[*each.checks] for each in verified] == [["spot", "sweep"], [], ["spot", "sweep"], ["spot", "sweep"]]
    assert [[*each.tables] for each in verified] == [["pay", "watch"], [], ["pay", "watch"], ["pay", "watch"]]


def test_what_a_round_does_not_ask_for_is_forgotten() -> None:
    memory, made = Memory(), []
    for at, asks in enumerate([True, True, False, True, True]):
        memory.turn()
        if asks:
            memory.recall("key", None, partial(made.append, at))
    assert made == [0, 3]
