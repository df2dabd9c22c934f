"""What differs between two rulesets: by definition, and in play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .acted import Acted
from .changes import changed_definitions, changes
from .compared import Change, Compared
from .gives import Gives
from .gives_text import given_data
from .in_play import ACTED, CHECKED, EXHAUSTED, GIVEN, PROVED, PROVED_WHOLE, SLOW, Effects, Search, Searched, Witness
from .one_sided import one_sided_data
from .order_search import OrderSearch
from .order_told import SearchedOrder, Usual, order_data, searching_data, told
from .playing_side import Answer, Side, Situation
from .table_changes import changed_cells

if TYPE_CHECKING:
    from .round_examples import RoundExample
    from .table_changes import Cells

FORMAT, FORMAT_VERSION = "houserule diff", 1
"""What `--json` says of itself; docs/ci.md tells what is in it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two rulesets compared.

    `answers` is how many answers that examples below expect come out otherwise now; None where that is not known.
    """

    before: str
    after: str
    changes: tuple[Change, ...]
    searched: tuple[Searched, ...]
    orders: tuple[SearchedOrder, ...] = ()
    answers: int | None = None

    @property
    def differs(self) -> bool:
        """Whether the rules mean something else: other titles and notes alone do not count."""
        return any(each.kind != "reworded" for each in self.changes)

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON data."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "before": self.before,
            "after": self.after,
            "changes": [_change(each) for each in self.changes],
            "in_play": [*map(searched_data, self.searched), *map(order_data, self.orders)],
        } | ({"answers_changed": self.answers} if self.answers is not None else {})


def difference(before: Compared, after: Compared, names: tuple[str, str], answers: int | None = None) -> Difference:
    """Everything that differs between two rulesets called `names`."""
    found = changes(before, after)
    changed = changed_definitions(found)
    sides = Side(names[0], before.rules), Side(names[1], after.rules)
    tables = [each.removeprefix("tables.") for each in sorted(changed) if each.startswith("tables.")]
    searched = tuple(_searched(sides, changed, changed_cells(tables, (before, after))))
    orders = tuple(_orders(sides, changed, (before.examples, after.examples)))
    return Difference(*names, found, searched, orders, answers)


def compared_number(before: Compared, after: Compared, numbers: tuple[str, str]) -> Searched:
    """One number of one ruleset against one of another: over all that they read, and every cell that differs."""
    one, other = ((Side("", side.rules), id) for side, id in zip((before, after), numbers, strict=True))
    cells = changed_cells(before.rules.program.tables, (before, after))
    return Search("number", one, other, frozenset(), PROVED_WHOLE, cells).run(PROVED, proves=True)


def _searched(sides: tuple[Side, Side], changed: frozenset[str], cells: Cells) -> Iterator[Searched]:
    one, other = sides
    numbers: list[str] = []
    for kind, limit in (
        ("number", EXHAUSTED),
        ("check", CHECKED),
        ("gives", GIVEN),
        ("action", ACTED),
        ("trigger", ACTED),
    ):
        # A number or check of one side has no answer on the other; an action is not allowed there, a trigger not due.
        is_shared = kind in ("number", "check", "gives")
        section = "checks" if kind == "gives" else f"{kind}s"
        for id in dict.fromkeys([*getattr(one.program, section), *getattr(other.program, section)]):
            if is_shared and not (one.can_answer(kind, id) and other.can_answer(kind, id)):
                continue
            if kind == "action" and _is_only_there(sides, id):
                continue
            search = Search(kind, (one, id), (other, id), changed, cells=cells)
            if search.may_differ():
                found = search.run(SLOW if kind == "gives" and not search.is_quick() else limit)
                numbers += [id] if kind == "number" and found.effects else []
                yield _with_numbers(found, sides, numbers, search) if kind == "check" else found


def _is_only_there(sides: tuple[Side, Side], action: str) -> bool:
    """Whether one side alone has an action, which requires nothing: that it came or went tells all."""
    found = [side.program.actions[action] for side in sides if action in side.program.actions]
    return len(found) == 1 and not found[0].requires


def _with_numbers(found: Searched, sides: tuple[Side, Side], numbers: list[str], search: Search) -> Searched:
    """The search with what the numbers that it comes upon are in each witness, where they differ."""
    reached = {each for one in search.reached for each in one.names}
    near = [each for each in numbers if f"numbers.{each}" in reached]

    def told(witness: Witness) -> Witness:
        given = dict(witness.given)
        pairs = [(id, _value(sides[0], id, given), _value(sides[1], id, given)) for id in near]
        return replace(witness, numbers=tuple(each for each in pairs if each[1] != each[2]))

    def filled(effects: Effects) -> Effects:
        return replace(
            effects, smallest=told(effects.smallest), largest=told(effects.largest) if effects.largest else None
        )

    return replace(found, effects=tuple(map(filled, found.effects)))


def compared_sequence(before: Compared, after: Compared, sequences: tuple[str, str]) -> SearchedOrder | None:
    """One sequence of one ruleset against one of another; None where nothing differs that puts a round in order."""
    changed = changed_definitions(changes(before, after))
    one, other = ((Side("", side.rules), id) for side, id in zip((before, after), sequences, strict=True))
    return _order(one, other, changed, (before.examples, after.examples))


def _orders(
    sides: tuple[Side, Side], changed: frozenset[str], examples: tuple[Sequence[RoundExample], Sequence[RoundExample]]
) -> Iterator[SearchedOrder]:
    """The sequences that both have, and that the change can reach."""
    one, other = sides
    for id in one.program.sequences:
        if id in other.program.sequences:
            found = _order((one, id), (other, id), changed, examples)
            if found:
                yield found


def _order(
    one: tuple[Side, str],
    other: tuple[Side, str],
    changed: frozenset[str],
    examples: tuple[Sequence[RoundExample], Sequence[RoundExample]],
) -> SearchedOrder | None:
    ids = one[1], other[1]
    asked = [each for id, side in zip(ids, examples, strict=True) for each in side if each.sequence == id]
    known = {each.id: each.encounter for each in asked}
    usual = Usual.of(known.values())
    search = OrderSearch(one, other, changed, usual.actions)
    if not search.may_differ():
        return None
    search.run()
    return told(search, usual, known.values())


def _value(side: Side, id: str, given: Situation) -> Answer:
    return side.value(id, side.facts(side.reads("number", id), given))


def _change(change: Change) -> dict[str, Any]:
    data: dict[str, Any] = {"path": change.path, "kind": change.kind}
    for name, text, place in (
        ("before", change.before, change.before_place),
        ("after", change.after, change.after_place),
    ):
        told: dict[str, object] = {"text": text} if text else {}
        if place:
            told |= {"layer": place[0], "file": place[1], "line": place[2]}
        data |= {name: told} if told else {}
    return data


def searched_data(searched: Searched) -> dict[str, Any]:
    """A search as plain JSON data."""
    return {
        **searching_data(searched.kind, searched),
        "effects": [
            {"situations": each.count, "smallest": _witness(each.smallest)}
            | ({"largest": _witness(each.largest)} if each.largest else {})
            for each in searched.effects
        ],
        **one_sided_data(searched.only),
    } | ({"cells": [_witness(each) for each in searched.cells]} if searched.cells else {})


def _witness(witness: Witness) -> dict[str, Any]:
    data: dict[str, Any] = {
        "given": dict(witness.given),
        "before": _answer(witness.before),
        "after": _answer(witness.after),
    }
    numbers = {id: {"before": _answer(before), "after": _answer(after)} for id, before, after in witness.numbers}
    return data | ({"numbers": numbers} if numbers else {})


def _answer(answer: Answer) -> object:
    """An answer as plain data: odds by outcome, as `odds --json` has them."""
    if isinstance(answer, tuple):
        return {word: str(chance) for word, chance in answer}
    if isinstance(answer, Gives):
        return given_data(answer)
    if isinstance(answer, Acted):
        return answer.to_dict() if answer.word != "absent" else None
    if isinstance(answer, Fraction):
        return int(answer) if answer.denominator == 1 else str(answer)
    return answer
