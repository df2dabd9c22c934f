"""The trees of texts so short that nothing about them can be wrong: `7`, `fighter`, `3..5`, `96..`, `+2`.

Nearly all that a table holds is of this kind, and the grammar reads ten thousand rows in a second. Whatever is not
surely one of these forms, or might pass a limit, is the grammar's; tests hold both to the same trees.
"""

from __future__ import annotations

import re

from . import syntax
from .document import Scalar
from .limits import Limits
from .messages.expression import Subject
from .words import RESERVED

Short = syntax.Expression | syntax.Adjustment | tuple[syntax.Alternative, ...]

_ROOM = 8
"""Where a limit of tokens, depth or terms is at least this, none of these texts can pass it."""
_DIGITS = r"(?:0|[1-9][0-9]*+)"
_INTEGER = re.compile(_DIGITS)
_NAME = re.compile(r"[a-z][a-z0-9_]*+")
_SIGNED = re.compile(rf"([+-]?){_DIGITS}")
_BAND = re.compile(r"([0-9]*+)(\.\.)([0-9]*+)|[0-9]++")


def short(scalar: Scalar, subject: Subject, limits: Limits) -> Short | None:
    """The tree of a short text, or None where the grammar has to be asked."""
    text = scalar.text
    if len(text) > min(limits.expression_characters, 64) or _is_narrow(limits) or not text:
        return None
    if _NAME.fullmatch(text):
        return _word(scalar, subject) if text not in RESERVED else None
    if subject is Subject.KEY:
        return _key(scalar, limits.digits)
    if subject is Subject.ADJUSTMENT:
        return _adjustment(scalar, limits.digits)
    is_number = subject is not Subject.TYPE and len(text) <= limits.digits and _INTEGER.fullmatch(text)
    return _integer(scalar, 0, len(text)) if is_number else None


def _is_narrow(limits: Limits) -> bool:
    return min(limits.expression_tokens, limits.expression_depth, limits.expression_terms) < _ROOM


def _integer(scalar: Scalar, start: int, end: int) -> syntax.Integer:
    digits = scalar.text[start:end]
    return syntax.Integer(int(digits), digits, scalar.part(start, end))


def _word(scalar: Scalar, subject: Subject) -> Short | None:
    if subject is Subject.TYPE:
        return None
    span = scalar.part(0, len(scalar.text))
    name = syntax.Name((scalar.text,), (span,), span)
    if subject is Subject.KEY:
        return (syntax.Alternative(name, name, False, span),)
    return syntax.Adjustment("", name, span) if subject is Subject.ADJUSTMENT else name


def _key(scalar: Scalar, digits: int) -> Short | None:
    text = scalar.text
    found = _BAND.fullmatch(text)
    if not found or text == "..":
        return None
    if found[2] is None:
        single = _integer(scalar, 0, len(text)) if len(text) <= digits else None
        return (syntax.Alternative(single, single, False, single.span),) if single else None
    if max(len(found[1]), len(found[3])) > digits:
        return None
    low = _integer(scalar, *found.span(1)) if found[1] else None
    high = _integer(scalar, *found.span(3)) if found[3] else None
    return (syntax.Alternative(low, high, True, scalar.part(0, len(text))),)


def _adjustment(scalar: Scalar, digits: int) -> Short | None:
    found = _SIGNED.fullmatch(scalar.text)
    if not found or len(scalar.text) - len(found[1]) > digits:
        return None
    amount = _integer(scalar, len(found[1]), len(scalar.text))
    whole = scalar.part(0, len(scalar.text))
    if found[1] == "-":
        return syntax.Adjustment("-", syntax.Unary("-", amount, whole), whole)
    return syntax.Adjustment("+" if found[1] else "", amount, whole)
