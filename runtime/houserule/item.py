"""One JSON object of an artifact while it is read: each key is taken once, with its type, and none may be left over."""

from __future__ import annotations

from .errors import ArtifactError, printable
from .limits import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn, TypeVar

    from .expression import Bound

    T = TypeVar("T")


def refuse(at: str, message: str) -> NoReturn:
    """Refuse the artifact in one sentence that names the place."""
    raise ArtifactError(printable(f"this artifact is damaged: {at}: {message}", 400))


class Item:
    """A JSON object and the place where it stands, for messages."""

    __slots__ = ("at", "rest")

    def __init__(self, node: object, at: str) -> None:
        if not isinstance(node, dict):
            refuse(at, "expected an object")
        self.rest = dict(node)
        self.at = at

    def close(self) -> None:
        """Refuse keys that nobody took."""
        if self.rest:
            refuse(self.at, f"unknown key `{min(self.rest)}`")

    def take(self, key: str) -> object:
        """The value of a required key."""
        if key not in self.rest:
            refuse(self.at, f"`{key}` is missing")
        return self.rest.pop(key)

    def has(self, key: str) -> bool:
        """Whether the key is still there to be taken."""
        return key in self.rest

    def text(self, key: str) -> str:
        """A required text."""
        return text(self.take(key), f"{self.at}.{key}")

    def text_or(self, key: str, absent: str = "") -> str:
        """A text, or `absent`."""
        return self.text(key) if key in self.rest else absent

    def integer(self, key: str) -> int:
        """A required integer."""
        return integer(self.take(key), f"{self.at}.{key}")

    def flag(self, key: str) -> bool:
        """A required boolean."""
        value = self.take(key)
        if not isinstance(value, bool):
            refuse(f"{self.at}.{key}", "expected true or false")
        return value

    def flag_or_false(self, key: str) -> bool:
        """A boolean, false where it is absent."""
        return self.flag(key) if key in self.rest else False

    def word(self, key: str, *allowed: str) -> str:
        """A required text that must be one of `allowed`."""
        value = self.text(key)
        if value not in allowed:
            refuse(f"{self.at}.{key}", f"expected one of {', '.join(allowed)}")
        return value

    def word_or_none(self, key: str, *allowed: str) -> str:
        """One of `allowed`, or an empty text where it is absent."""
        return self.word(key, *allowed) if key in self.rest else ""

    def each(self, key: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """A required list, each member read by `read`."""
        at = f"{self.at}.{key}"
        return tuple([read(node, at) for node in items(self.take(key), at)])

    def maybe(self, key: str, read: Callable[[object, str], T]) -> T | None:
        """The value read by `read`, or None where it is absent."""
        return read(self.rest.pop(key), f"{self.at}.{key}") if key in self.rest else None

    def by_id(self, key: str, read: Callable[[object, str], tuple[str, T]]) -> dict[str, T]:
        """A required list of definitions, as a map by id; no id stands twice."""
        found = self.each(key, read)
        result = dict(found)
        if len(result) != len(found):
            refuse(f"{self.at}.{key}", "one id stands twice")
        return result


def items(node: object, at: str) -> list[object]:
    """A JSON list."""
    if not isinstance(node, list):
        refuse(at, "expected a list")
    return node


def text(node: object, at: str) -> str:
    """A JSON string."""
    if not isinstance(node, str):
        refuse(at, "expected a text")
    return node


def integer(node: object, at: str) -> int:
    """An integer within the safe range; a boolean is none."""
    if type(node) is not int or not -LARGEST <= node <= LARGEST:
        refuse(at, "expected an integer")
    return node


def span(nodes: list[object]) -> tuple[int, int] | None:
    """The least and the greatest of a list of integers within the safe range; None for any other list."""
    if set(map(type, nodes)) != {int}:
        return None
    low, high = min(nodes), max(nodes)  # type: ignore[type-var]
    return (low, high) if low >= -LARGEST and high <= LARGEST else None  # type: ignore[operator,return-value]


def bounds(node: object, at: str) -> tuple[Bound, ...]:
    """A list of bounds."""
    found = items(node, at)
    return tuple(found) if span(found) else tuple([bound(each, at) for each in found])  # type: ignore[arg-type]


def bound(node: object, at: str) -> Bound:
    """An integer, or None for an open end."""
    return None if node is None else integer(node, at)


def identifier(node: object, at: str) -> str:
    """An id: dots are allowed between parts, since layers and sequences make some."""
    value = text(node, at)
    if not value or not all(
        part and part[0].isalpha() and part.isascii() and _is_name(part) for part in value.split(".")
    ):
        refuse(at, "expected an id of small letters, digits and underscores")
    return value


def _is_name(part: str) -> bool:
    return part.replace("_", "a").isalnum() and part == part.lower()
