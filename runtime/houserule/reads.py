"""What a number or check may read of the facts, found without evaluating: through calls, bindings, computed fields."""

from __future__ import annotations

from .expression import ConditionRead, FactRead, FieldRead, ItsRead, Known, Local, Lookup, NumberRead, parts
from .nesting import expressions_of_step
from .program import expressions_of_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from .expression import Binding, Expr, Read
    from .program import Program

    Reads: TypeAlias = frozenset[Read]


def seat(binding: Binding, seats: Binding) -> Binding:
    """The binding in which whoever plays the second of each pair also sits in the chair of the first, all at once."""
    if not seats:
        return binding
    now = dict(binding)
    after = now | {chair: now.get(player, player) for chair, player in seats}
    return tuple(sorted((chair, player) for chair, player in after.items() if chair != player))


class Reader:
    """Finds the given facts that definitions read, as `("field", role, field)` and `("fact", id)` of the caller.

    `players` are the entities of those who take part in a sequence, by chair.
    """

    def __init__(self, program: Program, players: Mapping[str, str] | None = None) -> None:
        self.program = program
        self.players = players or {}
        self.memo: dict[tuple[str, str, Binding, bool], Reads] = {}

    def of_number(self, id: str, binding: Binding = ()) -> Reads:
        """What a number may read."""
        number = self.program.numbers[id]
        key = "number", id, binding, False
        if key not in self.memo:
            self.memo[key] = self.of(expressions_of_number(number), seat(binding, number.seats))
        return self.memo[key]

    def of_check(self, id: str, binding: Binding = (), runs_then: bool = True) -> Reads:
        """What a check may read; with what follows its outcome where that runs."""
        key = "check", id, binding, runs_then
        if key not in self.memo:
            check = self.program.checks[id]
            steps = [*check.steps.values(), *(check.then.values() if runs_then else ())]
            found = self.of((expr for step in steps for expr in expressions_of_step(step)), binding)
            for step in steps:
                if step.call:
                    found |= self.of_check(step.call.check, seat(binding, step.call.seats), step.call.runs_then)
            self.memo[key] = found
        return self.memo[key]

    def of(self, exprs: Iterable[Expr], binding: Binding = (), owner: str = "") -> Reads:
        """What expressions may read; `owner` is the role whose computed field they are, in the caller's terms."""
        result: set[Read] = set()
        pending = list(exprs)
        while pending:
            expr = pending.pop()
            pending += parts(expr)
            result |= self._of_one(expr, binding, owner)
        return frozenset(result)

    def _of_one(self, expr: Expr, binding: Binding, owner: str) -> Reads:
        match expr:
            case FieldRead(role, field) | Known(("field", role, field)):
                return self._field(dict(binding).get(role, role), field, binding)
            case ItsRead(field) | Known(("its", field)):
                return self._field(owner, field, binding)
            case FactRead(id) | Known(("fact", id)):
                return self._fact(id, binding)
            case ConditionRead(id):
                return self.of([self.program.conditions[id].when], binding)
            case NumberRead(id, roles):
                return self.of_number(id, seat(binding, roles))
            case Lookup(id):
                return self.of(self.program.tables[id].worked, binding)
        return frozenset()

    def _field(self, role: str, field: str, binding: Binding) -> Reads:
        entity = self.players.get(role) or self.program.roles[role].entity
        declared = self.program.entities[entity].fields[field]
        if declared.computed is None:
            return frozenset({("field", role, field)})
        return self.of([declared.computed], binding, role)

    def _fact(self, id: str, binding: Binding) -> Reads:
        computed = self.program.facts[id].computed
        return frozenset({("fact", id)}) if computed is None else self.of([computed], binding)


def reads_locals(program: Program, id: str) -> bool:
    """Whether a number reads dice or values of its check, itself or through others."""
    pending: list[Expr] = [NumberRead(id, ())]
    while pending:
        expr = pending.pop()
        pending += parts(expr)
        match expr:
            case Local() | Known(("local", _)):
                return True
            case NumberRead(other):
                pending += expressions_of_number(program.numbers[other])
    return False
