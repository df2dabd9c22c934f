"""Messages of trying examples: an answer that differs, an example that cannot run, an expectation that says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostic, Label, error, note
from ..source import Span
from .names import suggestion

_LOCKS = "it locks the ruling"


def differs(example: str, what: str, found: str, expected: str, span: Span, steps: Sequence[str]) -> Diagnostic:
    """An expectation that the rules do not meet; `steps` tell how the answer came about."""
    return error(
        "example-fails",
        f"`{example}` expects {what} to be `{expected}`, and the rules give `{found}`",
        Label(span),
        notes=steps,
        help=f"mend the rule, or write `{found}` if that is what you mean",
    )


def order_differs(example: str, found: str, expected: str, span: Span, lines: Sequence[str]) -> Diagnostic:
    """The first place in an order that is not as expected; `lines` are the whole order, as it would be written."""
    return error(
        "example-fails",
        f"`{example}` expects another order from here on",
        Label(span),
        notes=[f"it expects `{expected}`, and the rules give `{found}`", "the whole order:", *lines],
        help="mend the rule, or write the order that you mean",
    )


def not_allowed(example: str, failing: Sequence[str], span: Span, steps: Sequence[str]) -> Diagnostic:
    """An action that an example expects to be allowed, or refused for another reason."""
    reasons = ", ".join(f"`{each}`" for each in failing)
    found = f"is refused for {reasons}" if failing else "is allowed"
    return error("example-fails", f"`{example}` {found}", Label(span), notes=steps)


def no_round_before(example: str, span: Span) -> Diagnostic:
    """An example that comes after itself, through others or not, or after one that tries no sequence."""
    return error(
        "example-cannot-run",
        f"`{example}` cannot run: no round comes before it",
        Label(span),
        help="name an example of the round before",
    )


def cannot_run(example: str, problem: str, fix: str, span: Span) -> Diagnostic:
    """An example whose facts, dice or options the rules refuse."""
    return error("example-cannot-run", f"`{example}` cannot run: {problem}", Label(span), help=fix)


def default_due(path: str) -> str:
    """What to do about a fact that an example of other rules does not give: these rules made it, or read it now."""
    return f"give `{path}` a default, or restate the example with it"


def not_refused(example: str, expected: str, span: Span, found: Sequence[str]) -> Diagnostic:
    """An example that expects to be refused, and is not, or for another reason."""
    reasons = ", ".join(f"`{each}`" for each in found)
    return error(
        "example-fails",
        f"`{example}` expects to be refused for `{expected}`, and is {'not' if not found else 'refused otherwise'}",
        Label(span),
        notes=[f"it is refused for {reasons}"] if found else [],
    )


def unknown_expectation(example: str, name: str, span: Span, known: Sequence[str]) -> Diagnostic:
    """An expectation of something that the answer does not have."""
    return error(
        "unknown-expectation",
        f"the answer of `{example}` has no `{name}`",
        Label(span),
        notes=[f"it has {', '.join(f'`{each}`' for each in known)}"] if known else [],
        help=suggestion(name, known),
    )


def nothing_expected(example: str, span: Span) -> Diagnostic:
    """An example without any expectation."""
    return error(
        "nothing-expected",
        f"`{example}` expects nothing, so that it can never fail",
        Label(span),
        help="add what must come out, for example `expect: {value: 3}`",
    )


def stated_anew(place: Span, layer: str) -> Label:
    """Where a layer speaks of an example of a layer below."""
    return Label(place, f"`{layer}` states it anew here")


def ruling_contradicted(example: str, place: Span, ruling: str, ruled: Span) -> Diagnostic:
    """A layer states another answer in an example that a ruling of a layer below stands on."""
    return note(
        "answer-changed",
        f"`{example}` has another answer here, and it locks the ruling `{ruling}`",
        Label(place),
        Label(ruled, "the ruling was made here"),
        help=f"state `rulings.{ruling}` anew too, so that it says what holds here",
    )


def of_others(found: Diagnostic, rulings: Sequence[str]) -> Diagnostic:
    """What an example of a layer below tells about rules that stand above it."""
    notes = (*found.notes, *(f"{_LOCKS} `{each}`" for each in rulings))
    if found.code == "example-cannot-run":
        return note("example-cannot-run", found.headline, *found.labels, notes=notes, help=found.help)
    return note("answer-changed", found.headline, *found.labels, notes=notes)


def in_short(found: Diagnostic) -> str:
    """A finding of an example of a layer below in one line: its headline, what to do, which rulings it locks."""
    locks = (each for each in found.notes if each.startswith(_LOCKS))
    return "; ".join([found.headline, *([found.help] if found.help else []), *locks])


def changed_answers(count: int) -> str:
    """Heads the examples of layers below that come out otherwise."""
    return f"answers your rules change, in {_counted(count)} of the rulesets below:"


def more_changed(count: int, ruleset: str) -> str:
    """Ends a list of them that is cut short."""
    return f"and {count} more; `houserule test {ruleset} --format concise` lists all"


def all_passed(own: int, below: int, changed: int) -> str:
    """Sums up a run in which no example failed; nothing where there are no examples at all."""
    parts = [f"{_counted(own)} passed"] if own else []
    if below:
        parts.append(f"{_counted(below)} below, {f'{changed} with other answers' if changed else 'all as before'}")
    return "; ".join(parts) or "there are no examples"


def _counted(count: int) -> str:
    return f"{count} example{'s' * (count != 1)}"


def found_in(ruleset: str) -> str:
    """Behind a finding that stands in a file of another ruleset than the one that was examined."""
    return f" (in `{ruleset}`)"
