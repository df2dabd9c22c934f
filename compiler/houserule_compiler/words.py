"""The words that the language keeps for itself: none of them can be the id of anything."""

from __future__ import annotations

FUNCTIONS = frozenset(
    {"floor", "ceil", "nearest", "toward_zero", "abs", "min", "max", "count", "known", "mod"},
)
"""The built-in functions of expressions."""

LITERALS = {"null", "true", "false"}
OPERATORS = {"and", "or", "not", "in", "if", "then", "else", "as"}
CONDITIONS = {"any", "all"}
ADJUSTMENTS = {"set", "multiply", "at_least", "at_most", "better", "worse"}
LAYERS = {"its", "inherited", "remove", "replace", "new", "before", "after", "order", "otherwise"}

RESERVED = FUNCTIONS | LITERALS | OPERATORS | CONDITIONS | ADJUSTMENTS | LAYERS
"""All that cannot be an id, the functions among them."""
