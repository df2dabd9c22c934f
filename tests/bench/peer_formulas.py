"""The two reference jobs once, as an expression, and what each peer's language makes of it.

A peer is given the form that is quickest in it: tables stand in the expression as literals where it reads those
quickly, and as data that is ready beforehand where it does not.
"""

from __future__ import annotations

import ast
import json
from typing import Any

import hand

ADJUSTED = {"charging": 2, "from_above": 1, "from_behind": 2, "flanking": 1, "blessed": 1, "prone": 4, "stunned": 4}


def chosen(key: str, table: dict[str, Any], rest: str = "") -> str:
    """A look-up by a word, as a chain of tests."""
    *first, last = table.items()
    return "".join(f"({value}{rest}) if {key} == {name!r} else " for name, value in first) + f"({last[1]}{rest})"


def stepped(key: str, *bands: tuple[int, int], above: int) -> str:
    """A look-up by bands; 0 when the key is not known."""
    return f"(0 if {key} == None else " + "".join(f"{to} if {key} <= {at} else " for at, to in bands) + f"{above})"


STEPS = "(dice - 1 if pips <= 0 else dice)"
BASE = f"(5 if dice < 1 or dice == 1 and pips < 0 else 6 if {STEPS} == 0 else min(5 + {STEPS}, 19))"
LOYALTY = stepped("loyalty", (3, -2), (7, -1), (12, 0), (17, 1), above=2)
CHARISMA = stepped("charisma", (7, -1), (12, 0), above=1)

TO_HIT = f"({chosen('group', hand.THAC0, '[level - 1]')}) - armor_class + {list(hand.COVER)}[cover]" + "".join(
    f" - ({by} if {flag} else 0)" for flag, by in ADJUSTED.items()
)
MORALE = (
    f"{BASE} + ({chosen('resolve', hand.RESOLVE)}) + ({chosen('training', hand.TRAINING)})"
    f" + ({chosen('leader_state', hand.LEADER)}) + cared_for - neglected + rallied - shaken + advantage - disadvantage"
    f" + (3 if paladin and lawful else 0)"
    f" + max(0, max({LOYALTY}, {CHARISMA})) + min(0, min({LOYALTY}, {CHARISMA}))"
)

SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
    ast.And: "&&", ast.Or: "||",
}  # fmt: skip


def infix(text: str, words: dict[str, str], greatest: str) -> str:
    """The expression in a language of the C family: its words for `&&`, `||`, and how it writes `max(a, b)`."""

    def of(node: ast.AST) -> str:
        match node:
            case ast.Constant(value=None):
                return "null"
            case ast.Constant(value=value):
                return json.dumps(value)
            case ast.Name(id=name):
                return name
            case ast.UnaryOp(operand=each):
                return f"-{of(each)}"
            case ast.List(elts=each):
                return f"[{', '.join(map(of, each))}]"
            case ast.Subscript(value=of_what, slice=at):
                return f"{of(of_what)}[{of(at)}]"
            case ast.IfExp(test=test, body=body, orelse=other):
                return f"({of(test)} ? {of(body)} : {of(other)})"
            case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]):
                return f"({of(left)} {SIGNS[type(sign)]} {of(right)})"
            case ast.BoolOp(op=sign, values=values):
                joined = SIGNS[type(sign)]
                return f"({f' {words.get(joined, joined)} '.join(map(of, values))})"
            case ast.Call(func=ast.Name(id=name), args=[one, other]):
                sign = ">" if name == "max" else "<"
                return greatest.format(name=name, one=of(one), other=of(other), sign=sign)
        raise TypeError(ast.dump(node))

    return of(ast.parse(text, mode="eval").body)


def logic(text: str) -> Any:
    """The expression as JSONLogic."""

    def of(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return {"var": name}
            case ast.UnaryOp(operand=ast.Constant(value=int(value))):
                return -value
            case ast.Subscript(value=ast.List(elts=each), slice=at):
                place = of(at)
                tests = [[{"==": [place, index]}, of(one)] for index, one in enumerate(each)]
                return {"if": [part for pair in tests for part in pair]}
            case ast.IfExp(test=test, body=body, orelse=other):
                rest = of(other)
                more = rest["if"] if isinstance(rest, dict) and "if" in rest and len(rest["if"]) % 2 else [rest]
                return {"if": [of(test), of(body), *more]}
            case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]):
                equal = {"==": "==="}.get(SIGNS[type(sign)], SIGNS[type(sign)])
                return {equal: [of(left), of(right)]}
            case ast.BoolOp(op=sign, values=values):
                return {{"&&": "and", "||": "or"}[SIGNS[type(sign)]]: [of(each) for each in values]}
            case ast.Call(func=ast.Name(id=name), args=args):
                return {name: [of(each) for each in args]}
        raise TypeError(ast.dump(node))

    return of(ast.parse(text, mode="eval").body)
