"""What is assumed of every situation: the impossible ones never come about. Asks `satisfy` under that assumption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..meanings import Meanings, lacks_type, meanings, path_of
from ..satisfy import Demand, Effort, Witness, satisfy
from ..situations import Words, words_of
from ..typed import Read, Typed, TypedCheck, TypedCondition, TypedDie
from ..typed_ruleset import TypedRuleset

OPEN = Witness((), False)
"""The answer where something has no type: nothing is ruled out, nothing shown."""


@dataclass(frozen=True, slots=True)
class _Impossible:
    """One impossible situation, with what it reads and the roles that have to take part in it."""

    condition: TypedCondition
    reads: frozenset[Read]
    roles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What questions about one ruleset may rely on."""

    words: Words
    meanings: Meanings
    impossible: tuple[_Impossible, ...]
    dice: frozenset[str]
    """The dice that can come up with every total between their lowest and their highest."""
    effort: Effort

    def possible(self, *demands: Demand, without: TypedCondition | None = None) -> Witness | None:
        """The smallest situation in which conditions hold, or do not; None if there surely is none."""
        return self._ask(demands, [each.condition.when for each in self.relevant(demands, without)])

    def relevant(self, demands: Sequence[Demand], without: TypedCondition | None = None) -> list[_Impossible]:
        """The impossible situations that bear on these conditions: all their roles take part here."""
        reads = reads_of((item for item, _ in demands), self.meanings) if self.impossible else frozenset()
        roles = _roles(reads)
        return [
            each
            for each in self.impossible
            if each.condition is not without and each.roles <= roles and each.reads & reads
        ]

    def ruled_out_by(self, *demands: Demand) -> TypedCondition | None:
        """The impossible situation that alone rules these conditions out; None where they rule themselves out."""
        if self._ask(demands, []) is None:
            return None
        relevant = (each.condition for each in self.relevant(demands))
        return next((each for each in relevant if self._ask(demands, [each.when]) is None), None)

    def _ask(self, demands: Sequence[Demand], impossible: Sequence[Typed]) -> Witness | None:
        if any(lacks_type(item) for item, _ in demands):
            return OPEN
        found = satisfy(demands, self.meanings, impossible, self.effort)
        if found is None or all(self._is_free(each.path) for each in found.given):
            return found
        return replace(found, is_exact=False)

    def _is_free(self, path: tuple[object, ...]) -> bool:
        """Whether a read can have any value: a named value of a check depends on others, and so does an outcome."""
        return path[:1] != ("local",) or path[1] in self.dice


def assumptions(ruleset: TypedRuleset) -> Assumptions:
    """What may be relied on in a ruleset."""
    known = meanings(ruleset)
    rebound = _rebound(ruleset)
    impossible = []
    for each in ruleset.impossible.values():
        reads = reads_of([each.when], known)
        is_usable = not lacks_type(each.when) and satisfy([(each.when, False)], known) is not None
        if is_usable and not _roles(reads) & rebound:
            impossible.append(_Impossible(each, reads, _roles(reads)))
    return Assumptions(words_of(ruleset), known, tuple(impossible), frozenset(_dice(ruleset.checks.values())), Effort())


def reads_of(items: Iterable[Typed], known: Meanings, role: str = "") -> frozenset[Read]:
    """All that expressions read, also through what they name; fields of `its` as the role's."""
    found: set[Read] = set()
    for item in items:
        for each in item.walk():
            found |= _reads_at(each, known, role)
    return frozenset(found)


def _reads_at(item: Typed, known: Meanings, role: str) -> frozenset[Read]:
    if item.operator == "condition" and (named := known.conditions.get(str(item.operands[0]))) is not None:
        return reads_of([named], known)
    path = path_of(item) if item.operator == "known" else item.read
    if not path:
        return frozenset()
    path = ("field", role, path[1]) if path[0] == "its" and role else path
    computed = known.computed.get(path[1:]) if path[0] in ("field", "fact") else None
    if computed is None:
        return frozenset({path})
    return reads_of([computed], known, path[1] if path[0] == "field" else "")


def _roles(reads: Iterable[Read]) -> frozenset[str]:
    return frozenset(read[1] for read in reads if read[0] == "field")


def _rebound(ruleset: TypedRuleset) -> frozenset[str]:
    """The roles that somebody else may play for a while: facts are only checked for those who play them at first."""
    declared = ruleset.declared
    rebinds = [each.rebinds for each in declared.numbers.values()]
    rebinds += [each.rebinds for each in declared.actions.values()]
    rebinds += [each.rebinds for each in declared.triggers.values()]
    rebinds += [step.call.rebinds for check in declared.checks.values() for step in check.steps if step.call]
    found = {rebind.role.id for each in rebinds for rebind in each}
    for number in ruleset.numbers.values():
        items = [number.base, *(entry.value for entry in number.entries if entry.value)]
        found |= {role for item in items for role in _rebound_in(item)}
    return frozenset(found | {role for check in ruleset.checks.values() for role in _rebound_in_check(check)})


def _rebound_in_check(check: TypedCheck) -> Iterator[str]:
    for step in (*check.steps, *check.then):
        for value in step.values:
            yield from _rebound_in(value.value)
        for case in step.cases:
            yield from _rebound_in(case.when) if case.when else ()


def _rebound_in(item: Typed) -> Iterator[str]:
    for each in item.walk():
        for operand in each.operands:
            if isinstance(operand, dict):
                yield from operand


def _dice(checks: Iterable[TypedCheck]) -> Iterator[str]:
    """The paths of plain dice. A value of the same path in another check takes it out."""
    free: set[str] = set()
    bound: set[str] = set()
    for check in checks:
        for step in (*check.steps, *check.then):
            prefix = f"{step.declared.id}." if step.declared.id else ""
            dice: list[TypedDie] = [*step.roll, *(die for case in step.cases for die in case.roll)]
            values = [*step.values, *(value for case in step.cases for value in case.give)]
            free |= {prefix + die.declared.id for die in dice if die.dice.operator == "dice"}
            bound |= {prefix + die.declared.id for die in dice if die.dice.operator != "dice"}
            bound |= {prefix + value.declared.id for value in values}
    yield from free - bound
