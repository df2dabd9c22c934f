"""Trying a ruleset's examples with the runtime, as an author's tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import houserule
from houserule.errors import HouseruleError, ProblemsError

from .declarations import Example, Given
from .diagnostics import Diagnostic, has_errors
from .document import Node, Scalar, Sequence
from .messages import examples as messages
from .ruleset import Ruleset
from .source import Span

INTEGER = re.compile(r"[+-]?[0-9]{1,16}")


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
    loaded: dict[tuple[tuple[str, object], ...], houserule.Rules] = {}
    tried = [_Trial(each, artifact, loaded).tried() for each in ruleset.examples.values()]
    return tuple(_of_others(each, ruleset) if each.id in inherited else each for each in tried)


def _of_others(tried: Tried, ruleset: Ruleset) -> Tried:
    """An example that was written for other rules, with what it tells about these."""
    locks = [each.id for each in ruleset.rulings.values() if tried.id in {one.id for one in each.examples}]
    found = tuple(messages.of_others(each, locks) for each in tried.diagnostics)
    return Tried(tried.id, tried.span, found, is_inherited=True, traces=tried.traces)


def plain(node: Node) -> object:
    """A YAML value as a caller of the runtime would give it."""
    if isinstance(node, Sequence):
        return [plain(each) for each in node.items]
    if not isinstance(node, Scalar):
        return {}
    if node.is_plain and node.text in ("true", "false"):
        return node.text == "true"
    return int(node.text) if node.is_plain and INTEGER.fullmatch(node.text) else node.text


def shown(value: object) -> str:
    """A value of the runtime as an author would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list | frozenset):
        return f"[{', '.join(shown(each) for each in value)}]"
    return str(value)


@dataclass
class _Trial:
    """Tries one example."""

    example: Example
    artifact: bytes
    loaded: dict[tuple[tuple[str, object], ...], houserule.Rules]
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
        except HouseruleError as problem:
            yield messages.cannot_run(example.id, str(problem), "", example.place)
        else:
            if refused is not None:
                yield messages.not_refused(example.id, shown(plain(refused.value)), refused.place, [])
            yield from found

    def _problems(self, found: ProblemsError, refused: Given | None) -> Iterator[Diagnostic]:
        names = [name for each in found.problems for name in (each.path, each.code)]
        if refused is not None:
            expected = shown(plain(refused.value))
            if expected not in names:
                yield messages.not_refused(self.example.id, expected, refused.place, names)
            return
        places = {each.path: each.place for each in (*self.example.given, *self.example.dice, *self.example.options)}
        for each in found.problems:
            yield messages.cannot_run(
                self.example.id, each.message, each.fix, places.get(each.path, self.example.place)
            )

    def _rules(self) -> houserule.Rules:
        options = {each.path: plain(each.value) for each in self.example.options}
        key = tuple(sorted((path, shown(value)) for path, value in options.items()))
        if key not in self.loaded:
            self.loaded[key] = houserule.load(self.artifact, options=options)
        return self.loaded[key]

    def _outcome(self) -> Iterator[Diagnostic]:
        rules, id = self._rules(), self.example.subject.id
        facts = {each.path: plain(each.value) for each in self.example.given}
        match self.example.kind:
            case "number":
                trace = self._kept(rules.number(id).explain(facts))
                yield from self._compared({"value": rules.number(id).value(facts)}, str(trace).splitlines())
            case "table":
                yield from self._cell(rules, id, facts)
            case "check":
                yield from self._check(rules, id, facts)

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
        found = {**result.values, "outcome": result.outcome, **dict(_effects(result.effects))}
        yield from self._compared(found, str(self._kept(result.trace)).splitlines())

    def _kept(self, trace: houserule.Trace) -> houserule.Trace:
        """The trace, remembered."""
        self.traces.append(trace)
        return trace

    def _compared(self, found: Mapping[str, object], steps: object) -> Iterator[Diagnostic]:
        lines = [str(each) for each in steps] if isinstance(steps, list | tuple) else []
        for each in self.example.expect:
            if each.path == "refused":
                continue
            if each.path not in found:
                yield messages.unknown_expectation(self.example.id, each.path, each.place, list(found))
            elif not _same(plain(each.value), found[each.path]):
                expected, given = shown(plain(each.value)), shown(found[each.path])
                span = each.value.span
                yield messages.differs(self.example.id, f"`{each.path}`", given, expected, span, lines)

    def _odds(self, found: Mapping[str, Fraction]) -> Iterator[Diagnostic]:
        for each in self.example.odds:
            if each.path not in found:
                yield messages.unknown_expectation(self.example.id, each.path, each.place, list(found))
            elif not _same(plain(each.value), found[each.path]):
                expected, given = shown(plain(each.value)), shown(found[each.path])
                yield messages.differs(
                    self.example.id, f"the odds of `{each.path}`", given, expected, each.value.span, ()
                )


def _effects(effects: Iterable[houserule.Effect | houserule.Happening]) -> Iterator[tuple[str, object]]:
    """What followed, by the path of an expectation: an event without arguments is just true."""
    for each in effects:
        if isinstance(each, houserule.Effect):
            yield f"effects.{each.path}", each.value
        else:
            yield from ((f"effects.{each.event}.{name}", value) for name, value in each.arguments.items())
            if not each.arguments:
                yield f"effects.{each.event}", True


def _faces(node: Node) -> int | list[int]:
    """A given die: its total, or the list of its faces. What is neither is 0, which the runtime refuses."""
    given = plain(node)
    if isinstance(given, list):
        return [each if isinstance(each, int) else 0 for each in given]
    return given if isinstance(given, int) else 0


def _same(expected: object, found: object) -> bool:
    if isinstance(found, bool) or isinstance(expected, bool):
        return expected is found
    if isinstance(found, int | Fraction):
        return _number(expected) == found
    if isinstance(found, tuple | list | frozenset):
        return isinstance(expected, list) and sorted(map(str, expected)) == sorted(map(str, found))
    return shown(expected) == shown(found)


def _number(expected: object) -> Fraction | None:
    try:
        return Fraction(str(expected).replace("+", "", 1))
    except (ValueError, ZeroDivisionError):
        return None
