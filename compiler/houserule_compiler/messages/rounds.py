"""Messages about events, actions, triggers and sequences."""

from __future__ import annotations

from ..declarations import Reference
from ..diagnostics import Diagnostic, Label, error
from ..document import Scalar
from ..source import Span


def missing_argument(event: str, argument: str, span: Span) -> Diagnostic:
    """An event is reported without one of its arguments."""
    return error(
        "missing-argument",
        f"`{event}` happens to nobody named: it lacks `{argument}`",
        Label(span),
        help=f"add it, for example `{event}: {{{argument}: ...}}`",
    )


def role_due(argument: str, entity: str, span: Span) -> Diagnostic:
    """An event's argument that must be somebody."""
    return error("role-due", f"`{argument}` is a `{entity}`: the role of somebody", Label(span))


def moment_case_order(case: str, span: Span, is_last: bool) -> Diagnostic:
    """The cases of a moment do not end in one without a condition, or have one earlier."""
    if is_last:
        return error(
            "last-case-with-condition",
            f"the last case, `{case}`, has a condition",
            Label(span),
            help="take the `when` out, or add a last case without one",
        )
    return error(
        "case-without-condition",
        f"`{case}` has no condition, and cases stand after it",
        Label(span),
        help="give it a `when`, or move it to the end",
    )


def nowhere(case: str, span: Span) -> Diagnostic:
    """A moment that falls nowhere."""
    return error(
        "moment-nowhere",
        f"`{case}` falls nowhere",
        Label(span),
        help="give it a `step`, say what it comes `after`, or why it is `left_out`",
    )


def step_with_steps(id: str, span: Span, place: Span) -> Diagnostic:
    """A moment placed at a step that only holds other steps."""
    return error(
        "step-holds-steps",
        f"the step `{id}` holds other steps, so that nothing falls in it",
        Label(span),
        Label(place, "its steps stand here"),
        help="name one of the steps inside it",
    )


def segment_due(id: str, span: Span, loop: tuple[int, int]) -> Diagnostic:
    """A moment placed in a loop of segments without saying which."""
    return error(
        "segment-due",
        f"`{id}` comes once for each segment, and this does not say which",
        Label(span),
        help=f"add `segment:`, from {loop[0]} to {loop[1]}",
    )


def no_segments(id: str, span: Span) -> Diagnostic:
    """A segment for a step that counts none."""
    return error("no-segments", f"the step `{id}` counts no segments", Label(span), help="take the `segment` out")


def segment_out_of_range(span: Span, found: tuple[int, int], loop: tuple[int, int]) -> Diagnostic:
    """A segment outside the loop."""
    return error(
        "segment-out-of-range",
        f"the segments run from {loop[0]} to {loop[1]}, and this can be {found[0]} to {found[1]}",
        Label(span),
        help="keep it within them, or write `past_end: next_round`",
    )


def unknown_action(id: str, span: Span, actions: list[str]) -> Diagnostic:
    """`declares` asks after an action that the sequence does not place."""
    from .names import unknown_name

    return unknown_name("action with places here", id, span, actions)


def declares_what(span: Span) -> Diagnostic:
    """`declares` of something that is no action."""
    return error("declares-what", "`declares` asks after one action, by its id", Label(span))


def sides_outside_sequence(function: str, span: Span) -> Diagnostic:
    """`any`, `all` or `count` over sides where there are none."""
    return error(
        "sides-outside-sequence",
        f"`{function}` goes over the sides of an encounter, and there are none here",
        Label(span),
        help="use it in a sequence that names its `side`",
    )


def computed_fact(id: str, span: Span) -> Diagnostic:
    """A fact of a sequence that is worked out: that is what values are for."""
    return error(
        "computed-sequence-fact",
        f"`{id}` is worked out, and the facts of a sequence are given",
        Label(span),
        help=f"write it under `values`: `{id}: EXPRESSION`",
    )


def another_actor(action: str, span: Span, role: Reference, entity: str, actor: Reference) -> Diagnostic:
    """An action whose role is played by something other than the actors of a sequence that places it."""
    return error(
        "another-actor",
        f"`{action}` needs a `{entity}` as `{role.id}`, and the actors here are `{actor.id}`",
        Label(span),
        Label(role.span, "the role is named here"),
        Label(actor.span, "the actors of this sequence"),
        help="place an action of these actors, or give that one another role",
    )


def hold_inside_segments(step: str, span: Span, place: Span) -> Diagnostic:
    """Holding to a step that is counted by segments."""
    return error(
        "hold-inside-segments",
        f"`{step}` comes once for each segment, and one holds to a segment there",
        Label(span),
        Label(place, "the step stands here"),
        help="write `to: segment`",
    )


def hold_without_start(sequence: str, span: Span) -> Diagnostic:
    """Holding to a segment in a sequence that does not say where an action begins."""
    return error(
        "hold-without-start",
        f"holding to a segment moves the `start` of an action, and `{sequence}` has none",
        Label(span),
        help="add `start:`, the segment where an action begins, or hold to steps",
    )


def named_twice(what: str, again: str, span: Span, first: Span) -> Diagnostic:
    """One id twice inside one definition, where ids must tell its parts apart."""
    return error("defined-twice", f"the {what} `{again}` stands here twice", Label(span), Label(first, "first here"))


def only_for_sequences(key: Scalar) -> Diagnostic:
    """An example gives parts of an encounter, and tries something that has none."""
    return error(
        "only-for-sequences",
        f"`{key.text}` belongs to an example of a sequence",
        Label(key.span),
        help="give facts under `given`, or say which `sequence` the example tries",
    )
