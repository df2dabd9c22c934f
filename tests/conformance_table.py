"""The page of results of the conformance suite, docs/conformance.md. Run this file to write it anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import conformance_batch
import conformance_fast
import conformance_runner
from conformance_cases import FILES, read

PAGE = Path(__file__).parent.parent / "docs" / "conformance.md"
HEAD = """# Conformance

The suite in [tests/conformance](../tests/conformance/README.md) asks a runtime {all:,} questions; in {fails:,} of them facts, dice or the artifact itself are wrong. The answers of the files called `made-` come from a second reading of [the artifact](artifact.md), a model that shares no code with the runtime; those of the others were worked out by hand.

The *reference* evaluator answers everything. *Generated code* answers numbers, checks and the odds of outcomes, with traces, from facts and dice that were checked before; the rest is not asked of it. *Columns* ([batch](batch.md)) answer numbers, odds, and checks whose dice are given as totals; each case is asked as two equal rows, wrong facts and dice too.

| file | cases | of them wrong input | reference | generated code | columns |
|---|---|---|---|---|---|
"""  # noqa: E501


def fails(case: dict[str, Any]) -> bool:
    """Whether a case is one of wrong facts, dice or artifacts."""
    return bool(case["expect"].get("problems") or case["expect"].get("refused"))


def page() -> str:
    """The page, from running all cases."""
    rows, sums = "", [0] * 7
    for file in FILES:
        cases = read(file)["cases"]
        reference = sum(conformance_runner.answer(file, case) == case["expect"] for case in cases)
        fast = [(conformance_fast.answer(file, case), conformance_fast.expected(case)) for case in cases]
        batch = [(conformance_batch.answer(file, case), conformance_batch.expected(case)) for case in cases]
        counts = [len(cases), sum(map(fails, cases)), reference, *_right(fast), *_right(batch)]
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        rows += _row(f"`{file.name}`", counts)
    return HEAD.format(all=sums[0], fails=sums[1]) + rows + _row("all", sums)


def _right(answers: list[tuple[dict[str, Any] | None, dict[str, Any]]]) -> tuple[int, int]:
    """How many answers are right, of those that were given."""
    asked = [(found, expect) for found, expect in answers if found is not None]
    return sum(all(found.get(key) == each for key, each in expect.items()) for found, expect in asked), len(asked)


def _row(name: str, counts: list[int]) -> str:
    cases, failing, reference, *others = counts
    shown = [f"{right:,} of {of:,}" if of else "not asked" for right, of in zip(others[::2], others[1::2], strict=True)]
    return f"| {name} | {cases:,} | {failing:,} | {reference:,} of {cases:,} | {' | '.join(shown)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
