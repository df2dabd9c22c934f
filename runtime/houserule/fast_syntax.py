"""Python syntax trees, a function for each form that the fast evaluator needs. Nothing here pastes text."""

from __future__ import annotations

import ast
from sys import intern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Protocol

    class Growing(Protocol):
        """A function under construction."""

        body: list[ast.stmt]


_OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "//": ast.FloorDiv(),
    "&": ast.BitAnd(),
}
_COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "is": ast.Is(),
    "is not": ast.IsNot(),
    "in": ast.In(),
    "not in": ast.NotIn(),
}


def literal(value: bool | int | str | None) -> ast.expr:
    """A literal. Texts are interned, since a dictionary finds a key faster that is the very same object."""
    return ast.Constant(intern(value) if isinstance(value, str) else value)


def name(id: str) -> ast.Name:
    """The value of a variable."""
    return ast.Name(id, ast.Load())


def call(function: str, *arguments: ast.expr) -> ast.expr:
    """A call of a named function."""
    return ast.Call(name(function), list(arguments), [])


def binary(operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Two operands and an operator of arithmetic."""
    return ast.BinOp(left, _OPERATORS[operator], right)


def negated(operand: ast.expr) -> ast.expr:
    """The operand with the other sign."""
    if isinstance(operand, ast.Constant) and isinstance(operand.value, int):
        return literal(-operand.value)
    return ast.UnaryOp(ast.USub(), operand)


def inverted(operand: ast.expr) -> ast.expr:
    """Whether the operand does not hold."""
    return ast.UnaryOp(ast.Not(), operand)


def compared(left: ast.expr, *rest: tuple[str, ast.expr]) -> ast.expr:
    """A comparison, or a chain of them."""
    return ast.Compare(left, [_COMPARISONS[operator] for operator, _ in rest], [right for _, right in rest])


def both(parts: Sequence[ast.expr]) -> ast.expr:
    """Whether all hold; of none, true."""
    return _joined(ast.And(), parts, True)


def either(parts: Sequence[ast.expr]) -> ast.expr:
    """Whether one holds; of none, false."""
    return _joined(ast.Or(), parts, False)


def _joined(operator: ast.boolop, parts: Sequence[ast.expr], of_none: bool) -> ast.expr:
    """The parts that are not settled by themselves."""
    kept: list[ast.expr] = []
    for part in parts:
        if isinstance(part, ast.Constant):
            if bool(part.value) == of_none:
                continue
            return part if not kept else ast.BoolOp(operator, [*kept, part])
        kept.append(part)
    if not kept:
        return literal(of_none)
    return kept[0] if len(kept) == 1 else ast.BoolOp(operator, kept)


def chosen(condition: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
    """One of two values."""
    if isinstance(condition, ast.Constant):
        return yes if condition.value else no
    return ast.IfExp(condition, yes, no)


def element(whole: ast.expr, index: ast.expr) -> ast.expr:
    """An element of a tuple, or the value of a key."""
    return ast.Subscript(whole, index, ast.Load())


def attribute(whole: ast.expr, name: str) -> ast.expr:
    """A part of an object."""
    return ast.Attribute(whole, name, ast.Load())


def appending(id: str, items: str) -> list[ast.stmt]:
    """Sets a variable to what appends to a list."""
    return [assign(id, attribute(name(items), "append"))]


def mapping(items: Iterable[tuple[str, ast.expr]]) -> ast.expr:
    """A dictionary of new make."""
    pairs = list(items)
    return ast.Dict([literal(key) for key, _ in pairs], [value for _, value in pairs])


def reads_name(body: Sequence[ast.stmt], id: str) -> bool:
    """Whether statements read a variable."""
    nodes = (node for each in body for node in ast.walk(each))
    return any(isinstance(node, ast.Name) and node.id == id and isinstance(node.ctx, ast.Load) for node in nodes)


def has_bit(mask: ast.expr, bit: int) -> ast.expr:
    """Whether a bit of a mask is set."""
    return compared(binary("&", mask, literal(1 << bit)), ("!=", literal(0)))


def named(id: str, value: ast.expr) -> ast.expr:
    """A value that is kept in a variable while it is used."""
    return ast.NamedExpr(ast.Name(id, ast.Store()), value)


def sequence(parts: Iterable[ast.expr]) -> ast.expr:
    """A tuple."""
    return ast.Tuple(list(parts), ast.Load())


def joined(parts: Iterable[ast.expr]) -> ast.expr:
    """Tuples, one behind the other."""
    return ast.Tuple([ast.Starred(each, ast.Load()) for each in parts], ast.Load())


def assign(id: str, value: ast.expr) -> ast.stmt:
    """Sets a variable."""
    return ast.Assign([ast.Name(id, ast.Store())], value)


def unpack(ids: Iterable[str], value: ast.expr) -> ast.stmt:
    """Sets variables to the elements of a tuple; of none, the value is only looked for."""
    targets: list[ast.expr] = [ast.Name(id, ast.Store()) for id in ids]
    return ast.Assign([ast.Tuple(targets, ast.Store())], value) if targets else evaluate(value)


def add_to(id: str, value: ast.expr) -> ast.stmt:
    """Adds to a variable."""
    return ast.AugAssign(ast.Name(id, ast.Store()), ast.Add(), value)


def assign_element(id: str, key: ast.expr, value: ast.expr) -> ast.stmt:
    """Sets an element of a dictionary."""
    return ast.Assign([ast.Subscript(name(id), key, ast.Store())], value)


def add_to_element(id: str, index: ast.expr, value: ast.expr) -> ast.stmt:
    """Adds to an element of a list."""
    return ast.AugAssign(ast.Subscript(name(id), index, ast.Store()), ast.Add(), value)


def each(targets: Sequence[ast.expr], values: ast.expr, body: Sequence[ast.stmt]) -> ast.stmt:
    """Statements for each value, or for the parts of each."""
    target = targets[0] if len(targets) == 1 else ast.Tuple(list(targets), ast.Store())
    return ast.For(target, values, list(body) or [ast.Pass()], [])


def when(condition: ast.expr, then: Sequence[ast.stmt], otherwise: Sequence[ast.stmt] = ()) -> list[ast.stmt]:
    """Statements under a condition; under one that is settled, the statements themselves or none."""
    if isinstance(condition, ast.Constant):
        return list(then if condition.value else otherwise)
    if not then:
        return [ast.If(inverted(condition), list(otherwise), [])] if otherwise else []
    return [ast.If(condition, list(then), list(otherwise))]


def attempt(body: Sequence[ast.stmt], errors: Sequence[str], otherwise: Sequence[ast.stmt] = ()) -> ast.stmt:
    """Statements of which the rest is left out where one of some errors is raised; others take its place."""
    caught = name(errors[0]) if len(errors) == 1 else sequence(name(each) for each in errors)
    return ast.Try(list(body), [ast.ExceptHandler(caught, None, list(otherwise) or [ast.Pass()])], [], [])


def evaluate(value: ast.expr) -> ast.stmt:
    """A call for what it does."""
    return ast.Expr(value)


def give(value: ast.expr) -> ast.stmt:
    """Ends a function with a value."""
    return ast.Return(value)


def function(id: str, parameters: Sequence[str], body: Sequence[ast.stmt]) -> ast.FunctionDef:
    """A function of positional parameters."""
    arguments = ast.arguments([], [ast.arg(each) for each in parameters], None, [], [], None, [])
    return ast.FunctionDef(id, arguments, list(body), [])


def add_to_namespace(definition: ast.FunctionDef, namespace: dict[str, Any]) -> None:
    """Compiles a function into a namespace that holds all that it can name; there are no builtins beside."""
    namespace["__builtins__"] = {}
    module = ast.fix_missing_locations(ast.Module([definition], []))
    exec(compile(module, "<houserule>", "exec"), namespace)


def apart(function: Growing, emit: Callable[[], object]) -> list[ast.stmt]:
    """The statements that `emit` would add to a function, which has then none of them."""
    outer, function.body = function.body, []
    emit()
    inside, function.body = function.body, outer
    return inside
