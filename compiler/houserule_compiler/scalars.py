"""What the text of a plain scalar looks like to the YAML readers of this world.

Nothing here decides what a scalar means: the place that it stands in does. The classes only tell which texts other
readers take for something else than a word, so that each can have its own message.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Form: TypeAlias = Literal[
    "integer",
    "signed",
    "boolean",
    "null",
    "leading-zero",
    "underscore",
    "radix",
    "exponent",
    "decimal",
    "non-finite",
    "yaml-1.1-boolean",
    "date",
    "sexagesimal",
    "text",
]

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
BOOLEANS = frozenset({"true", "false"})
OLD_BOOLEANS = frozenset(
    written
    for word in ("yes", "no", "on", "off", "y", "n", "true", "false")
    for written in (word.title(), word.upper())
) | {"yes", "no", "on", "off", "y", "n"}

# In order: the first form that fits the whole text. Each is linear, its repeated parts being disjoint.
_FORMS: tuple[tuple[Form, re.Pattern[str]], ...] = (
    ("integer", re.compile(r"-?(?:0|[1-9][0-9]*+)")),
    ("leading-zero", re.compile(r"-?0[0-9]++")),
    ("signed", re.compile(r"\+[0-9]++")),
    ("radix", re.compile(r"[+-]?0[xob][0-9a-fA-F_]++")),
    ("underscore", re.compile(r"[+-]?[0-9]++_[0-9_]*+")),
    ("decimal", re.compile(r"[+-]?(?:[0-9]++\.[0-9]*+|\.[0-9]++)")),
    ("exponent", re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)[eE][+-]?[0-9]++")),
    ("non-finite", re.compile(r"[+-]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")),
    ("date", re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t][0-9:. \tZz+-]*+)?")),
    ("sexagesimal", re.compile(r"[+-]?[0-9]++(?::[0-5]?[0-9])++(?:\.[0-9]*+)?")),
)


def classify(text: str) -> Form:
    """The form of a plain scalar's text: what some YAML reader would take it for, or `text`."""
    if text in NULLS:
        return "null"
    if text in BOOLEANS:
        return "boolean"
    if text in OLD_BOOLEANS:
        return "yaml-1.1-boolean"
    if text[0] not in "+-.0123456789":
        return "text"
    return next((form for form, pattern in _FORMS if pattern.fullmatch(text)), "text")
