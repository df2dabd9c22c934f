"""The values of each fact that can make a difference between two rulesets: one of each class, or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.facts import field_of, path_of
from houserule.values import UNKNOWN, MisfitError, held, hit_dice_parts, shown, text_of

from .one_sided import OneSided, one_sided
from .reached import Declared, Use

if TYPE_CHECKING:
    from houserule.expression import Read
    from houserule.program import Field, Program

Given: TypeAlias = str | None
"""A value as a caller gives it; None where the fact is not given."""
_SUBSETS = 5


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one fact that matter, the plainest first; all of them count where they are `complete`."""

    path: str
    given: tuple[Given, ...]
    is_complete: bool
    only: OneSided

    def __len__(self) -> int:
        return len(self.given)


def declared_path(program: Program, read: Read) -> Declared:
    """Where a fact is declared: `entities.creature.hit_dice`, `facts.setting`."""
    return f"facts.{read[1]}" if read[0] == "fact" else f"entities.{program.roles[read[1]].entity}.{read[2]}"


def values(sides: Iterable[tuple[Program, Mapping[Declared, Use]]], read: Read, whole: int) -> Values:
    """The values of a fact that matter to any of some programs with their uses of it, among those that all know.

    Of a fact whose value itself counts, all values are tried where there are at most `whole`.
    """
    found = [
        (program, field_of(program, read), uses.get(declared_path(program, read), Use()))
        for program, uses in sides
        if knows(program, read)
    ]
    return values_of(path_of(read), found, whole)


def values_of(path: str, found: Sequence[tuple[Program, Field, Use]], whole: int) -> Values:
    """The values of something that each of some programs declares and uses, at the path where a caller gives it."""
    uses = [each for _, _, each in found]
    cuts, aimed = (set[int]().union(*each) for each in ((one.cuts for one in uses), (one.aimed for one in uses)))
    use = Use(cuts, any(each.is_whole for each in uses), aimed)
    made = [_of_type(program, field, use, whole) for program, field, _ in found]
    given = dict.fromkeys(text for texts, _ in made for text in texts)
    shared = [text for text in given if text is None or all(_fits(each[0], each[1], text) for each in found)]
    may_lack = all(_may_lack(field) for _, field, _ in found)
    first: list[Given] = [None] if may_lack else []
    defaults = {_default(program, field) for program, field, _ in found}
    # Where all have one default, giving it is the same as giving nothing.
    rest = [each for each in shared if not (may_lack and defaults == {each})]
    unshared = [[text for text in texts if text not in shared] for texts, _ in made]
    only = one_sided(path, [each[:2] for each in found], unshared)
    return Values(path, (*first, *rest), all(complete for _, complete in made), only)


def knows(program: Program, read: Read) -> bool:
    """Whether a program declares a fact that may be given."""
    if read[0] == "fact":
        return read[1] in program.facts and program.facts[read[1]].computed is None
    fields = program.entities[program.roles[read[1]].entity].fields if read[1] in program.roles else {}
    return read[2] in fields and fields[read[2]].computed is None


def held_value(program: Program, read: Read, given: Given) -> object:
    """The value as an evaluator holds it; None where it is required and not given."""
    from houserule.evaluate import pool_of

    field = field_of(program, read)
    words = program.words(field.type.choice) if field.type.choice else ()
    not_given = UNKNOWN if field.is_optional else field.default
    found = not_given if given is None else held(given, field.type, words)
    return pool_of(found) if field.type.kind == "dice" and isinstance(found, int) else found


def _may_lack(field: Field) -> bool:
    return field.is_optional or field.default is not None


def _default(program: Program, field: Field) -> Given:
    return None if field.default is None else _text(program, field, field.default)


def _text(program: Program, field: Field, code: object) -> str:
    words = program.words(field.type.choice) if field.type.choice else ()
    if field.type.kind == "set":
        return "|".join(shown(code, field.type, words))  # type: ignore[arg-type]
    return text_of(shown(code, field.type, words))  # type: ignore[arg-type]


def _fits(program: Program, field: Field, text: str) -> bool:
    try:
        held(text, field.type, program.words(field.type.choice) if field.type.choice else ())
    except MisfitError:
        return False
    return True


def _of_type(program: Program, field: Field, use: Use, whole: int) -> tuple[list[str], bool]:
    """The values of one field as texts, and whether nothing else can differ."""
    codes, is_complete = _codes(program, field, use, whole)
    preferred = [field.default] if isinstance(field.default, int) and field.default in codes else []
    ordered = dict.fromkeys([*preferred, *codes])
    return [_text(program, field, code) for code in ordered], is_complete


def _codes(program: Program, field: Field, use: Use, whole: int) -> tuple[list[Any], bool]:
    type = field.type
    low, high = int(type.low or 0), int(type.high or 0)
    match type.kind:
        case "boolean":
            return [False, True], True
        case "choice":
            last = len(program.words(type.choice)) - 1 if type.high is None else high
            return list(range(low, last + 1)), True
        case "set":
            return _sets(len(program.words(type.choice)))
        case "integer" | "hit_dice":
            return _of_range(low, high, use, field, whole)
        case "dice":
            return list(type.one_of) or [type.up_to], bool(type.one_of)
        case "fraction":
            return [type.low, type.high], False
        case "text":
            # Nothing can be decided by a text.
            return ["x"], True
    return [], False


def _sets(words: int) -> tuple[list[int], bool]:
    if words <= _SUBSETS:
        return list(range(1 << words)), True
    return [0, *(1 << at for at in range(words)), (1 << words) - 1], False


def _of_range(low: int, high: int, use: Use, field: Field, whole: int) -> tuple[list[int], bool]:
    if use.is_whole and high - low < whole:
        return sorted(range(low, high + 1), key=lambda code: _plainness(code, field)), True
    starts = sorted({low, *(cut for cut in use.cuts if low < cut <= high)})
    ends = [*(start - 1 for start in starts[1:]), high]
    spans = list(zip(starts, ends, strict=True))
    if use.is_whole:
        edges = {code for span in spans for code in (*span, *(_plainest(*span, field),))}
        edges |= {code for code in use.aimed if low <= code <= high}
        return sorted(edges, key=lambda code: _plainness(code, field)), False
    return sorted((_plainest(*span, field) for span in spans), key=lambda code: _plainness(code, field)), True


def _plainest(low: int, high: int, field: Field) -> int:
    """The value of a span that is easiest to picture: the default, hit dice without pips, what is nearest to zero."""
    if isinstance(field.default, int) and low <= field.default <= high:
        return field.default
    if field.type.kind == "hit_dice":
        return min(range(low, min(high, low + 40) + 1), key=lambda code: _plainness(code, field))
    return min(max(low, 0), high)


def _plainness(code: int, field: Field) -> tuple[int, ...]:
    if field.type.kind != "hit_dice":
        return (abs(code), -code)
    twice, pips = hit_dice_parts(code)
    # Whole dice first: everybody can picture a creature of three hit dice, nobody one of none at all.
    return (pips != 0, twice % 2 or twice == 0, code)
