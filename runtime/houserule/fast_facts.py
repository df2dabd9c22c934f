"""Facts checked in one pass, for the usual forms; all else is left to `facts`, which also words the problems.

Usual are dictionaries by role and field or by dotted name, with whole numbers, words, booleans and lists of words.
"""

from __future__ import annotations

from .facts import CheckedFacts, path_of
from .values import UNKNOWN, dice_text, hit_dice_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from dataclasses import dataclass
    from typing import Any, TypeAlias

    from .expression import Read
    from .facts import Checked, GivenFacts
    from .fast import Fast
    from .program import Field, Type

    Class: TypeAlias = type
    Codes: TypeAlias = Mapping[object, object]
    _Form: TypeAlias = tuple[str, Class | None, Any, Any, Codes | None, bool]
    """What is usual for one fact: its path, the class of its values, their range, their codes; if it may be unknown."""
else:
    from .records import dataclass

_UNUSUAL = object()
_LISTED = 2_000
"""How many hit dice are written out at most."""


class Need:
    """What a question reads: the facts that must be given, and the roles that take part by being read.

    It is known by its identity, so that facts remember at once which questions they fit.
    """

    __slots__ = ("required", "roles")

    def __init__(self, required: frozenset[str], roles: frozenset[str]) -> None:
        self.required = required
        self.roles = roles


@dataclass(frozen=True, slots=True)
class _Situation:
    """A situation that is impossible: the facts and the roles that it is about, and whether it holds."""

    paths: frozenset[str]
    roles: frozenset[str]
    holds: Callable[[Any], bool]


class FactChecker:
    """Checks facts for one program with its options chosen."""

    def __init__(self, fast: Fast) -> None:
        program = fast.program
        self.start: dict[str, Any] = {}
        self.loose = {id: self._form(fast, id, field) for id, field in program.facts.items() if field.computed is None}
        self.roles: dict[str, dict[str, _Form]] = {}
        for role, owner in program.roles.items():
            fields = program.entities[owner.entity].fields
            self.roles[role] = {
                id: self._form(fast, f"{role}.{id}", field) for id, field in fields.items() if field.computed is None
            }
        self.by_path = self.loose | {form[0]: form for forms in self.roles.values() for form in forms.values()}
        self.situations = [_Situation(*each) for each in fast.situations()]

    def _form(self, fast: Fast, path: str, field: Field) -> _Form:
        """The form of a fact; what holds where it is not given is remembered."""
        from .evaluate import pool_of

        if field.is_optional:
            self.start[path] = UNKNOWN
        elif field.default is not None:
            self.start[path] = pool_of(field.default) if field.type.kind == "dice" else field.default
        type = field.type
        words = [word.id for word in fast.program.words(type.choice)] if type.choice else []
        of, codes = _usual(type, words)
        return path, of, type.low, type.high, codes, field.is_optional

    def checked(self, given: GivenFacts, need: Need) -> Checked | None:
        """The values of all facts by path, defaults filled in; None where anything is unusual or wrong."""
        if type(given) is not dict:
            return None
        taken: dict[str, Any] = {}
        loose: dict[str, object] = {}
        count = 0
        for name, value in given.items():
            if type(value) is not dict:
                loose[name] = value
                continue
            forms = self.roles.get(name)
            if forms is None or not _take(forms, value, taken):
                return None
            count += len(value)
        if loose and not _take(self.by_path, loose, taken):
            return None
        if len(taken) != count + len(loose):
            return None
        found = {**self.start, **taken}
        roles = (str(name).partition(".")[0] for name in given) if self.situations else ()
        return found if self.allows(roles, found, need) else None

    def allows(self, roles: Iterable[str], found: Checked, need: Need) -> bool:
        """Whether checked facts lack nothing that is needed, and no situation among these roles is impossible."""
        if not need.required <= found.keys():
            return False
        return not (self.situations and self._is_impossible(need.roles.union(roles), found))

    def _is_impossible(self, playing: frozenset[str], found: Checked) -> bool:
        return any(
            each.roles <= playing and each.paths <= found.keys() and each.holds(found) for each in self.situations
        )


def _take(forms: Mapping[str, _Form], given: Mapping[str, object], taken: dict[str, Any]) -> bool:
    """Puts the codes of some facts into `taken` by path; whether all of them are usual."""
    for name, value in given.items():
        form = forms.get(name)
        if form is None:
            return False
        path, of, low, high, codes, is_optional = form
        if type(value) is not of:
            if value is not UNKNOWN or not is_optional:
                code = _mask(codes, value) if of is list and codes is not None else _UNUSUAL
                if code is _UNUSUAL:
                    return False
                value = code
        elif codes is None:
            if low is not None and not low <= value <= high:
                return False
        else:
            value = _mask(codes, value) if of is list else codes.get(value, _UNUSUAL)
            if value is _UNUSUAL:
                return False
        taken[path] = value
    return True


def _mask(codes: Codes, value: object) -> object:
    """The mask of a set of words."""
    if type(value) not in (list, tuple, set, frozenset):
        return _UNUSUAL
    mask = 0
    for word in value:  # type: ignore[attr-defined]
        bit = codes.get(word) if type(word) is str else None
        if bit is None:
            return _UNUSUAL
        mask |= bit  # type: ignore[operator]
    return mask


def _usual(type: Type, words: list[str]) -> tuple[Class | None, Codes | None]:
    """The class of usual values of a type, and their codes where they are not the values themselves."""
    low = int(type.low or 0)
    if type.kind == "choice":
        return str, {word: at for at, word in enumerate(words) if low <= at and (type.high is None or at <= type.high)}
    if type.kind == "set":
        return list, {word: 1 << at for at, word in enumerate(words)}
    if type.kind == "hit_dice" and int(type.high or 0) - low < _LISTED:
        return str, {hit_dice_text(code): code for code in range(low, int(type.high or 0) + 1)}
    if type.kind == "dice":
        from .evaluate import pool_of

        return str, {dice_text(code): pool_of(code) for code in type.one_of}
    return {"integer": (int, None), "boolean": (bool, None)}.get(type.kind, (None, None))


class Usual:
    """What is usual of the facts of one question."""

    __slots__ = ("checker", "need")

    def __init__(self, checker: FactChecker, fast: Fast, reads: frozenset[Read]) -> None:
        from .facts import field_of

        fields = {path_of(read): field_of(fast.program, read) for read in reads}
        required = {path for path, each in fields.items() if not each.is_optional and each.default is None}
        self.checker = checker
        self.need = Need(frozenset(required), frozenset(read[1] for read in reads if read[0] == "field"))

    def of(self, facts: GivenFacts) -> Checked | None:
        """The facts checked by the quick way; None where the slow one must look at them."""
        if not isinstance(facts, CheckedFacts):
            return self.checker.checked(facts, self.need)
        fits = facts.fits.get(self.need)
        if fits is None:
            fits = facts.fits[self.need] = self.checker.allows(facts.roles, facts.found, self.need)
        return facts.found if fits else None
