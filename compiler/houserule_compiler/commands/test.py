"""`houserule test`: the examples that rulesets carry, tried."""

from __future__ import annotations

import click

from ..examined import Examined, Example, remark_on
from ..messages import use
from ..places import Found
from .options import FailOn, Format, Settings, fails_on, reads_rules, ruleset_arguments, settings
from .reading import compiled
from .telling import tell
from .validate import rulesets_of


@click.command()
@ruleset_arguments
@reads_rules
@fails_on
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`, with a line for each example.")
def command(
    rulesets: tuple[str, ...],
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
    fail_on: FailOn,
    as_json: bool,
) -> int:
    """Try the examples that rulesets carry.

    Without RULESET: all rulesets under this folder. Exit code 1 where an example fails or a ruleset has errors.
    """
    chosen = settings(path, limit, untrusted, "json" if as_json else format)
    found = rulesets_of(rulesets, chosen)
    return tell(found, lambda each: _test(each, chosen), chosen, fail_on, lists_examples=as_json)


def _test(found: Found, settings: Settings) -> Examined:
    from ..pipeline import try_examples

    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "test")
    outcome = compiled(found, settings)
    if outcome.artifact is None:
        remark = "abstract, so its examples are for rulesets that extend it"
        return Examined(found.name, outcome.diagnostics, remark=remark)
    report = try_examples(outcome)
    tried = tuple(
        Example(each.id, each.span, each.diagnostics, each.passed, each.is_inherited) for each in report.results
    )
    return Examined(found.name, report.diagnostics, tried, remark_on(tried))
