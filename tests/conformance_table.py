"""The page of results of the conformance suite, docs/conformance.md. Run this file to write it anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import conformance_fast
import conformance_runner
from conformance_cases import FILES, read

PAGE = Path(__file__).parent.parent / "docs" / "conformance.md"
HEAD = """# Conformance

The suite in [tests/conformance](../tests/conformance/README.md) asks a runtime {all:,} questions; in {fails:,} of them facts, dice or the artifact itself are wrong. The answers of the files called `made-` come from a second reading of [the artifact](artifact.md), a model that shares no code with the runtime; those of the others were worked out by hand.

The *reference* evaluator answers everything. *Generated code* answers numbers and checks, from facts and dice that were checked before; the rest is not asked of it. It gives no traces.

| file | cases | of them wrong input | reference | generated code |
|---|---|---|---|---|
"""  # noqa: E501


def fails(case: dict[str, Any]) -> bool:
    """Whether a case is one of wrong facts, dice or artifacts."""
    return bool(case["expect"].get("problems") or case["expect"].get("refused"))


def page() -> str:
    """The page, from running all cases."""
    rows, sums = "", [0, 0, 0, 0, 0]
    for file in FILES:
        cases = read(file)["cases"]
        reference = sum(conformance_runner.answer(file, case) == case["expect"] for case in cases)
        fast = [(conformance_fast.answer(file, case), conformance_fast.expected(case)) for case in cases]
        asked = [(found, expect) for found, expect in fast if found is not None]
        right = sum(all(found.get(key) == each for key, each in expect.items()) for found, expect in asked)
        counts = [len(cases), sum(map(fails, cases)), reference, right, len(asked)]
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        rows += _row(f"`{file.name}`", counts)
    return HEAD.format(all=sums[0], fails=sums[1]) + rows + _row("all", sums)


def _row(name: str, counts: list[int]) -> str:
    cases, failing, reference, right, asked = counts
    generated = f"{right:,} of {asked:,}" if asked else "not asked"
    return f"| {name} | {cases:,} | {failing:,} | {reference:,} of {cases:,} | {generated} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
