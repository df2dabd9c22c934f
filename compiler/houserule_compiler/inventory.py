"""The page on which each item of the rules' documents stands beside what realises it.

It is made from a YAML file that maps the items and open questions of each document to definitions, examples and
rulings; tests hold that file to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .document import Document, Mapping, Scalar, Sequence

_MOST_NAMED = 6
_HEAD = (
    "# What the documents say, and where it stands in the rules\n\n"
    "Four documents stand behind the shipped rulesets. Their rules, tables, figures and worked examples are the items "
    "below, and what they leave open are the questions. Each item names the definitions that realise it and the "
    "examples that try it, each question the rulings that answer it; `houserule show RULESET DEFINITION` prints any of "
    "them."
)


def inventory_page(document: Document) -> str:
    """The page, in Markdown: a part for each document, with a table of its items and one of its questions."""
    parts = [_HEAD]
    for each in document.root.entries:
        assert isinstance(each.value, Mapping)
        parts += _document(each.key.text, each.value)
    return "\n\n".join(parts) + "\n"


def _document(number: str, found: Mapping) -> Iterator[str]:
    ruleset = _text(found, "ruleset")
    yield f"## {number}: {_text(found, 'title')}"
    yield f"Realised by `{ruleset}`."
    items = [(id, item) for id, item in _maps(found, "items")]
    rows = [
        (f"{number}-{id}", _text(item, "heading"), _names(item, "definitions"), _examples(item)) for id, item in items
    ]
    yield "\n".join(_table(("item", "what", "realised by", "examples"), rows))
    asked = [
        (f"{number}-{id}", _text(each, "heading"), _names(each, "rulings")) for id, each in _maps(found, "questions")
    ]
    yield "\n".join(_table(("question", "what is open", "answered by"), asked))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |".replace("| --- ", "|---").replace("--- |", "---|")


def _maps(found: Mapping, key: str) -> Iterator[tuple[str, Mapping]]:
    for each in found.entries:
        if each.key.text == key and isinstance(each.value, Mapping):
            yield from ((one.key.text, one.value) for one in each.value.entries if isinstance(one.value, Mapping))


def _text(found: Mapping, key: str) -> str:
    return next(
        (each.value.text for each in found.entries if each.key.text == key and isinstance(each.value, Scalar)), ""
    )


def _list(found: Mapping, key: str) -> list[str]:
    for each in found.entries:
        if each.key.text == key and isinstance(each.value, Sequence):
            return [item.text for item in each.value.items if isinstance(item, Scalar)]
    return []


def _names(found: Mapping, key: str) -> str:
    return ", ".join(f"`{each}`" for each in _list(found, key))


def _examples(item: Mapping) -> str:
    """The first few examples, and how many more there are."""
    if _text(item, "no_figures"):
        return "no figures: told in a note"
    names = _list(item, "examples")
    more = f", and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(f"`{each}`" for each in names[:_MOST_NAMED]) + more
