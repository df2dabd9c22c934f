"""Runs a command and turns every way in which it can end into an exit code and, at most, one message."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType, TracebackType

import click
from click.exceptions import NoArgsIsHelpError

from .group import Group
from .messages import use
from .overview import CLEAN, COMMANDS, FAULT, FINDINGS, WRONG_USE
from .source import SourceFile
from .writing import is_no_room
from .wrong_use import WrongUse

_INTERRUPTED = 130
_OBJECTS = 50_000
_TERMINATED = 143
# What these find out is the exit code, and is found out also where nobody reads on.
_TELLING = frozenset({"validate", "test", "diff"})


class _TerminatedError(BaseException):
    """The system asks us to end, as it does with a run that is cancelled."""


def run(arguments: list[str]) -> int:
    """The exit code of the command line; whatever goes wrong has been said on the error stream."""
    with _ends_when_asked():
        return _run(arguments)


@contextmanager
def _ends_when_asked() -> Iterator[None]:
    """Ends in good order where the system asks us to, so that nothing half-written is left."""

    def end(number: int, frame: FrameType | None) -> None:
        raise _TerminatedError

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:
        # Signals come to the main thread alone, and this is another one.
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(arguments: list[str]) -> int:
    for name in ("stdout", "stderr"):
        # Whoever calls us may have closed them.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is shown as an escape, rather than ending the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    collecting = gc.get_threshold()
    # Trees grow and are kept to the end: looking through them again and again takes a sixth of a large build.
    gc.set_threshold(_OBJECTS, *collecting[1:])
    try:
        code = Group("houserule").main(arguments, prog_name="houserule", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else CLEAN
    except (KeyboardInterrupt, click.Abort):
        return _INTERRUPTED
    except _TerminatedError:
        return _TERMINATED
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has enough; click has noticed it first where it leaves by `SystemExit`.
        _print_no_more()
        return _run(arguments) if arguments[:1] and arguments[0] in _TELLING else CLEAN
    except Exception as reason:
        return _ended(reason, arguments)
    finally:
        gc.set_threshold(*collecting)


def _print_no_more() -> None:
    """Sends what is left of the output nowhere, so that Python does not fail again when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _ended(reason: Exception, arguments: Sequence[str]) -> int:
    """Says why the command ended; only here, where it is needed, does the runtime get imported."""
    from houserule.errors import ArtifactError, HouseruleError, ProblemsError

    match reason:
        case NoArgsIsHelpError():
            return _say(reason.format_message(), WRONG_USE)
        case click.NoSuchOption():
            flags = [each for param in _params(reason.ctx) for each in (*param.opts, *param.secondary_opts)]
            return _say(use.unknown_flag(reason.option_name, flags, _command_path(reason, arguments)), WRONG_USE)
        case click.ClickException():
            return _say(use.usage(reason.format_message(), _command_path(reason, arguments)), WRONG_USE)
        case WrongUse():
            return _say(reason, WRONG_USE)
        case ArtifactError():
            return _say(reason, FINDINGS)
        case ProblemsError() if "--json" in arguments:
            sys.stdout.write(json.dumps({"problems": [each.to_dict() for each in reason.problems]}) + "\n")
            return WRONG_USE
        case HouseruleError():
            return _say(reason, WRONG_USE)
        case OSError() if is_no_room(reason):
            _print_no_more()
            return _say(use.output_unwritable(), WRONG_USE)
    if os.environ.get("HOUSERULE_TRACEBACK"):
        raise reason
    return _say(use.our_fault(*where(reason.__traceback__), type(reason).__name__), FAULT)


def _say(reason: object, code: int) -> int:
    from .commands.output import say

    lines = str(reason).splitlines()
    is_page = lines[0].startswith("Usage:")
    say("\n".join(lines if is_page else [f"houserule: {line}" for line in lines]), sys.stderr)
    return code


def _params(context: click.Context | None) -> list[click.Parameter]:
    return context.command.get_params(context) if context is not None else []


def _command_path(wrong: click.ClickException, arguments: Sequence[str]) -> str:
    """The command that was used wrongly; of an option without its value click does not tell which one it was."""
    if (context := getattr(wrong, "ctx", None)) is not None:
        return str(context.command_path)
    return " ".join(["houserule", *(each for each in arguments[:1] if each in COMMANDS)])


def where(trace: TracebackType | None) -> tuple[str, str]:
    """The part of the compiler in which a fault arose, and the file of rules it was at; either may be empty."""
    frames = [(frame, str(frame.f_globals.get("__name__", ""))) for frame in _frames(trace)]
    ours = [name for _, name in frames if name.split(".")[0] in ("houserule", "houserule_compiler")]
    after_pipeline = [after for before, after in pairwise(ours) if before.endswith(".pipeline") and before != after]
    part = (after_pipeline or ours or [""])[-1]
    files = [each.name for frame, _ in frames for each in frame.f_locals.values() if isinstance(each, SourceFile)]
    return part.partition(".")[2], files[-1] if files else ""


def _frames(trace: TracebackType | None) -> Iterator[FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next
