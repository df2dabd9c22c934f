"""Numbers, checks with given dice, and odds, over columns of situations. Needs numpy: the extra `batch`.

Columns are named like facts, nested or dotted; each is an array, a list, or what numpy makes an array of, and what is
the same in all rows is given once. docs/batch.md says what each may hold, and what comes back.
"""

from __future__ import annotations

import numpy as np

from .batch_code import dtype_for
from .batch_columns import Columns, ColumnsOutsideError, Intake, for_all_rows, missing_problems
from .batch_items import Coded as Coded
from .batch_questions import number_question
from .batch_results import CheckColumn, NumberColumn, OddsColumn
from .batch_rows import Rows
from .batch_run import Runner
from .errors import DiceError, FactsError, HouseruleError, Problem, UnusualError
from .questions import no_such, places
from .reads import reads_locals
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    from .batch_code import Array
    from .batch_questions import Question
    from .expression import Read
    from .rules import Rules

    T = TypeVar("T")


class Batch:
    """The questions that a ruleset answers over columns."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.program = rules.program
        self.questions: dict[object, Question | None] = {}

    def facts(self, columns: Any) -> Columns:
        """Columns that are checked once, for many questions: wherever columns are wanted, these can be given.

        They are copies, which nobody can change. Raises `FactsError` with every problem, each with its column, the
        first row that is wrong, and its value; what is missing is told by the question that needs it.
        """

        def settle(found: Columns) -> Columns:
            found.look_at()
            return found.settled(self.program, is_own=True)

        return self._looked_at(columns, (), settle)

    def number(self, id: str, columns: Any, *, applied: bool = False) -> NumberColumn:
        """The value of a number in every row; `applied` asks for masks of the modifiers that apply.

        Raises `FactsError` for columns that do not fit.
        """
        declared = self.rules.number(id)._declared
        if reads_locals(self.program, id):
            within = declared.within
            raise HouseruleError(f"`{id}` has a value only while `{within}` is rolled, whose dice or values it reads")
        reads = self.rules.reads_of_number(id)
        return self._looked_at(columns, reads, lambda found: self._numbers(id, found, applied))

    def _numbers(self, id: str, found: Columns, applied: bool) -> NumberColumn:
        found, playing = self._asked(found, self.rules.reads_of_number(id))
        question = self._number_question(id, found, playing, applied)
        if question is None:
            found.look_at()
            Rows(self.rules, found).refuse_impossible(playing)
            return self._number_by_rows(id, found, applied)
        outputs = Runner(self.program, question, found, {}).run()
        return self._number(id, found, outputs, applied)

    def _number_question(self, id: str, found: Columns, playing: frozenset[str], applied: bool) -> Question | None:
        key = "number", id, playing, applied, tuple(sorted(found.given().items()))
        if key not in self.questions:
            try:
                self.questions[key] = number_question(
                    self.program, self.rules.chosen_options, id, found.given(), playing, applied
                )
            except (UnusualError, RecursionError):
                self.questions[key] = None
        return self.questions[key]

    def _number(self, id: str, found: Columns, outputs: Mapping[str, Any], applied: bool) -> NumberColumn:
        values, known = column_of(outputs["outcome"], found.size), known_of(outputs["unknown"], found.size)
        doubt = outputs["doubt"]
        if doubt is not False and np.any(doubt):
            rows = np.flatnonzero(np.broadcast_to(doubt, found.size))
            answers = Rows(self.rules, found).number(id, rows.tolist())
            values, known = _replaced(values, known, rows, answers)
        masks = {name.partition(" ")[2]: each for name, each in outputs.items() if name.startswith("applied ")}
        shown = {each: column_of(mask, found.size) for each, mask in masks.items()} if applied else None
        return NumberColumn(values, known, self.program.numbers[id].type, shown)

    def _number_by_rows(self, id: str, found: Columns, applied: bool) -> NumberColumn:
        rows = Rows(self.rules, found)
        values, known = _of_answers(rows.number(id, range(found.size)))
        masks = rows.applied(id) if applied else None
        return NumberColumn(values, known, self.program.numbers[id].type, masks)

    def check(
        self, id: str, columns: Any, dice: Any = None, *, values: Iterable[str] | str = (), effects: bool = False
    ) -> CheckColumn:
        """How a check comes out in every row with given dice, totals by path.

        `values` names the dice, values and outcomes of steps that are wanted, or is "all"; `effects` asks for what
        follows. Raises `FactsError` and `DiceError` for columns that do not fit. A die that a row does not roll may
        hold anything there.
        """
        from .batch_answers import CheckAnswers

        declared = self.rules.check(id)._declared
        given = {} if dice is None else dice
        if not hasattr(given, "items"):
            raise DiceError([Problem("wrong-type", "", "dice are a mapping: columns of totals by path")])
        totals = {path: for_all_rows(each) for path, each in given.items()}
        wanted = self._wanted(id, dict(places(self.program, declared)), values)
        reads = self.rules.reads_of_check(id)

        def ask(columns: Columns) -> CheckColumn:
            found, playing = self._asked(columns.sized(totals.values()), reads)
            return CheckAnswers(self, declared, found, playing, wanted, effects).answered(totals)

        return self._looked_at(columns, reads, ask)

    def _wanted(self, id: str, known: Mapping[str, object], values: Any) -> frozenset[str]:
        """The paths of what is wanted of a check, each of which it has."""
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            values = known if isinstance(values, str) and values == "all" else (values,)
        names = list(values)
        for each in names:
            if not isinstance(each, str) or each not in known:
                raise no_such(f"`{id}` has no die or value", each, known)
        return frozenset(names)

    def odds(self, id: str, columns: Any) -> OddsColumn:
        """The exact chance of each outcome in every row: ways by outcome, of one number of ways for all rows.

        Raises `FactsError` for columns that do not fit, `TooLargeError` where the odds of a row are beyond the limit.
        """
        from .batch_odds import odds

        declared = self.rules.check(id)._declared
        reads = self.rules.reads_of_check(id)

        def ask(columns: Columns) -> OddsColumn:
            columns.look_at()
            found, playing = self._asked(columns, reads)
            return odds(self, declared, found.settled(self.program), playing)

        return self._looked_at(columns, reads, ask)

    def _looked_at(self, columns: Any, reads: Iterable[Read], ask: Callable[[Columns], T]) -> T:
        """The answer for some columns. Where something in them is unusual, they are looked at as a whole first."""
        if isinstance(columns, Columns):
            missing = missing_problems(self.program, {*columns.columns, *columns.constants}, reads)
            if missing:
                raise FactsError(missing)
            return ask(columns)
        try:
            return ask(Intake(self.program, False).of(columns, reads))
        except ColumnsOutsideError:
            return ask(Intake(self.program, True).of(columns, reads))

    def _asked(self, found: Columns, reads: frozenset[Read]) -> tuple[Columns, frozenset[str]]:
        """The columns of a question, and the roles that take part."""
        return found.spread(self.program), found.roles | {read[1] for read in reads if read[0] == "field"}


def column_of(output: Any, size: int) -> Array:
    """An output of code as a column; what is the same in all rows is written out."""
    if isinstance(output, np.ndarray):
        return output
    return np.full(size, output, "bool" if isinstance(output, bool) else dtype_for(output, output))


def known_of(unknown: Any, size: int) -> Array | None:
    """Where something is known, from where it is not; None where it is everywhere."""
    if unknown is False:
        return None
    return np.zeros(size, bool) if unknown is True else ~unknown


def _of_answers(answers: list[Any]) -> tuple[Array, Array | None]:
    """A column of single answers, of which some are unknown."""
    known = np.array([each is not UNKNOWN for each in answers], bool)
    held = [0 if each is UNKNOWN else each for each in answers]
    if all(isinstance(each, int) for each in held):
        return np.array(held, dtype_for(min(held, default=0), max(held, default=0))), known
    return np.fromiter(held, object, len(held)), known


def _replaced(values: Array, known: Array | None, rows: Array, answers: list[Any]) -> tuple[Array, Array | None]:
    """A column with some rows answered anew."""
    found, there = _of_answers(answers)
    if np.result_type(values, found) != values.dtype:
        values = values.astype(np.result_type(values, found))
    values[rows] = found
    known = np.ones(len(values), bool) if known is None else known
    known[rows] = there
    return values, known
