"""What a sequence may read: of the caller's facts, and of those who take part in each declared action."""

from __future__ import annotations

from .expression import Known, Local, parts
from .program import expressions_of_effects
from .reads import Reader
from .rounds import expressions_of_initiative, expressions_of_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .expression import Expr
    from .program import Program
    from .reads import Reads
    from .rounds import Action, Initiative, Sequence


class Asked:
    """The reads of one sequence. Those of chairs are `("field", "actor", field)`, names are `("local", name)`."""

    def __init__(self, program: Program, sequence: Sequence) -> None:
        self.program = program
        self.sequence = sequence
        sides = {"side": sequence.side} if sequence.side else {}
        self._reader = Reader(program, {**sequence.players(), **sides})

    def always(self) -> Reads:
        """What is read whoever does what: by the sequence's own condition, and by those of its steps."""
        steps = self.sequence.all_steps()
        return self.of([self.sequence.when, *(step.when for step in steps)])

    def rolling(self, initiative: Initiative | None) -> Reads:
        """What an initiative reads, of whoever rolls."""
        return self.of(expressions_of_initiative(initiative))

    def declared(self, action: str, is_held: bool) -> Reads:
        """What is read for a declared action: who may, its requirements, where its moments fall, what spoils them."""
        sequence, declared = self.sequence, self.program.actions.get(action)
        exprs: list[Expr | None] = [sequence.start, sequence.who]
        if is_held and sequence.holding:
            exprs.append(sequence.holding.when)
        for moment in sequence.places[action]:
            exprs += [*expressions_of_moment(moment)]
            exprs += [*expressions_of_effects(moment.spoiled.effects if moment.spoiled else ())]
        return self.of(exprs) | (requirements_read(self._reader, declared) if declared else frozenset())

    def of(self, exprs: Iterable[Expr | None]) -> Reads:
        """What some expressions read, through named values too."""
        found = [*self._through(each for each in exprs if each is not None)]
        return self._reader.of(found) | {("local", name) for name in _names(found)}

    def _through(self, exprs: Iterable[Expr]) -> Iterator[Expr]:
        pending, seen = list(exprs), set[str]()
        while pending:
            expr = pending.pop()
            yield expr
            for name in _names([expr]):
                if name in self.sequence.values and name not in seen:
                    seen.add(name)
                    pending.append(self.sequence.values[name].value)

    def borrows_turn(self, action: str) -> bool:
        """Whether a moment of an action can come in the turn of the foe."""
        return any(case.is_foes_turn for moment in self.sequence.places[action] for case in moment.cases)


def requirements_read(reader: Reader, action: Action) -> Reads:
    """What the requirements of an action read, with those who act in their chairs if `reader` knows such players."""
    exprs = [each.when for each in action.requires]
    return reader.of(exprs, chairs_of(action) if "actor" in reader.players else ())


def chairs_of(action: Action) -> tuple[tuple[str, str], ...]:
    """The actor in the chair of who acts, and its foe in the chair of whom it is done to."""
    pairs = [(action.by, "actor"), (action.against, "foe")]
    return tuple(sorted((chair, player) for chair, player in pairs if chair))


def _names(exprs: Iterable[Expr]) -> Iterator[str]:
    pending = list(exprs)
    while pending:
        expr = pending.pop()
        pending += parts(expr)
        match expr:
            case Local(path) | Known(("local", path)):
                yield path
