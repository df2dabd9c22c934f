"""The order of an ordered map: the base's own, then what layers move and insert, wherever their anchors have come.

Each id has one place, the one that its topmost layer gives it. Of two that unrelated layers put into one gap the order
would be ours; that is asked about, unless they can never hold together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations, islice
from typing import Literal

from .. import document
from ..document import Entry, Node, Scalar
from ..forms import Form
from ..layers import MOST_PAIRS, Contribution, Gap
from ..messages import ordering as messages
from ..paths import Path
from .stated import Stated
from .work import Work

SETTLED_BY_CONDITIONS = frozenset({"cases", "moment_cases", "sequence_steps"})
"""The ordered maps whose entries have conditions that may exclude each other."""
LOOSE = frozenset({"choice_words", "outcomes"})
"""Maps of words: a new one without a place stands at the end."""


@dataclass(frozen=True, eq=False, slots=True)
class Wish:
    """Where a layer puts an entry, whose `key` it names there: right `side` of the anchor."""

    key: Scalar
    side: Literal["before", "after"]
    anchor: Scalar
    stated: Stated
    is_move: bool

    @property
    def id(self) -> str:
        """The id of the entry."""
        return self.key.text


@dataclass
class _Layout:
    """One arrangement in the making.

    `grounds` says which layer named an id first where it needed no place, `placed` which gave an id its place, and
    `wishes` how; `listed` are the old ids that an `order` lists, between which others keep their own places.
    """

    order: list[str] = field(default_factory=list)
    grounds: dict[str, Stated] = field(default_factory=dict)
    placed: dict[str, Stated] = field(default_factory=dict)
    wishes: dict[str, Wish] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)

    def anchors(self, id: str) -> list[str]:
        """What an entry hangs on: its anchor, the anchor of that, and so on."""
        found: list[str] = []
        while (wish := self.wishes.get(id)) and wish.anchor.text not in found:
            id = wish.anchor.text
            found.append(id)
        return found

    def put(self, id: str) -> tuple[str, Scalar]:
        """The layer that gave an entry its place, and the id where that layer names it."""
        by = self.placed[id]
        stated = by.node.entry(id) if isinstance(by.node, document.Mapping) else None
        named = [stated.key] if stated else [each for each in _order_of(by.node) if each.text == id]
        return by.layer, named[0] if named else by.key


@dataclass(frozen=True, slots=True)
class Ordering:
    """Arranges the entries of ordered maps."""

    work: Work

    def arranged(
        self,
        path: Path,
        form: Form,
        held: Sequence[Stated],
        children: Mapping[str, Sequence[Stated]],
        merged: Mapping[str, Entry],
    ) -> list[Entry]:
        """The merged entries in their order. `held` are the statements of the map, from the bottom up."""
        layout = _Layout()
        wishes = self._ground(path, form, held, children, layout)
        chosen = self._topmost(path, [each for each in wishes if each.id in merged])
        self._apply(path, layout, chosen, merged)
        self._listed(path, held, children, layout)
        for each in self._homeless(path, chosen, layout, merged):
            layout.order.append(each)
        order = [each for each in layout.order if each in merged]
        self._gaps(path, form, order, layout, merged)
        return [merged[id] for id in order]

    def _ground(
        self, path: Path, form: Form, held: Sequence[Stated], children: Mapping[str, Sequence[Stated]], layout: _Layout
    ) -> list[Wish]:
        """Fills in what needs no place, and gives the wishes of all layers."""
        wishes: list[Wish] = []
        told = {each.span for each in self.work.found}
        for each in held:
            known = self._known(each, children)
            stated = each.node.entries if isinstance(each.node, document.Mapping) else ()
            own = {entry.key.text for entry in stated if not form.says(entry.key.text)}
            listed = [word.text for word in _order_of(each.node)]
            for entry in stated:
                id = entry.key.text
                if id not in own:
                    continue
                found = list(self._wishes(path, form, each, entry, known, own, children))
                wishes += found
                if not found and id not in known and id not in layout.order:
                    layout.order.append(id)
                    layout.grounds[id] = each
                    is_placed = id in listed or form.name in LOOSE or _says_where(entry.value)
                    if known and not is_placed and entry.key.span not in told:
                        self.work.found.append(messages.place_missing(entry.key, known))
        if form.name not in LOOSE:
            layout.placed |= self._beside_each_other(layout)
        return wishes

    def _beside_each_other(self, layout: _Layout) -> dict[str, Stated]:
        """What unrelated layers put into a map that was empty."""
        grounds = list(layout.grounds.values())
        return {
            id: each
            for id, each in layout.grounds.items()
            if any(self.work.views.are_unrelated(each, other) for other in grounds)
        }

    def _known(self, each: Stated, children: Mapping[str, Sequence[Stated]]) -> list[str]:
        if each.is_fresh or each.replaces:
            return []
        views = self.work.views
        return [id for id, stated in children.items() if views.state(stated, views.own(each)) == "present"]

    def _wishes(
        self,
        path: Path,
        form: Form,
        each: Stated,
        entry: Entry,
        known: Sequence[str],
        own: Set[str],
        children: Mapping[str, Sequence[Stated]],
    ) -> Iterator[Wish]:
        node: Node = entry.value
        inner = form.child(entry.key.text)
        sides: tuple[Literal["before", "after"], ...] = ("before", "after")
        for side in sides:
            anchor = node.get(side) if isinstance(node, document.Mapping) and inner.says(side) else None
            if not isinstance(anchor, Scalar):
                continue
            if (anchor.text in own or anchor.text in known) and anchor.text != entry.key.text:
                yield Wish(entry.key, side, anchor, each, entry.key.text in known)
            else:
                others = self._that_have(anchor.text, each, children)
                self.work.found.append(messages.unknown_anchor(path, each, anchor, known, others))

    def _that_have(self, id: str, each: Stated, children: Mapping[str, Sequence[Stated]]) -> list[str]:
        """The packs that bring an entry in, which a layer does not stand on."""
        views = self.work.views
        stated = views.in_order(views.left(children.get(id, ())))
        return [one.layer for one in stated if not one.removes and views.are_unrelated(one, each)]

    def _topmost(self, path: Path, wishes: Sequence[Wish]) -> list[Wish]:
        """One wish for each id; two of unrelated layers that differ are a conflict."""
        chosen: list[Wish] = []
        by_id: dict[str, list[Wish]] = {}
        for each in wishes:
            by_id.setdefault(each.id, []).append(each)
        for id, mine in by_id.items():
            top = [each for each in mine if not any(self._is_above(other, each) for other in mine)]
            if len({(each.side, each.anchor.text) for each in top}) > 1:
                self.work.found.append(messages.moved_apart((*path, id), [(e.stated, e.anchor) for e in top]))
            chosen.append(top[0])
            if top[0].is_move:
                self._keep((*path, id), top[0].stated.layer, _entry(top[0].stated.node, id, top[0].side))
        return chosen

    def _keep(self, path: Path, layer: str, placing: Entry | None) -> None:
        """Keeps who gave an entry its place."""
        if placing:
            self.work.moved[path] = Contribution(layer, "place", placing.key.span, _map_of(placing))

    def _is_above(self, one: Wish, other: Wish) -> bool:
        return self.work.views.is_above(one.stated, other.stated)

    def _apply(self, path: Path, layout: _Layout, wishes: Sequence[Wish], merged: Mapping[str, Entry]) -> None:
        """Moves and inserts, each once its anchor has its place."""
        waiting = dict(enumerate(sorted(wishes, key=lambda each: not each.is_move)))
        placed, pending = set(layout.order), {each.id for each in wishes if each.is_move}
        hanging: dict[str, list[int]] = {}
        for at, wish in waiting.items():
            hanging.setdefault(wish.anchor.text, []).append(at)

        def is_ready(at: int) -> bool:
            wish = waiting[at]
            return wish.anchor.text in placed and self._holds(path, wish, merged)

        free = [at for at, wish in waiting.items() if wish.anchor.text not in pending and is_ready(at)]
        while waiting:
            # Moves that hang on each other in a circle begin with the first of them.
            at = heappop(free) if free else next(filter(is_ready, waiting), -1)
            if at < 0:
                return
            wish = waiting.pop(at)
            self._put(layout, wish)
            placed.add(wish.id)
            pending.discard(wish.id)
            for other in hanging.get(wish.id, ()):
                if other in waiting and is_ready(other):
                    heappush(free, other)

    def _holds(self, path: Path, wish: Wish, merged: Mapping[str, Entry]) -> bool:
        """Whether an anchor is there, or was until a layer above took it out, which saw what stood beside it."""
        remover = self.work.removed.get((*path, wish.anchor.text))
        known = remover is not None and wish.stated.layer in self.work.lineage.below[remover.layer]
        return wish.anchor.text in merged or known

    def _put(self, layout: _Layout, wish: Wish) -> None:
        if wish.id in layout.order:
            layout.order.remove(wish.id)
        at = layout.order.index(wish.anchor.text)
        if wish.side == "after":
            at += 1
            while at < len(layout.order) and self._stays_nearer(layout, layout.order[at], wish):
                at += 1
        else:
            while at > 0 and self._stays_nearer(layout, layout.order[at - 1], wish):
                at -= 1
        layout.order.insert(at, wish.id)
        layout.placed[wish.id] = wish.stated
        layout.wishes[wish.id] = wish

    def _stays_nearer(self, layout: _Layout, id: str, wish: Wish) -> bool:
        """Whether an entry keeps its place between the anchor and a new one, or hangs on one that does.

        Of two at one anchor and side, those of one layer stand as written, those of unrelated layers by id.
        """
        seen: set[str] = set()
        while (other := layout.wishes.get(id)) and id not in seen:
            seen.add(id)
            if (other.side, other.anchor.text) == (wish.side, wish.anchor.text):
                if other.stated.layer == wish.stated.layer:
                    return True
                return self.work.views.are_unrelated(other.stated, wish.stated) and other.id < wish.id
            id = other.anchor.text
        return False

    def _listed(
        self, path: Path, held: Sequence[Stated], children: Mapping[str, Sequence[Stated]], layout: _Layout
    ) -> None:
        """`order`: the ids that it lists take the places that they hold together, in its order."""
        stated = [(each, order) for each in held if (order := _order_of(each.node))]
        top = [(e, o) for e, o in stated if not any(self.work.views.is_above(other, e) for other, _ in stated)]
        if not top:
            return
        each, order = top[0]
        texts = [[word.text for word in words] for _, words in top]
        if any(other != texts[0] for other in texts[1:]):
            self.work.found.append(messages.moved_apart(path, [(e, o[0]) for e, o in top]))
        layout.listed = {word.text for word in order} & set(self._known(each, children))
        self._keep(path, each.layer, _entry(each.node, "order"))
        above = {id for id, by in layout.placed.items() if self.work.views.is_above(by, each)}
        for word in order:
            if word.text not in layout.order:
                self.work.found.append(messages.unknown_anchor(path, each, word, layout.order, ()))
        ids = [word.text for word in order if word.text in layout.order and word.text not in above]
        places = sorted(layout.order.index(id) for id in ids)
        for place, id in zip(places, ids, strict=True):
            layout.order[place] = id
            layout.placed[id] = each

    def _homeless(
        self, path: Path, wishes: Sequence[Wish], layout: _Layout, merged: Mapping[str, Entry]
    ) -> Iterator[str]:
        """The entries whose anchor is gone."""
        for each in wishes:
            if each.id in layout.order:
                continue
            remover = self.work.removed.get((*path, each.anchor.text))
            self.work.found.append(messages.anchor_gone((*path, each.id), each.stated, each.anchor, remover))
            yield each.id

    def _gaps(self, path: Path, form: Form, order: Sequence[str], layout: _Layout, merged: Mapping[str, Entry]) -> None:
        """Notes each pair that unrelated layers put into one gap."""
        run: list[str] = []
        for id in (*order, ""):
            if id in layout.placed and id not in layout.listed:
                run.append(id)
                continue
            pairs = (pair for pair in combinations(run, 2) if self._is_open(layout, *pair))
            gaps = [
                Gap(path, merged[one], merged[other], (layout.put(one), layout.put(other)))
                for one, other in islice(pairs, MOST_PAIRS + 1)
            ]
            self._note(path, form, gaps)
            run = []

    def _is_open(self, layout: _Layout, one: str, other: str) -> bool:
        """Whether nobody says which of two comes first: neither hangs on the other."""
        hangs = other in layout.anchors(one) or one in layout.anchors(other)
        return not hangs and self.work.views.are_unrelated(layout.placed[one], layout.placed[other])

    def _note(self, path: Path, form: Form, gaps: Sequence[Gap]) -> None:
        if form.name in SETTLED_BY_CONDITIONS:
            self.work.unsettled.extend(gaps)
        elif gaps:
            self.work.found.append(messages.same_gap(path, *gaps[0].puts, ""))


def _entry(node: Node, *keys: str) -> Entry | None:
    """The entry that the keys lead to."""
    entry: Entry | None = None
    for key in keys:
        entry = node.entry(key) if isinstance(node, document.Mapping) else None
        if entry is None:
            return None
        node = entry.value
    return entry


def _map_of(entry: Entry) -> document.Mapping:
    return document.Mapping((entry,), entry.span)


def _says_where(node: Node) -> bool:
    return isinstance(node, document.Mapping) and any(node.entry(side) for side in ("before", "after"))


def _order_of(node: Node) -> list[Scalar]:
    stated = node.get("order") if isinstance(node, document.Mapping) else None
    items = stated.items if isinstance(stated, document.Sequence) else ()
    return [each for each in items if isinstance(each, Scalar)]
