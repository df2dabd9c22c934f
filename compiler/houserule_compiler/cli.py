"""The `houserule` command: which commands there are, and how a run ends.

Exit codes: 0 clean, 1 findings in the rules, 2 wrong use or a file that cannot be read or written, 3 a fault of ours.
The version and the list of commands are printed before anything is imported, because they must cost next to nothing.
"""

from __future__ import annotations

import sys

from . import __version__

CLEAN, FINDINGS, WRONG_USE, FAULT = range(4)

COMMANDS = {
    "validate": "report every fault in rulesets",
    "test": "try the examples that rulesets carry",
    "build": "write a ruleset's artifact, for programs to load",
    "show": "print tables and definitions as a referee reads them",
    "eval": "work out a number, or look up a table",
    "roll": "roll a check",
    "odds": "the exact odds of a check",
    "diagnostic": "explain a message by its code",
    "completion": "print the completion script of a shell",
}
_HELP = """\
Usage: houserule COMMAND [OPTIONS] [ARGUMENTS]

Rules of tabletop games as data: validated, compiled, rolled and explained.

Commands:
{commands}

`houserule COMMAND --help` tells what a command takes. RULESET is the name of a shipped ruleset, a folder, a `.yaml`
file, or a built `.rules.json` file.

Options:
  --version  print the version
  --help     print this page
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with `arguments` (those of the process by default) and gives its exit code."""
    import os

    arguments = sys.argv[1:] if arguments is None else arguments
    if "_HOUSERULE_COMPLETE" not in os.environ:
        if arguments in (["--version"], ["-V"]):
            return _print(f"houserule {__version__}\n")
        if arguments in ([], ["--help"], ["-h"]):
            return _print(overview())
    from .ending import run

    return run(arguments)


def overview() -> str:
    """The page of `houserule --help`."""
    lines = [f"  {name:<10} {about}" for name, about in COMMANDS.items()]
    return _HELP.format(commands="\n".join(lines))


def _print(text: str) -> int:
    sys.stdout.write(text)
    return CLEAN
