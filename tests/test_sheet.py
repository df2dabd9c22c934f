"""Definitions as a referee reads them: expressions in words, tables and lists on a terminal and in Markdown."""

from __future__ import annotations

import re

import pytest

import houserule
from houserule_compiler.cases import Block, Section
from houserule_compiler.sheet import definitions, everything
from houserule_compiler.sheet_layout import WIDTH, Items, Paragraph, Sheet, Table, as_markdown, as_text, escaped
from literate import compiled
from shipped_rules import built, concrete

RULES = """ruleset: sample
language: 1
choices:
  mood: {words: {calm: {title: Calm}, angry: {title: Angry as a hornet}, sad: {}}}
  weapon:
    attributes: {length: 0..9, settable: boolean = false}
    words: {pike: {length: 9, settable: true}, club: {length: 2}}
entities:
  soldier:
    level: {type: 1..9, title: Level}
    mood: {type: mood?, title: Mood or humor}
    moods: set of mood
    weapon: {type: weapon = club, title: Weapon}
    prone: {type: boolean = false, title: Prone}
    runs: {type: boolean = false, title: Is running}
    life: {type: 1..20, title: Hit points}
    state: {type: mood = calm, title: What has become of it}
    die: dice <= 4d6
roles: {us: soldier, them: soldier}
facts: {fog: {type: boolean = false, title: There is fog}}
options: {harsh: {type: boolean = false, title: THAC0 rules}}
tables:
  grid:
    title: A grid
    by: {mood: mood, level: 1..9}
    gives: 0..99
    rows: {calm | sad: {..3: 1, 4..: 2}, angry: {..3: 3, 4..: 4}}
  words:
    by: {level: 1..9, mood: mood}
    gives: {one: 0..9, two: 0..9}
    rows: {..3: {calm: [1, 2], otherwise: [3, 4]}, 4..: {otherwise: [5, 6]}}
  worked: {by: {level: 1..9}, gives: integer, rows: {..3: 1, otherwise: level * 2}}
numbers:
  guard: {of: them, better: lower, base: 10 - its.level}
  hurt: {base: 0}
  n: {of: us, base: EXPR}
  m: {of: us, base: 0}
modifiers: {it: {when: WHEN, adjust: {m: +1}}}
"""


def worded(expression: str = "0", when: str = "fog", definition: str = "number n") -> str:
    """What `show` says of a definition of the rules above."""
    text = RULES.replace("EXPR", f'"{expression}"').replace("WHEN", f'"{when}"')
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))
    assert found.artifact is not None, found.diagnostics
    section, id = definition.split()
    (sheet,) = definitions(houserule.load(found.artifact), f"{section}s.{id}")
    return as_text(sheet)


def led(text: str, lead: str) -> str:
    """What stands behind a lead, on one line."""
    return " ".join(re.split(rf"^  {lead}: ", text, flags=re.MULTILINE)[1].split("\n\n")[0].split())


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("its.level", "level"),
        ("them.level - its.level - 1", "them's level - level - 1"),
        ("its.level - (its.level - 1)", "level - (level - 1)"),
        ("2 * (its.level + 1)", "2 * (level + 1)"),
        ("floor(its.level / 2)", "level / 2 rounded down"),
        ("max(0, 1 + min(its.level, 3))", "the greatest of 0 and 1 + the least of level and 3"),
        ("abs(its.level - 5)", "the size of level - 5"),
        ("mod(its.level, 2)", "what is left of level after division by 2"),
        ("count(its.moods)", "how many moods"),
        ("if fog then 1 else 2", "1 if there is fog, else 2"),
        ("if not harsh then 1 else -its.level", "1 if not THAC0 rules, else -level"),
        ("grid(calm, its.level)", '"A grid" by calm and level'),
        ("words(its.level, sad).two", 'two in "words" by level and sad'),
        ("its.weapon.length", "length of weapon"),
        ("guard(us as them)", "guard (with us as them)"),
    ],
)
def test_values_in_words(expression: str, said: str) -> None:
    assert led(worded(expression), "base") == said


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("its.level > 3 and fog", "level is over 3 and there is fog"),
        ("its.level in ..2 | 8..", "level is 2 or less or 8 or more"),
        ("its.level != 3", "level is not 3"),
        ("its.mood == angry", "mood angry as a hornet"),
        ("them.mood != angry", "them: mood not angry as a hornet"),
        ("its.mood in calm | sad", "mood calm or sad"),
        ("its.state == sad", "state sad"),
        ("angry in its.moods", "angry as a hornet"),
        ("angry in them.moods", "them: angry as a hornet"),
        ("its.prone", "prone"),
        ("not its.prone", "not prone"),
        ("not its.runs", "is not running"),
        ("not them.runs", "them: is not running"),
        ("them.prone and not its.runs", "them: prone, unless is running"),
        ("fog or its.prone and its.runs", "there is fog or prone and is running"),
        ("(fog or its.prone) and its.runs", "(there is fog or prone) and is running"),
        ("known(its.mood)", "mood is known"),
        ("not known(its.mood)", "mood is not known"),
        ("its.weapon.settable", "weapon is settable"),
        ("its.level >= them.level", "level is at least them's level"),
    ],
)
def test_conditions_in_words(when: str, said: str) -> None:
    assert led(worded(when=when, definition="modifier it"), "when") == said


def test_a_grid_joins_words_of_one_row_and_opens_its_ends() -> None:
    assert worded(definition="table grid").splitlines()[1:] == [
        "  mood down, level across",
        "           3 or less  4 or more",
        "    calm           1          2",
        "    angry          3          4",
        "    sad            1          2",
    ]
    assert worded(definition="table words").splitlines()[1:] == [
        "  level      mood              one  two",
        "  3 or less  calm                1    2",
        "             angry, sad          3    4",
        "  4 or more  calm, angry, sad    5    6",
    ]
    assert worded(definition="table worked").splitlines()[1:] == [
        "  level",
        "  3 or less          1",
        "  4 or more  level * 2",
    ]


HOSTILE = "a|b\n\n## c\t<script>&amp; `x` [y](z) **w** \\ ~~v~~ _u_ #t"


def test_hostile_text_breaks_no_markdown() -> None:
    table = Table(("one", "two"), ((HOSTILE, "3"),), right=1, title=HOSTILE)
    told = as_markdown(Sheet(HOSTILE, (Paragraph(HOSTILE, "lead"), table, Items(((0, HOSTILE), (1, HOSTILE))))))
    lines = told.splitlines()
    assert [each[:2] for each in lines if each.startswith("#")] == ["##"]
    rows = [each for each in lines if each.startswith("| ")]
    assert [len(re.findall(r"(?<!\\)\|", each)) for each in rows] == [3, 3, 3]
    assert not re.search(r"(?<!\\)[<`\[]", told)
    assert len(lines) == 12


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. first", r"1\. first"),
        ("12) first", r"12\) first"),
        ("- dash", r"\- dash"),
        ("+ plus", r"\+ plus"),
        ("+2", "+2"),
        ("-3 if it is so", "-3 if it is so"),
        ("1d6", "1d6"),
        ("a  \n b", "a b"),
    ],
)
def test_what_would_begin_a_list(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_wide_tables_are_wrapped() -> None:
    long = "word " * 40
    told = as_text(Sheet("t", (Table(("one", "two", "three"), (("a", long, "1"), ("b", long, "-12")), right=2),)))
    assert max(map(len, told.splitlines())) <= WIDTH
    assert told.splitlines()[2].endswith("    1")
    assert told.count("word") == 80


def test_what_is_there_to_be_typed_is_not_broken() -> None:
    name = "liege.surrounded_and_outnumbered"
    told = as_text(Sheet("t", (Table(("fact", "what it is", "given"), ((name, "word " * 20, "one of " * 9),)),)))
    assert name in told
    assert max(map(len, told.splitlines())) <= WIDTH


@pytest.mark.parametrize("name", concrete())
def test_everything_shipped_can_be_shown(name: str) -> None:
    artifact = built(name).artifact
    assert artifact is not None
    for sheet in everything(houserule.load(artifact)):
        told = as_text(sheet)
        assert max(map(len, told.splitlines()[1:]), default=0) <= WIDTH + 2, sheet.title
        assert "99999" not in told, sheet.title
        assert not re.search(r"\(\)|`|, ,|: :|\w=", told), sheet.title
        assert as_markdown(sheet).startswith("## ")
