"""Conditions: a plain text replaces; named parts under `all` or `any` are added to a plain text or to the same word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..document import Entry, Mapping, Node, Scalar
from ..forms import Form
from ..longform import CONDITIONS, made_key
from ..messages import layers as messages
from ..paths import Path
from .deciding import Known
from .leaves import Leaves
from .stated import Stated
from .work import Work

Merge = Callable[[Path, Form, Sequence[Stated]], Entry | None]


def word_of(node: Node) -> str:
    """`all` or `any` for named parts, nothing for a plain text."""
    return next((each for each in CONDITIONS if isinstance(node, Mapping) and node.entry(each)), "")


@dataclass(frozen=True, slots=True)
class Conditions:
    """Merges the conditions of one place; `merge` merges their parts."""

    work: Work
    leaves: Leaves
    merge: Merge

    def condition(self, path: Path, form: Form, stated: Sequence[Stated], known: Known) -> Entry | None:
        """The condition that holds there, or None where it was taken out."""
        ended = self._ended(stated)
        alive = self.work.views.in_order(self.work.views.alive(ended))
        parts = [each for each in alive if word_of(each.node)]
        clashing = self._clashing(alive)
        if clashing:
            self.work.found.append(messages.conflict(path, clashing, self.work.lineage.top))
        if not parts or clashing:
            held = self.leaves.settled(path, form, ended) if clashing else self.leaves.value(path, form, ended, known)
            return Entry(held.stated.key, held.node) if held and held.node is not None else None
        self.work.note(path, stated)
        return self._with_parts(path, form, ended, alive)

    def _ended(self, stated: Sequence[Stated]) -> list[Stated]:
        """Each statement, ended by those above it that it is no ground for."""
        views = self.work.views
        alive = views.in_order(views.alive(stated))
        ends: dict[str, frozenset[str]] = {}
        for each in alive:
            below = [other for other in alive if views.is_above(each, other)]
            left = [other for other in below if not any(other.layer in ends[one.layer] for one in below)]
            # Another word than the one below starts anew, and so does a plain text.
            is_new = any(not _adds(each, other) for other in left)
            ends[each.layer] = frozenset(other.layer for other in below if is_new)

        def enders(each: Stated) -> frozenset[str]:
            return each.enders | {layer for layer, ended in ends.items() if each.layer in ended}

        return [replace(each, enders=enders(each)) for each in stated]

    def _clashing(self, alive: Sequence[Stated]) -> list[Stated]:
        """Statements of unrelated layers that cannot be one condition."""
        return [
            each
            for each in alive
            if any(
                self.work.views.are_unrelated(each, other) and word_of(each.node) != word_of(other.node)
                for other in alive
            )
        ]

    def _with_parts(self, path: Path, form: Form, stated: Sequence[Stated], alive: Sequence[Stated]) -> Entry | None:
        word = next(found for each in alive if (found := word_of(each.node)))
        plain = self.leaves.settled(path, form, [each for each in stated if not word_of(each.node)])
        inner = [part for each in stated if (part := _part(each, word))]
        merged = self.merge((*path, word), form.child(word), inner)
        parts: tuple[Entry, ...] = merged.value.entries if merged and isinstance(merged.value, Mapping) else ()
        if plain and isinstance(plain.node, Scalar):
            # The text that stood alone has no id; the parts stand beside it.
            parts = (Entry(made_key("", plain.node), plain.node), *parts)
        if not parts or merged is None:
            return None
        whole = Mapping((Entry(merged.key, Mapping(parts, merged.value.span)),), merged.value.span)
        return Entry(alive[0].key, whole)


def _adds(above: Stated, below: Stated) -> bool:
    """Whether a statement only adds to one below it."""
    word = word_of(above.node)
    return bool(word) and not above.replaces and word_of(below.node) in ("", word) and not below.removes


def _part(each: Stated, word: str) -> Stated | None:
    entry = each.node.entry(word) if isinstance(each.node, Mapping) else None
    return replace(each, key=entry.key, node=entry.value) if entry else None
