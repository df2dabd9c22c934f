"""From an ordered round to what callers get: the `Order`, with what its steps call for."""

from __future__ import annotations

from .asked import Asked
from .carried import data
from .declared import Carried
from .errors import ArtifactError, UnknownReadError
from .order_trace import trace
from .ordered import LeftOut, Line, Order, PlacedMoment, StepEntry
from .procedure import reported
from .values import exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .expression import Expr
    from .ordering import Ordering
    from .placing import Event
    from .rounds import LeadsTo, SequenceStep
    from .values import Shown


def order(ordering: Ordering) -> Order:
    """The order as data, with its trace."""
    sequence, encounter = ordering.sequence, ordering.encounter
    made = {id(each): _placed(each) for each in (*ordering.events, *ordering.next_round)}
    kept = [each for each in ordering.next_round if not each.spoiled_by]
    standings = list(ordering.standings.items())
    return Order(
        sequence.label.id,
        sequence.label.title,
        encounter.round,
        tuple(tuple(made[id(each)] for each in group) for group in grouped(ordering.events)),
        tuple(_left_out(ordering)),
        tuple(data(_carried(each), ordering.plain, sequence) for each in kept),
        tuple(made[id(each)] for each in kept),
        tuple(made[id(each)] for each in ordering.next_round if each.spoiled_by),
        {name: rolled.value for name, rolled in ordering.rolls.rolled.items()},
        {name: rolled.faces for name, rolled in ordering.rolls.rolled.items() if rolled.faces is not None},
        {
            f"{step}.{who}" if step else who: _whole(score)
            for step, each in standings
            for who, score in each.scores.items()
        },
        tuple(tie for _, each in standings for tie in each.ties),
        tuple(_entries(ordering)),
        tuple(_lines(ordering, sequence.steps, 0)),
        trace(ordering),
    )


def grouped(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Sorted events, those with one key together."""
    group: list[Event] = []
    for each in events:
        if group and group[0].key != each.key:
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _whole(score: object) -> Shown:
    found = exact(score)  # type: ignore[arg-type]
    return found.numerator if found.denominator == 1 else found


def _placed(event: Event) -> PlacedMoment:
    spoiled = event.moment.spoiled if event.spoiled_by else None
    follows = [reported(event.playing, effect, event.frame) for effect in spoiled.effects] if spoiled else []
    at = event
    while at.base is not None:
        at = at.base
    return PlacedMoment(
        at.step,
        at.segment,
        event.declared.actor,
        event.declared.action,
        event.moment.label.id,
        event.nth,
        event.declared.foe,
        event.moment.label.title,
        event.key,
        event.is_held,
        event.is_old,
        tuple(each.name for each in event.spoilers),
        tuple((each.name, what) for each, what in event.spoiled_by),
        tuple(each[0] for each in follows if each),
    )


def _carried(event: Event) -> Carried:
    return Carried(
        event.declared,
        event.moment.label.id,
        event.nth,
        event.step,
        event.segment,
        event.rounds,
        event.is_foes_turn,
        event.meanwhile,
    )


def _left_out(ordering: Ordering) -> Iterator[LeftOut]:
    for each in ordering.missed:
        yield LeftOut(each.declared.actor, each.declared.action, each.moment, each.reason, each.title)


def _entries(ordering: Ordering) -> Iterator[StepEntry]:
    for step in ordering.sequence.all_steps():
        if not ordering.visited[step.label.id]:
            continue
        leads = step.leads_to if step.leads_to and _is_entered(ordering, step.leads_to) else None
        if step.check or leads:
            yield _entry(ordering, step, leads)


def _entry(ordering: Ordering, step: SequenceStep, leads: LeadsTo | None) -> StepEntry:
    facts: dict[str, Shown] = {}
    for id, value in leads.facts if leads else ():
        found = _known(ordering, value)
        if found is not None:
            facts[id] = _shown(ordering, leads, id, found)  # type: ignore[arg-type]
    return StepEntry(step.label.id, step.check, dict(step.seats), leads.sequence if leads else "", facts)


def _shown(ordering: Ordering, leads: LeadsTo, fact: str, value: object) -> Shown:
    type = ordering.stage.program.sequences[leads.sequence].facts[fact].type
    if type.kind == "side":
        sides = [*ordering.stage.sides]
        if not 0 <= int(value) < len(sides):  # type: ignore[call-overload]
            raise ArtifactError(
                f"this artifact is damaged: `{leads.sequence}` is led to with a side that does not exist"
            )
        return sides[int(value)]  # type: ignore[call-overload]
    return ordering.plain.shown(value, type)  # type: ignore[arg-type]


def _is_entered(ordering: Ordering, leads: LeadsTo) -> bool:
    """Whether the other sequence follows; where that is not known yet, it may."""
    return leads.when is None or _known(ordering, leads.when) is not False


def _known(ordering: Ordering, expr: Expr) -> object:
    """The value of an expression; None where something is not given yet: it may come of the step's check."""
    asked = Asked(ordering.stage.program, ordering.sequence)
    for read in asked.of([expr]):
        if read[0] == "local" and read[1] in ordering.sequence.facts and read[1] not in ordering.encounter.own:
            return None
        if read[0] != "local" and ".".join(read[1:]) not in ordering.stage.given:
            return None
    try:
        return ordering.plain.value(expr, ordering.plain.frame())
    except UnknownReadError:
        return None


def _lines(ordering: Ordering, steps: Iterable[SequenceStep], depth: int) -> Iterator[Line]:
    for step in steps:
        id = step.label.id
        yield Line(id, step.label.title, depth, ordering.visited[id])
        yield from _lines(ordering, step.steps, depth + 1)
