"""The `houserule` command.

The version and the list of commands are printed before anything is imported, because they must cost next to nothing;
`ending` runs everything else.
"""

from __future__ import annotations

import os
import sys

from . import __version__
from .overview import CLEAN, overview


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with `arguments` (those of the process by default) and gives its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    # A shell that asks for completions calls without arguments.
    if "_HOUSERULE_COMPLETE" not in os.environ:
        if arguments in (["--version"], ["-V"]):
            return _print(f"houserule {__version__}\n")
        if arguments in ([], ["--help"], ["-h"]):
            return _print(overview())
    from .ending import run

    return run(arguments)


def _print(text: str) -> int:
    sys.stdout.write(text)
    return CLEAN
