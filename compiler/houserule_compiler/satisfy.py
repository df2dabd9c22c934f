"""Is there a situation in which all of these conditions hold, and those do not? The smallest such, or none.

A branching search over boxes of situations: a box in which a condition surely fails is dropped, one in which all are
settled is the answer, any other is split at the first read that matters. "None" is therefore always certain. A box
that cannot be split further, or a search that grows too long, leaves the question open: the answer is then a witness
that is not `is_exact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .intervals import Quantity
from .meanings import Meanings, optional_reads
from .terms import State, Term, Terms, Variable
from .typed import Typed

BOXES = 4_000
"""How many boxes one question may look at."""

ALL_BOXES = 60_000
"""How many boxes all questions of one run may look at together, before each is cut to `FEW_BOXES`."""

FEW_BOXES = 64
"""Enough for the plain questions that nearly all of them are."""

POINTS = 16
"""A read with at most this many values is always settled to one of them."""

Demand: TypeAlias = tuple[Typed, bool]
"""A condition, and whether it must hold or must not."""


@dataclass(frozen=True, slots=True)
class Given:
    """One thing that a situation settles: the expression that reads it, the kind of key, and the smallest value.

    `about` is `value`, or `known` where the value says whether the read is known, or `has` for a word in a set.
    """

    sample: Typed
    about: str
    path: tuple[object, ...]
    value: Quantity


@dataclass(frozen=True, slots=True)
class Witness:
    """A situation. Reads that do not matter are left out. If not `is_exact`, no more than that none was ruled out."""

    given: tuple[Given, ...]
    is_exact: bool


@dataclass(slots=True)
class Effort:
    """What is left of the work that one run may spend on questions, so that every run ends soon."""

    left: int = ALL_BOXES

    @property
    def allowed(self) -> int:
        """How many boxes the next question may look at."""
        return max(FEW_BOXES, min(BOXES, self.left))


def satisfy(
    demands: Sequence[Demand], meanings: Meanings, impossible: Sequence[Typed] = (), effort: Effort | None = None
) -> Witness | None:
    """The smallest situation that meets all demands and is not impossible; None if there surely is none.

    `effort` is shared by the questions of one run, and is charged with this one.
    """
    optional = optional_reads([item for item, _ in demands] + list(impossible)) | meanings.optional
    terms = Terms(meanings, optional)
    open = [_Open(*terms.term(item), wanted) for item, wanted in demands]
    terms.is_fixed = True
    asked = len(terms.variables)
    open += [_Open(*terms.term(item), False) for item in impossible]
    return _search(open, [_Cells.of(each) for each in terms.variables], terms.variables, asked, effort or Effort())


@dataclass(frozen=True, slots=True)
class _Open:
    """A demand in a box where it is not yet settled."""

    term: Term
    reads: frozenset[int]
    wanted: bool

    def verdict(self, state: State) -> bool | None:
        """Whether it is met all over the box, or nowhere in it, or neither.

        What is unknown does not hold, so it meets a demand that something must not hold.
        """
        found = self.term(state)
        if found is None:
            return not self.wanted
        low, high, maybe = found
        if self.wanted:
            return False if not high else True if low and not maybe else None
        return True if not high else False if low and not maybe else None


@dataclass(frozen=True, slots=True)
class _Cells:
    """The values of a variable as ascending cells, within which nothing changes; single values if there are no cuts."""

    low: Quantity
    high: Quantity
    starts: tuple[int, ...] | None

    @classmethod
    def of(cls, variable: Variable) -> _Cells:
        """As coarse as the questions about the variable allow."""
        low, high = variable.low, variable.high
        if not isinstance(low, int) or not isinstance(high, int):
            return cls(low, high, None)
        if variable.needs_points or high - low < POINTS:
            return cls(low, high, None)
        return cls(low, high, (low, *sorted(cut for cut in variable.cuts if low < cut <= high)))

    @property
    def count(self) -> int:
        """How many cells there are; a variable of fractions is a single one."""
        if self.starts is not None:
            return len(self.starts)
        return self.high - self.low + 1 if isinstance(self.low, int) and isinstance(self.high, int) else 1

    def span(self, first: int, after: int) -> tuple[Quantity, Quantity]:
        """The values of the cells from `first` up to, not including, `after`."""
        if self.starts is not None:
            end = self.starts[after] - 1 if after < len(self.starts) else self.high
            return self.starts[first], end
        if not isinstance(self.low, int):
            return self.low, self.high
        return self.low + first, self.low + after - 1


_Box: TypeAlias = tuple[tuple[int, int], ...]


def _search(
    demands: list[_Open], cells: list[_Cells], variables: list[Variable], asked: int, effort: Effort
) -> Witness | None:
    stack: list[tuple[_Box, list[_Open]]] = [(tuple((0, each.count) for each in cells), demands)]
    for _ in range(effort.allowed):
        if not stack:
            return None
        effort.left -= 1
        box, before = stack.pop()
        state = [each.span(*part) for each, part in zip(cells, box, strict=True)]
        left = _unsettled(before, state)
        if left is None:
            continue
        at = _to_split(left, box)
        if at is None:
            return _witness(box, state, cells, variables, asked, is_settled=not left)
        stack += [(half, left) for half in _halves(box, at)]
    return Witness((), False) if stack else None


def _unsettled(demands: list[_Open], state: State) -> list[_Open] | None:
    """The demands that are not settled in this box; None if one of them fails."""
    left = []
    for each in demands:
        verdict = each.verdict(state)
        if verdict is False:
            return None
        if verdict is None:
            left.append(each)
    return left


def _to_split(left: list[_Open], box: _Box) -> int | None:
    reads = {at for each in left for at in each.reads}
    return min((at for at in reads if box[at][1] - box[at][0] > 1), default=None)


def _halves(box: _Box, at: int) -> tuple[_Box, _Box]:
    """The upper half, then the lower, which is looked at first."""
    first, after = box[at]
    middle = (first + after + 1) // 2
    return (*box[:at], (middle, after), *box[at + 1 :]), (*box[:at], (first, middle), *box[at + 1 :])


def _witness(
    box: _Box, state: State, cells: list[_Cells], variables: list[Variable], asked: int, is_settled: bool
) -> Witness:
    given = []
    for at, variable in enumerate(variables[:asked]):
        if box[at] != (0, cells[at].count) or cells[at].count == 1:
            given.append(Given(variable.sample, _about(variable), _path(variable), state[at][0]))
    matters = [variables[at] for at in range(len(variables)) if box[at] != (0, cells[at].count)]
    return Witness(tuple(given), is_settled and not any(each.is_opaque for each in matters))


def _about(variable: Variable) -> str:
    head = variable.key[0]
    return str(head) if head in ("known", "has") else "value"


def _path(variable: Variable) -> tuple[object, ...]:
    about = _about(variable)
    return variable.key[1:] if about == "known" else variable.key[2:] if about == "has" else variable.key
