"""The values of a fact that one of two rulesets alone takes, so that nothing on the other side compares with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from houserule.values import hit_dice_text

from .messages import difference as messages

if TYPE_CHECKING:
    from houserule.program import Field, Program

Declarations: TypeAlias = "Sequence[tuple[Program, Field]]"
Texts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneSided:
    """What each of two sides alone takes at a path: words, values, bands; an empty text where nothing need be given."""

    path: str
    before: Texts = ()
    after: Texts = ()

    def __bool__(self) -> bool:
        return bool(self.before or self.after)


def one_sided(path: str, found: Declarations, unshared: Sequence[Sequence[str]]) -> OneSided:
    """What only one of two declarations takes; `unshared` are those of the tried values that the other refuses."""
    if len(found) != 2:
        return OneSided(path)
    one, other = (
        (*_lacking(found[at][1], found[1 - at][1]), *_values(found[at], found[1 - at], unshared[at])) for at in (0, 1)
    )
    return OneSided(path, one, other)


def _lacking(field: Field, other: Field) -> Texts:
    may_lack = [each.is_optional or each.default is not None for each in (field, other)]
    return ("",) if may_lack == [True, False] else ()


def _values(own: tuple[Program, Field], other: tuple[Program, Field], unshared: Sequence[str]) -> Texts:
    type, there = own[1].type, other[1].type
    if type.kind != there.kind or type.kind not in ("integer", "hit_dice"):
        return tuple(each for each in unshared if "|" not in each)
    low, high, first, last = (int(each or 0) for each in (type.low, type.high, there.low, there.high))
    spans = (low, min(high, first - 1)), (max(low, last + 1), high)
    ends = ([hit_dice_text(code) if type.kind == "hit_dice" else str(code) for code in span] for span in spans)
    texts = (each[0] if each[0] == each[1] else "..".join(each) for each in ends)
    return tuple(text for text, (start, end) in zip(texts, spans, strict=True) if start <= end)


def by_side(found: Iterable[OneSided]) -> tuple[list[tuple[str, Texts]], list[tuple[str, Texts]]]:
    """Of each side the paths with what it alone takes."""
    kept = list(found)
    return [(each.path, each.before) for each in kept if each.before], [
        (each.path, each.after) for each in kept if each.after
    ]


def one_sided_data(found: Iterable[OneSided]) -> Mapping[str, object]:
    """As plain JSON data, nothing where both take the same; None stands for nothing given."""
    sides = zip(("before", "after"), by_side(found), strict=True)
    told = {name: {path: [text or None for text in texts] for path, texts in each} for name, each in sides if each}
    return {"only": told} if told else {}


def one_sided_lines(found: Iterable[OneSided], names: tuple[str, str]) -> Iterator[str]:
    """A line for each side that alone takes something."""
    for at, side in enumerate(by_side(found)):
        if side:
            name = names[at] if names[0] != names[1] else ""
            yield messages.only_in(name, at, (messages.one_sided(path, text) for path, texts in side for text in texts))
