"""A decoded program is verified: names, circles, kinds, the index of each table, the steps of each check.

Refuses with `ArtifactError`. What it lets through can be evaluated without any error of ours.
"""

from __future__ import annotations

from .assigned import Assigned, locals_of, possible_outcomes
from .expression import DiceTerm, FactRead, FieldRead, Operation
from .item import refuse
from .kinds import Scope, assignable, entity_of, kind, kind_of_type, known_type, require, seated
from .limits import SUPPORT, WORDS_OF_SET
from .nesting import found, nesting
from .program import Cell, Dense, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .expression import Bound, Expr
    from .kinds import Kind
    from .program import Case, Check, Die, Entry, Field, Index, Number, Program, Step, Table, Type
    from .rounds import EventEffect


def verify(program: Program) -> None:
    """Refuse a program that does not hold together."""
    _sorted(program)
    for role in program.roles.values():
        found(program.entities, role.entity, "entity", f"role `{role.label.id}`")
    nesting(program)
    _things(program)
    for table in program.tables.values():
        _table(program, table)
    for number in program.numbers.values():
        _declared(program, number)
    _checks(program)
    if program.events or program.actions or program.triggers or program.sequences:
        from .verify_rounds import verify_rounds

        verify_rounds(program)


def _sorted(program: Program) -> None:
    sections = (program.choices, program.entities, program.roles, program.facts, program.options, program.conditions)
    more = (program.impossible, program.tables, program.numbers, program.modifiers, program.stacking, program.checks)
    play = (program.events, program.actions, program.triggers, program.sequences)
    for section in (*sections, *more, *play, program.rulings):
        if list(section) != sorted(section):
            refuse("artifact", "definitions are not sorted by id")


def _things(program: Program) -> None:
    for entity in program.entities.values():
        for field in entity.fields.values():
            _computed(field, Scope(program, f"entity `{entity.label.id}`", entity=entity.label.id))
    for fact in program.facts.values():
        _computed(fact, Scope(program, f"fact `{fact.label.id}`"))
    for condition in (*program.conditions.values(), *program.impossible.values()):
        scope = Scope(program, f"condition `{condition.label.id}`")
        require(condition.when, scope, "boolean")
        for read in condition.needs:
            known_type(read, scope)
    for choice in program.choices.values():
        for type, _ in choice.attributes.values():
            type_exists(program, type, choice.label.id)


def _computed(field: Field, scope: Scope) -> None:
    type_exists(scope.program, field.type, scope.at)
    require(field.computed, scope, *assignable(kind_of_type(field.type)))


def type_exists(program: Program, type: Type, at: str) -> None:
    """Refuse a type whose words do not exist, or are too many for a set."""
    if type.choice and not _is_choice(program, type.choice):
        refuse(at, f"no choice `{type.choice[:60]}`")
    if type.kind == "set" and len(program.words(type.choice)) > WORDS_OF_SET:
        refuse(at, f"a set is of at most {WORDS_OF_SET} words")


def _is_choice(program: Program, id: str) -> bool:
    owner, dot, what = id.rpartition(".")
    if not dot:
        return id in program.choices
    return owner in {"outcome": program.checks, "step": program.sequences}.get(what, {})


def _table(program: Program, table: Table) -> None:
    at = f"table `{table.label.id}`"
    for column in (*table.keys, *table.columns):
        type_exists(program, column.type, at)
    if any(kind_of_type(key.type) not in ("whole", "boolean") for key in table.keys):
        refuse(at, "a key is an integer, a word, hit dice or a boolean")
    _index(table.index, len(table.keys), len(table.rows), at)
    if not table.worked:
        return
    scope = Scope(program, at, keys=tuple(key.type for key in table.keys))
    for row in table.rows:
        for cell, column in zip(row, table.columns, strict=True):
            if isinstance(cell, Cell):
                require(cell.expr, scope, *assignable(kind_of_type(column.type)))


def _index(index: Index, levels: int, rows: int, at: str) -> None:
    if isinstance(index, int):
        if levels or not 0 <= index < rows:
            refuse(at, "its index leads to no row")
        return
    if not levels or not index.then:
        refuse(at, "its index has a level too many, or an empty one")
    if not isinstance(index, Dense):
        if len(index.starts) != len(index.then):
            refuse(at, "its index has not one branch for each band")
        _ascending(index.starts, index.end, at)
    then = index.then
    if set(map(type, then)) == {int}:
        then = min(then), max(then)  # type: ignore[type-var]
    for each in then:
        _index(each, levels - 1, rows, at)


def _ascending(starts: tuple[Bound, ...], end: Bound, at: str) -> None:
    if None not in starts and [*starts] == sorted(set(starts)) and (end is None or starts[-1] <= end):  # type: ignore[operator,type-var]
        return
    closed = [each for each in (*starts[1:], end) if each is not None]
    ends = closed if starts[0] is None else [starts[0], *closed]
    if None in starts[1:] or ends != sorted(ends):
        refuse(at, "the bands of its index do not ascend")
    if len(set(starts)) != len(starts):
        refuse(at, "two bands of its index start alike")


def _declared(program: Program, number: Number) -> None:
    """What a number names beside expressions; those are tested with the locals of its check."""
    at = f"number `{number.label.id}`"
    if number.of:
        found(program.roles, number.of, "role", at)
    if number.within:
        found(program.checks, number.within, "check", at)
    modifiers = [entry.modifier for entry in number.entries]
    if modifiers != sorted(set(modifiers)):
        refuse(at, "its entries are not in the order of their modifiers")
    for entry in number.entries:
        found(program.modifiers, entry.modifier, "modifier", at)
        if entry.group:
            found(program.stacking, entry.group, "stacking group", at)


def _checks(program: Program) -> None:
    memo: dict[str, dict[str, Kind]] = {}
    for number in program.numbers.values():
        inside = locals_of(program, program.checks[number.within], memo) if number.within else None
        _number(number, Scope(program, f"number `{number.label.id}`", locals=inside, check=number.within))
    for check in program.checks.values():
        inside = locals_of(program, check, memo)
        _check(check, Scope(program, f"check `{check.label.id}`", locals=inside, check=check.label.id))
    assigned = Assigned(program)
    for check in program.checks.values():
        assigned.at_end(check, False)
        assigned.at_end(check, True)


def _number(number: Number, scope: Scope) -> None:
    wanted = assignable(kind_of_type(number.type))
    seated(number.seats, scope)
    require(number.base, scope, *wanted)
    for read in number.needs:
        known_type(read, scope)
    for entry in number.entries:
        _entry(entry, wanted, scope)


def _entry(entry: Entry, wanted: tuple[Kind, ...], scope: Scope) -> None:
    require(entry.when, scope, "boolean")
    require(entry.by, scope, "whole", "fraction", "boolean")
    require(entry.each, scope, "whole")
    for value in (entry.value, entry.times, *(grade.value for grade in entry.grades)):
        require(value, scope, *amounts(entry.op, entry.round, wanted))
    for read in entry.needs:
        known_type(read, scope)


def amounts(op: str, round: str, wanted: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds of amount that keep a number whole where it must be: only a rounded product may be a fraction."""
    return ("whole", "fraction") if op == "multiply" and round else wanted


def _check(check: Check, scope: Scope) -> None:
    if check.start not in check.steps:
        refuse(scope.at, "it starts at no step")
    if not check.outcomes or len({word.id for word in check.outcomes}) != len(check.outcomes):
        refuse(scope.at, "it has no outcomes, or one twice")
    if check.choice:
        words = found(scope.program.choices, check.choice, "choice", scope.at).words
        if [word.id for word in words] != [word.id for word in check.outcomes]:
            refuse(scope.at, f"its outcomes are not the words of `{check.choice}`")
    later = list(check.steps)
    for id, step in check.steps.items():
        later.remove(id)
        _step(step, later, check, scope)
    for outcome, step in check.then.items():
        if outcome not in {word.id for word in check.outcomes} or outcome in check.steps:
            refuse(scope.at, f"`{outcome}` is no outcome, or a step has its name")
        _step(step, None, check, scope)
    for read in check.reads:
        known_type(read, scope)


def _step(step: Step, later: list[str] | None, check: Check, scope: Scope) -> None:
    """A step; `later` are the steps that it may go to, None where it follows an outcome."""
    if step.call:
        seated(step.call.seats, scope)
        for adjust in step.call.adjusts:
            number = found(scope.program.numbers, adjust.number, "number", scope.at)
            wanted = assignable(kind_of_type(number.type))
            require(adjust.value, scope, *amounts(adjust.op, adjust.round, wanted))
    _part(step, scope)
    if not step.cases or step.cases[-1].when is not None or any(case.when is None for case in step.cases[:-1]):
        refuse(scope.at, "only the last case of a step, and always that one, stands without a condition")
    for case in step.cases:
        require(case.when, scope, "boolean")
        _part(case, scope)
        _ending(case, later, check, scope)


def _ending(case: Case, later: list[str] | None, check: Check, scope: Scope) -> None:
    if later is None:
        if case.go or case.outcome is not None:
            refuse(scope.at, "what follows an outcome ends in none itself")
        return
    if case.go:
        if case.go not in later:
            refuse(scope.at, f"a case goes to `{case.go}`, which is no later step")
        return
    if case.outcome is None:
        refuse(scope.at, "a case has neither an outcome nor a next step")
    require(case.outcome, scope, "whole")
    if any(not 0 <= code < len(check.outcomes) for code in possible_outcomes(case.outcome, len(check.outcomes))):
        refuse(scope.at, "a case ends in no outcome of this check")


def _part(part: Step | Case, scope: Scope) -> None:
    for die in part.roll:
        die_rolls(die, scope)
    for value in part.values:
        _name(value.label.id, scope)
        type_exists(scope.program, value.type, scope.at)
        require(value.value, scope, *assignable(kind_of_type(value.type)))
    for effect in part.effects:
        changes(effect, scope)


def _name(id: str, scope: Scope) -> None:
    if id == "outcome" or "." in id:
        refuse(scope.at, f"no die or value can be called `{id}`")


def die_rolls(die: Die, scope: Scope) -> None:
    """Refuse a die that rolls nothing, or comes to too many totals."""
    _name(die.label.id, scope)
    rolling = Scope(scope.program, scope.at, locals=scope.locals, check=scope.check, rolls=True)
    if kind(die.dice, rolling) not in ("dice", "whole"):
        refuse(scope.at, f"`{die.label.id}` rolls no dice")
    require(die.when, scope, "boolean")
    if support(die.dice, scope.program) > SUPPORT or not die.low <= die.high:
        refuse(scope.at, f"`{die.label.id}` has more than {SUPPORT} totals, or none")


def changes(effect: Effect | EventEffect, scope: Scope) -> None:
    """Refuse an effect on what cannot change, and an event with other arguments than its own."""
    require(effect.when, scope, "boolean")
    if not isinstance(effect, Effect):
        return _happens(effect, scope)
    entity = entity_of(effect.role, scope)
    field = found(scope.program.entities[entity].fields, effect.field, f"field of `{entity}`", scope.at)
    if field.computed is not None:
        refuse(scope.at, f"`{effect.role}.{effect.field}` is worked out, and nothing can change it")
    if effect.op != "set" and field.type.kind not in ("integer", "fraction"):
        refuse(scope.at, f"`{effect.role}.{effect.field}` can only be set")
    numeric = field.type.kind in ("integer", "fraction")
    require(effect.value, scope, *(("whole", "fraction") if numeric else (kind_of_type(field.type),)))


def _happens(effect: EventEffect, scope: Scope) -> None:
    arguments = found(scope.program.events, effect.event, "event", scope.at).arguments
    if {name for name, _ in (*effect.values, *effect.chairs)} != set(arguments):
        refuse(scope.at, f"event `{effect.event}` has other arguments")
    for name, chair in effect.chairs:
        if not arguments[name].entity or entity_of(chair, scope) != arguments[name].entity:
            refuse(scope.at, f"`{chair}` cannot be `{name}` of the event `{effect.event}`")
    for name, value in effect.values:
        kind = arguments[name].type
        if kind is None:
            refuse(scope.at, f"`{name}` of the event `{effect.event}` is somebody")
        require(value, scope, *assignable(kind_of_type(kind)))


def support(expr: Expr, program: Program) -> int:
    """How many totals dice can come to, at most."""
    match expr:
        case DiceTerm(_, faces, _, kept):
            return kept * (faces - 1) + 1
        case Operation("+", operands):
            return sum(support(each, program) - 1 for each in operands) + 1
        case Operation("if", (_, yes, no)):
            return max(support(yes, program), support(no, program))
        case FieldRead(role, field):
            return _of_type(program.entities[program.roles[role].entity].fields[field].type)
        case FactRead(id):
            return _of_type(program.facts[id].type)
    return 1


def _of_type(type: Type) -> int:
    codes: Iterable[int] = type.one_of or (type.up_to,)
    return max(code // 1024 * max(0, code % 1024 - 1) + 1 for code in codes)
