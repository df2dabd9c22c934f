"""`houserule validate`: every fault of rulesets, each at its place."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ..diagnostics import Diagnostic, Severity
from ..messages import use
from ..places import Found, all_below, find, place_of
from .options import Format, Settings, reads_rules, ruleset_arguments, settings
from .output import report, say


@click.command()
@ruleset_arguments
@reads_rules
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`.")
def command(
    rulesets: tuple[str, ...],
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
    as_json: bool,
) -> int:
    """Report every fault in rulesets, each at its line and column.

    Without RULESET: all rulesets under this folder. Exit code 1 where there are errors or warnings.
    """
    chosen = settings(path, limit, untrusted, "json" if as_json else format)
    return max([_validate(found, chosen) for found in rulesets_of(rulesets, chosen)])


def rulesets_of(words: Sequence[str], settings: Settings) -> list[Found]:
    """The rulesets that the words mean, or all under this folder; WrongUse where there are none."""
    if words:
        return [find(each, settings.search, settings.limits) for each in words]
    found = all_below(place_of("."))
    if not found:
        raise use.no_rulesets_here()
    return found


def _validate(found: Found, settings: Settings) -> int:
    if found.kind == "artifact":
        return _verify(found, settings)
    from .reading import compiled

    return tell(found.name, compiled(found, settings).diagnostics, settings, "no faults found")


def tell(name: str, diagnostics: Sequence[Diagnostic], settings: Settings, clean: str) -> int:
    """Prints findings and, for people, one line that sums them up; gives the exit code."""
    report(diagnostics, settings.format, sys.stdout)
    counted = [_count(diagnostics, each) for each in Severity]
    if settings.format == "full":
        if diagnostics:
            say("")
        say(f"{name}: {', '.join(filter(None, counted)) or clean}")
    return 1 if any(each.severity is not Severity.NOTE for each in diagnostics) else 0


def _count(diagnostics: Sequence[Diagnostic], severity: Severity) -> str:
    number = sum(each.severity is severity for each in diagnostics)
    return f"{number} {severity.value}{'s' * (number > 1)}" if number else ""


def _verify(found: Found, settings: Settings) -> int:
    """An artifact is loaded, which verifies all of it; one that is refused ends the run with a finding."""
    import houserule

    from .reading import artifact

    rules = houserule.load(artifact(found, settings))
    if settings.format == "full":
        say(f"{rules.id}: a sound artifact, {rules.content_hash}")
    return 0
