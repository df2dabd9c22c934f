"""Answers: the result of a check, its exact odds, and what a number or check wants to know."""

from __future__ import annotations

from .values import UNKNOWN, described, plain, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from dataclasses import dataclass
    from fractions import Fraction
    from typing import Any, Protocol

    from .expression import Read
    from .procedure import Effect, Happening
    from .program import Field, Program
    from .trace import Trace
    from .values import Shown

    class Teller(Protocol):
        """Whoever knows what a check left, and why; `left` is what it noted of this one."""

        @property
        def id(self) -> str:
            """The check."""
            ...

        def report(self, left: Any) -> Report:
            """What it left."""
            ...

        def trace(self, left: Any) -> Trace:
            """Why."""
            ...
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """What a check left: dice and their faces, values, and what follows."""

    dice: Mapping[str, int]
    faces: Mapping[str, tuple[int, ...]]
    values: Mapping[str, Shown]
    effects: tuple[Effect | Happening, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What a check left, and why, known from the start."""

    id: str
    left: Report
    why: Trace

    def report(self, left: object) -> Report:
        """What it left."""
        return self.left

    def trace(self, left: object) -> Trace:
        """Why."""
        return self.why


class Result:
    """How a check came out.

    `outcome` is there at once; the rest is made when it is asked for, and the trace costs nothing until then. `dice`
    are the values of the dice by path, `faces` their faces where known, `values` the named values and the outcomes of
    steps, `effects` what follows and is for the caller to perform.
    """

    __slots__ = ("_left", "_report", "_teller", "_trace", "outcome")

    def __init__(self, teller: Teller, outcome: str, left: object = None) -> None:
        self.outcome = outcome
        self._teller = teller
        self._left = left
        self._report: Report | None = None
        self._trace: Trace | None = None

    @property
    def check(self) -> str:
        """The check."""
        return self._teller.id

    @property
    def report(self) -> Report:
        """Dice, faces, values and effects together."""
        if self._report is None:
            self._report = self._teller.report(self._left)
        return self._report

    @property
    def dice(self) -> Mapping[str, int]:
        """The value of each die that was rolled, by path."""
        return self.report.dice

    @property
    def faces(self) -> Mapping[str, tuple[int, ...]]:
        """The faces of each die, by path, where they are known."""
        return self.report.faces

    @property
    def values(self) -> Mapping[str, Shown]:
        """The named values, and the outcomes of steps, by path."""
        return self.report.values

    @property
    def effects(self) -> tuple[Effect | Happening, ...]:
        """What follows, in order."""
        return self.report.effects

    @property
    def trace(self) -> Trace:
        """Why it came out so."""
        if self._trace is None:
            self._trace = self._teller.trace(self._left)
        return self._trace

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and pickled with all it tells, and without the rules that tell it."""
        return Result, (Told(self.check, self.report, self.trace), self.outcome)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return (self.check, self.outcome, self.report) == (other.check, other.outcome, other.report)

    def __hash__(self) -> int:
        return hash((self.check, self.outcome, tuple(self.dice.items())))

    def __str__(self) -> str:
        dice = [f"{path} {value}" for path, value in self.dice.items()]
        values = [f"{path} {text_of(value)}" for path, value in self.values.items()]
        more = ", ".join([*dice, *values, *(str(effect) for effect in self.effects)])
        return f"{self.outcome} ({more})" if more else self.outcome

    def __repr__(self) -> str:
        return f"Result({self.check!r}, {str(self)!r})"

    def to_dict(self) -> dict[str, object]:
        """The result as plain JSON data, without the trace."""
        return {
            "check": self.check,
            "outcome": self.outcome,
            "dice": dict(self.dice),
            "values": {path: plain(value) for path, value in self.values.items()},
            "effects": [effect.to_dict() for effect in self.effects],
        }


class Odds:
    """The exact chance of each outcome of a check, or of each value of one of its dice or values.

    `odds["hit"]` is a `Fraction`; iteration goes over all outcomes in their order, also those of chance 0.
    The key `UNKNOWN` stands for the ways on which the die or value is not there.
    """

    __slots__ = ("_chances", "_exact", "check", "of")

    def __init__(
        self,
        check: str,
        of: str,
        chances: Mapping[Shown, Fraction | int],
        exact: Callable[[int], Fraction] | None = None,
    ) -> None:
        self.check = check
        self.of = of
        # Whole numbers are ways, which become chances when they are read.
        self._chances = dict(chances) if exact is None else chances
        self._exact = exact

    def __getitem__(self, key: Shown) -> Fraction:
        found = self._chances[key]
        return found if self._exact is None else self._exact(found)  # type: ignore[arg-type,return-value]

    def __iter__(self) -> Iterator[Shown]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def __contains__(self, key: object) -> bool:
        return key in self._chances

    def items(self) -> Iterator[tuple[Shown, Fraction]]:
        """Pairs of outcome or value, and its chance."""
        for key in self._chances:
            yield key, self[key]

    def to_dict(self) -> dict[str, str]:
        """Chances as texts such as `1/20`, by outcome or value as text."""
        return {text_of(key): str(chance) for key, chance in self.items()}

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and pickled as chances."""
        return Odds, (self.check, self.of, dict(self.items()))

    def __eq__(self, other: object) -> bool:
        return dict(self.items()) == (dict(other.items()) if isinstance(other, Odds) else other)

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __str__(self) -> str:
        return ", ".join(f"{text_of(key)} {chance}" for key, chance in self.items())

    def __repr__(self) -> str:
        return f"Odds({self.check!r}, {str(self)!r})"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One fact that a number or check reads: what a character sheet or a form asks for.

    `role` is empty for a loose fact. `words` are those of a choice or set, `low` and `high` the ends of a range as
    they are written, `default` what holds where nothing is given (`UNKNOWN` for what may be unknown, None where it
    must be given), `expects` a sentence.
    """

    path: str
    role: str
    field: str
    title: str
    note: str
    kind: str
    words: tuple[str, ...]
    low: Shown | None
    high: Shown | None
    default: Shown | None
    required: bool
    may_be_unknown: bool
    decides: str
    expects: str

    def to_dict(self) -> dict[str, object]:
        """The fact as plain JSON data; the default is left out where there is none or it is unknown."""
        ends = {"low": self.low, "high": self.high}
        found: dict[str, object] = {
            "path": self.path,
            "kind": self.kind,
            "required": self.required,
            "may_be_unknown": self.may_be_unknown,
            "expects": self.expects,
            "title": self.title,
            "words": list(self.words),
        }
        found |= {key: plain(end) for key, end in ends.items() if end is not None}
        if self.default is not None and self.default is not UNKNOWN:
            found["default"] = plain(self.default)
        return {key: value for key, value in found.items() if value not in ("", [])}


def wanted(program: Program, read: Read, field: Field) -> Wanted:
    """What a read of a given fact asks for."""
    from .values import shown

    type = field.type
    words = program.words(type.choice) if type.choice else ()
    role, id = (read[1], read[2]) if read[0] == "field" else ("", read[1])
    ends = [None if end is None else shown(end, type, words) for end in (type.low, type.high)]
    default = None if field.default is None else shown(field.default, type, words)
    return Wanted(
        path=".".join(read[1:]),
        role=role,
        field=id,
        title=field.label.title,
        note=field.label.note,
        kind=type.kind,
        words=tuple(word.id for word in words),
        low=ends[0],
        high=ends[1],
        default=UNKNOWN if field.is_optional else default,
        required=not field.is_optional and field.default is None,
        may_be_unknown=field.is_optional,
        decides=field.decides,
        expects=described(type, words),
    )
