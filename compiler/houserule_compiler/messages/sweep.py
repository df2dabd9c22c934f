"""What `houserule sweep` says: what cannot be swept, written or drawn, and the words of its pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from houserule.errors import Problem

from ..characters import visible
from ..wrong_use import WrongUse
from .use import meant

if TYPE_CHECKING:
    from houserule.values import MisfitError


def misfit(path: str, error: MisfitError) -> Problem:
    """A value, or an end of a range, that does not fit its fact; the words are those of the runtime."""
    return Problem(error.code, path, f"`{path}`: {error}", error.fix)


def no_order(path: str, text: str) -> Problem:
    """A range of sets or dice."""
    return Problem("no-range", path, f"`{path}`: `{visible(text)}` is a range, and its values have no order", _LIST)


def not_listed(path: str) -> Problem:
    """`*` for dice of which there is no list."""
    return Problem("no-range", path, f"`{path}`: not all dice can be tried", "write those that you mean: 1d6,1d8")


def unknown_end(path: str) -> Problem:
    """A range that begins or ends with `unknown`."""
    return Problem("no-range", path, f"`{path}`: unknown is no end of a range", "put it into a list: 1..20,unknown")


_LIST = "write a list: a,b,c"
_LISTED = 8


def bad_step(path: str, text: str, example: str) -> Problem:
    """A step that leads nowhere."""
    return Problem(
        "bad-step", path, f"`{path}`: the step of `{visible(text)}` is no number above 0", f"write {example}"
    )


def whole_step(path: str, text: str) -> Problem:
    """A step that is a fraction, where the values are whole."""
    return Problem("bad-step", path, f"`{path}`: the step of `{visible(text)}` is no whole number", "write 1..20:5")


def not_read(path: str, asked: str, reads: Sequence[str]) -> Problem:
    """A fact that varies and makes no difference."""
    alike = [f"`{each}`" for each in reads if each.rpartition(".")[2] == path.rpartition(".")[2]]
    more = f" and {len(reads) - _LISTED} more" if len(reads) > _LISTED else ""
    listed = f"it reads {', '.join(reads[:_LISTED])}{more}" if reads else "it reads no facts"
    fix = f"did you mean {' or '.join(alike)}?" if alike else listed
    return Problem("not-read", path, f"`{asked}` does not read `{path}`, so nothing varies with it", fix)


def too_many_cells(count: int, limit: int) -> Problem:
    """A grid beyond the limit."""
    fix = f"sweep fewer values, take a step as in 1..20:5, or allow more with `--limit cells={count}`"
    return Problem("too-many-cells", "", f"this grid has {count} cells, and {limit} are allowed", fix)


def in_ruleset(problem: Problem, ruleset: str) -> Problem:
    """A problem that the other ruleset of a comparison has."""
    return Problem(problem.code, problem.path, f"in `{visible(ruleset)}`: {problem.message}", problem.fix)


def number_and_check(word: str) -> WrongUse:
    """A name that a number and a check share."""
    return WrongUse(f"`{visible(word)}` is a number and a check; write `numbers.{word}` or `checks.{word}`")


def no_outcome(word: str, outcomes: Iterable[str], check: str) -> WrongUse:
    """`--outcome` with a word that is none of the check's."""
    known = list(outcomes)
    return WrongUse(
        f"`{visible(check)}` has no outcome `{visible(word)}`{meant(word, known, 'it has ' + ', '.join(known))}"
    )


def of_a_check(option: str, number: str) -> WrongUse:
    """`--outcome` or `--dice` for a number."""
    return WrongUse(f"`{option}` is for checks, and `{visible(number)}` is a number")


def two_kinds(one: str, other: str) -> WrongUse:
    """A number held against a check."""
    return WrongUse(f"a {one} is held against a {one}, and `--with` names a {other}")


def dice_and_outcome() -> WrongUse:
    """`--dice` with `--outcome`."""
    return WrongUse("with `--dice` each cell holds the outcome itself; leave out `--outcome`")


def words_have_no_mean() -> WrongUse:
    """`--summary` with `--dice`."""
    return WrongUse("with `--dice` each cell holds a word, and words have no mean; leave out `--summary` or `--dice`")


def by_without_summary() -> WrongUse:
    """`--by` without `--summary`."""
    return WrongUse("`--by` is for `--summary`; write both")


def by_what(word: str, axes: Iterable[str]) -> WrongUse:
    """`--by` with a fact that does not vary."""
    known = list(axes)
    return WrongUse(f"`{visible(word)}` does not vary here{meant(word, known, 'what varies is ' + ', '.join(known))}")


def unknown_suffix(path: str, suffixes: Iterable[str]) -> WrongUse:
    """`-o` with a file of another kind."""
    return WrongUse(f"`{visible(path)}` is no file that `sweep` writes; its name ends in {' or '.join(suffixes)}")


def no_parquet(path: str) -> WrongUse:
    """`-o FILE.parquet` without pyarrow."""
    return WrongUse(
        f"`{visible(path)}` needs pyarrow, which is not installed; "
        "`pip install 'houserule[parquet]'`, or write a `.csv`"
    )


def nothing_varies() -> WrongUse:
    """A picture of one cell."""
    return WrongUse("a picture needs a fact that varies, as in `attacker.level=1..20`")


def summary_is_no_picture() -> WrongUse:
    """A picture of a summary."""
    return WrongUse("a summary is not drawn; leave out `--summary`, or the picture")


def too_many_facts(varying: Sequence[str]) -> WrongUse:
    """A picture of more than three facts."""
    return WrongUse(
        f"a picture shows up to three facts, and {len(varying)} vary here: {', '.join(varying)}; "
        "give one value for some, or write a `.csv`"
    )


def one_outcome(outcomes: Sequence[str]) -> WrongUse:
    """A picture of three facts and several outcomes."""
    return WrongUse(f"a picture of three facts shows one outcome; add `--outcome` with one of {', '.join(outcomes)}")


def too_large_picture(count: int, limit: int) -> WrongUse:
    """A picture of more cells than anybody can look at."""
    return WrongUse(f"a picture shows up to {limit} cells, and this has {count}; sweep fewer values, or write a `.csv`")


def too_wide(needed: int, width: int) -> WrongUse:
    """A heat map that the terminal has no room for."""
    return WrongUse(
        f"this picture is {needed} columns wide and the terminal {width}; widen it, or write it with `-o FILE.svg`"
    )


def wrote(path: str, cells: int, size: int) -> str:
    """What was written."""
    return f"wrote {visible(path)}: {cells} {'cell' if cells == 1 else 'cells'}, {size} bytes"


def unanswered(count: int, cells: int, reason: str) -> str:
    """Cells that stay empty, with the first reason."""
    return f"note: {count} of {cells} cells {'is' if count == 1 else 'are'} empty, the first because {reason}"


def chance_of(outcome: str, check: str) -> str:
    """The title of a picture of one outcome."""
    return f"{check}: chance of {outcome}"


def mean_of(value: str, check: str) -> str:
    """The title of a picture of the mean of a die or value."""
    return f"{check}: mean of {value}, overall"


def chances_of(check: str) -> str:
    """The title of a picture of all outcomes."""
    return f"{check}: chance of each outcome"


def between(title: str, one: str, other: str) -> str:
    """The title of a picture of a difference."""
    return f"{title}, {one} minus {other}"


def beside(title: str, one: str, other: str) -> str:
    """The title of a picture of both."""
    return f"{title}, {one} and {other}"


def description(kind: str, across: str, down: str, low: str, high: str) -> str:
    """What a picture shows, for people who hear it read."""
    over = f"{across} across and {down} down" if down else f"{across} across"
    return f"{kind}: {over}; from {low} to {high}"


CURVES, HEAT_MAP, EMPTY, FIXED = "Curves", "Heat map", "no answer", "with"
OTHERWISE = "otherwise"
"""Words of pictures: what kind it is, a cell without an answer, before the facts that stay the same; and the name of
what a ruleset is held against where that is the same one with other options."""


def no_mean(of: str) -> WrongUse:
    """`--of` a value that is a word, or another thing without a mean."""
    return WrongUse(f"`{visible(of)}` is no number, and has no mean")


def of_alone(other: str) -> WrongUse:
    """`--of` beside what asks for outcomes."""
    return WrongUse(f"`--of` asks for a value, and `{other}` for outcomes; give one of the two")
