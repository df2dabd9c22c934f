"""House rules as data: each pack and fork by itself, every pair of packs, and the odds that a pack changes.

`packs.yaml` says of each what it fits, what settles it there, and its odds, worked out by hand; and which pairs do not
go together, and why. To be quick, each file is read once; packs are built alone on one game without its examples; and
a pair of packs that touch no path in common is built among others, in as large a group as has no conflict. A pair that
touches one is built by itself on one of the games that both fit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import alike
import houserule
import packs_in_play
from houserule_compiler import difference, pipeline
from houserule_compiler.changes import changes
from houserule_compiler.compared import Compared
from houserule_compiler.diagnostics import Diagnostic, Severity
from houserule_compiler.files import Files
from houserule_compiler.limits import Limits
from houserule_compiler.pipeline import Compiled, compile_ruleset, try_examples
from houserule_compiler.setters import Setters
from layering import codes
from literate import schema

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules"
SAID = YAML(typ="safe").load((Path(__file__).parent / "packs.yaml").read_text("utf-8"))
PACKS: dict[str, Any] = SAID["packs"]
FORKS: dict[str, Any] = SAID["forks"]
ALTERS: dict[str, str] = SAID["alters"]
CONFLICTS: dict[tuple[str, ...], str] = {tuple(sorted(each.split(" "))): why for each, why in SAID["conflicts"].items()}
GAMES = ("adnd2e", "odnd-morale", "osric", "swords-wizardry")
BARE = re.compile(rb"(?ms)^(?:examples|rulings):\n.*?(?=^[^ #\n]|\Z)")
HEAD = {"ruleset", "title", "version", "license", "language", "abstract", "extends", "with", "conflicts", "prefer"} | {
    "source",
    "sources",
    "examples",
}
CLASHES = {"conflict", "both-define", "declared-conflict", "same-gap", "unknown-name"}
"""What is told of packs that do not go together; `unknown-name` where one reads what the other removes."""


@pytest.fixture(scope="module", autouse=True)
def each_file_is_read_once() -> Iterator[None]:
    """Reading and shaping the files of a ruleset takes most of the time, and gives the same each time."""
    kept: dict[object, Any] = {}
    read = pipeline._read

    def once(name: str, source: pipeline.Read, *rest: Any) -> Any:
        found = source(name)
        if found not in kept:
            kept[found] = read(name, source, *rest)
        return kept[found]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "_read", once)
        yield


@cache
def files(name: str, is_bare: bool = True) -> Files | None:
    """The files of a shipped ruleset; of a game, without its examples and rulings where it is bare."""
    one = [RULES / shelf / f"{name}.yaml" for shelf in ("packs", "forks")]
    paths = [each for each in one if each.exists()] or sorted((RULES / name).glob("*.yaml"))
    texts = tuple((each.name, each.read_bytes()) for each in paths)
    if is_bare and (RULES / name).exists():
        texts = tuple((each, BARE.sub(b"", text)) for each, text in texts)
    return Files(name, texts) if texts else None


@cache
def data(name: str) -> dict[str, Any]:
    """What a pack or fork says, as plain data."""
    found = files(name)
    assert found is not None
    loaded: dict[str, Any] = YAML(typ="safe").load(found.files[0][1].decode())
    return loaded


def friday(text: str, is_bare: bool = True) -> Compiled:
    own = Files("friday", (("friday.yaml", f"ruleset: friday\n{text}".encode()),))
    read = {"friday": own}.get
    return compile_ruleset("friday", lambda name: read(name) or files(name, is_bare), schema(), Limits())


@cache
def used(game: str, *packs: str, is_bare: bool = True) -> Compiled:
    """A fork of a game that uses packs, and prefers what each of them asks for."""
    prefer = [
        f"{path}: {layer}" for name in packs for path, layer in PACKS[name].get("settled", {}).get(game, {}).items()
    ]
    return friday(f"extends: {game}\nwith: [{', '.join(packs)}]\nprefer: {{{', '.join(prefer)}}}\n", is_bare)


@cache
def fork(name: str) -> Compiled:
    return compile_ruleset(name, lambda each: files(each, is_bare=False), schema(), Limits())


@cache
def unchanged(game: str) -> Compiled:
    """A fork of a game that says nothing."""
    return friday(f"extends: {game}\n")


@cache
def game_alone(game: str) -> houserule.Rules:
    return loaded(unchanged(game))


def loaded(found: Compiled, options: Mapping[str, Any] | None = None) -> houserule.Rules:
    assert found.artifact is not None, [(each.code, each.headline) for each in found.diagnostics]
    return houserule.load(found.artifact, dict(options or {}))


def told_of(found: Compiled, *names: str) -> list[Diagnostic]:
    """What is found in the examples of packs or forks, where they are used; those of the game are not tried."""
    assert found.ruleset is not None
    own = {each for name in names for each in data(name)["examples"]}
    kept = {id: each for id, each in found.ruleset.examples.items() if id in own}
    assert own == kept.keys()
    return list(try_examples(replace(found, ruleset=replace(found.ruleset, examples=kept))).diagnostics)


def noted(game: str, *packs: str) -> list[str]:
    return sorted(code for name in packs for code in PACKS[name].get("notes", {}).get(game, []))


def holds(found: Compiled, rules: houserule.Rules | None, told: Mapping[str, Any]) -> None:
    """The odds of one situation are what is told, without a pack and with it."""
    given = told.get("given", {})
    sides = {"before": (rules, given)} if "before" in told else {}
    sides["after"] = (loaded(found, told.get("options")), {**given, **told.get("new", {})})
    for when, (asked, facts) in sides.items():
        assert asked is not None
        odds = asked.check(told["check"]).odds(facts)
        wanted = {outcome: Fraction(str(part)) for outcome, part in told[when].items()}
        assert {outcome: part for outcome, part in odds.items() if part} == wanted, when


@pytest.mark.parametrize("name", PACKS)
def test_pack(name: str) -> None:
    """By itself: nothing but explained notes is found, its examples hold, and it does to the odds what is told."""
    told = PACKS[name].get("odds")
    game = told["on"] if told else PACKS[name]["fits"][0]
    found = used(game, name)
    assert codes(found) == noted(game, name)
    assert all(each.severity is Severity.NOTE for each in found.diagnostics)
    assert len(data(name)["examples"]) >= 2
    assert told_of(found, name) == []
    if told:
        holds(found, game_alone(game), told)


def compared(found: Compiled) -> Compared:
    """One side of what `houserule diff` compares."""
    assert found.artifact is not None
    assert found.origins is not None
    rules = loaded(found)
    return Compared(json.loads(found.artifact), rules, Setters(rules.program.origins, found.origins.tree))


def whole(path: str) -> str:
    """The definition that a path leads into; of an entity all fields."""
    return ".".join(path.split(".")[:2])


@pytest.mark.parametrize("name", PACKS)
def test_diff_tells_of_exactly_what_a_pack_states(name: str) -> None:
    """What `diff` finds between a game and the game with the pack, beside what stands in the pack's own file."""
    told = PACKS[name]
    game = told.get("odds", {}).get("on") or told["fits"][0]
    found = {whole(each.definition) for each in changes(compared(unchanged(game)), compared(used(game, name)))}
    stated = {whole(".".join(path)) for path in paths(name)}
    # What `common` offers is there as soon as a pack names it.
    offered = {f"facts.{id}" for id in data("common")["facts"]}
    assert found - offered == stated - offered


@pytest.mark.parametrize("name", [*PACKS, *FORKS])
def test_diff_tells_what_a_pack_does_in_play(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = packs_in_play.SAID["packs" if name in PACKS else "forks"][name]
    game, shelf = told["on"], PACKS if name in PACKS else FORKS
    assert game in shelf[name]["fits"]
    monkeypatch.setattr(difference, "EXHAUSTED", 3_000)
    monkeypatch.setattr(difference, "GIVEN", 60)
    monkeypatch.setattr(difference, "SLOW", 6)
    monkeypatch.setattr(difference, "CHECKED", told.get("tries", packs_in_play.SAID["tries"]))
    before, after = compared(unchanged(game)), compared(used(game, name) if name in PACKS else fork(name))
    sides = {"before": before.rules, "after": after.rules}
    packs_in_play.differs(difference.difference(before, after, (game, name)), told, sides)
    for each in told.get("due", []):
        packs_in_play.due(each, sides)
    if "plays" in told:
        packs_in_play.plays(told["plays"], sides)


@pytest.mark.parametrize("name", FORKS)
def test_fork(name: str) -> None:
    found = fork(name)
    assert codes(found) == []
    assert told_of(found, name) == []
    alike.changed(loaded(found), game_alone(FORKS[name]["fits"][0]))
    if told := FORKS[name].get("odds"):
        holds(found, game_alone(FORKS[name]["fits"][0]), told)


def fitting(game: str) -> list[str]:
    return [each for each in PACKS if game in PACKS[each]["fits"]]


def groups(game: str, apart: Collection[str] = ()) -> list[list[str]]:
    """The packs that fit a game, in groups without conflict; each of those `apart` is a group of its own."""
    found: list[list[str]] = []
    for name in fitting(game):
        fits = [each for each in found if not conflicting(name, *each) and not {name, *each} & {*apart}]
        if not fits:
            found.append([])
        (fits or found[-1:])[0].append(name)
    return found


def conflicting(name: str, *others: str) -> bool:
    return any(tuple(sorted((name, each))) in CONFLICTS for each in others)


def paths(name: str) -> set[tuple[str, ...]]:
    """What a pack touches: each check, and of all else what stands directly below an id; not its examples."""
    found: set[tuple[str, ...]] = set()
    waiting = [(tuple(key.split(".")), value) for key, value in data(name).items() if key not in HEAD]
    while waiting:
        path, value = waiting.pop()
        if len(path) < 3 and isinstance(value, dict):
            waiting += [((*path, *str(key).split(".")), each) for key, each in value.items()]
        else:
            found.add(path[: 2 if path[0] == "checks" else 3])
    return found


def sharing() -> list[tuple[str, str]]:
    pairs = combinations(sorted(PACKS), 2)
    return [(a, b) for a, b in pairs if paths(a) & paths(b) and set(PACKS[a]["fits"]) & set(PACKS[b]["fits"])]


@pytest.mark.parametrize("game", GAMES)
def test_packs_beside_each_other(game: str) -> None:
    """In groups: none takes a name of another's, nor one near a name of the game, and its examples still hold."""
    for group in groups(game, apart=ALTERS):
        found = used(game, *group)
        assert codes(found) == noted(game, *group), [each.headline for each in found.diagnostics]
        assert [each.headline for each in told_of(found, *group)] == []
        alike.changed(loaded(found), game_alone(game))
    for group in groups(game):
        if own := [each for each in group if data(each)["extends"] == game]:
            assert codes(used(game, *own, is_bare=False)) == noted(game, *own)
    left = {frozenset(pair) for pair in combinations(fitting(game), 2) if not conflicting(*pair)}
    left -= {frozenset(pair) for group in groups(game, apart=ALTERS) for pair in combinations(group, 2)}
    while left:
        group = sorted(min(left, key=sorted))
        for name in fitting(game):
            if name not in group and not conflicting(name, *group):
                group.append(name)
        found = used(game, *group)
        assert codes(found) == noted(game, *group), [each.headline for each in found.diagnostics]
        left -= {frozenset(pair) for pair in combinations(group, 2)}


@pytest.mark.parametrize("pair", sharing(), ids=" ".join)
def test_packs_that_touch_one_thing(pair: tuple[str, str]) -> None:
    """Alone with each other: they conflict where that is listed with its reason, on each game, and nowhere else."""
    games = [each for each in GAMES if all(each in PACKS[name]["fits"] for name in pair)]
    for game in games if pair in CONFLICTS else games[:1]:
        found = used(game, *pair)
        clashes = set(codes(found)) - set(noted(game, *pair))
        assert clashes <= (CLASHES if pair in CONFLICTS else set()), [each.headline for each in found.diagnostics]
        assert (found.artifact is None) == (pair in CONFLICTS)


def test_every_conflict_is_explained() -> None:
    assert CONFLICTS.keys() <= set(sharing())
    assert all(len(why) > 20 for why in CONFLICTS.values())


def test_everything_is_told() -> None:
    assert {each.stem for each in (RULES / "packs").glob("*.yaml")} == set(PACKS)
    assert {each.stem for each in (RULES / "forks").glob("*.yaml")} == set(FORKS)
    assert packs_in_play.SAID["packs"].keys() == PACKS.keys()
    assert packs_in_play.SAID["forks"].keys() == FORKS.keys()
    cited = {item for name in (*PACKS, *FORKS) for each in data(name)["sources"].values() for item in each["items"]}
    assert cited >= {f"H{number:02}" for number in range(1, 21)}, "each of the twenty that were collected"
    page = (ROOT / "docs" / "packs.md").read_text("utf-8")
    for name in (*PACKS, *FORKS):
        shelf = "packs" if name in PACKS else "forks"
        assert f"[{name}](../rules/{shelf}/{name}.yaml) | {data(name)['title']} |" in page
