"""Peers on the same jobs, with the same answers: expression engines for the two numbers, dice libraries for the odds.

A peer that is not installed is left out and said so. Each is given its quickest form that answers right: "ready" is
data that the peer has read beforehand, where it can.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, NamedTuple

import hand
import peer_formulas as formulas

Facts = dict[str, Any]
Ask = Callable[[], object]
Measured = Callable[[Callable[[], object], Callable[[], object]], tuple[float, float, float]]
MANY = 20


class Peer(NamedTuple):
    """One way to ask one peer: `asking` gives, for the facts, the call that is timed."""

    name: str
    asking: Callable[[Facts], Ask]


class Job(NamedTuple):
    """What the peers are asked: its expression, random facts, and the hand-written answer."""

    title: str
    text: str
    facts: Callable[[Random], Facts]
    by_hand: Callable[[Facts], int]
    odds: Callable[[Facts], Fraction]


TERNARY = "({one} {sign} {other} ? {one} : {other})"
WORDS = {"&&": "and", "||": "or"}


def flat(facts: Facts) -> Facts:
    """The facts as flat names with plain values."""
    dice = facts.get("hit_dice")
    rest = {key: each for key, each in facts.items() if key != "hit_dice"}
    return {**rest, "dice": dice[0], "pips": dice[1]} if dice else rest


def datalogic(text: str) -> Iterator[Peer]:
    """JSONLogic in Rust."""
    module = importlib.import_module("datalogic_py")
    engine = module.Engine()
    rule, session = engine.compile(formulas.logic(text)), engine.session()

    def ready(facts: Facts) -> Ask:
        handle = module.DataHandle(facts)
        return lambda: session.evaluate_int(rule, handle)

    yield Peer("datalogic-py, ready", ready)
    yield Peer("datalogic-py", lambda facts: lambda: rule.evaluate(facts))
    source = json.dumps(formulas.logic(text))

    def traced(facts: Facts) -> Ask:
        written = json.dumps(facts)
        return lambda: engine.evaluate_with_trace(source, written)

    yield Peer("datalogic-py, trace", traced)


def zen(text: str) -> Iterator[Peer]:
    """GoRules Zen in Rust: an expression, and the same as a node of a decision, with its trace."""
    module = importlib.import_module("zen")
    written = formulas.infix(text, WORDS, "{name}([{one}, {other}])")
    expression = module.compile_expression(written)
    yield Peer("zen-engine", lambda facts: lambda: expression.evaluate(facts))
    decision = module.ZenEngine().create_decision(module.ZenDecisionContent(graph(written)))
    yield Peer("zen-engine, trace", lambda facts: lambda: decision.evaluate(facts, {"trace": True})["result"]["out"])


def graph(expression: str) -> str:
    """A decision of one expression, as Zen reads it."""
    node = {"type": "expressionNode", "content": {"expressions": [{"id": "e", "key": "out", "value": expression}]}}
    nodes = [
        {"id": "in", "name": "in", "type": "inputNode"},
        {"id": "at", "name": "at", **node},
        {"id": "out", "name": "out", "type": "outputNode"},
    ]
    edges = [{"id": f"{one}-{to}", "sourceId": one, "targetId": to} for one, to in (("in", "at"), ("at", "out"))]
    return json.dumps({"nodes": nodes, "edges": edges})


def cel(text: str) -> Iterator[Peer]:
    """CEL in Rust."""
    module = importlib.import_module("cel")
    program = module.compile(formulas.infix(text, {}, TERNARY))

    def ready(facts: Facts) -> Ask:
        context = module.Context(variables=facts)
        return lambda: program.execute(context)

    yield Peer("CEL, ready", ready)
    yield Peer("CEL", lambda facts: lambda: program.execute(facts))


def rule_engine(text: str) -> Iterator[Peer]:
    """rule-engine in Python."""
    rule = importlib.import_module("rule_engine").Rule(formulas.infix(text, WORDS, TERNARY))
    yield Peer("rule-engine", lambda facts: lambda: int(rule.evaluate(facts)))


ENGINES = {"datalogic_py": datalogic, "zen": zen, "cel": cel, "rule_engine": rule_engine}


def engines(text: str) -> Iterator[Peer]:
    """Each way to ask each engine that is installed."""
    for module, ways in ENGINES.items():
        if importlib.util.find_spec(module):
            yield from ways(text)


def answer(found: object) -> object:
    """The number in an answer: a trace holds it as its result."""
    found = json.loads(found) if isinstance(found, str) else found
    return found["result"] if isinstance(found, dict) else found


def agreeing(job: Job, peers: list[Peer], random: Random) -> int:
    """Holds every peer to the hand-written answer in random situations; gives how many."""
    for _ in range(100):
        facts = job.facts(random)
        for peer in peers:
            found = answer(peer.asking(flat(facts))())
            assert found == job.by_hand(facts), (peer.name, found, job.by_hand(facts), facts)
    return 100


def dice_attack(facts: Facts) -> Iterator[tuple[str, Ask]]:
    """The chance to hit with each dice library that is installed."""

    def asked(spread: Callable[[Callable[[int], bool]], Any], share: Callable[[Any], object]) -> Ask:
        def ask() -> object:
            needed = hand.to_hit(facts)
            return share(spread(lambda face: face == 20 or (face != 1 and face >= needed)))

        return ask

    if importlib.util.find_spec("icepool"):
        d20 = importlib.import_module("icepool").d20
        yield "icepool", asked(d20.map, lambda spread: spread.probability(True))
    if importlib.util.find_spec("dyce"):
        yield "dyce", asked(importlib.import_module("dyce").H(20).apply, share)


def dice_morale(facts: Facts) -> Iterator[tuple[str, Ask]]:
    """The chance to stand in the whole morale check with each dice library that is installed."""
    if importlib.util.find_spec("icepool"):
        pool = importlib.import_module("icepool")
        stands = stood(facts, int)
        yield "icepool", lambda: pool.map(stands, pool.d20, pool.d20).probability(True)
    if importlib.util.find_spec("dyce"):
        dyce = importlib.import_module("dyce")
        die, results = dyce.H(20), stood(facts, lambda result: result.outcome)
        yield "dyce", lambda: share(dyce.expand(results, die, die))


def stood(facts: Facts, face: Callable[[Any], int]) -> Callable[[Any, Any], bool]:
    """Whether the check is passed, as a function of both dice."""
    return lambda first, second: hand.morale_check(facts, face(first), face(second)) == "stands"


def share(histogram: Any) -> Fraction:
    """The share of a dyce histogram that holds."""
    return Fraction(histogram.get(True, 0), histogram.total)


def report(jobs: list[Job], measured: Measured) -> None:
    """Prints a line for each peer and job: its time and its ratio to the hand-written one."""
    random = Random(7)
    for job, dice in zip(jobs, (dice_attack, dice_morale), strict=True):
        peers = list(engines(job.text))
        print(f"\n{job.title}: {agreeing(job, peers, random)} situations agree with each of {len(peers)} ways to ask")
        facts = [job.facts(random) for _ in range(MANY)]
        by_hand = partial(each_of, job.by_hand, facts)
        for peer in peers:
            line(peer.name, measured(partial(each_called, [peer.asking(flat(each)) for each in facts]), by_hand))
        odds = partial(each_of, job.odds, facts)
        for name, _ in dice(facts[0]):
            asks = [dict(dice(each))[name] for each in facts]
            assert [ask() for ask in asks] == [job.odds(each) for each in facts], name
            line(f"{name}, odds", measured(partial(each_called, asks), odds))
    for name in ENGINES.keys() | {"icepool", "dyce"}:
        if not importlib.util.find_spec(name):
            print(f"{name} is not installed")


def each_of(ask: Callable[[Facts], object], facts: list[Facts]) -> list[object]:
    """The answers for all the facts."""
    return [ask(each) for each in facts]


def each_called(asks: list[Ask]) -> list[object]:
    """The answers of all the calls."""
    return [ask() for ask in asks]


def line(name: str, times: tuple[float, float, float]) -> None:
    """Prints what one situation takes."""
    one, other, ratio = times
    print(f"{name:40}{one / MANY * 1e6:10.2f}us{other / MANY * 1e6:10.2f}us{ratio:8.2f}")
