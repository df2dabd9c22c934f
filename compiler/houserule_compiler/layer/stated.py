"""What each layer states at one path, and which of it is alive for whom.

A layer that removes or replaces a node ends what the layers below it say there and deeper down: it is their `ender`.
For a layer that does not stand on the ender they are as alive as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..document import Mapping, Node, Scalar
from ..layers import Contribution
from ..lineage import Lineage, View
from ..longform import is_removal

State: TypeAlias = Literal["absent", "removed", "present"]


@dataclass(frozen=True, eq=False, slots=True)
class Stated:
    """What one layer states at a path: the key there, and the value.

    `enders` are the layers that ended it higher up. It `is_fresh` where its own layer brought what stands around it
    into being, so that nothing of what stands below counts.
    """

    layer: str
    key: Scalar
    node: Node
    enders: View = frozenset()
    is_fresh: bool = False

    @property
    def removes(self) -> bool:
        """Whether it takes the node out."""
        return is_removal(self.node)

    @property
    def replaces(self) -> bool:
        """Whether it empties the node first."""
        return isinstance(self.node, Mapping) and is_true(self.node.get("replace"))

    @property
    def ends(self) -> bool:
        """Whether nothing of what the layers below say here counts any more."""
        return self.removes or self.replaces

    @property
    def contribution(self) -> Contribution:
        """As it is kept for explanations."""
        act: Literal["set", "remove", "replace"] = "remove" if self.removes else "replace" if self.replaces else "set"
        return Contribution(self.layer, act, self.key.span, self.node)


def is_true(node: Node | None) -> bool:
    """Whether it is a plain `true`."""
    return isinstance(node, Scalar) and node.is_plain and node.text == "true"


@dataclass(frozen=True, slots=True)
class Views:
    """What is alive, for the whole build or as one layer sees it."""

    lineage: Lineage

    def alive(self, stated: Iterable[Stated], view: View | None = None) -> list[Stated]:
        """Those that hold in a view: of its layers, and ended by none of them higher up. The whole build by default."""
        seen = self.lineage.everything if view is None else view
        return [each for each in stated if each.layer in seen and not each.enders & seen]

    def left(self, stated: Iterable[Stated], view: View | None = None) -> list[Stated]:
        """Those that are alive and that nothing alive ends here."""
        alive = self.alive(stated, view)
        enders = [each for each in alive if each.ends]
        return [each for each in alive if not any(self.is_above(ender, each) for ender in enders)]

    def state(self, stated: Iterable[Stated], view: View) -> State:
        """Whether something stands there in a view, or was taken out."""
        left = self.left(stated, view)
        if not left:
            return "absent"
        return "removed" if all(each.removes for each in left) else "present"

    def topmost(self, alive: Sequence[Stated]) -> list[Stated]:
        """Those that no other of them stands above."""
        return [each for each in alive if not any(self.is_above(other, each) for other in alive)]

    def is_above(self, one: Stated, other: Stated) -> bool:
        """Whether one's layer stands above the other's."""
        return other.layer in self.lineage.below[one.layer]

    def are_unrelated(self, one: Stated, other: Stated) -> bool:
        """Whether neither stands above the other."""
        return self.lineage.are_unrelated(one.layer, other.layer)

    def own(self, each: Stated) -> View:
        """What its layer was written on."""
        return self.lineage.own[each.layer]

    def below(self, each: Stated) -> View:
        """What its layer stands above in this build."""
        return self.lineage.below[each.layer]

    def in_order(self, stated: Iterable[Stated]) -> list[Stated]:
        """From the bottom up."""
        rank = {name: at for at, name in enumerate(self.lineage.layers)}
        return sorted(stated, key=lambda each: rank[each.layer])
