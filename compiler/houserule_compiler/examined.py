"""What a run of `validate` or `test` found out about each ruleset, and how it is summed up for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .diagnostics import Diagnostic, Severity
from .messages import examples as messages
from .source import Span

_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@dataclass(frozen=True, slots=True)
class Example:
    """One example that was tried: its id and place, and what was found.

    One that `is_inherited` never fails: what is found tells how the ruleset changes its answer.
    """

    id: str
    span: Span
    diagnostics: tuple[Diagnostic, ...]
    passed: bool
    is_inherited: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the ruleset changes the answer of an example that is not its own."""
        return self.is_inherited and bool(self.diagnostics)


@dataclass(frozen=True, slots=True)
class Examined:
    """One ruleset: every finding in file order, and, where they were tried, its examples.

    `remark` is what is said of it where nothing was found. `refusal` is why it could not be examined at all.
    """

    name: str
    diagnostics: tuple[Diagnostic, ...] = ()
    examples: tuple[Example, ...] = ()
    remark: str = ""
    refusal: str = ""

    @property
    def own(self) -> tuple[Diagnostic, ...]:
        """The findings that are not of examples of other rulesets."""
        others = {id(found) for each in self.examples if each.is_inherited for found in each.diagnostics}
        return tuple(each for each in self.diagnostics if id(each) not in others)

    def fails(self, least: Severity) -> bool:
        """Whether something is found that weighs at least so much."""
        return bool(self.refusal) or any(is_at_least(each, least) for each in self.diagnostics)


def is_at_least(found: Diagnostic, least: Severity) -> bool:
    """Whether a finding weighs so much or more."""
    return _RANK[found.severity] >= _RANK[least]


def summary(examined: Examined) -> str:
    """The line below the findings of one ruleset."""
    failed = sum(not each.passed for each in examined.examples)
    own = sum(not each.is_inherited for each in examined.examples)
    head = f"{examined.name}: {failed} of {own} examples failed" if failed else examined.name
    return f"{head}: {counts(examined.own) or examined.remark}"


def remark_on(examples: Sequence[Example]) -> str:
    """What is said of a ruleset none of whose examples failed."""
    below = [each for each in examples if each.is_inherited]
    changed = sum(each.is_changed for each in below)
    return messages.all_passed(len(examples) - len(below), len(below), changed)


def total(run: Sequence[Examined]) -> str:
    """The line below a run over several rulesets."""
    found = counts(finding for each in run for finding in each.own)
    examples = [example for each in run for example in each.examples if not example.is_inherited]
    passed = sum(each.passed for each in examples)
    tried = f"{passed} of {_count(len(examples), 'example')} passed" if examples else ""
    refused = sum(bool(each.refusal) for each in run)
    parts = [tried, found, f"{refused} refused" if refused else ""]
    return f"{_count(len(run), 'ruleset')}: {', '.join(filter(None, parts)) or 'no faults found'}"


def counts(diagnostics: Iterable[Diagnostic]) -> str:
    """How many errors, warnings and notes there are: `1 error, 2 notes`, or nothing."""
    severities = [each.severity for each in diagnostics]
    return ", ".join(_count(severities.count(each), each.value) for each in Severity if each in severities)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
