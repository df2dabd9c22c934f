"""What still reads a number or a field as it was, after a layer turned its direction round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from .diagnostics import Diagnostic
from .layers import Turn
from .messages import amounts as messages
from .paths import Path
from .source import Span
from .typed import Typed
from .typed_ruleset import TypedRuleset


def turned(ruleset: TypedRuleset, turns: Iterable[Turn]) -> list[Diagnostic]:
    """A finding for each place that reads what was turned, in a layer that does not know of it."""
    by_path = {each.path: each for each in turns}
    if not by_path:
        return []
    found: dict[Span, Diagnostic] = {}
    for each in _expressions(ruleset):
        turn = by_path.get(_read(each, ruleset))
        if turn and each.span.file.layer not in turn.aware:
            found[each.span] = messages.reads_turned(turn.path[-1], each.span, turn.better, turn.place)
    return list(found.values())


def _read(expression: Typed, ruleset: TypedRuleset) -> Path:
    """The path of the number or field that an expression reads, or nothing."""
    match expression.operator, *(str(each) for each in expression.operands):
        case "number", id, *_:
            return "numbers", id
        case "field", role, id if role in ruleset.declared.roles:
            return "entities", ruleset.declared.roles[role].entity.id, id
    return ()


def _expressions(part: object) -> Iterator[Typed]:
    """All typed expressions in a part of a ruleset, with those inside them."""
    if isinstance(part, Typed):
        yield from part.walk()
    elif isinstance(part, dict):
        yield from _expressions(tuple(part.values()))
    elif isinstance(part, tuple):
        for each in part:
            yield from _expressions(each)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name != "declared":
                yield from _expressions(getattr(part, field.name))
