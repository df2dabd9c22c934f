"""The questions that rules answer: the value of a number, the roll and the odds of a check."""

from __future__ import annotations

from .dice import Drawn, Given, Seeded
from .errors import (
    ArtifactError,
    DiceError,
    HouseruleError,
    Problem,
    UnknownNameError,
    UnknownReadError,
    UnusualError,
    printable,
)
from .evaluate import Frame
from .facts import unknown_problems
from .nearest import did_you_mean, nearest
from .reads import reads_locals
from .trace import Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction
    from typing import TypeVar

    from . import program
    from .answers import Odds, Result, Wanted
    from .dice import GivenDice, Roller, Source
    from .evaluate import Evaluator
    from .facts import Checked, GivenFacts
    from .fast_results import FastCheck
    from .program import Program, Type
    from .rules import Rules
    from .trace import Entry
    from .values import Shown, Unknown

    T = TypeVar("T")


_FIRST = 2
"""So many questions are answered by the reference evaluator: to make a function takes as long as dozens of answers."""


class Number:
    """A quantity of the rules."""

    def __init__(self, rules: Rules, declared: program.Number) -> None:
        self._rules = rules
        self._declared = declared
        self.id = declared.label.id
        self.title = declared.label.title
        self.note = declared.label.note
        self.source = declared.label.source
        self.better = declared.better
        self._made: Callable[[GivenFacts], int | Fraction] | None = None
        self._explain: Callable[[GivenFacts], Trace] | None = None
        self._count = 0

    @property
    def facts(self) -> tuple[Wanted, ...]:
        """What the number reads."""
        return self._rules.wanted(self._rules.reads_of_number(self.id))

    def value(self, facts: GivenFacts) -> int | Fraction:
        """The value in a situation. Raises `FactsError` with every problem of the facts."""
        self._count += 1
        return self._answered(facts, None) if self._count <= _FIRST else (self._made or self._asked())(facts)

    def _asked(self) -> Callable[[GivenFacts], int | Fraction]:
        """The generated function; made when it is first asked. It is kept for callers who hold `value` as it was, and
        stands in its place for all others."""
        from .fast_entry import number_entry

        rules, id = self._rules, self.id
        if reads_locals(rules.program, id):
            return lambda facts: self._answered(facts, None)
        reads = rules.reads_of_number(id)
        usual, function = rules.usual(reads), rules.fast.number(id)

        def slow(facts: GivenFacts) -> int | Fraction:
            found = usual.of(facts)
            try:
                return self._answered(facts, None) if found is None else function(found)
            except UnknownReadError:
                return self._answered(facts, None)

        self._made = self.value = number_entry(usual, self._declared, reads, slow)  # type: ignore[method-assign]
        return self._made

    def explain(self, facts: GivenFacts) -> Trace:
        """Why the number has its value: base, what counts, what does not and why. `str()` of it is text."""
        self._count += 1
        return self._explained(facts) if self._count <= _FIRST else (self._explain or self._explaining())(facts)

    def _explaining(self) -> Callable[[GivenFacts], Trace]:
        """The generated function that explains; made when it is first asked for."""
        rules, id = self._rules, self.id
        if reads_locals(rules.program, id):
            return self._explained
        reads = rules.reads_of_number(id)
        self._explain = rules.fast.traces.explaining(rules.usual(reads), self._declared, reads, self._explained)
        return self._explain

    def _explained(self, facts: GivenFacts) -> Trace:
        """The same by the reference evaluator."""
        notes: list[Entry] = []
        self._answered(facts, notes)
        return Trace(notes[0], self._rules.program.origins)

    def _answered(self, facts: GivenFacts, notes: list[Entry] | None) -> int | Fraction:
        if reads_locals(self._rules.program, self.id):
            check = self._declared.within
            raise HouseruleError(
                f"`{self.id}` has a value only while `{check}` is rolled, whose dice or values it reads"
            )
        evaluator = self._rules.evaluator(facts, self._rules.reads_of_number(self.id), notes)
        unknown = evaluator.unknown(self._declared.needs, Frame().seated(self._declared.seats))
        if unknown:
            raise unknown_problems(unknown)
        return answered(lambda: evaluator.number(self.id, Frame()))

    def __repr__(self) -> str:
        return f"Number({self.id!r})"


class Check:
    """A roll of the game."""

    def __init__(self, rules: Rules, declared: program.Check) -> None:
        self._rules = rules
        self._declared = declared
        self.id = declared.label.id
        self.title = declared.label.title
        self.note = declared.label.note
        self.source = declared.label.source
        self.outcomes = tuple(word.id for word in declared.outcomes)
        self._fast: FastCheck | None = None
        self._resolve: Callable[[GivenFacts, GivenDice], Result] | None = None
        self._count = 0
        self._weigh: Callable[[GivenFacts], Odds] | None = None

    @property
    def facts(self) -> tuple[Wanted, ...]:
        """What the check reads."""
        return self._rules.wanted(self._rules.reads_of_check(self.id))

    @property
    def dice(self) -> tuple[str, ...]:
        """The paths of all dice that may be rolled, in order."""
        return tuple(path for path, type in places(self._rules.program, self._declared) if type is None)

    @property
    def values(self) -> tuple[str, ...]:
        """The paths of all named values and outcomes of steps, in order."""
        return tuple(path for path, type in places(self._rules.program, self._declared) if type is not None)

    def roll(self, facts: GivenFacts, *, seed: int | str | None = None, source: Source | None = None) -> Result:
        """The result with dice from a seed, or from a source with `randrange`; without either, by chance."""
        if seed is not None and source is not None:
            raise HouseruleError("give a seed or a source, not both")
        if seed is None:
            return self._run(facts, Drawn(source or _chance()))
        quick = None if self._is_first() else self._quick(facts, lambda check, found: check.roll(found, seed))
        return quick or self._run(facts, Seeded(seed))

    def _is_first(self) -> bool:
        """Whether this is one of the first questions."""
        self._count += 1
        return self._count <= _FIRST

    def resolve(self, facts: GivenFacts, dice: GivenDice) -> Result:
        """The result with given dice: totals as shown, before constants, or lists of faces, by path.

        Raises `DiceError` with all that are missing, unknown, out of range, or not needed.
        """
        if self._is_first():
            return self._by_reference(facts, dice)
        return (self._resolve or self._resolving())(facts, dice)

    def _resolving(self) -> Callable[[GivenFacts, GivenDice], Result]:
        """The generated function, kept and put in the place of `resolve` as that of a number is."""
        made = (self._fast or self._asked()).resolving(self._resolved)
        self._resolve = self.resolve = made  # type: ignore[assignment,method-assign]
        return made

    def _resolved(self, facts: GivenFacts, dice: GivenDice) -> Result:
        """The same for what is unusual."""
        _must_be_mapping(dice)
        quick = self._quick(facts, lambda check, found: check.resolve(found, dice))
        return self._by_reference(facts, dice) if quick is None else quick

    def _by_reference(self, facts: GivenFacts, dice: GivenDice) -> Result:
        self._known_dice(dice)
        roller = Given(dice)
        result = self._run(facts, roller)
        roller.finish()
        return result

    def odds(self, facts: GivenFacts, of: str = "", limit: int | None = None) -> Odds:
        """The exact chance of each outcome, or of each value of the die or value `of` (such as `strike.d20`)."""
        if not of and limit is None and not self._is_first():
            return (self._weigh or self._weighing())(facts)
        return self._walked(facts, of, limit)

    def _weighing(self) -> Callable[[GivenFacts], Odds]:
        """The generated function for the odds of outcomes; made when it is first asked for."""
        self._weigh = (self._fast or self._asked()).weighing(self._gone_through)
        return self._weigh

    def _gone_through(self, facts: GivenFacts) -> Odds:
        """The odds of outcomes by going through all ways, where that can be; else state by state."""
        from fractions import Fraction

        from .answers import Odds

        chances = self._quick(facts, lambda check, found: check.odds(found))
        if chances is None:
            return self._walked(facts, "", None)
        return Odds(self.id, "", {word: chances.get(code, Fraction(0)) for code, word in enumerate(self.outcomes)})

    def _walked(self, facts: GivenFacts, of: str, limit: int | None) -> Odds:
        """The odds by the reference evaluator."""

        from .odds import LIMIT, odds

        types = dict(places(self._rules.program, self._declared))
        if of and of not in types:
            raise no_such(f"`{self.id}` has no die or value", of, types)
        evaluator = self._rules.evaluator(facts, self._rules.reads_of_check(self.id))
        asked, follows = frozenset({of} if of else ()), of.split(".")[0] in self._declared.then
        ends = answered(lambda: odds(evaluator, self._declared, asked, follows, LIMIT if limit is None else limit))
        found = [((outcome, state[0][1] if state else None), chance) for (outcome, state), chance in ends.items()]
        return self._valued(evaluator, of, types[of], found) if of else self._of_outcomes(found)

    def _of_outcomes(self, found: Iterable[tuple[tuple[int, object], tuple[int, int]]]) -> Odds:
        from fractions import Fraction

        from .answers import Odds

        chances: dict[Shown, Fraction] = {word: Fraction(0) for word in self.outcomes}
        for (outcome, _), (many, of) in found:
            chances[self.outcomes[outcome]] += Fraction(many, of)
        return Odds(self.id, "", chances)

    def _valued(
        self,
        evaluator: Evaluator,
        path: str,
        type: Type | None,
        found: Iterable[tuple[tuple[int, object], tuple[int, int]]],
    ) -> Odds:
        from fractions import Fraction

        from .answers import Odds
        from .values import UNKNOWN

        chances: dict[object, Fraction] = {}
        for (_, value), (many, of) in found:
            key = UNKNOWN if value is None else value
            chances[key] = chances.get(key, Fraction(0)) + Fraction(many, of)
        ordered = sorted(chances.items(), key=lambda item: (item[0] is UNKNOWN, 0 if item[0] is UNKNOWN else item[0]))
        shown = {self._shown(evaluator, value, type): chance for value, chance in ordered}  # type: ignore[arg-type]
        return Odds(self.id, path, shown)

    def _shown(self, evaluator: Evaluator, value: int | Unknown, type: Type | None) -> Shown:
        return value if type is None else evaluator.shown(value, type)

    def _known_dice(self, dice: GivenDice) -> None:
        _must_be_mapping(dice)
        known = self.dice
        unknown = [printable(path) for path in dice if path not in known]
        if unknown:
            raise DiceError(
                Problem("unknown-die", path, f"`{self.id}` rolls no die `{path}`", did_you_mean(path, known))
                for path in unknown
            )

    def _run(self, facts: GivenFacts, roller: Roller) -> Result:
        found = self._rules.checked(facts, self._rules.reads_of_check(self.id))
        return self._rules.carried_out(self._declared, found, roller)

    def _quick(self, facts: GivenFacts, ask: Callable[[FastCheck, Checked], T | None]) -> T | None:
        """The answer by generated code, or None where the reference evaluator must look at something."""
        check = self._fast or self._asked()
        found = check.usual.of(facts)
        if found is None:
            return None
        try:
            return ask(check, found)
        except (UnknownReadError, UnusualError):
            return None

    def _asked(self) -> FastCheck:
        """The check by generated code; made when it is first asked for."""
        self._fast = self._rules.fast_check(self._declared)
        return self._fast

    def __repr__(self) -> str:
        return f"Check({self.id!r})"


def no_such(what: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """The error of a name that does not exist."""
    names, asked = list(known), str(name)
    # Whoever leaves out the step of a value means it all the same.
    within = tuple(sorted(each for each in names if each.rpartition(".")[2] == asked))[:3]
    hint = f"did you mean {' or '.join(f'`{each}`' for each in within)}?" if within else did_you_mean(asked, names)
    return UnknownNameError(
        f"{what} `{printable(asked)}`" + (f"; {hint}" if hint else ""), within or nearest(asked, names)
    )


def _must_be_mapping(dice: object) -> None:
    if not hasattr(dice, "items"):
        raise DiceError([Problem("wrong-type", "", "dice are a mapping: totals or lists of faces by path")])


def answered(ask: Callable[[], T]) -> T:
    """The answer of a question; what is unknown and was read all the same becomes a `FactsError`."""
    try:
        return ask()
    except UnknownReadError as error:
        if error.is_local:
            raise ArtifactError(f"this artifact is damaged: it reads `{error.path}`, which was not rolled") from None
        raise unknown_problems([error.path]) from None


def places(program: Program, check: program.Check, runs_then: bool = True) -> list[tuple[str, Type | None]]:
    """The paths of all dice (with no type), values and outcomes of steps that a check can have, each once."""
    from .assigned import prefixed
    from .program import Type

    found: dict[str, Type | None] = {}
    for step in (*check.steps.values(), *(check.then.values() if runs_then else ())):
        id = step.label.id
        if step.call:
            called = program.checks[step.call.check]
            found |= {prefixed(id, path): type for path, type in places(program, called, step.call.runs_then)}
            found[prefixed(id, "outcome")] = Type("choice", choice=f"{called.label.id}.outcome")
        for part in (step, *step.cases):
            found |= {prefixed(id, die.label.id): None for die in part.roll}
            found |= {prefixed(id, value.label.id): value.type for value in part.values}
    return list(found.items())


def _chance() -> Source:
    from random import SystemRandom

    return SystemRandom()
