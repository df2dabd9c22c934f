"""Random forks and packs of one ruleset that has something of everything: edits at any node, sound ones and others."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, TypeAlias

from houserule_compiler.document import Mapping, Node, Scalar
from houserule_compiler.forms import SECTIONS, forms
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from literate import schema

Path: TypeAlias = tuple[str, ...]

RICH = """
ruleset: base
language: 1
choices:
  kind: [a, b, cc]
  arm: {attributes: {length: 0..10, heavy: boolean = false}, words: {spear: {length: 6}, club: [2, true]}}
entities: {man: {kind: kind, level: 1..9, arm: arm = spear, tired: boolean = false, oath: "1..9?", moods: set of kind}}
roles: {us: man, them: man}
facts: {x: 0..9, y: 0..9 = 3}
options: {nat: boolean = true}
conditions: {green: us.level < 3, odd: {all: {p1: x > 2, p2: y < 9}}}
impossible: {never: {when: x == 9 and y == 9}}
tables:
  t: {by: {k: 1..10}, gives: integer, rows: {1..3: 1, 4..6: 2, 7..10: 3}}
  pay:
    by: {kind: kind, level: 1..9}
    gives: {gold: 0..100, mood: adjustment}
    rows: {a: {1..4: [2, 0], 5..9: [4, +1]}, b | cc: [5, -1]}
  w: {by: {kind: kind}, gives: integer, rows: [1, 2, 3]}
numbers:
  n: {base: 1}
  m: {base: 2, better: higher}
  reach: {of: us, base: its.arm.length + t(its.level) + w(its.kind)}
  gold: {of: us, better: lower, base: "pay(its.kind, its.level).gold"}
stacking: {g: {all: largest}, h: {bonuses: largest, penalties: smallest}}
modifiers:
  up: {when: x == 1, adjust: {n: +1, m: {at_most: 0}}}
  side: {adjust: {n: +5}, stack: g}
  graded: {by: us.kind, adjust: {reach: {a: 0, b: +1, cc: -2}}}
  sworn: {by: us.oath, adjust: {gold: {1..3: better 1, 4..9: worse 2}}, stack: h}
  many: {times: y, when: {any: {q1: x == 2, q2: green}}, adjust: {m: +1}}
checks:
  c:
    outcomes: [yes1, no1]
    roll: {die: 1d20}
    values: {v: die + n}
    cases: {one: {when: die == 1, outcome: no1}, two: {when: die >= n, outcome: yes1}, three: {outcome: no1}}
    then: {yes1: {roll: {p: 1d6}, effects: {us.tired: {set: true}}}}
  d:
    outcomes: [won, lost]
    start: first
    steps:
      first: {check: c, cases: {ok: {when: first.outcome == yes1, go: second}, bad: {outcome: lost}}}
      second: {roll: {z: 1d4}, outcome: if z == 1 then lost else won}
rulings: {r1: {question: Q?, ruling: R., because: B., examples: [e1]}}
examples:
  e1: {number: n, given: {x: 1, y: 3}, expect: {value: 7}}
  e2: {check: c, given: {x: 2, y: 3}, dice: {die: 1}, expect: {outcome: no1}}
  e3: {table: t, given: {k: 4}, expect: {value: 2}}
"""
TWEAKS = {
    "expression": ["n + 1", "m", "x + y", "if green then 1 else 2", "inherited + 1", "7"],
    "condition": ["green", "odd", "x in 2..5", "nat", "not green and y > 2", "inherited and nat"],
    "adjustment": ["+2", "-1", "better 1", "worse y", "inherited + 1"],
    "type": ["0..5", "boolean = true", "kind = cc", "0..9 = 2"],
    "integer": ["3"],
}
PLACED = ("case", "choice_word", "outcome_word")


@cache
def nodes() -> tuple[dict[Path, Any], dict[Path, str]]:
    """Every node of the rich ruleset below a section as plain texts, and the name of the form of each."""
    document, problems = load("base.yaml", RICH.encode(), Limits())
    assert document is not None, problems
    values: dict[Path, Any] = {}
    names: dict[Path, str] = {}

    def enter(path: Path, node: Node, form: Any) -> None:
        values[path], names[path] = plain(node), form.name or form.kind or form.merge
        for each in node.entries if isinstance(node, Mapping) else ():
            enter((*path, each.key.text), each.value, form.child(each.key.text))

    whole = forms(schema())
    for each in document.root.entries:
        if each.key.text in SECTIONS:
            enter((each.key.text,), each.value, whole.child(each.key.text))
    return values, names


def plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return {each.key.text: plain(each.value) for each in node.entries}
    return [plain(each) for each in node.items]


def flow(value: Any) -> str:
    """Plain texts, lists and maps as YAML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{flow(key)}: {flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return f'"{value}"' if not value or any(each in value for each in ',{}[]?"#') else value


def edit(random: Random) -> tuple[Path, Any]:
    """A path, most often one that is there, and something for it, most often of its form."""
    values, names = nodes()
    path = random.choice([each for each in values if len(each) > 1])
    value = values[path]
    chance = random.random()
    if chance < 0.15:
        return (*path[:-1], path[-1] + random.choice("xz")), value
    if chance < 0.3:
        return path, "remove"
    if chance < 0.4:
        return path, random.choice(list(values.values()))
    alike = [values[each] for each in values if names[each] == names[path]]
    if isinstance(value, dict):
        return path, changed(random, random.choice([value, *alike]), names[path])
    tweaks = TWEAKS.get(names[path], alike)
    if names[path] == "condition" and chance > 0.8:
        return path, {random.choice(["all", "any"]): {random.choice(["q1", "p1", "zz"]): random.choice(tweaks)}}
    return path, random.choice(tweaks)


def changed(random: Random, value: Any, form: str) -> Any:
    """A map or a part of it, with words of layers."""
    if not isinstance(value, dict) or not value:
        return value
    kept = random.sample(list(value), random.randint(1, len(value)))
    made = {key: value[key] for key in value if key in kept}
    if form in PLACED:
        made[random.choice(["before", "after"])] = random.choice(["one", "two", "three", "ok", "a", "yes1"])
    if form in ("cases", "choice_words"):
        made |= {"order": kept} if random.random() < 0.3 else {}
    word = random.random()
    return {**({"replace": "true"} if word < 0.3 else {"new": "true"} if word < 0.4 else {}), **made}


def text(random: Random) -> str:
    """The sections of one layer: some edits, as long paths or as maps."""
    lines: dict[str, str] = {}
    for path, value in (edit(random) for _ in range(random.randint(0, 4))):
        if random.random() < 0.6:
            key = ".".join(path).replace(" | ", "|") if all(each.isidentifier() for each in path) else path[0]
        else:
            key = path[0]
        for each in reversed(path[1:] if key == path[0] else ()):
            value = {each: value}
        lines.setdefault(key, flow(value))
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


def world(seed: int) -> tuple[dict[str, str], list[str]]:
    """Rulesets by name, the last one `f` with `PACKS` where it lists the packs, whose names are beside."""
    random = Random(seed)
    packs = [f"p{at}" for at in range(random.randint(0, 3))]
    texts = {"base": RICH}
    if random.random() < 0.3:
        kind = random.choice(["", "abstract: true\n"])
        texts["mid"] = f"ruleset: mid\nextends: base\n{kind}{text(random)}"
    for at, name in enumerate(packs):
        used = [each for each in packs[:at] if random.random() < 0.25]
        base = random.choice([each for each in texts if each in ("base", "mid")])
        texts[name] = f"ruleset: {name}\nextends: {base}\nwith: [{', '.join(used)}]\n{text(random)}"
    prefer = ""
    if packs and random.random() < 0.3:
        prefer = f"prefer: {{{'.'.join(edit(random)[0][:3])}: {random.choice(packs)}}}\n"
    base = "mid" if "mid" in texts else "base"
    texts["f"] = f"ruleset: f\nextends: {base}\nwith: [PACKS]\n{prefer}{text(random)}"
    return texts, packs
