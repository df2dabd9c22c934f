"""One thing of the rules that an example can exercise, with its place and what a trace says where it is exercised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from .source import Span

Kind: TypeAlias = Literal["rows", "modifiers", "cases", "requirements", "triggers", "steps", "moments"]
Key: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that an example can exercise: what of which definition, and where it is stated.

    `missing` is what is said where no example exercises it. `keys` are what traces say where one does, any of them.
    """

    kind: Kind
    section: str
    id: str
    missing: str
    span: Span
    keys: frozenset[Key]

    @property
    def layer(self) -> str:
        """The ruleset that states it."""
        return self.span.file.layer
