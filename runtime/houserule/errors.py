"""What can go wrong, as exceptions: an artifact that is refused, or problems with what a caller gave, as data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from dataclasses import dataclass
else:
    from .records import dataclass


def printable(text: object, most: int = 60) -> str:
    """A text from outside as it may stand in a message: one line, without control characters, cut short."""
    shown = str(text)
    return "".join(char if char.isprintable() else "?" for char in shown[:most]) + ("..." if len(shown) > most else "")


class HouseruleError(Exception):
    """Anything that this library reports; its text is a sentence for people."""


class ArtifactError(HouseruleError):
    """An artifact is refused: it is damaged, of another format, or does what no compiled artifact does."""


class BeyondLimitError(ArtifactError):
    """A question would take more steps, or nest deeper, than is allowed; `definition` is its kind and its names."""

    def __init__(self, message: str, definition: tuple[str, ...], is_deep: bool) -> None:
        super().__init__(message)
        self.definition = definition
        self.is_deep = is_deep

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with what it was made of: of an exception alone its text would be."""
        return type(self), (str(self), self.definition, self.is_deep)


class TooLargeError(HouseruleError):
    """The odds asked for need more work than the limit that the caller allows."""


class UnknownNameError(HouseruleError, LookupError):
    """The rules have nothing of that name; `suggestions` are the nearest names, best first."""

    def __init__(self, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class UnknownReadError(HouseruleError):
    """Something unknown was read where it must be known; `path` names it as the caller does.

    Inside the evaluator only: it ends at the nearest modifier, or as a `FactsError`.
    """

    def __init__(self, path: str, is_local: bool = False) -> None:
        super().__init__(f"not known: {path}")
        self.path = path
        self.is_local = is_local


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with facts, dice or options.

    `code` is stable, `path` is the name of the fact, die or option, `message` says what is wrong, `fix` what to do.
    """

    code: str
    path: str
    message: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.message}; {self.fix}" if self.fix else self.message

    def to_dict(self) -> dict[str, str]:
        """The problem as plain data."""
        return {"code": self.code, "path": self.path, "message": self.message, "fix": self.fix}


class ProblemsError(HouseruleError):
    """What a caller gave has problems: all of them at once, in `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        # The same of several actors, such as a side that is not there, is said once.
        super().__init__("\n".join(dict.fromkeys(str(each) for each in self.problems)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with its problems: an exception in another process is told as here."""
        return type(self), (self.problems,)


class FactsError(ProblemsError):
    """Facts are missing, unknown, of the wrong type, out of range, or impossible together. Nothing was evaluated."""


class DiceError(ProblemsError):
    """Given dice are missing, unknown, out of range, or were not needed."""


class OptionsError(ProblemsError):
    """Options given at load are unknown or of the wrong type."""


class UnusualError(Exception):
    """Something that generated code leaves to the reference evaluator; never leaves the runtime."""
