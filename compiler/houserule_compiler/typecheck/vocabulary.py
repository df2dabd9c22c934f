"""Choices, fields, facts, options and conditions, with their types."""

from __future__ import annotations

from dataclasses import replace

from .. import syntax
from ..declarations import Attribute, Choice, Condition, Field, Word
from ..messages import places
from ..messages import types as messages
from ..typed import Typed, TypedChoice, TypedCondition, TypedField, TypedWord
from ..types import Boolean, Set, Type, Unknown
from .expressions import Expressions, fits
from .names import Environment
from .naming import literal, united_needs
from .sides import broken
from .written import Written


class Vocabulary:
    """Types the words and facts of a ruleset."""

    def __init__(self, expressions: Expressions, written: Written) -> None:
        self._expressions = expressions
        self._written = written
        self._names = expressions.names

    def choice(self, choice: Choice) -> TypedChoice:
        """A choice, with a value of each attribute for each word."""
        kinds = tuple((each.id, self._written.type(each.type)) for each in choice.attributes)
        words = tuple(self._word(each, choice, dict(kinds)) for each in choice.words)
        return TypedChoice(declared=choice, words=words, attributes=kinds, is_ordered=True)

    def _word(self, word: Word, choice: Choice, kinds: dict[str, Type]) -> TypedWord:
        given = {name.id: value for name, value in word.values}
        for name, _ in word.values:
            if name.id not in kinds:
                near = self._names.near(kinds)
                self._expressions.report(places.unknown_attribute_of_word(word.id, name.id, name.span, near))
        values = tuple(self._value(each, given.get(each.id), word, kinds[each.id]) for each in choice.attributes)
        return TypedWord(declared=word, values=values)

    def _value(self, attribute: Attribute, given: syntax.Expression | None, word: Word, kind: Type) -> Typed:
        stated = given or attribute.type.default
        if stated is not None:
            return self._written.constant(stated, kind)
        if isinstance(kind, Set):
            return literal(0, kind, word.place)
        self._expressions.report(places.missing_attribute(word.id, attribute.id, word.place, attribute.place))
        return broken(word.place)

    def field(self, field: Field, environment: Environment) -> TypedField:
        """A field, fact or option."""
        kind = self._written.type(field.type) if field.type else None
        computed = None
        if field.computed is not None:
            computed = self._expressions.typed(field.computed, environment, kind)
            kind = self._computed_type(field, computed, kind)
        self._report_defaults(field, kind)
        default = self._default(field, kind or Unknown())
        return TypedField(declared=field, type=kind or Unknown(), default=default, computed=computed)

    def _report_defaults(self, field: Field, kind: Type | None) -> None:
        """Reports what has two answers to the question what it is when it is not given."""
        if field.computed is not None and (field.default is not None or field.may_be_unknown):
            self._expressions.report(places.computed_with_default(field.id, field.default, field.place))
        elif field.may_be_unknown and (field.default is not None or isinstance(kind, Set)):
            self._expressions.report(places.unknown_with_default(field.id, field.place, isinstance(kind, Set)))

    def _computed_type(self, field: Field, computed: Typed, stated: Type | None) -> Type:
        if stated is None or isinstance(computed.type, Unknown):
            return computed.type
        if not fits(computed.type, stated):
            self._expressions.report(messages.wrong_type(computed.span, stated, computed.type))
            return Unknown()
        return self._written.within(computed, stated, field.id, field.type.span if field.type else None).type

    def _default(self, field: Field, kind: Type) -> Typed | None:
        if field.default is not None and field.computed is None:
            return self._written.constant(field.default, kind)
        if isinstance(kind, Set) and field.computed is None:
            return literal(0, kind, field.place)
        return None

    def option(self, field: Field) -> TypedField:
        """An option, which must have a default."""
        typed = self.field(field, Environment())
        if typed.default is None and not isinstance(typed.type, Unknown):
            self._expressions.report(places.option_without_default(field.id, field.place))
        return typed

    def condition(self, condition: Condition, environment: Environment) -> Typed:
        """A condition of one or several parts, as one expression; each part may rely on those before it."""
        holds = condition.combine == "all"
        terms: list[Typed] = []
        for part in condition.parts:
            term = self._expressions.condition(part.when, environment)
            environment = replace(environment, narrowing=environment.narrowing.assuming(term, holds))
            terms.append(term)
        if len(terms) == 1:
            return terms[0]
        if not terms or any(isinstance(each.type, Unknown) for each in terms):
            return broken(condition.span)
        operator = "and" if holds else "or"
        return Typed(operator, tuple(terms), Boolean(), condition.span, united_needs(terms))

    def named(self, condition: Condition, declared: object) -> TypedCondition:
        """A named condition or an impossible situation."""
        return TypedCondition(declared=declared, when=self.condition(condition, Environment()))  # type: ignore[arg-type]
