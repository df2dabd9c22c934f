"""What is known of reads at one place: conditions that hold there narrow types and guard what may be unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil, floor

from ..typed import Read, Typed
from ..types import Boolean, Type, bounds, narrowed, span_of_codes

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Narrowing:
    """Reads whose type is narrower than declared, and optional reads that are known here."""

    types: Mapping[Read, Type] = field(default_factory=dict)
    known: frozenset[Read] = frozenset()

    def type_of(self, read: Read, declared: Type) -> Type:
        """The type of a read at this place."""
        return self.types.get(read, declared)

    def assuming(self, condition: Typed, holds: bool) -> Narrowing:
        """What is known besides when the condition holds, or does not."""
        match condition.operator:
            case "not":
                return self.assuming(next(condition.parts), not holds)
            case "and" | "or" as chain:
                return self._chain(condition, holds, chain == "and")
            case "known" if holds:
                read = tuple(str(each) for each in condition.operands[0])  # type: ignore[union-attr]
                return replace(self, known=self.known | {read})
            case "in":
                return self._band(condition, holds)
            case operator if operator in OPPOSITE:
                return self._comparison(condition, operator if holds else OPPOSITE[operator])
        return self._boolean(condition, holds)

    def _chain(self, condition: Typed, holds: bool, is_and: bool) -> Narrowing:
        if holds != is_and:
            return self
        result = self
        for part in condition.parts:
            result = result.assuming(part, holds)
        return result

    def _boolean(self, condition: Typed, holds: bool) -> Narrowing:
        read = condition.read
        return self._with(read, Boolean(holds)) if read and isinstance(condition.type, Boolean) else self

    def _comparison(self, condition: Typed, operator: str) -> Narrowing:
        left, right = condition.parts
        return self._against(left, operator, right.type)._against(right, MIRRORED[operator], left.type)

    def _against(self, item: Typed, operator: str, other: Type) -> Narrowing:
        """`item` narrowed by its comparison with something of the type `other`."""
        if item.read is None or span_of_codes(item.type) is None:
            return self
        codes = span_of_codes(other)
        low, high = codes or (bounds(other)[0], bounds(other)[1])
        own = span_of_codes(item.type)
        assert own is not None
        match operator:
            case "<":
                return self._cut(item, own[0], ceil(high) - 1)
            case "<=":
                return self._cut(item, own[0], floor(high))
            case ">":
                return self._cut(item, floor(low) + 1, own[1])
            case ">=":
                return self._cut(item, ceil(low), own[1])
            case "==":
                return self._cut(item, ceil(low), floor(high))
        return self._without(item, low, high) if low == high else self

    def _without(self, item: Typed, low: object, high: object) -> Narrowing:
        """`item` without one value, which matters at an end of its interval."""
        own = span_of_codes(item.type)
        assert own is not None
        if own[0] == low:
            return self._cut(item, own[0] + 1, own[1])
        return self._cut(item, own[0], own[1] - 1) if own[1] == high else self

    def _band(self, condition: Typed, holds: bool) -> Narrowing:
        item = next(condition.parts)
        own = span_of_codes(item.type)
        ends = condition.operands[1]
        if item.read is None or own is None or not isinstance(ends, list):
            return self
        bands = [(_end(band, 0, own[0]), _end(band, 1, own[1])) for band in ends]
        if holds:
            return self._cut(item, min(low for low, _ in bands), max(high for _, high in bands))
        low, high = own
        for first, last in sorted(bands):
            low = last + 1 if first <= low <= last else low
        for first, last in sorted(bands, reverse=True):
            high = first - 1 if first <= high <= last else high
        return self._cut(item, low, high)

    def _cut(self, item: Typed, low: int, high: int) -> Narrowing:
        return self._with(item.read, narrowed(item.type, low, high)) if item.read else self

    def _with(self, read: Read, kind: Type) -> Narrowing:
        return replace(self, types={**self.types, read: kind})


def _end(band: object, index: int, own: int) -> int:
    assert isinstance(band, list)
    value = band[index]
    return value if isinstance(value, int) else own
