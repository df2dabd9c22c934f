"""Messages of layers: what they disagree on, and what has nothing below it to stand on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from ..diagnostics import Diagnostic, Label, error, note, warning
from ..document import Mapping, Node, Scalar
from ..layers import Contribution
from ..paths import Path, path_text
from ..source import Span
from .names import suggestion
from .shape import quoted

WIDTH = 80
"""A headline is shorter than this."""
ROOM = 30
"""The longest path that stands beside other names."""
SHOWN = 6
"""A longer list is cut."""


class Statement(Protocol):
    """What one layer states at a path."""

    @property
    def layer(self) -> str:
        """Its name."""

    @property
    def key(self) -> Scalar:
        """The key that it states."""

    @property
    def node(self) -> Node:
        """The value."""

    @property
    def removes(self) -> bool:
        """Whether it takes out what stands there."""

    @property
    def replaces(self) -> bool:
        """Whether it empties what stands there first."""


def fitted(wording: Callable[[str], str], path: Path) -> str:
    """A headline that names a path, of a long one only as much of the end as one line has room for."""
    for at in range(len(path)):
        text = path_text(path) if not at else "…" + path_text(path[at:])
        if len(wording(f"`{text}`")) < WIDTH:
            return wording(f"`{text}`")
    return wording("this")


def both(stated: Sequence[Statement]) -> str:
    """The layers that stated something: `a` and `b`."""
    names = [f"`{each}`" for each in sorted({each.layer for each in stated})]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def place(node: Node, key: Scalar) -> Span:
    """The smallest text that shows a value: what spans lines is shown by its key."""
    return key.span if isinstance(node, Mapping) or "\n" in node.span.text else node.span


def in_order(stated: Iterable[Statement]) -> list[Statement]:
    """By file and place."""
    return sorted(stated, key=lambda each: (each.key.span.file.name, place(each.node, each.key).start))


def labels(stated: Iterable[Statement], text: str) -> list[Label]:
    """A label for each contributor, in file order: what it does there, `text` unless it takes something out."""
    return [
        Label(place(each.node, each.key), f"`{each.layer}` {'removes it' if each.removes else text}")
        for each in in_order(stated)
    ]


def defined_twice(again: Scalar, first: Scalar) -> Diagnostic:
    """One id is defined in two places of one ruleset."""
    return error(
        "duplicate-definition",
        f"{quoted(again.text)} is defined twice",
        Label(again.span, "defined again here"),
        Label(first.span, "first defined here"),
        help="rename one of them, or join them into one",
    )


def missing_target(path: Path, stated: Statement, known: Iterable[str], enders: Sequence[str]) -> Diagnostic:
    """A layer changes, removes or replaces what is not there."""
    replaced = [f"`{each}` replaces what stood around it" for each in enders]
    return error(
        "missing-target",
        fitted(lambda path: f"there is no {path} below `{stated.layer}`", path),
        Label(stated.key.span),
        notes=replaced,
        help=suggestion(path[-1], known),
    )


def target_removed(path: Path, stated: Statement, removers: Sequence[Statement]) -> Diagnostic:
    """A layer changes a part of what a layer below it has removed."""
    return error(
        "missing-target",
        fitted(lambda path: f"{both(removers)} removed {path}, and `{stated.layer}` changes it", path),
        Label(stated.key.span),
        *labels(removers, "removes it"),
        help="take this out, or bring it back whole, with `replace: true`",
    )


def half_new(path: Path, stated: Statement, noun: str, lacking: Sequence[str], near: Sequence[str]) -> Diagnostic:
    """A layer states a part of an entry that nothing below it has."""
    parts = " or ".join(f"`{each}`" for each in lacking)
    return error(
        "missing-target",
        fitted(lambda path: f"there is no {path} below `{stated.layer}`", path),
        Label(stated.key.span),
        notes=[f"as {noun} of its own it would need {parts}"],
        help=suggestion(path[-1], near) or f"add {parts}, or name what is there",
    )


def near_name(path: Path, stated: Statement, near: Sequence[str]) -> Diagnostic:
    """A new id that is near a known one."""
    return error(
        "near-name",
        f"{quoted(path[-1])} is new, and near {quoted(near[0])}",
        Label(stated.key.span),
        help=f"write `{near[0]}` to change that, or add `new: true` if this is another",
    )


def not_new(path: Path, stated: Statement, below: Statement) -> Diagnostic:
    """What a layer calls new is there already."""
    return error(
        "not-new",
        f"{quoted(path[-1])} is said to be new, and `{below.layer}` has one",
        Label(stated.key.span),
        Label(below.key.span, "defined here"),
        help=f"give yours another name; or, to change the one of `{below.layer}`, take `new: true` out",
    )


def field_needs_default(path: Path, stated: Statement) -> Diagnostic:
    """A layer adds a field that everybody would have to give."""
    return error(
        "needs-default",
        fitted(lambda path: f"the new field {path} needs a default", path),
        Label(stated.key.span),
        notes=["the rules below do not know it, and their facts and examples do not give it"],
        help=f"write what holds where it is not given: `{path[-1]}: {_value(stated.node)[1:-1]} = ...`",
    )


def take_out_whole(path: Path) -> str:
    """What to write where a layer took a part out that a definition cannot do without."""
    return f"leave it in; or, to take all of it out, write `{path_text(path)}: remove`"


def both_define(path: Path, stated: Sequence[Statement], top: str) -> Diagnostic:
    """Two layers bring one id into being, differently."""
    first, *rest = labels(stated, "defines it")
    return error(
        "both-define",
        fitted(lambda path: f"{both(stated)} both define {path}", path),
        first,
        *rest,
        help=f"{_choose(path, in_order(stated)[0].layer, top)}; or rename one",
    )


def _choose(path: Path, layer: str, top: str) -> str:
    return f"choose one at the head of `{top}`: `prefer: {{{path_text(path)}: {layer}}}`"


def _does(stated: Statement) -> str:
    return "removes it" if stated.removes else "replaces it" if stated.replaces else "changes it"


def removed_and_changed(path: Path, ender: Statement, others: Sequence[Statement], top: str) -> Diagnostic:
    """One layer removes or replaces what an unrelated one changes."""
    everyone = in_order([ender, *others])
    shown = [Label(each.key.span, f"`{each.layer}` {_does(each)}") for each in everyone]
    return error(
        "conflict",
        fitted(lambda path: f"{both(everyone)} disagree on {path}", path),
        *shown,
        help=f"{_choose(path, others[0].layer, top)}; or remove or replace it there",
    )


def conflict(path: Path, stated: Sequence[Statement], top: str) -> Diagnostic:
    """Unrelated layers set one path differently."""
    first, *rest = labels(stated, "says so")
    return error(
        "conflict",
        fitted(lambda path: f"{both(stated)} disagree on {path}", path),
        first,
        *rest,
        help=f"say in `{top}` what holds: `{path_text(path)}: ...`",
    )


def rows_conflict(path: Path, inner: Path, smallest: str, stated: Sequence[Statement], top: str) -> Diagnostic:
    """Rows of unrelated layers overlap with different cells, or those of one layer do."""
    first, *rest = labels(stated, "says so")
    is_one = len({each.layer for each in stated}) == 1
    disagree = f"{both(stated)} {'says two things of' if is_one else 'disagree on'}"
    return error(
        "conflict",
        fitted(lambda path: f"{disagree} {path} at {smallest}", path),
        first,
        *rest,
        help="take one of them out" if is_one else f"say in `{top}` what holds: `{path_text(inner)}: ...`",
    )


def sets_conflict(
    number: str, first: tuple[str, Scalar], second: tuple[str, Scalar], situation: str | None
) -> Diagnostic:
    """Two modifiers of unrelated layers set one number to different values, and both can apply, or it is not known."""
    both_apply = f"both apply where {situation}" if situation else "both can apply at once"
    ordered = sorted((first, second), key=lambda each: (each[1].span.file.name, each[1].span.start))
    return error(
        "conflict",
        f"{quoted(first[0])} and {quoted(second[0])} set {quoted(number)} differently",
        *(Label(key.span, f"`{key.span.file.layer}`, in `{id}`") for id, key in ordered),
        notes=["so many modifiers set numbers here that not all are looked at" if situation is None else both_apply],
        help="give one of them a condition, or put both into one stacking group",
    )


def inherited_from_nothing(path: Path, stated: Statement, node: Node, below: Sequence[Statement]) -> Diagnostic:
    """`inherited` where there is no value below, or more than one."""
    several = len(below) > 1
    return error(
        "inherited-from-nothing",
        fitted(lambda path: f"`inherited` has {'two values' if several else 'nothing'} below it, at {path}", path),
        Label(node.span),
        *(labels(below, "says so") if several else ()),
        help="write the value itself",
    )


def inherited_from_map(path: Path, node: Node, below: Node) -> Diagnostic:
    """`inherited` where what stands below is no expression that could stand in this one."""
    return error(
        "inherited-from-nothing",
        fitted(lambda path: f"`inherited` has no plain value below it, at {path}", path),
        Label(node.span),
        Label(below.span, "this stands below"),
        help="write the value itself",
    )


def other_than_seen(path: Path, stated: Statement, expected: Sequence[Statement], seen: Statement) -> Diagnostic:
    """A pack meets another value than on the base that it was written against."""
    was = f"written against {_value(expected[0].node)}" if expected else "written where nothing stood"
    return note(
        "other-than-seen",
        fitted(lambda path: f"`{stated.layer}` meets another {path} here", path),
        Label(place(stated.node, stated.key), f"{was}, here it was {_value(seen.node)}"),
        Label(place(seen.node, seen.key), f"`{seen.layer}` says so"),
        notes=[f"it becomes {_value(stated.node)}"],
    )


def _value(node: Node) -> str:
    written = node.text if isinstance(node, Scalar) and node.style in ("folded", "literal") else node.span.text
    text = " ".join(written.split())
    return "removed" if text == "remove" else quoted(text)


def left_over_rows(path: Path, stated: Statement, rows: Sequence[str], old: Scalar) -> Diagnostic:
    """Parts of old rows that a layer with other bands left standing."""
    return warning(
        "left-over-rows",
        fitted(lambda path: f"`{stated.layer}` bands {path} anew and leaves old rows over", path),
        Label(stated.key.span),
        Label(old.span, "a part of this row is left"),
        notes=[f"left over: {listed([each.strip('[]') for each in rows])}"],
        help="cover them too, or write `replace: true` in the rows",
    )


def other_keys(path: Path, stated: Statement, below: Statement) -> Diagnostic:
    """A layer gives a table other keys and keeps its rows."""
    return error(
        "keys-need-replace",
        fitted(lambda path: f"`{stated.layer}` gives {path} other keys, and keeps its rows", path),
        Label(stated.key.span),
        Label(below.key.span, "the rows below are by these"),
        help="write the whole table, with `replace: true`",
    )


def tangled(path: Path, stated: Statement) -> Diagnostic:
    """Rows of layers that cut each other into too many pieces."""
    return error(
        "tangled-rows",
        fitted(lambda path: f"the rows of {path} cut those below into too many pieces", path[:-1]),
        Label(stated.key.span),
        help="write one row for each band of the first key, and the other keys under it; or replace the whole table",
    )


def declared_conflict(name: str, other: Scalar) -> Diagnostic:
    """Two rulesets of which one says that they do not go together."""
    return error(
        "declared-conflict",
        f"`{name}` cannot be used beside {quoted(other.text)}",
        Label(other.span),
        help="leave one of them out",
    )


def preferred_unknown(chosen: Scalar, below: Sequence[str]) -> Diagnostic:
    """`prefer` names what is no layer below."""
    return error(
        "unknown-layer",
        f"{quoted(chosen.text)} is no ruleset below this one",
        Label(chosen.span),
        notes=[f"below it are {listed(below)}"] if below else [],
        help=suggestion(chosen.text, below),
    )


def unused_preference(path: Scalar, chosen: Scalar) -> Diagnostic:
    """`prefer` chooses where there is nothing to choose."""
    return note(
        "unused-preference",
        f"nothing else stands at {quoted(path.text, ROOM)} to prefer {quoted(chosen.text)} to",
        Label(path.span),
        help="take it out",
    )


def override_without_effect(section: str, id: str, edit: Contribution, by: Contribution) -> Diagnostic:
    """A change that nothing reads any more."""
    return warning(
        "override-without-effect",
        f"`{edit.layer}` changes {quoted(id)}, which nothing reads any more",
        Label(edit.span),
        Label(by.span, f"`{by.layer}` took out what read it"),
        help="take one of the two out",
    )


def read_and_removed(found: Diagnostic, remover: Contribution, top: str) -> Diagnostic:
    """An unknown name that a layer took out, where something else reads it still."""
    here = Label(remover.span, f"removed here by `{remover.layer}`")
    back = "leave it in" if remover.layer == top else f"bring it back in `{top}`, whole and with `replace: true`"
    return replace(found, labels=(*found.labels, here), help=f"{back}; or take out what reads it, too")


def changed_here(edit: Contribution) -> Label:
    """The change after which something below is wrong."""
    return Label(edit.span, f"after this change by `{edit.layer}`")


def listed(names: Sequence[str]) -> str:
    """Names between commas, the first of a long list."""
    shown = [f"`{each}`" for each in names[:SHOWN]]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(shown) + more
