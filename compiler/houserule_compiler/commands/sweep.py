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
    """What is asked, as typed, and what it is held against."""

    word: str
    outcome: str
    dice: Mapping[str, int | list[int]] | None
    against: str
    other: str
    options: Mapping[str, str]
    of: str


@click.command()
@ruleset_argument
@click.argument("name", metavar="NUMBER|CHECK", shell_complete=complete_question("numbers", "checks"))
@click.argument("given", nargs=-1, metavar="[FACT=RANGE]...", shell_complete=complete_fact)
@click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    help="A .csv, .json, .svg or (with pyarrow) .parquet; `-` prints.",
)
@click.option("--plot", is_flag=True, help="Draw it here instead of printing a table.")
@click.option("--outcome", metavar="NAME", default="", help="Of a check: this outcome alone.")
@click.option(
    "--dice", "given_dice", metavar="DIE=NUMBER", multiple=True, help="Of a check: its outcome with this die."
)
@click.option(
    "--of", metavar="VALUE", default="", help="Of a check: the mean of this die or value, such as `hit.damage`."
)
@click.option("--summary", is_flag=True, help="Least, most and mean instead of every cell.")
@click.option("--by", metavar="FACT", multiple=True, help="With `--summary`: a row for each value of this fact.")
@click.option(
    "--against",
    metavar="RULESET",
    default="",
    help="Another ruleset too, and the difference.",
    shell_complete=complete_ruleset,
)
@click.option("--with", "other", metavar="ID", default="", help="Another number or check, of that ruleset or of this.")
@click.option(
    "--against-option",
    "against_options",
    metavar="ID=VALUE",
    multiple=True,
    help="An option of what it is held against: that ruleset, or this one.",
)
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
    of: str,
    summary: bool,
    by: tuple[str, ...],
    against: str,
    other: str,
    against_options: tuple[str, ...],
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
    Of a check, each outcome has its exact chance: numerator, denominator, percent. With --of there is the chance that
    the value is given at all, its mean where it is given, and its mean overall, where a way without it counts as 0.

    \b
    houserule sweep adnd2e thac0 attacker.group=.. attacker.level=1..20 -o thac0.csv
    houserule sweep adnd2e attack attacker.thac0=20..1 target.armor_class=10..-10 --outcome hit --plot
    houserule sweep adnd2e attack attacker.thac0=1..20 target.armor_class=.. --against osric --summary
    """
    from ..gridding import grid
    from ..picture import picture
    from ..swept import swept
    from ..swept_summary import summed
    from ..tabular import csv_lines, json_text, tabular

    _together(summary, by, bool(given_dice))
    if of and (outcome or given_dice):
        raise messages.of_alone("--outcome" if outcome else "--dice")
    chosen = settings(path, limit, untrusted, format)
    _writable(outputs, chosen)
    others = assigned(against_options, "--against-option", "ID=VALUE")
    wanted = _Wanted(name, outcome, dice(given_dice) if given_dice else None, against, other, others, of)
    sides = _sides(ruleset, wanted, assigned(options, "--option", "ID=VALUE"), chosen)
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


def _together(summary: bool, by: Sequence[str], has_dice: bool) -> None:
    """WrongUse for options that do not go together."""
    if by and not summary:
        raise messages.by_without_summary()
    if summary and has_dice:
        raise messages.words_have_no_mean()


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


def _sides(ruleset: str, wanted: _Wanted, options: Mapping[str, str], chosen: Settings) -> tuple[Asked, ...]:
    """What is asked of one ruleset, or of two; each takes the options that it has."""
    from ..asked import asked

    if not (wanted.against or wanted.other or wanted.options):
        rules = _with_options([loaded(ruleset, chosen)], [options])[0]
        return (asked(rules, rules.id, wanted.word, wanted.outcome, wanted.dice, wanted.of),)
    words = [ruleset, wanted.against or ruleset]
    one, two = _with_options([loaded(each, chosen) for each in words], [options, {**options, **wanted.options}])
    first = asked(one, one.id, wanted.word, wanted.outcome, wanted.dice, wanted.of)
    other = wanted.other or first.id
    word = other if "." in other else f"{first.kind}s.{other}"
    second = asked(two, two.id, word, wanted.outcome, wanted.dice, wanted.of)
    if second.kind != first.kind:
        raise messages.two_kinds(first.kind, second.kind)
    names = [(one.id, two.id), (first.id, second.id), (words[0], words[1]), (one.id, messages.OTHERWISE)]
    mine, yours = next((here, there) for here, there in names if here != there)
    return replace(first, name=mine), replace(second, name=yours)


def _with_options(rules: Sequence[Rules], options: Sequence[Mapping[str, str]]) -> list[Rules]:
    """The rules with those options that each has. One that none has is refused by the first that is given it."""
    import houserule

    known = {id for each in rules for id in each.program.options}
    taken = [
        {id: value for id, value in given.items() if id in each.program.options or id not in known}
        for each, given in zip(rules, options, strict=True)
    ]
    return [houserule.Rules(each.program, given) for each, given in zip(rules, taken, strict=True)]


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
