"""Actions, triggers and sequences of loaded rules, and the questions that they answer."""

from __future__ import annotations

from .actions import DueTriggers, allowed, held, missing
from .asked import Asked, requirements_read
from .dice import Drawn, Seeded
from .errors import FactsError, HouseruleError, Problem
from .evaluate import Evaluator
from .facts import checked, path_of
from .reads import Reader
from .records import changed
from .trace import Entry, Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import rounds
    from .actions import Allowed, Due
    from .answers import Wanted
    from .dice import Roller, Source
    from .facts import Checked, GivenFacts
    from .ordered import Order
    from .program import Label, Program
    from .reads import Reads
    from .rules import Rules


class Action:
    """Something that somebody can do."""

    def __init__(self, rules: Rules, declared: rounds.Action) -> None:
        self._rules = rules
        self._declared = declared
        _label(self, declared.label)
        self.requirements = tuple(each.label.id for each in declared.requires)
        self.check = declared.check

    @property
    def facts(self) -> tuple[Wanted, ...]:
        """What its requirements read."""
        return self._rules.wanted(self._reads())

    def allowed(self, facts: GivenFacts) -> Allowed:
        """Whether it is allowed, true or false as a condition; the trace has each requirement.

        A requirement that needs something that is not known is not met. Raises `FactsError` with every problem.
        """
        evaluator = self._rules.evaluator(facts, self._reads(), [])
        return allowed(evaluator, self._declared)

    def _reads(self) -> Reads:
        return requirements_read(Reader(self._rules.program), self._declared)

    def __repr__(self) -> str:
        return f"Action({self.id!r})"

    id: str
    title: str
    note: str
    source: str


class Trigger:
    """A change that calls for a check."""

    def __init__(self, rules: Rules, declared: rounds.Trigger) -> None:
        self._rules = rules
        self._declared = declared
        _label(self, declared.label)
        self.check = declared.check

    @property
    def facts(self) -> tuple[Wanted, ...]:
        """What it reads."""
        return self._rules.wanted(_trigger_reads(self._rules.program, self._declared))

    def held(self, facts: GivenFacts) -> Due | None:
        """What it calls for, or None where it does not hold. Raises `FactsError`, also for facts that are missing."""
        reads = _trigger_reads(self._rules.program, self._declared)
        return held(self._rules.evaluator(facts, reads, []), self._declared)[0]

    def explain(self, facts: GivenFacts) -> Trace:
        """Why it holds, or does not."""
        reads = _trigger_reads(self._rules.program, self._declared)
        entry = held(self._rules.evaluator(facts, reads, []), self._declared)[1]
        return Trace(entry, self._rules.program.origins)

    def __repr__(self) -> str:
        return f"Trigger({self.id!r})"

    id: str
    title: str
    note: str
    source: str


class Sequence:
    """A round, or another order of play."""

    def __init__(self, rules: Rules, declared: rounds.Sequence) -> None:
        self._rules = rules
        self._declared = declared
        _label(self, declared.label)
        self.steps = tuple(step.label.id for step in declared.all_steps())
        self.actions = tuple(declared.places)

    def order(
        self,
        encounter: Mapping[str, object],
        seed: int | str | None = None,
        *,
        source: Source | None = None,
    ) -> Order:
        """Who acts when. `encounter` is that of schemas/encounter.schema.json.

        Rolls that it does not give come from a seed, or from a source with `randrange`; without either they are
        missing. Raises `FactsError` with everything that is wrong with the encounter, under its path, such as
        `actors.mage.does.cast.level`; `DiceError` for rolls that are missing, wrong, or of nobody; `OptionsError`.
        """
        from .encounter import read
        from .ordering import Ordering
        from .questions import answered
        from .reporting import order

        if seed is not None and source is not None:
            raise HouseruleError("give a seed or a source, not both")
        rules = self._rules
        asked = Asked(rules.program, self._declared)
        found = read(asked, encounter, rules.chosen_options)
        ordering = Ordering(rules.program, self._declared, found, _roller(seed, source))
        answered(ordering.run)
        return order(ordering)

    def __repr__(self) -> str:
        return f"Sequence({self.id!r})"

    id: str
    title: str
    note: str
    source: str


def due(rules: Rules, facts: GivenFacts, before: GivenFacts | None) -> DueTriggers:
    """The triggers that hold now and did not before; one that is due every round holds again."""
    now = checked(rules.program, facts, (), rules.chosen_options)
    then = None if before is None else _checked_before(rules, before)
    found: list[Due] = []
    entries: list[Entry] = []
    for trigger in rules.program.triggers.values():
        one, entry = _held(rules, trigger, now)
        if one and then is not None and not trigger.is_every_round and _held(rules, trigger, then)[0]:
            one, entry = None, changed(entry, status="does_not_apply", op="before")
        if one:
            found.append(one)
        entries.append(entry)
    root = Entry("triggers", "due", len(found), parts=tuple(entries))
    return DueTriggers(tuple(found), Trace(root, rules.program.origins))


def _checked_before(rules: Rules, before: GivenFacts) -> Checked:
    try:
        return checked(rules.program, before, (), rules.chosen_options)
    except FactsError as error:
        raise FactsError(
            Problem(each.code, f"before.{each.path}", f"before: {each.message}", each.fix) for each in error.problems
        ) from None


def _held(rules: Rules, trigger: rounds.Trigger, facts: Checked) -> tuple[Due | None, Entry]:
    lacking = [path_of(read) for read in sorted(_trigger_reads(rules.program, trigger))]
    lacking = [path for path in lacking if path not in facts]
    if lacking:
        return None, missing(trigger, tuple(lacking))
    return held(Evaluator(rules.program, facts, rules.chosen_options, []), trigger)


def _trigger_reads(program: Program, trigger: rounds.Trigger) -> Reads:
    from .program import expressions_of_effects

    adjusts = (each.value for each in trigger.adjusts)
    return Reader(program).of([trigger.when, *adjusts, *expressions_of_effects(trigger.effects)])


def _roller(seed: int | str | None, source: Source | None) -> Roller | None:
    if seed is not None:
        return Seeded(seed)
    return Drawn(source) if source is not None else None


def _label(thing: Action | Trigger | Sequence, label: Label) -> None:
    thing.id, thing.title, thing.note, thing.source = label.id, label.title, label.note, label.source
