"""From declarations to what names refer to: the order in which definitions can be worked out, and every name that
refers to nothing, to two things, or around in a circle.

Names inside expressions are followed only to find that order; `typecheck` gives them their meaning, since a word has
one only where its type is expected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from . import syntax
from .declarations import (
    Check,
    Definition,
    Field,
    Table,
    expressions_in_condition,
    expressions_in_modifier,
)
from .diagnostics import Diagnostic
from .graph import circles, in_order
from .messages import names as messages
from .references import dangling
from .ruleset import Ruleset, modifiers_by_number
from .source import Span

Node: TypeAlias = tuple[str, ...]
"""A definition that reads others: `("number", id)`, `("condition", id)`, `("fact", id)`, `("field", entity, id)`,
`("table", id)`, `("check", id)`."""

Edges: TypeAlias = Mapping[Node, Mapping[Node, Span]]
"""For each definition those that it reads, each with the first place where it does."""

READABLE = ("roles", "facts", "options", "conditions", "numbers", "tables")
KINDS = {
    "roles": "a role",
    "facts": "a fact",
    "options": "an option",
    "conditions": "a condition",
    "numbers": "a number",
    "tables": "a table",
}


@dataclass(frozen=True)
class Resolved:
    """A ruleset, with its readable definitions and checks in an order in which each comes after those it reads."""

    ruleset: Ruleset
    order: tuple[Node, ...]
    checks: tuple[str, ...]


def resolve(ruleset: Ruleset, depth: int = 64) -> tuple[Resolved, list[Diagnostic]]:
    """The order of the ruleset's definitions; reports names that cannot be resolved. `depth` limits chains."""
    edges: Edges = dict(_edges(ruleset))
    calls: Edges = {("check", each.id): dict(_called(ruleset, each)) for each in ruleset.checks.values()}
    found = [*dangling(ruleset), *_clashes(ruleset)]
    found += [messages.reference_cycle(_around(path, edges)) for path in circles(edges)]
    found += [messages.reference_cycle(_around(path, calls)) for path in circles(calls)]
    order, deep = in_order(edges, depth)
    checks, deep_checks = in_order(calls, depth)
    found += [messages.too_deep(*_place(ruleset, node), depth) for node in (*deep, *deep_checks)]
    return Resolved(ruleset, order, tuple(node[1] for node in checks)), found


def _clashes(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Names that expressions could read as two things."""
    first: dict[str, tuple[str, Span]] = {}
    for section in READABLE:
        definitions: dict[str, Definition] = getattr(ruleset, section)
        for each in definitions.values():
            here = (KINDS[section], each.place)
            if each.id in first:
                yield messages.clashing_names(each.id, here, first[each.id])
            first.setdefault(each.id, here)
    for check in ruleset.checks.values():
        for step in check.steps:
            if step.id in first:
                yield messages.clashing_names(step.id, ("a step", step.place), first[step.id])


def _around(path: list[Node], edges: Edges) -> list[tuple[str, Span]]:
    """Each definition of a circle, as people name it, with the place where it reads the next one."""
    return [
        (".".join(node[1:]), edges[node][following]) for node, following in zip(path, [*path[1:], path[0]], strict=True)
    ]


def _place(ruleset: Ruleset, node: Node) -> tuple[str, Span]:
    match node:
        case ("field", entity, id):
            fields = {each.id: each for each in ruleset.entities[entity].fields}
            return f"{entity}.{id}", fields[id].place
        case (kind, id):
            sections: dict[str, dict[str, Definition]] = {
                "number": dict(ruleset.numbers),
                "condition": dict(ruleset.conditions),
                "fact": dict(ruleset.facts),
                "check": dict(ruleset.checks),
                "table": dict(ruleset.tables),
            }
            return id, sections[kind][id].place
    raise AssertionError(node)


def _called(ruleset: Ruleset, check: Check) -> Iterator[tuple[Node, Span]]:
    for step in (*check.then, *check.steps):
        if step.call and step.call.check.id in ruleset.checks:
            yield ("check", step.call.check.id), step.call.check.span


def _edges(ruleset: Ruleset) -> Iterator[tuple[Node, Mapping[Node, Span]]]:
    """For each definition that reads others, those that it reads."""
    reads = _Reads(ruleset)
    for entity in ruleset.entities.values():
        for each in entity.fields:
            yield ("field", entity.id, each.id), reads.of_field(each, entity.id)
    for each in ruleset.facts.values():
        yield ("fact", each.id), reads.of_field(each, "")
    for condition in ruleset.conditions.values():
        yield ("condition", condition.id), reads.of(expressions_in_condition(condition.when), "")
    modifiers = modifiers_by_number(ruleset)
    for number in ruleset.numbers.values():
        owner = reads.entity(number.of.id if number.of else "")
        expressions = [
            number.base,
            *(each for found in modifiers.get(number.id, ()) for each in expressions_in_modifier(found)),
        ]
        yield ("number", number.id), reads.of(expressions, owner)
    for table in ruleset.tables.values():
        yield ("table", table.id), reads.of(_cells(table), "")


def _cells(table: Table) -> Iterator[syntax.Expression]:
    for cell in (each for row in table.rows for each in row.cells if each):
        yield cell.value.value if isinstance(cell.value, syntax.Adjustment) else cell.value


@dataclass(frozen=True)
class _Reads:
    """Finds what expressions read."""

    ruleset: Ruleset

    def entity(self, role: str) -> str:
        """The entity that plays a role, or nothing."""
        return self.ruleset.roles[role].entity.id if role in self.ruleset.roles else ""

    def of_field(self, declared: Field, entity: str) -> Mapping[Node, Span]:
        """What a computed field or fact reads."""
        return self.of([declared.computed] if declared.computed else [], entity)

    def of(self, expressions: Iterable[syntax.Expression], entity: str) -> Mapping[Node, Span]:
        """What these expressions read, once each; `entity` is the one that `its` means."""
        found: dict[Node, Span] = {}
        for name in (name for each in expressions for name in syntax.names_in(each)):
            for node in self._named(name, entity):
                found.setdefault(node, name.span)
        return dict(sorted(found.items(), key=lambda each: each[0]))

    def _named(self, name: syntax.Name, entity: str) -> Iterator[Node]:
        head, *rest = name.parts
        owner = entity if head == "its" else self.entity(head)
        if owner and rest and owner in self.ruleset.entities:
            if any(each.id == rest[0] for each in self.ruleset.entities[owner].fields):
                yield ("field", owner, rest[0])
        elif head in self.ruleset.numbers:
            yield ("number", head)
        elif head in self.ruleset.tables:
            yield ("table", head)
        elif head in self.ruleset.conditions:
            yield ("condition", head)
        elif head in self.ruleset.facts:
            yield ("fact", head)
