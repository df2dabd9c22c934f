"""Checks as the JSON of docs/artifact.md."""

from __future__ import annotations

from ..declarations import Rebind
from ..typed import (
    AnyEffect,
    TypedCall,
    TypedCallAdjust,
    TypedCase,
    TypedCheck,
    TypedDie,
    TypedEventEffect,
    TypedStep,
    TypedValue,
)
from ..typed_ruleset import TypedRuleset
from ..types import Dice, Integer
from .cost import Costs
from .expressions import Json, expression, kind, optional, present
from .labels import Labels
from .reads import Reads


def check(check: TypedCheck, ruleset: TypedRuleset, labels: Labels, costs: Costs, reads: Reads) -> Json:
    """One check."""
    declared = check.declared
    return {
        **labels.of(declared),
        "outcomes": _outcomes(check, ruleset, labels),
        **present(choice=declared.choice.id if declared.choice else None),
        "start": check.start,
        "steps": [step(each, labels) for each in check.steps],
        "then": [{"outcome": each.declared.id, "step": step(each, labels)} for each in check.then],
        "reads": reads.of_check(declared.id),
        "cost": costs.check(declared.id),
    }


def _outcomes(check: TypedCheck, ruleset: TypedRuleset, labels: Labels) -> Json:
    words = check.declared.outcomes
    if check.declared.choice:
        words = ruleset.declared.choices[check.declared.choice.id].words
    return [present(id=each.id, title=each.title) for each in words]


def step(step: TypedStep, labels: Labels) -> Json:
    """One step."""
    return {
        **labels.of(step.declared),
        "roll": [die(each, labels) for each in step.roll],
        **present(call=_call(step.call) if step.call else None),
        "values": [value(each, labels) for each in step.values],
        "effects": [effect(each) for each in step.effects],
        "cases": [_case(each, labels) for each in step.cases],
    }


def die(die: TypedDie, labels: Labels) -> Json:
    """One die of a roll."""
    total = die.dice.type
    assert isinstance(total, Dice | Integer)
    return {
        **labels.of(die.declared),
        "dice": expression(die.dice),
        **present(when=optional(die.when)),
        "low": total.low,
        "high": total.high,
    }


def _call(call: TypedCall) -> Json:
    return {
        "check": call.declared.check.id,
        "as": seats(call.declared.rebinds),
        "adjust": adjusted(call.adjusts),
        "then": call.declared.runs_then,
    }


def adjusted(adjusts: tuple[TypedCallAdjust, ...]) -> Json:
    """The adjustments that hold for all that a call evaluates."""
    return [
        {"number": each.number, "op": each.op, "value": expression(each.value), **present(round=each.round)}
        for each in adjusts
    ]


def seats(rebinds: tuple[Rebind, ...]) -> Json:
    """The roles that are rebound, each with who plays it."""
    return {each.role.id: each.player.id for each in rebinds}


def value(value: TypedValue, labels: Labels) -> Json:
    """One named value."""
    return {**labels.of(value.declared), "type": kind(value.value.type), "value": expression(value.value)}


def effect(effect: AnyEffect) -> Json:
    """A change of a field, or an event that follows."""
    if isinstance(effect, TypedEventEffect):
        return _event(effect)
    return {
        "role": effect.declared.role.id,
        "field": effect.declared.field.id,
        "op": effect.op,
        "value": expression(effect.value),
        **present(when=optional(effect.when), round=effect.declared.change.round or None),
    }


def _event(effect: TypedEventEffect) -> Json:
    arguments: dict[str, Json] = {
        name: {"role": given} if isinstance(given, str) else expression(given) for name, given in effect.arguments
    }
    return {"event": effect.declared.id, "arguments": arguments, **present(when=optional(effect.when))}


def _case(case: TypedCase, labels: Labels) -> Json:
    return {
        **labels.of(case.declared),
        **present(when=optional(case.when)),
        "roll": [die(each, labels) for each in case.roll],
        "values": [value(each, labels) for each in case.give],
        "effects": [effect(each) for each in case.effects],
        **present(outcome=optional(case.outcome), go=case.go),
    }
