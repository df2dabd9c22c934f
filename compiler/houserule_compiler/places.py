"""Where rulesets stand: what a word of the command line means, the search path, and reading a ruleset's files.

Nothing here understands YAML. A place is a trusted folder and a way below it; what lies below is read through
`confined`, so that no link leads out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from .confined import Item, Refused, kind_of, list_folder, read_file
from .files import Files, Refusal
from .limits import Limits
from .messages import use
from .wrong_use import WrongUse

Kind: TypeAlias = Literal["folder", "file", "artifact"]

MANIFEST = "ruleset.yaml"
SUFFIX = ".yaml"
_OTHER_SUFFIX = ".yml"
_OTHER_MANIFEST = "ruleset.yml"
ARTIFACT_SUFFIX = ".rules.json"
_JSON_SUFFIX = ".json"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# The folders of rulesets below a folder of the search path: itself, and its packs and forks.
SHELVES = ((), ("packs",), ("forks",))
_SHIPPED = "<shipped>/"
_DEPTH = 8
_ITEMS = 100_000
_HEAD = 65_536
_RULESET_KEY = re.compile(rb"^ruleset:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder: `parts` below the trusted folder `root`. `shown` is what stands in front of them for people."""

    root: str
    parts: tuple[str, ...] = ()
    shown: str = ""

    @property
    def path(self) -> str:
        """How people see it: relative to where they stand, with `/` between the parts."""
        return self.shown + "/".join(self.parts) or "."

    @property
    def name(self) -> str:
        """The last part of the path."""
        named = [each for each in self.parts if each != ".."]
        return named[-1] if named and self.parts[-1] != ".." else os.path.basename(os.path.realpath(self.absolute))

    @property
    def is_shipped(self) -> bool:
        """Whether it came with the compiler, and lies elsewhere than the user stands."""
        return self.shown.startswith(_SHIPPED)

    @property
    def absolute(self) -> str:
        """The path for the system; never shown."""
        return os.path.join(self.root, *self.parts)

    def below(self, *parts: str) -> Place:
        """Something below it."""
        return Place(self.root, (*self.parts, *parts), self.shown)

    @property
    def kind(self) -> Literal["file", "folder", "other", "missing"]:
        """What stands there."""
        return kind_of(self.root, self.parts)


@dataclass(frozen=True, slots=True)
class Found:
    """A ruleset that was found: its name, where it stands, and whether that is a folder, a file or an artifact."""

    name: str
    place: Place
    kind: Kind


def place_of(path: str) -> Place:
    """The place that a path of the command line means; links in front of a path outside this folder are the user's."""
    here = _here()
    if not os.path.isabs(path):
        return Place(here, tuple(each for each in re.split(_SEPARATORS, path) if each not in ("", ".")))
    relative = _relative(path, here)
    if not relative.startswith(os.pardir):
        return Place(here, tuple(each for each in relative.split(os.sep) if each != os.curdir))
    folder, name = os.path.split(path.rstrip("/" + os.sep))
    return Place(os.path.realpath(folder), (name,) if name else (), _shown(folder, here))


def _here() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise use.no_folder_here() from None


_SEPARATORS = f"[/{re.escape(os.sep)}]"


def _shown(folder: str, here: str) -> str:
    """What stands in front of the paths of things in the folder."""
    relative = _relative(folder, here).replace(os.sep, "/")
    return "" if relative == os.curdir else f"{relative}/"


def _relative(path: str, here: str) -> str:
    try:
        return os.path.relpath(path, here)
    except ValueError:
        # Another drive: there is no way from here to there, and the name has to do.
        return os.path.join(os.pardir, os.path.basename(path))


def shipped_place(folder: str) -> Place:
    """The place of the shipped rules: by its path in a checkout where the user stands, else `<shipped>`."""
    here, folder = os.path.realpath(_here()), os.path.realpath(folder)
    is_installed = os.path.basename(os.path.dirname(folder)) == "_shipped"
    is_here = not is_installed and (folder + os.sep).startswith(here.rstrip(os.sep) + os.sep)
    return Place(folder, (), _shown(folder, here) if is_here else _SHIPPED)


@dataclass(frozen=True, slots=True)
class SearchPath:
    """The folders in which a ruleset's name is looked up: the shipped rules first, then those that the user names."""

    folders: tuple[Place, ...]

    def find(self, name: str) -> Found | None:
        """The ruleset of that name, or None; WrongUse if there are two."""
        found = self.all_named(name)
        if len(found) > 1:
            raise use.found_twice(name, [each.place.path for each in found])
        return found[0] if found else None

    def all_named(self, name: str) -> list[Found]:
        """All rulesets of that name."""
        return _distinct([each for folder in self._all() for each in _rulesets_named(folder, name)])

    def names(self) -> list[str]:
        """The names of all rulesets on it, sorted."""
        return sorted({name for folder in self._all() for name in _names(folder)})

    def with_folder(self, folder: Place) -> SearchPath:
        """The search path with one more folder."""
        return SearchPath((*self.folders, folder))

    def _all(self) -> Iterator[Place]:
        return (folder.below(*shelf) for folder in self.folders for shelf in SHELVES)


def search_path(shipped: Place, paths: Sequence[str]) -> SearchPath:
    """The search path of a command; WrongUse if one of `paths` is no folder."""
    folders = [place_of(each) for each in paths]
    for each in folders:
        if each.kind != "folder":
            raise use.no_such_path(each.path) if each.kind == "missing" else use.not_a_folder(each.path)
    return SearchPath((shipped, *folders))


def find(word: str, search: SearchPath, limits: Limits) -> Found:
    """What a RULESET of the command line means; WrongUse if it means nothing or two things."""
    if _is_path(word):
        return _at_path(place_of(word))
    if len(word) > limits.name:
        raise use.name_too_long(word, limits.name)
    here = _rulesets_named(place_of("."), word)
    named = search.find(word) if NAME.fullmatch(word) else None
    found = _distinct([*here, *([named] if named else [])])
    if len(found) > 1:
        raise use.found_twice(word, [each.place.path for each in found])
    if not found:
        raise _nothing(word, search)
    return found[0]


def names_here(search: SearchPath) -> list[str]:
    """The names of all rulesets on the search path and in this folder, sorted."""
    return sorted({*search.names(), *_names(place_of("."))})


def _is_path(word: str) -> bool:
    return bool(re.search(_SEPARATORS, word)) or "." in word


def _nothing(word: str, search: SearchPath) -> WrongUse:
    here = place_of(word) if word else place_of(".")
    if word and here.kind == "folder":
        return _no_manifest(here)
    if word == place_of(".").name and place_of(MANIFEST).kind == "file":
        return use.stands_inside(word)
    return use.unknown_ruleset(word, names_here(search))


def _no_manifest(place: Place) -> WrongUse:
    return use.no_manifest(place.path, place.below(_OTHER_MANIFEST).kind == "file")


def _at_path(place: Place) -> Found:
    kind = place.kind
    if kind == "folder":
        if place.below(MANIFEST).kind == "missing":
            raise _no_manifest(place)
        return Found(place.name, place, "folder")
    if kind == "missing":
        raise use.no_such_path(place.path)
    if kind == "other":
        raise use.link(place.path) if os.path.islink(place.absolute) else use.special_file(place.path)
    if place.name.endswith(_JSON_SUFFIX):
        # Whoever reads it looks whether it is one; `build -o` writes it under any name.
        return Found(place.name.removesuffix(ARTIFACT_SUFFIX).removesuffix(_JSON_SUFFIX), place, "artifact")
    if not place.name.endswith(SUFFIX):
        raise use.not_rules(place.path)
    folder = Place(place.root, place.parts[:-1], place.shown)
    # A file beside a manifest is a part of that ruleset: `validate friday/attack.yaml` validates `friday`.
    if folder.below(MANIFEST).kind != "missing":
        return Found(folder.name, folder, "folder")
    return Found(place.name.removesuffix(SUFFIX), place, "file")


def _rulesets_named(folder: Place, name: str) -> list[Found]:
    """The rulesets of that name that stand directly in the folder: a folder with a manifest, or a file."""
    if not name or name.startswith("."):
        return []
    found: list[Found] = []
    if folder.below(name, MANIFEST).kind != "missing":
        found.append(Found(name, folder.below(name), "folder"))
    if folder.below(name + SUFFIX).kind == "file":
        found.append(Found(name, folder.below(name + SUFFIX), "file"))
    return found


def _names(folder: Place) -> list[str]:
    """The names of the rulesets that stand directly in the folder."""
    if folder.kind != "folder":
        return []
    stems = [each.name.removesuffix(SUFFIX) for each in _list(folder) if each.name != MANIFEST]
    return [each for each in stems if NAME.fullmatch(each) and any(map(_has_rules, _rulesets_named(folder, each)))]


def _has_rules(found: Found) -> bool:
    return found.kind == "folder" or bool(_RULESET_KEY.search(read_at_most(found.place, _HEAD)))


def _distinct(found: Sequence[Found]) -> list[Found]:
    """Each ruleset once, even where two ways lead to it."""
    return list({os.path.realpath(each.place.absolute): each for each in reversed(found)}.values())[::-1]


def all_below(place: Place) -> list[Found]:
    """Every ruleset under a folder, sorted by path; hidden folders and virtual environments are passed over."""
    return sorted(_walk(place, 0), key=lambda each: each.place.parts)


def _walk(folder: Place, depth: int) -> Iterator[Found]:
    items = _list(folder)
    names = {each.name for each in items}
    if MANIFEST in names:
        yield Found(folder.name, folder, "folder")
        return
    if "pyvenv.cfg" in names or depth > _DEPTH:
        return
    for each in items:
        inner = folder.below(each.name)
        if each.name.startswith(".") or each.name == "node_modules":
            continue
        if each.kind == "folder":
            yield from _walk(inner, depth + 1)
        elif each.kind == "file" and each.name.endswith(SUFFIX):
            found = Found(each.name.removesuffix(SUFFIX), inner, "file")
            if _has_rules(found):
                yield found


def read(found: Found, limits: Limits) -> tuple[Files, list[str]]:
    """The files of a ruleset, and notes on what was passed over; WrongUse if something cannot be read.

    Of a file larger than the limit one byte more than the limit is read, which `load` then reports; no file more once
    all together are larger than theirs; and one file more than a ruleset may have, which is reported too.
    """
    if found.kind != "folder":
        return Files(found.name, ((found.place.path, read_at_most(found.place, limits.file_bytes + 1)),)), []
    notes: list[str] = []
    files: list[tuple[str, bytes]] = []
    left = limits.total_bytes
    for each in sorted(islice(_files(found.place, 0, notes), limits.files + 1), key=lambda each: each.path):
        if left < 0:
            break
        data = read_at_most(each, limits.file_bytes + 1)
        files.append((each.path, data))
        left -= len(data)
    return Files(found.name, tuple(files), folder=found.place.below("").path), notes


def files_of(found: Found, limits: Limits) -> list[Place]:
    """The places of the files of a ruleset, sorted; WrongUse if they cannot be listed."""
    if found.kind != "folder":
        return [found.place]
    places = list(islice(_files(found.place, 0, []), limits.files + 1))
    if len(places) > limits.files:
        raise use.too_many_files(found.place.path, limits.files)
    return sorted(places, key=lambda each: each.path)


def _files(folder: Place, depth: int, notes: list[str]) -> Iterator[Place]:
    """The rules files of a folder and of the folders in it, but not those of another ruleset inside."""
    for each in _list(folder):
        inner = folder.below(each.name)
        if each.name.startswith("."):
            continue
        if each.kind == "folder":
            if depth < _DEPTH and inner.below(MANIFEST).kind == "missing":
                yield from _files(inner, depth + 1, notes)
        elif each.name.endswith(SUFFIX):
            yield inner
        elif each.name.endswith(_OTHER_SUFFIX):
            notes.append(use.other_suffix(inner.path))


def _list(folder: Place) -> list[Item]:
    try:
        return list_folder(folder.root, folder.parts, _ITEMS)
    except Refused as refused:
        raise _refusal(folder, refused) from None


def read_at_most(place: Place, most: int) -> bytes:
    """The contents of a file, or its beginning; WrongUse if it cannot be read, or is no plain file."""
    try:
        return read_file(place.root, place.parts, most)
    except Refused as refused:
        raise _refusal(place, refused) from None


def read_whole(place: Place, most: int) -> bytes:
    """The contents of a file that is no ruleset's: facts, an artifact. At most `most` bytes; WrongUse otherwise."""
    data = read_at_most(place, most + 1)
    if len(data) > most:
        raise use.file_too_large(place.path, most)
    return data


_REFUSALS: dict[str, Callable[[str], WrongUse]] = {
    "missing": use.no_such_path,
    "link": use.link,
    "special": use.special_file,
    "not_a_folder": use.not_a_folder,
    "not_a_file": use.not_a_file,
    "unreadable": use.unreadable,
}


def _refusal(place: Place, refused: Refused) -> WrongUse:
    return _REFUSALS[refused.reason](Place(place.root, refused.parts, place.shown).path)


def around(chosen: Found, search: SearchPath) -> SearchPath:
    """The search path of one ruleset: the folder that holds it is on it too."""
    place = chosen.place
    is_here = not place.parts or place.parts[-1] == os.pardir
    holder = place.below(os.pardir) if is_here else Place(place.root, place.parts[:-1], place.shown)
    return search.with_folder(holder)


def reader(
    chosen: Found, files: Files, search: SearchPath, limits: Limits, note: Callable[[Found], None] = lambda found: None
) -> Callable[[str], Files | Refusal | None]:
    """What the pipeline gets its files from: `files` for the chosen ruleset's name, others over the search path.

    `note` is told of each ruleset before it is read.
    """

    def read_ruleset(name: str) -> Files | Refusal | None:
        if name == chosen.name:
            return files
        found = search.all_named(name)
        if len(found) > 1:
            return Refusal(places=tuple(each.place.path for each in found))
        if not found:
            return None
        note(found[0])
        try:
            return read(found[0], limits)[0]
        except WrongUse as wrong:
            return Refusal(str(wrong))

    return read_ruleset
