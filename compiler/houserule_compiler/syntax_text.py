"""Expression trees as text: one way of writing each, whatever spaces and needless parentheses its author used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import syntax

_IF, _OR, _AND, _NOT, _COMPARED, _SUM, _PRODUCT, _FACTOR, _ATOM = range(9)
"""How tightly things bind, from the loosest."""
_BINDING = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}


def text_of(tree: Any) -> str:
    """The text of whatever the parser gives: an expression, an adjustment, a type, or the things between bars."""
    match tree:
        case syntax.Adjustment(sign, value):
            return {"better": "better ", "worse": "worse ", "+": "+"}.get(sign, "") + _written(value)
        case syntax.TypeExpression():
            return _type(tree)
        case tuple():
            return " | ".join(_alternative(each) for each in tree)
    return _written(tree)


def _written(tree: syntax.Expression | syntax.Rebinding, least: int = _IF) -> str:
    """An expression, in parentheses where it binds looser than what stands around it asks for."""
    text, binding = _bound(tree)
    return f"({text})" if binding < least else text


def _bound(tree: syntax.Expression | syntax.Rebinding) -> tuple[str, int]:
    match tree:
        case syntax.Integer(value):
            return str(value), _ATOM
        case syntax.Boolean(value):
            return "true" if value else "false", _ATOM
        case syntax.Name():
            return tree.text, _ATOM
        case syntax.Inherited() | syntax.Broken():
            return "inherited", _ATOM
        case syntax.DiceLiteral():
            return _dice(tree), _ATOM
        case syntax.Rebinding(player, role):
            return f"{player.text} as {role.text}", _ATOM
        case syntax.Call(function, arguments, column):
            given = ", ".join(_written(each) for each in arguments)
            return f"{function.text}({given}){f'.{column.text}' if column else ''}", _ATOM
        case syntax.Unary("-", operand):
            return f"-{_written(operand, _FACTOR)}", _FACTOR
        case syntax.Unary(_, operand):
            return f"not {_written(operand, _NOT)}", _NOT
        case syntax.Binary(operator, left, right):
            own = _BINDING.get(operator, _COMPARED)
            # Grouped from the left: the same operator at the right needs parentheses. Comparisons do not chain.
            return f"{_written(left, max(own, _SUM))} {operator} {_written(right, own + 1)}", own
        case syntax.Logic(operator, terms):
            own = _AND if operator == "and" else _OR
            return f" {operator} ".join(_written(each, own + 1) for each in terms), own
        case syntax.Conditional(condition, yes, no):
            return f"if {_written(condition)} then {_written(yes)} else {_written(no)}", _IF
        case syntax.Membership(item, alternatives):
            bands = " | ".join(_alternative(each) for each in alternatives)
            return f"{_written(item, _SUM)} in {bands}", _COMPARED


def _alternative(each: syntax.Alternative) -> str:
    low, high = (_written(end, _SUM) if end else "" for end in (each.low, each.high))
    return f"{low}..{high}" if each.is_band else low


def _dice(tree: syntax.DiceLiteral) -> str:
    keep = f" keep {tree.keep[0]} {tree.keep[1]}" if tree.keep else ""
    return f"{tree.count}d{tree.faces}{keep}"


def _type(tree: syntax.TypeExpression) -> str:
    unknown = "?" if tree.may_be_unknown else ""
    default = f" = {_written(tree.default)}" if tree.default else ""
    return f"{_kind(tree)}{unknown}{default}"


def _kind(tree: syntax.TypeExpression) -> str:
    ends = f"{_end(tree.low)}..{_end(tree.high)}" if tree.low or tree.high else ""
    name = tree.name.text if tree.name else ""
    match tree.kind:
        case "range":
            return ends
        case "choice":
            return name
        case "set":
            return f"set of {name}"
        case "hit_dice" | "fraction":
            return f"{tree.kind} {ends}".rstrip()
        case "dice_up_to":
            return f"dice <= {_all_dice(tree.dice)}"
        case "dice_of":
            return _all_dice(tree.dice)
    return tree.kind


def _end(tree: syntax.Expression | None) -> str:
    return _written(tree) if tree else ""


def _all_dice(dice: Sequence[syntax.DiceLiteral]) -> str:
    return " | ".join(map(_dice, dice))
