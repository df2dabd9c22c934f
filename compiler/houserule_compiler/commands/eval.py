"""`houserule eval`: the value of a number, a cell of a table, or whether an action is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..messages import use
from .asking import facts
from .completing import complete_fact, complete_question
from .options import Format, asks, reads_rules, ruleset_argument, settings
from .output import say, say_json, say_trace
from .reading import loaded

if TYPE_CHECKING:
    from houserule import Allowed, Rules, Table, Wanted


@click.command()
@ruleset_argument
@click.argument("name", metavar="NUMBER|TABLE|ACTION", shell_complete=complete_question("numbers", "tables", "actions"))
@click.argument("given", nargs=-1, metavar="[FACT=VALUE|KEY]...", shell_complete=complete_fact)
@asks
@reads_rules
def command(
    ruleset: str,
    name: str,
    given: tuple[str, ...],
    facts_file: str | None,
    options: tuple[str, ...],
    explain: bool,
    as_json: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Work out a number from facts, look up a table by its keys, or ask whether an action is allowed.

    \b
    houserule eval odnd-morale morale creature.hit_dice=3 --explain
    houserule eval adnd2e thac0 warrior 7
    houserule eval swords-wizardry disarm attacker.class=thief --explain
    """
    chosen = settings(path, limit, untrusted, format)
    rules = loaded(ruleset, chosen, options)
    table, _, column = name.partition(".")
    if name in rules.numbers:
        _no_keys(name, "number", given, rules.number(name).facts)
        _number(rules, name, facts(given, facts_file, chosen), explain, as_json)
    elif table in rules.tables:
        _table(rules.tables[table], column, given, explain, as_json, ruleset)
    elif name in rules.actions:
        _no_keys(name, "action", given, rules.action(name).facts)
        _allowed(rules.action(name).allowed(facts(given, facts_file, chosen)), explain, as_json)
    else:
        known = [*rules.numbers, *rules.tables, *rules.actions]
        raise use.unknown_definition(name, "number, table or action", known, ruleset)
    return 0


def _no_keys(name: str, kind: str, given: tuple[str, ...], facts: tuple[Wanted, ...]) -> None:
    stray = next((each for each in given if "=" not in each), None)
    if stray is not None:
        raise use.needs_facts(name, kind, stray, [each.path for each in facts])


def _allowed(found: Allowed, explains: bool, as_json: bool) -> None:
    if as_json:
        say_json({**found.to_dict(), **({"trace": found.trace.to_dict()} if explains else {})})
    else:
        say_trace(found.trace) if explains else say(str(found))


def _number(rules: Rules, name: str, given: dict[str, object], explains: bool, as_json: bool) -> None:
    from houserule.values import plain

    number = rules.number(name)
    value = number.value(given)
    if as_json:
        trace = {"trace": number.explain(given).to_dict()} if explains else {}
        say_json({"number": name, "value": plain(value), **trace})
    else:
        say_trace(number.explain(given)) if explains else say(str(value))


def _table(table: Table, column: str, keys: tuple[str, ...], explains: bool, as_json: bool, ruleset: str) -> None:
    from houserule.values import plain, text_of

    if column and column not in table.columns:
        raise use.unknown_definition(column, f"column in `{table.id}` named", table.columns, ruleset)
    found = table[keys]
    cells = found.to_dict() if hasattr(found, "to_dict") else {"value": found}
    if column:
        cells = {column: cells[column]}
    if as_json:
        trace = {"trace": table.explain(keys, column).to_dict()} if explains else {}
        shown = {each: plain(value) for each, value in cells.items()}
        say_json({"table": table.id, "keys": list(keys), **shown, **trace})
    elif explains:
        say_trace(table.explain(keys, column))
    elif len(cells) == 1:
        say(text_of(next(iter(cells.values()))))
    else:
        say("\n".join(f"{each}: {text_of(value)}" for each, value in cells.items()))
