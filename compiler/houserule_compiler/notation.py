"""An expression of a program as an author would write it: codes become words, hit dice and dice again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.program import (
    Attribute,
    ConditionRead,
    Constant,
    DiceTerm,
    FactRead,
    FieldRead,
    Has,
    ItsRead,
    Key,
    Known,
    Local,
    Lookup,
    NumberRead,
    Operation,
    OptionRead,
    Program,
    Table,
    Type,
    Within,
)
from houserule.values import dice_text, hit_dice_text, shown, text_of

if TYPE_CHECKING:
    from houserule.program import Expr

# How tightly each operator binds, loosest first; anything else is a name, a number or a call.
_BINDS = {"if": 0, "or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6, "neg": 7}
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")
_COMPARISON, _TIGHT = 4, 8


@dataclass(frozen=True, slots=True)
class Notation:
    """Writes the expressions of a program.

    `entity` is whose fields `its` reads, `table` whose keys are read, `locals` the types of dice and values by path.
    """

    program: Program
    entity: str = ""
    table: Table | None = None
    locals: dict[str, Type | None] | None = None

    def text(self, expr: Expr, wanted: Type | None = None, is_inner: bool = False) -> str:
        """The expression; where a value of the type `wanted` is due, codes are written as its words.

        `is_inner` puts an `if` in brackets, because it stands within another.
        """
        return self._written(expr, int(is_inner), wanted)

    def value(self, value: object, type: Type) -> str:
        """A held value as text."""
        words = self.program.words(type.choice) if type.choice else ()
        if type.kind == "boolean" and isinstance(value, int):
            return text_of(bool(value))
        return text_of(shown(value, type, words))  # type: ignore[arg-type]

    def band(self, low: int | None, high: int | None, type: Type | None) -> str:
        """A band of codes: `..5`, `6..25`, `2+1..3`, or one value. What reaches beyond the type's range is open."""
        if low != high and type is not None and type.kind in ("integer", "hit_dice"):
            low = None if low is None or (type.low is not None and low < type.low) else low
            high = None if high is None or (type.high is not None and high > type.high) else high
        ends = ["" if end is None else self.value(end, type) if type else str(end) for end in (low, high)]
        return ends[0] if low == high and low is not None else "..".join(ends)

    def type_of(self, expr: Expr) -> Type | None:
        """The type of what an expression reads, or None where it is worked out."""
        program = self.program
        match expr:
            case FieldRead(role, field):
                return program.entities[program.roles[role].entity].fields[field].type
            case ItsRead(field) if self.entity:
                return program.entities[self.entity].fields[field].type
            case FactRead(id):
                return program.facts[id].type
            case OptionRead(id):
                return program.options[id].type
            case NumberRead(id, _):
                return program.numbers[id].type
            case Local(path):
                return (self.locals or {}).get(path)
            case Key(position) if self.table:
                return self.table.keys[position].type
            case Lookup(id, column, _):
                table = program.tables[id]
                return table.columns[table.positions[column]].type
            case Attribute(choice, attribute, _):
                return program.choices[choice].attributes[attribute][0]
        return None

    def _written(self, expr: Expr, inside: int, wanted: Type | None = None) -> str:
        if isinstance(expr, bool | int):
            return self.value(expr, wanted) if wanted and wanted.kind != "fraction" else text_of(expr)
        if isinstance(expr, Operation):
            text, binds = self._operation(expr, wanted)
        elif isinstance(expr, Within | Has):
            text, binds = self._within(expr), _COMPARISON
        else:
            text, binds = self._read(expr), _TIGHT
        return f"({text})" if binds < inside else text

    def _operation(self, expr: Operation, wanted: Type | None) -> tuple[str, int]:
        operator, parts = expr.operator, expr.operands
        if operator in _COMPARED:
            type = next((found for found in map(self.type_of, parts) if found), None)
            sides = [self._written(each, _COMPARISON + 1, type) for each in parts]
            return f"{sides[0]} {operator} {sides[1]}", _COMPARISON
        binds = _BINDS.get(operator, _TIGHT)
        if operator == "if":
            condition, then, otherwise = parts
            return (
                f"if {self._written(condition, 1)} then {self._written(then, 1, wanted)} "
                f"else {self._written(otherwise, 0, wanted)}",
                binds,
            )
        if operator in ("not", "neg"):
            return f"{'not ' if operator == 'not' else '-'}{self._written(parts[0], binds)}", binds
        if operator in _BINDS:
            first = self._written(parts[0], binds)
            rest = [self._written(each, binds + (operator in "-/")) for each in parts[1:]]
            return f" {operator} ".join([first, *rest]), binds
        return self._call(operator, parts), _TIGHT

    def _call(self, operator: str, parts: tuple[Expr, ...]) -> str:
        if operator in ("dice_part", "pips"):
            return f"{self._written(parts[0], _TIGHT)}.{'dice' if operator == 'dice_part' else 'pips'}"
        return f"{operator}({', '.join(self._written(each, 0) for each in parts)})"

    def _within(self, expr: Within | Has) -> str:
        if isinstance(expr, Has):
            type = self.type_of(expr.words)
            word = self.program.words(type.choice)[expr.word].id if type else str(expr.word)
            return f"{word} in {self._written(expr.words, _COMPARISON + 1)}"
        type = self.type_of(expr.item)
        bands = " | ".join(part for low, high in expr.bands for part in self._bars(low, high, type))
        return f"{self._written(expr.item, _COMPARISON + 1)} in {bands}"

    def _bars(self, low: int | None, high: int | None, type: Type | None) -> list[str]:
        """A band of words is written word by word; one of numbers as a band."""
        if type is None or type.kind != "choice" or low is None or high is None:
            return [self.band(low, high, type)]
        return [self.value(code, type) for code in range(low, high + 1)]

    def _read(self, expr: Expr) -> str:
        match expr:
            case Constant(value):
                return str(value)
            case FieldRead(role, field):
                return f"{role}.{field}"
            case ItsRead(field):
                return f"its.{field}"
            case FactRead(name) | OptionRead(name) | ConditionRead(name) | Local(name):
                return name
            case NumberRead(id, roles):
                seats = ", ".join(f"{player} as {chair}" for chair, player in roles)
                return f"{id}({seats})" if seats else id
            case Key(position):
                return self.table.keys[position].label.id if self.table else f"key {position + 1}"
            case Lookup():
                return self._lookup(expr)
            case Attribute(_, attribute, word):
                return f"{self._written(word, _TIGHT)}.{attribute}"
            case Known(read):
                return f"known({'.'.join(read[1:])})"
            case DiceTerm(count, faces, keep, kept):
                return dice_text(count * 1024 + faces) + (f" keep {keep} {kept}" if keep else "")
        raise AssertionError(f"no notation for {type(expr).__name__}")

    def _lookup(self, expr: Lookup) -> str:
        table = self.program.tables[expr.table]
        keys = [self._written(each, 0, key.type) for each, key in zip(expr.keys, table.keys, strict=True)]
        column = "" if expr.column == "value" and len(table.columns) == 1 else f".{expr.column}"
        return f"{expr.table}({', '.join(keys)}){column}"


def type_text(program: Program, type: Type) -> str:
    """A type as authors write it: `3..18`, `set of stance`, `hit_dice 0..30`."""
    match type.kind:
        case "integer":
            return f"{type.low}..{type.high}"
        case "choice":
            return type.choice
        case "set":
            return f"set of {type.choice}"
        case "hit_dice":
            return f"hit_dice {hit_dice_text(int(type.low or 0))}..{hit_dice_text(int(type.high or 0))}"
        case "fraction":
            return f"fraction {type.low}..{type.high}"
        case "dice":
            return " | ".join(map(dice_text, type.one_of)) or f"dice <= {dice_text(type.up_to)}"
    return type.kind
