"""`houserule odds`: the exact chance of each outcome of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..columns import columns
from ..means import mean
from ..messages import use
from ..percent import decimal, percent
from .asking import facts
from .completing import complete_fact, complete_question
from .options import Format, asks, reads_rules, ruleset_argument, settings
from .output import say, say_json, say_trace
from .reading import loaded

if TYPE_CHECKING:
    from houserule import Odds, Rules


@click.command()
@ruleset_argument
@click.argument("check", shell_complete=complete_question("checks"))
@click.argument("given", nargs=-1, metavar="[FACT=VALUE]...", shell_complete=complete_fact)
@click.option("--of", metavar="VALUE", default="", help="Of a die or value of the check, such as `strike.d20`.")
@asks
@reads_rules
def command(
    ruleset: str,
    check: str,
    given: tuple[str, ...],
    of: str,
    facts_file: str | None,
    options: tuple[str, ...],
    explain: bool,
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """The exact odds of a check: the whole procedure, every die, as fractions.

    \b
    houserule odds odnd-morale morale creature.hit_dice=14+1 setting=in_combat
    """
    chosen = settings(path, limit, untrusted, format)
    rules = loaded(ruleset, chosen, options)
    if check not in rules.checks:
        raise use.unknown_definition(check, "check", rules.checks, ruleset)
    asked = facts(given, facts_file, chosen)
    odds = rules.check(check).odds(asked, of)
    if as_json:
        more = {"numbers": {each: rules.number(each).explain(asked).to_dict() for each in _numbers(rules, check)}}
        found = mean(odds.items()) if of else None
        told = {"mean": str(found.mean)} if found and found.mean is not None else {}
        asked_of = {"of": of} if of else {}
        say_json({"check": check, **asked_of, "odds": odds.to_dict(), **told, **(more if explain else {})})
        return 0
    say(_table(odds))
    found = mean(odds.items()) if of else None
    if found and found.mean is not None:
        say("")
        say(use.mean(str(found.mean), decimal(found.mean), is_partly=found.given != 1))
    if explain:
        for each in _numbers(rules, check):
            say("")
            say_trace(rules.number(each).explain(asked))
    return 0


def _table(odds: Odds) -> str:
    from houserule.values import UNKNOWN, text_of

    rows = [
        (use.NOT_GIVEN if key is UNKNOWN else text_of(key), str(chance), percent(chance))
        for key, chance in odds.items()
    ]
    return columns(rows, lambda column: column > 0)


def _numbers(rules: Rules, check: str) -> list[str]:
    """The numbers that the check itself reads and that have a value before any die falls."""
    from houserule.nesting import expressions_of_step
    from houserule.program import NumberRead, parts
    from houserule.reads import reads_locals

    declared = rules.program.checks[check]
    pending = [
        expr for step in (*declared.steps.values(), *declared.then.values()) for expr in expressions_of_step(step)
    ]
    found: dict[str, None] = {}
    while pending:
        expr = pending.pop(0)
        pending += parts(expr)
        if isinstance(expr, NumberRead) and not expr.roles:
            found[expr.id] = None
    return [each for each in found if not reads_locals(rules.program, each)]
