"""What a shell may complete after a ruleset: its definitions, paths, and the facts that a number or check reads.

Completion must answer at once and say nothing: where the rules have faults or take long, there is nothing to offer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from houserule import Rules

_Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_definition(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of all definitions that begin so."""
    from ..sheet import names

    rules = _rules(ctx)
    return _beginning(names(rules), incomplete) if rules else []


def complete_path(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The paths of all parts of which something is told that begin so."""
    from ..setters import Setters

    rules = _rules(ctx)
    return _beginning(Setters(rules.program.origins).known(), incomplete) if rules else []


def complete_question(*sections: str) -> _Complete:
    """Completes the ids of some sections."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from ..sheet import sections as all_sections

        rules = _rules(ctx)
        found = all_sections(rules.program) if rules else {}
        return _beginning([id for section in sections for id in found.get(section, ())], incomplete)

    return complete


def complete_fact(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`fact=` for each fact that the number or check reads, or `fact=word` once the fact is typed."""
    rules, asked = _rules(ctx), ctx.params.get("name") or ctx.params.get("check") or ""
    asked = asked.removeprefix("numbers.").removeprefix("checks.")
    if not rules or not (asked in rules.numbers or asked in rules.checks or asked in rules.actions):
        return []
    path, equals, _value = incomplete.partition("=")
    is_action = asked not in rules.numbers and asked not in rules.checks
    wanted = rules.action(asked).facts if is_action else rules.facts_for(asked)
    if not equals:
        return _beginning([f"{each.path}=" for each in wanted], incomplete)
    words = [word for each in wanted if each.path == path for word in each.words or _truth(each.kind)]
    return _beginning([f"{path}={word}" for word in words], incomplete)


def _truth(kind: str) -> tuple[str, ...]:
    return ("true", "false") if kind == "boolean" else ()


def _beginning(names: list[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(each) for each in names if each.startswith(incomplete)]


def _rules(ctx: click.Context) -> Rules | None:
    """The rules that are asked, or None where they cannot be had without a word."""
    import houserule

    from ..places import find
    from ..wrong_use import WrongUse
    from .options import settings
    from .reading import built_quietly

    try:
        chosen = settings(ctx.params.get("path") or (), (), True, "full")
        found = find(ctx.params.get("ruleset") or "", chosen.search, chosen.limits)
        data = built_quietly(found, chosen)
        return houserule.load(data) if data else None
    except (WrongUse, houserule.HouseruleError):
        return None
