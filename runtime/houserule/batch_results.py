"""What batches answer: columns of values and outcomes, each with a mask of the rows in which it is known."""

from __future__ import annotations

import numpy as np

from .errors import HouseruleError
from .values import UNKNOWN, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction
    from typing import Any

    from .batch_code import Array
    from .program import Label, Type
    from .values import Shown


class ValueColumn:
    """A column of values: `values` holds them, words, sets and hit dice as codes, in the smallest type of integers.

    `known` is a mask of the rows that have a value, or None where all have one; where it does not hold, what stands in
    `values` means nothing. `column[row]` is the value as single questions give it. Numpy takes it as an array where
    all is known; `masked()` is a masked array.
    """

    def __init__(self, values: Array, known: Array | None, type: Type, words: tuple[Label, ...] = ()) -> None:
        self.values = values
        self.known = None if known is None or known.all() else known
        self.words = tuple(word.id for word in words)
        self._type = type
        self._labels = words

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, row: int) -> Shown:
        if self.known is not None and not self.known[row]:
            return UNKNOWN
        value = self.values[row]
        held = value if self.values.dtype == object else bool(value) if self._type.kind == "boolean" else int(value)
        return shown(held, self._type, self._labels)

    def __iter__(self) -> Iterator[Shown]:
        return (self[row] for row in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if self.known is not None:
            row = int(self.known.argmin())
            raise HouseruleError(f"row {row} has no value, because something is not known: take `values` and `known`")
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)

    def masked(self) -> np.ma.MaskedArray[Any, Any]:
        """The values as a masked array; what is not known is masked."""
        return np.ma.MaskedArray(self.values, False if self.known is None else ~self.known)

    def __repr__(self) -> str:
        unknown = 0 if self.known is None else len(self) - int(self.known.sum())
        return (
            f"{type(self).__name__}({len(self)} rows, {self.values.dtype}{f', {unknown} unknown' if unknown else ''})"
        )


class NumberColumn(ValueColumn):
    """The values of a number. `applied` holds, where it was asked for, a mask for each of its modifiers, by id: where
    its condition holds and what it needs is known, whether or not stacking keeps it then.
    """

    def __init__(self, values: Array, known: Array | None, type: Type, applied: Mapping[str, Array] | None) -> None:
        super().__init__(values, known, type)
        self.applied = applied


class EffectColumn:
    """One effect of a check: `path` and `op` as single results have them, `where` it follows, its `values` by row.

    Of an event `values` are by the name of the argument, and `who` names those who are somebody.
    """

    def __init__(
        self,
        path: str,
        op: str,
        where: Array,
        values: Mapping[str, ValueColumn],
        who: Mapping[str, str],
        round: str = "",
    ) -> None:
        self.path = path
        self.op = op
        self.where = where
        self.values = values
        self.who = who
        self.round = round

    def __repr__(self) -> str:
        return f"EffectColumn({self.path!r}, {self.op!r}, {int(self.where.sum())} of {len(self.where)} rows)"


class CheckColumn:
    """How a check came out: `codes` of outcomes, whose words are `outcomes`; `known` as of any column.

    `values` holds the named values, dice and outcomes of steps that were asked for, by path, each known where it was
    reached; `effects` what follows, where that was asked for.
    """

    def __init__(
        self,
        check: str,
        outcomes: tuple[str, ...],
        codes: Array,
        known: Array | None,
        values: Mapping[str, ValueColumn],
        effects: tuple[EffectColumn, ...] | None,
    ) -> None:
        self.check = check
        self.outcomes = outcomes
        self.codes = codes
        self.known = None if known is None or known.all() else known
        self.values = values
        self.effects = effects

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> Shown:
        known = self.known is None or self.known[row]
        return self.outcomes[int(self.codes[row])] if known else UNKNOWN

    def counts(self) -> dict[str, int]:
        """In how many rows each outcome comes about."""
        codes = self.codes if self.known is None else self.codes[self.known]
        found = np.bincount(codes, minlength=len(self.outcomes))
        return {word: int(count) for word, count in zip(self.outcomes, found, strict=True)}

    def __repr__(self) -> str:
        return f"CheckColumn({self.check!r}, {len(self)} rows)"


class OddsColumn:
    """The exact chances of a check's outcomes: `ways` by outcome, each a column of so many ways of `of`.

    `known` is a mask of the rows that have chances, or None where all have; `odds[row]` gives fractions by outcome.
    """

    def __init__(self, check: str, ways: Mapping[str, Array], of: int, known: Array | None) -> None:
        self.check = check
        self.ways = ways
        self.of = of
        self.known = None if known is None or known.all() else known

    def __len__(self) -> int:
        return len(next(iter(self.ways.values())))

    def __getitem__(self, row: int) -> dict[str, Fraction] | Shown:
        from fractions import Fraction

        if self.known is not None and not self.known[row]:
            return UNKNOWN
        return {word: Fraction(int(column[row]), self.of) for word, column in self.ways.items()}

    def __repr__(self) -> str:
        return f"OddsColumn({self.check!r}, {len(self)} rows, of {self.of})"
