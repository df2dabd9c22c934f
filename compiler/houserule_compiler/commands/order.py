"""`houserule order`: who acts when in a round, with dice from a seed or with given rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..messages import use
from .asking import encounter, rolls
from .completing import complete_question
from .options import Format, asks, reads_rules, ruleset_argument, settings
from .output import say, say_json, say_trace
from .reading import loaded
from .roll import any_seed

if TYPE_CHECKING:
    from houserule import Order


@click.command()
@ruleset_argument
@click.argument("sequence", shell_complete=complete_question("sequences"))
@click.argument("given", nargs=-1, metavar="[PART=VALUE]...")
@click.option("--seed", metavar="N", help="The same seed rolls the same dice, everywhere.")
@click.option("--rolls", "given_rolls", metavar="WHO=N", multiple=True, help="Your own rolls, of sides or actors.")
@click.option("--after", metavar="FILE", help="The round before, as `--json` printed it: what it carried comes over.")
@asks
@reads_rules
def command(
    ruleset: str,
    sequence: str,
    given: tuple[str, ...],
    seed: str | None,
    given_rolls: tuple[str, ...],
    after: str | None,
    facts_file: str | None,
    options: tuple[str, ...],
    explain: bool,
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Put a round in order: who acts when, who does not and why, what comes over to the next round.

    The encounter comes from --facts (sides, actors and what each does, what happened) and from PART=VALUE. Rolls that
    are not given come from the seed; without one, and where none are given, by chance.

    \b
    houserule order osric segment_round --facts brawl.yaml --rolls fighter=2 --rolls goblins=9 --explain
    houserule order swords-wizardry combat_round --facts brawl.yaml "happened.orc strike=hurt" --seed 7
    """
    chosen = settings(path, limit, untrusted, format)
    rules = loaded(ruleset, chosen, options)
    if sequence not in rules.sequences:
        raise use.unknown_definition(sequence, "sequence", rules.sequences, ruleset)
    found = encounter(given, facts_file, after, chosen)
    if given_rolls:
        found["rolls"] = {**found.get("rolls", {}), **rolls(given_rolls)}
    drawn = seed if seed is not None or found.get("rolls") else any_seed()
    order = rules.sequence(sequence).order(found, seed=drawn)
    _tell(order, drawn if order.dice else None, explain, as_json)
    return 0


def _tell(order: Order, seed: str | None, explains: bool, as_json: bool) -> None:
    if as_json:
        more: dict[str, Any] = {"seed": seed} if seed is not None else {}
        trace = {"trace": order.trace.to_dict()} if explains else {}
        say_json({**order.to_dict(), **more, **trace})
        return
    say_trace(order)
    if explains:
        say("")
        say_trace(order.trace)
    if seed is not None:
        say(f"seed {seed}")
