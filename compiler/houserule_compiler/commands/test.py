"""`houserule test`: the examples that rulesets carry, tried."""

from __future__ import annotations

import click

from ..messages import use
from ..places import Found
from .options import Format, Settings, reads_rules, ruleset_arguments, settings
from .output import say_json
from .reading import compiled
from .validate import rulesets_of, tell


@click.command()
@ruleset_arguments
@reads_rules
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`, with a line for each example.")
def command(
    rulesets: tuple[str, ...],
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
    as_json: bool,
) -> int:
    """Try the examples that rulesets carry.

    Without RULESET: all rulesets under this folder. Exit code 1 where an example fails or a ruleset has errors.
    """
    chosen = settings(path, limit, untrusted, "json" if as_json else format)
    return max([_test(found, chosen, as_json) for found in rulesets_of(rulesets, chosen)])


def _test(found: Found, settings: Settings, lists_examples: bool) -> int:
    from ..pipeline import try_examples

    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "test")
    outcome = compiled(found, settings)
    if outcome.artifact is None:
        return tell(
            found.name, outcome.diagnostics, settings, "abstract, so its examples are for rulesets that extend it"
        )
    results = try_examples(outcome)
    if lists_examples:
        for each in results.results:
            is_changed = each.is_inherited and bool(each.diagnostics)
            told = {"passed": each.passed, "inherited": each.is_inherited, "changed": is_changed}
            say_json({"ruleset": found.name, "example": each.id, **told})
    failed, count = sum(not each.passed for each in results.results), len(results.results)
    clean = f"{count} example{'s' * (count != 1)} passed" if count else "there are no examples"
    name = f"{found.name}: {failed} of {count} examples failed" if failed else found.name
    return tell(name, results.diagnostics, settings, clean)
