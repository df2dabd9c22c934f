"""Answers: the result of a check, its exact odds, and what a number or check wants to know."""

from __future__ import annotations

from .values import UNKNOWN, described, plain, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from dataclasses import dataclass
    from fractions import Fraction

    from .expression import Read
    from .procedure import Effect, Happening
    from .program import Field, Program
    from .trace import Trace
    from .values import Shown
else:
    from .records import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """How a check came out.

    `dice` are the values of the dice by path, `faces` their faces where known, `values` the named values and the
    outcomes of steps, `effects` what follows and is for the caller to perform.
    """

    check: str
    outcome: str
    dice: Mapping[str, int]
    faces: Mapping[str, tuple[int, ...]]
    values: Mapping[str, Shown]
    effects: tuple[Effect | Happening, ...]
    trace: Trace

    def __str__(self) -> str:
        dice = [f"{path} {value}" for path, value in self.dice.items()]
        values = [f"{path} {text_of(value)}" for path, value in self.values.items()]
        more = ", ".join([*dice, *values, *(str(effect) for effect in self.effects)])
        return f"{self.outcome} ({more})" if more else self.outcome

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

    __slots__ = ("_chances", "check", "of")

    def __init__(self, check: str, of: str, chances: Mapping[Shown, Fraction]) -> None:
        self.check = check
        self.of = of
        self._chances = dict(chances)

    def __getitem__(self, key: Shown) -> Fraction:
        return self._chances[key]

    def __iter__(self) -> Iterator[Shown]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def __contains__(self, key: object) -> bool:
        return key in self._chances

    def items(self) -> Iterator[tuple[Shown, Fraction]]:
        """Pairs of outcome or value, and its chance."""
        yield from self._chances.items()

    def to_dict(self) -> dict[str, str]:
        """Chances as texts such as `1/20`, by outcome or value as text."""
        return {text_of(key): str(chance) for key, chance in self._chances.items()}

    def __eq__(self, other: object) -> bool:
        return self._chances == (other._chances if isinstance(other, Odds) else other)

    def __hash__(self) -> int:
        return hash(tuple(self._chances.items()))

    def __str__(self) -> str:
        return ", ".join(f"{text_of(key)} {chance}" for key, chance in self._chances.items())

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
