"""What the odds of a check follow from beside its dice: the largest parts of its expressions that read no die."""

from __future__ import annotations

from .batch_expressions import Maker, Place
from .batch_questions import DOUBT, question_of
from .errors import UnusualError
from .expression import Known, Local, NumberRead, parts
from .nesting import expressions_of_step
from .program import DiceTerm, OptionRead
from .reads import reads_locals, seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .batch_code import Mask, Ref
    from .batch_expressions import Adjusts
    from .batch_questions import Given, Question
    from .evaluate import Value
    from .expression import Binding, Expr
    from .program import Check, Program


def leaves_question(
    program: Program, options: Mapping[str, Value], check: Check, given: Given, playing: frozenset[str]
) -> Question:
    """The code of all leaves of a check. Raises `UnusualError` where they have no form as columns."""
    maker = Maker(program, options, given)
    doubt: Mask = False
    found: dict[tuple[Ref, Mask], None] = {}
    for expr, place in _leaves(maker, check, (), ()):
        dice = maker.dice(maker.found(expr, place))
        for each in (dice.low, dice.high, dice.constant):
            found[each.ref, each.unknown] = None
            doubt = maker.code.either(doubt, each.doubt)
    outputs: dict[str, Ref] = {DOUBT: doubt}
    for at, (ref, unknown) in enumerate(found):
        outputs |= {f"leaf {at}": ref, f"no leaf {at}": unknown}
    return question_of(maker, outputs, None, playing)


def _leaves(maker: Maker, check: Check, binding: Binding, adjusts: Adjusts) -> Iterator[tuple[Expr, Place]]:
    place = Place(binding, "", None, frozenset(), adjusts)
    for step in check.steps.values():
        for expr in expressions_of_step(step):
            yield from ((each, place) for each in _parts(maker.program, expr))
        if step.call:
            yield from _called(maker, step.call, place)


def _called(maker: Maker, call: object, place: Place) -> Iterator[tuple[Expr, Place]]:
    from .program import Call

    assert isinstance(call, Call)
    added = list(place.adjusts)
    for each in call.adjusts:
        if _reads_dice(maker.program, each.value):
            raise UnusualError
        added.append((each.number, each.op, each.round, maker.value(each.value, place)))
    called = maker.program.checks[call.check]
    yield from _leaves(maker, called, seat(place.binding, call.seats), tuple(added))


def _parts(program: Program, expr: Expr) -> Iterator[Expr]:
    """The largest parts of an expression that read no die or value; of numbers that do, what they read."""
    if isinstance(expr, int | DiceTerm | OptionRead | Local):
        return
    if not _reads_dice(program, expr):
        yield expr
    elif isinstance(expr, NumberRead):
        # What such a number reads beside dice would have to be followed through its modifiers.
        raise UnusualError
    else:
        for each in parts(expr):
            yield from _parts(program, each)


def _reads_dice(program: Program, expr: Expr) -> bool:
    if isinstance(expr, Local) or (isinstance(expr, Known) and expr.read[0] == "local"):
        return True
    if isinstance(expr, NumberRead):
        return reads_locals(program, expr.id)
    return any(_reads_dice(program, each) for each in parts(expr))
