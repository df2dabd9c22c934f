"""What of a ruleset its examples exercise: every row, modifier, grade, case, requirement and trigger, and their traces.

A unit is one thing that an example can exercise, with its place in the rules; its key is what a trace of the runtime
says where it is exercised. Whatever a trace names that is no unit is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from .covered_rounds import exercised_by, units_of
from .declarations import Position
from .messages import coverage as messages
from .typed import TypedCheck, TypedEntry, TypedRow, TypedStep, TypedTable
from .typed_rounds import TypedAction, TypedTrigger
from .typed_ruleset import TypedRuleset
from .types import Boolean, Choice, HitDice, Type, hit_dice_text
from .units import Key, Kind, Unit

if TYPE_CHECKING:
    from houserule import Trace
    from houserule.trace import Entry


@dataclass(frozen=True, slots=True)
class Share:
    """So many units of one kind are exercised, of so many."""

    exercised: int
    of: int

    @property
    def chance(self) -> Fraction:
        """The share as a fraction; of nothing all is exercised."""
        return Fraction(self.exercised, self.of) if self.of else Fraction(1)


@dataclass(frozen=True, slots=True)
class Coverage:
    """All units of a ruleset in file order, and the keys of those that are exercised."""

    ruleset: str
    units: tuple[Unit, ...]
    exercised: frozenset[Key]

    def layers(self) -> list[str]:
        """The rulesets that state something: this one, then those below it by name."""
        return sorted(
            {each.layer for each in self.units} | {self.ruleset}, key=lambda each: (each != self.ruleset, each)
        )

    def missing(self, layer: str = "") -> list[Unit]:
        """The units that no example exercises, of one layer or of all."""
        return [each for each in self.units if not self._is_exercised(each) and layer in ("", each.layer)]

    def _is_exercised(self, unit: Unit) -> bool:
        return not unit.keys.isdisjoint(self.exercised)

    def shares(self, layer: str) -> dict[Kind, Share]:
        """How much of each kind that a layer states is exercised; kinds that it does not state are left out."""
        found: dict[Kind, Share] = {}
        for kind in messages.KINDS:
            mine = [each for each in self.units if each.kind == kind and each.layer == layer]
            if mine:
                found[kind] = Share(sum(map(self._is_exercised, mine)), len(mine))  # type: ignore[index]
        return found


def coverage(rules: TypedRuleset, traces: Iterable[Trace]) -> Coverage:
    """What the examples exercise whose traces are given."""
    units = [each for found in _UNITS for each in found(rules)]
    places = {name: at for at, name in enumerate(dict.fromkeys(each.span.file.name for each in units))}
    units.sort(key=lambda each: (places[each.span.file.name], each.span.start))
    return Coverage(rules.declared.manifest.id, tuple(units), exercised(traces))


def _rows(rules: TypedRuleset) -> Iterator[Unit]:
    for id, table in rules.tables.items():
        for at, row in enumerate(table.rows):
            said = messages.row(", ".join(_row_keys(rules, table, row)))
            yield Unit("rows", "table", id, said, row.declared.span, frozenset({("row", id, at)}))


def _row_keys(rules: TypedRuleset, table: TypedTable, row: TypedRow) -> Iterator[str]:
    """The keys of a row as its author wrote them; what a list fills as it would be written."""
    for key, kind, bands in zip(row.declared.keys, table.keys, row.bands, strict=True):
        if key is None:
            yield "otherwise"
        elif isinstance(key, Position):
            yield _code_text(rules, bands[0][0] if bands else key.index, kind)
        else:
            yield key.span.text


def _code_text(rules: TypedRuleset, code: int, kind: Type) -> str:
    match kind:
        case Choice(id) if id in rules.choices:
            return rules.choices[id].words[code].declared.id
        case HitDice():
            return hit_dice_text(code)
        case Boolean():
            return "true" if code else "false"
    return str(code)


def _modifiers(rules: TypedRuleset) -> Iterator[Unit]:
    for number, declared in rules.numbers.items():
        for entry in declared.entries:
            yield from _entry(number, entry)


def _entry(number: str, entry: TypedEntry) -> Iterator[Unit]:
    id, place = entry.modifier.id, entry.adjust.span
    if entry.by is None:
        said = messages.never_applies(number)
        yield Unit("modifiers", "modifier", id, said, place, frozenset({("modifier", id, number, "applies")}))
    for at, grade in enumerate(entry.reached):
        said = messages.grade(grade.span.text, number)
        yield Unit("modifiers", "modifier", id, said, grade.span, frozenset({("modifier", id, number, at)}))
    if entry.when is not None or entry.times is not None or entry.is_each or entry.needs:
        said = messages.always_applies(number)
        yield Unit("modifiers", "modifier", id, said, place, frozenset({("modifier", id, number, "idle")}))


def _cases(rules: TypedRuleset) -> Iterator[Unit]:
    for id, check in rules.checks.items():
        for step, then in [*((each, False) for each in check.steps), *((each, True) for each in check.then)]:
            yield from _step_cases(check, id, step, then)


def _step_cases(check: TypedCheck, id: str, step: TypedStep, is_then: bool) -> Iterator[Unit]:
    name = step.declared.id
    for case in step.cases:
        case_id = case.declared.id
        place = case.declared.place if case_id else step.declared.place if name else check.declared.place
        said = messages.case(f"then.{name}" if is_then else name, case_id)
        yield Unit("cases", "check", id, said, place, frozenset({("case", id, name, case_id)}))


def _requirements(rules: TypedRuleset) -> Iterator[Unit]:
    for id, action in rules.actions.items():
        yield from _requirements_of(id, action)


def _requirements_of(id: str, action: TypedAction) -> Iterator[Unit]:
    for each in action.requires:
        name = each.declared.id
        for is_met in (True, False):
            said = messages.requirement(name, is_met)
            key = ("requirement", id, name, "met" if is_met else "not met")
            yield Unit("requirements", "action", id, said, each.declared.place, frozenset({key}))


def _triggers(rules: TypedRuleset) -> Iterator[Unit]:
    for id, trigger in rules.triggers.items():
        yield from _trigger(id, trigger)


def _trigger(id: str, trigger: TypedTrigger) -> Iterator[Unit]:
    for holds in (True, False):
        key = ("trigger", id, "holds" if holds else "does not hold")
        yield Unit("triggers", "trigger", id, messages.trigger(holds), trigger.declared.place, frozenset({key}))


def _sequences(rules: TypedRuleset) -> Iterator[Unit]:
    for id, sequence in rules.sequences.items():
        yield from units_of(id, sequence)


_UNITS = (_rows, _modifiers, _cases, _requirements, _triggers, _sequences)


def exercised(traces: Iterable[Trace]) -> frozenset[Key]:
    """The keys of all that some traces exercise."""
    found: set[Key] = set()
    seen: dict[int, Entry] = {}
    for trace in traces:
        _visit(trace.root, found, seen)
    return frozenset(found)


def _visit(entry: Entry, found: set[Key], seen: dict[int, Entry]) -> None:
    """One entry and all inside it, each once: what is read in several places is one entry."""
    if id(entry) in seen:
        return
    seen[id(entry)] = entry
    if entry.kind == "table" and entry.row is not None:
        found.add(("row", entry.name.partition("[")[0], entry.row))
    elif entry.kind == "number":
        found.update(_adjusting(entry))
    elif entry.kind in ("check", "call"):
        found.update(_taken(entry, entry.name, ""))
        found.update(key for each in entry.parts if each.kind == "step" for key in _taken(each, entry.name, each.name))
    elif entry.kind == "action":
        found.update(("requirement", entry.name, each.name, _met(each)) for each in entry.parts)
    elif entry.kind == "trigger":
        found.add(("trigger", entry.name, "holds" if entry.status == "kept" else "does not hold"))
    elif entry.kind == "sequence":
        found.update(exercised_by(entry))
    for part in entry.parts:
        _visit(part, found, seen)


def _met(requirement: Entry) -> str:
    return "met" if requirement.status == "kept" else "not met"


def _adjusting(number: Entry) -> Iterator[Key]:
    for each in number.parts:
        if each.kind == "modifier":
            yield "modifier", each.name, number.name, _applied(each)


def _applied(modifier: Entry) -> str | int:
    """Which grade counted, or whether the modifier did: one that is counted no times does not."""
    if modifier.status in ("does_not_apply", "not_known"):
        return "idle"
    if modifier.status != "kept":
        return "dropped"
    if modifier.row is not None:
        return modifier.row
    return "idle" if modifier.op == "add" and modifier.value == 0 else "applies"


def _taken(entry: Entry, check: str, step: str) -> Iterator[Key]:
    """The case that a step ended in: the one that held, or the only one, which has no name."""
    held = [each.name for each in entry.parts if each.kind == "case" and each.status == "kept"]
    yield "case", check, step, held[0] if held else ""
