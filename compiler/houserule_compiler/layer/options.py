"""Fields, facts and options where layers meet, written out: a type and its default, or a value as a new default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import document, syntax
from ..document import Entry, Mapping, Node, Scalar
from ..dotted import part
from ..longform import is_removal, key_for
from .stated import Stated
from .work import Work


def as_field(each: Stated, stated: Sequence[Stated], work: Work, is_option: bool) -> Stated:
    """The statement as a map, its type and its default apart; a plain value sets an option that is there already."""
    node = each.node
    if isinstance(node, Scalar) and not is_removal(node):
        is_known = not each.is_fresh and work.views.state(stated, work.views.own(each)) == "present"
        key = "default" if is_option and is_known and not _is_type(node, work) else "type"
        node = Mapping((Entry(key_for(key, node), node),), node.span)
    return replace(each, node=_apart(node, work))


def _is_type(node: Scalar, work: Work) -> bool:
    declared = work.parser.type_expression(node)[0]
    if declared is None:
        return False
    if declared.default is not None or declared.may_be_unknown:
        return True
    if declared.kind == "choice":
        return declared.name is not None and declared.name.text in work.choices
    return declared.kind != "dice_of" or len(declared.dice) > 1


def _apart(node: Node, work: Work) -> Node:
    """A map in which the default that stands in the type has a key of its own."""
    stated = node.entry("type") if isinstance(node, document.Mapping) else None
    if stated is None or not isinstance(stated.value, Scalar) or not isinstance(node, document.Mapping):
        return node
    declared = work.parser.type_expression(stated.value)[0]
    if declared is None or declared.default is None or node.entry("default"):
        return node
    kind, default = _halves(stated.value, declared.default)
    entries = [Entry(stated.key, kind) if each is stated else each for each in node.entries]
    return replace(node, entries=(*entries, Entry(key_for("default", default), default)))


def _halves(scalar: Scalar, default: syntax.Expression) -> tuple[Scalar, Scalar]:
    """What stands before and after the `=` of a type."""
    after = next(at for at in range(len(scalar.text)) if scalar.part(at, at).start >= default.span.start)
    equals = scalar.text.rindex("=", 0, after)
    kind = scalar.text[:equals].rstrip()
    return part(scalar, 0, len(kind)), part(scalar, after, len(scalar.text))
