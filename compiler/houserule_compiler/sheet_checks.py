"""Checks, actions, triggers and events as a referee reads them: blocks for `sheet`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from houserule.program import Effect, FieldRead, Operation, Type
from houserule.questions import places
from houserule.values import described

from .sheet_layout import Block, Items, Paragraph, Table, paragraphs
from .sheet_numbers import amount, reads
from .wording import Wording, called, negated, plain, quoted

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.expression import Binding
    from houserule.program import Adjust, Call, Case, Check, Expr, Label, Program, Step
    from houserule.rounds import Action, Event, EventEffect, Trigger

Line: TypeAlias = tuple[int, str]


def check(rules: Rules, declared: Check) -> list[Block]:
    """A check's outcomes, its steps with their branches, what follows an outcome, and the facts that it reads."""
    program = rules.program
    outcome = Type("choice", choice=declared.choice or f"{declared.label.id}.outcome")
    found: list[Block] = [Paragraph(", ".join(map(_named, declared.outcomes)), "ends in")]
    lines: list[Line] = []
    for at, each in enumerate(declared.steps.values(), 1):
        words = Wording(program, locals=dict(places(program, declared)), step=each.label.id)
        lines += _step(words, outcome, each, f"{at}. {_titled(each.label)}" if each.label.id else "")
    for word, each in declared.then.items():
        words = Wording(program, locals=dict(places(program, declared)), step=word)
        lines += _step(words, outcome, each, f"Then, on {plain(word)}")
    return [*found, Items(tuple(lines)), *reads(rules.check(declared.label.id).facts)]


def _named(label: Label) -> str:
    title, id = called(label), plain(label.id)
    return title if title.lower().startswith(id) else f"{id} ({title})"


def _titled(label: Label) -> str:
    return f"{plain(label.id)}: {label.title}" if label.title else plain(label.id)


def _step(words: Wording, outcome: Type, step: Step, name: str) -> list[Line]:
    depth = int(bool(name))
    lines = [(0, name)] if name else []
    if step.call:
        lines.append((depth, _call(words.program, words, step.call)))
    lines += [(depth, each) for each in _acts(words, step)]
    for case in step.cases:
        lines += _case(words, outcome, case, depth)
    return lines


def _call(program: Program, words: Wording, call: Call) -> str:
    seats = seated(call.seats)
    adjusts = "; ".join(adjusted(program, words, each) for each in call.adjusts)
    more = f"; {adjusts}" if adjusts else ""
    return f"Make the check {quoted(_title_of(program, call.check))}{seats}{more}"


def _title_of(program: Program, check: str) -> str:
    return program.checks[check].label.title or plain(check)


def seated(seats: Binding) -> str:
    """Who sits in which chair of a check that is called, in words."""
    moved = [f"the {plain(player)} as {plain(chair)}" for chair, player in seats if chair != player]
    return f", with {' and '.join(moved)}" if moved else ""


def adjusted(program: Program, words: Wording, adjust: Adjust) -> str:
    """What a call or a trigger does to a number, in words."""
    number = program.numbers[adjust.number]
    return f"{called(number.label)}: {amount(words, adjust.op, adjust.value, number, adjust.round)}"


def _acts(words: Wording, part: Step | Case) -> Iterator[str]:
    """The dice, values and effects of a step or case."""
    for die in part.roll:
        when = f", if {words.text(die.when)}" if die.when is not None else ""
        yield f"Roll {words.text(die.dice)}: {_titled(die.label)}{when}"
    for each in part.values:
        yield f"{_titled(each.label)} = {words.text(each.value, each.type)}"
    yield from effects(words, part.effects)


def effects(words: Wording, found: Sequence[Effect | EventEffect]) -> Iterator[str]:
    """What follows, in words."""
    for each in found:
        when = f", if {words.text(each.when)}" if each.when is not None else ""
        yield f"So {_effect(words, each)}{when}"


def _effect(words: Wording, effect: Effect | EventEffect) -> str:
    if not isinstance(effect, Effect):
        label = words.program.events[effect.event].label
        given = [f"{plain(name)}: the {plain(chair)}" for name, chair in effect.chairs]
        given += [f"{plain(name)}: {words.text(value)}" for name, value in effect.values]
        return called(label) + (f" ({', '.join(given)})" if given else "")
    field = words.field_of(FieldRead(effect.role, effect.field))
    state = called(field.label) if field else plain(effect.field)
    name = f"the {plain(effect.role)}'s {state}"
    type = field.type if field else None
    if type is not None and type.kind == "boolean" and effect.op == "set":
        return _so(words, f"{plain(effect.role)}: {state}", effect.value)
    if effect.op != "add":
        lead = {"set": "becomes", "multiply": "is multiplied by", "at_least": "is at least", "at_most": "is at most"}
        return f"{name} {lead[effect.op]} {words.text(effect.value, type)}"
    value, is_less = _size(effect.value)
    return f"{name} change by {'-' if is_less else '+'}{words.text(value, type)}"


def _so(words: Wording, said: str, value: Expr) -> str:
    """A condition that comes to hold, or no longer does."""
    if isinstance(value, int):
        return said if value else negated(said)
    return f"{said}, if {words.text(value)}"


def _size(value: Expr) -> tuple[Expr, bool]:
    """An amount without its sign, and whether it was negative."""
    if isinstance(value, Operation) and value.operator == "neg":
        return value.operands[0], True
    if isinstance(value, int):
        return abs(value), value < 0
    return value, False


def _case(words: Wording, outcome: Type, case: Case, depth: int) -> list[Line]:
    ends = words.text(case.outcome, outcome) if case.outcome is not None else "nothing more"
    end = f"go on to {plain(case.go)}" if case.go else ends
    name = case.label.title or plain(case.label.id)
    acts = [(depth + 1, each) for each in _acts(words, case)]
    if case.when is None and not name:
        return [] if end == "nothing more" else [(depth, f"Ends in {end}" if not case.go else end.capitalize()), *acts]
    when = f"If {words.text(case.when)}, then" if case.when is not None else "Otherwise"
    is_told = name in ("", ends) or name in when.lower()
    told = "" if is_told else f"  ({name})"
    return [(depth, f"{when} {end}{told}"), *acts]


def action(rules: Rules, declared: Action) -> list[Block]:
    """Who does it, what it requires, and the check that it makes."""
    program, words = rules.program, Wording(rules.program, declared.by)
    found = paragraphs(
        [
            ("done by", f"the {plain(declared.by)}" if declared.by else ""),
            ("against", f"the {plain(declared.against)}" if declared.against else ""),
        ]
    )
    rows = tuple((each.label.title or plain(each.label.id), words.text(each.when)) for each in declared.requires)
    found += [Table(("requires", "which is so"), rows)] if rows else []
    return [*found, *_rolled(program, words, declared), *reads(rules.action(declared.label.id).facts)]


def _rolled(program: Program, words: Wording, declared: Action | Trigger) -> list[Block]:
    if not declared.check:
        return []
    adjusts = [adjusted(program, words, each) for each in declared.adjusts]
    return [Paragraph("; ".join([_title_of(program, declared.check) + seated(declared.seats), *adjusts]), "check")]


def trigger(rules: Rules, declared: Trigger) -> list[Block]:
    """When it holds, and what it then calls for."""
    words = Wording(rules.program)
    often = ", in every round in which that is so" if declared.is_every_round else ""
    found: list[Block] = [Paragraph(words.text(declared.when) + often, "when")]
    found += _rolled(rules.program, words, declared)
    found += [Items(tuple((0, each) for each in effects(words, declared.effects)))] if declared.effects else []
    return [*found, *reads(rules.trigger(declared.label.id).facts)]


def event(rules: Rules, declared: Event) -> list[Block]:
    """What belongs to it."""
    words = Wording(rules.program)
    rows = [
        (plain(each.id), f"a {plain(each.entity)}" if each.entity else _kind(words, each.type))
        for each in declared.arguments.values()
    ]
    return [Table(("with", "which is"), tuple(rows))] if rows else []


def _kind(words: Wording, type: Type | None) -> str:
    return described(type, words.program.words(type.choice) if type.choice else ()) if type else ""
