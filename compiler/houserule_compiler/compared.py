"""Two rulesets as they are compared, and one part that is not the same in both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from houserule import Rules
    from houserule.origins import Place

    from .round_examples import RoundExample
    from .setters import Setters

ChangeKind: TypeAlias = Literal["added", "removed", "changed", "reworded"]


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the two rulesets: its artifact as data, loaded, who set what in it, and its examples of rounds."""

    artifact: Mapping[str, Any]
    rules: Rules
    setters: Setters
    examples: tuple[RoundExample, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One part that is not the same in both rulesets. A text is empty where the part is not there."""

    path: str
    kind: ChangeKind
    before: str = ""
    after: str = ""
    before_place: Place | None = None
    after_place: Place | None = None

    @property
    def definition(self) -> str:
        """The definition that it is a part of; a field of an entity counts as one."""
        return definition_path(self.path)


def definition_path(path: str) -> str:
    """The definition that a path leads into: `tables.charisma`, `entities.creature.hit_dice`."""
    steps = path.partition("[")[0].split(".")
    return ".".join(steps[:3]) if steps[0] == "entities" else ".".join(steps[:2])
