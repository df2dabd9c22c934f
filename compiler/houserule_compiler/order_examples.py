"""The encounters of examples, played by two rulesets: with more people, with what came over, with what happened.

Each is tried with its dice and with all dice alike; of one that differs, all is left out that does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.errors import FactsError, UnknownReadError
from houserule.values import integer_in

from .order_kinds import order_kind
from .round_dice import is_alike, is_rolled_again

if TYPE_CHECKING:
    from houserule.dice import Pool

    from .order_search import Kind
    from .round_played import Fallen, Played, Roller, Round, SequenceSide

Encounter: TypeAlias = dict[str, Any]
EXAMPLES = 80
"""How many examples are played, the smallest first."""
_CROWD, _SMALLER = 24, 200
"""How many people an example may have to be played, and how often a part of it is left away to make it smaller."""
_LOOSE = ("facts", "given", "options", "happened", "carried", "round")


@dataclass(frozen=True, slots=True)
class MetExample:
    """An encounter that two rulesets put in another order, with its dice on the side of the second."""

    encounter: Encounter
    kind: Kind
    rolls: Mapping[Roller, tuple[tuple[str, int], ...]]
    before: Played
    after: Played


class ExampleSearch:
    """Plays encounters of examples on both sides."""

    def __init__(self, sides: tuple[SequenceSide, SequenceSide]) -> None:
        self.sides = sides
        self.tried = 0

    def run(self, encounters: Iterable[Mapping[str, Any]]) -> Iterator[MetExample]:
        """The encounters that differ, as they are."""
        few = [each for each in encounters if len(each.get("actors", {})) <= _CROWD]
        ordered = sorted(few, key=lambda each: (len(each.get("actors", {})), "carried" in each))
        for each in ordered[:EXAMPLES]:
            made = {**each, "actors": each.get("actors", {})}
            for given in (made, {**made, "rolls": {}}):
                met = self.met(given)
                if met:
                    yield met

    def met(self, given: Encounter) -> MetExample | None:
        """The encounter if it differs; nothing where either side refuses it, or cannot show its dice."""
        rolls = dict(_flat(given.get("rolls", {}), ""))
        try:
            one, other = (side.round(fitting(given, side)) for side in self.sides)
            fallen = [_fallen(each, rolls, given) for each in (one, other)]
        except (FactsError, UnknownReadError):
            return None
        # Where others roll, what came of it would tell of the dice and not of the rules.
        if fallen[0] is None or fallen[1] is None or not is_alike(one, other):
            return None
        if is_rolled_again(one, fallen[0]) or is_rolled_again(other, fallen[1]):
            return None
        before, after = one.play(fallen[0]), other.play(fallen[1])
        self.tried += 1
        kind = order_kind(before, after)
        if kind is None or kind[0] == "refused":
            return None
        shown = {
            roller: tuple((id, values[at] - pool.constant) for at, (id, pool) in enumerate(other.rolls[roller]))
            for roller, values in fallen[1].items()
        }
        return MetExample(given, kind, shown, before, after)

    def smaller(self, met: MetExample) -> MetExample:
        """The encounter without all that can be left out of it, as long as it differs in the same way."""
        tried, before = self.tried, None
        while before is not met:
            before = met
            for given in _without_one(met.encounter):
                if self.tried - tried >= _SMALLER:
                    break
                found = self.met(given)
                if found and found.kind == met.kind:
                    met = found
                    break
        # What is tried to make it smaller is no other round.
        self.tried = tried
        return met


def fitting(given: Encounter, side: SequenceSide) -> Encounter:
    """What one side knows of an encounter; no dice, which fall as they are told."""
    program, sequence = side.program, side.sequence

    def fields(entity: str, values: Mapping[str, Any], apart: Sequence[str] = ()) -> dict[str, Any]:
        declared = program.entities[entity].fields if entity else {}
        return {key: value for key, value in values.items() if key in declared or key in apart}

    found = {key: each for key, each in given.items() if key != "rolls"}
    found["actors"] = {}
    for id, actor in given["actors"].items():
        made = fields(sequence.actor, actor, ("side",))
        does = actor.get("does", {})
        made["does"] = {action: fields(sequence.action, each or {}, ("foe", "hold")) for action, each in does.items()}
        found["actors"][id] = made
    if "sides" in given:
        found["sides"] = {id: fields(sequence.side, each or {}) for id, each in given["sides"].items()}
    if "facts" in given:
        found["facts"] = {key: value for key, value in given["facts"].items() if key in sequence.facts}
    if "options" in given:
        found["options"] = {key: value for key, value in given["options"].items() if key in program.options}
    return found


def _fallen(round: Round, rolls: Mapping[str, Any], given: Encounter) -> Fallen | None:
    """How the dice of one side fall: as told; else as those of the side, or of the first who is on it; else lowest."""
    found: dict[Roller, tuple[int, ...]] = {}
    for (step, who), dice in round.rolls.items():
        people = given["actors"]
        of_side = [id for id, each in people.items() if each.get("side") == who]
        others = [people[who].get("side", "")] if who in people else of_side
        values = [_value(pool, _told(rolls, step, [who, *others], id)) for id, pool in dice]
        if any(each is None for each in values):
            return None
        found[step, who] = tuple(each for each in values if each is not None)
    return found


def _told(rolls: Mapping[str, Any], step: str, names: Iterable[str], die: str) -> Any:
    above = f"{step}." if step else ""
    for name in names:
        for path in (f"{above}{name}.{die}", f"{above}{name}"):
            if path in rolls:
                return rolls[path]
    return None


def _value(pool: Pool, told: Any) -> int | None:
    """The value of a die; None where it cannot show that."""
    if told is None:
        return pool.low + pool.constant
    if isinstance(told, list | tuple):
        is_right = len(told) == len(pool.faces) and all(isinstance(each, int) for each in told)
        return pool.total(told) if is_right else None
    value = integer_in(told) if isinstance(told, str) else told
    return value + pool.constant if isinstance(value, int) and pool.low <= value <= pool.high else None


def _flat(given: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _without_one(given: Encounter) -> Iterator[Encounter]:
    """The encounter without one of its parts: somebody, an action, a fact, what came over or happened."""
    for key in (each for each in _LOOSE if each in given):
        yield {name: each for name, each in given.items() if name != key}
    for id in given["actors"]:
        left = deepcopy({**given, "carried": given.get("carried", ())})
        del left["actors"][id]
        if not _is_named(left, id):
            yield left if left["carried"] else {key: each for key, each in left.items() if key != "carried"}
    for id, actor in given["actors"].items():
        for action in actor.get("does", {}):
            yield _changed(given, id, lambda each, action=action: each["does"].pop(action))  # type: ignore[misc]
        for name in actor:
            if name not in ("side", "does"):
                yield _changed(given, id, lambda each, name=name: each.pop(name))  # type: ignore[misc]


def _changed(given: Encounter, id: str, change: Callable[[dict[str, Any]], object]) -> Encounter:
    made = deepcopy(given)
    change(made["actors"][id])
    return made


def _is_named(given: Encounter, id: str) -> bool:
    """Whether somebody is a foe of others, or has something come over."""
    declared = (each for actor in given["actors"].values() for each in actor.get("does", {}).values())
    foes = {each.get("foe") for each in declared if each}
    return id in foes or any(id in (each.get("actor"), each.get("foe")) for each in given["carried"])
