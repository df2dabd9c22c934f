"""One round of one of two rulesets, with any dice, and what came of it in a form that can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from houserule.asked import Asked, chairs_of
from houserule.dice import Rolled
from houserule.encounter import read
from houserule.errors import FactsError, UnknownReadError
from houserule.expression import DiceTerm, Local, Operation, parts
from houserule.initiative import Rolling, Rolls
from houserule.ordering import Ordering
from houserule.procedure import reported
from houserule.program import expressions_of_effects
from houserule.reporting import grouped, order
from houserule.rounds import expressions_of_initiative, expressions_of_moment, expressions_of_sequence

from .reached import Declared, Reached

if TYPE_CHECKING:
    from houserule.dice import Pool
    from houserule.expression import Expr
    from houserule.initiative import Score
    from houserule.placing import Event, Missed
    from houserule.program import Condition
    from houserule.reads import Reads
    from houserule.rounds import Initiative, Moment, Sequence

    from .playing_side import Side

Roller: TypeAlias = tuple[str, str]
"""Who rolls: the step whose initiative it is, empty for the round's own, and the side or actor."""
Fallen: TypeAlias = Mapping[Roller, tuple[int, ...]]
"""The value of each die of each roller, in order."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a round: what happens at once together, with where it falls, and all that has no place in it.

    `refused` says why there is no order; the rest is empty then.
    """

    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    coming: tuple[tuple[str, str], ...] = ()
    may_spoil: tuple[tuple[str, tuple[str, ...]], ...] = ()
    effects: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    refused: str = ""

    @property
    def order(self) -> tuple[frozenset[str], ...]:
        """Who acts when, wherever it falls: what happens at once together."""
        return tuple(frozenset(names) for _, names in self.groups)


class Falling:
    """Dice that fall as told, else lowest; it notes whose dice are asked for."""

    def __init__(self, fallen: Fallen) -> None:
        self.fallen = fallen
        self.asked: dict[Roller, list[tuple[str, Pool]]] = {}

    def roll(self, path: str, pool: Pool) -> Rolled:
        """How the next die of somebody falls: `path` is the round, a step if it rules, who, the die, and how often."""
        _, *names = path.split(".")
        if names[-1].isdigit():
            # Those who tie and roll again differ then; how likely that is tells the first roll.
            again = [*self.asked].index((names[0] if len(names) > 3 else "", names[-3]))
            return Rolled(min(pool.low + again, pool.high) + pool.constant)
        roller = (names[0] if len(names) > 2 else "", names[-2])
        dice = self.asked.setdefault(roller, [])
        dice.append((names[-1], pool))
        told = self.fallen.get(roller, ())
        return Rolled(told[len(dice) - 1] if len(dice) <= len(told) else pool.low + pool.constant)

    def settle(self) -> None:
        """These dice can always be trusted."""


class SequenceSide:
    """A sequence of one of two rulesets, as something that can be asked hundreds of times."""

    def __init__(self, side: Side, id: str) -> None:
        self.side = side
        self.id = id
        self.program = side.program
        self.sequence = side.program.sequences[id]
        self.asked = Asked(self.program, self.sequence)
        self.declared: dict[str, Reads] = {}
        self.named: dict[str, set[str]] = {}

    @cached_property
    def initiatives(self) -> dict[str, Initiative]:
        """The initiatives by the step that has them; the round's own without a name."""
        found = {step.label.id: step.initiative for step in self.sequence.all_steps() if step.initiative}
        return ({"": self.sequence.initiative} if self.sequence.initiative else {}) | found

    @cached_property
    def exprs(self) -> tuple[Expr, ...]:
        """Every expression of the sequence, with all within it."""
        values = (each.value for each in self.sequence.values.values())
        return tuple(_within([*expressions_of_sequence(self.sequence), *values]))

    def exprs_of(self, action: str) -> Iterator[Expr]:
        """Every expression that places an action, with all within it."""
        return _within(_of_place(self.sequence.places[action]))

    def names(self, action: str) -> set[str]:
        """All definitions that the place of an action comes upon, and whether it is allowed."""
        if action not in self.named:
            requires = self.program.actions[action].requires if action in self.program.actions else ()
            exprs = [*_of_place(self.sequence.places[action]), *(each.when for each in requires)]
            impossible = self.impossible_of(action)
            found = self._reached([*exprs, *(each.when for each in impossible)])
            self.named[action] = found.names | {f"impossible.{each.label.id}" for each in impossible}
        return self.named[action]

    def impossible_of(self, action: str) -> list[Condition]:
        """What cannot be, of those who sit in the chairs of an action."""
        declared = self.program.actions.get(action)
        chairs = {chair for chair, _ in chairs_of(declared)} if declared else set()
        return [
            each
            for each in self.program.impossible.values()
            if (reads := self.side.reads_of([each])) and all(one[0] == "field" and one[1] in chairs for one in reads)
        ]

    @cached_property
    def shared_names(self) -> set[str]:
        """All definitions that the sequence comes upon whoever does what."""
        placed = {id(expr) for place in self.sequence.places.values() for expr in _of_place(place)}
        values = [each.value for each in self.sequence.values.values()]
        own = [
            each for each in expressions_of_sequence(self.sequence) if id(each) not in placed or isinstance(each, int)
        ]
        return self._reached([*own, *values]).names

    def uses_of_difference(self, other: SequenceSide) -> set[Declared]:
        """The facts that those parts of the sequence read that the other does not have."""
        theirs = [*_spoken(other.sequence)]
        return set(self._reached(each for each in _spoken(self.sequence) if each not in theirs).uses)

    def _reached(self, exprs: Iterable[Expr]) -> Reached:
        found = Reached(self.program, self.side.options)
        found.players = {**self.sequence.players(), "side": self.sequence.side}
        waiting, seen = [*exprs], set[str]()
        while waiting:
            expr = waiting.pop()
            found.expr(expr)
            for each in _within([expr]):
                if isinstance(each, Local) and each.path in self.sequence.values and each.path not in seen:
                    seen.add(each.path)
                    waiting.append(self.sequence.values[each.path].value)
        return found

    @cached_property
    def reads_for_rolls(self) -> bool:
        """Whether a score reads anything but its dice."""
        exprs = [expr for each in self.initiatives.values() for expr in expressions_of_initiative(each)]
        own = {die.label.id for each in self.initiatives.values() for die in each.roll}
        plain = (int, Operation, DiceTerm)
        return any(
            each.path not in own if isinstance(each, Local) else not isinstance(each, plain) for each in _within(exprs)
        )

    def reads(self, name: str) -> bool:
        """Whether it reads one of its own names, such as `score`."""
        return Local(name) in self.exprs

    @cached_property
    def reads_always(self) -> Reads:
        """What is read whoever does what."""
        return self.asked.always()

    @cached_property
    def reads_rolling(self) -> Reads:
        """What is read of whoever rolls."""
        return frozenset(read for each in self.initiatives.values() for read in self.asked.rolling(each))

    def reads_of(self, action: str) -> Reads:
        """What is read of whoever declares an action."""
        if action not in self.declared:
            declared = self.program.actions.get(action)
            seated = dict(chairs_of(declared)) if declared else {}
            reads = self.side.reads_of(self.impossible_of(action))
            played = frozenset(("field", seated[read[1]], read[2]) for read in reads)
            self.declared[action] = self.asked.declared(action, self.sequence.holding is not None) | played
        return self.declared[action]

    def round(self, encounter: Mapping[str, object]) -> Round:
        """A round that can be played. Raises `FactsError` where the encounter is refused."""
        return Round(self, encounter)


class Round:
    """An encounter on one side."""

    def __init__(self, at: SequenceSide, given: Mapping[str, object]) -> None:
        self.at = at
        self.encounter = read(at.asked, given, at.side.options)

    @cached_property
    def rolls(self) -> dict[Roller, tuple[tuple[str, Pool], ...]]:
        """Who rolls which dice."""
        falling = Falling({})
        self.ordering(falling).run()
        return {roller: tuple(dice) for roller, dice in falling.asked.items()}

    @cached_property
    def impossible(self) -> str:
        """What of it cannot be, if anything. Raises `FactsError` for what is wrong otherwise."""
        try:
            _ = self.rolls
        except FactsError as error:
            if any(each.code != "impossible" for each in error.problems):
                raise
            return error.problems[0].message
        return ""

    @cached_property
    def dice_key(self) -> object:
        """Equal where the same dice come to the same: who rolls which, and all that their scores can read."""
        pools = tuple((roller, tuple(str(pool) for _, pool in dice)) for roller, dice in self.rolls.items())
        found = self.encounter
        if not self.at.reads_for_rolls:
            return self.at, pools
        seats = [*found.sides.values(), *(each.seat for each in found.actors.values())]
        read = sorted({name[-1] for name in self.at.reads_rolling})
        fields = repr([(each.id, *(each.fields.get(name) for name in read)) for each in seats])
        return self.at, pools, fields, repr((found.own, found.given, found.options, found.round))

    def ordering(self, falling: Falling, is_traced: bool = False) -> Ordering:
        """The round before it is put in order."""
        return Ordering(self.at.program, self.at.sequence, self.encounter, falling, is_traced)

    def score(self, roller: Roller, values: tuple[int, ...]) -> Score:
        """What some dice come to for somebody."""
        step, who = roller
        falling = Falling({roller: values})
        rolls = Rolls({}, falling, self.encounter.round)
        stage = self.ordering(falling).stage
        return Rolling(stage, self.at.initiatives[step], step, rolls, self.encounter.actors).score(who, 1, [])

    def play(self, fallen: Fallen, calls: bool = False) -> Played:
        """What comes of it with some dice; `calls` also tells what its steps call for."""
        ordering = self.ordering(Falling(fallen), calls)
        try:
            ordering.run()
        except (FactsError, UnknownReadError) as error:
            return Played(refused=_refused(error))
        all = [*ordering.events, *ordering.next_round]
        spoilers = ((each.name, tuple(sorted(one.name for one in each.spoilers))) for each in all if each.spoilers)
        return Played(
            tuple((where(group[0]), tuple(sorted(map(_name, group)))) for group in grouped(ordering.events)),
            tuple(sorted(map(_missed, ordering.missed))),
            tuple(sorted((each.name, _later(each)) for each in ordering.next_round)),
            tuple(sorted(spoilers)),
            tuple(effect for each in all for effect in _effects(each)),
            tuple(f"{each.step}: {each.check or each.sequence}" for each in order(ordering).entries) if calls else (),
        )


def _of_place(place: Iterable[Moment]) -> Iterator[Expr]:
    for moment in place:
        yield from expressions_of_moment(moment)
        yield from expressions_of_effects(moment.spoiled.effects if moment.spoiled else ())


def _spoken(sequence: Sequence) -> Iterator[Expr]:
    yield from expressions_of_sequence(sequence)
    yield from (each.value for each in sequence.values.values())


def _refused(error: FactsError | UnknownReadError) -> str:
    return error.problems[0].message if isinstance(error, FactsError) else f"`{error.path}` is not known"


def where(event: Event) -> str:
    """The step where something falls, with its segment where the step counts any."""
    at = event
    while at.base is not None:
        at = at.base
    return at.step + ("" if at.segment is None else f" {at.segment}")


def _name(event: Event) -> str:
    return event.name + (" spoiled" if event.spoiled_by else "")


def _missed(missed: Missed) -> tuple[str, str]:
    name = " ".join(filter(None, (missed.declared.actor, missed.declared.action, missed.moment)))
    return name, f"{missed.reason} ({missed.title})" if missed.title else missed.reason


def _later(event: Event) -> str:
    return f"{where(event)}, {event.rounds} more" if event.rounds else where(event)


def _effects(event: Event) -> Iterator[str]:
    spoiled = event.moment.spoiled if event.spoiled_by else None
    for effect in spoiled.effects if spoiled else ():
        found = reported(event.playing, effect, event.frame)
        if found:
            yield str(found[0])


def _within(exprs: Iterable[Expr]) -> Iterator[Expr]:
    for expr in exprs:
        yield expr
        yield from _within(parts(expr))
