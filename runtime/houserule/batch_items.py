"""What stands in columns, value by value: texts and other objects become codes, each different one once."""

from __future__ import annotations

import numpy as np

from .batch_code import dtype_for
from .errors import Problem, printable
from .facts import fitted
from .values import UNKNOWN, MisfitError, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    from .batch_code import Array

    Found: TypeAlias = tuple[Array, Array, Array]
    """Values of a column, where they do not fit, and where they are unknown."""
    from .program import Field, Program

_AT_ONCE = 65_536
_PLAIN = frozenset({int, bool, str})
_UNFIT, _UNKNOWN = -(1 << 62), -(1 << 62) + 1
"""What stands for a value that does not fit and for one that is unknown, far from all codes."""


class Coded:
    """A column of codes with what each stands for: `Coded([0, 1, 1], ["4+3", "5"])`. A code of -1 is unknown."""

    __slots__ = ("codes", "values")

    def __init__(self, codes: object, values: Iterable[object]) -> None:
        self.codes = np.asarray(codes)
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"Coded({len(self.codes)} codes of {len(self.values)} values)"


class Misfits:
    """Codes of single values of one fact, and what is wrong with those that do not fit."""

    def __init__(self, program: Program, path: str, field: Field) -> None:
        self.program = program
        self.path = path
        self.field = field
        self.is_held = field.type.kind in ("text", "fraction")
        self.found: dict[object, Any] = {}

    def code(self, value: object) -> Any:
        """The code of a value, or what says that it is unknown or does not fit."""
        from .dice import Pool

        try:
            held = fitted(self.program, plain_item(value), self.field)
        except MisfitError:
            return _UNFIT
        if isinstance(held, Unknown):
            return _UNKNOWN
        if isinstance(held, Pool):
            return held.terms[0].count * 1024 + held.terms[0].faces
        return held

    def codes(self, words: Sequence[Any]) -> list[int] | None:
        """The codes of a caller's own list; None where one does not fit or is unknown."""
        held = [self.code(each) for each in words]
        return None if self.is_held or not held or min(held) <= _UNKNOWN else held

    def problem(self, wrong: Array, given: Array, words: list[Any] | None) -> Problem | None:
        """The first of what does not fit, with how many more there are."""
        if not wrong.any():
            return None
        row = int(wrong.argmax())
        found = plain_item(given[row])
        if words is not None and 0 <= int(found) < len(words):
            found = words[int(found)]
        is_code = given.dtype.kind in "iu"
        more = int(wrong.sum()) - 1
        others = f" (and {more} more rows)" if more > 1 else " (and one more row)" if more else ""
        code, message, fix = self._said(found, words, is_code)
        return Problem(code, self.path, f"`{self.path}`, row {row}: {message}{others}", fix)

    def _said(self, found: Any, words: list[Any] | None, is_code: bool) -> tuple[str, str, str]:
        if words is not None and isinstance(found, int) and not isinstance(found, bool) and found not in words:
            return "out-of-range", f"expected a code from 0 to {len(words) - 1}, found {found}", ""
        if isinstance(found, float) and found != found:
            fix = "give unknown values by a masked array" if self.field.is_optional else ""
            return "wrong-type", "expected a value, found NaN", fix
        if self.field.type.kind in ("choice", "set") and is_code and words is None:
            return "out-of-range", f"expected a code from {self.range_text()}, found {found}", ""
        try:
            fitted(self.program, found, self.field)
        except MisfitError as error:
            return error.code, str(error), error.fix
        return "wrong-type", f"cannot be read here: `{printable(found)}`", ""

    def range_text(self) -> str:
        """The codes of the fact's type."""
        from .batch_columns import held_range

        low, high = held_range(self.field.type, self.program)
        return f"{low} to {high}"


def parts_of(given: Any, path: str, problems: list[Problem]) -> tuple[Array | None, list[Any] | None, Array | None]:
    """The array of a column, what its codes stand for, and where it is masked; no array where it is no column."""
    words = None
    given = getattr(given, "cat", given)
    if hasattr(given, "codes") and hasattr(given, "categories"):
        given = Coded(given.codes, given.categories)
    elif hasattr(given, "indices") and hasattr(given, "dictionary"):
        given = Coded(given.indices, given.dictionary.to_pylist())
    if isinstance(given, Coded):
        given, words = given.codes, given.values
    mask = (
        np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) and given.mask is not np.ma.nomask else None
    )
    array = _array(np.ma.getdata(given) if isinstance(given, np.ma.MaskedArray) else given)
    if array.ndim == 1 and (words is None or array.dtype.kind in "iu"):
        return array, words, mask
    what = f"has {array.ndim} dimensions" if array.ndim != 1 else "has codes that are no integers"
    problems.append(Problem("wrong-type", path, f"`{path}` {what}, and a column has one value for each row"))
    return None, None, None


def _array(given: Any) -> Array:
    """An array; of values of different types one of objects, so that none becomes something else."""
    if not hasattr(given, "__array__") and not _is_buffer(given):
        given = list(given)
        types = set(map(type, given))
        if not types <= _PLAIN:
            given = [plain_item(each) for each in given]
            types = set(map(type, given))
        if len(types) == 1 and types <= _PLAIN:
            return np.asarray(given)
        return np.fromiter(given, object, len(given))
    return np.asarray(given)


def plain_item(value: Any) -> Any:
    """A value itself, of one that numpy holds as its own; all else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def _is_buffer(given: Any) -> bool:
    """Whether numpy sees the memory of a column as it is."""
    try:
        memoryview(given)
    except TypeError:
        return isinstance(given, range)
    return True


def coded(misfits: Misfits, codes: Array, words: Sequence[Any]) -> Found:
    """Codes of a column from codes of the caller's own, where they do not fit, and where they are unknown."""
    held = [misfits.code(each) for each in words]
    outside = (codes < -1) | (codes >= len(words))
    at = np.where(outside | (codes < 0), len(words), codes).astype(np.intp)
    if misfits.is_held:
        return _parted(np.fromiter([*held, _UNKNOWN], object, len(held) + 1)[at], outside)
    return _parted(np.array([*held, _UNKNOWN], np.int64)[at], outside)


def items_of(misfits: Misfits, given: Array) -> Found:
    """Codes of a column of texts or of objects, where they do not fit, and where they are unknown."""
    nowhere = np.zeros(len(given), bool)
    if misfits.is_held:
        return _parted(np.fromiter(map(misfits.code, given.tolist()), object, len(given)), nowhere)
    parts = [_parted(_codes(misfits, given[at : at + _AT_ONCE].tolist())) for at in range(0, len(given), _AT_ONCE)]
    if not parts:
        return np.zeros(0, np.int8), nowhere, nowhere
    values, wrong, unknown = (np.concatenate(column) for column in zip(*parts, strict=True))
    return values, wrong, unknown


def _parted(found: Array, outside: Array | None = None) -> Found:
    """Codes in the smallest type, with masks instead of what stands for no code."""
    wrong, unknown = found == _UNFIT, found == _UNKNOWN
    wrong = wrong if outside is None else wrong | outside
    if found.dtype == object:
        found[unknown] = UNKNOWN
        return found, wrong, unknown & ~wrong
    there = found[~(wrong | unknown)]
    low, high = (int(there.min()), int(there.max())) if len(there) else (0, 0)
    found[wrong | unknown] = low
    return found.astype(dtype_for(low, high)), wrong, unknown & ~wrong


def _codes(misfits: Misfits, items: list[Any]) -> Array:
    memo = misfits.found
    keys: list[object] = items if set(map(type, items)) == {str} else [_key(each) for each in items]
    new = {key: at for at, key in enumerate(keys) if key not in memo} if not memo.keys() >= set(keys) else {}
    memo.update((key, misfits.code(items[at])) for key, at in new.items())
    return np.fromiter(map(memo.__getitem__, keys), np.int64, len(keys))


def _key(value: Any) -> object:
    """What tells values apart: a text itself, another with its type, since True and 1 are equal."""
    if type(value) is str:
        return value
    try:
        hash(value)
    except TypeError:
        return type(value), repr(value)
    return type(value), value
