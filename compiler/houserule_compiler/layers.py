"""One layer as a tree of its own, and what came of laying all layers of a build over each other."""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .diagnostics import Diagnostic
from .document import Entry, Mapping, Node, Scalar, Sequence
from .paths import Path
from .source import SourceFile, Span

Act: TypeAlias = Literal["set", "remove", "replace", "place", "prefer"]
Box: TypeAlias = tuple[tuple[int, int], ...]
"""A closed interval of codes for each key of some rows."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What the manifest of one ruleset says of others."""

    extends: Scalar | None = None
    packs: tuple[Scalar, ...] = ()

    @property
    def names(self) -> tuple[Scalar, ...]:
        """All that it names."""
        return (*((self.extends,) if self.extends else ()), *self.packs)


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """One ruleset's own files as one tree: its sections united, its long paths as maps within maps.

    `manifest` is the file that names the ruleset. `documents` has the default document of `source` by file.
    """

    name: str
    root: Mapping
    manifest: Mapping
    documents: Map[SourceFile, Scalar]

    @property
    def uses(self) -> Uses:
        """The rulesets that it stands on."""
        extends = self.manifest.get("extends")
        return Uses(extends if isinstance(extends, Scalar) else None, tuple(self._words("with")))

    @property
    def conflicts(self) -> list[Scalar]:
        """The rulesets that cannot be used beside it."""
        return self._words("conflicts")

    @property
    def preferences(self) -> list[tuple[Scalar, Scalar]]:
        """Pairs of a path and the layer that holds there."""
        stated = self.manifest.get("prefer")
        entries: tuple[Entry, ...] = stated.entries if isinstance(stated, Mapping) else ()
        return [(each.key, each.value) for each in entries if isinstance(each.value, Scalar)]

    @property
    def is_abstract(self) -> bool:
        """Whether it may leave parts open, and is never built."""
        stated = self.manifest.get("abstract")
        return isinstance(stated, Scalar) and stated.is_plain and stated.text == "true"

    def ids(self, section: str) -> frozenset[str]:
        """The ids that it speaks of in a section."""
        stated = self.root.get(section)
        return frozenset(each.key.text for each in stated.entries) if isinstance(stated, Mapping) else frozenset()

    def text(self, key: str) -> str:
        """A text of the manifest, or nothing."""
        stated = self.manifest.get(key)
        return stated.text if isinstance(stated, Scalar) else ""

    def _words(self, key: str) -> list[Scalar]:
        stated = self.manifest.get(key)
        items: tuple[Node, ...] = stated.items if isinstance(stated, Sequence) else ()
        return [each for each in items if isinstance(each, Scalar) and each.text]


@dataclass(frozen=True, eq=False, slots=True)
class Contribution:
    """What one layer did at a path. `span` is its key there, `node` what it wrote.

    Of one that only placed an entry, `node` is a map of the one word that says where; of one that prefers another
    layer, the name of that layer.
    """

    layer: str
    act: Act
    span: Span
    node: Node | None


@dataclass(frozen=True, eq=False, slots=True)
class Origins:
    """Which layers set what.

    `history` has, for each path where more than one layer had a say, all of them from the bottom up; whatever is not
    in it was written by one layer alone, and its node in the tree says where. `boxes` has the codes of the rows in
    which layers met, and `cells` those that one layer alone wrote among them. `moved` and `preferred` are the places
    and preferences that hold. The `ground` are the lowest ruleset that is whole, and the abstract ones.
    """

    tree: Mapping
    history: Map[Path, tuple[Contribution, ...]] = field(default_factory=dict)
    cells: Map[Path, Contribution] = field(default_factory=dict)
    boxes: Map[Path, Box] = field(default_factory=dict)
    moved: Map[Path, Contribution] = field(default_factory=dict)
    preferred: Map[Path, Contribution] = field(default_factory=dict)
    ground: frozenset[str] = frozenset()

    def of(self, path: Path) -> tuple[Contribution, ...]:
        """The contributions to a path from the bottom up, the one that holds last; none where nothing stands."""
        if path in self.history:
            return self.history[path]
        entry = self._entry(path)
        if entry is None:
            return ()
        return (Contribution(entry.value.span.file.layer, "set", entry.key.span, entry.value),)

    def _entry(self, path: Path) -> Entry | None:
        node: Node = self.tree
        entry: Entry | None = None
        for key in path:
            entry = node.entry(key.strip("[]")) if isinstance(node, Mapping) else None
            if entry is None:
                return None
            node = entry.value
        return entry


@dataclass(frozen=True, slots=True)
class Gap:
    """Two cases that unrelated layers put into one gap: fine if they can never hold together.

    `puts` has for each the layer that put it there, and the id where that layer names it.
    """

    path: Path
    first: Entry
    second: Entry
    puts: tuple[tuple[str, Scalar], tuple[str, Scalar]]


@dataclass(frozen=True, slots=True)
class Sets:
    """Two modifiers of unrelated layers that set one number to different values: fine if never both apply."""

    number: str
    first: tuple[str, Entry]
    second: tuple[str, Entry]


Unsettled: TypeAlias = Gap | Sets

MOST_PAIRS = 2_000
"""Of more pairs of one gap, or of all that set numbers, the rest are not looked at and taken to hold together."""


@dataclass(frozen=True, eq=False, slots=True)
class Turn:
    """A number, or a field of something, that is `better` the other way than a layer below says, declared at `place`.

    The layers that are `aware` of it are the one that turned it, and all above that.
    """

    path: Path
    place: Span
    better: str
    aware: frozenset[str]


@dataclass(frozen=True, eq=False, slots=True)
class Layered:
    """All layers of a build as one tree, as if it came from one file.

    `unsettled` are the questions that only conditions can settle, and `turns` the numbers whose direction was turned
    round; `removed` says by path what was taken out, and `open` what an abstract layer leaves to others. `sources`
    holds the documents of all layers.
    """

    root: Mapping
    origins: Origins
    unsettled: tuple[Unsettled, ...] = ()
    turns: tuple[Turn, ...] = ()
    removed: Map[Path, Contribution] = field(default_factory=dict)
    open: Map[Path, Scalar] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
