"""`houserule roll`: how a check comes out, with dice from a seed or with given dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..messages import use
from .asking import dice, facts
from .completing import complete_fact, complete_question
from .options import Format, asks, reads_rules, ruleset_argument, settings
from .output import say, say_json, say_trace
from .reading import loaded

if TYPE_CHECKING:
    from houserule import Result

_SEEDS = 1_000_000_000


@click.command()
@ruleset_argument
@click.argument("check", shell_complete=complete_question("checks"))
@click.argument("given", nargs=-1, metavar="[FACT=VALUE]...", shell_complete=complete_fact)
@click.option("--seed", metavar="N", help="The same seed rolls the same dice, everywhere.")
@click.option("--dice", "given_dice", metavar="DIE=N", multiple=True, help="Your own dice: a total, or faces `3,5`.")
@asks
@reads_rules
def command(
    ruleset: str,
    check: str,
    given: tuple[str, ...],
    seed: str | None,
    given_dice: tuple[str, ...],
    facts_file: str | None,
    options: tuple[str, ...],
    explain: bool,
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Roll a check. Without --seed or --dice by chance; the seed is printed, so that it can be rolled again.

    \b
    houserule roll adnd2e attack attacker.thac0=15 target.armor_class=4 --dice d20=11 --explain
    """
    if seed is not None and given_dice:
        raise use.seed_and_dice()
    chosen = settings(path, limit, untrusted, format)
    rules = loaded(ruleset, chosen, options)
    if check not in rules.checks:
        raise use.unknown_definition(check, "check", rules.checks, ruleset)
    asked = facts(given, facts_file, chosen)
    if given_dice:
        return _tell(rules.check(check).resolve(asked, dice(given_dice)), None, explain, as_json)
    drawn = seed if seed is not None else any_seed()
    return _tell(rules.check(check).roll(asked, seed=drawn), drawn, explain, as_json)


def any_seed() -> str:
    """A seed by chance, to be printed."""
    from secrets import randbelow

    return str(randbelow(_SEEDS))


def _tell(result: Result, seed: str | None, explains: bool, as_json: bool) -> int:
    if as_json:
        more = {"seed": seed} if seed is not None else {}
        trace = {"trace": result.trace.to_dict()} if explains else {}
        say_json({**result.to_dict(), **more, **trace})
        return 0
    say_trace(result.trace) if explains else say(str(result))
    if seed is not None and result.dice:
        say(f"seed {seed}")
    return 0
