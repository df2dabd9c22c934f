"""What a run of tokens may not hold, whatever its grammar: too much of anything, reserved words, impossible dice.

It is settled before the tokens are parsed, so that no later pass meets a tree deeper or longer than the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .diagnostics import Diagnostic
from .limits import Limits
from .messages import expression as messages
from .messages.expression import Subject
from .tokens import Placed, dice_parts
from .words import CONDITIONS, FUNCTIONS, RESERVED

# From the loosest: a token of one level begins a new term there, and new chains in all that is tighter.
LEVELS = {
    kind: level
    for level, kinds in enumerate(
        (
            ("_COMMA", "IF", "THEN", "ELSE", "IS"),
            ("OR",),
            ("AND",),
            ("EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST", "IN"),
            ("BAR",),
            ("BAND",),
            ("PLUS", "MINUS"),
            ("STAR", "SLASH"),
        )
    )
    for kind in kinds
}
PARTS_OF_IF = ("IF", "THEN", "ELSE")
NO_TERMS = [0] * (1 + max(LEVELS.values()))
ENDS_VALUE = frozenset({"INTEGER", "BOOLEAN", "DICE", "INHERITED", "NAME", "DOTTED", "CLOSE", "COLUMN"})


def vet(tokens: Sequence[Placed], subject: Subject, limits: Limits) -> Diagnostic | None:
    """The first thing in `tokens` that may not be, or None."""
    if len(tokens) > limits.expression_tokens:
        first = tokens[limits.expression_tokens]
        return messages.too_many_tokens(len(tokens), limits.expression_tokens, subject, first.span)
    for at, token in enumerate(tokens):
        look = LOOKS.get(token.type)
        found = look(tokens, at, subject, limits) if look else None
        if found:
            return found
    return _too_deep(tokens, subject, limits.expression_depth) or _too_many_terms(tokens, limits.expression_terms)


def _two_signs(tokens: Sequence[Placed], at: int, subject: Subject, limits: Limits) -> Diagnostic | None:
    """`+-2` and `--2`: nobody could tell which of the two was meant. A minus further on is arithmetic."""
    if at != 1 or subject is not Subject.ADJUSTMENT or tokens[0].type not in ("PLUS", "MINUS"):
        return None
    amount = tokens[2] if len(tokens) > 2 and tokens[2].type == "INTEGER" else ""
    return messages.two_signs(tokens[0].span.to(tokens[1].span), str(amount))


def _number(tokens: Sequence[Placed], at: int, subject: Subject, limits: Limits) -> Diagnostic | None:
    digits, span = str(tokens[at]), tokens[at].span
    if len(digits) > limits.digits:
        return messages.too_many_digits(digits, limits.digits, span)
    if parts_thousands(tokens, at):
        before = tokens[at - 2]
        return messages.digit_separator(f"{before},{digits}", f"{before}{digits}", before.span.to(span))
    if digits[0] == "0" and len(digits) > 1 and subject is not Subject.KEY:
        return messages.leading_zero(digits, span)
    return None


def parts_thousands(tokens: Sequence[Placed], at: int) -> bool:
    """Whether the number at `at` is the `000` of `1,000`: two arguments would not begin with a zero."""
    if at < 2 or len(tokens[at]) != 3 or tokens[at][0] != "0":
        return False
    return tokens[at - 2].type == "INTEGER" and tokens[at - 2].end + 1 == tokens[at].start


def _dice(tokens: Sequence[Placed], at: int, subject: Subject, limits: Limits) -> Diagnostic | None:
    written, span = str(tokens[at]), tokens[at].span
    count, faces, keep = dice_parts(written)
    for name, digits, limit in (("dice", count, limits.dice), ("faces", faces, limits.faces)):
        if len(digits) > limits.digits or int(digits) > limit:
            return messages.too_many_dice(written, name, limit, span)
        if digits[0] == "0" and int(digits):
            return messages.leading_zero(digits, span)
    why = _impossible(int(count), int(faces), keep[1] if keep else None, limits)
    return messages.impossible_dice(written, why, span) if why else None


def _impossible(count: int, faces: int, kept: str | None, limits: Limits) -> str:
    if not count:
        return messages.no_dice()
    if not faces:
        return messages.no_faces()
    if kept is None:
        return ""
    if len(kept) > limits.digits or int(kept) > count:
        return messages.keeps_more()
    return "" if int(kept) else messages.keeps_none()


def _name(tokens: Sequence[Placed], at: int, subject: Subject, limits: Limits) -> Diagnostic | None:
    token = tokens[at]
    if token.type == "NAME":
        is_called = at + 1 < len(tokens) and tokens[at + 1].type == "OPEN"
        if token not in RESERVED or token == "its" or (is_called and token in FUNCTIONS | CONDITIONS):
            return None
        return messages.reserved(str(token), token in FUNCTIONS, subject, token.span)
    for place, (word, span) in enumerate(token.parts()):
        if word in RESERVED and not (word == "its" and place == 0 and token.type == "DOTTED"):
            return messages.reserved(word, False, subject, span)
    return None


Look = Callable[[Sequence[Placed], int, Subject, Limits], Diagnostic | None]
LOOKS: dict[str, Look] = {
    "MINUS": _two_signs,
    "INTEGER": _number,
    "DICE": _dice,
    "NAME": _name,
    "DOTTED": _name,
    "COLUMN": _name,
}


def _too_deep(tokens: Sequence[Placed], subject: Subject, limit: int) -> Diagnostic | None:
    """Depth counts parentheses, the prefixes `not` and `-`, and each `if` until all of it is read."""
    if len(tokens) <= limit:
        return None
    opened: list[tuple[str, int]] = []
    depth = run = 0
    before = ""
    for token in tokens:
        kind = token.type
        if kind == "NOT" or (kind == "MINUS" and before not in ENDS_VALUE):
            run += 1
        else:
            if kind in ("OPEN", "IF"):
                opened.append((kind, run + 1))
                depth += run + 1
            elif kind in CLOSING:
                depth -= _close(opened, kind)
            run = 0
        if depth + run > limit:
            return messages.too_deep(limit, subject, token.span)
        before = kind
    return None


CLOSING = {"CLOSE": ("OPEN",), "_COMMA": ("OPEN",), "THEN": ("IF",), "ELSE": ("THEN",)}
"""What each of these tokens ends, besides every `if` whose `else` has begun."""


def _close(opened: list[tuple[str, int]], kind: str) -> int:
    """How much less deep it is after a token of `kind`; `opened` keeps what is still open."""
    less = 0
    while opened and opened[-1][0] == "ELSE":
        less += opened.pop()[1]
    if opened and opened[-1][0] in CLOSING[kind]:
        if kind == "CLOSE":
            less += opened.pop()[1]
        elif kind != "_COMMA":
            opened[-1] = (kind, opened[-1][1])
    return less


def _too_many_terms(tokens: Sequence[Placed], limit: int) -> Diagnostic | None:
    if len(tokens) <= limit:
        return None
    counts = NO_TERMS.copy()
    outer: list[list[int]] = []
    for at, token in enumerate(tokens):
        kind = token.type
        level = LEVELS.get(kind)
        if kind == "OPEN":
            outer.append(counts)
            counts = NO_TERMS.copy()
        elif kind == "CLOSE" and outer:
            counts = outer.pop()
        elif level is not None and (kind != "MINUS" or (at and tokens[at - 1].type in ENDS_VALUE)):
            counts[level] += kind not in PARTS_OF_IF
            counts[level + 1 :] = NO_TERMS[level + 1 :]
            if counts[level] >= limit:
                return messages.too_many_terms(limit, token.span)
    return None
