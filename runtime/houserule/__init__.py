"""houserule: the rules of a tabletop game, from one artifact: values, checks, exact odds, and why.

    rules = houserule.load("friday.rules.json")
    rules.number("to_hit").value(facts)
    rules.check("attack").roll(facts, seed=7)

Needs nothing but the standard library.
"""

from __future__ import annotations

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
from .origins import Origins, Said
from .questions import Check, Number
from .rules import Rules
from .trace import Entry, Trace
from .values import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .actions import Allowed as Allowed
    from .actions import Due as Due
    from .actions import DueTriggers as DueTriggers
    from .answers import Odds as Odds
    from .answers import Result as Result
    from .answers import Wanted as Wanted
    from .artifact import Source
    from .ordered import LeftOut as LeftOut
    from .ordered import Order as Order
    from .ordered import PlacedMoment as PlacedMoment
    from .ordered import StepEntry as StepEntry
    from .play_rules import Action as Action
    from .play_rules import Sequence as Sequence
    from .play_rules import Trigger as Trigger
    from .procedure import Effect as Effect
    from .procedure import Happening as Happening
    from .tables import Cells as Cells
    from .tables import Table as Table

__version__ = "0.1.0"

__all__ = [
    "UNKNOWN",
    "Action",
    "Allowed",
    "ArtifactError",
    "Cells",
    "Check",
    "DiceError",
    "Due",
    "DueTriggers",
    "Effect",
    "Entry",
    "FactsError",
    "Happening",
    "HouseruleError",
    "LeftOut",
    "Number",
    "Odds",
    "OptionsError",
    "Order",
    "Origins",
    "PlacedMoment",
    "Problem",
    "ProblemsError",
    "Result",
    "Rules",
    "Said",
    "Sequence",
    "StepEntry",
    "Table",
    "TooLargeError",
    "Trace",
    "Trigger",
    "UnknownNameError",
    "Wanted",
    "content_hash",
    "load",
]


_LATER = {
    "actions": ("Allowed", "Due", "DueTriggers"),
    "answers": ("Odds", "Result", "Wanted"),
    "ordered": ("LeftOut", "Order", "PlacedMoment", "StepEntry"),
    "play_rules": ("Action", "Sequence", "Trigger"),
    "procedure": ("Effect", "Happening"),
    "tables": ("Cells", "Table"),
}


def __getattr__(name: str) -> object:
    """The names whose modules are imported when they are first needed: a process that asks one number starts faster."""
    from importlib import import_module

    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load(source: Source, options: Mapping[str, object] | None = None) -> Rules:
    """The rules of an artifact, given as a path, as bytes, or as a dictionary read from JSON.

    `options` sets options of the ruleset for this caller. Raises `ArtifactError` for what is no sound artifact,
    `OptionsError` for options that do not fit, and `OSError` where the file cannot be read.
    """
    return Rules(read(source), options)
