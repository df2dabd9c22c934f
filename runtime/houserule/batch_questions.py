"""The code of one question, for the facts and dice that columns are given of, and what its outputs mean."""

from __future__ import annotations

from .batch_checks import CheckSteps, Run
from .batch_expressions import Maker, Place
from .errors import UnusualError
from .facts import path_of
from .reads import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass

    from .batch_checks import Follows, RolledDie
    from .batch_code import Assembled, Ref
    from .batch_vectors import Vector
    from .evaluate import Value
    from .expression import Read
    from .program import Program

    Given = Mapping[str, bool]
    """Of each fact or die that a column holds, whether the column lacks something in some rows."""
else:
    from .records import dataclass

OUTCOME, UNKNOWN_ROWS, DOUBT = "outcome", "unknown", "doubt"


@dataclass(frozen=True, slots=True)
class Question:
    """Code that answers something: which variable holds each fact and die, and what is impossible, by id."""

    code: Assembled
    facts: Mapping[str, str]
    dice: Mapping[str, RolledDie]
    given_dice: Mapping[str, str]
    effects: tuple[Follows, ...]
    impossible: tuple[str, ...]


def number_question(
    program: Program, options: Mapping[str, Value], id: str, given: Given, playing: frozenset[str], applied: bool
) -> Question:
    """The code of a number. Raises `UnusualError` where it has no form as columns."""
    maker, declared = Maker(program, options, given), program.numbers[id]
    if declared.type.kind == "fraction":
        raise UnusualError
    maker.asked, maker.applied = id, {} if applied else None
    place = Place().seated(declared.seats)
    lacking = [maker.code.inverted(maker.known(read, place)) for read in declared.needs]
    value = maker.number(id, Place())
    outputs = _outputs(maker, value, *lacking)
    outputs |= {f"applied {each}": mask for each, mask in (maker.applied or {}).items()}
    return question_of(maker, outputs, None, playing)


def check_question(
    program: Program,
    options: Mapping[str, Value],
    id: str,
    given: Given,
    dice: dict[str, bool],
    playing: frozenset[str],
    values: frozenset[str],
    effects: bool,
) -> Question:
    """The code of a check with given dice. `values` are the paths that are wanted."""
    maker = Maker(program, options, given)
    run = Run(maker, dice)
    steps = CheckSteps(run, program.checks[id], (), (), "")
    outcome = steps.followed(True, True)
    # Where a die may be left out, the evaluator of single situations tells what is unknown from what is damaged.
    doubt = maker.code.either(run.doubt, run.unknown if run.may_lack else False)
    outputs = {OUTCOME: outcome.ref, UNKNOWN_ROWS: run.unknown, DOUBT: doubt}
    for path in sorted(values & steps.locals.keys()):
        found = steps.locals[path]
        outputs |= {f"value {path}": _plain(found), f"known {path}": maker.code.inverted(found.unknown)}
    outputs |= {f"wrong {path}": each.wrong for path, each in run.dice.items()}
    for at, each in enumerate(run.effects if effects else ()):
        outputs[f"follows {at}"] = each.where
        outputs |= {f"follows {at} {place}": _plain(value) for place, value in enumerate(each.values)}
    return question_of(maker, outputs, run, playing)


def _outputs(maker: Maker, value: Vector, *lacking: Ref) -> dict[str, Ref]:
    unknown = maker.code.either(value.unknown, *lacking)  # type: ignore[arg-type]
    return {OUTCOME: _plain(value), UNKNOWN_ROWS: unknown, DOUBT: value.doubt}


def _plain(value: Vector) -> Ref:
    """The integers of a value; a fraction has no column."""
    if value.over != 1:
        raise UnusualError
    return value.ref


def question_of(maker: Maker, outputs: dict[str, Ref], run: Run | None, playing: frozenset[str]) -> Question:
    """The question of some outputs, and of what is impossible among those who take part."""
    impossible = _impossible(maker, playing)
    outputs |= {f"impossible {id}": mask for id, mask in impossible.items()}
    code = maker.code.assembled(outputs)
    effects = tuple(run.effects if run else ())
    return Question(code, maker.facts, run.dice if run else {}, run.names if run else {}, effects, tuple(impossible))


def _impossible(maker: Maker, playing: frozenset[str]) -> dict[str, Ref]:
    """Where situations are impossible, among the roles that take part and the facts that are there."""
    found: dict[str, Ref] = {}
    for id, situation in maker.program.impossible.items():
        reads = Reader(maker.program).of([situation.when])
        if any(read[0] == "field" and read[1] not in playing for read in reads) or not _are_there(maker, reads):
            continue
        mask, asked = maker.mask(situation.when, Place())
        known = [maker.known(read, Place()) for read in situation.needs]
        if asked.doubt is not False:
            raise UnusualError
        found[id] = maker.code.both(*known, mask, maker.code.inverted(asked.unknown))
    return found


def _are_there(maker: Maker, reads: frozenset[Read]) -> bool:
    """Whether facts are given, have a default, or may be unknown."""
    for read in reads:
        field = maker.declared(read, Place())[1]
        if path_of(read) not in maker.given and field.default is None and not field.is_optional:
            return False
    return True
