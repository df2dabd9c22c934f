"""The reference evaluator asked directly, with held values in any situation: what every faster one must agree with."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from houserule import Rules
from houserule.dice import Pool, Seeded, Term
from houserule.errors import ArtifactError, UnknownReadError
from houserule.evaluate import Evaluator, Frame, pool_of
from houserule.facts import field_of, path_of
from houserule.fast import Fast
from houserule.procedure import Procedure
from houserule.program import Field
from houserule.values import UNKNOWN

Held = dict[str, Any]
Read = tuple[str, ...]


def situation(rules: Rules, reads: frozenset[Read], random: Random) -> Held:
    """Some value of each fact, often one at the end of its range."""
    return {path_of(read): _some(rules, field_of(rules.program, read), random) for read in sorted(reads)}


def _some(rules: Rules, field: Field, random: Random) -> Any:
    type = field.type
    if field.is_optional and random.random() < 0.4:
        return UNKNOWN
    low, high = type.low or 0, type.high
    match type.kind:
        case "boolean":
            return random.random() < 0.5
        case "choice":
            return random.randint(int(low), len(rules.program.words(type.choice)) - 1 if high is None else int(high))
        case "set":
            return random.getrandbits(len(rules.program.words(type.choice)))
        case "fraction":
            return Fraction(random.randint(int(low) * 6, int(high or 0) * 6), 6)
        case "dice":
            return pool_of(random.choice(type.one_of)) if type.one_of else Pool((Term(1, type.up_to % 1024),))
        case "text":
            return "x"
    return random.choice([int(low), int(high or 0), random.randint(int(low), int(high or 0))])


def number(rules: Rules, id: str, facts: Held) -> Any:
    """What the reference evaluator says of a number, or why it says nothing."""
    declared, evaluator = rules.program.numbers[id], Evaluator(rules.program, facts, rules.chosen_options, None)

    def asked() -> Any:
        if unknown := evaluator.unknown(declared.needs, Frame().seated(declared.seats)):
            raise UnknownReadError(unknown[0])
        return evaluator.number(id, Frame())

    return _told(asked)


def fast_number(fast: Fast, id: str, facts: Held) -> Any:
    """The same by generated code."""
    return _told(lambda: fast.number(id)(facts))


def trace(rules: Rules, id: str, facts: Held) -> Any:
    """How the reference evaluator explains a number without seats."""
    evaluator = Evaluator(rules.program, facts, rules.chosen_options, [])

    def asked() -> Any:
        evaluator.number(id, Frame())
        return (evaluator.notes or [])[-1]

    return _told(asked)


def fast_trace(fast: Fast, id: str, facts: Held) -> Any:
    """The same, put together from parts."""
    plan = fast.traces.of(id, ())
    return _told(lambda: plan.root(plan.function(facts)))


def check(rules: Rules, id: str, facts: Held, seed: int) -> Any:
    """The outcome of a check, all that it leaves by path, and how many effects follow."""
    frame, procedure = Frame(), Procedure(Evaluator(rules.program, facts, rules.chosen_options, []), Seeded(seed))

    def asked() -> Any:
        outcome, _ = procedure.check(rules.program.checks[id], frame, True)
        return outcome, {path: each for path, each in frame.locals.items() if each is not UNKNOWN}

    return _told(asked), len(procedure.effects)


def check_trace(rules: Rules, id: str, facts: Held, seed: int) -> Any:
    """Why the check came out so."""
    procedure = Procedure(Evaluator(rules.program, facts, rules.chosen_options, []), Seeded(seed))
    return _told(lambda: procedure.check(rules.program.checks[id], Frame(), True)[1])


def fast_check_trace(fast: Fast, id: str, facts: Held, seed: int) -> Any:
    """The same by generated code, of what its function gave and how the dice fell."""
    function, _ = fast.check(id)
    dice, faces = Seeded(seed), dict[str, tuple[int, ...]]()

    def roll(path: str, value: Pool | int) -> int:
        fallen = dice.roll(path, value if isinstance(value, Pool) else Pool((), int(value)))
        faces[path] = fallen.faces or ()
        return fallen.value

    def asked() -> Any:
        found = function(facts, roll, list[object]().append, "")
        plan = fast.traces.check(fast.program.checks[id])
        assert _told(lambda: plan.function(facts, found, faces)) != "unknown"
        return plan.root((facts, found, faces))

    return _told(asked)


def fast_check(fast: Fast, id: str, facts: Held, seed: int) -> Any:
    """The same by generated code."""
    function, paths = fast.check(id)
    dice, effects = Seeded(seed), list[object]()

    def roll(path: str, value: Pool | int) -> int:
        return dice.roll(path, value if isinstance(value, Pool) else Pool((), int(value))).value

    def asked() -> Any:
        outcome, *found = function(facts, roll, effects.append, "")
        left = dict(zip(paths, found, strict=True))
        return outcome, {path: each for path, each in left.items() if each is not UNKNOWN}

    return _told(asked), len(effects)


def _told(ask: Any) -> Any:
    try:
        found = ask()
    except UnknownReadError:
        return "unknown"
    except ArtifactError:
        return "refused"
    return type(found), found
