"""Characters that nobody can see or that change how a line is read: where they stand, and how to show them.

The ranges are spelled out, because what Python calls printable changes from one of its versions to the next.
"""

from __future__ import annotations

import re
import unicodedata

CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
LINE_SEPARATORS = "\r\x85\u2028\u2029"
ODD_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)

HIDDEN_CHARACTER = re.compile(f"[{ODD_SPACES}{UNSEEN}]")
CONTROL_CHARACTER = re.compile(f"[{CONTROL}]")
LINE_SEPARATOR = re.compile(f"[{LINE_SEPARATORS}]")
REFUSED = re.compile(f"[{CONTROL}{LINE_SEPARATORS}{ODD_SPACES}{UNSEEN}]")
_ODD_SPACE = re.compile(f"[{ODD_SPACES}]")


def is_odd_space(character: str) -> bool:
    """Whether it looks like a space and is none."""
    return _ODD_SPACE.match(character) is not None


def visible(text: str) -> str:
    """`text` on one line that is safe to print: each refused character, tab and line break is written as an escape."""
    return REFUSED.sub(_escape, text.replace("\n", "\\n").replace("\t", "\\t"))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found[0]):x}}}"


def columns(character: str) -> int:
    """How many columns of a terminal a printable character takes: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


# Letters of other alphabets that look like a Latin one, after case folding; those that a keyboard gives.
_LOOK_ALIKE = {
    letter: latin
    for latin, letters in {
        "a": "\u0430\u03b1",
        "b": "\u0432\u03b2",
        "c": "\u0441\u03f2",
        "d": "\u0501",
        "e": "\u0435\u03b5",
        "h": "\u043d\u04bb",
        "i": "\u0456\u03b9\u0131",
        "j": "\u0458",
        "k": "\u043a\u03ba",
        "m": "\u043c",
        "n": "\u03bd",
        "o": "\u043e\u03bf",
        "p": "\u0440\u03c1",
        "q": "\u051b",
        "s": "\u0455",
        "t": "\u0442\u03c4",
        "u": "\u03c5",
        "w": "\u051d",
        "x": "\u0445\u03c7",
        "y": "\u0443\u03b3",
    }.items()
    for letter in map(ord, letters)
}


def skeleton(text: str) -> str:
    """What `text` looks like, so that two keys that a reader would take for one have the same skeleton."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold().translate(_LOOK_ALIKE)
