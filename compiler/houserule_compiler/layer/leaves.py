"""What holds where a value is taken whole: the topmost statement, or a conflict where several differ.

`inherited` stands for the value below; the scalar that holds keeps it beside its own text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..diagnostics import Diagnostic
from ..document import Node, Scalar
from ..forms import Form
from ..longform import is_removal
from ..messages import layers as messages
from ..paths import Path
from .deciding import Known
from .effects import TALK
from .stated import Stated
from .work import Work

INHERITED = re.compile(r"(?<![A-Za-z0-9_.])inherited(?![A-Za-z0-9_])")
PARSED = frozenset({"expression", "condition", "dice", "adjustment", "rows"})
"""The kinds in which `inherited` is a word of the language."""
WORD_OF_DIRECTION = re.compile(r"\s*(better|worse)(?![A-Za-z0-9_])")


@dataclass(frozen=True, eq=False, slots=True)
class Value:
    """What holds at a leaf: who stated it, and the node, or nothing where it was taken out.

    `against` are the other topmost statements where they differ: there is a conflict.
    """

    stated: Stated
    node: Node | None
    against: tuple[Stated, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaves:
    """Decides values."""

    work: Work

    def value(self, path: Path, form: Form, stated: Sequence[Stated], known: Known) -> Value | None:
        """What holds at `path`; reports a conflict, and what is taken out though it is not there."""
        held = self.settled(path, form, self._standing(path, stated, known))
        self.work.note(path, stated, held.stated if held else None)
        if held and held.against:
            self.work.found.append(messages.conflict(path, (held.stated, *held.against), self.work.lineage.top))
        return held

    def settled(self, path: Path, form: Form, stated: Sequence[Stated]) -> Value | None:
        """What holds of these statements, without a word about conflicts."""
        top = self.work.views.topmost(self.work.views.in_order(self.work.views.alive(stated)))
        values = [(each, self._resolved(path, form, each, stated)) for each in top]
        if not values:
            return None
        first, node = values[0]
        against = tuple(each for each, other in values[1:] if not self._same(node, other, form))
        if not against:
            self._note_other(path, form, values[-1], stated)
        return Value(first, None if is_removal(node) else node, against)

    def _standing(self, path: Path, stated: Sequence[Stated], known: Known) -> list[Stated]:
        """Without the statements that take out what is not there."""
        views = self.work.views
        standing = list(stated)
        for each in views.in_order(views.alive(stated)):
            own = "absent" if each.is_fresh else views.state(stated, views.own(each))
            if each.removes and own != "present":
                self.work.found.append(messages.missing_target(path, each, known(each), ()))
                standing.remove(each)
        return standing

    def _same(self, one: Node, other: Node, form: Form) -> bool:
        return self.work.same.nodes(one, other, form)

    def _resolved(self, path: Path, form: Form, each: Stated, stated: Sequence[Stated]) -> Node:
        """The node of a statement, with the value below beside it where it says `inherited`."""
        node = each.node
        if not isinstance(node, Scalar) or form.kind not in PARSED or not INHERITED.search(node.text):
            return node
        if not self.work.views.own(each) or each.is_fresh:
            self._report(messages.inherited_from_nothing(path, each, node, ()))
            return node
        below = self._below(path, form, each, stated)
        if isinstance(below, Scalar) and _can_stand_in(below, node, form):
            return replace(node, below=below)
        if below is not None:
            self._report(messages.inherited_from_map(path, node, below))
        return node

    def _below(self, path: Path, form: Form, each: Stated, stated: Sequence[Stated]) -> Node | None:
        views = self.work.views
        under = views.topmost(views.alive(stated, views.below(each)))
        nodes = [self._resolved(path, form, one, stated) for one in under]
        if nodes and not is_removal(nodes[0]) and all(self._same(nodes[0], one, form) for one in nodes[1:]):
            return nodes[0]
        self._report(messages.inherited_from_nothing(path, each, each.node, under))
        return None

    def _report(self, found: Diagnostic) -> None:
        if not any(each.code == found.code and each.span == found.span for each in self.work.found):
            self.work.found.append(found)

    def _note_other(self, path: Path, form: Form, top: tuple[Stated, Node], stated: Sequence[Stated]) -> None:
        """A pack that meets another value here than on the base that it was written against."""
        each, node = top
        views = self.work.views
        own, below = views.own(each), views.below(each)
        if own == below or each.is_fresh or path[-1] in TALK:
            return
        expected, seen = (views.topmost(views.alive(stated, view)) for view in (own, below))
        others = [
            one
            for one in seen
            if one not in expected and not any(each.layer in views.lineage.below[by] for by in one.enders)
        ]
        if not others or (expected and self._same(expected[0].node, others[0].node, form)):
            return
        if not self._same(others[0].node, node, form):
            self.work.found.append(messages.other_than_seen(path, each, expected[:1], others[0]))


def _can_stand_in(below: Scalar, node: Scalar, form: Form) -> bool:
    """Whether an adjustment below may stand in one above: a word of direction is not part of an amount."""
    if form.kind != "adjustment":
        return True
    words = [found[1] if (found := WORD_OF_DIRECTION.match(each.text)) else "" for each in (below, node)]
    return not words[0] or words[0] == words[1]


Settle = Callable[[Path, Form, Sequence[Stated]], "Value | None"]
