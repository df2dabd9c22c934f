"""The head of a ruleset: its names, the documents that it stands on, and the layers that came together in it."""

from __future__ import annotations

from dataclasses import dataclass

from .declarations import Definition
from .source import Span


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SourceDocument(Definition):
    """A document that rules stand on, with the headings of its items."""

    items: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class LayerHead:
    """One ruleset of those that came together: its name, version and license."""

    id: str
    version: str = ""
    license: str = ""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Manifest:
    """The head of a ruleset. `layers` are all that came together in it, from the bottom up, itself the last.

    `abstract` is where it says so, if it does.
    """

    id: str
    place: Span
    title: str = ""
    version: str = ""
    license: str = ""
    abstract: Span | None = None
    sources: tuple[SourceDocument, ...] = ()
    layers: tuple[LayerHead, ...] = ()

    @property
    def is_abstract(self) -> bool:
        """Whether it is validated only, and never built."""
        return self.abstract is not None
