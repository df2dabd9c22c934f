"""What every definition of an artifact carries for people, and how a definition is opened and closed."""

from __future__ import annotations

from .item import Item, identifier
from .program import Label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from .program import Op

    T = TypeVar("T")

OPS = ("add", "set", "multiply", "at_least", "at_most")
ROUNDS = ("up", "down", "nearest")


def label_of(item: Item, id: str | None = None) -> Label:
    """The parts for people. They may stand on any definition, also on one inside another."""
    return Label(
        identifier(item.take("id"), item.at) if id is None else id,
        item.text_or("title"),
        item.text_or("note"),
        item.text_or("source"),
    )


def definition(node: object, section: str) -> tuple[Item, Label]:
    """A member of a section, and what it carries for people."""
    item = Item(node, section)
    item.at = f"{section} `{str(item.rest.get('id'))[:60]}`"
    return item, label_of(item)


def closed(item: Item, id: str, found: T) -> tuple[str, T]:
    """What was read, with its id, once nothing of the item is left over."""
    item.close()
    return id, found


def op_of(item: Item) -> Op:
    """What an amount does to a number."""
    return item.word("op", *OPS)  # type: ignore[return-value]


def word(node: object, at: str) -> Label:
    """A word of a choice, or an outcome."""
    item = Item(node, at)
    label = label_of(item)
    item.close()
    return label
