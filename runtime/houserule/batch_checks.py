"""A check as columns: every step for the rows that come to it, dice from columns, cases as masks.

Steps only lead forward, so each is gone through once, with the mask of the rows that arrive. A die, a value or an
outcome is known in the rows in which it was set.
"""

from __future__ import annotations

from .assigned import prefixed
from .batch_expressions import Place
from .batch_vectors import Vector
from .errors import UnusualError
from .program import Effect
from .reads import seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass

    from .batch_code import Mask
    from .batch_expressions import Adjusts, Maker
    from .batch_vectors import DiceVector
    from .expression import Binding, Expr
    from .program import Case, Check, Die, Step
    from .program import Value as NamedValue
    from .rounds import EventEffect
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class RolledDie:
    """Where a die is rolled, where its total does not fit, and between which totals it lies in all rows."""

    rolled: Mask
    wrong: Mask
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Follows:
    """An effect that follows in some rows: who sits in the chairs that it names, and its values."""

    effect: Effect | EventEffect
    players: Binding
    values: tuple[Vector, ...]
    where: Mask


class Run:
    """What comes of one check in all rows. `given` says of each die if its column may lack something."""

    def __init__(self, maker: Maker, given: dict[str, bool]) -> None:
        self.maker = maker
        self.given = given
        self.unknown: Mask = False
        self.doubt: Mask = False
        self.dice: dict[str, RolledDie] = {}
        self.names: dict[str, str] = {}
        self.effects: list[Follows] = []
        self.may_lack = False

    def name(self, path: str) -> str:
        """The variable of a die's column."""
        return self.names.setdefault(path, f"d{len(self.names)}")

    def roll(self, path: str, die: RolledDie) -> None:
        """A die that is rolled in some rows; in others another case may roll one of the same name."""
        before = self.dice.get(path, die)
        if (before.low, before.high) != (die.low, die.high):
            raise UnusualError
        either = self.maker.code.either
        rolled, wrong = either(before.rolled, die.rolled), either(before.wrong, die.wrong)
        self.dice[path] = RolledDie(rolled, wrong, die.low, die.high)

    def trouble(self, where: Mask, vector: Vector) -> None:
        """Rows that cannot be answered: what is unknown was read, or there is doubt."""
        code = self.maker.code
        self.unknown = code.either(self.unknown, code.both(where, vector.unknown))
        self.doubt = code.either(self.doubt, code.both(where, vector.doubt))


class CheckSteps:
    """The steps of one check, itself or called by another."""

    def __init__(self, run: Run, check: Check, binding: Binding, adjusts: Adjusts, prefix: str) -> None:
        self.run = run
        self.maker = run.maker
        self.code = run.maker.code
        self.vectors = run.maker.vectors
        self.check = check
        self.binding = binding
        self.adjusts = adjusts
        self.prefix = prefix
        self.locals: dict[str, Vector] = {}
        self.sure: frozenset[str] = frozenset()
        self.outcome = self.vectors.literal(0)
        self.arriving: dict[str, Mask] = {}
        self.sure_at: dict[str, frozenset[str]] = {}
        self.ends: list[frozenset[str]] = []

    def followed(self, where: Mask, runs_then: bool) -> Vector:
        """The outcome's code, after all steps, for the rows of a mask."""
        self.arriving[self.check.start] = where
        self.sure_at[self.check.start] = frozenset()
        for id, step in self.check.steps.items():
            mask = self.arriving.get(id, False)
            if mask is not False:
                self.sure = self.sure_at[id]
                self._step(step, mask)
        if runs_then:
            self._then(where)
        return self.outcome

    def _then(self, where: Mask) -> None:
        """What follows each outcome."""
        sure = frozenset.intersection(*self.ends) if self.ends else frozenset[str]()
        for code, outcome in enumerate(self.check.outcomes):
            if outcome.id in self.check.then:
                is_it = self.vectors.mask(self.vectors.compare("==", self.outcome, self.vectors.literal(code)))
                self.sure = sure
                mask = self.code.both(where, is_it)
                if mask is not False:
                    self._step(self.check.then[outcome.id], mask)

    def _place(self) -> Place:
        return Place(self.binding, "", self.locals, self.sure, self.adjusts)

    def _value(self, expr: Expr, where: Mask) -> Vector:
        found = self.maker.value(expr, self._place())
        self.run.trouble(where, found)
        return Vector(found.ref, found.low, found.high, found.over)

    def _holds(self, expr: Expr | None, where: Mask) -> Mask:
        """The rows of a mask in which a condition holds."""
        if expr is None:
            return where
        return self.code.both(where, self.vectors.mask(self._value(expr, where)))

    def _step(self, step: Step, where: Mask) -> None:
        if step.call:
            self._call(step, where)
        self._part(step, step.label.id, where)
        left = where
        for case in step.cases:
            before = self.sure
            holds = self._holds(case.when, left)
            left = self.code.both(left, self.code.inverted(holds))
            if holds is not False:
                self._case(step, case, holds)
            self.sure = before

    def _case(self, step: Step, case: Case, where: Mask) -> None:
        self._part(case, step.label.id, where)
        if case.go:
            self.arriving[case.go] = self.code.either(self.arriving.get(case.go, False), where)
            self.sure_at[case.go] = self.sure_at.get(case.go, self.sure) & self.sure
        elif case.outcome is not None:
            code = self._value(case.outcome, where)
            if code.over != 1 or code.low < 0 or code.high >= len(self.check.outcomes):
                raise UnusualError
            # Each row ends once, and its outcome was 0 before.
            found = self.vectors.add(self.outcome, self.vectors.only(where, code))
            most = max(self.outcome.high, code.high)
            self.outcome = Vector(found.ref, 0, most) if isinstance(found.ref, str) else found
            self.ends.append(self.sure)

    def _part(self, part: Step | Case, step: str, where: Mask) -> None:
        """Dice, values and effects of a step or of a case."""
        for die in part.roll:
            self._die(die, prefixed(step, die.label.id), where)
        for value in part.values:
            self._named(value, prefixed(step, value.label.id), where)
        for effect in part.effects:
            self._effect(effect, where)

    def _set(self, path: str, value: Vector, where: Mask) -> None:
        """A local, known in the rows in which it is set."""
        before = self.locals.get(path)
        unknown = self.code.inverted(where)
        if before is not None:
            value = self.vectors.select(where, value, Vector(before.ref, before.low, before.high, before.over))
            unknown = self.code.both(unknown, before.unknown)
        self.locals[path] = Vector(value.ref, value.low, value.high, value.over, unknown)

    def _named(self, value: NamedValue, path: str, where: Mask) -> None:
        self._set(path, self._value(value.value, where), where)
        self.sure |= {path}

    def _die(self, die: Die, path: str, where: Mask) -> None:
        rolled = self._holds(die.when, where)
        dice = self.maker.dice(self.maker.found(die.dice, self._place()))
        for each in (dice.low, dice.high, dice.constant):
            self.run.trouble(rolled, each)
        total = self._total(self.prefix + path, dice, rolled)
        self._set(path, self.vectors.add(total, _bare(dice.constant)), rolled)
        if die.when is None:
            self.sure |= {path}
        else:
            self.run.may_lack = True

    def _total(self, path: str, dice: DiceVector, rolled: Mask) -> Vector:
        """What the faces of a die show, from its column; 0 where it has no faces."""
        vectors, low, high = self.vectors, _bare(dice.low), _bare(dice.high)
        has_faces = vectors.mask(vectors.compare(">", high, vectors.literal(0)))
        needed = self.code.both(rolled, has_faces)
        ends = min(low.low, 0) if has_faces is not True else low.low, high.high
        wrong = needed
        total = vectors.literal(ends[1])
        if path in self.run.given and needed is not False:
            total, wrong = self._given(self.run.name(path), path, needed, low, high)
        self.run.roll(path, RolledDie(needed, wrong, low.low, high.high))
        return vectors.select(has_faces, total, vectors.literal(0))

    def _given(self, name: str, path: str, needed: Mask, low: Vector, high: Vector) -> tuple[Vector, Mask]:
        from .batch_code import dtype_for

        vectors = self.vectors
        total = Vector(self.code.input(name, dtype_for(low.low, high.high)), low.low, high.high)
        lacks = self.code.input(f"{name}_lacks", "bool") if self.run.given[path] else False
        outside = [vectors.mask(vectors.compare(*each)) for each in (("<", total, low), (">", total, high))]
        return total, self.code.both(needed, self.code.either(lacks, *outside))

    def _effect(self, effect: Effect | EventEffect, where: Mask) -> None:
        happens = self._holds(effect.when, where)
        if happens is False:
            return
        place = self._place()
        if isinstance(effect, Effect):
            chairs: tuple[str, ...] = (effect.role,)
            values: tuple[Vector, ...] = (self._value(effect.value, happens),)
        else:
            chairs = tuple(chair for _, chair in effect.chairs)
            values = tuple(self._value(value, happens) for _, value in effect.values)
        players = tuple((chair, place.player(chair)) for chair in chairs)
        self.run.effects.append(Follows(effect, players, values, happens))

    def _call(self, step: Step, where: Mask) -> None:
        assert step.call
        called = self.maker.program.checks[step.call.check]
        adjusts = list(self.adjusts)
        for each in step.call.adjusts:
            adjusts.append((each.number, each.op, each.round, self._value(each.value, where)))
        lead = f"{step.label.id}." if step.label.id else ""
        seats = seat(self.binding, step.call.seats)
        inner = CheckSteps(self.run, called, seats, tuple(adjusts), self.prefix + lead)
        outcome = inner.followed(where, step.call.runs_then)
        self.locals |= {prefixed(step.label.id, path): each for path, each in inner.locals.items()}
        self._set(prefixed(step.label.id, "outcome"), outcome, where)
        sure = frozenset.intersection(*inner.ends) if inner.ends else frozenset[str]()
        self.sure |= {prefixed(step.label.id, path) for path in (*sure, "outcome")}


def _bare(vector: Vector) -> Vector:
    return Vector(vector.ref, vector.low, vector.high, vector.over)
