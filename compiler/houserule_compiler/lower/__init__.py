"""From typed rules to the program: the JSON object of docs/artifact.md, without its format head and content hash."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..declarations import Definition, Ruling, StackingGroup
from ..footing import Footings
from ..manifest import SourceDocument
from ..memory import Memory
from ..regions import of_table
from ..typed import (
    TypedCheck,
    TypedChoice,
    TypedCondition,
    TypedEntry,
    TypedField,
    TypedNumber,
    TypedTable,
)
from ..typed_ruleset import TypedRuleset
from ..types import Text
from .checks import check, seats
from .cost import Costs
from .expressions import Json, expression, kind, optional, present, reads
from .features import features
from .labels import Labels
from .reads import Reads
from .rounds import action, event, sequence, trigger

__all__ = ["Json", "lower"]


def lower(ruleset: TypedRuleset, memory: Memory | None = None, footings: Footings | None = None) -> dict[str, Json]:
    """The program of a ruleset that has no errors.

    `memory` has the tables that earlier builds have lowered, and `footings` the numbers and checks.
    """
    return _Lowering(ruleset, memory, footings).whole()


class _Lowering:
    """Lowers one ruleset."""

    def __init__(self, ruleset: TypedRuleset, memory: Memory | None, footings: Footings | None) -> None:
        self._ruleset = ruleset
        self._memory = memory
        self._footings = footings
        self._labels = Labels()
        self._costs = Costs(ruleset)
        self._reads = Reads(ruleset)

    def whole(self) -> dict[str, Json]:
        """All sections, each sorted by id."""
        rules, declared = self._ruleset, self._ruleset.declared
        sections: dict[str, Json] = {
            "choices": [self._choice(each) for _, each in sorted(rules.choices.items())],
            "entities": [self._entity(id) for id in sorted(rules.entities)],
            "roles": [
                {**self._labels.of(each), "entity": each.entity.id} for _, each in sorted(declared.roles.items())
            ],
            "facts": [self._field(each) for _, each in sorted(rules.facts.items())],
            "options": [self._field(each) for _, each in sorted(rules.options.items())],
            "conditions": [self._condition(each) for _, each in sorted(rules.conditions.items())],
            "impossible": [self._impossible(each) for _, each in sorted(rules.impossible.items())],
            "tables": [self._recalled(each) for _, each in sorted(rules.tables.items())],
            "numbers": [self._again(each, partial(self._number, each)) for _, each in sorted(rules.numbers.items())],
            "modifiers": [
                {**self._labels.of(each), **present(text=each.when.text if each.when else None)}
                for _, each in sorted(declared.modifiers.items())
            ],
            "stacking": [self._stacking(each) for _, each in sorted(declared.stacking.items())],
            "checks": [self._again(each, partial(self._check, each)) for _, each in sorted(rules.checks.items())],
            "events": [event(each, self._labels) for _, each in sorted(rules.events.items())],
            "actions": [action(each, self._labels) for _, each in sorted(rules.actions.items())],
            "triggers": [trigger(each, self._labels) for _, each in sorted(rules.triggers.items())],
            "sequences": [sequence(each, self._labels) for _, each in sorted(rules.sequences.items())],
            "rulings": [self._ruling(each) for _, each in sorted(declared.rulings.items())],
        }
        return {"ruleset": self._head(), **sections, "requires": features(sections)}

    def _head(self) -> Json:
        manifest = self._ruleset.declared.manifest
        sources: dict[str, Json] = {each.id: _document(each) for each in manifest.sources}
        return {
            **present(title=manifest.title, version=manifest.version, license=manifest.license),
            "id": manifest.id,
            "layers": [{"id": each.id, "version": each.version} for each in manifest.layers],
            "sources": sources,
        }

    def _choice(self, choice: TypedChoice) -> Json:
        attributes: list[Json] = [
            {
                "id": id,
                "type": kind(declared),
                "values": [expression(word.values[index]) for word in choice.words],
            }
            for index, (id, declared) in enumerate(choice.attributes)
        ]
        words: list[Json] = [
            present(id=each.declared.id, title=each.declared.title, note=each.declared.note) for each in choice.words
        ]
        return {
            **self._labels.of(choice.declared),
            "words": words,
            "attributes": attributes,
            "ordered": choice.is_ordered,
        }

    def _entity(self, id: str) -> Json:
        declared = self._ruleset.declared.entities[id]
        fields: list[Json] = [self._field(each) for each in self._ruleset.entities[id]]
        return {**self._labels.of(declared), "fields": fields}

    def _field(self, field: TypedField) -> Json:
        declared = field.declared
        default = None if field.default is None else expression(field.default)
        return {
            **self._labels.of(declared),
            "type": kind(field.type),
            **({"default": default} if field.default is not None else {}),
            **({"optional": True} if declared.may_be_unknown else {}),
            **({"is": expression(field.computed)} if field.computed is not None else {}),
            **present(decides=declared.decides.id if declared.decides else None),
        }

    def _condition(self, condition: TypedCondition) -> Json:
        declared: Definition = condition.declared
        text = condition.declared.when.text
        return {**self._labels.of(declared), "when": expression(condition.when), "text": text}

    def _impossible(self, condition: TypedCondition) -> Json:
        lowered = self._condition(condition)
        assert isinstance(lowered, dict)
        return {**lowered, "needs": reads(condition.when.needs)}

    def _recalled(self, table: TypedTable) -> Json:
        """A table, which depends on nothing but itself."""
        if self._memory is None:
            return self._table(table)
        return self._memory.recall(("lowered", id(table)), table, lambda: self._table(table))

    def _again(self, typed: TypedNumber | TypedCheck, make: Callable[[], Json]) -> Json:
        """What an earlier build made of it, where it and all that it stands on are the same."""
        if self._footings is None:
            return make()
        return self._footings.recall("lowered", typed.declared, make, lambda made: True, typed)

    def _check(self, typed: TypedCheck) -> Json:
        return check(typed, self._ruleset, self._labels, self._costs, self._reads)

    def _table(self, table: TypedTable) -> Json:
        declared, decision = table.declared, of_table(table)
        assert decision is not None, declared.id
        assert decision.index is not None, declared.id
        keys: list[Json] = [
            {**self._labels.of(each), "type": kind(declared_type)}
            for each, declared_type in zip(declared.keys, table.keys, strict=True)
        ]
        columns: list[Json] = [
            {**self._labels.of(each), "type": kind(declared_type)}
            for each, declared_type in zip(declared.columns, table.columns, strict=True)
        ]
        rows: list[Json] = [[self._cell(table, row.cells, i) for i in range(len(columns))] for row in table.rows]
        index: Json = decision.index  # type: ignore[assignment]
        return {**self._labels.of(declared), "keys": keys, "columns": columns, "index": index, "rows": rows}

    def _cell(self, table: TypedTable, cells: tuple[object, ...], column: int) -> Json:
        cell = cells[column]
        assert cell is not None
        lowered = expression(cell)  # type: ignore[arg-type]
        is_value = not isinstance(lowered, list) or lowered[0] == "frac" or isinstance(table.columns[column], Text)
        return lowered if is_value else {"expr": lowered}

    def _number(self, number: TypedNumber) -> Json:
        declared = number.declared
        return {
            **self._labels.of(declared),
            "type": kind(number.type),
            "base": expression(number.base),
            **present(
                better=declared.better,
                of=declared.of.id if declared.of else None,
                **{"in": declared.within.id if declared.within else None},
            ),
            **({"as": seats(declared.rebinds)} if declared.rebinds else {}),
            "entries": [self._entry(each) for each in number.entries],
            "needs": reads(number.needs),
            "cost": self._costs.number(declared.id),
        }

    def _entry(self, entry: TypedEntry) -> Json:
        by: dict[str, Json] = {}
        if entry.by is not None:
            by = {
                "each" if entry.is_each else "by": expression(entry.by),
                "grades": [[*each.band, expression(each.value)] for each in entry.reached],
            }
        return {
            "modifier": entry.modifier.id,
            "op": entry.op,
            **by,
            **({"value": expression(entry.value)} if entry.value is not None else {}),
            **_optional(when=optional(entry.when), times=optional(entry.times)),
            **present(group=entry.modifier.stack.id if entry.modifier.stack else None, round=entry.round),
            "needs": reads(entry.needs),
        }

    def _stacking(self, group: StackingGroup) -> Json:
        policies = {key: policy.id for key, policy in group.policies}
        order: list[Json] = [each.id for each in group.order]
        return {
            **self._labels.of(group),
            **policies,
            **present(tie=group.tie.id if group.tie else None, order=order),
        }

    def _ruling(self, ruling: Ruling) -> Json:
        return {
            **self._labels.of(ruling),
            "question": ruling.question,
            "ruling": ruling.ruling,
            "because": ruling.because,
            **present(option=ruling.option.id if ruling.option else None),
            **({"editorial": True} if ruling.is_editorial else {}),
        }


def _document(document: SourceDocument) -> Json:
    items: dict[str, Json] = dict(document.items)
    return {"title": document.title, "items": items}


def _optional(**members: Json) -> dict[str, Json]:
    return {key: value for key, value in members.items() if value is not None}
