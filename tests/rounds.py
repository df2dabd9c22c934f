"""A small round with everything that a sequence can have, for tests of orders, actions and triggers."""

from __future__ import annotations

from functools import cache
from typing import Any

import houserule
from houserule_compiler.cases import Block, Section
from literate import compiled

RULES = """ruleset: sample
language: 1
choices: {reach: [short, long]}
entities:
  fighter:
    blows: 1..3 = 1
    nimble: -2..2
    pinned: boolean = false
    reach: reach = short
    weak: boolean?
    casting: boolean = false
    mad: boolean = false
  side: {surprised: boolean = false}
  told: {level: 1..9 = 1, delay: 0..12 = 0}
roles: {hitter: fighter, hit: fighter}
facts: {dark: boolean = false, mud: boolean}
options: {quick: boolean = false}
impossible: {mad_and_pinned: {title: Nobody is mad and pinned, when: hitter.mad and hitter.pinned}}
events: {hurt: {}, dazed: {}, lost: {who: fighter, level: 1..9}, shouted: {}}
numbers: {swings: {of: hitter, base: its.blows}, nerve: {base: 0}}
checks:
  morale: {outcomes: [stands, flees], roll: {die: 2d6}, outcome: if die + nerve > 7 then flees else stands}
  blow: {outcomes: [struck, miss], roll: {die: 1d20}, outcome: if die > 10 then struck else miss}
actions:
  strike:
    by: hitter
    against: hit
    requires:
      free: {title: Not pinned, when: not its.pinned}
      same_reach: its.reach >= hit.reach
    check: blow
  shove: {by: hitter, requires: {strong: not its.weak}}
triggers:
  wavering: {when: hit.pinned, check: morale, as: {hit: hitter}, adjust: {nerve: +2}}
  stuck: {when: mud and hitter.blows > 1, check: morale, every: round}
  raving: {title: Raving, when: hitter.mad, effects: {hitter.casting: {set: false}, shouted: {}}}
  weakened: {when: hitter.weak, check: morale}
sequences:
  clash:
    title: Clash
    actor: fighter
    action: told
    side: side
    initiative: {by: side, roll: {die: 1d6}, score: die, first: highest}
    steps:
      open:
        title: It begins
        when: round == 1
        check: morale
        as: {hit: hitter}
        leads_to: {sequence: dash, facts: {first: keen, many: 2}}
      speak: {}
      act: {each: turn, steps: {spells: {}, blows: {limit: 2}}}
      late: {each: turn, steps: {brace: {}, rush: {}}}
      night: {when: dark}
      end: {}
    facts: {keen: side, rush_limit: 1..3 = 2}
    who: not actor.side.surprised
    holding: {when: not actor.pinned, to: late | end}
    values: {many: swings(actor as hitter), gap: many * nth}
    places:
      strike:
        blow:
          times: many
          threat: hurt | dazed
          cases:
            met: {when: foe.declares(rush) and actor.reach == long, step: brace, turn_of: foe}
            far: {when: gap > 6, left_out: Too far by now}
            near: {step: blows}
      shove: {push: {step: if quick then blows else end, threat: dazed}}
      cast:
        begin: {step: speak}
        effect:
          threat: hurt
          step: if action.level > 6 then end else spells
          rounds: if action.level == 9 then 1 else 0
          meanwhile: creep | nothing
          spoiled:
            since: begin
            by: hurt
            effects: {actor.casting: {set: false}, lost: {who: actor, level: action.level}}
      creep: {move: {after: effect}}
      rush: {go: {step: blows}, hit: {step: rush, threat: hurt}}
      watch: {look: {step: night}}
      idle: {nap: {when: dark, step: end}}
  dash:
    when: any(side.surprised)
    actor: fighter
    action: told
    side: side
    facts: {first: side, many: 0..9?}
    initiative: {by: actor, roll: {die: 1d10}, score: [die, actor.nimble], first: lowest, ties: reroll}
    start: score
    holding: {to: segment}
    steps: {leap: {each: {segment: 1..10}, steps: {up: {}, down: {}}}}
    places:
      jump:
        up: {step: up, segment: start}
        down: {step: down, segment: start + action.delay, past_end: next_round, spoiled: {since: up, by: hurt}}
      hit: {hit: {times: 2, step: down, segment: "min(start + nth, 10)", threat: hurt}}
"""


def rules(**options: object) -> houserule.Rules:
    """The rules above, loaded."""
    return houserule.load(artifact(), options=options)


@cache
def artifact() -> bytes:
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", RULES, 0, 0),)))
    assert found.artifact is not None, found.diagnostics
    return found.artifact


def lines(order: houserule.Order) -> list[str]:
    """An order in short: `blows: a blow + b blow`."""
    return [
        f"{group[0].step}{'' if group[0].segment is None else f' {group[0].segment}'}: {' + '.join(map(str, group))}"
        for group in order.groups
    ]


def left_out(order: houserule.Order) -> dict[str, str]:
    return {each.name: each.reason for each in order.left_out}


def clash(**actors: dict[str, Any]) -> dict[str, Any]:
    """An encounter of the second round with the party first; actors `a...` are of the party, others are foes."""
    found = {
        id: {"nimble": 0, "side": "party" if id.startswith("a") else "foes", **actor} for id, actor in actors.items()
    }
    return {
        "round": 2,
        "sides": {"party": {}, "foes": {}},
        "actors": found,
        "facts": {"keen": "party"},
        "rolls": {"party": 5, "foes": 2},
    }
