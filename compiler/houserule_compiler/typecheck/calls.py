"""Calls in expressions: functions, tables, and numbers read for somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import arithmetic, syntax
from ..diagnostics import Diagnostic
from ..messages import names as name_messages
from ..messages import types as messages
from ..source import Span
from ..typed import Operand, Typed
from ..types import Boolean, Dice, Integer, Set, Type, Unknown, is_number
from .names import Environment, Names, TableSignature
from .naming import Naming, literal, united_needs
from .narrow import Narrowing
from .sides import Sides, Typing, broken

ROUNDINGS = ("floor", "ceil", "nearest", "toward_zero")
FUNCTIONS = (*ROUNDINGS, "abs", "min", "max", "count", "known", "mod", "highest", "lowest")
ARGUMENTS = {"mod": (2, 2), "min": (1, 64), "max": (1, 64)}
"""How many arguments at least and at most, where it is not one."""


class Calls:
    """Types calls. It is handed the typing of expressions for their arguments."""

    def __init__(self, names: Names, diagnostics: list[Diagnostic], typed: Typing, naming: Naming) -> None:
        self._names = names
        self._diagnostics = diagnostics
        self._typed = typed
        self._naming = naming
        self._sides = Sides(names, diagnostics, typed)

    def _report(self, diagnostic: Diagnostic) -> None:
        self._diagnostics.append(diagnostic)

    def call(self, call: syntax.Call, environment: Environment) -> Typed:
        """A function, a table, or a number read for somebody else."""
        id = call.function.text
        ruleset = self._names.ruleset
        is_of_sequence = environment.sequence and (call.function.parts[-1] == "declares" or _is_over_sides(call))
        if is_of_sequence or id in ("any", "all"):
            return self._sides.call(call, environment)
        if id in ruleset.tables:
            return self._lookup(call, environment)
        if id in ruleset.numbers:
            return self._rebound(call, environment)
        if id not in FUNCTIONS:
            callable_names = self._names.near([*FUNCTIONS, *ruleset.tables])
            self._report(name_messages.unknown_name("function or table", id, call.function.span, callable_names))
            return broken(call.span)
        if call.column is not None:
            self._report(messages.no_attributes(call.column.text, call.column.span, Integer()))
            return broken(call.span)
        return self._function(id, call, environment)

    def _rebound(self, call: syntax.Call, environment: Environment) -> Typed:
        pairs = [each for each in call.arguments if isinstance(each, syntax.Rebinding)]
        if len(pairs) < len(call.arguments) or not pairs:
            self._report(messages.number_with_arguments(call.function.text, call.span))
            return broken(call.span)
        players: dict[str, str] = {}
        for pair in pairs:
            player = environment.owner if pair.player.text == "its" else pair.player.text
            if not self._is_seated(pair, player, environment):
                return broken(call.span)
            players[pair.role.text] = player
        return self._naming.number(call.function.text, players, call.span, environment)

    def _is_seated(self, pair: syntax.Rebinding, player: str, environment: Environment) -> bool:
        """Whether somebody can play a role; if not, that is reported."""
        roles = self._names.ruleset.roles
        for role, at in ((player, pair.player), (pair.role.text, pair.role)):
            if role not in roles and not (at is pair.player and role in environment.players):
                self._report(name_messages.unknown_name("role", at.text, at.span, self._names.near(roles)))
                return False
        plays, due = self._naming.entity_of(player, environment), self._naming.entity_of(pair.role.text, environment)
        if plays != due:
            self._report(name_messages.different_entity(pair.role.text, due, pair.player.text, plays, pair.player.span))
        return plays == due

    def _plain(self, call: syntax.Call) -> list[syntax.Expression] | None:
        for each in call.arguments:
            if isinstance(each, syntax.Rebinding):
                self._report(messages.as_outside_number(call.function.text, each.span))
                return None
        return [each for each in call.arguments if not isinstance(each, syntax.Rebinding)]

    def _lookup(self, call: syntax.Call, environment: Environment) -> Typed:
        id = call.function.text
        signature, arguments = self._names.tables.get(id), self._plain(call)
        if signature is None or arguments is None:
            return broken(call.span)
        keys = self._names.ruleset.tables[id].keys
        if len(arguments) != len(keys):
            self._report(messages.wrong_arguments(id, call.span, [each.id for each in keys], len(arguments)))
            return broken(call.span)
        passed = [self._key(id, i, signature, each, environment) for i, each in enumerate(arguments)]
        column = self._column(call, id, signature)
        if column is None or any(isinstance(each.type, Unknown) for each in passed):
            return broken(call.span)
        operands: tuple[Operand, ...] = (id, column, list[Operand](passed))
        return Typed("table", operands, signature.columns[column], call.span, united_needs(passed))

    def _key(
        self, table: str, index: int, signature: TableSignature, argument: syntax.Expression, environment: Environment
    ) -> Typed:
        wanted = signature.keys[index]
        passed = self._typed(argument, environment, wanted or Integer())
        if isinstance(passed.type, Unknown) or isinstance(wanted, Unknown):
            return broken(passed.span)
        key = self._names.ruleset.tables[table].keys[index]
        problem = messages.key_problem(key.id, table, passed, wanted or Integer(), key.type.span)
        if problem:
            self._report(problem)
            return broken(passed.span)
        self._names.note_reader(table, index, passed.type)
        return passed

    def _column(self, call: syntax.Call, table: str, signature: TableSignature) -> str | None:
        columns = list(signature.columns)
        if not columns:
            # A table that gives nothing is told already.
            return None
        if call.column is None:
            if columns == ["value"]:
                return "value"
            self._report(messages.column_due(table, call.span, columns))
            return None
        if call.column.text in columns:
            return call.column.text
        near = self._names.near(columns)
        self._report(messages.unknown_table_column(table, call.column.text, call.column.span, near))
        return None

    def _function(self, id: str, call: syntax.Call, environment: Environment) -> Typed:
        arguments = self._plain(call)
        if arguments is None:
            return broken(call.span)
        least, most = ARGUMENTS.get(id, (1, 1))
        if not least <= len(arguments) <= most:
            self._report(messages.wrong_arguments(id, call.span, [], len(arguments), least))
            return broken(call.span)
        if id == "known":
            return self._known(arguments[0], call.span, environment)
        parts = [self._typed(each, environment, None) for each in arguments]
        if any(isinstance(each.type, Unknown) for each in parts):
            return broken(call.span)
        return self._applied(id, parts, call.span)

    def _applied(self, id: str, parts: list[Typed], span: Span) -> Typed:
        wrong = next(_unfit(id, parts), None)
        if wrong is not None:
            self._report(messages.wrong_argument(id, wrong))
            return broken(span)
        if id == "mod":
            return self._mod(parts, span)
        return Typed(
            id, tuple(parts), self._function_type(id, [each.type for each in parts]), span, united_needs(parts)
        )

    def _function_type(self, id: str, kinds: list[Type]) -> Type:
        if id in ROUNDINGS:
            return arithmetic.rounded(id, kinds[0])
        if id == "abs":
            return arithmetic.absolute(kinds[0])
        match kinds[0]:
            case Set(choice):
                return Integer(0, len(self._names.words.get(choice, ())))
            case Dice(low, high):
                return Integer(low, high)
        return arithmetic.extreme(id, kinds)

    def _mod(self, parts: list[Typed], span: Span) -> Typed:
        modulus = parts[1].literal
        if modulus is None or modulus <= 0:
            self._report(messages.modulus(parts[1].span))
            return broken(span)
        return Typed("mod", (parts[0], modulus), arithmetic.remainder(parts[0].type, modulus), span, parts[0].needs)

    def _known(self, argument: syntax.Expression, span: Span, environment: Environment) -> Typed:
        """`known` of a name: whether all that it needs, and that nothing guards, is known."""
        read = self._typed(argument, environment, None) if isinstance(argument, syntax.Name) else None
        if read is None:
            self._report(messages.known_of_expression(argument.span))
        if read is None or isinstance(read.type, Unknown):
            return broken(span)
        if not read.needs:
            if not self._typed(argument, replace(environment, narrowing=Narrowing()), None).needs:
                self._report(messages.always_known(argument.span, span))
            return literal(True, Boolean(), span)
        terms = [Typed("known", (list[Operand](each),), Boolean(), span) for each in sorted(read.needs)]
        return terms[0] if len(terms) == 1 else Typed("and", tuple(terms), Boolean(), span)


def _is_over_sides(call: syntax.Call) -> bool:
    if call.function.text in ("any", "all"):
        return True
    return call.function.text == "count" and any(
        name.parts[0] == "side"
        for each in call.arguments
        if not isinstance(each, syntax.Rebinding)
        for name in syntax.names_in(each)
    )


def _unfit(id: str, parts: list[Typed]) -> Iterator[Typed]:
    """The arguments of the wrong type."""
    for each in parts:
        if id == "count":
            fit = isinstance(each.type, Set)
        elif id in ("highest", "lowest"):
            fit = isinstance(each.type, Dice)
        else:
            fit = is_number(each.type) and not (id == "mod" and not isinstance(each.type, Integer))
        if not fit:
            yield each
