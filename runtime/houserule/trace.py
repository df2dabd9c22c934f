"""Why an answer is what it is, as data: a tree of entries that also keeps what did not count, with the reason.

The ids of entries are stable: the names from the question down to the entry, so that `attack/step/to_hit/charging`
is found again whatever else changes. `explain` renders a trace for people.
"""

from __future__ import annotations

from .origins import NOWHERE, definition_of
from .values import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from dataclasses import dataclass
    from typing import Any, Literal, Protocol, TypeAlias

    from .origins import Histories, Origins
    from .program import Label
    from .values import Shown

    EntryKind: TypeAlias = Literal[
        "number",
        "base",
        "modifier",
        "adjustment",
        "fact",
        "option",
        "condition",
        "table",
        "check",
        "step",
        "call",
        "die",
        "value",
        "effect",
        "case",
        "outcome",
        "action",
        "requirement",
        "triggers",
        "trigger",
        "sequence",
        "initiative",
        "moment",
        "turn",
        "held",
        "left_out",
        "spoiler",
    ]
    Status: TypeAlias = Literal["kept", "dropped", "overridden", "does_not_apply", "not_known"]

    class Plan(Protocol):
        """What all traces of one question have in common."""

        def root(self, left: tuple[Any, ...]) -> Entry:
            """The entry of what was asked, of what is special to one trace."""
            ...
else:
    from .records import dataclass

TRACE_VERSION = 1
"""The version of what `Trace.to_dict` gives."""

_APART = frozenset(("base", "otherwise", "title", "note", "source"))
"""The values inside a definition that have entries of their own, and those for people."""
_NAMED = frozenset(("roll", "values", "give", "effects", "cases", "steps", "then", "rows", "adjust"))
"""The maps inside a definition whose parts have entries of their own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that counted, or did not.

    `value` is None where there is none. `op` is what an amount does. `why` explains a status other than `kept`: of
    `dropped` the group and the modifier that is kept, of `does_not_apply` the condition, of `not_known` the facts.
    `path` is the part of the rules that it stands for, as `houserule origin` takes it; empty for what the caller gave.
    `row` is the row of a table that was read, or the grade of a modifier that held, counted from 0 in the artifact.
    """

    kind: EntryKind
    name: str
    value: Shown | None = None
    status: Status = "kept"
    title: str = ""
    op: str = ""
    why: tuple[str, ...] = ()
    source: str = ""
    path: str = ""
    parts: tuple[Entry, ...] = ()
    row: int | None = None

    def __init__(
        self,
        kind: EntryKind,
        name: str,
        value: Shown | None = None,
        status: Status = "kept",
        title: str = "",
        op: str = "",
        why: tuple[str, ...] = (),
        source: str = "",
        path: str = "",
        parts: tuple[Entry, ...] = (),
        row: int | None = None,
    ) -> None:
        # Traces are made of many entries. To fill one while it is of a class that lets itself be filled takes a
        # quarter of the time that going past the refusal takes, part by part.
        _become(self, _Open)
        self.kind = kind  # type: ignore[misc]
        self.name = name  # type: ignore[misc]
        self.value = value  # type: ignore[misc]
        self.status = status  # type: ignore[misc]
        self.title = title  # type: ignore[misc]
        self.op = op  # type: ignore[misc]
        self.why = why  # type: ignore[misc]
        self.source = source  # type: ignore[misc]
        self.path = path  # type: ignore[misc]
        self.parts = parts  # type: ignore[misc]
        self.row = row  # type: ignore[misc]
        self.__class__ = Entry

    def told(self, origins: Origins) -> Histories:
        """The parts of the rules that made it what it is and that more than one layer had a say in, by path.

        Of each all layers, from the bottom up.
        """
        return origins.remembered(self.path, self.kind == "modifier", self._found)

    def _found(self, origins: Origins) -> Histories:
        around = definition_of(self.path) if self.kind == "modifier" else self.path
        named = _NAMED if self.kind == "modifier" else _NAMED - {"adjust"}
        inside = [each for each in origins.below(around) if not _stands_alone(each[len(around) :], named)]
        paths = dict.fromkeys((self.path, *inside))
        return tuple((path, said) for path in paths if (said := origins.history(path)))

    def to_dict(self, id: str, origins: Origins = NOWHERE) -> dict[str, object]:
        """The entry as plain JSON data, with all inside it; what is empty is left out."""
        found: dict[str, object] = {"id": id, "kind": self.kind, "name": self.name, "status": self.status}
        if self.value is not None:
            found["value"] = plain(self.value)
        if self.row is not None:
            found["row"] = self.row
        texts = (("title", self.title), ("op", self.op), ("why", list(self.why)), ("source", self.source))
        found |= {key: value for key, value in texts if value}
        if self.path:
            found["path"] = self.path
            if place := origins.place(self.path):
                found["origin"] = list(place)
            if told := self.told(origins):
                found["layers"] = {path: [each.to_list() for each in said] for path, said in told}
        if self.parts:
            found["parts"] = [part.to_dict(below, origins) for below, part in _numbered(self.parts, f"{id}/")]
        return found

    def walk(self, id: str) -> Iterator[tuple[str, Entry]]:
        """This entry and all inside it, each with its id."""
        yield id, self
        for below, part in _numbered(self.parts, f"{id}/"):
            yield from part.walk(below)


class _Open:
    """An entry while it is filled: with the same slots, and no refusal."""

    __slots__ = Entry.__slots__


_become = vars(object)["__class__"].__set__
"""Sets the class of an object whose own class lets nothing be set."""


class Trace:
    """The whole answer to one question; `origins` tell where the rules stand that made it.

    The root may be put together when it is first asked for, of what `plan` knows of all such traces and of `left`.
    """

    __slots__ = ("_left", "_plan", "_root", "origins")

    def __init__(
        self, root: Entry | None, origins: Origins = NOWHERE, plan: Plan | None = None, left: tuple[Any, ...] = ()
    ) -> None:
        self._root = root
        self._plan = plan
        self._left = left
        self.origins = origins

    @property
    def root(self) -> Entry:
        """The entry of what was asked, with all others inside it."""
        if self._root is None:
            assert self._plan is not None
            self._root = self._plan.root(self._left)
        return self._root

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and pickled with all entries, and without what puts them together."""
        return Trace, (self.root, self.origins)

    def __eq__(self, other: object) -> bool:
        return self.root == other.root and self.origins == other.origins if isinstance(other, Trace) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.root)

    def __repr__(self) -> str:
        return f"Trace({self.root!r}, {self.origins!r})"

    def to_dict(self) -> dict[str, object]:
        """The trace as plain JSON data."""
        return {"trace_version": TRACE_VERSION, "root": self.root.to_dict(self.root.name, self.origins)}

    def walk(self) -> Iterator[tuple[str, Entry]]:
        """All entries, each with its id, from the question down."""
        return self.root.walk(self.root.name)

    def find(self, id: str) -> Entry | None:
        """The entry of that id, or None."""
        return next((entry for found, entry in self.walk() if found == id), None)

    def __str__(self) -> str:
        from .explain import text

        return text(self)


def labelled(
    kind: EntryKind,
    label: Label,
    value: Shown | None,
    parts: tuple[Entry, ...],
    status: Status = "kept",
    path: str = "",
) -> Entry:
    """The entry of a definition, with its title, source and path."""
    return Entry(kind, label.id, value, status, label.title, "", (), label.source, path, parts)


def told_apart(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries without those that say the same again.

    To compare two takes all that is inside them, so that is done only where two have one kind and name.
    """
    if len({(each.kind, each.name) for each in entries}) == len(entries):
        return tuple(entries)
    return tuple(dict.fromkeys(entries))


def _stands_alone(rest: str, named: frozenset[str]) -> bool:
    """Whether what follows a path leads to something that has an entry of its own, or that is there for people."""
    first = rest.lstrip(".").partition(".")[0].partition("[")[0]
    return first in _APART or (first in named and rest != f".{first}")


def _numbered(entries: tuple[Entry, ...], above: str) -> Iterator[tuple[str, Entry]]:
    """Each entry with its id; the second of one name beside it gets `~2`."""
    seen: dict[str, int] = {}
    for entry in entries:
        name = entry.name or entry.kind
        seen[name] = seen.get(name, 0) + 1
        yield f"{above}{name}" + (f"~{seen[name]}" if seen[name] > 1 else ""), entry
