"""The order of a round: the algorithm of LANGUAGE.md 7, as plainly as it stands there. docs/artifact.md, "Order"."""

from __future__ import annotations

from .initiative import NOBODY, Rolling, Rolls
from .limits import MOMENTS
from .placing import BUSY, LIMIT, NO_MOMENT, WHEN, Event, Missed, Placing, from_before, too_many
from .play import Playing, Seat, Stage
from .situations import refuse_impossible
from .steps import Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from fractions import Fraction

    from .declared import Declaration, Encounter, Ident
    from .dice import Roller
    from .initiative import Standing
    from .program import Program
    from .rounds import Initiative, Sequence
    from .steps import Key
    from .trace import Entry


class Ordering:
    """Orders one round: the moments of this round and of later ones, what is left out, and the standings.

    Whoever asks thousands of rounds and wants no reasons leaves the trace away.
    """

    def __init__(
        self,
        program: Program,
        sequence: Sequence,
        encounter: Encounter,
        roller: Roller | None,
        is_traced: bool = True,
    ) -> None:
        self.is_traced = is_traced
        self.sequence = sequence
        self.encounter = encounter
        self.steps = Steps(sequence)
        own = {**encounter.own, "round": encounter.round}
        self.stage = Stage(program, sequence, encounter.options, encounter.given, own, encounter.sides)
        self.plain = Playing(self.stage, {}, {}, [] if is_traced else None)
        self.rolls = Rolls(encounter.rolls, roller, encounter.round)
        self.standings: dict[str, Standing] = {}
        self.events: list[Event] = []
        self.next_round: list[Event] = []
        self.missed: list[Missed] = []
        self.busy: dict[str, tuple[Ident, tuple[str, ...]]] = {}
        self.visited: dict[str, bool] = {}

    def run(self) -> None:
        """The whole algorithm. Raises `DiceError` for rolls that are missing or wrong."""
        declared = [each for actor in self.encounter.actors.values() for each in actor.does.values()]
        holds, read = self.plain.noted(True if self.sequence.when is None else self.sequence.when, self.plain.frame())
        if not holds:
            self.missed += [Missed(each, "", WHEN, "", read) for each in declared]
            self.visited = dict.fromkeys(self.steps.ids, False)
            return
        self._visit()
        self._roll("", self.sequence.initiative, self._acting(declared))
        self._carry()
        playing = [(each, self._playing(each)) for each in declared]
        refuse_impossible(playing)
        for each, who in playing:
            self._declare(each, who)
        self._leave_out_busy()
        self._stand_somewhere()
        self._roll_steps()
        self.rolls.finish(self._idle())
        self._hold()
        self._sort()
        self._limit()
        self._spoil()

    def _visit(self) -> None:
        """Which steps come in this round: those whose condition, and that of all above them, holds."""
        for id, way in self.steps.ways.items():
            above = way[-2][1].label.id if len(way) > 1 else ""
            is_open = self.visited.get(above, True)
            self.visited[id] = is_open and self.plain.holds(way[-1][1].when, self.plain.frame())

    # Who rolls, and how all stand.

    def _acting(self, declared: Iterable[Declaration]) -> list[str]:
        """The actors that do something, or have something come over, and those whose turn somebody borrows."""
        names = [each.declaration.actor for each in self.encounter.carried]
        borrowed = [each.declaration.foe for each in self.encounter.carried if each.is_foes_turn]
        for each in declared:
            names.append(each.actor)
            if any(case.is_foes_turn for moment in self.sequence.places[each.action] for case in moment.cases):
                borrowed.append(each.foe)
        wanted = {*names, *filter(None, borrowed)}
        return [id for id in self.encounter.actors if id in wanted]

    def _roll(self, step: str, initiative: Initiative | None, actors: Iterable[str]) -> None:
        if initiative is None:
            self.standings[step] = NOBODY
            return
        who = dict.fromkeys(self._roller(initiative, each) for each in actors)
        rolling = Rolling(self.stage, initiative, step, self.rolls, self.encounter.actors)
        self.standings[step] = rolling.standing(who)

    def _roller(self, initiative: Initiative, actor: str) -> str:
        return actor if initiative.by == "actor" else self.encounter.actors[actor].side

    def _roll_steps(self) -> None:
        """The initiatives of steps, for those whose moments fall in the turns that they rule."""
        for step in self.sequence.all_steps():
            if step.initiative:
                id = step.label.id
                actors = [each.turn for each in self.events if id in self._rulers(each)]
                self._roll(id, step.initiative, dict.fromkeys(actors))

    def _rulers(self, event: Event) -> list[str]:
        """The initiatives that rule where an event falls, or where it is held to."""
        held = [event.declared.hold] if event.is_held and isinstance(event.declared.hold, str) else []
        return [ruler for step in (event.step, *held) if step for ruler in self.steps.rulers(step)]

    def _idle(self) -> list[str]:
        """Who may have a roll given and needs none, as the roll is named."""
        found = []
        for step, initiative in self._initiatives():
            all = self.encounter.sides if initiative.by == "side" else self.encounter.actors
            names = [each for each in all if each not in self.standings[step].places]
            found += [f"{step}.{each}" if step else each for each in names]
        return found

    def _initiatives(self) -> list[tuple[str, Initiative]]:
        found = [("", self.sequence.initiative)]
        found += [(step.label.id, step.initiative) for step in self.sequence.all_steps()]
        return [(id, initiative) for id, initiative in found if initiative]

    def roller(self, ruler: str, actor: str) -> str:
        """Who rolls for an actor where an initiative rules; the actor itself where there is none."""
        initiative = self.steps.ways[ruler][-1][1].initiative if ruler else self.sequence.initiative
        return self._roller(initiative, actor) if initiative else actor

    def _rank(self, event: Event) -> Callable[[str], int]:
        return lambda ruler: self.standings[ruler].places.get(self.roller(ruler, event.turn), 0)

    # What comes over, and what is declared.

    def _carry(self) -> None:
        for each in self.encounter.carried:
            playing = self._playing(each.declaration)
            self._put(from_before(each, self.sequence, playing))

    def _declare(self, declared: Declaration, playing: Playing) -> None:
        placing = Placing(self.sequence, self.steps, declared, playing)
        refused = placing.refused()
        if refused:
            self.missed.append(refused)
            return
        placing.begin()
        found = [*placing.events()]
        first = next((each for each in found if isinstance(each, Event)), None)
        if first and isinstance(declared.hold, str):
            first.is_held = True
        for each in found:
            if isinstance(each, Event):
                self._put(each)
            else:
                self.missed.append(each)
        if not found:
            self.missed.append(Missed(declared, "", NO_MOMENT, "", ()))

    def _put(self, event: Event) -> None:
        event.number = len(self.events) + len(self.next_round)
        if event.rounds > 0:
            event.rounds -= 1
            self.next_round.append(event)
        else:
            self.events.append(event)
        # Whoever is busy stays so with what was begun first: a spell that runs on is not ended by declaring another.
        if event.meanwhile is not None:
            self.busy.setdefault(event.declared.actor, (event.declared.ident, event.meanwhile))
        if len(self.events) + len(self.next_round) > MOMENTS:
            raise too_many(MOMENTS)

    def _playing(self, declared: Declaration) -> Playing:
        actors, side = self.encounter.actors, self.sequence.side
        actor, foe = actors[declared.actor], actors.get(declared.foe)
        sides = {"actor.side": actor.side, "foe.side": foe.side if foe else ""}
        seats: dict[str, Seat] = {"actor": actor.seat} if self.sequence.actor else {}
        if foe and self.sequence.actor:
            seats["foe"] = foe.seat
        if self.sequence.action:
            seats["action"] = Seat("action", self.sequence.action, declared.facts)
        seats |= {chair: self.encounter.sides[id] for chair, id in sides.items() if id and side}
        does = {"actor": frozenset(actor.does), "foe": frozenset(foe.does if foe else ())}
        order = [*self.encounter.sides]
        names = {chair: order.index(id) for chair, id in sides.items() if id}
        notes: list[Entry] | None = [] if self.is_traced else None
        return Playing(self.stage, seats, does, notes, {**names, "score": self._score(declared.actor)})

    def _score(self, actor: str) -> int | Fraction:
        initiative = self.sequence.initiative
        return self.standings[""].scores[self._roller(initiative, actor)] if initiative else 0

    # What has no place after all.

    def _leave_out_busy(self) -> None:
        self._leave_out([each for each in (*self.events, *self.next_round) if self._is_busy(each)], BUSY)

    def _is_busy(self, event: Event) -> bool:
        """Whether its actor is busy with something else. What was begun in an earlier round goes on all the same."""
        if event.is_old or event.declared.actor not in self.busy:
            return False
        ident, meanwhile = self.busy[event.declared.actor]
        return event.declared.ident != ident and event.declared.action not in meanwhile

    def _leave_out(self, events: Iterable[Event], reason: str) -> None:
        """Takes events out of the order; a declaration that loses all that it has is left out as a whole."""
        out = set(events)
        if not out:
            return
        self.events = [each for each in self.events if each not in out]
        self.next_round = [each for each in self.next_round if each not in out]
        kept = {each.declared.ident for each in (*self.events, *self.next_round)}
        seen = {each.declared.ident for each in self.missed}
        done: set[Ident] = set()
        for each in sorted(out, key=lambda each: each.number):
            ident = each.declared.ident
            is_whole = ident not in kept and ident not in seen
            if is_whole and ident in done:
                continue
            done.add(ident)
            self.missed.append(Missed(each.declared, "" if is_whole else each.label, reason, "", tuple(each.parts)))

    def _stand_somewhere(self) -> None:
        """Leaves out what falls at a step that does not come, or after something that is not there."""
        while True:
            for each in self.events:
                each.base = self._base(each) if each.after else None
            out = [each for each in self.events if not self._stands(each)]
            if not out:
                return
            self._leave_out(out, NO_MOMENT)

    def _base(self, event: Event) -> Event | None:
        """What an event comes after: a moment of its own declaration, else of another one of its actor."""
        found = [
            each
            for each in self.events
            if each is not event and each.declared.actor == event.declared.actor and each.moment.label.id == event.after
        ]
        own = [each for each in found if each.declared.ident == event.declared.ident]
        if own:
            return next((each for each in own if each.nth == event.nth), own[-1])
        return found[-1] if found else None

    def _stands(self, event: Event) -> bool:
        last, seen = event, {event}
        while last.after:
            if last.base is None or last.base in seen:
                return False
            last = last.base
            seen.add(last)
        return self.visited[last.step]

    # Where all stand.

    def _hold(self) -> None:
        for each in self.events:
            hold = each.declared.hold
            if not each.is_held or not isinstance(hold, str):
                continue
            held = self.steps.key(hold, each.segment, self._rank(each))
            each.is_held = held > self._key(each) and self.visited[hold]
            if each.is_held:
                each.step, each.after, each.base = hold, "", None
                each.segment = each.segment if self.steps.segments(hold) else None

    def _key(self, event: Event) -> Key:
        if event.base is not None:
            return (*self._key(event.base), 1)
        return self.steps.key(event.step, event.segment, self._rank(event))

    def _sort(self) -> None:
        for each in self.events:
            each.key = self._key(each)
        self.events.sort(key=lambda each: each.key)

    def _limit(self) -> None:
        """Leaves out what is beyond the limit of a visit, with all that its declaration has after it."""
        counts: dict[tuple[str, Key, str], int] = {}
        out: list[Event] = []
        ended: set[Ident] = set()
        for each in self.events:
            visits = self._limited(each)
            if each.declared.ident in ended or any(counts.get(visit, 0) >= most for visit, most in visits):
                ended.add(each.declared.ident)
                out.append(each)
                continue
            for visit, _ in visits:
                counts[visit] = counts.get(visit, 0) + 1
        out += [each for each in self.next_round if each.declared.ident in ended]
        self._leave_out(out, LIMIT)
        if out:
            self._stand_somewhere()
            self._sort()

    def _limited(self, event: Event) -> list[tuple[tuple[str, Key, str], int]]:
        at = event
        while at.base is not None:
            at = at.base
        visits = self.steps.visits(at.step, at.segment, self._rank(at))
        actor = event.declared.actor
        return [((step.label.id, key, actor), step.limit) for step, key in visits if step.limit]

    # What may spoil what.

    def _spoil(self) -> None:
        happened = self._happened()
        against: dict[str, list[Event]] = {}
        for each in self.events:
            against.setdefault(each.declared.foe, []).append(each)
        is_late = {id(each) for each in self.next_round}
        for each in (*self.events, *self.next_round):
            if each.moment.spoiled:
                self._spoiled(each, id(each) in is_late, against.get(each.declared.actor, []), happened)

    def _spoiled(
        self, event: Event, is_late: bool, against: list[Event], happened: Mapping[int, tuple[str, ...]]
    ) -> None:
        spoiled = event.moment.spoiled
        assert spoiled
        since = self._since(event, spoiled.since)
        if since is not None and since in self.next_round:
            return
        for each in against:
            is_after = since is None or since.key < each.key
            if is_after and (is_late or each.key < event.key) and set(each.moment.threat) & set(spoiled.by):
                event.spoilers.append(each)
        # What failed itself does nothing to anybody.
        event.spoiled_by = tuple(
            (each, what)
            for each in event.spoilers
            if not each.spoiled_by
            for what in happened.get(id(each), ())
            if what in spoiled.by
        )

    def _since(self, event: Event, moment: str) -> Event | None:
        """The earlier moment of the same declaration; None for the round's start."""
        if event.is_old or not moment:
            return None
        own = [
            each
            for each in (*self.events, *self.next_round)
            if each.declared.ident == event.declared.ident and each.moment.label.id == moment
        ]
        return next((each for each in own if each.nth == event.nth), own[-1] if own else None)

    def _happened(self) -> dict[int, tuple[str, ...]]:
        """What came of each event of this round. Raises `FactsError` for moments that are not there."""
        from .happened import happened

        return {id(event): found for event, found in happened(self.events, self.encounter.happened)}

    def read(self) -> list[Entry]:
        """What the conditions of the sequence and its steps read."""
        return list(dict.fromkeys(self.plain.notes or ()))
