"""Sequences as a referee reads them: who comes first, the steps of the round, and what is done when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houserule.program import Type

from .sheet_checks import effects, seated
from .sheet_layout import Block, Items, Table, paragraphs
from .sheet_numbers import given
from .wording import Wording, called, listed, lowered, plain, quoted

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.program import Expr, Program
    from houserule.rounds import Holding, Initiative, Moment, MomentCase, Sequence, SequenceStep


def sequence(rules: Rules, declared: Sequence) -> list[Block]:
    """A round or another order of play."""
    words = Wording(
        rules.program,
        owner="actor",
        entities=declared.players() | ({"side": declared.side} if declared.side else {}),
        locals={id: each.type for id, each in declared.values.items()},
        facts=dict(declared.facts),
    )
    said = [
        ("when", _optional(words, declared.when)),
        ("initiative", _initiative(words, declared.initiative)),
        ("who acts", _optional(words, declared.who)),
        ("begins at segment", _optional(words, declared.start)),
        ("holding back", _holding(rules.program, words, declared)),
    ]
    found = paragraphs(said)
    found.append(Items(tuple(_steps(words, declared.steps, 0, declared.initiative)), title="the steps"))
    values = tuple((0, f"{plain(id)} = {words.text(each.value, each.type)}") for id, each in declared.values.items())
    found += [Items(values, title="what is worked out")] if values else []
    rows = tuple(_places(rules.program, words, declared))
    found += [Table(("action", "what happens", "when", "step"), rows, title="what is done when")] if rows else []
    spoiled = tuple(_spoiled(words, declared))
    found += [Items(spoiled, title="what may come to nothing")] if spoiled else []
    facts = tuple((id, each.label.title, *given(rules.program, each)) for id, each in declared.facts.items())
    return found + ([Table(("fact", "what it is", "what may be given", ""), facts, title="asks for")] if facts else [])


def _optional(words: Wording, expr: Expr | None) -> str:
    return words.text(expr) if expr is not None else ""


def _initiative(words: Wording, found: Initiative | None) -> str:
    if found is None:
        return ""
    who = "each side" if found.by == "side" else "each actor"
    rolls = " and ".join(words.text(each.dice) for each in found.roll)
    score = ", then ".join(words.text(each) for each in found.score)
    is_die = len(found.roll) == 1 and score == plain(found.roll[0].label.id)
    dice = f"{who} rolls {rolls}" + ("" if is_die else f" and has {score}") if rolls else f"{who} by {score}"
    equal = "equal ones act together" if found.ties == "together" else "equal ones roll again"
    return f"{dice}; the {found.first} acts first; {equal}"


def _holding(program: Program, words: Wording, declared: Sequence) -> str:
    holding: Holding | None = declared.holding
    if holding is None:
        return ""
    titles = {each.label.id: each.label.title or plain(each.label.id) for each in declared.all_steps()}
    to = "to any later segment" if holding.to_segment else f"to {listed([titles[each] for each in holding.steps])}"
    return to + (f", if {words.text(holding.when)}" if holding.when is not None else "")


def _steps(
    words: Wording, steps: tuple[SequenceStep, ...], depth: int, ruled: Initiative | None
) -> Iterator[tuple[int, str]]:
    """The lines of some steps; `ruled` is the initiative that rules them."""
    for each in steps:
        yield depth, (each.label.title or plain(each.label.id)) + _marks(words, each, each.initiative or ruled)
        if each.label.note:
            yield depth + 1, each.label.note
        yield from _steps(words, each.steps, depth + 1, each.initiative or ruled)


def _marks(words: Wording, step: SequenceStep, ruled: Initiative | None) -> str:
    """What is said of a step in brackets behind its title."""
    marks = [f"each {ruled.by if ruled else 'actor'} in turn"] if step.takes_turns else []
    marks += [f"segments {step.segments[0]} to {step.segments[1]}"] if step.segments else []
    marks += [f"only if {words.text(step.when)}"] if step.when is not None else []
    marks += [f"at most {step.limit} for each actor"] if step.limit else []
    if step.check:
        title = words.program.checks[step.check].label.title or plain(step.check)
        marks.append(f"roll {quoted(title)}{seated(step.seats)}")
    if step.leads_to:
        leads = words.program.sequences[step.leads_to.sequence].label
        when = f" if {words.text(step.leads_to.when)}" if step.leads_to.when is not None else ""
        marks.append(f"may lead to {quoted(leads.title or plain(leads.id))}{when}")
    marks += [_initiative(words, step.initiative)] if step.initiative else []
    return f" ({'; '.join(marks)})" if marks else ""


def _places(program: Program, words: Wording, declared: Sequence) -> Iterator[tuple[str, ...]]:
    """A row for each place where a moment may fall; actions that fall alike stand together."""
    alike: dict[tuple[Moment, ...], list[str]] = {}
    for action, moments in declared.places.items():
        label = program.actions[action].label if action in program.actions else None
        name = lowered(label.title) if label and label.title else plain(action)
        # Two actions that fall alike are told once.
        alike.setdefault(moments, []).append(name)
    for moments, names in alike.items():
        shown = ", ".join(names)
        for moment in moments:
            what = (moment.label.title or plain(moment.label.id)) + _often(words, moment)
            for case in moment.cases:
                yield shown, what, _case_when(words, moment, case), _where(words, declared, case)
                shown = what = ""


def _often(words: Wording, moment: Moment) -> str:
    times = f", so many times: {words.text(moment.times)}" if moment.times is not None else ""
    return times + (f", if {words.text(moment.when)}" if moment.when is not None else "")


def _case_when(words: Wording, moment: Moment, case: MomentCase) -> str:
    if case.when is not None:
        return f"if {words.text(case.when)}"
    return "otherwise" if len(moment.cases) > 1 else ""


def _where(words: Wording, declared: Sequence, case: MomentCase) -> str:
    if case.left_out:
        return f"not at all: {case.left_out}"
    if case.after:
        return f"right after {plain(case.after)}"
    said = words.text(case.step, Type("choice", choice=f"{declared.label.id}.step")) if case.step is not None else ""
    said += f", segment {words.text(case.segment)}" if case.segment is not None else ""
    said += f", so many rounds later: {words.text(case.rounds)}" if case.rounds is not None else ""
    said += ", in the foe's turn" if case.is_foes_turn else ""
    said += "; past the end it goes on in the next round" if case.passes_end else ""
    if case.meanwhile is not None:
        allowed = listed([plain(each) for each in case.meanwhile if each != "nothing"])
        said += f"; until then nothing else but {allowed}" if allowed else "; until then nothing else"
    return said


def _spoiled(words: Wording, declared: Sequence) -> Iterator[tuple[int, str]]:
    for moments in dict.fromkeys(declared.places.values()):
        for moment in moments:
            if not moment.spoiled:
                continue
            by = listed([called(words.program.events[each].label) for each in moment.spoiled.by])
            title = moment.label.title or plain(moment.label.id)
            yield (
                0,
                f"{title}: not if after {plain(moment.spoiled.since)} and before it this happens to the actor: {by}",
            )
            yield from ((1, each) for each in effects(words, moment.spoiled.effects))
