"""`houserule test`: the examples that rulesets carry, tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..examined import Examined, Example, remark_on
from ..messages import use
from ..places import Found
from .options import FailOn, Format, Settings, fails_on, reads_rules, ruleset_arguments, settings
from .reading import compiled
from .telling import tell
from .validate import rulesets_of

if TYPE_CHECKING:
    from ..coverage import Coverage
    from ..pipeline import Compiled, ExampleReport


@click.command()
@ruleset_arguments
@reads_rules
@fails_on
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`, with a line for each example.")
@click.option("--coverage", is_flag=True, help="Tell what of the rules no example exercises, with its place.")
@click.option(
    "--fail-under",
    type=click.IntRange(0, 100),
    metavar="PERCENT",
    help="Exit code 1 where less of the rows, modifiers, cases ... is exercised; implies `--coverage`.",
)
def command(
    rulesets: tuple[str, ...],
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
    fail_on: FailOn,
    as_json: bool,
    coverage: bool,
    fail_under: int | None,
) -> int:
    """Try the examples that rulesets carry.

    Without RULESET: all rulesets under this folder. Exit code 1 where an example fails or a ruleset has errors.
    """
    chosen = settings(path, limit, untrusted, "json" if as_json else format)
    covered: list[Coverage] | None = [] if coverage or fail_under is not None else None
    found = rulesets_of(rulesets, chosen)
    code = tell(found, lambda each: _test(each, chosen, covered), chosen, fail_on, lists_examples=as_json)
    return max([code, *(_told(each, fail_under, chosen) for each in covered or ())])


def _told(covered: Coverage, least: int | None, settings: Settings) -> int:
    from .covering import tell_coverage

    return tell_coverage(covered, least, settings.format == "json")


def _test(found: Found, settings: Settings, covered: list[Coverage] | None) -> Examined:
    from ..pipeline import try_examples

    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "test")
    outcome = compiled(found, settings)
    if outcome.artifact is None:
        remark = "abstract, so its examples are for rulesets that use it"
        return Examined(found.name, outcome.diagnostics, remark=remark)
    report = try_examples(outcome)
    tried = tuple(
        Example(each.id, each.span, each.diagnostics, each.passed, each.is_inherited) for each in report.results
    )
    if covered is not None:
        covered.append(_covered(outcome, report))
    return Examined(found.name, report.diagnostics, tried, remark_on(tried))


def _covered(outcome: Compiled, report: ExampleReport) -> Coverage:
    from ..coverage import coverage

    assert outcome.typed is not None
    # An example that fails says nothing of what it came through.
    traces = [trace for each in report.results if not each.diagnostics for trace in each.traces]
    return coverage(outcome.typed, traces)
