"""What is odd about a scalar where it stands: texts that YAML readers disagree on, and words that are reserved."""

from __future__ import annotations

from .scalars import classify
from .words import RESERVED

FOREIGN = frozenset({"radix", "non-finite"})
ODD_NUMBERS = FOREIGN | {"leading-zero", "underscore", "exponent", "decimal", "signed"}
PARSED = frozenset({"expression", "condition", "adjustment", "dice", "rows"})
"""The kinds that the expression parser reads: it has its own words for all odd numbers that are not `FOREIGN`."""
LITERAL = frozenset({"value", "integer"})
"""The kinds that hold one plain value."""


def trap(kind: str, text: str) -> str:
    """What is odd about a scalar in a place of this kind: `reserved`, or the name of its form; or nothing."""
    if kind == "key":
        return "reserved" if text in RESERVED else ""
    if kind not in PARSED and kind not in LITERAL:
        return ""
    form = classify(text)
    return form if form in (ODD_NUMBERS if kind in LITERAL else FOREIGN) else ""
