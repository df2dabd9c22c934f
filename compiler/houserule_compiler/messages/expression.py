"""Messages of `parse`: what stands wrong inside an expression, an adjustment, a type, a row key or a value."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction

from ..characters import REFUSED
from ..diagnostics import Diagnostic, Label, error
from ..source import Span

LONGEST = 28
"""So many characters of the author's text are quoted in a headline."""


class Subject(Enum):
    """What the text is, in the author's words."""

    EXPRESSION = "expression"
    ADJUSTMENT = "adjustment"
    TYPE = "type"
    KEY = "row key"
    VALUE = "value"


class Wanted(Enum):
    """What may stand at a place."""

    VALUE = "a value"
    NAME = "a name"
    DICE = "dice such as `2d6`"
    THEN = "`then`"
    ELSE = "`else`"
    BAND = "`..`"
    AT_MOST = "`<=`"
    OPERATOR = "an operator or the end"
    COMMA = "an operator, `,` or `)`"
    CLOSE = "an operator or `)`"
    BAND_OR_BAR = "`..`, `|` or the end"
    DEFAULT = "`?`, `=` or the end"
    END = "the end"


def quoted(text: str) -> str:
    """The author's text in backticks, on one line, cut where it is long."""
    line = " ".join(text.split())
    cut = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return f"'{cut}'" if "`" in cut else f"`{cut}`"


def shorter(headline: str, instead: str) -> str:
    """`headline`, or `instead` where long names make it too long for one line."""
    return headline if len(headline) < 80 else instead


def expected(wanted: Wanted, after: str, found: str, subject: Subject, span: Span, help: str = "") -> Diagnostic:
    """Something else may stand here. `after` and `found` are empty at the start and at the end."""
    where = f" after {quoted(after)}" if after else ""
    what = quoted(found) if found else f"the end of the {subject.value}"
    headline = shorter(f"expected {wanted.value}{where}, found {what}", f"expected {wanted.value}, found {what}")
    return error("syntax-error", headline, Label(span), help=help)


def dash_for_band(low: str, high: str) -> str:
    """The help where a range is written with a dash."""
    return f"write the range with two dots: `{low}..{high}`"


def bound_for_dice() -> str:
    """The help where the type `dice` has no bound."""
    return "say the most that it can be, for example `dice <= 4d12`"


def rebinding_in_call() -> str:
    """The help where `as` stands outside a call."""
    return "`as` stands between the parentheses of a call, for example `stealth(foe as side)`"


def word_alone(word: str) -> str:
    """The help where a word of a choice has something before it."""
    return f"a word stands alone here: `{word}`"


def belongs_to_if() -> str:
    """The help where `then` or `else` stands without its `if`."""
    return "it belongs to an `if` before it: `if … then … else …`"


def nothing_there(subject: Subject, span: Span) -> Diagnostic:
    """The text is empty or blank."""
    return error("empty-expression", f"expected {an(subject)}, found nothing", Label(span), help="write one here")


def unclosed(bracket: Span, end: Span) -> Diagnostic:
    """A parenthesis is never closed."""
    return error(
        "unclosed-bracket",
        "unclosed `(`",
        Label(bracket),
        Label(end, "a `)` is missing by here"),
        help="add a `)`, or take this `(` out",
    )


def closes_nothing(span: Span) -> Diagnostic:
    """A parenthesis is closed that was never opened."""
    return error("stray-bracket", "this `)` closes nothing", Label(span), help="take it out, or add the `(`")


def single_equals(span: Span) -> Diagnostic:
    """`=` for `==`."""
    return error("single-equals", "`=` does not compare", Label(span), help="write `==`")


def no_lists(subject: Subject, items: Sequence[str], span: Span) -> Diagnostic:
    """Words in braces, square brackets or parentheses, or between commas."""
    bars = quoted(" | ".join(items)) if items else "`a | b`"
    help = f"join them with bars: {bars}"
    if subject is Subject.TYPE:
        help = "declare the words under `choices`, and write the id of the choice here"
    return error("list-in-expression", f"{an(subject)} holds no list", Label(span), help=help)


def an(subject: Subject) -> str:
    """The subject with its article."""
    return f"{'an' if subject.value[0] in 'ae' else 'a'} {subject.value}"


def chained(first: Span, second: Span, mended: str) -> Diagnostic:
    """`1 < x < 5`."""
    return error(
        "chained-comparison",
        "comparisons do not chain",
        Label(second),
        Label(first, "the first comparison"),
        help=f"write `{mended}`" if len(mended) <= 80 and mended else "join two comparisons with `and`",
    )


def band_outside_in(mark: str, mended: str, span: Span) -> Diagnostic:
    """`..` or `|` where no `in` stands before it."""
    what = "a band" if mark == ".." else "a bar"
    help = f"write `{mended}`" if mended else "write for example `x in 3..5 | 9`"
    return error("band-outside-in", f"{what} stands only to the right of `in`", Label(span), help=help)


def bars_in_brackets(span: Span) -> Diagnostic:
    """`x in (a | b)`."""
    return error("band-outside-in", "bars and bands take no parentheses", Label(span), help="take the parentheses out")


def decimal(written: str, value: Fraction | None, span: Span, *, is_divisor: bool = False) -> Diagnostic:
    """`0.5`: numbers are exact. A fraction that something is divided by needs parentheses."""
    help = "write a fraction, for example `1/2`"
    if value is not None:
        help = f"write `({value})`" if is_divisor and value.denominator > 1 else f"write `{value}`"
    return error("decimal-number", f"{quoted(written)} is a decimal number", Label(span), help=help)


def exponent(written: str, value: int | None, span: Span) -> Diagnostic:
    """`1e3`."""
    help = f"write `{value}`" if value is not None else "write all its digits"
    return error("exponent-number", f"{quoted(written)} is a number with an exponent", Label(span), help=help)


def percent(digits: str, value: Fraction, span: Span) -> Diagnostic:
    """`50%`."""
    return error(
        "percent-sign",
        f"a percent sign has no meaning after `{digits}`",
        Label(span),
        help=f"write `{value}` for the part of a whole, or `{digits}` to compare with a roll of 1d100",
    )


def leading_zero(digits: str, span: Span) -> Diagnostic:
    """`06` outside the key of a row."""
    return error(
        "leading-zero",
        f"{quoted(digits)} begins with a zero",
        Label(span),
        notes=["only the keys of rows may, as in `06..25`"],
        help=f"write {quoted(digits.lstrip('0') or '0')}",
    )


def digit_separator(written: str, digits: str, span: Span) -> Diagnostic:
    """`1_000` or `1,000`."""
    return error(
        "digit-separator", f"the digits of {quoted(written)} are parted", Label(span), help=f"write {quoted(digits)}"
    )


def quotes(inside: str, span: Span) -> Diagnostic:
    """A word in quotes inside an expression."""
    help = f"write {quoted(inside)}" if inside else "take the quotation marks out"
    return error("quoted-word", "words stand without quotation marks here", Label(span), help=help)


def look_alike(character: str, instead: str, span: Span) -> Diagnostic:
    """A character that looks like, or stands for, one that is meant."""
    letter = "Latin " if instead.isalpha() and len(instead) == 1 else ""
    shown = quoted(character) if character.strip() and not REFUSED.match(character) else "this"
    plain = "a plain space" if instead == " " else f"{letter}`{instead}`"
    return error(
        "look-alike-character",
        f"{shown} looks like {plain}, but is another character",
        Label(span),
        notes=[f"it is {described(character)}"],
        help="type a plain space" if instead == " " else f"type `{instead}`",
    )


def described(character: str) -> str:
    """Its number and name in Unicode: `U+0430, cyrillic small letter a`."""
    return f"U+{ord(character):04X}, {unicodedata.name(character, 'a character without a name').lower()}"


def upper_case(written: str, instead: str, span: Span) -> Diagnostic:
    """A name with capital letters."""
    return error(
        "upper-case-name", f"{quoted(written)} has capital letters", Label(span), help=f"write {quoted(instead)}"
    )


def missing_left_side(operator: str, subject: str, right: str, span: Span) -> Diagnostic:
    """`when: >= 5`. `subject` is what the comparison before it is about, if there is one."""
    help = f"say what is compared: `{subject or 'x'} {operator} {right or '…'}`"
    return error("missing-left-side", f"nothing stands to the left of `{operator}`", Label(span), help=help)


def reserved(word: str, is_function: bool, subject: Subject, span: Span) -> Diagnostic:
    """A word that the language keeps for itself stands where a name is due."""
    help = {
        "remove": "`remove` takes out a whole definition, row or adjustment; write it in place of that",
        "null": "leave the fact out, or ask `known(…)`",
        "set": "a set is written `set of` and the id of its choice" if subject is Subject.TYPE else "",
        "better": "`better` stands only at the start of an adjustment",
        "worse": "`worse` stands only at the start of an adjustment",
    }.get(word, "")
    if is_function:
        help = f"it is a function: write `{word}(…)`"
    return error(
        "reserved-word",
        f"`{word}` is a word of the language, not a name",
        Label(span),
        help=help or "choose another name",
    )


def unknown_character(character: str, span: Span, help: str = "") -> Diagnostic:
    """A character that has no place in expressions."""
    shown = described(character) if REFUSED.match(character) else quoted(character)
    return error("unknown-character", f"{shown} has no meaning here", Label(span), help=help)


def plain_letters() -> str:
    """The help where a letter is not one of names."""
    return "names are written with the letters a to z, digits and `_`"


def name_begins_with_letter(instead: str) -> str:
    """The help where a name begins with an underscore."""
    return f"a name begins with a letter: write {quoted(instead)}" if instead else "a name begins with a letter"


def tight_dot() -> str:
    """The help where a dot stands apart."""
    return "a dot joins two names without spaces: `attacker.level`"


def needs_parentheses(word: str, span: Span) -> Diagnostic:
    """`not` or `if` inside a tighter operator."""
    what = "`if … then … else …`" if word == "if" else "`not …`"
    return error(
        "needs-parentheses",
        f"{what} needs parentheses inside another expression",
        Label(span),
        help="put them around all of it",
    )


def stray_plus(has_direction: bool, span: Span) -> Diagnostic:
    """A `+` with nothing to its left that is not the sign of an adjustment, or comes after `better` or `worse`."""
    why = "`better` and `worse` say the way" if has_direction else "only an adjustment begins with `+`, and only once"
    return error("stray-plus", "nothing stands to the left of this `+`", Label(span), notes=[why], help="take it out")


def two_signs(span: Span, amount: str) -> Diagnostic:
    """An adjustment with two signs, of which one was not meant."""
    help = f"write `+{amount}` or `-{amount}`" if amount else "leave one sign"
    return error("two-signs", f"an adjustment has one sign, not {quoted(span.text)}", Label(span), help=help)


def dice_notation(written: str, instead: str, span: Span) -> Diagnostic:
    """Dice in another notation."""
    return error(
        "dice-notation", f"{quoted(written)} is not how dice are written", Label(span), help=f"write {instead}"
    )


def keep_notation() -> str:
    """How the best or the worst of several dice are kept."""
    return "for example `4d6 keep highest 3`"


def impossible_dice(written: str, why: str, span: Span) -> Diagnostic:
    """No dice, no faces, or more kept than rolled."""
    return error("impossible-dice", f"{quoted(written)} cannot be rolled: {why}", Label(span))


def no_dice() -> str:
    """Why 0d6 is impossible."""
    return "there is no die"


def no_faces() -> str:
    """Why 1d0 is impossible."""
    return "the die has no face"


def keeps_none() -> str:
    """Why keeping 0 is impossible."""
    return "none is kept"


def keeps_more() -> str:
    """Why `2d6 keep highest 3` is impossible."""
    return "more are kept than rolled"


def too_many_dice(written: str, name: str, limit: int, span: Span) -> Diagnostic:
    """Past the limit of dice or faces."""
    headline = f"{quoted(written)} has more than {limit} {name}"
    return error("dice-beyond-limit", headline, Label(span), help="roll fewer or smaller dice; no runtime takes more")


def too_long(length: int, limit: int, subject: Subject, span: Span) -> Diagnostic:
    """Past the limit of characters."""
    headline = f"this {subject.value} has {length} characters, over the limit of {limit}"
    return error("expression-too-long", headline, Label(span), help=parted("expression-characters", limit))


def too_many_tokens(count: int, limit: int, subject: Subject, span: Span) -> Diagnostic:
    """Past the limit of words and signs."""
    headline = f"this {subject.value} has {count} words and signs, over the limit of {limit}"
    return error("too-many-tokens", headline, Label(span), help=parted("expression-tokens", limit))


def too_deep(limit: int, subject: Subject, span: Span) -> Diagnostic:
    """Past the limit of nesting."""
    headline = f"this {subject.value} is nested more than {limit} deep"
    return error("expression-too-deep", headline, Label(span), help=parted("expression-depth", limit))


def too_many_terms(limit: int, span: Span) -> Diagnostic:
    """Past the limit of terms in one chain."""
    headline = f"more than {limit} terms in one chain"
    return error("chain-too-long", headline, Label(span), help=parted("expression-terms", limit))


def too_many_digits(digits: str, limit: int, span: Span) -> Diagnostic:
    """Past the limit of digits."""
    headline = f"this number has {len(digits)} digits, over the limit of {limit}"
    return error(
        "number-too-long",
        headline,
        Label(span),
        help=f"write less, or raise the limit with `--limit digits={2 * limit}`",
    )


def parted(name: str, limit: int) -> str:
    """The help where an expression is too large; `name` is the limit's."""
    return f"split it into named numbers or conditions, or raise the limit with `--limit {name}={2 * limit}`"
