"""Regions against a brute force over small grids, and the time that large tables take."""

from __future__ import annotations

import itertools
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from houserule_compiler import regions as module
from houserule_compiler.regions import Area, Gap, Index, Overlap, Unreachable, regions

KEYS = ((0, 4), (-1, 3), (2, 3))


def find(index: Index, keys: tuple[int, ...]) -> int:
    """What a runtime does with an index."""
    for key in keys:
        assert isinstance(index, dict)
        then = index["then"]
        assert isinstance(then, list)
        if "from" in index:
            assert isinstance(index["from"], int)
            index = then[key - index["from"]]
        else:
            starts = index["starts"]
            assert isinstance(starts, list)
            index = then[max(i for i, start in enumerate(starts) if start is None or start <= key)]
    assert isinstance(index, int)
    return index


def holds(row: Area, rows: list[Area], point: tuple[int, ...]) -> bool:
    """Whether a row covers a point, straight from the definition."""
    for level, value in enumerate(point):
        bands = row.bands[level]
        if bands is None and row.whole[level]:
            continue
        siblings = [r for r in rows if r.bands[:level] == row.bands[:level] and r.whole[:level] == row.whole[:level]]
        named = any(
            r.whole[level] if r.bands[level] is None else any(a <= value <= b for a, b in r.bands[level])
            for r in siblings
        )
        if bands is None and named:
            return False
        if bands is not None and not any(a <= value <= b for a, b in bands):
            return False
    return True


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[tuple[int, int], ...], list[Area]]:
    count = draw(st.integers(1, 3))
    ends = st.integers(-2, 5)
    band = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))
    column = st.one_of(st.none(), st.lists(band, min_size=1, max_size=2).map(tuple))
    rows = []
    for _ in range(draw(st.integers(0, 7))):
        bands = list(draw(st.tuples(*[column] * count)))
        whole = [False] * count
        if bands[-1] is None and draw(st.booleans()):
            whole[-1] = True
        rows.append(Area(tuple(bands), tuple(whole)))
    return KEYS[:count], rows


@settings(max_examples=400, deadline=None)
@given(tables())
def test_agrees_with_brute_force(table: tuple[tuple[tuple[int, int], ...], list[Area]]) -> None:
    keys, rows = table
    decision = regions(keys, rows)
    points = list(itertools.product(*(range(low, high + 1) for low, high in keys)))
    covering = {point: [i for i, row in enumerate(rows) if holds(row, rows, point)] for point in points}
    winners = {found[0] for found in covering.values() if found}
    bare = {point for point, found in covering.items() if not found}
    assert {each.row for each in decision.unreachable} == set(range(len(rows))) - winners
    assert bool(decision.gaps) == bool(bare)
    if bare:
        assert decision.gaps[0].witness == min(bare)
        assert all(each.witness in bare for each in decision.gaps)
    else:
        assert decision.index is not None
        assert all(find(decision.index, point) == found[0] for point, found in covering.items())
    for each in decision.overlaps:
        assert each.witness == min(p for p, found in covering.items() if found[1:2] == [each.second])
        assert covering[each.witness][0] == each.first
    seconds = {found[1] for found in covering.values() if len(found) > 1}
    assert {each.second for each in decision.overlaps} == seconds & winners


def one(*bands: tuple[int, int] | None, whole: bool = False) -> list[Area]:
    return [Area((None if band is None else (band,),), (whole and band is None,)) for band in bands]


def test_a_clean_table_is_dense_when_short() -> None:
    decision = regions([(1, 4)], one((1, 2), (3, 4)))
    assert decision.index == {"from": 1, "then": [0, 0, 1, 1]}
    assert not decision.gaps + decision.overlaps + decision.unreachable


def test_bands_are_kept_when_long_or_open() -> None:
    top = 2**53 - 1
    decision = regions([(-top, top)], one((-top, 0), (1, 15), (16, top)))
    assert decision.index == {"starts": [None, 1, 16], "ends": None, "then": [0, 1, 2]}


def test_the_gap_names_the_row_before_it() -> None:
    assert regions([(1, 9)], one((1, 4), (8, 9))).gaps == (Gap(((5, 7),), 0),)
    assert regions([(1, 9)], one((3, 9))).gaps == (Gap(((1, 2),), None),)


def test_a_missing_outer_key_is_one_gap() -> None:
    rows = [Area((((0, 0),), ((1, 9),))), Area((((2, 2),), ((1, 9),)))]
    assert regions([(0, 2), (1, 9)], rows).gaps == (Gap(((1, 1), (1, 9)), 0),)


def test_overlapping_bands() -> None:
    assert regions([(0, 99)], one((0, 5), (6, 25), (25, 99))).overlaps == (Overlap(1, 2, (25,)),)


def test_otherwise_takes_what_is_left_under_its_own_key() -> None:
    rows = [
        Area((((0, 0),), ((1, 3),)), (False, False)),
        Area((((0, 0),), None), (False, False)),
        Area((((1, 1),), None), (False, True)),
    ]
    decision = regions([(0, 1), (1, 5)], rows)
    assert decision.index == {"from": 0, "then": [{"from": 1, "then": [0, 0, 0, 1, 1]}, {"from": 1, "then": [2] * 5}]}


def test_rows_that_never_hold() -> None:
    assert regions([(1, 5)], one((1, 5), (9, 9))).unreachable == (Unreachable(1, outside=0),)
    assert regions([(1, 5)], one((1, 5), None)).unreachable == (Unreachable(1),)
    assert regions([(1, 5)], one((1, 2), (3, 5), (2, 4))).unreachable == (Unreachable(2, covered_by=(0, 1)),)


def test_ten_thousand_rows_are_quick_and_linear() -> None:
    """Not a benchmark: a quadratic sweep would take minutes."""
    start = time.process_time()
    decision = regions([(0, 99_999)], one(*((i * 10, i * 10 + 9) for i in range(10_000))))
    assert isinstance(decision.index, dict)
    assert len(decision.index["starts"]) == 10_000  # type: ignore[arg-type]
    grid = [Area((((i, i),), ((j, j),), ((0, 4),))) for i in range(100) for j in range(100)]
    assert regions([(0, 99), (0, 99), (0, 4)], grid).index is not None
    assert time.process_time() - start < 5


def test_a_tangled_table_is_given_up() -> None:
    rows = [Area((((i, 5_000),), ((i, 5_000),))) for i in range(3_000)]
    decision = regions([(0, 5_000), (0, 5_000)], rows)
    assert not decision.is_settled
    assert decision.index is None
    assert module.VISITS == 2_000_000
