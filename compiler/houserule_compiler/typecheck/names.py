"""What is known of a ruleset's names while it is being typed, and what is known at one place of an expression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..arithmetic import joined
from ..declarations import Check
from ..ruleset import Ruleset
from ..source import Span
from ..typed import TypedChoice, TypedCondition, TypedField, TypedNumber
from ..types import Choice, Type, Unknown
from .narrow import Narrowing

MOST_SUGGESTED = 100


@dataclass(frozen=True)
class TableSignature:
    """How a table is read: the types of its keys (None where its readers decide), and of its columns."""

    keys: tuple[Type | None, ...]
    columns: Mapping[str, Type]


@dataclass
class Names:
    """The typed definitions so far, by section and id. Filled in the order that `resolve` found."""

    ruleset: Ruleset
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    choices: dict[str, TypedChoice] = field(default_factory=dict)
    fields: dict[tuple[str, str], TypedField] = field(default_factory=dict)
    facts: dict[str, TypedField] = field(default_factory=dict)
    options: dict[str, TypedField] = field(default_factory=dict)
    conditions: dict[str, TypedCondition] = field(default_factory=dict)
    numbers: dict[str, TypedNumber] = field(default_factory=dict)
    tables: dict[str, TableSignature] = field(default_factory=dict)
    readers: dict[tuple[str, int], Type] = field(default_factory=dict)
    local_reads: dict[str, frozenset[str]] = field(default_factory=dict)
    """For each number that belongs to a check, the paths of the check that it reads, itself or through others."""
    awaited: dict[str, frozenset[str]] = field(default_factory=dict)
    """For each number of the check at hand, the names of the check and its other numbers that it mentions."""
    suggested: int = 0
    adjusted: dict[str, list[tuple[str, Type]]] = field(default_factory=dict)
    """For each number, what calls do to it: operation and the type of the amount."""

    def choice(self, id: str) -> Type:
        """The type of any word of a choice; unknown where there is no such choice."""
        words = self.words.get(id)
        return Choice(id, 0, len(words) - 1) if words else Unknown()

    def near(self, names: Iterable[str]) -> list[str]:
        """The names to suggest from: none once many suggestions are made, since each costs a search."""
        self.suggested += 1
        return list(names) if self.suggested <= MOST_SUGGESTED else []

    def entity_of(self, role: str) -> str:
        """The entity that plays a role, or nothing."""
        declared = self.ruleset.roles.get(role)
        return declared.entity.id if declared else ""

    def fields_of(self, entity: str) -> list[str]:
        """The fields of an entity."""
        return [id for owner, id in self.fields if owner == entity]

    def note_reader(self, table: str, key: int, kind: Type) -> None:
        """Widens the range of a table's key by what one reader can pass."""
        before = self.readers.get((table, key))
        self.readers[table, key] = (joined(before, kind) or before) if before else kind

    def visible(self, environment: Environment) -> Iterator[str]:
        """Every name that an expression could use here, for suggestions."""
        ruleset = self.ruleset
        yield from environment.locals
        yield from environment.keys
        for role, entity in self._roles():
            yield from (f"{role}.{each}" for each in self.fields_of(entity))
        yield from (f"its.{each}" for each in self.fields_of(environment.entity))
        for section in (ruleset.facts, ruleset.options, ruleset.numbers, ruleset.conditions):
            yield from section

    def _roles(self) -> list[tuple[str, str]]:
        return [(each.id, each.entity.id) for each in self.ruleset.roles.values()]


@dataclass(frozen=True)
class Local:
    """A die, a value or an outcome of the check at hand: its path in the artifact, and its type."""

    path: str
    type: Type
    place: Span
    may_be_unknown: bool = False


@dataclass(frozen=True)
class Environment:
    """What is known at one place: whose `its` is, the names of the check at hand, and what conditions narrow.

    `owner` is the role that `its` means, `entity` what plays it; in a computed field there is an entity and no role.
    `dice` says whether dice may be rolled here.
    """

    owner: str = ""
    entity: str = ""
    check: str = ""
    locals: Mapping[str, Local] = field(default_factory=dict)
    keys: Mapping[str, tuple[int, Type, Span]] = field(default_factory=dict)
    """In a cell, the keys of its table: the place of each in order, its type, and where it is defined."""
    narrowing: Narrowing = field(default_factory=Narrowing)
    dice: bool = False
    players: Mapping[str, str] = field(default_factory=dict)
    """In a sequence, who takes part besides the roles: `actor`, `foe`, `action`, sides; and the entity of each."""
    sequence: str = ""
    side: str = ""
    """The entity of a side, where `any`, `all` and `count` can go over the sides of an encounter."""


def local_names(check: Check) -> Iterator[str]:
    """Every name that a die, a value or an outcome of the check can be read by."""
    for step in (*check.steps, *check.then):
        names = [each.id for each in (*step.roll, *step.values)]
        names += [each.id for case in step.cases for each in (*case.roll, *case.give)]
        yield from names
        yield from (f"{step.id}.{each}" for each in (*names, "outcome") if step.id)
