"""Where each part of the rules was set, and what it replaced: the `origins` of an artifact.

Their form is tested when they are loaded; they are laid out by path only when an explanation first asks.
"""

from __future__ import annotations

from .item import Item, refuse
from .limits import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from dataclasses import dataclass
    from typing import Any, Literal, TypeAlias

    from .program import Field, Program

    Place: TypeAlias = tuple[str, str, int]
    """Layer, file within its ruleset, line."""
    Histories: TypeAlias = "tuple[tuple[str, tuple[Said, ...]], ...]"
    Act: TypeAlias = Literal["set", "remove", "replace", "place", "prefer"]
else:
    from .records import dataclass

ACTS = frozenset(("set", "remove", "replace", "place", "prefer"))
_FORM = (int, int, str, str)


@dataclass(frozen=True, slots=True)
class Said:
    """What one layer did at a path; `text` is what it wrote, cut where it is long, and empty for what it took out."""

    layer: str
    file: str
    line: int
    act: Act
    text: str

    @property
    def place(self) -> Place:
        """Layer, file and line."""
        return self.layer, self.file, self.line

    def to_list(self) -> list[object]:
        """As plain JSON data."""
        return [*self.place, self.act, self.text]


class Origins:
    """The places and histories of an artifact, by path. Paths are written as `houserule origin` takes them."""

    __slots__ = ("_by_definition", "_files", "_history", "_keys", "_places", "_remembered", "_rows", "ground")

    def __init__(self, ground: frozenset[str], files: list[Any], keys: dict[str, Any], history: dict[str, Any]) -> None:
        self.ground = ground
        self._files = files
        self._keys = keys
        self._history = history
        self._places: dict[str, Place] | None = None
        self._by_definition: dict[str, list[str]] | None = None
        self._rows: dict[str, dict[int | None, str]] = {}
        self._remembered: dict[tuple[str, bool], Histories] = {}

    def __eq__(self, other: object) -> bool:
        return self is other or (self._parts() == other._parts() if isinstance(other, Origins) else NotImplemented)

    def __hash__(self) -> int:
        return hash(self.ground)

    def __deepcopy__(self, memo: object) -> Origins:
        """The origins themselves: nothing changes them."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as they stand in the artifact."""
        return Origins, self._parts()

    def _parts(self) -> tuple[object, ...]:
        return self.ground, self._files, self._keys, self._history

    def place(self, path: str) -> Place | None:
        """Where a part was set, or where that stands which it is a part of; None where nothing is known of it."""
        places = self.places
        while path:
            if path in places:
                return places[path]
            path = above(path)
        return None

    def history(self, path: str) -> tuple[Said, ...]:
        """All layers that had a say at a path, from the bottom up; none where it is one layer's alone."""
        return tuple(
            Said(self._files[file]["layer"], self._files[file]["file"], line, act, text)
            for file, line, act, text in self._history.get(path, ())
        )

    def remembered(self, path: str, is_whole: bool, find: Callable[[Origins], Histories]) -> Histories:
        """The histories that are told with a path, found once; `is_whole` says that they are those of a definition."""
        if not self._history:
            return ()
        key = path, is_whole
        if key not in self._remembered:
            self._remembered[key] = find(self)
        return self._remembered[key]

    def below(self, path: str) -> list[str]:
        """The paths inside another that have a history, sorted."""
        if self._by_definition is None:
            self._by_definition = {}
            for each in self._history:
                self._by_definition.setdefault(definition_of(each), []).append(each)
        known = self._by_definition.get(definition_of(path), [])
        return sorted(each for each in known if each != path and each.startswith((f"{path}.", f"{path}[")))

    def keyed(self, path: str, number: int | None, column: str = "") -> str:
        """The path of a row of a table, or of a grade, where something is told of it; else of the whole.

        `column` is what stands behind the keys, with its dot.
        """
        if path not in self._keys:
            return path
        if path not in self._rows:
            self._rows[path] = dict(self._keys[path])
        keys = self._rows[path].get(number, "")
        if not keys:
            return path
        return f"{path}{keys}" if keys[0] == "[" else f"{path}.{keys}{column if keys[-1] == ']' else ''}"

    @property
    def told(self) -> Iterator[str]:
        """Every path that has a history."""
        return iter(self._history)

    @property
    def places(self) -> dict[str, Place]:
        """Layer, file and line by path: of who holds where there is a history, else where it stands."""
        if self._places is None:
            self._places = {
                path: (file["layer"], file["file"], line)
                for file in self._files
                for path, line in file["lines"].items()
            }
            holders = ((path, holder_of(self.history(path))) for path in self._history)
            self._places.update({path: holder.place for path, holder in holders if holder})
        return self._places

    def __repr__(self) -> str:
        return f"Origins({len(self._files)} files)"


NOWHERE = Origins(frozenset(), [], {}, {})
"""Of rules that do not say where they stand."""


def holder_of(said: tuple[Said, ...]) -> Said | None:
    """Who gave a part its value, or took it out, of all who had a say from the bottom up."""
    return next((each for each in reversed(said) if each.act not in ("place", "prefer")), None)


def above(path: str) -> str:
    """The path of what a part stands in; nothing above a section."""
    return path[: max(path.rfind("["), 0)] if path.endswith("]") else path[: max(path.rfind("."), 0)]


def definition_of(path: str) -> str:
    """The section and id that a path begins with."""
    return ".".join(path.split(".", 2)[:2])


def field_path(program: Program, field: Field) -> str:
    """The path of a field or fact that the rules work out."""
    id = field.label.id
    owner = next((each for each in program.entities.values() if each.fields.get(id) is field), None)
    return f"entities.{owner.label.id}.{id}" if owner else f"facts.{id}"


def origins(node: object) -> Origins:
    """The origins of an artifact; refuses what is not of their form."""
    item = Item(node, "origins")
    ground, files, keys, history = (item.take(key) for key in ("ground", "files", "keys", "history"))
    item.close()
    if type(ground) is not list or not set(map(type, ground)) <= {str}:
        refuse("origins.ground", "expected a list of layers")
    if type(files) is not list:
        refuse("origins.files", "expected a list")
    for each in files:
        _file(each)
    _every(keys, "origins.keys", _row)
    _every(history, "origins.history", lambda said: _said(said, len(files)))
    _readable([*ground, *keys, *(said[3] for each in history.values() for said in each)])  # type: ignore[misc,attr-defined]
    return Origins(frozenset(ground), files, keys, history)  # type: ignore[arg-type]


def _file(node: object) -> None:
    item = Item(node, "origins.files")
    layer, name = item.text("layer"), item.text("file")
    lines = item.take("lines")
    item.close()
    if type(lines) is not dict or not set(map(type, lines)) <= {str} or not set(map(type, lines.values())) <= {int}:
        refuse("origins.files.lines", "expected lines by path")
    if lines and not 1 <= min(lines.values()) <= max(lines.values()) <= LARGEST:
        refuse("origins.files.lines", "a line is at least 1")
    _readable([layer, name, *lines])


def _readable(texts: list[str]) -> None:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        refuse("origins", "a text is not Unicode")


def _every(node: object, at: str, is_sound: Any) -> None:
    """Refuse what is no map from paths to lists that are not empty, or has a member that is not sound."""
    if type(node) is not dict or not set(map(type, node)) <= {str} or not set(map(type, node.values())) <= {list}:
        refuse(at, "expected lists by path")
    for path, many in node.items():
        if not many or not all(map(is_sound, many)):
            refuse(f"{at} `{path[:60]}`", "expected what each layer did, in the form that is due")


def _row(node: object) -> bool:
    return type(node) is list and tuple(map(type, node)) == (int, str) and 0 <= node[0] <= LARGEST


def _said(node: object, files: int) -> bool:
    if type(node) is not list or tuple(map(type, node)) != _FORM:
        return False
    file, line, act, _ = node
    return 0 <= file < files and 1 <= line <= LARGEST and act in ACTS
