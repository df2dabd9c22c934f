"""Exact odds of short procedures: the generated function is run once for each way that the dice can fall.

Each die is gone through by its totals, with their weights. Where there are too many ways, `odds` walks the procedure
state by state instead.
"""

from __future__ import annotations

from .dice import Pool, weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import Any, TypeAlias

    from .facts import Checked

    Falls: TypeAlias = tuple[tuple[tuple[int, int], ...], int]
    """The totals of a die with how many ways lead to each, and all ways."""

WAYS = 4_000
"""So many ways are gone through at most."""


class Every:
    """Goes through all ways in which the dice of one check can fall: dice that are rolled first change last."""

    __slots__ = ("at", "depth", "falls", "is_constant", "known")

    def __init__(self, known: dict[int, Falls], is_constant: Callable[[object], bool]) -> None:
        self.known = known
        self.is_constant = is_constant
        self.falls: list[Falls] = []
        self.at: list[int] = []
        self.depth = 0

    def roll(self, path: str, pool: Pool | int) -> int:
        """The total of a die in the way that is gone through now."""
        depth = self.depth
        self.depth = depth + 1
        if depth == len(self.at):
            self.falls.append(self._falls(pool))
            self.at.append(0)
        return self.falls[depth][0][self.at[depth]][0]

    def _falls(self, pool: Pool | int) -> Falls:
        if not isinstance(pool, Pool):
            return ((pool, 1),), 1
        found = self.known.get(id(pool))
        if found is None:
            ways = weights(pool)
            found = tuple(ways.items()), sum(ways.values())
            # Dice that are put together anew each time are not kept: they would only gather.
            if self.is_constant(pool):
                self.known[id(pool)] = found
        return found

    def chance(self) -> tuple[int, int]:
        """How likely the way just gone is: so many ways of so many."""
        many = of = 1
        for (totals, whole), at in zip(self.falls, self.at, strict=True):
            many *= totals[at][1]
            of *= whole
        return many, of

    def moves_on(self) -> bool:
        """Turns to the next way; whether there is one."""
        self.depth = 0
        while self.at:
            self.at[-1] += 1
            if self.at[-1] < len(self.falls[-1][0]):
                return True
            self.at.pop()
            self.falls.pop()
        return False


def outcomes(
    function: Callable[..., Any], facts: Checked, known: dict[int, Falls], is_constant: Callable[[object], bool]
) -> dict[int, Fraction] | None:
    """The chance of each outcome, by its code; None where there are too many ways.

    Raises `UnknownReadError` where a way reads something unknown.
    """
    from fractions import Fraction

    every, found = Every(known, is_constant), dict[tuple[int, int], int]()
    for _ in range(WAYS):
        outcome = function(facts, every.roll, _nowhere, "")[0]
        many, of = every.chance()
        key = outcome, of
        found[key] = found.get(key, 0) + many
        if not every.moves_on():
            break
    else:
        return None
    chances: dict[int, Fraction] = {}
    for (outcome, of), many in found.items():
        chances[outcome] = chances.get(outcome, Fraction(0)) + Fraction(many, of)
    return chances


def _nowhere(effect: object) -> None:
    """Effects play no part in odds."""
