"""The shipped schemas: sound, strict, described and exemplified everywhere, and fit for the rules that people write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from houserule_compiler.shipped import shipped

FILES = sorted(shipped("schemas").glob("*.json"))
RULES: dict[str, Any] = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
KEYWORDS = """
$schema $id $ref $defs $comment title description examples default type enum const pattern minLength maxLength minimum
maximum properties patternProperties additionalProperties propertyNames required dependentRequired dependentSchemas
minProperties maxProperties items prefixItems minItems maxItems if then else
"""
MAPS_OF_SCHEMAS = {"properties", "patternProperties", "$defs", "dependentSchemas"}
SCHEMAS = {"additionalProperties", "propertyNames", "items", "if", "then", "else"}
KINDS = """
text key id ruleset-name boolean expression condition adjustment value type dice word words integer row-key rows path
effect
"""
MERGES = {"by-id", "ordered", "atomic", "rows", "either-or", "list"}
# Each of these reads a text in one sweep, without going back.
PATTERNS = {
    "^[a-z][a-z0-9_]*$",
    r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$",
    r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$",
    r"^[a-z][a-z0-9_]*( *\| *[a-z][a-z0-9_]*)*$",
    "^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
    "^remove$",
    "^(turn|remove)$",
}


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema within a schema, with a path to name it by."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in MAPS_OF_SCHEMAS & schema.keys():
        for name, part in schema[key].items():
            yield from parts(part, f"{path}/{key}/{name}")
    for key in SCHEMAS & schema.keys():
        yield from parts(schema[key], f"{path}/{key}")


def native(text: str) -> Any:
    """YAML as an editor reads it: booleans and integers are such, keys are texts."""
    return keyed(YAML(typ="safe", pure=True).load(text))


def keyed(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key).lower() if isinstance(key, bool) else str(key): keyed(each) for key, each in value.items()}
    return [keyed(each) for each in value] if isinstance(value, list) else value


def faults(value: Any, part: dict[str, Any] | None = None) -> list[str]:
    schema = RULES if part is None else {**part, "$defs": RULES["$defs"]}
    return [
        f"{list(each.absolute_path)}: {each.message[:80]}" for each in Draft202012Validator(schema).iter_errors(value)
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_schema_is_valid_and_has_no_misspelt_keyword(file: Path) -> None:
    schema = json.loads(file.read_text("utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    unknown = {
        f"{path}: {key}"
        for path, part in parts(schema)
        for key in part
        if key not in KEYWORDS.split() and not key.startswith("x-")
    }
    assert not unknown


def test_every_property_and_definition_is_described_with_an_example() -> None:
    lacking = [path for path, part in parts(RULES) if is_field(path) and not is_explained(part)]
    assert not lacking


def is_field(path: str) -> bool:
    return bool(re.search(r"/(properties|patternProperties|\$defs)/[^/]+$", path)) or not path


def is_explained(part: dict[str, Any]) -> bool:
    target = RULES["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else {}
    return all(part.get(key) or target.get(key) for key in ("description", "examples"))


def test_every_example_fits_its_own_schema() -> None:
    wrong = [
        f"{path}: {example!r} {found}"
        for path, part in parts(RULES)
        for example in part.get("examples", [])
        if (found := faults(example, part))
    ]
    assert not wrong


def test_every_definition_has_a_title_and_every_reference_a_target() -> None:
    assert all(part.get("title") for part in RULES["$defs"].values())
    targets = {part["$ref"] for _, part in parts(RULES) if "$ref" in part}
    assert targets == {f"#/$defs/{name}" for name in RULES["$defs"]}


def test_leaves_say_what_they_hold_and_maps_how_they_merge() -> None:
    for path, part in parts(RULES):
        assert part.get("x-kind", "text") in KINDS.split(), path
        assert part.get("x-merge", "atomic") in MERGES, path
        if re.fullmatch(r"/\$defs/[^/]+", path) and "$ref" not in part and "const" not in part:
            types = part.get("type", "string")
            is_map = "object" in types or types == "array"
            assert "x-merge" in part if is_map else "x-kind" in part, path


def test_closed_maps_have_a_name_for_messages() -> None:
    assert all("x-noun" in part for _, part in parts(RULES) if part.get("additionalProperties") is False)


def test_patterns_are_from_a_short_list_of_linear_ones() -> None:
    assert {part["pattern"] for _, part in parts(RULES) if "pattern" in part} <= PATTERNS


def test_a_value_that_is_no_longer_than_the_pattern_allows_is_read_at_once() -> None:
    for pattern in PATTERNS:
        assert not re.fullmatch(pattern, "a" * 20_000 + "!")
        assert not re.fullmatch(pattern, "a |" * 5_000 + "!")


@pytest.mark.parametrize(
    "text",
    [
        "options: {free: true}\nchoices: {arm: {attributes: {heavy: boolean}, words: {axe: {heavy: true}}}}",
        "numbers: {light: {base: 30}}\nmodifiers: {dim: {when: true, adjust: {light: -10}}}",
        "tables: {t: {by: {level: 1..3}, gives: integer, rows: {1: 20, 2..3: 19}}}",
        "ruleset: friday\nlanguage: 1\nabstract: true\nversion: 0.1\ntitle: 1984",
        "examples: {e: {check: c, given: {a.b: true, c: {d: [x, y]}}, dice: {d20: 20}, odds: {hit: 1, miss: 0}}}",
    ],
)
def test_plain_booleans_and_numbers_are_accepted_as_an_editor_reads_them(text: str) -> None:
    assert faults(native(text)) == []


@pytest.mark.parametrize("text", ["numbers: {a: {base: 1.5}}", "modifiers: {a: {adjust: {b: null}}}", "chekcs: {}"])
def test_an_editor_marks_what_the_compiler_refuses(text: str) -> None:
    assert faults(native(text))


LAYER = """
ruleset: friday
extends: osric
with: [critical-hits]
conflicts: [fumbles]
prefer: {modifiers.up: critical-hits}
renamed: {modifiers.flank: modifiers.flanking}
modifiers:
  up: remove
  side: {replace: true, adjust: {attack_bonus: better 5}}
  wall: {new: true, when: {any: {near: its.near, dark: remove}}, adjust: {attack_bonus: {set: 0}}}
  pay: {adjust: {loyalty: {none: remove, poor | mean: -5}}}
checks:
  attack:
    cases:
      order: [natural_20, hit, miss]
      natural_20: {before: hit, when: d20 == 20, outcome: hit}
      fumble: remove
options: {free_segments: difference, natural: false}
tables: {charisma: {rows: {18: {reaction: +40}, 17: remove}}}
choices: {weapon: {words: {pike: {length: 9}, flail: {after: pike, length: 3}}}}
tables.charisma.rows: {18: {reaction: +40}}
modifiers.friend_killed.adjust.morale_roll: worse 5
"""

ROUND = """
actions:
  charge: {by: attacker, requires: {far: its.distance > 10, fit: {any: {a: its.fit, b: its.mounted}}}, check: attack}
triggers:
  half_lost: {when: battle.lost >= 50, every: round, check: morale, as: {a: b}, adjust: {roll: worse 15}}
  lost: {when: target.casting, effects: {target.casting: {set: false}}}
events: {hurt: {}, attacks_again: {whom: combatant}}
sequences:
  melee_round:
    who: not actor.surprised
    start: score
    facts: {segments: 0..3}
    initiative: {by: side, roll: {die: 1d6}, score: [die, side.speed], first: highest, ties: together}
    steps:
      surprise: {when: round == 1, check: surprise, leads_to: {sequence: free, when: lead > 0, facts: {segments: lead}}}
      acts: {each: turn, limit: 1, steps: {quick: {title: Quick}, slow: {initiative: {by: actor, score: actor.place}}}}
      segments: {each: {segment: 1..10}, steps: {missiles: {}, melee: {}}}
    holding: {when: not actor.threatened, to: quick | slow}
    values: {second: start + 3}
    places:
      melee | missile:
        source: book M01
        strike:
          times: actor.attacks
          threat: hurt | knocked_down
          cases:
            far: {when: actor.far, left_out: Too far}
            near: {step: acts, turn_of: foe}
      spell:
        begin: {step: segments, segment: start}
        effect: {step: melee, segment: start + 3, past_end: next_round, meanwhile: none,
                 spoiled: {since: begin, by: hurt, effects: {actor.casting: {set: false}}}}
examples:
  a:
    sequence: melee_round
    after: b
    rolls: {party: 6, orcs: 2}
    happened: {orc strike: hurt}
    actors:
      mage: {side: party, attacks: 2, does: {spell: {foe: orc, hold: 7}, move: {}}}
    expect:
      order: [acts: mage begin + orc strike, melee 4: mage effect spoiled]
      may_spoil: {mage effect: [orc strike, orc strike 2]}
      left_out: {orc melee: who}
      carried: [mage effect]
"""


@pytest.mark.parametrize("text", [LAYER, ROUND], ids=["layer", "round"])
def test_the_parts_of_later_versions_are_described(text: str) -> None:
    assert faults(native(text)) == []


@pytest.mark.parametrize(
    "file", sorted(shipped("rules").rglob("*.yaml")), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_the_shipped_rules_fit(file: Path) -> None:
    assert faults(native(file.read_text("utf-8"))) == []
