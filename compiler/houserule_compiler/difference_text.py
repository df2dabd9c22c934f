"""A difference as text for a terminal and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from .acted import Acted
from .columns import columns
from .gives import Gives
from .gives_text import given_text
from .messages import difference as messages
from .one_sided import one_sided_lines
from .order_text import order_lines, order_markdown
from .percent import percent, percents
from .sheet_layout import escaped

if TYPE_CHECKING:
    from houserule.origins import Place

    from .compared import Change
    from .difference import Difference
    from .in_play import Effects, Searched, Witness
    from .playing_side import Answer

_LISTED = 40
_LONGEST, _LONGEST_ROWS = 60, 100
_KINDS = 6
_CELLS = 20
_OUTCOMES = 4
"""How many outcomes of a check are told in one situation: those that moved by the most."""


def as_text(found: Difference, lists_all: bool = False) -> str:
    """The difference as lines of plain text."""
    meant = [each for each in found.changes if each.kind != "reworded"]
    reworded = len(found.changes) - len(meant)
    if not meant:
        return messages.only_words(reworded) if reworded else messages.nothing(found.before, found.after)
    shown = found.changes if lists_all else meant[:_LISTED]
    lines = [f"{found.before} -> {found.after}", "", messages.CHANGED]
    lines += columns([_row(each) for each in shown]).split("\n")
    lines += [f"  {each}" for each in _left_out(found, len(shown), lists_all)]
    play = list(_play(found, lists_all))
    return "\n".join([*lines, *(["", messages.IN_PLAY, *(f"  {each}" for each in play)] if play else [])])


def _left_out(found: Difference, shown: int, lists_all: bool) -> Iterator[str]:
    meant = sum(each.kind != "reworded" for each in found.changes)
    if not lists_all and meant > shown:
        yield messages.more(meant - shown)
    if not lists_all and len(found.changes) > meant:
        yield messages.words(len(found.changes) - meant)


def _row(change: Change) -> tuple[str, ...]:
    value = f"{_cut(change.before)} -> {_cut(change.after)}" if change.before or change.after else ""
    if change.kind in ("added", "removed"):
        text = _cut(change.after or change.before, _LONGEST_ROWS if "[" in change.path else _LONGEST)
        value = f"{change.kind}: {text}" if text else change.kind
    places = [_place(each) for each in (change.before_place, change.after_place) if each]
    return f"  {change.path}", value, " -> ".join(dict.fromkeys(places))


def _place(place: Place) -> str:
    layer, file, line = place
    return f"{layer}, {file}:{line}"


def _cut(text: str, longest: int = _LONGEST) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _play(found: Difference, lists_all: bool) -> Iterator[str]:
    for each in found.searched:
        yield from searched_lines(each, (found.before, found.after), lists_all)
    for order in found.orders:
        yield from order_lines(order, (found.before, found.after))
    if found.answers:
        yield messages.answers(found.answers, found.after)


def searched_lines(searched: Searched, names: tuple[str, str], lists_all: bool = False) -> Iterator[str]:
    """What came of one number or check, a line for each kind of situation, and for what one side alone takes."""
    yield from _kinds(searched, lists_all)
    yield from (f"  {each}" for each in _only(searched, names))


def _only(searched: Searched, names: tuple[str, str]) -> Iterator[str]:
    # What a check gives is told below the check itself.
    return iter(()) if searched.kind == "gives" else one_sided_lines(searched.only, names)


def _kinds(searched: Searched, lists_all: bool) -> Iterator[str]:
    head = messages.subject(searched.kind, searched.after)
    if not searched.effects:
        yield from _same(searched, head)
        return
    yield messages.searched(head, searched.differing, searched.tried, searched.is_exhaustive, not searched.only)
    shown = searched.effects if lists_all else searched.effects[:_KINDS]
    for each in shown:
        yield f"  {answers(each.smallest)}"
        yield f"    {given(each.smallest)}"
        if each.largest:
            yield f"    {messages.up_to(answers(each.largest))}"
            yield f"      {given(each.largest)}"
    if len(shown) < len(searched.effects):
        yield f"  {messages.more_kinds(len(searched.effects) - len(shown))}"


def _same(searched: Searched, head: str) -> Iterator[str]:
    """That nothing differs; of what a check gives besides its outcome it is not said."""
    if searched.kind != "gives":
        yield messages.same(head, searched.tried, searched.is_exhaustive, not searched.only)


def given(witness: Witness) -> str:
    """What is given in a situation, as it is typed."""
    words = (f"{path}={_quoted(value)}" for path, value in witness.given)
    return " ".join(words) or messages.always()


def _quoted(value: str) -> str:
    return f"'{value}'" if "|" in value or not value else value


def answers(witness: Witness) -> str:
    """Both answers of a situation: a value and what it was, or the odds that differ and what they were."""
    before, after = witness.before, witness.after
    if isinstance(before, Acted) and isinstance(after, Acted):
        return messages.was_acted(_answer(after), _answer(before))
    if isinstance(before, Gives) and isinstance(after, Gives):
        return given_text(before, after)
    if not isinstance(before, tuple) or not isinstance(after, tuple):
        return messages.was(_answer(after), _answer(before))
    old, new = dict(before), dict(after)
    chances = [(word, new.get(word, Fraction(0)), old.get(word, Fraction(0))) for word in dict.fromkeys([*new, *old])]
    told = list(_moved([each for each in chances if each[1] != each[2]]))
    numbers = [messages.with_number(id, _answer(now), _answer(then)) for id, then, now in witness.numbers]
    return "; ".join(told) + (f" ({'; '.join(numbers)})" if numbers else "")


def _moved(chances: list[tuple[str, Fraction, Fraction]]) -> Iterator[str]:
    """The outcomes whose chances moved, in their order; those that moved by the most where they are many."""
    most = sorted(chances, key=lambda each: -abs(each[1] - each[2]))[:_OUTCOMES]
    for word, now, then in (each for each in chances if each in most):
        yield f"{word} {messages.was(*percents(now, then))}"
    if len(chances) > len(most):
        yield messages.more_outcomes(len(chances) - len(most))


def _answer(answer: Answer) -> str:
    if isinstance(answer, tuple):
        return ", ".join(f"{word} {percent(chance)}" for word, chance in answer)
    if isinstance(answer, Acted):
        return messages.acted(answer.word, answer.refused_by, answer.check, answer.follows, answer.is_every_round)
    return str(answer)


def as_markdown(found: Difference, lists_all: bool = False) -> str:
    """The difference as Markdown, with tables, for a comment below a pull request."""
    meant = [each for each in found.changes if each.kind != "reworded"]
    title = f"## {escaped(found.before)} → {escaped(found.after)}"
    if not meant:
        return f"{title}\n\n{as_text(found)}"
    shown = found.changes if lists_all else meant[:_LISTED]
    rows = [
        f"| {_code(each.path)} | {_side(each.before, each.before_place)} | {_side(each.after, each.after_place)} |"
        for each in shown
    ]
    parts = [title, "\n".join([messages.CHANGES_HEAD, "|---|---|---|", *rows])]
    parts += [escaped(each) for each in _left_out(found, len(shown), lists_all)]
    for each in found.searched:
        parts += _markdown_searched(each, lists_all)
        parts += map(escaped, _only(each, (found.before, found.after)))
    for order in found.orders:
        parts += order_markdown(order, (found.before, found.after))
    parts += [escaped(messages.answers(found.answers, found.after))] if found.answers else []
    return "\n\n".join(parts)


def _markdown_searched(searched: Searched, lists_all: bool) -> Iterator[str]:
    subject = messages.subject(searched.kind, searched.after)
    if not searched.effects:
        yield from map(escaped, _same(searched, subject))
        return
    head = (subject, searched.differing, searched.tried, searched.is_exhaustive, not searched.only)
    yield f"**{escaped(messages.searched(*head))}**"
    shown = searched.effects if lists_all else searched.effects[:_KINDS]
    rows = [row for each in shown for row in _markdown_rows(each)]
    yield "\n".join([messages.EFFECTS_HEAD, "|---|---|", *rows])
    if len(shown) < len(searched.effects):
        yield escaped(messages.more_kinds(len(searched.effects) - len(shown)))


def _markdown_rows(effects: Effects) -> Iterator[str]:
    yield f"| {escaped(answers(effects.smallest))} | {_code(given(effects.smallest))} |"
    if effects.largest:
        yield f"| {escaped(messages.up_to(answers(effects.largest)))} | {_code(given(effects.largest))} |"


def _side(text: str, place: Place | None) -> str:
    return " ".join(filter(None, [escaped(_cut(text)), f"({escaped(_place(place))})" if place else ""]))


def _code(text: str) -> str:
    """Code in a cell of a table, where a bar would end the cell."""
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"


def proof(searched: Searched, names: tuple[str, str], rulesets: tuple[str, str], lists_all: bool = False) -> str:
    """Whether two numbers are equal, or the cells in which they are not; and what one of two rulesets alone takes."""
    return "\n".join([_proof(searched, names, lists_all), *one_sided_lines(searched.only, rulesets)])


def _proof(searched: Searched, names: tuple[str, str], lists_all: bool) -> str:
    if not searched.cells:
        if not searched.is_exhaustive:
            return messages.not_proved(*names, searched.tried)
        return (messages.equal_where_shared if searched.only else messages.equal)(*names, searched.tried)
    shown = searched.cells if lists_all else searched.cells[:_CELLS]
    head = messages.unequal(*names, len(searched.cells), searched.differing, searched.tried, searched.is_exhaustive)
    rows = [(f"  {given(each)}", _answer(each.before), _answer(each.after)) for each in shown]
    left = len(searched.cells) - len(shown)
    return "\n".join(
        [head, columns([("", *names), *rows], lambda at: at > 0), *([f"  {messages.more(left)}"] if left else [])]
    )
