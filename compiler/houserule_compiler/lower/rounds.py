"""Events, actions, triggers and sequences as the JSON of docs/artifact.md."""

from __future__ import annotations

from ..typed import TypedField
from ..typed_rounds import (
    TypedAction,
    TypedEvent,
    TypedInitiative,
    TypedLeadsTo,
    TypedMoment,
    TypedMomentCase,
    TypedSequence,
    TypedSequenceStep,
    TypedTrigger,
)
from ..types import Side
from .checks import adjusted, die, effect, seats, value
from .expressions import Json, expression, kind, optional, present, reads
from .labels import Labels


def event(event: TypedEvent, labels: Labels) -> Json:
    """One event."""
    arguments: list[Json] = [
        {"id": id, "entity": what} if isinstance(what, str) else {"id": id, "type": kind(what)}
        for id, what in event.arguments
    ]
    return {**labels.of(event.declared), "arguments": arguments}


def action(action: TypedAction, labels: Labels) -> Json:
    """One action."""
    declared = action.declared
    requires: list[Json] = [
        {
            **labels.of(each.declared),
            "when": expression(each.when),
            "text": each.declared.when.text,
            "needs": reads(each.when.needs),
        }
        for each in action.requires
    ]
    return {
        **labels.of(declared),
        **present(
            by=declared.by.id if declared.by else None,
            against=declared.against.id if declared.against else None,
            check=declared.check.id if declared.check else None,
        ),
        "as": seats(declared.rebinds),
        "adjust": adjusted(action.adjusts),
        "requires": requires,
    }


def trigger(trigger: TypedTrigger, labels: Labels) -> Json:
    """One trigger."""
    declared = trigger.declared
    return {
        **labels.of(declared),
        "when": expression(trigger.when),
        "text": declared.when.text,
        "needs": reads(trigger.when.needs),
        **present(
            check=declared.check.id if declared.check else None, every=declared.every.id if declared.every else None
        ),
        "as": seats(declared.rebinds),
        "adjust": adjusted(trigger.adjusts),
        "effects": [effect(each) for each in trigger.effects],
    }


def _given(**members: Json) -> dict[str, Json]:
    """The members that are there; false and 0 are."""
    return {key: each for key, each in members.items() if each is not None}


def sequence(sequence: TypedSequence, labels: Labels) -> Json:
    """One sequence."""
    declared = sequence.declared
    holding: Json = None
    if declared.holding:
        to: Json = "segment" if declared.holding.to_segment else [each.id for each in declared.holding.to]
        holding = {"to": to, **_given(when=optional(sequence.holding))}
    places: list[Json] = [
        {"action": each.declared.id, "moments": [_moment(moment, labels) for moment in each.moments]}
        for each in sorted(sequence.places, key=lambda each: each.declared.id)
    ]
    return {
        **labels.of(declared),
        **present(
            actor=declared.actor.id if declared.actor else None,
            action=declared.action.id if declared.action else None,
            side=declared.side.id if declared.side else None,
        ),
        **_given(
            when=optional(sequence.when),
            start=optional(sequence.start),
            who=optional(sequence.who),
            holding=holding,
            initiative=_initiative(sequence.initiative, labels) if sequence.initiative else None,
        ),
        "steps": [_step(each, labels) for each in sequence.steps],
        "facts": [_fact(each, labels) for each in sequence.facts],
        "values": [value(each, labels) for each in sequence.values],
        "places": places,
    }


def _fact(fact: TypedField, labels: Labels) -> Json:
    declared = fact.declared
    what: Json = {"type": "side"} if isinstance(fact.type, Side) else kind(fact.type)
    return {
        **labels.of(declared),
        "type": what,
        **_given(default=optional(fact.default), optional=True if declared.may_be_unknown else None),
    }


def _initiative(initiative: TypedInitiative, labels: Labels) -> Json:
    declared = initiative.declared
    return {
        "by": declared.by,
        "roll": [die(each, labels) for each in initiative.roll],
        "score": [expression(each) for each in initiative.score],
        "first": declared.first,
        "ties": declared.ties,
    }


def _step(step: TypedSequenceStep, labels: Labels) -> Json:
    declared = step.declared
    each: Json = "turn" if declared.each == "turn" else [*step.segments] if step.segments else None
    return {
        **labels.of(declared),
        **_given(
            when=optional(step.when),
            leads_to=_leads_to(step.leads_to) if step.leads_to else None,
            initiative=_initiative(step.initiative, labels) if step.initiative else None,
            each=each,
            limit=step.limit,
            check=declared.check.id if declared.check else None,
        ),
        "as": seats(declared.rebinds),
        "steps": [_step(inner, labels) for inner in step.steps],
    }


def _leads_to(leads_to: TypedLeadsTo) -> Json:
    facts: dict[str, Json] = {name: expression(each) for name, each in leads_to.facts}
    return {"sequence": leads_to.declared.sequence.id, "facts": facts, **_given(when=optional(leads_to.when))}


def _moment(moment: TypedMoment, labels: Labels) -> Json:
    declared = moment.declared
    spoiled: Json = None
    if declared.spoiled:
        spoiled = {
            **present(since=declared.spoiled.since.id if declared.spoiled.since else None),
            "by": [each.id for each in declared.spoiled.by],
            "effects": [effect(each) for each in moment.spoiling],
        }
    return {
        **labels.of(declared),
        **_given(times=optional(moment.times), when=optional(moment.when), spoiled=spoiled),
        "cases": [_case(each, labels) for each in moment.cases],
        "threat": [each.id for each in declared.threat],
    }


def _case(case: TypedMomentCase, labels: Labels) -> Json:
    declared = case.declared
    meanwhile: Json = None if declared.meanwhile is None else [each.id for each in declared.meanwhile]
    return {
        **labels.of(declared),
        **_given(
            when=optional(case.when),
            step=optional(case.step),
            segment=optional(case.segment),
            rounds=optional(case.rounds),
            meanwhile=meanwhile,
        ),
        **present(
            turn_of=declared.turn_of.id if declared.turn_of else None,
            after=declared.after.id if declared.after else None,
            past_end=declared.past_end.id if declared.past_end else None,
            left_out=declared.left_out,
        ),
    }
