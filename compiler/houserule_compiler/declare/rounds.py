"""Events, actions, triggers and sequences, from their nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypedDict, cast

from ..declarations import Reference
from ..document import Entry, Mapping, Node, Scalar
from ..document import Sequence as List
from ..messages import declare as messages
from ..rounds import (
    Action,
    Argument,
    Event,
    Holding,
    Initiative,
    LeadsTo,
    Moment,
    MomentCase,
    Place,
    Requirement,
    Sequence,
    SequenceStep,
    Spoiled,
    Trigger,
)
from ..syntax import Expression
from .checks import dice, effects, values
from .reading import LABELS, Reader, entries, field, is_empty, reference, text
from .unread import CALL, unread_of_call, unread_of_condition, unread_of_moment
from .vocabulary import fact

PLACES = ("step", "after", "left_out")
"""What places a moment: a case that says one of them takes none of the others from its moment."""


def event(entry: Entry, reader: Reader) -> Event:
    """An event and its arguments."""
    found = [each for each in entries(entry.value) if each.key.text not in LABELS]
    typed = [(each, reader.type(each.value)) for each in found]
    arguments = tuple(Argument(**reader.labels(each), type=kind) for each, kind in typed if kind)
    return Event(**reader.labels(entry), arguments=arguments)


def action(entry: Entry, reader: Reader) -> Action:
    """An action with its requirements."""
    body = entry.value
    if field(body, "by") is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "who acts", "by: attacker"))
    reader.diagnostics.extend(unread_of_call(body, CALL[:2]))
    return Action(
        **reader.labels(entry),
        by=reference(field(body, "by")),
        against=reference(field(body, "against")),
        requires=tuple(_requirements(field(body, "requires"), reader)),
        check=reference(field(body, "check")),
        rebinds=reader.rebinds(field(body, "as")),
        adjusts=reader.adjusts(field(body, "adjust")),
    )


def _requirements(node: Node | None, reader: Reader) -> Iterator[Requirement]:
    for each in entries(node):
        stated = each.value
        if isinstance(stated, Mapping) and stated.get("when"):
            reader.diagnostics.extend(unread_of_condition(stated))
            stated = stated.get("when") or stated
        when = reader.condition(stated)
        if when:
            yield Requirement(**reader.labels(each), when=when)


def trigger(entry: Entry, reader: Reader) -> Trigger:
    """A trigger and the check that it calls for."""
    body = entry.value
    when = reader.condition(field(body, "when"))
    if when is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a condition", "when: level > 3"))
        when = reader.condition(entry.key)
    assert when is not None
    if field(body, "check") is None and field(body, "effects") is None:
        reader.diagnostics.append(messages.incomplete(entry.key, "a check or effects", "check: morale"))
    reader.diagnostics.extend(unread_of_call(body, CALL[:2]))
    return Trigger(
        **reader.labels(entry),
        when=when,
        check=reference(field(body, "check")),
        rebinds=reader.rebinds(field(body, "as")),
        adjusts=reader.adjusts(field(body, "adjust")),
        effects=tuple(effects(field(body, "effects"), reader)),
        every=reference(field(body, "every")),
    )


def barred(node: Node | None) -> tuple[Reference, ...]:
    """Words joined by bars, each with its own place; a list of words too."""
    if isinstance(node, List):
        return tuple(found for each in node.items for found in barred(each))
    if not isinstance(node, Scalar):
        return ()
    found, at = [], 0
    for part in node.text.split("|"):
        word = part.strip()
        start = at + len(part) - len(part.lstrip())
        if word:
            found.append(Reference(word, node.part(start, start + len(word))))
        at += len(part) + 1
    return tuple(found)


def sequence(entry: Entry, reader: Reader) -> Sequence:
    """A sequence: its steps, who acts, and where the moments of actions fall."""
    body = entry.value
    if field(body, "steps") is None or is_empty(field(body, "steps")):
        reader.diagnostics.append(messages.incomplete(entry.key, "steps", "steps: {declare: {title: Declare}}"))
    start = field(body, "start")
    facts = field(body, "facts")
    return Sequence(
        **reader.labels(entry),
        when=reader.condition(field(body, "when")),
        initiative=_initiative(body, reader),
        steps=tuple(_steps(field(body, "steps"), reader)),
        start=reader.optional_expression(start),
        actor=reference(field(body, "actor")),
        action=reference(field(body, "action")),
        side=reference(field(body, "side")),
        who=reader.condition(field(body, "who")),
        facts=tuple(fact(each, reader) for each in entries(facts)),
        values=tuple(values(field(body, "values"), reader)),
        holding=_holding(field(body, "holding"), reader),
        places=tuple(_places(field(body, "places"), reader)),
    )


def _initiative(body: Node, reader: Reader) -> Initiative | None:
    entry = body.entry("initiative") if isinstance(body, Mapping) else None
    node = entry.value if entry else None
    if entry is None or not isinstance(node, Mapping):
        return None
    score = field(node, "score")
    if score is None or is_empty(score):
        reader.diagnostics.append(messages.incomplete(entry.key, "a score", "score: die"))
    scores = score.items if isinstance(score, List) else (score,) if score else ()
    return Initiative(
        by=cast('Literal["side", "actor"]', text(field(node, "by")) or "side"),
        roll=tuple(dice(field(node, "roll"), reader)),
        score=tuple(reader.expression(each, node.span) for each in scores),
        first=cast('Literal["highest", "lowest"]', text(field(node, "first")) or "highest"),
        ties=cast('Literal["together", "reroll"]', text(field(node, "ties")) or "together"),
        span=node.span,
    )


def _steps(node: Node | None, reader: Reader) -> Iterator[SequenceStep]:
    for each in entries(node):
        body, loop = each.value, field(each.value, "each")
        segments = field(loop, "segment")
        limit = field(body, "limit")
        reader.diagnostics.extend(unread_of_call(body, CALL[:1]))
        yield SequenceStep(
            **reader.labels(each),
            when=reader.condition(field(body, "when")),
            check=reference(field(body, "check")),
            rebinds=reader.rebinds(field(body, "as")),
            leads_to=_leads_to(field(body, "leads_to"), reader),
            initiative=_initiative(body, reader),
            each="segment" if segments else "turn" if text(loop) == "turn" else "",
            segments=reader.type(segments),
            limit=reader.optional_expression(limit),
            steps=tuple(_steps(field(body, "steps"), reader)),
        )


def _leads_to(node: Node | None, reader: Reader) -> LeadsTo | None:
    named = reference(node) or reference(field(node, "sequence"))
    if named is None:
        return None
    facts = tuple(
        (Reference(each.key.text, each.key.span), reader.expression(each.value, each.key.span))
        for each in entries(field(node, "facts"))
    )
    return LeadsTo(sequence=named, when=reader.condition(field(node, "when")), facts=facts)


def _holding(node: Node | None, reader: Reader) -> Holding | None:
    if node is None:
        return None
    stated = field(node, "to")
    to = barred(stated)
    is_segment = [each.id for each in to] == ["segment"]
    when = reader.condition(field(node, "when"))
    return Holding(when=when, to=() if is_segment else to, to_segment=is_segment, span=(stated or node).span)


def _places(node: Node | None, reader: Reader) -> Iterator[Place]:
    """One place for each action; those joined by bars have the same moments."""
    for each in entries(node):
        moments = tuple(_moment(moment, reader) for moment in entries(each.value) if moment.key.text not in LABELS)
        source = reader.labels(each)["source"]
        for action in barred(each.key):
            yield Place(id=action.id, place=action.span, source=source, moments=moments)


def _moment(entry: Entry, reader: Reader) -> Moment:
    body = entry.value
    times, stated = field(body, "times"), field(body, "cases")
    reader.diagnostics.extend(unread_of_moment(body, PLACES))
    cases = tuple(_moment_case(each, reader, body) for each in entries(stated))
    return Moment(
        **reader.labels(entry),
        times=reader.optional_expression(times),
        when=reader.condition(field(body, "when")),
        cases=cases or (_own_case(entry, reader),),
        threat=barred(field(body, "threat")),
        spoiled=_spoiled(field(body, "spoiled"), reader),
    )


def _own_case(entry: Entry, reader: Reader) -> MomentCase:
    return MomentCase(id="", place=entry.key.span, **_where(entry.value, None, reader))


def _moment_case(entry: Entry, reader: Reader, moment: Node) -> MomentCase:
    when = reader.condition(field(entry.value, "when"))
    where = _where(entry.value, moment, reader)
    return MomentCase(**reader.labels(entry), when=when, **where)


class _Where(TypedDict):
    """The keyword arguments of a case that say where a moment falls."""

    step: Expression | None
    segment: Expression | None
    rounds: Expression | None
    turn_of: Reference | None
    after: Reference | None
    past_end: Reference | None
    meanwhile: tuple[Reference, ...] | None
    left_out: str


def _where(node: Node, outer: Node | None, reader: Reader) -> _Where:
    """Where a moment falls: what the case says, else what the moment says for all of its cases."""
    is_placed = any(field(node, each) is not None for each in PLACES)

    def stated(key: str) -> Node | None:
        found = field(node, key)
        return field(outer, key) if found is None and not (is_placed and key in PLACES) else found

    meanwhile = stated("meanwhile")
    return {
        "step": reader.optional_expression(stated("step")),
        "segment": reader.optional_expression(stated("segment")),
        "rounds": reader.optional_expression(stated("rounds")),
        "turn_of": reference(stated("turn_of")),
        "after": reference(stated("after")),
        "past_end": reference(stated("past_end")),
        "meanwhile": barred(meanwhile) if meanwhile is not None else None,
        "left_out": text(stated("left_out")),
    }


def _spoiled(node: Node | None, reader: Reader) -> Spoiled | None:
    if not isinstance(node, Mapping):
        return None
    return Spoiled(
        since=reference(field(node, "since")),
        by=barred(field(node, "by")),
        effects=tuple(effects(field(node, "effects"), reader)),
        span=node.span,
    )
