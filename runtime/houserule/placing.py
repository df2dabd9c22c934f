"""Where the moments of a declared action fall: who may act, which case of each moment holds, and what is left out."""

from __future__ import annotations

from .actions import required
from .asked import chairs_of
from .errors import ArtifactError, FactsError, Problem
from .limits import MOMENTS, TIMES
from .reads import seat
from .trace import Entry, labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .declared import Carried, Declaration
    from .evaluate import Frame
    from .play import Playing
    from .rounds import Moment, MomentCase, Sequence
    from .steps import Key, Steps

WHO, HOLDING, NO_MOMENT, BUSY, LIMIT, WHEN = "who", "holding", "no_moment", "busy", "limit", "when"
LEFT_OUT = "left_out"
"""Why something is left out, besides `requires.NAME` and the ids of cases; `left_out` where a case has no id."""


class Event:
    """One moment that falls somewhere, or would. The order fills in its key, and what may spoil it."""

    def __init__(self, declared: Declaration, moment: Moment, nth: int, playing: Playing, frame: Frame) -> None:
        self.declared = declared
        self.moment = moment
        self.nth = nth
        self.playing = playing
        self.frame = frame
        self.number = 0
        self.turn = declared.actor
        self.is_foes_turn = False
        self.step = ""
        self.segment: int | None = None
        self.rounds = 0
        self.after = ""
        self.base: Event | None = None
        self.meanwhile: tuple[str, ...] | None = None
        self.is_old = False
        self.is_held = False
        self.parts: list[Entry] = []
        self.key: Key = ()
        self.spoilers: list[Event] = []
        self.spoiled_by: tuple[tuple[Event, str], ...] = ()

    @property
    def name(self) -> str:
        """What authors call it: `orc strike`, `archer shoot 2`."""
        return f"{self.declared.actor} {self.label}"

    @property
    def label(self) -> str:
        """Its moment, with its count from the second on."""
        return self.moment.label.id + (f" {self.nth}" if self.nth > 1 else "")


class Missed:
    """What is left out: a whole declaration, or one moment of it, and why."""

    def __init__(self, declared: Declaration, moment: str, reason: str, title: str, parts: tuple[Entry, ...]) -> None:
        self.declared = declared
        self.moment = moment
        self.reason = reason
        self.title = title
        self.parts = parts


class Placing:
    """Places the moments of one declaration."""

    def __init__(self, sequence: Sequence, steps: Steps, declared: Declaration, playing: Playing) -> None:
        self.sequence = sequence
        self.steps = steps
        self.declared = declared
        self.playing = playing
        self.moments = sequence.places[declared.action]
        self.start: int | None = None
        self.started: tuple[Entry, ...] = ()
        self.is_held = False

    def refused(self) -> Missed | None:
        """Why the whole declaration is left out, if it is: `who`, a requirement, or `holding`."""
        return self._not_who() or self._not_required() or self._not_held()

    def _frame(self, nth: int | None = None) -> Frame:
        counted = {} if nth is None else {"nth": nth}
        started = {} if self.start is None else {"start": self.start}
        return self.playing.frame(**counted, **started)

    def _not_who(self) -> Missed | None:
        if self.sequence.who is None:
            return None
        holds, read = self.playing.noted(self.sequence.who, self._frame())
        return None if holds else Missed(self.declared, "", WHO, "", read)

    def _not_required(self) -> Missed | None:
        action = self.playing.program.actions.get(self.declared.action)
        if action is None:
            return None
        frame = self._frame()
        frame.binding = seat((), chairs_of(action))
        found = required(self.playing, action, frame)
        entries = tuple(entry for _, entry in found)
        failing = next((each for each, entry in found if entry.status != "kept"), None)
        if failing is None:
            return None
        title = failing.label.title
        return Missed(self.declared, "", f"requires.{failing.label.id}", title, entries)

    def _not_held(self) -> Missed | None:
        holding = self.sequence.holding
        if self.declared.hold is None or holding is None or holding.when is None:
            return None
        holds, read = self.playing.noted(holding.when, self._frame())
        return None if holds else Missed(self.declared, "", HOLDING, "", read)

    def begin(self) -> None:
        """Finds the segment where the action begins. Holding never moves it to an earlier one."""
        if self.sequence.start is None:
            return
        start, self.started = self.playing.noted(self.sequence.start, self._frame())
        self.start = int(start)  # type: ignore[arg-type]
        if isinstance(self.declared.hold, int):
            self.is_held = self.declared.hold > self.start
            self.start = max(self.start, self.declared.hold)

    def events(self) -> Iterator[Event | Missed]:
        """Each moment, as often as it comes, in order."""
        for moment in self.moments:
            for nth in range(1, self._times(moment) + 1):
                found = self._moment(moment, nth)
                if found is not None:
                    yield found

    def _times(self, moment: Moment) -> int:
        if moment.times is None:
            return 1
        times = int(self.playing.amount(moment.times, self._frame()))
        if times > TIMES:
            message = f"`{moment.label.id}` would come {times} times in the round, and {TIMES} is the most"
            raise FactsError([Problem("out-of-range", self.declared.path, message)])
        return times

    def _moment(self, moment: Moment, nth: int) -> Event | Missed | None:
        event = Event(self.declared, moment, nth, self.playing, self._frame(nth))
        holds, read = self.playing.noted(True if moment.when is None else moment.when, event.frame)
        if not holds:
            return None
        event.parts += [*self.started, *read]
        event.is_held = self.is_held
        case = self._case(moment, event)
        if case.left_out:
            reason = case.label.id or LEFT_OUT
            return Missed(self.declared, event.label, reason, case.left_out, tuple(event.parts))
        self._place(event, case)
        return event

    def _case(self, moment: Moment, event: Event) -> MomentCase:
        for case in moment.cases[:-1]:
            assert case.when is not None
            holds, read = self.playing.noted(case.when, event.frame)
            event.parts.append(labelled("case", case.label, None, read, "kept" if holds else "does_not_apply"))
            if holds:
                return case
        last = moment.cases[-1]
        if last.label.id:
            event.parts.append(labelled("case", last.label, None, ()))
        return last

    def _place(self, event: Event, case: MomentCase) -> None:
        event.after, event.meanwhile = case.after, case.meanwhile
        event.is_foes_turn = case.is_foes_turn
        event.turn = self.declared.foe if case.is_foes_turn else self.declared.actor
        rounds = 0 if case.rounds is None else self._whole(case.rounds, event)
        if rounds < 0:
            raise ArtifactError("this artifact is damaged: a moment falls into a round that has passed")
        event.rounds = rounds
        if case.step is None:
            return
        code = self._whole(case.step, event)
        if not 0 <= code < len(self.steps.ids):
            raise ArtifactError("this artifact is damaged: a moment falls at no step")
        event.step = self.steps.ids[code]
        loop = self.steps.segments(event.step)
        if loop is not None:
            self._segment(event, case, loop)

    def _segment(self, event: Event, case: MomentCase, loop: tuple[int, int]) -> None:
        low, high = loop
        segment = low - 1 if case.segment is None else self._whole(case.segment, event)
        if segment < low or (segment > high and not case.passes_end):
            raise ArtifactError("this artifact is damaged: a moment falls into a segment that does not come")
        length = high - low + 1
        event.rounds += (segment - low) // length
        event.segment = (segment - low) % length + low

    def _whole(self, expr: object, event: Event) -> int:
        value, read = self.playing.noted(expr, event.frame)  # type: ignore[arg-type]
        event.parts += [each for each in read if each not in event.parts]
        return int(value)  # type: ignore[arg-type]


def from_before(carried: Carried, sequence: Sequence, playing: Playing) -> Event:
    """The event of a moment that came over from an earlier round."""
    declared = carried.declaration
    moment = next(each for each in sequence.places[declared.action] if each.label.id == carried.moment)
    event = Event(declared, moment, carried.nth, playing, playing.frame(nth=carried.nth))
    event.step, event.segment, event.rounds = carried.step, carried.segment, carried.rounds
    event.is_foes_turn, event.meanwhile = carried.is_foes_turn, carried.meanwhile
    event.turn = declared.foe if carried.is_foes_turn and declared.foe else declared.actor
    event.is_old = True
    return event


def too_many(count: int) -> FactsError:
    """The error of a round with more moments than can be ordered."""
    message = f"this round has {count} moments or more, and {MOMENTS} is the most"
    return FactsError([Problem("out-of-range", "actors", message)])
