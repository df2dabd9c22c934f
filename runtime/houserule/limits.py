"""The limits of an artifact, each a named constant: what is beyond them is refused."""

from __future__ import annotations

FORMAT = "houserule"
FORMAT_VERSION = 1
_NAMES = "tables numbers modifiers stacking checks steps then effects sets hit_dice dice_facts fractions unknown"
_PLAY = "events actions triggers sequences"
FEATURES = frozenset(f"{_NAMES} {_PLAY}".split())
"""What this runtime can do; an artifact that requires more is refused by name."""

LARGEST = 2**53 - 1
"""The largest integer that every runtime can hold exactly."""

BYTES = 64 * 2**20
"""The largest artifact that is read."""

DEPTH = 64
"""How deep the JSON of an artifact may nest."""

NESTING = 250
"""How deep evaluation may nest, counted through all that is read; well inside the interpreter's own limit."""

COST = 1_000_000
"""How many steps one question may take, counting what is read each time that it is read."""

DICE = 1_000
"""How many dice one term may roll, and how many faces a die may have."""

SUPPORT = 20_000
"""How many different totals one die of a check may have."""

WORDS_OF_SET = 31
"""How many words a choice may have of which sets are made."""

SIDES = 64
"""How many sides an encounter may have."""

ACTORS = 1_000
"""How many actors an encounter may have."""

MOMENTS = 10_000
"""How many moments one round may have."""

REROLLS = 100
"""How often those who tie roll again, before they share their place after all."""

TIMES = 1_000
"""How often one moment of one action may come in a round."""

PIPS = 9
"""Hit dice carry at most this many pips either way."""
