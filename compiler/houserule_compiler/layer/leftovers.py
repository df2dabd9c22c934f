"""Rows that were left over when a layer wrote other bands: the ends of old bands that its own no longer cover.

A layer bands a table anew where it writes at least two rows that follow each other, one of them a band. A single row,
or cells here and there, are patches: what they leave is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ..messages import layers as messages
from ..overlay import keys_text
from ..paths import Path
from ..rows import Band, Box, KeyType, Row
from .stated import Stated
from .work import Work


def leftovers(path: Path, laid: Sequence[tuple[Stated, Sequence[Row]]], kinds: Sequence[KeyType], work: Work) -> None:
    """Reports, for each layer that bands anew what stands below it, the parts of old rows that are left."""
    for at, (each, rows) in enumerate(laid):
        below = [row for other, found in laid[:at] if work.views.is_above(each, other) for row in found]
        left = sorted(set(_left(rows, below)))
        if left:
            shown = [keys_text(box, kinds) for box, _ in left]
            scalar = next(row.keys[-1].scalar for row in below if _is_part(left[0][0], row.box))
            work.found.append(messages.left_over_rows(path, each, shown, scalar))


def _left(rows: Sequence[Row], below: Sequence[Row]) -> Iterator[tuple[Box, Band]]:
    for above, members in _by_outer_keys(rows):
        run = [row.box[-1] for row in members]
        old = [row.box[-1] for row in below if row.box[:-1] == above]
        for low, high in _runs(run):
            for first, last in old:
                if first < low <= last and not _covered((first, low - 1), run):
                    yield (*above, (first, low - 1)), (first, last)
                if first <= high < last and not _covered((high + 1, last), run):
                    yield (*above, (high + 1, last)), (first, last)


def _by_outer_keys(rows: Sequence[Row]) -> Iterator[tuple[Box, list[Row]]]:
    ordered = sorted(rows, key=lambda row: row.box)
    for above, members in groupby(ordered, key=lambda row: row.box[:-1]):
        yield above, list(members)


def _runs(bands: Sequence[Band]) -> Iterator[Band]:
    """The stretches of at least two rows that follow each other, one of them a band."""
    held: list[Band] = []
    for band in [*sorted(bands), None]:
        if held and band is not None and band[0] <= held[-1][1] + 1:
            held.append(band)
            continue
        if len(held) > 1 and any(low != high for low, high in held):
            yield held[0][0], held[-1][1]
        held = [band] if band is not None else []


def _covered(band: Band, bands: Sequence[Band]) -> bool:
    return any(low <= band[0] and band[1] <= high for low, high in bands)


def _is_part(box: Box, whole: Box) -> bool:
    return all(low <= a and b <= high for (a, b), (low, high) in zip(box, whole, strict=True))
