"""An expression of a program in words, as a referee would say it: titles for names, and codes as words again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.expression import Declares, OverSides
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
from houserule.values import dice_text, shown, text_of

if TYPE_CHECKING:
    from houserule.program import Expr, Field, Label

# How tightly each operator binds, loosest first; anything else is a name, a number or a call.
_BINDS = {"if": 0, "or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6, "neg": 7}
_COMPARED = {
    "==": "is",
    "!=": "is not",
    "<": "is under",
    "<=": "is at most",
    ">": "is over",
    ">=": "is at least",
}
# What a sequence knows of itself.
_OWN = {"nth": "its number", "start": "its first segment", "score": "the score", "round": "the round"}
_COMPARISON, _TIGHT = 4, 8
_CALLS = {
    "floor": "{} rounded down",
    "ceil": "{} rounded up",
    "nearest": "{} rounded to the nearest",
    "toward_zero": "{} rounded toward 0",
    "abs": "the size of {}",
    "min": "the least of {}",
    "max": "the greatest of {}",
    "count": "how many {}",
    "mod": "what is left of {}",
    "dice_part": "the dice of {}",
    "pips": "the plus of {}",
    "highest": "the most of {}",
    "lowest": "the least of {}",
}


def plain(id: str) -> str:
    """An id in words."""
    return id.replace("_", " ")


def lowered(title: str) -> str:
    """A title within a sentence: without its capital, unless it is a name or an abbreviation."""
    first, *rest = title.split(" ") if title else [""]
    keeps = len(first) > 1 and (any(each.isupper() or each.isdigit() for each in first[1:]))
    return title if keeps else " ".join([first[:1].lower() + first[1:], *rest])


def called(label: Label) -> str:
    """What a definition is called within a sentence."""
    return lowered(label.title) or plain(label.id)


def quoted(title: str) -> str:
    """A title set off from the words around it."""
    return f'"{title}"'


def band(low: str, high: str) -> str:
    """A band in words: `6 to 25`, `5 or less`, `96 or more`, or one value."""
    if low and high:
        return low if low == high else f"{low} to {high}"
    return f"{low} or more" if low else f"{high} or less" if high else "any"


@dataclass(frozen=True, slots=True)
class Wording:
    """Says the expressions of a program.

    `owner` is the role that is spoken of, and so not named. `table` is whose keys are read, `locals` the types of dice
    and values by path, `step` the step under way, `entities` what sits in chairs that are no roles, `entity` whose
    fields `its` reads.
    """

    program: Program
    owner: str = ""
    entity: str = ""
    table: Table | None = None
    locals: dict[str, Type | None] | None = None
    step: str = ""
    entities: dict[str, str] | None = None
    facts: dict[str, Field] | None = None

    def text(self, expr: Expr, wanted: Type | None = None) -> str:
        """The expression; where a value of the type `wanted` is due, codes are written as its words."""
        return self._said(expr, 0, wanted)

    def value(self, value: object, type: Type) -> str:
        """A held value as text; a word by its title."""
        words = self.program.words(type.choice) if type.choice else ()
        if type.kind == "boolean" and isinstance(value, int):
            return "yes" if value else "no"
        if type.kind == "choice" and isinstance(value, int) and 0 <= value < len(words):
            return called(words[value])
        return text_of(shown(value, type, words))  # type: ignore[arg-type]

    def band(self, low: int | None, high: int | None, type: Type | None) -> str:
        """A band of codes in words; what reaches the ends of the type's range is open."""
        if low != high and type is not None and type.kind in ("integer", "hit_dice"):
            low = None if low is None or (type.low is not None and low <= type.low) else low
            high = None if high is None or (type.high is not None and high >= type.high) else high
        if type is not None and type.kind == "choice" and low is not None and high is not None:
            return listed([self.value(code, type) for code in range(low, high + 1)])
        ends = ["" if end is None else self.value(end, type) if type else str(end) for end in (low, high)]
        return band(*ends)

    def field_of(self, expr: Expr) -> Field | None:
        """What is declared of a fact or field that is read, or None."""
        program = self.program
        match expr:
            case FieldRead(role, field):
                entity = program.roles[role].entity if role in program.roles else (self.entities or {}).get(role, "")
                return program.entities[entity].fields.get(field) if entity in program.entities else None
            case ItsRead(field) if self.entity:
                return program.entities[self.entity].fields[field]
            case FactRead(id):
                return program.facts.get(id) or (self.facts or {}).get(id)
            case OptionRead(id):
                return program.options[id]
        return None

    def type_of(self, expr: Expr) -> Type | None:
        """The type of what an expression reads, or None where it is worked out."""
        field = self.field_of(expr)
        if field is not None:
            return field.type
        match expr:
            case NumberRead(id, _):
                return self.program.numbers[id].type
            case Local(path):
                return (self.locals or {}).get(path)
            case Key(position) if self.table:
                return self.table.keys[position].type
            case Lookup(id, column, _):
                table = self.program.tables[id]
                return table.columns[table.positions[column]].type
            case Attribute(choice, attribute, _):
                return self.program.choices[choice].attributes[attribute][0]
        return None

    def _said(self, expr: Expr, inside: int, wanted: Type | None = None) -> str:
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
        binds = _BINDS.get(operator, _TIGHT)
        if operator in _COMPARED:
            return self._compared(operator, parts), _COMPARISON
        if operator == "if":
            condition, then, otherwise = (
                self._said(each, int(at < 2), wanted if at else None) for at, each in enumerate(parts)
            )
            return f"{then} if {condition}, else {otherwise}", binds
        if operator == "not" and isinstance(parts[0], Known):
            return f"{self._known(parts[0].read)} is not known", _COMPARISON
        if operator == "not":
            return negated(self._said(parts[0], binds)), binds
        if operator == "neg":
            return f"-{self._said(parts[0], binds)}", binds
        if operator == "and":
            return self._all_of(parts), binds
        if operator == "/" and all(isinstance(each, int) for each in parts):
            return "/".join(map(str, parts)), _TIGHT
        if operator in _BINDS:
            first = self._said(parts[0], binds)
            rest = [self._said(each, binds + (operator in "-/")) for each in parts[1:]]
            return f" {operator} ".join([first, *rest]), binds
        said = [self._said(each, 0) for each in parts]
        if operator == "mod":
            return f"what is left of {said[0]} after division by {said[1]}", 5
        return _CALLS[operator].format(" and ".join(said)), 5

    def _all_of(self, parts: tuple[Expr, ...]) -> str:
        """What holds together; what must not hold comes last, as `unless`."""
        against = [each for each in parts if isinstance(each, Operation) and each.operator == "not"]
        for_it = [each for each in parts if each not in against]
        if not for_it or not against:
            return " and ".join(self._said(each, _BINDS["and"]) for each in parts)
        said = " and ".join(self._said(each, _BINDS["and"]) for each in for_it)
        return f"{said}, unless {' or '.join(self._said(each.operands[0], _BINDS['and']) for each in against)}"

    def _compared(self, operator: str, parts: tuple[Expr, ...]) -> str:
        type = next((found for found in map(self.type_of, parts) if found), None)
        own = self._own_outcome(parts[0])
        if own and isinstance(parts[1], int):
            word = self.value(parts[1], type) if type else str(parts[1])
            return word if operator == "==" else f"not {word}"
        sides = [self._said(each, _COMPARISON + 1, type) for each in parts]
        if type is not None and type.kind == "choice" and operator in ("==", "!="):
            return f"{self._chosen(parts[0])} {'not ' if operator == '!=' else ''}{sides[1]}"
        return f"{sides[0]} {_COMPARED[operator]} {sides[1]}"

    def _own_outcome(self, expr: Expr) -> bool:
        """Whether it is the outcome of the step under way, which need not be named."""
        return isinstance(expr, Local) and bool(self.step) and expr.path == f"{self.step}.outcome"

    def _within(self, expr: Within | Has) -> str:
        if isinstance(expr, Has):
            type = self.type_of(expr.words)
            word = self.value(expr.word, Type("choice", choice=type.choice)) if type else str(expr.word)
            role = expr.words.role if isinstance(expr.words, FieldRead) else ""
            return f"{plain(role)}: {word}" if role and role != self.owner else word
        type = self.type_of(expr.item)
        bands = listed([part for low, high in expr.bands for part in self._bars(low, high, type)])
        if type is not None and type.kind == "choice":
            return f"{self._chosen(expr.item)} {bands}"
        return f"{self._said(expr.item, _COMPARISON + 1)} is {bands}"

    def _chosen(self, expr: Expr) -> str:
        """What is one of some words, so that the word can follow: `target: class`."""
        if isinstance(expr, FieldRead) and expr.role != self.owner:
            return f"{plain(expr.role)}: {_name_of(self.field_of(expr), expr.field)}"
        return self._said(expr, _COMPARISON + 1)

    def _bars(self, low: int | None, high: int | None, type: Type | None) -> list[str]:
        if type is None or type.kind != "choice" or low is None or high is None:
            return [self.band(low, high, type)]
        return [self.value(code, type) for code in range(low, high + 1)]

    def _read(self, expr: Expr) -> str:
        field = self.field_of(expr)
        match expr:
            case Constant(value):
                return str(value)
            case FieldRead(role, id):
                return self._of(role, field, id)
            case ItsRead(id) | FactRead(id) | OptionRead(id):
                return _name_of(field, id)
            case ConditionRead(id):
                return called(self.program.conditions[id].label)
            case Local(path):
                return self._local(path)
            case NumberRead(id, roles):
                seats = ", ".join(f"{plain(player)} as {plain(chair)}" for chair, player in roles if player != chair)
                return called(self.program.numbers[id].label) + (f" (with {seats})" if seats else "")
            case Key(position):
                return called(self.table.keys[position].label) if self.table else f"key {position + 1}"
            case Lookup():
                return self._lookup(expr)
            case Attribute(choice, attribute, word):
                if self.program.choices[choice].attributes[attribute][0].kind == "boolean":
                    return f"{self._said(word, _TIGHT)} is {plain(attribute)}"
                return f"{plain(attribute)} of {self._said(word, _TIGHT)}"
            case Known(read):
                return f"{self._known(read)} is known"
            case DiceTerm(count, faces, keep, kept):
                return dice_text(count * 1024 + faces) + (f" keep {keep} {kept}" if keep else "")
            case Declares(chair, action):
                who = "" if chair == "actor" else f"the {plain(chair)} "
                return f"{who}declares {self._action(action)}"
            case OverSides(operator, condition):
                sides = {"any": "one of the sides", "all": "all sides"}.get(operator, "how many sides")
                return f"{sides}: {self._said(condition, _TIGHT)}"
        raise AssertionError(f"no wording for {type(expr).__name__}")

    def _action(self, id: str) -> str:
        found = self.program.actions.get(id)
        return quoted(called(found.label) if found else plain(id))

    def _of(self, role: str, field: Field | None, id: str) -> str:
        name = _name_of(field, id)
        if role == self.owner or not role:
            return name
        if field is not None and field.type.kind == "boolean":
            return f"{plain(role)}: {name}"
        return f"{plain(role)}'s {name}"

    def _local(self, path: str) -> str:
        """A die or a value: of the step under way by its name alone."""
        step, _, name = path.rpartition(".")
        if path in _OWN and path not in (self.locals or {}):
            return _OWN[path]
        if not step or step == self.step:
            return plain(name)
        return f"{plain(name)} of {plain(step.replace('.', ' of '))}"

    def _known(self, read: tuple[str, ...]) -> str:
        expr: Expr = FieldRead(read[1], read[2]) if read[0] == "field" else ItsRead(read[1])
        if read[0] in ("field", "its"):
            return self._read(expr)
        return self._read(FactRead(read[1]) if read[0] == "fact" else Local(read[1]))

    def _lookup(self, expr: Lookup) -> str:
        table = self.program.tables[expr.table]
        keys = [self._said(each, 0, key.type) for each, key in zip(expr.keys, table.keys, strict=True)]
        single = expr.column == "value" and len(table.columns) == 1
        column = "" if single else f"{plain(expr.column)} in "
        return f"{column}{quoted(table.label.title or plain(table.label.id))} by {' and '.join(keys)}"


_ASKS = re.compile(r"(what|who|whom|whose|whoever|where|when|which|how) ")


def _name_of(field: Field | None, id: str) -> str:
    """What a fact is called within a sentence: its title, but the id where the title is a question."""
    name = called(field.label) if field else plain(id)
    is_odd = _ASKS.match(name) or (" or " in name and field is not None and field.type.kind == "choice")
    return plain(id) if field and field.type.kind != "boolean" and is_odd else name


def listed(words: list[str]) -> str:
    """Words joined: `a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


_VERB = re.compile(r"(^|: )(is|are|was|has|have) ")
_DECLARES = re.compile(r"\bdeclares ")


def negated(text: str) -> str:
    """The contrary of a condition in words."""
    if _VERB.search(text):
        return _VERB.sub(lambda found: f"{found[1]}{found[2]} not ", text, count=1)
    if _DECLARES.search(text):
        return _DECLARES.sub("does not declare ", text, count=1)
    before, colon, rest = text.rpartition(": ")
    return f"{before}{colon}not {rest}"
