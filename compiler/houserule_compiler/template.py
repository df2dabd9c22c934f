"""The texts that `houserule new` fills: files of the package in which a blank is written `${blank}`.

A paragraph with a blank that nothing is given for is left out, so that one text serves rulesets of every kind. A remark
is one line there, and is broken into lines once its blanks are filled.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from importlib.resources import files
from string import Template

WIDTH = 110
_BETWEEN = re.compile(r"\n{2,}")
_REMARK = re.compile(r"# (?! |yaml-language-server:)")


def filled(name: str, blanks: Mapping[str, str]) -> str:
    """The text of that name with its blanks filled."""
    text = files(__package__).joinpath("templates", name).read_text(encoding="utf-8")
    paragraphs = [Template(each.strip("\n")) for each in _BETWEEN.split(text)]
    kept = [each for each in paragraphs if blanks.keys() >= set(each.get_identifiers())]
    return "\n\n".join(_broken(each.substitute(blanks)) for each in kept) + "\n"


def _broken(paragraph: str) -> str:
    """The paragraph with its remarks in lines that fit."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent="# ", break_on_hyphens=False, break_long_words=False)
        if _REMARK.match(line)
        else line
        for line in paragraph.split("\n")
    )
