"""What answers cost, as ratios to hand-written Python: `python -m tests.bench`, from the top of the checkout.

All parts are measured, or those that are named: `answers`, `batches` of a million, `rows` of long tables, odds of whole
`maneuvers`, the `start` of processes, `peers` and `peer-rows` where peers are installed, and `builds`.

Correctness comes first: every job must give what the hand-written one gives, in random situations. Then the jobs are
timed in turn, in many short rounds, and the median of the ratios of all rounds is told: what else the machine does then
slows both.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "compiler"), str(HERE.parents[1] / "runtime"), str(HERE), str(HERE.parent)]

import batches  # noqa: E402
import builds  # noqa: E402
import hand  # noqa: E402
import maneuvers  # noqa: E402
import peer_formulas  # noqa: E402
import peer_tables  # noqa: E402
import peers  # noqa: E402
import rows as many_rows  # noqa: E402
import start  # noqa: E402

import houserule  # noqa: E402
import oracle  # noqa: E402
from houserule_compiler.files import Files  # noqa: E402
from houserule_compiler.limits import Limits  # noqa: E402
from houserule_compiler.pipeline import compile_ruleset  # noqa: E402

ROOT = HERE.parents[1]
ROUNDS, SLICE, MANY = 41, 0.004, 50
"""So many rounds, so many seconds of each job in one, and so many situations of a job, one after the other."""


def rules(name: str) -> houserule.Rules:
    """A shipped ruleset, or the one beside this file."""
    return houserule.load(artifact(name))


def artifact(name: str, text: str = "") -> bytes:
    """The artifact of a shipped ruleset, of the one beside this file, or of a text."""
    schema = json.loads((ROOT / "schemas" / "rules.schema.json").read_text("utf-8"))

    def read(each: str) -> Files | None:
        if text:
            return Files(each, (("rules.yaml", text.encode()),))
        folder = ROOT / "rules" / each
        paths = [HERE / "rules.yaml"] if each == "bench" else sorted(folder.glob("*.yaml"))
        return Files(each, tuple((path.name, path.read_bytes()) for path in paths)) if paths else None

    found = compile_ruleset(name, read, schema, Limits(lines=100_000))
    assert found.artifact, [each.headline for each in found.diagnostics]
    return found.artifact


def attack_facts(random: Random) -> dict[str, Any]:
    """A situation as the hand-written code reads it."""
    flags = {each: random.random() < 0.4 for each in hand.FLAGS}
    group = random.choice(list(hand.THAC0))
    numbers = {"level": random.randint(1, 20), "armor_class": random.randint(-10, 10), "cover": random.randint(0, 3)}
    return {"group": group, **numbers, **flags}


def attack_situation(facts: dict[str, Any]) -> dict[str, Any]:
    """The same as houserule reads it."""
    of_target = ("armor_class", "prone", "stunned", "cover")
    target = {key: facts[key] for key in of_target}
    return {"attacker": {key: each for key, each in facts.items() if key not in of_target}, "target": target}


def morale_facts(random: Random) -> dict[str, Any]:
    """A situation as the hand-written code reads it."""
    ahead = random.random() < 0.5
    return {
        "hit_dice": (random.randint(1, 16), random.randint(-1, 3)),
        "resolve": random.choice(list(hand.RESOLVE)),
        "training": random.choice(list(hand.TRAINING)),
        "leader_state": random.choice(list(hand.LEADER)),
        **{each: random.randint(0, 3) for each in ("rallied", "shaken")},
        "advantage": random.randint(0, 3) if ahead else 0,
        "disadvantage": 0 if ahead else random.randint(0, 3),
        "cared_for": random.randint(0, 2),
        "neglected": random.randint(0, 2),
        "paladin": random.random() < 0.3,
        "lawful": random.random() < 0.5,
        "loyalty": random.choice([None, *range(3, 19)]),
        "charisma": random.choice([None, *range(3, 19)]),
        "fearless": random.random() < 0.1,
        "setting": random.choice(["in_combat", "out_of_combat"]),
    }


def morale_situation(facts: dict[str, Any]) -> dict[str, Any]:
    """The same as houserule reads it."""
    dice, pips = facts["hit_dice"]
    creature = {
        "hit_dice": f"{dice}{pips:+d}" if pips else str(dice),
        "periods_cared_for": facts["cared_for"],
        "periods_neglected": facts["neglected"],
        "loyalty_rating": houserule.UNKNOWN if facts["loyalty"] is None else facts["loyalty"],
        **{key: facts[key] for key in ("resolve", "training", "rallied", "shaken", "advantage", "disadvantage")},
        **{key: facts[key] for key in ("lawful", "fearless")},
    }
    charisma = houserule.UNKNOWN if facts["charisma"] is None else facts["charisma"]
    leader = {"charisma": charisma, "state": facts["leader_state"]}
    return {
        "creature": creature,
        "leader": leader,
        "paladin_present": facts["paladin"],
        "setting": facts["setting"],
    }


def gate(bench: houserule.Rules, odnd: houserule.Rules, random: Random) -> int:
    """Compares all answers in random situations; gives how many."""
    number, check = bench.number("to_hit"), bench.check("attack")
    target, whole = odnd.number("morale"), odnd.check("morale")
    for _ in range(500):
        facts, d20 = attack_facts(random), random.randint(1, 20)
        given = attack_situation(facts)
        assert number.value(given) == hand.to_hit(facts) == hand.checked(facts)
        assert without_places(number.explain(given).to_dict()) == hand.as_data(hand.explained(facts))
        assert check.resolve(given, {"d20": d20}).outcome == hand.attack(facts, d20)
        assert check.odds(given)["hit"] == hand.attack_odds(facts)
        facts = morale_facts(random)
        given = morale_situation(facts)
        assert target.value(given) == hand.morale(facts), facts
        assert whole.odds(given)["stands"] == hand.morale_odds(facts), facts
    return 500


def without_places(node: Any) -> Any:
    """The same data without where the rules stand, and which row of a table was read."""
    if isinstance(node, list):
        return [without_places(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: without_places(each) for key, each in node.items() if key not in ("origin", "row")}


Job = tuple[str, Callable[[], object], Callable[[], object]]


def jobs(bench: houserule.Rules, odnd: houserule.Rules, random: Random) -> list[Job]:
    """What is timed: a title, ours, and the hand-written one."""
    facts = [attack_facts(random) for _ in range(MANY)]
    given = [attack_situation(each) for each in facts]
    checked = [bench.facts(each) for each in given]
    more = [morale_facts(random) for _ in range(MANY)]
    sound = [odnd.facts(morale_situation(each)) for each in more]
    number, check = bench.number("to_hit"), bench.check("attack")
    number.value(given[0])
    check.resolve(given[0], {"d20": 11})
    odnd.number("morale").value(sound[0])
    explain, resolve, odds = number.explain, check.resolve, check.odds
    target, whole = odnd.number("morale").value, odnd.check("morale").odds
    dice = {"d20": 11}
    return [
        job("to-hit, facts checked before", number.value, checked, hand.to_hit, facts),
        job("to-hit, every fact checked", number.value, given, hand.checked, facts),
        job("attack, with a result object", lambda c: resolve(c, dice), checked, lambda f: hand.attacked(f, 11), facts),
        job("to-hit, explained", explain, checked, hand.explained, facts),
        job("to-hit, explained, every entry made", lambda c: explain(c).root, checked, hand.explained, facts),
        job(
            "to-hit, explained, as plain data",
            lambda c: explain(c).to_dict(),
            checked,
            lambda f: hand.as_data(hand.explained(f)),
            facts,
        ),
        job(
            "attack, result and trace, every entry",
            lambda c: resolve(c, dice).trace.root,
            checked,
            lambda f: hand.struck(f, 11),
            facts,
        ),
        job("attack, exact odds", lambda c: odds(c)["hit"], checked, hand.attack_odds, facts),
        job("morale, facts checked before", target, sound, hand.morale, more),
        job("morale, exact odds of the check", lambda c: whole(c)["stands"], sound, hand.morale_odds, more),
    ]


def job(title: str, ours: Any, our_facts: list[Any], theirs: Any, their_facts: list[Any]) -> Job:
    """A job over some situations, one after the other."""
    return title, lambda: [ours(each) for each in our_facts], lambda: [theirs(each) for each in their_facts]


def timed(job: Callable[[], object], calls: int) -> float:
    """Seconds for one call."""
    start = time.perf_counter()
    for _ in range(calls):
        job()
    return (time.perf_counter() - start) / calls


def measured(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float, float]:
    """Seconds for one call of ours and of theirs, and the ratio: the medians over rounds in which both take turns."""
    calls = max(1, int(SLICE / min(timed(ours, 3) for _ in range(3))))
    others = max(1, int(SLICE / min(timed(theirs, 3) for _ in range(3))))
    rounds = [(timed(ours, calls), timed(theirs, others)) for _ in range(ROUNDS)]
    medians = [statistics.median(each[at] for each in rounds) for at in (0, 1)]
    return medians[0], medians[1], statistics.median(one / other for one, other in rounds)


def peer_jobs() -> list[peers.Job]:
    """The two reference jobs, as peers are asked them."""
    return [
        peers.Job("to-hit", peer_formulas.TO_HIT, attack_facts, hand.to_hit, hand.attack_odds),
        peers.Job("morale", peer_formulas.MORALE, morale_facts, hand.morale, hand.morale_odds),
    ]


def starts() -> None:
    """Prints what processes take."""
    facts = {"attacker": {"group": "thief", "level": 3}, "target": {"armor_class": 4}}
    asked = {
        f"a table of {size:,} rows": (artifact("rows", many_rows.text(size, True)), "of_banded", {"place": 7})
        for size in (1_000, 10_000)
    }
    asked["the to-hit job of the bench"] = (artifact("bench"), "to_hit", facts)
    start.report(asked, dict(peer_tables.starts()))


PARTS: dict[str, Callable[[], None]] = {
    "answers": lambda: speed(),
    "batches": lambda: batches.report(rules("bench"), rules("odnd-morale")),
    "rows": lambda: many_rows.report(lambda text: houserule.load(artifact("rows", text))),
    "maneuvers": lambda: maneuvers.report(rules, oracle.situation),
    "start": starts,
    "peers": lambda: peers.report(peer_jobs(), measured),
    "peer-rows": lambda: peer_tables.report(many_rows.SIZES, many_rows.timed),
    "builds": lambda: builds.main(),
}


def main() -> None:
    """Prints the tables that are asked for, or all."""
    for part in sys.argv[1:] or PARTS:
        print(f"\n## {part}\n")
        PARTS[part]()


def speed() -> None:
    """Prints what answers cost."""
    random = Random(1)
    bench, odnd = rules("bench"), rules("odnd-morale")
    print(f"answers agree in {gate(bench, odnd, random)} random situations\n")
    print(f"{'':40}{'ours':>12}{'by hand':>12}{'ratio':>8}")
    for title, ours, theirs in jobs(bench, odnd, random):
        one, other, ratio = measured(ours, theirs)
        print(f"{title:40}{one / MANY * 1e6:10.2f}us{other / MANY * 1e6:10.2f}us{ratio:8.2f}")


if __name__ == "__main__":
    main()
