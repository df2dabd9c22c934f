"""Actions and triggers: whether somebody may act, and what calls for a check, each with its trace."""

from __future__ import annotations

from .errors import UnknownReadError
from .evaluate import Frame
from .trace import Entry, Trace, labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from dataclasses import dataclass

    from . import rounds
    from .evaluate import Evaluator
    from .expression import Expr, Read
    from .procedure import Effect, Happening
    from .program import Label, Op
    from .rounds import Requirement
    from .trace import EntryKind, Status
    from .values import Shown
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Allowed:
    """Whether an action is allowed: true or false as a condition. `refused_by` are the requirements that are not met.

    `requirements` says of each, by id, whether it is met.
    """

    action: str
    requirements: Mapping[str, bool]
    trace: Trace

    @property
    def refused_by(self) -> tuple[str, ...]:
        """The ids of all requirements that are not met, in order."""
        return tuple(id for id, is_met in self.requirements.items() if not is_met)

    def __bool__(self) -> bool:
        return not self.refused_by

    def __str__(self) -> str:
        return "allowed" if self else f"refused: {', '.join(self.refused_by)}"

    def to_dict(self) -> dict[str, object]:
        """The answer as plain JSON data, without the trace."""
        return {"action": self.action, "allowed": bool(self), "requirements": dict(self.requirements)}


@dataclass(frozen=True, slots=True)
class Adjusted:
    """What a trigger does to a number in the check that it calls for."""

    number: str
    op: Op
    value: Shown

    def to_dict(self) -> dict[str, object]:
        """The adjustment as plain JSON data."""
        from .values import plain

        return {"number": self.number, "op": self.op, "value": plain(self.value)}


@dataclass(frozen=True, slots=True)
class Due:
    """A trigger that holds: the check that it calls for, empty if none; in which seats, adjusted how; what follows.

    `is_every_round` says that it is due in each round in which it holds.
    """

    trigger: str
    title: str
    check: str
    seats: Mapping[str, str]
    adjusts: tuple[Adjusted, ...]
    effects: tuple[Effect | Happening, ...]
    is_every_round: bool
    trace: Trace

    def __str__(self) -> str:
        seats = ", ".join(f"{player} as {chair}" for chair, player in self.seats.items())
        adjusts = ", ".join(f"{each.number} {_signed(each)}" for each in self.adjusts)
        more = "; ".join(filter(None, [seats, adjusts, *(str(each) for each in self.effects)]))
        check = f"check {self.check}" if self.check else ""
        return f"{self.trigger}: " + (f"{check} ({more})" if check and more else check or more)

    def to_dict(self) -> dict[str, object]:
        """The trigger as plain JSON data, without the trace."""
        return {
            "trigger": self.trigger,
            "check": self.check or None,
            "as": dict(self.seats),
            "adjust": [each.to_dict() for each in self.adjusts],
            "effects": [each.to_dict() for each in self.effects],
            "every_round": self.is_every_round,
        }


def _signed(adjusted: Adjusted) -> str:
    from .values import text_of

    value = adjusted.value
    if adjusted.op == "add" and isinstance(value, int):
        return f"{value:+d}"
    return f"{adjusted.op.replace('_', ' ')} {text_of(value)}"


def met(
    evaluator: Evaluator, when: Expr, needs: tuple[Read, ...], frame: Frame
) -> tuple[Status, tuple[str, ...], tuple[Entry, ...]]:
    """Whether a condition holds, what of that it needs is not known, and what was read."""
    unknown = evaluator.unknown(needs, frame)
    if unknown:
        return "not_known", unknown, ()
    try:
        holds, read = evaluator.noted(when, frame)
    except UnknownReadError as error:
        return "not_known", (error.path,), ()
    return ("kept" if holds else "does_not_apply"), (), read


def required(evaluator: Evaluator, action: rounds.Action, frame: Frame) -> list[tuple[Requirement, Entry]]:
    """Each requirement with its entry of the trace, which is `kept` where it is met."""
    found = []
    for each in action.requires:
        status, unknown, read = met(evaluator, each.when, each.needs, frame)
        why = unknown if status == "not_known" else () if status == "kept" else (each.text,)
        path = f"actions.{action.label.id}.requires.{each.label.id}"
        found.append((each, _entry("requirement", each.label, path, status, why, read)))
    return found


def allowed(evaluator: Evaluator, action: rounds.Action) -> Allowed:
    """Whether the action is allowed to who sits in its chairs."""
    found = required(evaluator, action, Frame())
    requirements = {each.label.id: entry.status == "kept" for each, entry in found}
    entries = tuple(entry for _, entry in found)
    root = labelled("action", action.label, all(requirements.values()), entries, path=f"actions.{action.label.id}")
    return Allowed(action.label.id, requirements, Trace(root, evaluator.program.origins))


def held(evaluator: Evaluator, trigger: rounds.Trigger) -> tuple[Due | None, Entry]:
    """The trigger if it holds, and its entry of the trace either way."""
    from .procedure import reported

    frame = Frame()
    status, unknown, read = met(evaluator, trigger.when, trigger.needs, frame)
    if status != "kept":
        why = unknown if status == "not_known" else (trigger.text,)
        return None, _entry("trigger", trigger.label, _path(trigger), status, why, read)
    parts = [*read]
    adjusts = []
    for each in trigger.adjusts:
        value, more = evaluator.noted(each.value, frame)
        adjusts.append(Adjusted(each.number, each.op, value))  # type: ignore[arg-type]
        parts.append(Entry("adjustment", each.number, adjusts[-1].value, op=each.op, parts=more))
    follows = [found for effect in trigger.effects if (found := reported(evaluator, effect, frame))]
    inside = (*parts, *(each for _, each in follows))
    entry = labelled("trigger", trigger.label, True, inside, path=_path(trigger))
    effects = tuple(effect for effect, _ in follows)
    label, seats = trigger.label, dict(trigger.seats)
    trace, every = Trace(entry, evaluator.program.origins), trigger.is_every_round
    return Due(label.id, label.title, trigger.check, seats, tuple(adjusts), effects, every, trace), entry


def _path(trigger: rounds.Trigger) -> str:
    return f"triggers.{trigger.label.id}"


def missing(trigger: rounds.Trigger, paths: tuple[str, ...]) -> Entry:
    """The entry of a trigger that does not hold because facts are missing."""
    return _entry("trigger", trigger.label, _path(trigger), "not_known", paths, ())


def _entry(
    kind: EntryKind, label: Label, path: str, status: Status, why: tuple[str, ...], parts: tuple[Entry, ...]
) -> Entry:
    return Entry(kind, label.id, status == "kept", status, label.title, "", why, label.source, path, parts)


@dataclass(frozen=True, slots=True)
class DueTriggers:
    """The triggers that are due, in order of their ids. Iterates over them; `trace` has an entry for every trigger."""

    due: tuple[Due, ...]
    trace: Trace

    def __iter__(self) -> Iterator[Due]:
        return iter(self.due)

    def __len__(self) -> int:
        return len(self.due)

    def __getitem__(self, id: str) -> Due:
        return next(each for each in self.due if each.trigger == id)

    def __contains__(self, id: object) -> bool:
        return any(each.trigger == id for each in self.due)

    def __str__(self) -> str:
        return "\n".join(str(each) for each in self.due) or "nothing is due"

    def to_dict(self) -> dict[str, object]:
        """The triggers as plain JSON data, without the trace."""
        return {"due": [each.to_dict() for each in self.due]}
