"""The shape of files: each wrong form gives one diagnostic, at the smallest wrong text, in the author's words."""

from __future__ import annotations

import json
import re
import runpy
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from houserule_compiler import shipped as where
from houserule_compiler.diagnostics import Diagnostic
from houserule_compiler.document import Document
from houserule_compiler.keywords import checker
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.shape import shape
from houserule_compiler.shipped import shipped

SCHEMA = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
HEAD = "ruleset: sample\nlanguage: 1\n"


def document(text: str, name: str = "ruleset.yaml") -> Document:
    found, diagnostics = load(name, text.encode(), Limits())
    assert found is not None, diagnostics
    return found


def shaped(text: str, limits: Limits | None = None) -> list[Diagnostic]:
    return shape([document(HEAD + text)], SCHEMA, limits or Limits())


def told(text: str) -> list[tuple[str, str]]:
    """Code and underlined text of each finding."""
    return [(each.code, each.span.text) for each in shaped(text)]


WHOLE = """
title: Sample
version: 0.1
source: book
sources: {book: {title: The book, items: {M02: Morale}}}
choices:
  rank: [scout, none, yes]
  arm: {attributes: {length: 0..10, heavy: boolean = false}, words: {axe: {length: 3, heavy: true}, bow: [0, false]}}
entities: {fighter: {title: Fighter, level: 1..20, armed: boolean = true, able: {is: its.armed}}}
roles: {attacker: fighter}
facts: {day: 01..31 = 1}
options: {free: boolean = false}
conditions: {hero: attacker.level > 3, strong: {any: {a: hero, b: {when: attacker.armed, title: Armed}}}}
impossible: {odd: {when: not hero and free}}
tables:
  pay: {by: {level: 1..20}, gives: {coins: 0..99, loyalty: adjustment}, rows: {01..05: [1, +2], 6..: [2, -1]}}
  list: {by: {level: 1..3}, gives: integer, rows: [20, "007", 18], otherwise: 0}
numbers: {light: {of: attacker, better: higher, base: "min(3, its.level)", gives: integer}}
modifiers:
  lamp: {when: hero, adjust: {light: +2}, stack: lamps, source: M02}
  pay: {by: attacker.rank, adjust: {light: {scout: +1, none | yes: worse 2}}}
  dim: {times: day, adjust: {light: {multiply: 1/2, round: down}}}
stacking: {lamps: {bonuses: largest, penalties: all}}
checks:
  see:
    outcomes: [seen, unseen]
    start: look
    steps:
      look:
        roll: {d20: 1d20, more: {dice: 1d6, when: d20 == 1}}
        values: {total: d20 + light}
        cases:
          seen: {when: total > 10, outcome: seen, effects: {attacker.level: {add: 1, when: free}}}
          no: {outcome: unseen}
    then: {seen: {effects: {attacker.armed: {set: true}}}}
rulings: {a: {question: Who?, ruling: All., because: So., editorial: true}}
examples:
  e: {check: see, given: {attacker: {level: 3}}, dice: {look.d20: 20}, expect: {outcome: seen}, odds: {seen: 1/2}}
"""


def test_a_whole_file_is_clean() -> None:
    assert shaped(WHOLE) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("chekcs: {}", ("unknown-key", "chekcs")),
        ("tables: {t: {kyes: 1}}", ("unknown-key", "kyes")),
        ("stacking: {g: {all: bigest}}", ("unexpected-value", "bigest")),
        ("numbers: {a: {better: [up]}}", ("unexpected-value", "[up]")),
        ("numbers: {a: {base: [1]}}", ("wrong-kind", "[1]")),
        ("numbers: {a: 5}", ("wrong-kind", "5")),
        ("numbers: [a]", ("wrong-kind", "[a]")),
        ("tables: {t: {by: {}}}", ("wrong-kind", "{}")),
        ("modifiers: {a: {adjust: {b: true}}}", ("wrong-kind", "true")),
        ("modifiers: {a: {when: 3}}", ("wrong-kind", "3")),
        ("checks: {c: {outcomes: {a: 1}}}", ("wrong-kind", "1")),
        ("examples: {e: {dice: {d20: many}}}", ("wrong-kind", "many")),
        ("facts: {a: [1..3]}", ("wrong-kind", "[1..3]")),
        ("numbers: {Light: {base: 1}}", ("bad-id", "Light")),
        ("numbers: {half-light: {base: 1}}", ("bad-id", "half-light")),
        ("numbers: {remove: {base: 1}}", ("bad-id", "remove")),
        ("choices: {a: [b, any]}", ("bad-id", "any")),
        ("choices: {a: [2nd]}", ("bad-id", "2nd")),
        ("modifiers: {a: {stack: Of Two}}", ("bad-id", "Of Two")),
        ("checks: {c: {effects: {a.b.c: 1}}}", ("bad-id", "a.b.c")),
        ("examples: {e: {given: {a..b: 1}}}", ("bad-id", "a..b")),
        ("abstract: yes", ("yaml-boolean", "yes")),
        ("abstract: Off", ("yaml-boolean", "Off")),
        ("abstract: perhaps", ("wrong-kind", "perhaps")),
        ('abstract: "true"', ("wrong-kind", '"true"')),
        ("numbers: {a: {base: ~}}", ("null-value", "~")),
        ("numbers: {a: {base: null}}", ("null-value", "null")),
        ("tables: {t: {rows: {1: {2: ~}}}}", ("null-value", "~")),
        ("numbers: {a: {base: 0x1F}}", ("number-base", "0x1F")),
        ("tables: {t: {rows: {a: [1, 0o17]}}}", ("number-base", "0o17")),
        ("numbers: {a: {base: .inf}}", ("non-finite-number", ".inf")),
        ("examples: {e: {given: {a: .nan}}}", ("non-finite-number", ".nan")),
        ("examples: {e: {given: {a: 010}}}", ("leading-zero", "010")),
        ("examples: {e: {dice: {d20: 05}}}", ("leading-zero", "05")),
        ("examples: {e: {given: {a: [1_000]}}}", ("digit-separator", "1_000")),
        ("examples: {e: {given: {a: 1e3}}}", ("exponent-number", "1e3")),
        ("examples: {e: {given: {a: 1.5}}}", ("decimal-number", "1.5")),
        ("examples: {e: {given: {a: +2}}}", ("stray-plus", "+2")),
        ("sequences: {a: {stpes: 1}}", ("unknown-key", "stpes")),
        ("actions: {a: {by: b, aganst: c}}", ("unknown-key", "aganst")),
        ("sequences: {a: {places: {b: {c: {setp: d}}}}}", ("unknown-key", "setp")),
        ("numbrs.a.base: 3", ("unknown-key", "numbrs")),
        ("numbers.a.bsae: 3", ("unknown-key", "bsae")),
        ("numbers.A.base: 3", ("bad-id", "A")),
        ("numbers.a.base: [3]", ("wrong-kind", "[3]")),
        ("modifiers.a.adjust.b.set: ~", ("null-value", "~")),
        ("examples: {e: {sequence: s, rols: {a: 6}, actors: {b: {}}}}", ("unknown-key", "rols")),
    ],
)
def test_one_cause_is_told_once_at_the_smallest_wrong_text(text: str, expected: tuple[str, str]) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        'examples: {e: {given: {a: "010", b: "+2", c: "1e3"}}}',
        "numbers.a.base: 3",
        "tables.a.rows[x, 2..5].gold: +3",
        "checks.a.then.hit.effects.target.hit_points: -1",
        "examples.a.given.target.level: 3",
        "numbers: {a: remove, b: {base: remove}, c: {base: 1, new: true}}",
        "checks: {c: {cases: {order: [b], a: {after: b}}, replace: true}}",
        "examples: {e: {given: {a: 2001-12-14, b: 1:30, c: -3, d: 2+1}}}",
        "numbers: {a: {base: 1, title: 007, note: yes, source: 1_000}}",
        "choices: {a: [none, yes, no, on]}",
        "tables: {t: {rows: {06..25: 1, 0x1F: 2, +1: 3}}}",
        "modifiers: {a: {adjust: {b: +1, c: -0}}}",
    ],
)
def test_what_is_quoted_or_no_number_is_left_alone(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("chekcs: {}", "did you mean `checks`?"),
        ("numbers: {Half-Light: {base: 1}}", "write `half_light`"),
        ("stacking: {g: {all: bigest}}", ""),
        ("stacking: {g: {all: largst}}", "did you mean `largest`?"),
        ("numbers: {a: {x: 1}}", ""),
        ("numbers: {a: {base: -0x10}}", "write `-16`"),
        ("checks: {c: {roll: 1d20}}", "write for example `roll: {d20: 1d20}`"),
        ("examples: {e: {given: {a: 1.50}}}", "write `3/2`"),
        ("examples: {e: {given: {a: 1e999999}}}", "write all its digits"),
    ],
)
def test_help_is_a_concrete_edit_or_nothing(text: str, help: str) -> None:
    assert [each.help for each in shaped(text)] == [help]


@pytest.mark.parametrize(
    "text",
    [
        "numbers:\n  a:\n    base:\n",
        "numbers:\n  a: {base:1}\n",
        "tables:\n  t:\n    rows:\n      1:\n",
        "stacking:\n  g:\n    all:\n",
        "choices:\n  A:\n",
        "checks:\n  c:\n    outcomes:\n      -\n",
    ],
)
def test_what_has_no_value_is_not_told_again_after_loading(text: str) -> None:
    found, _ = load("ruleset.yaml", (HEAD + text).encode(), Limits())
    assert found is None or shape([found], SCHEMA, Limits()) == []


def test_a_value_that_spans_lines_is_shown_by_its_key() -> None:
    assert told("numbers:\n  a:\n    base:\n      - 1\n      - 2\n") == [("wrong-kind", "base")]


def test_every_headline_is_short_and_shows_no_other_language() -> None:
    long = "x" * 90
    texts = [
        f"{long}: 1",
        f"numbers: {{{long}: {{base: [1]}}, {long.upper()}: 1}}",
        f"stacking: {{{long}: {{penalties: {long}, tie: {long}}}}}",
        f"examples: {{e: {{dice: {{{long}: {long}, {long}2: '{long}'}}, given: {{{long}-: 1}}}}}}",
        f"checks: {{c: {{effects: {{{long}.{long}.a: 1}}}}}}",
        f"abstract: {long}",
    ]
    for each in (found for text in texts for found in shaped(text)):
        assert len(each.headline) < 80, each.headline
        shown = " ".join([each.headline, *each.notes, each.help])
        assert not re.search(r"#/|\$|None|True|False|object|dict|string", shown), shown


def test_a_file_keeps_as_many_findings_as_its_limit_allows() -> None:
    text = "numbers:\n" + "".join(f"  a{i}: {{base: [1]}}\n" for i in range(5))
    for allowed in (4, 5, 6):
        assert len(shaped(text, Limits(errors_per_file=allowed))) == min(allowed, 5)


def test_many_quoted_numbers_in_one_map_are_passed_over_in_one_sweep() -> None:
    facts = "".join(f"      a{i}: '+{i}'\n" for i in range(8_000))
    assert told(f"examples:\n  e:\n    given:\n{facts}") == []


def test_findings_stand_in_file_order() -> None:
    assert [code for code, _ in told("facts: {a: [1]}\nchekcs: {}\nabstract: no\n")] == [
        "wrong-kind",
        "unknown-key",
        "yaml-boolean",
    ]


def heads(*texts: str, name: str = "") -> list[tuple[str, str]]:
    files = [document(text, f"file{index}.yaml") for index, text in enumerate(texts)]
    return [(each.code, each.span.text) for each in shape(files, SCHEMA, Limits(), name)]


def test_one_file_names_the_ruleset() -> None:
    assert heads("facts: {}\n", HEAD) == []
    assert heads("facts: {}\n") == [("no-manifest", "")]
    assert heads(HEAD, HEAD) == [("second-manifest", "ruleset")]
    assert heads(HEAD, "title: Two\nlicense: MIT\n") == [("outside-manifest", "title"), ("outside-manifest", "license")]


def test_the_manifest_states_its_language_and_its_name() -> None:
    assert heads("ruleset: sample\n") == [("missing-key", "ruleset")]
    assert heads("ruleset: sample\nextends: other\n") == []
    assert heads("ruleset: sample\nlanguage: 2\n") == [("unexpected-value", "2")]
    assert heads("ruleset: Friday Night\nlanguage: 1\n") == [("bad-ruleset-name", "Friday Night")]
    assert heads(f"ruleset: {'a' * 64}\nlanguage: 1\n") == []
    assert heads(f"ruleset: {'a' * 65}\nlanguage: 1\n") == [("name-too-long", "a" * 65)]
    assert heads(f"ruleset: {'A' * 65}\nlanguage: 1\n") == [("bad-ruleset-name", "A" * 65)]
    assert heads('ruleset: "sample\\n"\nlanguage: 1\n') == [("bad-ruleset-name", '"sample\\n"')]


def test_the_name_in_the_manifest_is_the_one_it_is_found_under() -> None:
    assert heads(HEAD, name="sample") == []
    assert heads(HEAD, name="friday") == [("name-mismatch", "sample")]


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    schema = {"$ref": "https://schemas.invalid/rules.json"}
    with pytest.raises(ValueError, match="another schema"):
        shape([document(HEAD)], schema, Limits())
    with pytest.raises(Exception, match="Unresolvable"):
        checker(schema).is_valid({})


def test_jsonschema_is_imported_only_where_something_is_wrong() -> None:
    validate = "import sys; from houserule_compiler.cli import main; main(['validate', 'common'])"
    code = f"{validate}; print('jsonschema' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert run.stdout == "common: no faults found\nFalse\n"


@pytest.mark.parametrize("kind", ["rules", "schemas", "diagnostics"])
def test_the_shipped_files_are_found_in_a_checkout(kind: str) -> None:
    top = shipped("schemas").parent
    assert shipped(kind) == (top / "docs" / kind if kind == "diagnostics" else top / kind)  # type: ignore[arg-type]


def test_the_shipped_files_are_found_beside_an_installed_package(tmp_path: Path) -> None:
    copy = tmp_path / "shipped.py"
    copy.write_text(Path(where.__file__).read_text("utf-8"), "utf-8")
    (tmp_path / "_shipped" / "rules").mkdir(parents=True)
    installed = runpy.run_path(str(copy))["shipped"]
    assert installed("rules") == tmp_path / "_shipped" / "rules"
