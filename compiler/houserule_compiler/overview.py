"""Which commands there are, the page that lists them, and the exit codes. Imports nothing, so that it costs nothing."""

from __future__ import annotations

CLEAN, FINDINGS, WRONG_USE, FAULT = range(4)

"""No faults; faults in the rules; wrong use, or a file that cannot be read or written; a fault of ours."""

COMMANDS = {
    "new": "make a fork, a pack or a ruleset of your own",
    "validate": "report every fault in rulesets",
    "test": "try the examples that rulesets carry",
    "build": "write a ruleset's artifact, for programs to load",
    "show": "print tables and definitions as a referee reads them",
    "eval": "work out a number, look up a table, or ask whether an action is allowed",
    "roll": "roll a check",
    "odds": "the exact odds of a check",
    "order": "who acts when in a round",
    "due": "which triggers hold, and what they call for",
    "sweep": "try all combinations of facts, as a table or a picture",
    "diff": "what changed between two rulesets, and what it does in play",
    "origin": "show which layers set a part of the rules",
    "accept": "record what a ruleset changes, to be told when that changes below",
    "fmt": "lay out files of rules",
    "schema": "make a JSON Schema of a ruleset, for editors",
    "diagnostic": "explain a message by its code",
    "completion": "print the completion script of a shell",
}
_HELP = """\
Usage: houserule COMMAND [OPTIONS] [ARGUMENTS]

Rules of tabletop games as data: validated, compiled, rolled and explained.

Commands:
{commands}

`houserule COMMAND --help` tells what a command takes. RULESET is the name of a shipped ruleset, a folder, a `.yaml`
file, or a built `.json` file.

Options:
  --version  print the version
  --help     print this page
"""


def overview() -> str:
    """The page of `houserule --help`."""
    lines = [f"  {name:<10}  {about}" for name, about in COMMANDS.items()]
    return _HELP.format(commands="\n".join(lines))
