"""Dice: where rolls come from (a seed, a source, given dice), and how likely each total is, as exact weights."""

from __future__ import annotations

from .errors import DiceError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from dataclasses import dataclass
    from typing import Protocol, TypeAlias

    Weights: TypeAlias = dict[int, int]
    GivenDice: TypeAlias = Mapping[str, int | Sequence[int]]

    class Source(Protocol):
        """A source of chance, such as `random.Random`."""

        def randrange(self, stop: int, /) -> int:
            """An integer from 0 up to, not including, `stop`."""
            ...

    class Roller(Protocol):
        """Whatever says how dice fall."""

        def roll(self, path: str, pool: Pool) -> Rolled:
            """How the dice at `path` fall."""
            ...

        def settle(self) -> None:
            """Called when all dice of one roll have fallen; raises where they cannot be trusted."""
            ...
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """Some dice of one kind: `keep` is empty, `highest` or `lowest`, with `kept` of them counted."""

    count: int
    faces: int
    keep: str = ""
    kept: int = 0

    @property
    def counted(self) -> int:
        """How many of the dice count."""
        return self.kept if self.keep else self.count

    def total(self, faces: Sequence[int]) -> int:
        """The total of the faces that count."""
        ordered = sorted(faces, reverse=self.keep == "highest") if self.keep else faces
        return sum(ordered[: self.counted])


@dataclass(frozen=True, slots=True)
class Pool:
    """What one die of a check rolls: some dice and a constant."""

    terms: tuple[Term, ...]
    constant: int = 0

    @property
    def low(self) -> int:
        """The least that the faces show, before the constant."""
        return sum(term.counted for term in self.terms)

    @property
    def high(self) -> int:
        """The most that the faces show, before the constant."""
        return sum(term.counted * term.faces for term in self.terms)

    @property
    def faces(self) -> tuple[int, ...]:
        """How many faces each die has, in order."""
        return tuple(term.faces for term in self.terms for _ in range(term.count))

    def total(self, faces: Sequence[int]) -> int:
        """The value of the die when its faces are these, in order."""
        at, total = 0, self.constant
        for term in self.terms:
            total += term.total(faces[at : at + term.count])
            at += term.count
        return total

    def __str__(self) -> str:
        shown = " + ".join(f"{t.count}d{t.faces}" + (f" keep {t.keep} {t.kept}" if t.keep else "") for t in self.terms)
        if not shown:
            return str(self.constant)
        return shown + (f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant else "")


@dataclass(frozen=True, slots=True)
class Rolled:
    """How a die fell: its value, and the faces where they are known."""

    value: int
    faces: tuple[int, ...] | None = None


def face(seed: int | str, path: str, index: int, faces: int) -> int:
    """Face `index` (from 0) of the die at `path`: drawn from SHA-256 by rejection, the same in every language."""
    from hashlib import sha256

    end = (1 << 64) // faces * faces
    attempt = 0
    while True:
        drawn = int.from_bytes(sha256(f"{seed}|{path}|{index}|{attempt}".encode()).digest()[:8], "big")
        if drawn < end:
            return drawn % faces + 1
        attempt += 1


class Seeded:
    """Rolls that follow from a seed and the path of each die, unmoved by other dice."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def roll(self, path: str, pool: Pool) -> Rolled:
        """How the dice at `path` fall."""
        faces = tuple([face(self.seed, path, index, count) for index, count in enumerate(pool.faces)])
        return Rolled(pool.total(faces), faces)

    def settle(self) -> None:
        """These dice can always be trusted."""


class Drawn:
    """Rolls from an own source, in the order in which the dice are rolled."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def roll(self, path: str, pool: Pool) -> Rolled:
        """How the dice at `path` fall."""
        faces = tuple([self.source.randrange(count) + 1 for count in pool.faces])
        return Rolled(pool.total(faces), faces)

    def settle(self) -> None:
        """These dice can always be trusted."""


class Given:
    """Dice that a caller gives: for each die what its faces show before the constant, or the list of its faces.

    The problems of one roll are gathered, and raised together by `settle`.
    """

    def __init__(self, dice: GivenDice) -> None:
        self.dice = dice
        self.problems: list[Problem] = []
        self.used: set[str] = set()

    def roll(self, path: str, pool: Pool) -> Rolled:
        """How the dice at `path` fall; a die without faces needs not be given."""
        if not pool.terms:
            return Rolled(pool.constant, ())
        self.used.add(path)
        if path not in self.dice:
            self._problem("missing-die", path, f"`{path}` ({pool}) is missing", f"give `{path}`")
            return Rolled(pool.low + pool.constant)
        given = self.dice[path]
        if isinstance(given, int) and not isinstance(given, bool):
            return self._total(path, pool, given)
        if isinstance(given, list | tuple):
            return self._faces(path, pool, tuple(given))
        self._problem("wrong-type", path, f"`{path}` must be a whole number or a list of faces")
        return Rolled(pool.low + pool.constant)

    def settle(self) -> None:
        """Raises `DiceError`: what came after would follow from dice that nobody gave."""
        if self.problems:
            raise DiceError(self.problems)

    def finish(self) -> None:
        """Raises `DiceError` for dice that were given and not needed."""
        for path in self.dice:
            if path not in self.used:
                self._problem("unneeded-die", path, f"`{path}` was not rolled", f"leave `{path}` out")
        self.settle()

    def _total(self, path: str, pool: Pool, given: int) -> Rolled:
        if not pool.low <= given <= pool.high:
            self._outside(path, pool, str(given) if abs(given) < 1 << 53 else "beyond all dice")
            return Rolled(pool.low + pool.constant)
        return Rolled(given + pool.constant, (given,) if len(pool.faces) == 1 else None)

    def _faces(self, path: str, pool: Pool, given: tuple[int, ...]) -> Rolled:
        wanted = pool.faces
        if not all(type(each) is int for each in given):
            self._problem("wrong-type", path, f"`{path}` has a face that is no whole number")
        elif len(given) == len(wanted) and all(1 <= a <= b for a, b in zip(given, wanted, strict=True)):
            return Rolled(pool.total(given), given)
        else:
            self._outside(path, pool, str(list(given)) if sum(map(abs, given)) < 1 << 53 else "a list")
        return Rolled(pool.low + pool.constant)

    def _outside(self, path: str, pool: Pool, given: str) -> None:
        count = len(pool.faces)
        faces = f", or a list of {count} faces" if count > 1 else ""
        message = f"`{path}` is {given[:60]}, and {Pool(pool.terms)} gives {pool.low} to {pool.high}{faces}"
        self._problem("out-of-range", path, message)

    def _problem(self, code: str, path: str, message: str, fix: str = "") -> None:
        self.problems.append(Problem(code, path, message, fix))


def weights(pool: Pool) -> Weights:
    """How many ways lead to each value of a die, constant included, lowest first. Exact: integers only."""
    result = {pool.constant: 1}
    for term in pool.terms:
        result = convolved(result, _of_term(term))
    return result


def convolved(one: Weights, other: Weights) -> Weights:
    """The weights of the sum of two independent values."""
    result: Weights = {}
    for a, ways in one.items():
        for b, more in other.items():
            result[a + b] = result.get(a + b, 0) + ways * more
    return result


def _of_term(term: Term) -> Weights:
    if term.keep and term.kept < term.count:
        return _kept(term)
    ways = [1]
    for _ in range(term.count):
        ways = _one_more(ways, term.faces)
    return {term.count + index: many for index, many in enumerate(ways)}


def _one_more(ways: list[int], faces: int) -> list[int]:
    """The ways to each total with one die more, by a running sum over the last `faces` totals."""
    result, running = [], 0
    for index in range(len(ways) + faces - 1):
        running += ways[index] if index < len(ways) else 0
        running -= ways[index - faces] if index >= faces else 0
        result.append(running)
    return result


def _kept(term: Term) -> Weights:
    """Face by face from the best: so many dice show it, and as many of those count as are still to be kept."""
    from math import comb

    faces = range(term.faces, 0, -1) if term.keep == "highest" else range(1, term.faces + 1)
    states = {(term.count, 0): 1}
    for shown in faces:
        after: dict[tuple[int, int], int] = {}
        for (left, total), ways in states.items():
            to_keep = max(0, term.kept - (term.count - left))
            for many in range(left + 1):
                key = left - many, total + min(many, to_keep) * shown
                after[key] = after.get(key, 0) + ways * comb(left, many)
        states = after
    return dict(sorted((total, ways) for (left, total), ways in states.items() if not left))
