"""Initiative: who rolls what, each one's score, and the place that it gives. docs/artifact.md, "Order"."""

from __future__ import annotations

from .dice import Given
from .errors import DiceError, Problem, printable
from .limits import REROLLS
from .nearest import did_you_mean
from .play import Playing, Seat
from .procedure import pool_rolled
from .trace import Entry, labelled
from .values import UNKNOWN, exact, integer_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from dataclasses import dataclass
    from fractions import Fraction
    from typing import TypeAlias

    from .declared import Actor
    from .dice import Pool, Rolled, Roller
    from .evaluate import Frame
    from .play import Stage
    from .program import Die
    from .rounds import Initiative

    Score: TypeAlias = tuple[int | Fraction, ...]
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """How those who rolled stand: the first score of each, its place from 0, and who shares one."""

    scores: Mapping[str, int | Fraction]
    places: Mapping[str, int]
    ties: tuple[tuple[str, ...], ...]
    entries: tuple[Entry, ...]


NOBODY = Standing({}, {}, (), ())
"""Where there is no initiative, all are equal."""


class Rolls:
    """The dice of one round: those that are given, else from a roller; without one they are missing.

    A die of `party` is given as `party`, where the roll has one die, or as `party.die`; of a step's own initiative with
    the step in front; of the second roll of those who tie with `.2` behind.
    """

    def __init__(self, given: Mapping[str, object], roller: Roller | None, round: int) -> None:
        self.given = dict(_flat(given, ""))
        self.roller = roller
        self.round = round
        self.rolled: dict[str, Rolled] = {}
        self.problems: list[Problem] = []
        self.names: set[str] = set()

    def roll(self, step: str, who: str, die: Die, again: int, is_only: bool, pool: Pool) -> Rolled:
        """How one die falls for somebody; `again` is 1 for the first roll, 2 where those who tied roll again."""
        behind = f".{again}" if again > 1 else ""
        names = [f"{who}{behind}"] if is_only else []
        names.append(f"{who}.{die.label.id}{behind}")
        if step:
            names = [f"{step}.{name}" for name in names]
        self.names |= set(names)
        rolled = self._fallen(names, pool)
        self.rolled[names[0]] = rolled
        return rolled

    def _fallen(self, names: list[str], pool: Pool) -> Rolled:
        name = next((each for each in names if each in self.given), "")
        if name or self.roller is None:
            given = Given({name: self.given[name]} if name else {})  # type: ignore[dict-item]
            rolled = given.roll(name or names[0], pool)
            self.problems += [
                Problem(each.code, f"rolls.{each.path}", each.message, each.fix) for each in given.problems
            ]
            return rolled
        return self.roller.roll(f"{self.round}.{names[-1]}", pool)

    def finish(self, idle: Iterable[str]) -> None:
        """Raises `DiceError` for what is missing, wrong, or of nobody; those who are idle may roll all the same."""
        free = tuple(idle)
        for name in self.given:
            if name not in self.names and not any(name == each or name.startswith(f"{each}.") for each in free):
                shown = printable(name)
                message = f"nobody rolls `{shown}`"
                self.problems.append(Problem("unknown-die", f"rolls.{shown}", message, did_you_mean(shown, self.names)))
        if self.problems:
            raise DiceError(self.problems)


def _flat(given: Mapping[str, object], above: str) -> Iterator[tuple[str, object]]:
    for name, value in given.items():
        if hasattr(value, "items"):
            yield from _flat(value, f"{above}{name}.")  # type: ignore[arg-type]
        else:
            number = integer_in(value) if isinstance(value, str) else None
            yield f"{above}{name}", value if number is None else number


class Rolling:
    """Carries out one initiative, for some who roll."""

    def __init__(
        self, stage: Stage, initiative: Initiative, step: str, rolls: Rolls, actors: Mapping[str, Actor]
    ) -> None:
        self.stage = stage
        self.initiative = initiative
        self.step = step
        self.rolls = rolls
        self.actors = actors

    def standing(self, who: Iterable[str]) -> Standing:
        """Scores and places of those who roll."""
        entries: dict[str, list[Entry]] = {each: [] for each in who}
        scores = {each: self.score(each, 1, entries[each]) for each in entries}
        first = {each: score[0] for each, score in scores.items()}
        groups = self._grouped(scores)
        again = 2
        while self.initiative.ties == "reroll" and self.initiative.roll and again <= REROLLS:
            tied = [each for group in groups if len(group) > 1 for each in group]
            if not tied or self.rolls.problems:
                break
            for each in tied:
                scores[each] += self.score(each, again, entries[each])
            groups = self._grouped(scores)
            again += 1
        places = {each: place for place, group in enumerate(groups) for each in group}
        made = tuple(
            Entry("initiative", each, _whole(first[each]), op=str(places[each] + 1), parts=tuple(entries[each]))
            for group in groups
            for each in group
        )
        return Standing(first, places, tuple(tuple(group) for group in groups if len(group) > 1), made)

    def _grouped(self, scores: Mapping[str, Score]) -> list[list[str]]:
        """Those of one score together, best first. Those who tied have more scores, which only tell them apart."""
        sign = -1 if self.initiative.first == "highest" else 1
        found: dict[tuple[Fraction, ...], list[str]] = {}
        for each, score in scores.items():
            found.setdefault(tuple(sign * exact(one) for one in score), []).append(each)
        return [found[key] for key in sorted(found)]

    def score(self, who: str, again: int, entries: list[Entry]) -> Score:
        """What one roll of somebody comes to; what was rolled and read is added to `entries`."""
        playing = self._playing(who)
        frame = playing.frame()
        for die in self.initiative.roll:
            entries.append(self._die(die, who, again, playing, frame))
        found: list[int | Fraction] = []
        for expr in self.initiative.score:
            value, read = playing.noted(expr, frame)
            found.append(value)  # type: ignore[arg-type]
            entries += [each for each in read if each not in entries]
        return tuple(found)

    def _playing(self, who: str) -> Playing:
        seats: dict[str, Seat] = {}
        if self.initiative.by == "side":
            seats["side"] = self.stage.sides[who]
        else:
            actor = self.actors[who]
            seats["actor"] = actor.seat
            if actor.side and self.stage.sequence.side:
                seats["actor.side"] = self.stage.sides[actor.side]
        return Playing(self.stage, {chair: each for chair, each in seats.items() if each.entity}, {}, [])

    def _die(self, die: Die, who: str, again: int, playing: Playing, frame: Frame) -> Entry:
        if not playing.holds(die.when, frame):
            frame.locals[die.label.id] = UNKNOWN
            return labelled("die", die.label, None, (), "does_not_apply")
        pool = pool_rolled(playing, die, frame)
        rolled = self.rolls.roll(self.step, who, die, again, len(self.initiative.roll) == 1, pool)
        frame.locals[die.label.id] = rolled.value
        faces = tuple(str(face) for face in rolled.faces or ())
        return Entry("die", die.label.id, rolled.value, "kept", die.label.title, str(pool), faces, die.label.source)


def _whole(score: int | Fraction) -> int | Fraction:
    return score.numerator if score.denominator == 1 else score
