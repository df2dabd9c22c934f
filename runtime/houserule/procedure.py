"""A check is carried out: its steps, dice, values, effects and cases, with a trace. docs/artifact.md, "Evaluation"."""

from __future__ import annotations

from . import program
from .assigned import prefixed
from .dice import Pool
from .errors import ArtifactError
from .evaluate import Adjustment, Frame
from .reads import seat
from .records import changed
from .trace import Entry, labelled
from .values import UNKNOWN, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass

    from .dice import Rolled, Roller
    from .evaluate import Evaluator, Value
    from .program import Case, Check, Die, Op, Step
    from .program import Value as DeclaredValue
    from .rounds import EventEffect
    from .trace import Status
    from .values import Shown
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """A change that follows: `role` is named as the caller names it, `chair` is where it sits in the check."""

    role: str
    field: str
    op: Op
    value: Shown
    chair: str
    round: str = ""

    @property
    def path(self) -> str:
        """The field that changes: `target.hit_points`."""
        return f"{self.role}.{self.field}"

    def __str__(self) -> str:
        if self.op == "add" and isinstance(self.value, int):
            return f"{self.path} {self.value:+d}"
        return f"{self.path} {self.op.replace('_', ' ')} {text_of(self.value)}"

    def to_dict(self) -> dict[str, object]:
        """The effect as plain data."""
        from .values import plain

        found: dict[str, object] = {"path": self.path, "op": self.op, "value": plain(self.value), "chair": self.chair}
        return found | ({"round": self.round} if self.round else {})


@dataclass(frozen=True, slots=True)
class Happening:
    """An event that follows; of its arguments, those who are somebody are named as the caller names them."""

    event: str
    arguments: Mapping[str, Shown]

    @property
    def path(self) -> str:
        """The id of the event."""
        return self.event

    def __str__(self) -> str:
        given = ", ".join(f"{name} {text_of(value)}" for name, value in self.arguments.items())
        return f"{self.event} ({given})" if given else self.event

    def to_dict(self) -> dict[str, object]:
        """The event as plain data."""
        from .values import plain

        return {"event": self.event, "arguments": {name: plain(value) for name, value in self.arguments.items()}}


def reported(
    evaluator: Evaluator, effect: program.Effect | EventEffect, frame: Frame
) -> tuple[Effect | Happening, Entry] | None:
    """What an effect comes to, with its entry of the trace, or None where its condition does not hold."""
    holds, asked = evaluator.noted(True if effect.when is None else effect.when, frame)
    if not holds:
        return None
    if not isinstance(effect, program.Effect):
        return _happening(evaluator, effect, frame, asked)
    value, read = evaluator.noted(effect.value, frame)
    role = frame.player(effect.role)
    path, field, _ = evaluator.field(role, effect.field, frame)
    shown = evaluator.shown(value, field.type)
    found = Effect(path.rpartition(".")[0], effect.field, effect.op, shown, effect.role, effect.round)
    return found, Entry("effect", found.path, shown, op=effect.op, parts=asked + read)


def _happening(
    evaluator: Evaluator, effect: EventEffect, frame: Frame, parts: tuple[Entry, ...]
) -> tuple[Happening, Entry]:
    """An event that follows; `parts` are what its condition read."""
    arguments: dict[str, Shown] = {name: evaluator.name_of(frame.player(chair)) for name, chair in effect.chairs}
    types = evaluator.program.events[effect.event].arguments
    for name, value in effect.values:
        found, read = evaluator.noted(value, frame)
        arguments[name] = evaluator.shown(found, types[name].type)  # type: ignore[arg-type]
        parts += read
    happening = Happening(effect.event, dict(sorted(arguments.items())))
    return happening, Entry("effect", effect.event, str(happening), op="event", parts=parts)


class Procedure:
    """One check under way: what was rolled, which values came out, what follows, by path."""

    def __init__(self, evaluator: Evaluator, roller: Roller) -> None:
        self.evaluator = evaluator
        self.roller = roller
        self.rolled: dict[str, Rolled] = {}
        self.values: dict[str, Shown] = {}
        self.effects: list[Effect | Happening] = []

    def check(self, check: Check, frame: Frame, runs_then: bool) -> tuple[int, Entry]:
        """The outcome's code and the trace of a check; the frame's locals are those that it leaves."""
        entries: list[Entry] = []
        at: str | None = check.start
        outcome, path = 0, f"checks.{check.label.id}"
        while at is not None:
            case = self._step(check.steps[at], frame, entries, f"{path}.steps.{at}" if at else path)
            if not case.go and case.outcome is not None:
                outcome, told = self.outcome(check, case, frame)
                entries += told
            at = case.go or None
        word = check.outcomes[outcome]
        if runs_then and word.id in check.then:
            self._step(check.then[word.id], frame, entries, f"{path}.then.{word.id}")
        return outcome, labelled("check", check.label, word.id, tuple(entries), path=path)

    def _step(self, step: Step, frame: Frame, entries: list[Entry], path: str) -> Case:
        """One step, which stands at `path`; gives the case that was taken."""
        inside: list[Entry] = []
        if step.call:
            inside.append(self.call(step, frame))
        self._part(step, step.label.id, frame, inside, path)
        case = self._chosen(step, frame, inside, path)
        self._part(case, step.label.id, frame, inside, f"{path}.cases.{case.label.id}" if case.label.id else path)
        entries += inside if not step.label.id else [labelled("step", step.label, None, tuple(inside), path=path)]
        return case

    def outcome(self, check: Check, case: Case, frame: Frame) -> tuple[int, tuple[Entry, ...]]:
        """The outcome's code; with an entry where it was worked out from something."""
        assert case.outcome is not None
        outcome, read = self.evaluator.noted(case.outcome, frame)
        code = outcome_code(check, outcome)
        return code, (Entry("outcome", "outcome", check.outcomes[code].id, parts=read),) if read else ()

    def call(self, step: Step, frame: Frame) -> Entry:
        """The entry of the check that a step calls, which is carried out."""
        assert step.call
        called = self.evaluator.program.checks[step.call.check]
        inner, read = called_frame(self.evaluator, step, frame)
        outcome, entry = self.check(called, inner, step.call.runs_then)
        for path, value in inner.locals.items():
            frame.locals[prefixed(step.label.id, path)] = value
        path = prefixed(step.label.id, "outcome")
        frame.locals[path] = outcome
        self.values[frame.prefix + path] = called.outcomes[outcome].id
        return changed(entry, kind="call", parts=read + entry.parts)

    def _part(self, part: Step | Case, step: str, frame: Frame, entries: list[Entry], at: str) -> None:
        """Dice, values and effects of a step or of a case, which stands at the path `at`."""
        values = "values" if isinstance(part, program.Step) else "give"
        for die in part.roll:
            entries.append(self.die(die, prefixed(step, die.label.id), frame, f"{at}.roll.{die.label.id}"))
        if part.roll:
            self.roller.settle()
        for value in part.values:
            entries.append(self.value(value, prefixed(step, value.label.id), frame, f"{at}.{values}.{value.label.id}"))
        for effect in part.effects:
            entries += self.effect(effect, frame, at)

    def value(self, value: DeclaredValue, path: str, frame: Frame, rule: str) -> Entry:
        """The entry of a value, which is worked out; `rule` is where it stands in the rules."""
        found, read = self.evaluator.noted(value.value, frame)
        frame.locals[path] = found
        shown = self.values[frame.prefix + path] = self.evaluator.shown(found, value.type)
        return labelled("value", value.label, shown, read, path=rule)

    def effect(self, effect: program.Effect | EventEffect, frame: Frame, at: str) -> tuple[Entry, ...]:
        """The entry of an effect of the part at `at`, or none where its condition does not hold."""
        follows = reported(self.evaluator, effect, frame)
        if follows is None:
            return ()
        self.effects.append(follows[0])
        key = f"{effect.role}.{effect.field}" if isinstance(effect, program.Effect) else effect.event
        return (changed(follows[1], path=f"{at}.effects.{key}"),)

    def die(self, die: Die, path: str, frame: Frame, rule: str) -> Entry:
        """The entry of a die, which is rolled; `rule` is where it stands in the rules."""
        holds, asked = self.evaluator.noted(True if die.when is None else die.when, frame)
        if not holds:
            frame.locals[path] = UNKNOWN
            return labelled("die", die.label, None, asked, "does_not_apply", rule)
        value, read = self.evaluator.noted(die.dice, frame)
        pool = pool_of_roll(value)
        rolled = self.roller.roll(frame.prefix + path, pool)
        frame.locals[path] = rolled.value
        self.rolled[frame.prefix + path] = rolled
        faces = tuple(str(face) for face in rolled.faces or ())
        label = die.label
        return Entry(
            "die", label.id, rolled.value, "kept", label.title, str(pool), faces, label.source, rule, asked + read
        )

    def _chosen(self, step: Step, frame: Frame, entries: list[Entry], at: str) -> Case:
        for case in step.cases[:-1]:
            holds, entry = self.tried(case, frame, at)
            entries.append(entry)
            if holds:
                return case
        last = step.cases[-1]
        if last.label.id:
            entries.append(labelled("case", last.label, None, (), path=f"{at}.cases.{last.label.id}"))
        return last

    def tried(self, case: Case, frame: Frame, at: str) -> tuple[bool, Entry]:
        """Whether the condition of a case holds, and its entry; its step stands at the path `at`."""
        assert case.when is not None
        holds, read = self.evaluator.noted(case.when, frame)
        status: Status = "kept" if holds else "does_not_apply"
        return bool(holds), labelled("case", case.label, None, read, status, f"{at}.cases.{case.label.id}")


def pool_rolled(evaluator: Evaluator, die: Die, frame: Frame) -> Pool:
    """The dice that a die rolls."""
    return pool_of_roll(evaluator.value(die.dice, frame))


def pool_of_roll(value: Value) -> Pool:
    """Dice as they are; an integer always falls so."""
    return value if isinstance(value, Pool) else Pool((), int(value))


def outcome_of(evaluator: Evaluator, check: Check, case: Case, frame: Frame) -> int:
    """The outcome that a case ends in, as a code."""
    assert case.outcome is not None
    return outcome_code(check, evaluator.value(case.outcome, frame))


def outcome_code(check: Check, code: object) -> int:
    """A value that is the code of an outcome of the check."""
    if not isinstance(code, int) or not 0 <= code < len(check.outcomes):
        raise ArtifactError(f"this artifact is damaged: check `{check.label.id}` ends in no outcome of its own")
    return code


def called_frame(evaluator: Evaluator, step: Step, frame: Frame) -> tuple[Frame, tuple[Entry, ...]]:
    """The frame in which a step's call runs: its seats, and its adjustments after those that hold already.

    With it comes what was read for the adjustments.
    """
    assert step.call
    where = frame.prefix + step.label.id
    adjusts = frame.adjusts
    parts: tuple[Entry, ...] = ()
    for each in step.call.adjusts:
        value, read = evaluator.noted(each.value, frame)
        adjusts += (Adjustment(each.number, each.op, value, each.round, where),)  # type: ignore[arg-type]
        parts += read
    prefix = frame.prefix + (f"{step.label.id}." if step.label.id else "")
    return Frame(seat(frame.binding, step.call.seats), adjusts, {}, prefix), parts
