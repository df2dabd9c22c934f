"""Printing: results for people or programs, and findings in the format asked for, coloured on a terminal."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

import click

from ..characters import REFUSED

if TYPE_CHECKING:
    from ..diagnostics import Diagnostic
    from ..palette import Colour
    from ..picture import Picture
    from ..picture_text import Shade
    from ..render import Paint
    from .options import Format

_WIDTH = 110
_COMMAND = re.compile(r"(^\s*|#)([:#])(?=:|(?<=##)\[)", re.MULTILINE)
_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "help": "bold green",
    "headline": "bold",
    "frame": "blue",
    "primary": "bold red",
    "secondary": "cyan",
}


def say(text: str, stream: TextIO | None = None) -> None:
    """Prints lines; a character of the rules that could move the cursor or hide text is printed as an escape."""
    (stream or sys.stdout).write(_safe(text) + "\n")


def say_long(text: str) -> None:
    """Prints lines as `say` does; on a terminal that they do not fit on, through the pager."""
    safe = _safe(text)
    if sys.stdout.isatty() and safe.count("\n") + 2 > shutil.get_terminal_size().lines:
        click.echo_via_pager(safe + "\n")
    else:
        sys.stdout.write(safe + "\n")


def _safe(text: str) -> str:
    return logged("\n".join(REFUSED.sub(_escape, line) for line in text.split("\n")))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found[0]):x}}}"


def logged(text: str) -> str:
    """Lines as the log of a workflow may have them, where we run in one: no text of the rules is a command in it.

    A line that begins with two colons is one there, and so is a word in brackets behind two number signs.
    """
    if not os.environ.get("GITHUB_ACTIONS"):
        return text
    return _COMMAND.sub(lambda found: f"{found[1]}\\u{{{ord(found[2]):x}}}", text)


def say_trace(trace: object) -> None:
    """Prints a trace, its long lines broken and hung below where they begin."""
    for line in str(trace).split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        say("\n".join(textwrap.wrap(line, _WIDTH, subsequent_indent=indent, drop_whitespace=True) or [""]))


def say_json(data: object) -> None:
    """Prints plain data as one line of JSON."""
    sys.stdout.write(json.dumps(data, ensure_ascii=True, allow_nan=False) + "\n")


def say_picture(picture: Picture) -> None:
    """Draws a picture as wide as the terminal, in colour where `painter` would colour findings."""
    from ..picture_text import Canvas, drawn

    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else _WIDTH
    is_plain = not (sys.stdout.encoding or "utf").lower().startswith("utf")
    text = drawn(picture, Canvas(width, is_plain, _shade() if is_terminal else None))
    sys.stdout.write(text + "\n")


def _shade() -> Shade | None:
    """What puts a colour behind text, if rich is installed and the terminal wants colour."""
    try:
        from rich.color import Color, ColorSystem
        from rich.console import Console
        from rich.style import Style
    except ImportError:
        return None
    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
    if console.color_system is None or console.legacy_windows:
        return None
    system = ColorSystem.TRUECOLOR if console.color_system == "truecolor" else ColorSystem.EIGHT_BIT

    def shade(text: str, colour: Colour, is_dark: bool) -> str:
        ink = Color.from_rgb(255, 255, 255) if is_dark else Color.from_rgb(0, 0, 0)
        return Style(color=ink, bgcolor=Color.from_rgb(*colour)).render(text, color_system=system)

    return shade


def report(diagnostics: Iterable[Diagnostic], format: Format, stream: TextIO) -> None:
    """Prints findings in the format asked for."""
    from ..examined import Examined
    from .telling import form

    found = Examined("", tuple(diagnostics))
    shape = form(format, stream)
    stream.write(shape.each(found) + shape.end([found]))


def painter(stream: TextIO) -> Paint:
    """What colours a finding: rich, if it is installed and the stream is a terminal that wants colour."""
    from ..render import plain

    if not stream.isatty():
        return plain
    try:
        from rich.color import ColorSystem
        from rich.console import Console
        from rich.style import Style
    except ImportError:
        return plain
    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    if console.color_system is None or console.legacy_windows:
        return plain
    styles = {kind: Style.parse(style) for kind, style in _STYLES.items()}
    return lambda kind, text: styles.get(kind, Style()).render(text, color_system=ColorSystem.STANDARD)
