"""Long paths written as one key: `modifiers.flanking.adjust.attack_bonus: +2` as maps within maps."""

from __future__ import annotations

from .document import Entry, Mapping, Node, Scalar
from .forms import SECTIONS, Form
from .paths import steps


def is_dotted(key: Scalar) -> bool:
    """Whether a key at the left margin is a long path."""
    head, dot, _ = key.text.partition(".")
    return bool(dot) and head in SECTIONS


def nested(entry: Entry, form: Form) -> Entry:
    """The entry as maps within maps, each key a part of the one that was written. `form` is that of a rules file."""
    keys = _keys(entry.key, form)
    value: Node = entry.value
    for key in reversed(keys[1:]):
        value = Mapping((Entry(key, value),), key.span.to(entry.value.span))
    return Entry(keys[0], value)


def _keys(key: Scalar, form: Form) -> list[Scalar]:
    places = steps(key.text)
    keys: list[Scalar] = []
    while places:
        start, end = places.pop(0)
        text = key.text[start:end]
        if text.startswith("["):
            keys += _row_keys(key, start + 1, end - 1)
            continue
        if places and _holds_dots(form, len(places)):
            end = places[-1][1] if form.name != "effects" else places[0][1]
            places = [each for each in places if each[0] > end]
        keys.append(part(key, start, end))
        form = form.child(keys[-1].text)
    return keys


def _holds_dots(form: Form, left: int) -> bool:
    """Whether a single key here may hold dots: facts in examples, and `role.field` in effects."""
    names = form.part.get("propertyNames", {}).get("$ref", "").rpartition("/")[2]
    return names == "path" or (form.name == "effects" and left >= 1)


def _row_keys(key: Scalar, start: int, end: int) -> list[Scalar]:
    """The keys between brackets: one, or one for each level."""
    found, at = [], start
    for each in key.text[start:end].split(","):
        left = len(each) - len(each.lstrip())
        found.append(part(key, at + left, at + left + len(each.strip())))
        at += len(each) + 1
    return found


def part(key: Scalar, start: int, end: int) -> Scalar:
    """A piece of a scalar as a scalar of its own, at its place."""
    offsets = None if key.offsets is None else key.offsets[start : end + 1]
    return Scalar(key.text[start:end], key.style, key.part(start, end), key.first + start, offsets)
