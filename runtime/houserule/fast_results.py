"""Checks by generated code: the usual case at once, with what it leaves and why told only when that is asked for."""

from __future__ import annotations

from .answers import Report, Result
from .dice import Given, Pool, Rolled, Seeded
from .errors import UnusualError
from .fast_checks import Follows
from .fast_expressions import Place
from .procedure import Effect, Happening
from .program import Effect as DeclaredEffect
from .questions import places
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import Any, TypeAlias

    from .dice import GivenDice, Roller
    from .evaluate import Value
    from .facts import Checked
    from .fast_odds import Falls
    from .program import Check, Type
    from .rules import Rules
    from .trace import Trace
    from .values import Shown

    _Effects: TypeAlias = list[tuple[Follows, tuple[Value, ...]]]


class FastCheck:
    """One check by generated code."""

    def __init__(self, rules: Rules, check: Check) -> None:
        self.rules = rules
        self.check = check
        self.function, self.paths = rules.fast.check(check.label.id)
        self.words = tuple(word.id for word in check.outcomes)
        self.types = dict(places(rules.program, check))
        self.evaluator = rules.evaluator({}, None)
        self.usual = rules.usual(rules.reads_of_check(check.label.id))
        self.outcome: Callable[..., Any] | None = None
        self.falls: dict[int, Falls] = {}
        self.spans: dict[int, tuple[int, int]] = {}

    def roll(self, facts: Checked, seed: int | str) -> Result:
        """The result with dice from a seed. Raises `UnknownReadError` where something unknown is read."""
        return self._result(facts, _Recorded(seed))

    def resolve(self, facts: Checked, dice: GivenDice) -> Result:
        """The result with given totals. Raises `UnusualError` where anything else is given, or they do not fit."""
        given = _Totals(self, dice)
        result = self._result(facts, given)
        if len(given.pools) != len(dice):
            raise UnusualError
        return result

    def odds(self, facts: Checked) -> dict[int, Fraction] | None:
        """The chance of each outcome, by its code; None where there are too many ways."""
        from .fast_odds import outcomes

        if self.outcome is None:
            name, _, _ = self.rules.fast.check_function(self.check, Place(), False)
            self.outcome = self.rules.fast.namespace[name]
        return outcomes(self.outcome, facts, self.falls, self.rules.fast.is_constant)

    def _result(self, facts: Checked, roller: _Recorded | _Totals) -> Result:
        effects: _Effects = []
        found = self.function(facts, roller.roll, effects.append, "")
        return Result(self.check.label.id, self.words[found[0]], _Left(self, facts, roller, found, effects))

    def span(self, pool: Pool) -> tuple[int, int]:
        """The least and the most that the faces of a pool show; remembered for those that stand in the rules."""
        found = self.spans.get(id(pool))
        if found is None:
            found = pool.low, pool.high
            if self.rules.fast.is_constant(pool):
                self.spans[id(pool)] = found
        return found


class _Recorded:
    """Dice from a seed, remembered as they fall."""

    __slots__ = ("rolled", "seeded")

    def __init__(self, seed: int | str) -> None:
        self.seeded = Seeded(seed)
        self.rolled: dict[str, Rolled] = {}

    def roll(self, path: str, pool: Pool | int) -> int:
        """The value of a die."""
        fallen = self.rolled[path] = self.seeded.roll(path, pool if isinstance(pool, Pool) else Pool((), pool))
        return fallen.value

    def faces(self) -> dict[str, tuple[int, ...]]:
        """The faces of each die."""
        return {path: each.faces for path, each in self.rolled.items() if each.faces is not None}

    def again(self) -> Roller:
        """The same dice once more."""
        return self.seeded


class _Totals:
    """Given totals, one for each die that is rolled."""

    __slots__ = ("check", "dice", "pools")

    def __init__(self, check: FastCheck, dice: GivenDice) -> None:
        self.check = check
        # What is told later must not follow what the caller does to them meanwhile.
        self.dice = dict(dice)
        self.pools: dict[str, Pool] = {}

    def roll(self, path: str, pool: Pool | int) -> int:
        """The value of a die."""
        if not isinstance(pool, Pool) or not pool.terms:
            raise UnusualError
        total = self.dice.get(path)
        low, high = self.check.span(pool)
        if type(total) is not int or not low <= total <= high:
            raise UnusualError
        self.pools[path] = pool
        return total + pool.constant

    def faces(self) -> dict[str, tuple[int, ...]]:
        """The face of each single die; of several only the total is known."""
        return {path: (self.dice[path],) for path, pool in self.pools.items() if len(pool.faces) == 1}  # type: ignore[misc]

    def again(self) -> Roller:
        """The same dice once more."""
        return Given(self.dice)


class _Left:
    """What a check left, as generated code gives it; told when it is asked for."""

    __slots__ = ("check", "effects", "facts", "found", "roller")

    def __init__(
        self, check: FastCheck, facts: Checked, roller: _Recorded | _Totals, found: tuple[Any, ...], effects: _Effects
    ) -> None:
        self.check = check
        self.facts = facts
        self.roller = roller
        self.found = found
        self.effects = effects

    def report(self) -> Report:
        """Dice, values and effects as callers see them."""
        check, types = self.check, self.check.types
        left = {path: value for path, value in zip(check.paths, self.found[1:], strict=True) if value is not UNKNOWN}
        dice = {path: value for path, value in left.items() if types[path] is None}
        values = {path: self._shown(value, types[path]) for path, value in left.items() if path not in dice}
        return Report(dice, self.roller.faces(), values, tuple(self._follows(*each) for each in self.effects))

    def trace(self) -> Trace:
        """Why, by the reference evaluator with the same dice."""
        return self.check.rules.carried_out(self.check.check, self.facts, self.roller.again()).trace

    def _shown(self, value: Value, type: Type | None) -> Shown:
        assert type is not None
        return self.check.evaluator.shown(value, type)

    def _follows(self, follows: Follows, values: tuple[Value, ...]) -> Effect | Happening:
        program, effect = self.check.rules.program, follows.effect
        if isinstance(effect, DeclaredEffect):
            chair, role = follows.players[0]
            type = program.entities[program.roles[role].entity].fields[effect.field].type
            return Effect(role, effect.field, effect.op, self._shown(values[0], type), chair, effect.round)
        types = program.events[effect.event].arguments
        arguments: dict[str, Shown] = {
            name: player for (name, _), (_, player) in zip(effect.chairs, follows.players, strict=True)
        }
        for (name, _), value in zip(effect.values, values, strict=True):
            arguments[name] = self._shown(value, types[name].type)
        return Happening(effect.event, dict(sorted(arguments.items())))
