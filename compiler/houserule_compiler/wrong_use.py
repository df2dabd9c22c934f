"""What stops a command before it has an answer: it was used wrongly, or a file could not be read or written."""

from __future__ import annotations


class WrongUse(Exception):
    """A command cannot go on; its text is one sentence, or one a line, for the person who typed it. Exit code 2."""
