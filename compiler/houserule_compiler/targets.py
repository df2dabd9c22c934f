"""The cells of tables that changed, as values of the facts that they are looked up with: where a search aims first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from houserule.expression import FactRead, FieldRead, ItsRead, Operation

from .reached import Declared
from .representatives import declared_path, knows
from .table_changes import Cells

if TYPE_CHECKING:
    from houserule.expression import Expr, Read

    from .reached import Reached
    from .representatives import Given, Values

Target: TypeAlias = Mapping[Declared, int]
"""The codes of facts, as they are declared, that lead to one cell."""
NO_CELLS: Cells = MappingProxyType({})
_ELSEWHERE = 2


def aiming(reached: Reached, cells: Cells) -> list[Target]:
    """What leads to each changed cell that some definitions look up; its codes are tried from here on."""
    found = list(_targets(reached, cells))
    for each in found:
        for declared, code in each.items():
            if declared in reached.uses:
                reached.uses[declared].aimed.add(code)
    return found


def aimed(
    target: Target,
    reached: Reached,
    facts: Sequence[tuple[Read, Values]],
    held: Callable[[Read, Given], object],
) -> Iterator[dict[int, int]]:
    """The facts that lead to a changed cell, each as its position with that of its value.

    Those of all who could be meant, then of each role alone.
    """
    found: dict[int, int] = {}
    for at, (read, values) in enumerate(facts):
        declared = declared_path(reached.program, read) if knows(reached.program, read) else ""
        if declared in target:
            cuts, code = sorted(reached.uses[declared].cuts), target[declared]
            far = [_distance(held(read, given), cuts, code) for given in values.given]
            if min(far, default=_ELSEWHERE) < _ELSEWHERE:
                found[at] = far.index(min(far))
    yield found
    for role in sorted({facts[at][0][1] for at in found if facts[at][0][0] == "field"}):
        yield {at: each for at, each in found.items() if facts[at][0][0] != "field" or facts[at][0][1] == role}


def _distance(value: object, cuts: Sequence[int], code: int) -> int:
    """0 for the very value that is sought, 1 for another of its class."""
    if not isinstance(value, int):
        return _ELSEWHERE
    if value == code:
        return 0
    return 1 if bisect_right(cuts, value) == bisect_right(cuts, code) else _ELSEWHERE


def _targets(reached: Reached, cells: Cells) -> Iterator[Target]:
    for id, keys, owner in reached.lookups:
        for codes in cells.get(id, ()):
            found: dict[Declared, int] = {}
            for key, code in zip(keys, codes, strict=True):
                found |= dict(_sought(reached, key, code, owner))
            if found:
                yield found


def _sought(reached: Reached, expr: Expr, code: int, owner: str) -> Iterator[tuple[Declared, int]]:
    """The fact that a key reads, and what it must be for the key to be `code`, or near it where that is not plain."""
    match expr:
        case FactRead() | FieldRead() | ItsRead():
            yield reached.declared(expr, owner), code
        case Operation("+", (one, int(other))) | Operation("+", (int(other), one)):
            yield from _sought(reached, one, code - other, owner)
        case Operation("-", (one, int(other))):
            yield from _sought(reached, one, code + other, owner)
        case Operation(_, parts):
            for each in parts:
                yield from _sought(reached, each, code, owner)
