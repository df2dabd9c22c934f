"""Asks loaded rules everything in situations of chance, by generated code and by the reference, and compares."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import houserule
import oracle
from houserule import UNKNOWN, ArtifactError, HouseruleError, ProblemsError, Rules, TooLargeError
from houserule.dice import Pool, Seeded
from houserule.evaluate import Evaluator, Frame
from houserule.facts import field_of, path_of
from houserule.procedure import Procedure
from houserule.program import Field
from houserule.reads import reads_locals

WORK = 3_000
"""How much work exact odds may take here."""
MOST = 8
"""How many definitions of a kind are asked, chosen by chance."""
# What may be wrong with facts that fit their types: something is not known where it must be, or no situation is so.
EXPECTED = {"unknown-fact", "impossible"}


class Counting(Evaluator):
    """The reference evaluator, counting what it works out."""

    steps = 0

    def value(self, expr: Any, frame: Frame) -> Any:
        """The value of an expression, one step more."""
        self.steps += 1
        return super().value(expr, frame)


def asked_of_ours(rules: Rules, seed: int) -> None:
    """Asks rules that the compiler has accepted: nothing is refused, and nothing takes more than is stated."""
    asked(rules, seed, is_ours=True)


def asked(rules: Rules, seed: int, is_ours: bool = False) -> None:
    """Asks rules: both evaluators say the same, and raise nothing that is not an answer for people."""
    chance = Random(seed)
    for id in _some(chance, [each for each in rules.program.numbers if not reads_locals(rules.program, each)]):
        _number(rules, id, chance, is_ours)
    for id in _some(chance, rules.program.checks):
        _check(rules, id, chance, is_ours)
    for id in _some(chance, rules.program.tables):
        keys = tuple(
            _shown(rules, Field(key.label, key.type, None, False, None, ""), chance)
            for key in rules.program.tables[id].keys
        )
        _told(lambda id=id, keys=keys: rules.table(id)[keys], is_ours, {"out-of-range"})
    for id in _some(chance, rules.program.sequences):
        for _ in range(2):
            encounter = encountered(rules, id, chance)
            _told(lambda id=id, each=encounter: str(rules.sequence(id).order(each, seed=1).trace), is_ours, None)
    everything = frozenset().union(*(rules._reader.of([each.when]) for each in rules.program.triggers.values()))
    facts = situation(rules, everything, chance)
    _told(lambda: rules.due(facts), is_ours, None)
    for id in rules.actions:
        facts = situation(rules, rules.action(id)._reads(), chance)
        _told(lambda id=id, facts=facts: rules.action(id).allowed(facts), is_ours, None)


def situation(rules: Rules, reads: Any, chance: Random) -> dict[str, Any]:
    """Facts as callers give them; what is not known is left out."""
    found = {path_of(read): _shown(rules, field_of(rules.program, read), chance) for read in sorted(reads)}
    return {path: value for path, value in found.items() if value is not UNKNOWN}


def _shown(rules: Rules, field: Field, chance: Random) -> Any:
    type = field.type
    try:
        value = oracle._some(rules, field, chance)
    except ValueError:
        # An artifact may declare a type that has no values at all; then nothing fits.
        return "x"
    if isinstance(value, Pool):
        return str(value)
    return value if value is UNKNOWN else houserule.values.shown(value, type, _words(rules, type.choice))


def _words(rules: Rules, choice: str) -> Any:
    return rules.program.words(choice) if choice else ()


def _some(chance: Random, ids: Any) -> list[str]:
    every = list(ids)
    return every if len(every) <= MOST else chance.sample(every, MOST)


def _number(rules: Rules, id: str, chance: Random, is_ours: bool) -> None:
    number, declared = rules.number(id), rules.program.numbers[id]
    for _ in range(4):
        facts = situation(rules, rules.reads_of_number(id), chance)
        quick = _told(lambda facts=facts: number.value(facts), is_ours)
        plain = _told(lambda facts=facts: number._answered(facts, None), is_ours)
        assert quick == plain, (id, facts, quick, plain)
        _told(lambda facts=facts: str(number.explain(facts)), is_ours)
        if is_ours and plain[0] == "answer":
            low, high = declared.type.low, declared.type.high
            assert low is not None
            assert high is not None
            assert low <= plain[2] <= high, (id, facts, plain)
            counting = Counting(rules.program, rules.checked(facts, ()), rules.chosen_options, None)
            counting.number(id, Frame())
            assert counting.steps <= declared.cost, (id, facts, counting.steps, declared.cost)


def _check(rules: Rules, id: str, chance: Random, is_ours: bool) -> None:
    check, declared = rules.check(id), rules.program.checks[id]
    for _ in range(3):
        seed, facts = chance.randrange(10**6), situation(rules, rules.reads_of_check(id), chance)
        quick = _told(lambda facts=facts, seed=seed: _left(check.roll(facts, seed=seed)), is_ours)
        plain = _told(lambda facts=facts, seed=seed: _left(check._run(facts, Seeded(seed))), is_ours)
        assert quick == plain, (id, facts, seed, quick, plain)
        if quick[0] == "answer":
            _told(lambda facts=facts, seed=seed: str(check.roll(facts, seed=seed).trace), is_ours)
        if is_ours and plain[0] == "answer":
            counting = Counting(rules.program, rules.checked(facts, ()), rules.chosen_options, [])
            Procedure(counting, Seeded(seed)).check(declared, Frame(), True)
            assert counting.steps <= declared.cost, (id, facts, counting.steps, declared.cost)
    facts = situation(rules, rules.reads_of_check(id), chance)
    exact = _told(lambda: dict(check.odds(facts, limit=WORK).items()), is_ours)
    if exact[0] == "answer":
        assert sum(exact[2].values()) == 1
        quick = _told(lambda: dict(check.odds(facts).items()), is_ours)
        assert quick == exact, (id, facts, quick, exact)


def _left(result: houserule.Result) -> Any:
    return result.outcome, result.dice, result.values, [str(each) for each in result.effects]


def _told(ask: Callable[[], Any], is_ours: bool, wrong: set[str] | None = EXPECTED) -> tuple[Any, ...]:
    """The answer, or why there is none; `wrong` are the problems that facts may have, None for any."""
    try:
        found = ask()
    except ProblemsError as error:
        assert all(each.code and len(str(each).splitlines()) == 1 for each in error.problems)
        if is_ours and wrong is not None:
            assert {each.code for each in error.problems} <= wrong, error
        return "problems", sorted((each.code, each.path) for each in error.problems)
    except TooLargeError:
        return ("too large",)
    except ArtifactError as error:
        assert not is_ours, error
        assert len(str(error).splitlines()) == 1
        return ("refused",)
    except HouseruleError as error:
        assert str(error)
        return "refused", str(error)
    return "answer", type(found), found


def encountered(rules: Rules, id: str, chance: Random) -> dict[str, Any]:
    """A round of chance, in which everything is of its type."""
    program = rules.program
    sequence = program.sequences[id]
    sides = [f"s{at}" for at in range(chance.randint(1, 3))] if sequence.side else []
    names = [f"a{at}" for at in range(chance.randint(0, 4))]

    def fields(entity: str) -> dict[str, Any]:
        given = [each for each in program.entities[entity].fields.values() if each.computed is None] if entity else []
        made = {each.label.id: _shown(rules, each, chance) for each in given if chance.random() < 0.8}
        return {key: value for key, value in made.items() if value is not UNKNOWN}

    actors: dict[str, Any] = {}
    for name in names:
        does = {}
        for action in chance.sample(list(sequence.places), chance.randint(0, len(sequence.places))):
            foe = {"foe": chance.choice(names)} if chance.random() < 0.7 else {}
            hold = {"hold": chance.choice(_steps(sequence.steps) or ["x"])} if chance.random() < 0.2 else {}
            does[action] = {**fields(sequence.action), **foe, **hold}
        actors[name] = {**fields(sequence.actor), **({"side": chance.choice(sides)} if sides else {}), "does": does}
    facts = {
        each.label.id: chance.choice(sides or ["x"]) if each.type.kind == "side" else _shown(rules, each, chance)
        for each in sequence.facts.values()
    }
    known = {each: value for each, value in facts.items() if value is not UNKNOWN}
    reads = frozenset(("fact", each) for each in program.facts)
    return {
        "round": chance.randint(1, 3),
        "sides": {each: fields(sequence.side) for each in sides},
        "actors": actors,
        "facts": known,
        "given": {
            key: value
            for key, value in situation(rules, reads, chance).items()
            if program.facts[key].computed is None and chance.random() < 0.9
        },
    }


def _steps(steps: Any) -> list[str]:
    return [id for each in steps for id in (each.label.id, *_steps(each.steps))]
