"""`houserule diff`: what changed between two rulesets, and what it does in play."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..messages import difference as messages
from ..overview import CLEAN, FINDINGS
from ..places import Found, find
from .asking import assigned
from .options import Format, Settings, complete_ruleset, reads_rules, settings
from .output import say, say_json
from .reading import artifact, built

if TYPE_CHECKING:
    from ..compared import Compared
    from ..pipeline import Compiled


@click.command()
@click.argument("before", metavar="A", shell_complete=complete_ruleset)
@click.argument("after", metavar="B", shell_complete=complete_ruleset)
@click.option(
    "--number", metavar="ID", default="", help="Prove that this number is the same in both, or tell where not."
)
@click.option(
    "--sequence", metavar="ID", default="", help="Try whether this sequence puts rounds in the same order in both."
)
@click.option("--with", "other", metavar="ID", default="", help="The number or sequence of B to hold it against.")
@click.option("--option", "options", metavar="ID=VALUE", multiple=True, help="Set an option, in both rulesets.")
@click.option(
    "--all", "lists_all", is_flag=True, help="Every change, titles, notes and sources too, every kind and every cell."
)
@click.option("--markdown", is_flag=True, help="As Markdown, for a pull request.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@reads_rules
def command(
    before: str,
    after: str,
    number: str,
    sequence: str,
    other: str,
    options: tuple[str, ...],
    lists_all: bool,
    markdown: bool,
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """What changed from ruleset A to ruleset B, and what it does in play, with the odds on both sides.

    Where the facts that matter are few, every situation is tried; elsewhere those around the change, and the output
    says so. Exit code 0 where both mean the same, 1 where they differ. With `--number` or `--sequence`: 0 only where
    all that can matter was tried and is the same; of a sequence for one or two who act.

    \b
    houserule diff odnd-morale friday
    houserule diff friday.old.rules.json friday --markdown
    houserule diff adnd2e osric --number thac0
    houserule diff osric friday --sequence group_round
    """
    from ..difference import compared_number, difference, searched_data
    from ..difference_text import as_markdown, as_text, proof

    if other and not (number or sequence):
        raise messages.other_options()
    if number and sequence:
        raise messages.two_proofs()
    if markdown and as_json:
        raise messages.two_forms()
    chosen = settings(path, limit, untrusted, format)
    places = [find(each, chosen.search, chosen.limits) for each in (before, after)]
    (one, _), (two, outcome) = (_compared(each, chosen, options) for each in places)
    if number:
        ids = number, other or number
        for side, id, word in zip((one, two), ids, (before, after), strict=True):
            _known(side, id, word)
        found = compared_number(one, two, ids)
        names = (ids[0], ids[1]) if ids[0] != ids[1] else (f"{ids[0]} of {places[0].name}", f"of {places[1].name}")
        say_json(searched_data(found)) if as_json else say(
            proof(found, names, (places[0].name, places[1].name), lists_all)
        )
        return CLEAN if found.is_exhaustive and not (found.effects or found.only) else FINDINGS
    if sequence:
        for side, id, word in zip((one, two), (sequence, other or sequence), (before, after), strict=True):
            if id not in side.rules.program.sequences:
                raise messages.no_sequence(id, [*side.rules.program.sequences], word)
        return _sequences((one, two), (sequence, other or sequence), (places[0].name, places[1].name), as_json)
    result = difference(one, two, (places[0].name, places[1].name), _answers(outcome))
    if as_json:
        say_json(result.to_dict())
    else:
        say(as_markdown(result, lists_all) if markdown else as_text(result, lists_all))
    return FINDINGS if result.differs else CLEAN


def _sequences(sides: tuple[Compared, Compared], ids: tuple[str, str], names: tuple[str, str], as_json: bool) -> int:
    from ..difference import compared_sequence
    from ..order_text import order_lines
    from ..order_told import order_data

    found = compared_sequence(*sides, ids)
    if found is None:
        same = {"sequence": ids[1], "exhaustive": True, "differing": 0, "effects": []}
        say_json(same) if as_json else say(messages.unchanged_rounds(ids[1]))
        return CLEAN
    say_json(order_data(found)) if as_json else say("\n".join(order_lines(found, names)))
    return FINDINGS if found.effects or found.only or not found.is_exhaustive else CLEAN


def _known(side: Compared, id: str, word: str) -> None:
    from ..playing_side import Side

    asked = Side(word, side.rules)
    if not asked.can_answer("number", id):
        known = [each for each in side.rules.numbers if asked.can_answer("number", each)]
        raise messages.no_number(id, known, word)


def _compared(found: Found, chosen: Settings, options: tuple[str, ...]) -> tuple[Compared, Compiled | None]:
    """A ruleset as it is compared; ends the command with 1 where it has errors."""
    import houserule

    from ..compared import Compared
    from ..round_examples import round_examples
    from ..setters import Setters

    outcome = None
    if found.kind == "artifact":
        data = artifact(found, chosen)
    else:
        data, outcome = built(found, chosen)
    rules = houserule.load(data, options=assigned(options, "--option", "ID=VALUE"))
    tree = outcome.origins.tree if outcome and outcome.origins else None
    examples = round_examples(outcome.ruleset, rules) if outcome and outcome.ruleset else ()
    return Compared(json.loads(data), rules, Setters(rules.program.origins, tree), examples), outcome


def _answers(outcome: Compiled | None) -> int | None:
    """How many examples of the rulesets below come out otherwise."""
    from ..pipeline import try_examples

    if outcome is None:
        return None
    return sum(each.is_inherited and bool(each.diagnostics) for each in try_examples(outcome).results)
