"""houserule: the rules of a tabletop game, from one artifact: values, checks, exact odds, and why.

    rules = houserule.load("friday.rules.json")
    rules.number("to_hit").value(facts)
    rules.check("attack").roll(facts, seed=7)

Needs nothing but the standard library.
"""

from __future__ import annotations

from .answers import Odds, Result, Wanted
from .artifact import content_hash, read
from .errors import (
    ArtifactError,
    DiceError,
    FactsError,
    HouseruleError,
    OptionsError,
    Problem,
    ProblemsError,
    TooLargeError,
    UnknownNameError,
)
from .procedure import Effect, Happening
from .rules import Check, Number, Rules
from .tables import Cells, Table
from .trace import Entry, Trace
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .artifact import Source

__version__ = "0.1.0"

__all__ = [
    "UNKNOWN",
    "ArtifactError",
    "Cells",
    "Check",
    "DiceError",
    "Effect",
    "Entry",
    "FactsError",
    "Happening",
    "HouseruleError",
    "Number",
    "Odds",
    "OptionsError",
    "Problem",
    "ProblemsError",
    "Result",
    "Rules",
    "Table",
    "TooLargeError",
    "Trace",
    "UnknownNameError",
    "Wanted",
    "content_hash",
    "load",
]


def load(source: Source, options: Mapping[str, object] | None = None) -> Rules:
    """The rules of an artifact, given as a path, as bytes, or as a dictionary read from JSON.

    `options` sets options of the ruleset for this caller. Raises `ArtifactError` for what is no sound artifact,
    `OptionsError` for options that do not fit, and `OSError` where the file cannot be read.
    """
    return Rules(read(source), options)
