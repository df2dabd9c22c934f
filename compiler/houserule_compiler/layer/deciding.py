"""Which of the statements at one node hold: what removes, replaces, defines or changes it, and what cannot stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..document import Mapping, Scalar
from ..forms import Form
from ..longform import is_removal, long_form
from ..messages import abstract
from ..messages import layers as messages
from ..paths import Path
from .stated import Stated
from .wholeness import fills, missing, near
from .work import Work

UNMIXED = ("checks",)
"""The sections of definitions whose open parts are filled as one: a mixture of two courses is neither."""
UNREAD = ("examples",)
"""The sections whose ids hardly anything reads: one more of them does no harm, whatever it is called."""
MOST_ASKED, MOST_SLIPS = 2_000, 100
"""So many new ids are compared with those that are known, and so many that are near one are told."""
Known = Callable[[Stated], list[str]]
"""The ids that a layer knows beside the one in question."""


@dataclass(frozen=True, slots=True)
class Held:
    """The statements that hold at a node, from the bottom up; `starts` are those that nothing below counts for."""

    stated: tuple[Stated, ...]
    starts: frozenset[str] = frozenset()

    @property
    def is_removed(self) -> bool:
        """Whether nothing is left there."""
        return not self.stated or all(each.removes for each in self.stated)


@dataclass
class Deciding:
    """Decides node by node; what cannot stand is reported."""

    work: Work

    def __post_init__(self) -> None:
        self.views, self.found, self.same = self.work.views, self.work.found, self.work.same
        self.asked = self.slips = 0

    def held(self, path: Path, form: Form, stated: Sequence[Stated], is_entry: bool, known: Known) -> Held:
        """The statements that hold at the node of `path`, of all that are alive there."""
        good: list[Stated] = []
        defining: list[Stated] = []
        filling: list[Stated] = []
        for each in self.views.alive(self.views.in_order(stated)):
            before = [other for other in stated if other in good or other.enders]
            if self._can_stand(path, form, each, before, is_entry, known, defining):
                good.append(each)
                filling += [each] if self._fills(path, each, before) else []
        left = self.views.left(good)
        if not left:
            return Held(())
        left = self._one_definition(path, form, left, [each for each in defining if each in left])
        left = self._one_filling(path, form, left, [each for each in filling if each in left])
        left = self._without_conflict(path, form, left)
        starts = frozenset(each.layer for each in left if each.ends or each in defining or each.is_fresh)
        return Held(tuple(left), starts)

    def _can_stand(
        self,
        path: Path,
        form: Form,
        each: Stated,
        before: Sequence[Stated],
        is_entry: bool,
        known: Known,
        defining: list[Stated],
    ) -> bool:
        """Whether a statement makes sense on what stands below it; notes it if it brings the node into being."""
        own = "absent" if each.is_fresh else self.views.state(before, self.views.own(each))
        here = "absent" if each.is_fresh else self.views.state(before, self.views.below(each))
        if each.ends:
            if own == "absent" or (each.removes and own == "removed"):
                self._miss(path, form, each, before, known)
                return False
            return True
        if not is_entry or not isinstance(long_form(each.node, form), Mapping):
            return True
        if own == "present":
            if form.says("new") and _says_new(each):
                self._not_new(path, each, before)
            if here != "present":
                self._miss(path, form, each, before, known)
            return here == "present"
        if own == "removed":
            self._miss(path, form, each, before, known)
            return False
        if self._is_whole(path, form, each, known):
            defining.append(each)
            return True
        return False

    def _is_whole(self, path: Path, form: Form, each: Stated, known: Known) -> bool:
        """Whether a new entry may stand as it is; one that stands on nothing is `declare`'s to judge."""
        if each.is_fresh or not self.views.own(each):
            return True
        lacking = missing(long_form(each.node, form), form, path, each.layer in self.work.abstract)
        names = known(each)
        if lacking:
            self.found.append(messages.half_new(path, each, form.noun, lacking, near(path[-1], names)))
            return False
        if path[0] == "entities" and form.name == "field" and self._is_required(path, each):
            self.found.append(messages.field_needs_default(path, each))
        if form.says("new") and path[0] not in UNREAD and not _says_new(each) and self._may_ask():
            slips = near(path[-1], names)
            if slips:
                self.slips += 1
                self.found.append(messages.near_name(path, each, slips))
                self.work.slips.add((each.layer, path))
        return True

    def _may_ask(self) -> bool:
        """Whether one more new id is compared with those that are known; of very many, the first are."""
        self.asked += 1
        return self.asked <= MOST_ASKED and self.slips < MOST_SLIPS

    def _is_required(self, path: Path, each: Stated) -> bool:
        """Whether a field must be given: examples of concrete layers below, and their callers, do not know it."""
        stated = {entry.key.text: entry.value for entry in each.node.entries} if isinstance(each.node, Mapping) else {}
        if stated.keys() & {"default", "is"} or not self.views.below(each) - self.work.abstract:
            return False
        kind = stated.get("type")
        declared = self.work.parser.type_expression(kind)[0] if isinstance(kind, Scalar) else None
        return declared is not None and not declared.may_be_unknown

    def _not_new(self, path: Path, each: Stated, before: Sequence[Stated]) -> None:
        below = self.views.left(before, self.views.own(each))
        self.found.append(messages.not_new(path, each, below[0]))

    def _miss(self, path: Path, form: Form, each: Stated, before: Sequence[Stated], known: Known) -> None:
        if any((each.layer, path[:length]) in self.work.slips for length in range(len(path))):
            return
        removers = [other for other in self.views.left(before, self.views.below(each)) if other.removes]
        if not removers:
            enders = {ender for other in before for ender in other.enders & self.views.below(each)}
            self.found.append(messages.missing_target(path, each, known(each), sorted(enders)))
        else:
            self.found.append(messages.target_removed(path, each, removers))

    def _one_definition(self, path: Path, form: Form, left: list[Stated], defining: Sequence[Stated]) -> list[Stated]:
        """Without the definitions that say the same as the first; a different one is reported and left out."""
        if len(defining) < 2:
            return left
        first, *others = defining
        if not all(self.same.nodes(first.node, each.node, form) for each in others):
            self.found.append(messages.both_define(path, defining, self.work.lineage.top))
        return [each for each in left if each not in others]

    def _fills(self, path: Path, each: Stated, before: Sequence[Stated]) -> bool:
        """Whether a statement gives a check its course, which the layers that it was written on leave open."""
        if len(path) != 2 or path[0] not in UNMIXED or each.ends or not fills(path[0], each.node):
            return False
        own = self.views.left(before, self.views.own(each))
        return bool(own) and not any(other.removes or fills(path[0], other.node) for other in own)

    def _one_filling(self, path: Path, form: Form, left: list[Stated], filling: Sequence[Stated]) -> list[Stated]:
        """Without the fillings of one open definition that say the same as the first; a different one is reported."""
        if len(filling) < 2:
            return left
        first, *others = filling
        if not all(self.same.nodes(first.node, each.node, form) for each in others):
            self.found.append(abstract.both_fill(path, filling, _begun(left, filling)))
        return [each for each in left if each not in others]

    def _without_conflict(self, path: Path, form: Form, left: list[Stated]) -> list[Stated]:
        """Without what an unrelated layer removes or replaces; reports that once."""
        for ender in (each for each in left if each.ends):
            others = [each for each in left if self.views.are_unrelated(each, ender)]
            against = [each for each in others if not self._agree(ender, each, form)]
            if against:
                self.found.append(messages.removed_and_changed(path, ender, against, self.work.lineage.top))
            gone = against if not ender.removes else others
            if gone:
                return self._without_conflict(path, form, [each for each in left if each not in gone])
        return left

    def _agree(self, ender: Stated, other: Stated, form: Form) -> bool:
        if ender.removes:
            return other.removes or _only_removes(other)
        return other.replaces and self.same.nodes(ender.node, other.node, form)


def _begun(left: Sequence[Stated], filling: Sequence[Stated]) -> Stated | None:
    """The statement that began what the others fill, unless yet another layer took it out."""
    return next((each for each in left if each not in filling and not each.ends), None)


def _says_new(each: Stated) -> bool:
    return isinstance(each.node, Mapping) and each.node.get("new") is not None


def _only_removes(each: Stated) -> bool:
    """Whether it does nothing but take parts out."""

    def removes(node: object) -> bool:
        if isinstance(node, Mapping):
            return bool(node.entries) and all(removes(entry.value) for entry in node.entries)
        return is_removal(node)  # type: ignore[arg-type]

    return removes(each.node)


def ids(stated: Iterable[Stated]) -> list[str]:
    """The keys of the maps that are stated, each once, in the order in which they are first named."""
    nodes = [each.node for each in stated]
    return list(dict.fromkeys(entry.key.text for node in nodes if isinstance(node, Mapping) for entry in node.entries))
