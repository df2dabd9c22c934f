"""Rows that have no form as columns, answered one by one as single situations: slower, and just as right."""

from __future__ import annotations

import numpy as np

from .dice import Given, Pool
from .errors import ArtifactError, DiceError, FactsError, Problem, UnknownReadError
from .facts import fill
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from .batch_columns import Columns
    from .batch_run import DieColumn
    from .facts import Checked
    from .fast_checks import Follows
    from .program import Condition
    from .rules import Rules


class Rows:
    """The rows of some columns as single situations."""

    def __init__(self, rules: Rules, columns: Columns) -> None:
        self.rules = rules
        self.columns = columns
        self.start: Checked = dict(columns.constants)
        fill(rules.program, self.start, set(columns.columns))

    def facts(self, row: int) -> Checked:
        """The facts of one row."""
        return {**self.start, **{path: each.held(row) for path, each in self.columns.columns.items()}}

    def number(self, id: str, rows: Iterable[int]) -> list[Any]:
        """The value of a number in some rows; `UNKNOWN` where it has none because something is not known."""
        function = self.rules.fast.number(id)
        return [self.asked(row, lambda facts: function(facts)) for row in rows]

    def applied(self, id: str) -> dict[str, np.ndarray[Any, Any]]:
        """Masks of the modifiers of a number that apply."""
        from .evaluate import Evaluator, Frame
        from .numbers import lines

        declared = self.rules.program.numbers[id]
        found: dict[str, np.ndarray[Any, Any]] = {}
        for row in range(self.columns.size):
            evaluator = Evaluator(self.rules.program, self.facts(row), self.rules.chosen_options, None)
            for entry in declared.entries:
                mask = found.setdefault(entry.modifier, np.zeros(self.columns.size, bool))
                each = lines(evaluator, entry, Frame().seated(declared.seats))
                mask[row] |= any(line.amount is not None for line in each)
        return found

    def check(self, id: str, dice: Mapping[str, DieColumn], row: int) -> tuple[int, dict[str, Any], list[Any]] | None:
        """The outcome's code, dice and values by path, and effects of one row; None where something is not known."""
        function, paths = self.rules.fast.check(id)
        effects: list[tuple[Follows, tuple[Any, ...]]] = []

        def roll(path: str, pool: Pool | int) -> int:
            if not isinstance(pool, Pool) or not pool.terms:
                return pool.constant if isinstance(pool, Pool) else int(pool)
            given = dice[path].given[row] if path in dice else np.ma.masked
            if given is np.ma.masked or not pool.low <= int(given) <= pool.high:
                self.refuse_dice(id, dice, row)
            return int(given) + pool.constant

        found = self.asked(row, lambda facts: function(facts, roll, effects.append, ""))
        if found is UNKNOWN:
            return None
        return found[0], dict(zip(paths, found[1:], strict=True)), effects

    def refuse_dice(self, id: str, dice: Mapping[str, DieColumn], row: int) -> None:
        """Raises `DiceError` for the dice of a row, as the reference evaluator comes upon them."""
        totals = {path: each.given[row] for path, each in dice.items()}
        given = Given({path: int(each) for path, each in totals.items() if each is not np.ma.masked})
        try:
            self.rules.carried_out(self.rules.program.checks[id], self.facts(row), given)
        except DiceError as error:
            told = [Problem(each.code, each.path, f"row {row}: {each.message}", each.fix) for each in error.problems]
            raise DiceError(told) from None

    def asked(self, row: int, ask: Callable[[Checked], Any]) -> Any:
        """The answer for one row; `UNKNOWN` where something is read that is not known."""
        try:
            return ask(self.facts(row))
        except UnknownReadError as error:
            if error.is_local:
                message = f"this artifact is damaged: it reads `{error.path}`, which was not rolled (row {row})"
                raise ArtifactError(message) from None
            return UNKNOWN
        except ArtifactError as error:
            raise ArtifactError(f"{error} (row {row})") from None

    def refuse_impossible(self, playing: frozenset[str]) -> None:
        """Raises `FactsError` for the first row that is impossible."""
        program = self.rules.program
        for situation, (paths, roles, holds) in zip(
            program.impossible.values(), self.rules.fast.situations(), strict=True
        ):
            for row in range(self.columns.size if roles <= playing else 0):
                facts = self.facts(row)
                if paths <= facts.keys() and holds(facts):
                    raise FactsError([impossible_row(situation, row)])


def impossible_row(situation: Condition, row: int) -> Problem:
    """That a row is impossible."""
    id = situation.label.id
    title = situation.label.title or id.replace("_", " ")
    text = f"row {row} is impossible: {title} ({situation.text})"
    return Problem("impossible", id, text, "change one of these facts")
