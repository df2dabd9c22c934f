"""Trying examples of actions, triggers and sequences: a part of `trial`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import houserule
from houserule.errors import HouseruleError
from houserule.program import Program

from .comparing import differing, effects, plain, shown
from .declarations import Example
from .diagnostics import Diagnostic
from .expected_order import WHOLE, compared, lines
from .messages import examples as messages


class NoRoundBeforeError(HouseruleError):
    """An example comes after itself, or after one that tries no sequence."""


@dataclass
class Loaded:
    """The rules under all options that examples ask for, and the orders of rounds that others come after."""

    program: Program
    examples: Mapping[str, Example]
    rules: dict[tuple[tuple[str, object], ...], houserule.Rules] = field(default_factory=dict)
    orders: dict[str, houserule.Order] = field(default_factory=dict)

    def under(self, example: Example) -> houserule.Rules:
        """The rules with the options of an example set."""
        options = {each.path: plain(each.value) for each in example.options}
        key = tuple(sorted((path, shown(value)) for path, value in options.items()))
        if key not in self.rules:
            self.rules[key] = houserule.Rules(self.program, options)
        return self.rules[key]

    def order(self, example: Example) -> houserule.Order:
        """The order of an example's round, after those of the rounds before it."""
        rounds = [example]
        while rounds[-1].id not in self.orders and (after := rounds[-1].after):
            before = self.examples[after.id]
            if before.kind != "sequence" or before in rounds:
                raise NoRoundBeforeError("no round comes before it")
            rounds.append(before)
        for each in reversed(rounds):
            if each.id not in self.orders:
                sequence = self.under(each).sequence(each.subject.id)
                self.orders[each.id] = sequence.order(self.encounter(each))
        return self.orders[example.id]

    def encounter(self, example: Example) -> dict[str, object]:
        """The encounter of an example; of one that comes after another, the next round, with what was carried."""
        given = {each.path: plain(each.value) for each in example.encounter}
        facts = {each.path: plain(each.value) for each in example.given}
        before = self.orders[example.after.id] if example.after else None
        over: dict[str, object] = {"carried": before.carried, "round": before.round + 1} if before else {}
        return {**over, **given, **({"given": facts} if facts else {})}


def action(example: Example, found: houserule.Allowed) -> Iterator[Diagnostic]:
    """`value` says whether it is allowed, `refused` names a requirement that is not met."""
    steps = str(found.trace).splitlines()
    for each in example.expect:
        expected = plain(each.value)
        if each.path not in ("value", "refused"):
            yield messages.unknown_expectation(example.id, each.path, each.place, ["value", "refused"])
        elif expected is not bool(found) if each.path == "value" else expected not in found.refused_by:
            yield messages.not_allowed(example.id, found.refused_by, each.value.span, steps)


def trigger(example: Example, asked: houserule.Trigger, facts: Mapping[str, object]) -> Iterator[Diagnostic]:
    """`value` says whether it holds; of one that does, what it adjusts and what follows can be expected."""
    due = asked.held(facts)
    found: dict[str, object] = {"value": due is not None}
    found |= {each.number: each.value for each in due.adjusts} if due else {}
    found |= dict(effects(due.effects)) if due else {}
    expected = [each for each in example.expect if each.path != "refused"]
    yield from differing(example, expected, found, str(asked.explain(facts)).splitlines())


def sequence(example: Example, order: houserule.Order) -> Iterator[Diagnostic]:
    """The order, what is left out, carried or may be spoiled, what steps call for, and effects."""
    yield from compared(example, order)
    found = dict(effects(order.effects))
    for each in example.expect:
        if each.path in found:
            yield from differing(example, [each], found, lines(order))
        elif each.path not in (*WHOLE, "refused"):
            yield messages.unknown_expectation(example.id, each.path, each.place, [*WHOLE, *found])
