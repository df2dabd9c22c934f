"""What an author meant where the tokens of a scalar break the grammar: one diagnostic for each `Failure`.

`FAMILIAR` holds the readings that have a message of their own, the surest first; when none fits, the message says what
was expected and what stands there. Characters that begin no token are read in `unreadable`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .diagnostics import Diagnostic
from .messages import expression as messages
from .messages import operators
from .messages.expression import Subject, Wanted
from .operators import foreign
from .source import Span
from .tokens import Placed

COMPARISONS = frozenset({"EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST"})
ENDS_CLAUSE = frozenset({"OR", "AND", "NOT", "IF", "THEN", "ELSE", "_COMMA", "BETTER", "WORSE", "IS"})
BEGINS_VALUE = frozenset({"INTEGER", "BOOLEAN", "DICE", "INHERITED", "NAME", "DOTTED", "OPEN", "IF", "NOT"})


@dataclass(frozen=True)
class Failure:
    """Tokens of which the one at `at` cannot stand there (or, past the last, the end), and what may."""

    subject: Subject
    tokens: Sequence[Placed]
    at: int
    accepts: frozenset[str]

    @property
    def found(self) -> Placed | None:
        """The token that cannot stand there; None for the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def kind(self) -> str:
        """The kind of `found`; empty for the end."""
        return self.found.type if self.found else ""

    @property
    def before(self) -> Placed | None:
        """The token before it."""
        return self.tokens[self.at - 1] if self.at else None

    @property
    def span(self) -> Span:
        """The place of `found`; at the end, the place after the last token."""
        if self.found:
            return self.found.span
        last = self.tokens[-1]
        return last.scalar.part(last.end, last.end)

    @property
    def wants_value(self) -> bool:
        """Whether a value may stand there, and so no operator."""
        return "INTEGER" in self.accepts

    @cached_property
    def brackets(self) -> list[int]:
        """Which tokens before it are parentheses still open, the outermost first."""
        opened: list[int] = []
        for at, token in enumerate(self.tokens[: self.at]):
            if token.type == "OPEN":
                opened.append(at)
            elif token.type == "CLOSE" and opened:
                opened.pop()
        return opened

    @cached_property
    def clause(self) -> list[Placed]:
        """The tokens before it back to `and`, `or`, a comma, or the parenthesis that it stands in."""
        found: list[Placed] = []
        depth = 0
        for token in reversed(self.tokens[: self.at]):
            depth += (token.type == "CLOSE") - (token.type == "OPEN")
            if depth < 0 or (not depth and token.type in ENDS_CLAUSE):
                break
            found.append(token)
        return found[::-1]

    @cached_property
    def comparison(self) -> int | None:
        """Where in `clause` its comparison or `in` is."""
        depth = 0
        for at, token in enumerate(self.clause):
            depth += (token.type == "OPEN") - (token.type == "CLOSE")
            if not depth and (token.type in COMPARISONS or token.type == "IN"):
                return at
        return None

    @property
    def is_in_list(self) -> bool:
        """Whether what stands there is right of `in`, perhaps in parentheses."""
        if self.comparison is not None:
            return self.clause[self.comparison].type == "IN"
        return self.opens_after_in

    @property
    def opens_after_in(self) -> bool:
        """Whether the parenthesis that it stands in comes straight after `in`."""
        return bool(self.brackets and self.brackets[-1] and self.tokens[self.brackets[-1] - 1].type == "IN")

    def rest(self) -> list[Placed]:
        """The tokens after it, up to where its clause ends."""
        found: list[Placed] = []
        depth = 0
        for token in self.tokens[self.at + 1 :]:
            depth += (token.type == "OPEN") - (token.type == "CLOSE")
            if depth < 0 or (not depth and token.type in ENDS_CLAUSE):
                break
            found.append(token)
        return found


def mistake(failure: Failure) -> Diagnostic:
    """The diagnostic of this failure."""
    for reading in FAMILIAR:
        found = reading(failure)
        if found:
            return found
    return _expected(failure)


def written(tokens: Sequence[Placed]) -> str:
    """Neighbouring tokens as the author wrote them, on one line."""
    return " ".join(tokens[0].scalar.text[tokens[0].start : tokens[-1].end].split()) if tokens else ""


def _operator_of_others(failure: Failure) -> Diagnostic | None:
    found, before = failure.found, failure.before
    if found is None:
        return None
    if found.type == "NOT" and before and not failure.wants_value and _next_is(failure, "IN"):
        both = found.span.to(failure.tokens[failure.at + 1].span)
        return operators.not_in(written(failure.clause), both)
    return foreign(found.scalar, found.start)


def _next_is(failure: Failure, kind: str) -> bool:
    return failure.at + 1 < len(failure.tokens) and failure.tokens[failure.at + 1].type == kind


def _assignment(failure: Failure) -> Diagnostic | None:
    return (
        messages.single_equals(failure.span) if failure.kind == "IS" and failure.subject is not Subject.TYPE else None
    )


def _closes_nothing(failure: Failure) -> Diagnostic | None:
    return messages.closes_nothing(failure.span) if failure.kind == "CLOSE" and not failure.brackets else None


def _direction(failure: Failure) -> Diagnostic | None:
    if failure.kind not in ("BETTER", "WORSE"):
        return None
    return messages.reserved(str(failure.found), False, failure.subject, failure.span)


def _comparison(failure: Failure) -> Diagnostic | None:
    if failure.kind not in COMPARISONS and failure.kind != "IN":
        return None
    if failure.wants_value:
        if failure.before and failure.before.type not in ENDS_CLAUSE and failure.before.type != "OPEN":
            return None
        subject, right = _subject_before(failure), written(failure.rest())
        return messages.missing_left_side(str(failure.found), subject, right, failure.span)
    if failure.comparison is None:
        return None
    first = failure.clause[failure.comparison]
    middle = written(failure.clause[failure.comparison + 1 :])
    if first.type == "IN":
        return messages.chained(first.span, failure.span, "")
    mended = f"{written(failure.clause)} and {middle} {failure.found} {written(failure.rest()) or '…'}"
    return messages.chained(first.span, failure.span, mended)


def _subject_before(failure: Failure) -> str:
    """In `level > 3 and < 6`, what the comparison before is about: `level`."""
    if not failure.at or failure.tokens[failure.at - 1].type not in ("AND", "OR"):
        return ""
    earlier = Failure(failure.subject, failure.tokens, failure.at - 1, frozenset())
    return written(earlier.clause[: earlier.comparison]) if earlier.comparison else ""


def _looser_inside(failure: Failure) -> Diagnostic | None:
    if failure.kind in ("NOT", "IF") and failure.wants_value:
        return messages.needs_parentheses(str(failure.found), failure.span)
    return None


def _plus(failure: Failure) -> Diagnostic | None:
    if failure.kind != "PLUS" or not failure.wants_value:
        return None
    has_direction = failure.before is not None and failure.before.type in ("BETTER", "WORSE")
    return messages.stray_plus(has_direction, failure.span)


def _bars(failure: Failure) -> Diagnostic | None:
    if failure.kind not in ("BAND", "BAR"):
        return None
    if failure.subject is Subject.TYPE and failure.kind == "BAR" and not failure.wants_value:
        return messages.no_lists(failure.subject, [], failure.span)
    if failure.subject not in (Subject.EXPRESSION, Subject.ADJUSTMENT):
        return None
    if failure.opens_after_in and failure.comparison is None:
        return messages.bars_in_brackets(failure.span)
    if failure.is_in_list or (failure.wants_value and failure.kind == "BAR"):
        return None
    return messages.band_outside_in(str(failure.found), _with_in(failure), failure.span)


def _with_in(failure: Failure) -> str:
    """In `x == a | b`, the same with `in`."""
    at = failure.comparison
    if not at or failure.clause[at].type != "EQUAL":
        return ""
    right = " ".join((written(failure.clause[at + 1 :]), str(failure.found), written(failure.rest())))
    right = right.replace(" .. ", "..").replace(".. ", "..")
    return f"{written(failure.clause[:at])} in {right}" if len(right) < 60 else ""


def _comma(failure: Failure) -> Diagnostic | None:
    if failure.kind != "_COMMA":
        return None
    before, after = failure.before, failure.tokens[failure.at + 1] if failure.at + 1 < len(failure.tokens) else None
    if (
        before
        and after
        and before.type == after.type == "INTEGER"
        and len(after) == 3
        and before.end + 1 == after.start
    ):
        return messages.digit_separator(f"{before},{after}", f"{before}{after}", before.span.to(after.span))
    if failure.is_in_list or (failure.subject is Subject.KEY and not failure.wants_value):
        return messages.no_lists(failure.subject, _items(failure), failure.span)
    return None


def _items(failure: Failure) -> list[str]:
    """The things between commas right of `in`, as far as they are written plainly."""
    first = failure.comparison + 1 if failure.comparison is not None else 0
    items = [written(failure.clause[first:])]
    for token in failure.tokens[failure.at :]:
        if token.type == "_COMMA":
            continue
        if token.type not in ("NAME", "INTEGER"):
            break
        items.append(str(token))
    return items


def _kept_dice(failure: Failure) -> Diagnostic | None:
    before = failure.before
    if failure.found != "keep" or before is None or before.type != "DICE":
        return None
    tokens = [before, *failure.tokens[failure.at : failure.at + 3]]
    return messages.dice_notation(written(tokens), messages.keep_notation(), before.span.to(tokens[-1].span))


def _no_operator(failure: Failure) -> Diagnostic | None:
    before, found = failure.before, failure.found
    if before is None or found is None or found.type not in BEGINS_VALUE or failure.wants_value:
        return None
    if "AND" not in failure.accepts or not failure.accepts.isdisjoint({"THEN", "ELSE"}):
        return None
    return operators.missing_operator(str(before), str(found), bool(failure.brackets), failure.span)


def _never_closed(failure: Failure) -> Diagnostic | None:
    if not failure.brackets or "CLOSE" not in failure.accepts or failure.wants_value:
        return None
    opened = failure.brackets[-1]
    is_outer = failure.kind in ("THEN", "ELSE") and any(each.type == "IF" for each in failure.tokens[:opened])
    if failure.found and not is_outer:
        return None
    return messages.unclosed(failure.tokens[opened].span, failure.span)


FAMILIAR: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    _operator_of_others,
    _assignment,
    _closes_nothing,
    _direction,
    _comparison,
    _looser_inside,
    _plus,
    _bars,
    _comma,
    _kept_dice,
    _no_operator,
    _never_closed,
)


def _expected(failure: Failure) -> Diagnostic:
    before, found = failure.before, failure.found
    return messages.expected(
        wanted(failure.accepts),
        str(before or ""),
        str(found or ""),
        failure.subject,
        failure.span,
        _hint(failure),
    )


def wanted(accepts: frozenset[str]) -> Wanted:
    """What may stand there, in one phrase."""
    return next((phrase for needed, phrase in PHRASES if needed <= accepts), Wanted.END)


PHRASES = (
    (frozenset({"INTEGER"}), Wanted.VALUE),
    (frozenset({"NAME"}), Wanted.NAME),
    (frozenset({"DICE"}), Wanted.DICE),
    (frozenset({"THEN"}), Wanted.THEN),
    (frozenset({"ELSE"}), Wanted.ELSE),
    (frozenset({"_COMMA"}), Wanted.COMMA),
    (frozenset({"CLOSE"}), Wanted.CLOSE),
    (frozenset({"STAR"}), Wanted.OPERATOR),
    (frozenset({"AND"}), Wanted.OPERATOR),
    (frozenset({"BAND", "BAR"}), Wanted.BAND_OR_BAR),
    (frozenset({"BAND"}), Wanted.BAND),
    (frozenset({"AT_MOST"}), Wanted.AT_MOST),
    (frozenset({"IS"}), Wanted.DEFAULT),
)
"""Where all of the first are accepted, the second says what is wanted; the first that fits."""


def _hint(failure: Failure) -> str:
    before = failure.before
    if failure.kind == "AS":
        return messages.rebinding_in_call()
    if failure.kind in ("THEN", "ELSE") and not failure.wants_value and failure.accepts.isdisjoint({"THEN", "ELSE"}):
        return messages.belongs_to_if()
    if failure.kind == "DOTTED" and failure.wants_value:
        return messages.word_alone(str(failure.found).rpartition(".")[2])
    if before is not None and before.type == "SOME_DICE":
        return messages.bound_for_dice()
    if (
        failure.subject is Subject.TYPE
        and "BAND" in failure.accepts
        and [each.type for each in failure.tokens] == DASHED
    ):
        return messages.dash_for_band(str(failure.tokens[0]), str(failure.tokens[2]))
    return ""


DASHED = ["INTEGER", "MINUS", "INTEGER"]
