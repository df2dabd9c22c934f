"""Values of examples and of the runtime, beside each other: as plain values, as an author writes them, and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import houserule

from .declarations import Example, Given
from .diagnostics import Diagnostic
from .document import Mapping as Map
from .document import Node, Scalar, Sequence
from .messages import examples as messages

INTEGER = re.compile(r"[+-]?[0-9]{1,16}")


def plain(node: Node) -> object:
    """A YAML value as a caller of the runtime would give it."""
    if isinstance(node, Sequence):
        return [plain(each) for each in node.items]
    if isinstance(node, Map):
        return {each.key.text: plain(each.value) for each in node.entries}
    assert isinstance(node, Scalar)
    if node.is_plain and node.text in ("true", "false"):
        return node.text == "true"
    return int(node.text) if node.is_plain and INTEGER.fullmatch(node.text) else node.text


def shown(value: object) -> str:
    """A value of the runtime as an author would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list | frozenset):
        return f"[{', '.join(shown(each) for each in value)}]"
    return str(value)


def same(expected: object, found: object) -> bool:
    """Whether an expected value is the one that was found; the order of a set does not matter."""
    if isinstance(found, bool) or isinstance(expected, bool):
        return expected is found
    if isinstance(found, int | Fraction):
        return _number(expected) == found
    if isinstance(found, tuple | list | frozenset):
        return isinstance(expected, list) and sorted(map(str, expected)) == sorted(map(str, found))
    return shown(expected) == shown(found)


def _number(expected: object) -> Fraction | None:
    try:
        return Fraction(str(expected).replace("+", "", 1))
    except (ValueError, ZeroDivisionError):
        return None


def differing(
    example: Example, expectations: Iterable[Given], found: Mapping[str, object], lines: Iterable[str] = ()
) -> Iterator[Diagnostic]:
    """What is expected and not there, or otherwise; `lines` tell how the answer came about."""
    steps = list(lines)
    for each in expectations:
        if each.path not in found:
            yield messages.unknown_expectation(example.id, each.path, each.place, list(found))
        elif not same(plain(each.value), found[each.path]):
            expected, given = shown(plain(each.value)), shown(found[each.path])
            yield messages.differs(example.id, f"`{each.path}`", given, expected, each.value.span, steps)


def effects(follows: Iterable[houserule.Effect | houserule.Happening]) -> Iterator[tuple[str, object]]:
    """What followed, by the path of an expectation: an event without arguments is just true."""
    for each in follows:
        if isinstance(each, houserule.Effect):
            yield f"effects.{each.path}", each.value
        else:
            yield from ((f"effects.{each.event}.{name}", value) for name, value in each.arguments.items())
            if not each.arguments:
                yield f"effects.{each.event}", True
