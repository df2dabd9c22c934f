"""From a file's text to the events of its YAML: maps, lists and scalars beginning and ending, each with its place.

ruamel.yaml's pure scanner and parser find the structure. They are given our own reader, which knows the whole text, and
our own scalars, which know where each of their characters stands. What the rules language does not have (aliases,
anchors, tags, directives) is reported at its token and passed over, so that one run finds all of it. A mark is a plain
offset into the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from ruamel.yaml import tokens
from ruamel.yaml.events import Event, ScalarEvent, StreamEndEvent
from ruamel.yaml.parser import Parser
from ruamel.yaml.scanner import Scanner

from .document import Scalar
from .messages import load as messages
from .messages import structure
from .scalar_text import Report, Unreadable, block, double, plain, single
from .source import SourceFile, Span

END = "\0"
_BLANK = re.compile(r"[ \t]*+(?:#[^\n]*+)?(\n?)")
_BLANKS = " \t#\n"
_BRACKETS = {
    "{": "fetch_flow_mapping_start",
    "}": "fetch_flow_mapping_end",
    "[": "fetch_flow_sequence_start",
    "]": "fetch_flow_sequence_end",
    ",": "fetch_flow_entry",
}
_SPECIAL_STARTS = "%@`"
_ALIAS = re.compile(r"\*[^\s,\[\]{}]++(?=[ \t]*+(?:\n|,|\]|\}|#|:[ \t\n]|\Z))")
_ANCHOR = re.compile(r"&[^\s,\[\]{}]++")
_TAG = re.compile(r"![^\s,\[\]{}]++")


class Reader:
    """The text as ruamel's scanner reads it: where it stands, and what comes next. `END` follows the last character."""

    encoding = None

    def __init__(self, text: str) -> None:
        self.text = text
        self.index = 0
        self.line = 0
        self._line_start = 0

    @property
    def column(self) -> int:
        """How many characters of the line lie behind, from 0."""
        return self.index - self._line_start

    def peek(self, ahead: int = 0) -> str:
        """The character that many places ahead."""
        at = self.index + ahead
        return self.text[at] if at < len(self.text) else END

    def prefix(self, length: int = 1) -> str:
        """The next characters."""
        return self.text[self.index : self.index + length]

    def forward(self, length: int = 1) -> None:
        """Passes over that many characters."""
        self.move_to(min(self.index + length, len(self.text)))

    def move_to(self, offset: int) -> None:
        """Passes over all up to `offset`."""
        line_break = self.text.rfind("\n", self.index, offset)
        if line_break >= 0:
            self.line += self.text.count("\n", self.index, offset)
            self._line_start = line_break + 1
        self.index = offset

    def get_mark(self) -> int:
        """The offset of the next character."""
        return self.index


class TrapScanner(Scanner):
    """ruamel's scanner with our own scalars, which reports what the language does not have and goes on."""

    # Plain attributes where ruamel looks up its loader at every use.
    reader: Any = None

    def __init__(self, loader: Any, file: SourceFile, report: Report) -> None:
        self.reader = loader.reader
        self.file = file
        self.report = report
        self.comments: list[Span] = []
        self.tabs: list[int] = []
        self.last_quoted: Span | None = None
        self._sure = -1
        super().__init__(loader)

    def need_more_tokens(self) -> bool:
        """Whether the first token is missing, or may yet turn out to be a key."""
        if self.done:
            return False
        if not self.tokens:
            return True
        if not self.possible_simple_keys:
            return False
        self.stale_possible_simple_keys()
        return bool(self.next_possible_simple_key() == self.tokens_taken)

    def _fill(self) -> None:
        """Reads on until the first token is sure. It stays so until it is taken, so this is asked once a token."""
        while self.need_more_tokens():
            self.fetch_more_tokens()
        self._sure = self.tokens_taken

    def check_token(self, *choices: Any) -> bool:
        """Whether the next token is one of these, or whether there is one."""
        if self._sure != self.tokens_taken:
            self._fill()
        found = self.tokens
        return bool(found) and (not choices or isinstance(found[0], choices))

    def peek_token(self) -> Any:
        """The next token, which stays; None after the last."""
        if self._sure != self.tokens_taken:
            self._fill()
        return self.tokens[0] if self.tokens else None

    def get_token(self) -> Any:
        """The next token, which is taken; None after the last."""
        if self._sure != self.tokens_taken:
            self._fill()
        if not self.tokens:
            return None
        self.tokens_taken += 1
        return self.tokens.pop(0)

    def fetch_more_tokens(self) -> Any:
        """Reads on by one token, or more where a map begins or ends with it."""
        self.scan_to_next_token()
        self.stale_possible_simple_keys()
        self.unwind_indent(self.reader.column)
        found = self.reader.peek()
        # Nearly all tokens tell by their first character what they are; ruamel asks for each of them in turn.
        if found.isalnum():
            return self.fetch_plain()
        if found == ":" and self.check_value():
            return self.fetch_value()
        return getattr(self, _BRACKETS[found])() if found in _BRACKETS else super().fetch_more_tokens()

    def stale_possible_simple_keys(self) -> None:
        """Forgets what can be no key any more; most often nothing could be one."""
        if self.possible_simple_keys:
            super().stale_possible_simple_keys()

    def scan_to_next_token(self) -> None:
        """Passes over white space and comments, and keeps the places of comments and tabs."""
        reader, text = self.reader, self.file.text
        while reader.peek() in _BLANKS:
            found = _BLANK.match(text, reader.index)
            assert found is not None
            self._keep(found)
            reader.move_to(found.end())
            if not found[1]:
                return
            if not self.flow_context:
                self.allow_simple_key = True

    def _keep(self, blank: re.Match[str]) -> None:
        whole = blank[0]
        if whole in (" ", "\n"):
            return
        comment = whole.find("#")
        if comment >= 0:
            self.comments.append(Span(self.file, blank.start() + comment, blank.end() - len(blank[1])))
        tab = whole.find("\t")
        if tab >= 0 and (comment < 0 or tab < comment):
            self.tabs.append(blank.start() + tab)

    def _scalar_token(self, scalar: Scalar) -> Any:
        """The token of a scalar: what the parser hands on as its value is the scalar itself."""
        self.reader.move_to(scalar.span.end)
        style = {"single": "'", "double": '"', "literal": "|", "folded": ">"}.get(scalar.style)
        return tokens.ScalarToken(scalar, scalar.is_plain, scalar.span.start, scalar.span.end, style)

    def scan_plain(self) -> Any:
        """The token of unquoted text."""
        scalar = plain(self.file, self.reader.index, self.indent + 1, bool(self.flow_context))
        tab = scalar.span.text.find("\t")
        if tab >= 0:
            self.tabs.append(scalar.span.start + tab)
        return self._scalar_token(scalar)

    def scan_flow_scalar(self, style: Any) -> Any:
        """The token of quoted text."""
        start = self.reader.index
        scalar = single(self.file, start) if style == "'" else double(self.file, start, self.report)
        self.last_quoted = scalar.span
        return self._scalar_token(scalar)

    def scan_block_scalar(self, style: Any, rt: bool | None = False) -> Any:
        """The token of text under `|` or `>`."""
        return self._scalar_token(block(self.file, self.reader.index, self.indent, self.comments))

    def check_plain(self) -> Any:
        """Whether unquoted text begins here; reports a first character that such text must not have."""
        if self.reader.peek() in _SPECIAL_STARTS:
            self._unquoted()
            return True
        return super().check_plain()

    def _unquoted(self) -> None:
        at = self.reader.index
        self.report(structure.unquoted_text(Span(self.file, at, at + 1)))

    def fetch_alias(self) -> None:
        """An alias is reported, and an empty scalar stands for it; anything else after `*` is unquoted text."""
        found = _ALIAS.match(self.file.text, self.reader.index)
        if not found:
            self._unquoted()
            self.fetch_plain()
            return
        span = Span(self.file, *found.span())
        self.report(messages.alias(span))
        self.save_possible_simple_key()
        self.allow_simple_key = False
        self.tokens.append(self._scalar_token(Scalar("", "plain", span, span.start)))

    def fetch_anchor(self) -> None:
        """An anchor is reported; anything else after `&` is unquoted text."""
        self._property(_ANCHOR, messages.anchor, lambda found: tokens.AnchorToken(found[0][1:], *found.span()))

    def fetch_tag(self) -> None:
        """A tag is reported; anything else after `!` is unquoted text."""
        # The parser is told of some tag only, since it would decode the text of this one.
        self._property(_TAG, messages.tag, lambda found: tokens.TagToken((None, "!"), *found.span()))

    def _property(self, pattern: re.Pattern[str], message: Any, token: Any) -> None:
        found = pattern.match(self.file.text, self.reader.index)
        if not found:
            self._unquoted()
            self.fetch_plain()
            return
        self.report(message(Span(self.file, *found.span())))
        self.save_possible_simple_key()
        self.allow_simple_key = False
        self.tokens.append(token(found))
        self.reader.move_to(found.end())

    def fetch_directive(self) -> None:
        """A directive is reported, and its line passed over."""
        start = self.reader.index
        end = self.file.text.find("\n", start)
        end = len(self.file.text) if end < 0 else end
        self.report(messages.directive(Span(self.file, start, end)))
        self.reader.move_to(end)

    def fetch_document_end(self) -> None:
        """The line `...`, which ends the file: only comments may follow it."""
        start = self.reader.index
        self.reader.forward(3)
        self.scan_to_next_token()
        if self.reader.peek() != END:
            raise Unreadable(messages.several_documents(Span(self.file, start, start + 3)))


class EventParser(Parser):
    """ruamel's parser, with its scanner at hand. Some of its versions ask events for lines, which ours do not have."""

    scanner: Any = None

    def parse_node(self, block: bool = False, indentless_sequence: bool = False) -> Any:
        """The event that begins a node, or is all of it: most are scalars with nothing before them."""
        token = self.scanner.peek_token()
        if not isinstance(token, tokens.ScalarToken):
            return super().parse_node(block, indentless_sequence)
        self.scanner.get_token()
        self.state = self.states.pop()
        implicit = token.plain, not token.plain
        return ScalarEvent(None, None, implicit, token.value, token.start_mark, token.end_mark, style=token.style)

    def get_event(self) -> Any:
        """The next event; None after the last."""
        return self.state() if self.state else None


class EventSource:
    """The events of one file, in order; what the scanner keeps of comments and tabs is complete after the last."""

    def __init__(self, file: SourceFile, report: Report) -> None:
        # What ruamel's classes ask of the loader that they are parts of.
        loader = SimpleNamespace(
            typ="safe",
            reader=Reader(file.text),
            resolver=SimpleNamespace(processing_version=(1, 2)),
            comment_handling=None,
        )
        self.scanner = loader.scanner = TrapScanner(loader, file, report)
        self.parser = EventParser(loader)
        self.parser.scanner = self.scanner

    def __iter__(self) -> Iterator[Event]:
        """Every event; raises Unreadable, or an error of ruamel's, where the structure ends."""
        while True:
            event = self.parser.get_event()
            yield event
            if event is None or isinstance(event, StreamEndEvent):
                return
