"""What can be read in a step: the names of the steps that every way to it passes, against all ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from houserule_compiler.source import SourceFile, Span
from houserule_compiler.typecheck.names import Local
from houserule_compiler.typecheck.scope import Scope, common
from houserule_compiler.types import Boolean

PLACE = Span(SourceFile("checks.yaml", ""), 0, 0)
Ways = Mapping[int, Sequence[int]]


@st.composite
def procedures(draw: st.DrawFn) -> Ways:
    """For each step, numbered in order, the earlier ones that lead to it; all but the first have at least one."""
    count = draw(st.integers(1, 12))
    return {at: draw(st.lists(st.integers(0, at - 1), min_size=1, max_size=3, unique=True)) for at in range(1, count)}


def ways(leading: Ways, step: int) -> Iterator[frozenset[int]]:
    """Every way to a step, as the steps on it."""
    if step == 0:
        yield frozenset({0})
    for before in leading.get(step, ()):
        yield from (way | {step} for way in ways(leading, before))


def local(path: str) -> Local:
    return Local(path, Boolean(), PLACE)


def scopes(leading: Ways) -> dict[int, Scope]:
    """The scope of each step, with a die of its own."""
    made: dict[int, Scope] = {}
    for step in range(len(leading) + 1):
        made[step] = Scope(f"s{step}", common([made[each] for each in leading.get(step, ())]))
        for name in ("die", f"s{step}.die"):
            made[step].define(name, local(f"s{step}.die"))
    return made


@given(procedures())
def test_what_every_way_passes_is_known(leading: Ways) -> None:
    for step, scope in scopes(leading).items():
        always = frozenset.intersection(*ways(leading, step))
        for other in range(len(leading) + 1):
            assert (f"s{other}.die" in scope) is (other in always)


@given(procedures())
def test_names_listed_are_names_found(leading: Ways) -> None:
    for step, scope in scopes(leading).items():
        assert set(scope) == {"die", *(f"s{each}.die" for each in frozenset.intersection(*ways(leading, step)))}
        assert len(scope) == len(set(scope))
        assert scope["die"].path == f"s{step}.die", "a bare name is of the step itself"


def test_a_case_sees_its_step_and_not_another_case() -> None:
    step = Scope("wall")
    step.define("die", local("wall.die"))
    one, other = Scope("wall", step), Scope("wall", step)
    one.define("extra", local("wall.extra"))
    assert "die" in one
    assert "extra" not in other
    assert "extra" not in step


def test_what_follows_sees_the_bare_names_of_a_step_without_id() -> None:
    step = Scope("")
    step.define("d20", local("d20"))
    assert "d20" in Scope("hit", step)
    named = Scope("wall")
    named.define("d20", local("wall.d20"))
    assert "d20" not in Scope("hit", named)


def test_nothing_in_common() -> None:
    assert common([]) is None
    assert common([Scope("one"), Scope("two")]) is None
