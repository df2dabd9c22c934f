"""From an error of the YAML parser to our own message: what the author wrote there, and how to write it.

The parser's words tell only what kind of error it is; what is said is found in the text around its mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ruamel.yaml.error import MarkedYAMLError

from .diagnostics import Diagnostic
from .limits import Limits
from .messages import load as messages
from .messages import structure
from .source import SourceFile, Span

_WORD = re.compile(r"[^\s:,{}\[\]\"'#]++")
_GLUED_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*+):([^\s:/][^\s,{}\[\]]*+)")
_KEY_LINE = re.compile(r"[ \t]*+(?:- ++)*+[\w.-]++[ \t]*+")


@dataclass(frozen=True, slots=True)
class Around:
    """What was read before an error: the innermost brace or bracket that is open, and the last quoted text."""

    file: SourceFile
    opened: Span | None
    quoted: Span | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Place:
    """Where the parser stopped, and where what it was reading began."""

    around: Around
    at: int
    began: int

    @property
    def file(self) -> SourceFile:
        """The file."""
        return self.around.file

    @property
    def character(self) -> str:
        """The character there; empty at the end of the file."""
        return self.file.text[self.at : self.at + 1]

    @property
    def line(self) -> str:
        """The part of its line that stands before it."""
        return self.file.text[self.file.text.rfind("\n", 0, self.at) + 1 : self.at]

    @property
    def is_first(self) -> bool:
        """Whether it is the first on its line, dashes of a list aside."""
        return not self.line.strip(" \t-")

    def word(self, at: int) -> Span:
        """The word that begins at `at`, or the one character there."""
        found = _WORD.match(self.file.text, at)
        return Span(self.file, at, found.end() if found else min(at + 1, len(self.file.text)))

    def rest(self, at: int) -> Span:
        """The text from `at` to the end of its line, without a comment."""
        end = self.file.text.find("\n", at)
        text = self.file.text[at : len(self.file.text) if end < 0 else end].partition(" #")[0].rstrip()
        return Span(self.file, at, at + len(text))


def broken(error: MarkedYAMLError, around: Around) -> Diagnostic:
    """The message for an error of the parser."""
    began = _offset(error.context_mark, 0)
    place = Place(
        around, _offset(error.problem_mark, began), _offset(error.context_mark, _offset(error.problem_mark, 0))
    )
    words = f"{error.context or ''}: {error.problem or ''}"
    translate = next((each for part, each in _TRANSLATIONS if part in words), _unexpected)
    return translate(place)


def _offset(mark: object, otherwise: int) -> int:
    return mark if isinstance(mark, int) else otherwise


def _unexpected(place: Place) -> Diagnostic:
    """What no other message explains: something there means more to YAML than to the author."""
    return structure.unquoted_text(place.word(place.at))


def glued_key(file: SourceFile, start: int) -> Diagnostic | None:
    """The message for `key:value` at `start`, if that stands there."""
    found = _GLUED_KEY.match(file.text, start)
    return structure.space_after_colon(Span(file, *found.span()), found[1], found[2]) if found else None


def _no_colon(place: Place) -> Diagnostic:
    key = place.rest(place.began)
    if ": " in key.text or key.text.endswith(":"):
        return messages.key_too_long(key, place.around.limits.key)
    return glued_key(place.file, place.began) or structure.missing_colon(key)


def _colon(place: Place) -> Diagnostic:
    """A colon where the text before it cannot be a key, because unquoted text above goes on to here."""
    here = Span(place.file, place.at, place.at + 1)
    if not _KEY_LINE.fullmatch(place.line):
        return structure.colon_in_text(here, "")
    key = place.word(place.at - len(place.line) + _indent(place.line))
    number = key.line
    top = number
    while top > 1 and _has_no_colon(place.file.line_text(top - 1)):
        top -= 1
    above = place.file.line_text(top - 1) if top > 1 else ""
    if top == number:
        return structure.wrong_indentation(key, None)
    if above and not above.rstrip().endswith(":") and _indent(above) < _indent(place.file.line_text(top)):
        return structure.colon_in_text(here, key.text)
    start = place.file.line_starts[top - 1] + _indent(place.file.line_text(top))
    return structure.missing_colon(place.rest(start))


def _indent(line: str) -> int:
    """Where the text of a line begins, the dashes of lists aside."""
    return len(line) - len(line.lstrip(" \t-"))


def _has_no_colon(line: str) -> bool:
    text = line.partition(" #")[0].strip()
    return bool(text) and ": " not in text and not text.endswith(":") and not text.startswith("#")


def _dash(place: Place) -> Diagnostic:
    return structure.list_on_key_line(Span(place.file, place.at, place.at + 1))


def _start(place: Place) -> Diagnostic:
    return structure.unquoted_text(Span(place.file, place.at, place.at + 1))


def _in_block(place: Place) -> Diagnostic:
    """Something among the entries of a map or list in block style that is no entry of it."""
    here = Span(place.file, place.at, place.at + 1)
    if place.character and place.character in "}]":
        return structure.unmatched_bracket(here, None)
    if not place.is_first:
        return _after_value(place)
    comment = _comment_above(place)
    if comment:
        return structure.comment_cuts_text(comment)
    is_item = place.file.text.startswith("- ", place.at)
    began_as_item = place.file.text.startswith("-", place.began)
    if is_item and not began_as_item:
        return structure.mixed_list_and_map(here, place.word(place.began))
    if began_as_item and not is_item and place.file.position(place.at)[1] == place.file.position(place.began)[1]:
        return structure.mixed_list_and_map(place.word(place.at), place.word(place.began))
    sibling = place.word(place.began) if place.began < place.at else None
    return structure.wrong_indentation(place.word(place.at), sibling)


def _after_value(place: Place) -> Diagnostic:
    end = place.at - len(place.line) + len(place.line.rstrip())
    value = Span(place.file, end - 1, end)
    quoted = place.around.quoted
    if quoted and quoted.end == end and "\n" in quoted.text:
        return structure.unclosed_quote(Span(place.file, quoted.start, quoted.start + 1))
    if value.text in ('"', "'", "}", "]"):
        return structure.text_after_value(place.rest(place.at), value)
    return _unexpected(place)


def _comment_above(place: Place) -> Span | None:
    """The comment on the line above, if the line here is no entry but may be the rest of the text above."""
    number = place.file.position(place.at)[0]
    if number == 1 or ": " in place.rest(place.at).text or place.rest(place.at).text.endswith(":"):
        return None
    above = place.file.line_text(number - 1)
    found = re.search(r"[^ \t:][ \t]++(#[^\n]*)", above)
    if not found:
        return None
    start = place.file.line_starts[number - 2]
    return Span(place.file, start + found.start(1), start + found.end(1))


def _in_flow(place: Place) -> Diagnostic:
    """Something between braces or brackets where a comma or the end is due."""
    opened = Span(place.file, place.began, place.began + 1)
    here = Span(place.file, place.at, place.at + 1)
    if not place.character:
        return structure.unclosed_bracket(opened, here)
    if place.character in "}]":
        return structure.unmatched_bracket(here, opened)
    if place.character in "{[":
        return _brace(place)
    if place.character == ":":
        return _colon_in_flow(place, opened)
    return structure.missing_comma(place.word(place.at), opened)


def _brace(place: Place) -> Diagnostic:
    closer = place.file.text.find("}" if place.character == "{" else "]", place.at)
    list_ = Span(place.file, place.at, closer + 1)
    if re.search(r"\bin[ \t]*$", place.line) and closer >= 0 and "\n" not in list_.text:
        return structure.braces_in_text(list_, "in")
    return structure.braces_in_text(Span(place.file, place.at, place.at + 1), "")


def _colon_in_flow(place: Place, opened: Span) -> Diagnostic:
    """A second colon in one entry: text with a colon, an entry without a comma before it, or an end that is missing."""
    key = _indent(place.line)
    if opened.line != place.file.position(place.at)[0] and _KEY_LINE.fullmatch(place.line):
        word = place.word(place.at - len(place.line) + key)
        outer = place.file.line_text(opened.line)
        if key <= _indent(outer):
            return structure.unclosed_bracket(opened, word)
        return structure.missing_comma(word, opened)
    before = re.search(r"[\w.-]+[ \t]*$", place.line)
    return structure.colon_in_text(Span(place.file, place.at, place.at + 1), before[0].strip() if before else "")


def _no_content(place: Place) -> Diagnostic:
    """Something where a value is due."""
    here = Span(place.file, place.at, place.at + 1)
    if not place.character and place.around.opened:
        return structure.unclosed_bracket(place.around.opened, here)
    if place.character == "," and place.around.opened:
        return structure.missing_value(here)
    if place.character and place.character in "}]":
        return structure.unmatched_bracket(here, place.around.opened)
    if place.character and place.character in ",-?|>":
        return structure.unquoted_text(here)
    if place.character == ":":
        is_value = place.file.text[: place.at].rstrip().endswith(":")
        return structure.unquoted_text(here) if is_value else messages.key_not_text(here, "nothing before the colon")
    return structure.mixed_list_and_map(place.word(place.at), _dash_above(place))


def _dash_above(place: Place) -> Span:
    """The nearest dash of a list above, or the place itself if there is none."""
    for number in range(place.file.position(place.at)[0] - 1, 0, -1):
        line = place.file.line_text(number)
        if line.lstrip(" ").startswith("-"):
            start = place.file.line_starts[number - 1] + line.index("-")
            return Span(place.file, start, start + 1)
    return place.word(place.at)


# The first whose words stand in the parser's, decides.
_TRANSLATIONS: tuple[tuple[str, Callable[[Place], Diagnostic]], ...] = (
    ("could not find expected ':'", _no_colon),
    ("mapping values are not allowed", _colon),
    ("sequence entries are not allowed", _dash),
    ("mapping keys are not allowed", _start),
    ("cannot start any token", _start),
    ("expected the node content", _no_content),
    ("while parsing a block", _in_block),
    ("while parsing a flow mapping", _in_flow),
    ("while parsing a flow sequence", _in_flow),
    ("expected '<document start>'", _in_block),
)
