"""Names in expressions: what each one reads, and of what type it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction as Exact

from .. import arithmetic, syntax
from ..declarations import Definition, Step
from ..diagnostics import Diagnostic
from ..messages import names as name_messages
from ..messages import places
from ..messages import types as messages
from ..scalars import OLD_BOOLEANS
from ..source import Span
from ..typed import Operand, Read, Typed, TypedField
from ..types import PIPS, Boolean, Choice, Dice, Fraction, HitDice, Integer, Set, Type, Unknown
from .names import Environment, Local, Names, local_names
from .sides import broken


def literal(value: int | bool, kind: Type, span: Span) -> Typed:
    """A literal integer, code or boolean."""
    return Typed("literal", (value,), kind, span)


def united_needs(parts: Iterable[Typed]) -> frozenset[Read]:
    """All unguarded reads of several parts."""
    return frozenset(read for each in parts for read in each.needs)


def renamed(needs: Iterable[Read], players: Mapping[str, str]) -> frozenset[Read]:
    """Reads of roles as seen from outside a rebinding: `players` says who plays each role inside."""
    return frozenset(
        ("field", players.get(read[1], read[1]), read[2]) if read[0] == "field" else read for read in needs
    )


class Naming:
    """Types names."""

    def __init__(self, names: Names, diagnostics: list[Diagnostic]) -> None:
        self._names = names
        self._diagnostics = diagnostics

    def _report(self, diagnostic: Diagnostic) -> None:
        self._diagnostics.append(diagnostic)

    def is_visible(self, name: str, environment: Environment) -> bool:
        """Whether an expression here can read something of this name."""
        return name == "its" or bool(self._bearers(name, environment))

    def bearers(self, name: str) -> list[tuple[str, Span]]:
        """The definitions that bear a name in every expression: their kind, and where they are defined."""
        ruleset = self._names.ruleset
        sections: tuple[tuple[str, Mapping[str, Definition]], ...] = (
            ("a role", ruleset.roles),
            ("a fact", ruleset.facts),
            ("an option", ruleset.options),
            ("a number", ruleset.numbers),
            ("a condition", ruleset.conditions),
            ("a table", ruleset.tables),
        )
        return [(kind, section[name].place) for kind, section in sections if name in section]

    def _bearers(self, name: str, environment: Environment) -> list[tuple[str, Span | None]]:
        """What bears a name here, apart from words."""
        found: list[tuple[str, Span | None]] = [*self.bearers(name)]
        if name in environment.locals:
            found.insert(0, ("a die or value", environment.locals[name].place))
        if name in environment.keys:
            found.insert(0, ("a key", environment.keys[name][2]))
        return [*found, ("somebody who takes part", None)] if name in environment.players else found

    def name(self, name: syntax.Name, environment: Environment, wanted: Type | None) -> Typed:
        """A dotted name, or a word where one is wanted."""
        word = self._word(name, wanted)
        head = name.parts[0]
        bearers = self._bearers(head, environment)
        if not bearers and head != "its" and not self._step_path(name, environment):
            return word or self._unknown(name, environment, wanted)
        if word is not None:
            self._report(self._ambiguous(name, bearers, word))
            return broken(name.span)
        if environment.keys and bearers[:1] and bearers[0][0] not in ("a key", "an option", "a table"):
            self._report(places.not_a_key(name.text, bearers[0][0], name.span, list(environment.keys)))
            return broken(name.span)
        return self._path(name, environment)

    def _word(self, name: syntax.Name, wanted: Type | None) -> Typed | None:
        if not isinstance(wanted, Choice) or len(name.parts) > 1:
            return None
        words = self._names.words.get(wanted.id, ())
        if name.text not in words:
            return None
        code = words.index(name.text)
        return literal(code, Choice(wanted.id, code, code), name.span)

    def _unknown(self, name: syntax.Name, environment: Environment, wanted: Type | None) -> Typed:
        step = self._step(name, environment)
        # That there is no such check is told already.
        is_told = step is not None and step.call and step.call.check.id not in self._names.ruleset.checks
        if not isinstance(wanted, Unknown) and not is_told:
            self._report(self._why_unknown(name, environment, wanted))
        return broken(name.span)

    def _why_unknown(self, name: syntax.Name, environment: Environment, wanted: Type | None) -> Diagnostic:
        if isinstance(wanted, Choice) and len(name.parts) == 1:
            words = self._names.words.get(wanted.id, ())
            check, dot, _ = wanted.id.partition(".outcome")
            if dot:
                return places.unknown_outcome(check, name.text, name.span, self._names.near(words))
            return messages.unknown_word(name.text, name.span, wanted.id, self._names.near(words))
        if missing := self._of_step(name, environment):
            return missing
        choices = [id for id, words in self._names.words.items() if name.text in words]
        if choices:
            return messages.word_out_of_place(name.text, name.span, choices, self._of_choice(choices, environment))
        checks = [each.id for each in self._names.ruleset.checks.values() if name.text in local_names(each)]
        if checks and not environment.check:
            return places.of_some_check(name.text, checks[0], name.span)
        if isinstance(wanted, Boolean) and name.text in OLD_BOOLEANS:
            return name_messages.yaml_boolean(name.text, name.span)
        truth = ("true", "false") if isinstance(wanted, Boolean) else ()
        visible = self._names.near((*truth, *self._names.visible(environment)))
        return name_messages.unknown_name("fact, number or value", name.text, name.span, visible)

    def _step(self, name: syntax.Name, environment: Environment) -> Step | None:
        """The step of the check at hand that a name begins with, if it does."""
        check = self._names.ruleset.checks.get(environment.check)
        steps = check.steps if check and len(name.parts) > 1 else ()
        return next((each for each in steps if each.id == name.parts[0]), None)

    def _of_step(self, name: syntax.Name, environment: Environment) -> Diagnostic | None:
        """Why a die or value of a step of the check at hand cannot be read here, if that is what the name means."""
        step = self._step(name, environment)
        if step is None:
            return None
        own = [each.id for each in (*step.roll, *step.values)]
        if step.call:
            called = local_names(self._names.ruleset.checks[step.call.check.id])
            own += ["outcome", *dict.fromkeys(each.split(".")[0] for each in called)]
        if name.parts[1] in own:
            return places.not_reached_here(name.text, step.id, name.span, step.place)
        return places.unknown_of_step(step.id, name.parts[1], name.spans[1], self._names.near(own))

    def _of_choice(self, choices: list[str], environment: Environment) -> str:
        """Something visible that is a word of one of these choices, or nothing."""
        owned = [
            ("its", environment.entity),
            *((each.id, each.entity.id) for each in self._names.ruleset.roles.values()),
        ]
        fields = {
            f"{role}.{id}": field.type
            for role, entity in owned
            for (of, id), field in self._names.fields.items()
            if of == entity
        }
        kinds = {**fields, **{id: each.type for id, each in self._names.facts.items()}}
        return next((id for id, kind in kinds.items() if isinstance(kind, Choice) and kind.id in choices), "")

    def _ambiguous(self, name: syntax.Name, bearers: list[tuple[str, Span | None]], word: Typed) -> Diagnostic:
        assert isinstance(word.type, Choice)
        id, code = word.type.id, word.type.low
        check = self._names.ruleset.checks.get(id.partition(".")[0])
        choice = self._names.ruleset.choices.get(id)
        words = choice.words if choice else check.outcomes if check and id == f"{check.id}.outcome" else ()
        kind = f"a word of `{id}`" if choice else f"an outcome of `{id.partition('.')[0]}`"
        found = [*bearers, (kind, words[code].place if code < len(words) else None)]
        return name_messages.ambiguous_name(name.text, name.span, found)

    def _step_path(self, name: syntax.Name, environment: Environment) -> int:
        """How many leading parts of a name are a path of the check at hand, such as `strike.d20`; 0 for none."""
        lengths = range(len(name.parts), 0, -1)
        return next((n for n in lengths if ".".join(name.parts[:n]) in environment.locals), 0)

    def _path(self, name: syntax.Name, environment: Environment) -> Typed:
        """Reads the thing that the first parts name, then its attributes."""
        if _is_of_side(name, environment):
            return self._field_of_side(name, environment)
        if taken := self._step_path(name, environment):
            base = self._local(environment.locals[".".join(name.parts[:taken])], name, environment)
            return self._attributes(base, name, taken)
        head = name.parts[0]
        if head in environment.keys:
            index, kind, _ = environment.keys[head]
            return self._attributes(Typed("key", (index,), kind, name.spans[0]), name, 1)
        if head == "its" or head in environment.players or head in self._names.ruleset.roles:
            return self._field_path(name, environment)
        return self._attributes(self._global(name, environment), name, 1)

    def _local(self, local: Local, name: syntax.Name, environment: Environment) -> Typed:
        read = ("local", local.path)
        kind = environment.narrowing.type_of(read, local.type)
        needs = frozenset({read}) if local.may_be_unknown and read not in environment.narrowing.known else frozenset()
        return Typed("local", (local.path,), kind, name.span, needs)

    def _global(self, name: syntax.Name, environment: Environment) -> Typed:
        head, span = name.parts[0], name.spans[0]
        ruleset = self._names.ruleset
        if head in ruleset.facts:
            return self._fact("fact", (head,), self._names.facts.get(head), span, environment)
        if head in ruleset.options:
            return self._fact("option", (head,), self._names.options.get(head), span, environment)
        if head in ruleset.conditions:
            condition = self._names.conditions.get(head)
            if condition is None or isinstance(condition.when.type, Unknown):
                return broken(span)
            return Typed("condition", (head,), Boolean(), span, condition.when.needs - environment.narrowing.known)
        if head in ruleset.tables:
            self._report(places.table_without_keys(head, span, [each.id for each in ruleset.tables[head].keys]))
            return broken(span)
        return self.number(head, {}, span, environment)

    def number(self, id: str, players: dict[str, str], span: Span, environment: Environment) -> Typed:
        """A number, read with some roles rebound."""
        within = self._names.ruleset.numbers[id].within
        if within and within.id != environment.check:
            self._report(places.number_of_other_check(id, within.id, span))
            return broken(span)
        if missing := self._missing(id, environment):
            self._report(places.number_not_ready(id, missing, span))
            return broken(span)
        number = self._names.numbers.get(id)
        if number is None or isinstance(number.type, Unknown):
            return broken(span)
        operands: tuple[Operand, ...] = (id, dict(sorted(players.items()))) if players else (id,)
        kind = environment.narrowing.type_of(("number", *(str(each) for each in operands)), number.type)
        return Typed("number", operands, kind, span, renamed(number.needs, players) - environment.narrowing.known)

    def _missing(self, number: str, environment: Environment) -> list[str]:
        """What a number of the check at hand reads, and what is not there yet."""
        if number in self._names.numbers:
            reads = self._names.local_reads.get(number, frozenset())
            return sorted(each for each in reads if each not in environment.locals)
        awaited = self._names.awaited.get(number, frozenset())
        return sorted(each for each in awaited if each not in environment.locals and each not in self._names.numbers)

    def _fact(
        self, operator: str, path: tuple[str, ...], field: TypedField | None, span: Span, environment: Environment
    ) -> Typed:
        if field is None or isinstance(field.type, Unknown):
            return broken(span)
        read: Read = (operator, *path)
        kind = environment.narrowing.type_of(read, field.type)
        needs = frozenset({read}) if field.declared.may_be_unknown else frozenset()
        if field.computed is not None:
            needs = _of_owner(field.computed.needs, operator, path)
        if environment.narrowing.known & {read}:
            needs = frozenset()
        return Typed(operator, path, kind, span, needs - environment.narrowing.known)

    def _field_path(self, name: syntax.Name, environment: Environment) -> Typed:
        head = name.parts[0]
        entity = environment.entity if head == "its" else self.entity_of(head, environment)
        if head == "its" and not entity:
            self._report(self._whose(name))
            return broken(name.span)
        if len(name.parts) == 1:
            self._report(messages.role_without_field(head, name.span, self._names.fields_of(entity)))
            return broken(name.span)
        return self._attributes(self._field(name, entity, environment), name, 2)

    def _whose(self, name: syntax.Name) -> Diagnostic:
        field = name.parts[1] if len(name.parts) > 1 else ""
        having = (id for id, each in self._names.ruleset.roles.items() if (each.entity.id, field) in self._names.fields)
        return messages.its_without_owner(name.spans[0], field, next(having, ""))

    def entity_of(self, role: str, environment: Environment) -> str:
        """The entity that plays a role, or takes part under that name, or nothing."""
        return environment.players.get(role) or self._names.entity_of(role)

    def _field_of_side(self, name: syntax.Name, environment: Environment) -> Typed:
        """`actor.side.surprised`: a field of the side of somebody who takes part."""
        role = ".".join(name.parts[:2])
        inner = syntax.Name((role, *name.parts[2:]), (name.spans[0].to(name.spans[1]), *name.spans[2:]), name.span)
        return self._attributes(self._field(inner, environment.players[role], environment), inner, 2)

    def _field(self, name: syntax.Name, entity: str, environment: Environment) -> Typed:
        head, id = name.parts[0], name.parts[1]
        declared = self._names.ruleset.entities.get(entity)
        if declared and all(each.id != id for each in declared.fields):
            near = self._names.near(each.id for each in declared.fields)
            self._report(messages.unknown_field(head, entity, id, name.spans[1], near))
        field = self._names.fields.get((entity, id))
        span = name.spans[0].to(name.spans[1])
        role = environment.owner if head == "its" else head
        if not role:
            return self._fact("its", (id,), field, span, environment)
        return self._fact("field", (role, id), field, span, environment)

    def _attributes(self, base: Typed, name: syntax.Name, taken: int) -> Typed:
        for part, span in zip(name.parts[taken:], name.spans[taken:], strict=True):
            base = self._attribute(base, part, span)
        return base

    def _attribute(self, base: Typed, part: str, span: Span) -> Typed:
        whole = base.span.to(span)
        match base.type:
            case Unknown():
                return broken(whole)
            case HitDice(low, high) if part == "dice":
                ends = [_dice_of(low), _dice_of(high)]
                return Typed("dice_part", (base,), Fraction(ends[0], ends[1]), whole, base.needs)
            case HitDice() if part == "pips":
                return Typed("pips", (base,), Integer(-PIPS, PIPS), whole, base.needs)
            case Choice(id) if id in self._names.choices:
                return self._word_attribute(base, id, part, span)
        self._report(messages.no_attributes(part, span, base.type))
        return broken(whole)

    def _word_attribute(self, base: Typed, choice: str, part: str, span: Span) -> Typed:
        typed = self._names.choices[choice]
        ids = [id for id, _ in typed.attributes]
        if part not in ids:
            self._report(messages.unknown_attribute(choice, part, span, self._names.near(ids)))
            return broken(base.span.to(span))
        index = ids.index(part)
        kinds = [word.values[index].type for word in typed.words]
        kind = arithmetic.joined_all(kinds) or typed.attributes[index][1]
        if isinstance(kind, Set | Dice):
            kind = typed.attributes[index][1]
        return Typed("attribute", (choice, part, base), kind, base.span.to(span), base.needs)


def _is_of_side(name: syntax.Name, environment: Environment) -> bool:
    """Whether a name reads a field of a side through somebody: `actor.side` alone is the side itself."""
    return len(name.parts) > 2 and ".".join(name.parts[:2]) in environment.players


def _of_owner(needs: frozenset[Read], operator: str, path: tuple[str, ...]) -> frozenset[Read]:
    """The unguarded reads of a computed field, seen from the role that it is read for."""
    if operator != "field":
        return needs
    return frozenset(("field", path[0], read[1]) if read[0] == "its" else read for read in needs)


def _dice_of(code: int) -> Exact:
    step = code // (2 * PIPS + 1)
    return Exact(1, 2) if step == 1 else Exact(max(step - 1, 0))
