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


def more_kinds(count: int) -> str:
    """Kinds of situations that are not listed."""
    return f"and in {_count(count, 'other way')}: --all lists them"


def searched(subject: str, differing: int, tried: int, is_exhaustive: bool, is_all: bool = True) -> str:
    """How a search went: of all situations that can matter, or of those that were tried.

    Not `is_all` where one side takes values that the other does not know.
    """
    if is_exhaustive:
        of = "all that can matter" if is_all else "all that both know"
        return f"{subject}: otherwise in {differing} of {_count(tried, 'situation')} ({of})"
    return f"{subject}: otherwise in {differing} of {_count(tried, 'situation')} tried (there are more)"


def same(subject: str, tried: int, is_exhaustive: bool, is_all: bool = True) -> str:
    """Nothing found that differs; not `is_all` where one side takes values that the other does not know."""
    if is_exhaustive:
        return f"{subject}: the same in {_all(tried) if is_all else _shared(tried)}"
    return f"{subject}: no difference in {_count(tried, 'situation')} tried (there are more)"


def subject(kind: str, name: str) -> str:
    """What a search is about."""
    return f"what check {name} gives" if kind == "gives" else f"{kind} {name}"


def amounts(outcome: str, told: Iterable[str]) -> str:
    """What a check gives where it ends in one outcome."""
    return f"{outcome}: {'; '.join(told)}"


def on_average(mean: str, low: object, high: object, there: str) -> str:
    """A number that is rolled: its mean, and between which values it lies; `there` is how often, where not always."""
    if low == high:
        return f"{low}{there}"
    return f"{mean} on average ({low} to {high}){there}"


def at_times(chance: str) -> str:
    """How often a value is there at all."""
    return f" in {chance}"


def never_there() -> str:
    """A value that is never there."""
    return "none"


def one_chance(value: object, chance: str) -> str:
    """One value with its chance."""
    return f"{value} {chance}"


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
    verb = "comes" if count == 1 else "come"
    return f"{_count(count, 'answer')} of the examples below {verb} out otherwise: houserule test {name}"


def was(after: str, before: str) -> str:
    """A value, and what it was."""
    return f"{after}, was {before}"


def was_acted(after: str, before: str) -> str:
    """What comes of an action or a trigger, and what came of it before; either may be a list."""
    return f"{after}; was {before}"


def with_number(name: str, after: str, before: str) -> str:
    """A number that stands behind the odds."""
    return f"{name} {after}, was {before}"


def more_outcomes(count: int) -> str:
    """Outcomes that moved by less."""
    return f"and {_count(count, 'outcome')} by less"


def up_to(text: str) -> str:
    """The greatest change of its kind."""
    return f"up to {text}"


def always() -> str:
    """A situation in which nothing need be given."""
    return "with nothing given"


def equal(one: str, other: str, tried: int) -> str:
    """Two formulations that are proved equal."""
    return f"{one} and {other} are equal: the same in {_all(tried)}"


def equal_where_shared(one: str, other: str, tried: int) -> str:
    """Two formulations that are proved equal for all that both know, where one of them knows more."""
    return f"{one} and {other} are the same in {_shared(tried)}, and not more"


def only_in(ruleset: str, at: int, told: Iterable[str]) -> str:
    """What one of two rulesets alone takes; without a name where both have the same."""
    return f"only in {ruleset or ('the first', 'the second')[at]}: {', '.join(told)}"


def one_sided(path: str, text: str) -> str:
    """A value or band that one side alone takes, as it is typed; nothing where the fact need not be given."""
    return f"{path}={text}" if text else f"{path} not given"


def not_proved(one: str, other: str, tried: int) -> str:
    """Two formulations between which no difference was found, though not all situations were tried."""
    return f"{one} and {other}: no difference in {_count(tried, 'situation')} tried, which are not all: not proved"


def unequal(one: str, other: str, cells: int, differing: int, tried: int, is_exhaustive: bool) -> str:
    """Two formulations that differ."""
    of = f"{tried} situations" if is_exhaustive else f"{tried} situations tried, which are not all"
    return f"{one} and {other} differ in {differing} of {of}, {_count(cells, 'cell')}"


def other_options() -> WrongUse:
    """`--with` alone."""
    return WrongUse("`--with` names what of B is held against `--number` or `--sequence`; give it with one of them")


def two_proofs() -> WrongUse:
    """`--number` and `--sequence` at once."""
    return WrongUse("give `--number` or `--sequence`, not both")


def two_forms() -> WrongUse:
    """`--markdown` and `--json` at once."""
    return WrongUse("give `--markdown` or `--json`, not both")


def no_number(id: str, known: list[str], ruleset: str) -> WrongUse:
    """A number that cannot be compared: there is none, or it has no value by itself."""
    near = meant(id, known, f"`houserule show {ruleset}` lists them")
    return WrongUse(f"`{ruleset}` has no number `{id}` that has a value by itself{near}")


def no_sequence(id: str, known: list[str], ruleset: str) -> WrongUse:
    """A sequence that is not there."""
    near = meant(id, known, f"`houserule show {ruleset}` lists what there is" if known else "it has none")
    return WrongUse(f"`{ruleset}` has no sequence `{id}`{near}")


def _all(count: int) -> str:
    return "the one situation that can matter" if count == 1 else f"all {count} situations that can matter"


def _shared(count: int) -> str:
    return "the one situation that both know" if count == 1 else f"all {count} situations that both know"


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


ROUNDS_HEAD = "| round | before | after |"
"""The head of the table of rounds in Markdown."""
_KINDS = {
    "acts": "has a place now that it had not",
    "left_out": "has no place any more",
    "later": "comes in a later round",
    "sooner": "comes in this round already",
    "reversed": "the other way round",
    "apart": "one after the other, no longer at once",
    "together": "at once, no longer one after the other",
    "odds": "with other odds",
    "next_round": "goes on otherwise in the next round",
    "spoiled": "spoiled by others",
    "calls": "calls for something else",
    "reason": "left out for another reason",
    "place": "in the same order at another step or segment",
    "refused": "refused on one side",
}


def rounds(name: str, differing: int, tried: int, is_exhaustive: bool, is_all: bool = True) -> str:
    """How many rounds came out otherwise; not `is_all` where one side takes values that the other does not know."""
    known = _of_two(is_all) if is_exhaustive else "there are more"
    of = _count(tried, "round") + ("" if is_exhaustive else " tried")
    return f"sequence {name}: otherwise in {differing} of {of} ({known})"


def same_rounds(name: str, tried: int, is_exhaustive: bool, is_all: bool = True) -> str:
    """No round that differs; not `is_all` where one side takes values that the other does not know."""
    if is_exhaustive:
        return f"sequence {name}: the same in {_count(tried, 'round')}, {_of_two(is_all)}"
    return f"sequence {name}: no difference in {_count(tried, 'round')} tried (there are more)"


def _of_two(is_all: bool) -> str:
    return f"all that {'can matter' if is_all else 'both know'} for one or two who act"


def unchanged_rounds(name: str) -> str:
    """A sequence that cannot differ."""
    return f"sequence {name}: the same; nothing that puts a round in order differs"


def order_kind(kind: str, moment: str, count: int) -> str:
    """One way in which rounds differ, and in how many it was met."""
    of = f"{moment}: " if moment else ""
    return f"{of}{_KINDS[kind]} ({_count(count, 'round')})"


def act(action: str, foe: str, hold: object) -> str:
    """What somebody does, against whom, held to which step or segment."""
    return action + (f" against {foe}" if foe else "") + (f" held to {hold}" if hold is not None else "")


def round_number(number: object) -> str:
    """Which round it is."""
    return f"round {number}"


def carried(moment: str) -> str:
    """A moment that came over from the round before."""
    return f"from the round before: {moment}"


def happened(moment: str, events: str) -> str:
    """What came of a moment in the round."""
    return f"{moment} {events}"


def dice(text: str) -> str:
    """How the dice fall."""
    return f"dice {text}"


def in_order(groups: list[str]) -> str:
    """Who acts, one after the other."""
    return ", then ".join(groups) or nothing_happens()


def nothing_happens() -> str:
    """A round in which nothing has a place."""
    return "nothing"


def more_moments(count: int) -> str:
    """Moments of a round that are not told."""
    return f"and {count} more"


def left_out(name: str, reason: str) -> str:
    """What has no place, and why."""
    return f"left out: {name}: {reason}"


def next_round(name: str, where: str) -> str:
    """What comes in a later round, and where."""
    return f"next round: {name} at {where}"


def may_spoil(name: str, spoilers: Iterable[str]) -> str:
    """What can spoil a moment."""
    return f"{name} may be spoiled by {', '.join(spoilers)}"


def calls(what: str) -> str:
    """What a step calls for."""
    return f"calls: {what}"


def refused_round(why: str) -> str:
    """An encounter that one side refuses."""
    return f"refused: {why}"
