"""The places that a ruleset gives to entries of ordered maps, each with its two neighbours below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from .. import document
from ..document import Entry, Scalar
from ..edits import Placing
from ..forms import Form
from ..paths import Path

Side = Literal["before", "after"]
SIDES: tuple[Side, ...] = ("before", "after")


def placings(path: Path, form: Form, own: document.Mapping, under: document.Mapping) -> Iterator[Placing]:
    """What `own` places in the map at `path`, over the entries of `under`."""
    wishes = {each.key.text: wish for each in own.entries for wish in _wishes(each, form)}
    below = {each.key.text: each for each in under.entries}
    fixed = [id for id in below if id not in wishes]
    for id, (side, anchor) in wishes.items():
        between = _between(side, anchor.text, wishes, fixed)
        if between is not None or anchor.text not in wishes:
            shown = tuple(below[each].key.span for each in between or () if each is not None)
            yield Placing((*path, id), side, anchor.text, between or (), anchor.span, shown)
    order = own.entry("order") if form.says("order") else None
    if order and below:
        yield Placing(path, "order", "", tuple(below), order.key.span, tuple(each.key.span for each in below.values()))


def _wishes(entry: Entry, form: Form) -> Iterator[tuple[Side, Scalar]]:
    inner = form.child(entry.key.text)
    for side in SIDES:
        anchor = entry.value.get(side) if isinstance(entry.value, document.Mapping) and inner.says(side) else None
        if isinstance(anchor, Scalar):
            yield side, anchor


def _between(
    side: Side, anchor: str, wishes: Mapping[str, tuple[Side, Scalar]], fixed: Sequence[str]
) -> tuple[str | None, str | None] | None:
    """The two entries below between which an entry comes to stand; None where its anchor is no entry below.

    An anchor that has a wish of its own stands where that puts it.
    """
    seen: set[str] = set()
    while anchor in wishes and anchor not in seen:
        seen.add(anchor)
        side, anchor = wishes[anchor][0], wishes[anchor][1].text
    if anchor not in fixed:
        return None
    at = fixed.index(anchor)
    if side == "after":
        return anchor, fixed[at + 1] if at + 1 < len(fixed) else None
    return fixed[at - 1] if at else None, anchor
