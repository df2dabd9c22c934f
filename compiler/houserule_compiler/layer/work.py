"""What all parts of the merge share: who stands above whom, how to compare, and what has been found so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..diagnostics import Diagnostic
from ..document import Scalar
from ..layers import Box, Contribution, Unsettled
from ..lineage import Lineage, View
from ..paths import Path
from ..same import Parser, Same
from .stated import Stated, Views


@dataclass(frozen=True, eq=False, slots=True)
class Preference:
    """One entry of `prefer`: at this path `layer` holds among the layers under the one that says it."""

    stated_by: str
    path: Scalar
    layer: Scalar


@dataclass(frozen=True, eq=False)
class Work:
    """One merge. The lists and dictionaries collect; nothing else changes.

    `abstract` are the layers that may leave parts open, `choices` the ids of all choices, `shared` those whose words
    more than one layer speaks of. `words_seen` gives the words of each choice as some layers alone make them. `slips`
    are the new entries, each with its layer, of which it is told that their id may be another's.
    """

    lineage: Lineage
    parser: Parser
    abstract: frozenset[str]
    choices: frozenset[str]
    shared: frozenset[str]
    words_seen: Callable[[View], Mapping[str, tuple[str, ...]]]
    preferences: Mapping[Path, Sequence[Preference]]
    found: list[Diagnostic] = field(default_factory=list)
    history: dict[Path, tuple[Contribution, ...]] = field(default_factory=dict)
    unsettled: list[Unsettled] = field(default_factory=list)
    removed: dict[Path, Contribution] = field(default_factory=dict)
    used: set[Preference] = field(default_factory=set)
    cells: dict[Path, Contribution] = field(default_factory=dict)
    boxes: dict[Path, Box] = field(default_factory=dict)
    moved: dict[Path, Contribution] = field(default_factory=dict)
    slips: set[tuple[str, Path]] = field(default_factory=set)

    @property
    def views(self) -> Views:
        """What is alive for whom."""
        return Views(self.lineage)

    @property
    def same(self) -> Same:
        """Compares nodes."""
        return Same(self.parser)

    def preferred(self, path: Path, stated: Sequence[Stated]) -> list[Stated]:
        """The statements at a path, with those ended that a layer above them does not prefer."""
        held = list(stated)
        for each in self.preferences.get(path, ()):
            held = [self._unless_passed_over(statement, each) for statement in held]
        return held

    def _unless_passed_over(self, statement: Stated, preference: Preference) -> Stated:
        by, chosen, below = preference.stated_by, preference.layer.text, self.lineage.below
        is_contender = statement.layer in below[by] and chosen in below[by]
        if not is_contender or statement.layer == chosen or statement.layer in self.lineage.own[chosen]:
            return statement
        self.used.add(preference)
        return replace(statement, enders=statement.enders | {by})

    def note(self, path: Path, stated: Sequence[Stated], holder: Stated | None = None) -> None:
        """Keeps who had a say at a path, where that is more than one layer; the `holder` of several stands last."""
        if len({each.layer for each in stated}) > 1:
            order = self.views.in_order(stated)
            if holder and self.views.alive(order[-1:]) == []:
                order = [*(each for each in order if each.layer != holder.layer), holder]
            self.history[path] = tuple(each.contribution for each in order)
