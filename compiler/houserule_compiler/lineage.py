"""Which layer stands above which: the rulesets of a build, from the bottom up.

A layer stands above its `extends`, above each of its `with`, and above all that those stand above. A pack in `with`
stands above the base of the ruleset that uses it, even where it was written against an ancestor of that base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .diagnostics import Diagnostic
from .document import Scalar
from .graph import circles
from .layers import Uses
from .messages import lineage as messages

View = frozenset[str]


@dataclass(frozen=True, slots=True)
class Lineage:
    """The layers of a build, each after all that it stands above.

    `own` is what a layer was written on, `below` all that it stands above in this build.
    """

    layers: tuple[str, ...]
    own: Mapping[str, View]
    below: Mapping[str, View]

    @property
    def top(self) -> str:
        """The ruleset that is built."""
        return self.layers[-1]

    @property
    def everything(self) -> View:
        """All layers."""
        return frozenset(self.layers)

    def are_unrelated(self, one: str, other: str) -> bool:
        """Whether neither of two different layers stands above the other."""
        return one != other and one not in self.below[other] and other not in self.below[one]


def lineage(top: str, uses: Mapping[str, Uses]) -> tuple[Lineage | None, list[Diagnostic]]:
    """The order of the layers under `top`; None where they stand on one another in a circle.

    `uses` has all rulesets that were found; names that it lacks are reported already.
    """
    edges = {name: sorted({each.text for each in used.names} & uses.keys()) for name, used in uses.items()}
    found = [messages.layer_circle(path, _mention(path, uses)) for path in circles(edges)]
    if found:
        return None, found
    own = _closed(edges)
    foreign = [each for name in sorted(uses) for each in _foreign(name, uses, own)]
    above = {name: set(edges[name]) for name in edges}
    for pack, base in _lifted(uses, own):
        above[pack].add(base)
    lifted = {name: sorted(found) for name, found in above.items()}
    if twisted := circles(lifted):
        return None, [messages.layer_circle(path, _mention(path, uses)) for path in twisted]
    below = _closed(lifted)
    order = sorted(uses, key=lambda name: (len(below[name]), name))
    return Lineage(tuple(order), own, below), foreign


def _closed(edges: Mapping[str, Iterable[str]]) -> dict[str, View]:
    closed: dict[str, View] = {}

    def below(name: str) -> View:
        if name not in closed:
            closed[name] = frozenset(each for used in edges[name] for each in (used, *below(used)))
        return closed[name]

    for name in edges:
        below(name)
    return closed


def _chain(name: str, uses: Mapping[str, Uses]) -> Iterator[str]:
    """The bases of a ruleset, the nearest first."""
    extends = uses[name].extends
    while extends is not None and extends.text in uses:
        yield extends.text
        extends = uses[extends.text].extends


def _foreign(name: str, uses: Mapping[str, Uses], own: Mapping[str, View]) -> Iterator[Diagnostic]:
    """The packs that were written for a base that this ruleset does not stand on."""
    chain = list(_chain(name, uses))
    for pack in uses[name].packs:
        base = uses[pack.text].extends if pack.text in uses else None
        if base is not None and base.text in uses and base.text not in chain:
            yield messages.foreign_pack(name, pack, base, chain)


def _lifted(uses: Mapping[str, Uses], own: Mapping[str, View]) -> Iterator[tuple[str, str]]:
    """Pairs of a pack and the base that it is lifted above: what the pack brings along is lifted with it."""
    for used in uses.values():
        base = used.extends
        if base is None or base.text not in uses:
            continue
        under = own[base.text] | {base.text}
        for pack in used.packs:
            if pack.text in uses:
                yield from ((each, base.text) for each in sorted((own[pack.text] | {pack.text}) - under))


def _mention(path: Iterable[str], uses: Mapping[str, Uses]) -> list[Scalar]:
    """Where each ruleset of a circle names the next one, or another of the circle."""
    names = list(path)
    found: list[Scalar] = []
    for at, name in enumerate(names):
        after = names[(at + 1) % len(names)]
        stated = [each for each in uses[name].names if each.text == after]
        found += stated or [each for each in uses[name].names if each.text in names]
    return found
