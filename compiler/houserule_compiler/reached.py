"""What a number, check or sequence comes upon: every definition by its path, and how it uses each fact.

A fact that is only compared with constants, matched with bands or looked up in tables is *classified*: all of its
values between two cuts mean the same. One whose value itself counts is whole, and each of its values may matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from houserule.expression import (
    Attribute,
    ConditionRead,
    FactRead,
    FieldRead,
    ItsRead,
    Key,
    Known,
    Lookup,
    NumberRead,
    Operation,
    OptionRead,
    Within,
    parts,
)
from houserule.nesting import expressions_of_step
from houserule.program import Bands, Cell, Dense, expressions_of_effects
from houserule.rounds import expressions_of_sequence

if TYPE_CHECKING:
    from houserule.expression import Expr
    from houserule.program import Entry, Field, Index, Number, Program, Table

Declared: TypeAlias = str
"""The path of a field or fact as it is declared: `entities.creature.hit_dice`, `facts.setting`."""
# How far behind the constant a class begins that a comparison makes, and the same with the constant in front.
_COMPARED = {"==": (0, 1), "!=": (0, 1), "<": (0,), ">=": (0,), ">": (1,), "<=": (1,)}
_TURNED = {"==": (0, 1), "!=": (0, 1), ">": (0,), "<=": (0,), "<": (1,), ">=": (1,)}


@dataclass(slots=True)
class Use:
    """How a fact is used: where its classes begin, by code, and whether its value itself counts.

    `aimed` are codes that are tried whatever else is: those of what has changed.
    """

    cuts: set[int] = field(default_factory=set)
    is_whole: bool = False
    aimed: set[int] = field(default_factory=set)


class Reached:
    """All that some definitions come upon. `options` are the values that they are played with."""

    def __init__(self, program: Program, options: Mapping[str, object]) -> None:
        self.program = program
        self.options = options
        self.players: dict[str, str] = {}
        self.names: set[str] = set()
        self.uses: dict[Declared, Use] = {}
        self.lookups: list[tuple[str, tuple[Expr, ...], str]] = []
        """Each look-up: the table, the keys, and the entity whose computed field it is in."""

    def number(self, id: str) -> Reached:
        """With all that a number comes upon."""
        if self._is_new(f"numbers.{id}"):
            number = self.program.numbers[id]
            self.expr(number.base)
            for entry in number.entries:
                self.entry(entry, number)
        return self

    def check(self, id: str) -> Reached:
        """With all that a check comes upon, and the checks that it calls."""
        if self._is_new(f"checks.{id}"):
            check = self.program.checks[id]
            for step in (*check.steps.values(), *check.then.values()):
                for expr in expressions_of_step(step):
                    self.expr(expr)
                if step.call:
                    self.check(step.call.check)
            if check.choice:
                self.names.add(f"choices.{check.choice}")
        return self

    def action(self, id: str) -> Reached:
        """With all that an action comes upon before its check is rolled."""
        action = self.program.actions[id]
        self.names.add(f"actions.{id}")
        return self._exprs(*(each.when for each in action.requires), *(each.value for each in action.adjusts))

    def trigger(self, id: str) -> Reached:
        """With all that a trigger comes upon before its check is rolled."""
        trigger = self.program.triggers[id]
        self.names.add(f"triggers.{id}")
        adjusts = [each.value for each in trigger.adjusts]
        return self._exprs(trigger.when, *adjusts, *expressions_of_effects(trigger.effects))

    def sequence(self, id: str) -> Reached:
        """With all that puts a round in order, and the actions that have a place in it; no check is rolled for that."""
        sequence = self.program.sequences[id]
        self.names.add(f"sequences.{id}")
        self.players = {**sequence.players(), "side": sequence.side}
        self._exprs(*expressions_of_sequence(sequence), *(each.value for each in sequence.values.values()))
        for action in sequence.places:
            if action in self.program.actions:
                self.action(action)
        return self

    def _exprs(self, *exprs: Expr) -> Reached:
        for expr in exprs:
            self.expr(expr)
        return self

    def entry(self, entry: Entry, number: Number) -> None:
        """With what one modifier does to a number."""
        self.names.add(f"modifiers.{entry.modifier}")
        if entry.group:
            self.names.add(f"stacking.{entry.group}")
        for expr in (entry.when, entry.value, entry.times, *(grade.value for grade in entry.grades)):
            if expr is not None:
                self.expr(expr)
        bands = [(grade.low, grade.high) for grade in entry.grades]
        if entry.by is not None:
            self._classified(entry.by, _cuts(bands))
        if entry.each is not None:
            self.expr(entry.each)

    def expr(self, expr: Expr, owner: str = "") -> None:
        """With what an expression comes upon; `owner` is the entity whose computed field it is."""
        match expr:
            case FieldRead() | FactRead() | ItsRead():
                self._read(expr, owner).is_whole = True
            case Known(read):
                self._known(read, owner)
            case Operation(operator, (one, other)) if operator in _COMPARED and self._constant(other) is not None:
                self._classified(one, _around(self._constant(other), _COMPARED[operator]), owner)
            case Operation(operator, (one, other)) if operator in _COMPARED and self._constant(one) is not None:
                self.names.update(_option(one))
                self._classified(other, _around(self._constant(one), _TURNED[operator]), owner)
            case Within(item, bands):
                self._classified(item, _cuts(bands), owner)
            case Lookup(id, _, keys):
                self._table(id, keys, owner)
            case _:
                self._named(expr)
                for each in parts(expr):
                    self.expr(each, owner)
        for each in parts(expr):
            self.names.update(_option(each))

    def _named(self, expr: Expr) -> None:
        match expr:
            case OptionRead(id):
                self.names.add(f"options.{id}")
            case NumberRead(id):
                self.number(id)
            case Attribute(choice):
                self.names.add(f"choices.{choice}")
            case ConditionRead(id) if self._is_new(f"conditions.{id}"):
                self.expr(self.program.conditions[id].when)

    def _classified(self, expr: Expr, cuts: Iterable[int], owner: str = "") -> None:
        if isinstance(expr, FieldRead | FactRead | ItsRead):
            self._read(expr, owner).cuts.update(cuts)
        else:
            self.expr(expr, owner)

    def _table(self, id: str, keys: tuple[Expr, ...], owner: str) -> None:
        table = self.program.tables[id]
        self.lookups.append((id, keys, owner))
        cells = [cell.expr for row in table.rows for cell in row if isinstance(cell, Cell)]
        if self._is_new(f"tables.{id}"):
            for cell in cells:
                self.expr(cell)
        read = set(_keys_in(cells))
        for at, key in enumerate(keys):
            if at in read:
                self.expr(key, owner)
            self._classified(key, _cuts_of(table, at), owner)

    def declared(self, expr: FieldRead | FactRead | ItsRead, owner: str) -> Declared:
        """Where what is read is declared; `owner` is the entity whose computed field reads it."""
        if isinstance(expr, FactRead):
            return f"facts.{expr.id}"
        return f"entities.{self._entity(expr.role) if isinstance(expr, FieldRead) else owner}.{expr.field}"

    def _entity(self, role: str) -> str:
        found = self.program.roles.get(role)
        return found.entity if found else self.players.get(role, "")

    def _read(self, expr: FieldRead | FactRead | ItsRead, owner: str) -> Use:
        match expr:
            case FactRead(id):
                return self._use(f"facts.{id}", self.program.facts[id], "")
            case FieldRead(role, id):
                self.names.add(f"roles.{role}")
                return self._use_of(self._entity(role), id)
            case ItsRead(id):
                return self._use_of(owner, id)

    def _known(self, read: tuple[str, ...], owner: str) -> None:
        if read[0] == "fact":
            self._read(FactRead(read[1]), owner)
        elif read[0] == "field":
            self._read(FieldRead(read[1], read[2]), owner)
        elif read[0] == "its":
            self._read(ItsRead(read[1]), owner)

    def _use_of(self, entity: str, id: str) -> Use:
        if entity not in self.program.entities:
            return Use()
        return self._use(f"entities.{entity}.{id}", self.program.entities[entity].fields[id], entity)

    def _use(self, path: Declared, declared: Field, entity: str) -> Use:
        self.names.add(path)
        if declared.type.choice:
            self.names.add(f"choices.{declared.type.choice}")
        if declared.computed is None:
            return self.uses.setdefault(path, Use())
        if path not in self.uses:
            # What is worked out has no values of its own to choose from.
            self.uses[path] = Use()
            self.expr(declared.computed, entity)
        return Use()

    def _constant(self, expr: Expr) -> int | None:
        if isinstance(expr, OptionRead):
            value = self.options.get(expr.id)
            return value if isinstance(value, int) else None
        return expr if isinstance(expr, int) else None

    def _is_new(self, name: str) -> bool:
        is_new = name not in self.names
        self.names.add(name)
        return is_new


def _option(expr: Expr) -> Iterator[str]:
    if isinstance(expr, OptionRead):
        yield f"options.{expr.id}"


def _around(value: int | None, behind: tuple[int, ...]) -> Iterator[int]:
    if value is not None:
        yield from (int(value) + each for each in behind)


def _cuts(bands: Iterable[tuple[int | None, int | None]]) -> Iterator[int]:
    for low, high in bands:
        if low is not None:
            yield low
        if high is not None:
            yield high + 1


def _keys_in(exprs: Iterable[Expr]) -> Iterator[int]:
    for expr in exprs:
        if isinstance(expr, Key):
            yield expr.position
        yield from _keys_in(parts(expr))


def _cuts_of(table: Table, position: int) -> set[int]:
    """Where the bands of one key of a table begin."""
    found: set[int] = set()
    level: list[Index] = [table.index]
    for _ in range(position):
        level = [each for index in level if not isinstance(index, int) for each in index.then]
    for index in level:
        if isinstance(index, Bands):
            found.update(start for start in index.starts if start is not None)
        elif isinstance(index, Dense):
            before = zip(index.then, index.then[1:], strict=False)
            found.update([index.first, *(index.first + at + 1 for at, (one, two) in enumerate(before) if one != two)])
    return found
