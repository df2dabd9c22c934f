"""Which parts a new entry needs, and which ids are so near each other that one may be a slip."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from .. import document
from ..document import Node
from ..forms import Form
from ..suggest import nearest

Needs: TypeAlias = tuple[tuple[str, ...], ...]

ENDS = ("outcome", "go", "cases")
CONDITION = ("when", "all", "any")

NEEDS: Mapping[str, Needs] = {
    "choice": (("words",),),
    "field": (("type", "is"),),
    "role": (("entity",),),
    "named_condition": (CONDITION,),
    "impossible_situation": (CONDITION,),
    "condition_part": (("when",),),
    "attribute": (("type",),),
    "column_type": (("type",),),
    "named_value": (("value",),),
    "table": (("by",), ("gives",), ("rows", "columns", "otherwise")),
    "number": (("base",),),
    "modifier": (("adjust",),),
    "stacking_group": (("all", "bonuses", "penalties", "multiply"),),
    "check": (("outcomes",), (*ENDS, "steps")),
    "check_step": (ENDS,),
    "case": (("outcome", "go"),),
    "action": (("by",),),
    "trigger": (("when",), ("check", "effects")),
    "sequence": (("steps",),),
    "moment_case": (("step", "segment", "after", "left_out"),),
    "ruling": (("question",), ("ruling",), ("because",)),
    "example": (("number", "table", "check", "action", "trigger", "sequence"),),
}
"""For each kind of entry the keys of which a whole one has at least one, group by group."""

OPEN: Mapping[str, tuple[str, ...]] = {
    "numbers": ("base",),
    "checks": (*ENDS, "steps"),
    "choices": ("words",),
    "tables": ("rows", "columns", "otherwise"),
}
"""By section, the part that an abstract ruleset may leave to others: one of these keys."""

SHORTEST = 3
"""Below this length, ids are too short to be slips of each other."""


def missing(node: Node, form: Form, path: tuple[str, ...], is_abstract: bool) -> tuple[str, ...]:
    """The first group of keys of which a whole entry would have one, and this has none; empty for a whole one."""
    if not isinstance(node, document.Mapping):
        return ()
    if form.name == "case" and "then" in path:
        return ()
    stated = {each.key.text for each in node.entries}
    lacking = (each for each in NEEDS.get(form.name, ()) if not stated & set(each))
    may_lack = OPEN.get(path[0], ()) if is_abstract and len(path) == 2 else ()
    return next((each for each in lacking if not set(each) & set(may_lack)), ())


def fills(section: str, node: Node) -> bool:
    """Whether a definition, or a part of one, states what an abstract ruleset may leave open in this section."""
    if isinstance(node, document.Sequence):
        return bool(node.items)
    return isinstance(node, document.Mapping) and any(_is_filled(node.get(each)) for each in OPEN[section])


def _is_filled(node: Node | None) -> bool:
    if isinstance(node, document.Mapping):
        return bool(node.entries)
    return bool(node.items) if isinstance(node, document.Sequence) else node is not None


def near(id: str, known: Iterable[str]) -> list[str]:
    """The known ids that `id` may be a slip of, best first. Ids that differ in a number alone are meant."""
    if len(id) < SHORTEST:
        return []
    return [each for each in nearest(id, known) if _letters(each) != _letters(id)]


def _letters(id: str) -> str:
    return re.sub("[0-9]+", "0", id)
