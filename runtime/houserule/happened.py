"""What came of moments, as an encounter says it: `orc strike: hurt`, found among the moments of the round."""

from __future__ import annotations

from .errors import FactsError, Problem, printable
from .nearest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .placing import Event


def happened(events: Sequence[Event], given: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[Event, tuple[str, ...]]]:
    """Each moment that something came of, with the events. Raises `FactsError` with every problem."""
    named = _named(events)
    problems: list[Problem] = []
    for name, what in given.items():
        found = named.get(" ".join(name.split()), [])
        problem = _problem(name, what, found, named)
        if problem:
            problems.append(problem)
        else:
            yield found[0], what
    if problems:
        raise FactsError(problems)


def _named(events: Sequence[Event]) -> dict[str, list[Event]]:
    """The moments by `ACTOR MOMENT [N]`, and by `ACTOR ACTION MOMENT [N]`, which tells more of them apart."""
    found: dict[str, list[Event]] = {}
    for each in events:
        for name in (each.name, f"{each.declared.actor} {each.declared.action} {each.label}"):
            found.setdefault(name, []).append(each)
    return found


def _problem(name: str, what: tuple[str, ...], found: list[Event], named: Mapping[str, list[Event]]) -> Problem | None:
    shown = printable(name)
    path = f"happened.{shown}"
    if not found:
        return Problem("unknown-name", path, f"no moment `{shown}` comes in this round", did_you_mean(shown, named))
    if len(found) > 1:
        names = [f"`{each.declared.actor} {each.declared.action} {each.label}`" for each in found]
        return Problem("unknown-name", path, f"`{shown}` names several moments", f"write one of {', '.join(names)}")
    threat = found[0].moment.threat
    other = next((each for each in what if each not in threat), None)
    if other is None:
        return None
    allowed = f"it can be {', '.join(threat)}" if threat else "it threatens nothing"
    return Problem("out-of-range", path, f"`{other}` cannot come of `{shown}`", allowed)
