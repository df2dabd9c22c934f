"""Where the files are that come with the compiler: rulesets, schemas, and the pages of the messages."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

Shipped: TypeAlias = Literal["rules", "schemas", "diagnostics"]


def shipped(kind: Shipped) -> Path:
    """The folder of the shipped rulesets, of the JSON schemas, or of the pages of the messages.

    An installed package holds them beside this file; in a checkout they stand at its top.
    """
    package = Path(__file__).parent
    installed = package / "_shipped" / kind
    if installed.is_dir():
        return installed
    checkout = package.parent.parent
    return checkout / "docs" / kind if kind == "diagnostics" else checkout / kind
