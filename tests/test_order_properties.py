"""Orders of random rounds against a model: the algorithm of LANGUAGE.md 7, written down from there on plain data.

The model is handed where each moment falls; who may act, which case holds, and dice are the matter of the conformance
suite. It knows nothing of the runtime's code.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import houserule
from artifacts import complete
from rounds import left_out, lines

# A tree with headings, turns, turns within turns' steps, segments, a limit and a step of its own initiative.
STEPS: list[dict[str, Any]] = [
    {"id": "talk"},
    {"id": "first", "each": "turn", "steps": [{"id": "quick"}, {"id": "blows", "limit": 2}]},
    {"id": "clock", "each": [1, 4], "steps": [{"id": "aim"}, {"id": "loose", "limit": 1}]},
    {"id": "heading", "steps": [{"id": "own", "each": "turn"}, {"id": "late"}]},
]
PLACES = ["talk", "quick", "blows", "aim", "loose", "own", "late", "first"]
SEGMENTED = ("aim", "loose")
WHOLE = {"type": "integer", "low": 0, "high": 99}
ACTORS = ("a", "b", "c")
ACTIONS = ("one", "two", "three")


@dataclass
class Moment:
    """Where one moment of one action falls, and what may be done to it and by it."""

    id: str
    step: str
    segment: int = 1
    rounds: int = 0
    times: int = 1
    after: str = ""
    foes_turn: bool = False
    meanwhile: tuple[str, ...] | None = None
    threat: bool = False
    since: str | None = None
    """The earlier moment since which it may be spoiled; empty for the round's start; None if it cannot be."""


Rules = dict[str, list[Moment]]


@st.composite
def moments(draw: st.DrawFn, action: str) -> list[Moment]:
    made = []
    for index in range(draw(st.integers(1, 2))):
        after = draw(st.sampled_from(["", "", "", *(f"{each}0" for each in ACTIONS if each != action)]))
        made.append(
            Moment(
                id=f"{action}{index}",
                step=draw(st.sampled_from(PLACES)),
                segment=draw(st.integers(1, 9)),
                rounds=draw(st.sampled_from([0, 0, 0, 1, 2])) if not after else 0,
                times=draw(st.sampled_from([0, 1, 1, 2, 3])),
                after=after,
                foes_turn=draw(st.booleans()) and not after,
                meanwhile=draw(st.sampled_from([None, None, None, (), ("one",), ("two", "three")])),
                threat=draw(st.booleans()),
                since=draw(st.sampled_from([None, "", *(each.id for each in made)])),
            )
        )
    return made


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Rules, dict[str, Any]]:
    rules = {action: draw(moments(action)) for action in ACTIONS}
    actors = {}
    for id in ACTORS:
        foe = draw(st.sampled_from([each for each in ACTORS if each != id]))
        declared = draw(st.lists(st.sampled_from(ACTIONS), unique=True, max_size=3))
        actors[id] = {
            "does": {each: {"foe": foe, **draw(st.sampled_from([{}, {}, {"hold": "late"}]))} for each in declared}
        }
    rolls = {id: draw(st.integers(1, 3)) for id in ACTORS} | {f"own.{id}": draw(st.integers(1, 3)) for id in ACTORS}
    return rules, {"actors": actors, "rolls": rolls}


def artifact(rules: Rules) -> dict[str, Any]:
    initiative = {"by": "actor", "roll": [{"id": "die", "dice": ["dice", 1, 6], "low": 1, "high": 6}]}
    initiative |= {"score": [["local", "die"]], "first": "highest", "ties": "together"}
    ids = [step for top in STEPS for step in (top["id"], *(each["id"] for each in top.get("steps", [])))]
    places = []
    for action, made in sorted(rules.items()):
        found = []
        for each in made:
            case: dict[str, Any] = {"id": "", "rounds": each.rounds, "past_end": "next_round"}
            if each.after:
                case |= {"after": each.after}
            else:
                case |= {"step": ids.index(each.step)}
                case |= {"segment": each.segment} if each.step in SEGMENTED else {}
            case |= {"turn_of": "foe"} if each.foes_turn else {}
            case |= {"meanwhile": list(each.meanwhile)} if each.meanwhile is not None else {}
            spoiled = {} if each.since is None else {"spoiled": {"by": ["hurt"], "effects": []}}
            if each.since:
                spoiled["spoiled"]["since"] = each.since
            found.append(
                {"id": each.id, "times": each.times, "cases": [case], "threat": ["hurt"] * each.threat, **spoiled}
            )
        places.append({"action": action, "moments": found})

    def step(node: dict[str, Any]) -> dict[str, Any]:
        own = {"initiative": {**initiative, "first": "lowest"}} if node["id"] == "own" else {}
        return {**node, "as": {}, **own, "steps": [step(each) for each in node.get("steps", [])]}

    sequence = {"id": "round", "steps": [step(each) for each in STEPS], "facts": [], "values": [], "places": places}
    sequence |= {"actor": "somebody", "initiative": initiative, "holding": {"to": ["late"]}}
    return complete(
        {
            "entities": [{"id": "somebody", "fields": []}],
            "events": [{"id": "hurt", "arguments": []}],
            "sequences": [sequence],
        }
    )


# The model.


@dataclass(eq=False)
class Event:
    actor: str
    foe: str
    action: str
    moment: Moment
    nth: int
    round: int
    step: str = ""
    segment: int = 1
    rounds: int = 0
    is_old: bool = False
    key: tuple[int, ...] = ()
    base: Event | None = None
    spoilers: list[str] = field(default_factory=list)

    @property
    def declared(self) -> tuple[str, str, int]:
        return self.actor, self.action, self.round

    @property
    def name(self) -> str:
        return f"{self.actor} {self.moment.id}" + (f" {self.nth}" if self.nth > 1 else "")


class Model:
    """The order of one round."""

    def __init__(self, rules: Rules, encounter: dict[str, Any], round: int, carried: list[Event]) -> None:
        self.rules, self.encounter, self.round = rules, encounter, round
        self.events: list[Event] = []
        self.next_round: list[Event] = []
        self.out: list[tuple[Event, str]] = []
        self.none: list[str] = []
        self.busy: dict[str, tuple[Any, tuple[str, ...]]] = {}
        for each in carried:
            each.is_old, each.base, each.spoilers = True, None, []
            self.put(each)
        for actor, stated in encounter["actors"].items():
            for action, facts in stated["does"].items():
                self.declare(actor, action, facts)
        self.drop([each for each in self.events + self.next_round if self.is_busy(each)], "busy")
        self.settle()
        self.hold()
        self.sort()
        self.limit()
        self.spoil()

    def declare(self, actor: str, action: str, facts: dict[str, Any]) -> None:
        made = []
        for moment in self.rules[action]:
            for nth in range(1, moment.times + 1):
                made.append(Event(actor, facts["foe"], action, moment, nth, self.round, rounds=moment.rounds))
        for each in made:
            if not each.moment.after:
                each.step = each.moment.step
                if each.step in SEGMENTED:
                    each.rounds += (each.moment.segment - 1) // 4
                    each.segment = (each.moment.segment - 1) % 4 + 1
            self.put(each)
        if not made:
            self.none.append(f"{actor} {action}")

    def put(self, event: Event) -> None:
        if event.rounds > 0:
            event.rounds -= 1
            self.next_round.append(event)
        else:
            self.events.append(event)
        if event.moment.meanwhile is not None and event.actor not in self.busy:
            self.busy[event.actor] = event.declared, event.moment.meanwhile

    def is_busy(self, event: Event) -> bool:
        if event.is_old or event.actor not in self.busy:
            return False
        declared, meanwhile = self.busy[event.actor]
        return event.declared != declared and event.action not in meanwhile

    def drop(self, events: list[Event], reason: str) -> None:
        self.events = [each for each in self.events if each not in events]
        self.next_round = [each for each in self.next_round if each not in events]
        self.out += [(each, reason) for each in events]

    def settle(self) -> None:
        """Leaves out what comes after nothing, until all that is left stands somewhere."""
        while True:
            for each in self.events:
                each.base = self.base(each) if each.moment.after and not each.step else None
            lost = [each for each in self.events if not self.root(each)]
            if not lost:
                return
            self.drop(lost, "no_moment")

    def base(self, event: Event) -> Event | None:
        same = [
            x for x in self.events if x is not event and x.actor == event.actor and x.moment.id == event.moment.after
        ]
        own = [x for x in same if x.declared == event.declared]
        for each in own:
            if each.nth == event.nth:
                return each
        return (own or same or [None])[-1]

    def root(self, event: Event) -> Event | None:
        at: Event | None = event
        for _ in range(len(self.events) + 1):
            if at is None or at.step:
                return at
            at = at.base
        return None

    def rank(self, event: Event, own: bool) -> int:
        who = event.foe if event.moment.foes_turn else event.actor
        rolls = self.encounter["rolls"]
        scores = {id: rolls[f"own.{id}" if own else id] for id in ACTORS}
        if own:
            rollers = {self.turn(x) for x in self.events if (self.step_of(x) == "own")}
            return len({scores[each] for each in rollers if scores[each] < scores[who]})
        return len({scores[each] for each in self.rollers() if scores[each] > scores[who]})

    def turn(self, event: Event) -> str:
        return event.foe if event.moment.foes_turn else event.actor

    def step_of(self, event: Event) -> str:
        return event.step

    def rollers(self) -> set[str]:
        found = {each.actor for each in self.encounter["carried_events"]}
        found |= {each.foe for each in self.encounter["carried_events"] if each.moment.foes_turn}
        for actor, stated in self.encounter["actors"].items():
            for action, facts in stated["does"].items():
                found.add(actor)
                if any(each.foes_turn for each in self.rules[action]):
                    found.add(facts["foe"])
        return found

    def key(self, event: Event, step: str = "") -> tuple[int, ...]:
        if event.base is not None and not step:
            return (*self.key(event.base), 1)
        at = step or event.step
        for index, top in enumerate(STEPS):
            path = self.path(top, index, at, event)
            if path is not None:
                return path
        raise AssertionError(at)

    def path(self, node: dict[str, Any], index: int, at: str, event: Event) -> tuple[int, ...] | None:
        here: tuple[int, ...] = (index,)
        if node.get("each") == "turn":
            here = (index, self.rank(event, node["id"] == "own"))
        elif node.get("each"):
            here = (index, event.segment)
        if node["id"] == at:
            return here
        for inner, each in enumerate(node.get("steps", [])):
            found = self.path(each, inner, at, event)
            if found is not None:
                return here + found
        return None

    def hold(self) -> None:
        firsts: dict[Any, Event] = {}
        for each in sorted(self.events + self.next_round + [event for event, _ in self.out], key=self.placed):
            firsts.setdefault(each.declared, each)
        for each in self.events:
            held = self.encounter["actors"][each.actor]["does"].get(each.action, {}).get("hold")
            if held and not each.is_old and firsts[each.declared] is each and self.key(each, "late") > self.key(each):
                each.step, each.base = "late", None

    def placed(self, event: Event) -> tuple[int, int]:
        return [each.id for each in self.rules[event.action]].index(event.moment.id), event.nth

    def sort(self) -> None:
        for each in self.events:
            each.key = self.key(each)
        self.events.sort(key=lambda each: each.key)

    def limit(self) -> None:
        counts: dict[Any, int] = {}
        beyond, ended = [], set()
        for each in self.events:
            root = self.root(each)
            assert root
            most = {"blows": 2, "loose": 1}.get(root.step, 99)
            visit = root.step, self.key(root), each.actor
            if each.declared in ended or counts.get(visit, 0) >= most:
                ended.add(each.declared)
                beyond.append(each)
            else:
                counts[visit] = counts.get(visit, 0) + 1
        self.drop(beyond + [each for each in self.next_round if each.declared in ended], "limit")
        if beyond:
            self.settle()
            self.sort()

    def spoil(self) -> None:
        for each in self.events + self.next_round:
            if each.moment.since is None:
                continue
            own = [
                x
                for x in self.events + self.next_round
                if x.declared == each.declared and x.moment.id == each.moment.since
            ]
            start = next((x for x in own if x.nth == each.nth), own[-1] if own else None)
            if each.is_old:
                start = None
            if start in self.next_round:
                continue
            for x in self.events:
                is_before = each in self.next_round or x.key < each.key
                is_after = start is None or start.key < x.key
                if x.foe == each.actor and x.moment.threat and is_before and is_after:
                    each.spoilers.append(x.name)

    def order(self) -> list[str]:
        found: dict[tuple[int, ...], list[Event]] = {}
        for each in self.events:
            found.setdefault(each.key, []).append(each)
        shown = []
        for group in found.values():
            root = self.root(group[0])
            assert root
            where = root.step + (f" {root.segment}" if root.step in SEGMENTED else "")
            shown.append(f"{where}: {' + '.join(sorted(each.name for each in group))}")
        return shown

    def left_out(self) -> set[str]:
        """Who is left out of what, by action: names of single moments are the matter of the conformance suite."""
        return {f"{each.actor} {each.action}: {reason}" for each, reason in self.out} | {
            f"{each}: no_moment" for each in self.none
        }

    def may_spoil(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for each in self.events + self.next_round:
            if each.spoilers:
                found.setdefault(each.name, []).extend(each.spoilers)
        return {name: sorted(each) for name, each in found.items()}


def short(order: houserule.Order) -> list[str]:
    return [
        f"{line.partition(': ')[0]}: {' + '.join(sorted(line.partition(': ')[2].split(' + ')))}"
        for line in lines(order)
    ]


def spoilers(order: houserule.Order) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in (*order.moments(), *order.coming, *order.lost):
        if each.may_be_spoiled_by:
            found.setdefault(each.name, []).extend(each.may_be_spoiled_by)
    return {name: sorted(each) for name, each in found.items()}


@cache
def loaded(text: str) -> houserule.Rules:
    return houserule.load(json.loads(text))


@settings(max_examples=100, deadline=None)
@given(rounds())
def test_orders_are_those_of_the_model_over_three_rounds(made: tuple[Rules, dict[str, Any]]) -> None:
    rules, encounter = made
    sequence = loaded(json.dumps(artifact(rules))).sequence("round")
    carried: list[Event] = []
    over: Any = ()
    for round in (1, 2, 3):
        model = Model(rules, {**encounter, "carried_events": carried}, round, list(carried))
        order = sequence.order({**encounter, "round": round, "carried": over})
        assert short(order) == model.order()
        assert {f"{each.actor} {each.action}: {each.reason}" for each in order.left_out} == model.left_out()
        assert spoilers(order) == model.may_spoil()
        assert sorted(each.name for each in order.coming) == sorted(each.name for each in model.next_round)
        carried, over = model.next_round, json.loads(json.dumps(order.carried))


@settings(max_examples=40, deadline=None)
@given(rounds(), st.randoms(use_true_random=False))
def test_the_order_of_actors_changes_nothing(made: tuple[Rules, dict[str, Any]], random: Any) -> None:
    """Only what somebody declares first counts; who stands first among the actors does not."""
    rules, encounter = made
    sequence = loaded(json.dumps(artifact(rules))).sequence("round")
    ids = list(encounter["actors"])
    random.shuffle(ids)
    other = {**encounter, "actors": {id: encounter["actors"][id] for id in ids}}
    one, two = sequence.order(encounter), sequence.order(other)
    assert short(one) == short(two)
    assert left_out(one) == left_out(two)
    assert spoilers(one) == spoilers(two)


@settings(max_examples=40, deadline=None)
@given(rounds(), st.integers(0, 99))
def test_a_seed_decides_and_every_group_comes_later_than_the_one_before(
    made: tuple[Rules, dict[str, Any]], seed: int
) -> None:
    rules, encounter = made
    sequence = loaded(json.dumps(artifact(rules))).sequence("round")
    bare = {"actors": encounter["actors"]}
    found = sequence.order(bare, seed)
    assert found.to_dict() == sequence.order(bare, seed).to_dict()
    keys = [group[0].key for group in found.groups]
    assert keys == sorted(set(keys))
    assert all(each.key == group[0].key for group in found.groups for each in group)
