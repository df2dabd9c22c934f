"""Facts as callers give them, nested or dotted, become checked values by path; all problems are found at once."""

from __future__ import annotations

from .errors import FactsError, OptionsError, Problem, UnknownReadError, printable
from .evaluate import Evaluator, Frame, pool_of
from .nearest import did_you_mean
from .reads import Reader
from .values import UNKNOWN, MisfitError, Unknown, described, held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from .evaluate import Value
    from .expression import Read
    from .fast_facts import Need
    from .program import Field, Program, Type

    GivenFacts: TypeAlias = "Mapping[str, object] | CheckedFacts"
    Checked: TypeAlias = dict[str, Value | Unknown]


class CheckedFacts:
    """Facts that were checked once, by `Rules.facts`: given wherever facts are wanted."""

    __slots__ = ("fits", "found", "given", "options", "roles")

    def __init__(self, given: dict[str, object], found: Checked, options: Mapping[str, Value]) -> None:
        self.given = given
        self.found = found
        # Those of the rules that checked the facts, by which the rules know them again.
        self.options = options
        self.roles = frozenset(str(name).partition(".")[0] for name in given)
        # For each question that was asked about them and that they fit, what it reads, in its order.
        self.fits: dict[Need, tuple[object, ...]] = {}

    def items(self) -> Iterable[tuple[str, object]]:
        """The facts as they were given."""
        return self.given.items()

    def __copy__(self) -> CheckedFacts:
        return self

    def __deepcopy__(self, memo: object) -> CheckedFacts:
        """The facts themselves: nothing changes them, and the rules that checked them know them."""
        return self

    def __repr__(self) -> str:
        return f"CheckedFacts({self.given!r})"


def own_copy(given: GivenFacts) -> dict[str, object]:
    """A copy of sound facts that does not follow what the caller does to theirs: roles and sets are copied too."""
    return {name: _own(value) for name, value in given.items()}


def _own(value: object) -> object:
    if hasattr(value, "items"):
        return own_copy(value)  # type: ignore[arg-type]
    return list(value) if isinstance(value, list) else set(value) if isinstance(value, set) else value


def path_of(read: Read) -> str:
    """A read as callers name it: `attacker.level`, `situation`."""
    return ".".join(read[1:])


def field_of(program: Program, read: Read) -> Field:
    """What is declared of a field or fact."""
    if read[0] == "fact":
        return program.facts[read[1]]
    return program.entities[program.roles[read[1]].entity].fields[read[2]]


def checked(program: Program, given: GivenFacts, reads: Iterable[Read], options: Mapping[str, Value]) -> Checked:
    """The values of all facts by path, defaults filled in. `reads` are those that must not be missing.

    Raises `FactsError` with every problem: unknown names, wrong types, values out of range, what is missing, and
    situations that are impossible.
    """
    if not hasattr(given, "items"):
        raise FactsError([Problem("wrong-type", "", "facts are a mapping: by role and field, or by dotted name")])
    found: Checked = {}
    problems: list[Problem] = []
    bad: set[str] = set()
    for path, value in _flat(given):
        if path in found or path in bad:
            problems.append(Problem("given-twice", path, f"`{path}` is given twice", "give it once"))
        problem = taken(program, path, value, found)
        if problem:
            bad.add(path)
            problems.append(problem)
    fill(program, found, bad)
    problems += [missing_problem(program, read) for read in sorted(reads) if path_of(read) not in found.keys() | bad]
    problems += _impossible(program, found, options, _playing(given, reads))
    if problems:
        raise FactsError(problems)
    return found


def chosen(program: Program, given: Mapping[str, object], fills: bool = True) -> dict[str, Value]:
    """The value of every option: the one given, or the default. Raises `OptionsError` with every problem.

    With `fills` false, those that are given alone.
    """
    found: dict[str, Value] = {}
    problems: list[Problem] = []
    for id, value in given.items():
        if id not in program.options:
            name = printable(id)
            problems.append(Problem("unknown-name", name, f"no option `{name}`", did_you_mean(name, program.options)))
            continue
        try:
            found[id] = _value(program, value, program.options[id].type)
        except MisfitError as error:
            problems.append(Problem(error.code, id, f"option `{id}`: {error}", error.fix))
    if problems:
        raise OptionsError(problems)
    defaults = {id: option.default for id, option in program.options.items() if option.default is not None}
    return {**defaults, **found} if fills else found


def unknown_problems(paths: Iterable[str]) -> FactsError:
    """The error of facts that may be unknown, and are, where they must be known."""
    return FactsError([_unknown(path) for path in dict.fromkeys(paths)])


def _unknown(path: str) -> Problem:
    return Problem(
        "unknown-fact", path, f"`{path}` is not known, and this cannot be answered without it", f"give `{path}`"
    )


def _flat(given: GivenFacts) -> Iterator[tuple[str, object]]:
    """Facts by path; a mapping is the fields of a role."""
    for name, value in given.items():
        if hasattr(value, "items"):
            for field, inner in value.items():
                yield printable(f"{name}.{field}", 200), inner
        else:
            yield printable(name, 200), value


def taken(program: Program, path: str, value: object, found: Checked) -> Problem | None:
    """Puts the value of one fact into `found`, or tells what is wrong with it."""
    problem = name_problem(program, path)
    if problem is not None:
        return problem
    try:
        found[path] = fitted(program, value, declared_at(program, path))
    except MisfitError as error:
        return Problem(error.code, path, f"`{path}`: {error}", error.fix)
    return None


def name_problem(program: Program, path: str) -> Problem | None:
    """What is wrong with the name of a fact: there is none, or it cannot be given."""
    field = _declared(program, path)
    if field is None:
        return Problem("unknown-name", path, *_no_such(program, path))
    if field.computed is not None:
        return Problem("computed-fact", path, f"`{path}` is worked out from other facts", f"leave `{path}` out")
    return None


def declared_at(program: Program, path: str) -> Field:
    """What is declared of a fact that can be given."""
    field = _declared(program, path)
    assert field is not None
    return field


def _declared(program: Program, path: str) -> Field | None:
    role, dot, field = path.partition(".")
    if not dot:
        return program.facts.get(path)
    return program.entities[program.roles[role].entity].fields.get(field) if role in program.roles else None


def _no_such(program: Program, path: str) -> tuple[str, str]:
    """The message and the fix for a name that no fact has."""
    role, dot, field = path.partition(".")
    if path in program.roles:
        own = [name for name, each in program.entities[program.roles[path].entity].fields.items() if not each.computed]
        shown = f"{{{printable(own[0])!r}: ...}}".replace("'", '"') if own else "{}"
        return f"`{path}` is a role, and takes its fields as an object", f"give `{path}` as `{shown}`"
    if not dot:
        return f"no fact `{path}`", did_you_mean(path, (*program.facts, *program.roles))
    if role in program.roles:
        fields = program.entities[program.roles[role].entity].fields
        return f"`{role}` has no field `{field}`", did_you_mean(
            field, (f for f in fields if fields[f].computed is None)
        )
    return f"no role `{role}`", did_you_mean(role, program.roles)


def fitted(program: Program, value: object, field: Field) -> Value | Unknown:
    """The value of a field or fact as it is held. Raises `MisfitError` for what does not fit."""
    # An array is compared value by value, and is no text.
    says_unknown = isinstance(value, str) and value == "unknown"
    is_unknown = value is UNKNOWN or (says_unknown and not _is_word(program, field.type))
    if is_unknown and field.is_optional:
        return UNKNOWN
    if is_unknown:
        words = program.words(field.type.choice) if field.type.choice else ()
        raise MisfitError("wrong-type", f"expected {described(field.type, words)}, found unknown", "it must be known")
    return _value(program, value, field.type)


def _is_word(program: Program, type: Type) -> bool:
    return type.kind == "text" or any(
        word.id == "unknown" for word in (program.words(type.choice) if type.choice else ())
    )


def _value(program: Program, value: object, type: Type) -> Value:
    found = held(value, type, program.words(type.choice) if type.choice else ())
    if isinstance(found, Unknown):
        raise MisfitError("wrong-type", "it must be known")
    return pool_of(found) if type.kind == "dice" else found


def fill(program: Program, found: Checked, bad: set[str]) -> None:
    """Defaults, and what may be unknown and is not given."""
    places = [
        (f"{role}.{id}", field) for role, owner in program.roles.items() for id, field in _fields(program, owner.entity)
    ]
    for path, field in (*places, *program.facts.items()):
        if path in found or path in bad or field.computed is not None:
            continue
        if field.is_optional:
            found[path] = UNKNOWN
        elif field.default is not None:
            found[path] = pool_of(field.default) if field.type.kind == "dice" else field.default


def _fields(program: Program, entity: str) -> Iterable[tuple[str, Field]]:
    return program.entities[entity].fields.items()


def missing_problem(program: Program, read: Read) -> Problem:
    """That a fact is missing."""
    type, path = field_of(program, read).type, path_of(read)
    words = program.words(type.choice) if type.choice else ()
    return Problem("missing-fact", path, f"`{path}` is missing: {described(type, words)}", f"give `{path}`")


def _playing(given: GivenFacts, reads: Iterable[Read]) -> set[str]:
    """The roles that take part: those that are read, and those that facts are given of."""
    return {str(name).partition(".")[0] for name, _ in given.items()} | {
        read[1] for read in reads if read[0] == "field"
    }


def _impossible(program: Program, found: Checked, options: Mapping[str, Value], playing: set[str]) -> Iterator[Problem]:
    """Situations that hold and cannot be, among the roles that take part; one whose facts are not all known does not
    hold."""
    reader, evaluator = Reader(program), Evaluator(program, found, options, None)
    for id, situation in program.impossible.items():
        situated = reader.of([situation.when])
        if any(path_of(read) not in found for read in situated):
            continue
        if any(read[0] == "field" and read[1] not in playing for read in situated):
            continue
        if evaluator.unknown(situation.needs, Frame()):
            continue
        try:
            holds = evaluator.holds(situation.when, Frame())
        except UnknownReadError:
            continue
        if holds:
            title = situation.label.title or id.replace("_", " ")
            yield Problem("impossible", id, f"impossible: {title} ({situation.text})", "change one of these facts")
