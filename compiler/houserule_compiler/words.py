"""The words that the language keeps for itself: none of them can be the id of anything."""

from __future__ import annotations

FUNCTIONS = frozenset(
    {"floor", "ceil", "nearest", "toward_zero", "abs", "min", "max", "count", "known", "mod"},
)
"""The built-in functions of expressions."""

RESERVED = FUNCTIONS | frozenset(
    "null true false and or not in if then else as its inherited remove replace new before after order otherwise "
    "any all set multiply at_least at_most better worse".split()
)
"""All that cannot be an id, the functions among them."""
