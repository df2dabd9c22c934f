"""Short forms written out: a word list as a map of words, a plain type as a map with `type`, a choice as its words."""

from __future__ import annotations

from dataclasses import replace

from .document import Entry, Mapping, Node, Scalar, Sequence
from .dotted import part
from .forms import Form

CONDITIONS = ("all", "any")


def is_removal(node: Node) -> bool:
    """Whether it is the word `remove`, which takes out what stands below."""
    return isinstance(node, Scalar) and node.is_plain and node.text == "remove"


def made_key(text: str, at: Scalar) -> Scalar:
    """A key that nobody wrote: each of its characters points to the beginning of what it stands for."""
    return Scalar(text, "plain", at.span, at.first, (at.span.start,) * (len(text) + 1))


def key_for(text: str, node: Node) -> Scalar:
    """A key that nobody wrote, at the place of a node."""
    span = node.span
    return Scalar(text, "plain", span, span.start, (span.start,) * (len(text) + 1))


def long_form(node: Node, form: Form) -> Node:
    """The node with its outermost short form written out; what has none comes back as it is."""
    if is_removal(node):
        return node
    if isinstance(node, Scalar):
        return _single(node, form.short) if form.short else node
    if isinstance(node, Sequence):
        words = _words(node, form)
        return _single(words, form.list_key) if words is not None and form.list_key else words or node
    return _mapped(node, form)


def _single(node: Node, key: str) -> Mapping:
    return Mapping((Entry(key_for(key, node), node),), node.span)


def _words(node: Sequence, form: Form) -> Mapping | None:
    """A list of words as a map of them; None for a list of anything else."""
    if form.name not in ("choice", "choice_words", "outcomes"):
        return None
    words = {each.text: each for each in node.items if isinstance(each, Scalar)}
    return Mapping(tuple(Entry(each, Mapping((), each.span, True)) for each in words.values()), node.span)


def _mapped(node: Mapping, form: Form) -> Mapping:
    if form.short == "when" and "all" in form.part.get("properties", {}):
        return _conditioned(node)
    if form.part.get("propertyNames", {}).get("$ref") == "#/$defs/words":
        entries = tuple(Entry(key, each.value) for each in node.entries for key in bars(each.key))
        return replace(node, entries=entries)
    return node


def _conditioned(node: Mapping) -> Mapping:
    """`{all: ..., title: ...}` as `{when: {all: ...}, title: ...}`."""
    parts = tuple(each for each in node.entries if each.key.text in CONDITIONS)
    if not parts:
        return node
    when = Entry(made_key("when", parts[0].key), Mapping(parts, parts[0].span))
    return replace(node, entries=(when, *(each for each in node.entries if each not in parts)))


def bars(key: Scalar) -> list[Scalar]:
    """The words between the bars of a key."""
    found, at = [], 0
    for each in key.text.split("|"):
        start = at + len(each) - len(each.lstrip())
        found.append(part(key, start, start + len(each.strip())))
        at += len(each) + 1
    return found
