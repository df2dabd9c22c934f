"""What is wrong with typed rules as a whole: gaps and overlaps, what can never hold, what contradicts itself.

Every error is certain; what could only not be ruled out is a warning, or is not told.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..diagnostics import Diagnostic
from ..footing import Footings
from ..memory import Memory
from ..situations import Words
from ..typed import TypedNumber
from ..typed_ruleset import TypedRuleset
from .assumptions import Assumptions, assumptions
from .contests import contest_findings
from .judging import Judging
from .rows import grade_findings, table_findings
from .tidiness import tidiness_findings
from .whens import when_findings

__all__ = ["analyse"]


def analyse(ruleset: TypedRuleset, memory: Memory | None = None, footings: Footings | None = None) -> list[Diagnostic]:
    """All findings about a ruleset whose types are known; what has no type is passed over.

    `memory` has the tables in which earlier builds found nothing, and `footings` the numbers and checks.
    """
    assumed = assumptions(ruleset)
    judging = Judging(ruleset, assumed, footings)
    found = [*_rows(ruleset, assumed.words, memory), *when_findings(ruleset, assumed, judging)]
    for number in ruleset.numbers.values():
        found += judging.judged("contests", number.declared, partial(_contests, ruleset, number, assumed), number)
    return [*found, *tidiness_findings(ruleset)]


def _contests(ruleset: TypedRuleset, number: TypedNumber, assumed: Assumptions) -> list[Diagnostic]:
    return [*contest_findings(number, ruleset.declared.stacking, assumed)]


def _rows(ruleset: TypedRuleset, words: Words, memory: Memory | None) -> Iterator[Diagnostic]:
    for table in ruleset.tables.values():
        # Whether something is found depends on the table alone; how it is told, on words too.
        if memory is None or memory.recall(("rows", id(table)), table, lambda: any(table_findings(table, words))):  # noqa: B023
            yield from table_findings(table, words)
    for number in ruleset.numbers.values():
        for entry in number.entries:
            if entry.by is not None and entry.grades:
                yield from grade_findings(entry, words)
