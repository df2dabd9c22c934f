"""Examples of actions, triggers and sequences: every expectation is tried, and one that is unknown is an error."""

from __future__ import annotations

import pytest

from houserule_compiler.cases import Block, Section
from houserule_compiler.diagnostics import Diagnostic
from houserule_compiler.pipeline import try_examples
from literate import compiled
from rounds import RULES

PAIR = "round: 2, sides: {party: {}, foes: {}}, facts: {keen: party}, rolls: {party: 5, foes: 2}"
ACTORS = "a: {side: party, nimble: 0, does: {strike: {foe: b}}}, b: {side: foes, nimble: 0, does: {cast: {foe: a}}}"
ORDER = "order: [speak: b begin, blows: a blow, spells: b effect]"


def tried(*examples: str) -> list[tuple[Diagnostic, ...]]:
    """What is wrong with each of some examples of the rules of `rounds`."""
    text = f"{RULES}examples:\n" + "".join(f"  e{at}: {example}\n" for at, example in enumerate(examples))
    found = compiled(Section("", "", (Block("yaml", "ruleset.yaml", text, 0, 0),)))
    assert found.artifact is not None, found.diagnostics
    return [each.diagnostics for each in try_examples(found).results]


def clash(expect: str, more: str = "") -> str:
    return f"{{sequence: clash, {PAIR}, actors: {{{ACTORS}}}{more}, expect: {{{expect}}}}}"


PASSING = [
    "{action: strike, expect: {value: true}}",
    "{action: strike, given: {hitter.pinned: true}, expect: {value: false}}",
    "{action: strike, given: {hitter.pinned: true, hit.reach: long}, expect: {refused: same_reach}}",
    "{action: shove, given: {hitter.weak: unknown}, expect: {refused: strong}}",
    "{trigger: wavering, given: {hit.pinned: true}, expect: {value: true, nerve: 2}}",
    "{trigger: stuck, given: {mud: false, hitter.blows: 2}, expect: {value: false}}",
    "{trigger: stuck, given: {hitter.blows: 2}, expect: {refused: missing-fact}}",
    "{trigger: raving, given: {hitter.mad: true}, expect: {effects: {hitter.casting: false, shouted: true}}}",
    clash(ORDER),
    clash("order: [speak: b begin, blows: a  blow, spells: b effect spoiled]", ", happened: {a blow: hurt}"),
    clash("may_spoil: {b effect: [a blow]}, left_out: {}, carried: [], calls: {}"),
    clash("effects: {b.casting: false, lost: {who: b, level: 1}}", ", happened: {a blow: [dazed, hurt]}"),
    f"{{sequence: clash, {PAIR}, actors: {{a: {{side: foes, nimble: 0, does: {{fly: {{}}}}}}}},"
    " expect: {refused: actors.a.does.fly}}",
    "{sequence: clash, sides: {party: {}}, facts: {keen: party}, actors: {}, expect: {calls: {open: [morale, dash]}}}",
]
FAILING = [
    ("{action: strike, expect: {value: false}}", ["example-fails"]),
    ("{action: strike, given: {hitter.pinned: true}, expect: {value: true}}", ["example-fails"]),
    ("{action: strike, given: {hitter.pinned: true}, expect: {refused: same_reach}}", ["example-fails"]),
    ("{action: strike, expect: {refused: free}}", ["example-fails"]),
    ("{action: strike, expect: {allowed: true}}", ["unknown-expectation"]),
    ("{action: strike, given: {hitter.pined: true}, expect: {value: true}}", ["example-cannot-run"]),
    ("{action: strike, expect: {}}", ["nothing-expected"]),
    ("{trigger: wavering, given: {hit.pinned: true}, expect: {value: false}}", ["example-fails"]),
    ("{trigger: wavering, given: {hit.pinned: true}, expect: {nerve: -2}}", ["example-fails"]),
    ("{trigger: wavering, given: {hit.pinned: false}, expect: {nerve: 2}}", ["unknown-expectation"]),
    ("{trigger: stuck, given: {hitter.blows: 2}, expect: {value: false}}", ["example-cannot-run"]),
    ("{trigger: wavering, given: {hit.pinned: true}, expect: {refused: hit.pinned}}", ["example-fails"]),
    (clash("order: [speak: b begin, spells: b effect, blows: a blow]"), ["example-fails"]),
    (clash("order: [speak: b begin, blows: a blow]"), ["example-fails"]),
    (clash("order: [speak: b begin, blows: a blow, spells: b effect, end: a rush]"), ["example-fails"]),
    (clash("order: [speak: b begin, blows: a blow, spells: b effect spoiled]"), ["example-fails"]),
    (clash("left_out: {a strike: who}"), ["example-fails"]),
    (clash("carried: [b effect]"), ["example-fails"]),
    (clash("may_spoil: {}"), ["example-fails"]),
    (clash("may_spoil: {b effect: [a blow], b begin: [a blow]}"), ["example-fails"]),
    (clash("calls: {open: morale}"), ["example-fails"]),
    (clash("effects: {b.casting: false}"), ["unknown-expectation"]),
    (clash("effects: {b.casting: true}", ", happened: {a blow: hurt}"), ["example-fails"]),
    (clash("value: 3"), ["unknown-expectation"]),
    (clash(ORDER, ", happened: {a blo: hurt}"), ["example-cannot-run"]),
    (clash("refused: rolls.party"), ["example-fails"]),
    (clash(ORDER, ", after: e26"), ["example-cannot-run"]),
    (clash(ORDER, ", after: e0"), ["example-cannot-run"]),
    (clash(ORDER).replace("party: 5, ", ""), ["example-cannot-run"]),
]  # fmt: skip


def test_examples_that_pass() -> None:
    assert [each[0].headline if each else "" for each in tried(*PASSING)] == [""] * len(PASSING)


def test_examples_that_fail() -> None:
    found = tried(*(example for example, _ in FAILING))
    wrong = [
        (example, codes, [each.code for each in problems])
        for (example, codes), problems in zip(FAILING, found, strict=True)
        if sorted(each.code for each in problems) != sorted(codes)
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("example", "underlined"),
    [
        (clash("order: [speak: b begin, blows: a blov, spells: b effect]"), "a blov"),
        (clash("left_out: {a strike: who}"), "a strike"),
        (clash("carried: [b effect]"), "[b effect]"),
        (clash(ORDER).replace("{cast: {foe: a}}", "{cast: {foe: c}}"), "foe"),
        (clash(ORDER).replace("party: 5", "party: 7"), "party"),
        (clash(ORDER, ", happened: {a blo: hurt}"), "a blo"),
    ],
)
def test_what_is_wrong_is_underlined_where_it_is_mended(example: str, underlined: str) -> None:
    ((problem,),) = tried(example)
    span = problem.labels[0].span
    assert span.text == underlined
    assert len(problem.headline) < 110


def test_a_round_comes_after_another_with_what_was_carried() -> None:
    first = clash("carried: [b effect]").replace("{cast: {foe: a}}", "{cast: {level: 9, foe: a}}")
    second = (
        f"{{sequence: clash, after: e0, {PAIR.replace('round: 2, ', '')}, actors: {{{ACTORS}}}, "
        "expect: {order: [blows: a blow, end: b effect], left_out: {b cast: busy}, may_spoil: {b effect: [a blow]}}}"
    )
    assert tried(first, second) == [(), ()]
