"""Exact odds over columns: situations that are alike in all that a check reads are worked out once.

What the check reads as numbers and as facts is put into one key; rows with the same key have the same odds, and few
different ones remain, which are answered as single situations.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from .batch_code import dtype_for
from .batch_leaves import leaves_question
from .batch_results import OddsColumn
from .batch_rows import Rows
from .batch_run import ROWS, Runner
from .errors import UnusualError
from .evaluate import Evaluator
from .facts import path_of
from .odds import LIMIT
from .odds import odds as walked
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .batch import Batch
    from .batch_code import Array
    from .batch_columns import Column, Columns
    from .program import Check

_DENSE = 1 << 18
"""Up to so many kinds of rows are told apart by an array, beyond by sorting."""


def odds(batch: Batch, check: Check, found: Columns, playing: frozenset[str]) -> OddsColumn:
    """The chances of a check's outcomes in every row of columns that were looked at."""
    keys = _keys(batch, check, found, playing)
    first, which = _alike(keys, found.size)
    rows = Rows(batch.rules, found)
    chances = [_chances(batch, check, rows, row) for row in first.tolist()]
    of = lcm(1, *(each.denominator for one in chances for each in (one or {}).values()))
    known = np.array([each is not None for each in chances], bool)[which]
    ways = {
        word.id: _column([int((one or {}).get(code, Fraction(0)) * of) for one in chances], of)[which]
        for code, word in enumerate(check.outcomes)
    }
    return OddsColumn(check.label.id, ways, of, known)


def _column(ways: list[int], of: int) -> Array:
    try:
        return np.array(ways, dtype_for(0, of))
    except UnusualError:
        return np.fromiter(ways, object, len(ways))


def _chances(batch: Batch, check: Check, rows: Rows, row: int) -> dict[int, Fraction] | None:
    """The chance of each outcome in one row, by its code; None where something is not known."""
    rules = batch.rules

    def ask(facts: Any) -> dict[int, Fraction]:
        chances = rules.fast_check(check).odds(facts)
        if chances is not None:
            return chances
        ends = walked(Evaluator(rules.program, facts, rules.chosen_options, None), check, frozenset(), False, LIMIT)
        found: dict[int, Fraction] = {}
        for (outcome, _), (many, of) in ends.items():
            found[outcome] = found.get(outcome, Fraction(0)) + Fraction(many, of)
        return found

    answer = rows.asked(row, ask)
    return None if answer is UNKNOWN else answer


def _keys(batch: Batch, check: Check, found: Columns, playing: frozenset[str]) -> list[tuple[Array, Array | None]]:
    """Columns that settle the odds of a row, each with where it is unknown: what the check reads, or else all facts."""
    try:
        question = leaves_question(batch.program, batch.rules.chosen_options, check, found.given(), playing)
        outputs = Runner(batch.program, question, found, {}).run()
    except (UnusualError, RecursionError):
        Rows(batch.rules, found).refuse_impossible(playing)
        outputs = {"doubt": True}
    doubt = outputs["doubt"]
    if doubt is True or (doubt is not False and np.any(doubt)):
        read = [found.columns.get(path_of(each)) for each in batch.rules.reads_of_check(check.label.id)]
        return [(_codes(each), each.unknown) for each in read if each is not None]
    names = [name for name in outputs if name.startswith("leaf ")]
    return [_output(outputs, name) for name in names if isinstance(outputs[name], np.ndarray)]


def _output(outputs: dict[str, Any], name: str) -> tuple[Array, Array | None]:
    unknown = outputs[f"no {name}"]
    return outputs[name], unknown if isinstance(unknown, np.ndarray) else None


def _codes(column: Column) -> Array:
    """Integers that tell the values of a column apart."""
    if column.values.dtype != object:
        return column.values
    places: dict[object, int] = {}
    return np.array([places.setdefault(each, len(places)) for each in column.values.tolist()], np.int64)


def _alike(keys: list[tuple[Array, Array | None]], size: int) -> tuple[Array, Array]:
    """One row of each kind, and of every row which kind it is."""
    key, count = np.zeros(size, np.int32), 1
    for values, unknown in keys if size else ():
        low, span = int(values.min()), int(values.max()) - int(values.min()) + 2
        if count * span > _DENSE and count > 1:
            _, key = _kinds(key, count)
            count = int(key.max()) + 1
        if count * span >= 1 << 31:
            key = key.astype(np.int64)
        _join(key, values, unknown, low, span)
        count *= span
    return _kinds(key, count)


def _join(key: Array, values: Array, unknown: Array | None, low: int, span: int) -> None:
    """Puts the values of one more column into keys, some rows at a time so that it takes little room."""
    for start in range(0, len(key), ROWS):
        part = slice(start, start + ROWS)
        place = values[part].astype(np.int64) - low
        if unknown is not None:
            place[unknown[part]] = span - 1
        key[part] = key[part].astype(np.int64) * span + place


def _kinds(key: Array, count: int) -> tuple[Array, Array]:
    """One row of each different key, and of every row which of them it has."""
    if count > _DENSE:
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        return first, which.astype(np.int32)
    first = np.full(count, -1, np.int32)
    first[key[::-1]] = np.arange(len(key) - 1, -1, -1, dtype=np.int32)
    there = np.flatnonzero(first >= 0)
    rank = np.zeros(count, np.int32)
    rank[there] = np.arange(len(there))
    return first[there], rank[key]
