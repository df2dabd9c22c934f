"""Moments that are carried from one round into the next, as plain data and back."""

from __future__ import annotations

from .declared import Carried, Declaration
from .errors import printable
from .nearest import did_you_mean
from .values import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .encounter import _Reading
    from .evaluate import Evaluator
    from .rounds import Sequence

KEYS = (
    "actor",
    "action",
    "moment",
    "nth",
    "foe",
    "facts",
    "round",
    "step",
    "segment",
    "rounds",
    "turn_of",
    "meanwhile",
)


def data(moment: Carried, evaluator: Evaluator, sequence: Sequence) -> dict[str, object]:
    """A carried moment as plain JSON data, for the encounter of the next round."""
    declared = moment.declaration
    fields = evaluator.program.entities[sequence.action].fields if sequence.action else {}
    facts = {
        id: plain(evaluator.shown(value, fields[id].type))
        for id, value in declared.facts.items()
        if value != fields[id].default
    }
    found: dict[str, object] = {
        "actor": declared.actor,
        "action": declared.action,
        "moment": moment.moment,
        "nth": moment.nth,
        "foe": declared.foe,
        "facts": {id: value for id, value in facts.items() if value is not None},
        "round": declared.round,
        "step": moment.step,
        "segment": moment.segment,
        "rounds": moment.rounds,
        "turn_of": "foe" if moment.is_foes_turn else "",
        "meanwhile": None if moment.meanwhile is None else list(moment.meanwhile),
    }
    return {key: value for key, value in found.items() if value not in ("", None, {})}


def carried(reading: _Reading, given: object, actors: Iterable[str], round: int) -> tuple[Carried, ...]:
    """The moments that come over; a problem for each that cannot be of this sequence."""
    if not isinstance(given, list | tuple):
        reading.problem("wrong-type", "carried", "`carried` is a list, as the round before gave it")
        return ()
    return tuple(_all(reading, given, [*actors], round))


def _all(reading: _Reading, given: Iterable[object], actors: list[str], round: int) -> Iterator[Carried]:
    for index, each in enumerate(given):
        path = f"carried.{index}"
        if not hasattr(each, "items"):
            reading.problem("wrong-type", path, f"`{path}` is a mapping, as the round before gave it")
            continue
        problems = len(reading.problems)
        found = _one(reading, each, path, actors, round)  # type: ignore[arg-type]
        if found and len(reading.problems) == problems:
            yield found


def _one(reading: _Reading, given: Mapping[str, object], path: str, actors: list[str], round: int) -> Carried | None:
    for key in given:
        if key not in KEYS:
            reading.problem("unknown-name", f"{path}.{key}", f"it has no `{printable(key)}`", did_you_mean(key, KEYS))
    sequence = reading.sequence
    actor = _known(reading, given, path, "actor", actors)
    action = _known(reading, given, path, "action", [*sequence.places])
    moments = [moment.label.id for moment in sequence.places.get(action, ())]
    moment = _known(reading, given, path, "moment", moments)
    step = _known(reading, given, path, "step", [*reading.steps.ids])
    if not (actor and moment and step):
        return None
    foe = given.get("foe")
    facts = reading.fields(sequence.action, given.get("facts", {}), f"{path}.facts", ())
    declared = Declaration(
        actor,
        action,
        foe if isinstance(foe, str) and foe in actors else "",
        None,
        facts,
        min(reading.whole(given.get("round", round - 1), f"{path}.round", 0), round - 1),
    )
    meanwhile = given.get("meanwhile")
    return Carried(
        declared,
        moment,
        reading.whole(given.get("nth", 1), f"{path}.nth", 1),
        step,
        _segment(reading, given, path, step),
        reading.whole(given.get("rounds", 0), f"{path}.rounds", 0),
        given.get("turn_of") == "foe",
        None
        if meanwhile is None
        else tuple(map(str, meanwhile if isinstance(meanwhile, list | tuple) else [meanwhile])),
    )


def _segment(reading: _Reading, given: Mapping[str, object], path: str, step: str) -> int | None:
    loop = reading.steps.segments(step)
    if loop is None:
        return None
    segment = reading.whole(given.get("segment"), f"{path}.segment", loop[0])
    if segment > loop[1]:
        reading.problem("out-of-range", f"{path}.segment", f"the segments run from {loop[0]} to {loop[1]}")
    return segment


def _known(reading: _Reading, given: Mapping[str, object], path: str, key: str, known: list[str]) -> str:
    found = given.get(key)
    if isinstance(found, str) and found in known:
        return found
    shown = printable(found)
    message = f"the {key} `{shown}` of what is carried is not there" if found is not None else f"it lacks its {key}"
    reading.problem("unknown-name", f"{path}.{key}", message, did_you_mean(shown, known))
    return ""
