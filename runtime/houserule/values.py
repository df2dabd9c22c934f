"""Values as people give and read them, and the codes that the evaluator holds: words, sets, hit dice, dice, fractions.

`UNKNOWN` is the value of what may be unknown and is: it is neither 0 nor false, and never stands for what is missing.
"""

from __future__ import annotations

from .errors import ArtifactError, HouseruleError, printable
from .limits import LARGEST, PIPS
from .nearest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Final, TypeAlias

    from .program import Label, Stored, Type

    Words: TypeAlias = tuple[Label, ...]
    Given: TypeAlias = object
    Shown: TypeAlias = "bool | int | str | Fraction | tuple[str, ...] | Unknown"
    """A value as callers see it: words as texts, sets as tuples of words in their order, hit dice and dice as texts."""

_STEP = 2 * PIPS + 1


class Unknown:
    """The class of `UNKNOWN`, the one value of what is not known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __str__(self) -> str:
        return "unknown"

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false")

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
"""What is not known."""


class MisfitError(HouseruleError):
    """A given value does not fit its type: `code` is `wrong-type` or `out-of-range`."""

    def __init__(self, code: str, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.fix = fix


def hit_dice_code(half: bool, dice: int, pips: int) -> int:
    """The dense, ordered code of hit dice: 1/2 when `half`, else `dice` with `pips`."""
    return (1 if half else 0 if dice == 0 else dice + 1) * _STEP + pips + PIPS


def hit_dice_parts(code: int) -> tuple[int, int]:
    """Twice the dice (so that 1/2 is 1), and the pips, of hit dice."""
    step, pips = divmod(code, _STEP)
    return 1 if step == 1 else 0 if step == 0 else 2 * (step - 1), pips - PIPS


def hit_dice_text(code: int) -> str:
    """Hit dice as people write them: `1/2`, `1-1`, `4+3`."""
    twice, pips = hit_dice_parts(code)
    dice = "1/2" if twice == 1 else str(twice // 2)
    return f"{dice}{pips:+d}" if pips else dice


def dice_text(code: int) -> str:
    """Dice as people write them: `2d6`."""
    return f"{code // 1024}d{code % 1024}"


def shown(value: Stored | Unknown, type: Type, words: Words) -> Shown:
    """A held value as callers see it. `words` are those of the type's choice."""
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, str):
        return value
    match type.kind:
        case "choice":
            if not 0 <= int(value) < len(words):
                raise ArtifactError(f"this artifact is damaged: `{type.choice}` has no word {value}")
            return words[int(value)].id
        case "set":
            return tuple(word.id for code, word in enumerate(words) if int(value) >> code & 1)
        case "hit_dice":
            return hit_dice_text(int(value))
        case "dice":
            return dice_text(int(value))
        case "fraction":
            return exact(value)
    return value


def exact(value: int | Fraction) -> Fraction:
    """A number as a fraction."""
    from fractions import Fraction

    return Fraction(value)


def plain(value: Shown) -> bool | int | str | list[str] | None:
    """A shown value as plain JSON: fractions as texts, sets as lists, null for unknown."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, bool | int | str) else str(value)


def text_of(value: Shown) -> str:
    """A shown value in a sentence."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " | ".join(value) if value else "empty"
    return str(value)


def described(type: Type, words: Words) -> str:
    """What a value of this type is, in a sentence: `a whole number from 3 to 18`."""
    match type.kind:
        case "integer":
            return f"a whole number from {type.low} to {type.high}"
        case "boolean":
            return "true or false"
        case "choice":
            return f"one of {_listed(_allowed(type, words))}"
        case "set":
            return f"a set of {_listed(tuple(word.id for word in words))}"
        case "hit_dice":
            return f"hit dice from {hit_dice_text(int(type.low or 0))} to {hit_dice_text(int(type.high or 0))}"
        case "fraction":
            return f"a fraction from {type.low} to {type.high}"
        case "dice":
            some = " or ".join(dice_text(code) for code in type.one_of)
            return some or f"at most {type.up_to // 1024} dice of at most {type.up_to % 1024} faces"
    return "a text"


def _allowed(type: Type, words: Words) -> tuple[str, ...]:
    low = int(type.low or 0)
    high = len(words) - 1 if type.high is None else int(type.high)
    return tuple(word.id for word in words[low : high + 1])


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words[:12]) + (f" and {len(words) - 12} more" if len(words) > 12 else "")


def held(given: Given, type: Type, words: Words) -> Stored | Unknown:
    """The code of a given value, native or as text. Raises `MisfitError` for what does not fit."""
    if isinstance(given, Unknown):
        return UNKNOWN
    match type.kind:
        case "integer":
            return _in_range(_whole(given, type, words), type, words)
        case "boolean":
            return _boolean(given, type, words)
        case "choice":
            return _word(given, type, words)
        case "set":
            return _set(given, type, words)
        case "hit_dice":
            return _in_range(_hit_dice(given, type, words), type, words)
        case "dice":
            return _dice(given, type, words)
        case "fraction":
            return _in_range(_fraction(given, type, words), type, words)
    return str.__str__(given) if isinstance(given, str) else _wrong(given, type, words)


def _quoted(given: Given) -> str:
    """A given value in a sentence, cut short; an integer of thousands of digits has no text at all."""
    try:
        text = given if isinstance(given, str) else text_of(given) if isinstance(given, bool) else repr(given)
    except ValueError:
        return "a number beyond all ranges"
    return f"`{printable(text)}`"


def _wrong(given: Given, type: Type, words: Words, fix: str = "") -> int:
    raise MisfitError("wrong-type", f"expected {described(type, words)}, found {_quoted(given)}", fix)


def _in_range(value: int | Fraction, type: Type, words: Words) -> int | Fraction:
    """The value itself, if it lies in the range of its type."""
    if (type.low is not None and value < type.low) or (type.high is not None and value > type.high):
        found = hit_dice_text(int(value)) if type.kind == "hit_dice" else None
        shown = found or (str(value) if -LARGEST <= value <= LARGEST else "a number beyond 2^53 - 1")
        raise MisfitError("out-of-range", f"expected {described(type, words)}, found {shown}")
    return value


def _whole(given: Given, type: Type, words: Words) -> int:
    if isinstance(given, int) and not isinstance(given, bool):
        return _bare(given)
    if isinstance(given, str):
        number = integer_in(given)
        if number is not None:
            return number
    return _wrong(given, type, words)


def _bare(given: int) -> int:
    """The integer itself of a caller's own kind of integer, such as a word of an enumeration."""
    return int.__int__(given)


def integer_in(text: str) -> int | None:
    """The integer that a text is, with or without a sign, or None."""
    digits = text.strip().removeprefix("+")
    bare = digits.removeprefix("-")
    if bare.isascii() and bare.isdigit() and len(bare) <= 16 and abs(int(bare)) <= LARGEST:
        return int(digits)
    return None


def _boolean(given: Given, type: Type, words: Words) -> bool:
    if isinstance(given, bool):
        return given
    if isinstance(given, str) and given.strip() in ("true", "false"):
        return given.strip() == "true"
    _wrong(given, type, words, "write true or false")
    raise AssertionError


def _word(given: Given, type: Type, words: Words) -> int:
    if not isinstance(given, str):
        return _wrong(given, type, words)
    allowed = _allowed(type, words)
    name = given.strip()
    if name not in allowed:
        return _wrong(given, type, words, did_you_mean(name, allowed))
    return int(type.low or 0) + allowed.index(name)


def _set(given: Given, type: Type, words: Words) -> int:
    if isinstance(given, str):
        given = [part for part in given.replace(",", "|").split("|") if part.strip()]
    if not isinstance(given, list | tuple | set | frozenset):
        return _wrong(given, type, words)
    mask = 0
    for each in given:
        mask |= 1 << _word(each, type, words)
    return mask


def _hit_dice(given: Given, type: Type, words: Words) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) <= LARGEST:
        return _hit_dice_of(given, type, words, str(_bare(given)))
    return _hit_dice_of(given, type, words, given) if isinstance(given, str) else _wrong(given, type, words)


def _hit_dice_of(given: Given, type: Type, words: Words, written: str) -> int:
    text = written.replace(" ", "")
    cut = max(text.find("+"), text.find("-"))
    dice, pips = (text[:cut], text[cut:]) if cut > 0 else (text, "0")
    number, extra = integer_in(dice) if dice != "1/2" else 0, integer_in(pips)
    if number is None or extra is None or number < 0 or abs(extra) > PIPS:
        return _wrong(given, type, words, "write hit dice as 1/2, 4 or 4+3")
    return hit_dice_code(dice == "1/2", number, extra)


def _dice(given: Given, type: Type, words: Words) -> int:
    count, _, faces = given.strip().partition("d") if isinstance(given, str) else ("", "", "")
    numbers = integer_in(count or "1"), integer_in(faces)
    if numbers[0] is None or numbers[1] is None or not (0 < numbers[0] <= 1023 and 0 < numbers[1] <= 1023):
        return _wrong(given, type, words, "write dice as 2d6")
    code = numbers[0] * 1024 + numbers[1]
    fits = code in type.one_of if type.one_of else _at_most(code, type.up_to)
    if not fits:
        raise MisfitError("out-of-range", f"expected {described(type, words)}, found {dice_text(code)}")
    return code


def _at_most(code: int, most: int) -> bool:
    return code // 1024 <= most // 1024 and code % 1024 <= most % 1024


def _fraction(given: Given, type: Type, words: Words) -> int | Fraction:
    from fractions import Fraction

    if isinstance(given, Fraction) or (isinstance(given, int) and not isinstance(given, bool)):
        return Fraction(given)
    if isinstance(given, str):
        above, slash, below = given.partition("/")
        numbers = integer_in(above), integer_in(below if slash else "1")
        if numbers[0] is not None and numbers[1]:
            return Fraction(numbers[0], numbers[1])
    return _wrong(given, type, words, "write a fraction as 1/2, never with a point")
