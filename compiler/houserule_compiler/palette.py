"""The colour of each level of a map: dark to light, or blue over white to brown around zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from .picture import FULL

if TYPE_CHECKING:
    from .picture import Scale

Colour: TypeAlias = tuple[int, int, int]
RISING: tuple[Colour, ...] = ((0, 32, 77), (65, 77, 107), (124, 123, 120), (188, 175, 111), (255, 234, 70))
DIVERGING: tuple[Colour, ...] = ((5, 72, 133), (103, 169, 207), (247, 247, 247), (239, 138, 62), (140, 66, 2))


def colour(scale: Scale, level: int) -> Colour:
    """The colour of a level."""
    stops = DIVERGING if scale.diverges else RISING
    at, rest = divmod(min(max(level, 0), FULL) * (len(stops) - 1), FULL)
    following = stops[min(at + 1, len(stops) - 1)]
    red, green, blue = (a + (b - a) * rest // FULL for a, b in zip(stops[at], following, strict=True))
    return red, green, blue


def is_dark(found: Colour) -> bool:
    """Whether white text is easier to read on a colour."""
    red, green, blue = found
    return red * 299 + green * 587 + blue * 114 < 128_000
