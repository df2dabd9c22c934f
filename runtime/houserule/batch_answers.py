"""A check asked over columns: its dice taken in, its code run, what it leaves put into columns."""

from __future__ import annotations

import numpy as np

from .batch_code import dtype_for
from .batch_columns import is_column
from .batch_items import parts_of
from .batch_questions import check_question
from .batch_results import CheckColumn, EffectColumn, ValueColumn
from .batch_rows import Rows
from .batch_run import DiceOutsideError, DieColumn, Runner, WrongDiceError
from .errors import DiceError, Problem, UnusualError, printable
from .nearest import did_you_mean
from .program import Effect, Type
from .questions import places
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .batch import Batch
    from .batch_checks import Follows
    from .batch_code import Array
    from .batch_columns import Columns
    from .batch_questions import Question
    from .expression import Binding
    from .program import Check
    from .rounds import EventEffect

_TOTAL = Type("integer")


class CheckAnswers:
    """One check asked once."""

    def __init__(
        self, batch: Batch, check: Check, found: Columns, playing: frozenset[str], wanted: frozenset[str], effects: bool
    ) -> None:
        self.batch = batch
        self.rules = batch.rules
        self.program = batch.program
        self.check = check
        self.found = found
        self.playing = playing
        self.wanted = wanted
        self.effects = effects
        self.types = dict(places(self.program, check))
        self.words = tuple(word.id for word in check.outcomes)

    def answered(self, given: Any) -> CheckColumn:
        """What comes of it with given dice."""
        totals = self._totals(given)
        lacking: frozenset[str] = frozenset(path for path, each in totals.items() if each.wrong is not None)
        question = self._question(totals, lacking)
        if question is None:
            return self._by_rows(totals)
        try:
            outputs = self._run(question, totals, lacking)
        except DiceOutsideError:
            # Where a row does not roll a die it may hold anything: which rows do not fit is kept beside the totals.
            lacking = frozenset(totals)
            question = self._question(totals, lacking)
            assert question is not None
            outputs = self._run(question, totals, lacking)
        return self._column(question, outputs, totals)

    def _run(self, question: Question, totals: Mapping[str, DieColumn], lacking: frozenset[str]) -> dict[str, Any]:
        try:
            return Runner(self.program, question, self.found, _fitted(question, totals, lacking)).run()
        except WrongDiceError as error:
            Rows(self.rules, self.found).refuse_dice(self.check.label.id, totals, error.row)
            raise AssertionError from error

    def _question(self, totals: Mapping[str, DieColumn], lacking: frozenset[str]) -> Question | None:
        given = {path: path in lacking for path in totals}
        facts = self.found.given()
        key = self.check.label.id, self.playing, self.wanted, self.effects, tuple(facts.items()), tuple(given.items())
        if key not in self.batch.questions:
            try:
                self.batch.questions[key] = check_question(
                    self.program,
                    self.rules.chosen_options,
                    self.check.label.id,
                    facts,
                    given,
                    self.playing,
                    self.wanted,
                    self.effects,
                )
            except (UnusualError, RecursionError):
                self.batch.questions[key] = None
        return self.batch.questions[key]

    def _totals(self, given: Any) -> dict[str, DieColumn]:
        """The columns of dice. Raises `DiceError` with all that are none of the check's, or no columns of integers."""
        known = [path for path, type in self.types.items() if type is None]
        problems: list[Problem] = []
        found: dict[str, DieColumn] = {}
        for name, value in given.items():
            path = printable(name)
            if path not in known:
                message = f"`{self.check.label.id}` rolls no die `{path}`"
                problems.append(Problem("unknown-die", path, message, did_you_mean(path, known)))
                continue
            die = self._total(path, value, problems)
            if die is not None:
                found[path] = die
        if problems:
            raise DiceError(problems)
        return found

    def _total(self, path: str, value: Any, problems: list[Problem]) -> DieColumn | None:
        if type(value) is int:
            value = np.broadcast_to(np.array([value]), self.found.size)
        elif not is_column(value):
            problems.append(Problem("wrong-type", path, f"`{path}` must be a column of whole numbers"))
            return None
        array, words, mask = parts_of(value, path, problems)
        if array is None:
            return None
        array = _integers(array)
        problem = self._misfit(path, array, mask, words)
        if problem is not None:
            problems.append(problem)
            return None
        return DieColumn(path, array, mask, np.ma.MaskedArray(array, mask) if mask is not None else array)

    def _misfit(self, path: str, array: Array, mask: Array | None, words: object) -> Problem | None:
        if len(array) != self.found.size:
            message = f"`{path}` has {len(array)} rows, and the facts have {self.found.size}"
            return Problem("wrong-length", path, message, "give columns of one length")
        if array.dtype.kind in "iu" and words is None:
            return None
        row = next((at for at, each in enumerate(array.tolist()) if type(each) is not int), 0)
        return Problem(
            "wrong-type", path, f"`{path}`, row {row}: expected a whole number, found {printable(array[row])}"
        )

    def _column(self, question: Question, outputs: dict[str, Any], totals: Mapping[str, DieColumn]) -> CheckColumn:
        from .batch import column_of, known_of

        size = self.found.size
        doubt = np.broadcast_to(outputs["doubt"], size)
        if self.effects and doubt.any():
            return self._by_rows(totals)
        codes, known = column_of(outputs["outcome"], size), known_of(outputs["unknown"], size)
        values: dict[str, ValueColumn] = {}
        for path in self.wanted:
            if f"value {path}" in outputs:
                there = np.array(np.broadcast_to(outputs[f"known {path}"], size))
                values[path] = self._value(path, column_of(outputs[f"value {path}"], size), there)
            else:
                values[path] = self._value(path, np.zeros(size, np.int8), np.zeros(size, bool))
        effects = (
            tuple(self._follows(at, each, outputs) for at, each in enumerate(question.effects))
            if self.effects
            else None
        )
        found = CheckColumn(self.check.label.id, self.words, codes, known, values, effects)
        return self._again(found, np.flatnonzero(doubt), totals) if doubt.any() else found

    def _value(self, path: str, values: Array, known: Array) -> ValueColumn:
        type = self.types[path] or _TOTAL
        return ValueColumn(values, known, type, self.program.words(type.choice) if type.choice else ())

    def _follows(self, at: int, follows: Follows, outputs: dict[str, Any]) -> EffectColumn:
        from .batch import column_of

        size = self.found.size
        where = column_of(outputs[f"follows {at}"], size)
        values = [column_of(outputs[f"follows {at} {place}"], size) for place in range(len(follows.values))]
        return self._effect(follows.effect, follows.players, where, values)

    def _effect(self, effect: Any, players: Binding, where: Array, values: list[Array]) -> EffectColumn:
        if isinstance(effect, Effect):
            role = players[0][1]
            type = self.program.entities[self.program.roles[role].entity].fields[effect.field].type
            shown = {"value": self._shown(values[0], where, type)}
            return EffectColumn(f"{role}.{effect.field}", effect.op, where, shown, {}, effect.round)
        return self._event(effect, players, where, values)

    def _event(self, effect: EventEffect, players: Binding, where: Array, values: list[Array]) -> EffectColumn:
        arguments = self.program.events[effect.event].arguments
        who = {name: player for (name, _), (_, player) in zip(effect.chairs, players, strict=True)}
        shown = {
            name: self._shown(each, where, arguments[name].type)
            for (name, _), each in zip(effect.values, values, strict=True)
        }
        return EffectColumn(effect.event, "event", where, shown, who)

    def _shown(self, values: Array, where: Array, type: Type | None) -> ValueColumn:
        assert type is not None
        return ValueColumn(values, where, type, self.program.words(type.choice) if type.choice else ())

    def _by_rows(self, totals: Mapping[str, DieColumn]) -> CheckColumn:
        """All rows one by one."""
        size = self.found.size
        self.found.look_at()
        Rows(self.rules, self.found).refuse_impossible(self.playing)
        values = {path: self._value(path, np.zeros(size, np.int64), np.zeros(size, bool)) for path in self.wanted}
        codes = np.zeros(size, dtype_for(0, len(self.words)))
        found = CheckColumn(self.check.label.id, self.words, codes, None, values, () if self.effects else None)
        return self._again(found, np.arange(size), totals)

    def _again(self, found: CheckColumn, rows: Array, totals: Mapping[str, DieColumn]) -> CheckColumn:
        """The same with some rows answered one by one."""
        single, known = (
            Rows(self.rules, self.found),
            np.array(np.ones(len(found), bool) if found.known is None else found.known),
        )
        left = {path: _Left(each, len(found)) for path, each in found.values.items()}
        effects = _Effects(len(found))
        for row in rows.tolist():
            answer = single.check(self.check.label.id, totals, row)
            known[row] = answer is not None
            outcome, values, follows = answer or (0, {}, [])
            found.codes[row] = outcome
            effects.put(row, follows)
            for path, column in left.items():
                column.put(row, values.get(path, UNKNOWN))
        values = {path: self._value(path, *column.arrays()) for path, column in left.items()}
        shown = found.effects if not self.effects else tuple(self._effect(*each) for each in effects.columns())
        return CheckColumn(found.check, found.outcomes, found.codes, known, values, shown)


class _Left:
    """One column of values while single rows are put into it."""

    def __init__(self, column: ValueColumn, size: int) -> None:
        self.values = column.values.astype(object)
        self.known = np.array(np.ones(size, bool) if column.known is None else column.known)

    def put(self, row: int, value: Any) -> None:
        """Sets the value of a row."""
        self.known[row] = value is not UNKNOWN
        self.values[row] = 0 if value is UNKNOWN else value

    def arrays(self) -> tuple[Array, Array]:
        """The values in the smallest type, and where they are known."""
        items = self.values.tolist()
        if all(isinstance(each, int) for each in items):
            return np.array(items, dtype_for(min(items, default=0), max(items, default=0))), self.known
        return self.values, self.known


class _Effects:
    """Effects of single rows, gathered by where they stand in the rules and who is meant."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.found: dict[tuple[int, Binding, int], tuple[Any, Array, list[Array]]] = {}

    def put(self, row: int, follows: list[Any]) -> None:
        """Adds those of a row."""
        count: dict[tuple[int, Binding], int] = {}
        for each, values in follows:
            place = id(each.effect), each.players
            count[place] = count.get(place, 0) + 1
            key = *place, count[place]
            if key not in self.found:
                self.found[key] = each, np.zeros(self.size, bool), [np.zeros(self.size, object) for _ in values]
            _, where, columns = self.found[key]
            where[row] = True
            for column, value in zip(columns, values, strict=True):
                column[row] = value

    def columns(self) -> list[tuple[Any, Binding, Array, list[Array]]]:
        """Each effect, who is meant, where it follows, and its values."""
        return [(each.effect, each.players, where, values) for each, where, values in self.found.values()]


def _integers(array: Array) -> Array:
    """Floats that are all integers as integers."""
    if not len(array):
        return array.astype(np.int64)
    if array.dtype.kind == "f" and np.isfinite(array).all() and (np.floor(array) == array).all():
        return array.astype(np.int64)
    return array


def _fitted(question: Question, totals: Mapping[str, DieColumn], lacking: frozenset[str]) -> dict[str, DieColumn]:
    """Totals that lie in the range of their dice; beside them, where it is asked for, where they did not."""
    found = {}
    for path in question.given_dice:
        die, rolled = totals[path], question.dice[path]
        if path not in lacking:
            found[path] = die
            continue
        wrong = (die.values < rolled.low) | (die.values > rolled.high)
        wrong = wrong if die.wrong is None else wrong | die.wrong
        values = np.where(wrong, rolled.low, die.values).astype(dtype_for(rolled.low, rolled.high))
        found[path] = DieColumn(path, values, wrong, die.given)
    return found
