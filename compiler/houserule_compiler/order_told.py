"""What came of comparing the order of rounds, told with names that the examples use, and as plain data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from .casts import FIRST, FOE, SECOND, SIDES
from .dials import encounter
from .one_sided import OneSided, one_sided_data
from .order_examples import ExampleSearch, MetExample
from .order_kinds import KINDS, OrderKind, by_order
from .order_search import Met, OrderSearch

if TYPE_CHECKING:
    from .casts import Cast
    from .in_play import Searched
    from .order_kinds import Odds
    from .round_played import Fallen, Played, Round

Encounter: TypeAlias = Mapping[str, Any]
SIDES_UNNAMED = ("ours", "theirs")
"""What sides are called where no example names any."""
_UNNAMED = {SECOND: "another", FOE: "foe"}
_INNER = re.compile("|".join(rf"\b{each}\b" for each in (FIRST, SECOND, FOE, *SIDES)))


@dataclass(frozen=True, slots=True)
class OrderWitness:
    """A round that two rulesets put in another order: the encounter, its rolls, and what comes of it on both sides.

    Where the odds differ there are no rolls, and each side has all its orders with their chances.
    """

    encounter: Encounter
    rolls: Mapping[str, Any]
    before: Odds
    after: Odds


@dataclass(frozen=True, slots=True)
class OrderEffects:
    """The rounds that differ in one way: how many were met, of which moment if it matters, and the smallest."""

    kind: OrderKind
    moment: str
    count: int
    smallest: OrderWitness


@dataclass(frozen=True, slots=True)
class SearchedOrder:
    """What came of comparing one sequence.

    `tried` rounds with what `facts` can be, which are all that can matter for one or two who act if it `is_exhaustive`.
    """

    before: str
    after: str
    facts: tuple[str, ...]
    tried: int
    is_exhaustive: bool
    effects: tuple[OrderEffects, ...]
    only: tuple[OneSided, ...] = ()

    @property
    def differing(self) -> int:
        """How many of the rounds differ."""
        return sum(each.count for each in self.effects)


@dataclass
class Usual:
    """Who does what in the examples of a sequence: how often each action, who of which side, and against which."""

    actions: Counter[str] = field(default_factory=Counter)
    doers: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    opposed: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, encounters: Iterable[Encounter]) -> Usual:
        """Of the encounters of examples."""
        found = cls()
        for each in encounters:
            people = [(id, str(one.get("side", "")), one.get("does", {})) for id, one in each.get("actors", {}).items()]
            for one, other in product((side for _, side, _ in people), repeat=2):
                if one and other and one != other:
                    found.opposed.setdefault(one, other)
            for id, side, does in people:
                for action in does or ("",):
                    found.actions[action] += 1
                    found.doers.setdefault(action, []).append((id, side))
        return found

    def names(self, cast: Cast) -> dict[str, str]:
        """Names for those of a cast and their sides, each another one."""
        first = self._doer(cast[0].does[0], "", set())
        ours = first[1] if first else ""
        sides = (ours, self.opposed[ours]) if ours in self.opposed else SIDES_UNNAMED
        found = {FIRST: first[0] if first else "actor", SIDES[0]: sides[0], SIDES[1]: sides[1]}
        for player in cast[1:]:
            side = sides[SIDES.index(player.side)] if ours else ""
            doer = self._doer(player.does[0] if player.does else "", side, set(found.values()))
            found[player.id] = doer[0] if doer else _UNNAMED[player.id]
        return found

    def _doer(self, action: str, side: str, taken: set[str]) -> tuple[str, str] | None:
        """Who does it first; else anybody of that side."""
        anybody = [each for doers in self.doers.values() for each in doers]
        for doers in (self.doers.get(action, []), anybody):
            for id, of in doers:
                if id not in taken and (not side or side == of):
                    return id, of
        return None


def told(search: OrderSearch, usual: Usual, examples: Iterable[Encounter] = ()) -> SearchedOrder:
    """What a search found, and what examples show, each kind with its smallest round."""
    found = {
        met.kind: OrderEffects(*met.kind, count, _witness(search, met, usual.names(met.cast)))
        for count, met in search.told()
    }
    played = ExampleSearch(search.sides)
    more = 0
    for each in played.run(examples):
        # Where there are many kinds, those of single moments stand together.
        kind = next((one for one in (each.kind, (each.kind[0], "")) if one in found), each.kind)
        known = found.get(kind)
        if known is None:
            found[kind] = OrderEffects(*kind, 1, _of_example(played.smaller(each)))
            more += 1
        elif not search.is_exhaustive:
            found[kind] = replace(known, count=known.count + 1)
    one, other = search.sides
    facts = dict.fromkeys(dial.declared for dials in search.looked_at for dial in dials)
    effects = tuple(sorted(found.values(), key=lambda each: (KINDS.index(each.kind), -each.count, each.moment)))
    # Where all rounds of two were tried, most examples are among them.
    tried = search.tried + (more if search.is_exhaustive else played.tried)
    dials = (dial for each in search.looked_at for dial in each)
    # Whoever it is a fact of, it is told once.
    only = {each.declared: replace(each.only, path=each.declared.rpartition(".")[2]) for each in dials if each.only}
    return SearchedOrder(one.id, other.id, tuple(facts), tried, search.is_exhaustive, effects, tuple(only.values()))


def _of_example(met: MetExample) -> OrderWitness:
    given = {key: each for key, each in met.encounter.items() if key != "rolls"}
    rolls: dict[str, Any] = {}
    for (step, who), dice in met.rolls.items():
        inner = rolls.setdefault(step, {}) if step else rolls
        inner[who] = dice[0][1] if len(dice) == 1 else dict(dice)
    return OrderWitness(given, rolls, {met.before: Fraction(1)}, {met.after: Fraction(1)})


def _witness(search: OrderSearch, met: Met, names: Mapping[str, str]) -> OrderWitness:
    rounds = search.rounds(met.cast, met.dials, met.setting)
    given = encounter(met.cast, met.dials, met.setting, search.casting.has_sides, None)
    possible = [each for each in rounds if not each.impossible]
    dice = _rolls(possible[-1], met.dice)
    given |= {"happened": dict(met.happened)} if met.happened else {}
    sides = ({_renamed(each, names): chance for each, chance in odds.items()} for odds in (met.before, met.after))
    return OrderWitness(_named(given, names), _named(dice, names), *sides)


def _rolls(round: Round, dice: Fallen) -> dict[str, Any]:
    """The dice as an encounter gives them: what their faces show."""
    found: dict[str, Any] = {}
    for (step, who), values in dice.items():
        shown = {id: value - pool.constant for (id, pool), value in zip(round.rolls[step, who], values, strict=True)}
        inner = found.setdefault(step, {}) if step else found
        inner[who] = next(iter(shown.values())) if len(shown) == 1 else shown
    return found


def _named(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, dict):
        return {_INNER.sub(lambda found: names[found[0]], key): _named(each, names) for key, each in node.items()}
    return names.get(node, node) if isinstance(node, str) else node


def _renamed(played: Played, names: Mapping[str, str]) -> Played:
    def text(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(text, node))
        return _INNER.sub(lambda found: names[found[0]], node)

    inner = (played.groups, played.left_out, played.coming, played.may_spoil, played.effects, played.calls)
    groups, left_out, coming, may_spoil, effects, calls = map(text, inner)
    return replace(
        played,
        groups=tuple((where, tuple(sorted(each))) for where, each in groups),
        left_out=left_out,
        coming=coming,
        may_spoil=may_spoil,
        effects=effects,
        calls=calls,
        refused=text(played.refused),
    )


def order_data(searched: SearchedOrder) -> dict[str, Any]:
    """A search as plain JSON data."""
    return {
        **searching_data("sequence", searched),
        "effects": [
            {"kind": each.kind}
            | ({"moment": each.moment} if each.moment else {})
            | {"situations": each.count, "smallest": _witness_data(each.smallest)}
            for each in searched.effects
        ],
        **one_sided_data(searched.only),
    }


def searching_data(kind: str, searched: Searched | SearchedOrder) -> dict[str, Any]:
    """What was compared and how far, as plain JSON data."""
    return {
        kind: searched.after,
        **({"of": searched.before} if searched.before != searched.after else {}),
        "facts": list(searched.facts),
        "situations": searched.tried,
        "exhaustive": searched.is_exhaustive,
        "differing": searched.differing,
    }


def _witness_data(witness: OrderWitness) -> dict[str, Any]:
    given = {**witness.encounter, **({"rolls": witness.rolls} if witness.rolls else {})}
    is_sure = len(witness.before) == len(witness.after) == 1
    before, after = (_side(each, is_sure) for each in (witness.before, witness.after))
    return {"encounter": given, "before": before, "after": after}


def _side(odds: Odds, is_sure: bool) -> dict[str, Any]:
    if not is_sure:
        return {
            "odds": [
                {"order": [sorted(one) for one in order], "chance": str(chance)}
                for order, chance in by_order(odds).items()
            ]
        }
    played = next(iter(odds))
    found: dict[str, Any] = {"order": [{where: list(names)} for where, names in played.groups]}
    more: dict[str, Any] = {
        "left_out": dict(played.left_out),
        "next_round": dict(played.coming),
        "may_spoil": {name: list(each) for name, each in played.may_spoil},
        "effects": list(played.effects),
        "calls": list(played.calls),
        "refused": played.refused,
    }
    return found | {key: value for key, value in more.items() if value}
