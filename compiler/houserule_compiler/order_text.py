"""Rounds that two rulesets put in another order, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .columns import columns
from .messages import difference as messages
from .one_sided import one_sided_lines
from .order_kinds import by_order
from .percent import percent, percents
from .sheet_layout import escaped

if TYPE_CHECKING:
    from .order_told import OrderEffects, OrderWitness, SearchedOrder
    from .round_played import Played

_LONGEST = 5
"""How many moments of a round are told, one after the other."""
_APART = frozenset(("side", "does"))


def order_lines(searched: SearchedOrder, names: tuple[str, str]) -> Iterator[str]:
    """What came of one sequence: the smallest round of each way in which they differ, both orders below each other."""
    yield _head(searched)
    for each in searched.effects:
        yield f"  {headline(each)}"
        yield f"    {round_text(each.smallest)}"
        if is_sure(each.smallest):
            rows = [[f"      {name}", *cells] for name, cells in zip(names, _sides(each), strict=True)]
            most = max(map(len, rows))
            yield from columns([[*row, *[""] * (most - len(row))] for row in rows]).split("\n")
        else:
            yield from (f"      {line}" for line in odds_lines(each.smallest))
    yield from (f"  {line}" for line in one_sided_lines(searched.only, names))


def _head(searched: SearchedOrder) -> str:
    of = searched.tried, searched.is_exhaustive, not searched.only
    if not searched.effects:
        return messages.same_rounds(searched.after, *of)
    return messages.rounds(searched.after, searched.differing, *of)


def headline(effects: OrderEffects) -> str:
    """In what the rounds differ, and how many do so."""
    return messages.order_kind(effects.kind, effects.moment, effects.count)


def is_sure(witness: OrderWitness) -> bool:
    """Whether the round comes out in one way on each side, with the dice as they are."""
    return len(witness.before) == len(witness.after) == 1


def _sides(effects: OrderEffects) -> tuple[list[str], list[str]]:
    one, other = (next(iter(each)) for each in (effects.smallest.before, effects.smallest.after))
    return _cells(one, other, effects.kind), _cells(other, one, effects.kind)


def _cells(played: Played, other: Played, kind: str) -> list[str]:
    """The order as an author writes it, and what else is not the same on the other side."""
    if played.refused:
        return [messages.refused_round(played.refused)]
    found = [f"{where}: {' + '.join(names)}" for where, names in played.groups[:_LONGEST]]
    found += [messages.more_moments(len(played.groups) - _LONGEST)] if len(played.groups) > _LONGEST else []
    found += [messages.left_out(*each) for each in played.left_out if each not in other.left_out]
    found += [messages.next_round(*each) for each in played.coming if each not in other.coming]
    if kind == "spoiled":
        found += [messages.may_spoil(*each) for each in played.may_spoil if each not in other.may_spoil]
        found += [each for each in played.effects if each not in other.effects]
    if kind == "calls":
        found += [messages.calls(each) for each in played.calls if each not in other.calls]
    return found or [messages.nothing_happens()]


def odds_lines(witness: OrderWitness) -> Iterator[str]:
    """Each order whose chance is another, with both chances."""
    before, after = by_order(witness.before), by_order(witness.after)
    for order in dict.fromkeys([*after, *before]):
        now, then = (each.get(order, Fraction(0)) for each in (after, before))
        if now != then:
            text = messages.in_order([" + ".join(sorted(names)) for names in order])
            yield f"{text} {messages.was(*percents(now, then))}"


def round_text(witness: OrderWitness) -> str:
    """Who does what with which facts and dice, in one line."""
    given = witness.encounter
    told = [each for id, actor in given["actors"].items() if (each := _actor(id, actor))]
    told += [f"{id}: {_facts(each)}" for id, each in given.get("sides", {}).items() if each]
    told += [_facts(given[key]) for key in ("facts", "given", "options") if given.get(key)]
    told += [messages.round_number(given["round"])] if given.get("round", 1) != 1 else []
    told += [messages.carried(f"{each['actor']} {each['moment']}") for each in given.get("carried", ())]
    told += [messages.happened(name, _listed(each)) for name, each in given.get("happened", {}).items()]
    told += [messages.dice(_dice(witness.rolls, ""))] if witness.rolls else []
    return "; ".join(told)


def _actor(id: str, actor: Mapping[str, Any]) -> str:
    """Somebody with what is done; nothing of one who is only there for others to act on."""
    acts = [_act(action, each) for action, each in actor.get("does", {}).items()]
    facts = _facts({key: value for key, value in actor.items() if key not in _APART})
    told = ", ".join(filter(None, [*acts, facts]))
    side = f" ({actor['side']})" if actor.get("side") else ""
    return f"{id}{side}: {told}" if told else ""


def _act(action: str, declared: Mapping[str, Any]) -> str:
    told = messages.act(action, declared.get("foe", ""), declared.get("hold"))
    facts = _facts({key: value for key, value in declared.items() if key not in ("foe", "hold")})
    return f"{told} {facts}".rstrip()


def _facts(facts: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={_value(value)}" for key, value in facts.items())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "'" + "|".join(map(str, value)) + "'" if isinstance(value, list) else str(value)


def _listed(events: object) -> str:
    return ", ".join(map(str, events)) if isinstance(events, list | tuple) else str(events)


def _dice(rolls: Mapping[str, Any], above: str) -> str:
    return ", ".join(
        _dice(each, f"{above}{who} ") if isinstance(each, dict) else f"{above}{who} {each}"
        for who, each in rolls.items()
    )


def order_markdown(searched: SearchedOrder, names: tuple[str, str]) -> Iterator[str]:
    """The same as a table, a row for each way in which rounds differ."""
    if searched.effects:
        yield f"**{escaped(_head(searched))}**"
        yield "\n".join([messages.ROUNDS_HEAD, "|---|---|---|", *map(_row, searched.effects)])
    else:
        yield escaped(_head(searched))
    yield from map(escaped, one_sided_lines(searched.only, names))


def _row(effects: OrderEffects) -> str:
    witness = effects.smallest
    if is_sure(witness):
        cells = [", ".join(each) for each in _sides(effects)]
    else:
        cells = [_all_odds(each) for each in (witness.before, witness.after)]
    told = f"{headline(effects)}: {round_text(witness)}"
    return f"| {' | '.join(map(escaped, (told, *cells)))} |"


def _all_odds(odds: Mapping[Played, Fraction]) -> str:
    made = by_order(odds).items()
    told = ((messages.in_order([" + ".join(sorted(names)) for names in order]), chance) for order, chance in made)
    return "; ".join(f"{text} {percent(chance)}" for text, chance in told)
