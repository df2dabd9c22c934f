"""Expressions against an independent reading; places through every YAML style; limits; slips and their messages."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expressions import EXPRESSIONS, children, plain, scalar, shape, text_under
from fuzz.expression import one_input, seeds
from houserule_compiler import parse, syntax
from houserule_compiler.limits import Limits
from houserule_compiler.parse import Parser

PARSER = Parser(Limits())
SLIPS = Path(__file__).parent / "cases" / "parse" / "slips.txt"
KINDS = {
    "type": PARSER.type_expression,
    "key": PARSER.alternatives,
    "value": PARSER.constant,
    "adjustment": PARSER.adjustment,
    "expression": PARSER.expression,
}


def parsed(text: str) -> Any:
    tree, diagnostics = PARSER.expression(plain(text))
    assert diagnostics == []
    return tree


class Climber:
    """The oracle: precedence climbing, in the order that the language reference gives."""

    TOKEN = re.compile(r"\s*(\d+d\d+(?: keep \w+ \d+)?|\d+|\)\.[a-z]+|[a-z][a-z0-9_.]*[a-z0-9_]|[a-z]|\.\.|[<>=!]=|.)")
    COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

    def __init__(self, text: str) -> None:
        self.tokens = [*self.TOKEN.findall(text), "end"]

    def take(self, *wanted: str) -> str:
        found = self.tokens.pop(0)
        assert not wanted or found in wanted, (found, wanted)
        return found

    def whole(self) -> Any:
        if self.tokens[0] == "if":
            self.take()
            condition = self.whole()
            self.take("then")
            yes = self.whole()
            self.take("else")
            return ("if", condition, yes, self.whole())
        return self.flat("or", lambda: self.flat("and", self.negation))

    def flat(self, word: str, term: Any) -> Any:
        terms = [term()]
        while self.tokens[0] == word:
            self.take()
            terms.append(term())
        return terms[0] if len(terms) == 1 else (word, *terms)

    def negation(self) -> Any:
        if self.tokens[0] == "not":
            return (self.take(), self.negation())
        left = self.binary(0)
        if self.tokens[0] in self.COMPARISONS:
            return (self.take(), left, self.binary(0))
        return ("in", left, *self.alternatives()) if self.tokens[0] == "in" else left

    def alternatives(self) -> list[Any]:
        found = []
        while self.tokens[0] in ("in", "|"):
            self.take()
            low = None if self.tokens[0] == ".." else self.binary(0)
            if self.tokens[0] == "..":
                self.take()
                ends = self.tokens[0] in ("|", ")", ",", "and", "or", "then", "else", "end") or self.tokens[0][0] == ")"
                low = ("band", low, None if ends else self.binary(0))
            found.append(low)
        return found

    def binary(self, power: int) -> Any:
        left = self.prefix()
        while (strength := {"+": 1, "-": 1, "*": 2, "/": 2}.get(self.tokens[0], 0)) > power:
            left = (self.take(), left, self.binary(strength))
        return left

    def prefix(self) -> Any:
        if self.tokens[0] == "-":
            return (self.take(), self.prefix())
        word = self.take()
        if word == "(":
            inside = self.whole()
            self.take(")")
            return inside
        return self.call(word) if self.tokens[0] == "(" else word

    def call(self, word: str) -> Any:
        arguments = []
        self.take("(")
        while self.tokens[0][0] != ")":
            argument = self.whole()
            if self.tokens[0] == "as":
                argument = (self.take(), argument, self.take())
            arguments.append(argument)
            if self.tokens[0] == ",":
                self.take()
        return ("call", word, *arguments, self.take()[2:])


PRECEDENCE = """
a or b and c                | (a) or (b and c)
a and b or c                | (a and b) or (c)
not a and b                 | (not a) and b
not a == b                  | not (a == b)
not x in a | b              | not (x in a | b)
a == b + c                  | a == (b + c)
a + b < c * d               | (a + b) < (c * d)
a + b * c                   | a + (b * c)
a - b - c                   | (a - b) - c
a / b / c                   | (a / b) / c
-a * b                      | (-a) * b
- -a + b                    | (-(-a)) + b
a - -b                      | a - (-b)
x in a + 1 .. b * 2         | x in (a + 1) .. (b * 2)
x + 1 in 2..3               | (x + 1) in 2..3
x in ..3 and y              | (x in ..3) and y
x in 3.. or y               | (x in 3..) or y
x in 3..-1                  | x in 3..(-1)
if a then b else c or d     | if a then b else (c or d)
if a or b then c else d     | if (a or b) then c else d
if a then b else if c then d else e | if a then b else (if c then d else e)
if a then if b then c else d else e | if a then (if b then c else d) else e
known(a) and not b          | (known(a)) and (not b)
f(a).c + 1                  | (f(a).c) + 1
"""


@pytest.mark.parametrize("line", PRECEDENCE.strip().splitlines())
def test_precedence(line: str) -> None:
    loose, strict = (each.strip() for each in re.split(r"\s{2,}\| | \| (?=if a then b)| \| (?=if a then \()", line))
    assert shape(parsed(loose)) == shape(parsed(strict))


@given(EXPRESSIONS)
@settings(max_examples=400, deadline=None)
def test_agrees_with_the_oracle(text: str) -> None:
    tree, diagnostics = PARSER.expression(plain(text))
    if diagnostics:
        assert {each.code for each in diagnostics} <= {"expression-too-long", "too-many-tokens"}
        return
    assert shape(tree) == Climber(text).whole()


@given(st.sampled_from(("plain", "single", "double", "folded", "literal")), EXPRESSIONS, st.data())
@settings(max_examples=200, deadline=None)
def test_every_node_knows_its_place(style: Any, text: str, data: st.DataObject) -> None:
    breaks = data.draw(st.sets(st.sampled_from([at for at, each in enumerate(text) if each == " "] or [-1])))
    text = "".join("\n" if at in breaks else each for at, each in enumerate(text))
    escaped = data.draw(st.frozensets(st.integers(0, len(text))))
    written = scalar(style, text, escaped)
    tree, diagnostics = PARSER.expression(written)
    if not diagnostics:
        check_places(written, tree)


def check_places(written: Any, node: Any) -> None:
    under = text_under(written, node.span)
    assert shape(parsed(under)) == shape(node)
    assert under == under.strip()
    if isinstance(node, syntax.Name):
        assert tuple(text_under(written, span) for span in node.spans) == node.parts
    if isinstance(node, syntax.Binary):
        assert text_under(written, node.at) == node.operator
    if isinstance(node, syntax.Membership):
        assert text_under(written, node.at) == "in"
        assert all(a.span.end <= b.span.start for a, b in pairwise(node.alternatives))
    if isinstance(node, syntax.Call) and node.column:
        assert text_under(written, node.column.span) == "reaction"
    for child in children(node):
        assert node.span.start <= child.span.start <= child.span.end <= node.span.end
        check_places(written, child)


def test_dotted_name_through_escapes() -> None:
    written = scalar("double", "its.class", frozenset({1, 5}))
    name, _ = PARSER.expression(written)
    assert written.span.text == '"i\\x74s.c\\x6cass"'
    assert isinstance(name, syntax.Name)
    assert [text_under(written, span) for span in name.spans] == ["its", "class"]


def slips() -> list[list[str]]:
    """Blocks of the file: kind and text, a caret line, `code: headline`, then `note:` and `help:` lines."""
    blocks = SLIPS.read_text(encoding="utf-8").strip().split("\n\n")
    return [block.split("\n") for block in blocks if not block.startswith("#")]


def message(kind: str, text: str) -> list[str]:
    """The block that this text gives."""
    tree, diagnostics = KINDS[kind](plain(text))
    assert tree is None
    (found,) = diagnostics
    carets = " " * (len(kind) + 2 + found.span.start) + "^" * max(1, found.span.end - found.span.start)
    lines = [f"{kind}: {text}", carets, f"{found.code}: {found.headline}"]
    return lines + [f"note: {each}" for each in found.notes] + ([f"help: {found.help}"] if found.help else [])


def test_slips_can_be_accepted(accepts: bool) -> None:
    texts = [block[0].split(": ", 1) for block in slips()]
    assert len({tuple(each) for each in texts}) == len(texts)
    if accepts:
        head = SLIPS.read_text(encoding="utf-8").split("\n\n", 1)[0]
        SLIPS.write_text("\n\n".join([head, *("\n".join(message(*each)) for each in texts)]) + "\n", encoding="utf-8")


@pytest.mark.parametrize("block", slips(), ids=lambda block: block[0])
def test_slip(block: list[str]) -> None:
    kind, _, text = block[0].partition(": ")
    assert message(kind, text) == block


def chain(count: int, sign: str) -> str:
    return f" {sign} ".join(["a"] * count)


NESTED = {
    "parentheses": lambda n: "(" * n + "a" + ")" * n,
    "calls": lambda n: "f(" * n + "a" + ")" * n,
    "not": lambda n: "not " * n + "a",
    "minus": lambda n: "-" * n + "a",
    "mixed": lambda n: "-(" * (n // 2) + "-" * (n % 2) + "a" + ")" * (n // 2),
    "else": lambda n: "if a then b else " * n + "c",
    "then": lambda n: "if a then " * n + "b" + " else c" * n,
    "condition": lambda n: "if " * n + "a" + " then b else c" * n,
}


@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
def test_depth(nested: Any) -> None:
    roomy = Parser(replace(Limits(), expression_tokens=1000))
    for depth, codes in ((31, []), (32, []), (33, ["expression-too-deep"])):
        assert [each.code for each in roomy.expression(plain(nested(depth)))[1]] == codes


def test_depth_is_of_what_is_open() -> None:
    deep = "(" * 32 + "a" + ")" * 32
    assert PARSER.expression(plain(f"{deep} and {deep}"))[1] == []
    branch = "if a then b else " * 16 + "c"
    assert PARSER.expression(plain(f"if ({branch}) then ({branch}) else c"))[1] == []


@pytest.mark.parametrize("sign", ["and", "or", "+", "-", "*", "/"])
def test_terms(sign: str) -> None:
    for terms, codes in ((63, []), (64, []), (65, ["chain-too-long"])):
        assert [each.code for each in PARSER.expression(plain(chain(terms, sign)))[1]] == codes


@pytest.mark.parametrize("frame", ["x in {}", "f({})"])
def test_terms_of_lists(frame: str) -> None:
    sign = "|" if "in" in frame else ","
    for terms, codes in ((63, []), (64, []), (65, ["chain-too-long"])):
        assert [each.code for each in PARSER.expression(plain(frame.format(chain(terms, sign))))[1]] == codes


def test_terms_are_counted_in_each_chain() -> None:
    assert PARSER.expression(plain(f"({chain(40, '+')}) * ({chain(40, '-')})"))[1] == []
    assert PARSER.expression(plain(f"{chain(40, '+')} < {chain(40, '+')}"))[1] == []


def test_characters() -> None:
    for length, codes in ((1023, []), (1024, []), (1025, ["expression-too-long"])):
        assert [each.code for each in PARSER.expression(plain("a".ljust(length)))[1]] == codes


def test_tokens() -> None:
    roomy = Parser(replace(Limits(), expression_terms=1000))
    for count, codes in ((255, []), (257, ["too-many-tokens"])):
        assert [each.code for each in roomy.expression(plain(chain((count + 1) // 2, "+")))[1]] == codes
    assert roomy.expression(plain("-" + chain(128, "+")))[1] == []


def test_digits() -> None:
    for digits, codes in ((8, []), (9, []), (10, ["number-too-long"])):
        assert [each.code for each in PARSER.expression(plain("9" * digits))[1]] == codes


@pytest.mark.parametrize(("frame", "code"), [("{}d6", "dice-beyond-limit"), ("1d{}", "dice-beyond-limit")])
def test_dice_limits(frame: str, code: str) -> None:
    for many, codes in ((999, []), (1000, []), (1001, [code]), (10**12, [code])):
        assert [each.code for each in PARSER.expression(plain(frame.format(many)))[1]] == codes


def test_limits_can_be_raised() -> None:
    assert Parser(replace(Limits(), expression_depth=40)).expression(plain("(" * 40 + "a" + ")" * 40))[1] == []


ADJUSTMENTS = [
    ("+2", "+", "2"),
    ("-3", "-", ("-", "3")),
    ("0", "", "0"),
    ("worse 3", "worse", "3"),
    ("better a + 1", "better", ("+", "a", "1")),
    ("+ a * 2", "+", ("*", "a", "2")),
    ("-a + 2", "-", ("+", ("-", "a"), "2")),
    ("if x then -3 else -2", "", ("if", "x", ("-", "3"), ("-", "2"))),
]


@pytest.mark.parametrize(("text", "sign", "value"), ADJUSTMENTS)
def test_adjustment(text: str, sign: str, value: Any) -> None:
    found, diagnostics = PARSER.adjustment(plain(text))
    assert diagnostics == []
    assert found is not None
    assert (found.sign, shape(found.value), found.span.text) == (sign, value, text)


TYPES = [
    ("3..18", "range", None, "3", "18", (), False, None),
    ("-10..10 = 0", "range", None, ("-", "10"), "10", (), False, "0"),
    ("integer", "integer", None, None, None, (), False, None),
    ("boolean = false", "boolean", None, None, None, (), False, "false"),
    ("adjustment", "adjustment", None, None, None, (), False, None),
    ("text", "text", None, None, None, (), False, None),
    ("class", "choice", "class", None, None, (), False, None),
    ("pay?", "choice", "pay", None, None, (), True, None),
    ("rule = surprised_die", "choice", "rule", None, None, (), False, "surprised_die"),
    ("combat_round.step", "choice", "combat_round.step", None, None, (), False, None),
    ("set of stance", "set", "stance", None, None, (), False, None),
    ("hit_dice 0..30?", "hit_dice", None, "0", "30", (), True, None),
    ("hit_dice 1/2..4+3", "hit_dice", None, ("/", "1", "2"), ("+", "4", "3"), (), False, None),
    ("hit_dice", "hit_dice", None, None, None, (), False, None),
    ("fraction 0..10 = 1/3", "fraction", None, "0", "10", (), False, ("/", "1", "3")),
    ("dice <= 4d12", "dice_up_to", None, None, None, ("4d12",), False, None),
    ("1d4 | 1d6 | 1d8 = 1d6", "dice_of", None, None, None, ("1d4", "1d6", "1d8"), False, "1d6"),
]


@pytest.mark.parametrize("row", TYPES, ids=lambda row: row[0])
def test_type(row: Any) -> None:
    found, diagnostics = PARSER.type_expression(plain(row[0]))
    assert diagnostics == []
    assert found is not None
    name = found.name.text if found.name else None
    ends = shape(found.low), shape(found.high)
    dice = tuple(shape(each) for each in found.dice)
    assert (found.kind, name, *ends, dice, found.may_be_unknown, shape(found.default)) == row[1:]
    assert found.span.text == row[0]


@pytest.mark.parametrize(
    "word", ["integer", "boolean", "adjustment", "text", "hit_dice", "fraction", "dice", "of", "keep"]
)
def test_words_of_types_are_ordinary_elsewhere(word: str) -> None:
    assert shape(parsed(f"{word} - 1 == its.{word}")) == ("==", ("-", word, "1"), f"its.{word}")


KEYS = [
    ("halberd | bill_guisarme", ["halberd", "bill_guisarme"]),
    ("1..3 | 7", [("band", "1", "3"), "7"]),
    ("..5", [("band", None, "5")]),
    ("96..", [("band", "96", None)]),
    ("2+1..3", [("band", ("+", "2", "1"), "3")]),
    ("..1-1", [("band", None, ("-", "1", "1"))]),
    ("06..25", [("band", "06", "25")]),
    ("-10..-3", [("band", ("-", "10"), ("-", "3"))]),
    ("true", ["true"]),
    ("1/2", [("/", "1", "2")]),
    ("1d8", ["1d8"]),
    ("small..ogre", [("band", "small", "ogre")]),
]


@pytest.mark.parametrize(("text", "expected"), KEYS)
def test_key(text: str, expected: Any) -> None:
    found, diagnostics = PARSER.alternatives(plain(text))
    assert diagnostics == []
    assert [shape(each) for each in found or ()] == expected
    assert " | ".join(each.span.text for each in found or ()) == text


VALUES = ["3", "true", "fighter", "2d6"]
SUMS = {"-3": ("-", "3"), "4+3": ("+", "4", "3"), "1-1": ("-", "1", "1"), "-1/3": ("/", ("-", "1"), "3")}


@pytest.mark.parametrize(("text", "expected"), [*((each, each) for each in VALUES), *SUMS.items()])
def test_constant(text: str, expected: Any) -> None:
    found, diagnostics = PARSER.constant(plain(text))
    assert diagnostics == []
    assert shape(found) == expected


GRAMMAR = Path(parse.__file__).with_name("grammar.lark").read_text(encoding="utf-8")
TERMINALS = {"$END", *re.findall(r"^[A-Z_]{2,}(?=[.:])", GRAMMAR, re.M)} - {"IF", "AND", "OR", "NOT", "IN", "AS"}
PIECES = """
a its.b 1 007 2d6 d6 ( ) , + - * / == = <= < in | .. . and or not if then else as better max( ? % & {a} ' " é ≤ ½ A 1e3
"""
PIECE = st.sampled_from([*PIECES.split(), " ", "\n"])


@given(st.sampled_from(sorted(KINDS)), st.lists(PIECE, max_size=14), st.sampled_from(("", " ")))
@settings(max_examples=500, deadline=None)
def test_anything_gives_a_tree_or_one_message(kind: str, pieces: list[str], between: str) -> None:
    written = plain(between.join(pieces))
    tree, diagnostics = KINDS[kind](written)
    assert (tree is None) == (len(diagnostics) == 1)
    for each in diagnostics:
        assert len(each.headline) < 80
        assert TERMINALS.isdisjoint(re.findall(r"[$A-Z_]+", each.headline + each.help))
        assert all(0 <= label.span.start <= label.span.end <= len(written.text) for label in each.labels)


def test_fuzz_target_on_its_seeds() -> None:
    found = seeds()
    assert len(found) > 1000
    for data in found:
        one_input(data)


class ByGrammar(Parser):
    """Reads every text by the grammar, the short ones too."""

    _read = Parser.by_grammar


SHORT = [
    *("0", "7", "07", "1" * 9, "1" * 10, "x", "its", "if", "better", "true", "a_1", "A", "3..5", "..5", "9..", "..")
]
SHORT += [
    *("03..05", "-3..5", "1..x", "+2", "-2", "+02", "--2", "+x", "2 ", "1|2", "x.y", "3d6", "1...2", "٣", "x" * 65)
]
SHORT += [f"{'1' * 10}..2", f"1..{'2' * 10}", f"+{'1' * 9}", f"-{'1' * 10}", "1/2", "_x", "9x", "", "..07"]


@pytest.mark.parametrize("limits", [Limits(), Limits(digits=2), Limits(expression_characters=1, expression_tokens=1)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("style", ["plain", "double"])
def test_short_texts_are_read_as_the_grammar_reads_them(kind: str, limits: Limits, style: Any) -> None:
    for text in SHORT:
        written = scalar(style, text)
        one, other = (getattr(each(limits), KINDS[kind].__name__)(written) for each in (Parser, ByGrammar))
        assert repr(one) == repr(other), text
