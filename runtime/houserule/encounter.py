"""An encounter as callers give it becomes a checked `Encounter`; all problems are found at once, nothing half-done."""

from __future__ import annotations

from itertools import combinations

from .carried import carried
from .declared import Actor, Declaration, Encounter
from .errors import FactsError, Problem, printable
from .facts import checked, chosen, fitted
from .lacking import lacking
from .limits import ACTORS, SIDES
from .nearest import did_you_mean, is_slip
from .play import Seat
from .steps import Steps
from .values import UNKNOWN, MisfitError, integer_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .asked import Asked
    from .evaluate import Value
    from .program import Field
    from .values import Unknown

    Fields = dict[str, Value | Unknown]

PARTS = ("round", "sides", "actors", "rolls", "facts", "given", "options", "happened", "carried")
"""What an encounter may say."""
OF_ACTOR = ("side", "does")
OF_DECLARATION = ("foe", "hold")


def read(asked: Asked, given: Mapping[str, object], options: Mapping[str, Value]) -> Encounter:
    """The checked encounter. Raises `FactsError` with every problem, each under its path: `actors.mage.does.cast`."""
    return _Reading(asked, given, options).encounter()


class _Reading:
    """Reads one encounter."""

    def __init__(self, asked: Asked, given: Mapping[str, object], options: Mapping[str, Value]) -> None:
        self.asked = asked
        self.program = asked.program
        self.sequence = asked.sequence
        self.steps = Steps(asked.sequence)
        self.options = dict(options)
        self.problems: list[Problem] = []
        self.given = self._map(given, "", "an encounter is a mapping: sides, actors, rolls and what happened")

    def encounter(self) -> Encounter:
        """All parts, in the order in which they can be read."""
        for key in self.given:
            if key not in PARTS:
                self.problem(
                    "unknown-name", key, f"an encounter has no `{printable(key)}`", did_you_mean(str(key), PARTS)
                )
        round = self.whole(self.given.get("round", 1), "round", 1)
        if "options" in self.given:
            self.options |= chosen(self.program, self._part("options"), fills=False)
        actors_given = self._bounded("actors", ACTORS)
        sides = self._sides(actors_given)
        actors = {id: self._actor(id, each, sides, actors_given, round) for id, each in actors_given.items()}
        own = self._own(sides)
        over = carried(self, self.given.get("carried", ()), actors_given, round)
        reads = lacking(self, actors, sides, own, over)
        given, found, rolls = self._of_roles(reads), self._happened(), self._part("rolls")
        if self.problems:
            raise FactsError(self.problems)
        return Encounter(round, sides, actors, own, given, rolls, found, over, self.options)

    def _part(self, key: str) -> Mapping[str, object]:
        return self._map(self.given.get(key, {}), key, f"`{key}` is a mapping")

    def _map(self, value: object, path: str, message: str) -> Mapping[str, object]:
        if hasattr(value, "items") and all(isinstance(key, str) for key in value):  # type: ignore[attr-defined]
            return value  # type: ignore[return-value]
        self.problem("wrong-type", path, message)
        return {}

    def _bounded(self, key: str, most: int) -> Mapping[str, object]:
        found = self._part(key)
        if len(found) <= most:
            return found
        self.problem("out-of-range", key, f"there are {len(found)} {key}, and {most} is the most")
        return {}

    def problem(self, code: str, path: str, message: str, fix: str = "") -> None:
        """Notes a problem; all are raised together."""
        self.problems.append(Problem(code, printable(path, 200), message, fix))

    def whole(self, value: object, path: str, low: int) -> int:
        """A whole number that is not below `low`."""
        found = integer_in(value) if isinstance(value, str) else value
        if isinstance(found, int) and not isinstance(found, bool) and found >= low:
            return found
        self.problem("wrong-type", path, f"`{path}` is a whole number, {low} or more")
        return low

    def _sides(self, actors: Mapping[str, object]) -> dict[str, Seat]:
        """The sides that are given; else those that actors name."""
        given = self._bounded("sides", SIDES)
        named = [each.get("side") for each in actors.values() if hasattr(each, "get")]
        ids = given or {each: {} for each in named if each and isinstance(each, str)}
        entity = self.sequence.side
        found = {id: Seat(id, entity, self.fields(entity, each, f"sides.{id}", ())) for id, each in ids.items()}
        if len(found) > SIDES:
            self.problem("out-of-range", "sides", f"there are {len(found)} sides, and {SIDES} is the most")
        elif not given and len(found) > 1:
            self._slips({id: each.get("side") for id, each in actors.items() if hasattr(each, "get")}, tuple(found))
        return found

    def _slips(self, sides: Mapping[str, object], ids: tuple[str, ...]) -> None:
        """A side that actors name, and that is a slip of the pen for another: the rarer one, or the later."""
        named = [*sides.values()]
        for one, other in combinations(ids, 2):
            if is_slip(one, other):
                meant, slip = (other, one) if named.count(one) < named.count(other) else (one, other)
                actor = next(id for id, side in sides.items() if side == slip)
                fix = f"write `{printable(meant)}`; where both are meant, list all sides under `sides`"
                what = f"`{printable(slip)}` may be a slip for the side `{printable(meant)}`"
                self.problem("unknown-name", f"actors.{actor}.side", what, fix)

    def fields(self, entity: str, given: object, path: str, apart: Iterable[str]) -> Fields:
        """The values of an entity's fields by id, defaults filled in; those that are missing are not there."""
        declared = self.program.entities[entity].fields if entity else {}
        found: Fields = {}
        bad: set[str] = set()
        for id, value in self._map(given, path, f"`{printable(path)}` is a mapping").items():
            if id in apart:
                continue
            bad.add(id)
            field = declared.get(id)
            if field is None:
                near = did_you_mean(id, [*apart, *(each for each in declared if declared[each].computed is None)])
                name = printable(path.rpartition(".")[2])
                self.problem("unknown-name", f"{path}.{id}", f"`{name}` has no `{printable(id)}`", near)
            else:
                self._take(field, value, f"{path}.{id}", found)
        for id, field in declared.items():
            if id not in bad and field.computed is None:
                _fill(field, id, found)
        return found

    def _take(self, field: Field, value: object, path: str, found: Fields) -> None:
        shown = printable(path, 200)
        if field.computed is not None:
            self.problem("computed-fact", path, f"`{shown}` is worked out from other facts", f"leave `{shown}` out")
            return
        try:
            found[field.label.id] = fitted(self.program, value, field)
        except MisfitError as error:
            self.problem(error.code, path, f"`{shown}`: {error}", error.fix)

    def _actor(self, id: str, given: object, sides: Mapping[str, Seat], all: Iterable[str], round: int) -> Actor:
        path = f"actors.{id}"
        if not (id.isidentifier() and id.isascii()):
            self.problem("wrong-type", path, f"`{printable(id)}` is no name: letters, figures and underscores")
        fields = self.fields(self.sequence.actor, given, path, OF_ACTOR)
        known = given if hasattr(given, "get") else {}
        side = self._side(id, known.get("side"), sides)
        does = self._map(known.get("does", {}), f"{path}.does", f"what `{printable(id)}` does is a mapping")
        found = [self._declaration(id, action, each, all, round) for action, each in does.items()]
        return Actor(Seat(id, self.sequence.actor, fields), side, {each.action: each for each in found if each})

    def _side(self, actor: str, side: object, sides: Mapping[str, Seat]) -> str:
        name = printable(actor)
        if side is None or side == "":
            initiatives = [self.sequence.initiative, *(step.initiative for step in self.sequence.all_steps())]
            if self.sequence.side or any(each and each.by == "side" for each in initiatives):
                near = f"add `side:`, one of {', '.join(sides)}" if sides else "add `side:`"
                self.problem("missing-fact", f"actors.{actor}", f"`{name}` is on no side", near)
            return ""
        if isinstance(side, str) and side in sides:
            return side
        found = printable(side)
        self.problem("unknown-name", f"actors.{actor}.side", f"no side `{found}`", did_you_mean(found, sides))
        return ""

    def _declaration(
        self, actor: str, action: str, given: object, actors: Iterable[str], round: int
    ) -> Declaration | None:
        path, places = f"actors.{actor}.does.{action}", self.sequence.places
        if action not in places:
            near = did_you_mean(action, places)
            self.problem(
                "unknown-name", path, f"`{self.sequence.label.id}` places no action `{printable(action)}`", near
            )
            return None
        facts = self.fields(self.sequence.action, given, path, OF_DECLARATION)
        known = given if hasattr(given, "get") else {}
        foe = self.foe(known.get("foe"), f"{path}.foe", actors)
        return Declaration(actor, action, foe, self._hold(known.get("hold"), f"{path}.hold"), facts, round)

    def foe(self, given: object, path: str, actors: Iterable[str]) -> str:
        """The actor who is a foe; nobody where none is given."""
        if given is None or given == "":
            return ""
        name = printable(given)
        if not isinstance(given, str) or given not in actors:
            self.problem("unknown-name", path, f"no actor `{name}` is there", did_you_mean(name, actors))
            return ""
        return given

    def _hold(self, given: object, path: str) -> str | int | None:
        holding = self.sequence.holding
        if given is None:
            return None
        if holding is None:
            self.problem("unknown-name", path, f"`{self.sequence.label.id}` lets nobody hold", "leave `hold` out")
            return None
        if not holding.to_segment:
            if isinstance(given, str) and given in holding.steps:
                return given
            allowed = ", ".join(holding.steps)
            self.problem("unknown-name", path, f"nobody holds to `{printable(given)}`", f"hold to one of {allowed}")
            return None
        return self._segment(given, path)

    def _segment(self, given: object, path: str) -> int | None:
        low, high = self.sequence.segments() or (1, 1)
        segment = integer_in(given) if isinstance(given, str) else given
        if isinstance(segment, int) and not isinstance(segment, bool) and low <= segment <= high:
            return segment
        self.problem(
            "out-of-range", path, f"one holds to a segment from {low} to {high}, and this is `{printable(given)}`"
        )
        return None

    def _own(self, sides: Mapping[str, Seat]) -> Fields:
        """The sequence's own facts; a side is its place among the sides."""
        declared = self.sequence.facts
        found: Fields = {}
        bad: set[str] = set()
        for id, value in self._part("facts").items():
            bad.add(id)
            field = declared.get(id)
            if field is None:
                near = did_you_mean(id, declared)
                self.problem(
                    "unknown-name", f"facts.{id}", f"`{self.sequence.label.id}` has no fact `{printable(id)}`", near
                )
            elif field.type.kind != "side":
                self._take(field, value, f"facts.{id}", found)
            elif isinstance(value, str) and value in sides:
                found[id] = [*sides].index(value)
            elif field.is_optional and value is UNKNOWN:
                found[id] = UNKNOWN
            else:
                name = printable(value)
                self.problem("unknown-name", f"facts.{id}", f"no side `{name}`", did_you_mean(name, sides))
        for id, field in declared.items():
            if id not in bad:
                _fill(field, id, found)
        return found

    def _of_roles(self, reads: Iterable[tuple[str, ...]]) -> Mapping[str, Value | Unknown]:
        try:
            return checked(self.program, self._part("given"), reads, self.options)
        except FactsError as error:
            for each in error.problems:
                self.problem(each.code, f"given.{each.path}", each.message, each.fix)
            return {}

    def _happened(self) -> dict[str, tuple[str, ...]]:
        """What came of moments; that the events exist is tested here, that the moments do once they are placed."""
        found = {}
        for name, given in self._part("happened").items():
            path = f"happened.{name}"
            events = given if isinstance(given, list | tuple) else [given]
            for each in events:
                if each not in self.program.events:
                    shown = printable(each)
                    self.problem("unknown-name", path, f"no event `{shown}`", did_you_mean(shown, self.program.events))
            found[name] = tuple(str(each) for each in events)
        return found


def _fill(field: Field, id: str, found: Fields) -> None:
    from .evaluate import pool_of

    if field.is_optional:
        found[id] = UNKNOWN
    elif field.default is not None:
        found[id] = pool_of(field.default) if field.type.kind == "dice" else field.default
