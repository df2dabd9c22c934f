"""Keys that have no effect beside others, or without others: each is told, since nothing written is passed over.

The schema allows each of these keys alone. Which of them go together is looked at here, after layers have come
together: a layer may write one beside another that stands below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..diagnostics import Diagnostic
from ..document import Entry, Mapping, Node
from ..messages import declare as messages

OWN_STEP = ("roll", "check", "as", "adjust", "values", "effects", "cases", "outcome", "go")
"""What a check says of its own course, where it has no steps."""
CALL = ("as", "adjust", "then")
"""What concerns the check that is called."""
SIDES = ("bonuses", "penalties", "all")


def unread_of_check(body: Node) -> Iterator[Diagnostic]:
    """What of a check is not followed: its own course beside steps, a start without them."""
    if not isinstance(body, Mapping):
        return
    if steps := body.entry("steps"):
        yield from _beside(body, OWN_STEP, steps)
        return
    yield from without(body, ("start",), ("steps",))
    yield from unread_of_call(body, CALL[:2])


def unread_of_call(body: Node, keys: Sequence[str] = CALL) -> Iterator[Diagnostic]:
    """What says how a check is called where none is."""
    yield from without(body, keys, ("check",))


def unread_of_condition(node: Node) -> Iterator[Diagnostic]:
    """Parts under `any` beside those under `all`, of which one would be passed over; or either beside `when`."""
    if not isinstance(node, Mapping):
        return
    first = next((found for each in ("when", "all", "any") if (found := node.entry(each))), None)
    if first:
        yield from _beside(node, [each for each in ("all", "any") if each != first.key.text], first)


def unread_of_group(body: Node) -> Iterator[Diagnostic]:
    """A tie in a group that compares nothing."""
    yield from without(body, ("tie",), SIDES)


def unread_of_example(body: Node, kind: Entry) -> Iterator[Diagnostic]:
    """Dice where nothing is rolled, and chances of what has none."""
    keys = {"number": ("dice", "odds"), "table": ("dice", "odds"), "sequence": ("odds",), "action": ("odds",)}
    yield from _beside(body, keys.get(kind.key.text, ()), kind)


def unread_of_moment(body: Node, places: Sequence[str]) -> Iterator[Diagnostic]:
    """Where a moment falls, where each of its cases says so itself."""
    cases = body.entry("cases") if isinstance(body, Mapping) else None
    stated = cases.value.entries if cases and isinstance(cases.value, Mapping) else ()
    if cases and stated and all(_stated(each.value, places) for each in stated):
        yield from _beside(body, places, cases)


def without(body: Node, keys: Iterable[str], wanted: Sequence[str]) -> Iterator[Diagnostic]:
    """Those of `keys` that stand there without any of those that they belong to."""
    if not _stated(body, wanted):
        yield from (messages.without_its_key(each.key, wanted) for each in _stated(body, keys))


def _beside(body: Node, keys: Iterable[str], other: Entry) -> Iterator[Diagnostic]:
    """One finding for all of `keys` that stand beside what rules them out."""
    found = _stated(body, keys)
    if found:
        yield messages.beside(found[0].key, other.key, [each.key for each in found[1:]])


def _stated(body: Node, keys: Iterable[str]) -> list[Entry]:
    return [found for each in keys if isinstance(body, Mapping) and (found := body.entry(each))]
