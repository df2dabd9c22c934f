"""Operators of other languages, found in the text of a scalar."""

from __future__ import annotations

import re

from .diagnostics import Diagnostic
from .document import Scalar
from .messages import operators as messages

RUN = re.compile(r"[-+*/<>=!&|^~%?]+")


def foreign(scalar: Scalar, at: int) -> Diagnostic | None:
    """The message for the operator of another language that the character at `at` belongs to, if it does."""
    for run in RUN.finditer(scalar.text):
        if run.start() <= at < run.end() and run.group() in messages.INSTEAD:
            return messages.foreign_operator(run.group(), scalar.part(*run.span()))
    return None
