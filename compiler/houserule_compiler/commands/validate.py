"""`houserule validate`: every fault of rulesets, each at its place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import click

from ..examined import Examined
from ..lock_files import has_lock, lock_place, read_lock
from ..messages import use
from ..places import Found, Place, all_below, around, find, place_of
from ..shipped import shipped
from .options import FailOn, Format, Settings, fails_on, reads_rules, ruleset_arguments, settings
from .telling import tell


@click.command()
@ruleset_arguments
@click.option("--watch", is_flag=True, help="Validate again whenever a file changes.")
@reads_rules
@fails_on
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`.")
@click.option("--locked", is_flag=True, help="What changed below since `accept` is an error, and so is a missing lock.")
def command(
    rulesets: tuple[str, ...],
    watch: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
    fail_on: FailOn,
    as_json: bool,
    locked: bool,
) -> int:
    """Report every fault in rulesets, each at its line and column.

    Without RULESET: all rulesets under this folder. Exit code 1 where there are errors or warnings, or what
    --fail-on says. Of a ruleset that stands on others, also what has changed below since `houserule accept`.
    """
    chosen = settings(path, limit, untrusted, "json" if as_json else format)
    if watch:
        return _watch(rulesets, chosen, fail_on, locked)
    return _run(rulesets, chosen, fail_on, locked)


def _run(words: Sequence[str], settings: Settings, fail_on: FailOn, locked: bool) -> int:
    return tell(rulesets_of(words, settings), lambda found: _validate(found, settings, locked), settings, fail_on)


def _watch(words: Sequence[str], settings: Settings, fail_on: FailOn, locked: bool) -> int:
    from ..memory import Memory
    from .watching import Watch, keep_watch

    memory = Memory()
    watch = Watch(settings.limits, _lock, partial(_standing, words, settings))
    watched = replace(settings, note=watch, memory=memory)
    return keep_watch(lambda: _run(words, watched, fail_on, locked), watch, memory)


def _lock(found: Found) -> Place | None:
    """Where the lock of a ruleset stands, or would."""
    return lock_place(found) if has_lock(found, str(shipped("rules"))) else None


def _standing(words: Sequence[str], settings: Settings, found: Collection[Found], is_wide: bool) -> list[str]:
    """The paths of all rulesets that this run could mean, and of those that bear the names that it has read.

    If `is_wide`, of all on the search path: a name that was missed may be among them next time.
    """
    here = [] if words else all_below(place_of("."))
    searches = {around(each, settings.search) for each in found} or {settings.search}
    read = [(search, name) for search in searches for name in (search.names() if is_wide else {e.name for e in found})]
    return [each.place.path for each in (*here, *(one for search, name in read for one in search.all_named(name)))]


def rulesets_of(words: Sequence[str], settings: Settings) -> list[Found]:
    """The rulesets that the words mean, or all under this folder; WrongUse where there are none."""
    if words:
        # Two files of one ruleset, as a commit hook names them, mean it once.
        found = [find(each, settings.search, settings.limits) for each in words]
        return list({each.place.absolute: each for each in found}.values())
    found = all_below(place_of("."))
    if not found:
        raise use.no_rulesets_here()
    return found


def _validate(found: Found, settings: Settings, locked: bool) -> Examined:
    if found.kind == "artifact":
        return _verify(found, settings)
    from ..lock import strict
    from .reading import build_of

    lock = read_lock(found, settings.limits) if _lock(found) else None
    told = build_of(found, settings, lock).diagnostics
    return Examined(found.name, tuple(strict(told)) if locked else told, remark="no faults found")


def _verify(found: Found, settings: Settings) -> Examined:
    """An artifact is loaded, which verifies all of it; ArtifactError if it is refused."""
    import houserule

    from .reading import artifact

    rules = houserule.load(artifact(found, settings))
    return Examined(rules.id, remark=f"a sound artifact, {rules.content_hash}")
