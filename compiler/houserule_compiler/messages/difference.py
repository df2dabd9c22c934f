"""What `houserule diff` says: what changed, and what comes of it in play."""

from __future__ import annotations

from collections.abc import Iterable

from ..wrong_use import WrongUse
from .use import meant

CHANGED, IN_PLAY = "what changed", "what it does in play"
CHANGES_HEAD, EFFECTS_HEAD = "| what changed | before | after |", "| in play | in this situation |"
"""The heads of the two tables in Markdown."""


def nothing(before: str, after: str) -> str:
    """No difference at all."""
    return f"{before} and {after} say the same"


def only_words(count: int) -> str:
    """Titles, notes and sources that differ, where nothing else does."""
    return f"titles, notes and sources differ in {_count(count, 'place')}; what the rules mean is the same"


def words(count: int) -> str:
    """Titles, notes and sources that differ beside the rest."""
    return f"and titles, notes or sources in {_count(count, 'place')}"


def more(count: int) -> str:
    """Changes that are not listed."""
    return f"and {count} more: --all lists them"


def searched(kind: str, name: str, differing: int, tried: int, is_exhaustive: bool) -> str:
    """How a search went: of all situations that can matter, or of those that were tried."""
    if is_exhaustive:
        return f"{kind} {name}: otherwise in {differing} of {_count(tried, 'situation')} (all that can matter)"
    return f"{kind} {name}: otherwise in {differing} of {_count(tried, 'situation')} tried (there are more)"


def same(kind: str, name: str, tried: int, is_exhaustive: bool) -> str:
    """Nothing found that differs."""
    if is_exhaustive:
        return f"{kind} {name}: the same in {_all(tried)}"
    return f"{kind} {name}: no difference in {_count(tried, 'situation')} tried (there are more)"


def acted(
    word: str, refused_by: Iterable[tuple[str, str]], check: str, follows: Iterable[str], is_every_round: bool
) -> str:
    """What comes of an action or a trigger: which requirement refuses it, or which check it leads to, with whom."""
    if word == "absent":
        return "no such action"
    told = [f"{id} ({title})" if title else id for id, title in refused_by]
    told += [f"check {check}"] if check else []
    told += [*follows, *(["every round"] if is_every_round else [])]
    return f"{word}: {', '.join(told)}" if told else word


def answers(count: int, name: str) -> str:
    """How many answers that examples below expect come out otherwise."""
    return f"{_count(count, 'answer')} of the examples below come out otherwise: houserule test {name}"


def was(after: str, before: str) -> str:
    """A value, and what it was."""
    return f"{after}, was {before}"


def with_number(name: str, after: str, before: str) -> str:
    """A number that stands behind the odds."""
    return f"{name} {after}, was {before}"


def up_to(text: str) -> str:
    """The greatest change of its kind."""
    return f"up to {text}"


def always() -> str:
    """A situation in which nothing need be given."""
    return "with nothing given"


def equal(one: str, other: str, tried: int) -> str:
    """Two formulations that are proved equal."""
    return f"{one} and {other} are equal: the same in {_all(tried)}"


def not_proved(one: str, other: str, tried: int) -> str:
    """Two formulations between which no difference was found, though not all situations were tried."""
    return f"{one} and {other}: no difference in {_count(tried, 'situation')} tried, which are not all: not proved"


def unequal(one: str, other: str, cells: int, differing: int, tried: int, is_exhaustive: bool) -> str:
    """Two formulations that differ."""
    of = f"{tried} situations" if is_exhaustive else f"{tried} situations tried, which are not all"
    return f"{one} and {other} differ in {differing} of {of}, {_count(cells, 'cell')}"


def other_options() -> WrongUse:
    """`--with` without `--number`."""
    return WrongUse("`--with` names the number of B that `--number` is held against; give both")


def two_forms() -> WrongUse:
    """`--markdown` and `--json` at once."""
    return WrongUse("give `--markdown` or `--json`, not both")


def no_number(id: str, known: list[str], ruleset: str) -> WrongUse:
    """A number that cannot be compared: there is none, or it has no value by itself."""
    near = meant(id, known, f"`houserule show {ruleset}` lists them")
    return WrongUse(f"`{ruleset}` has no number `{id}` that has a value by itself{near}")


def _all(count: int) -> str:
    return "the one situation that can matter" if count == 1 else f"all {count} situations that can matter"


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
