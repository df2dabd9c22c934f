"""Operators of other languages: what is written here instead."""

from __future__ import annotations

import re

from .diagnostics import Diagnostic
from .document import Scalar
from .messages import expression as messages

FOREIGN = {
    "&&": "`and`",
    "&": "`and`",
    "||": "`or`",
    "!": "`not`",
    "~": "`not`",
    "^": "the product, for example `x * x`",
    "**": "the product, for example `x * x`",
    "//": "`floor(a / b)`",
    "%": "`mod(a, 3)`",
    "<>": "`!=`",
    "=>": "`>=`",
    "=<": "`<=`",
    "===": "`==`",
    "!==": "`!=`",
    "?": "`if … then … else …`",
    "??": "`if known(x) then x else …`",
}
RUN = re.compile(r"[-+*/<>=!&|^~%?]+")


def foreign(scalar: Scalar, at: int) -> Diagnostic | None:
    """The message for the operator of another language that the character at `at` belongs to, if it does."""
    for run in RUN.finditer(scalar.text):
        if run.start() <= at < run.end():
            instead = FOREIGN.get(run.group())
            return messages.foreign_operator(run.group(), instead, scalar.part(*run.span())) if instead else None
    return None
