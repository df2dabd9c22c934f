"""Tells what a run over rulesets found, in the format asked for, and gives its exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TextIO

import click

from .. import __version__, codes, github, junit, render, sarif
from ..characters import visible
from ..diagnostics import Diagnostic, Severity
from ..examined import Examined, summary, total
from ..overview import CLEAN, FINDINGS
from .changed import changed
from .output import logged, painter

if TYPE_CHECKING:
    from ..places import Found
    from .options import FailOn, Format, Settings


@dataclass(frozen=True, slots=True)
class Form:
    """How a run is printed: what is said of each ruleset as soon as it is examined, and what at the end."""

    each: Callable[[Examined], str]
    end: Callable[[Sequence[Examined]], str] = lambda run: ""


def form(format: Format, stream: TextIO, least: Severity = Severity.WARNING) -> Form:
    """The form of a format for findings alone, without a line that sums them up."""
    match format:
        case "json":
            return Form(lambda each: render.json_lines(each.diagnostics))
        case "concise":
            return Form(lambda each: logged(render.concise(each.diagnostics, each.name)))
        case "github":
            told: set[object] = set()
            return Form(lambda each: github.workflow_commands(_once(each.diagnostics, told), _folder()))
        case "sarif":
            return Form(lambda each: "", _sarif)
        case "junit":
            return Form(lambda each: "", lambda run: junit.suites(run, least))
    return Form(lambda each: logged(render.full(each.diagnostics, painter(stream))))


def _sarif(run: Sequence[Examined]) -> str:
    told: set[object] = set()
    found = [finding for each in run for finding in _once(each.diagnostics, told)]
    return sarif.log(found, __version__, codes.about, _folder(), not any(each.refusal for each in run))


def _once(diagnostics: Iterable[Diagnostic], told: set[object]) -> Iterator[Diagnostic]:
    """Those that no ruleset has told before: what is wrong with a base is found again in all that stand on it."""
    for each in diagnostics:
        key = (each.code, each.headline, each.span.file.name, each.span.start, each.span.end)
        if key not in told:
            told.add(key)
            yield each


def _folder() -> str:
    """Where the user stands, from the top of the checkout that a workflow of GitHub runs in."""
    top = os.environ.get("GITHUB_WORKSPACE")
    if not top:
        return ""
    relative = os.path.relpath(os.path.realpath(os.getcwd()), os.path.realpath(top)).replace(os.sep, "/")
    return "" if relative == "." or relative.startswith("..") else f"{relative}/"


def _summed_up(format: Format, stream: TextIO, least: Severity, lists_examples: bool) -> Form:
    """The form of a whole run."""
    plain = form(format, stream, least)
    if format == "full":
        return Form(
            lambda each: _told(each, plain),
            lambda run: f"{total(run)}\n" if len(run) > 1 else "",
        )
    if format == "github":
        return Form(plain.each, lambda run: f"houserule: {total(run)}\n")
    if lists_examples:
        return Form(lambda each: "".join(map(_line, _tried(each))) + plain.each(each))
    return plain


def _told(examined: Examined, plain: Form) -> str:
    """What is said of one ruleset in full."""
    own = replace(examined, diagnostics=examined.own)
    gap = "\n" if own.diagnostics else ""
    return f"{logged(changed(examined))}{plain.each(own)}{gap}{logged(visible(summary(examined)))}\n"


def _tried(examined: Examined) -> Iterator[dict[str, Any]]:
    for each in examined.examples:
        told = {"passed": each.passed, "inherited": each.is_inherited, "changed": each.is_changed}
        yield {"ruleset": examined.name, "example": each.id, **told}


def _line(data: object) -> str:
    return json.dumps(data, ensure_ascii=True, allow_nan=False) + "\n"


def tell(
    found: Sequence[Found],
    examine: Callable[[Found], Examined],
    settings: Settings,
    fail_on: FailOn,
    lists_examples: bool = False,
) -> int:
    """Examines each ruleset once and prints what is found; gives the exit code."""
    least = Severity(fail_on)
    shape = _summed_up(settings.format, sys.stdout, least, lists_examples)
    run: list[Examined] = []
    with _progress(found) as (items, is_shown):
        for each in items:
            run.append(_examined(each, examine))
            if not is_shown:
                sys.stdout.write(shape.each(run[-1]))
    # Below a bar on the terminal, findings wait until it is done with.
    sys.stdout.write("".join(map(shape.each, run)) if is_shown else "")
    sys.stdout.write(shape.end(run))
    return FINDINGS if any(each.fails(least) for each in run) else CLEAN


def _examined(found: Found, examine: Callable[[Found], Examined]) -> Examined:
    from houserule.errors import ArtifactError

    try:
        return examine(found)
    except ArtifactError as refused:
        for line in str(refused).splitlines():
            sys.stderr.write(f"houserule: {logged(visible(line))}\n")
        return Examined(found.name, remark="refused", refusal=str(refused))


@contextmanager
def _progress(found: Sequence[Found]) -> Iterator[tuple[Iterator[Found], bool]]:
    """The rulesets one by one, with a bar on a terminal if there are several; and whether there is one."""
    if len(found) < 2 or not sys.stderr.isatty():
        yield iter(found), False
        return
    with click.progressbar(found, file=sys.stderr, item_show_func=_shown) as bar:
        yield iter(bar), True


def _shown(found: Found | None) -> str:
    return visible(found.name) if found else ""
