"""The options that several commands share, and what they amount to."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from ..cache import Cache, cache_folder
from ..limits import MOST, Limits, limit, limit_names, with_limit
from ..memory import Memory
from ..messages import use
from ..places import Found, SearchPath, names_here, search_path, shipped_place
from ..shipped import shipped

Format: TypeAlias = Literal["full", "concise", "json", "github", "sarif", "junit"]
FailOn: TypeAlias = Literal["error", "warning", "note"]
_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """How a command reads rules and says what it found.

    `cache` is what it may keep between runs, and `memory` within one; `note` is told of each ruleset before it is read.
    """

    search: SearchPath
    limits: Limits
    is_untrusted: bool
    format: Format
    cache: Cache | None = None
    memory: Memory | None = None
    note: Callable[[Found], None] = lambda found: None


def settings(path: Sequence[str], limit: Sequence[str], untrusted: bool | None, format: Format) -> Settings:
    """The settings that the options of `reads_rules` amount to; WrongUse if one of them cannot be."""
    is_untrusted = _is_set("CI") if untrusted is None else untrusted
    named = [each for each in os.environ.get("HOUSERULE_PATH", "").split(os.pathsep) if each]
    search = search_path(shipped_place(str(shipped("rules"))), [*path, *named])
    return Settings(search, limits_of(limit, is_untrusted), is_untrusted, format, _cache(is_untrusted))


def _cache(is_untrusted: bool) -> Cache | None:
    """The user's cache; none for rules of strangers, which neither read nor leave anything there."""
    context = click.get_current_context(silent=True)
    is_unwanted = context is None or context.meta.get(_NO_CACHE, False)
    folder = None if is_untrusted or is_unwanted else cache_folder(os.environ)
    return Cache(folder) if folder else None


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "").lower() not in ("", "0", "false", "no")


def limits_of(given: Sequence[str], is_untrusted: bool) -> Limits:
    """The limits, with those of `NAME=VALUE` changed; WrongUse for one that does not exist or may not be raised."""
    limits = Limits()
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise use.not_an_assignment("--limit", "NAME=VALUE", each)
        if name not in limit_names():
            raise use.unknown_limit(name, limit_names())
        if not (value.isascii() and value.isdigit() and int(value[:18]) > 0 and len(value) <= 18):
            raise use.not_a_limit(name, value)
        if is_untrusted and int(value) > limit(Limits(), name):
            raise use.raised_limit(name, limit(Limits(), name))
        if int(value) > MOST.get(name, int(value)):
            raise use.beyond_all_runtimes(name, MOST[name])
        limits = with_limit(limits, name, int(value))
    return limits


def complete_ruleset(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of rulesets that begin so, shipped or here, then files and folders."""
    found = names_here(search_path(shipped_place(str(shipped("rules"))), ()))
    return [*(CompletionItem(each) for each in found if each.startswith(incomplete)), CompletionItem("", type="file")]


def ruleset_argument(command: _Command) -> _Command:
    """One RULESET."""
    return click.argument("ruleset", shell_complete=complete_ruleset)(command)


def ruleset_arguments(command: _Command) -> _Command:
    """Any number of RULESETs, none meaning all under this folder."""
    return click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_ruleset)(command)


def reads_rules(command: _Command) -> _Command:
    """The options of every command that reads a ruleset."""
    for each in reversed(_READING):
        command = each(command)
    return command


def _keeps_nothing(context: click.Context, _: click.Parameter, is_set: bool) -> None:
    context.meta[_NO_CACHE] = is_set


_NO_CACHE = "houserule.no-cache"
_READING = (
    click.option("--path", metavar="FOLDER", multiple=True, help="A folder to find rulesets in, beside the shipped."),
    click.option("--limit", metavar="NAME=VALUE", multiple=True, help="Change a limit: `--limit file-bytes=2000000`."),
    click.option(
        "--untrusted/--trusted",
        default=None,
        help="Rules of strangers: raise no limit, write no file. The default where CI is set.",
    ),
    click.option(
        "--format",
        type=click.Choice(get_args(Format)),
        default="full",
        help="How findings are printed.",
        show_default=True,
    ),
    click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_keeps_nothing,
        help="Work everything out anew, and keep nothing of it for the next time.",
    ),
)


def reads_files(command: _Command) -> _Command:
    """The options of a command that reads files of rules and finds nothing in them."""
    for each in reversed(_READING[:-2]):
        command = each(command)
    return command


def fails_on(command: _Command) -> _Command:
    """From which severity on a finding gives exit code 1."""
    return click.option(
        "--fail-on",
        type=click.Choice(get_args(FailOn)),
        default="warning",
        help="The least that gives exit code 1.",
        show_default=True,
    )(command)


def asks(command: _Command) -> _Command:
    """The options of every command that asks the rules something."""
    for each in reversed((*_SITUATION, *_ANSWER)):
        command = each(command)
    return command


def situated(command: _Command) -> _Command:
    """Facts from a file, and options of the ruleset."""
    for each in reversed(_SITUATION):
        command = each(command)
    return command


_SITUATION = (
    click.option("--facts", "facts_file", metavar="FILE", help="Facts from a YAML or JSON file."),
    click.option("--option", "options", metavar="ID=VALUE", multiple=True, help="Set an option of the ruleset."),
)
_ANSWER = (
    click.option("--explain", is_flag=True, help="Show why: what counted, what did not, and the sources."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
)
