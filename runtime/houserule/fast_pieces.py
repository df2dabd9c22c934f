"""Pieces of traces: told once for each combination of what they read, and remembered."""

from __future__ import annotations

from .dice import Rolled
from .expression import Attribute, Constant, DiceTerm, Has, Local, Operation, Within
from .expression import parts as parts_of
from .reads import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from .dice import Pool
    from .expression import Binding, Expr
    from .program import Program

    Held: TypeAlias = Mapping[str, Any]
    """Dice and values by path."""
    Faces: TypeAlias = Mapping[str, tuple[int, ...]] | None
    """The faces of each die by path; None where only totals are known."""
    Tell: TypeAlias = Callable[..., Any]

_KEPT = 512
"""So many combinations are remembered of one piece at most; then it starts anew."""


class Piece:
    """Some of a trace that is told once for each combination of what it reads."""

    __slots__ = ("memo", "tell")

    def __init__(self, tell: Tell) -> None:
        self.memo: dict[object, Any] = {}
        self.tell = tell

    def __call__(self, key: object, *given: object) -> Any:
        """The piece in a situation in which it was not told yet."""
        if len(self.memo) >= _KEPT:
            self.memo.clear()
        found = self.memo[key] = self.tell(*given)
        return found


class Replayed:
    """Dice that have fallen already; where faces are not known, of a single die the total says them."""

    def __init__(self, values: Held, faces: Faces) -> None:
        self.values = values
        self.faces = faces

    def roll(self, path: str, pool: Pool) -> Rolled:
        """How the dice at `path` fell."""
        value = self.values[path]
        if self.faces is not None:
            return Rolled(value, self.faces.get(path))
        return Rolled(value, () if not pool.terms else (value - pool.constant,) if len(pool.faces) == 1 else None)

    def settle(self) -> None:
        """These dice can always be trusted."""


class Numbers(Reader):
    """Finds whether expressions read numbers, themselves or through conditions, computed fields and cells."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.found = False

    def of_number(self, id: str, binding: Binding = ()) -> frozenset[Any]:
        """A number is found."""
        self.found = True
        return frozenset()

    def read_by(self, exprs: Iterable[Expr], binding: Binding) -> bool:
        """Whether expressions read any."""
        self.found = False
        self.of(exprs, binding)
        return self.found


def is_silent(expr: Expr) -> bool:
    """Whether nothing is told of what an expression reads: it reads no more than dice, values and literals."""
    is_one = isinstance(expr, int | Constant | Local | Operation | Within | Has | Attribute | DiceTerm)
    return is_one and all(map(is_silent, parts_of(expr)))
