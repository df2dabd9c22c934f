"""Conditions that can never hold, that always hold, or parts of which do: each told at its smallest part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..diagnostics import Diagnostic
from ..messages import analysis_conditions as messages
from ..satisfy import Demand
from ..typed import Typed
from ..types import Boolean, Integer, span_of_codes
from .assumptions import Assumptions

MOST_TERMS = 12
"""A contradiction among more terms is told for the whole condition."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Judges conditions one by one. `context` is what holds wherever the condition is read."""

    assumptions: Assumptions
    settled: frozenset[str] = frozenset()
    """Named conditions that are told already: what reads them is not told for it."""

    def findings(
        self, item: Typed, id: str, context: Sequence[Demand] = (), may_always: bool = False
    ) -> Iterator[Diagnostic]:
        """What is wrong with a whole condition, or else with parts of it. It may be meant to hold always."""
        if self._is_told(item):
            return
        if self.never(item, context):
            yield self._contradiction(item, id, context)
        elif self.always(item, context):
            if not may_always:
                yield messages.always_holds(id, self._smallest_always(item, context).span)
        else:
            yield from self._parts(item, id, context)

    def never(self, item: Typed, context: Sequence[Demand] = ()) -> bool:
        """Whether it surely never holds."""
        return self.assumptions.possible((item, True), *context) is None

    def always(self, item: Typed, context: Sequence[Demand] = ()) -> bool:
        """Whether it surely always holds."""
        return self.assumptions.possible((item, False), *context) is None

    def branches(self, item: Typed, id: str) -> Iterator[Diagnostic]:
        """The conditions of `if` within an expression that are settled from the start."""
        for each in item.walk():
            # An outcome that is passed on is made into conditions that the author did not write.
            if each.operator == "if" and (condition := next(each.parts)).span != each.span:
                yield from self._branch(condition, id)

    def _is_told(self, item: Typed) -> bool:
        """Whether it names a condition that is told already, or asks whether something is known that always is."""
        return any(self._is_settled(each) for each in item.walk())

    def _is_settled(self, item: Typed) -> bool:
        if item.operator == "condition":
            return item.operands[0] in self.settled
        # `typecheck` makes `true` of a `known` that it reports; the author wrote no such word.
        return isinstance(item.literal, bool) and item.span.text not in ("true", "false")

    def _branch(self, condition: Typed, id: str) -> Iterator[Diagnostic]:
        if self._is_told(condition):
            return
        if self.never(condition):
            yield messages.part_never_holds(id, condition.span, self._reason(condition), is_branch=True)
        elif self.always(condition):
            yield messages.part_always_holds(id, condition.span, is_branch=True)
        else:
            yield from self._parts(condition, id, ())

    def _parts(self, item: Typed, id: str, context: Sequence[Demand]) -> Iterator[Diagnostic]:
        """The terms of a condition that are settled though it is not: they do nothing, or stand for a slip."""
        if item.operator not in ("and", "or", "not"):
            return
        for part in item.parts:
            if part.span == item.span:
                continue
            if self.always(part, context):
                yield messages.part_always_holds(id, part.span)
            elif self.never(part, context):
                yield messages.part_never_holds(id, part.span, self._reason(part))
            else:
                yield from self._parts(part, id, context)

    def _contradiction(self, item: Typed, id: str, context: Sequence[Demand]) -> Diagnostic:
        smallest = self._smallest_never(item, context)
        excluded = self.assumptions.ruled_out_by((smallest, True), *context)
        if excluded is not None:
            return messages.ruled_out(id, smallest.span, excluded.declared.place)
        terms = list(smallest.parts) if smallest.operator == "and" else []
        if 1 < len(terms) <= MOST_TERMS:
            core = self._core(terms, context)
            if len(core) > 1:
                return messages.contradiction(id, core[-1].span, [each.span for each in core[:-1]])
        return messages.never_holds(id, smallest.span, self._reason(smallest))

    def _smallest_never(self, item: Typed, context: Sequence[Demand]) -> Typed:
        if item.operator == "and":
            for part in item.parts:
                if part.span != item.span and self.never(part, context):
                    return self._smallest_never(part, context)
        return item

    def _smallest_always(self, item: Typed, context: Sequence[Demand]) -> Typed:
        if item.operator == "or":
            for part in item.parts:
                if part.span != item.span and self.always(part, context):
                    return self._smallest_always(part, context)
        return item

    def _core(self, terms: list[Typed], context: Sequence[Demand]) -> list[Typed]:
        """The fewest terms that cannot hold together: none of them can be left out."""
        core = list(terms)
        for term in terms:
            others = [each for each in core if each is not term]
            if others and self.assumptions.possible(*((each, True) for each in others), *context) is None:
                core = others
        return core

    def _reason(self, item: Typed) -> str:
        """The range of what is compared, where that is the reason."""
        compared = [each for each in item.parts if each.literal is None]
        if item.operator in ("and", "or", "not", "known", "condition", "has") or len(compared) != 1:
            return ""
        span = span_of_codes(compared[0].type)
        if span is None or isinstance(compared[0].type, Boolean):
            return ""
        low, high = (self.assumptions.words.value(compared[0].type, code) for code in span)
        return messages.range_here(compared[0].span.text, low, high, isinstance(compared[0].type, Integer))
