"""Impossible situations of those who take part: who acts, or against whom, cannot be as the encounter has it."""

from __future__ import annotations

from .asked import chairs_of
from .errors import FactsError, Problem, UnknownReadError
from .reads import Reader, seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .declared import Declaration
    from .evaluate import Frame
    from .expression import Expr
    from .play import Playing


def refuse_impossible(declared: Iterable[tuple[Declaration, Playing]]) -> None:
    """Raises `FactsError` with every impossible situation among the chairs of declared actions."""
    problems = {(each.code, each.path, each.message): each for one in declared for each in _found(*one)}
    if problems:
        raise FactsError(problems.values())


def _found(declared: Declaration, playing: Playing) -> Iterator[Problem]:
    program = playing.program
    action = program.actions.get(declared.action)
    seats = {chair: player for chair, player in chairs_of(action) if player in playing.seats} if action else {}
    reader = Reader(program)
    for id, situation in program.impossible.items():
        reads = reader.of([situation.when])
        fields = [read for read in reads if read[0] == "field"]
        if not fields or len(fields) < len(reads) or any(read[1] not in seats for read in fields):
            continue
        frame = playing.frame()
        frame.binding = seat((), tuple(sorted(seats.items())))
        if not playing.unknown(situation.needs, frame) and _holds(playing, situation.when, frame):
            title = situation.label.title or id.replace("_", " ")
            yield Problem("impossible", id, f"impossible: {title} ({situation.text})", f"change `{declared.path}`")


def _holds(playing: Playing, when: Expr, frame: Frame) -> bool:
    try:
        return bool(playing.value(when, frame))
    except UnknownReadError:
        return False
