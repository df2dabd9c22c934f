"""Which definition reads which: that they form no circle, and that no question nests too deep or takes too long.

Refuses with `ArtifactError`. Also finds every name that does not exist, since nothing can be followed without it.
"""

from __future__ import annotations

from .errors import BeyondLimitError, printable
from .expression import (
    Attribute,
    ConditionRead,
    DiceTerm,
    FactRead,
    FieldRead,
    ItsRead,
    Local,
    Lookup,
    NumberRead,
    OverSides,
    parts,
)
from .item import refuse
from .limits import COST, NESTING, SIDES
from .program import expressions_of_effects, expressions_of_entry, expressions_of_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from dataclasses import dataclass
    from typing import TypeAlias, TypeVar

    from .expression import Expr
    from .program import Case, Check, Program, Step

    Name: TypeAlias = tuple[str, ...]
    T = TypeVar("T")
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class _Node:
    """One definition: its expressions, how often each is worked out, the checks that it calls, and its own steps.

    `players` are the entities of those who take part in a sequence, `sequence` is the one whose values can be read.
    """

    exprs: tuple[Expr, ...]
    entity: str = ""
    times: int = 1
    calls: tuple[str, ...] = ()
    steps: int = 0
    players: Mapping[str, str] | None = None
    sequence: str = ""


def nesting(program: Program, most: int = COST) -> None:
    """Refuse circles among definitions, and questions beyond the limits of nesting and cost."""
    nodes = dict(_nodes(program))
    edges = {name: [*_edges(program, node)] for name, node in nodes.items()}
    done: dict[Name, tuple[int, int]] = {}
    for name in _in_order(edges):
        done[name] = _measured(program, nodes[name], done)
        depth, cost = done[name]
        if depth > NESTING:
            raise _beyond(name, f"what it reads is nested more than {NESTING} deep", True)
        if cost > most:
            raise _beyond(name, f"it takes more than {most} steps", False)


def _beyond(name: Name, message: str, is_deep: bool) -> BeyondLimitError:
    text = printable(f"this artifact is damaged: {_shown(name)}: {message}", 400)
    return BeyondLimitError(text, name, is_deep)


def dice_of(step: Step | Case) -> tuple[Expr, ...]:
    """All expressions of the dice of a step or case."""
    return tuple(expr for die in step.roll for expr in (die.dice, die.when) if expr is not None)


def expressions_of_step(step: Step) -> Iterator[Expr]:
    """All expressions of a step, with those of its cases and of its call's adjustments."""
    yield from _shared(step)
    if step.call:
        yield from (adjust.value for adjust in step.call.adjusts)
    for case in step.cases:
        yield from _shared(case)
        yield from (expr for expr in (case.when, case.outcome) if expr is not None)


def _shared(part: Step | Case) -> Iterator[Expr]:
    yield from dice_of(part)
    yield from (value.value for value in part.values)
    yield from expressions_of_effects(part.effects)


def found(known: Mapping[str, T], id: str, what: str, at: str) -> T:
    """The definition of that id, or the artifact is refused."""
    if id not in known:
        refuse(at, f"no {what} `{id[:60]}`")
    return known[id]


def _nodes(program: Program) -> Iterator[tuple[Name, _Node]]:
    for entity in program.entities.values():
        for field in entity.fields.values():
            if field.computed is not None:
                yield ("field", entity.label.id, field.label.id), _Node((field.computed,), entity.label.id)
    for id, fact in program.facts.items():
        if fact.computed is not None:
            yield ("fact", id), _Node((fact.computed,))
    for id, condition in program.conditions.items():
        yield ("condition", id), _Node((condition.when,))
    for id, condition in program.impossible.items():
        yield ("impossible", id), _Node((condition.when,))
    for id, table in program.tables.items():
        yield ("table", id), _Node(table.worked, times=0)
    for id, number in program.numbers.items():
        each = [expr for entry in number.entries if entry.each is not None for expr in expressions_of_entry(entry)]
        yield ("number", id), _Node((*expressions_of_number(number), *each * 31))
    for id, check in program.checks.items():
        yield ("check", id), _check_node(check)
    if program.actions or program.triggers or program.sequences:
        yield from _play(program)


def _play(program: Program) -> Iterator[tuple[Name, _Node]]:
    from .rounds import expressions_of_sequence

    for id, action in program.actions.items():
        requires = [each.when for each in action.requires]
        yield ("action", id), _Node((*requires, *(each.value for each in action.adjusts)))
    for id, trigger in program.triggers.items():
        adjusts = (each.value for each in trigger.adjusts)
        yield ("trigger", id), _Node((trigger.when, *adjusts, *expressions_of_effects(trigger.effects)))
    for id, sequence in program.sequences.items():
        players = sequence.players() | ({"side": sequence.side} if sequence.side else {})
        for name, value in sequence.values.items():
            yield ("value", id, name), _Node((value.value,), players=players, sequence=id)
        exprs = tuple(expressions_of_sequence(sequence))
        yield ("sequence", id), _Node(exprs, players=players, sequence=id)


def _check_node(check: Check) -> _Node:
    steps = (*check.steps.values(), *check.then.values())
    exprs = tuple(expr for step in steps for expr in expressions_of_step(step))
    return _Node(exprs, calls=tuple(step.call.check for step in steps if step.call), steps=len(steps))


def _edges(program: Program, node: _Node) -> Iterator[Name]:
    for check in node.calls:
        found(program.checks, check, "check", "a call")
        yield "check", check
    pending = list(node.exprs)
    while pending:
        expr = pending.pop()
        pending += parts(expr)
        name = _named(program, expr, node)
        if name:
            yield name


def _named(program: Program, expr: Expr, node: _Node) -> Name | None:
    """The definition that an expression reads, where that is one that reads others."""
    match expr:
        case FieldRead(role, field):
            owner = (node.players or {}).get(role) or found(program.roles, role, "role", "an expression").entity
            return _field(program, owner, field)
        case ItsRead(field):
            return _field(program, node.entity, field)
        case FactRead(id):
            return ("fact", id) if found(program.facts, id, "fact", "an expression").computed is not None else None
        case ConditionRead(id):
            found(program.conditions, id, "condition", "an expression")
            return "condition", id
        case NumberRead(id):
            found(program.numbers, id, "number", "an expression")
            return "number", id
        case Local(path) if node.sequence and path in program.sequences[node.sequence].values:
            return "value", node.sequence, path
        case Lookup(table):
            found(program.tables, table, "table", "an expression")
            return "table", table
    return None


def _field(program: Program, owner: str, field: str) -> Name | None:
    entity = found(program.entities, owner, "entity", "an expression")
    computed = found(entity.fields, field, "field", f"entity `{owner}`").computed
    return ("field", owner, field) if computed is not None else None


def _in_order(edges: dict[Name, list[Name]]) -> list[Name]:
    """All definitions, each after those that it reads."""
    open_reads = {name: len(set(reads)) for name, reads in edges.items()}
    readers: dict[Name, list[Name]] = {name: [] for name in edges}
    for name, reads in edges.items():
        for read in set(reads):
            readers[read].append(name)
    ready = [name for name, count in open_reads.items() if not count]
    for name in ready:
        for reader in readers[name]:
            open_reads[reader] -= 1
            if not open_reads[reader]:
                ready.append(reader)
    if len(ready) < len(edges):
        circle = min(name for name, count in open_reads.items() if count)
        refuse(_shown(circle), "it reads itself, or what reads it")
    return ready


def _measured(program: Program, node: _Node, done: dict[Name, tuple[int, int]]) -> tuple[int, int]:
    """Depth and cost of a definition; a table costs its dearest cell, since one look-up works out one cell."""
    sizes = [_size(program, expr, node, done) for expr in node.exprs]
    calls = [done["check", check] for check in node.calls]
    depth = max((size[0] for size in sizes), default=0)
    below = max((size[0] for size in calls), default=0)
    costs = [size[1] for size in (*sizes, *calls)]
    cost = sum(costs) if node.times else max(costs, default=0)
    return max(depth, below) + 3, cost + node.steps + 1


def _size(program: Program, expr: Expr, node: _Node, done: dict[Name, tuple[int, int]]) -> tuple[int, int]:
    inner = parts(expr)
    depth, cost = 0, expr.count if isinstance(expr, DiceTerm) else 1
    for each in inner:
        below = _size(program, each, node, done)
        depth, cost = max(depth, below[0]), cost + below[1] * (SIDES if isinstance(expr, OverSides) else 1)
    name = None if isinstance(expr, int | Attribute) else _named(program, expr, node)
    if name:
        depth, cost = max(depth, done[name][0]), cost + done[name][1]
    return depth + 1, cost


def _shown(name: Name) -> str:
    return f"{name[0]} `{'.'.join(name[1:])}`"
