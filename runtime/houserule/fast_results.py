"""Checks by generated code: the usual case at once, with what it leaves and why told only when that is asked for."""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .answers import Odds, Report, Result
from .dice import Pool, Rolled, Seeded
from .errors import UnusualError
from .fast_checks import DICE, EFFECTS, CheckFunction, Follows
from .fast_entry import Head
from .fast_expressions import FACTS, Place
from .procedure import Effect, Happening
from .program import Effect as DeclaredEffect
from .questions import places
from .trace import Trace
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction
    from typing import Any, TypeAlias

    from .dice import GivenDice
    from .evaluate import Value
    from .facts import Checked, GivenFacts
    from .fast_check_traces import CheckTrace
    from .fast_odds import Falls
    from .program import Check, Type
    from .rules import Rules
    from .values import Shown

    _Effects: TypeAlias = Sequence[tuple[Follows, tuple[Value, ...]]]
    _Left: TypeAlias = tuple[Checked, tuple[Any, ...], _Effects, "_Recorded | _Totals | None"]
    """What a check notes of one result: the facts, what its function gave, effects, and the dice if it keeps them."""


_INLINED = 3
"""So many numbers are worked out within the function of a check, and all others by their own functions."""


class FastCheck:
    """One check by generated code. It also tells what a result left and why, when that is asked for."""

    def __init__(self, rules: Rules, check: Check) -> None:
        self.rules = rules
        self.check = check
        self.id = check.label.id
        self.function, self.paths = rules.fast.check(self.id)
        self.words = tuple(word.id for word in check.outcomes)
        self.types = dict(places(rules.program, check))
        self.evaluator = rules.evaluator({}, None)
        self.reads = rules.reads_of_check(self.id)
        self.usual = rules.usual(self.reads)
        self.outcome: Callable[..., Any] | None = None
        self.falls: dict[int, Falls] = {}
        self.spans: dict[int, tuple[int, int]] = {}
        self.pools: Mapping[str, Pool] = {}
        self.told: CheckTrace | None = None

    def resolving(self, slow: Callable[[GivenFacts, GivenDice], Result]) -> Callable[[GivenFacts, GivenDice], Result]:
        """A function that resolves the check with given totals; what is unusual it leaves to another."""
        head = Head(self.usual, self.reads)
        head.function.inlines = _INLINED
        made = CheckFunction(head.function, self.check, Place(), True, is_given=True, prefix="")
        made.emit()
        if made.pools is None:
            return slow
        self.pools = made.pools
        body, constant = head.function.body, self.rules.fast.constant
        has_effects = syntax.reads_name(body, EFFECTS)
        is_other = syntax.compared(syntax.call("type", syntax.name(DICE)), ("is not", syntax.name("dict")))
        body[:0] = syntax.when(is_other, [syntax.evaluate(syntax.call("unusual"))])
        if has_effects:
            body[:0] = [syntax.assign("list", ast.List([], ast.Load())), *syntax.appending(EFFECTS, "list")]
        differs = syntax.compared(syntax.call("len", syntax.name(DICE)), ("!=", made.rolled()))
        body += syntax.when(differs, [syntax.evaluate(syntax.call("unusual"))])
        effects = syntax.name("list") if has_effects else self.rules.fast.constant(())
        left = syntax.sequence([syntax.name(FACTS), made.found(), effects, syntax.literal(None)])
        word = syntax.element(constant(self.words), syntax.name(made.outcome))
        body.append(syntax.give(ast.Call(constant(Result), [constant(self), word, left], [])))
        return head.define((DICE,), body, slow)

    def weighing(self, slow: Callable[[GivenFacts], Odds]) -> Callable[[GivenFacts], Odds]:
        """A function that gives the odds of the check; what is unusual it leaves to another."""
        from fractions import Fraction

        from .fast_chances import Walk

        head = Head(self.usual, self.reads)
        try:
            walk = Walk(self.rules.fast.chances, head.function, self.check, Place(), frozenset(), False)
            end = walk.emit()
        except UnusualError:
            return slow
        of, constant = end.whole(), self.rules.fast.constant

        def chances_of(whole: int) -> Callable[[int], Fraction]:
            return lambda many: Fraction(many, whole)

        exact = ast.Call(constant(chances_of), [of.expression()], []) if of.loose else constant(chances_of(of.of))
        ways = syntax.name(end.variable)
        counts = syntax.mapping((word, syntax.element(ways, syntax.literal(at))) for at, word in enumerate(self.words))
        made = [constant(self.id), syntax.literal(""), counts, exact]
        head.function.body.append(syntax.give(ast.Call(constant(Odds), made, [])))
        return head.define((), head.function.body, slow)

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
            made = self.rules.fast.check_function(self.check, Place(), False)
            self.outcome = self.rules.fast.namespace[made.name]
        return outcomes(self.outcome, facts, self.falls, self.rules.fast.is_constant)

    def _result(self, facts: Checked, roller: _Recorded | _Totals) -> Result:
        effects: list[Any] = []
        found = self.function(facts, roller.roll, effects.append, "")
        return Result(self, self.words[found[0]], (facts, found, effects, roller))

    def span(self, pool: Pool) -> tuple[int, int]:
        """The least and the most that the faces of a pool show; remembered for those that stand in the rules."""
        found = self.spans.get(id(pool))
        if found is None:
            found = pool.low, pool.high
            if self.rules.fast.is_constant(pool):
                self.spans[id(pool)] = found
        return found

    def report(self, left: _Left) -> Report:
        """Dice, values and effects as callers see them."""
        _, found, effects, roller = left
        there = {path: value for path, value in zip(self.paths, found[1:], strict=True) if value is not UNKNOWN}
        dice = {path: value for path, value in there.items() if self.types[path] is None}
        values = {path: self._shown(value, self.types[path]) for path, value in there.items() if path not in dice}
        faces = self._faces(dice) if roller is None else roller.faces()
        return Report(dice, faces, values, tuple(self._follows(*each) for each in effects))

    def trace(self, left: _Left) -> Trace:
        """Why: put together when its root is asked for, by `fast_check_traces`."""
        self.told = self.told or self.rules.fast.traces.check(self.check)
        facts, found, _, roller = left
        faces = roller.faces() if isinstance(roller, _Recorded) else None
        return Trace(None, self.rules.program.origins, self.told, (facts, found, faces))

    def _faces(self, dice: dict[str, int]) -> dict[str, tuple[int, ...]]:
        """The face of each single die; of several only the total is known."""
        pools = self.pools
        return {path: (v - pools[path].constant,) for path, v in dice.items() if len(pools[path].faces) == 1}

    def _shown(self, value: Value, type: Type | None) -> Shown:
        assert type is not None
        return self.evaluator.shown(value, type)

    def _follows(self, follows: Follows, values: tuple[Value, ...]) -> Effect | Happening:
        program, effect = self.rules.program, follows.effect
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
