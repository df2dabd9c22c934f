"""`houserule sweep`: a number or a check over all combinations of some facts, as a table or a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from ..messages import sweep as messages
from ..messages import use
from ..writing import write_where_named
from .asking import assigned, dice, facts
from .completing import complete_fact, complete_question
from .options import Format, Settings, complete_ruleset, reads_rules, ruleset_argument, settings, situated
from .output import say, say_picture
from .reading import loaded

if TYPE_CHECKING:
    from houserule import Rules

    from ..asked import Answer, Asked
    from ..grid import Grid
    from ..swept import Swept
    from ..tabular import Tabular

_SUFFIXES = (".csv", ".json", ".parquet", ".svg")
_BAR_FROM = 1_000
"""From so many cells on a terminal shows how far a sweep is."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked, as typed."""

    word: str
    other: str
    outcome: str
    dice: Mapping[str, int | list[int]] | None


@click.command()
@ruleset_argument
@click.argument("name", metavar="NUMBER|CHECK", shell_complete=complete_question("numbers", "checks"))
@click.argument("given", nargs=-1, metavar="[FACT=RANGE]...", shell_complete=complete_fact)
@click.option(
    "-o", "--output", "outputs", metavar="FILE", multiple=True, help="A .csv, .json, .parquet or .svg; `-` prints."
)
@click.option("--plot", is_flag=True, help="Draw it here instead of printing a table.")
@click.option("--outcome", metavar="NAME", default="", help="Of a check: this outcome alone.")
@click.option(
    "--dice", "given_dice", metavar="DIE=NUMBER", multiple=True, help="Of a check: its outcome with this die."
)
@click.option("--summary", is_flag=True, help="Least, most and mean instead of every cell.")
@click.option("--by", metavar="FACT", multiple=True, help="With `--summary`: a row for each value of this fact.")
@click.option("--against", metavar="RULESET", default="", help="Another ruleset too, and the difference.",
              shell_complete=complete_ruleset)  # fmt: skip
@click.option("--with", "other", metavar="ID", default="", help="With `--against`: the number or check of that one.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@situated
@reads_rules
def command(
    ruleset: str,
    name: str,
    given: tuple[str, ...],
    outputs: tuple[str, ...],
    plot: bool,
    outcome: str,
    given_dice: tuple[str, ...],
    summary: bool,
    by: tuple[str, ...],
    against: str,
    other: str,
    as_json: bool,
    facts_file: str | None,
    options: tuple[str, ...],
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
    format: Format,
) -> int:
    """Ask a number or a check in all combinations of facts: a balance study as a table (CSV) or a picture.

    A RANGE is a value, a list `a,b,c`, a range `1..20`, `10..-10` or with a step `1..20:5`, where an end left out is
    that of the fact; `..` or `'*'` is every value, and `unknown` is one that a list can name. A set is written `a|b`.
    Of a check, each outcome has its exact chance: numerator, denominator, percent.

    \b
    houserule sweep adnd2e thac0 attacker.group=.. attacker.level=1..20 -o thac0.csv
    houserule sweep adnd2e attack attacker.thac0=20..1 target.armor_class=10..-10 --outcome hit --plot
    houserule sweep odnd-morale numbers.morale creature.hit_dice=1..14 --against friday --summary
    """
    from ..gridding import grid
    from ..picture import picture
    from ..swept import swept
    from ..swept_summary import summed
    from ..tabular import csv_lines, json_text, tabular

    _together(summary, by, bool(given_dice), against, other)
    chosen = settings(path, limit, untrusted, format)
    _writable(outputs, chosen)
    wanted = _Wanted(name, other, outcome, dice(given_dice) if given_dice else None)
    sides = _sides(ruleset, against, wanted, assigned(options, "--option", "ID=VALUE"), chosen)
    cells = grid(sides, assigned(given, "", "FACT=RANGE"), facts((), facts_file, chosen), chosen.limits.cells)
    _known_facts(by, cells)
    if plot or any(each.endswith(".svg") for each in outputs):
        _drawable(sides, cells, summary)
    found = swept(sides, cells, _tracked)
    if found.empty:
        say(messages.unanswered(found.empty, len(found.rows), found.reason), sys.stderr)
    table = summed(found, by) if summary else tabular(found)
    for each in outputs:
        if each != "-":
            _write(each, found, table)
    if plot:
        say_picture(picture(found))
    if "-" in outputs or not (outputs or plot):
        sys.stdout.write(json_text(table, _about(found))) if as_json else sys.stdout.writelines(csv_lines(table))
    return 0


def _together(summary: bool, by: Sequence[str], has_dice: bool, against: str, other: str) -> None:
    """WrongUse for options that do not go together."""
    if by and not summary:
        raise messages.by_without_summary()
    if summary and has_dice:
        raise messages.words_have_no_mean()
    if other and not against:
        raise messages.with_without_against()


def _writable(outputs: Sequence[str], chosen: Settings) -> None:
    """WrongUse for a file that would not be written in the end."""
    from ..tabular import has_parquet

    for each in outputs:
        if each != "-" and not each.endswith(_SUFFIXES):
            raise messages.unknown_suffix(each, _SUFFIXES)
        if each != "-" and chosen.is_untrusted:
            raise use.writes_nothing(each)
        if each.endswith(".parquet") and not has_parquet():
            raise messages.no_parquet(each)


def _sides(
    ruleset: str, against: str, wanted: _Wanted, options: Mapping[str, str], chosen: Settings
) -> tuple[Asked, ...]:
    """What is asked of one ruleset, or of two; each takes the options that it has."""
    from ..asked import asked

    words = [ruleset, against] if against else [ruleset]
    rules = [loaded(each, chosen) for each in words]
    strange = [id for id in options if not any(id in each.program.options for each in rules)]
    optioned = [_with_options(each, options, strange) for each in rules]
    names = [each.id for each in rules]
    names = names if len(set(names)) == len(names) else words
    first = asked(optioned[0], names[0], wanted.word, wanted.outcome, wanted.dice)
    if not against:
        return (first,)
    other = wanted.other or first.id
    section = "" if "." in other else f"{first.kind}s."
    second = asked(optioned[1], names[1], f"{section}{other}", "", wanted.dice)
    if second.kind != first.kind:
        raise messages.two_kinds(first.kind, second.kind)
    return first, replace(second, outcomes=(wanted.outcome,)) if wanted.outcome else second


def _with_options(rules: Rules, options: Mapping[str, str], strange: Sequence[str]) -> Rules:
    import houserule

    taken = {id: value for id, value in options.items() if id in rules.program.options or id in strange}
    return houserule.Rules(rules.program, taken) if taken else rules


def _known_facts(by: Sequence[str], cells: Grid) -> None:
    axes = [each.path for each in cells.axes]
    for each in by:
        if each not in axes:
            raise messages.by_what(each, axes)


def _drawable(sides: Sequence[Asked], cells: Grid, summary: bool) -> None:
    from ..picture import drawable

    if summary:
        raise messages.summary_is_no_picture()
    drawable(sides, cells)


def _tracked(answers: Iterator[tuple[Answer, ...]], count: int) -> Iterator[tuple[Answer, ...]]:
    """The same, with a bar on a terminal that shows how far it is."""
    if count < _BAR_FROM or not sys.stderr.isatty():
        yield from answers
        return
    with click.progressbar(answers, length=count, file=sys.stderr, update_min_steps=max(1, count // 200)) as bar:
        yield from bar


def _write(path: str, found: Swept, table: Tabular) -> None:
    from ..picture import picture
    from ..picture_svg import svg
    from ..tabular import csv_lines, json_text, parquet

    if path.endswith(".parquet"):
        data = parquet(table)
    elif path.endswith(".svg"):
        data = svg(picture(found)).encode()
    elif path.endswith(".json"):
        data = json_text(table, _about(found)).encode()
    else:
        data = "".join(csv_lines(table)).encode()
    write_where_named(path, data)
    say(messages.wrote(path, len(found.rows), len(data)), sys.stderr)


def _about(found: Swept) -> dict[str, object]:
    """What was asked, as plain data."""
    from ..tabular import as_json

    names = [each.name for each in found.sides]
    fixed = {path: as_json(value) for path, value in found.grid.fixed.items()}
    return {"ruleset": names[0], **({"against": names[1]} if names[1:] else {}), found.sides[0].kind: found.sides[0].id,
            "facts": fixed}  # fmt: skip
