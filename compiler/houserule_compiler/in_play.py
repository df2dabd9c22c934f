"""What a change does in play: situations in which a number, check, action or trigger answers otherwise, the smallest.

Where the facts that matter are few, every combination of their values is tried, and the answer is a proof. Elsewhere
the search goes along boundaries: all combinations of the facts that the changed definitions read, against plain and
drawn backgrounds of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from math import prod
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from houserule.facts import field_of, path_of
from houserule.program import expressions_of_entry
from houserule.reads import seat

from .gives import wanted
from .one_sided import OneSided
from .playing_side import Answer, Held, Side, Situation
from .reached import Reached
from .representatives import declared_path, knows, values
from .table_changes import Cells
from .targets import NO_CELLS, aimed, aiming
from .unlike import Pair, change, differs, kinds

if TYPE_CHECKING:
    from houserule.expression import Expr, Read
    from houserule.program import Entry, Number

Combination: TypeAlias = tuple[int, ...]
"""A situation as the position of the value of each fact among those that matter."""
Asked: TypeAlias = tuple[Side, str]
EXHAUSTED = 20_000
CHECKED, GIVEN, SLOW = 1_000, 120, 10
"""So many situations of a check, of what it gives, and of that where no generated function answers."""
ACTED = 4_000
PROVED = 400_000
WHOLE, PROVED_WHOLE = 64, 10_000
"""How many values of one fact are all tried, where its value itself counts."""
_NEAR, _DRAWN = 200, 8
"""How many combinations of the facts near a change are all tried on each background; else so many are drawn."""
_SEED = 1
_PASSED = 4
"""For each situation that is tried so many are looked at, since some cannot be."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One situation in which two rulesets differ: what is given, and both answers."""

    given: tuple[tuple[str, str], ...]
    before: Answer
    after: Answer
    numbers: tuple[tuple[str, Answer, Answer], ...] = ()
    """Of a check: the numbers that it comes upon and that differ here, each with both values."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The situations of one kind: how many were met, the smallest of them, and the one that changes most."""

    count: int
    smallest: Witness
    largest: Witness | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """What came of comparing one number, check, action or trigger.

    `tried` situations over `facts`, which are all that can matter if it `is_exhaustive`; `only` is what one side alone
    takes, so that nothing was tried with it.
    """

    kind: str
    before: str
    after: str
    facts: tuple[str, ...]
    tried: int
    is_exhaustive: bool
    effects: tuple[Effects, ...]
    cells: tuple[Witness, ...] = ()
    only: tuple[OneSided, ...] = ()

    @property
    def differing(self) -> int:
        """In how many of the situations the answers differ."""
        return sum(each.count for each in self.effects)


class Search:
    """The comparison of one number, check, action or trigger of one ruleset with one of another."""

    def __init__(
        self,
        kind: str,
        before: Asked,
        after: Asked,
        changed: frozenset[str],
        whole: int = WHOLE,
        cells: Cells = NO_CELLS,
    ) -> None:
        self.kind = kind
        self.sides = before, after
        self.changed = changed
        answers = [side.reads(kind, id) for side, id in self.sides]
        # The same people take part where one side has nothing of that name.
        self.impossible = [
            side.impossible(side.reads(kind, id) if side.can_answer(kind, id) else answers[0] | answers[1])
            for side, id in self.sides
        ]
        refused = [side.reads_of(each) for (side, _), each in zip(self.sides, self.impossible, strict=True)]
        self.reads: tuple[Read, ...] = tuple(sorted({*answers[0], *answers[1], *refused[0], *refused[1]}, key=path_of))
        self.refusing = [tuple(map(path_of, sorted(each))) for each in refused]
        self.reached = [side.reached(kind, id) for side, id in self.sides]
        for found, conditions in zip(self.reached, self.impossible, strict=True):
            for each in conditions:
                found.names.add(f"impossible.{each.label.id}")
                found.expr(each.when)
        self.targets = aiming(self.reached[1], cells)
        programs = [(side.program, found.uses) for (side, _), found in zip(self.sides, self.reached, strict=True)]
        self.values = [values(programs, read, whole) for read in self.reads]
        self.held = [self._held(side) for side, _ in self.sides]
        self.weighed: dict[Combination, Pair] = {}
        self.wanted = wanted((side.giving, id) for side, id in self.sides) if kind == "gives" else frozenset()

    def _held(self, side: Side) -> list[tuple[int, str, tuple[object, ...]]]:
        """Of each fact that a side knows where it stands, its path, and its values as they are held."""
        every = enumerate(zip(self.reads, self.values, strict=True))
        return [
            (at, each.path, tuple(side.held(read, given) for given in each.given))
            for at, (read, each) in every
            if knows(side.program, read)
        ]

    def may_differ(self) -> bool:
        """Whether either answer comes upon something that has changed, and there is something to compare."""
        if self.kind == "gives" and not self.wanted:
            return False
        return any(not self.changed.isdisjoint(each.names) for each in self.reached)

    def is_quick(self) -> bool:
        """Whether both sides tell what a check gives by generated functions; else that takes many times as long."""
        return all(side.giving.is_quick(id, self.wanted) for side, id in self.sides)

    def run(self, limit: int, proves: bool = False) -> Searched:
        """What the search finds; with `proves` over all facts, and every cell that differs."""
        relevant = set(self.reads) if proves else self._relevant()
        varied = [at for at, read in enumerate(self.reads) if read in relevant and len(self.values[at]) > 1]
        is_small = prod(len(self.values[at]) for at in varied) <= limit
        # A value that only one side takes is told as a change of the type; where none is shared, nothing is asked.
        is_askable = all(map(len, self.values))
        is_complete = all(
            each.is_complete for each, read in zip(self.values, self.reads, strict=True) if read in relevant
        )
        is_exhaustive = is_askable and is_small and is_complete
        tried = iter(()) if not is_askable else self._every(varied) if is_small else self._directed(varied, limit)
        found: dict[Combination, Pair] = {}
        count = 0
        for combination in tried:
            pair = self.answers(combination)
            count += pair != ("impossible", "impossible")
            is_exhaustive &= "too large" not in pair
            if differs(pair):
                found[combination] = pair
            if count == limit and not is_small:
                break
        (one, other), facts = (id for _, id in self.sides), tuple(self.values[at].path for at in varied)
        cells = tuple(self._cells(found, varied)) if proves else ()
        effects = tuple(self._effects(found, varied, is_exhaustive))
        only = tuple(each.only for each in self.values if each.only)
        return Searched(self.kind, one, other, facts, count, is_exhaustive, effects, cells, only)

    def answers(self, combination: Combination) -> Pair:
        """Both answers in a situation; odds are kept, since whoever looks for the smallest asks again."""
        pair = self.weighed.get(combination)
        if pair is None:
            pair = self._answer(0, combination), self._answer(1, combination)
            if self.kind in ("check", "gives"):
                self.weighed[combination] = pair
        return pair

    def _answer(self, at: int, combination: Combination) -> Answer:
        side, id = self.sides[at]
        chosen = ((path, held[combination[place]]) for place, path, held in self.held[at])
        facts: Held = {path: value for path, value in chosen if value is not None}
        if side.is_refused(self.impossible[at], self.refusing[at], facts):
            return "impossible"
        return side.answer(self.kind, id, facts, self.wanted)

    def _relevant(self) -> set[Read]:
        """The facts on which a difference can depend: what both sides add up alike cancels out."""
        one, other = (side.program.numbers.get(id) for side, id in self.sides)
        if self.kind != "number" or one is None or other is None or not _only_add(one, other):
            return set(self.reads)
        found: set[Read] = set()
        shared = _shared(one, other, self._same)
        keeps_base = (one.base, one.needs) == (other.base, other.needs) and self._same_exprs([one.base])
        for (side, _), number in zip(self.sides, (one, other), strict=True):
            exprs = [expr for entry in number.entries if entry not in shared for expr in expressions_of_entry(entry)]
            base = side.reader.of([number.base], seat((), number.seats))
            # What may be unknown decides whether there is an answer at all.
            found |= {read for read in base if not keeps_base or field_of(side.program, read).is_optional}
            found |= side.reader.of(exprs, seat((), number.seats))
        return self._with_impossible(found)

    def _with_impossible(self, relevant: set[Read]) -> set[Read]:
        """With the facts of impossible situations that some of the facts could lead into, or that plain ones are."""
        before: set[Read] | None = None
        while before != relevant:
            before = set(relevant)
            for (side, _), conditions in zip(self.sides, self.impossible, strict=True):
                for each in conditions:
                    reads = side.reads_of([each])
                    is_plain = side.is_refused((each,), tuple(map(path_of, sorted(reads))), self._plain(side))
                    if is_plain or reads & relevant or f"impossible.{each.label.id}" in self.changed:
                        relevant |= reads
        return relevant

    def _plain(self, side: Side) -> Held:
        return side.facts(self.reads, {each.path: each.given[0] for each in self.values if each.given})

    def _same(self, entries: Sequence[Entry]) -> bool:
        if any(f"stacking.{entry.group}" in self.changed for entry in entries):
            return False
        return self._same_exprs([expr for entry in entries for expr in expressions_of_entry(entry)])

    def _same_exprs(self, exprs: Iterable[Expr]) -> bool:
        """Whether expressions that both sides have come upon nothing that has changed."""
        for side, _ in self.sides:
            found = Reached(side.program, side.options)
            for expr in exprs:
                found.expr(expr)
            if not self.changed.isdisjoint(found.names):
                return False
        return True

    def _every(self, varied: list[int]) -> Iterator[Combination]:
        plain = [0] * len(self.reads)
        for chosen in product(*(range(len(self.values[at])) for at in varied)):
            for at, position in zip(varied, chosen, strict=True):
                plain[at] = position
            yield tuple(plain)

    def _directed(self, varied: list[int], limit: int) -> Iterator[Combination]:
        """Each of the facts near the change in every combination, against backgrounds: plain ones, then drawn ones."""
        random = Random(_SEED)
        close = self._near()
        near = [at for at in varied if self.reads[at] in close]
        far = [at for at in varied if self.reads[at] not in close]
        seen: set[Combination] = set()
        first = islice(self._aimed(far, Random(_SEED)), limit // 2)
        for combination in chain(first, self._around(near, far, random, 8 * limit)):
            if combination not in seen:
                seen.add(combination)
                yield combination
            # What cannot be is no situation that was tried.
            if len(seen) >= _PASSED * limit:
                return

    def _aimed(self, far: list[int], random: Random) -> Iterator[Combination]:
        """The cells that changed, each with all of its keys at once: against plain facts, then against drawn ones."""
        facts = list(zip(self.reads, self.values, strict=True))
        aims = [aim for each in self.targets for aim in aimed(each, self.reached[1], facts, self.sides[1][0].held)]
        plain = [0] * len(self.reads)
        for _ in range(_DRAWN):
            yield from (_with(plain, aim) for aim in aims)
            plain = list(self._drawn([0] * len(self.reads), far, random))

    def _around(self, near: list[int], far: list[int], random: Random, most: int) -> Iterator[Combination]:
        plain = [0] * len(self.reads)
        few = prod(len(self.values[at]) for at in near) <= _NEAR
        yield tuple(plain)
        for at in (*near, *far):
            yield from (_with(plain, {at: position}) for position in range(len(self.values[at])))
        while most > 0:
            nearby = list(self._every(near)) if few else [self._drawn(plain, near, random) for _ in range(_DRAWN)]
            for combination in nearby:
                most -= 1
                yield _with(plain, {at: combination[at] for at in near})
            plain = list(self._drawn([0] * len(self.reads), far, random))

    def _drawn(self, plain: list[int], varied: list[int], random: Random) -> Combination:
        """A situation in which some facts have other values than the plainest."""
        share = random.choice((1, 3, 8))
        chosen = {at: random.randrange(len(self.values[at])) for at in varied if not random.randrange(share)}
        return _with(plain, chosen)

    def _near(self) -> set[Read]:
        """The facts that the changed definitions read."""
        paths: set[str] = set()
        for (side, _), found in zip(self.sides, self.reached, strict=True):
            paths |= side.uses_of(self.changed & found.names)
        program = self.sides[1][0].program
        other = self.sides[0][0].program
        return {read for read in self.reads if declared_path(program if knows(program, read) else other, read) in paths}

    def _effects(self, found: dict[Combination, Pair], varied: list[int], is_exhaustive: bool) -> Iterator[Effects]:
        same_kind = kinds(list(found.values()))
        groups: dict[object, list[Combination]] = {}
        for combination, pair in found.items():
            groups.setdefault(same_kind(pair), []).append(combination)
        for kind, members in sorted(groups.items(), key=lambda item: -len(item[1])):
            smallest = self._shrunk(min(members, key=self._size), kind, same_kind, varied)
            largest = max(members, key=lambda each: (change(found[each]), [-size for size in self._size(each)]))
            before = self.answers(smallest)
            shown = change(found[largest]) > change(before)
            most = self._shrunk_most(largest, kind, same_kind, varied) if shown else None
            yield Effects(
                len(members), self._witness(smallest, before), self._witness(most, self.answers(most)) if most else None
            )

    def _size(self, combination: Combination) -> tuple[int, ...]:
        """How large a situation is: how many facts are given, then how far their values are from the plainest."""
        given = sum(each.given[at] is not None for each, at in zip(self.values, combination, strict=True))
        return (given, sum(combination), *combination)

    def _shrunk(
        self, combination: Combination, kind: object, same_kind: Callable[[Pair], object], varied: list[int]
    ) -> Combination:
        """The situation with as many facts as can be at plainer values, as long as it is of the same kind."""
        return self._plainer(combination, varied, lambda pair: differs(pair) and same_kind(pair) == kind)

    def _shrunk_most(
        self, combination: Combination, kind: object, same_kind: Callable[[Pair], object], varied: list[int]
    ) -> Combination:
        most = change(self.answers(combination))
        return self._plainer(combination, varied, lambda pair: same_kind(pair) == kind and change(pair) >= most)

    def _plainer(self, combination: Combination, varied: list[int], holds: Callable[[Pair], bool]) -> Combination:
        before = None
        while before != combination:
            before = combination
            for at in varied:
                for position in range(combination[at]):
                    tried = _with(combination, {at: position})
                    if holds(self.answers(tried)):
                        combination = tried
                        break
            # Two facts can make up for each other, so that neither can go alone.
            for pair in combinations([at for at in varied if combination[at]], 2):
                tried = _with(combination, dict.fromkeys(pair, 0))
                combination = tried if holds(self.answers(tried)) else combination
        return combination

    def _witness(self, combination: Combination, pair: Pair) -> Witness:
        return Witness(tuple(self.situation(combination).items()), *pair)  # type: ignore[arg-type]

    def situation(self, combination: Combination) -> Situation:
        """What is given in a situation."""
        chosen = ((each.path, each.given[at]) for each, at in zip(self.values, combination, strict=True))
        return {path: given for path, given in chosen if given is not None}

    def _cells(self, found: dict[Combination, Pair], varied: list[int]) -> Iterator[Witness]:
        """The situations that differ; a fact all of whose values come to the same is not named."""
        members, named = dict(found), list(varied)
        for at in varied:
            alike = {each: pair for each, pair in members.items() if not each[at] and self._is_alike(members, each, at)}
            if len(alike) * len(self.values[at]) == len(members):
                members = alike
                named.remove(at)
        for combination, pair in sorted(members.items(), key=lambda one: one[0]):
            chosen = ((self.values[at].path, self.values[at].given[combination[at]]) for at in named)
            yield Witness(tuple((path, given) for path, given in chosen if given is not None), *pair)

    def _is_alike(self, members: dict[Combination, Pair], combination: Combination, at: int) -> bool:
        others = (_with(combination, {at: position}) for position in range(len(self.values[at])))
        return all(members.get(each) == members[combination] for each in others)


def _with(combination: Sequence[int], chosen: dict[int, int]) -> Combination:
    found = list(combination)
    for at, position in chosen.items():
        found[at] = position
    return tuple(found)


def _only_add(one: Number, other: Number) -> bool:
    """Whether two numbers are sums, alike in all but what they add up."""
    alike = (one.better, one.seats, one.type.kind) == (other.better, other.seats, other.type.kind)
    return alike and all(entry.op == "add" for number in (one, other) for entry in number.entries)


def _shared(one: Number, other: Number, is_same: Callable[[Sequence[Entry]], bool]) -> list[Entry]:
    """The entries that both numbers have and that come to the same; one in a group only with its whole group."""
    here, there = _groups(one), _groups(other)
    free = [each for each in here.get("", []) if each in there.get("", []) and is_same([each])]
    groups = [group for group in here if group and here[group] == there.get(group) and is_same(here[group])]
    return [*free, *(entry for group in groups for entry in here[group])]


def _groups(number: Number) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in number.entries:
        found.setdefault(entry.group, []).append(entry)
    return found
