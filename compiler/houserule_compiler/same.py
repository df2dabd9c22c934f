"""Whether two nodes say the same: short forms written out, expressions parsed, places left aside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Protocol

from . import syntax
from .diagnostics import Diagnostic
from .document import Mapping, Node, Scalar, Sequence
from .forms import Form
from .longform import is_removal, long_form

PLACES = frozenset({"span", "spans", "at", "digits"})
"""The fields of syntax nodes that say where and how something was written."""


class Parser(Protocol):
    """The expression parser, as the comparison uses it."""

    def expression(self, scalar: Scalar) -> tuple[syntax.Expression | None, list[Diagnostic]]:
        """An expression."""

    def adjustment(self, scalar: Scalar) -> tuple[syntax.Adjustment | None, list[Diagnostic]]:
        """An adjustment in its text form."""

    def type_expression(self, scalar: Scalar) -> tuple[syntax.TypeExpression | None, list[Diagnostic]]:
        """A type."""

    def alternatives(self, scalar: Scalar) -> tuple[tuple[syntax.Alternative, ...] | None, list[Diagnostic]]:
        """A row key: values and bands between bars."""

    def constant(self, scalar: Scalar) -> tuple[syntax.Expression | None, list[Diagnostic]]:
        """A literal value."""


def meaning(tree: Any) -> object:
    """A syntax tree without its places."""
    if isinstance(tree, tuple):
        return tuple(map(meaning, tree))
    if not is_dataclass(tree):
        return tree
    members = (meaning(getattr(tree, each.name)) for each in fields(tree) if each.name not in PLACES)
    return (type(tree).__name__, *members)


@dataclass(frozen=True, slots=True)
class Same:
    """Compares nodes of one place of the rules."""

    parser: Parser

    def nodes(self, one: Node, other: Node, form: Form) -> bool:
        """Whether they say the same."""
        if one is other:
            return True
        one, other = long_form(one, form), long_form(other, form)
        if isinstance(one, Scalar) and isinstance(other, Scalar):
            return self._scalars(one, other, form.kind)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            return self._maps(one, other, form)
        if isinstance(one, Sequence) and isinstance(other, Sequence):
            pairs = zip(one.items, other.items, strict=False)
            return len(one.items) == len(other.items) and all(self.nodes(*pair, form.item) for pair in pairs)
        return False

    def _maps(self, one: Mapping, other: Mapping, form: Form) -> bool:
        stated = [[each for each in node.entries if not form.says(each.key.text)] for node in (one, other)]
        keys = [[each.key.text for each in entries] for entries in stated]
        if (keys[0] if form.merge == "ordered" else sorted(keys[0])) != (
            keys[1] if form.merge == "ordered" else sorted(keys[1])
        ):
            return False
        return all(
            self.nodes(each.value, other.get(each.key.text) or other, form.child(each.key.text)) for each in stated[0]
        )

    def _scalars(self, one: Scalar, other: Scalar, kind: str) -> bool:
        if is_removal(one) or is_removal(other):
            return is_removal(one) and is_removal(other)
        if one.below is not None or other.below is not None:
            both = one.below is not None and other.below is not None
            if not both or not self._scalars(one.below or one, other.below or other, kind):
                return False
        if one.text == other.text:
            return True
        read = self._reader(kind)
        trees = (read(one)[0], read(other)[0]) if read else (None, None)
        return trees[0] is not None and trees[1] is not None and meaning(trees[0]) == meaning(trees[1])

    def _reader(self, kind: str) -> Callable[[Scalar], tuple[Any, list[Diagnostic]]] | None:
        match kind:
            case "expression" | "condition" | "dice" | "rows":
                return self.parser.expression
            case "adjustment":
                return self.parser.adjustment
            case "type":
                return self.parser.type_expression
            case "value" | "integer":
                return self.parser.constant
            case "words":
                return self.parser.alternatives
        return None
