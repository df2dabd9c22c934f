"""The edits of a ruleset that stands on others, each with what it stood over below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .document import Scalar
from .paths import Path
from .source import Span

Json: TypeAlias = str | dict[str, "Json"] | list["Json"]
"""A value in normal form."""

Act: TypeAlias = Literal["set", "cell", "remove", "replace", "new", "change", "prefer"]
"""What an edit does: `change` only says that something below is changed in parts, each an edit of its own."""


@dataclass(frozen=True, eq=False, slots=True)
class Edit:
    """One edit. `yours` is what it says and `below` what it stood over; None is nothing.

    `contenders` has, where layers below disagree, what each of them says, `sides` where. `at` is the smallest text
    that shows the edit, `key` the key that findings about it point to, `place` where the value below is written, None
    for nothing, and `part` finds where a part of it is.
    """

    path: Path
    act: Act
    at: Span
    key: Span
    yours: Json | None
    below: Json | None
    place: Span | None = None
    contenders: Mapping[str, Json | None] = field(default_factory=dict)
    sides: Mapping[str, Span] = field(default_factory=dict)
    inherits: bool = False
    is_id: bool = False
    part: Callable[[Path], Span | None] = lambda _: None


@dataclass(frozen=True, eq=False, slots=True)
class Placing:
    """A place that was given to an entry, or an order to a map.

    `side` says how: before or after `anchor`, or in an order. `between` are the two neighbours below, None for an end
    of the map; of an order, all ids below in theirs. `places` are where those stand that there are.
    """

    path: Path
    side: Literal["before", "after", "order"]
    anchor: str
    between: tuple[str | None, ...]
    at: Span
    places: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class LayerMark:
    """The version of a layer below and a hash of what it says."""

    version: str
    content_hash: str


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """All edits of a ruleset over what stands below it.

    `marks` gives the layers below by id. `renamed` has what they say they gave another name: the old path, the new
    one, and where that is said. `head` is the place of the ruleset's name, or where it should be.
    """

    name: str
    head: Span
    edits: tuple[Edit, ...]
    placings: tuple[Placing, ...]
    renamed: tuple[tuple[Path, Path, Scalar], ...]
    marks: Callable[[], Mapping[str, LayerMark]]
