"""Pages that lead a reader through commands: their edits are made and their commands run, in order, in one folder.

Three kinds of fenced blocks take part. Rules with a file name (```yaml FILE) are added at the end of that file, which
is made where there is none. A change (```diff FILE) takes lines that begin with `-` out and puts those with `+` in
their place. A session (```console) holds commands after `$ `, and below each what it prints. Everything else is prose.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path

_BLOCK = re.compile(r"^```(yaml|diff|console)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)
Command = Callable[[list[str]], int]


def walked(page: str, folder: Path, command: Command) -> str:
    """The page with what its commands print now. `folder` is empty at first; `command` runs `houserule` with words.

    Raises ValueError for a change of lines that are not there, and for a command that is not `houserule`.
    """

    def done(found: re.Match[str]) -> str:
        language, name, text = found[1], found[2], found[3]
        if language == "console":
            return f"```console\n{_session(text, command)}```"
        if name:
            (_add if language == "yaml" else _change)(folder / name, text)
        return found[0]

    with contextlib.chdir(folder):
        return _BLOCK.sub(done, page)


def _add(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text((file.read_text("utf-8") if file.exists() else "") + text, "utf-8")


def _change(file: Path, text: str) -> None:
    before, after = ([line[1:] for line in text.splitlines() if line[0] == sign] for sign in "-+")
    lines = file.read_text("utf-8").splitlines()
    places = [at for at in range(len(lines)) if lines[at : at + len(before)] == before]
    if len(places) != 1:
        raise ValueError(f"{file.name} does not hold once: {before}")
    lines[places[0] : places[0] + len(before)] = after
    file.write_text("\n".join(lines) + "\n", "utf-8")


def _session(text: str, command: Command) -> str:
    return "\n".join(f"$ {line}\n{_printed(line, command)}" for line in _COMMAND.findall(text))


def _printed(line: str, command: Command) -> str:
    program, *words = shlex.split(line)
    if program != "houserule":
        raise ValueError(f"no command of ours: {line}")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        command(words)
    return printed.getvalue()
