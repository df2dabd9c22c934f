"""A number or a check that is asked in every cell of a grid, and its answers: the one place that evaluates them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from houserule.errors import DiceError, FactsError, HouseruleError, Problem, TooLargeError
from houserule.facts import checked, path_of
from houserule.reads import Reader

from .asked_columns import CHUNK, LEAST, can_batch, chances, numbers
from .means import Mean, mean
from .messages import sweep as messages
from .messages import use
from .ranges import declared

if TYPE_CHECKING:
    from houserule import Odds, Rules
    from houserule.expression import Read
    from houserule.program import Program

    from .grid import Grid
    from .ranges import Value

Kind: TypeAlias = Literal["number", "check"]
Answer: TypeAlias = "int | Fraction | str | tuple[Fraction, ...] | Mean | Unanswered"
"""The value of a number, the chances of outcomes, the outcome that dice give, a mean, or why there is none."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A cell without an answer: what is impossible there, or not known, or a die that is not rolled."""

    reason: HouseruleError


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of one ruleset. `outcomes` are those of a check whose chances count; `dice` are given, or none.

    `of` is the die or value of a check whose mean is asked, or nothing.
    """

    name: str
    rules: Rules
    kind: Kind
    id: str
    outcomes: tuple[str, ...] = ()
    dice: Mapping[str, int | list[int]] | None = None
    of: str = ""

    @property
    def program(self) -> Program:
        """What the ruleset holds."""
        return self.rules.program

    @property
    def reads(self) -> frozenset[Read]:
        """What it reads of the facts."""
        return self.rules.reads_of_number(self.id) if self.kind == "number" else self.rules.reads_of_check(self.id)

    def knows(self, path: str) -> bool:
        """Whether the ruleset has a fact of that path that may be given."""
        return declared(self.program, path) is not None

    def refusal(self, path: str) -> Problem:
        """Why a fact that the ruleset does not know may not be given."""
        try:
            self.rules.facts({path: ""})
        except FactsError as error:
            return error.problems[0]
        raise AssertionError(path)

    def answers(self, grid: Grid) -> Iterator[Answer]:
        """The answer in each cell of a grid, in its order: by columns where that is quicker, else cell by cell."""
        paths = [each.path if self.knows(each.path) else "" for each in grid.axes]
        facts = {path: value for path, value in grid.fixed.items() if self.knows(path)}
        is_plain = all(not isinstance(_one(each), list | dict) for each in facts.values())
        is_many = grid.count >= LEAST[self.kind] and self.dice is None and not self.of
        by_columns = is_many and is_plain and can_batch(self.rules)
        ask = self.by_columns if by_columns else self.one_by_one
        refused, cells = self._refusals(facts, paths), grid.cells()
        while chunk := list(islice(cells, CHUNK[self.kind])):
            verdicts = [refused(cell) for cell in chunk]
            answers = ask(facts, paths, [cell for cell, verdict in zip(chunk, verdicts, strict=True) if not verdict])
            for verdict in verdicts:
                yield verdict or next(answers)

    def _refusals(
        self, facts: Mapping[str, object], paths: Sequence[str]
    ) -> Callable[[tuple[Value, ...]], Unanswered | None]:
        """Tells which cells are impossible. Few facts decide that, and each combination of them is looked at once."""
        situations = [each.when for each in self.program.impossible.values()]
        deciding = {path_of(read) for read in Reader(self.program).of(situations)}
        axes = [(at, path) for at, path in enumerate(paths) if path in deciding]
        known: dict[tuple[Value, ...], Unanswered | None] = {}

        def refused(cell: tuple[Value, ...]) -> Unanswered | None:
            key = tuple(cell[at] for at, _ in axes)
            if key not in known:
                given = {path: cell[at] for at, path in enumerate(paths) if path}
                known[key] = self._refused({**facts, **given})
            return known[key]

        return refused

    def _refused(self, facts: dict[str, object]) -> Unanswered | None:
        try:
            checked(self.program, facts, self.reads, self.rules.chosen_options)
        except FactsError as error:
            problems = [each for each in error.problems if each.code == "impossible"]
            return Unanswered(FactsError(problems)) if problems else None
        return None

    def by_columns(
        self, facts: Mapping[str, object], paths: Sequence[str], cells: Sequence[tuple[Value, ...]]
    ) -> Iterator[Answer]:
        """The answers of some cells all at once; what has none that way is asked by itself."""
        columns = {path: list(column) for path, column in zip(paths, zip(*cells, strict=True), strict=True) if path}
        given = {**{path: _one(value) for path, value in facts.items()}, **columns}
        if self.kind == "number":
            found: Sequence[Answer | None] | None = numbers(self.rules, self.id, given)
        else:
            found = chances(self.rules, self.id, self.outcomes, given)
        for cell, answer in zip(cells, found or [None] * len(cells), strict=True):
            if answer is None:
                yield from self.one_by_one(facts, paths, [cell])
            else:
                yield answer

    def one_by_one(
        self, facts: Mapping[str, object], paths: Sequence[str], cells: Iterable[tuple[Value, ...]]
    ) -> Iterator[Answer]:
        """The answers of some cells, each asked by itself; an axis without a path is left out."""
        ask, given = self._ask(), dict(facts)
        axes = [(at, path) for at, path in enumerate(paths) if path]
        for values in cells:
            for at, path in axes:
                given[path] = values[at]
            try:
                yield ask(given)
            except (FactsError, DiceError, TooLargeError) as reason:
                yield Unanswered(reason)

    def _ask(self) -> Callable[[dict[str, object]], Answer]:
        if self.kind == "number":
            return self.rules.number(self.id).value
        check, dice, outcomes, of = self.rules.check(self.id), self.dice, self.outcomes, self.of
        if of:
            return lambda facts: _mean(check.odds(facts, of))
        if dice is not None:
            return lambda facts: check.resolve(facts, dice).outcome

        def chances(facts: dict[str, object]) -> tuple[Fraction, ...]:
            odds = check.odds(facts)
            return tuple(odds[each] for each in outcomes)

        return chances


def _one(value: object) -> object:
    """A fixed value as it stands in no column: words of a set would be taken for those of the rows."""
    return frozenset(value) if isinstance(value, list) and all(isinstance(each, str) for each in value) else value


def _mean(odds: Odds) -> Mean:
    found = mean(odds.items())
    if found is None:
        raise messages.no_mean(odds.of)
    return found


def asked(
    rules: Rules, name: str, word: str, outcome: str, dice: Mapping[str, int | list[int]] | None, of: str = ""
) -> Asked:
    """What a word of the command line asks of a ruleset: `thac0`, or `checks.morale` where a number is called so too.

    WrongUse where there is no such number or check, or where it has no use for an outcome or dice.
    """
    section, dot, rest = word.partition(".")
    id = rest if dot and section in _SECTIONS else word
    in_section = section if id != word else ""
    is_number = id in rules.numbers and in_section != "checks"
    is_check = id in rules.checks and in_section != "numbers"
    if is_number and is_check and not outcome and dice is None:
        raise messages.number_and_check(id)
    if is_check:
        return replace(_check(rules, name, id, outcome, dice), of=of)
    if not is_number:
        raise use.unknown_definition(id, *_known(rules, in_section), name)
    if outcome or of or dice is not None:
        raise messages.of_a_check("--outcome" if outcome else "--of" if of else "--dice", id)
    return Asked(name, rules, "number", id)


def _known(rules: Rules, section: str) -> tuple[str, list[str]]:
    """What could have been asked, and the names of it."""
    known = {"numbers": list(rules.numbers), "checks": list(rules.checks)}
    kinds = {"numbers": "number", "checks": "check", "": "number or check"}
    return kinds[section], known.get(section, [*known["numbers"], *known["checks"]])


_SECTIONS = ("numbers", "checks")


def _check(rules: Rules, name: str, id: str, outcome: str, dice: Mapping[str, int | list[int]] | None) -> Asked:
    if outcome and dice is not None:
        raise messages.dice_and_outcome()
    outcomes = rules.check(id).outcomes
    if outcome and outcome not in outcomes:
        raise messages.no_outcome(outcome, outcomes, id)
    return Asked(name, rules, "check", id, (outcome,) if outcome else outcomes, dice)
