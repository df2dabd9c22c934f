"""Stacking on columns: which amounts of one group count, row by row.

Where only the best bonus and the worst penalty of plain additions count, they are found by extremes; all else goes by
the ranks of `stack`, from which the winners follow in every row.
"""

from __future__ import annotations

from .batch_vectors import Vector, is_exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .batch_code import Mask
    from .batch_expressions import Maker
    from .program import Policy, Stacking

_PLAIN = (None, "all")


class Amount:
    """What one entry does where it applies; `outside` is the mask that an addition needs, whose amount may be 0."""

    __slots__ = ("applies", "doubt", "group", "modifier", "op", "outside", "round", "value")

    def __init__(self, modifier: str, op: str, value: Vector, applies: Mask, group: str, round: str) -> None:
        self.modifier = modifier
        self.op = op
        self.value = value
        self.applies = applies
        self.group = group
        self.round = round
        self.outside = applies
        self.doubt: Mask = False


def settled_groups(maker: Maker, amounts: list[Amount], better: str) -> list[Amount]:
    """The amounts that count, each with where it does."""
    any_order = is_exact(each.value for each in amounts)
    result = [each for each in amounts if not each.group]
    for name in dict.fromkeys(each.group for each in amounts if each.group):
        members = [each for each in amounts if each.group == name]
        result += _Group(maker, maker.program.stacking[name], members, better, any_order).settled()
    # Sets and roundings go by the order of all amounts, of which the last counts.
    order = {id(each): at for at, each in enumerate(amounts)}
    return sorted(result, key=lambda each: order.get(id(each), len(order)))


class _Group:
    """The amounts of one group."""

    def __init__(self, maker: Maker, group: Stacking, members: list[Amount], better: str, any_order: bool) -> None:
        self.maker = maker
        self.vectors = maker.vectors
        self.code = maker.code
        self.group = group
        self.members = members
        self.any_order = any_order
        self.is_lower = better == "lower"
        self.counts = [each.applies for each in members]

    def settled(self) -> list[Amount]:
        """The amounts that count."""
        group = self.group
        if all(each in _PLAIN for each in (group.bonuses, group.penalties, group.all, group.multiply)):
            return self.members
        if self._is_extreme():
            return self._extremes()
        rounds = (
            (group.bonuses, self._bonus),
            (group.penalties, self._penalty),
            (group.all, self._any),
            (group.multiply, self._product),
        )
        for policy, part in rounds:
            if policy not in _PLAIN and policy is not None:
                self._compete(policy, [part(each) for each in self.members])
        return [self._limited(each, mask) for each, mask in zip(self.members, self.counts, strict=True)]

    def _limited(self, amount: Amount, mask: Mask) -> Amount:
        amount.outside = amount.applies = mask
        return amount

    def _is_extreme(self) -> bool:
        """Whether only the best and the worst of plain additions count, in whatever order they are summed up."""
        group = self.group
        is_plain = group.all in _PLAIN and group.multiply in _PLAIN and all(each.op == "add" for each in self.members)
        sides = (group.bonuses, group.penalties)
        return is_plain and all(each in (*_PLAIN, "largest") for each in sides) and self.any_order

    def _extremes(self) -> list[Amount]:
        """One amount for all that is above 0, and one for all below."""
        vectors, zero = self.vectors, self.vectors.literal(0)
        upper, lower = (
            (self.group.penalties, self.group.bonuses) if self.is_lower else (self.group.bonuses, self.group.penalties)
        )
        above = below = zero
        for each in self.members:
            gain = vectors.only(each.outside, Vector(each.value.ref, each.value.low, each.value.high, each.value.over))
            join = vectors.largest if upper == "largest" else vectors.add
            above = join(above, vectors.largest(gain, zero))
            join = vectors.smallest if lower == "largest" else vectors.add
            below = join(below, vectors.smallest(gain, zero))
        return [Amount("", "add", each, True, "", "") for each in (above, below)]

    def _gain(self, amount: Amount) -> Vector:
        bare = Vector(amount.value.ref, amount.value.low, amount.value.high, amount.value.over)
        return self.vectors.negated(bare) if self.is_lower else bare

    def _sign(self, amount: Amount, sign: str) -> Mask:
        return self.vectors.mask(self.vectors.compare(sign, self._gain(amount), self.vectors.literal(0)))

    def _bonus(self, amount: Amount) -> Mask:
        return self._sign(amount, ">") if amount.op == "add" else False

    def _penalty(self, amount: Amount) -> Mask:
        return self._sign(amount, "<") if amount.op == "add" else False

    def _any(self, amount: Amount) -> Mask:
        return (
            True
            if amount.op == "set"
            else self.code.inverted(self._sign(amount, "=="))
            if amount.op == "add"
            else False
        )

    def _product(self, amount: Amount) -> Mask:
        return amount.op == "multiply"

    def _compete(self, policy: Policy, takes_part: list[Mask]) -> None:
        """One policy among those that take part and were not dropped before."""
        rivals = [self.code.both(*each) for each in zip(self.counts, takes_part, strict=True)]
        lost = self._doubles(rivals) if policy == "once" else self._losers(policy, rivals)
        self.counts = [
            self.code.both(mask, self.code.inverted(loses)) for mask, loses in zip(self.counts, lost, strict=True)
        ]

    def _doubles(self, rivals: list[Mask]) -> list[Mask]:
        """Where an earlier rival does the same."""
        lost: list[Mask] = []
        for at, mask in enumerate(rivals):
            same = [self.code.both(rivals[before], self._same(before, at)) for before in range(at)]
            lost.append(self.code.both(mask, self.code.either(*same)))
        return lost

    def _same(self, one: int, other: int) -> Mask:
        first, second = self.members[one], self.members[other]
        if first.op != second.op:
            return False
        return self.vectors.mask(self.vectors.compare("==", self._gain(first), self._gain(second)))

    def _losers(self, policy: Policy, rivals: list[Mask]) -> list[Mask]:
        """Where another is kept: the one with the least rank, of equals the first."""
        there = [at for at, mask in enumerate(rivals) if mask is not False]
        if not there:
            return list(rivals)
        ranks = dict(zip(there, self._ranks([self.members[at] for at in there], policy), strict=True))
        last = self.vectors.literal(max(each.high for each in ranks.values()) + 1)
        best = last
        for at in there:
            best = self.vectors.smallest(best, self.vectors.select(rivals[at], ranks[at], last))
        lost: list[Mask] = [False] * len(rivals)
        taken: Mask = False
        for at in there:
            is_best = self.vectors.mask(self.vectors.compare("==", ranks[at], best))
            wins = self.code.both(rivals[at], is_best, self.code.inverted(taken))
            lost[at] = self.code.both(rivals[at], self.code.inverted(wins))
            taken = self.code.either(taken, wins)
        return lost

    def _ranks(self, amounts: list[Amount], policy: Policy) -> list[Vector]:
        """What is kept has the least rank: by its size, then by whether it is what wins a tie."""
        vectors, order = self.vectors, self.group.order
        if policy == "first":
            places = [order.index(each.modifier) if each.modifier in order else len(order) for each in amounts]
            return [vectors.literal(each) for each in places]
        gains = vectors.aligned(*(self._gain(each) for each in amounts))
        return [self._rank(*each, policy) for each in zip(amounts, gains, strict=True)]

    def _rank(self, amount: Amount, gain: Vector, policy: Policy) -> Vector:
        vectors, bare = self.vectors, Vector(gain.ref, gain.low, gain.high)
        size = vectors.absolute(bare) if amount.op == "add" else bare
        ranked = vectors.multiply(vectors.negated(size) if policy == "largest" else size, vectors.literal(2))
        if not self.group.tie or amount.op != "add":
            return ranked
        is_bonus = self._sign(amount, ">")
        loses = self.code.inverted(is_bonus) if self.group.tie == "bonus" else is_bonus
        return vectors.add(ranked, vectors.truth(loses))
