"""From the text of a scalar to a syntax tree: expressions, adjustments, types, row keys, literal values.

The grammar is `grammar.lark`. Each text is cut into tokens, the tokens are vetted against the limits, and only then
parsed, so that nothing deep or long is ever built. The first thing that is wrong in a scalar is reported, in the
author's words; nothing that the parser generator says reaches anybody.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedToken

from . import syntax
from .diagnostics import Diagnostic
from .document import Scalar
from .grammar import STARTS, tables
from .limits import Limits
from .memory import Memory
from .messages import expression as messages
from .messages.expression import Subject
from .mistakes import Failure, mistake
from .reductions import Reductions
from .short import short
from .tokens import Placed, Tokenizer
from .unreadable import unreadable
from .vet import vet

WORDS_OF_TYPES = {
    "hit_dice": "HIT_DICE",
    "fraction": "FRACTION",
    "dice": "SOME_DICE",
    **dict.fromkeys(("integer", "boolean", "adjustment", "text"), "SIMPLE"),
}
"""Ordinary words that name a type where a type begins."""


class Parser:
    """Reads the text of scalars. Every method gives a tree, or None and what is wrong with the text.

    The tables of the grammar are read on first use and kept for the whole process, and nothing else is; `memory` has
    the trees of scalars that earlier builds with the same limits have read.
    """

    def __init__(self, limits: Limits, memory: Memory | None = None) -> None:
        self.limits = limits
        self._memory = memory
        self._readings: Counter[tuple[int, Subject]] = Counter()

    def expression(self, scalar: Scalar) -> tuple[syntax.Expression | None, list[Diagnostic]]:
        """The expression of this scalar: `level + 2`, `its.class in fighter | paladin`, `3d6`."""
        return self._parse(scalar, Subject.EXPRESSION)

    def adjustment(self, scalar: Scalar) -> tuple[syntax.Adjustment | None, list[Diagnostic]]:
        """The adjustment of this scalar: `+2`, `worse 3`, an expression."""
        tree, diagnostics = self._parse(scalar, Subject.ADJUSTMENT)
        if tree and not tree.sign and scalar.text.lstrip().startswith("-"):
            tree = replace(tree, sign="-")
        return tree, diagnostics

    def type_expression(self, scalar: Scalar) -> tuple[syntax.TypeExpression | None, list[Diagnostic]]:
        """The type of this scalar: `3..18`, `set of stance`, `boolean = false`, `pay?`."""
        return self._parse(scalar, Subject.TYPE)

    def alternatives(self, scalar: Scalar) -> tuple[tuple[syntax.Alternative, ...] | None, list[Diagnostic]]:
        """The values and bands of a row key: `halberd | bill_guisarme`, `06..25`, `96..`."""
        return self._parse(scalar, Subject.KEY)

    def constant(self, scalar: Scalar) -> tuple[syntax.Expression | None, list[Diagnostic]]:
        """The literal value of this scalar: `3`, `-1`, `true`, `fighter`, `4+3`, `1/2`, `2d6`."""
        return self._parse(scalar, Subject.VALUE)

    def _parse(self, scalar: Scalar, subject: Subject) -> tuple[Any, list[Diagnostic]]:
        if self._memory is None:
            return self._read(scalar, subject)
        # What is read twice in one build has two trees, since later passes tell nodes apart by their identity.
        key = id(scalar), subject
        self._readings[key] += 1
        return self._memory.recall((*key, self._readings[key]), scalar, lambda: self._read(scalar, subject))

    def _read(self, scalar: Scalar, subject: Subject) -> tuple[Any, list[Diagnostic]]:
        tree = short(scalar, subject, self.limits)
        return (tree, []) if tree is not None else self.by_grammar(scalar, subject)

    def by_grammar(self, scalar: Scalar, subject: Subject) -> tuple[Any, list[Diagnostic]]:
        """What the grammar makes of a text, however short; None and what is wrong where it makes nothing of it."""
        tokens, found = self._vetted(scalar, subject)
        if found:
            return None, [found]
        session = self._grammar.parse_interactive(start=STARTS[subject])
        at = 0
        try:
            for at, token in enumerate(tokens):  # noqa: B007 (read after an error)
                session.feed_token(token)
            at = len(tokens)
            return session.feed_token(Token("$END", "")), []
        except UnexpectedToken:
            accepts = self._accepted(tokens[:at], subject)
            return None, [mistake(Failure(subject, tokens, at, accepts))]

    def _vetted(self, scalar: Scalar, subject: Subject) -> tuple[list[Placed], Diagnostic | None]:
        """The tokens of the scalar, or the first thing about them that may not be."""
        length, limit = len(scalar.text), self.limits.expression_characters
        if length > limit:
            return [], messages.too_long(length, limit, subject, scalar.part(limit, limit + 1))
        tokens, stop = self._tokenizer.tokens(scalar)
        if stop is not None:
            return tokens, unreadable(scalar, stop, subject)
        if not tokens:
            return tokens, messages.nothing_there(subject, scalar.span)
        if subject is Subject.TYPE and tokens[0].type == "NAME":
            tokens[0].type = WORDS_OF_TYPES.get(str(tokens[0]), "NAME")
        return tokens, vet(tokens, subject, self.limits)

    def _accepted(self, tokens: list[Placed], subject: Subject) -> frozenset[str]:
        """The kinds of token that may follow these. The failed session is of no use: it has gone on too far."""
        session = self._grammar.parse_interactive("", start=STARTS[subject])
        for token in tokens:
            session.feed_token(token)
        return frozenset(session.accepts())  # type: ignore[no-untyped-call]

    @property
    def _grammar(self) -> Lark:
        return _tables()

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer(self._grammar.terminals)


@cache
def _tables() -> Lark:
    """The tables of the grammar, which never change."""
    return tables(Reductions())
