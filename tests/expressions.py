"""For tests of expressions: random texts, scalars of every YAML style around them, and trees as plain tuples."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

from houserule_compiler import syntax
from houserule_compiler.document import Scalar, Style
from houserule_compiler.source import SourceFile, Span

NAMES = ("level", "its.class", "attacker.armor.kind", "fighter", "d20", "nothing", "android", "inn", "iffy", "its")
LEAVES = (*NAMES, "0", "7", "120", "true", "false", "2d6", "4d6 keep highest 3", "inherited")


def plain(text: str) -> Scalar:
    """A scalar that stands in its file as it is."""
    file = SourceFile("rules.yaml", text)
    return Scalar(text, "plain", Span(file, 0, len(text)), 0)


def scalar(style: Style, text: str, escaped: frozenset[int] = frozenset()) -> Scalar:
    """`text` in one of the YAML styles; its line breaks, and the characters at `escaped`, as the style writes them."""
    opening = {"single": "'", "double": '"', "folded": ">-\n    ", "literal": "|-\n    "}.get(style, "")
    written = f"when: {opening}"
    start, first = len("when: "), len(written)
    offsets = []
    for at, character in enumerate(text):
        offsets.append(len(written))
        if character == "\n":
            written += "\n    "
        elif style == "double" and at in escaped:
            written += f"\\x{ord(character):02x}"
        else:
            written += character
    offsets.append(len(written))
    seen = text if style == "literal" else text.replace("\n", " ")
    written += opening if style in ("single", "double") else ""
    file = SourceFile("rules.yaml", written + "\nbase: 3\n")
    verbatim = offsets == list(range(first, first + len(offsets))) and style in ("plain", "single")
    return Scalar(seen, style, Span(file, start, len(written)), first, None if verbatim else tuple(offsets))


def text_under(scalar: Scalar, span: Span) -> str:
    """The part of the scalar's text that `span` covers in the file."""
    offsets = scalar.offsets or range(scalar.first, scalar.first + len(scalar.text) + 1)
    return "".join(
        character for character, offset in zip(scalar.text, offsets, strict=False) if span.start <= offset < span.end
    )


def shape(node: Any) -> Any:
    """A tree as nested tuples, without places."""
    match node:
        case syntax.Integer():
            return node.digits
        case syntax.Boolean():
            return str(node.value).lower()
        case syntax.DiceLiteral():
            return f"{node.count}d{node.faces}" + (f" keep {node.keep[0]} {node.keep[1]}" if node.keep else "")
        case syntax.Name():
            return node.text
        case syntax.Inherited():
            return "inherited"
        case syntax.Call():
            column = node.column.text if node.column else ""
            return ("call", node.function.text, *map(shape, node.arguments), column)
        case syntax.Rebinding():
            return ("as", node.player.text, node.role.text)
        case syntax.Unary():
            return (node.operator, shape(node.operand))
        case syntax.Binary():
            return (node.operator, shape(node.left), shape(node.right))
        case syntax.Logic():
            return (node.operator, *map(shape, node.terms))
        case syntax.Conditional():
            return ("if", shape(node.condition), shape(node.yes), shape(node.no))
        case syntax.Membership():
            return ("in", shape(node.item), *map(shape, node.alternatives))
        case syntax.Alternative():
            return ("band", shape(node.low), shape(node.high)) if node.is_band else shape(node.low)
    return node


def children(node: Any) -> list[Any]:
    """The nodes straight under `node`."""
    match node:
        case syntax.Call():
            return [each for each in node.arguments if not isinstance(each, syntax.Rebinding)]
        case syntax.Unary():
            return [node.operand]
        case syntax.Binary():
            return [node.left, node.right]
        case syntax.Logic():
            return list(node.terms)
        case syntax.Conditional():
            return [node.condition, node.yes, node.no]
        case syntax.Membership():
            ends = [end for each in node.alternatives for end in (each.low, each.high) if end]
            return [node.item, *ends]
    return []


class Author:
    """Writes random expressions, with parentheses only here and there: precedence has to tell the rest."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def expression(self, depth: int = 2) -> str:
        """Any expression; `depth` bounds its parentheses and conditions."""
        if depth and self.random.random() < 0.15:
            return (
                f"if {self.expression(depth - 1)} then {self.expression(depth - 1)} else {self.expression(depth - 1)}"
            )
        return self.joined(lambda: self.joined(lambda: self.condition(depth), ["and"], 0.25), ["or"], 0.2)

    def joined(self, term: Callable[[], str], signs: list[str], chance: float) -> str:
        """One or more terms with signs between."""
        written = term()
        while self.random.random() < chance:
            written += f" {self.random.choice(signs)} {term()}"
        return written

    def condition(self, depth: int) -> str:
        """A value, a comparison or a membership, perhaps negated."""
        written = "not " * self.random.choice((0, 0, 0, 1, 2)) + self.total(depth)
        match self.random.randrange(4):
            case 0:
                sign = self.random.choice(("==", "!=", "<", "<=", ">", ">="))
                return f"{written} {sign} {self.total(depth)}"
            case 1:
                return f"{written} in " + self.joined(lambda: self.band(depth), ["|"], 0.4)
        return written

    def band(self, depth: int) -> str:
        """A value or a band with one end or two."""
        low, high = self.total(depth), self.total(depth)
        return self.random.choice((low, low, f"..{high}", f"{low}..", f"{low} .. {high}"))

    def total(self, depth: int) -> str:
        """A sum of products."""
        return self.joined(lambda: self.joined(lambda: self.factor(depth), ["*", "/"], 0.15), ["+", "-"], 0.25)

    def factor(self, depth: int) -> str:
        """A leaf, a call, or an expression in parentheses, perhaps with a minus."""
        return self.random.choice(("", "", "", "-", "- -")) + self.atom(depth)

    def atom(self, depth: int) -> str:
        """What needs no parentheses."""
        kind = self.random.randrange(8) if depth else 9
        if kind == 0:
            return f"({self.expression(depth - 1)})"
        if kind == 1:
            return f"max({self.joined(lambda: self.expression(depth - 1), [','], 0.4)})"
        if kind == 2:
            return f"charisma({self.expression(depth - 1)}).reaction"
        return "stealth(foe as side)" if kind == 3 else self.random.choice(LEAVES)


EXPRESSIONS = st.integers(0, 10**9).map(lambda seed: Author(seed).expression())
"""Texts of expressions."""
