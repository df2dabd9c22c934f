"""Events, actions, triggers and sequences are verified: names, kinds, steps, and that each moment falls somewhere.

Refuses with `ArtifactError`, as `verify` does, which calls this where an artifact has any of them.
"""

from __future__ import annotations

from .item import refuse
from .kinds import Scope, assignable, kind, kind_of_type, known_type, require, seated
from .nesting import found
from .records import changed
from .verify import amounts, changes, die_rolls, type_exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .kinds import Kind
    from .program import Adjust, Program
    from .rounds import Action, Initiative, Moment, MomentCase, Sequence, SequenceStep, Trigger

    Names = dict[str, Kind]


def verify_rounds(program: Program) -> None:
    """Refuse what concerns rounds and does not hold together."""
    for event in program.events.values():
        at = f"event `{event.label.id}`"
        for argument in event.arguments.values():
            if argument.type:
                type_exists(program, argument.type, at)
            else:
                found(program.entities, argument.entity, "entity", at)
    for action in program.actions.values():
        _action(action, Scope(program, f"action `{action.label.id}`"))
    for trigger in program.triggers.values():
        _trigger(trigger, Scope(program, f"trigger `{trigger.label.id}`"))
    for sequence in program.sequences.values():
        _Sequence(program, sequence).whole()


def _action(action: Action, scope: Scope) -> None:
    for chair in (action.by, action.against):
        if chair:
            found(scope.program.roles, chair, "role", scope.at)
    for each in action.requires:
        require(each.when, scope, "boolean")
        for read in each.needs:
            known_type(read, scope)
    _called(action.check, action.seats, action.adjusts, scope)


def _trigger(trigger: Trigger, scope: Scope) -> None:
    require(trigger.when, scope, "boolean")
    for read in trigger.needs:
        known_type(read, scope)
    for effect in trigger.effects:
        changes(effect, scope)
    _called(trigger.check, trigger.seats, trigger.adjusts, scope)


def _called(check: str, seats: tuple[tuple[str, str], ...], adjusts: tuple[Adjust, ...], scope: Scope) -> None:
    if check:
        found(scope.program.checks, check, "check", scope.at)
    seated(seats, scope)
    for each in adjusts:
        number = found(scope.program.numbers, each.number, "number", scope.at)
        require(each.value, scope, *amounts(each.op, each.round, assignable(kind_of_type(number.type))))


class _Sequence:
    """Verifies one sequence."""

    def __init__(self, program: Program, sequence: Sequence) -> None:
        self.program = program
        self.sequence = sequence
        self.at = f"sequence `{sequence.label.id}`"
        self.names: Names = {"round": "whole"}
        self.steps = {step.label.id: step for step in sequence.all_steps()}

    def whole(self) -> None:
        """All parts, in the order in which they can be read."""
        sequence = self.sequence
        for entity in (sequence.actor, sequence.action, sequence.side):
            if entity:
                found(self.program.entities, entity, "entity", self.at)
        if len(self.steps) != len(list(sequence.all_steps())) or not self.steps:
            refuse(self.at, "it has no steps, or one twice")
        if list(sequence.places) != sorted(sequence.places):
            refuse(self.at, "its places are not sorted by action")
        for fact in sequence.facts.values():
            type_exists(self.program, fact.type, self.at)
            self._name(fact.label.id, kind_of_type(fact.type))
        plain = self._scope({})
        require(sequence.when, plain, "boolean")
        score = self._initiative(sequence.initiative, plain)
        for step in self.steps.values():
            self._step(step, plain)
        self._acting(score)

    def _acting(self, score: Kind) -> None:
        """What concerns a declared action."""
        sequence = self.sequence
        self.names |= {"actor.side": "whole", "foe.side": "whole", "score": score}
        require(sequence.start, self._declared(), "whole")
        self.names["nth"] = "whole"
        if sequence.start is not None:
            self.names["start"] = "whole"
        for value in sequence.values.values():
            type_exists(self.program, value.type, self.at)
            require(value.value, self._declared(), *assignable(kind_of_type(value.type)))
            self._name(value.label.id, kind_of_type(value.type))
        require(sequence.who, self._declared(), "boolean")
        self._holding()
        for action, moments in sequence.places.items():
            self._place(action, moments)

    def _name(self, id: str, kind: Kind) -> None:
        if id in self.names or "." in id:
            refuse(self.at, f"nothing more can be called `{id}`")
        self.names[id] = kind

    def _scope(self, players: Mapping[str, str]) -> Scope:
        return Scope(self.program, self.at, locals=dict(self.names), players=players, side=self.sequence.side)

    def _declared(self) -> Scope:
        return self._scope(self.sequence.players())

    def _initiative(self, initiative: Initiative | None, plain: Scope) -> Kind:
        """The kind of the score that counts first."""
        if initiative is None:
            return "whole"
        sequence = self.sequence
        entity = {"side": sequence.side, "actor": sequence.actor}[initiative.by]
        players: dict[str, str] = {initiative.by: entity} if entity else {}
        if initiative.by == "actor" and sequence.side:
            players["actor.side"] = sequence.side
        names = dict(plain.locals or {})
        scope = changed(plain, players=players, locals=names)
        for die in initiative.roll:
            die_rolls(die, scope)
            if die.label.id in names:
                refuse(self.at, f"nothing more can be called `{die.label.id}`")
            names[die.label.id] = "whole"
        if not initiative.score:
            refuse(self.at, "an initiative has a score")
        for score in initiative.score:
            require(score, scope, "whole", "fraction")
        return kind(initiative.score[0], scope)

    def _step(self, step: SequenceStep, plain: Scope) -> None:
        require(step.when, plain, "boolean")
        if step.check:
            found(self.program.checks, step.check, "check", self.at)
        seated(step.seats, changed(plain, players={}))
        self._initiative(step.initiative, plain)
        if step.leads_to:
            facts = found(self.program.sequences, step.leads_to.sequence, "sequence", self.at).facts
            require(step.leads_to.when, plain, "boolean")
            for id, value in step.leads_to.facts:
                wanted = kind_of_type(found(facts, id, "fact", self.at).type)
                require(value, plain, *assignable(wanted))

    def _holding(self) -> None:
        holding = self.sequence.holding
        if holding is None:
            return
        require(holding.when, self._declared(), "boolean")
        for id in holding.steps:
            found(self.steps, id, "step", self.at)
        if holding.to_segment and self.sequence.segments() is None:
            refuse(self.at, "one holds to a segment, and no step counts any")

    def _place(self, action: str, moments: tuple[Moment, ...]) -> None:
        by = self.program.actions.get(action)
        for chair in (by.by, by.against) if by else ():
            if chair and self.program.roles[chair].entity != self.sequence.actor:
                refuse(self.at, f"an actor cannot be `{chair}` of the action `{action}`")
        earlier: list[str] = []
        for moment in moments:
            self._moment(moment, earlier)
            earlier.append(moment.label.id)

    def _moment(self, moment: Moment, earlier: list[str]) -> None:
        scope = self._declared()
        require(moment.times, scope, "whole")
        require(moment.when, scope, "boolean")
        spoiled = moment.spoiled
        for event in (*moment.threat, *(spoiled.by if spoiled else ())):
            found(self.program.events, event, "event", self.at)
        if spoiled and spoiled.since and spoiled.since not in earlier:
            refuse(self.at, f"`{moment.label.id}` is spoiled since no earlier moment")
        for effect in spoiled.effects if spoiled else ():
            changes(effect, scope)
        if not moment.cases or any((case.when is None) != (case is moment.cases[-1]) for case in moment.cases):
            refuse(self.at, "only the last case of a moment, and always that one, stands without a condition")
        for case in moment.cases:
            self._case(case, scope)

    def _case(self, case: MomentCase, scope: Scope) -> None:
        require(case.when, scope, "boolean")
        require(case.step, scope, "whole")
        require(case.segment, scope, "whole")
        require(case.rounds, scope, "whole")
        if type(case.step) is int and not 0 <= case.step < len(self.steps):
            refuse(self.at, "a moment falls at no step")
        if case.step is None and not case.after and not case.left_out:
            refuse(self.at, "a moment falls nowhere")
