"""Reading nodes of a document as parts of definitions.

`shape` has already reported every node of the wrong kind, so that nothing here reports one: it reads as absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from dataclasses import replace
from typing import Literal, Protocol, TypedDict, TypeVar, cast

from .. import syntax
from ..declarations import (
    Adjust,
    Change,
    Citation,
    Condition,
    Given,
    Grade,
    Operation,
    Part,
    Rebind,
    Reference,
)
from ..diagnostics import Diagnostic
from ..document import Entry, Mapping, Node, Scalar, Sequence
from ..limits import Limits
from ..messages import declare as messages
from ..source import SourceFile, Span
from .unread import unread_of_condition

Tree = TypeVar("Tree")
OPERATIONS = ("set", "multiply", "at_least", "at_most", "no_better_than", "no_worse_than", "better", "worse", "add")
LABELS = ("title", "note", "source")


class Parser(Protocol):
    """The expression parser, as `declare` uses it."""

    limits: Limits

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


class Labels(TypedDict):
    """The keyword arguments that every definition takes."""

    id: str
    place: Span
    title: str
    note: str
    source: Citation | None


def text(node: Node | None) -> str:
    """The text of a scalar, or nothing."""
    return node.text if isinstance(node, Scalar) else ""


def is_true(node: Node | None) -> bool:
    """Whether it is a plain `true`."""
    return isinstance(node, Scalar) and node.is_plain and node.text == "true"


def entries(node: Node | None) -> tuple[Entry, ...]:
    """The entries of a map, or none."""
    return node.entries if isinstance(node, Mapping) else ()


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list, or none."""
    return node.items if isinstance(node, Sequence) else ()


def is_empty(node: Node | None) -> bool:
    """Whether a list or a map has nothing in it."""
    return isinstance(node, Mapping | Sequence) and not (items(node) or entries(node))


def reference(node: Node | None) -> Reference | None:
    """The name that a scalar holds."""
    return Reference(node.text, node.span) if isinstance(node, Scalar) and node.text else None


def references(node: Node | None) -> tuple[Reference, ...]:
    """The names in a list of words."""
    return tuple(found for each in items(node) if (found := reference(each)))


def field(node: Node | None, key: str) -> Node | None:
    """The value of a key of a map, or None."""
    return node.get(key) if isinstance(node, Mapping) else None


def flattened(node: Node | None, prefix: str = "") -> Iterator[Given]:
    """The leaves of nested maps with their dotted paths; lists are leaves."""
    for each in entries(node):
        path = f"{prefix}{each.key.text}"
        if isinstance(each.value, Mapping) and each.value.entries:
            yield from flattened(each.value, f"{path}.")
        else:
            yield Given(path=path, place=each.key.span, value=each.value)


class Reader:
    """Reads the parts of definitions; what is wrong with them collects in `diagnostics`.

    `defaults` has by file the document that its definitions stand on unless they say otherwise, `documents` the ids of
    all documents.
    """

    def __init__(
        self,
        parser: Parser,
        diagnostics: list[Diagnostic],
        defaults: Map[SourceFile, Scalar],
        documents: frozenset[str],
    ) -> None:
        self._parser = parser
        self.limits = parser.limits
        self.diagnostics = diagnostics
        self._defaults = defaults
        self._documents = documents

    def apart(self, entry: Entry, read: Callable[[Entry, Reader], Tree]) -> tuple[Tree, list[Diagnostic]]:
        """A definition, and what is wrong with it alone."""
        told: list[Diagnostic] = []
        return read(entry, Reader(self._parser, told, self._defaults, self._documents)), told

    def labels(self, entry: Entry) -> Labels:
        """Id, place, title, note and source of the definition at `entry`."""
        body = entry.value
        return {
            "id": entry.key.text,
            "place": entry.key.span,
            "title": text(field(body, "title")),
            "note": text(field(body, "note")),
            "source": self._citation(field(body, "source"), entry.key.span),
        }

    def _citation(self, node: Node | None, owner: Span) -> Citation | None:
        if not isinstance(node, Scalar) or not node.text:
            default = self._defaults.get(owner.file)
            return Citation(default.text, "", default.span) if default and default.text else None
        default = self._defaults.get(node.span.file)
        head, _, rest = node.text.partition(" ")
        if rest or not default or not default.text or head in self._documents:
            return Citation(head, rest.strip(), node.span)
        return Citation(default.text, head, node.span)

    def expression(self, node: Node | None, owner: Span) -> syntax.Expression:
        """The expression of a scalar; broken where there is none."""
        if not isinstance(node, Scalar):
            return syntax.Broken(node.span if node else owner)
        tree: syntax.Expression = self._parsed(self._parser.expression(node)) or syntax.Broken(node.span)
        return tree if node.below is None else syntax.substituted(tree, self.expression(node.below, owner))

    def optional_expression(self, node: Node | None) -> syntax.Expression | None:
        """The expression of a scalar, or None where there is no node."""
        return self.expression(node, node.span) if node else None

    def constant(self, node: Node | None, owner: Span) -> syntax.Expression:
        """The literal value of a scalar; broken where there is none."""
        if not isinstance(node, Scalar):
            return syntax.Broken(node.span if node else owner)
        return self._parsed(self._parser.constant(node)) or syntax.Broken(node.span)

    def type(self, node: Node | None) -> syntax.TypeExpression | None:
        """The type that a scalar names, or None where there is none or it did not parse."""
        return self._parsed(self._parser.type_expression(node)) if isinstance(node, Scalar) else None

    def row_key(self, key: Scalar) -> tuple[syntax.Alternative, ...]:
        """The values and bands of a row key; none where it did not parse."""
        return self._parsed(self._parser.alternatives(key)) or ()

    def adjustment(self, node: Node) -> syntax.Adjustment | None:
        """An adjustment in its text form."""
        if not isinstance(node, Scalar):
            return None
        tree = self._parsed(self._parser.adjustment(node))
        below = self.adjustment(node.below) if node.below is not None else None
        return replace(tree, value=syntax.substituted(tree.value, below.value)) if tree and below else tree

    def _parsed(self, outcome: tuple[Tree | None, list[Diagnostic]]) -> Tree | None:
        tree, found = outcome
        self.diagnostics.extend(found)
        return tree

    def condition(self, node: Node | None) -> Condition | None:
        """One expression, or named parts under `all` or `any`; None where there is none."""
        if node is None:
            return None
        if isinstance(node, Scalar):
            part = Part(id="", place=node.span, when=self.expression(node, node.span))
            return Condition(combine="all", parts=(part,), span=node.span, text=node.text)
        self.diagnostics.extend(unread_of_condition(node))
        for combine in ("all", "any"):
            if (stated := node.entry(combine) if isinstance(node, Mapping) else None) is not None:
                return self._parts(combine, stated)
        return None

    def _parts(self, combine: Literal["all", "any"], entry: Entry) -> Condition:
        node = entry.value
        if is_empty(node):
            self.diagnostics.append(messages.incomplete(entry.key, "conditions", "high: level > 3"))
        parts = tuple(self._part(each) for each in entries(node))
        joined = (" and " if combine == "all" else " or ").join(text(_part_text(each)) for each in entries(node))
        return Condition(combine=combine, parts=parts, span=node.span, text=joined)

    def _part(self, entry: Entry) -> Part:
        if _part_text(entry) is None:
            self.diagnostics.append(messages.incomplete(entry.key, "a condition", "when: level > 3"))
        return Part(**self.labels(entry), when=self.expression(_part_text(entry), entry.key.span))

    def rebinds(self, node: Node | None) -> tuple[Rebind, ...]:
        """The pairs of `as`."""
        return tuple(
            Rebind(role=Reference(each.key.text, each.key.span), player=player)
            for each in entries(node)
            if (player := reference(each.value))
        )

    def adjusts(self, node: Node | None, is_graded: bool = False) -> tuple[Adjust, ...]:
        """The entries of `adjust`: one change for each number, or its grades."""
        return tuple(self._adjust(each, is_graded) for each in entries(node))

    def _adjust(self, entry: Entry, is_graded: bool) -> Adjust:
        number = Reference(entry.key.text, entry.key.span)
        value = entry.value
        if is_graded and isinstance(value, Mapping) and not any(value.entry(each) for each in OPERATIONS):
            return Adjust(number=number, change=None, grades=tuple(self._grades(value)), span=value.span)
        return Adjust(number=number, change=self.change(value), span=value.span)

    def _grades(self, node: Mapping) -> Iterator[Grade]:
        for each in node.entries:
            change = self.change(each.value)
            if change:
                yield from (Grade(key=key, change=change) for key in self.row_key(each.key))

    def change(self, node: Node) -> Change | None:
        """One adjustment, in its text form or as a map with an operation; None where it did not parse."""
        if isinstance(node, Mapping):
            return self._mapped_change(node)
        found = self.adjustment(node)
        if not found:
            return None
        word = found.sign in ("better", "worse")
        return Change(
            operation=cast(Operation, found.sign) if word else "add",
            value=found.value,
            span=found.span,
            is_signed=found.sign in ("+", "-"),
        )

    def _mapped_change(self, node: Mapping) -> Change | None:
        stated = [each for each in node.entries if each.key.text in OPERATIONS]
        if len(stated) != 1:
            self.diagnostics.append(messages.one_adjustment(node.span, [each.key.span for each in stated]))
            return None
        entry = stated[0]
        round_word = text(node.get("round"))
        return Change(
            operation=cast(Operation, entry.key.text),
            value=self.expression(entry.value, entry.key.span),
            span=node.span,
            is_signed=True,
            round=cast('Literal["up", "down", "nearest"]', round_word) if round_word else None,
        )


def _part_text(entry: Entry) -> Node | None:
    return entry.value if isinstance(entry.value, Scalar) else field(entry.value, "when")
