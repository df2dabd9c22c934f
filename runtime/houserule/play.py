"""The evaluator of play in rounds: it knows who sits in `actor`, `foe` and `action`, the sides, and a sequence's names.

Roles stay what they are in checks: `rate(actor as attacker)` seats the actor in the chair of the attacker.
"""

from __future__ import annotations

from .evaluate import Evaluator, Frame
from .trace import labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass

    from .evaluate import Facts, Value
    from .expression import Expr
    from .program import Field, Program
    from .rounds import Sequence
    from .trace import Entry
    from .values import Unknown
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who sits in a chair: what the caller calls it, its entity, and its fields by id."""

    id: str
    entity: str
    fields: Mapping[str, Value | Unknown]


@dataclass(frozen=True, slots=True)
class Stage:
    """What all questions about one round share: the sequence, the facts around it, and the sides in their order."""

    program: Program
    sequence: Sequence
    options: Mapping[str, Value]
    given: Facts
    own: Mapping[str, Value | Unknown]
    sides: Mapping[str, Seat]


class Playing(Evaluator):
    """Answers questions about somebody who takes part.

    `does` are the actions that those in the chairs declare, `names` what else can be read, such as `score`.
    """

    def __init__(
        self,
        stage: Stage,
        seats: Mapping[str, Seat],
        does: Mapping[str, frozenset[str]],
        notes: list[Entry] | None,
        names: Mapping[str, Value | Unknown] | None = None,
    ) -> None:
        facts: dict[str, Value | Unknown] = dict(stage.given)
        for chair, seat in seats.items():
            facts |= {f"{chair}.{id}": value for id, value in seat.fields.items()}
        super().__init__(stage.program, facts, stage.options, notes)
        self.stage = stage
        self.seats = seats
        self.does = does
        self.names = names or {}

    def frame(self, **locals: Value | Unknown) -> Frame:
        """A place where the sequence's own names can be read, and these besides."""
        return Frame(locals={**self.stage.own, **self.names, **locals})

    def field(self, role: str, field: str, frame: Frame) -> tuple[str, Field, Value | Unknown]:
        """A field of somebody who takes part, under that one's name; else of a role."""
        seat = self.seats.get(role)
        if seat is None:
            return super().field(role, field, frame)
        declared = self.program.entities[seat.entity].fields[field]
        _, found, value = self._found(f"{role}.{field}", declared, role, frame)
        return f"{seat.id}.{field}", found, value

    def name_of(self, player: str) -> str:
        """What the caller calls somebody."""
        seat = self.seats.get(player)
        return seat.id if seat else player

    def local(self, path: str, frame: Frame) -> Value | Unknown:
        """A name of the sequence; a named value is worked out where it is first read."""
        declared = self.stage.sequence.values.get(path)
        if declared is None or path in frame.locals:
            return super().local(path, frame)
        value, read = self.noted(declared.value, frame)
        frame.locals[path] = value
        self.note(labelled("value", declared.label, self.shown(value, declared.type), read))
        return value

    def declares(self, chair: str, action: str, frame: Frame) -> bool:
        """Whether the actor, or the foe, declares an action; nobody declares nothing."""
        return action in self.does.get(chair, ())

    def over_sides(self, condition: Expr, frame: Frame) -> list[bool]:
        """Whether a condition holds for each side in turn."""
        each = (
            Playing(self.stage, {**self.seats, "side": side}, self.does, self.notes, self.names)
            for side in self.sides()
        )
        return [inner.holds(condition, frame) for inner in each]

    def sides(self) -> list[Seat]:
        """The sides of the encounter, in order."""
        return list(self.stage.sides.values())
