"""What an example of a sequence expects, beside what the runtime orders: the same forms on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .declarations import Example, Given
from .diagnostics import Diagnostic
from .document import Mapping as Map
from .document import Node, Scalar
from .document import Sequence as List
from .messages import examples as messages

if TYPE_CHECKING:
    from houserule import Order, PlacedMoment

WHOLE = ("order", "left_out", "carried", "may_spoil", "calls")
"""What an example of a sequence may expect, besides effects."""


def compared(example: Example, order: Order) -> Iterator[Diagnostic]:
    """What differs from the expectations that concern the order; others are not looked at."""
    for each in example.expect:
        if each.path == "order":
            yield from _order(example, each, order)
        elif each.path == "carried":
            yield from _names(example, each, "carried", [moment.name for moment in order.coming])
        elif each.path in WHOLE:
            yield from _by_name(example, each, _FOUND[each.path](order))


def lines(order: Order) -> list[str]:
    """The order as an author writes it: `melee 4: fighter strike + goblins strike`."""
    return [f"{_where(group[0])}: {' + '.join(str(each) for each in group)}" for group in order.groups]


def _where(moment: PlacedMoment) -> str:
    return moment.step + ("" if moment.segment is None else f" {moment.segment}")


def _order(example: Example, given: Given, order: Order) -> Iterator[Diagnostic]:
    found = [(_where(group[0]), sorted(str(each) for each in group)) for group in order.groups]
    expected = list(_groups(given.value))
    for place, (node, where, names) in enumerate(expected):
        if place >= len(found) or (where, sorted(names)) != found[place]:
            line = lines(order)[place] if place < len(found) else "nothing more"
            yield messages.order_differs(example.id, line, f"{where}: {' + '.join(names)}", node.span, lines(order))
            return
    if len(found) > len(expected):
        line = lines(order)[len(expected)]
        yield messages.order_differs(example.id, line, "nothing more", given.place, lines(order))


def _groups(node: Node) -> Iterator[tuple[Node, str, list[str]]]:
    """Each expected group: where it stands, and its moments. What is not of this form is a group of its own."""
    for item in node.items if isinstance(node, List) else [node]:
        if not isinstance(item, Map):
            yield item, _text(item), []
            continue
        for entry in item.entries:
            names = [" ".join(each.split()) for each in _text(entry.value).split(" + ")]
            yield entry.value, " ".join(entry.key.text.split()), names


def _text(node: Node) -> str:
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def _texts(node: Node) -> list[str]:
    return [_text(each) for each in node.items] if isinstance(node, List) else [_text(node)]


def _names(example: Example, given: Given, what: str, found: list[str]) -> Iterator[Diagnostic]:
    expected = _texts(given.value)
    if sorted(expected) != sorted(found):
        yield messages.differs(example.id, f"`{what}`", _listed(found), _listed(expected), given.value.span, ())


def _by_name(example: Example, given: Given, found: Mapping[str, list[str]]) -> Iterator[Diagnostic]:
    """Each name with its values; a name that is found and not expected is told too."""
    entries = given.value.entries if isinstance(given.value, Map) else ()
    names = {" ".join(each.key.text.split()): each for each in entries}
    for name, entry in names.items():
        expected = _texts(entry.value)
        if sorted(expected) != sorted(found.get(name, [])):
            there = _listed(found.get(name, [])) if name in found else "nothing"
            known = [f"{each}: {_listed(values)}" for each, values in found.items()]
            what = f"`{given.path}` of `{name}`"
            yield messages.differs(example.id, what, there, _listed(expected), entry.key.span, known)
    for name in [each for each in found if each not in names]:
        what = f"`{given.path}` of `{name}`"
        yield messages.differs(example.id, what, _listed(found[name]), "nothing", given.place, ())


def _listed(names: Iterable[str]) -> str:
    each = list(names)
    return each[0] if len(each) == 1 else f"[{', '.join(each)}]"


def _left_out(order: Order) -> dict[str, list[str]]:
    return {each.name: [each.reason] for each in order.left_out}


def _may_spoil(order: Order) -> dict[str, list[str]]:
    moments = (*order.moments(), *order.coming, *order.lost)
    return {each.name: [*each.may_be_spoiled_by] for each in moments if each.may_be_spoiled_by}


def _calls(order: Order) -> dict[str, list[str]]:
    return {each.step: [*filter(None, (each.check, each.sequence))] for each in order.entries}


_FOUND: dict[str, Callable[[Order], dict[str, list[str]]]] = {
    "left_out": _left_out,
    "may_spoil": _may_spoil,
    "calls": _calls,
}
