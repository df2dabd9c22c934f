"""What an author meant by characters that begin no token: other notations of numbers and dice, other alphabets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction

from .characters import is_odd_space, skeleton
from .diagnostics import Diagnostic
from .document import Scalar
from .messages import expression as messages
from .messages import operators
from .messages.expression import Subject
from .operators import foreign

WORD = re.compile(r"(?:[A-Za-z0-9_]|(?<!\.)\.(?!\.))+")
STANDS_FOR = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u00d7\u2715\u22c5\u00b7", "*"),
    **dict.fromkeys("\u00f7\u2044\u2215", "/"),
    **dict.fromkeys("\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb", '"'),
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u2026": "..",
    "\u2227": "and",
    "\u2228": "or",
    "\u00ac": "not",
    "\u2208": "in",
}
"""Signs that people and word processors write for those of the language."""
QUOTATION = re.compile("[\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]")


def unreadable(scalar: Scalar, at: int, subject: Subject) -> Diagnostic:
    """The diagnostic of the character at offset `at` of the scalar, with which no token begins."""
    character = scalar.text[at]
    if not character.isascii():
        return _other_alphabet(scalar, at)
    word = _word_around(scalar.text, at)
    if word:
        start, end = word
        for pattern, reading in WORDS:
            match = pattern.fullmatch(scalar.text, start, end)
            found = reading(match, scalar) if match else None
            if found:
                return found
    return _sign(scalar, at, subject)


def _word_around(text: str, at: int) -> tuple[int, int] | None:
    """The run of letters, digits and single dots that the character belongs to."""
    return next((each.span() for each in WORD.finditer(text) if each.start() <= at < each.end()), None)


def _separated(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    return messages.digit_separator(match[0], match[0].replace("_", ""), scalar.part(*match.span()))


def _decimal(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    value = Fraction(match[0]) if len(match[0]) <= 8 else None
    is_divisor = scalar.text[: match.start()].rstrip().endswith("/")
    return messages.decimal(match[0], value, scalar.part(*match.span()), is_divisor=is_divisor)


def _exponent(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    start, end = match.span()
    signed = re.compile(r"[-+][0-9]+").match(scalar.text, end) if match["power"] == "" else None
    if not match["power"] and not signed:
        return None
    end = signed.end() if signed else end
    is_small = match["power"] and len(match["power"]) == 1 and len(match["digits"]) < 9 and "." not in match["digits"]
    value = int(match["digits"]) * 10 ** int(match["power"]) if is_small else None
    return messages.exponent(scalar.text[start:end], value, scalar.part(start, end))


def _dice(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    start, end = match.span()
    if not match["faces"] and scalar.text[end : end + 1] == "%":
        return messages.dice_notation(match[0] + "%", f"`{match['count']}d100`", scalar.part(start, end + 1))
    if not match["faces"]:
        return None
    dice = f"{match['count']}d{match['faces']}"
    if match["end"] is None:
        instead = f"`{dice}`" if match["d"] == "D" else ""
    else:
        instead = f"`{dice} keep {'lowest' if match['end'].lower() == 'l' else 'highest'} {match['kept']}`"
    return messages.dice_notation(match[0], instead, scalar.part(start, end)) if instead else None


def _glued(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    # One letter between two numbers is more likely a slip for `d` than a sum without its operator.
    dice = re.fullmatch(r"([0-9]+)[a-wyz]([0-9]+)", match[0])
    return operators.run_together(match[0], scalar.part(*match.span()), f"{dice[1]}d{dice[2]}" if dice else "")


def _capitals(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", match[0]).lower()
    return messages.upper_case(match[0], words, scalar.part(*match.span()))


def _underscore(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    help = messages.name_begins_with_letter(match[0].lstrip("_"))
    return messages.unknown_character("_", scalar.part(match.start(), match.start() + 1), help)


WORDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Scalar], Diagnostic | None]], ...] = (
    (re.compile(r"[0-9]+(_+[0-9]+)+"), _separated),
    (re.compile(r"[0-9]*\.[0-9]+"), _decimal),
    (re.compile(r"[0-9]+(?P<rest>\.)"), lambda match, scalar: _whole(match, scalar)),
    (re.compile(r"(?P<digits>[0-9]+(\.[0-9]+)?)[eE](?P<power>[0-9]*)"), _exponent),
    (re.compile(r"(?P<count>[0-9]+)(?P<d>[dD])(?P<faces>[0-9]*)([kK](?P<end>[hHlL]?)(?P<kept>[0-9]+))?"), _dice),
    (re.compile(r"[0-9][A-Za-z0-9_.]*"), _glued),
    (re.compile(r"(?=.*[A-Z])[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*"), _capitals),
    (re.compile(r"_[a-z0-9_]*"), _underscore),
)


def _whole(match: re.Match[str], scalar: Scalar) -> Diagnostic | None:
    digits = match[0].rstrip(".")
    return messages.decimal(match[0], Fraction(digits), scalar.part(*match.span())) if len(digits) < 9 else None


def _sign(scalar: Scalar, at: int, subject: Subject) -> Diagnostic:
    """A sign that begins no token and belongs to no known notation of a number."""
    text = scalar.text
    character = text[at]
    percent = re.compile(r"([0-9]{1,9})%(?!\s*[a-z0-9(])").match(text, max(_number_before(text, at), 0))
    if character == "%" and percent:
        value = Fraction(int(percent[1]), 100)
        return messages.percent(percent[1], value, scalar.part(*percent.span()))
    if character in "\"'":
        return _quotes(scalar, at)
    if character in "{[":
        return _list(scalar, at, subject)
    found = foreign(scalar, text.find("?") if character == ":" else at)
    if found:
        return found
    help = messages.tight_dot() if character == "." else ""
    return messages.unknown_character(character, scalar.part(at, at + 1), help)


def _number_before(text: str, at: int) -> int:
    """Where the digits just before `at` begin."""
    while at and text[at - 1].isdigit():
        at -= 1
    return at


def _quotes(scalar: Scalar, at: int) -> Diagnostic:
    ends = QUOTATION.search(scalar.text, at + 1)
    end = ends.start() if ends else -1
    inside = scalar.text[at + 1 : end] if end > at else ""
    is_name = re.fullmatch(r"[a-z][a-z0-9_.]*|[0-9]+", inside)
    return messages.quotes(inside if is_name else "", scalar.part(at, end + 1 if end > at else at + 1))


def _list(scalar: Scalar, at: int, subject: Subject) -> Diagnostic:
    end = scalar.text.find({"{": "}", "[": "]"}[scalar.text[at]], at)
    items = [each.strip() for each in scalar.text[at + 1 : end].split(",")] if end > at else []
    is_plain = all(re.fullmatch(r"[a-z][a-z0-9_]*|[0-9]+", each) for each in items)
    return messages.no_lists(subject, items if is_plain else [], scalar.part(at, end + 1 if end > at else at + 1))


def _other_alphabet(scalar: Scalar, at: int) -> Diagnostic:
    character, span = scalar.text[at], scalar.part(at, at + 1)
    if unicodedata.decomposition(character).startswith("<super>"):
        return operators.foreign_operator(character, span)
    instead = meant(character)
    if instead == '"':
        return _quotes(scalar, at)
    if instead:
        return messages.look_alike(character, instead, span)
    help = messages.plain_letters() if character.isalpha() else ""
    return messages.unknown_character(character, span, help)


def meant(character: str) -> str:
    """The characters of the language that this one stands for or looks like, or nothing."""
    if is_odd_space(character):
        return " "
    if character in STANDS_FOR:
        return STANDS_FOR[character]
    digit = unicodedata.digit(character, None)
    plain = skeleton(character).replace("\u2044", "/") if digit is None else str(digit)
    return plain if plain.isascii() and plain.isprintable() else ""
