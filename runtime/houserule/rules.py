"""The rules of a loaded artifact: its tables, numbers and checks, and the questions that they answer."""

from __future__ import annotations

from sys import intern

from .errors import HouseruleError
from .evaluate import Evaluator, Frame
from .facts import CheckedFacts, checked, chosen, field_of, own_copy
from .questions import Check, Number, answered, no_such
from .reads import Reader
from .trace import Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    from . import program
    from .actions import DueTriggers
    from .answers import Result, Wanted
    from .batch import Batch
    from .dice import Roller
    from .expression import Read
    from .facts import Checked, GivenFacts
    from .fast import Fast
    from .fast_facts import FactChecker, Usual
    from .fast_results import FastCheck
    from .play_rules import Action, Sequence, Trigger
    from .program import Program
    from .tables import Table
    from .trace import Entry
    from .values import Shown

    T = TypeVar("T")


class Rules:
    """A loaded ruleset. Definitions are found by id; an id that does not exist raises `UnknownNameError`."""

    def __init__(self, program: Program, options: Mapping[str, object] | None = None) -> None:
        self.program = program
        self.chosen_options = chosen(program, options or {})
        self._reader = Reader(program)
        self._fast: Fast | None = None
        self._batch: Batch | None = None
        self._checker: FactChecker | None = None
        self._numbers: dict[str, Number] = {}
        self._checks: dict[str, Check] = {}
        self._tables: dict[str, Table] = {}
        self._fast_checks: dict[str, FastCheck] = {}
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
        return {id: self.number(id) for id in self.program.numbers}

    @property
    def checks(self) -> dict[str, Check]:
        """All checks, by id."""
        return {id: self.check(id) for id in self.program.checks}

    @property
    def tables(self) -> dict[str, Table]:
        """All tables, by id."""
        return {id: self.table(id) for id in self.program.tables}

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
        if id not in self._numbers:
            self._numbers[id] = Number(self, self._found(self.program.numbers, id, "number"))
        return self._numbers[id]

    def check(self, id: str) -> Check:
        """The check of that id."""
        if id not in self._checks:
            self._checks[id] = Check(self, self._found(self.program.checks, id, "check"))
        return self._checks[id]

    def table(self, id: str) -> Table:
        """The table of that id."""
        if id not in self._tables:
            from .tables import Table

            self._tables[id] = Table(self.program, self._found(self.program.tables, id, "table"), self.chosen_options)
        return self._tables[id]

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
        from .answers import wanted

        return tuple(wanted(self.program, read, field_of(self.program, read)) for read in sorted(reads))

    def reads_of_number(self, id: str) -> frozenset[Read]:
        """What a number may read of the given facts."""
        return self._reader.of_number(id)

    def reads_of_check(self, id: str) -> frozenset[Read]:
        """What a check may read of the given facts when it is rolled itself."""
        return self._reader.of_check(id)

    @property
    def fast(self) -> Fast:
        """The generated functions; made at first use."""
        if self._fast is None:
            from .fast import Fast

            self._fast = Fast(self.program, self.chosen_options)
        return self._fast

    @property
    def batch(self) -> Batch:
        """The questions over columns of situations. Needs numpy, and raises `HouseruleError` where it is not there."""
        if self._batch is None:
            try:
                from .batch import Batch
            except ModuleNotFoundError as error:
                if error.name != "numpy":
                    raise
                raise HouseruleError("batches need numpy: pip install 'houserule[batch]'") from None
            self._batch = Batch(self)
        return self._batch

    def fast_check(self, check: program.Check) -> FastCheck:
        """A check by generated code; made at first use."""
        if check.label.id not in self._fast_checks:
            from .fast_results import FastCheck

            self._fast_checks[check.label.id] = FastCheck(self, check)
        return self._fast_checks[check.label.id]

    def facts(self, given: GivenFacts) -> CheckedFacts:
        """Facts that are checked once, for many questions: wherever facts are wanted, these can be given.

        Raises `FactsError` with every problem; what is missing is told by the question that needs it.
        """
        found = {intern(path): value for path, value in self.checked(given, ()).items()}
        return CheckedFacts(own_copy(given), found, self.chosen_options)

    def usual(self, reads: Iterable[Read]) -> Usual:
        """What is usual of the facts of a question that reads these."""
        from .fast_facts import FactChecker, Usual

        if self._checker is None:
            self._checker = FactChecker(self.fast)
        return Usual(self._checker, self.fast, frozenset(reads))

    def checked(self, facts: GivenFacts, reads: Iterable[Read]) -> Checked:
        """Checked facts, of which none of `reads` is missing. Raises `FactsError` with every problem."""
        given = facts.given if isinstance(facts, CheckedFacts) else facts
        return checked(self.program, given, reads, self.chosen_options)

    def carried_out(self, check: program.Check, facts: Checked, roller: Roller) -> Result:
        """The result of a check by the reference evaluator, with its trace."""
        from .answers import Report, Result, Told
        from .procedure import Procedure

        procedure = Procedure(Evaluator(self.program, facts, self.chosen_options, []), roller)
        outcome, entry = answered(lambda: procedure.check(check, Frame(), True))
        rolled = procedure.rolled
        report = Report(
            {path: each.value for path, each in rolled.items()},
            {path: each.faces for path, each in rolled.items() if each.faces is not None},
            procedure.values,
            tuple(procedure.effects),
        )
        trace = Trace(entry, self.program.origins)
        return Result(Told(check.label.id, report, trace), check.outcomes[outcome].id)

    def evaluator(self, facts: GivenFacts, reads: Iterable[Read] | None, notes: list[Entry] | None = None) -> Evaluator:
        """An evaluator over checked facts; `reads` must not be missing, None checks no facts at all."""
        found = {} if reads is None else self.checked(facts, reads)
        return Evaluator(self.program, found, self.chosen_options, notes)

    def _found(self, known: Mapping[str, T], id: str, what: str) -> T:
        if id not in known:
            raise no_such(f"no {what}", id, known)
        return known[id]

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: object) -> Rules:
        """The rules themselves: nothing changes them."""
        return self

    def __reduce__(self) -> str:
        raise HouseruleError("rules are not pickled: pass their artifact on, and load it where they are wanted")

    def __repr__(self) -> str:
        return f"Rules({self.id!r}, version={self.version!r})"
