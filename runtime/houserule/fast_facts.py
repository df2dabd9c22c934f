"""Facts checked in one pass, for the usual forms; all else is left to `facts`, which also words the problems.

Usual are dictionaries by role and field or by dotted name, with whole numbers, words, booleans and lists of words.
"""

from __future__ import annotations

from .errors import UnusualError
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
    from .program import Field, Program, Type

    Codes: TypeAlias = Mapping[object, object]
else:
    from .records import dataclass

_UNUSUAL = object()
_CLASSES: dict[str, tuple[type, ...]] = {"integer": (int,), "boolean": (bool,)}
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
class Form:
    """What is usual for one fact: the classes of its values, their range, or their codes; no class where none is."""

    path: str
    kind: str
    classes: tuple[type, ...]
    low: Any
    high: Any
    codes: Codes | None
    is_optional: bool

    def code(self, value: object) -> object:
        """The code of a usual value; raises `UnusualError` for any other."""
        if value is UNKNOWN and self.is_optional:
            return value
        if self.kind == "set":
            return mask_of(self.codes or {}, value)
        if type(value) not in self.classes:
            raise UnusualError
        if self.codes is None:
            if self.low is not None and not self.low <= value <= self.high:
                raise UnusualError
            return value
        code = self.codes.get(value, _UNUSUAL)
        if code is _UNUSUAL:
            raise UnusualError
        return code


def form_of(program: Program, path: str, field: Field) -> Form:
    """The form of a fact."""
    type = field.type
    words = [word.id for word in program.words(type.choice)] if type.choice else []
    codes = _codes(type, words)
    if codes is not None and field.is_optional:
        codes = {**codes, UNKNOWN: UNKNOWN}
    classes = _CLASSES.get(type.kind, () if codes is None else (str, int) if type.kind == "hit_dice" else (str,))
    return Form(path, type.kind, classes, type.low, type.high, codes, field.is_optional)


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
        self.loose = {id: self._form(program, id, field) for id, field in _given(program.facts)}
        self.roles: dict[str, dict[str, Form]] = {}
        for role, owner in program.roles.items():
            fields = program.entities[owner.entity].fields
            self.roles[role] = {id: self._form(program, f"{role}.{id}", field) for id, field in _given(fields)}
        self.by_path = self.loose | {form.path: form for forms in self.roles.values() for form in forms.values()}
        self.situations = [_Situation(*each) for each in fast.situations()]

    def _form(self, program: Program, path: str, field: Field) -> Form:
        """The form of a fact; what holds where it is not given is remembered."""
        from .evaluate import pool_of

        if field.is_optional:
            self.start[path] = UNKNOWN
        elif field.default is not None:
            self.start[path] = pool_of(field.default) if field.type.kind == "dice" else field.default
        return form_of(program, path, field)

    def checked(self, given: GivenFacts, need: Need) -> Checked | None:
        """The values of all facts by path, defaults filled in; None where anything is unusual or wrong."""
        if type(given) is not dict:
            return None
        try:
            found = self._taken(given)
        except UnusualError:
            return None
        roles = (str(name).partition(".")[0] for name in given) if self.situations else ()
        return found if self.allows(roles, found, need) else None

    def _taken(self, given: Mapping[str, object]) -> dict[str, Any]:
        found: dict[str, Any] = dict(self.start)
        paths: set[str] = set()
        for name, value in given.items():
            if type(value) is dict:
                forms = self.roles.get(name, {})
                _take(forms, value, found, paths)
            else:
                _take(self.by_path, {name: value}, found, paths)
        return found

    def allows(self, roles: Iterable[str], found: Checked, need: Need) -> bool:
        """Whether checked facts lack nothing that is needed, and no situation among these roles is impossible."""
        if not need.required <= found.keys():
            return False
        return not (self.situations and self._is_impossible(need.roles.union(roles), found))

    def _is_impossible(self, playing: frozenset[str], found: Checked) -> bool:
        return any(
            each.roles <= playing and each.paths <= found.keys() and each.holds(found) for each in self.situations
        )


def _take(forms: Mapping[str, Form], given: Mapping[str, object], found: dict[str, Any], paths: set[str]) -> None:
    """Puts the codes of some facts into `found` by path; `paths` are those that were given before."""
    for name, value in given.items():
        form = forms.get(name)
        if form is None or form.path in paths:
            raise UnusualError
        paths.add(form.path)
        is_plain = form.kind == "boolean" and (value is True or value is False)
        found[form.path] = value if is_plain else form.code(value)


def _given(fields: Mapping[str, Field]) -> Iterable[tuple[str, Field]]:
    return [(id, field) for id, field in fields.items() if field.computed is None]


def mask_of(codes: Codes, value: object) -> int:
    """The mask of a set of words; raises `UnusualError` for what is none."""
    if type(value) not in (list, tuple, set, frozenset):
        raise UnusualError
    mask = 0
    for word in value:  # type: ignore[attr-defined]
        bit = codes.get(word) if type(word) is str else None
        if bit is None:
            raise UnusualError
        mask |= bit  # type: ignore[operator]
    return mask


def _codes(type: Type, words: list[str]) -> Codes | None:
    """The codes of usual values of a type, where they are not the values themselves."""
    low, high = int(type.low or 0), int(type.high or 0)
    if type.kind == "choice":
        return {word: at for at, word in enumerate(words) if low <= at and (type.high is None or at <= type.high)}
    if type.kind == "set":
        return {word: 1 << at for at, word in enumerate(words)}
    if type.kind == "hit_dice" and high - low < _LISTED:
        texts: dict[object, object] = {hit_dice_text(code): code for code in range(low, high + 1)}
        return texts | {int(text): code for text, code in texts.items() if str(text).isdigit()}  # type: ignore[call-overload]
    if type.kind == "dice":
        from .evaluate import pool_of

        return {dice_text(code): pool_of(code) for code in type.one_of}
    return None


class Usual:
    """What is usual of the facts of one question."""

    __slots__ = ("checker", "fast", "need")

    def __init__(self, checker: FactChecker, fast: Fast, reads: frozenset[Read]) -> None:
        from .facts import field_of

        fields = {path_of(read): field_of(fast.program, read) for read in reads}
        required = {path for path, each in fields.items() if not each.is_optional and each.default is None}
        self.checker = checker
        self.fast = fast
        self.need = Need(frozenset(required), frozenset(read[1] for read in reads if read[0] == "field"))

    def of(self, facts: GivenFacts) -> Checked | None:
        """The facts checked by the quick way; None where the slow one must look at them."""
        if not isinstance(facts, CheckedFacts):
            return self.checker.checked(facts, self.need)
        if facts.options is not self.fast.options:
            return None
        if self.need not in facts.fits:
            if not self.checker.allows(facts.roles, facts.found, self.need):
                return None
            facts.fits[self.need] = ()
        return facts.found
