"""`houserule diff` of actions, triggers and sequences: what is allowed, what is due, and who acts when.

The skirmish is small enough to count all its rounds by hand. One who strikes may be pinned, a side surprised: 2 x 2.
Of one who acts: a strike in 4 situations, a cast in 2, both of them in either order in 4 each, which makes 14. Of two:
both strike in 16, both cast in 4, one of each in 8; and of two dice one is higher, or the other, or neither: 84 more.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import houserule
from friday import Run
from houserule import FactsError
from houserule_compiler.changes import changed_definitions, changes
from houserule_compiler.difference_text import answers
from houserule_compiler.in_play import Search
from houserule_compiler.order_kinds import by_order
from houserule_compiler.order_search import OrderSearch
from houserule_compiler.order_told import OrderEffects, SearchedOrder, Usual, told
from houserule_compiler.playing_side import Side
from test_packs import FORKS, compared, fork, unchanged, used

SKIRMISH = """\
ruleset: monday
language: 1
entities:
  fighter: {pinned: boolean = false}
  side: {surprised: boolean = false}
  told: {}
roles: {hitter: fighter, hit: fighter}
events: {hurt: {}, lost: {who: fighter}}
checks:
  blow: {outcomes: [struck, miss], roll: {die: 1d20}, outcome: if die > 10 then struck else miss}
actions:
  strike: {by: hitter, against: hit, requires: {free: {title: Not pinned, when: not its.pinned}}, check: blow}
  cast: {by: hitter}
triggers:
  overrun: {title: Overrun, when: hit.pinned, check: blow, as: {hitter: hit}}
sequences:
  clash:
    actor: fighter
    action: told
    side: side
    initiative: {by: side, roll: {die: 1d4}, score: die, first: highest, ties: together}
    steps: {speak: {}, act: {each: turn}, end: {}}
    who: not actor.side.surprised
    places:
      strike: {blow: {step: act, threat: hurt}}
      cast:
        begin: {step: speak}
        effect: {step: end, spoiled: {since: begin, by: hurt, effects: {lost: {who: actor}}}}
examples:
  duel:
    sequence: clash
    rolls: {party: 4, orcs: 2}
    actors: {ann: {side: party, does: {strike: {foe: grok}}}, grok: {side: orcs, does: {strike: {foe: ann}}}}
    expect: {order: [act: ann blow, act: grok blow]}
  spell:
    sequence: clash
    rolls: {party: 4, orcs: 2}
    actors: {ann: {side: party, does: {strike: {foe: wiz}}}, wiz: {side: orcs, does: {cast: {}}}}
    expect: {order: [speak: wiz begin, act: ann blow, end: wiz effect], may_spoil: {wiz effect: ann blow}}
"""
DUEL = {
    "ann": {"side": "party", "does": {"strike": {"foe": "grok"}}},
    "grok": {"side": "orcs", "does": {"strike": {"foe": "ann"}}},
}
ONE = {"ann": {"side": "party", "does": {"strike": {"foe": "grok"}}}, "grok": {"side": "orcs"}}
WIZ = {"ann": {"side": "party", "does": {"strike": {"foe": "wiz"}}}, "wiz": {"side": "orcs", "does": {"cast": {}}}}
SPOKEN = [{"speak": ["wiz begin"]}, {"act": ["ann blow"]}, {"end": ["wiz effect"]}]
SPOILT = {"order": SPOKEN, "may_spoil": {"wiz effect": ["ann blow"]}}
KNOT = "impossible: Two in a knot (hitter.pinned and hit.pinned)"
STRUCK = {"order": [{"act": ["ann blow"]}]}

# The line that changes; in how many rounds of how many; and each kind: of which moment, how often, who takes part in
# the smallest, and what comes of it before and after.
ROUNDS: dict[str, tuple[str, str, int, int, list[tuple[str, str, int, Any, Any, Any]]]] = {
    "the lower die acts first": (
        "first: highest",
        "first: lowest",
        # Both strike, neither is pinned nor surprised, and the dice are not equal.
        2,
        98,
        [
            (
                "reversed",
                "",
                2,
                DUEL,
                {"order": [{"act": ["grok blow"]}, {"act": ["ann blow"]}]},
                {"order": [{"act": ["ann blow"]}, {"act": ["grok blow"]}]},
            )
        ],
    ),
    "a strike comes last": (
        "blow: {step: act",
        "blow: {step: end",
        # A cast alone is as it was: 14 - 2 and 84 - 12. Who strikes alone, or beside one who does not act, comes at
        # another step: 1, and 18 where both would strike, and 3 where a caster is surprised; and 1 who ties. Together
        # comes who strikes and casts (2), two strikes that do not tie (2), a strike and the end of a spell (3).
        30,
        84,
        [
            ("together", "", 7, DUEL, None, {"order": [{"end": ["ann blow", "grok blow"]}]}),
            ("place", "", 23, ONE, {"order": [{"act": ["ann blow"]}]}, {"order": [{"end": ["ann blow"]}]}),
        ],
    ),
    "the surprised act": (
        "    who: not actor.side.surprised\n",
        "",
        # Free and surprised: 1 alone; of 16 duels in 7 somebody is, with 3 dice; with a caster 2 x 3. A surprised cast:
        # 1 alone, 2 for each order of both actions; 3 x 3 of two; 3 x 3 beside one who doesn't strike after all.
        # Pinned and surprised: 1; of 9 duels in which nobody acts anew 5, x 3; with a caster 1 x 3.
        70,
        98,
        [
            (
                "acts",
                "blow",
                28,
                ONE,
                {"order": [], "left_out": {"ann strike": "who"}},
                {"order": [{"act": ["ann blow"]}]},
            ),
            ("acts", "begin", 23, None, None, None),
            (
                "reason",
                "strike",
                19,
                None,
                {"order": [], "left_out": {"ann strike": "who"}},
                {"order": [], "left_out": {"ann strike": "requires.free (Not pinned)"}},
            ),
        ],
    ),
    "the pinned strike": (
        "requires: {free: {title: Not pinned, when: not its.pinned}}, ",
        "",
        # Pinned and not surprised: 1 alone, 1 for each order of both actions; 7 duels and 2 with a caster, x 3.
        30,
        84,
        [
            (
                "acts",
                "blow",
                30,
                {"ann": {**ONE["ann"], "pinned": True}, "grok": ONE["grok"]},
                {"order": [], "left_out": {"ann strike": "requires.free (Not pinned)"}},
                {"order": [{"act": ["ann blow"]}]},
            )
        ],
    ),
    "a spell begins in turn": (
        "begin: {step: speak}",
        "begin: {step: act}",
        # Rounds with a cast: 2 + 4 + 4 + 12 + 24. Against a free strike it begins after a higher die (1), with an equal
        # one (1) as with an own one (2), before a lower one (1); two casts begin at once only with equal dice.
        26,
        46,
        [
            (
                "reversed",
                "",
                1,
                WIZ,
                SPOILT,
                {"order": [SPOKEN[1], {"act": ["wiz begin"]}, SPOKEN[2]]},
            ),
            ("apart", "", 2, None, None, None),
            ("together", "", 3, None, None, None),
            ("place", "", 20, None, None, None),
        ],
    ),
    "nothing spoils a spell": (
        "since: begin, by: hurt",
        "since: begin, by: lost",
        # One of each, both free to act, with 3 dice.
        3,
        46,
        [("spoiled", "", 3, WIZ, SPOILT, {"order": SPOKEN})],
    ),
    "a spoiled spell is not lost": (
        ", effects: {lost: {who: actor}}",
        "",
        # The same three once more, with a blow that has hurt.
        3,
        49,
        [("spoiled", "", 3, None, None, None)],
    ),
    "two who are pinned cannot fight": (
        "events: {hurt",
        "impossible: {knot: {title: Two in a knot, when: hitter.pinned and hit.pinned}}\nevents: {hurt",
        # Now the foe of whoever strikes may be pinned too: alone 8 and for each order of both actions 8, in 2 of them a
        # knot, which has no dice; a duel in 16, of which 4; with a caster, who may be pinned, 16, of which 4.
        14,
        24 + 3 * (12 + 12) + 4 + 4,
        [
            (
                "refused",
                "",
                14,
                None,
                None,
                {"order": [], "refused": "impossible: Two in a knot (hitter.pinned and hit.pinned)"},
            )
        ],
    ),
    "another check is called for": (
        "steps: {speak: {}",
        "steps: {speak: {check: blow}",
        # Told of one who acts, whatever else: 4 and 2.
        6,
        98,
        [
            (
                "calls",
                "",
                6,
                None,
                {"order": [{"act": ["ann blow"]}]},
                {"order": [{"act": ["ann blow"]}], "calls": ["speak: blow"]},
            )
        ],
    ),
}


@pytest.fixture
def monday(friday_folder: Path) -> Path:
    (friday_folder / "monday.yaml").write_text(SKIRMISH)
    return friday_folder


def tuesday(folder: Path, old: str, new: str) -> None:
    assert old in SKIRMISH
    (folder / "tuesday.yaml").write_text(SKIRMISH.replace(old, new).replace("ruleset: monday", "ruleset: tuesday"))


def of_kind(told: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [each for each in told["in_play"] if kind in each]


@pytest.mark.parametrize(("old", "new", "differing", "tried", "kinds"), ROUNDS.values(), ids=ROUNDS.keys())
def test_rounds(
    monday: Path,
    run: Run,
    old: str,
    new: str,
    differing: int,
    tried: int,
    kinds: list[tuple[str, str, int, Any, Any, Any]],
) -> None:
    tuesday(monday, old, new)
    found = run("diff", "monday", "tuesday", "--json")
    assert (found.code, found.err) == (1, "")
    (clash,) = of_kind(json.loads(found.out), "sequence")
    assert (clash["sequence"], clash["exhaustive"]) == ("clash", True)
    assert [(each["kind"], each.get("moment", ""), each["situations"]) for each in clash["effects"]] == [
        each[:3] for each in kinds
    ]
    assert (clash["differing"], clash["situations"]) == (differing, tried)
    rules = [loaded(run, name) for name in ("monday", "tuesday")]
    for effect, (*_, actors, before, after) in zip(clash["effects"], kinds, strict=True):
        smallest = effect["smallest"]
        assert actors is None or smallest["encounter"]["actors"] == actors
        assert before is None or smallest["before"] == before
        assert after is None or smallest["after"] == after
        # Whoever plays the witness finds what was told.
        for side, answer in zip(rules, (smallest["before"], smallest["after"]), strict=True):
            if "refused" in answer:
                with pytest.raises(FactsError, match=re.escape(answer["refused"])):
                    side.sequence("clash").order(smallest["encounter"])
                continue
            order = side.sequence("clash").order(smallest["encounter"])
            assert [{each[0].step: sorted(map(str, each))} for each in order] == answer["order"]
            assert {each.name for each in order.left_out} == set(answer.get("left_out", {}))


# What changes in a part of a part: its path, both values as they are written, and as an artifact has them in words.
PARTS = {
    "who is first": ("first: highest", "first: lowest", "sequences.clash.initiative.first", "highest", "lowest", 21),
    "a score": ("score: die,", "score: die + 1,", "sequences.clash.initiative.score", "die", "die + 1", 21),
    "a die": ("die: 1d4", "die: 1d6", "sequences.clash.initiative.roll.die.dice", "1d4", "1d6", 21),
    "a step of a moment": (
        "effect: {step: end",
        "effect: {step: act",
        "sequences.clash.places.cast.effect.step",
        "end",
        "act",
        28,
    ),
    "what spoils": ("by: hurt", "by: lost", "sequences.clash.places.cast.effect.spoiled.by", "hurt", "lost", 28),
    "whom an effect meets": (
        "effects: {lost: {who: actor}}",
        "effects: {lost: {who: foe}}",
        "sequences.clash.places.cast.effect.spoiled.effects.lost.who",
        "actor",
        "foe",
        28,
    ),
}


@pytest.mark.parametrize(("old", "new", "path", "before", "after", "line"), PARTS.values(), ids=PARTS.keys())
def test_a_part_of_a_part_is_told_by_its_path(
    monday: Path, run: Run, old: str, new: str, path: str, before: str, after: str, line: int
) -> None:
    tuesday(monday, old, new)
    (change,) = json.loads(run("diff", "monday", "tuesday", "--json").out)["changes"]
    assert (change["path"], change["kind"]) == (path, "changed")
    for side, text in (("before", before), ("after", after)):
        assert (change[side]["text"], change[side]["line"]) == (text, line)
    for name in ("monday", "tuesday"):
        run("build", name, "-o", f"{name}.rules.json")
    (change,) = json.loads(run("diff", "monday.rules.json", "tuesday.rules.json", "--json").out)["changes"]
    assert [change[side]["text"] for side in ("before", "after")] == [before, after]


def loaded(run: Run, name: str) -> houserule.Rules:
    assert run("build", name, "-o", f"{name}.rules.json").code == 0
    return houserule.load(Path(f"{name}.rules.json").read_bytes())


@pytest.mark.parametrize(
    ("old", "new", "odds", "situations"),
    [
        # Of 16 pairs of faces 4 are equal, of 36 there are 6. Beside the rounds with dice stand those without; where
        # who ties rolls again, none of the 28 with equal dice.
        ("1d4", "1d6", {"together": ("1/4", "1/6"), "ann": ("3/8", "5/12"), "grok": ("3/8", "5/12")}, 98 + 42),
        (
            "ties: together",
            "ties: reroll",
            {"together": ("1/4", None), "ann": ("3/8", "1/2"), "grok": ("3/8", "1/2")},
            98 - 28 + 42,
        ),
    ],
)
def test_odds(monday: Path, run: Run, old: str, new: str, odds: dict[str, Any], situations: int) -> None:
    """Where other dice are rolled, the chances of both orders are told: only a duel of free fighters has others."""
    tuesday(monday, old, new)
    (clash,) = of_kind(json.loads(run("diff", "monday", "tuesday", "--json").out), "sequence")
    (effect,) = clash["effects"]
    assert (effect["kind"], effect["situations"], clash["situations"]) == ("odds", 1, situations)
    assert effect["smallest"]["encounter"]["actors"] == DUEL
    for at, side in enumerate(("before", "after")):
        found = {
            "together" if len(each["order"]) == 1 else each["order"][0][0].split()[0]: each["chance"]
            for each in effect["smallest"][side]["odds"]
        }
        assert found == {name: both[at] for name, both in odds.items() if both[at]}


TEXT = """\
  sequence clash: otherwise in 2 of 98 rounds (all that can matter for one or two who act)
    the other way round (2 rounds)
      ann (party): strike against grok; grok (orcs): strike against ann; dice party 1, orcs 2
        monday   act: grok blow  act: ann blow
        tuesday  act: ann blow   act: grok blow
"""
ODDS = """\
    blow: with other odds (1 round)
      ann (party): strike against grok; wiz (party): strike against grok
        ann blow + wiz blow 25%, was 100%
"""
TABLE = """\
**sequence clash: otherwise in 2 of 98 rounds (all that can matter for one or two who act)**

| round | before | after |
|---|---|---|
| the other way round (2 rounds): ann (party): strike against grok; grok (orcs): strike against ann; dice party 1, \
orcs 2 | act: grok blow, act: ann blow | act: ann blow, act: grok blow |
"""


def test_as_people_read_it(monday: Path, run: Run) -> None:
    tuesday(monday, "first: highest", "first: lowest")
    assert TEXT in run("diff", "monday", "tuesday").out
    assert TABLE in run("diff", "monday", "tuesday", "--markdown").out
    tuesday(monday, "by: side, roll", "by: actor, roll")
    # Two of one side had one die for both; now each has one, and of 16 pairs 4 are equal.
    assert ODDS.replace("wiz", "another") in run("diff", "monday", "tuesday").out


def test_artifacts_have_no_examples_and_are_played_all_the_same(monday: Path, run: Run) -> None:
    tuesday(monday, "first: highest", "first: lowest")
    loaded(run, "monday")
    loaded(run, "tuesday")
    found = run("diff", "monday.rules.json", "tuesday.rules.json").out
    assert (
        "actor (ours): strike against another; another (theirs): strike against actor; dice ours 1, theirs 2" in found
    )
    assert "2 of 98 rounds" in found


def test_odds_are_shown_for_each_pair_of_moments(monday: Path, run: Run) -> None:
    """Where spells take effect in turn too, another die tells between blows, between spells, and between both."""
    text = SKIRMISH[: SKIRMISH.index("examples:")].replace("effect: {step: end", "effect: {step: act")
    (monday / "monday.yaml").write_text(text)
    (monday / "tuesday.yaml").write_text(text.replace("1d4", "1d6").replace("ruleset: monday", "ruleset: tuesday"))
    (clash,) = of_kind(json.loads(run("diff", "monday", "tuesday", "--json").out), "sequence")
    odds = {each["moment"]: each["smallest"] for each in clash["effects"] if each["kind"] == "odds"}
    assert {"blow", "begin and effect", "begin and blow and effect"} <= odds.keys()
    for moment, smallest in odds.items():
        # Equal dice, one in four and then one in six: both at once, with or without the beginning of a spell before.
        chances = [{each["chance"] for each in smallest[side]["odds"]} for side in ("before", "after")]
        assert chances == [{"1/4", "3/8"}, {"1/6", "5/12"}], moment


def test_where_nothing_is_other_it_says_so(monday: Path, run: Run) -> None:
    """Every blow falls after all spells have begun anyway; each of those 3 rounds is played once more, with a hurt."""
    tuesday(monday, "since: begin, ", "")
    same = "sequence clash: the same in 49 rounds, all that can matter for one or two who act"
    assert same in run("diff", "monday", "tuesday").out
    assert run("diff", "monday", "tuesday", "--sequence", "clash") == (0, f"{same}\n", "")


def test_a_search_that_is_bounded_says_so(monday: Path, run: Run) -> None:
    """How often somebody strikes, up to 9 times, is not tried in full; that the second blow comes later is found."""
    many = "blow: {times: actor.blows, step: act, threat: hurt}"
    text = SKIRMISH.replace("pinned: boolean = false", "pinned: boolean = false, blows: 0..9 = 1")
    text = text.replace("blow: {step: act, threat: hurt}", many)
    (monday / "monday.yaml").write_text(text)
    later = many.replace("step: act", "cases: {first: {when: nth < 2, step: act}, more: {step: end}}")
    (monday / "tuesday.yaml").write_text(text.replace(many, later).replace("ruleset: monday", "ruleset: tuesday"))
    out = run("diff", "monday", "tuesday").out
    assert "tried (there are more)" in out
    assert "tuesday  act: ann blow + grok blow               end: ann blow 2" in out
    proof = run("diff", "monday", "tuesday", "--sequence", "clash", "--json")
    assert (proof.code, json.loads(proof.out)["exhaustive"]) == (1, False)


def test_what_examples_show_is_made_small(monday: Path, run: Run) -> None:
    """Where nothing else is tried, the spell's example still shows it; who does not matter is left out."""
    crowd = "{ann: {side: party, does: {strike: {foe: wiz}}}, wiz: {side: orcs, does: {cast: {}}}}"
    more = crowd.replace("wiz: {side", "bob: {side: party, pinned: true, does: {strike: {foe: wiz}}}, wiz: {side")
    assert crowd in SKIRMISH
    sides = []
    for name, text in (
        ("monday", SKIRMISH),
        ("tuesday", SKIRMISH.replace("effect: {step: end", "effect: {step: speak")),
    ):
        (monday / f"{name}.yaml").write_text(text.replace("ruleset: monday", f"ruleset: {name}"))
        sides.append(Side(name, loaded(run, name)))
    example = YAML(typ="safe").load(more)
    search = OrderSearch((sides[0], "clash"), (sides[1], "clash"), frozenset({"sequences.clash"}), {})
    search.run(0)
    found = told(search, Usual(), [{"actors": example, "rolls": {"party": 4, "orcs": 2}}])
    (effect,) = found.effects
    # The spell takes effect before the blow now; whoever is pinned has no part in it.
    assert (effect.kind, effect.count, found.tried, found.is_exhaustive) == ("reversed", 2, 2, False)
    assert effect.smallest.encounter["actors"] == WIZ
    assert effect.smallest.rolls == {"party": 4, "orcs": 2}


def test_a_moment_that_comes_in_a_later_round(monday: Path, run: Run) -> None:
    tuesday(monday, "effect: {step: end,", "effect: {step: end, rounds: 1,")
    out = run("diff", "monday", "tuesday").out
    assert "effect: comes in a later round" in out
    assert "tuesday  speak: wiz begin  next round: wiz effect at end" in out


SHOVE = "  shove: {by: hitter, requires: {free: not its.pinned}}\n"

# Actions and triggers: each pair of a fact pinned or not is one situation.
ACTED = {
    "a requirement is gone": (
        "requires: {free: {title: Not pinned, when: not its.pinned}}, ",
        "",
        ("action", "strike", 1, 2, {"hitter.pinned": "true"}),
        {"allowed": False, "refused_by": ["free"]},
        {"allowed": True, "refused_by": [], "check": "blow"},
    ),
    "another check": (
        "its.pinned}}, check: blow}",
        "its.pinned}}}",
        ("action", "strike", 1, 2, {}),
        {"allowed": True, "refused_by": [], "check": "blow"},
        {"allowed": True, "refused_by": []},
    ),
    "an action is gone": (
        SHOVE,
        "",
        ("action", "shove", 1, 2, {}),
        {"allowed": True, "refused_by": []},
        None,
    ),
    "a trigger turned round": (
        "when: hit.pinned",
        "when: not hit.pinned",
        ("trigger", "overrun", 2, 2, {}),
        {"due": False},
        {"due": True, "check": "blow", "follows": ["hit as hitter"]},
    ),
    "a trigger is gone": (
        "  overrun: {title: Overrun, when: hit.pinned, check: blow, as: {hitter: hit}}\n",
        "  other: {when: hitter.pinned and hit.pinned, check: blow}\n",
        ("trigger", "overrun", 1, 2, {"hit.pinned": "true"}),
        {"due": True, "check": "blow", "follows": ["hit as hitter"]},
        {"due": False},
    ),
    "a trigger every round": (
        "title: Overrun, ",
        "title: Overrun, every: round, ",
        ("trigger", "overrun", 1, 2, {"hit.pinned": "true"}),
        {"due": True, "check": "blow", "follows": ["hit as hitter"]},
        {"due": True, "check": "blow", "follows": ["hit as hitter"], "every_round": True},
    ),
}


@pytest.mark.parametrize(("old", "new", "found", "before", "after"), ACTED.values(), ids=ACTED.keys())
def test_actions_and_triggers(
    monday: Path, run: Run, old: str, new: str, found: tuple[str, str, int, int, Any], before: Any, after: Any
) -> None:
    kind, id, differing, tried, given = found
    text = SKIRMISH.replace("  cast: {by: hitter}\n", f"  cast: {{by: hitter}}\n{SHOVE}")
    (monday / "monday.yaml").write_text(text)
    assert old in text
    (monday / "tuesday.yaml").write_text(text.replace(old, new).replace("ruleset: monday", "ruleset: tuesday"))
    played = of_kind(json.loads(run("diff", "monday", "tuesday", "--json").out), kind)
    (one,) = [each for each in played if each[kind] == id]
    assert (one["differing"], one["situations"], one["exhaustive"]) == (differing, tried, True)
    witness = next(each["smallest"] for each in one["effects"] if each["smallest"]["given"] == given)
    assert (witness["before"], witness["after"]) == (before, after)


def test_what_came_or_went_is_not_told_twice(monday: Path, run: Run) -> None:
    """An action that nothing hinders is there or not: that stands among what changed."""
    tuesday(monday, "  cast: {by: hitter}\n", "  cast: {by: hitter}\n  rest: {by: hitter}\n")
    found = json.loads(run("diff", "monday", "tuesday", "--json").out)
    assert ([each["path"] for each in found["changes"]], found["in_play"]) == (["actions.rest"], [])
    assert (found["format"], found["format_version"]) == ("houserule diff", 1)


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["--sequence", "clash"], 0, "sequence clash: the same; nothing that puts a round in order differs"),
        (["--sequence", "clasp"], 2, "`monday` has no sequence `clasp`; did you mean `clash`?"),
        (["--sequence", "clash", "--with", "dash"], 2, "`tuesday` has no sequence `dash`; `houserule show tuesday`"),
        (["--sequence", "clash", "--number", "x"], 2, "give `--number` or `--sequence`, not both"),
        (["--with", "clash"], 2, "give it with one of them"),
    ],
)
def test_one_sequence(monday: Path, run: Run, words: list[str], code: int, text: str) -> None:
    tuesday(monday, "title: Overrun", "title: Run over")
    found = run("diff", "monday", "tuesday", *words)
    assert (found.code, text in found.out + found.err) == (code, True)


# House rules that are shipped, with all that is told of each worked out by hand: of what, one situation in which it
# comes out otherwise, and both answers.
PLAYED: dict[str, tuple[str, str, str, str, dict[str, str], str, str]] = {
    "cleave": (
        "adnd2e",
        "trigger",
        "cleave",
        "cleave",
        {"attacker.thac0": "0", "target_felled": "true"},
        "not due",
        "due: check attack, attacker.cleaves_made +1",
    ),
    "parting blow": (
        "adnd2e",
        "trigger",
        "opportunity-attacks",
        "parting_blow",
        {"target.departure": "turns_away"},
        "not due",
        "due: check attack, attack_bonus +2",
    ),
    "bleeding": (
        "adnd2e",
        "trigger",
        "death-threshold",
        "bleeds",
        {"wounded.hit_points_left": "0"},
        "not due",
        "due: wounded.hit_points_left -1, every round",
    ),
    "a sacrificed shield": (
        "adnd2e",
        "action",
        "shield-splinters",
        "sacrifice_shield",
        {"target.bears_shield": "true"},
        "no such action",
        "allowed: check shield_sacrifice",
    ),
    "wounds bound once": (
        "adnd2e",
        "action",
        "binding-wounds",
        "bind_fresh_wounds",
        {"patient.lost_in_fight": "1"},
        "no such action",
        "allowed: check binding",
    ),
    "the first death": (
        "osric",
        "trigger",
        "morale-occasions",
        "first_death",
        {"battle.friends_killed": "1"},
        "not due",
        "due: check morale",
    ),
    "a quarter lost is no occasion any more": (
        "osric",
        "trigger",
        "morale-occasions",
        "quarter_lost",
        {"battle.percent_lost": "25"},
        "due: check morale, morale_roll +5",
        "not due",
    ),
}


@pytest.mark.parametrize(("game", "kind", "pack", "id", "given", "before", "after"), PLAYED.values(), ids=PLAYED.keys())
def test_what_packs_allow_and_call_for(
    game: str, kind: str, pack: str, id: str, given: dict[str, str], before: str, after: str
) -> None:
    one, other = compared(unchanged(game)), compared(used(game, pack))
    sides = Side("", one.rules), Side("", other.rules)
    search = Search(kind, (sides[0], id), (sides[1], id), changed_definitions(changes(one, other)))
    assert search.may_differ()
    (effect,) = search.run(2_000).effects
    assert dict(effect.smallest.given) == given
    assert answers(effect.smallest) == f"{after}; was {before}"


def rounds_of(game: str, changed: Any, id: str, limit: int) -> SearchedOrder:
    one, other = compared(unchanged(game)), compared(changed)
    search = OrderSearch(
        (Side("", one.rules), id), (Side("", other.rules), id), changed_definitions(changes(one, other)), {}
    )
    assert search.may_differ()
    search.run(limit)
    return told(search, Usual())


def of_kinds(found: SearchedOrder, kind: str) -> OrderEffects:
    return next(each for each in found.effects if each.kind == kind)


@pytest.mark.parametrize(
    ("game", "name", "id", "before", "after"),
    [
        # A place each, which is the same; now a d10 each, of 100 pairs 10 are equal.
        ("adnd2e", "initiative-by-speed", "combat_round", {"both": 1}, {"1": "9/20", "2": "9/20", "both": "1/10"}),
        # One die for both; now a d6 each, of 36 pairs 6 are equal.
        ("osric", "individual-rounds", "group_round", {"both": 1}, {"1": "5/12", "2": "5/12", "both": "1/6"}),
        # A d6 for each side; now a d10.
        (
            "osric",
            "initiative-die-osric",
            "group_round",
            {"1": "5/12", "2": "5/12", "both": "1/6"},
            {"1": "9/20", "2": "9/20", "both": "1/10"},
        ),
    ],
)
def test_odds_of_initiative(game: str, name: str, id: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    changed = fork(name) if name in FORKS else used(game, name)
    witness = of_kinds(rounds_of(game, changed, id, 60), "odds").smallest
    for odds, expected in ((witness.before, before), (witness.after, after)):
        chances = by_order(odds)
        shown = {
            "both" if len(order) == 1 else "1" if "actor" in min(order[0]) else "2": chance
            for order, chance in chances.items()
        }
        assert shown == {key: Fraction(each) for key, each in expected.items()}


@pytest.mark.parametrize(
    ("game", "name", "id", "kind", "facts", "steps"),
    [
        ("osric", "low-initiative-osric", "group_round", "reversed", {}, "acts|acts acts|acts"),
        (
            "osric",
            "slow-weapons-osric",
            "group_round",
            "reversed",
            {"slow_weapon": True},
            "acts|acts acts|slow_blows",
        ),
        ("osric", "morale-phase", "group_round", "calls", {}, "acts acts"),
        ("osric", "phased-round", "group_round", "together", {"attacks": 2}, "acts|extra_attacks melee"),
        ("osric", "high-initiative-segments", "segment_round", "later", {}, "spells_begun|spells_end spells_begun"),
    ],
)
def test_rounds_of_house_rules(game: str, name: str, id: str, kind: str, facts: dict[str, Any], steps: str) -> None:
    """Where all that acts falls in the smallest round of a kind, without the segments, before and after."""
    changed = fork(name) if name in FORKS else used(game, name)
    witness = of_kinds(rounds_of(game, changed, id, 120), kind).smallest
    assert facts in [
        {key: each for key, each in actor.items() if key not in ("side", "does")}
        for actor in witness.encounter["actors"].values()
    ]
    orders = [next(iter(odds)) for odds in (witness.before, witness.after)]
    assert ["|".join(step.split()[0] for step, _ in each.groups) for each in orders] == steps.split()
