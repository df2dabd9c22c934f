"""What an encounter does not give and the sequence reads: found before anything is placed, all at once."""

from __future__ import annotations

from .values import described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .declared import Actor, Carried, Declaration
    from .encounter import _Reading
    from .evaluate import Value
    from .play import Seat
    from .reads import Reads
    from .values import Unknown


def lacking(
    reading: _Reading,
    actors: Mapping[str, Actor],
    sides: Mapping[str, Seat],
    own: Mapping[str, Value | Unknown],
    over: tuple[Carried, ...],
) -> Reads:
    """Notes all that is missing of those who take part; gives the reads of roles and loose facts, for `facts`."""
    return _Lacking(reading, actors, sides, own).all(over)


class _Lacking:
    def __init__(
        self,
        reading: _Reading,
        actors: Mapping[str, Actor],
        sides: Mapping[str, Seat],
        own: Mapping[str, Value | Unknown],
    ) -> None:
        self.reading = reading
        self.actors = actors
        self.sides = sides
        self.own = own
        self.told = {each.path for each in reading.problems}
        self.others: set[tuple[str, ...]] = set()
        self.memo: dict[tuple[str, bool], Reads] = {}

    def all(self, over: tuple[Carried, ...]) -> Reads:
        """What every declaration reads, and every roll of those who take part."""
        asked, sequence = self.reading.asked, self.reading.sequence
        self._of(asked.always(), None, None)
        initiatives = [sequence.initiative, *(step.initiative for step in sequence.all_steps())]
        rolling = frozenset(read for each in initiatives for read in asked.rolling(each))
        came_over = {each.declaration.actor for each in over}
        for actor in self.actors.values():
            if actor.does or actor.seat.id in came_over:
                self._of(rolling, actor, None)
            for each in actor.does.values():
                self._declared(actor, each)
        return frozenset(self.others)

    def _declared(self, actor: Actor, declared: Declaration) -> None:
        key = declared.action, declared.hold is not None
        if key not in self.memo:
            self.memo[key] = self.reading.asked.declared(*key)
        reads = self.memo[key]
        is_asked = any(read[1].partition(".")[0] == "foe" for read in reads if read[0] != "fact")
        if not declared.foe and (is_asked or self.reading.asked.borrows_turn(declared.action)):
            path = f"{declared.path}.foe"
            self._tell(
                path, f"`{declared.action}` of `{declared.actor}` is against nobody", "add `foe:`, one of the actors"
            )
        self._of(reads, actor, declared)

    def _of(self, reads: Reads, actor: Actor | None, declared: Declaration | None) -> None:
        for read in sorted(reads):
            if read[0] == "local":
                self._own_fact(read[1])
            elif read[0] == "fact":
                self.others.add(read)
            else:
                self._field(read, actor, declared)

    def _own_fact(self, name: str) -> None:
        fact = self.reading.sequence.facts.get(name)
        if fact and name not in self.own:
            what = "one of the sides" if fact.type.kind == "side" else ""
            self._missing(f"facts.{name}", fact.type, what)

    def _field(self, read: tuple[str, ...], actor: Actor | None, declared: Declaration | None) -> None:
        chair, field = read[1], read[2]
        players = self.reading.sequence.players()
        if chair not in players and chair != "side":
            self.others.add(read)
            return
        if chair == "side" or not actor:
            seats = [(f"sides.{each.id}", each) for each in self.sides.values()] if chair == "side" else []
        else:
            seats = self._seated(chair, actor, declared)
        for path, seat in seats:
            if field not in seat.fields:
                type = self.reading.program.entities[seat.entity].fields[field].type
                self._missing(f"{path}.{field}", type)

    def _seated(self, chair: str, actor: Actor, declared: Declaration | None) -> list[tuple[str, Seat]]:
        foe = self.actors.get(declared.foe) if declared else None
        who = foe if chair.startswith("foe") else actor
        if who is None:
            return []
        if chair.endswith(".side"):
            return [(f"sides.{who.side}", self.sides[who.side])] if who.side in self.sides else []
        if chair != "action":
            return [(f"actors.{who.seat.id}", who.seat)]
        from .play import Seat

        entity = self.reading.sequence.action
        return [(declared.path, Seat("action", entity, declared.facts))] if declared else []

    def _missing(self, path: str, type: object, what: str = "") -> None:
        program = self.reading.program
        words = program.words(type.choice) if type.choice else ()  # type: ignore[attr-defined]
        self._tell(path, f"`{path}` is missing: {what or described(type, words)}", f"give `{path}`")  # type: ignore[arg-type]

    def _tell(self, path: str, message: str, fix: str) -> None:
        if path not in self.told:
            self.told.add(path)
            self.reading.problem("missing-fact", path, message, fix)
