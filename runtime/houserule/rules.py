"""The rules of a loaded artifact: its tables, numbers and checks, and the questions that they answer."""

from __future__ import annotations

from .answers import Odds, Result, wanted
from .dice import Drawn, Given, Seeded
from .errors import ArtifactError, DiceError, HouseruleError, Problem, UnknownNameError, UnknownReadError, printable
from .evaluate import Evaluator, Frame
from .facts import checked, chosen, field_of, unknown_problems
from .nearest import did_you_mean, nearest
from .procedure import Procedure
from .reads import Reader, reads_locals
from .tables import Table
from .trace import Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from fractions import Fraction
    from typing import TypeVar

    from . import program
    from .actions import DueTriggers
    from .answers import Wanted
    from .dice import GivenDice, Roller, Source
    from .expression import Read
    from .facts import GivenFacts
    from .play_rules import Action, Sequence, Trigger
    from .program import Program, Type
    from .trace import Entry
    from .values import Shown, Unknown

    T = TypeVar("T")


class Rules:
    """A loaded ruleset. Definitions are found by id; an id that does not exist raises `UnknownNameError`."""

    def __init__(self, program: Program, options: Mapping[str, object] | None = None) -> None:
        self.program = program
        self.chosen_options = chosen(program, options or {})
        self._reader = Reader(program)
        self.id = program.ruleset.id
        self.title = program.ruleset.title
        self.version = program.ruleset.version
        self.content_hash = program.content_hash
        self.origins = program.origins

    @property
    def options(self) -> dict[str, Shown]:
        """The value of every option."""
        evaluator = self.evaluator({}, None)
        return {id: evaluator.shown(value, self.program.options[id].type) for id, value in self.chosen_options.items()}

    @property
    def numbers(self) -> dict[str, Number]:
        """All numbers, by id."""
        return {id: Number(self, declared) for id, declared in self.program.numbers.items()}

    @property
    def checks(self) -> dict[str, Check]:
        """All checks, by id."""
        return {id: Check(self, declared) for id, declared in self.program.checks.items()}

    @property
    def tables(self) -> dict[str, Table]:
        """All tables, by id."""
        return {id: Table(self.program, declared, self.chosen_options) for id, declared in self.program.tables.items()}

    @property
    def actions(self) -> tuple[str, ...]:
        """The ids of all actions."""
        return tuple(self.program.actions)

    @property
    def triggers(self) -> tuple[str, ...]:
        """The ids of all triggers."""
        return tuple(self.program.triggers)

    @property
    def sequences(self) -> tuple[str, ...]:
        """The ids of all sequences."""
        return tuple(self.program.sequences)

    def number(self, id: str) -> Number:
        """The number of that id."""
        return Number(self, self._found(self.program.numbers, id, "number"))

    def check(self, id: str) -> Check:
        """The check of that id."""
        return Check(self, self._found(self.program.checks, id, "check"))

    def table(self, id: str) -> Table:
        """The table of that id."""
        return Table(self.program, self._found(self.program.tables, id, "table"), self.chosen_options)

    def action(self, id: str) -> Action:
        """The action of that id."""
        from .play_rules import Action

        return Action(self, self._found(self.program.actions, id, "action"))

    def trigger(self, id: str) -> Trigger:
        """The trigger of that id."""
        from .play_rules import Trigger

        return Trigger(self, self._found(self.program.triggers, id, "trigger"))

    def sequence(self, id: str) -> Sequence:
        """The sequence of that id."""
        from .play_rules import Sequence

        return Sequence(self, self._found(self.program.sequences, id, "sequence"))

    def due(self, facts: GivenFacts, before: GivenFacts | None = None) -> DueTriggers:
        """The triggers that hold now and did not before; without `before`, all that hold.

        One that is due every round holds again. One whose facts are missing does not hold, and the trace says so.
        Raises `FactsError` for facts that are wrong.
        """
        from .play_rules import due

        return due(self, facts, before)

    def facts_for(self, id: str) -> tuple[Wanted, ...]:
        """What a check or number reads, with types, ranges and defaults; of both where they share the id."""
        if id not in self.program.numbers and id not in self.program.checks:
            self._found(self.program.numbers | self.program.checks, id, "check or number")  # type: ignore[operator]
        reads: set[Read] = set()
        if id in self.program.checks:
            reads |= self._reader.of_check(id)
        if id in self.program.numbers:
            reads |= self._reader.of_number(id)
        return self.wanted(reads)

    def wanted(self, reads: Iterable[Read]) -> tuple[Wanted, ...]:
        """What some reads ask for, by path."""
        return tuple(wanted(self.program, read, field_of(self.program, read)) for read in sorted(reads))

    def reads_of_number(self, id: str) -> frozenset[Read]:
        """What a number may read of the given facts."""
        return self._reader.of_number(id)

    def reads_of_check(self, id: str) -> frozenset[Read]:
        """What a check may read of the given facts when it is rolled itself."""
        return self._reader.of_check(id)

    def evaluator(self, facts: GivenFacts, reads: Iterable[Read] | None, notes: list[Entry] | None = None) -> Evaluator:
        """An evaluator over checked facts; `reads` must not be missing, None checks no facts at all."""
        found = {} if reads is None else checked(self.program, facts, reads, self.chosen_options)
        return Evaluator(self.program, found, self.chosen_options, notes)

    def _found(self, known: Mapping[str, T], id: str, what: str) -> T:
        if id not in known:
            raise _no_such(f"no {what}", id, known)
        return known[id]

    def __repr__(self) -> str:
        return f"Rules({self.id!r}, version={self.version!r})"


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

    @property
    def facts(self) -> tuple[Wanted, ...]:
        """What the number reads."""
        return self._rules.wanted(self._rules.reads_of_number(self.id))

    def value(self, facts: GivenFacts) -> int | Fraction:
        """The value in a situation. Raises `FactsError` with every problem of the facts."""
        return self._answered(facts, None)

    def explain(self, facts: GivenFacts) -> Trace:
        """Why the number has its value: base, what counts, what does not and why. `str()` of it is text."""
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
        return self._run(facts, Seeded(seed) if seed is not None else Drawn(source or _chance()))

    def resolve(self, facts: GivenFacts, dice: GivenDice) -> Result:
        """The result with given dice: totals as shown, before constants, or lists of faces, by path.

        Raises `DiceError` with all that are missing, unknown, out of range, or not needed.
        """
        self._known_dice(dice)
        roller = Given(dice)
        result = self._run(facts, roller)
        roller.finish()
        return result

    def odds(self, facts: GivenFacts, of: str = "", limit: int | None = None) -> Odds:
        """The exact chance of each outcome, or of each value of the die or value `of` (such as `strike.d20`)."""
        from .odds import LIMIT, odds

        types = dict(places(self._rules.program, self._declared))
        if of and of not in types:
            raise _no_such(f"`{self.id}` has no die or value", of, types)
        evaluator = self._rules.evaluator(facts, self._rules.reads_of_check(self.id))
        asked, follows = frozenset({of} if of else ()), of.split(".")[0] in self._declared.then
        ends = answered(lambda: odds(evaluator, self._declared, asked, follows, LIMIT if limit is None else limit))
        found = [((outcome, state[0][1] if state else None), chance) for (outcome, state), chance in ends.items()]
        return self._valued(evaluator, of, types[of], found) if of else self._of_outcomes(found)

    def _of_outcomes(self, found: Iterable[tuple[tuple[int, object], tuple[int, int]]]) -> Odds:
        from fractions import Fraction

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
        known = self.dice
        unknown = [printable(path) for path in dice if path not in known]
        if unknown:
            raise DiceError(
                Problem("unknown-die", path, f"`{self.id}` rolls no die `{path}`", did_you_mean(path, known))
                for path in unknown
            )

    def _run(self, facts: GivenFacts, roller: Roller) -> Result:
        evaluator = self._rules.evaluator(facts, self._rules.reads_of_check(self.id), [])
        procedure = Procedure(evaluator, roller)
        outcome, entry = answered(lambda: procedure.check(self._declared, Frame(), True))
        rolled = procedure.rolled
        return Result(
            self.id,
            self.outcomes[outcome],
            {path: each.value for path, each in rolled.items()},
            {path: each.faces for path, each in rolled.items() if each.faces is not None},
            procedure.values,
            tuple(procedure.effects),
            Trace(entry, self._rules.program.origins),
        )

    def __repr__(self) -> str:
        return f"Check({self.id!r})"


def _no_such(what: str, name: str, known: Iterable[str]) -> UnknownNameError:
    names = list(known)
    hint = did_you_mean(name, names)
    return UnknownNameError(f"{what} `{printable(name)}`" + (f"; {hint}" if hint else ""), nearest(name, names))


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
