"""What rules change of the answers that examples of the rulesets below expect: a line each, and no fault."""

from __future__ import annotations

from ..characters import visible
from ..diagnostics import Diagnostic
from ..examined import Examined
from ..messages import examples as messages

_SHOWN = 10


def changed(examined: Examined) -> str:
    """Lists the inherited examples that come out otherwise, or can no longer run; empty where there are none."""
    found = [each.diagnostics[0] for each in examined.examples if each.is_changed]
    if not found:
        return ""
    lines = [messages.changed_answers(len(found)), *(f"  {_line(each)}" for each in found[:_SHOWN])]
    if len(found) > _SHOWN:
        lines.append(f"  {messages.more_changed(len(found) - _SHOWN, examined.name)}")
    return "".join(f"{line}\n" for line in [*lines, ""])


def _line(found: Diagnostic) -> str:
    return f"{visible(found.span.file.name)}:{found.span.line}: {visible(messages.in_short(found))}"
