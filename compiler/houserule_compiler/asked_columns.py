"""The answers of many cells at once, by columns, where numpy is installed; what those leave is asked cell by cell.

Both ways answer the same. Columns are refused as a whole where one row is impossible or lacks something, and given dice
may be too many in some cells: all that is the business of the single question, which says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from houserule.errors import HouseruleError
from houserule.values import UNKNOWN

if TYPE_CHECKING:
    from houserule import Rules

LEAST = {"number": 5_000, "check": 200}
"""For fewer cells than this importing numpy takes longer than it saves."""
CHUNK = {"number": 50_000, "check": 2_000}
"""So many cells are asked at once, so that progress can be shown."""


def can_batch(rules: Rules) -> bool:
    """Whether rules can be asked by columns here."""
    return hasattr(type(rules), "batch") and find_spec("numpy") is not None


def numbers(rules: Rules, id: str, columns: Mapping[str, object]) -> Sequence[int | Fraction | None] | None:
    """The value of a number in each row, None for a row that has none; None at all where columns are refused."""
    found = _asked(rules, "number", id, columns)
    if found is None or (found.known is None and found.values.dtype != object):
        return None if found is None else found.values.tolist()
    return [None if each is UNKNOWN else each for each in found]


def chances(
    rules: Rules, id: str, outcomes: Sequence[str], columns: Mapping[str, object]
) -> list[tuple[Fraction, ...] | None] | None:
    """The chances of some outcomes of a check in each row, as `numbers` gives values."""
    found = _asked(rules, "odds", id, columns)
    if found is None:
        return None
    known = [True] * len(found) if found.known is None else found.known.tolist()
    ways = [found.ways[each].tolist() for each in outcomes]
    fractions: dict[int, Fraction] = {}
    return [
        tuple(_fraction(many, found.of, fractions) for many in row) if is_known else None
        for is_known, row in zip(known, zip(*ways, strict=True) if ways else iter([()] * len(known)), strict=True)
    ]


def _fraction(ways: int, of: int, made: dict[int, Fraction]) -> Fraction:
    """A chance; few different ones stand in many cells."""
    if ways not in made:
        made[ways] = Fraction(int(ways), of)
    return made[ways]


def _asked(rules: Rules, question: str, id: str, columns: Mapping[str, object]) -> Any:
    batch: Any = rules.batch
    try:
        return getattr(batch, question)(id, columns)
    except HouseruleError:
        return None
