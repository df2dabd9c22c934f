"""What `houserule test --mutate` says: each change that no example notices, and how many there are."""

from __future__ import annotations

from fractions import Fraction


def threshold(before: str, after: str) -> str:
    """A comparison that holds for one value more, or one less."""
    return f"`{before}` becomes `{after}`"


def band(low: object, high: object, low_after: object, high_after: object) -> str:
    """A band that is one shorter at one end."""
    return f"the band `{_band(low, high)}` becomes `{_band(low_after, high_after)}`"


def _band(low: object, high: object) -> str:
    if low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"


def no_band(low: object, high: object) -> str:
    """One band of several left out."""
    return f"the band `{_band(low, high)}` is left out"


def begins(before: int, after: int) -> str:
    """A row of a table that begins one key later or earlier."""
    return f"the row that begins at {before} begins at {after}"


def row(number: int, other: int) -> str:
    """A row of a table that is left out; rows are counted from 1."""
    return f"row {number} is left out, and row {other} is read in its place"


def cell(row: int, column: str, before: object, after: object) -> str:
    """A cell that is another by one."""
    return f"`{column}` in row {row} is {after} instead of {before}"


def figure(number: str, before: int, after: int) -> str:
    """What is done to a number, or a field, by another figure."""
    return f"`{number}` is adjusted by {after} instead of {before}"


def attribute(word: str, attribute: str, before: object, after: object) -> str:
    """An attribute of a word that is another by one."""
    return f"`{attribute}` of `{word}` is {after} instead of {before}"


def sign(what: str) -> str:
    """A value with the other sign."""
    return f"the sign of {what} is turned"


def adjustment(number: str) -> str:
    """What a modifier or a call does to a number."""
    return f"what it does to `{number}`"


def grade_of(number: str, grade: int) -> str:
    """A grade of a modifier, counted from 1."""
    return f"grade {grade} for `{number}`"


def no_grade(number: str, grade: int) -> str:
    """A grade that is left out."""
    return f"grade {grade} for `{number}` is left out"


def modifier(number: str) -> str:
    """A modifier that does not count for a number."""
    return f"it does not adjust `{number}`"


def policy(of: str, before: str, after: str) -> str:
    """Another stacking policy."""
    return f"`{of}: {before}` becomes `{of}: {after}`"


def cases(one: str, other: str) -> str:
    """Two cases that change places in what they lead to."""
    return f"the cases {one} and {other} lead to each other's end"


def case_name(id: str, at: int) -> str:
    """What a case is called."""
    return f"`{id}`" if id else str(at + 1)


def outcome(before: str, after: str) -> str:
    """Another outcome."""
    return f"the outcome is `{after}` instead of `{before}`"


BRANCHES = "the two outcomes after `if` change places"


def moment(before: str, after: str) -> str:
    """A moment that comes at another step."""
    return f"it comes in `{after}` instead of `{before}`"


def told(ruleset: str, unnoticed: int, tried: int, percent: str) -> str:
    """The line that sums up."""
    return f"{ruleset}: no example notices {unnoticed} of {tried} changes ({percent})"


def drawn(tried: int, of: int, seed: int) -> str:
    """That only some changes were tried."""
    return f"  {tried} of {of} possible changes were drawn by lot, with the seed {seed}"


def too_many(ruleset: str, most: int) -> str:
    """More changes than `--fail-over` allows go unnoticed."""
    return f"{ruleset}: more than {most}% of the changes go unnoticed"


def refused(count: int) -> str:
    """That the runtime itself noticed some changes."""
    return f"  {count} {'is' if count == 1 else 'are'} refused by the runtime, without an example"


def failing(count: int) -> str:
    """That examples which fail anyway notice nothing."""
    return f"  {count} {'example does' if count == 1 else 'examples do'} not hold as it is, and can notice nothing"


def percent(share: Fraction) -> str:
    """A share with one decimal, rounded up so that 0% means none."""
    tenths = -(-share.numerator * 1000 // share.denominator)
    return f"{tenths // 10}.{tenths % 10}%" if tenths % 10 else f"{tenths // 10}%"
