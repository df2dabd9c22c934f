"""From the layers of a build to one tree of rules, as if it came from one file.

Every path has the value that its topmost setters say. Where several stand topmost and differ, where an anchor or a
target is gone, or where an order would be ours to choose, that is reported; what only conditions can settle is noted
for later. File order, the order of `with`, and names never count.
"""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

from ..diagnostics import Diagnostic
from ..document import Entry, Mapping, Node, Scalar
from ..edits import Standing
from ..forms import SECTIONS, Form
from ..layers import MOST_PAIRS, Contribution, Layer, Layered, Origins
from ..lineage import Lineage, View
from ..messages import layers as messages
from ..paths import Path, path_of
from ..same import Parser
from .effects import without_effect
from .merging import Merging
from .opening import opened
from .pairs import sets
from .standing import standing
from .stated import Stated
from .turns import turns
from .work import Preference, Work
from .worlds import World

__all__ = ["Parser", "layer", "over"]

FIRST = ("choices", "checks", "sequences")
"""The sections whose words rows may need."""
ORDER = (*FIRST, *(each for each in SECTIONS if each not in FIRST))


def layer(layers: Map[str, Layer], lineage: Lineage, form: Form, parser: Parser) -> tuple[Layered, list[Diagnostic]]:
    """All layers as one tree; reports what they disagree on, and what in them has no ground to stand on."""
    ordered = [layers[name] for name in lineage.layers]
    work = _work(ordered, lineage, form, parser)
    work.found.extend(_declared_conflicts(ordered))
    sections = _merged(ordered, form, work)
    root = Mapping(tuple(sections[each] for each in SECTIONS if each in sections), ordered[-1].root.span)
    work.found.extend(_unused(work))
    work.unsettled.extend(islice(sets(root, work), MOST_PAIRS + 1))
    root, open = opened(root, work, ordered)
    work.found.extend(without_effect(root, work))
    turned = tuple(turns(root, ordered, lineage))
    found = Layered(root, _origins(root, work, ordered), tuple(work.unsettled), turned, work.removed, open)
    return found, work.found


def over(layers: Map[str, Layer], lineage: Lineage, form: Form, parser: Parser, layered: Layered) -> Standing:
    """The edits of the topmost layer, each with what it stands over; `layered` is what came of all layers."""
    ordered = [layers[name] for name in lineage.layers]

    @cache
    def world(view: View) -> World:
        seen = [each for each in ordered if each.name in view]
        work = _work(seen, replace(lineage, layers=tuple(each.name for each in seen)), form, parser)
        sections = _merged(seen, form, work)
        root = Mapping(tuple(sections[each] for each in SECTIONS if each in sections), ordered[-1].root.span)
        return World(work, root, _words(sections))

    work = _work(ordered, lineage, form, parser)
    work.removed.update(layered.removed)
    whole = World(work, layered.root, _words({each.key.text: each for each in layered.root.entries}))
    return standing(layers, lineage, form, whole, world)


def _origins(root: Mapping, work: Work, layers: Sequence[Layer]) -> Origins:
    chosen = {
        path: Contribution(each.stated_by, "prefer", each.path.span, each.layer)
        for path, stated in work.preferences.items()
        for each in stated
        if each in work.used
    }
    return Origins(root, work.history, work.cells, work.boxes, work.moved, chosen, _ground(layers))


def _ground(layers: Sequence[Layer]) -> frozenset[str]:
    """The lowest ruleset that is whole of the bases of the topmost one, and all abstract ones."""
    named = {each.name: each for each in layers}
    chain = [layers[-1]]
    while (base := chain[-1].uses.extends) and base.text in named:
        chain.append(named[base.text])
    whole = [each.name for each in chain if not each.is_abstract]
    return frozenset({*whole[-1:], *(each.name for each in layers if each.is_abstract)})


def _work(layers: Sequence[Layer], lineage: Lineage, form: Form, parser: Parser) -> Work:
    preferences: dict[Path, list[Preference]] = {}
    for each in layers:
        for path, chosen in each.preferences:
            preferences.setdefault(path_of(path.text), []).append(Preference(each.name, path, chosen))
    choices = {id for each in layers for id in each.ids("choices")}
    abstract = frozenset(each.name for each in layers if each.is_abstract)
    known: dict[View, dict[str, tuple[str, ...]]] = {}

    def words_seen(view: View) -> dict[str, tuple[str, ...]]:
        if view not in known:
            seen = [each for each in layers if each.name in view]
            partly = Lineage(tuple(each.name for each in seen), lineage.own, lineage.below)
            known[view] = _words(_merged(seen, form, _work(seen, partly, form, parser), FIRST))
        return known[view]

    return Work(lineage, parser, abstract, frozenset(choices), _shared(layers), words_seen, preferences)


def _shared(layers: Sequence[Layer]) -> frozenset[str]:
    """What has words, as types name it, and is spoken of by more than one layer."""
    found: list[str] = []
    for section, end in zip(FIRST, ("", ".outcome", ".step"), strict=True):
        found += [f"{entry.key.text}{end}" for each in layers for entry in _entries(each.root.get(section))]
    return frozenset(id for id in found if found.count(id) > 1)


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _merged(layers: Sequence[Layer], form: Form, work: Work, wanted: Sequence[str] = ORDER) -> dict[str, Entry]:
    sections: dict[str, Entry] = {}
    merging = Merging(work, lambda: _words(sections))
    for section in wanted:
        stated = [Stated(each.name, entry.key, entry.value) for each in layers if (entry := each.root.entry(section))]
        entry = merging.node((section,), form.child(section), stated) if stated else None
        if entry is not None:
            sections[section] = entry
    return sections


def _words(sections: Map[str, Entry]) -> dict[str, tuple[str, ...]]:
    """The words of each choice, of the outcomes of each check, and of the steps of each sequence."""

    def of(section: str) -> tuple[Entry, ...]:
        return _entries(sections[section].value) if section in sections else ()

    found = {each.key.text: _listed(_inner(each.value, "words") or each.value) for each in of("choices")}
    for each in of("checks"):
        outcomes = _inner(each.value, "outcomes")
        named = outcomes.text if isinstance(outcomes, Scalar) else ""
        found[f"{each.key.text}.outcome"] = found.get(named, ()) if named else _listed(outcomes)
    for each in of("sequences"):
        found[f"{each.key.text}.step"] = tuple(_leaf_steps(_inner(each.value, "steps")))
    return found


def _inner(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _listed(node: Node | None) -> tuple[str, ...]:
    if isinstance(node, Mapping):
        return tuple(each.key.text for each in node.entries)
    items = node.items if node is not None and not isinstance(node, Scalar) else ()
    return tuple(each.text for each in items if isinstance(each, Scalar))


def _leaf_steps(node: Node | None) -> list[str]:
    found: list[str] = []
    for each in _entries(node):
        inner = _leaf_steps(_inner(each.value, "steps"))
        found += inner or [each.key.text]
    return found


def _declared_conflicts(layers: Sequence[Layer]) -> list[Diagnostic]:
    """Layers that one of them says it cannot be used beside."""
    names = {each.name: each for each in layers}
    return [
        messages.declared_conflict(each.name, stated)
        for each in layers
        for stated in each.conflicts
        if stated.text in names
    ]


def _unused(work: Work) -> list[Diagnostic]:
    """The preferences that chose nothing."""
    found: list[Diagnostic] = []
    for preferences in work.preferences.values():
        for each in preferences:
            below = sorted(work.lineage.below[each.stated_by])
            if each.layer.text not in below:
                found.append(messages.preferred_unknown(each.layer, below))
            elif each not in work.used:
                found.append(messages.unused_preference(each.path, each.layer))
    return found
