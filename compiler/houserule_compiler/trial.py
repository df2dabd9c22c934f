"""Trying a ruleset's examples with the runtime, as an author's tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import houserule
from houserule.artifact import read
from houserule.errors import HouseruleError, ProblemsError

from . import round_trials
from .comparing import differing, effects, plain, same, shown
from .declarations import Example, Given
from .diagnostics import Diagnostic, has_errors
from .document import Mapping as Map
from .document import Node
from .messages import examples as messages
from .round_trials import Loaded, NoRoundBeforeError
from .ruleset import Ruleset
from .source import Span


@dataclass(frozen=True)
class Tried:
    """One example: its id and place, and what is wrong with it, if anything.

    One that `is_inherited` was written for other rules than these: it tells what they change, and never fails.
    `traces` say how its answers came about, which shows what of the rules it exercises.
    """

    id: str
    span: Span
    diagnostics: tuple[Diagnostic, ...]
    is_inherited: bool = False
    traces: tuple[houserule.Trace, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all of its expectations are met, or need not be."""
        return self.is_inherited or not has_errors(self.diagnostics)


def try_examples(ruleset: Ruleset, artifact: bytes, inherited: frozenset[str] = frozenset()) -> tuple[Tried, ...]:
    """Every example of the ruleset, tried, in file order. `inherited` are the ids of those of layers below alone."""
    loaded = Loaded(read(artifact), ruleset.examples)
    tried = [_Trial(each, loaded, each.id in inherited).tried() for each in ruleset.examples.values()]
    return tuple(_of_others(each, ruleset) if each.id in inherited else each for each in tried)


def fails(example: Example, loaded: Loaded) -> bool:
    """Whether an example fails with some rules."""
    return has_errors(_Trial(example, loaded).tried().diagnostics)


def _of_others(tried: Tried, ruleset: Ruleset) -> Tried:
    """An example that was written for other rules, with what it tells about these."""
    locks = [each.id for each in ruleset.rulings.values() if tried.id in {one.id for one in each.examples}]
    found = tuple(messages.of_others(each, locks) for each in tried.diagnostics)
    return Tried(tried.id, tried.span, found, is_inherited=True, traces=tried.traces)


@dataclass
class _Trial:
    """Tries one example."""

    example: Example
    loaded: Loaded
    is_inherited: bool = False
    traces: list[houserule.Trace] = field(default_factory=list)

    def tried(self) -> Tried:
        """What came of it."""
        found = tuple(self._findings())
        return Tried(self.example.id, self.example.place, found, traces=tuple(self.traces))

    def _findings(self) -> Iterator[Diagnostic]:
        example = self.example
        if not example.expect and not example.odds:
            yield messages.nothing_expected(example.id, example.place)
            return
        refused = next((each for each in example.expect if each.path == "refused"), None)
        try:
            found = list(self._outcome())
        except ProblemsError as problems:
            yield from self._problems(problems, refused)
        except NoRoundBeforeError:
            yield messages.no_round_before(example.id, example.after.span if example.after else example.place)
        except HouseruleError as problem:
            yield messages.cannot_run(example.id, str(problem), "", example.place)
        else:
            # Whether an action is refused is its answer.
            if refused is not None and example.kind != "action":
                yield messages.not_refused(example.id, shown(plain(refused.value)), refused.place, [])
            yield from found

    def _problems(self, found: ProblemsError, refused: Given | None) -> Iterator[Diagnostic]:
        names = [name for each in found.problems for name in (each.path, each.code)]
        if refused is not None:
            expected = shown(plain(refused.value))
            if expected not in names:
                yield messages.not_refused(self.example.id, expected, refused.place, names)
            return
        places = dict(self._places())
        for each in found.problems:
            place = places.get(each.path.removeprefix("given."), self.example.place)
            is_new = self.is_inherited and each.code == "missing-fact"
            fix = messages.default_due(each.path) if is_new else "" if self.is_inherited else each.fix
            yield messages.cannot_run(self.example.id, each.message, fix, place)

    def _places(self) -> Iterator[tuple[str, Span]]:
        """Where each given thing stands, by its path."""
        example = self.example
        yield from ((each.path, each.place) for each in (*example.given, *example.dice, *example.options))
        for part in example.encounter:
            yield from _inside(part.path, part.value, part.place)

    def _outcome(self) -> Iterator[Diagnostic]:
        example = self.example
        rules, id = self.loaded.under(example), example.subject.id
        facts = {each.path: plain(each.value) for each in example.given}
        match example.kind:
            case "number":
                trace = self._kept(rules.number(id).explain(facts))
                yield from self._compared({"value": rules.number(id).value(facts)}, str(trace).splitlines())
            case "table":
                yield from self._cell(rules, id, facts)
            case "check":
                yield from self._check(rules, id, facts)
            case "action":
                allowed = rules.action(id).allowed(facts)
                self._kept(allowed.trace)
                yield from round_trials.action(example, allowed)
            case "trigger":
                self._kept(rules.trigger(id).explain(facts))
                yield from round_trials.trigger(example, rules.trigger(id), facts)
            case "sequence":
                order = self.loaded.order(example)
                self._kept(order.trace)
                yield from round_trials.sequence(example, order)

    def _compared(self, found: Mapping[str, object], lines: Iterable[str]) -> Iterator[Diagnostic]:
        yield from differing(
            self.example, (each for each in self.example.expect if each.path != "refused"), found, lines
        )

    def _cell(self, rules: houserule.Rules, id: str, facts: Mapping[str, object]) -> Iterator[Diagnostic]:
        table = rules.table(id)
        keys = tuple(facts.get(key) for key in table.keys)
        cell = table[keys]
        self._kept(table.explain(keys))
        found = cell.to_dict() if isinstance(cell, houserule.Cells) else {"value": cell}
        yield from self._compared(found, ())

    def _check(self, rules: houserule.Rules, id: str, facts: Mapping[str, object]) -> Iterator[Diagnostic]:
        check = rules.check(id)
        if self.example.odds:
            yield from self._odds({shown(word): chance for word, chance in check.odds(facts).items()})
        if not self.example.expect:
            return
        result = check.resolve(facts, dice={each.path: _faces(each.value) for each in self.example.dice})
        found = {**result.values, "outcome": result.outcome, **dict(effects(result.effects))}
        yield from self._compared(found, str(self._kept(result.trace)).splitlines())

    def _kept(self, trace: houserule.Trace) -> houserule.Trace:
        """The trace, remembered."""
        self.traces.append(trace)
        return trace

    def _odds(self, found: Mapping[str, Fraction]) -> Iterator[Diagnostic]:
        for each in self.example.odds:
            if each.path not in found:
                yield messages.unknown_expectation(self.example.id, each.path, each.place, list(found))
            elif not same(plain(each.value), found[each.path]):
                expected, given = shown(plain(each.value)), shown(found[each.path])
                yield messages.differs(
                    self.example.id, f"the odds of `{each.path}`", given, expected, each.value.span, ()
                )


def _inside(path: str, node: Node, place: Span) -> Iterator[tuple[str, Span]]:
    """A part of an encounter and all within it, by path."""
    yield path, place
    for each in node.entries if isinstance(node, Map) else ():
        yield from _inside(f"{path}.{each.key.text}", each.value, each.key.span)


def _faces(node: Node) -> int | list[int]:
    """A given die: its total, or the list of its faces. What is neither is 0, which the runtime refuses."""
    given = plain(node)
    if isinstance(given, list):
        return [each if isinstance(each, int) else 0 for each in given]
    return given if isinstance(given, int) else 0
