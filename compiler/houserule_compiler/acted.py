"""What comes of an action or a trigger in a situation, as an answer that can be compared with another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from houserule.actions import held, required
from houserule.evaluate import Frame
from houserule.values import text_of

if TYPE_CHECKING:
    from houserule.evaluate import Evaluator
    from houserule.program import Adjust

Word = Literal["allowed", "refused", "due", "not due", "absent"]


@dataclass(frozen=True, slots=True)
class Acted:
    """Whether it happens, and what it leads to: a check, with whom in which chair, how adjusted, and what follows.

    `refused_by` are the requirements that are not met, each with its title. An action that is not there is `absent`.
    """

    word: Word
    refused_by: tuple[tuple[str, str], ...] = ()
    check: str = ""
    follows: tuple[str, ...] = ()
    is_every_round: bool = False

    @property
    def happens(self) -> bool:
        """Whether the action is allowed, or the trigger due."""
        return self.word in ("allowed", "due")

    def to_dict(self) -> Mapping[str, Any]:
        """As plain JSON data."""
        if self.word in ("due", "not due"):
            found: dict[str, Any] = {"due": self.happens}
        else:
            found = {"allowed": self.happens, "refused_by": [id for id, _ in self.refused_by]}
        more = {"check": self.check, "follows": list(self.follows), "every_round": self.is_every_round}
        return found | {key: value for key, value in more.items() if value}


def differ(before: object, after: object) -> bool:
    """Whether two answers are not the same in play: what is refused is as good as not there, or impossible."""
    if any(isinstance(each, Acted) and each.happens for each in (before, after)):
        return before != after
    return before != after and not any(map(_is_nothing, (before, after)))


def _is_nothing(answer: object) -> bool:
    return answer == "impossible" or (isinstance(answer, Acted) and answer.word == "absent")


def allowed(evaluator: Evaluator, id: str) -> Acted:
    """Whether an action is allowed, and which check it leads to."""
    action = evaluator.program.actions.get(id)
    if action is None:
        return Acted("absent")
    found = required(evaluator, action, Frame())
    refused = tuple((each.label.id, each.label.title) for each, entry in found if entry.status != "kept")
    if refused:
        return Acted("refused", refused)
    seats = [_seated(chair, player) for chair, player in action.seats]
    adjusts = [_adjusted(evaluator, each) for each in action.adjusts]
    return Acted("allowed", (), action.check, (*seats, *adjusts))


def _adjusted(evaluator: Evaluator, adjust: Adjust) -> str:
    return _change(adjust.number, adjust.op, evaluator.value(adjust.value, Frame()))


def due(evaluator: Evaluator, id: str) -> Acted:
    """Whether a trigger is due, the check that it calls for, and what follows; one that is not there never is."""
    trigger = evaluator.program.triggers.get(id)
    found = held(evaluator, trigger)[0] if trigger else None
    if found is None:
        return Acted("not due")
    seats = [_seated(chair, player) for chair, player in found.seats.items()]
    adjusts = [_change(each.number, each.op, each.value) for each in found.adjusts]
    follows = (*seats, *adjusts, *map(str, found.effects))
    return Acted("due", (), found.check, follows, found.is_every_round)


def _seated(chair: str, player: str) -> str:
    return f"{player} as {chair}"


def _change(number: str, op: str, value: Any) -> str:
    if op == "add" and isinstance(value, int):
        return f"{number} {value:+d}"
    return f"{number} {op.replace('_', ' ')} {text_of(value)}"
