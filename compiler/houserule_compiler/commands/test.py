"""`houserule test`: the examples that rulesets carry, tried."""

from __future__ import annotations

from dataclasses import dataclass
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
    from ..noticed import Noticed
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
@click.option(
    "--mutate", is_flag=True, help="Change the rules bit by bit, and tell the changes that no example notices."
)
@click.option(
    "--fail-over",
    type=click.IntRange(0, 100),
    metavar="PERCENT",
    help="Exit code 1 where more of the changes go unnoticed; implies `--mutate`.",
)
@click.option(
    "--changes",
    type=click.IntRange(1),
    metavar="NUMBER",
    default=2_000,
    help="Try at most so many changes, drawn by lot and the same every time.",
    show_default=True,
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
    mutate: bool,
    fail_over: int | None,
    changes: int,
) -> int:
    """Try the examples that rulesets carry.

    Without RULESET: all rulesets under this folder. Exit code 1 where an example fails or a ruleset has errors.
    """
    chosen = settings(path, limit, untrusted, "json" if as_json else format)
    covered: list[Coverage] | None = [] if coverage or fail_under is not None else None
    mutated: list[Noticed] | None = [] if mutate or fail_over is not None else None
    wanted = _Wanted(covered, mutated, changes)
    found = rulesets_of(rulesets, chosen)
    code = tell(found, lambda each: _test(each, chosen, wanted), chosen, fail_on, lists_examples=as_json)
    codes = [_told(each, fail_under, chosen) for each in covered or ()]
    return max([code, *codes, *(_told_noticed(each, fail_over, chosen) for each in mutated or ())])


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be told of the examples beside whether they hold, and what was found of it; None where it is not."""

    covered: list[Coverage] | None
    mutated: list[Noticed] | None
    changes: int


def _told(covered: Coverage, least: int | None, settings: Settings) -> int:
    from .covering import tell_coverage

    return tell_coverage(covered, least, settings.format == "json")


def _told_noticed(noticed: Noticed, most: int | None, settings: Settings) -> int:
    from .noticing import tell_noticed

    return tell_noticed(noticed, most, settings.format)


def _test(found: Found, settings: Settings, wanted: _Wanted) -> Examined:
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
    if wanted.covered is not None:
        wanted.covered.append(_covered(outcome, report))
    if wanted.mutated is not None:
        from ..noticed import noticed

        wanted.mutated.append(noticed(outcome, report, wanted.changes))
    return Examined(found.name, report.diagnostics, tried, remark_on(tried))


def _covered(outcome: Compiled, report: ExampleReport) -> Coverage:
    from ..coverage import coverage

    assert outcome.typed is not None
    # An example that fails says nothing of what it came through.
    traces = [trace for each in report.results if not each.diagnostics for trace in each.traces]
    return coverage(outcome.typed, traces)
